"""Newton's method for a convex function of two numbers, by elementary steps alone.

A minimiser of another library may end a last bit away with its next version, and a fit would carry
the difference on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

_STEPS, _HALVINGS = 100, 40
_SLOPE = 1e-4  # of the decrease that the gradient promises: what a step must keep of it
_RIDGE = 1 + 1e-12  # on both curvatures, so that a direction without any is no division by 0
_DONE = 1e-15  # a promised decrease, relative to the value, that is not worth a step


@dataclass(frozen=True)
class Quadratic:
    """The value of a function at a point, its gradient, and its second derivatives."""

    value: float
    by_a: float
    by_b: float
    by_aa: float
    by_ab: float
    by_bb: float

    def step(self) -> tuple[float, float, float]:
        """The step to the minimum of the quadratic function, and the decrease by its slope."""
        aa, bb = self.by_aa * _RIDGE or 1.0, self.by_bb * _RIDGE or 1.0
        scale = aa * bb - self.by_ab * self.by_ab
        if not scale > 0:
            return 0.0, 0.0, 0.0
        a = (self.by_ab * self.by_b - bb * self.by_a) / scale
        b = (self.by_ab * self.by_a - aa * self.by_b) / scale
        return a, b, -(self.by_a * a + self.by_b * b)


def least_of_two(
    function: Callable[[float, float], Quadratic], a: float = 0.0, b: float = 0.0
) -> tuple[float, float]:
    """Where a convex function of two numbers is least, from a start; steps are halved as needed.

    >>> bowl = lambda a, b: Quadratic((a - 3) ** 2 + b**2, 2 * (a - 3), 2 * b, 2.0, 0.0, 2.0)
    >>> tuple(round(each, 6) for each in least_of_two(bowl))
    (3.0, 0.0)
    """
    here = function(a, b)
    for _ in range(_STEPS):
        by_a, by_b, decrease = here.step()
        if not decrease > _DONE * abs(here.value):
            break
        for halvings in range(_HALVINGS):
            share = 0.5**halvings
            there = function(a + share * by_a, b + share * by_b)
            if there.value <= here.value - _SLOPE * share * decrease:
                break
        else:
            break
        a, b, here = a + share * by_a, b + share * by_b, there
    return a, b
