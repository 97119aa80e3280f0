"""Data with noise: labels flipped, and constructions on which convex boosters fail."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from tests.samples import sample_of
from weaklearn import AdaBoostLClassifier, GentleBoostClassifier, RealAdaBoostClassifier, datasets
from weaklearn.datasets import flip_labels, long_servedio, make_three_piece, noisy_bits
from weaklearn.learners import StumpLearner

LOSSES = {"exponential": lambda z: np.exp(-z), "logistic": lambda z: np.logaddexp(0, -z)}
LEAST = {"exponential": (1.240, 2.431, -0.0496), "logistic": (2.780, 4.307, -0.0636)}


def column(j: int, X: Any) -> Any:
    return np.asarray(X)[:, j]


def steepest(X: Any, y: Any, D: Any) -> Any:
    """x_1 or x_2, whichever correlates more with the labels."""
    return partial(column, int(np.abs((D * y) @ X).argmax()))


# ----------------------------------------------------------------------------------- long_servedio


@pytest.mark.parametrize(
    ("booster", "loss"),
    [
        (RealAdaBoostClassifier, "exponential"),
        (GentleBoostClassifier, "exponential"),
        (AdaBoostLClassifier, "logistic"),
    ],
)
def test_boosters_of_convex_losses_end_at_the_minimum_and_fail(booster: Any, loss: str) -> None:
    X, y = long_servedio(1 / 24, 9)
    model = booster(steepest, n_estimators=500).fit(X, y)
    a = np.zeros(2)
    for vote, h in model.ensemble_:
        a[h.rule.args[0]] += vote
    a_1, a_2, penaliser = LEAST[loss]
    assert a == pytest.approx((a_1, a_2), abs=6e-4)
    assert model.decision_function(X[1:2])[0] == pytest.approx(penaliser, abs=6e-5)
    clean, right = long_servedio(1 / 24, 9, 0)
    assert model.score(clean, right) == 0.5


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(("gamma", "error"), [(1 / 24, 0.5), (1 / 12, 0.0)])
def test_the_minimum_itself(loss: str, gamma: float, error: float) -> None:
    X, y = long_servedio(gamma)
    best = minimize(lambda a: LOSSES[loss](y * (X @ a)).mean(), [1.0, 1.0], tol=1e-12).x
    assert np.mean(X[:4] @ best <= 0) == error


def test_one_rule_is_right_everywhere() -> None:
    X, y = long_servedio()
    assert (X[:, 0] > 0).all()
    assert (y[:36] == 1).all()
    assert 24 * X[:4] == pytest.approx(np.array([[24, 0], [1, -1], [1, -1], [1, 5]]))
    assert long_servedio(0.1, 3, 2)[0].shape == (20, 2)


# -------------------------------------------------------------------------------------- noisy_bits


def test_the_majority_of_bits_is_the_label() -> None:
    X, y = noisy_bits(4000, noise=0.0, random_state=3)
    assert set(np.unique(X)) == {-1.0, 1.0}
    assert (np.sign(X.sum(axis=1)) == y).all()
    agree = X * y[:, None] > 0
    whole = agree.all(axis=1).mean()
    split = (agree[:, :11].all(axis=1) & ~agree[:, 11:].any(axis=1)).mean()
    mixed = ((agree[:, :11].sum(axis=1) == 5) & (agree[:, 11:].sum(axis=1) == 6)).mean()
    assert (whole, split, mixed) == pytest.approx((0.25, 0.25, 0.5), abs=0.03)
    assert whole + split + mixed == 1
    assert y.mean() == pytest.approx(0, abs=0.05)


def test_noise_flips_labels_alone() -> None:
    X, y = noisy_bits(3000, noise=0.0, random_state=5)
    X_noisy, y_noisy = noisy_bits(3000, noise=0.2, random_state=5)
    assert (X == X_noisy).all()
    assert np.mean(y != y_noisy) == pytest.approx(0.2, abs=0.03)


# ------------------------------------------------------------------------------------- flip_labels


def test_labels_of_many_classes_are_flipped_to_any_other() -> None:
    y = np.repeat(["a", "b", "c"], 4000)
    noisy = flip_labels(y, 0.3, random_state=1)
    assert np.mean(noisy != y) == pytest.approx(0.3, abs=0.02)
    for label in "abc":
        others = noisy[(y == label) & (noisy != label)]
        assert np.mean(others == min(set("abc") - {label})) == pytest.approx(0.5, abs=0.05)
    assert (y == np.repeat(["a", "b", "c"], 4000)).all()  # as it was
    assert (flip_labels(y, 0.3, random_state=1) == noisy).all()
    assert (flip_labels(y, 0.3, random_state=2) != noisy).any()
    assert (flip_labels(y, 0.0) == y).all()
    assert (flip_labels(y, 1.0) != y).all()
    assert flip_labels(["x", "x"], 1.0).tolist() == ["x", "x"]
    assert len(flip_labels([0, 1], random_state=np.random.default_rng(3))) == 2
    assert len(flip_labels([0, 1], random_state=np.random.RandomState(3))) == 2


# -------------------------------------------------------------------------------- make_three_piece


def test_some_stump_errs_on_a_third_at_most_whatever_the_weights() -> None:
    for seed in range(20):
        X, y = make_three_piece(30, random_state=seed)
        rng = np.random.default_rng(seed)
        sample = sample_of(X, y)
        D = sample.weighed(rng.exponential(size=30) ** 3)
        h = StumpLearner().bind(sample)(D, sample.y)
        assert D.array @ (h(sample) != sample.y) <= 1 / 3 + 1e-12


def test_pieces() -> None:
    X, y = make_three_piece(500, ends=(0.2, 0.5), inside=1)
    inside = (X[:, 0] >= 0.2) & (X[:, 0] <= 0.5)
    assert (y == np.where(inside, 1, -1)).all()
    flipped = make_three_piece(500, ends=(0.2, 0.5), inside=1, noise=0.3)[1]
    assert 0.2 < np.mean(flipped != y) < 0.4


# ---------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (partial(flip_labels, [0, 1], 1.5), "noise=1.5 is not allowed: .* between 0 and 1"),
        (partial(flip_labels, [0, 1], "much"), "noise='much' is not allowed"),
        (partial(flip_labels, [[0], [1]]), r"y has the shape \(2, 1\)"),
        (partial(long_servedio, -1), "gamma=-1 is not allowed"),
        (partial(long_servedio, 0.1, 0), "n_right=0 is not allowed"),
        (partial(long_servedio, 0.1, 3, -1), "n_wrong=-1 is not allowed"),
        (partial(noisy_bits, 0), "n_samples=0 is not allowed"),
        (partial(noisy_bits, noise=float("nan")), "noise=nan is not allowed"),
        (partial(make_three_piece, 2.5), "n_samples=2.5 is not allowed"),
        (partial(make_three_piece, ends=(0.5, 0.5)), "the first must be below the second"),
        (partial(make_three_piece, inside=0), "inside=0 is not allowed"),
    ],
)
def test_impossible_parameters(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()


def test_seeds() -> None:
    with pytest.raises(TypeError, match="random_state='x' is not allowed"):
        noisy_bits(3, random_state="x")
    assert (noisy_bits(9)[0] == noisy_bits(9, random_state=0)[0]).all()
    assert sorted(datasets.__all__) == datasets.__all__
