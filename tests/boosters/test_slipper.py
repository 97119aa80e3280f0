"""SLIPPER: the definition round by round, the bound, and the default rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.learners.test_rule import table
from tests.samples import sample_of
from weaklearn.base import History, Stop, play
from weaklearn.base.trees.rule import ABOVE, Demand, Rule
from weaklearn.boosters import Slipper
from weaklearn.learners.rule import RuleLearner


def played(sample: Any, n_rounds: int, learn: Any = None, **given: Any) -> Any:
    booster = Slipper(**given)
    return play(
        booster,
        sample,
        learn or RuleLearner().bind(sample),
        state=booster.begin(sample),
        history=History(),
        n_rounds=n_rounds,
    )


def criterion(h: Any, sample: Any, D: Any) -> tuple[float, float, float]:
    covered = h(sample) > 0
    W_plus, W_minus = (float(D[covered & (sample.y == s)].sum()) for s in (1, -1))
    return W_plus, W_minus, 1 - (np.sqrt(W_plus) - np.sqrt(W_minus)) ** 2


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([None, "copies", "importance"]))
def test_every_round_is_that_of_the_definition(seed: int, kind: str | None) -> None:
    X, y = table(seed, 60)
    rng = np.random.default_rng(seed)
    weight = {None: None, "copies": rng.integers(1, 4, 60), "importance": rng.random(60)}[kind]
    sample = sample_of(X, y, weight)
    booster, learn = Slipper(), RuleLearner(seed=seed).bind(sample)
    state = booster.begin(sample)
    product, F = 1.0, np.zeros(60)
    for t in range(6):
        D = state.D.array
        tries = [learn(state.D, sample.y, t + (k << 32)) for k in range(4)]
        state, done = booster.round(sample, learn, state)
        if done.stop is not None:
            assert done.stop is Stop.NO_EDGE
            break
        h = state.ensemble.members[-1]
        W_plus, W_minus, Z = criterion(h, sample, D)
        assert done.metrics["Z_criterion"] == pytest.approx(Z, abs=1e-12)
        default = criterion(Rule(), sample, D)[2]
        for drawn in tries:  # until one helps
            V_plus, V_minus, other = criterion(drawn, sample, D)
            worse = V_plus <= V_minus or other >= default - 1e-12
            if not worse or default < 1 - 1e-12:
                break
        assert h.demands == (() if worse else drawn.demands)
        less = 1 / (2 * sample.m)
        c = 0.5 * np.log((W_plus + less) / (W_minus + less))
        assert state.ensemble.votes[-1] == pytest.approx(c, abs=1e-9)
        assert c >= 0 or h.constant
        F += state.ensemble.votes[-1] * h(sample)
        after = D * np.exp(-c * sample.y * h(sample))
        assert done.metrics["Z"] == pytest.approx(after.sum(), abs=1e-9)
        assert state.D.array == pytest.approx(after / after.sum(), abs=1e-9)
        product *= done.metrics["Z"]
    prior = sample.prior_shares
    assert prior @ np.exp(-sample.y * F) == pytest.approx(product, abs=1e-9)
    wrong = np.where(F > 0, 1, -1) != sample.y
    assert prior @ wrong <= product + 1e-9
    if kind is None:
        assert done.metrics["train_error"] == np.mean(wrong)


def test_the_default_is_kept_where_it_is_better() -> None:
    sample = sample_of(np.array([[0.0], [1], [2], [3]]), [-1, -1, -1, 1])
    against = Rule((Demand(0, ABOVE, -1.0),))  # covers all, and more negatives than positives
    run = played(sample, 1, lambda D, z, key: against)
    assert run.state.ensemble.members[0].demands == ()
    assert run.state.ensemble.votes[0] < 0
    assert (run.state.ensemble.members[0].right, run.state.ensemble.members[0].wrong) == (1, 3)
    better = Rule((Demand(0, ABOVE, 2.5),))
    run = played(sample, 1, lambda D, z, key: better)
    assert run.state.ensemble.members[0] == better


def test_a_learner_that_finds_nothing_is_asked_again() -> None:
    sample = sample_of(np.array([[0.0], [1], [2], [3]]), [-1, 1, -1, 1])
    asked: list[int] = []
    helpful = Rule((Demand(0, ABOVE, 2.5),))

    def learn(D: Any, z: Any, key: int) -> Rule:
        asked.append(key)
        return helpful if len(asked) == 3 else Rule()

    run = played(sample, 1, learn)
    assert run.state.ensemble.members == [helpful]
    assert len(set(asked)) == 3  # another draw each time
    run = played(sample, 5, lambda D, z, key: Rule())
    assert (run.stop, len(run.state.ensemble), len(run.history)) == (Stop.NO_EDGE, 0, 1)


@pytest.mark.parametrize("label", [1, -1])
def test_one_class_needs_the_default_alone(label: int) -> None:
    sample = sample_of(np.array([[0.0], [1.0]]), np.array([label, label]))
    run = played(sample, 5)
    assert (run.stop, len(run.state.ensemble)) == (Stop.PERFECT, 1)
    assert run.state.ensemble.members[0].constant
    assert run.state.ensemble(sample) == pytest.approx(run.state.ensemble.votes[0])
    assert run.state.ensemble.votes[0] > 0  # the only class is +1


def test_a_rate_shrinks_every_vote() -> None:
    sample = sample_of(*table(1, 60))
    whole, half = (played(sample, 1, learning_rate=rate).state.ensemble for rate in (1.0, 0.5))
    assert half.votes[0] == pytest.approx(whole.votes[0] / 2)
    assert half.members == whole.members
