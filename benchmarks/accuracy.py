"""``python -m benchmarks.accuracy``: estimators as they come, over many data sets."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from .table import markdown
from .tables import MOST_ROWS, loaders
from .untuned import OURS, PEERS, described, installed, made


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.accuracy",
        description="Error, log-loss, AUC, calibration and time of estimators as they come.",
        epilog=f"estimators: {', '.join([*OURS, *PEERS])}",
    )
    parser.add_argument(
        "--data", type=Path, action="append", default=[], metavar="DIR", help="folders of CSV files"
    )
    parser.add_argument(
        "--only", action="append", default=[], metavar="TABLE", help="these data sets only"
    )
    parser.add_argument(
        "--estimators",
        action="append",
        default=[],
        metavar="NAME",
        help="fit these only (default: all); those in the cache are shown beside them",
    )
    parser.add_argument(
        "--params", type=json.loads, default={}, metavar="JSON", help="parameters of ours"
    )
    parser.add_argument("--folds", type=int, default=10, help="folds (default: %(default)s)")
    parser.add_argument(
        "--rows", type=int, default=MOST_ROWS, help="rows of a table at most (default: %(default)s)"
    )
    parser.add_argument("--threads", type=int, default=1, help="threads of each (default: 1)")
    parser.add_argument("--quick", action="store_true", help="600 rows and two folds: a trial")
    parser.add_argument(
        "--cache", type=Path, help="a JSON file in which results of peers are kept and looked up"
    )
    parser.add_argument("--output", type=Path, help="a JSON file for all results")
    return parser


class Cache:
    """Results of peers by data set and splits, estimator, its version and parameters.

    The file is written after each.
    """

    def __init__(self, path: Path | None, splits: str, threads: int) -> None:
        self._path = path
        self._splits = splits
        self._threads = threads
        known = path is not None and path.exists()
        self._kept: dict[str, Any] = json.loads(path.read_text("utf-8")) if path and known else {}

    def _key(self, dataset: str, estimator: str, numbers: bool) -> str:
        as_it_is = described(estimator, numbers, self._threads)
        return "|".join((dataset, self._splits, estimator, as_it_is))

    def get(self, dataset: str, estimator: str, numbers: bool) -> Any:
        """A trial of such an estimator as is installed here; None where there is none."""
        from weaklearn.comparison.trial import Trial

        if not self._kept or not installed(estimator):
            return None
        kept = self._kept.get(self._key(dataset, estimator, numbers))
        return kept and Trial(**kept)

    def put(self, trial: Any, numbers: bool) -> None:
        if self._path is None:
            return
        self._kept[self._key(trial.dataset, trial.estimator, numbers)] = asdict(trial)
        new = self._path.with_suffix(".new")
        new.write_text(json.dumps(self._kept, indent=0) + "\n", encoding="utf-8")
        new.replace(self._path)


def _trials(arguments: Any, sets: dict[str, Any], names: list[str]) -> Iterator[Any]:
    """Every trial asked for, and those of peers that are in the cache."""
    import weaklearn

    splits = "quick" if arguments.quick else f"{arguments.folds} folds"
    splits += "" if arguments.rows == MOST_ROWS else f" of {arguments.rows} rows"
    cache = Cache(arguments.cache, splits, arguments.threads)
    for dataset, load in sets.items():
        for name in [*OURS, *PEERS]:
            trial = cache.get(dataset, name, load.numbers) if name in PEERS else None
            if trial is None and name in names:
                model = made(name, arguments.threads, load.numbers, arguments.params)
                if model is None:
                    continue
                trial = weaklearn.compare({name: model}, {dataset: load}, curves=False).trials[0]
                if name in PEERS:
                    cache.put(trial, load.numbers)
                print(_line(trial), file=sys.stderr, flush=True)
            if trial is not None:
                yield trial


def _line(trial: Any) -> str:
    told = trial.failure or "  ".join(f"{key} {value:.4g}" for key, value in trial.scores.items())
    return f"{trial.dataset:32}{trial.estimator:16}{told}"


_NAMES = {"error": "error + 0.5 %", "auc": "1 - AUC + 0.5 %"}
_ADDED = {"error": 0.005, "auc": 0.005, "log_loss": 1e-3}  # so that no table decides alone


def _ratio(result: Any, name: str, other: str, measure: str, what: str) -> float:
    """The geometric mean of one estimator's measure to another's, over the tables of both."""
    kinds = {trial.dataset: trial.kind for trial in result.trials}
    sets = [each for each, kind in kinds.items() if (kind == "regression") == (what == "numbers")]
    pairs = np.array([[result.score(each, e, measure) for e in (name, other)] for each in sets])
    pairs = pairs.reshape(-1, 2)
    logs = np.log((1 - pairs if measure == "auc" else pairs) + _ADDED.get(measure, 0.0))
    logs = logs[np.isfinite(logs).all(axis=1)]
    return float(np.exp(np.mean(logs[:, 0] - logs[:, 1]))) if len(logs) else float("nan")


def _over_all(result: Any) -> str:
    """Geometric means of ratios, over every data set of classes and every one of numbers."""
    names = list(dict.fromkeys(trial.estimator for trial in result.trials))
    lines = []
    measures = [("classes", each) for each in ("log_loss", "error", "auc", "fit_time")]
    measures += [("numbers", each) for each in ("mse", "fit_time")]
    for what, loss in measures:
        for name in names:
            found = [_ratio(result, name, other, loss, what) for other in names]
            if any(value == value for value in found):
                cells = (f"{value:.3f}" if value == value else "–" for value in found)
                lines.append((f"{name}, {_NAMES.get(loss, loss)} of {what}", *cells))
    return markdown(("relative to", *names), lines)


def _print(result: Any, seconds: float) -> None:
    for kind in result.kinds:
        for measure in (m for m in result.measures(kind) if m not in ("mse", "predict_time")):
            print(f"{kind}: {measure}", result.table(measure, kind), sep="\n", end="\n\n")
        print(f"{kind}: loss", result.ratios(kind=kind), sep="\n", end="\n\n")
    print(result.summary(), _over_all(result), sep="\n\n", end="\n\n")
    if len(result.failures()):
        print(result.failures(), end="\n\n")
    print(f"{seconds:.0f} s")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the comparison; returns an exit status."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    split = lambda given: [name for one in given for name in one.split(",")]  # noqa: E731
    names = split(arguments.estimators) or [*OURS, *filter(installed, PEERS)]
    for name in names:
        if name not in OURS and name not in PEERS:
            parser.error(f"there is no estimator {name!r}; known are {', '.join([*OURS, *PEERS])}")
    # Read by OpenMP when the first peer is loaded.
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    warnings.filterwarnings("ignore")  # peers on names of columns, rare classes, empty columns

    from weaklearn import Comparison

    sets = loaders(arguments.data, arguments.folds, arguments.quick, arguments.rows)
    wanted = split(arguments.only) or list(sets)
    for name in wanted:
        if name not in sets:
            parser.error(f"there is no data set {name!r}; there are {', '.join(sets)}")
    begin = time.perf_counter()
    trials = list(_trials(arguments, {name: sets[name] for name in wanted}, names))
    result = Comparison(trials, "LightGBM")
    _print(result, time.perf_counter() - begin)
    if arguments.output is not None:
        arguments.output.write_text(json.dumps([asdict(t) for t in trials], indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
