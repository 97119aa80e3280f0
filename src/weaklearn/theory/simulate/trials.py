"""Repeated trials of probabilistic statements: the rate of failures beside the allowed one."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.table import Table, Tabular
from ...base.messages.value_text import show
from ...base.types import Floats

Trial = Callable[[np.random.Generator], tuple[float, float]]

LEVEL = 1e-6  # the chance that a true statement is called violated


@dataclass(frozen=True, eq=False, repr=False)
class Coverage(Tabular):
    """Trials of the statement "observed <= bound, except with probability delta".

    A true statement may fail, but hardly ever more often than in a share delta of the trials:
    ``p_value`` is the chance of as many failures or more. ``holds`` unless that is below ``level``,
    so that a true statement is called violated with at most that chance.
    """

    observed: Floats
    bound: Floats
    delta: float
    level: float = LEVEL

    @property
    def trials(self) -> int:
        """How many times it was tried."""
        return len(self.observed)

    @property
    def failures(self) -> int:
        """How often the statement failed; equality up to rounding is no failure."""
        allowed = self.bound + 1e-12 * (1 + np.abs(self.bound))
        return int(np.count_nonzero(~(self.observed <= allowed)))

    @property
    def rate(self) -> float:
        """The share of trials in which it failed."""
        return self.failures / self.trials

    @property
    def p_value(self) -> float:
        """How likely as many failures are where it fails with probability delta."""
        from scipy.special import bdtrc

        if self.failures == 0 or self.delta >= 1:
            return 1.0
        return float(bdtrc(self.failures - 1, self.trials, self.delta))

    @property
    def holds(self) -> bool:
        """Whether the failures are no more than chance explains at this level."""
        return self.p_value >= self.level

    @property
    def slack(self) -> Floats:
        """The bound less the observed value, trial by trial."""
        return self.bound - self.observed

    def table(self) -> Table:
        rows = [
            ("trials", self.trials),
            ("failures", self.failures),
            ("share", self.rate),
            ("allowed", self.delta),
            ("mean observed", float(self.observed.mean())),
            ("mean bound", float(self.bound.mean())),
            ("holds", self.holds),
        ]
        return Table("coverage", ["", "value"], rows)


@dataclass(frozen=True, eq=False, repr=False)
class Expectation(Tabular):
    """Trials of the statement "the expectation of values in [0, 1] is at most bound".

    The mean may lie above the expectation by ``slack`` (Hoeffding) with probability ``level``.
    """

    values: Floats
    bound: float
    level: float = LEVEL

    @property
    def mean(self) -> float:
        """The mean over the trials."""
        return float(self.values.mean())

    @property
    def slack(self) -> float:
        """How far above its expectation the mean may lie by chance at this level."""
        return math.sqrt(math.log(1 / self.level) / (2 * len(self.values)))

    @property
    def holds(self) -> bool:
        """Whether the mean is within the bound and the slack."""
        return self.mean <= self.bound + self.slack

    def table(self) -> Table:
        rows = [
            ("trials", len(self.values)),
            ("mean", self.mean),
            ("bound", self.bound),
            ("slack for chance", self.slack),
            ("holds", self.holds),
        ]
        return Table("expectation", ["", "value"], rows)


@dataclass(frozen=True, eq=False, repr=False)
class Curve(Tabular):
    """Observed values beside a theorem's bounds, along a growing number."""

    name: str
    steps: NDArray[Any]
    observed: Floats
    bound: Floats
    others: dict[str, Floats] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        """Whether every observation is at most its bound, up to rounding."""
        return bool((self.observed <= self.bound + 1e-9 * (1 + np.abs(self.bound))).all())

    def table(self) -> Table:
        columns = [self.steps, self.observed, self.bound, *self.others.values()]
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        return Table(self.name, [self.name, "observed", "bound", *self.others], rows)


def coverage(trial: Trial, delta: float, *, trials: int = 1000, seed: int = 0) -> Coverage:
    """Simulates a statement that holds with probability at least 1 - delta.

    ``trial(rng)`` draws a sample and returns (observed, bound); the t-th gets the generator of
    (seed, t), so that more trials begin with the same ones.

    >>> from weaklearn.theory import bounds
    >>> def trial(rng):  # a coin of bias 0.3, thrown 50 times
    ...     return 0.3, bounds.single_upper(rng.binomial(50, 0.3) / 50, 50, delta=0.1)
    >>> found = coverage(trial, 0.1, trials=500)
    >>> found.failures, found.holds
    (8, True)
    >>> def wrong(rng):  # not a bound at all
    ...     return 0.3, rng.binomial(50, 0.3) / 50
    >>> coverage(wrong, 0.1, trials=500).holds
    False
    """
    _check(trials)
    pairs = np.array([trial(np.random.default_rng([seed, t])) for t in range(trials)], np.float64)
    return Coverage(pairs[:, 0], pairs[:, 1], float(delta))


def expectation(
    value: Callable[[np.random.Generator], float],
    bound: float,
    *,
    trials: int = 1000,
    seed: int = 0,
) -> Expectation:
    """Simulates a statement about the expectation of values in [0, 1].

    >>> expectation(lambda rng: rng.random() < 0.2, bound=0.25).holds
    True
    """
    _check(trials)
    found = [float(value(np.random.default_rng([seed, t]))) for t in range(trials)]
    return Expectation(np.array(found), float(bound))


def pac(errors: Any, eps: float, delta: float) -> Coverage:
    """Whether runs of a learner look like those of a PAC learner: error <= eps but for delta.

    A strong learner can do it for every eps and delta above 0; a weak learner with the edge gamma
    for eps = 1/2 - gamma (and some delta below 1) alone.

    >>> pac([0.01, 0.03, 0.2, 0.02], eps=0.1, delta=0.3).rate
    0.25
    """
    observed = np.asarray(errors, np.float64)
    return Coverage(observed, np.full(observed.shape, float(eps)), float(delta))


def _check(trials: Any) -> None:
    if isinstance(trials, bool) or not isinstance(trials, (int, np.integer)) or trials < 1:
        raise ValueError(f"trials must be a whole number of at least 1, got {show(trials)}.")
