"""Warnings: where they point, and that an error is told alone."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.base.messages.warnings import BoostingWarning, DataWarning, deferred_warnings, warn


def test_held_warnings_are_given_at_the_end_and_once() -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with deferred_warnings():
            warn("first")
            with deferred_warnings():
                warn("second")
            warn("first")
            assert len(found) == 0
    assert [str(warning.message) for warning in found] == ["first", "second"]
    assert {warning.filename for warning in found} == {__file__}


def test_an_error_is_told_alone() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(ZeroDivisionError), deferred_warnings():
            1 / (warn("unheard") or 0)
        with pytest.raises(DataWarning, match="heard"):
            warn("heard")


EMPTY = np.column_stack([np.arange(20.0), np.full(20, np.nan)])
HALVES = np.arange(20) > 9


@pytest.mark.parametrize(
    ("model", "given"),
    [
        (wl.AdaBoostClassifier(), {"y": HALVES[1:]}),
        (wl.AdaBoostClassifier(), {"X_val": EMPTY[:, :1], "y_val": HALVES}),
        (wl.DecisionTreeClassifier(monotonic_cst=[1]), {}),
        (wl.DecisionTreeClassifier(), {"y": HALVES[1:]}),
        (wl.RandomForestClassifier(n_estimators=2, monotonic_cst=[1]), {}),
        (wl.GradientBoostingClassifier(monotonic_cst=[1]), {}),
        (wl.GradientBoostingClassifier(), {"offset": [1.0]}),
        (wl.GradientBoostingRegressor("gamma", quantile=0.9), {"y": -EMPTY[:, 0]}),
        (wl.BaggingClassifier(n_estimators=2), {"y": HALVES[1:]}),
    ],
)
def test_doubts_are_not_told_before_a_wrong_argument(model, given) -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        with pytest.raises(ValueError, match=r"y|monotonic_cst|X has 1 features|offset"):
            model.fit(EMPTY, **({"y": HALVES} | given))
    assert [str(warning.message) for warning in found] == []


def test_a_doubt_about_a_parameter_is_told_once_at_the_fit() -> None:
    model = wl.GradientBoostingRegressor(quantile=0.9, n_estimators=2)
    with pytest.warns(BoostingWarning, match="loss='quantile'") as found:
        model.fit(EMPTY[:, :1], EMPTY[:, 0])
    assert len(found) == 1
    assert found[0].filename == __file__
