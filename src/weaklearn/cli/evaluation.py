"""Metrics of a model on rows that it was not fitted on: folds, a held-out share, another file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.warnings import suppressed_warnings
from ..base.offered import fact, offers
from ..base.sample import take_rows
from ..base.types import Floats
from ..comparison.trial import Split, seeded, shuffled
from ..prediction.outputs import shares_of_classes
from ..prediction.positive import threshold_of
from ..show.data.classification import GOOD_AUC, PrecisionRecallCurve, RocCurve
from ..show.data.rows import EvaluatedRows
from .model import NUMBERS

_LEAST = 1e-15  # probabilities in the log-loss
_SOME_R2, _SOME_AUC = 0.02, 0.65  # of a model that has learnt something
ERROR, RMSE, R2 = "error", "root mean squared error", "R²"
AUC, PRECISION = "AUC", "average precision"
RECALL, PRECISION_AT = "recall", "precision"  # at the threshold that a model was given
D2 = "D² of the pinball loss"
_CONSTANTS = {R2: "the mean", D2: "the best constant"}
Labels = tuple[Any, Any]  # and their weights, or None


@dataclass(frozen=True)
class Evaluation:
    """Metrics on unseen rows, means over folds, and their standard errors where known."""

    metrics: dict[str, float]
    errors: dict[str, float]
    baseline: dict[str, float]  # of always the commonest class, or the mean of the training rows
    n_rows: int
    n_folds: int = 0
    n_duplicates: int | None = 0  # rows with a duplicate among the training rows; None: unknown
    simpler: dict[str, float] = field(default_factory=dict)  # of a simpler model on these rows

    def lines(self, name: str) -> list[tuple[Any, ...]]:
        """The rows of the printed table, one per metric."""
        place = f"{self.n_folds} {name}" if self.n_folds else f"{name} rows"
        others = self.baseline, self.simpler, self.errors
        return [
            (place, metric, value, *(other.get(metric) for other in others), self.n_rows)
            for metric, value in self.metrics.items()
        ]

    @property
    def constant(self) -> str:
        """What the baseline answers for all rows, in words."""
        return _CONSTANTS.get(_own_score(self.metrics) or "", "the commonest class")

    def record(self) -> dict[str, Any]:
        """The evaluation as a JSON object."""
        return {
            "rows": self.n_rows,
            "folds": self.n_folds or None,
            "rows_also_trained_on": self.n_duplicates,
            **self.metrics,
            "standard_errors": self.errors,
            "baseline": self.baseline,
            **({"simpler_model": self.simpler} if self.simpler else {}),
        }


def evaluate(
    model: Any, X: Any, y: Any, task: str, learnt: Labels, positive: int | None = None
) -> Evaluation:
    """The metrics of a fitted model on test rows; ``learnt`` are the labels of training."""
    metrics = _metrics(model, X, y, task, None, positive)
    baseline = _baseline(learnt, (y, None), task, model, positive)
    shares = {"error": metrics["error"]} if "error" in metrics else {}
    errors = {key: float(np.sqrt(p * (1 - p) / len(y))) for key, p in shares.items() if 0 < p < 1}
    return Evaluation(metrics, errors, baseline, len(y))


def cross_validated(
    model: Any,
    X: Any,
    y: Any,
    weights: Any,
    task: str,
    splits: Sequence[Split],
    seed: int,
    positive: int | None = None,
) -> Evaluation:
    """The mean metrics of the model refitted on all folds but one and tested on that one."""
    parts, baselines = [], []
    for k, (train, test) in enumerate(splits):
        again = seeded(model, seed + k)
        given = {} if weights is None else {"sample_weight": weights[train]}
        w = None if weights is None else weights[test]
        with suppressed_warnings():  # rows of folds are not those of the file
            again.fit(take_rows(X, train), y[train], **given)
            code = None if positive is None else _place_in(model, again, positive)
            parts.append(_metrics(again, take_rows(X, test), y[test], task, w, code))
        learnt = y[train], None if weights is None else weights[train]
        baselines.append(_baseline(learnt, (y[test], w), task, model, positive))
    return _mean(parts, baselines, len(y))


def _place_in(model: Any, again: Any, positive: int) -> int | None:
    """The place of the positive class in a refit, which may have seen one class alone."""
    found = np.flatnonzero(again.classes_ == model.classes_[positive])
    return int(found[0]) if len(found) and len(again.classes_) == 2 else None


def _mean(
    parts: Sequence[dict[str, float]], baselines: Sequence[dict[str, float]], n_rows: int
) -> Evaluation:
    """Means over folds, with their standard errors.

    Folds that all have the same figure do not tell how far it varies: it then has none.
    """
    names = [name for name in parts[0] if all(name in part for part in parts)]
    values = {name: np.array([part[name] for part in parts]) for name in names}
    varied = {name: found for name, found in values.items() if np.ptp(found) > 0}
    return Evaluation(
        {name: float(found.mean()) for name, found in values.items()},
        {name: float(found.std(ddof=1) / np.sqrt(len(found))) for name, found in varied.items()},
        {name: float(np.mean([each[name] for each in baselines])) for name in names},
        n_rows,
        len(parts),
    )


def _metrics(
    model: Any, X: Any, y: Any, task: str, weights: Any, positive: int | None
) -> dict[str, float]:
    """Error and log-loss of a classifier; RMSE, mean absolute error and R² of a regressor.

    Quantiles are judged by the pinball loss, as ``score`` judges them.
    Of two classes also how well rows are ranked: AUC, and the average precision of ``positive``.
    """
    w = np.ones(len(y)) if weights is None else np.asarray(weights, float)
    answers = np.asarray(model.predict(X)).reshape(len(y), -1)
    if task == NUMBERS:
        return _of_loss(model, answers.astype(float), y, w)
    answers = answers[:, 0]
    found = {"error": float(np.average(answers != y, weights=w))}
    if offers(model, "predict_proba"):
        place = {label: k for k, label in enumerate(model.classes_.tolist())}
        codes = np.array([place.get(label, -1) for label in np.asarray(y).tolist()])
        P = np.asarray(model.predict_proba(X), float)
        p = np.where(codes < 0, 0.0, P[np.arange(len(y)), codes])  # of the true class
        found["log-loss"] = float(np.average(-np.log(np.clip(p, _LEAST, 1.0)), weights=w))
    if positive is None:
        return found
    if threshold_of(model) is not None:
        found |= _at_threshold(answers, y, w, model.classes_[positive])
    return found | _ranking(model, X, y, w, positive)


def _at_threshold(answers: Any, y: Any, w: Floats, positive: Any) -> dict[str, float]:
    """Recall and precision of the positive class; no precision where it is never predicted."""
    called, true = np.asarray(answers == positive), np.asarray(y == positive)
    hits, found = float(w[called & true].sum()), {}
    for name, of in ((RECALL, true), (PRECISION_AT, called)):
        if w[of].sum() > 0:
            found[name] = hits / float(w[of].sum())
    return found


def _ranking(model: Any, X: Any, y: Any, w: Floats, positive: int) -> dict[str, float]:
    """AUC and average precision where rows have scores and are of both classes."""
    scores = EvaluatedRows(model, X, np.asarray(y)).scores
    truth = np.asarray(y == model.classes_[positive])
    if scores is None or len(set(truth[w > 0].tolist())) < 2:
        return {}
    F = scores[:, 0] if positive else -scores[:, 0]
    average = PrecisionRecallCurve.from_scores(truth, F, w).average
    return {AUC: RocCurve.from_scores(truth, F, w).area, PRECISION: average}


def _of_loss(model: Any, answers: Floats, y: Any, w: Floats) -> dict[str, float]:
    """The metrics of answers (n, outputs): those of what the loss learns."""
    levels = _levels(model)
    return _of_quantiles(answers, y, w, levels) if levels else _of_numbers(answers[:, 0], y, w)


def _levels(model: Any) -> list[float]:
    """The quantiles that a model learns; none where it learns something else."""
    known = model.get_params(deep=False)
    return np.ravel(known["quantile"]).tolist() if known.get("loss") == "quantile" else []


def _of_quantiles(answers: Floats, y: Any, w: Floats, levels: list[float]) -> dict[str, float]:
    """The pinball loss, and the share of that of the best constants that is gone: means."""
    parts = [(answers[:, k], level) for k, level in enumerate(levels)]
    losses = [_pinball(y - a, w, level) for a, level in parts]
    usual = [_pinball(y - _quantile(y, w, level), w, level) for _, level in parts]
    gone = [1 - loss / most if most > 0 else np.nan for loss, most in zip(losses, usual)]
    return {"pinball loss": float(np.mean(losses)), D2: float(np.mean(gone))}


def _pinball(gaps: Floats, w: Floats, level: float) -> float:
    return float(np.average(np.maximum(level * gaps, (level - 1) * gaps), weights=w))


def _quantile(values: Any, w: Floats, level: float) -> float:
    """The least value with a share ``level`` of the weight up to it."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(w[order])
    place = int(np.searchsorted(reached, level * reached[-1]))
    return float(values[order[min(place, len(order) - 1)]])


