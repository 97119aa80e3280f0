"""The links of all estimators: scores to probabilities and predictions.

Nothing here needs more than numpy, so that the small runtime takes the same steps, to the bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import NUMBERS, Loss
from ..base.numeric.exponential import exponentials, logarithms, sigmoid
from ..base.types import Floats

ALL_PAIRS = "AllPairs"
REDUCTIONS = ("OneVsRest", ALL_PAIRS)  # which solve several problems of two classes


@dataclass(frozen=True)
class Calibration:
    """Scores enter the link as slope * F + shift; a positive slope alone changes no label."""

    slope: float = 1.0
    shift: float = 0.0

    def __call__(self, F: Floats) -> Floats:
        return F if self == NEUTRAL else self.slope * F + self.shift


NEUTRAL = Calibration()
SOFTENED = 0.01  # of every share, dealt evenly to all classes before it is raised to a power


def powers_of_shares(shares: Floats, slope: float) -> Floats:
    """Probabilities from the average shares of classes: their powers, by the sum of a row.

    A slope above 1 makes them sharper, one below 1 milder; a larger share stays the larger one.

    >>> powers_of_shares(np.array([[0.25, 0.75], [0.0, 1.0]]), 2.0).round(3).tolist()
    [[0.102, 0.898], [0.0, 1.0]]
    """
    F = slope * logarithms((1 - SOFTENED) * shares + SOFTENED / shares.shape[1])
    powers = exponentials(F - F.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))


def decide(F: Floats, n_classes: int) -> NDArray[np.intp]:
    """Class numbers from scores: sign(0) = -1, the smallest label on ties."""
    if n_classes == 1:
        return np.zeros(len(F), np.intp)
    return (F > 0).astype(np.intp) if F.ndim == 1 else np.argmax(F, axis=1)


def stump_answers(classes: NDArray[Any], answers: NDArray[np.int64]) -> NDArray[np.intp]:
    """Class numbers of a stump's answers; an abstention counts as the first class."""
    if len(classes) == 1:
        return np.zeros(len(answers), np.intp)
    if len(classes) == 2:
        return (answers > 0).astype(np.intp)
    return np.maximum(answers, 0).astype(np.intp)


def probability(loss: Loss, F: Floats) -> Floats:
    """The probability of +1 by the link of the loss, or by a substitute.

    A loss of numbers estimates the mean of the labels; for a user's own without a link it is the
    sigmoid.

    >>> from weaklearn.losses import Exponential, Squared
    >>> F = np.array([0.5])
    >>> probability(Exponential(), F).round(3).tolist(), probability(Squared(), F).tolist()
    ([0.731], [0.75])
    """
    if not loss.has_link:
        return sigmoid(F)
    if loss.target == NUMBERS:
        return np.clip((1 + F) / 2, 0.0, 1.0)
    return np.asarray(loss.inverse_link(F))


def of_any_loss(loss: Loss, F: Floats) -> Floats:
    """Probabilities of the classes by the link of a loss, of one score or one per class."""
    p = probability(loss, F)
    if F.ndim == 1:
        return np.column_stack([1 - p, p])
    total = p.sum(axis=1, keepdims=True)
    shares = p / np.where(total > 0, total, 1.0)
    return np.where(total > 0, shares, 1 / F.shape[1])


def of_sums(loss: Loss, F: Floats, n_classes: int) -> Floats:
    """Probabilities of the classes from scores (n, outputs) of a classification loss."""
    if n_classes == 1:
        return np.ones((len(F), 1))
    if F.shape[1] > 1:
        return np.asarray(loss.inverse_link(F))
    return np.column_stack([probability(loss, s * F[:, 0]) for s in (-1, 1)])


def numbers_of(loss: Loss, F: Floats) -> Floats:
    """Predictions from scores (n, outputs) of a regression loss; several quantiles are sorted."""
    from .regression import Quantiles

    if not isinstance(loss, Quantiles):
        return np.asarray(loss.inverse_link(F[:, 0] if loss.n_outputs == 1 else F))
    # Put in order, quantiles that cross by chance come no further from the truth.
    in_order = np.empty_like(F)
    in_order[:, np.argsort(loss.levels, kind="stable")] = np.sort(F, axis=1)
    return in_order


def vote_odds(rule: str, parameters: Mapping[str, Any]) -> float:
    """The factor that turns scores into half the log-odds, by the ``odds`` of a registry row.

    "votes": 1, for the loss exp(-yF). "half": 1/2, for scores that are log-odds, as those of the
    logistic loss. "loss": the one that the parameter ``loss`` asks for. "edge": every rule has one
    vote, as if right with probability 1/2 + gamma independently of the others; a vote then speaks
    for its class with the odds (1/2 + gamma) to (1/2 - gamma). "smooth": a vote moves the weights
    by (1 - gamma)^(1/2), as one of -1/2 ln(1 - gamma) in AdaBoost.

    >>> vote_odds("half", {}), round(vote_odds("edge", {"gamma": 0.1}), 4)
    (0.5, 0.2027)
    """
    if rule == "votes":
        return 1.0
    if rule == "half":
        return 0.5
    if rule == "loss":
        return 1.0 if parameters.get("loss") == "exponential" else 0.5
    gamma = float(parameters["gamma"])
    if not 0 < gamma < 0.5:
        raise ValueError(f"gamma is {gamma}")
    return step_of(gamma) if rule == "edge" else smooth_step(gamma)


def link_scale(scheme: str, several: bool) -> float:
    """The factor on scores in the softmax, by the name of the booster.

    Votes of AdaBoost.M1 are half of those that log-odds ask for; labels that AdaBoost.MR ranks
    differ by log-odds of F, not of 2F, where rows may have several.
    """
    if scheme == "AdaBoostMR" and several:
        return 0.5
    return 2.0 if scheme == "AdaBoostM1" else 1.0


def step_of(gamma: float) -> float:
    """1/2 ln((1 + 2 gamma)/(1 - 2 gamma)): AdaBoost's vote for an edge of gamma.

    >>> round(step_of(0.1), 4)
    0.2027
    """
    return 0.5 * (log1p(2 * gamma) - log1p(-2 * gamma))


def smooth_step(gamma: float) -> float:
    """-1/2 ln(1 - gamma): the AdaBoost vote that moves the weights as one of SmoothBoost does."""
    return -0.5 * log1p(-gamma)
