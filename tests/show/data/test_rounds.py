"""Errors, bounds and margins by round, and columns by importance."""

from __future__ import annotations

import numpy as np
import pytest

import weaklearn as wl
from tests import forms
from weaklearn.show.data.importance import Importance
from weaklearn.show.data.rounds import (
    sorted_margins,
    spread_rounds,
    staged_error,
    training_error_bound,
)


def test_the_bound_is_the_product_of_the_normalisers() -> None:
    X, two, _ = forms.sample()
    model = wl.AdaBoostClassifier(n_estimators=6).fit(X, two)
    bound = training_error_bound(model)
    assert bound == pytest.approx(np.cumprod(model.history_["Z"]))
    assert (staged_error(model, X, two) <= bound).all()
    assert training_error_bound(wl.GradientBoostingClassifier(n_estimators=2).fit(X, two)) is None
    assert (
        training_error_bound(wl.GradientBoostingRegressor(n_estimators=2).fit(X, X[:, 0])) is None
    )


def test_of_several_classes_the_bound_needs_a_certificate() -> None:
    X, _, three = forms.sample()
    model = wl.AdaBoostClassifier(n_estimators=6, multiclass="mh").fit(X, three)
    assert training_error_bound(model) is None
    bound = training_error_bound(model, model.certify(X, three))
    assert bound == pytest.approx(1.5 * np.cumprod(model.history_["Z"]))
    assert (staged_error(model, X, three) <= bound).all()


def test_errors_by_stage_are_those_of_truncated_models() -> None:
    X, two, _ = forms.sample()
    model = wl.AdaBoostClassifier(n_estimators=4).fit(X, two)
    wanted = [np.mean(model.truncate(t).predict(X) != two) for t in range(1, 5)]
    assert staged_error(model, X, two) == pytest.approx(wanted)


def test_margins_are_sorted_and_those_of_truncated_models() -> None:
    X, two, _ = forms.sample()
    model = wl.AdaBoostClassifier(n_estimators=4).fit(X, two)
    found = sorted_margins(model, X, two, [2, 4])
    for t in (2, 4):
        assert np.array_equal(found[t], np.sort(model.truncate(t).margins(X, two)))
    assert list(sorted_margins(model, X, two)) == [4]


@pytest.mark.parametrize(("last", "most"), [(1, 5), (5, 5), (6, 5), (100_000, 24)])
def test_rounds_are_spread_from_the_first_to_the_last(last: int, most: int) -> None:
    found = spread_rounds(last, most)
    assert (found[0], found[-1]) == (1, last)
    assert len(found) <= most
    assert found == sorted(set(found))


def test_importances_of_every_way_are_in_falling_order() -> None:
    X, two, _ = forms.sample()
    model = wl.AdaBoostClassifier(n_estimators=5).fit(X, two)
    for by in (None, "gain", "vote", "permutation", "contribution"):
        found = Importance.from_model(model, X, two, by=by)
        assert list(found.values) == sorted(found.values, reverse=True)
        assert found.is_share == (by in (None, "gain", "vote"))
        assert len(found.spread) == (len(found.columns) if by == "permutation" else 0)
        if found.is_share:
            assert sum(found.values) == pytest.approx(1.0)
    assert Importance.from_model(model).note == "share of all votes"
