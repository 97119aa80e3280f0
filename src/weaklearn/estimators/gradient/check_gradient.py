"""A loss of the user's own whose gradient points the wrong way: a doubt before the first round."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.loss import Loss
from ...base.messages.warnings import BoostingWarning, warn
from ...base.types import Floats
from ...losses import CustomLoss

_STEP = 1e-3  # of the size of scores and targets


def doubt_gradient(loss: Loss, y: NDArray[Any], w: NDArray[Any] | None = None) -> None:
    """Warns where a small step against the gradient raises the loss it is said to be the slope of.

    Of a loss that tells no value it is asked whether the slope turns from rising to falling as
    scores grow, as it would around a summit.
    """
    if not isinstance(loss, CustomLoss) or loss.n_outputs > 1:
        return
    try:
        with np.errstate(all="ignore"):
            F = np.full(len(y), float(loss.best_constant(y, w)[0]))
            wrong = _rises(loss, y, F) if loss.has("value") else _has_summits(loss, y, F)
    except Exception:  # the rounds will meet it too, and say so
        return
    if wrong:
        warn(
            f"the gradient of loss {loss.name!r} points downhill: a step against it makes the loss "
            "larger. It must be the derivative of the loss by F, for (F - y)**2 / 2 that is F - y; "
            "weaklearn.testing.check_loss compares the two.",
            BoostingWarning,
        )


def _rises(loss: CustomLoss, y: NDArray[Any], F: Floats) -> bool:
    g = loss.gradient(y, F)
    largest = float(np.abs(g).max(initial=0.0))
    if largest == 0:
        return False
    step = _STEP * (1 + float(np.abs(y).mean())) / largest
    gained = float((loss.value(y, F - step * g) - loss.value(y, F)).sum())
    return gained > 0.5 * step * float((g * g).sum())  # a true gradient would lose twice that


def _has_summits(loss: CustomLoss, y: NDArray[Any], F: Floats) -> bool:
    apart = float(np.std(y)) or 1.0
    below, above = np.sign(loss.gradient(y, F - apart)), np.sign(loss.gradient(y, F + apart))
    return bool((below > above).any() and not (below < above).any())
