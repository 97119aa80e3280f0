"""The losses against their formulas, their domains, and their names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from weaklearn import GradientBoostingClassifier, losses
from weaklearn.losses import (
    Absolute,
    CustomLoss,
    Exponential,
    Gamma,
    Hinge,
    Huber,
    Logistic,
    Poisson,
    Quantile,
    Softmax,
    Squared,
    Tweedie,
    named,
    percentile,
)
from weaklearn.testing import check_loss

Y = np.array([1, -1, 1, -1])
F = np.array([0.5, 0.5, -2.0, -2.0])


def test_margin_losses_by_their_formulas() -> None:
    assert Exponential().value(Y, F) == pytest.approx(np.exp(-Y * F), rel=1e-15)
    assert Logistic().value(Y, F) == pytest.approx(np.log1p(np.exp(-Y * F)), rel=1e-14)
    assert Hinge().value(Y, F).tolist() == [0.5, 1.5, 3.0, 0.0]
    assert Hinge().gradient(Y, F).tolist() == [-1.0, 1.0, -1.0, 0.0]


def test_probabilities_of_the_two_links() -> None:
    scores = np.array([-800.0, -1.0, 0.0, 1.0, 800.0])
    assert Logistic().inverse_link(scores) == pytest.approx([0, 0.26894142, 0.5, 0.73105858, 1])
    assert Exponential().inverse_link(scores) == pytest.approx(Logistic().inverse_link(2 * scores))


def test_softmax_of_two_classes_is_the_logistic_loss() -> None:
    both = np.column_stack([-F / 2, F / 2])
    two, one = Softmax(2), Logistic()
    assert two.value((Y > 0).astype(int), both) == pytest.approx(one.value(Y, F))
    assert two.gradient((Y > 0).astype(int), both)[:, 1] == pytest.approx(one.gradient(Y, F))
    assert two.inverse_link(both)[:, 1] == pytest.approx(one.inverse_link(F))


def test_constants_are_means_medians_and_quantiles() -> None:
    y = np.array([1.0, 2.0, 3.0, 4.0, 100.0])
    assert Squared().best_constant(y) == [22.0]
    assert Absolute().best_constant(y) == [3.0]
    assert Quantile(0.9).best_constant(y) == [100.0]
    for loss in (Poisson(), Gamma(), Tweedie(1.3)):
        assert loss.inverse_link(loss.best_constant(y)) == pytest.approx([22.0])
    w = np.array([3.0, 1.0])
    assert Exponential().best_constant(np.array([1, -1]), w) == pytest.approx(np.log(3) / 2)
    assert Logistic().best_constant(np.array([1, -1]), w) == pytest.approx(np.log(3))
    assert Hinge().best_constant(np.array([1, -1]), w) == [1.0]
    assert Softmax(2).best_constant(np.array([1, 0]), w) == pytest.approx(
        np.log([1, 3]) - np.log(3) / 2
    )


def test_huber_takes_its_scale_from_the_residuals_as_scikit_learn_does() -> None:
    y = np.random.default_rng(0).standard_t(2, size=101)
    loss = Huber(level=0.9).adapted(y, np.zeros(101))
    assert loss.delta == pytest.approx(np.sort(np.abs(y))[90])
    assert (np.abs(y) <= loss.delta).mean() >= 0.9
    far = np.abs(y) > loss.delta
    assert np.abs(loss.gradient(y, np.zeros(101))[far]) == pytest.approx(loss.delta)
    start = Huber().best_constant(y)[0]
    scale = Huber().adapted(y, np.full(101, np.median(y)))
    best = minimize_scalar(lambda c: scale.value(y, np.full(101, c)).sum()).x
    assert start == pytest.approx(best, abs=0.05)


def test_huber_with_nearly_all_examples_met() -> None:
    y = np.zeros(100)
    y[0], y[1] = 5.0, 7.0
    assert Huber().adapted(y, np.zeros(100)).delta == 5.0
    assert Huber(delta=2.0).adapted(y, y).delta == 2.0  # nothing to take it from


@pytest.mark.parametrize("w", [None, "copies", "importances"])
def test_percentile_by_brute_force(w: Any) -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        x = rng.integers(0, 6, size=rng.integers(1, 9)).astype(float)
        weights = {
            None: None,
            "copies": rng.integers(1, 4, len(x)),
            "importances": rng.random(len(x)),
        }[w]
        shares = np.ones(len(x)) if weights is None else weights
        level = rng.choice([0.1, 0.25, 0.5, 0.9])
        least = min(v for v in x if shares[x <= v].sum() >= level * shares.sum() - 1e-9)
        assert percentile(x, level, weights) == least


# ---------------------------------------------------------------------------------------- domains


@pytest.mark.parametrize(
    ("loss", "y", "words"),
    [
        (Poisson(), [0.0, 1.0, -2.0], r"y\[2\] is -2.0, which loss='poisson'.*at least 0"),
        (Poisson(), [0.0, 0.0], "y is 0 in every row"),
        (Tweedie(), [0.0, -1.0], r"y\[1\] is -1.0, which loss='tweedie'"),
        (Gamma(), [1.0, 0.0], r"y\[1\] is 0.0, which loss='gamma'.*above 0"),
        (Logistic(), [1, 0], r"y\[1\] is 0, which loss='log_loss'.*-1 and \+1"),
        (Softmax(3), [0, 3], r"y\[1\] is 3, which loss='log_loss'.*classes 0 to 2"),
    ],
)
def test_targets_outside_the_domain(loss: Any, y: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        loss.check_target(np.array(y))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Quantile(0), "level=0 is not allowed"),
        (lambda: Quantile(1.0), "above 0 and below 1"),
        (lambda: Huber(level=float("nan")), "level=nan"),
        (lambda: Huber(delta=0), "delta=0"),
        (lambda: Tweedie(2.0), "power=2.0.*loss='gamma'"),
    ],
)
def test_options_outside_their_range(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


# ------------------------------------------------------------------------------------------ names


def test_names() -> None:
    for name in losses.FOR_NUMBERS:
        assert named(name).name == name
    for name in losses.FOR_CLASSES:
        assert named(name, n_classes=2).name == name
    assert named("tweedie", power=1.2) == Tweedie(1.2)
    assert named("log_loss", n_classes=5) == Softmax(5)
    assert named(Squared()) == Squared()


@pytest.mark.parametrize(
    ("loss", "given", "error", "words"),
    [
        ("squred_error", {}, ValueError, "Did you mean 'squared_error'"),
        ("log_loss", {}, ValueError, "'log_loss' is for other targets"),
        ("poisson", {"n_classes": 2}, ValueError, "for classes it must be one of 'log_loss'"),
        ("exponential", {"n_classes": 3}, ValueError, "y holds 3; use loss='log_loss'"),
        ("quantile", {"levle": 0.5}, TypeError, "no option 'levle'.*Did you mean 'level'"),
        (Squared(), {"level": 0.5}, TypeError, "losses given by name"),
        (Squared, {}, TypeError, r"Pass an instance, Squared\(\)"),
        (3, {}, TypeError, "loss=3 is not allowed"),
        ((), {}, TypeError, "loss=.*not allowed"),
        ((None, abs), {}, TypeError, "not allowed"),
    ],
    ids=str,
)
def test_names_that_are_refused(loss: Any, given: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        named(loss, **given)


# ----------------------------------------------------------------------------------------- custom


class Mine:
    name = "mine"

    def gradient(self, y: Any, F: Any) -> Any:
        return F - y

    def curvature(self, y: Any, F: Any) -> Any:
        return np.ones(len(F))

    def value(self, y: Any, F: Any) -> Any:
        return (F - y) ** 2 / 2

    def best_constant(self, y: Any, w: Any = None) -> Any:
        return np.average(y, weights=w)

    def inverse_link(self, F: Any) -> Any:
        return F


def test_custom_losses_of_every_form() -> None:
    for given in (Mine(), (Mine().gradient,), Mine().gradient, [Mine().gradient, None]):
        loss = named(given)
        assert isinstance(loss, CustomLoss)
        check_loss(loss)
        assert loss.curvature(Y, F).tolist() == [1.0] * 4
        assert np.array_equal(loss.gradient(Y, F), F - Y)
    assert named(Mine()).name == "mine"
    assert named(Mine()).best_constant(np.array([1.0, 4.0]), np.array([1, 2])) == [3.0]
    assert np.isnan(named((Mine().gradient,)).value(Y, F)).all()


def raises(y: Any, F: Any) -> Any:
    raise KeyError("no such thing")


@pytest.mark.parametrize(
    ("gradient", "error", "words"),
    [
        (lambda y, F: F * np.nan, ValueError, "gradient of loss '<lambda>' returned nan in row 0"),
        (lambda y, F: np.where(F < 0, np.inf, F), ValueError, "inf in row 2, where y is 1 and F"),
        (lambda y, F: F[:2], ValueError, r"shape \(2,\); it must have the shape \(4,\)"),
        (lambda y, F: F[:, None], ValueError, r"shape \(4, 1\)"),
        (lambda y, F: 1.0, ValueError, r"shape \(\)"),
        (lambda y, F: None, ValueError, "gradient of loss '<lambda>' returned"),
        (lambda y, F: ["a"] * 4, TypeError, "returned list, which is no array of numbers"),
        (raises, RuntimeError, "gradient of loss 'raises' raised KeyError: 'no such thing'"),
        (lambda y, F: np.negative(F, out=F), RuntimeError, "raised ValueError.*read-only"),
    ],
)
def test_what_a_custom_loss_must_not_do(gradient: Any, error: Any, words: str) -> None:
    with pytest.raises(error, match=words):
        named((gradient,)).gradient(Y, F)


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_lack_of_memory_in_a_custom_loss_stays_one(after: int) -> None:
    def greedy(y: Any, F: Any) -> Any:
        calls.append(1)
        if len(calls) > after:
            raise MemoryError("no room")
        return F - y, np.ones(len(F))

    calls: list[int] = []
    model = GradientBoostingClassifier(loss=greedy, n_estimators=5)
    with pytest.raises(MemoryError, match="no room") as caught:
        model.fit(np.arange(40.0)[:, None], np.arange(40) % 2)
    if after:
        assert any("gradient of loss 'greedy'" in note for note in caught.value.__notes__)


def test_options_given_as_numpy_scalars_are_printed_plainly() -> None:
    for made in (losses.Huber, losses.Tweedie):
        with pytest.raises(ValueError, match=r"=-1\.0 is not allowed"):
            made(np.float64(-1.0))


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("mae", "absolute_error"),
        ("l1", "absolute_error"),
        ("mse", "squared_error"),
        ("L2", "squared_error"),
        ("reg:squarederror", "squared_error"),
        ("pinball", "quantile"),
    ],
)
def test_losses_of_other_libraries_are_answered(theirs: str, ours: str) -> None:
    with pytest.raises(ValueError, match=f"It is called {ours!r} here"):
        losses.named(theirs)
    with pytest.raises(ValueError, match="is not allowed: for classes") as caught:
        losses.named(theirs, n_classes=2)
    assert "called" not in str(caught.value)
