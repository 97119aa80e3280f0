"""Losses of times until an event that may not have come yet: y is t, or -t without it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from math import frexp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.loss import EVENTS, Loss, refuse_target
from ..base.messages.value_text import show
from ..base.numeric.exponential import exponential_of, exponentials, logarithms
from ..base.numeric.total import mean
from ..base.types import Floats, Ints, Partitions
from .lifetimes import LIFETIMES, Lifetime
from .regression import LogLinkLoss

_BITS = 61  # of the sum of all hazards
_HALVINGS, _FAR = 24, 7.0  # of the logarithm of a scale
_TURNS, _STEPS = 6, 6


class EventLoss(Loss):
    """A loss of times and events; y is the time where the event came, else minus the time."""

    target = EVENTS
    profiled = True

    def check_target(self, y: NDArray[Any], over: Partitions | None = None) -> None:
        refuse_target(self, y, y != 0, "times above 0")
        if not (y > 0).any():
            raise ValueError(
                f"y holds no event, and loss={self.name!r} learns from rows whose event came: pass "
                "one of them at least."
            )

    @abstractmethod
    def known(self) -> dict[str, Any]:
        """The fitted attributes of a model that ``survival`` needs."""

    @abstractmethod
    def knowing(self, found: dict[str, Any]) -> EventLoss:
        """The loss with these attributes."""

    @abstractmethod
    def survival(self, F: Floats, times: Floats) -> Floats:
        """The chance that the event has not come by each time, (rows, times)."""

    def risk(self, F: Floats) -> Floats:
        """A number that is the larger, the sooner the event is expected."""
        return F


@dataclass(frozen=True)
class Cox(EventLoss):
    """exp(F) H(t) - [event] (F + ln h(t)), with h the baseline hazard: F is a row's log-hazard.

    ``adapted`` takes for h Breslow's estimate at the present scores: at every time of an event the
    number of events then, over the sum of exp(F) of all rows still there. With it the sum of the
    losses is minus the logarithm of the partial likelihood, ties as by Breslow, less a constant,
    and its gradient is the one at a fixed baseline. The curvature is that at a fixed baseline, too,
    an upper bound of the likelihood's. Without it the baseline is h = 1.

    >>> loss, y = Cox(), np.array([1.0, 2.0, -2.0])  # the third had no event by 2
    >>> loss.adapted(y, np.zeros(3)).gradient(y, np.zeros(3)).round(3).tolist()
    [-0.667, -0.167, 0.833]

    References
    ----------
    Cox (1972), Regression models and life-tables; Breslow (1974), Covariance analysis of censored
    survival data.
    """

    name = "cox"
    number = 70
    score_name = "logarithm of the hazard"

    def _hazards(self, y: NDArray[Any]) -> tuple[Floats, Floats]:
        """H and ln h at the time of every row."""
        return np.abs(y), np.zeros(len(y))

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        H, log_h = self._hazards(y)
        return np.asarray(exponentials(F) * H - (y > 0) * (F + log_h))

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(exponentials(F) * self._hazards(y)[0] - (y > 0))

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(exponentials(F) * self._hazards(y)[0])

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        return np.zeros(1)  # the baseline takes up any constant

    def adapted(
        self,
        y: NDArray[Any],
        F: Floats,
        w: NDArray[Any] | None = None,
        over: Partitions | None = None,
    ) -> CoxAtBaseline:
        if w is not None:
            y, F, w = y[w > 0], F[w > 0], w[w > 0]
        top = float(np.max(F, initial=-700.0))
        at_risk, unit = _whole(exponentials(F - top), w)
        events, event_unit = _whole((y > 0).astype(np.float64), w)
        order = np.argsort(np.abs(y), kind="stable")
        times = np.abs(y)[order]
        first = np.flatnonzero(np.diff(times, prepend=-1.0))  # a row of each time
        left = np.cumsum(at_risk[order][::-1])[::-1][first]
        came = np.add.reduceat(events[order], first) if len(first) else events
        some = came > 0
        share = came[some].astype(np.float64) / left[some].astype(np.float64)
        jumps = np.ldexp(share, unit - event_unit) * exponential_of(-top)
        return CoxAtBaseline(times[first][some], np.cumsum(jumps), jumps)

    def known(self) -> dict[str, Any]:
        return {}

    def knowing(self, found: dict[str, Any]) -> CoxAtBaseline:
        times, hazard = found["baseline_"]
        return CoxAtBaseline(times, hazard, np.diff(hazard, prepend=0.0))

    def survival(self, F: Floats, times: Floats) -> Floats:
        return exponentials(-np.outer(exponentials(F), self._hazards(times)[0]))


@dataclass(frozen=True, eq=False)
class CoxAtBaseline(Cox):
    """Cox's loss at a baseline: the times of events, the cumulative hazard and its jumps there."""

    times: Floats
    hazard: Floats
    jumps: Floats

    def _hazards(self, y: NDArray[Any]) -> tuple[Floats, Floats]:
        place = np.searchsorted(self.times, np.abs(y), side="right")
        so_far = np.concatenate([[0.0], self.hazard])
        return so_far[place], logarithms(np.concatenate([[1.0], self.jumps]))[place]

    def known(self) -> dict[str, Any]:
        return {"baseline_": np.stack([self.times, self.hazard])}


