"""One estimator on one data set: fitted on every split, measured on the rest, exceptions caught.

The data are a task: what is predicted, how it is split and by what it is measured.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata
from sklearn.base import clone

from ..base.offered import offers
from ..base.sample import take_rows
from ..base.types import Floats
from ..intake.parameters import integer
from ..prediction.rows import classes_of

Rows = NDArray[np.intp]
Split = tuple[Rows, Rows]

TWO, MANY, NUMBERS = "two-class", "multiclass", "regression"
KINDS = (TWO, MANY, NUMBERS)
_MANY_VALUES = 50  # whole numbers with more values than this are amounts rather than classes
_SOME_VALUES = 10  # and so are those with more than this,
_FEW_ROWS = 3  # where a value has fewer rows than this on average


@dataclass(frozen=True, eq=False)
class Task:
    """X and y as given, the kind of y, and pairs of training and test rows."""

    name: str
    X: Any
    y: NDArray[Any]
    kind: str
    splits: tuple[Split, ...]


def read_task(name: str, given: Any, cv: Any, seed: int, numbers: bool | None = None) -> Task:
    """A task from (X, y), (X, y, split), a Bunch, or a function that returns one of them.

    ``numbers`` says how labels that could be either are meant: True for amounts, False for classes.
    """
    given = given() if callable(given) else given
    X, y, split = _parts(name, given)
    y = np.asarray(y)
    if y.ndim != 1:
        raise ValueError(f"the labels of {name} have the shape {y.shape}; pass one label a row.")
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if n != len(y):
        raise ValueError(f"{name} has {n} rows but {len(y)} labels; pass one label a row.")
    kind = kind_of(y, numbers)
    return Task(name, X, y, kind, _splits(name, X, y, kind, cv if split is None else split, seed))


def kind_of(y: NDArray[Any], numbers: bool | None = None) -> str:
    """Two classes, more, or regression: text and two values are classes, fractions are numbers.

    Whole numbers are what ``numbers`` says; without it, integers of few values are classes, where
    those come again and again.

    >>> import numpy as np
    >>> kind_of(np.arange(40) % 12), kind_of(np.arange(40) % 35)
    ('multiclass', 'regression')
    """
    values = np.unique(y) if y.dtype != object else np.array(sorted(set(y.tolist()), key=str))
    if y.dtype.kind == "f" and not bool((np.isfinite(y) & (y == np.round(y))).all()):
        return NUMBERS
    if y.dtype.kind in "iuf" and len(values) > 2:
        if numbers is None:
            numbers = y.dtype.kind == "f" or _are_amounts(len(values), len(y))
        if numbers:
            return NUMBERS
    return TWO if len(values) <= 2 else MANY


def _are_amounts(n_values: int, n_rows: int) -> bool:
    """Whether integers are rather regression targets than classes: many, or rarely repeated."""
    seldom = n_values > _SOME_VALUES and n_rows < _FEW_ROWS * n_values
    return n_values > _MANY_VALUES or seldom


def _parts(name: str, given: Any) -> tuple[Any, Any, Any]:
    if hasattr(given, "data") and hasattr(given, "target"):  # scikit-learn's Bunch
        return given.data, given.target, None
    if isinstance(given, (tuple, list)) and len(given) in (2, 3):
        X, y, *split = given
        return X, y, split[0] if split else None
    raise TypeError(
        f"the data set {name} is of type {type(given).__name__}; pass (X, y), (X, y, (train, "
        "test)) with row numbers, a Bunch of scikit-learn, or a function that returns one of them."
    )


def _splits(
    name: str, X: Any, y: NDArray[Any], kind: str, how: Any, seed: int
) -> tuple[Split, ...]:
    if hasattr(how, "split") and not isinstance(how, str):
        pairs = list(how.split(X, y))
    elif isinstance(how, Sequence) and not isinstance(how, str):
        pairs = [(how[0], how[1])] if _is_pair(how) else list(how)
    else:
        n = integer(
            "cv", how, 2, others="a splitter of scikit-learn or pairs of (train, test) rows"
        )
        if n > len(y):
            raise ValueError(f"cv={n} is not allowed: {name} has {len(y)} rows; set cv lower.")
        return folds(None if kind == NUMBERS else y, len(y), n, seed)
    return tuple((_numbers(train), _numbers(test)) for train, test in pairs)


def _is_pair(given: Sequence[Any]) -> bool:
    """Whether it is (train, test) rather than a list of such pairs."""
    return len(given) == 2 and all(np.isscalar(next(iter(part), 0)) for part in given)


def _numbers(rows: Any) -> Rows:
    rows = np.asarray(rows)
    return np.flatnonzero(rows) if rows.dtype == bool else rows.astype(np.intp)


def shuffled(y: NDArray[Any] | None, n_rows: int, seed: int) -> Rows:
    """The numbers of the rows in random order; with y, class by class."""
    order = np.random.default_rng(seed).permutation(n_rows)
    if y is not None:
        codes = np.unique(y.astype(str) if y.dtype == object else y, return_inverse=True)[1]
        order = order[np.argsort(codes[order], kind="stable")]
    return order


def folds(y: NDArray[Any] | None, n_rows: int, n_folds: int, seed: int) -> tuple[Split, ...]:
    """Shuffled folds of equal size; with y they are stratified.

    >>> import numpy as np
    >>> parts = folds(np.array(list("aaaabbbb")), 8, 4, seed=0)
    >>> sorted(int(i) for _, test in parts for i in test)
    [0, 1, 2, 3, 4, 5, 6, 7]
    """
    order = shuffled(y, n_rows, seed)
    fold = np.empty(n_rows, np.intp)
    fold[order] = np.arange(n_rows) % n_folds
    return tuple((np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(n_folds))


# The resolution of float32 around 1: a probability below it cannot be told from 0 in every library.
LEAST_PROBABILITY = 1e-7
BINS = 10

# Measures of which more is better; of all others less is.
GREATER = frozenset({"auc", "r2"})


def of_classes(
    y: NDArray[Any], answers: NDArray[Any], scores: Floats | None, P: Floats | None, codes: Any
) -> dict[str, float]:
    """Metrics of predictions, scores and probabilities (a column per class) for codes of y.

    A code of -1 is a class that was not there to learn from: always an error, and left out of the
    others, since nothing could have been said of it.
    """
    found = {"error": float(np.mean(answers != y))}
    known = codes >= 0
    if scores is not None and known.any():
        area = auc(codes[known], scores[known])
        if area is not None:
            found["auc"] = area
    if P is not None and known.any():
        right = P[known, codes[known]]
        found["log_loss"] = float(-np.mean(np.log(np.clip(right, LEAST_PROBABILITY, 1.0))))
    return found


def auc(codes: NDArray[Any], scores: Floats) -> float | None:
    """The area under the ROC curve; for K classes the mean over one class against the rest.

    >>> import numpy as np
    >>> auc(np.array([0, 0, 1, 1]), np.array([[0.1], [0.4], [0.35], [0.8]]))
    0.75
    """
    columns = [(codes == 1, scores[:, -1])] if scores.shape[1] <= 2 else []
    columns = columns or [(codes == k, scores[:, k]) for k in range(scores.shape[1])]
    areas = [_area(one, score) for one, score in columns if 0 < one.sum() < len(one)]
    return float(np.mean(areas)) if areas else None


def _area(one: NDArray[np.bool_], score: Floats) -> float:
    n = int(one.sum())
    return float((rankdata(score)[one].sum() - n * (n + 1) / 2) / (n * (len(one) - n)))


def calibration(events: NDArray[np.bool_], p: Floats, bins: int = BINS) -> float:
    """The expected calibration error over bins of equal count.

    Equal probabilities share a bin.

    >>> import numpy as np
    >>> calibration(np.array([False, True, True, True]), np.array([0.5, 0.5, 1.0, 1.0]))
    0.0
    """
    place = ((rankdata(p) - 0.5) * bins / len(p)).astype(np.intp)
    gap = np.bincount(place, weights=p, minlength=bins)
    gap -= np.bincount(place, weights=events, minlength=bins)
    return float(np.abs(gap).sum() / len(p))


def of_numbers(y: Floats, answers: Floats) -> dict[str, float]:
    """Mean squared error, its root, mean absolute error, and the share of variance explained."""
    wrong = answers - y
    mse = float(np.mean(wrong**2))
    found = {"mse": mse, "rmse": mse**0.5, "mae": float(np.mean(np.abs(wrong)))}
    variance = float(np.var(y))
    return found | ({"r2": 1 - mse / variance} if variance > 0 else {})


def ranks(values: Mapping[str, float], greater: bool) -> dict[str, float]:
    """The rank of each name, 1 for the best; ties share the mean rank, NaN comes last.

    >>> ranks({"a": 0.1, "b": 0.3, "c": 0.1}, greater=False)
    {'a': 1.5, 'b': 3.0, 'c': 1.5}
    """
    worth = [np.inf if v != v else (-v if greater else v) for v in values.values()]
    return dict(zip(values, map(float, rankdata(worth)), strict=True))


Scorers = Mapping[str, Callable[[Any, Any, Any], float]]


@dataclass(frozen=True)
class Trial:
    """The result of a trial. ``scores`` are over all splits, ``splits`` those of each.

    ``curves`` holds the error after every round, ``train`` and ``test``, averaged over the splits.
    ``failure`` is the text of the exception that ended the trial, empty if none did.
    """

    dataset: str
    kind: str
    estimator: str
    scores: dict[str, float] = field(default_factory=dict)
    splits: tuple[dict[str, float], ...] = ()
    curves: dict[str, list[float]] = field(default_factory=dict)
    failure: str = ""


def run_trial(
    name: str,
    estimator: Any,
    task: Task,
    *,
    scorers: Scorers | None = None,
    curves: bool = True,
    seed: int = 0,
) -> Trial:
    """Fits a fresh copy on every split; an exception becomes the trial's ``failure``."""
    try:
        runs = [
            _run(seeded(estimator, seed + k), task, split, scorers or {}, curves)
            for k, split in enumerate(task.splits)
        ]
    except Exception as error:
        return Trial(task.name, task.kind, name, failure=failure_text(error))
    splits = tuple(run.scores for run in runs)
    scores = _means(splits)
    probabilities = [run.probabilities for run in runs if run.probabilities is not None]
    if probabilities:  # over all splits at once: one split may be too small for ten bins
        events, p = (np.concatenate(part) for part in zip(*probabilities, strict=True))
        scores["calibration"] = calibration(events, p)
    staged = [run.curves for run in runs if run.curves]
    averaged = {
        part: _average([one[part] for one in staged]) for part in (staged[0] if staged else ())
    }
    return Trial(task.name, task.kind, name, scores, splits, averaged)


