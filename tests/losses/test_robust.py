"""Losses between squared and absolute, lopsided ones, and the relative error: in plain numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.partitions import dealt, on_each
from weaklearn import GradientBoostingRegressor, losses
from weaklearn.base.loss import CLASSES, SIGNS
from weaklearn.engines import choose

RNG = np.random.default_rng(0)
Y, F = RNG.gamma(2.0, size=50), RNG.normal(size=50)


def test_log_cosh_in_plain_numpy() -> None:
    loss, r = losses.LogCosh(delta=0.5), (F - Y) / 0.5
    np.testing.assert_allclose(loss.value(Y, F), 0.25 * np.log(np.cosh(r)), rtol=1e-13)
    np.testing.assert_allclose(loss.gradient(Y, F), 0.5 * np.tanh(r), rtol=1e-13)
    np.testing.assert_allclose(loss.curvature(Y, F), 1 / np.cosh(r) ** 2, rtol=1e-12)


def test_pseudo_huber_in_plain_numpy() -> None:
    loss, h = losses.PseudoHuber(delta=2.0), np.sqrt(1 + (F - Y) ** 2 / 4)
    np.testing.assert_allclose(loss.value(Y, F), 4 * (h - 1), rtol=1e-12)
    np.testing.assert_allclose(loss.gradient(Y, F), (F - Y) / h, rtol=1e-13)
    np.testing.assert_allclose(loss.curvature(Y, F), h**-3.0, rtol=1e-13)


def test_expectile_in_plain_numpy() -> None:
    loss, side = losses.Expectile(0.8), np.where(Y > F, 0.8, 0.2)
    np.testing.assert_allclose(loss.value(Y, F), side * (Y - F) ** 2)
    np.testing.assert_allclose(loss.gradient(Y, F), 2 * side * (F - Y))
    assert losses.Expectile().best_constant(Y) == pytest.approx(Y.mean(), rel=1e-14)


def test_an_expectile_balances_what_lies_above_and_below() -> None:
    found = float(losses.Expectile(0.8).best_constant(Y)[0])
    above, below = np.maximum(Y - found, 0).sum(), np.maximum(found - Y, 0).sum()
    assert 0.8 * above == pytest.approx(0.2 * below, rel=1e-12)


def test_mape_is_a_weighted_median() -> None:
    assert losses.Mape().best_constant(np.array([1.0, 10.0, 10.0, 10.0])) == 1.0
    assert losses.Mape().best_constant(np.array([1.0, 10.0]), np.array([1, 11])) == 10.0
    tried = [losses.Mape().value(Y, np.full(50, each)).sum() for each in Y]
    assert losses.Mape().best_constant(Y) == Y[int(np.argmin(tried))]


def test_a_leaf_of_mape_answers_the_weighted_median() -> None:
    X = (np.arange(50) < 25)[:, None].astype(float)
    fit = GradientBoostingRegressor("mape", n_estimators=1, learning_rate=1.0, subsample=1.0)
    found = fit.fit(X, Y).predict(X)
    for part in (slice(0, 25), slice(25, 50)):
        np.testing.assert_allclose(found[part], losses.Mape().best_constant(Y[part])[0])


def test_a_scale_is_that_of_the_residuals() -> None:
    far = np.abs(F - Y)
    for kind in (losses.LogCosh, losses.PseudoHuber):
        assert kind(0.5).adapted(Y, F).delta == np.sort(far)[24]
        best = kind(0.5).best_constant(Y)
        scaled = kind(0.5).best_constant(1024 * Y)
        assert scaled == pytest.approx(1024 * best)


def test_outliers_move_robust_losses_little() -> None:
    X = np.linspace(0, 6, 400)[:, None]
    y = np.sin(X[:, 0])
    y[::10] += 1000
    right = np.arange(400) % 10 > 0
    off = {}
    for loss in ("squared_error", "log_cosh", "pseudo_huber"):
        model = GradientBoostingRegressor(loss, alpha=0.5, n_estimators=100).fit(X, y)
        off[loss] = np.abs(model.predict(X) - np.sin(X[:, 0]))[right].mean()
    assert max(off["log_cosh"], off["pseudo_huber"]) < 0.3 < 10 < off["squared_error"]


def test_a_relative_error_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match=r"y\[1\] is 0.0, .*'mape'.* numbers other than 0"):
        GradientBoostingRegressor("mape", n_estimators=2).fit([[1.0], [2.0]], [1.0, 0.0])


@pytest.mark.parametrize(
    "loss",
    [losses.LogCosh(), losses.PseudoHuber(), losses.Expectile(0.8), losses.Mape(), losses.Focal(),
     losses.FocalSoftmax(3), losses.SmoothedLogistic(), losses.SmoothedSoftmax(3)],
    ids=repr,
)  # fmt: skip
@pytest.mark.parametrize("w", [None, RNG.integers(1, 4, 50), RNG.random(50)], ids=str)
def test_constants_are_the_same_over_partitions(loss: Any, w: Any) -> None:
    rng = np.random.default_rng(1)
    y = {SIGNS: rng.choice([-1, 1], 50), CLASSES: rng.integers(3, size=50)}.get(loss.target, Y)
    here = loss.best_constant(y, w)

    def program(rows: Any) -> Any:
        over = choose(1).collective
        return loss.best_constant(y[rows], None if w is None else w[rows], over)

    for found in on_each(dealt(50, 3), program):
        assert found.tobytes() == here.tobytes()
