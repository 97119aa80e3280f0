"""``python -m benchmarks.glass``: the glass box beside InterpretML's and CatBoost.

Three tables: time and loss of whole untuned fits, losses over the two-class tables of a folder, and
how well the functions of a known additive target are recovered.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import tables

SPEED = ("adult", "spambase", "sick_euthyroid")


def _ours(threads: int) -> Any:
    from weaklearn import AdditiveBoostingClassifier

    return AdditiveBoostingClassifier(n_jobs=threads)


def _ebm(threads: int) -> Any:
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(n_jobs=threads)


def _catboost(threads: int) -> Any:
    from .untuned import UntunedClassifier

    return UntunedClassifier("CatBoost", threads)


CONTENDERS: dict[str, tuple[str, Callable[[int], Any]]] = {
    "weaklearn": ("weaklearn", _ours),
    "EBM": ("interpret", _ebm),
    "CatBoost": ("catboost", _catboost),
}


def installed(name: str) -> bool:
    return importlib.util.find_spec(CONTENDERS[name][0]) is not None


def measured(name: str, loader: tables.Loader, threads: int) -> dict[str, float]:
    """Mean test log-loss, accuracy and seconds of a fit over the splits of a data set."""
    from sklearn.metrics import log_loss

    X, y, splits = loader()
    y = np.asarray(y)
    if not isinstance(splits[0], tuple):
        splits = [splits]
    losses, right, seconds = [], [], []
    for train, test in splits:
        model = CONTENDERS[name][1](threads)
        begin = time.perf_counter()
        model.fit(_rows(X, train), y[train])
        seconds.append(time.perf_counter() - begin)
        told = np.clip(model.predict_proba(_rows(X, test)), 1e-15, 1.0)
        losses.append(log_loss(y[test], told, labels=model.classes_))
        right.append(np.mean(np.asarray(model.classes_)[told.argmax(axis=1)] == y[test]))
    return {
        "log_loss": float(np.mean(losses)),
        "accuracy": float(np.mean(right)),
        "seconds": float(np.mean(seconds)),
    }


def _rows(X: Any, rows: Any) -> Any:
    return X.iloc[rows].reset_index(drop=True) if hasattr(X, "iloc") else X[rows]


# ---------------------------------------------------------------------------------------- recovery


def known_target(interactions: bool, seed: int = 0, m: int = 5000) -> tuple[Any, Any, Any]:
    """Six columns, the first two correlated; rows, a noisy sum, and the true functions."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (m, 6))
    X[:, 1] = np.clip(0.7 * X[:, 0] + 0.5 * rng.uniform(-1, 1, m), -1, 1)
    functions = [
        lambda x: np.sin(3 * x),
        lambda x: (x > 0.2) * 1.0,
        lambda x: x**2 * 2,
        lambda x: -x,
        lambda x: np.abs(x),
        lambda x: 0 * x,
    ]
    y = sum(f(X[:, j]) for j, f in enumerate(functions))
    if interactions:
        y = y + 2 * X[:, 2] * X[:, 3] + 1.5 * ((X[:, 4] > 0) & (X[:, 5] > 0))
    return X, y + 0.3 * rng.normal(size=m), functions


def recovered(interactions: bool, threads: int) -> list[tuple[str, float, str, float]]:
    """Name, root of the mean square distance to the true functions, pairs found, seconds."""
    X, y, functions = known_target(interactions)
    found = []
    for name, fit in (("weaklearn", _our_functions), ("EBM", _ebm_functions)):
        if not installed(name):
            continue
        begin = time.perf_counter()
        answers, pairs = fit(X, y, threads)
        seconds = time.perf_counter() - begin
        off = []
        for j, f in enumerate(functions):
            true, ours = f(X[:, j]), answers[:, j]
            if interactions and j >= 4:  # half of the cross belongs to each of its columns
                true = true + 0.75 * (X[:, j] > 0)
            off.append(np.mean((ours - ours.mean() - true + true.mean()) ** 2))
        found.append((name, float(np.sqrt(np.mean(off))), pairs, seconds))
    return found


def _our_functions(X: Any, y: Any, threads: int) -> tuple[Any, str]:
    from weaklearn import AdditiveBoostingRegressor

    model = AdditiveBoostingRegressor(n_jobs=threads).fit(X, y)
    answers = np.zeros(X.shape)
    for term in model.ensemble_.terms:
        if len(term.features) == 1:
            answers[:, term.features[0]] = term(model._rows(X))[:, 0]
    return answers, " ".join(f"{a}-{b}" for a, b in model.pairs_) or "none"


def _ebm_functions(X: Any, y: Any, threads: int) -> tuple[Any, str]:
    from interpret.glassbox import ExplainableBoostingRegressor

    model = ExplainableBoostingRegressor(n_jobs=threads).fit(X, y)
    added = model.eval_terms(X)
    answers = np.zeros(X.shape)
    pairs = []
    for k, features in enumerate(model.term_features_):
        if len(features) == 1:
            answers[:, features[0]] = added[:, k]
        else:
            pairs.append(features)
    return answers, " ".join(f"{a}-{b}" for a, b in pairs) or "none"


# ------------------------------------------------------------------------------------------ tables


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.glass", description=__doc__)
    parser.add_argument("--data", type=Path, metavar="DIR", help="a folder of CSV files")
    parser.add_argument("--only", default="speed,accuracy,recovery")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--cache", type=Path, metavar="FILE", help="results of peers, kept")
    arguments = parser.parse_args(argv)
    chosen = arguments.only.split(",")
    known: dict[str, dict[str, float]] = {}
    if arguments.cache is not None and arguments.cache.exists():
        known = json.loads(arguments.cache.read_text())
    if arguments.data is not None and {"speed", "accuracy"} & set(chosen):
        loaders = tables.loaders([arguments.data], arguments.folds, False)
        names = list(loaders) if "accuracy" in chosen else list(SPEED)
        _compare(names, loaders, known, arguments)
    if "recovery" in chosen:
        for interactions in (False, True):
            print(
                "\nrecovered", "with two interactions" if interactions else "without interactions"
            )
            for name, off, pairs, seconds in recovered(interactions, arguments.threads):
                print(f"    {name:<12} off by {off:.4f}, pairs: {pairs}, {seconds:.1f} s")
    return 0


def _compare(
    names: Sequence[str], loaders: dict[str, tables.Loader], known: dict[str, Any], arguments: Any
) -> None:
    who = [name for name in CONTENDERS if installed(name)]
    print("data set".ljust(26) + "".join(f"{name:>12}{'s':>9}" for name in who))
    rows = []
    for name in names:
        if loaders[name].numbers or len(np.unique(np.asarray(loaders[name]()[1]))) != 2:
            continue
        row = {}
        for contender in who:
            key = f"{name}|{contender}|{arguments.folds}|{arguments.threads}"
            if key not in known or contender == "weaklearn":
                known[key] = measured(contender, loaders[name], arguments.threads)
                if arguments.cache is not None:
                    arguments.cache.write_text(json.dumps(known, indent=1))
            row[contender] = known[key]
        rows.append(row)
        cells = "".join(f"{r['log_loss']:12.4f}{r['seconds']:9.2f}" for r in row.values())
        print(name.ljust(26) + cells, flush=True)
    means = "".join(f"{np.mean([r[w]['log_loss'] for r in rows]):12.4f}{'':9}" for w in who)
    print("mean".ljust(26) + means)


if __name__ == "__main__":
    raise SystemExit(main())
