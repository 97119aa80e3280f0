"""How deep estimators are: few classes each, and fit where one looks for it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from sklearn.base import BaseEstimator

import weaklearn as wl
from benchmarks.trace_fit import own_classes, traced
from weaklearn.estimators.model import Model

ESTIMATORS = [
    each
    for each in (getattr(wl, name) for name in wl.__all__)
    if inspect.isclass(each) and issubclass(each, BaseEstimator)
]


def test_there_are_estimators() -> None:
    assert len(ESTIMATORS) > 60


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_an_estimator_is_at_most_six_classes(kind: Any) -> None:
    assert issubclass(kind, Model)
    assert len(own_classes(kind)) <= 6


@pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)
def test_no_mixin_inherits_a_mixin(kind: Any) -> None:
    """A class of ours that is no model has no other class of ours above it."""
    for each in kind.__mro__:
        if each.__module__.startswith("weaklearn") and not issubclass(each, Model):
            assert own_classes(each) == [each.__name__]


@pytest.mark.parametrize("name", ["AdaBoostClassifier", "AdaBoostRegressor", "RankBoost"])
def test_fit_is_in_the_file_of_the_class_or_of_the_one_above(name: str) -> None:
    kind = getattr(wl, name)
    files = {inspect.getsourcefile(each) for each in (kind, kind.__mro__[1])}
    assert inspect.getsourcefile(inspect.unwrap(kind.fit)) in files


def test_the_way_of_a_fit_is_not_longer_than_it_was() -> None:
    alone = traced(wl.AdaBoostClassifier, described=False)
    assert len(alone.files) <= 28
    assert alone.package_changes <= 46
