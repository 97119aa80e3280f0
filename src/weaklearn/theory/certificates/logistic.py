"""Guarantees of the boosters that lower the logistic loss."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from ...base.booster import Stop
from ...base.certificate import Certificate
from .. import bounds
from .evidence import Evidence
from .theorem import theorem

_L = "Collins, Schapire and Singer (2002), Logistic regression, AdaBoost and Bregman distances"
_FILTER = "Bradley and Schapire (2008), FilterBoost"


@theorem("AdaBoostL")
def adaboost_l(evidence: Evidence) -> Sequence[Certificate]:
    """The logistic loss bounds the error, and every round lowers it by what the round tells."""
    return [_by_loss(evidence), _by_descent(evidence, evidence.settings["prior"] is not None)]


def _by_loss(evidence: Evidence) -> Certificate:
    """An error costs ln 2 or more."""
    id, statement = "logistic-train", "training error <= loss / (m ln 2)"
    why = evidence.why_not()
    if why is not None:
        return Certificate.not_applicable(id, statement, _L, why)
    loss = float(evidence.metrics("loss")[-1]) / evidence.n_examples
    return evidence.certificate(id, statement, _L, loss / log(2), evidence.error())


def _by_descent(evidence: Evidence, from_prior: bool) -> Certificate:
    """ln(1 + exp(-z - d)) - ln(1 + exp(-z)) <= (exp(-d) - 1) / (1 + exp(z))."""
    id = "logistic-descent"
    statement = "loss / m <= ln 2 - (1/m) sum of W_t (1 - Z_t)"
    if from_prior:  # where the loss began is not recorded
        statement = "loss / m <= loss after round 1 / m - (1/m) sum of W_t (1 - Z_t), t > 1"
    why = evidence.why_not()
    if why is None and evidence.perfect:
        why = "a hypothesis without error stands alone, and its vote has no size"
    if why is not None:
        return Certificate.not_applicable(id, statement, _L, why)
    loss, m = evidence.metrics("loss"), evidence.n_examples
    falls = evidence.metrics("W") * (1 - evidence.metrics("Z"))
    first, falls = (loss[0] / m, falls[1:]) if from_prior else (log(2), falls)
    bound = float(first - np.sum(falls) / m)
    return evidence.certificate(id, statement, _L, bound, float(loss[-1]) / m, unit="loss")


@theorem("FilterBoost")
def filterboost(evidence: Evidence) -> Sequence[Certificate]:
    """What a dry filter says, and how long it may take until there is little to filter."""
    epsilon, delta = (float(evidence.settings[name]) for name in ("epsilon", "delta"))
    stop = evidence.settings["stop_reason_"]
    return [_dry(evidence, epsilon, delta, stop), _rounds(evidence, epsilon)]


def _dry(evidence: Evidence, epsilon: float, delta: float, stop: str) -> Certificate:
    """With an error of epsilon half of it passes, and is not waited for so long in vain."""
    id = "filterboost-error"
    statement = f"error on the oracle's examples <= epsilon, with probability {1 - delta:g}"
    why = "no hypothesis was kept" if len(evidence.ensemble) == 0 else None
    dry = Stop.of(stop) is Stop.DRY and len(evidence.history) == len(evidence.ensemble) + 1
    if why is None and not dry:
        why = "the filter has not run dry"
    if why is not None:
        return Certificate.not_applicable(id, statement, _FILTER, why)
    if "train_error" not in evidence.history:
        drawn = ("the examples of the stream were drawn independently",)
        note = "the error on the stream is not observed"
        return Certificate(
            id, statement, _FILTER, ("the recorded rounds",), drawn, epsilon, note=note
        )
    why = evidence.why_not()
    if why is not None:
        return Certificate.not_applicable(id, statement, _FILTER, why)
    return evidence.certificate(id, statement, _FILTER, epsilon, evidence.error())


def _rounds(evidence: Evidence, epsilon: float) -> Certificate:
    """Every round with an error of epsilon lowers a loss that cannot fall below 0."""
    id = "filterboost-rounds"
    statement = "rounds until an error below epsilon <= 2 ln 2/(epsilon (1 - 2 sqrt(1/4 - g^2)))"
    history, n = evidence.history, len(evidence.ensemble)
    why = "no hypothesis was kept" if n == 0 else None
    if why is None and "train_error" not in history:
        why = "the error on the stream is not observed"
    if why is None and evidence.weighted:
        why = "weights were given, and recorded errors count examples"
    why = why or evidence.why_not()
    if why is not None:
        return Certificate.not_applicable(id, statement, _FILTER, why)
    least = float(np.min(np.abs(evidence.metrics("edge"))))
    needed = float(bounds.filterboost_rounds(eps=epsilon, gamma_hat=min(least, 0.5)))
    below = np.flatnonzero(evidence.metrics("train_error") < epsilon)
    if len(below) == 0 and n < needed:
        why = f"not yet, {n} rounds were played and {needed:.0f} are promised to be enough"
        return Certificate.not_applicable(id, statement, _FILTER, why)
    reached = int(below[0]) + 1 if len(below) else n + 1
    assumed = (
        f"every estimate of an edge is at least the smallest seen, {least:.4g}",
        "no estimate is above its edge, as holds with probability 1 - delta where they are drawn",
    )
    return evidence.certificate(
        id, statement, _FILTER, needed, reached, assumed=assumed, unit="rounds"
    )
