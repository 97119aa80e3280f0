"""The curve of constant potential followed in tiny steps, in plain numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import erf

Place = Callable[[float, float], tuple[Any, float, Any]]  # of (x, tau): z, sigma, b


def first_end(
    place: Place, u: Any, weights: Any, left: float, truncated: bool = False, step: float = 5e-4
) -> tuple[float, float]:
    """The first (x, tau) from (0, 0) with sum w u = 0 or tau = left, to about a step of sigma."""

    def at(x: float, tau: float) -> tuple[float, float, float, float]:
        z, sigma, b = place(x, min(tau, left))
        w = weights * np.exp(-z * z) * ((z > 0) if truncated else 1.0)
        height = weights @ (1 - erf(np.maximum(z, 0) if truncated else z))
        return float(w @ u), float(w @ b), sigma, float(height)

    level = at(0.0, 0.0)[3]
    x = tau = 0.0
    while True:
        g, q, sigma, _ = at(x, tau)
        if g <= 0:
            return x, tau
        x_next, tau_next = _along(x, tau, g, q, step * sigma / 2)
        g, q, *_ = at(x_next, tau_next)  # the slope in the middle
        x_next, tau_next = _along(x, tau, g, q, step * sigma)
        for _ in range(2):  # back to the curve
            g, q, sigma, height = at(x_next, tau_next)
            far = (height - level) * sigma * np.sqrt(np.pi) / 2 / (g * g + q * q)
            x_next, tau_next = x_next + far * g, tau_next - far * q
        if tau_next >= left:
            share = (left - tau) / (tau_next - tau)
            return x + share * (x_next - x), left
        x, tau = x_next, tau_next


def _along(x: float, tau: float, g: float, q: float, step: float) -> tuple[float, float]:
    length = np.hypot(g, q)
    return x + step * q / length, tau + step * g / length
