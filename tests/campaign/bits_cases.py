"""Every estimator of the registry with rows that it takes, and what its definition leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import is_classifier, is_regressor

from tests.frozen import frame
from tests.odd_rows import ODD
from tests.trials import TRIALS
from weaklearn import MadaBoostClassifier
from weaklearn.boosters import AdaBoost
from weaklearn.registry import ROWS, Row, class_of

# Estimators whose fits take long on many rows, and with how many they are tried.
SMALL = {
    "KernelPerceptron": 150,
    "KernelSVMClassifier": 150,
    "HingeLPClassifier": 60,
    "IntervalUnionClassifier": 400,
    "ThreePieceClassifier": 400,
    "BoostByMajorityClassifier": 400,
    "TotalBoostClassifier": 400,
    "SoftBoostClassifier": 400,
    "ERLPBoostClassifier": 400,
    "AllPairsBooster": 600,
}
_NEEDED: dict[str, dict[str, Any]] = {
    "Boosted": {"booster": AdaBoost(0.5), "n_estimators": 6},
    "OneVsRestBooster": {"booster": MadaBoostClassifier(n_estimators=4)},
    "AllPairsBooster": {"booster": MadaBoostClassifier(n_estimators=4)},
    "SGDClassifier": {"loss": "logistic", "fit_intercept": True, "max_passes": 3},
}
_FEWER = {"n_estimators": 6, "n_bags": 2}  # so that all can be tried many times

_ONLINE = "an online learner takes rows in the order in which they come"
_TABLE = "its hypotheses are given as their answers for each row, in order"
_NO_WEIGHTS = "takes no weights"
_DRAWN = "negatives are drawn from the pictures in their order"
_KEPT = "keeps support vectors as they came, dense or sparse; answers are compared alone"
_LISTS = "takes lists of candidates, each with features of its own, and no weights"
# What an estimator's definition leaves open, with the reason: by axis, then by estimator.
NOT_BY_DEFINITION: dict[str, dict[str, str]] = {
    "order": {
        "Perceptron": _ONLINE,
        "AveragedPerceptron": _ONLINE,
        "MarginPerceptron": _ONLINE,
        "SGDClassifier": _ONLINE,
        "KernelPerceptron": _ONLINE,
        "SleepingExperts": _ONLINE,
        "HalvingClassifier": _ONLINE,
        "OnlineDisjunction": _ONLINE,
        "Hedge": _ONLINE,
        "ERMClassifier": _TABLE,
        "CascadeDetector": _DRAWN,
    },
    "copies": {
        "Perceptron": _NO_WEIGHTS,
        "AveragedPerceptron": _NO_WEIGHTS,
        "MarginPerceptron": _NO_WEIGHTS,
        "SGDClassifier": _NO_WEIGHTS,
        "KernelPerceptron": _NO_WEIGHTS,
        "SleepingExperts": _NO_WEIGHTS,
        "HalvingClassifier": _NO_WEIGHTS,
        "OnlineDisjunction": _NO_WEIGHTS,
        "Hedge": _NO_WEIGHTS,
        "TermVectorizer": _NO_WEIGHTS,
        "GradientBoostingRanker": "a weight belongs to a whole query",
        "WindowClassifier": _NO_WEIGHTS,
        "CascadeDetector": _NO_WEIGHTS,
        "BoostReranker": _LISTS,
        "ERMClassifier": _TABLE,
    },
    "fingerprint of sparse": {"KernelPerceptron": _KEPT, "KernelSVMClassifier": _KEPT},
}


@dataclass(frozen=True)
class Case:
    """An estimator with parameters, and rows that it takes."""

    name: str
    world: str
    X: Any
    y: Any
    given: dict[str, Any] = field(default_factory=dict)
    beside: tuple[str, ...] = ()  # other arguments of fit, which stand beside y as columns

    def __str__(self) -> str:
        return f"{self.name} on {self.world}"

    def fit(self, X: Any, y: Any, weight: Any = None, threads: int = 1) -> Any:
        model = class_of(ROWS[self.name])(**self.given)
        if "n_jobs" in model.get_params(deep=False):
            model.set_params(n_jobs=threads)
        others: dict[str, Any] = {} if weight is None else {"sample_weight": weight}
        if self.beside:
            y, *columns = np.asarray(y).T
            others |= dict(zip(self.beside, columns, strict=True))
        return model.fit(X, y, **others)


def cases(rows: int, names: list[str] | None = None) -> Iterator[Case]:
    """The cases of each estimator; those it refuses are left out."""
    for row in ROWS.values():
        if names is None or row.name in names:
            yield from _cases_of(row, rows)


def _cases_of(row: Row, rows: int) -> Iterator[Case]:
    if row.name in ODD:
        odd = ODD[row.name]
        y = np.column_stack([odd.y, *odd.beside.values()]) if odd.beside else odd.y
        yield Case(row.name, "rows of its own", frame(odd.columns), y, odd.given, (*odd.beside,))
        return
    m = min(rows, SMALL.get(row.name, rows))
    made = class_of(row)
    known = made().get_params(deep=False)
    given = {**TRIALS.get(row.name, {}), **_NEEDED.get(row.name, {})}
    given |= {name: n for name, n in _FEWER.items() if name in known and n < given.get(name, 99)}
    if row.name == "ERMClassifier":
        answers = np.random.default_rng(0).integers(0, 2, (5, m))
        yield Case(row.name, "numbers", numbers(m)[0], answers[1], {"hypotheses": answers})
        return
    if "random_state" in known:
        given["random_state"] = 3
    for target in _targets(made()):
        for world in (mixed, gaps, numbers, zeros_and_ones):  # the first of tables that it takes
            X, score = world(m)
            case = Case(row.name, f"{world.__name__}, {target}", X, _target(target, score), given)
            try:
                case.fit(X, case.y)
            except (ValueError, TypeError):
                continue
            yield case
            if world is not mixed:
                break


def _targets(model: Any) -> list[str]:
    if is_regressor(model):
        return ["numbers"]
    return ["two classes", "three classes"] if is_classifier(model) else ["grades"]


def _target(target: str, score: Any) -> Any:
    if target == "two classes":
        return np.where(score > 0.5, "yes", "no")
    if target == "numbers":
        return np.round(score, 2)
    return np.digitize(score, [0.0, 1.0])


@cache
def mixed(m: int) -> tuple[Any, Any]:
    """Numbers with gaps, a column twice, few and many categories, dates, rows twice."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(
        {
            "many": rng.normal(size=m).astype(np.float32).astype(np.float64),
            "few": rng.integers(0, 5, m).astype(float),
            "kind": rng.choice(["red", "green", "blue", "grey"], m).astype(object),
            "town": [f"t{k}" for k in (rng.pareto(0.3, m) * 3).clip(0, 900).astype(int)],
            "day": np.datetime64("2024-01-01", "us") + rng.integers(0, 90, m) * 86_400_000_000,
            "again": np.zeros(m),
        }
    )
    X["again"] = X["few"]
    X.loc[rng.random(m) < 0.1, "many"] = np.nan
    X.loc[rng.random(m) < 0.1, "kind"] = None
    X = X.iloc[np.r_[0 : m - m // 8, 0 : m // 8]].reset_index(drop=True)
    score = X["many"].fillna(0) + 0.5 * (X["few"] > 2) + 0.7 * (X["kind"] == "red")
    return X, (score + 0.5 * rng.normal(size=m)).to_numpy()


@cache
def gaps(m: int) -> tuple[Any, Any]:
    """A matrix with many zeros, gaps and equal columns, exact in single precision."""
    X, score = numbers(m)
    X = X.copy()
    X[np.random.default_rng(3).random(X.shape) < 0.05] = np.nan
    return X, score


@cache
def numbers(m: int) -> tuple[Any, Any]:
    """The like without gaps."""
    rng = np.random.default_rng(2)
    X = np.where(rng.random((m, 6)) < 0.5, rng.normal(size=(m, 6)), 0.0)
    X[:, 3] = rng.integers(-1, 3, m)
    X[:, 4] = X[:, 3]
    X = X.astype(np.float32).astype(np.float64)
    X[m - m // 8 :] = X[: m // 8]
    return X, X[:, 0] + X[:, 1] + 0.4 * X[:, 3] + 0.5 * rng.normal(size=m)


@cache
def zeros_and_ones(m: int) -> tuple[Any, Any]:
    X = np.random.default_rng(4).integers(0, 2, (m, 5)).astype(float)
    return X, X[:, 0] * X[:, 1]
