"""A threshold on the scores of two classes, chosen on rows that the model has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ..base.messages.value_text import show
from ..base.messages.warnings import warn
from ..base.types import Floats
from ..intake import parameters
from ..intake.labels import codes_among
from ..intake.weights import read_weights
from ..prediction.outputs import n_outputs
from ..prediction.positive import positive_code
from ..prediction.rows import class_list
from ..production.row_sketch import RowSketch
from ..theory.bounds import binomial_lower, binomial_upper
from .conformity import Decision, learnt
from .test_error import row_sketch

BY = ("cost", "recall", "precision", "f1", "balanced_accuracy", "accuracy")
_MOST = float(np.finfo(np.float64).max)
FEW = 30  # rows of a class: of fewer a threshold is uncertain


@dataclass(frozen=True)
class TunedThreshold:
    """A threshold and what it does on the rows that it was chosen on.

    Rows whose score (``decision_function``) is above ``score`` are predicted as ``scored``, which
    is ``classes_[1]``. ``recall`` is the share of the rows of the class ``positive`` that are
    predicted as it, ``precision`` the share of the rows predicted as it that are of it (None where
    there are none), ``accuracy`` the share of all that are right, ``cost`` the mean cost of a row.
    """

    score: float
    positive: Any
    by: str
    recall: float
    precision: float | None
    accuracy: float
    cost: float
    n_rows: int
    scored: Any

    def __str__(self) -> str:
        precise = "none is" if self.precision is None else f"precision {self.precision:.4g}"
        return (
            f"threshold {self.score:.6g} of the score of {self.scored}, by {self.by}: on "
            f"{self.n_rows:,} rows "
            f"recall of {self.positive} {self.recall:.4g}, {precise}, accuracy {self.accuracy:.4g}"
        )


def tuned(
    self: Any,
    X: Any,
    y: Any,
    by: str,
    positive: Any,
    costs: Any,
    least: float,
    sample_weight: Any,
    seen: str,
) -> TunedThreshold:
    """Chooses a threshold, and gives it to the model."""
    check_is_fitted(self)
    _refuse_classes(self)
    parameters.one_of("by", by, BY)
    parameters.one_of("seen", seen, ["error", "keep"])
    parameters.real("least", least, None, 1.0, least=0.0)
    lost = _checked_costs(costs)
    code = positive_code(self, positive)
    cells = self._judged_cells(X)
    known = row_sketch(self)
    looked = None if known is None else known.look(cells)
    if seen == "error" and looked is not None and looked.found:
        raise ValueError(
            f"{looked.words} in training, and a threshold is chosen on others; pass rows that fit "
            "has not looked at, or seen='keep' if they were drawn anew and are equal by chance."
        )
    F = self._binary_scores(X)
    truth = codes_among(self.classes_, y, len(F), "y") == code
    weights = read_weights(sample_weight, len(F))
    w = np.ones(len(F)) if weights is None else weights
    some = w > 0  # rows of weight 0 are no rows, and no threshold lies between them
    F, truth, w = F[some], truth[some], w[some]
    curve = _Curve.of(F, truth, w, upper=code == 1)
    names = class_list(self)
    k = curve.chosen(by, lost, float(least), names[code])
    score = float(curve.thresholds[k])
    _warn_of_few((F > score) == (code == 1), truth, w, [names[code], names[1 - code]])
    self._decision = Decision(code, score, learnt(self), RowSketch.of([cells]))
    return TunedThreshold(
        score,
        names[code],
        by,
        float(curve.recall[k]),
        float(curve.precision[k]) if curve.alarms[k] > 0 else None,
        float(curve.accuracy[k]),
        float(curve.costs(lost)[k]),
        len(F),
        names[1],
    )


def _warn_of_few(
    called: NDArray[np.bool_], truth: NDArray[np.bool_], w: Floats, names: Sequence[Any]
) -> None:
    """Warns where a class has few rows; ``called`` and ``truth`` are of the first of ``names``.

    Weights that are whole numbers count as that many rows.
    """
    copies = w if (w == np.floor(w)).all() else (w > 0).astype(np.float64)
    for name, of in zip(names, (truth, ~truth), strict=True):
        n, right = int(copies[of].sum()), int(copies[of & (called == truth)].sum())
        if n < FEW:
            low = 100 * float(binomial_lower(right, n, 0.025))
            high = 100 * float(binomial_upper(right, n, 0.025))
            warn(
                f"the threshold rests on {n} row{'s' * (n != 1)} of {show(name)}, of which {right} "
                f"{'are' if right != 1 else 'is'} predicted as it: on other rows that may be "
                f"{low:.0f} % to {high:.0f} % (with 95 % confidence). Pass more rows of it "
                "that the fit has not looked at."
            )


def give_threshold(self: Any, threshold: float | None, positive: Any) -> None:
    """Gives a model a threshold and the class that is spoken of, or takes them away."""
    check_is_fitted(self)
    _refuse_classes(self)
    value = None
    if threshold is not None:
        value = parameters.real("threshold", threshold, None, _MOST, least=-_MOST)
    code = self._positive if positive is None else positive_code(self, positive)
    nothing = value is None and code is None
    self._decision = None if nothing else Decision(code, value, learnt(self))


def name_positive(model: Any, positive: Any) -> None:
    """Fixes the class that reports and explanations of a fitted model of two classes speak of."""
    code = positive_code(model, positive)
    rows = None if model._threshold is None else model._decision.rows
    model._decision = Decision(code, model._threshold, learnt(model), rows)


def _refuse_classes(model: Any) -> None:
    n = len(model.classes_)
    if n_outputs(model) > 1:
        raise ValueError(
            f"a threshold tells two classes apart, and the model has {n_outputs(model)} outputs a "
            "row; fit a model for each."
        )
    if n != 2 or model._indicator is not None:
        what = "several labels a row" if model._indicator is not None else f"{n} class(es)"
        raise ValueError(f"a threshold tells two classes apart, and the model has {what}.")


def _checked_costs(costs: Any) -> tuple[float, float]:
    if not isinstance(costs, (tuple, list)) or len(costs) != 2:
        raise ValueError(
            f"costs={show(costs)} is not allowed: it must be two numbers, the cost of a false "
            "alarm and of a positive row that is missed."
        )
    for cost in costs:
        parameters.real("costs", cost, None, _MOST, least=0.0)
    if not any(costs):
        raise ValueError("costs=(0, 0) is not allowed: one of them must be above 0.")
    return float(costs[0]), float(costs[1])


@dataclass(frozen=True, eq=False)
class _Curve:
    """What every threshold does: rows with scores above it are called positive.

    A threshold lies between two neighbouring scores, below all or above all of them.
    """

    thresholds: Floats
    hits: Floats  # weight of the positive rows called so
    alarms: Floats  # weight of all rows called so
    positive: float  # weight of all positive rows
    total: float

    @classmethod
    def of(cls, scores: Floats, truth: NDArray[np.bool_], w: Floats, upper: bool) -> _Curve:
        """The curve where positive rows are those above a threshold, or else those up to it."""
        scores = scores if upper else -scores
        order = np.lexsort((w, truth, scores))  # sums do not depend on the order of rows
        s, w, t = scores[order], w[order], truth[order]
        starts = np.flatnonzero(np.r_[True, s[1:] > s[:-1]])
        values = s[starts]
        of_all, of_true = (np.add.reduceat(part, starts) for part in (w, w * t))
        positive, total = float(of_true.sum()), float(of_all.sum())
        if not 0 < positive < total:
            raise ValueError("y holds one class only; pass rows of both.")
        between = values[:-1] + (values[1:] - values[:-1]) / 2
        inside = (between > values[:-1]) & (between < values[1:])
        between = np.where(inside, between, values[:-1] if upper else values[1:])
        ends = (np.nextafter(values[0], -np.inf), np.nextafter(values[-1], np.inf))
        cuts = np.r_[ends[0], between, ends[1]]
        above = [np.r_[np.cumsum(part[::-1])[::-1], 0.0] for part in (of_true, of_all)]
        return cls(cuts if upper else -cuts, above[0], above[1], positive, total)

    @property
    def recall(self) -> Floats:
        return self.hits / self.positive

    @property
    def precision(self) -> Floats:
        """The share of alarms that are right; 1 where there are none."""
        some = self.alarms > 0
        return np.where(some, self.hits / np.where(some, self.alarms, 1.0), 1.0)

    @property
    def accuracy(self) -> Floats:
        return 1 - self.costs((1.0, 1.0))

    def costs(self, costs: tuple[float, float]) -> Floats:
        """The mean cost of a row."""
        false_alarms, misses = self.alarms - self.hits, self.positive - self.hits
        return (costs[0] * false_alarms + costs[1] * misses) / self.total

    def chosen(self, by: str, costs: tuple[float, float], least: float, name: Any) -> int:
        """The place of the best threshold, of equally good ones that nearest to 0."""
        negative = self.total - self.positive
        if by in ("recall", "precision"):
            reached = (self.recall if by == "recall" else self.precision) >= least
            reached &= self.alarms > 0
            if not reached.any():
                best = self.precision[self.alarms > 0].max()
                raise ValueError(
                    f"no threshold has a precision of {least:g} for {name}: the best one has "
                    f"{best:.4g}; ask for less with least=."
                )
            other = self.precision if by == "recall" else self.recall
            worth = np.where(reached, other, -np.inf)
        elif by == "f1":
            worth = 2 * self.hits / (self.alarms + self.positive)
        elif by == "balanced_accuracy":
            worth = self.recall + 1 - (self.alarms - self.hits) / negative
        else:
            worth = -self.costs(costs if by == "cost" else (1.0, 1.0))
        best = np.flatnonzero(worth >= worth.max() - 1e-12)
        return int(best[np.argmin(np.abs(self.thresholds[best]))])
