"""Certificates of the boosters that tolerate noise."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from ...base.certificate import Certificate
from ...base.trees.scored_tree import ScoredTree
from ...boosters import BrownBoost, NormalBoost
from ...boosters.parts.potential_clock import TimedBooster
from .theorem import Evidence, theorem

_MADABOOST = "Domingo and Watanabe (2000), MadaBoost"
_BROWN = "Freund (2001), An adaptive version of the boost by majority algorithm"
_NORMAL = "Freund (2009), A more robust boosting algorithm"
_SMOOTH = "Servedio (2003), Smooth boosting and learning with malicious noise"
_GENTLE = "Friedman, Hastie and Tibshirani (2000), Additive logistic regression"


@theorem("MadaBoost")
def madaboost(evidence: Evidence) -> Sequence[Certificate]:
    """A wrong example keeps all its weight, so there cannot be more errors than weight is left."""
    statement = "training error <= share of the first weight that is left"
    named, why = ("madaboost-train", statement, _MADABOOST), evidence.why_not()
    return [evidence.certify(*named, why, lambda: evidence.last("potential"))]


@theorem("SmoothBoost")
def smoothboost(evidence: Evidence) -> Sequence[Certificate]:
    """An example of a small margin keeps all its weight; and edges take weight away."""
    kappa, gamma = (float(evidence.settings[name]) for name in ("kappa", "gamma"))
    theta = gamma / (2 + gamma)
    statement = f"share of margins <= {theta:.4g} <= share of the first weight that is left"
    named, why = ("smoothboost-margin", statement, _SMOOTH), evidence.why_not(rows_needed=True)
    left = evidence.certify(
        *named, why, lambda: evidence.last("potential"), lambda: evidence.share(theta)
    )
    return [left, _rounds(evidence, kappa, gamma)]


def _rounds(evidence: Evidence, kappa: float, gamma: float) -> Certificate:
    statement = "rounds until less than kappa is left <= 2 / (kappa gamma^2 sqrt(1 - gamma))"
    why, n = evidence.why_not(), len(evidence.ensemble)
    needed, reached = 2 / (kappa * gamma**2 * sqrt(1 - gamma)), n
    if why is None:
        played = evidence.history["potential"] >= kappa  # what comes after the end is no round
        ends = np.concatenate([[True], played[:-1]])
        short = np.flatnonzero(ends & (evidence.history["gamma"] < gamma - 1e-12))
        if len(short):
            edge = float(evidence.history["gamma"][short[0]])
            why = f"gamma={gamma:g} was promised; the edge of round {short[0] + 1} is {edge:.4g}"
    if why is None and evidence.last("potential") >= kappa:
        reached = n + 1
        if n < needed:
            why = f"it is about {needed:.0f} rounds or more, and {n} were run"
    named = "smoothboost-rounds", statement, _SMOOTH
    return evidence.certify(*named, why, needed, reached, unit="rounds")


@theorem("GentleBoost")
def gentle(evidence: Evidence) -> Sequence[Certificate]:
    """The mean exponential loss; and what least squares make of it, block by block."""
    why = evidence.why_not()
    named = "gentle-train", "training error <= product of Z_t", _GENTLE
    product = evidence.certify(*named, why, evidence.product)
    fitted = all(isinstance(h, ScoredTree) for h in evidence.ensemble.members)
    if why is None and (not fitted or evidence.settings["learning_rate"] != 1):
        why = "the rules are not the means of labels in blocks, or not taken whole"

    def squares() -> float:
        return float(np.exp(np.log1p(-evidence.metrics("r") / 2).sum()))

    named = "gentle-squares", "training error <= product of 1 - r_t / 2", _GENTLE
    return [product, evidence.certify(*named, why, squares)]


@theorem("BrownBoost")
def brownboost(evidence: Evidence) -> Sequence[Certificate]:
    """An error costs 1 or more once no time is left; before, a margin of minus that time does."""
    booster = BrownBoost(evidence.settings["epsilon_"])
    why = evidence.why_not() or _potential_lost(evidence, booster)
    left = 0.0 if why is not None else evidence.last("time_left")
    late = f"of the time {booster.c:.4g}, {left:.4g} is left" if left > 0 else None
    train = "brownboost-train", "training error <= epsilon, once no time is left", _BROWN
    margin = "brownboost-margin", "share of y F <= -(time left) is at most epsilon", _BROWN
    return [
        evidence.certify(*train, why or late, booster.epsilon),
        _share_below(evidence, margin, why, -left, booster.epsilon),
    ]


@theorem("NormalBoost")
def normalboost(evidence: Evidence) -> Sequence[Certificate]:
    """A margin of mu costs half an error, or all of one where the potential is truncated."""
    epsilon, theta, sigma_f = (
        float(evidence.settings[name]) for name in ("epsilon_", "theta", "sigma_f")
    )
    booster = NormalBoost(epsilon, theta, sigma_f, bool(evidence.settings["robust"]))
    most = "epsilon" if booster.robust else "2 epsilon"
    bound = min(1.0, booster.epsilon * (1 if booster.robust else 2))
    why = evidence.why_not() or _potential_lost(evidence, booster)
    left = 0.0 if why is not None else evidence.last("time_left")
    goal = booster.mu(left)
    late = f"of the time 1, {left:.4g} is left" if goal < 0 else None
    below = "theta" if why is not None else f"{goal:.4g}"
    train = "normalboost-train", f"training error <= {most}, once no time is left", _NORMAL
    margin = "normalboost-margin", f"share of y F <= {below} is at most {most}", _NORMAL
    return [
        _share_below(evidence, margin, why, goal, bound),
        evidence.certify(*train, why or late, bound),
    ]


def _share_below(
    evidence: Evidence, named: tuple[str, str, str], why: str | None, goal: float, bound: float
) -> Certificate:
    """The share of examples whose y F is at most a goal."""
    why = why or evidence.why_not(rows_needed=True)
    return evidence.certify(
        *named, why, bound, lambda: evidence.share(goal / evidence.ensemble.margin_weight)
    )


def _potential_lost(evidence: Evidence, booster: TimedBooster) -> str | None:
    """The reason if the mean potential is not what it was at first, by the history or the rows."""
    found = evidence.last("potential")
    if evidence.training is not None:
        margins, D = evidence.training
        yF = margins * evidence.ensemble.margin_weight
        found = float(D @ booster.cost(booster.z(yF, evidence.last("time_left"))))
    if abs(found - booster.epsilon) <= 1e-6 * booster.epsilon:
        return None
    return f"the mean potential was to stay {booster.epsilon:.4g}; it is {found:.4g}"
