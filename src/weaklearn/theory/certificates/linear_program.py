"""Guarantees of the boosters whose votes solve a linear program.

Votes and distributions play a game: under any D within the caps the mean margin of a vote is a mean
of correlations, so that no vote has a soft margin above the largest correlation that D leaves to
the hypotheses. The learner has shown that correlation in every round, if it finds the best.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.certificate import Certificate
from ...boosters.parts.capped_simplex import soft_margin
from .. import bounds
from .evidence import Evidence
from .theorem import theorem

_LPBOOST = "Demiriz, Bennett and Shawe-Taylor (2002), LPBoost"
_TOTALBOOST = "Warmuth, Liao and Rätsch (2006), TotalBoost"
_SOFTBOOST = "Warmuth, Glocer and Rätsch (2007), SoftBoost"
_ERLPBOOST = "Warmuth, Glocer and Vishwanathan (2008), Entropy regularized LPBoost"

_CLOSE = 1e-6  # what a linear program is solved to
_EQUAL = 1e-9  # margins closer than this are equal
_BEST = ("the learner finds the hypothesis of the largest correlation",)


@theorem("LPBoost")
def lpboost(evidence: Evidence) -> list[Certificate]:
    """At its end LPBoost has the largest soft margin of any vote."""
    record = _Record(evidence, float(evidence.settings["accuracy"]), _LPBOOST)
    return [record.gap(), record.value(), record.duality(), record.margin_errors()]


@theorem("TotalBoost")
def totalboost(evidence: Evidence) -> list[Certificate]:
    """At its end TotalBoost has a smallest margin within nu of the largest of any vote."""
    record = _Record(evidence, float(evidence.settings["nu"]), _TOTALBOOST)
    rounds = record.rounds(bounds.softboost_rounds, "2 ln m / nu^2 + 1")
    return [record.gap(), rounds, record.value(), record.duality()]


@theorem("SoftBoost")
def softboost(evidence: Evidence) -> list[Certificate]:
    """At its end SoftBoost has a soft margin within its accuracy of the largest of any vote."""
    record = _Record(evidence, float(evidence.settings["accuracy"]), _SOFTBOOST)
    rounds = record.rounds(bounds.softboost_rounds, "2 ln(1/nu) / accuracy^2 + 1")
    return [record.gap(), rounds, record.value(), record.duality(), record.margin_errors()]


@theorem("ERLPBoost")
def erlpboost(evidence: Evidence) -> list[Certificate]:
    """At its end ERLPBoost has a soft margin within its accuracy of the largest of any vote."""
    record = _Record(evidence, float(evidence.settings["accuracy"]), _ERLPBOOST)
    formula = "max(32 ln(1/nu) / accuracy^2, 8 / accuracy)"
    rounds = record.rounds(bounds.erlpboost_rounds, formula)
    return [record.gap(), rounds, record.value(), record.duality(), record.margin_errors()]


@dataclass(frozen=True)
class _Record:
    """The rounds of a booster that maximises the soft margin, up to an accuracy."""

    evidence: Evidence
    accuracy: float
    source: str

    def gap(self) -> Certificate:
        id = "lp-gap"
        statement = "largest soft margin of any vote - that of this vote <= accuracy"
        why = self._why_not()
        if why is None:
            gap = self._shown() - self._reached()
            if gap <= self.accuracy + _CLOSE:
                return self._holds(id, statement, self.accuracy, min(gap, self.accuracy))
            why = f"not yet, after {self._n} rounds it may be {gap:.4g}"
        return Certificate.not_applicable(id, statement, self.source, why)

    def value(self) -> Certificate:
        """The certificate that the largest soft margin is between that of the vote and the least
        correlation.
        """
        id = "lp-value"
        statement = "soft margin of this vote <= largest of any vote <= least correlation shown"
        why = self._why_not()
        if why is not None:
            return Certificate.not_applicable(id, statement, self.source, why)
        shown = self._shown()
        return self._holds(id, statement, shown, min(self._reached(), shown))

    def rounds(self, enough: Callable[[float, float], Any], formula: str) -> Certificate:
        id, statement = "lp-rounds", f"rounds until the gap is at most the accuracy <= {formula}"
        why = self._why_not()
        if why is not None:
            return Certificate.not_applicable(id, statement, self.source, why)
        needed = int(enough(self._nu(), self.accuracy))
        history = self.evidence.history
        gaps = np.fmin.accumulate(history["r"]) - history["value"]
        met = np.flatnonzero(gaps <= self.accuracy + _CLOSE)
        if len(met) == 0 and len(gaps) < needed:
            why = f"not yet, {len(gaps)} rounds were played and {needed} are promised to be enough"
            return Certificate.not_applicable(id, statement, self.source, why)
        first = int(met[0]) + 1 if len(met) else len(gaps) + 1
        return self._holds(id, statement, needed, first, "rounds")

    def duality(self) -> Certificate:
        id = "lp-dual"
        statement = f"least largest correlation of these rules - soft margin <= {_CLOSE:g}"
        why = self.evidence.why_not()
        if why is not None:
            return Certificate.not_applicable(id, statement, self.source, why)
        off = float(self.evidence.metrics("dual")[-1]) - self._reached()
        return self.evidence.certificate(id, statement, self.source, _CLOSE, off, unit="margin")

    def margin_errors(self) -> Certificate:
        id, statement = "lp-margin-errors", "share of examples with a margin below rho <= nu"
        why = self.evidence.why_not(rows_needed=True)
        if why is not None:
            return Certificate.not_applicable(id, statement, self.source, why)
        assert self.evidence.training is not None
        margins, D = self.evidence.training
        rho = float(self.evidence.metrics("rho")[-1])
        below = float(D[margins < rho - _EQUAL].sum())
        return self.evidence.certificate(id, statement, self.source, self._nu(), below)

    def _holds(
        self, id: str, statement: str, bound: float, observed: float, unit: str = "margin"
    ) -> Certificate:
        return self.evidence.certificate(
            id, statement, self.source, bound, observed, assumed=_BEST, unit=unit
        )

    @property
    def _n(self) -> int:
        return len(self.evidence.ensemble)

    def _why_not(self) -> str | None:
        """The reason why the correlations bound nothing here; None if they do."""
        why = self.evidence.why_not()
        if why is None and self._shown() < self._reached() - _CLOSE:
            return (
                f"the soft margin {self._reached():.6g} exceeds a correlation of "
                f"{self._shown():.6g} that the learner showed: its hypothesis was not the best"
            )
        return why

    def _shown(self) -> float:
        """The least correlation of all rounds, the ending one included."""
        return float(np.nanmin(self.evidence.history["r"]))

    def _reached(self) -> float:
        """The soft margin of the vote: of the rows, or as recorded."""
        if self.evidence.training is None:
            return float(self.evidence.metrics("value")[-1])
        return soft_margin(*self.evidence.training, self._nu())[0]

    def _nu(self) -> float:
        """The share of the examples that the caps belong to."""
        cap = float(self.evidence.metrics("cap")[-1])
        return min(1.0, 1 / (cap * self.evidence.n_examples))
