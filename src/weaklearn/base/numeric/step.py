"""AdaBoost's vote as a function of the edge."""

from __future__ import annotations

from math import log1p


def step_of(gamma: float) -> float:
    """1/2 ln((1 + 2 gamma)/(1 - 2 gamma)): AdaBoost's vote for an edge of gamma.

    >>> round(step_of(0.1), 4)
    0.2027
    """
    return 0.5 * (log1p(2 * gamma) - log1p(-2 * gamma))
