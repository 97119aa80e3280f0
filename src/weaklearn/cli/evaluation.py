"""Metrics of a model on rows that it was not fitted on: folds, a held-out share, another file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import suppressed_warnings
from ..base.offered import offers
from ..base.sample import take_rows
from ..comparison.trial import Split, seeded, shuffled
from .model import NUMBERS

_LEAST = 1e-15  # probabilities in the log-loss


@dataclass(frozen=True)
class Evaluation:
    """Metrics on unseen rows, means over folds, and their standard errors where known."""

    metrics: dict[str, float]
    errors: dict[str, float]
    n_rows: int
    n_folds: int = 0
    n_duplicates: int | None = 0  # rows with a duplicate among the training rows; None: unknown

    def lines(self, name: str) -> list[tuple[Any, ...]]:
        """The rows of the printed table, one per metric."""
        place = f"{self.n_folds} {name}" if self.n_folds else f"{name} rows"
        return [
            (place, metric, value, self.errors.get(metric), self.n_rows)
            for metric, value in self.metrics.items()
        ]

    def record(self) -> dict[str, Any]:
        """The evaluation as a JSON object."""
        return {
            "rows": self.n_rows,
            "folds": self.n_folds or None,
            "rows_also_trained_on": self.n_duplicates,
            **self.metrics,
            "standard_errors": self.errors,
        }


def evaluate(model: Any, X: Any, y: Any, task: str, weights: Any = None) -> Evaluation:
    """The metrics of a fitted model on test rows."""
    metrics = _metrics(model, X, y, task, weights)
    shares = {"error": metrics["error"]} if "error" in metrics else {}
    errors = {key: float(np.sqrt(p * (1 - p) / len(y))) for key, p in shares.items()}
    return Evaluation(metrics, errors, len(y))


def cross_validated(
    model: Any, X: Any, y: Any, weights: Any, task: str, splits: Sequence[Split], seed: int
) -> Evaluation:
    """The mean metrics of the model refitted on all folds but one and tested on that one."""
    parts = []
    for k, (train, test) in enumerate(splits):
        again = seeded(model, seed + k)
        given = {} if weights is None else {"sample_weight": weights[train]}
        w = None if weights is None else weights[test]
        with suppressed_warnings():  # rows of folds are not those of the file
            again.fit(take_rows(X, train), y[train], **given)
            parts.append(_metrics(again, take_rows(X, test), y[test], task, w))
    return _mean(parts, len(y))


def _mean(parts: Sequence[dict[str, float]], n_rows: int) -> Evaluation:
    """Means over folds, with their standard errors."""
    names = [name for name in parts[0] if all(name in part for part in parts)]
    values = {name: np.array([part[name] for part in parts]) for name in names}
    return Evaluation(
        {name: float(found.mean()) for name, found in values.items()},
        {name: float(found.std(ddof=1) / np.sqrt(len(found))) for name, found in values.items()},
        n_rows,
        len(parts),
    )


def _metrics(model: Any, X: Any, y: Any, task: str, weights: Any) -> dict[str, float]:
    """Error and log-loss of a classifier; RMSE, mean absolute error and R² of a regressor."""
    w = np.ones(len(y)) if weights is None else np.asarray(weights, float)
    answers = np.asarray(model.predict(X)).reshape(len(y), -1)[:, 0]
    if task == NUMBERS:
        squares = (answers.astype(float) - y) ** 2
        spread = np.average((y - np.average(y, weights=w)) ** 2, weights=w)
        mean = float(np.average(squares, weights=w))
        r2 = 1 - mean / spread if spread > 0 else float("nan")
        residuals = np.abs(answers.astype(float) - y)
        return {
            "root mean squared error": mean**0.5,
            "mean absolute error": float(np.average(residuals, weights=w)),
            "R²": float(r2),
        }
    found = {"error": float(np.average(answers != y, weights=w))}
    if offers(model, "predict_proba"):
        place = {label: k for k, label in enumerate(model.classes_.tolist())}
        codes = np.array([place.get(label, -1) for label in np.asarray(y).tolist()])
        P = np.asarray(model.predict_proba(X), float)
        p = np.where(codes < 0, 0.0, P[np.arange(len(y)), codes])  # of the true class
        found["log-loss"] = float(np.average(-np.log(np.clip(p, _LEAST, 1.0)), weights=w))
    return found


def prediction_columns(model: Any, X: Any, probabilities: bool) -> dict[str, Any]:
    """The predictions of rows by column name: one column per output, and per class on request."""
    predicted = np.asarray(model.predict(X))
    if predicted.ndim == 1:
        found = {"prediction": predicted}
    else:
        names = model.get_params(deep=False).get("quantile")
        listed = names if isinstance(names, (list, tuple)) else range(predicted.shape[1])
        found = {
            f"prediction {name}": predicted[:, k] for k, name in zip(range(len(listed)), listed)
        }
    if probabilities:
        P = np.asarray(model.predict_proba(X))
        found |= {f"probability {label}": P[:, k] for k, label in enumerate(model.classes_)}
    return found


def held_out(y: Any, n_rows: int, share: float, seed: int) -> NDArray[np.bool_]:
    """The mask of a random share of the rows, stratified by class, to hold out.

    >>> held_out(np.array(list("aaaabbbb")), 8, 0.25, seed=0).sum()
    np.int64(2)
    """
    places = np.arange(n_rows)
    taken = np.floor((places + 1) * share + 1e-9) > np.floor(places * share + 1e-9)
    held = np.zeros(n_rows, bool)
    held[shuffled(y, n_rows, seed)] = taken
    return held
