"""Experts and mixtures: their twin, sums that never grow, and the theorems on any sequence."""

from __future__ import annotations

from math import log, log1p
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.reference import experts as twin
from weaklearn.online.experts import Advice, Experts, Mixture, tuned
from weaklearn.theory.bounds import mw_bound, mw_delta, mw_eta, sleeping_bound


@st.composite
def advice(draw: Any) -> tuple[Any, Any]:
    """Predictions 0, 1, 2 or NaN (asleep), and true labels."""
    T, n = draw(st.integers(1, 40)), draw(st.integers(1, 8))
    labels = st.sampled_from([0.0, 1.0, 2.0, np.nan])
    return (
        draw(arrays(np.float64, (T, n), elements=labels)),
        draw(arrays(np.int32, T, elements=st.integers(0, 2))),
    )


def listed(predictions: Any) -> Advice:
    awake = ~np.isnan(predictions)
    start = np.concatenate([[0], np.cumsum(awake.sum(axis=1))]).astype(np.int64)
    expert = np.nonzero(awake)[1].astype(np.int32)
    return Advice(start, expert, predictions[awake].astype(np.int32))


@settings(max_examples=80, deadline=None)
@given(advice(), st.floats(0.01, 0.99))
def test_the_kernel_and_the_theorem(case: tuple[Any, Any], epsilon: float) -> None:
    predictions, truth = case
    n = predictions.shape[1]
    expected = twin.play(predictions, truth, epsilon)
    experts = Experts(n, epsilon)
    outcomes = experts.play(listed(predictions), truth, 3)
    np.testing.assert_allclose(outcomes.chance, expected["prob_mistake"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(experts.weights, expected["weights_after"][-1], rtol=1e-9)
    np.testing.assert_allclose(experts.chances, expected["expected_mistakes_on_S_i"], rtol=1e-9)
    assert (experts.mistakes == expected["mistakes_of_expert"]).all()
    sums = expected["weights_after"].sum(axis=1)
    assert (np.diff(np.append(n, sums)) <= 1e-9).all()
    bound = sleeping_bound(experts.mistakes, n, epsilon)
    assert (experts.chances <= bound + 1e-9).all()
    np.testing.assert_allclose(
        bound, (1 + epsilon) * (experts.mistakes + log(n) / log1p(epsilon)), rtol=1e-12
    )


@settings(max_examples=50, deadline=None)
@given(advice(), st.floats(0.05, 0.9))
def test_the_majority_errs_at_most_twice_as_often(case: tuple[Any, Any], epsilon: float) -> None:
    predictions, truth = case
    experts = Experts(predictions.shape[1], epsilon)
    outcomes = experts.play(listed(predictions), truth, 3)
    wrong = (outcomes.majority >= 0) & (outcomes.majority != truth)
    assert (outcomes.chance[wrong] >= 0.5 - 1e-9).all()
    bound = sleeping_bound(experts.mistakes, len(experts), epsilon)
    for i in range(len(experts)):
        awake = ~np.isnan(predictions[:, i])
        assert np.count_nonzero(wrong & awake) <= 2 * bound[i] + 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 30), st.integers(1, 60), st.integers(0, 10**6))
def test_one_perfect_expert(n: int, T: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, T).astype(np.int32)
    predictions = rng.integers(0, 2, (T, n)).astype(float)
    predictions[:, 0] = truth
    experts = Experts(n, 0.5)
    outcomes = experts.play(listed(predictions), truth, 2)
    assert outcomes.chance.sum() <= 1.5 * log(n) / log1p(0.5) + 1e-9


def test_draws_follow_the_weights_and_the_seed() -> None:
    T = 4000
    predictions = np.tile([0.0, 1.0, 1.0, 1.0], (T, 1))
    truth = np.zeros(T, np.int32)
    runs = [Experts(4, 0.5, seed) for seed in (1, 1, 2)]
    drawn = [run._outcomes(listed(predictions), truth, 2, learns=False).drawn for run in runs]
    assert (drawn[0] == drawn[1]).all()
    one = [Experts(4, 0.5, seed).ask(listed(predictions[:1]), truth[:1], 2).drawn[0]
           for seed in range(2000)]  # fmt: skip
    assert np.mean(one) == pytest.approx(0.75, abs=0.04)  # three of four equal weights
    experts = Experts(4, 0.5, 3)
    outcomes = experts.play(listed(predictions[:50]), truth[:50], 2)
    again = Experts(4, 0.5, 3)
    one_by_one = [again.play(listed(predictions[t : t + 1]), truth[:1], 2) for t in range(50)]
    assert [int(told.drawn[0]) for told in one_by_one] == outcomes.drawn.tolist()
    assert (again.chances == experts.chances).all()


def test_shares_of_weights_that_floats_do_not_know() -> None:
    experts = Experts(3, 0.5)
    experts.mistakes[:] = [10**6, 10**6 + 1, 5]
    np.testing.assert_allclose(experts.shares(np.array([0, 1])), [0.6, 0.4])
    assert experts.shares(np.array([0, 2])).tolist() == [0.0, 1.0]
    assert len(experts.shares(np.array([], int))) == 0


# --------------------------------------------------------------------------------------- mixtures


@settings(max_examples=80, deadline=None)
@given(
    st.tuples(st.integers(1, 50), st.integers(1, 8)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=st.floats(0, 1))
    ),
    st.floats(0.01, 5),
)
def test_total_loss_of_mixtures(losses: Any, eta: float) -> None:
    T, n = losses.shape
    mixture = Mixture(n, eta)
    trace = mixture.lose(losses)
    w = np.ones(n)
    for t in range(T):
        np.testing.assert_allclose(trace.p[t], w / w.sum(), rtol=1e-9)
        np.testing.assert_allclose(trace.losses[t], w @ losses[t] / w.sum(), rtol=1e-9, atol=1e-12)
        w *= np.exp(-eta * losses[t])
    best = losses.sum(axis=0).min()
    assert trace.total <= mw_bound(best, n, eta) + 1e-9
    assert trace.regret[-1] == pytest.approx(trace.total - best, abs=1e-9)
    if n > 1:
        well = Mixture(n, tuned(n, T)).lose(losses)
        assert well.eta == pytest.approx(mw_eta(n, T), rel=1e-14)
        assert well.regret[-1] / T <= mw_delta(n, T) + 1e-9


def test_rounds_one_by_one_and_together(monkeypatch: pytest.MonkeyPatch) -> None:
    from weaklearn.online import experts

    losses = np.random.default_rng(0).uniform(size=(50, 4))
    whole, single = Mixture(4, 0.3), Mixture(4, 0.3)
    trace = whole.lose(losses)
    alone = [single.lose(losses[t : t + 1]) for t in range(50)]
    assert [found.losses[0] for found in alone] == trace.losses.tolist()
    assert [found.regret[0] for found in alone] == trace.regret.tolist()
    monkeypatch.setattr(experts, "_AT_ONCE", 20)
    parts = Mixture(4, 0.3)
    assert (parts.lose(losses).p == trace.p).all()
    assert (parts.totals == whole.totals).all()
    assert len(Mixture(4, 0.3).lose(losses, keep=False).p) == 0
    assert "50 rounds" in repr(trace)
