"""What rows held out tell a model after its fit: nonconformity scores, a threshold on scores."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.certificate import Certificate
from ..base.types import Floats
from ..theory.distinct import DRAWN

if TYPE_CHECKING:
    from ..production.row_sketch import RowSketch

HOWS = ("split", "oob", "folds")
_SOURCE = "Vovk, Gammerman and Shafer (2005); Papadopoulos et al. (2002)"
_WITHOUT = "Barber et al. (2021); Kim, Xu and Barber (2020)"
_LEARNT = (
    *("model_", "ensemble_", "trees_", "tree_", "stump_", "rule_", "estimators_"),
    *("intervals_", "thresholds_", "lower_", "kept_", "means_", "errors_", "_curve"),
    *("_standing", "_mask", "expected_mistakes_", "coef_", "support_vectors_", "dual_coef_"),
)


@dataclass(frozen=True, eq=False)
class Conformity:
    """The sorted nonconformity scores of the calibration rows, of which copies count once.

    ``vouched``: that the rows are none of training, or (of bags and folds) those of training, could
    not be looked up, or was not. ``n_rows``: how many rows there were, copies included;
    ``drawn``: equal ones among them are said to be draws of their own. A score is infinite where
    the model that judged the row did not know its label, or of bags had learnt from a copy of it.
    """

    scores: Floats
    how: str
    vouched: bool
    learnt: tuple[Any, ...]
    n_rows: int
    drawn: bool = False

    def threshold(self, alpha: float) -> float:
        """The threshold of nonconformity: the ceil((n + 1)(1 - alpha))-th of the n scores."""
        share, n = Fraction(repr(float(alpha))), len(self.scores)
        k = ceil((n + 1) * (1 - share))
        if k > n:
            hint = ", or repeats='draws' if equal rows were drawn so" if n < self.n_rows else ""
            raise ValueError(
                f"alpha={alpha:g} needs at least {ceil(1 / share) - 1} calibration rows, and there "
                f"are {self.words}; pass more to conformalize{hint}, or a larger alpha."
            )
        return float(self.scores[k - 1])

    @property
    def unjudged(self) -> int:
        """How many rows no model that could know better has judged: their scores are infinite."""
        return int(np.count_nonzero(np.isposinf(self.scores)))

    def kept_alpha(self, alpha: float) -> float:
        """The share of new labels that sets of the known labels may miss.

        It is alpha; or (u + 1)/(n + 1), which is more, where u of the n scores are infinite and the
        threshold at alpha is infinite: then a set holds every label that is known, and on average
        over calibration rows and new ones no larger share is missed.
        """
        if np.isfinite(self.threshold(alpha)):
            return float(alpha)
        return (self.unjudged + 1) / (len(self.scores) + 1)

    @property
    def words(self) -> str:
        """How many rows count, and of how many."""
        n = len(self.scores)
        return f"{n} different of {self.n_rows}" if n < self.n_rows else f"{n}"

    def of(self, model: Any) -> bool:
        """Whether the model has not changed since the calibration."""
        now = learnt(model)
        return len(now) == len(self.learnt) and all(a is b for a, b in zip(now, self.learnt))

    def kept(self) -> list[Any]:
        """The fields that files keep; the last two where rows were equal."""
        kept: list[Any] = [self.how, self.scores, self.vouched]
        equal = self.drawn or len(self.scores) < self.n_rows
        return [*kept, self.n_rows, self.drawn] if equal else kept

    def certificate(self, alpha: float, labels: bool) -> Certificate:
        """The coverage promised at this alpha, of sets of labels or of intervals."""
        twice = 1 if self.how == "split" else 2
        times = "" if twice == 1 else "2 "
        promise = f"the truth is covered with probability >= 1 - {times}"
        named, source = f"conformal-{self.how}", _SOURCE if twice == 1 else _WITHOUT
        try:
            kept = self.kept_alpha(alpha) if labels else alpha
            self.threshold(alpha)
        except ValueError as error:
            asked = f"{promise}alpha = {1 - twice * alpha:g}"
            return Certificate.not_applicable(named, asked, source, str(error), "truth")
        covered = 1 - twice * kept
        level = "alpha" if kept == alpha else "(u + 1)/(n + 1)"
        checked, assumed = self._conditions()
        return Certificate(
            named,
            f"{promise}{level} = {covered:.6g}",
            source,
            checked,
            assumed,
            max(0.0, covered),
            note=self._note(alpha, labels, kept != alpha),
            unit="coverage",
            about="truth",
        )

    def _conditions(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What was checked, and what is assumed."""
        if self.how == "split":
            checked = "none of the calibration rows was seen in training"
            assumed = ["the new row and the calibration rows are exchangeable"]
            unchecked = "the calibration rows were not trained on"
        else:
            checked = unchecked = "the rows are those of training"
            assumed = [
                "the new row and the training rows are exchangeable",
                "leaving rows out of training hardly changes the answers to others",
            ]
        if self.vouched:
            assumed.append(unchecked)
        if self.drawn:
            assumed.append(DRAWN)
        return () if self.vouched else (checked,), tuple(assumed)

    def _note(self, alpha: float, labels: bool, every: bool) -> str:
        rows = "calibration rows" if self.how == "split" else "training rows, each judged without"
        note = f"{self.words} {rows}" + ("" if self.how == "split" else " itself")
        if self.unjudged:
            note += f", u = {self.unjudged} of them {self._why_unjudged(labels)}"
        if every:
            note += f": too many for alpha = {alpha:g}, and a set holds every label that is known"
        elif not np.isfinite(self.threshold(alpha)):
            note += f": too many for alpha = {alpha:g}, and an interval holds every number"
        return note

    def _why_unjudged(self, labels: bool) -> str:
        """Why scores are infinite."""
        copied = len(self.scores) < self.n_rows  # of bags: the rows that have copies, each
        if self.how == "folds":
            return "with labels unknown to the refit without their fold"
        if self.how == "oob" and copied:
            alone = ", or alone of their label" if labels else ""
            return (
                f"with copies that the bags of out-of-bag members may hold{alone} "
                "(how='folds' keeps copies together)"
            )
        if self.how == "oob":
            return "alone of their label"
        return "with labels unknown to the model that judged them"


def two_sided(F: Floats) -> Floats:
    """The nonconformity of both classes, (n, 2), from the score of the second."""
    return np.column_stack([F, -F])


def ends_of(answers: Floats) -> tuple[Floats, Floats]:
    """(low, high) of the predictions: the number itself, or the outermost quantiles."""
    if answers.ndim == 1:
        return answers, answers
    return answers.min(axis=1), answers.max(axis=1)


def learnt(model: Any) -> tuple[Any, ...]:
    """The objects that hold what a model has learnt; a refit replaces them."""
    return tuple(model.__dict__[name] for name in _LEARNT if name in model.__dict__)


@dataclass(frozen=True, eq=False)
class Decision:
    """What a model was told about its two classes: the one spoken of, and a threshold of scores.

    It holds for what had been learnt then; a refit forgets it. ``rows`` is the sketch of those that
    the threshold was chosen on, where it was chosen and not given.
    """

    positive: int | None
    threshold: float | None
    learnt: tuple[Any, ...]
    rows: RowSketch | None = None

    def of(self, model: Any) -> bool:
        """Whether the model has not changed since."""
        now = learnt(model)
        return len(now) == len(self.learnt) and all(a is b for a, b in zip(now, self.learnt))
