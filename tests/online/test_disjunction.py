"""Disjunctions: golden runs, d mistakes at most, and d forced by the adversary."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests import golden
from weaklearn.online import (
    DisjunctionLearner,
    HalvingLearner,
    OnlineLearner,
    OnlinePerceptron,
    adversary,
)

CASES = [
    name
    for name in golden.names("online")
    if name.startswith("disjunction") and "adversary" not in name
]


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case = golden.case("online", name)
    sequence = [(row["x"], row["y"]) for row in case["input"]["sequence"]]
    for learner in (DisjunctionLearner(), DisjunctionLearner(case["input"]["d"])):
        trace = learner.run(sequence)
        assert trace.predictions.tolist() == case["expected"]["predictions"]
        assert learner.mistakes == trace.mistakes == case["expected"]["mistakes"]
        assert learner.kept.tolist() == case["expected"]["kept_after"]
        assert set(case["expected"]["target"]) <= set(learner.kept.tolist())


@pytest.mark.parametrize("d", [3, 6])
def test_golden_adversary(d: int) -> None:
    expected = golden.case("online", f"disjunction_adversary_{d}")["expected"]
    duel = adversary(DisjunctionLearner(d), d)
    assert duel.labels == expected["labels"]
    assert duel.mistakes == expected["mistakes"]


class Stubborn(OnlineLearner):
    """Answers by a rule of its own, whatever it is told."""

    def __init__(self, answers: list[int]) -> None:
        self.mistakes, self._answers = 0, answers

    def predict(self, x: Any) -> int:
        return self._answers[int(np.argmax(x))]

    def update(self, x: Any, y: Any) -> bool:
        wrong = self.predict(x) != y
        self.mistakes += wrong
        return wrong


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 8), st.randoms(use_true_random=False))
def test_no_learner_escapes_the_adversary(d: int, random: Any) -> None:
    units = [lambda x, j=j: 1 if x[j] else -1 for j in range(d)]
    nobody = lambda x: -1  # noqa: E731
    for learner in (
        DisjunctionLearner(d),
        OnlinePerceptron(fit_intercept=True),
        HalvingLearner([*units, nobody], on_empty="positive"),
        Stubborn([random.choice([-1, 1]) for _ in range(d)]),
    ):
        duel = adversary(learner, d)
        assert duel.mistakes == d
        for i, label in enumerate(duel.labels):  # a disjunction labels all of them so
            assert label == (1 if i in duel.target else -1)
        if not isinstance(learner, OnlinePerceptron):
            assert learner.mistakes == d


@settings(max_examples=60, deadline=None)
@given(st.data(), st.integers(1, 8), st.integers(1, 60))
def test_at_most_one_mistake_a_variable(data: Any, d: int, n: int) -> None:
    X = data.draw(arrays(np.int64, (n, d), elements=st.integers(0, 1)))
    target = data.draw(arrays(bool, d))
    y = np.where(X[:, target].any(axis=1), 1, -1)
    learner = DisjunctionLearner(d)
    trace = learner.run(X, y)
    assert trace.mistakes <= d
    assert not trace.mistake_flags[y > 0].any()
    assert set(np.flatnonzero(target)) <= set(learner.kept.tolist())
    batch = DisjunctionLearner(d)
    guesses, wrong = batch.learn(X.astype(bool), y)
    assert (guesses == trace.predictions).all()
    assert (wrong == trace.mistake_flags).all()
    assert (batch.mask == learner.mask).all()


def test_labels_of_no_disjunction_do_no_harm() -> None:
    learner = DisjunctionLearner(2)
    learner.update([1, 1], -1)
    assert learner.update([1, 0], 1)  # a false negative, which changes nothing
    assert learner.kept.tolist() == []
    assert learner.mistakes == 2


def test_bad_bits() -> None:
    learner = DisjunctionLearner(2)
    with pytest.raises(ValueError, match="0 or 1"):
        learner.predict([0.5, 1])
    with pytest.raises(ValueError, match="x has 3 variables"):
        learner.predict([0, 1, 0])
    with pytest.raises(ValueError, match="-1 or 1"):
        learner.update([0, 1], 0)
