"""AdaBoost.R2 against its definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.boosters.test_real_adaboost import Given, Table
from tests.reference.regression import LeastSquares
from tests.samples import sample_of
from weaklearn.base import History, Stop, play
from weaklearn.base.votes.median import MedianEnsemble
from weaklearn.boosters import AdaBoostR2


def played(booster: Any, sample: Any, n_rounds: int, learner: Any = None) -> Any:
    start = booster.begin(sample)
    learn = (LeastSquares() if learner is None else learner).bind(sample)
    return play(booster, sample, learn, state=start, history=History(), n_rounds=n_rounds)


def curve(seed: int = 0, m: int = 40) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = np.round(rng.uniform(0, 6, size=(m, 2)), 2)
    return X, np.round(np.sin(X[:, 0]) + 0.1 * rng.normal(size=m), 3)


def numbers(X: Any, y: Any, weight: Any = None) -> Any:
    return sample_of(X, y, weight, regression=True)


@pytest.mark.parametrize("loss", ["linear", "square", "exponential"])
@pytest.mark.parametrize("rate", [1.0, 0.5])
def test_every_round_as_the_definition_has_it(loss: str, rate: float) -> None:
    X, y = curve()
    copies = np.random.default_rng(1).integers(1, 4, len(y))
    sample = numbers(X, y, copies)
    run = played(AdaBoostR2(rate, loss), sample, 8)
    w = copies / copies.sum()
    for t, (vote, h) in enumerate(run.state.ensemble):
        L = np.abs(h(sample) - y)
        L = L / L.max()
        L = {"linear": L, "square": L**2, "exponential": 1 - np.exp(-L)}[loss]
        epsilon = w @ L
        beta = epsilon / (1 - epsilon)
        assert run.history["epsilon"][t] == pytest.approx(epsilon)
        assert vote == pytest.approx(rate * np.log(1 / beta))
        w = w * beta ** (rate * (1 - L))
        w /= w.sum()
    assert run.state.D.array == pytest.approx(w)


def test_the_prediction_is_the_weighted_median() -> None:
    X, y = curve(2)
    sample = numbers(X, y)
    run = played(AdaBoostR2(), sample, 9)
    answers = np.column_stack([h(sample) for h in run.state.ensemble.members])
    votes = run.state.ensemble.votes
    F = run.state.ensemble(sample)
    for i in range(len(y)):
        below, above = votes[answers[i] < F[i]].sum(), votes[answers[i] > F[i]].sum()
        assert below < votes.sum() / 2 + 1e-12
        assert above <= votes.sum() / 2 + 1e-12
    stages = list(run.state.ensemble.stages(sample))
    assert len(stages) == len(votes)
    assert np.array_equal(stages[-1], F)
    assert np.array_equal(stages[0], answers[:, 0])
    assert np.array_equal(stages[4], run.state.ensemble.staged(5)(sample))


def test_a_perfect_regressor_outvotes_all_before_it() -> None:
    y = np.array([0.0, 1.0, 2.0, 5.0])
    sample = numbers(np.arange(4.0)[:, None], y)
    run = played(AdaBoostR2(), sample, 9, Given([0, 1, 2, 6], y))
    assert run.stop is Stop.PERFECT
    assert run.history["alpha"].tolist() == [pytest.approx(np.log(3)), np.inf]
    assert run.state.ensemble(sample).tolist() == y.tolist()


def test_a_regressor_that_misses_by_half_ends_the_run() -> None:
    y = np.array([0.0, 1.0, 2.0, 5.0])
    sample = numbers(np.arange(4.0)[:, None], y)
    bad, good = [1, 2, 3, 6], [0, 1, 2, 6]
    later = played(AdaBoostR2(), sample, 9, Given(good, bad))
    assert (later.stop, later.history["alpha"][-1]) == (Stop.WORSE, 0.0)
    assert later.state.ensemble(sample).tolist() == good
    at_once = played(AdaBoostR2(), sample, 9, Given(bad))  # kept, for want of a better one
    assert (at_once.stop, len(at_once.state.ensemble)) == (Stop.WORSE, 1)
    assert at_once.state.ensemble(sample).tolist() == bad


def test_medians_of_nobody_and_of_equals() -> None:
    sample = numbers(np.arange(3.0)[:, None], np.arange(3.0))
    assert MedianEnsemble()(sample).tolist() == [0.0] * 3
    both = (
        MedianEnsemble()
        .plus(1.0, Table(np.array([3.0, 1, 2])))
        .plus(1.0, Table(np.array([2.0, 4, 2])))
    )
    assert both(sample).tolist() == [2.0, 1.0, 2.0]  # the smaller of two
