"""Functions as weak learners: which answers they may give, and what is said of others."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import weaklearn as wl
from weaklearn.base.messages.warnings import BoostingWarning

X, y = wl.datasets.toy()


def answering(low: Any, high: Any) -> Callable[..., Any]:
    """A learner whose rule answers ``high`` on the heavier side of a threshold, else ``low``."""

    def learn(X: Any, y: Any, D: Any) -> Any:
        cut = np.median(X[:, 0])
        above = (D * y) @ np.where(X[:, 0] > cut, 1, -1) > 0
        return lambda X: np.where((np.asarray(X)[:, 0] > cut) == above, high, low)

    return learn


@pytest.mark.parametrize(
    "model", [wl.AdaBoostClassifier, wl.RealAdaBoostClassifier, wl.AdaBoostLClassifier]
)
@pytest.mark.parametrize(("low", "high"), [(0, 1), (0.0, 1.0)])
def test_answers_0_and_1_are_doubted_once(model: Any, low: Any, high: Any) -> None:
    with pytest.warns(BoostingWarning, match=r"0 and 1 only.*np.where\(answers, 1, -1\)") as found:
        fitted = model(answering(low, high), n_estimators=4).fit(X, y)
    assert len([w for w in found if "0 and 1 only" in str(w.message)]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted.predict(X)  # of answers to a few rows nothing follows


@pytest.mark.parametrize("resample", [True, {"n_samples": 20}])
def test_answers_0_and_1_on_resampled_rows_are_doubted_once_too(resample: Any) -> None:
    with pytest.warns(BoostingWarning, match=r"0 and 1 only.*np.where\(answers, 1, -1\)") as found:
        wl.AdaBoostClassifier(answering(0, 1), n_estimators=4, resample=resample).fit(X, y)
    assert len([w for w in found if "0 and 1 only" in str(w.message)]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wl.AdaBoostClassifier(answering(-1, 1), n_estimators=1, resample=resample).fit(X, y)


@pytest.mark.parametrize(("low", "high"), [(-1, 1), (-1, 0), (-1.0, 1.0)])
def test_other_answers_are_not_doubted(low: Any, high: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wl.AdaBoostClassifier(answering(low, high), n_estimators=1).fit(X, y)


def test_numbers_and_orders_may_be_0_and_1() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wl.RankBoost(answering(0, 1), n_estimators=1).fit(X, y)
        wl.AdaBoostRegressor(answering(0, 1), n_estimators=1).fit(X, (y > 0) * 1.0)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (-0.5, 0.5, r"answered -?0\.5 in row 0; .* are for RealAdaBoostClassifier"),
        (False, True, r"answered (True|False) in row 0; .* return -1: np\.where"),
        (2, 3, r"answered [23] in row 0; allowed are -1, 0 \(abstains\) and \+1\.\n"),
    ],
)
def test_answers_that_are_none_come_with_a_remedy(low: Any, high: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words) as error:
        wl.AdaBoostClassifier(answering(low, high)).fit(X, y)
    assert "np.float64" not in str(error.value)


class Counting(LinearRegression):
    n_fits = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        type(self).n_fits += 1
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize(
    "regressor",
    [Counting(), make_pipeline(StandardScaler(), Counting()), RandomForestRegressor(2)],
    ids=lambda r: type(r).__name__,
)
@pytest.mark.parametrize(
    "model", [wl.AdaBoostClassifier, wl.AdaBoostMHClassifier, wl.LPBoostClassifier]
)
def test_regressors_are_refused_before_any_is_fitted(model: Any, regressor: Any) -> None:
    Counting.n_fits = 0
    with pytest.raises(TypeError, match="predicts numbers, and a classifier is boosted here"):
        model(regressor).fit(X, y)
    assert Counting.n_fits == 0