@dataclass(frozen=True)
class AFT(EventLoss, LogLinkLoss):
    """-ln of the density at ln t where the event came, of the survival function where it did not.

    ln t is F plus ``scale`` times a number of the ``distribution``: "logistic" (t is log-logistic),
    "normal" (t is log-normal) or "extreme" (t is Weibull's, and hazards are proportional too). A
    scale of None is estimated: ``adapted`` takes the likeliest one at the present scores. The
    prediction is exp(F): the median of a logistic and of a normal time, and of an extreme one the
    time by which the event has come with probability 1 - 1/e.

    >>> loss, y = AFT(scale=1.0), np.array([1.0, -1.0])
    >>> loss.value(y, np.zeros(2)).round(3).tolist(), loss.gradient(y, np.zeros(2)).tolist()
    ([1.386, 0.693], [-0.0, -0.5])

    References
    ----------
    Kalbfleisch and Prentice (2002), The statistical analysis of failure time data.
    """

    distribution: str = "logistic"
    scale: float | None = None

    name = "aft"
    number = 71

    def __post_init__(self) -> None:
        if self.distribution not in LIFETIMES:
            raise ValueError(
                f"distribution={show(self.distribution)} is not allowed: it must be one of "
                f"{', '.join(map(repr, LIFETIMES))}."
            )
        if self.scale is not None and not 0 < self.scale < np.inf:
            raise ValueError(
                f"scale={show(self.scale)} is not allowed: it must be a number above 0, or None."
            )

    @property
    def _s(self) -> float:
        return 1.0 if self.scale is None else self.scale

    def _z(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray((logarithms(np.abs(y)) - F) / self._s)

    @property
    def _lifetime(self) -> Lifetime:
        return LIFETIMES[self.distribution]

    def value(self, y: NDArray[Any], F: Floats) -> Floats:
        scales = (y > 0) * logarithms(np.array([self._s]))
        return np.asarray(self._lifetime.cost(y > 0, self._z(y, F)) + scales)

    def gradient(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(-self._lifetime.slope(y > 0, self._z(y, F)) / self._s)

    def curvature(self, y: NDArray[Any], F: Floats) -> Floats:
        return np.asarray(self._lifetime.bend(y > 0, self._z(y, F)) / self._s / self._s)

    def best_constant(
        self, y: NDArray[Any], w: NDArray[Any] | None = None, over: Partitions | None = None
    ) -> Floats:
        F = mean(logarithms(np.abs(y)), w)
        for _ in range(_TURNS):
            loss = self.adapted(y, np.full(len(y), F), w)
            for _ in range(_STEPS):
                here = np.full(len(y), F)
                step = mean(loss.gradient(y, here), w) / mean(loss.curvature(y, here), w)
                F -= float(np.clip(step, -loss._s, loss._s))
        return np.array([F])

    def adapted(
        self,
        y: NDArray[Any],
        F: Floats,
        w: NDArray[Any] | None = None,
        over: Partitions | None = None,
    ) -> AFT:
        if self.scale is not None:
            return self
        away = replace(self, scale=1.0)._z(y, F)
        low, high = -_FAR, _FAR  # the likelihood of its logarithm has one summit
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            z = away * exponential_of(-middle)
            rising = mean((y > 0) - z * self._lifetime.slope(y > 0, z), w) > 0
            low, high = (low, middle) if rising else (middle, high)
        return replace(self, scale=exponential_of((low + high) / 2))

    def known(self) -> dict[str, Any]:
        return {"scale_": self._s}

    def knowing(self, found: dict[str, Any]) -> AFT:
        return replace(self, scale=float(found["scale_"]))

    def survival(self, F: Floats, times: Floats) -> Floats:
        proper = (times > 0) & (times < np.inf)
        ends = np.where(times > 0, np.inf, -np.inf)  # of the logarithm
        logs = np.where(proper, logarithms(np.where(proper, times, 1.0)), ends)
        z = (logs[None, :] - F[:, None]) / self._s
        return self._lifetime.survival(z)

    def risk(self, F: Floats) -> Floats:
        return -F


def _whole(x: Floats, w: NDArray[Any] | None) -> tuple[Ints, int]:
    """x times weights as whole numbers, in units of 2 to the power minus the second answer.

    Sums of all stay below 2^61, and what is above 0 has one unit at least.
    """
    copies = w if w is not None and w.dtype.kind in "iu" else None
    n = len(x) if copies is None else int(copies.sum())
    terms = x if w is None or copies is not None else x * w
    shift = _BITS - n.bit_length() - frexp(float(np.max(terms, initial=0.0)))[1]
    whole = np.rint(np.ldexp(terms, shift)).astype(np.int64)
    whole = np.where(terms > 0, np.maximum(whole, 1), 0)
    return whole if copies is None else whole * copies, shift
