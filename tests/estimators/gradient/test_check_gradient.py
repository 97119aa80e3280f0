"""A gradient of the wrong sign is told before the first round, and no other one is."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.base.messages.warnings import BoostingWarning

rng = np.random.default_rng(0)
X = rng.normal(size=(120, 2))
Y = 3 * X[:, 0] + rng.standard_t(1.5, size=120)
SIGNS = np.where(X[:, 0] > 0, 1.0, -1.0)


def value(y, F):
    return (F - y) ** 2 / 2


def ones(y, F):
    return np.ones_like(F)


def right(y, F):
    return F - y


def wrong(y, F):
    return y - F


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("loss", [(wrong, ones, value), (wrong, None, value), wrong])
def test_a_gradient_of_the_wrong_sign_is_told(loss) -> None:
    with pytest.warns(BoostingWarning, match=r"points downhill.*check_loss"):
        wl.GradientBoostingRegressor(loss, n_estimators=2).fit(X, Y)
    with (
        pytest.warns(BoostingWarning, match="points downhill"),
        pytest.raises(ValueError, match="gradient"),
    ):
        wl.AnyBoostRegressor(loss=loss, step="line_search", n_estimators=2).fit(X, Y)


def test_it_is_told_of_labels_too() -> None:
    loss = (
        lambda y, F: y / (1 + np.exp(y * F)),
        lambda y, F: np.full_like(F, 0.25),
        lambda y, F: np.logaddexp(0, -y * F),
    )
    with pytest.warns(BoostingWarning, match="points downhill"):
        wl.GradientBoostingClassifier(loss, n_estimators=2).fit(X, SIGNS)


RIGHT = {
    "squared": (right, ones, value),
    "squared, no value": right,
    "absolute": (lambda y, F: np.sign(F - y), None, lambda y, F: np.abs(F - y)),
    "Cauchy": (
        lambda y, F: 2 * (F - y) / (1 + (F - y) ** 2),
        ones,
        lambda y, F: np.log1p((F - y) ** 2),
    ),
    "Cauchy, no value": lambda y, F: 2 * (F - y) / (1 + (F - y) ** 2),
    "Poisson, no value": lambda y, F: np.exp(F) - np.abs(y),
    "flat": (lambda y, F: 0.0 * F, ones, lambda y, F: 0.0 * F),
}


@pytest.mark.parametrize("loss", RIGHT.values(), ids=RIGHT)
def test_no_other_gradient_is(loss) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", BoostingWarning)
        warnings.filterwarnings("ignore", "nothing was learnt")
        wl.GradientBoostingRegressor(loss, n_estimators=2).fit(X, Y)
