"""Boosters with a clock: votes that keep the average potential while time runs out."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...base.booster import Booster, Round, Stop
from ...base.ensemble import Ensemble
from ...base.history import History
from ...base.hypothesis import Hypothesis, Oracle
from ...base.sample import RIGHT, WRONG, Sample
from ...base.types import Floats
from ..adaboost import TIED
from .margin_state import Scored, sides
from .potential_curve import Curve, Place, Point


@dataclass(frozen=True, slots=True)
class Timed(Scored):
    """The state: margins of the examples, and the time left."""

    left: float = 0.0


class TimedBooster(Booster[Timed]):
    """With m_i the margin of example i and s the time left,

        z_i      = (m_i - mu(s)) / sigma(s)
        D_t(i)   is proportional to D_1(i) exp(-z_i^2)

    and h_t gets the vote ds and takes the time dt that keep the average potential, a multiple of
    1 - erf(z_i). Of all such pairs on the curve from (0, 0) it is the first under which h_t has no
    edge left, or after which no time is left.
    """

    epsilon: float
    memory = ("ds", "dt")
    short: ClassVar[float] = 0.0  # less time than this is none

    @property
    def truncated(self) -> bool:
        """Whether examples with z <= 0 are given up."""
        return False

    @property
    @abstractmethod
    def time(self) -> float:
        """The time at the start."""

    @abstractmethod
    def mu(self, left: float) -> float:
        """The margin that costs as much as an error."""

    @abstractmethod
    def sigma(self, left: float) -> float:
        """The width of the potential."""

    @abstractmethod
    def fade(self, dt: float) -> float:
        """The share of a margin that is left after a time dt."""

    @abstractmethod
    def pull(self, ds: float, u: Floats, z: Floats, left: float) -> Floats:
        """-sigma dz/dt: how fast the potential rises by time alone."""

    @abstractmethod
    def cost(self, z: Floats) -> Floats:
        """The potential."""

    def metrics(self) -> dict[str, float]:
        """Metrics that are recorded in every round."""
        return {}

    def nobody(self) -> Ensemble:
        """The empty ensemble."""
        return Ensemble()

    @abstractmethod
    def joined(self, ensemble: Ensemble, ds: float, dt: float, h: Hypothesis) -> Ensemble:
        """The ensemble with one more member, after the time that it took."""

    def z(self, m: Floats, left: float) -> Floats:
        return np.asarray((m - self.mu(left)) / self.sigma(left))

    def begin(self, sample: Sample) -> Timed:
        return self._weighed(sample, self.nobody(), np.zeros(len(sample)), 0.0, self.time)

    def round(self, sample: Sample, learn: Oracle, state: Timed) -> tuple[Timed, Round]:
        if self._over(state):
            chance = {"epsilon": 0.5, "gamma": 0.0, "r": 0.0}  # no hypothesis was asked for
            return state, Round(chance | self._stood(sample, state), Stop.TIME)
        D_t = state.D
        h_t = learn(D_t, sample.y, len(state.ensemble))
        correct_t = sample.correctness(h_t)
        epsilon_t = D_t.mass(correct_t, WRONG)
        r_t = D_t.mass(correct_t, RIGHT) - epsilon_t
        metrics = {"epsilon": epsilon_t, "gamma": r_t / 2, "r": r_t}
        if r_t <= 2 * TIED:
            stop = Stop.NO_EDGE if r_t >= -2 * TIED else Stop.WORSE
            return state, Round(metrics | self._stood(sample, state), stop)
        ds, dt = self._curve(sample, state, sides(correct_t)).end()
        dt = max(dt, 0.0)  # by rounding alone it is below
        if ds == 0:
            return state, Round(metrics | self._stood(sample, state), Stop.NO_EDGE)
        later = self._moved(sample, state, ds, dt, h_t)
        metrics |= self._state_metrics(sample, later, ds, dt)
        return later, Round(metrics, Stop.TIME if self._over(later) else None)

    def resume(self, sample: Sample, ensemble: Ensemble, history: History) -> Timed:
        state = self.begin(sample)
        for ds, dt, h in zip(history["ds"], history["dt"], ensemble.members, strict=False):
            state = self._moved(sample, state, float(ds), float(dt), h)
        return state

    def replay(self, sample: Sample, state: Timed, vote: float, h: Hypothesis) -> Timed:
        raise TypeError("a vote does not tell how much time it took: use resume")

    def _over(self, state: Timed) -> bool:
        return state.left <= self.short

    def _curve(self, sample: Sample, state: Timed, u: Floats) -> Curve:
        def place(point: Point) -> Place:
            ds, dt = point
            left = max(state.left - dt, 0.0)
            z = self.z(state.yF * self.fade(dt) + ds * u, left)
            return Place(z, self.sigma(left), self.pull(ds, u, z, left))

        return Curve(sample, u, state.left, place, self.truncated)

    def _moved(self, sample: Sample, state: Timed, ds: float, dt: float, h: Hypothesis) -> Timed:
        kept = self.fade(dt)
        yF = state.yF * kept + ds * sides(sample.correctness(h))
        reach = state.reach * kept + abs(ds)
        votes = self.joined(state.ensemble, ds, dt, h)
        return self._weighed(sample, votes, yF, reach, state.left - dt)

    def _weighed(
        self, sample: Sample, ensemble: Ensemble, yF: Floats, reach: float, left: float
    ) -> Timed:
        z = self.z(yF, left)
        zz = z * z
        hopeful = z > 0 if self.truncated else np.ones(len(z), bool)
        w = sample.engine.weights.exponentials(np.min(zz, where=hopeful, initial=np.inf) - zz)
        return Timed(sample.reweighted(np.where(hopeful, w, 0.0)), ensemble, yF, reach, left)

    def _state_metrics(
        self, sample: Sample, state: Timed, ds: float, dt: float
    ) -> dict[str, float]:
        cost = sample.mean(self.cost(self.z(state.yF, state.left)))
        times = {"ds": ds, "dt": dt, "time_left": state.left, "potential": cost}
        return {"alpha": ds} | times | self.metrics() | state.metrics(sample)

    def _stood(self, sample: Sample, state: Timed) -> dict[str, float]:
        return self._state_metrics(sample, state, 0.0, 0.0)
