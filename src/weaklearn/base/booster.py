"""The booster's interface: how the weights move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal

from .distribution import Distribution
from .hypothesis import Form, FormError
from .record import History, Round

if TYPE_CHECKING:
    from .ensemble import Ensemble
    from .hypothesis import Hypothesis, Oracle, WeakLearner
    from .sample import Sample


@dataclass(frozen=True, slots=True)
class State:
    """The state after a round: the distribution for the next round, and the ensemble so far."""

    D: Distribution
    ensemble: Ensemble

    def train_error(self, sample: Sample) -> float:
        """The share of the training examples that the votes so far get wrong."""
        return self.D.margin_and_errors()[1] / sample.m


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    S = TypeVar("S", bound=State, default=Any)
else:  # typing knows no defaults yet
    from typing import TypeVar

    S = TypeVar("S")

Target = Literal["class numbers", "numbers", "preferences"]


class Booster(ABC, Generic[S]):
    """A boosting algorithm: chooses distributions, calls the learner, weighs its hypotheses.

    S is the type of its state. A round after the last one stops again, with the same reason, and
    adds no member. ``memory`` names the metrics of the history that ``resume`` reads, and ``needs``
    the forms of hypotheses that it accepts. ``target`` is what it is to predict, where that is
    neither -1 and +1 nor whatever the sample holds.
    """

    memory: ClassVar[tuple[str, ...]] = ()
    target: ClassVar[Target | None] = None

    @property
    def planned_rounds(self) -> int | None:
        """The number of rounds that its weights are planned for; None where there is no plan."""
        return None

    @property
    def needs(self) -> frozenset[Form]:
        """The forms of hypotheses that it accepts."""
        return frozenset({Form.CLASSES})

    @abstractmethod
    def begin(self, sample: Sample) -> S:
        """The state before round 1."""

    @abstractmethod
    def round(self, sample: Sample, learn: Oracle, state: S) -> tuple[S, Round]:
        """One round: the next state and the metrics of the round."""

    def replay(self, sample: Sample, state: S, vote: float, h: Hypothesis) -> S:
        """The state after a recorded round that gave h this vote; warm starts replay members."""
        D = state.D.reweight(self.step(vote), sample.correctness(h))
        return replace(state, D=D, ensemble=state.ensemble.plus(vote, h))

    def resume(self, sample: Sample, ensemble: Ensemble, history: History) -> S:
        """The state after the rounds that gave these members, to the same bits as then.

        Replays member after member; a booster whose state does not follow from its votes reads
        the rest from the history.
        """
        state = self.begin(sample)
        for vote, h in ensemble:
            state = self.replay(sample, state, vote, h)
        return state

    def other_game(self, sample: Sample, history: History) -> str | None:
        """Why recorded rounds are not as this booster plays them; None where nothing says so."""
        return None

    def step(self, vote: float) -> float:
        """The exponent of the update for a vote: D(i) exp(-step * correct_i) / Z."""
        return vote

    def against_rest(self, k: int) -> Booster[S]:
        """The booster of the binary problem of class k against the rest."""
        return self


# For each form a learner whose hypotheses have it and a booster that accepts it, for messages:
# names of ``weaklearn.learners`` and ``weaklearn.boosters``.
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
    """Raises FormError, before round 1, for a learner whose form the booster does not accept."""
    if learner.form not in booster.needs:
        raise FormError(_mismatch(booster, learner.title, learner.form))


def match_member(booster: Booster, h: Hypothesis, t: int) -> None:
    """Raises FormError for a hypothesis of round t whose form the booster does not accept."""
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
        f"{listed}. Use weaklearn.boosters.{PAIRS[form][1]} with {name}, or "
        f"weaklearn.learners.{PAIRS[wanted[0]][0]} with {own}."
    )
