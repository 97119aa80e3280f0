"""Cox's partial likelihood and accelerated failure times, beside plain numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from weaklearn import losses
from weaklearn.base.types import Floats

RNG = np.random.default_rng(8)
N = 60
TIMES = RNG.integers(1, 20, N).astype(float)  # with ties
Y = np.where(RNG.random(N) < 0.6, TIMES, -TIMES)
F = RNG.normal(size=N)
W = RNG.integers(1, 4, N)


def partial(F: Floats, w: Any = None) -> float:
    """Minus the logarithm of the partial likelihood, ties as by Breslow, term by term."""
    w = np.ones(N) if w is None else w
    cost = 0.0
    for i in range(N):
        if Y[i] > 0:
            there = np.abs(Y) >= Y[i]
            cost -= w[i] * (F[i] - np.log((w * np.exp(F))[there].sum()))
    return cost


def slopes(F: Floats, w: Any = None, step: float = 1e-5) -> Floats:
    moves = step * np.eye(N)
    return np.array([(partial(F + d, w) - partial(F - d, w)) / (2 * step) for d in moves])


@pytest.mark.parametrize("w", [None, W, W / 7], ids=["none", "copies", "weights"])
def test_the_gradient_is_that_of_the_partial_likelihood(w: Any) -> None:
    g = losses.Cox().adapted(Y, F, w).gradient(Y, F)
    np.testing.assert_allclose(g if w is None else w * g, slopes(F, w), atol=1e-7)


def test_the_value_is_the_partial_likelihood_but_for_a_constant() -> None:
    def mine(F: Floats) -> float:
        return float(losses.Cox().adapted(Y, F, W).value(Y, F) @ W)

    other = RNG.normal(size=N)
    assert mine(F) - mine(other) == pytest.approx(partial(F, W) - partial(other, W))


def test_the_curvature_is_no_less_than_the_likelihoods() -> None:
    c, step = losses.Cox().adapted(Y, F).curvature(Y, F), 1e-4
    moves = step * np.eye(N)
    bends = [(partial(F + d) - 2 * partial(F) + partial(F - d)) / step**2 for d in moves]
    assert (c >= np.array(bends) - 1e-5).all()


def test_breslow_by_hand() -> None:
    y = np.array([1.0, 2.0, -2.0, 2.0, -5.0])
    there = losses.Cox().adapted(y, np.zeros(5))
    assert there.times.tolist() == [1.0, 2.0]
    np.testing.assert_allclose(there.jumps, [1 / 5, 2 / 4])
    np.testing.assert_allclose(there.survival(np.zeros(1), np.array([0.5, 1, 9]))[0],
                               np.exp([0, -0.2, -0.7]))  # fmt: skip


def test_sums_over_risk_sets_have_no_order() -> None:
    rows = RNG.permutation(np.repeat(np.arange(N), W))
    weighed = losses.Cox().adapted(Y, F, W)
    copied = losses.Cox().adapted(Y[rows], F[rows])
    assert weighed.hazard.tobytes() == copied.hazard.tobytes()
    assert weighed.gradient(Y, F)[rows].tobytes() == copied.gradient(Y[rows], F[rows]).tobytes()
    for kind in (losses.AFT(), losses.AFT("extreme"), losses.AFT("normal")):
        assert kind.adapted(Y, F, W) == kind.adapted(Y[rows], F[rows])


def test_hazards_far_apart_stay_above_zero() -> None:
    far = np.where(np.arange(N) % 2, 300.0, -300.0)
    loss = losses.Cox().adapted(Y, far)
    assert np.isfinite(loss.jumps).all()
    assert (loss.jumps > 0).all()
    assert np.isfinite(loss.value(Y, far)).all()
    assert np.isfinite(loss.gradient(Y, far)).all()


def test_aft_in_plain_numpy() -> None:
    s, event = 0.7, Y > 0
    z = (np.log(TIMES) - F) / s
    logistic = np.where(event, z + 2 * np.log1p(np.exp(-z)) + np.log(s), np.log1p(np.exp(z)))
    np.testing.assert_allclose(losses.AFT(scale=s).value(Y, F), logistic, rtol=1e-12)
    extreme = np.where(event, np.exp(z) - z + np.log(s), np.exp(z))
    found = losses.AFT("extreme", s)
    np.testing.assert_allclose(found.value(Y, F), extreme, rtol=1e-12)
    survived = found.survival(F[:1], np.array([0.0, 1.0, 50.0]))[0]
    np.testing.assert_allclose(survived, np.exp(-np.exp((np.log([1e-300, 1, 50]) - F[0]) / s)))


def test_a_normal_time_by_scipys_distribution() -> None:
    s, event = 0.7, Y > 0
    z = (np.log(TIMES) - F) / s
    loss, step = losses.AFT("normal", s), 1e-5
    normal = np.where(event, -norm.logpdf(z) + np.log(s), -norm.logsf(z))
    np.testing.assert_allclose(loss.value(Y, F), normal, rtol=1e-12)
    slope = (loss.value(Y, F + step) - loss.value(Y, F - step)) / (2 * step)
    np.testing.assert_allclose(loss.gradient(Y, F), slope, rtol=1e-5, atol=1e-8)
    bend = (loss.gradient(Y, F + step) - loss.gradient(Y, F - step)) / (2 * step)
    np.testing.assert_allclose(loss.curvature(Y, F), bend, rtol=1e-5, atol=1e-8)
    survived = loss.survival(F[:1], np.array([0.0, 1.0, 50.0, np.inf]))[0]
    at = (np.log([1e-300, 1, 50, np.inf]) - F[0]) / s
    np.testing.assert_allclose(survived, norm.sf(at), rtol=1e-12)


@pytest.mark.parametrize("distribution", ["logistic", "extreme", "normal"])
def test_nobody_survives_for_ever(distribution: str) -> None:
    survived = losses.AFT(distribution, 1.0).survival(F, np.array([0.0, np.inf]))
    assert (survived == [1.0, 0.0]).all()


def test_a_normal_time_far_from_its_score() -> None:
    y, F = np.array([-1.0, -1.0, 1.0]), np.array([-1e6, 1e6, 1e6])
    loss = losses.AFT("normal", 1.0)
    np.testing.assert_allclose(loss.gradient(y, F), [-1e6, 0.0, 1e6])
    np.testing.assert_allclose(loss.curvature(y, F), [1.0, 0.0, 1.0])
    np.testing.assert_allclose(loss.value(y, F), [5e11, 0.0, 5e11])


@pytest.mark.parametrize("distribution", ["logistic", "extreme", "normal"])
def test_the_scale_is_the_likeliest(distribution: str) -> None:
    best = losses.AFT(distribution).adapted(Y, F, W)
    assert best.scale is not None

    def cost(scale: float) -> float:
        return float(losses.AFT(distribution, scale).value(Y, F) @ W)

    assert cost(best.scale) < min(cost(best.scale * 1.01), cost(best.scale / 1.01))


def test_a_weibull_is_found_again() -> None:
    y = np.exp(1.5 + 0.5 * np.log(RNG.exponential(size=20_000)))
    censored = RNG.exponential(20, len(y))
    seen = np.where(y <= censored, y, -censored)
    loss = losses.AFT("extreme")
    [at] = loss.best_constant(seen)
    assert at == pytest.approx(1.5, abs=0.02)
    assert loss.adapted(seen, np.full(len(y), at)).scale == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda: losses.AFT("gauss"), "distribution='gauss' is not allowed"),
        (lambda: losses.AFT(scale=0.0), "scale=0.0 is not allowed"),
        (lambda: losses.Cox().check_target(np.array([-1.0])), "y holds no event"),
        (lambda: losses.Cox().check_target(np.array([1.0, 0.0])), "times above 0"),
    ],
)
def test_what_is_refused(made: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        made()
