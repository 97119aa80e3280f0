"""The booster's interface, and the loop that runs every booster."""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, inf, isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Protocol

from .ensemble import Ensemble
from .error_context import add_context
from .history import History
from .hypothesis import Form, FormError, NoHypothesis
from .sample import Distribution

if TYPE_CHECKING:
    from .hypothesis import Hypothesis, Oracle, WeakLearner
    from .sample import Sample


class Stop(enum.StrEnum):
    """The reason why boosting stopped."""

    ROUNDS = "all rounds played"
    FOUND = "the rounds that folds found best were played"
    PERFECT = "a hypothesis made no error"
    NO_EDGE = "no hypothesis beats chance"
    WORSE = "the hypothesis does worse than chance"
    FLAT = "the loss has no slope left"
    LEARNER = "the weak learner gave up"
    PROMISE = "the weak learner broke its promise"
    DECIDED = "no example is left to decide"
    TIME = "the booster's time has run out"
    COMPLETE = "the booster has all the rules that it takes"
    OPTIMAL = "no hypothesis can improve the vote any more"
    LIGHT = "too little weight is left"
    DRY = "the filter let no example through"
    SPENT = "the oracle had no more examples"
    EARLY = "the validation score stopped improving"
    VALIDATED = "the rounds that the validation rows found best were kept"
    CALLBACK = "a callback asked to stop"
    INTERRUPTED = "interrupted"

    @classmethod
    def of(cls, sentence: str) -> Stop | None:
        """The member whose text is a ``stop_reason_``; None where there is none.

        >>> Stop.of("interrupted").name
        'INTERRUPTED'
        """
        return next((reason for reason in cls if reason.value == sentence), None)


@dataclass(frozen=True, slots=True)
class Round:
    """The metrics of one round by name, and a reason to stop after it, if any."""

    metrics: Mapping[str, float]
    stop: Stop | None = None


@dataclass(frozen=True, slots=True)
class State:
    """The state after a round: the distribution for the next round, and the ensemble so far."""

    D: Distribution
    ensemble: Ensemble

    def train_error(self, sample: Sample) -> float:
        """The share of the training examples that the votes so far get wrong."""
        return self.metrics(sample)["train_error"]

    def metrics(self, sample: Sample) -> dict[str, float]:
        """The smallest margin and the training error."""
        least, errors = self.D.margin_and_errors()
        weight = self.ensemble.running_weight
        margin = least / weight if weight > 0 and isfinite(weight) else 0.0
        return {"margin_min": margin, "train_error": errors / sample.m}


def normaliser(right: float, wrong: float, abstained: float, alpha: float) -> float:
    """Z: the total weight after reweighting by alpha."""
    rest = wrong * exp_or_inf(alpha) if wrong > 0 else 0.0
    return rest + (right * exp_or_inf(-alpha) if right > 0 else 0.0) + abstained


def exp_or_inf(x: float) -> float:
    """exp(x), and inf where that overflows."""
    return exp(x) if x < 700 else inf


if TYPE_CHECKING:
    from typing_extensions import TypeVar

    S = TypeVar("S", bound=State, default=Any)
else:  # typing knows no defaults yet
    from typing import TypeVar

    S = TypeVar("S")

T = TypeVar("T")  # a state of any kind
L = TypeVar("L")
L_contra = TypeVar("L_contra", contravariant=True)

# after_round(t, state, history) -> True to stop.
Callback = Callable[[int, T, History], "bool | Stop | None"]
Target = Literal["class numbers", "numbers", "preferences"]


class Booster(ABC, Generic[S]):
    """A boosting algorithm: chooses distributions, calls the learner, weighs its hypotheses.

    S is the type of its state. A round after the last one stops again, with the same reason, and
    adds no member. ``memory`` names the metrics of the history that ``resume`` reads, and ``needs``
    the forms of hypotheses that it accepts. ``target`` is what it is to predict, where that is
    neither -1 and +1 nor whatever the sample holds. ``over_partitions``: it looks at rows by sums
    over all partitions alone.
    """

    over_partitions: ClassVar[bool] = False
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

    def replay_mismatch(self, sample: Sample, history: History) -> str | None:
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


# ------------------------------------------------------------------------------ the loop of rounds


class Rounds(Protocol[T, L_contra]):
    """An algorithm that runs round by round: from a state T, with a learner L, to the next state.

    Boosters do, and so does gradient boosting, whose states hold no distribution.
    """

    def round(self, sample: Sample, learn: L_contra, state: T) -> tuple[T, Round]:
        """One round: the next state and the metrics of the round."""
        ...


@dataclass(frozen=True)
class Played(Generic[T]):
    """The result of a run: the last state, the history, why it stopped, an interrupt if any."""

    state: T
    history: History
    stop: Stop
    interrupt: BaseException | None = None


def checked_round(booster: Any, given: Any, t: int) -> Any:
    """The (state, Round) that a booster's round returned; raises where it is anything else."""
    name = type(booster).__name__
    if not (isinstance(given, tuple) and len(given) == 2 and isinstance(given[1], Round)):
        what = "None" if given is None else f"a {type(given).__name__}"
        if isinstance(given, tuple):
            what = f"({', '.join(type(part).__name__ for part in given)})"
        raise TypeError(
            f"{name}.round gave {what} in round {t}; it must give two things, the next state and a "
            "Round of the metrics."
        )
    state = given[0]
    if not isinstance(state, State) or not isinstance(state.ensemble, Ensemble):
        return given  # a sum of trees, or runs side by side that were looked at one by one
    last = state.ensemble.last
    if last is None:
        return given
    vote, h = last
    if isinstance(booster, Booster):
        match_member(booster, h, t)
    if not isfinite(vote):
        raise ValueError(
            f"{name}.round gave a hypothesis the vote {vote} in round {t}; votes must be finite "
            "numbers (a rule without error, whose vote would be infinite, may stand alone with 1)."
        )
    return given


def play(
    booster: Rounds[T, L],
    sample: Sample,
    learn: L,
    *,
    state: T,
    history: History,
    n_rounds: int,
    callbacks: Sequence[Callback[T]] = (),
    stage: str = "",
) -> Played[T]:
    """Runs rounds until the history has n_rounds, the booster stops, or a callback stops it.

    ``stage`` names a part of a fit in errors: " of the folds".
    """
    stop: Stop | None = None
    t = len(history)
    try:
        while stop is None and t < n_rounds:
            t += 1
            try:
                given = booster.round(sample, learn, state)
                later, played = checked_round(booster, given, t)
            except NoHypothesis:
                stop = Stop.LEARNER
                break
            history.append(played.metrics)  # first the record, so that it never lacks a member
            state, stop = later, played.stop
            for callback in callbacks:
                answer = callback(t, state, history)
                if answer and stop is None:
                    stop = answer if isinstance(answer, Stop) else Stop.CALLBACK
    except KeyboardInterrupt as interrupt:
        return Played(state, history, stop or Stop.INTERRUPTED, interrupt)
    except Exception as error:
        add_context(error, f"in round {t}{stage}")
        raise
    return Played(state, history, stop or Stop.ROUNDS)