def failure_text(error: Exception) -> str:
    """The class of the exception and the first line of its message."""
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0] if lines else 'no message'}"


def seeded(estimator: Any, seed: int) -> Any:
    """An unfitted copy with ``random_state`` set wherever it was None."""
    copy = clone(estimator)
    free = {
        key: seed
        for key, value in copy.get_params().items()
        if value is None and key.rpartition("__")[2] == "random_state"
    }
    return copy.set_params(**free) if free else copy


@dataclass
class _Run:
    """One split: scores, (events, probabilities), and learning curves."""

    scores: dict[str, float]
    probabilities: tuple[NDArray[np.bool_], Floats] | None
    curves: dict[str, list[float]]


def _run(model: Any, task: Task, split: Any, scorers: Scorers, curves: bool) -> _Run:
    (X, y), (X_test, y_test) = ((take_rows(task.X, rows), task.y[rows]) for rows in split)
    begin = time.perf_counter()
    model.fit(X, y)
    fit_time = time.perf_counter() - begin
    begin = time.perf_counter()
    P = model.predict_proba(X_test) if _has_probabilities(model, task.kind) else None
    answers = np.ravel(model.predict(X_test)) if P is None else None
    predict_time = time.perf_counter() - begin
    answers = np.ravel(model.predict(X_test)) if answers is None else answers
    probabilities = None
    if task.kind == NUMBERS:
        scores = of_numbers(y_test.astype(float), answers.astype(float))
    else:
        scores, probabilities = _class_scores(model, X_test, y, y_test, answers, P)
    scores |= {"fit_time": fit_time, "predict_time": predict_time}
    scores |= _scored(model, X_test, y_test, scorers)
    staged = {}
    if curves and offers(model, "staged_predict"):
        staged = {
            "train": _staged(model.staged_predict(X), y, task.kind),
            "test": _staged(model.staged_predict(X_test), y_test, task.kind),
        }
    return _Run(scores, probabilities, staged)


