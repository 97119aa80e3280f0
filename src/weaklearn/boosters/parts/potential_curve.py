"""The curve of constant average potential, and its first end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import hypot, inf, isfinite, pi, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import erfc

from ...base.numeric.total import total
from ...base.sample import Sample
from ...base.types import Floats
from ..adaboost import TIED

FARTHEST = 1e3  # no vote is larger
_REACH = 0.125  # the longest step, in widths of the potential
_LEAST = 1e-9  # the shortest, where a corner of the curve cannot be rounded
_TURN = 0.3  # how much the curve may turn within a step, about in radians
_STEPS = 5000
_NEAR = 4e-16  # a correction this small against the width of the potential is none
_SMALL = 1e-9  # one this small is the last but for rounding, when corrections shrink no more
_STEEP = 2 / sqrt(pi)  # the slope of 1 - erf at 0, up to its sign


class Point(NamedTuple):
    """A vote x and a time tau; or a direction."""

    x: float
    tau: float

    def moved(self, way: Point, step: float) -> Point:
        return Point(self.x + step * way.x, self.tau + step * way.tau)

    def distance(self, other: Point) -> float:
        return hypot(other.x - self.x, other.tau - self.tau)


class Place(NamedTuple):
    """The terms of all examples at a point: dz/dx = u/sigma, dz/dtau = -b/sigma."""

    z: Floats
    sigma: float
    b: Floats


class Tangent(NamedTuple):
    """The direction of the curve at a point, (q, g): g = sum w u, q = sum w b; and sum w."""

    g: float
    q: float
    weight: float
    sigma: float

    @property
    def way(self) -> Point:
        length = hypot(self.q, self.g)
        return Point(self.q / length, self.g / length) if length > 0 else Point(0.0, 0.0)

    @property
    def edge(self) -> bool:
        """Whether the hypothesis still has an edge."""
        return self.g > 2 * TIED * self.weight

    def turned(self, chord: Point) -> bool:
        """Whether the direction of the curve differs from this chord."""
        x, tau = self.way
        length = hypot(*chord)
        ahead = x * chord.x + tau * chord.tau > 0
        return not ahead or abs(x * chord.tau - tau * chord.x) > _TURN * length


@dataclass(frozen=True)
class Curve:
    """The points (x, tau) at which sum phi(z_i), phi = 1 - erf, is as large as at (0, 0).

    ``place`` gives z at a point, ``u`` is y h, and ``left`` the time after which all ends.
    ``truncated``: phi is at most 1, and examples with z <= 0 weigh nothing. Sums do not depend on
    the order of examples.
    """

    sample: Sample
    u: Floats
    left: float
    place: Callable[[Point], Place]
    truncated: bool = False

    def end(self) -> Point:
        """The first point on the curve from (0, 0) where g = 0 or no time is left.

        The curve is followed with tau increasing, step by step: a step of Runge and Kutta, and
        Newton's back to the curve; steps are halved where it turns. Both equations of the end are
        then solved by Newton's method, or by halving the last step. Wherever this ends, it ends on
        the curve.
        """
        here = Point(0.0, 0.0)
        tangent = self.tangent(here)
        step = _REACH * tangent.sigma
        for _ in range(_STEPS):
            if here.tau + tangent.way.tau * step >= self.left:
                last = self._out_of_time(here, tangent)
                if last is not None:
                    return last
            there = self._step(here, tangent, step)
            if there is None and step > _LEAST * tangent.sigma:
                step /= 2
                continue
            there = there or self._round_a_corner(here, tangent)
            if there is None or abs(there.x) >= FARTHEST:
                return there or here
            onward = self.tangent(there)
            if not onward.edge:
                last = self._without_edge(here, there, tangent, onward)
                if last.tau <= self.left:
                    return last
                return self._out_of_time(here, tangent) or self._halved(here, there)
            here, tangent = there, onward
            step = min(2 * step, _REACH * tangent.sigma)
        return here

    # ------------------------------------------------------------------------------ sums and slopes

    @cached_property
    def level(self) -> float:
        """The sum of the potentials."""
        return self._height(self.place(Point(0.0, 0.0)))

    def excess(self, place: Place) -> float:
        """By how much the sum of the potentials is too large."""
        return self._height(place) - self.level

    def tangent(self, point: Point) -> Tangent:
        return self._tangent(self.place(point))

    def _tangent(self, place: Place) -> Tangent:
        w = self._weights(place.z)
        return Tangent(self._sum(w * self.u), self._sum(w * place.b), self._sum(w), place.sigma)

    def _turning(self, place: Place) -> Point:
        """How g changes with x and tau, times sigma / 2."""
        wzu = self._weights(place.z) * place.z * self.u
        return Point(-self._sum(wzu * self.u), self._sum(wzu * place.b))

    def _weights(self, z: Floats) -> Floats:
        w = self.sample.engine.weights.exponentials(-z * z)
        return np.where(z > 0, w, 0.0) if self.truncated else w

    def _height(self, place: Place) -> float:
        return self._sum(erfc(np.maximum(place.z, 0.0) if self.truncated else place.z))

    def _sum(self, x: Floats) -> float:
        if self.sample.importance is not None:
            x = x * self.sample.importance
        return total(x, self.sample.copies)

    # ---------------------------------------------------------------------------------------- steps

    def _step(self, here: Point, tangent: Tangent, step: float) -> Point | None:
        """A step along the curve; None where it is too long to be accurate."""
        k1 = tangent.way
        k2 = self.tangent(here.moved(k1, step / 2)).way
        k3 = self.tangent(here.moved(k2, step / 2)).way
        k4 = self.tangent(here.moved(k3, step)).way
        x = (k1.x + 2 * k2.x + 2 * k3.x + k4.x) / 6
        tau = (k1.tau + 2 * k2.tau + 2 * k3.tau + k4.tau) / 6
        there = self._settled(here.moved(Point(x, tau), step), step)
        if there is None or there.tau >= self.left or self._bends(here, there, tangent):
            return None
        return there

    def _settled(self, point: Point, step: float) -> Point | None:
        """The nearby point of the curve, by Newton's steps along the gradient of the potential."""
        for _ in range(12):
            place = self.place(point)
            tangent = self._tangent(place)
            steep = _STEEP / place.sigma * hypot(tangent.g, tangent.q)
            if steep == 0:
                return None
            way, far = tangent.way, self.excess(place) / steep
            if abs(far) > step:
                return None
            point = Point(point.x + far * way.tau, point.tau - far * way.x)
            if abs(far) <= max(1e-6 * step, 1e-13 * place.sigma):
                return point
        return None

    def _round_a_corner(self, here: Point, tangent: Tangent) -> Point | None:
        """A tiny step in time, where the curve has a corner that no step along it gets round."""
        tau = min(here.tau + _LEAST * tangent.sigma, self.left)
        return self._at(tau, here, tangent, 1e3 * _LEAST * tangent.sigma)

    def _at(self, tau: float, here: Point, tangent: Tangent, reach: float) -> Point | None:
        """The point of the curve at a time: where g > 0 the vote is a function of it."""
        x = here.x + (tau - here.tau) * (tangent.q / tangent.g if tangent.g > 0 else 0.0)
        before = inf
        for _ in range(50):
            if not abs(x - here.x) <= reach:
                return None
            place = self.place(Point(x, tau))
            steep = _STEEP / place.sigma * self._tangent(place).g
            if steep <= 0:
                return None
            far = self.excess(place) / steep
            x += far
            if _is_last(abs(far), before, place.sigma):
                return Point(x, tau)
            before = abs(far)
        return None

    # --------------------------------------------------------------------- whether to trust a step

    def _bends(self, here: Point, there: Point, tangent: Tangent) -> bool:
        """Whether the curve turns between two points, or may have had no edge in between."""
        chord = Point(there.x - here.x, there.tau - here.tau)
        onward = self.tangent(there)
        if tangent.turned(chord) or onward.turned(chord):
            return True
        leaps = self._leaps(here, there) if self.truncated else 0.0
        if leaps > 0:
            return onward.g <= leaps
        return onward.g > 0 and self._dips(here, there, tangent, onward)

    def _leaps(self, here: Point, there: Point) -> float:
        """The jump of g where examples were given up or taken back on the way."""
        hopeful = self.place(there).z > 0
        changed = hopeful != (self.place(here).z > 0)
        up = changed & np.where(hopeful, self.u > 0, self.u < 0)
        return self._sum(up.astype(np.float64))

    def _dips(self, here: Point, there: Point, tangent: Tangent, onward: Tangent) -> bool:
        """Whether a cubic interpolation of g is negative between two points where g is not."""
        length = here.distance(there)
        down, up = self._growth(here, tangent) * length, self._growth(there, onward) * length
        if down >= 0 or up <= 0:
            return False
        t = np.linspace(0, 1, 17)
        g = (1 + 2 * t) * (1 - t) ** 2 * tangent.g + t**2 * (3 - 2 * t) * onward.g
        g += t * (1 - t) ** 2 * down - t**2 * (1 - t) * up
        return bool(g.min() < 0.1 * min(tangent.g, onward.g))

    def _growth(self, point: Point, tangent: Tangent) -> float:
        """How fast g grows along the curve."""
        by = self._turning(self.place(point))
        return 2 / tangent.sigma * (by.x * tangent.way.x + by.tau * tangent.way.tau)

    # ----------------------------------------------------------------------------------------- ends

    def _out_of_time(self, here: Point, tangent: Tangent) -> Point | None:
        """The point of the curve where no time is left, if a step leads there."""
        last = self._at(self.left, here, tangent, 2 * _REACH * tangent.sigma)
        return None if last is None or self._bends(here, last, tangent) else last

    def _without_edge(self, here: Point, there: Point, tangent: Tangent, onward: Tangent) -> Point:
        """The point between two of the curve where g = 0."""
        share = tangent.g / (tangent.g - onward.g) if tangent.g > onward.g else 1.0
        chord = Point(there.x - here.x, there.tau - here.tau)
        found = self._newton(here.moved(chord, share), 2 * here.distance(there))
        return found or self._halved(here, there)

    def _newton(self, start: Point, reach: float) -> Point | None:
        """Both equations at once: the potential is kept, and g = 0."""
        point, before = start, inf
        for _ in range(50):
            place = self.place(point)
            (g, q, *_), by = self._tangent(place), self._turning(place)
            # g dx - q dtau = f sigma;  by.x dx + by.tau dtau = -g sigma / 2
            f = self.excess(place) / _STEEP
            determinant = g * by.tau + q * by.x
            if determinant == 0 or not isfinite(determinant):
                return None
            way = Point(
                (f * by.tau - q * g / 2) / determinant, -(f * by.x + g * g / 2) / determinant
            )
            point = point.moved(way, place.sigma)
            if not point.distance(start) <= reach:
                return None
            far = place.sigma * hypot(*way)
            if _is_last(far, before, place.sigma):
                return point
            before = far
        return None

    def _halved(self, here: Point, there: Point) -> Point:
        """The last point before g <= 0, where g leaps or fades instead of crossing 0."""
        for _ in range(60):
            length = here.distance(there)
            middle = Point((here.x + there.x) / 2, (here.tau + there.tau) / 2)
            settled = self._settled(middle, length)
            if settled is None or settled in (here, there):
                break
            if self.tangent(settled).edge:
                here = settled
            else:
                there = settled
        return here


def _is_last(step: float, before: float, sigma: float) -> bool:
    """Whether Newton's steps have reached the precision of floats."""
    return step <= _NEAR * sigma or (step <= _SMALL * sigma and step >= before)
