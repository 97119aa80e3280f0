"""Certificates of the boosters with a known edge, and of the majority of three."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.certificate import Certificate
from .. import bounds
from .evidence import Evidence
from .theorem import theorem

_TIED = 1e-12
_MAJORITY = "Blum, Hopcroft and Kannan, Foundations of Data Science, on boosting"
_BOOK = "Schapire and Freund, Boosting, chapters 3 and 6"
_BBM = "Freund (1995), Boosting a weak learning algorithm by majority"
_THREE = "Schapire (1990), The strength of weak learnability"


@theorem("AlphaBoost", "GammaMajority")
def constant_step(evidence: Evidence) -> Sequence[Certificate]:
    """What a constant step guarantees: with a promise kept, and in any case."""
    by_product, gamma = _product(evidence), evidence.settings["gamma"]
    return [by_product] if gamma is None else [_majority(evidence, float(gamma)), by_product]


def _majority(evidence: Evidence, gamma: float) -> Certificate:
    """The weight of a mistake has grown with at least half of the votes."""
    id, statement = "gamma-majority", "training error <= (1 - 4 gamma^2)^(T/2)"
    why = evidence.why_not() or _broken(evidence, gamma)
    if why is not None:
        return Certificate.not_applicable(id, statement, _MAJORITY, why)
    T = len(evidence.ensemble)
    bound = float(bounds.gamma_boost_mistakes_product(n=1, gamma=gamma, T=T))
    return _held(evidence, id, statement, _MAJORITY, bound)


def _product(evidence: Evidence) -> Certificate:
    """The mean exponential loss is the product of the normalisers, whatever the edges."""
    id, statement = "alpha-train", "training error <= product of Z_t"
    why = evidence.why_not()
    if why is not None:
        return Certificate.not_applicable(id, statement, _BOOK, why)
    bound = float(np.exp(np.sum(np.log(evidence.metrics("Z")))))
    return _held(evidence, id, statement, _BOOK, bound)


@theorem("BoostByMajority")
def boost_by_majority(evidence: Evidence) -> Sequence[Certificate]:
    """The mean potential starts at the chance of a minority, and does not rise."""
    T, gamma = int(evidence.settings["n_estimators"]), float(evidence.settings["gamma"])
    id, statement = "bbm", "training error <= Pr[Binomial(T, 1/2 + gamma) <= T/2]"
    weaker = "bbm-exp", "training error <= exp(-2 gamma^2 T)"
    why = evidence.why_not() or _other_plan(evidence, T, gamma)
    why = why or _abstained(evidence) or _broken(evidence, gamma)
    if why is not None:
        return [
            Certificate.not_applicable(*named, _BBM, why) for named in ((id, statement), weaker)
        ]
    chance = float(bounds.bbm_bound(T=T, gamma=gamma))
    hoeffding = float(bounds.hoeffding_one_sided(m=T, eps=gamma))
    return [
        _held(evidence, id, statement, _BBM, chance),
        _held(evidence, *weaker, _BBM, hoeffding),
    ]


@theorem("MajorityOfThree")
def majority_of_three(evidence: Evidence) -> Sequence[Certificate]:
    """Three errors of at most b, each on a distribution of its own."""
    id, statement = "majority3", "training error <= 3 b^2 - 2 b^3"
    why = evidence.why_not() or _abstained(evidence)
    b = 0.0 if why is not None else float(np.max(evidence.metrics("epsilon")))
    if why is None and len(evidence.ensemble) < 3 and b > 0:
        same = 0.0 in evidence.history["alpha"]
        why = "the second rule is the first" if same else "fewer than three rules were played"
    if why is None and b >= 0.5:
        why = f"a rule has the error {b:.4g} on its own distribution, which is no weak learning"
    if why is not None:
        return [Certificate.not_applicable(id, statement, _THREE, why)]
    return [_held(evidence, id, statement, _THREE, float(bounds.majority3_error(beta=b)))]


def _held(evidence: Evidence, id: str, statement: str, source: str, bound: float) -> Certificate:
    return evidence.certificate(id, statement, source, bound, evidence.error())


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
        return f"the game was ended after {n} of {T} rounds"
    return None