def _has_probabilities(model: Any, kind: str) -> bool:
    return kind != NUMBERS and offers(model, "predict_proba")


def _class_scores(
    model: Any, X: Any, y: NDArray[Any], y_test: NDArray[Any], answers: NDArray[Any], P: Any
) -> tuple[dict[str, float], tuple[NDArray[np.bool_], Floats] | None]:
    known = classes_of(model)
    classes = list(np.unique(y) if known is None else known)
    place = {label: k for k, label in enumerate(classes)}
    codes = np.array([place.get(label, -1) for label in y_test.tolist()])
    if P is not None:
        P = np.asarray(P, float)
        scores = of_classes(y_test, answers, P, P, codes)
        top = P[:, 1] if len(classes) == 2 else P.max(axis=1)
        events = codes == 1 if len(classes) == 2 else codes == P.argmax(axis=1)
        return scores, (events, top)
    F = None
    if offers(model, "decision_function"):
        F = np.asarray(model.decision_function(X), float)
        F = F.reshape(len(F), -1)
        F = F if F.shape[1] in (1, len(classes)) else None  # one a pair of classes
    return of_classes(y_test, answers, F, None, codes), None


def _scored(model: Any, X: Any, y: NDArray[Any], scorers: Scorers) -> dict[str, float]:
    """The user's own scores; a scorer that fails for this kind of labels is left out."""
    found = {}
    for name, scorer in scorers.items():
        with suppress(ValueError, TypeError, AttributeError):
            found[name] = float(scorer(model, X, y))
    return found


def _staged(answers: Iterable[Any], y: NDArray[Any], kind: str) -> list[float]:
    if kind == NUMBERS:
        return [float(np.mean((np.ravel(a) - y) ** 2)) for a in answers]
    return [float(np.mean(np.ravel(a) != y)) for a in answers]


def _means(splits: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """The mean of each score over the splits that have it."""
    names = dict.fromkeys(name for split in splits for name in split)
    return {
        name: float(np.mean([split[name] for split in splits if name in split])) for name in names
    }


def _average(curves: Sequence[list[float]]) -> list[float]:
    """The mean curve; a shorter curve is extended by its last value."""
    last = max(map(len, curves))
    full = [curve + curve[-1:] * (last - len(curve)) for curve in curves if curve]
    return [float(value) for value in np.mean(full, axis=0)] if full else []
