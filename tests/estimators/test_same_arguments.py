"""``rules``, ``truncate`` and ``explain`` take the same arguments in every family."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

import weaklearn as wl

ESTIMATORS = [
    each
    for each in (getattr(wl, name) for name in wl.__all__)
    if inspect.isclass(each) and hasattr(each, "fit")
]
X = np.arange(60.0).reshape(30, 2) % 7
Y = (X[:, 0] > 3).astype(int)


def arguments(kind: Any, method: str) -> list[inspect.Parameter]:
    return list(inspect.signature(getattr(kind, method)).parameters.values())[1:]


def having(method: str) -> Any:
    kinds = [kind for kind in ESTIMATORS if hasattr(kind, method)]
    return pytest.mark.parametrize("kind", kinds, ids=lambda kind: kind.__name__)


@having("truncate")
def test_truncate_takes_a_number_of_rounds(kind: Any) -> None:
    assert [each.name for each in arguments(kind, "truncate")] == ["n"]


@having("rules")
def test_rules_take_a_number_and_options_by_name(kind: Any) -> None:
    n, *options = arguments(kind, "rules")
    assert (n.name, n.default) == ("n", None)
    assert [each.name for each in options] in ([], ["merge", "feature_names"])
    assert all(each.kind is each.KEYWORD_ONLY for each in options)


@having("explain")
def test_explain_takes_rows_and_options_by_name(kind: Any) -> None:
    rows, *options = arguments(kind, "explain")
    assert rows.name == ("message" if kind is wl.text.SpamFilter else "X")
    assert all(each.kind is each.KEYWORD_ONLY for each in options)


@pytest.mark.parametrize(
    "model",
    [
        wl.DecisionStumpClassifier(),
        wl.DecisionTreeClassifier(),
        wl.RuleClassifier(),
        wl.GradientBoostingClassifier(n_estimators=2),
    ],
    ids=lambda model: type(model).__name__,
)
def test_rules_that_cannot_be_merged(model: Any) -> None:
    model.fit(X, Y)
    assert len(model.rules(0)) == 0
    assert model.rules(10**6).rows == model.rules().rows
    assert "width" in str(model.rules(feature_names=["width", "height"]))
    with pytest.raises(ValueError, match="merge=True is not allowed"):
        model.rules(merge=True)
    with pytest.raises(ValueError, match="n=-1 is not allowed"):
        model.rules(-1)