def _best_constants(model: Any, labels: Any, v: Floats) -> Floats:
    """What is answered without a look at X: the mean, or the quantiles that are asked for."""
    levels = _levels(model)
    if not levels:
        return np.array([np.average(labels, weights=v)])
    return np.array([_quantile(labels, v, level) for level in levels])


def _of_numbers(answers: Floats, y: Any, w: Floats) -> dict[str, float]:
    spread = np.average((y - np.average(y, weights=w)) ** 2, weights=w)
    mean = float(np.average((answers - y) ** 2, weights=w))
    return {
        RMSE: mean**0.5,
        "mean absolute error": float(np.average(np.abs(answers - y), weights=w)),
        R2: float(1 - mean / spread) if spread > 0 else float("nan"),
    }


def _baseline(
    learnt: Labels, tested: Labels, task: str, model: Any, positive: int | None
) -> dict[str, float]:
    """The same metrics of one answer for all rows, which the labels of training give.

    It is the commonest class, with the shares of the classes as probabilities, or the mean, or
    what else is best for the loss.
    """
    (labels, v), (y, w) = learnt, tested
    v, w = (
        np.ones(len(t)) if u is None else np.asarray(u, float) for t, u in ((labels, v), (y, w))
    )
    if task == NUMBERS:
        constants = np.tile(_best_constants(model, labels, v), (len(y), 1))
        return _of_loss(model, constants, y, w)
    classes, codes = np.unique(labels, return_inverse=True)
    shares = np.bincount(codes, v) / v.sum()
    known = dict(zip(classes.tolist(), shares.tolist(), strict=True))
    p = np.array([known.get(label, 0.0) for label in np.asarray(y).tolist()])
    found = {
        "error": float(np.average(y != classes[shares.argmax()], weights=w)),
        "log-loss": float(np.average(-np.log(np.clip(p, _LEAST, 1.0)), weights=w)),
    }
    if positive is None:
        return found
    return found | {
        AUC: 0.5,
        PRECISION: float(np.average(y == model.classes_[positive], weights=w)),
    }


