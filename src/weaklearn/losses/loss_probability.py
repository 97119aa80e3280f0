"""The probability of the positive class by the loss of the scores."""

from __future__ import annotations

import numpy as np

from ..base.loss import NUMBERS, Loss
from ..base.numeric.exponential import sigmoid
from ..base.types import Floats
from .custom import CustomLoss


def probability(loss: Loss, F: Floats) -> Floats:
    """The probability of +1 by the link of the loss, or by a substitute.

    A loss of numbers estimates the mean of the labels; for a user's own without a link it is the
    sigmoid.

    >>> from weaklearn.losses import Exponential, Squared
    >>> F = np.array([0.5])
    >>> probability(Exponential(), F).round(3).tolist(), probability(Squared(), F).tolist()
    ([0.731], [0.75])
    """
    if isinstance(loss, CustomLoss) and not loss.has_link:
        return sigmoid(F)
    if loss.target == NUMBERS:
        return np.clip((1 + F) / 2, 0.0, 1.0)
    return np.asarray(loss.inverse_link(F))
