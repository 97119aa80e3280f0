"""Hypotheses out of online runs: how many examples, which hypothesis, how good."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import weaklearn
from weaklearn.online import OnlinePerceptron, OnlineSGD, large_gap, random_stopping

W = np.array([0.8, -0.6])
GAMMA = 0.2


def margined(seed: int) -> Iterator[tuple[Any, int]]:
    """Endless points of the unit disc at least GAMMA from a line through the origin."""
    rng = np.random.default_rng(seed)
    while True:
        x = rng.uniform(-1, 1, 2)
        if x @ x <= 1 and abs(x @ W) >= GAMMA:
            yield x, 1 if x @ W > 0 else -1


def error(hypothesis: Any, n: int = 400) -> float:
    stream = margined(10**6)
    examples = [next(stream) for _ in range(n)]
    return float(np.mean([hypothesis.predict(x) != y for x, y in examples]))


def test_random_stopping_keeps_its_promise_on_average() -> None:
    M, eps = 1 / GAMMA**2, 0.25
    errors, places = [], []
    for seed in range(60):
        found = random_stopping(OnlinePerceptron(), margined(seed), M=M, eps=eps, random_state=seed)
        assert found.complete
        assert found.holds
        assert found.n_examples == found.n_wanted == 100
        assert found.mistakes <= M
        errors.append(error(found, 100))
        places.append(found.chosen)
    assert np.mean(errors) <= eps
    assert 30 < np.mean(places) < 69  # uniform over 0 .. 99, five deviations at most
    assert len(set(places)) > 30


def test_the_hypothesis_is_that_before_the_chosen_example() -> None:
    for seed in range(20):
        stream = margined(3)
        examples = [next(stream) for _ in range(40)]
        found = random_stopping(OnlinePerceptron(), examples, M=4, eps=0.1, random_state=seed)
        again = OnlinePerceptron()
        again.run(examples[: found.chosen])
        w = found.hypothesis.w
        assert (w is None) == (found.chosen == 0)
        assert w is None or w.tolist() == again.w.tolist()  # type: ignore[union-attr]
        other = random_stopping(OnlinePerceptron(), examples, M=4, eps=0.1, random_state=seed)
        assert other.chosen == found.chosen


def test_how_many_examples_random_stopping_takes() -> None:
    def taken(M: float, eps: float) -> int:
        return random_stopping(OnlinePerceptron(), margined(0), M=M, eps=eps).n_examples

    # Ratios that are whole numbers on paper and not in floats.
    assert [taken(3, 0.3), taken(7, 0.07), taken(0.3, 0.1), taken(1, 0.3)] == [10, 100, 3, 4]
    none = random_stopping(OnlinePerceptron(), margined(0), M=0, eps=0.1)
    assert (none.n_examples, none.complete, none.holds) == (0, True, True)
    stream = margined(0)
    random_stopping(OnlinePerceptron(), stream, M=1, eps=0.5)
    expected = margined(0)
    next(expected), next(expected)
    assert next(stream)[0].tolist() == next(expected)[0].tolist()  # none was taken in vain


def test_a_stream_that_ends_early_is_said() -> None:
    stream = margined(1)
    examples = [next(stream) for _ in range(30)]
    found = random_stopping(OnlinePerceptron(), examples, M=25, eps=0.1)
    assert (found.complete, found.holds) == (False, False)
    assert (found.n_examples, found.n_wanted) == (30, 250)
    gap = large_gap(OnlinePerceptron(), examples[:5], eps=0.1, delta=0.1)
    assert (gap.complete, gap.n_examples) == (False, 5)
    assert gap.n_wanted > 5
    few = random_stopping(OnlinePerceptron(), [([1.0], 1), ([1.0], -1)] * 9, M=1, eps=0.2)
    assert few.complete
    assert not few.holds  # more mistakes than the bound


def test_large_gap_halts_in_time_and_is_right() -> None:
    eps, delta = 0.1, 0.2
    bad = 0
    for seed in range(40):
        found = large_gap(OnlinePerceptron(), margined(seed), eps=eps, delta=delta)
        assert found.complete
        M = found.mistakes
        runs = [math.ceil(math.log((i + 2) ** 2 / delta) / eps) for i in range(M + 1)]
        assert found.n_examples <= M + sum(runs)
        assert found.n_examples >= runs[-1]
        assert found.hypothesis.mistakes == M
        bad += error(found) > eps
    assert bad <= 40 * delta
    assert sum(1 / (i + 2) ** 2 for i in range(10**5)) < math.pi**2 / 6 - 1 < 1


def test_large_gap_of_a_learner_that_always_changes() -> None:
    learner = OnlineSGD("logistic")
    found = large_gap(learner, margined(2), eps=0.1, delta=0.1, random_state=1)
    assert found.complete
    run = found.n_wanted - found.chosen
    assert 1 <= run <= math.log((found.mistakes + 2) ** 2 / 0.1) / 0.1 + 1
    assert found.hypothesis is not learner
    assert error(found) < 0.1


def test_estimators_go_under_the_protocol() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = np.where(X @ W > 0, 1, -1)
    model = weaklearn.Perceptron(fit_intercept=True)
    found = random_stopping(model, X, y, M=10, eps=0.05, random_state=2)
    assert found.n_examples == 200
    assert not hasattr(model, "classes_")
    halted = large_gap(weaklearn.SGDClassifier("perceptron"), X, y, eps=0.2, delta=0.3)
    assert halted.complete


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"M": -1, "eps": 0.1}, "M is -1"),
        ({"M": math.inf, "eps": 0.1}, "M is inf"),
        ({"M": 1, "eps": 0}, "eps is 0"),
        ({"M": 1, "eps": 1.0}, "eps is 1.0"),
        ({"M": 1, "eps": "0.1"}, "eps is '0.1'"),
    ],
)
def test_arguments_outside_the_theorem(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        random_stopping(OnlinePerceptron(), [], **given)
    with pytest.raises(ValueError, match="delta is 1"):
        large_gap(OnlinePerceptron(), [], eps=0.1, delta=1)
    with pytest.raises(TypeError, match="OnlineLearner"):
        large_gap(object(), [], eps=0.1, delta=0.1)
