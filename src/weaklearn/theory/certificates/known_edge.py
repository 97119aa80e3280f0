"""Certificates of the boosters with a known edge, and of the majority of three."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.certificate import Certificate
from ...boosters.boost_by_majority import GIVEN_UP
from .. import bounds
from .theorem import Evidence, theorem

_TIED = 1e-12
_MAJORITY = "Blum, Hopcroft and Kannan, Foundations of Data Science, on boosting"
_BOOK = "Schapire and Freund, Boosting, chapters 3 and 6"
_BBM = "Freund (1995), Boosting a weak learning algorithm by majority"
_THREE = "Schapire (1990), The strength of weak learnability"


@theorem("AlphaBoost", "GammaMajority")
def constant_step(evidence: Evidence) -> Sequence[Certificate]:
    """What a constant step guarantees: with a promise kept, and in any case."""
    named = "alpha-train", "training error <= product of Z_t", _BOOK
    by_product = evidence.certify(*named, evidence.why_not(), evidence.product)
    if evidence.settings["gamma"] is None:
        return [by_product]
    # The weight of a mistake has grown with at least half of the votes.
    gamma, T = float(evidence.settings["gamma"]), len(evidence.ensemble)
    named = "gamma-majority", "training error <= (1 - 4 gamma^2)^(T/2)", _MAJORITY
    why = evidence.why_not() or _broken(evidence, gamma)

    def share() -> float:
        return float(bounds.gamma_boost_mistakes_product(1, gamma, T))

    return [evidence.certify(*named, why, share), by_product]


@theorem("BoostByMajority")
def boost_by_majority(evidence: Evidence) -> Sequence[Certificate]:
    """The mean potential starts at the chance of a minority, and does not rise."""
    T, gamma = int(evidence.settings["n_estimators"]), float(evidence.settings["gamma"])
    why = evidence.why_not() or _other_plan(evidence, T, gamma)
    why = why or _abstained(evidence) or _broken(evidence, gamma)
    chance = "bbm", "training error <= Pr[Binomial(T, 1/2 + gamma) <= T/2]", _BBM
    weaker = "bbm-exp", "training error <= exp(-2 gamma^2 T)", _BBM
    light = GIVEN_UP if evidence.weighted else 0.0  # given up from the start
    return [
        evidence.certify(*chance, why, lambda: float(bounds.bbm_bound(T, gamma)) + light),
        evidence.certify(*weaker, why, lambda: float(bounds.hoeffding_one_sided(T, gamma)) + light),
    ]


@theorem("MajorityOfThree")
def majority_of_three(evidence: Evidence) -> Sequence[Certificate]:
    """Three errors of at most b, each on a distribution of its own."""
    why = evidence.why_not() or _abstained(evidence)
    if why is None and "train_error" not in evidence.history:
        why = "the examples came from a stream, which has no training error"
    b = 0.0 if why is not None else float(np.max(evidence.metrics("epsilon")))
    if why is None and len(evidence.ensemble) < 3 and b > 0:
        same = 0.0 in evidence.history["alpha"]
        why = "the second rule is the first" if same else "fewer than three rules were played"
    if why is None and b >= 0.5:
        why = f"a rule has the error {b:.4g} on its own distribution, which is no weak learning"
    named = "majority3", "training error <= 3 b^2 - 2 b^3", _THREE
    return [evidence.certify(*named, why, lambda: float(bounds.majority3_error(beta=b)))]


def _broken(evidence: Evidence, gamma: float) -> str | None:
    """The first edge below the known one, as a reason; None if there is none."""
    edges = evidence.metrics("gamma")
    below = np.flatnonzero(edges < gamma - _TIED)
    if len(below) == 0:
        return None
    t = int(below[0])
    return (
        f"the learner promised the edge {gamma:g} and broke the promise in round {t + 1}, where "
        f"its edge is {edges[t]:.4g}"
    )


def _abstained(evidence: Evidence) -> str | None:
    """The reason if some hypothesis abstained: right and wrong weight do not add up to 1."""
    abstained = 1 - evidence.metrics("r") - 2 * evidence.metrics("epsilon")
    return "a hypothesis was silent on some rows" if bool(np.any(abstained > 1e-9)) else None


def _other_plan(evidence: Evidence, T: int, gamma: float) -> str | None:
    """The reason if the rounds are not the T that were planned; None if they are."""
    planned, n = float(bounds.bbm_bound(T=T, gamma=gamma)), len(evidence.ensemble)
    if abs(evidence.history["potential"][0] - planned) > 1e-9:
        return "the first rounds were played by another plan"
    decided = len(evidence.history) > n and evidence.history["alpha"][n] == 0
    if n < T and not decided:
        return f"boosting was ended after {n} of {T} rounds"
    return None
