"""One estimator on one data set: fitted and tested on every split, exceptions caught."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from ..base.sample import take_rows
from ..base.types import Floats
from .metrics import calibration, of_classes, of_numbers
from .task import NUMBERS, Task

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
    if curves and hasattr(model, "staged_predict"):
        staged = {
            "train": _staged(model.staged_predict(X), y, task.kind),
            "test": _staged(model.staged_predict(X_test), y_test, task.kind),
        }
    return _Run(scores, probabilities, staged)


def _has_probabilities(model: Any, kind: str) -> bool:
    return kind != NUMBERS and hasattr(model, "predict_proba")


def _class_scores(
    model: Any, X: Any, y: NDArray[Any], y_test: NDArray[Any], answers: NDArray[Any], P: Any
) -> tuple[dict[str, float], tuple[NDArray[np.bool_], Floats] | None]:
    classes = list(getattr(model, "classes_", np.unique(y)))
    place = {label: k for k, label in enumerate(classes)}
    codes = np.array([place.get(label, -1) for label in y_test.tolist()])
    if P is not None:
        P = np.asarray(P, float)
        scores = of_classes(y_test, answers, P, P, codes)
        top = P[:, 1] if len(classes) == 2 else P.max(axis=1)
        events = codes == 1 if len(classes) == 2 else codes == P.argmax(axis=1)
        return scores, (events, top)
    F = None
    if hasattr(model, "decision_function"):
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
