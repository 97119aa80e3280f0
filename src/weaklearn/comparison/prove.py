"""``prove``: the guarantees of this library, tested on the user's own table beside its peers."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import has_fit_parameter

from ..base.messages.table import Table
from ..base.messages.warnings import WeaklearnWarning
from ..base.offered import fact, offers
from ..base.sample import take_rows
from ..engines import on_threads
from ..estimators.boosting.adaboost import AdaBoostClassifier
from ..estimators.gradient.estimators import GradientBoostingRegressor
from ..estimators.model import Model
from ..intake import parameters
from ..intake.prepare import prepare
from ..intake.schema import Schema
from ..learners.stump import StumpLearner
from ..persistence.save_load import load
from .trial import NUMBERS, kind_of

_STUMP_ROWS, _STUMP_COLUMNS = 400, 40  # what brute force looks through
_COPIES_AT_MOST = 100_000
_THREADS = "WEAKLEARN_NUM_THREADS"


class Proof(Table):
    """One row per claim: whether it holds on this table, the evidence, and the seconds it took."""

    @property
    def holds(self) -> bool:
        """Whether no claim failed; claims that do not apply are ignored."""
        return all(held is not False for _, held, _, _ in self.rows)

    def __bool__(self) -> bool:
        return self.holds


@dataclass(frozen=True)
class _Case:
    """The table and the estimator of a proof."""

    X: Any
    y: NDArray[Any]
    estimator: Any

    def __len__(self) -> int:
        return len(self.y)

    def take(self, rows: NDArray[np.intp]) -> _Case:
        return _Case(take_rows(self.X, rows), self.y[rows], self.estimator)

    def fit(self, weight: Any = None, **settings: Any) -> Any:
        model = clone(self.estimator).set_params(**settings)
        return model.fit(self.X, self.y, **({} if weight is None else {"sample_weight": weight}))


def prove(X: Any, y: Any, estimator: Any = None, *, seconds: float = 60.0) -> Proof:
    """Tests the guarantees of this library on X and y.

    1, 2 and 8 threads give one model; so do shuffled rows; a weight of 3 is three copies; the stump
    is the best that brute force finds; a saved model comes back the same; and the time of a fit
    beside that of the peers installed here.

    Parameters
    ----------
    X, y : as for ``fit``
    estimator : an estimator of this library; by default ``AdaBoostClassifier()`` for classes and
        ``GradientBoostingRegressor()`` for numbers
    seconds : float, default 60.0
        About how long it may take; of large tables a random part of the rows is used.

    Returns
    -------
    Proof
        A table of claims that prints, has ``to_frame()``, and is true where no claim failed.
    """
    parameters.real("seconds", seconds, 0.0, 1e9)
    if estimator is None:
        estimator = _suited(np.asarray(y))
    if not isinstance(estimator, Model) or isinstance(estimator, type):
        raise TypeError(
            f"estimator is {type(estimator).__name__}; prove runs estimators of this library, such "
            "as AdaBoostClassifier()."
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WeaklearnWarning)  # the fits are not the user's
        case, note = _affordable(_Case(X, np.asarray(y), estimator), seconds)
        rows = [_claimed(name, claim, case) for name, claim in _CLAIMS]
        warnings.simplefilter("ignore")
        rows += list(_times(case, seconds / 4))
    return Proof("proof", ["claim", "holds", "evidence", "seconds"], rows, note, shown=len(rows))


def _affordable(case: _Case, seconds: float) -> tuple[_Case, str]:
    """The table, or as many random rows as ten fits can take in the time."""
    start = perf_counter()
    small = case.take(_drawn(len(case), 2_000))
    small.fit()
    spent = perf_counter() - start
    allowed = max(2_000, int(2_000 * seconds / (12 * max(spent, 1e-4))))
    if allowed >= len(case):
        return case, f"All {len(case)} rows."
    return case.take(_drawn(len(case), allowed)), f"{allowed} of the {len(case)} rows."


def _drawn(n: int, wanted: int) -> NDArray[np.intp]:
    """Random rows, the same at every call."""
    if wanted >= n:
        return np.arange(n)
    return np.sort(np.random.default_rng(0).choice(n, wanted, replace=False))


def _claimed(
    name: str, claim: Callable[[_Case], tuple[bool | None, str]], case: _Case
) -> tuple[str, bool | None, str, float]:
    start = perf_counter()
    holds, evidence = claim(case)
    return name, holds, evidence, perf_counter() - start


def _agree(prints: list[str]) -> tuple[bool, str]:
    different = sorted(set(prints))
    return len(different) == 1, ", ".join(f"{p[:16]}..." for p in different)


def _threads(case: _Case) -> tuple[bool | None, str]:
    prints = []
    for n in (1, 2, 8):
        with _allowed(n):
            jobs = {"n_jobs": n} if "n_jobs" in case.estimator.get_params(deep=False) else {}
            prints.append(case.fit(**jobs).fingerprint())
    return _agree(prints)


@contextmanager
def _allowed(n: int) -> Iterator[None]:
    """Context manager: lets the library use n threads, whatever the number of cores."""
    before = os.environ.get(_THREADS)
    os.environ[_THREADS] = str(n)
    try:
        yield
    finally:
        os.environ.pop(_THREADS)
        if before is not None:
            os.environ[_THREADS] = before


def _shuffled(case: _Case) -> tuple[bool | None, str]:
    if case.estimator._in_order:
        return None, "it learns the rows in their order"
    orders = [np.random.default_rng(seed).permutation(len(case)) for seed in (1, 2)]
    models = [case.fit(), *(case.take(order).fit() for order in orders)]
    return _agree([model.fingerprint() for model in models])


def _copies(case: _Case) -> tuple[bool | None, str]:
    if not has_fit_parameter(case.estimator, "sample_weight"):
        return None, "it takes no weights"
    case = case.take(_drawn(len(case), _COPIES_AT_MOST))
    weight = np.random.default_rng(3).integers(0, 4, len(case))
    if is_classifier(case.estimator):
        weight[np.unique(case.y, return_index=True)[1]] = 1  # every class keeps a row
    repeated = case.take(np.repeat(np.arange(len(case)), weight))
    return _agree([case.fit(weight).fingerprint(), repeated.fit().fingerprint()])


def _saved(case: _Case) -> tuple[bool | None, str]:
    model = case.fit()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.weak"
        model.save(path)
        size, again = path.stat().st_size, load(path)
    name = "decision_function" if offers(model, "decision_function") else "predict"
    predicted = [np.asarray(getattr(m, name)(case.X)).tolist() for m in (model, again)]
    same = predicted[0] == predicted[1] and model.fingerprint() == again.fingerprint()
    return same, f"{size} bytes, {len(case)} rows"


# -------------------------------------------------------------------------------- the exact stump


def _exact(case: _Case) -> tuple[bool | None, str]:
    if not is_classifier(case.estimator):
        return None, "numbers have no stump of least error"
    part = case.take(_drawn(len(case), _STUMP_ROWS))
    sample = prepare(part.X, part.y, None, engine=on_threads(), name="prove").sample
    h = StumpLearner().bind(sample)(sample.prior, sample.y)
    answers = np.asarray(h(sample))
    found = int(np.count_nonzero(answers != sample.y))
    columns = _drawn(sample.cells.n_features, _STUMP_COLUMNS)
    best = min(_least_errors(sample.column(int(j)), sample.y) for j in columns)
    tried = f"{len(part)} rows, {len(columns)} columns"
    fine = found == best if len(columns) == sample.cells.n_features else found <= best
    return fine, f"{found} errors, brute force {best} ({tried})"


def _least_errors(x: NDArray[Any], y: NDArray[Any]) -> int:
    """The fewest errors of any test on one column, by brute force."""
    missing = x < 0 if x.dtype.kind == "i" else np.isnan(x)
    known = x[~missing]
    target = y[~missing]
    signed = y.dtype == np.int8
    best = _errors_of_one_answer(target)
    for value in np.unique(known):
        inside = known == value if x.dtype.kind == "i" else known <= value
        best = min(best, _errors_of_two(target, inside, signed))
    return best + _errors_of_one_answer(y[missing])


def _errors_of_one_answer(y: NDArray[Any]) -> int:
    return len(y) - int(np.unique(y, return_counts=True)[1].max()) if len(y) else 0


def _errors_of_two(y: NDArray[Any], inside: NDArray[np.bool_], signed: bool) -> int:
    if signed:  # two classes: the sides answer differently
        wrong = int(np.count_nonzero(inside == (y > 0)))
        return min(wrong, len(y) - wrong)
    return _errors_of_one_answer(y[inside]) + _errors_of_one_answer(y[~inside])


# ------------------------------------------------------------------------------------------ times


def _times(case: _Case, seconds: float) -> Iterator[tuple[str, bool | None, str, float]]:
    """Fit times of the estimator, and of peers on as many of the rows as they can take."""
    name = type(case.estimator).__name__
    ours, model = _timed(case.fit)
    rounds = rounds_of(model)
    yield f"time of {name}", None, f"{rounds} rounds, {len(case)} rows", ours
    X, y = as_numbers(case.X, case.y, is_classifier(case.estimator))
    peers = peers_of(case.estimator, rounds)
    for peer, make in peers.items():
        try:
            rows, theirs = _as_many(make, X, y, seconds / len(peers))
        except Exception as error:  # a table that it cannot read, most likely: gaps
            words = str(error).strip().split("\n")[0]
            yield f"time of {peer}", None, f"it cannot: {words}", float("nan")
            continue
        mine = ours if len(rows) == len(case) else _timed(case.take(rows).fit)[0]
        words = f"{theirs / mine:.3g} times that of {name} on {len(rows)} rows"
        yield f"time of {peer}", None, words, theirs


def _timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """(seconds, result) of a call; a call shorter than a second is timed twice."""
    spent, found = _once(call)
    return (min(spent, _once(call)[0]) if spent < 1.0 else spent), found


def _once(call: Callable[[], Any]) -> tuple[float, Any]:
    start = perf_counter()
    found = call()
    return perf_counter() - start, found


def _as_many(
    make: Callable[[], Any], X: NDArray[Any], y: NDArray[Any], seconds: float
) -> tuple[NDArray[np.intp], float]:
    """The rows that a fit can take in the time, and its seconds."""
    rows = _drawn(len(y), 1_000)
    while True:
        spent, _ = _timed(partial(make().fit, X[rows], y[rows]))
        wanted = int(len(rows) * 0.5 * seconds / max(spent, 1e-6))
        if len(rows) == len(y) or wanted < min(2 * len(rows), len(y)):
            return rows, spent
        rows = _drawn(len(y), min(wanted, 16 * len(rows)))


_CLAIMS: list[tuple[str, Callable[[_Case], tuple[bool | None, str]]]] = [
    ("1, 2 and 8 threads give one model", _threads),
    ("shuffled rows give the same model", _shuffled),
    ("a weight of k is k copies", _copies),
    ("the stump is the best there is", _exact),
    ("a saved model comes back the same", _saved),
]


def _suited(y: NDArray[Any]) -> Any:
    """The default estimator for y: AdaBoost for classes, gradient boosting for numbers."""
    if kind_of(y) == NUMBERS:
        return GradientBoostingRegressor(n_estimators=50)
    return AdaBoostClassifier()


Make = Callable[[], Any]


def rounds_of(model: Any) -> int:
    """The number of rounds or members of a fitted model."""
    return int(fact(model, "n_iter_") or fact(model, "n_estimators") or 1)


def peers_of(estimator: Any, rounds: int) -> dict[str, Make]:
    """Comparable estimators of other libraries, by name, with as many rounds."""
    name = type(estimator).__name__
    kind = "Classifier" if is_classifier(estimator) else "Regressor"

    def peer(module: str, prefix: str, **settings: Any) -> Make:
        return lambda: getattr(import_module(module), prefix + kind)(**settings)

    if "Forest" in name or "Bagging" in name:
        forest = peer("sklearn.ensemble", "RandomForest", n_estimators=rounds, n_jobs=-1)
        return {"scikit-learn's random forest": forest}
    if "Perceptron" in name or "SGD" in name:
        linear = "SGDClassifier" if "SGD" in name else "Perceptron"
        models = import_module("sklearn.linear_model")
        return {
            f"scikit-learn's {linear}": partial(getattr(models, linear), max_iter=rounds, tol=None)
        }
    of_stumps = "AdaBoost" in name and estimator.estimator in (None, "stump")
    leaves = 2 if of_stumps else estimator.get_params(deep=False).get("max_leaf_nodes")
    leaves = leaves if isinstance(leaves, int) else 31
    if leaves == 2:
        adaboost = peer("sklearn.ensemble", "AdaBoost", n_estimators=rounds)
        found = {"scikit-learn's AdaBoost": adaboost}
    else:
        limits = {"max_iter": rounds, "max_leaf_nodes": leaves, "early_stopping": False}
        found = {"HistGradientBoosting": peer("sklearn.ensemble", "HistGradientBoosting", **limits)}
    if find_spec("lightgbm") is not None:
        limits = {"n_estimators": rounds, "num_leaves": leaves, "verbose": -1}
        found["LightGBM"] = peer("lightgbm", "LGBM", **limits)
    if find_spec("xgboost") is not None:
        limits = {"n_estimators": rounds, "max_leaves": leaves, "max_depth": 0}
        found["XGBoost"] = peer("xgboost", "XGB", grow_policy="lossguide", **limits)
    return found


def as_numbers(X: Any, y: NDArray[Any], classes: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """X as a numeric matrix, categories as codes and missing values as NaN; y as class codes."""
    _, cells = Schema.learn(X)
    if cells.columns is not None:
        matrix = np.column_stack(
            [np.where(c < 0, np.nan, c) if c.dtype.kind == "i" else c for c in cells.columns]
        )
    else:
        matrix = cells.sparse.toarray() if cells.matrix is None else cells.matrix
    return np.asarray(matrix, np.float64), np.unique(y, return_inverse=True)[1] if classes else y