def _own_score(metrics: dict[str, float]) -> str | None:
    """The metric that tells numbers from a constant; None of classes."""
    return next((name for name in _CONSTANTS if name in metrics), None)


def hardly_better(found: Evaluation, positive: Any, tuned: bool = False) -> str | None:
    """The warning about a model that is hardly better than one answer for all rows.

    ``tuned`` says that a threshold was chosen: none is then recommended.
    """
    metrics, base, errors = found.metrics, found.baseline, found.errors
    score = _own_score(metrics)
    if score is not None:
        if metrics[score] > _SOME_R2:
            return None
        beats = "hardly beats" if metrics[score] > 0 else "does not beat"
        return (
            f"the model {beats} always answering with {_CONSTANTS[score]}: {score} is "
            f"{metrics[score]:.3g}."
        )
    error, usual = metrics[ERROR], base[ERROR]
    if error < usual - errors.get(ERROR, 0.0) or RECALL in metrics:
        return None
    place = "above" if error > usual else "hardly below" if error < usual else "no lower than"
    text = (
        f"the error of {error:.3g} is {place} that of always answering with the commonest class, "
        f"{usual:.3g}"
    )
    area = metrics.get(AUC, 0.0)
    if area < _SOME_AUC:
        return f"{text}: the model has learnt little."
    if tuned:
        return None
    ranks = "ranks rows well" if area >= GOOD_AUC else "ranks rows better than chance"
    return (
        f"{text}, though the model {ranks} (AUC {area:.3g}): choose the threshold for "
        f"{positive}, by --threshold recall=0.9 or --threshold cost=1:20."
    )


def prediction_columns(model: Any, X: Any, probabilities: bool) -> dict[str, Any]:
    """The predictions of rows by column name: one column per output, and per class on request."""
    predicted = np.asarray(model.predict(X))
    if predicted.ndim == 1:
        found = {"prediction": predicted}
    else:
        names = fact(model, "_target_names") or model.get_params(deep=False).get("quantile")
        listed = names if isinstance(names, (list, tuple)) else range(predicted.shape[1])
        found = {
            f"prediction {name}": predicted[:, k] for k, name in zip(range(len(listed)), listed)
        }
    tables = shares_of_classes(model, X) if probabilities else []
    for k, (names, shares) in enumerate(tables):
        place = f"{k} " if len(tables) > 1 else ""
        found |= {f"probability {place}{name}": shares[:, c] for c, name in enumerate(names)}
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
