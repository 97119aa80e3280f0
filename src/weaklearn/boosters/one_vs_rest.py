"""Many classes by one binary game a class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.booster import Booster, State
from ..base.ensemble import StackedEnsemble
from ..base.record import History, Round, Stop

if TYPE_CHECKING:
    from ..base.hypothesis import Hypothesis, Oracle, WeakLearner
    from ..base.sample import Sample

_OF_ONE = ("margin_min", "train_error")  # facts of a whole vote, which no mean can stand for
_OWN = ("epsilon", "alpha")


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

    The facts of a round are the means over the games still played; ``epsilon_k`` and ``alpha_k``
    are those of class k alone, and not a number once its game has ended.
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
        played: dict[int, Round] = {}
        for k, (part, oracle) in enumerate(zip(state.samples, state.oracles, strict=True)):
            if ended[k] is None:
                states[k], played[k] = self.booster.round(part, oracle, states[k])
                ended[k] = played[k].stop
        known = next(iter(played.values())).facts
        facts = {
            name: float(np.mean([result.facts[name] for result in played.values()]))
            for name in known
            if name not in _OF_ONE
        }
        own_facts = [name for name in (*_OWN, *self.booster.memory) if name in known]
        for k in range(len(states)):
            own = played[k].facts if k in played else {}
            facts |= {f"{name}_{k}": own.get(name, nan) for name in own_facts}
        stop = None if None in ended else Stop.PERFECT if Stop.PERFECT in ended else ended[0]
        panel = self._panel(state.samples, tuple(states), state.oracles, tuple(ended))
        return panel, Round(facts, stop)

    def replay(self, sample: Sample, state: State, vote: float, h: Hypothesis) -> State:
        raise TypeError("members of several games lie side by side: use resume")

    def resume(self, sample: Sample, ensemble: Any, history: History) -> PanelState:
        """The state after the members of every class; games that had ended are not reopened."""
        panel = self.begin(sample)
        states = [
            self.booster.resume(part, members, _own_history(history, k, self.booster.memory))
            for k, (part, members) in enumerate(zip(panel.samples, ensemble.parts, strict=True))
        ]
        ended = tuple(_end_of(history[f"alpha_{k}"]) for k in range(len(states)))
        return self._panel(panel.samples, tuple(states), panel.oracles, ended)

    @staticmethod
    def _panel(
        samples: tuple[Sample, ...],
        states: tuple[State, ...],
        oracles: tuple[Any, ...],
        ended: tuple[Stop | None, ...],
    ) -> PanelState:
        votes = StackedEnsemble(tuple(state.ensemble for state in states))
        return PanelState(states[0].D, votes, states, samples, oracles, ended)  # type: ignore[arg-type]


def _end_of(alpha: NDArray[np.float64]) -> Stop | None:
    """How a game ended, by its votes: an infinite one wins it, one of 0 or none has no edge."""
    if np.isinf(alpha).any():
        return Stop.PERFECT
    return Stop.NO_EDGE if (alpha == 0).any() or np.isnan(alpha).any() else None


def _own_history(history: History, k: int, names: tuple[str, ...]) -> History:
    """What class k's own game has to remember, under its plain names."""
    rounds = [{name: facts.get(f"{name}_{k}", nan) for name in names} for facts in history.facts]
    return History(rounds, dict.fromkeys(names))


def _against_rest(sample: Sample, k: int) -> Sample:
    y = np.where(sample.y == k, 1, -1).astype(np.int8)
    return replace(sample, y=y, n_classes=2, classes=np.array([-1, 1]))
