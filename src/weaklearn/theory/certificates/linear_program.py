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
from .theorem import Evidence, theorem

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
        statement = "largest soft margin of any vote - that of this vote <= accuracy"
        why = self._why_not()
        gap = 0.0 if why is not None else self._shown() - self._reached()
        if gap > self.accuracy + _CLOSE:
            why = f"not yet, after {len(self.evidence.ensemble)} rounds it may be {gap:.4g}"
        return self._certify("lp-gap", statement, why, self.accuracy, min(gap, self.accuracy))

    def value(self) -> Certificate:
        """Between the soft margin of the vote and the least correlation lies the largest one."""
        statement = "soft margin of this vote <= largest of any vote <= least correlation shown"
        why = self._why_not()
        shown, reached = (0.0, 0.0) if why is not None else (self._shown(), self._reached())
        return self._certify("lp-value", statement, why, shown, min(reached, shown))

    def rounds(self, enough: Callable[[float, float], Any], formula: str) -> Certificate:
        statement = f"rounds until the gap is at most the accuracy <= {formula}"
        why, needed, first = self._why_not(), 0, 0
        if why is None:
            needed = int(enough(self._nu(), self.accuracy))
            history = self.evidence.history
            gaps = np.fmin.accumulate(history["r"]) - history["value"]
            met, n = np.flatnonzero(gaps <= self.accuracy + _CLOSE), len(gaps)
            first = int(met[0]) + 1 if len(met) else n + 1
            if len(met) == 0 and n < needed:
                why = f"it is about {needed} rounds or more, and {n} were run"
        return self._certify("lp-rounds", statement, why, needed, first, "rounds")

    def duality(self) -> Certificate:
        statement = f"least largest correlation of these rules - soft margin <= {_CLOSE:g}"
        named, why = ("lp-dual", statement, self.source), self.evidence.why_not()
        off = 0.0 if why is not None else self.evidence.last("dual") - self._reached()
        return self.evidence.certify(*named, why, _CLOSE, off, unit="margin")

    def margin_errors(self) -> Certificate:
        def below() -> float:
            margins, D = self.evidence.rows
            return float(D[margins < self.evidence.last("rho") - _EQUAL].sum())

        named = "lp-margin-errors", "share of examples with a margin below rho <= nu", self.source
        why = self.evidence.why_not(rows_needed=True)
        return self.evidence.certify(*named, why, self._nu, below)

    def _certify(
        self, id: str, text: str, why: str | None, bound: float, seen: float, unit: str = "margin"
    ) -> Certificate:
        named = id, text, self.source
        return self.evidence.certify(*named, why, bound, seen, assumed=_BEST, unit=unit)

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
            return self.evidence.last("value")
        return soft_margin(*self.evidence.training, self._nu())[0]

    def _nu(self) -> float:
        """The share of the examples that the caps belong to."""
        return min(1.0, 1 / (self.evidence.last("cap") * self.evidence.n_examples))
