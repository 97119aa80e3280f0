"""Chances that an event has not come yet, by scores that have descended a loss of events."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import losses
from ..base.loss import EVENTS
from ..base.types import Floats

KNOWN = ("baseline_", "scale_")  # the fitted names that survival needs, of one loss or another


def predict_survival(self: Any, X: Any, times: Any, offset: Any = None) -> Floats:
    """The chance that the event has not come by each time, (rows, times); ``times`` are at least 0.

    Of loss="cox" by Breslow's baseline hazard of the training rows, which stays as it is behind the
    last event; of loss="aft" by the distribution and its scale.
    """
    loss = self._loss
    if loss.target != EVENTS:
        raise AttributeError(
            f"loss {loss.name!r} learns no times of events; fit with loss="
            f"{' or '.join(map(repr, losses.FOR_EVENTS))} to predict survival."
        )
    found = {name: value for name, value in vars(self).items() if name in KNOWN}
    if not found:
        raise AttributeError(
            "a truncated or merged model knows no baseline and no scale, as these are found from "
            "the training rows; fit with so many rounds, or refit."
        )
    try:
        when = np.asarray(times, np.float64)
    except (TypeError, ValueError):  # texts, lists of unlike lengths
        when = np.array(np.nan)
    if when.ndim != 1 or not (when >= 0).all():
        raise ValueError("times must be a list or an array of numbers of at least 0.")
    F: Floats = self._scores(X, offset)[:, 0]
    answers: Floats = loss.knowing(found).survival(F, when)
    return answers
