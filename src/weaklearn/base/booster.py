"""The booster's interface: how the weights move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from .distribution import Distribution
from .record import History, Round

if TYPE_CHECKING:
    from .ensemble import Ensemble
    from .hypothesis import Hypothesis, Oracle
    from .sample import Sample


@dataclass(frozen=True, slots=True)
class State:
    """Where a game stands: the distribution the next round uses, and the votes so far."""

    D: Distribution
    ensemble: Ensemble


class Booster(ABC):
    """Plays the game: picks a distribution, asks for a hypothesis, gives it a vote.

    A round asked for after the end ends again, with the same reason, and adds no member.
    ``memory`` names the facts of the history that ``resume`` reads.
    """

    memory: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def begin(self, sample: Sample) -> State:
        """The state before round 1."""

    @abstractmethod
    def round(self, sample: Sample, learn: Oracle, state: State) -> tuple[State, Round]:
        """One round: the next state and the facts of the round."""

    def replay(self, sample: Sample, state: State, vote: float, h: Hypothesis) -> State:
        """The state after a round known to have given h this vote: a game is resumed by replay."""
        D = state.D.tilt(self.step(vote), sample.verdict(h))
        return State(D, state.ensemble.plus(vote, h))

    def resume(self, sample: Sample, ensemble: Ensemble, history: History) -> State:
        """The state after the rounds that gave these members, to the same bits as then.

        By replaying member after member; a booster whose state is more than its votes tell reads
        the rest from the history.
        """
        state = self.begin(sample)
        for vote, h in ensemble:
            state = self.replay(sample, state, vote, h)
        return state

    def step(self, vote: float) -> float:
        """By how much D is tilted for a vote: D(i) exp(-step * side_i) / Z."""
        return vote

    def train_error(self, sample: Sample, state: State) -> float:
        """The share of the training examples that the votes so far get wrong."""
        return state.D.standing()[1] / sample.m

    def against_rest(self, k: int) -> Booster:
        """The booster of the game that class k plays against the rest."""
        return self

    def finish(self, sample: Sample, state: State) -> Ensemble:
        return state.ensemble
