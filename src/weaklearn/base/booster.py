"""The booster's interface: how the weights move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from .distribution import Distribution
from .hypothesis import Form, FormError
from .record import History, Round

if TYPE_CHECKING:
    from .ensemble import Ensemble
    from .hypothesis import Hypothesis, Oracle, WeakLearner
    from .sample import Sample


@dataclass(frozen=True, slots=True)
class State:
    """Where a game stands: the distribution the next round uses, and the votes so far."""

    D: Distribution
    ensemble: Ensemble

    def train_error(self, sample: Sample) -> float:
        """The share of the training examples that the votes so far get wrong."""
        return self.D.standing()[1] / sample.m


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    S = TypeVar("S", bound=State, default=Any)
else:  # typing knows no defaults yet
    from typing import TypeVar

    S = TypeVar("S")


class Booster(ABC, Generic[S]):
    """Plays the game: picks a distribution, asks for a hypothesis, gives it a vote; S is its state.

    A round asked for after the end ends again, with the same reason, and adds no member.
    ``memory`` names the facts of the history that ``resume`` reads, and ``needs`` the forms of the
    hypotheses that it can play with.
    """

    memory: ClassVar[tuple[str, ...]] = ()

    @property
    def needs(self) -> frozenset[Form]:
        """The forms of answers that its votes are for."""
        return frozenset({Form.CLASSES})

    @abstractmethod
    def begin(self, sample: Sample) -> S:
        """The state before round 1."""

    @abstractmethod
    def round(self, sample: Sample, learn: Oracle, state: S) -> tuple[S, Round]:
        """One round: the next state and the facts of the round."""

    def replay(self, sample: Sample, state: S, vote: float, h: Hypothesis) -> S:
        """The state after a round known to have given h this vote: a game is resumed by replay."""
        D = state.D.tilt(self.step(vote), sample.verdict(h))
        return replace(state, D=D, ensemble=state.ensemble.plus(vote, h))

    def resume(self, sample: Sample, ensemble: Ensemble, history: History) -> S:
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

    def against_rest(self, k: int) -> Booster[S]:
        """The booster of the game that class k plays against the rest."""
        return self


# Of each form a learner that answers in it and a booster that plays with it, as they are called.
PAIRS = {
    Form.CLASSES: ("StumpLearner()", "AdaBoost()"),
    Form.BOUNDED: ("MeanLearner()", "RealAdaBoost()"),
    Form.NUMBERS: ("MeanLearner()", "RealAdaBoost()"),
    Form.CONFIDENCES: ("ConditionLearner()", "RealAdaBoost()"),
    Form.LABEL_SIGNS: ("ProductStumpLearner()", "AdaBoostMR()"),
    Form.LABEL_CONFIDENCES: ("LabelPartitionLearner()", "AdaBoostMH()"),
}
NUMBERS = frozenset({Form.CLASSES, Form.BOUNDED, Form.NUMBERS, Form.CONFIDENCES})  # one per row


def match(booster: Booster, learner: WeakLearner) -> None:
    """Refuses, before round 1, a learner whose hypotheses a booster cannot play with."""
    if learner.form not in booster.needs:
        raise FormError(_mismatch(booster, type(learner).__name__, learner.form))


def match_member(booster: Booster, h: Hypothesis, t: int) -> None:
    """Refuses a hypothesis whose answers the booster had no vote for."""
    if h.form not in booster.needs:
        name = type(h).__name__
        raise FormError(
            f"{_mismatch(booster, name, h.form)} This came up in round {t}: set form = "
            f"Form.{h.form.name} on the learner too, to be told before any is played."
        )


def _mismatch(booster: Booster, name: str, form: Form) -> str:
    wanted = [form for form in Form if form in booster.needs]
    listed = "; or ".join(form.value for form in wanted)
    own = type(booster).__name__
    return (
        f"{own} and {name} do not go together: {name} answers with {form.value}, and {own} needs "
        f"{listed}. {PAIRS[form][1]} plays with {name}, and {own} with {PAIRS[wanted[0]][0]}."
    )
