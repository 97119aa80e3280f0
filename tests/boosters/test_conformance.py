"""What every booster owes, checked for each one that the room of boosters exports."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.reference.regression import LeastSquares
from weaklearn import boosters
from weaklearn.base import Booster, History, Sample, State, WeakLearner, play
from weaklearn.engines import Engine
from weaklearn.intake.prepare import Target, prepare
from weaklearn.learners import StumpLearner
from weaklearn.learners.adapters import SignedLearner
from weaklearn.learners.label_rules import LabelPartitionLearner, ProductStumpLearner
from weaklearn.learners.partition import ConditionLearner

ROUNDS = 12
NAMES = sorted(boosters.__all__)
PANELS = {"AllPairs", "OneVsRest"}  # several binary problems, each by another booster
OF_LABELS = {"AdaBoostMH", "AdaBoostMO", "AdaBoostMR"}  # weights on examples and labels
# Those for more than two classes.
SEVERAL = {"AdaBoostM1", "AdaBoostM2", "Samme", *PANELS, *OF_LABELS}
NUMBERS = {"AdaBoostR2", "RankBoost"}
# Those whose epsilon is the weight of the examples that the last member gets wrong.
OTHERS = NUMBERS | PANELS | OF_LABELS | {"AdaBoostM2", "ADTree"}
LABELS = [name for name in NAMES if name not in OTHERS]


def booster_of(name: str) -> Booster:
    problems = (boosters.AdaBoost(), StumpLearner()) if name in PANELS else ()
    booster = getattr(boosters, name)(*problems)
    assert isinstance(booster, Booster)
    return booster


def data(name: str) -> tuple[Any, Any]:
    """Noisy rows with gaps and ties, of as many classes as the booster is for, or numbers."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 6, size=(120, 4)).astype(float)
    y = (X[:, 0] + X[:, 1] > 5).astype(int) + ((X[:, 2] > 4) if name in SEVERAL | NUMBERS else 0)
    y = np.where(rng.random(120) < 0.1, rng.permutation(y), y)
    y = y + np.round(rng.normal(size=120), 3) if name in NUMBERS else y
    X[rng.random(X.shape) < 0.05] = np.nan
    return X, y


def sample_of(X: Any, y: Any, weights: Any = None) -> Sample:
    regression = y.dtype.kind == "f"
    target = Target(regression=regression)
    return prepare(X, y, weights, engine=Engine(), name="conformance", target=target).sample


def learner_of(name: str) -> WeakLearner:
    if name == "ADTree":  # it asks for partitions
        return ConditionLearner()
    if name in OF_LABELS:  # they ask about every label
        return ProductStumpLearner() if name == "AdaBoostMR" else LabelPartitionLearner()
    if name == "RankBoost":  # it asks which items should go up
        return SignedLearner(StumpLearner())
    return LeastSquares() if name in NUMBERS else StumpLearner()


def played(name: str, sample: Sample, state: State | None = None, history: Any = None) -> Any:
    booster = booster_of(name)
    return play(
        booster,
        sample,
        learner_of(name).bind(sample),
        state=state or booster.begin(sample),
        history=History() if history is None else history,
        n_rounds=ROUNDS,
    )


def told(problem: Any) -> tuple[Any, ...]:
    """Everything a game has come to, to the bit."""
    columns = {name: problem.history[name].tobytes() for name in problem.history}
    return columns, problem.state.ensemble.votes.tobytes(), problem.state.ensemble.members


@pytest.mark.parametrize("name", NAMES)
def test_every_distribution_sums_to_one(name: str) -> None:
    sample = sample_of(*data(name))
    booster = booster_of(name)
    state, learn = booster.begin(sample), learner_of(name).bind(sample)
    for _ in range(ROUNDS):
        state, done = booster.round(sample, learn, state)
        assert state.D.array.min() >= 0
        assert state.D.array.sum() == pytest.approx(1, abs=1e-12)
        if done.stop is not None:
            again, ended = booster.round(sample, learn, state)
            assert (ended.stop, len(again.ensemble)) == (done.stop, len(state.ensemble))
            break
    assert len(state.ensemble) > 2


@pytest.mark.parametrize("name", LABELS)
def test_the_record_agrees_with_a_recomputation(name: str) -> None:
    sample = sample_of(*data(name))
    booster = booster_of(name)
    state, learn = booster.begin(sample), StumpLearner().bind(sample)
    for _ in range(ROUNDS):
        D, before = state.D.array, len(state.ensemble)
        state, done = booster.round(sample, learn, state)
        if len(state.ensemble) == before:
            break
        wrong = state.ensemble.members[-1](sample) != sample.y
        assert done.metrics["epsilon"] == pytest.approx(D[wrong].sum(), abs=1e-12)
        assert done.metrics["alpha"] == state.ensemble.votes[-1]


@pytest.mark.parametrize("name", NAMES)
def test_resumed_equals_straight(name: str) -> None:
    sample = sample_of(*data(name))
    straight = played(name, sample)
    n = min(5, len(straight.history) - 1)
    history = straight.history.first(n)
    state = booster_of(name).resume(sample, straight.state.ensemble.staged(n), history)
    resumed = played(name, sample, state, history)
    assert told(resumed) == told(straight)


@pytest.mark.parametrize("name", NAMES)
def test_the_order_of_examples_does_not_matter(name: str) -> None:
    X, y = data(name)
    order = np.random.default_rng(0).permutation(len(y))
    assert told(played(name, sample_of(X[order], y[order]))) == told(played(name, sample_of(X, y)))


@pytest.mark.parametrize("name", NAMES)
def test_a_weight_equals_copies(name: str) -> None:
    X, y = data(name)
    copies = np.random.default_rng(1).integers(1, 4, len(y))
    rows = np.repeat(np.arange(len(y)), copies)
    weighted = played(name, sample_of(X, y, copies))
    assert told(weighted) == told(played(name, sample_of(X[rows], y[rows])))
