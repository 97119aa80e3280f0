"""Certificates of the boosters that tolerate noise."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np

from ...base.certificate import Certificate
from ...base.trees.scored_tree import ScoredTree
from ...boosters import BrownBoost, NormalBoost
from ...boosters.parts.potential_clock import TimedBooster
from .evidence import Evidence
from .theorem import theorem

_MADABOOST = "Domingo and Watanabe (2000), MadaBoost"
_BROWN = "Freund (2001), An adaptive version of the boost by majority algorithm"
_NORMAL = "Freund (2009), A more robust boosting algorithm"
_SMOOTH = "Servedio (2003), Smooth boosting and learning with malicious noise"
_GENTLE = "Friedman, Hastie and Tibshirani (2000), Additive logistic regression"


@theorem("MadaBoost")
def madaboost(evidence: Evidence) -> Sequence[Certificate]:
    """A wrong example keeps all its weight, so there cannot be more errors than weight is left."""
    id, statement = "madaboost-train", "training error <= share of the first weight that is left"
    why = evidence.why_not()
    if why is not None:
        return [Certificate.not_applicable(id, statement, _MADABOOST, why)]
    left = float(evidence.metrics("potential")[-1])
    return [evidence.certificate(id, statement, _MADABOOST, left, evidence.error())]


@theorem("SmoothBoost")
def smoothboost(evidence: Evidence) -> Sequence[Certificate]:
    """An example of a small margin keeps all its weight; and edges take weight away."""
    kappa, gamma = (float(evidence.settings[name]) for name in ("kappa", "gamma"))
    return [_left(evidence, gamma), _rounds(evidence, kappa, gamma)]


def _left(evidence: Evidence, gamma: float) -> Certificate:
    theta = gamma / (2 + gamma)
    id = "smoothboost-margin"
    statement = f"share of margins <= {theta:.4g} <= share of the first weight that is left"
    why = evidence.why_not(rows_needed=True)
    if why is not None:
        return Certificate.not_applicable(id, statement, _SMOOTH, why)
    left = float(evidence.metrics("potential")[-1])
    return evidence.certificate(id, statement, _SMOOTH, left, evidence.share(theta))


def _rounds(evidence: Evidence, kappa: float, gamma: float) -> Certificate:
    id = "smoothboost-rounds"
    statement = "rounds until less than kappa is left <= 2 / (kappa gamma^2 sqrt(1 - gamma))"
    why = evidence.why_not()
    if why is None:
        played = evidence.history["potential"] >= kappa  # what comes after the end is no round
        ends = np.concatenate([[True], played[:-1]])
        short = np.flatnonzero(ends & (evidence.history["gamma"] < gamma - 1e-12))
        if len(short):
            edge = float(evidence.history["gamma"][short[0]])
            why = f"gamma={gamma:g} was promised; the edge of round {short[0] + 1} is {edge:.4g}"
    needed = 2 / (kappa * gamma**2 * sqrt(1 - gamma))
    n = len(evidence.ensemble)
    if why is None and evidence.metrics("potential")[-1] >= kappa and n < needed:
        why = f"not yet, {n} rounds were played and {needed:.0f} are promised to be enough"
    if why is not None:
        return Certificate.not_applicable(id, statement, _SMOOTH, why)
    ended = evidence.metrics("potential")[-1] < kappa
    return evidence.certificate(
        id, statement, _SMOOTH, needed, n if ended else n + 1, unit="rounds"
    )


@theorem("GentleBoost")
def gentle(evidence: Evidence) -> Sequence[Certificate]:
    """The mean exponential loss; and what least squares make of it, block by block."""
    why = evidence.why_not()
    named = [
        ("gentle-train", "training error <= product of Z_t"),
        ("gentle-squares", "training error <= product of 1 - r_t / 2"),
    ]
    if why is not None:
        return [Certificate.not_applicable(*name, _GENTLE, why) for name in named]
    Z, r = evidence.metrics("Z"), evidence.metrics("r")
    error = evidence.error()
    product = evidence.certificate(*named[0], _GENTLE, float(np.exp(np.log(Z).sum())), error)
    fitted = all(isinstance(h, ScoredTree) for h in evidence.ensemble.members)
    if not fitted or evidence.settings["learning_rate"] != 1:
        why = "the rules are not the means of labels in blocks, or not taken whole"
        return [product, Certificate.not_applicable(*named[1], _GENTLE, why)]
    squares = float(np.exp(np.log1p(-r / 2).sum()))
    return [product, evidence.certificate(*named[1], _GENTLE, squares, error)]


@theorem("BrownBoost")
def brownboost(evidence: Evidence) -> Sequence[Certificate]:
    """An error costs 1 or more once no time is left; before, a margin of minus that time does."""
    booster = BrownBoost(evidence.settings["epsilon_"])
    train = ("brownboost-train", "training error <= epsilon, once no time is left")
    margin = ("brownboost-margin", "share of y F <= -(time left) is at most epsilon")
    bound = booster.epsilon
    why = evidence.why_not() or _potential_lost(evidence, booster)
    if why is not None:
        return [Certificate.not_applicable(*name, _BROWN, why) for name in (train, margin)]
    left = _left_time(evidence)
    if left > 0:
        why = f"of the time {booster.c:.4g}, {left:.4g} is left"
        first = Certificate.not_applicable(*train, _BROWN, why)
    else:
        first = evidence.certificate(*train, _BROWN, bound, evidence.error())
    return [first, _share_below(evidence, margin, _BROWN, -left, bound)]


@theorem("NormalBoost")
def normalboost(evidence: Evidence) -> Sequence[Certificate]:
    """A margin of mu costs half an error, or all of one where the potential is truncated."""
    epsilon, theta, sigma_f = (
        float(evidence.settings[name]) for name in ("epsilon_", "theta", "sigma_f")
    )
    booster = NormalBoost(epsilon, theta, sigma_f, bool(evidence.settings["robust"]))
    most = "epsilon" if booster.robust else "2 epsilon"
    bound = min(1.0, booster.epsilon * (1 if booster.robust else 2))
    train = ("normalboost-train", f"training error <= {most}, once no time is left")
    margin = ("normalboost-margin", f"share of y F <= theta is at most {most}")
    why = evidence.why_not() or _potential_lost(evidence, booster)
    if why is not None:
        return [Certificate.not_applicable(*name, _NORMAL, why) for name in (margin, train)]
    left = _left_time(evidence)
    goal = booster.mu(left)
    margin = (margin[0], f"share of y F <= {goal:.4g} is at most {most}")
    if goal < 0:
        why = f"of the time 1, {left:.4g} is left"
        last = Certificate.not_applicable(*train, _NORMAL, why)
    else:
        last = evidence.certificate(*train, _NORMAL, bound, evidence.error())
    return [_share_below(evidence, margin, _NORMAL, goal, bound), last]


def _left_time(evidence: Evidence) -> float:
    return float(evidence.metrics("time_left")[-1])


def _share_below(
    evidence: Evidence, name: tuple[str, str], source: str, goal: float, bound: float
) -> Certificate:
    """The share of examples whose y F is at most a goal."""
    why = evidence.why_not(rows_needed=True)
    if why is not None:
        return Certificate.not_applicable(*name, source, why)
    share = evidence.share(goal / evidence.ensemble.margin_weight)
    return evidence.certificate(*name, source, bound, share)


def _potential_lost(evidence: Evidence, booster: TimedBooster) -> str | None:
    """The reason if the mean potential is not what it was at first, by the history or the rows."""
    found = float(evidence.metrics("potential")[-1])
    if evidence.training is not None:
        margins, D = evidence.training
        yF = margins * evidence.ensemble.margin_weight
        found = float(D @ booster.cost(booster.z(yF, _left_time(evidence))))
    if abs(found - booster.epsilon) <= 1e-6 * booster.epsilon:
        return None
    return f"the mean potential was to stay {booster.epsilon:.4g}; it is {found:.4g}"
