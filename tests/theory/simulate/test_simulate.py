"""Every statement about chance, tried on samples with fixed seeds.

A true statement is called violated here with a chance of one in a million (``simulate.LEVEL``): so
many failures, or more, would otherwise be that unlikely.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from weaklearn import DecisionTreeRegressor, GammaMajorityClassifier
from weaklearn.theory import boost_confidence, bounds, compression_scheme, simulate
from weaklearn.theory.simulate import Coverage, Line

# ------------------------------------------------------------------------------ the harness itself


def test_a_false_statement_is_found_out() -> None:
    """The best of fifty guessers, judged by a bound for one that was fixed before."""

    def trial(rng: np.random.Generator) -> tuple[float, float]:
        err = rng.binomial(100, 0.5, size=50).min() / 100
        return 0.5, bounds.single_upper(err, 100, 0.1)

    def repaired(rng: np.random.Generator) -> tuple[float, float]:
        err = rng.binomial(100, 0.5, size=50).min() / 100
        return 0.5, bounds.finite_class_upper(err, math.log(50), 100, 0.1)

    lucky = simulate.coverage(trial, 0.1, trials=200)
    assert not lucky.holds
    assert lucky.rate > 0.4
    assert simulate.coverage(repaired, 0.1, trials=200).holds


def test_failures_are_judged_by_the_binomial() -> None:
    observed, bound = np.array([1.0] * 30 + [0.0] * 70), np.full(100, 0.5)
    found = Coverage(observed, bound, delta=0.1)
    assert (found.trials, found.failures, found.rate) == (100, 30, 0.3)
    tail = sum(math.comb(100, j) * 0.1**j * 0.9 ** (100 - j) for j in range(30, 101))
    assert found.p_value == pytest.approx(tail)
    assert not found.holds
    assert Coverage(observed, bound, delta=0.2).holds
    assert not Coverage(np.array([1.0]), np.array([0.5]), delta=0.0).holds
    assert Coverage(np.array([math.nan]), np.array([1.0]), delta=0.5).failures == 1


def test_equality_up_to_rounding_is_no_failure() -> None:
    assert Coverage(np.array([0.1 + 0.2]), np.array([0.3]), delta=0.0).failures == 0


def test_expectations() -> None:
    assert simulate.expectation(lambda rng: rng.random(), 0.5, trials=500).holds
    assert not simulate.expectation(lambda rng: rng.random(), 0.3, trials=500).holds


def test_trials_are_keyed() -> None:
    def trial(rng: np.random.Generator) -> tuple[float, float]:
        return rng.random(), 0.5

    few, many = (simulate.coverage(trial, 0.5, trials=n, seed=3) for n in (5, 20))
    assert (few.observed == many.observed[:5]).all()
    assert (simulate.coverage(trial, 0.5, trials=5, seed=4).observed != few.observed).any()


def test_results_print_and_refuse() -> None:
    text = str(simulate.thresholds("single_upper", trials=20))
    assert "failures" in text
    assert "allowed" in text
    assert "mean" in str(simulate.expectation(lambda rng: 0.1, 0.5, trials=3))
    with pytest.raises(ValueError, match="trials must be a whole number of at least 1, got 0"):
        simulate.coverage(lambda rng: (0.0, 1.0), 0.1, trials=0)
    with pytest.raises(ValueError, match=r"statement='luck' is not allowed: .*single_upper"):
        simulate.thresholds("luck")


def test_errors_on_the_line() -> None:
    line = Line(noise=0.2, cut=0.4)
    sample = line.draw(200_000, np.random.default_rng(0))
    nu = np.array([0.0, 0.3, 0.4, 0.9, 1.0])
    assert sample.err(nu) == pytest.approx(line.error(nu), abs=0.005)
    slow = [np.mean(np.where(sample.x >= v, 1, -1) != sample.y) for v in nu]
    assert sample.err(nu) == pytest.approx(slow, rel=1e-12)
    small = line.draw(7, np.random.default_rng(1))
    err, true = small.ends()
    grid = np.linspace(0, 1, 10_001)
    gap = line.error(grid) - small.err(grid)
    assert (true - err).max() == pytest.approx(gap.max(), abs=1e-3)


# ------------------------------------------------------------------------- bounds on the true error


@pytest.mark.parametrize("statement", sorted(simulate.STATEMENTS))
@pytest.mark.parametrize(("m", "delta"), [(30, 0.3), (120, 0.05)])
def test_bounds_on_thresholds_hold(statement: str, m: int, delta: float) -> None:
    found = simulate.thresholds(statement, m=m, delta=delta, trials=250, seed=m)
    assert found.holds, str(found)


EPS, DELTA = 0.15, 0.2
LN = math.log(33)  # thresholds on a grid of 33
SIZES: list[tuple[str, float]] = [  # statements whose width is eps at so many examples
    ("single_upper", bounds.single_m(EPS, DELTA)),
    ("single_two_sided_width", bounds.single_two_sided_m(EPS, DELTA)),
    ("finite_class_upper", bounds.finite_class_m(LN, EPS, DELTA)),
    ("uniform_width", bounds.uniform_m(LN, EPS, DELTA)),
    ("consistent_finite", bounds.pac_finite_m(LN, EPS, DELTA)),
    ("consistent_finite", bounds.occam_consistent_m(LN, EPS, DELTA)),
    ("occam_bits_err", bounds.occam_bits_m(5, EPS, DELTA)),
    ("vc_occam_err", bounds.vc_occam_smallest_m_as_proved(1, EPS, DELTA)),
    ("consistent_vc", bounds.consistent_vc_smallest_m(1, EPS, DELTA)),
    ("vc_uniform_width_as_proved", bounds.vc_uniform_smallest_m_as_proved(1, EPS, DELTA)),
    ("compression_consistent", bounds.compression_consistent_smallest_m(2, EPS, DELTA)),
]


@pytest.mark.parametrize(("statement", "m"), SIZES)
def test_so_many_examples_are_enough(statement: str, m: float) -> None:
    """The true error is at most eps (above the training error) with the m that is promised."""
    found = simulate.thresholds(statement, m=math.ceil(m), delta=DELTA, trials=120)
    assert found.holds
    line = Line(0.0)
    if statement in ("consistent_finite", "vc_occam_err", "consistent_vc"):
        worst = simulate.pac(found.observed, EPS, DELTA)
        assert worst.holds
        assert float(line.error(np.array(0.5))) == 0


def test_chances_of_one_hypothesis() -> None:
    rng = np.random.default_rng(0)
    for m, p, eps in ((20, 0.3, 0.15), (50, 0.5, 0.1), (200, 0.1, 0.04)):
        mean = rng.binomial(m, p, size=20_000) / m
        low = Coverage((mean <= p - eps + 1e-12) * 1.0, np.zeros(20_000),
                       float(bounds.hoeffding_one_sided(m, eps)))  # fmt: skip
        both = Coverage((np.abs(mean - p) >= eps - 1e-12) * 1.0, np.zeros(20_000),
                        float(bounds.hoeffding_two_sided(m, eps)))  # fmt: skip
        assert low.holds
        assert both.holds
        exact = bounds.binomial_lower_tail(m, p, eps)
        assert low.rate == pytest.approx(exact, abs=5 * math.sqrt(exact / 20_000) + 1e-3)


def test_exact_intervals_cover() -> None:
    rng = np.random.default_rng(1)
    for m, p in ((10, 0.02), (40, 0.3), (100, 0.97)):
        k = rng.binomial(m, p, size=4000)
        truth = np.full(4000, p)
        upper = Coverage(truth, np.asarray(bounds.binomial_upper(k, m, 0.1)), 0.1)
        lower = Coverage(np.asarray(bounds.binomial_lower(k, m, 0.1)), truth, 0.1)
        assert upper.holds
        assert lower.holds
        hoeffding = np.asarray(bounds.single_upper(k / m, m, 0.1))
        assert (upper.bound <= hoeffding * (1 + 1e-12)).all()


def test_a_lucky_guesser() -> None:
    rng = np.random.default_rng(2)
    for N, n, k in ((50, 10, 8), (50, 10, 9), (7, 20, 14)):
        best = rng.binomial(n, 0.5, size=(20_000, N)).max(axis=1)
        assert (best >= k).mean() == pytest.approx(bounds.best_of_many(N, n, k), abs=0.02)


def test_chances_of_a_class() -> None:
    line = Line(0.1)
    grid = np.linspace(0, 1, 33)

    def looks_better(m: int, eps: float, everywhere: bool, trials: int) -> float:
        count = 0
        for t in range(trials):
            sample = line.draw(m, np.random.default_rng([5, t]))
            err, true = sample.ends() if everywhere else (sample.err(grid), line.error(grid))
            count += bool((true - err >= eps).any())
        return count / trials

    allowed = bounds.finite_class_failure(33, 100, 0.14)
    assert looks_better(100, 0.14, False, 400) <= allowed + 0.05
    for allowed in (bounds.growth_failure(1001, 1000, 0.6), bounds.vc_failure(1000, 1, 0.6)):
        assert allowed < 0.5
        assert looks_better(1000, 0.6, True, 100) <= allowed


def test_disjunctions() -> None:
    """All disjunctions of d variables at once: those that fit the examples are good."""
    d, eps, delta = 4, 0.2, 0.2
    points = (np.arange(2**d)[:, None] >> np.arange(d)) & 1
    rules = ((points[:, None, :] & points[None, :, :]).any(axis=2)).T  # rule, point
    m = math.ceil(bounds.disjunction_m(d, eps, delta))

    def trial(rng: np.random.Generator) -> tuple[float, float]:
        target, chances = rules[rng.integers(len(rules))], rng.dirichlet(np.ones(2**d))
        rows = rng.choice(2**d, size=m, p=chances)
        fits = (rules[:, rows] == target[rows]).all(axis=1)
        true = (rules[fits] != target) @ chances
        return float(true.max()), eps

    found = simulate.coverage(trial, delta, trials=300)
    assert found.holds
    assert found.observed.max() > 0


def test_rectangles_compress() -> None:
    """Four examples in the plane; the true error is the area that is missed."""
    low, high = np.array([0.2, 0.3]), np.array([0.7, 0.9])

    def trial(rng: np.random.Generator) -> tuple[float, float]:
        X = rng.random((80, 2))
        y = np.where(((low <= X) & (X <= high)).all(axis=1), 1, -1)
        kept = compression_scheme("rectangle", X, y, delta=0.1)
        assert kept.verified
        assert len(kept.kept) <= 4
        assert kept.bound == pytest.approx(bounds.compression_consistent(80, 4, 0.1))
        inside = X[y > 0]
        area = np.prod(np.ptp(inside, axis=0)) if len(inside) else 0.0
        return float(np.prod(high - low) - area), float(kept.bound)

    assert simulate.coverage(trial, 0.1, trials=200).holds


def test_fewer_examples_are_not_enough() -> None:
    """The distribution that shows it: d - 1 rare points, and labels that could be anything."""
    d, eps, delta = 17, 0.05, 0.01
    m = math.floor((d - 1) / (32 * eps))
    assert m < bounds.vc_lower_m(d, eps, delta)
    chances = np.array([1 - 8 * eps, *[8 * eps / (d - 1)] * (d - 1)])
    rng = np.random.default_rng(3)
    failed = 0
    for _ in range(2000):
        target = rng.integers(0, 2, size=d)
        seen = np.zeros(d, bool)
        seen[rng.choice(d, size=m, p=chances)] = True
        guess = np.where(seen, target, 0)
        failed += bool(chances[guess != target].sum() > eps)
    assert failed / 2000 > delta


# ------------------------------------------------------------------------------- votes and averages


def test_margins() -> None:
    found = simulate.margins(trials=20)
    assert found.holds
    assert found.bound.max() < 0.5  # not an empty promise
    assert found.observed.max() > 0


@pytest.mark.parametrize("success", [0.2, 0.5, 0.9])
def test_confidence(success: float) -> None:
    assert simulate.confidence(success_probability=success, trials=500).holds


def test_tries() -> None:
    rng = np.random.default_rng(4)
    for T, p, delta in ((20, 0.5, 0.2), (100, 0.9, 0.1), (5, 0.1, 0.3)):
        k = bounds.resample_tries(T, delta, p)
        waits = rng.geometric(p, size=(5000, T)).max(axis=1)
        assert Coverage(waits * 1.0, np.full(5000, float(k)), delta).holds
        k = bounds.confidence_k_success(p, delta)
        assert Coverage(rng.geometric(p, size=5000) * 1.0, np.full(5000, float(k)), delta).holds


def test_filtering_seldom_waits_in_vain() -> None:
    eps, delta, rng = 0.2, 0.3, np.random.default_rng(6)
    t, r = np.meshgrid(np.arange(1, 6), np.arange(1, 31), indexing="ij")
    limit = np.asarray(bounds.filterboost_draw_limit(t, r, eps, delta))
    waits = rng.geometric(eps / 2, size=(3000, *limit.shape))
    given_up = (waits > limit).any(axis=(1, 2)) * 1.0
    assert Coverage(given_up, np.zeros(3000), delta / 3).holds


def test_boosted_confidence() -> None:
    """A learner that is right or hopeless, by the real thing."""

    class Flaky:
        def fit(self, X: Any, y: Any) -> Any:
            self.good = bool(np.asarray(X)[0, 0] < 0.5)
            return self

        def predict(self, X: Any) -> Any:
            right = np.where(np.asarray(X)[:, 0] > 0.4, 1, -1)
            return right if self.good else np.ones(len(right))

    def draw(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
        X = rng.random((n, 1))
        return X, np.where(X[:, 0] > 0.4, 1, -1)

    chosen = [
        boost_confidence(Flaky(), draw, 0.2, 0.2, n_examples=1, random_state=seed).model.good
        for seed in range(60)
    ]
    assert simulate.pac(np.where(chosen, 0.0, 0.4), 0.2, 0.2).holds


def test_weak_to_strong() -> None:
    def draw(n: int, rng: np.random.Generator) -> tuple[Any, Any]:
        x = rng.integers(0, 16, size=(n, 1))
        return x, np.where((x[:, 0] > 4) & (x[:, 0] < 11), 1, -1)

    found = simulate.weak_to_strong(
        GammaMajorityClassifier(), draw, 1 / 6, 0.2, 0.1, bits=6, trials=8, n_test=2000
    )
    assert found.holds
    assert found.trials == 8
    with pytest.raises(ValueError, match="more than most_examples"):
        simulate.weak_to_strong(
            GammaMajorityClassifier(), draw, 0.01, 0.2, 0.1, bits=6, most_examples=1000
        )


def test_averages() -> None:
    def truth(x: Any) -> Any:
        return np.sin(6 * np.asarray(x)[:, 0])

    def sampler(rng: np.random.Generator) -> tuple[Any, Any]:
        x = rng.uniform(size=(50, 1))
        return x, truth(x) + rng.normal(scale=0.3, size=50)

    curve = simulate.bagging(
        DecisionTreeRegressor(max_depth=4), sampler, truth, members=(1, 2, 4), n_averages=40
    )
    assert curve.holds
    variance, bias = curve.others["variance"], curve.others["bias_sq"]
    assert curve.observed == pytest.approx(variance + bias, rel=1e-9)
    assert bias == pytest.approx(bias[0], rel=1e-9)  # averages keep it
    assert variance[1] == pytest.approx(variance[0] / 2, rel=0.3)
    assert variance[2] == pytest.approx(variance[0] / 4, rel=0.3)
    assert curve.observed[0] == pytest.approx(curve.bound[0])
    assert "members" in str(curve)


def test_averaging_does_not_help_the_zero_one_loss() -> None:
    """Right with probability 0.4 at x: the majority of many is always wrong."""
    right = np.random.default_rng(0).random((1001, 50)) < 0.4
    assert right.mean() == pytest.approx(0.4, abs=0.01)
    assert not (right.mean(axis=0) > 0.5).any()


# ---------------------------------------------------------------------------- one example at a time


@pytest.mark.parametrize("passes", [1, 3])
def test_mistakes(passes: int) -> None:
    curve = simulate.mistakes(passes=passes, seed=passes)
    assert curve.holds
    assert (curve.observed >= 1).all()


def test_stopping_at_random() -> None:
    found = simulate.stopped_at_random(trials=60)
    assert found.holds
    assert found.values.max() > 0


def test_a_large_gap() -> None:
    found = simulate.after_a_gap(trials=60)
    assert found.holds
    assert found.observed.max() > 0


def test_separated_examples_are() -> None:
    X, y = simulate.separated(500, 0.25, np.random.default_rng(0))
    assert np.linalg.norm(X, axis=1) == pytest.approx(np.ones(500))
    assert (y * X[:, 0] >= 0.25 - 1e-12).all()
    assert {-1, 1} == set(y.tolist())
