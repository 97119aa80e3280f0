"""Errors by their definitions, selection bias, choices by size: exact on finite distributions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn import DecisionStumpClassifier
from weaklearn.theory import FiniteDistribution, bounds, erm_sandwich, errors, srm_curve

quick = settings(deadline=None, max_examples=30)


@st.composite
def worlds(draw: Any) -> FiniteDistribution:
    k = draw(st.integers(2, 4))
    shares = draw(st.lists(st.integers(1, 9), min_size=k, max_size=k))
    labels = draw(st.lists(st.sampled_from([-1, 1]), min_size=k, max_size=k))
    return FiniteDistribution(np.arange(k), labels, [Fraction(s, sum(shares)) for s in shares])


def answers_of(code: int) -> Any:
    return lambda X: np.where((code >> np.asarray(X)) & 1, 1, -1)


@quick
@given(worlds(), st.integers(0, 15), st.integers(1, 5))
def test_the_training_error_is_the_true_one_on_average(
    world: FiniteDistribution, code: int, m: int
) -> None:
    h = answers_of(code)
    wrong = world.wrong(h).astype(int)
    samples = list(world.samples(m))
    assert sum(p for p, _ in samples) == 1
    expected = sum(p * Fraction(int(wrong @ counts), m) for p, counts in samples)
    assert expected == world.error(h)


@quick
@given(worlds(), st.lists(st.integers(0, 15), min_size=1, max_size=5), st.integers(1, 5))
def test_the_chosen_looks_better_than_it_is(
    world: FiniteDistribution, codes: list[int], m: int
) -> None:
    found = erm_sandwich(world, [answers_of(code) for code in codes], m)
    assert found.holds
    assert sum(found.chosen) == 1
    if len(set(codes)) == 1:
        assert found.expected_training == found.best == found.expected_true


def test_selection_bias_by_hand() -> None:
    """Two coins of which the luckier is chosen, two examples: E is 1/4, 1/2, 1/2."""
    world = {(0, 1): "1/4", (0, -1): "1/4", (1, 1): "1/4", (1, -1): "1/4"}
    found = erm_sandwich(world, [lambda X: np.ones(len(X)), lambda X: -np.ones(len(X))], 2)
    assert found.expected_training == Fraction(1, 4)
    assert (found.best, found.expected_true) == (Fraction(1, 2), Fraction(1, 2))
    assert "least true error in the class" in str(found)
    assert found.chosen == (Fraction(3, 4), Fraction(1, 4))  # the first on ties


def test_errors_of_a_fitted_model() -> None:
    X = np.arange(8.0)[:, None]
    y = np.array([0, 0, 0, 1, 0, 1, 1, 1])
    model = DecisionStumpClassifier().fit(X, y)
    found = errors(model, X, y, sample_weight=[1, 1, 1, 5, 1, 1, 1, 1], X_test=X + 0.2, y_test=y)
    assert found.training == np.mean(model.predict(X) != y) == 1 / 8
    weights = np.array([1, 1, 1, 5, 1, 1, 1, 1])
    assert found.weighted == weights[model.predict(X) != y].sum() / 12
    assert found.test == np.mean(model.predict(X + 0.2) != y)
    assert found.gap == found.test - found.training
    assert found.accuracy == 1 - found.test
    assert found.generalisation is None
    assert "generalisation" not in str(found)


def test_approximation_and_estimation_add_up() -> None:
    world = FiniteDistribution([0, 1, 1, 2], [-1, 1, -1, 1], ["1/2", "1/4", "1/8", "1/8"])
    pool = [lambda X, v=v: np.where(np.asarray(X) >= v, 1, -1) for v in range(4)]
    for h in pool:
        found = errors(h, distribution=world, hypotheses=pool)
        assert found.generalisation == found.approximation + found.estimation
        assert found.approximation == 0.125
        assert found.training is found.gap is None
    assert errors(pool[1], distribution=world).accuracy == 0.875
    assert errors([-1, 1, 1, 1], distribution=world).generalisation == 0.125  # labels themselves


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: errors([1], [[0.0]], [1, 1]), "y has shape"),
        (lambda: errors([1, 1], [[0.0]], [1]), r"answers of shape \(2,\) for 1 rows"),
        (lambda: errors([1], [[0.0]], [1], sample_weight=[0]), "only zero weights"),
        (lambda: errors([1], [[0.0]], [1], sample_weight=[-1]), "at least 0"),
        (lambda: errors([1], hypotheses=[[1]]), "without distribution"),
        (lambda: FiniteDistribution([0, 1], [1, 1], [0.5, 0.4]), "with the sum 1"),
        (lambda: FiniteDistribution([0, 1], [1, 1], [1.5, -0.5]), "at least 0"),
        (lambda: FiniteDistribution([0, 1], [1], [1]), "one of each"),
        (lambda: erm_sandwich({(0, 1): 1}, [], 2), "hypotheses is empty"),
        (lambda: erm_sandwich({(0, 1): 1}, [[1]], 0), "m must be a whole number"),
        (lambda: erm_sandwich({(i, 1): "1/20" for i in range(20)}, [[1] * 20], 30), "small enough"),
        (lambda: srm_curve([], [], 10), "err must be one number a hypothesis"),
        (lambda: srm_curve([0.1], [0], 10), "size must be a finite number of at least 1"),
        (lambda: srm_curve([0.1], [1], 10, hypotheses=[1, 2]), "hypotheses has 2 entries"),
    ],
)
def test_refusals(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_a_distribution_must_be_one() -> None:
    with pytest.raises(TypeError, match="pass \\(X, y, p\\)"):
        erm_sandwich(3, [[1]], 2)


def test_draws_follow_the_probabilities() -> None:
    world = FiniteDistribution([0, 1, 2], [1, -1, 1], [0.5, 0.3, 0.2])
    X, y = world.draw(20_000, np.random.default_rng(0))
    assert np.bincount(X) / 20_000 == pytest.approx([0.5, 0.3, 0.2], abs=0.015)
    assert (y == np.array([1, -1, 1])[X]).all()


# ----------------------------------------------------------------------------------- choice by size


def test_the_choice_by_size() -> None:
    err, size = [0.4, 0.2, 0.12, 0.1, 0.09], [2, 8, 20, 80, 300]
    curve = srm_curve(err, size, 2000, 0.05, hypotheses="abcde")
    each = [bounds.size_regularised(e, s, 2000, 0.05) for e, s in zip(err, size, strict=True)]
    assert curve.bound == pytest.approx(each)
    assert (curve.best, curve.hypothesis) == (int(np.argmin(each)), "c")
    assert not curve.vacuous
    rising = srm_curve([0.1] * 5, size, 2000).bound
    assert (np.diff(rising) > 0).all()  # at one error the bound grows with the size
    assert srm_curve([0.2, 0.2], [9, 4], 100, hypotheses=["long", "short"]).hypothesis == "short"
    assert srm_curve(0.1, [10**6], 100).vacuous


def test_another_bound_by_size() -> None:
    dims = np.array([1, 2, 4, 8])
    curve = srm_curve(
        [0.3, 0.2, 0.15, 0.14], dims, 10**6, 0.05,
        upper=lambda err, d, m, delta: bounds.vc_upper(err, m, d, delta / 4),
    )  # fmt: skip
    assert curve.bound[2] == pytest.approx(bounds.vc_upper(0.15, 10**6, 4, 0.0125))
    assert math.isclose(curve.penalty[2], curve.bound[2] - 0.15)
