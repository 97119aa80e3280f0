"""``python -m benchmarks.settings``: settings of gradient boosting beside its defaults.

Every other table is for choosing, and the others are for judging what was chosen. Each setting is
given as JSON: parameters of the estimators, or ``{"starts": 2}`` for the mean of as many fits with
seeds of their own. A table whose target holds numbers of more than 20 kinds is one of regression.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .table import markdown

_LEAST = 1e-15  # of a probability
_KINDS = 20  # of numbers in a target, beyond which it is to be predicted as a number


def _tables(folders: Sequence[Path], most: int) -> Iterator[tuple[str, Any, Any, bool]]:
    """Name, X, y and whether y holds numbers, of every CSV file with a column "target"."""
    from .tables import frame

    for path in sorted(p for folder in folders for p in folder.glob("*.csv*")):
        table = frame(path)
        if "target" not in table.columns or len(table) < 100:
            continue
        rows = np.sort(np.random.default_rng(0).permutation(len(table))[:most])
        table = table.iloc[rows].reset_index(drop=True)
        y = table.pop("target")
        numbers = y.dtype.name != "category" and y.nunique() > _KINDS
        kept = y.to_numpy(float) if numbers else y.astype(str).to_numpy(object)
        yield path.name.partition(".")[0], table, kept, numbers


def _losses(setting: dict[str, Any], data: tuple[Any, Any, bool], n_folds: int) -> dict[str, float]:
    """The mean loss, error and processor time of a setting over folds of a table."""
    from sklearn.model_selection import KFold, StratifiedKFold

    from weaklearn import GradientBoostingClassifier, GradientBoostingRegressor

    X, y, numbers = data
    own = dict(setting)
    starts = own.pop("starts", 1)
    kind = GradientBoostingRegressor if numbers else GradientBoostingClassifier
    folds = (KFold if numbers else StratifiedKFold)(n_folds, shuffle=True, random_state=0)
    found: list[tuple[float, float]] = []
    begin = time.process_time()
    for learnt, judged in folds.split(X, y):
        models = [
            kind(n_jobs=1, random_state=seed, **own).fit(X.iloc[learnt], y[learnt])
            for seed in range(starts)
        ]
        if numbers:
            wrong = np.mean([model.predict(X.iloc[judged]) for model in models], axis=0) - y[judged]
            found.append((float(np.mean(wrong**2)), float(np.mean(np.abs(wrong)))))
            continue
        P = np.mean([model.predict_proba(X.iloc[judged]) for model in models], axis=0)
        classes = models[0].classes_
        known = np.isin(y[judged], classes)
        right = P[np.flatnonzero(known), np.searchsorted(classes, y[judged][known])]
        error = np.mean(classes[P.argmax(axis=1)] != y[judged])
        found.append((float(-np.log(np.maximum(right, _LEAST)).mean()), float(error)))
    loss, error = np.mean(found, axis=0)
    return {"loss": loss, "error": error, "seconds": time.process_time() - begin}


def _ratio(results: dict[str, Any], names: list[str], setting: str, measure: str) -> float:
    """The geometric mean over tables of a measure, relative to the defaults."""
    pairs = [(results[name][setting][measure], results[name]["{}"][measure]) for name in names]
    logs = [np.log(max(a, 1e-9) / max(b, 1e-9)) for a, b in pairs if measure != "error" or b > 0]
    return float(np.exp(np.mean(logs))) if logs else float("nan")


def _report(results: dict[str, Any], numbers: dict[str, bool], settings: list[str]) -> str:
    """A line a setting: losses relative to the defaults on tables to choose by and to judge by."""
    halves: dict[tuple[bool, int], list[str]] = {}
    for kind in (False, True):
        names = sorted(name for name in results if numbers[name] == kind)
        for half in (0, 1):
            halves[kind, half] = names[half::2]
    lines = []
    for setting in settings:
        cells = [
            f"{_ratio(results, halves[kind, half], setting, measure):.3f}"
            for kind, measure in ((False, "loss"), (False, "error"), (True, "loss"))
            for half in (0, 1)
        ]
        lines.append((setting, *cells, f"{_ratio(results, list(results), setting, 'seconds'):.2f}"))
    measures = ("log-loss", "error", "squared error")
    heads = [f"{each}, {half}" for each in measures for half in ("choosing", "judging")]
    return markdown(("setting", *heads, "time"), lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the comparison; returns an exit status."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.settings", description=__doc__)
    parser.add_argument("settings", nargs="*", metavar="JSON", help="settings beside the defaults")
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR")
    parser.add_argument("--only", default="", metavar="TABLES", help="names, divided by commas")
    parser.add_argument("--rows", type=int, default=5000, help="rows of a table at most")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--cache", type=Path, help="a JSON file of results, read and continued")
    arguments = parser.parse_args(argv)
    warnings.filterwarnings("ignore")  # of rare classes and columns that are set aside
    settings = ["{}", *(json.dumps(json.loads(each)) for each in arguments.settings)]
    cache, only = arguments.cache, set(filter(None, arguments.only.split(",")))
    kept = json.loads(cache.read_text("utf-8")) if cache is not None and cache.exists() else {}
    results: dict[str, Any] = {}
    numbers: dict[str, bool] = {}
    for name, *data in _tables(arguments.data, arguments.rows):
        if only and name not in only:
            continue
        numbers[name], results[name] = data[2], kept.setdefault(name, {})
        for setting in settings:
            if setting not in results[name]:
                found = _losses(json.loads(setting), (data[0], data[1], data[2]), arguments.folds)
                results[name][setting] = found
                told = "  ".join(f"{key} {value:.4g}" for key, value in found.items())
                print(f"{name:28}{setting:44}{told}", file=sys.stderr, flush=True)
            if cache is not None:
                cache.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    print(_report(results, numbers, settings))
    return 0


if __name__ == "__main__":
    sys.exit(main())
