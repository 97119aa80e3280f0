"""Line search."""

from __future__ import annotations

from collections.abc import Callable

MOST = 2.0**1000  # no vote is larger
_FLAT = 1e-12  # a slope this much smaller than the first is none
_NEAR = 1e-14  # a step this much smaller than the way so far is none


def least(derivatives: Callable[[float], tuple[float, float]]) -> float:
    """The a > 0 at which a convex function is least, by Newton's steps kept within a bracket.

    ``derivatives`` gives the first and second derivative at a; the first is negative at 0. The
    second guides the steps and may be too small or, within reason, too large. A function that falls
    for ever is followed until it is nearly flat, or to ``MOST``; one that was steeper on the way
    there than at 0 is not convex, and is refused.

    >>> round(least(lambda a: (2 * (a - 3), 2)), 12)
    3.0
    """
    slope, bend = derivatives(0.0)
    low, a = 0.0, min(-slope / bend, MOST) if bend > 0 else 1.0
    first = -slope
    high, convex = None, True
    for _ in range(1100):  # beyond these doublings there are no numbers
        slope, bend = derivatives(a)
        if slope >= -_FLAT * first:
            high = a
            break
        convex = convex and slope >= -first
        if a >= MOST and not convex:
            raise ValueError(
                "the loss is not convex: along a hypothesis it falls without end, and its gradient "
                "grows. Use a convex loss, or constant steps (step='constant')."
            )
        if a >= MOST:
            return a
        low, a = a, 2 * a
    if high is None or slope < 0:
        return a
    last = high - low
    for _ in range(200):
        if high - low <= _NEAR * high:
            break  # a kink, or as near as numbers go
        newton = a - slope / bend if bend > 0 else low
        quick = low < newton < high and abs(newton - a) <= last / 2
        step = newton if quick else low + (high - low) / 2  # slow steps halve the bracket instead
        last, a = abs(step - a), step
        if quick and last <= _NEAR * a:
            return a
        slope, bend = derivatives(a)
        if slope == 0:
            return a
        low, high = (a, high) if slope < 0 else (low, a)
    return high
