"""Multiclass boosting by several binary boosters, run side by side."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import Booster, Round, State, Stop, checked_round
from ...base.ensemble import Ensemble, StackedEnsemble
from ...base.history import History
from ...base.hypothesis import Form, Hypothesis, NoHypothesis, Oracle, WeakLearner
from ...base.sample import Sample

_OF_ONE = ("margin_min", "train_error")  # facts of a whole vote, which no mean can stand for
_OWN = ("epsilon", "alpha", "Z")


@dataclass(frozen=True, slots=True)
class PanelState(State):
    """The states of the binary problems, with a sample, an oracle and a stop reason for each."""

    states: tuple[State, ...] = ()
    samples: tuple[Sample, ...] = ()
    oracles: tuple[Any, ...] = ()
    ended: tuple[Stop | None, ...] = ()


@dataclass(frozen=True)
class Panel(Booster[PanelState]):
    """Runs one round of a binary booster on each binary problem; subclasses define the problems.

    The metrics of a round are the means over the problems still run; ``epsilon_k``, ``alpha_k`` and
    ``Z_k`` are those of problem k alone, and not a number once it has ended.
    """

    booster: Booster
    learner: WeakLearner

    @property
    def needs(self) -> frozenset[Form]:
        return self.booster.needs

    @abstractmethod
    def samples(self, sample: Sample) -> Iterable[Sample]:
        """The sample of each binary problem."""

    def booster_of(self, k: int) -> Booster:
        """The booster of binary problem k."""
        return self.booster

    @abstractmethod
    def vote(self, parts: tuple[Ensemble, ...]) -> StackedEnsemble:
        """The ensemble of all binary problems."""

    def begin(self, sample: Sample) -> PanelState:
        samples = tuple(self.samples(sample))
        return self._panel(
            samples,
            tuple(self.booster_of(k).begin(part) for k, part in enumerate(samples)),
            tuple(self.learner.bind(part) for part in samples),
            (None,) * len(samples),
        )

    def round(self, sample: Sample, learn: Oracle, state: PanelState) -> tuple[PanelState, Round]:
        states, ended = list(state.states), list(state.ended)
        if None not in ended:
            return state, Round({}, _end(ended))
        played: dict[int, Round] = {}
        for k, (part, oracle) in enumerate(zip(state.samples, state.oracles, strict=True)):
            if ended[k] is None:
                try:
                    given = self.booster_of(k).round(part, oracle, states[k])
                    t = len(states[k].ensemble) + 1
                    states[k], played[k] = checked_round(self.booster_of(k), given, t)
                    ended[k] = played[k].stop
                except NoHypothesis:
                    ended[k] = Stop.LEARNER
        if not played:
            raise NoHypothesis("the weak learner gave up in every binary problem")
        panel = self._panel(state.samples, tuple(states), state.oracles, tuple(ended))
        return panel, Round(self._metrics(played, len(states)), _end(ended))

    def _metrics(self, played: dict[int, Round], n_parts: int) -> dict[str, float]:
        known: dict[str, list[float]] = {}
        for result in played.values():
            for name, metric in result.metrics.items():
                known.setdefault(name, []).append(metric)
        with np.errstate(invalid="ignore"):  # one problem solved by a rule, another by its opposite
            metrics = {
                name: float(np.add.reduce(values) / len(values))
                for name, values in known.items()
                if name not in _OF_ONE
            }
        own_metrics = [name for name in (*_OWN, *self.booster.memory) if name in known]
        for k in range(n_parts):
            own = played[k].metrics if k in played else {}
            metrics |= {f"{name}_{k}": own.get(name, nan) for name in own_metrics}
        return metrics

    def replay(self, sample: Sample, state: PanelState, vote: float, h: Hypothesis) -> PanelState:
        raise TypeError("members of several binary problems lie side by side: use resume")

    def resume(self, sample: Sample, ensemble: Any, history: History) -> PanelState:
        """The state after the members of every problem; problems that had stopped stay so."""
        panel = self.begin(sample)
        states = [
            self.booster_of(k).resume(part, members, _own_history(history, k, self.booster.memory))
            for k, (part, members) in enumerate(zip(panel.samples, ensemble.parts, strict=True))
        ]
        ended = tuple(
            _end_of(history[f"alpha_{k}"], len(members)) for k, members in enumerate(ensemble.parts)
        )
        return self._panel(panel.samples, tuple(states), panel.oracles, ended)

    def _panel(
        self,
        samples: tuple[Sample, ...],
        states: tuple[State, ...],
        oracles: tuple[Any, ...],
        ended: tuple[Stop | None, ...],
    ) -> PanelState:
        votes = self.vote(tuple(state.ensemble for state in states))
        return PanelState(states[0].D, votes, states, samples, oracles, ended)  # type: ignore[arg-type]


def _end(ended: list[Stop | None]) -> Stop | None:
    """The stop reason of the whole, once every problem has stopped: the best of theirs."""
    if None in ended:
        return None
    return Stop.PERFECT if Stop.PERFECT in ended else ended[0]


def _end_of(alpha: NDArray[np.float64], n_members: int) -> Stop | None:
    """The stop reason of one problem: an infinite vote, or a round without a member."""
    if np.isinf(alpha).any():
        return Stop.PERFECT
    return Stop.NO_EDGE if n_members < len(alpha) else None


def _own_history(history: History, k: int, names: tuple[str, ...]) -> History:
    """The history of problem k, under its plain names."""
    rounds = [
        {name: metrics.get(f"{name}_{k}", nan) for name in names} for metrics in history.metrics
    ]
    return History(rounds, dict.fromkeys(names))
