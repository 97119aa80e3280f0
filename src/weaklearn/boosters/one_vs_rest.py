"""Many classes by one binary game a class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.booster import Booster, State
from ..base.ensemble import StackedEnsemble
from ..base.record import Round, Stop

if TYPE_CHECKING:
    from ..base.hypothesis import Hypothesis, Oracle, WeakLearner
    from ..base.sample import Sample


@dataclass(frozen=True, slots=True)
class PanelState(State):
    """The games side by side: a state, a sample, an oracle and perhaps an end for each class."""

    states: tuple[State, ...] = ()
    samples: tuple[Sample, ...] = ()
    oracles: tuple[Any, ...] = ()
    ended: tuple[Stop | None, ...] = ()


@dataclass(frozen=True)
class OneVsRest(Booster):
    """Plays one round of a binary booster for every class against the rest; the largest score wins.

    The facts of a round are the means over the games still played.
    """

    booster: Booster
    learner: WeakLearner

    def begin(self, sample: Sample) -> PanelState:
        samples = tuple(_against_rest(sample, k) for k in range(sample.n_classes))
        return self._panel(
            samples,
            tuple(self.booster.begin(part) for part in samples),
            tuple(self.learner.bind(part) for part in samples),
            (None,) * len(samples),
        )

    def round(self, sample: Sample, learn: Oracle, state: State) -> tuple[State, Round]:
        assert isinstance(state, PanelState)
        states, ended = list(state.states), list(state.ended)
        played: list[Round] = []
        for k, (part, oracle) in enumerate(zip(state.samples, state.oracles, strict=True)):
            if ended[k] is None:
                states[k], result = self.booster.round(part, oracle, states[k])
                ended[k] = result.stop
                played.append(result)
        facts = {
            name: float(np.mean([result.facts[name] for result in played]))
            for name in played[0].facts
            if name not in ("margin_min", "train_error")
        }
        stop = None if None in ended else Stop.PERFECT if Stop.PERFECT in ended else ended[0]
        panel = self._panel(state.samples, tuple(states), state.oracles, tuple(ended))
        return panel, Round(facts, stop)

    def replay(self, sample: Sample, state: State, vote: float, h: Hypothesis) -> State:
        raise NotImplementedError("a panel is replayed by replay_panel")

    def replay_panel(self, sample: Sample, ensemble: StackedEnsemble) -> PanelState:
        """The state after the members of every class."""
        panel = self.begin(sample)
        states = []
        for part, state, members in zip(panel.samples, panel.states, ensemble.parts, strict=True):
            for vote, h in members:
                state = self.booster.replay(part, state, vote, h)
            states.append(state)
        return self._panel(panel.samples, tuple(states), panel.oracles, panel.ended)

    @staticmethod
    def _panel(
        samples: tuple[Sample, ...],
        states: tuple[State, ...],
        oracles: tuple[Any, ...],
        ended: tuple[Stop | None, ...],
    ) -> PanelState:
        votes = StackedEnsemble(tuple(state.ensemble for state in states))
        return PanelState(states[0].D, votes, states, samples, oracles, ended)  # type: ignore[arg-type]


def _against_rest(sample: Sample, k: int) -> Sample:
    y = np.where(sample.y == k, 1, -1).astype(np.int8)
    return replace(sample, y=y, n_classes=2, classes=np.array([-1, 1]))
