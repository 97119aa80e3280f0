"""Writes the frozen files that are not there yet: one or more for each kind of estimator."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import is_classifier

from tests.frozen import HERE, answers, frame
from tests.odd_rows import NEEDED, ODD
from weaklearn import MadaBoostClassifier
from weaklearn.files.envelope import VERSION
from weaklearn.online.kernels import AllProducts, Linear, Polynomial
from weaklearn.persistence.book import KEPT
from weaklearn.persistence.kept_estimator import KeptEstimator
from weaklearn.registry import class_of

COLUMNS = {
    "size": {"type": "number", "values": [None if k % 5 == 3 else (k * 7 % 11 / 3).hex()
                                          for k in range(16)]},
    "colour": {"type": "text", "values": ["red", "green", None, "blue", "red", "green", "blue",
                                          "red"] * 2},
    "born": {"type": "moment", "values": [f"20{10 + k * 5 % 16}-0{1 + k % 9}-11"
                                          for k in range(16)]},
    "took": {"type": "duration", "values": [k * k % 37 * 60 for k in range(16)]},
    "account": {"type": "whole", "values": [2**60 + k * 3 % 13 for k in range(16)]},
}  # fmt: skip
BITS = {"on": {"type": "number", "values": [float(k * 7 % 11 > 4).hex() for k in range(16)]}}
NUMBERS = {"size": {"type": "number", "values": [float(k * 7 % 11).hex() for k in range(16)]}}
TWO = ["yes" if k * 7 % 11 > 4 or k == 2 else "no" for k in range(16)]
THREE = [k * 7 % 11 // 4 for k in range(16)]
_BOTH = [[int(label == "yes"), int(k % 3 == 0)] for k, label in enumerate(TWO)]
_PAIR = [[k * 7 % 11, k % 5 / 2] for k in range(16)]
TABLES: dict[str, dict[str, Any]] = {  # y of several columns, for those that take it
    "GradientBoostingClassifier": {
        "labels": _BOTH,
        "shares": [[k % 4 / 8, 0.5, (4 - k % 4) / 8] for k in range(16)],
        "halves": [[k % 4 / 4, (4 - k % 4) / 4] for k in range(16)],
    },
    "GradientBoostingRegressor": {"targets": _PAIR},
    "DecisionTreeClassifier": {"outputs": _BOTH},
    "DecisionTreeRegressor": {"outputs": _PAIR},
    "RandomForestClassifier": {"outputs": _BOTH},
    "RandomForestRegressor": {"outputs": _PAIR},
    "ExtraTreesClassifier": {"outputs": _BOTH},
    "ExtraTreesRegressor": {"outputs": _PAIR},
    "BaggingRegressor": {"outputs": _PAIR},
}
_PAIRED = {
    "learning_rate": 0.5,
    "max_features": 0.5,
    "max_leaf_nodes": 4,
    "min_samples_leaf": 1,
    "n_bags": 2,
    "n_pairs": 10,
    "pairs": [("size", "colour"), ("born", "account")],
}
_SLOPED = {"linear_leaves": True, "min_samples_leaf": 2, "max_leaf_nodes": 5}
SETTINGS: dict[str, dict[str, dict[str, Any]]] = {
    "AdaBoostClassifier": {
        "plain": {},
        "ovr": {"multiclass": "ovr"},
        "m1": {"multiclass": "m1"},
        "m2": {"multiclass": "m2"},
        "pairs": {"multiclass": "pairs"},
        "trees": {"estimator": "tree"},
    },
    "BoosTexterClassifier": {
        "plain": {"form": "real"},
        "parallel": {"form": "parallel"},
        "ranking": {"form": "ranking"},
        "texts": {"form": "abstain", "text_columns": ["colour"]},
    },
    "BrownBoostClassifier": {"plain": {"epsilon": 0.05}},
    "NormalBoostClassifier": {
        "plain": {"epsilon": 0.05},
        "robust": {"epsilon": 0.05, "robust": True},
    },
    "CoordinateBoostClassifier": {"plain": {}, "ball": {"radius": 5.0, "loss": "logistic"}},
    "OneVsRestBooster": {"plain": {"booster": MadaBoostClassifier(n_estimators=4)}},
    "AllPairsBooster": {"plain": {"booster": MadaBoostClassifier(n_estimators=4)}},
    "ERMClassifier": {"plain": {"hypotheses": np.array([["yes"] * 16, TWO, TWO[::-1]])}},
    "IntervalUnionClassifier": {"plain": {}, "limited": {"n_max": 1, "ends": "half-open"}},
    "DecisionTreeClassifier": {
        "plain": {},
        "c45": {"categorical": "multiway", "missing": "fraction", "criterion": "gain_ratio"},
    },
    "SGDClassifier": {
        "plain": {},
        "circuit": {"loss": "logistic", "layers": (3, 2), "fit_intercept": True, "max_passes": 9},
    },
    "KernelSVMClassifier": {
        "plain": {},
        "kernels": {"kernel": 2.0 * Polynomial(2) * AllProducts() + Linear(), "C": 0.5},
    },
    "DecisionStumpClassifier": {"plain": {}, "multiway": {"categorical": "multiway"}},
    "GradientBoostingClassifier": {"plain": {}, "slopes": _SLOPED},
    "GradientBoostingRegressor": {"plain": {}, "slopes": _SLOPED},
    "AdditiveBoostingClassifier": {"crossed": _PAIRED, "mended": _PAIRED},
    "AdditiveBoostingRegressor": {"crossed": _PAIRED, "mended": _PAIRED},
}


def target_of(kind: str, case: str) -> Any:
    """The y that a model of :func:`cases` was fitted on, by its kind and its name."""
    if kind in ODD:
        return np.asarray(ODD[kind].y)
    known = {"two": TWO, "three": THREE, "numbers": THREE} | TABLES.get(kind, {})
    return np.array(known[case.rpartition("-")[2]])


def cases(kind: KeptEstimator) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Fitted models of a kind, by name, with the columns they were fitted on."""
    if kind.name in ODD:
        odd = ODD[kind.name]
        model = class_of(kind.row)(**odd.given)
        model.fit(frame(odd.columns), odd.y, **odd.beside)
        yield f"{VERSION}-{kind.name}-plain-odd", model, odd.columns
        return
    made = class_of(kind.row)
    targets = {"two": TWO, "three": THREE} if is_classifier(made()) else {"numbers": THREE}
    for setting, given in SETTINGS.get(kind.name, {"plain": NEEDED.get(kind.name, {})}).items():
        tables = TABLES.get(kind.name, {}) if setting == "plain" else {}
        for target, y in (targets | tables).items():
            model = made(**given)
            if "n_estimators" in model.get_params():
                model.set_params(n_estimators=4)
            for columns in (COLUMNS, NUMBERS, BITS):  # for those that take nothing else
                try:
                    model.fit(frame(columns), np.array(y))
                except ValueError:
                    continue
                if setting == "mended":
                    model.edit("size", flatten=True)
                    model.edit(("size", "colour"), drop=True)
                yield f"{VERSION}-{kind.name}-{setting}-{target}", model, columns
                break


def main() -> None:
    for kind in KEPT:
        for name, model, columns in cases(kind):
            path = HERE / f"{name}.weak"
            if path.exists():
                continue
            model.save(path)
            told = {"columns": columns, "answers": answers(model, frame(columns))}
            path.with_suffix(".json").write_text(json.dumps(told) + "\n")
            print(path.name)


if __name__ == "__main__":
    main()
