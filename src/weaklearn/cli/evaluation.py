"""How good a model is on rows that it has not seen: folds, a share held out, or another file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.sample import take_rows
from ..comparison.task import Split
from ..comparison.trial import seeded
from .model import NUMBERS

_LEAST = 1e-15  # probabilities in the log-loss


@dataclass(frozen=True)
class Tried:
    """Measures on unseen rows: means over folds, and their standard errors where there are some."""

    measures: dict[str, float]
    errors: dict[str, float]
    n_rows: int
    n_folds: int = 0
    n_twins: int = 0  # rows of which an equal one was learnt from

    def lines(self, name: str) -> list[tuple[Any, ...]]:
        place = f"{self.n_folds} {name}" if self.n_folds else f"{name} rows"
        return [
            (place, measure, value, self.errors.get(measure), self.n_rows)
            for measure, value in self.measures.items()
        ]

    def facts(self) -> dict[str, Any]:
        return {
            "rows": self.n_rows,
            "folds": self.n_folds or None,
            "rows_learnt_from": self.n_twins,
            **self.measures,
            "standard_errors": self.errors,
        }


def measured(model: Any, X: Any, y: Any, task: str, weights: Any = None) -> Tried:
    """A fitted model on rows of which it has seen none."""
    measures = _measured(model, X, y, task, weights)
    shares = {"error": measures["error"]} if "error" in measures else {}
    errors = {key: float(np.sqrt(p * (1 - p) / len(y))) for key, p in shares.items()}
    return Tried(measures, errors, len(y))


def cross_validated(
    model: Any, X: Any, y: Any, weights: Any, task: str, splits: Sequence[Split], seed: int
) -> Tried:
    """The same model fitted on all folds but one, and measured on that one, in turn."""
    parts = []
    for k, (train, test) in enumerate(splits):
        again = seeded(model, seed + k)
        given = {} if weights is None else {"sample_weight": weights[train]}
        again.fit(take_rows(X, train), y[train], **given)
        w = None if weights is None else weights[test]
        parts.append(_measured(again, take_rows(X, test), y[test], task, w))
    return _averaged(parts, len(y))


def _averaged(parts: Sequence[dict[str, float]], n_rows: int) -> Tried:
    names = [name for name in parts[0] if all(name in part for part in parts)]
    values = {name: np.array([part[name] for part in parts]) for name in names}
    return Tried(
        {name: float(found.mean()) for name, found in values.items()},
        {name: float(found.std(ddof=1) / np.sqrt(len(found))) for name, found in values.items()},
        n_rows,
        len(parts),
    )


def _measured(model: Any, X: Any, y: Any, task: str, weights: Any) -> dict[str, float]:
    w = np.ones(len(y)) if weights is None else np.asarray(weights, float)
    answers = np.asarray(model.predict(X)).reshape(len(y), -1)[:, 0]
    if task == NUMBERS:
        squares = (answers.astype(float) - y) ** 2
        spread = np.average((y - np.average(y, weights=w)) ** 2, weights=w)
        mean = float(np.average(squares, weights=w))
        r2 = 1 - mean / spread if spread > 0 else float("nan")
        gaps = np.abs(answers.astype(float) - y)
        return {
            "root mean squared error": mean**0.5,
            "mean absolute error": float(np.average(gaps, weights=w)),
            "R²": float(r2),
        }
    found = {"error": float(np.average(answers != y, weights=w))}
    if hasattr(model, "predict_proba"):
        place = {label: k for k, label in enumerate(model.classes_.tolist())}
        codes = np.array([place.get(label, -1) for label in np.asarray(y).tolist()])
        P = np.asarray(model.predict_proba(X), float)
        told = np.where(codes < 0, 0.0, P[np.arange(len(y)), codes])
        found["log-loss"] = float(np.average(-np.log(np.clip(told, _LEAST, 1.0)), weights=w))
    return found


def held_out(y: Any, n_rows: int, share: float, seed: int) -> NDArray[np.bool_]:
    """Which rows to hold out: the share of every class, drawn by chance.

    >>> held_out(np.array(list("aaaabbbb")), 8, 0.25, seed=0).sum()
    np.int64(2)
    """
    order = np.random.default_rng(seed).permutation(n_rows)
    if y is not None:
        codes = np.unique(y.astype(str) if y.dtype == object else y, return_inverse=True)[1]
        order = order[np.argsort(codes[order], kind="stable")]
    places = np.arange(n_rows)
    taken = np.floor((places + 1) * share + 1e-9) > np.floor(places * share + 1e-9)
    held = np.zeros(n_rows, bool)
    held[order] = taken
    return held
