"""Plans are least, and runs honour them; the confidence is boosted as far as promised."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.boosters.promises import quietly
from weaklearn import (
    AdaBoostClassifier,
    AlphaBoostClassifier,
    BoostingWarning,
    DecisionStumpClassifier,
    GammaMajorityClassifier,
    MadaBoostClassifier,
)
from weaklearn.testing import FlakyLearner
from weaklearn.theory import boost_confidence as boost
from weaklearn.theory import bounds, plan, strong_learner

quick = settings(deadline=None, max_examples=40)
GAMMA = 1 / 6  # of stumps where the labels change twice on a line


def draw(n: int, rng: Any) -> tuple[Any, Any]:
    x = rng.integers(0, 16, size=(n, 1)).astype(float)
    return x, np.where((x[:, 0] > 4) & (x[:, 0] < 11), 1, -1)


# ----------------------------------------------------------------------------------------- the plan


def enough(m: int, gamma: float, eps: float, delta: float, b: float) -> bool:
    """The definition: T(m) first odd above ln m / (2 gamma^2), and m as large as it asks for."""
    T = math.floor(math.log(m) / (2 * gamma**2)) + 1
    T += 1 - T % 2
    return m >= (b * T * math.log(2) + math.log(2 / delta)) / eps


@quick
@given(
    st.sampled_from([0.1, 0.2, 0.3, 0.5]),
    st.floats(0.05, 0.9),
    st.floats(0.01, 0.9),
    st.integers(1, 12),
)
def test_a_plan_is_the_least(gamma: float, eps: float, delta: float, b: int) -> None:
    made = plan(gamma, eps, delta, bits=b)
    assert enough(made.m, gamma, eps, delta, b)
    assert not any(enough(m, gamma, eps, delta, b) for m in range(1, made.m))
    assert made.T % 2 == 1
    assert made.T - 2 <= math.log(made.m) / (2 * gamma**2) < made.T
    assert bounds.gamma_boost_mistakes_exp(made.m, gamma, made.T) < 1


@quick
@given(st.sampled_from([0.1, 0.3]), st.sampled_from([0.1, 0.4]), st.integers(1, 5), st.booleans())
def test_a_plan_by_growth_is_the_least(gamma: float, eps: float, d: int, weighted: bool) -> None:
    made = plan(gamma, eps, 0.1, vc_dim=d, weighted=weighted)

    def error(m: int) -> float:
        T = math.floor(math.log(m) / (2 * gamma**2)) + 1
        T += 1 - T % 2
        lg = T * math.log2(sum(math.comb(2 * m, i) for i in range(d + 1)))
        lg += T * math.log2(2 * math.e * m / T) if weighted else 0
        return bounds.consistent_growth(lg, m, 0.05)

    assert error(made.m) <= eps * (1 + 1e-9)
    assert error(made.m - 1) > eps * (1 - 1e-9)
    plain = plan(gamma, eps, 0.1, vc_dim=d)
    assert plain.m <= made.m


def test_growth_by_sauer() -> None:
    for n in (1, 5, 40):
        for d in (1, 3, 5, 50):
            exact = math.log2(sum(math.comb(n, i) for i in range(min(n, d) + 1)))
            assert bounds.lg_sauer(n, d) == pytest.approx(exact, rel=1e-12)


def test_tries_leave_half_of_the_doubt() -> None:
    made = plan(0.2, 0.1, 0.02, bits=8, success_probability=0.25)
    assert made.tries == bounds.resample_tries(made.T, 0.01, 0.25)
    assert made.T * 0.75**made.tries <= 0.01
    assert plan(0.2, 0.1, 0.02, bits=8).tries == 1


def test_a_plan_prints_as_a_table() -> None:
    text = str(plan(0.1, 0.1, 0.05, bits=20))
    for words in ("examples to draw", "78363", "rounds to run", "565", "20 bits"):
        assert words in text
    assert len(plan(0.1, 0.1, 0.05).to_frame()) == 7
    assert plan(0.1, 0.1, 0.05) == plan(0.1, 0.1, 0.05, bits=64)


def test_tiny_edges_have_plans_too() -> None:
    made = plan(1e-6, 1e-3, 1e-3)
    assert made.m > 10**17
    assert made.T > 10**13
    with pytest.raises(ValueError, match="more examples than numbers can count"):
        plan(1e-200, 0.1, 0.1)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("gamma", [0, 0.6, -1, math.nan]),
        ("eps", [0, 1, -0.1, 2, math.nan]),
        ("delta", [0, 1, -0.1, 2, math.nan]),
        ("bits", [0, -1, math.nan, math.inf]),
        ("vc_dim", [0, -1, 2.5]),
        ("success_probability", [0, 1.5, math.nan]),
    ],
)
def test_plans_that_cannot_be(name: str, values: list[Any]) -> None:
    for value in values:
        how: dict[str, Any] = {"gamma": 0.1, "eps": 0.1, "delta": 0.1, name: value}
        argument = "b" if name == "bits" else name
        with pytest.raises(ValueError, match=f"^{argument}( must be|=)"):
            plan(**how)
    with pytest.raises(ValueError, match="both given"):
        plan(0.1, 0.1, 0.1, bits=3, vc_dim=3)


# ------------------------------------------------------------------------------------------ the run


def test_a_strong_learner_is_consistent_and_good() -> None:
    seen = []
    for seed in range(5):
        strong = strong_learner(
            GammaMajorityClassifier(), draw, GAMMA, 0.2, 0.1, bits=6, random_state=seed
        )
        assert strong.consistent
        assert (strong.model.n_iter_, strong.model.gamma) == (strong.T, GAMMA)
        assert strong.model.certify()[0].holds
        X, y = draw(4000, np.random.default_rng(100 + seed))
        seen.append(1 - strong.model.score(X, y))
    assert np.mean(np.array(seen) <= 0.2) >= 0.9


def test_a_flaky_learner_is_tried_until_it_is_good() -> None:
    flaky = FlakyLearner(success_probability=0.5, random_state=2)
    strong = strong_learner(
        GammaMajorityClassifier(flaky), draw, 0.1, 0.4, 0.1, bits=2, success_probability=0.4
    )
    assert strong.model.resample["on_failure"] == "fail"
    assert (strong.model.history_["gamma"] >= 0.1).all()
    assert strong.consistent


def test_a_plan_too_large_is_not_run() -> None:
    def never(n: int, rng: Any) -> Any:
        raise AssertionError("nothing may be drawn")

    booster = GammaMajorityClassifier()
    made = strong_learner(booster, never, 0.001, 0.01, 0.01)
    assert (made.model, made.consistent) == (None, None)
    assert made == plan(0.001, 0.01, 0.01)
    assert strong_learner(booster, never, 0.2, 0.1, 0.1, most_examples=50).model is None
    few = draw(100, np.random.default_rng(0))
    assert strong_learner(booster, few, GAMMA, 0.2, 0.1, bits=6).model is None  # too few rows
    many = draw(5000, np.random.default_rng(0))
    assert strong_learner(booster, many, GAMMA, 0.2, 0.1, bits=6).consistent


def test_weighted_votes_take_a_plan_of_their_own() -> None:
    how = {"gamma": 0.3, "eps": 0.3, "delta": 0.2, "bits": 2}
    with pytest.warns(BoostingWarning, match="weighted=True"):
        strong_learner(AdaBoostClassifier(on_perfect="smooth"), draw, **how)  # type: ignore[arg-type]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ada = AdaBoostClassifier(on_perfect="smooth")
        strong = strong_learner(ada, draw, **how, weighted=True)  # type: ignore[arg-type]
    assert strong.consistent
    assert strong.model.n_iter_ == strong.T


def test_a_broken_promise_is_told() -> None:
    def coin(n: int, rng: Any) -> Any:
        return rng.random((n, 1)), rng.choice([-1, 1], n)

    with pytest.warns(BoostingWarning, match="errs on .* of its .* examples"):
        strong = strong_learner(AlphaBoostClassifier(), coin, 0.3, 0.3, 0.2, bits=1)
    assert strong.consistent is False
    with pytest.raises(TypeError, match="MadaBoostClassifier has no parameter resample"):
        strong_learner(MadaBoostClassifier(), draw, 0.3, 0.3, 0.2, bits=1, success_probability=0.5)


# ----------------------------------------------------------------------------------- the confidence


def test_the_confidence_is_boosted() -> None:
    flaky = AdaBoostClassifier(
        FlakyLearner(success_probability=0.4, random_state=7), n_estimators=1
    )

    def line(n: int, rng: Any) -> Any:
        x = rng.random((n, 1))
        return x, np.where(x[:, 0] > 0.4, 1, -1)

    X, y = line(500, np.random.default_rng(1000))

    def error(seed: int) -> float:
        sure = boost(
            flaky, line, 0.3, 0.2, success_probability=0.4, n_examples=40, random_state=seed
        )
        assert sure.k == bounds.confidence_k_success(0.4, 0.1) == 5
        assert sure.n_validation == bounds.confidence_validation(5, 0.3, 0.2)
        assert sure.chosen == np.argmin(sure.errors)
        return 1 - sure.model.score(X, y)

    errors = quietly(lambda: [error(seed) for seed in range(40)])
    # One try is good to 0.1 with probability 0.4: the best of five misses 0.1 + eps in at most 0.2.
    assert np.mean(np.array(errors) > 0.4) <= 0.2 + 0.15


def test_rows_are_divided_into_chunks() -> None:
    X, y = draw(3000, np.random.default_rng(0))
    order = np.random.default_rng(1).permutation(3000)
    one = boost(DecisionStumpClassifier(), (X, y), 0.2, 0.1)
    other = boost(DecisionStumpClassifier(), (X[order], y[order]), 0.2, 0.1)
    assert one.errors.tolist() == other.errors.tolist()  # the order of rows does not matter
    assert one.k * one.n_examples + one.n_validation <= 3000
    assert (one.k + 1) * one.n_examples > 3000 - one.n_validation - one.k
    assert len(one.errors) == one.k
    single = boost(DecisionStumpClassifier(), (X, y), 0.2, 0.1, success_probability=1)
    assert (single.k, single.n_validation, single.n_examples, single.chosen) == (1, 0, 3000, 0)
    assert len(single.errors) == 0


class Constant:
    """A learner that says the label it saw last, and knows no parameters."""

    def fit(self, X: Any, y: Any) -> Any:
        self.label = y[-1]
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.label)


def test_ties_go_to_the_first() -> None:
    X, y = np.zeros((2000, 1)), np.ones(2000)
    assert boost(Constant(), (X, y), 0.3, 0.1).chosen == 0


def test_what_is_refused() -> None:
    X, y = draw(60, np.random.default_rng(0))
    with pytest.raises(ValueError, match="X has 60 rows: 5 models and 1060 rows"):
        boost(Constant(), (X, y), 0.1, 0.1)
    with pytest.raises(ValueError, match="X has 60 rows, y has 5 values"):
        boost(Constant(), (X, y[:5]), 0.5, 0.5)
    with pytest.raises(ValueError, match="n_examples is None"):
        boost(Constant(), draw, 0.1, 0.1)
    with pytest.raises(TypeError, match="pass a pair"):
        boost(Constant(), X, 0.1, 0.1)
    with pytest.raises(ValueError, match="returned 3 examples"):
        boost(Constant(), lambda n, rng: draw(3, rng), 0.1, 0.1, n_examples=5)
    for name, value in (("eps", 0), ("delta", 1), ("success_probability", 0)):
        how: dict[str, Any] = {"eps": 0.1, "delta": 0.1, name: value}
        with pytest.raises(ValueError, match=name):
            boost(Constant(), draw, **how, n_examples=5)
