"""Guarantees of the boosters that lower the logistic loss."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from ...base import Certificate, Stop
from .. import bounds
from .theorem import NO_MEMBER, Evidence, theorem

_L = "Collins, Schapire and Singer (2002), Logistic regression, AdaBoost and Bregman distances"
_DRAWN = "no estimate is above its edge, as holds with probability 1 - delta where they are drawn"
_FILTER = "Bradley and Schapire (2008), FilterBoost"


@theorem("AdaBoostL")
def adaboost_l(evidence: Evidence) -> Sequence[Certificate]:
    """The logistic loss bounds the error, and every round lowers it by what the round tells.

    An error costs ln 2 or more; and ln(1 + exp(-z - d)) - ln(1 + exp(-z)) is at most
    (exp(-d) - 1) / (1 + exp(z)).
    """
    m, from_prior = evidence.n_examples, evidence.settings["prior"] is not None
    why = evidence.why_not()
    named = "logistic-train", "training error <= loss / (m ln 2)", _L
    by_loss = evidence.certify(*named, why, lambda: evidence.last("loss") / m / log(2))
    statement = "loss / m <= ln 2 - (1/m) sum of W_t (1 - Z_t)"
    if from_prior:  # where the loss began is not recorded
        statement = "loss / m <= loss after round 1 / m - (1/m) sum of W_t (1 - Z_t), t > 1"
    if why is None and evidence.perfect:
        why = "a hypothesis without error stands alone, and its vote has no size"

    def bound() -> float:
        falls = evidence.metrics("W") * (1 - evidence.metrics("Z"))
        first, falls = (
            (evidence.metrics("loss")[0] / m, falls[1:]) if from_prior else (log(2), falls)
        )
        return float(first - np.sum(falls) / m)

    named = "logistic-descent", statement, _L
    descent = evidence.certify(*named, why, bound, lambda: evidence.last("loss") / m, unit="loss")
    return [by_loss, descent]


@theorem("FilterBoost")
def filterboost(evidence: Evidence) -> Sequence[Certificate]:
    """What a dry filter says, and how long it may take until there is little to filter."""
    epsilon, delta = (float(evidence.settings[name]) for name in ("epsilon", "delta"))
    stop = evidence.settings["stop_reason_"]
    return [_dry(evidence, epsilon, delta, stop), _rounds(evidence, epsilon)]


def _dry(evidence: Evidence, epsilon: float, delta: float, stop: str) -> Certificate:
    """With an error of epsilon half of it passes, and is not waited for so long in vain."""
    statement = f"error on the oracle's examples <= epsilon, with probability {1 - delta:g}"
    named = "filterboost-error", statement, _FILTER
    why = NO_MEMBER if len(evidence.ensemble) == 0 else None
    dry = Stop.of(stop) is Stop.DRY and len(evidence.history) == len(evidence.ensemble) + 1
    if why is None and not dry:
        why = "the filter has not run dry"
    if why is None and "train_error" not in evidence.history:
        drawn = ("the examples of the stream were drawn independently",)
        note = "the error on the stream is not observed"
        return Certificate(*named, ("the recorded rounds",), drawn, epsilon, note=note)
    return evidence.certify(*named, why or evidence.why_not(), epsilon)


def _rounds(evidence: Evidence, epsilon: float) -> Certificate:
    """Every round with an error of epsilon lowers a loss that cannot fall below 0."""
    statement = "rounds until an error below epsilon <= 2 ln 2/(epsilon (1 - 2 sqrt(1/4 - g^2)))"
    n, needed, reached = len(evidence.ensemble), 0.0, 0
    assumed: tuple[str, ...] = ()
    why = NO_MEMBER if n == 0 else None
    if why is None and "train_error" not in evidence.history:
        why = "the error on the stream is not observed"
    if why is None and evidence.weighted:
        why = "weights were given, and recorded errors count examples"
    why = why or evidence.why_not()
    if why is None:
        least = float(np.min(np.abs(evidence.metrics("edge"))))
        needed = float(bounds.filterboost_rounds(eps=epsilon, gamma_hat=min(least, 0.5)))
        below = np.flatnonzero(evidence.metrics("train_error") < epsilon)
        reached = int(below[0]) + 1 if len(below) else n + 1
        assumed = (f"every estimate of an edge is at least the smallest seen, {least:.4g}", _DRAWN)
        if len(below) == 0 and n < needed:
            why = f"it is about {needed:.0f} rounds or more, and {n} were run"
    named = "filterboost-rounds", statement, _FILTER
    return evidence.certify(*named, why, needed, reached, assumed=assumed, unit="rounds")
