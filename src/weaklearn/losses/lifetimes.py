"""Distributions of (ln t - F) / scale, where t is the time until an event."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric import normal
from ..base.numeric.exponential import exponentials, sigmoid, softplus
from ..base.types import Floats

Events = NDArray[Any]  # whether the event of each row came
_FAR = 1000.0  # where the curvature of a normal tail is told by its series


class Lifetime(ABC):
    """Minus the log-likelihood of z, with its derivatives, and the chance to survive beyond z."""

    @abstractmethod
    def cost(self, event: Events, z: Floats) -> Floats:
        """Minus the logarithm of the density at z where the event came, else of the survival."""

    @abstractmethod
    def slope(self, event: Events, z: Floats) -> Floats:
        """The derivative of the cost by z."""

    @abstractmethod
    def bend(self, event: Events, z: Floats) -> Floats:
        """Its second derivative."""

    @abstractmethod
    def survival(self, z: Floats) -> Floats:
        """The chance of more than z."""


class _Logistic(Lifetime):
    def cost(self, event: Events, z: Floats) -> Floats:
        return np.asarray((1 + event) * softplus(z) - event * z)

    def slope(self, event: Events, z: Floats) -> Floats:
        return np.asarray((1 + event) * sigmoid(z) - event)

    def bend(self, event: Events, z: Floats) -> Floats:
        return np.asarray((1 + event) * (sigmoid(z) * sigmoid(-z)))

    def survival(self, z: Floats) -> Floats:
        return sigmoid(-z)


class _Extreme(Lifetime):
    def cost(self, event: Events, z: Floats) -> Floats:
        return np.asarray(exponentials(z) - event * z)

    def slope(self, event: Events, z: Floats) -> Floats:
        return np.asarray(exponentials(z) - event)

    def bend(self, event: Events, z: Floats) -> Floats:
        return exponentials(z)

    def survival(self, z: Floats) -> Floats:
        return exponentials(-exponentials(z))


class _Normal(Lifetime):
    def cost(self, event: Events, z: Floats) -> Floats:
        return -np.where(event, normal.log_densities(z), normal.log_upper_tails(z))

    def slope(self, event: Events, z: Floats) -> Floats:
        return np.where(event, z, normal.hazards(z))

    def bend(self, event: Events, z: Floats) -> Floats:
        hazard = normal.hazards(z)
        far = np.maximum(z, _FAR)  # where hazard and z share too many digits
        tail = np.where(z < _FAR, np.clip(hazard * (hazard - z), 0.0, 1.0), 1 - 1 / (far * far))
        return np.where(event, 1.0, tail)

    def survival(self, z: Floats) -> Floats:
        clipped = np.clip(z, -1e150, 1e150)  # an infinite time has no square
        return normal.upper_tails(clipped)


LIFETIMES: dict[str, Lifetime] = {
    "logistic": _Logistic(),
    "extreme": _Extreme(),
    "normal": _Normal(),
}
