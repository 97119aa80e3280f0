"""Rules and splitters in files: what no fit could have left is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from weaklearn import ADTreeClassifier, ModelFileError, RuleClassifier, SlipperClassifier, load
from weaklearn.base.trees.rule import ABOVE, CATEGORY, MISSING, Demand, Rule

COLOURS = pd.DataFrame({"x": np.arange(24.0), "colour": ["red", "green", "blue"] * 8})
LABELS = ((COLOURS.x > 11) & (COLOURS.colour != "red")).astype(int)


@pytest.fixture
def tree() -> Any:
    return ADTreeClassifier(n_estimators=4).fit(COLOURS, LABELS)


def with_members(model: Any, change: Callable[[int, Any], Any]) -> Any:
    """The model with other members in place of its own."""
    grown = model.ensemble_.staged(0)
    for t, (vote, h) in enumerate(model.ensemble_):
        grown = grown.plus(vote, change(t, h))
    model.ensemble_ = grown
    return model


def last(h: Any, name: str, value: Any) -> Any:
    """A splitter with another entry for its own test, or for the leaf before its outcomes."""
    array = getattr(h.tree, name).copy()
    array[h.node] = value
    return replace(h, tree=replace(h.tree, **{name: array}))


def valued(h: Any) -> Any:
    """A splitter that adds something where it does not ask."""
    value = np.where(h.tree.is_leaf, 1, 0).astype(np.int32)
    return replace(h, tree=replace(h.tree, value=value))


TREES = {
    "nowhere": (lambda t, h: replace(h, after=(t, 0)), "hangs nowhere"),
    "later": (lambda t, h: replace(h, after=(9, 1)), "hangs nowhere"),
    "outcome": (lambda t, h: h if h.after is None else replace(h, after=(0, 7)), "hangs nowhere"),
    "elsewhere": (
        lambda t, h: h if h.after is None else replace(h, after=(h.after[0], 1 - h.after[1])),
        "is not where it says",
    ),
    "root": (lambda t, h: replace(h, after=None), "is not where it says"),
    "column": (lambda t, h: last(h, "feature", 99), "feature"),
    "numbers": (lambda t, h: h if h.after is None else valued(h), "is not where it says"),
    "kind": (lambda t, h: Rule() if t == 3 else h, "not a splitter|is a Rule|Rule"),
}


@pytest.mark.parametrize("name", TREES)
def test_a_splitter_hangs_where_it_says(name: str, tree: Any, tmp_path: Any) -> None:
    assert any(h.after is not None for h in tree.ensemble_.members)
    change, words = TREES[name]
    tree.save(tmp_path / "good.weak")
    with pytest.raises(ModelFileError, match=words):
        with_members(tree, change).save(tmp_path / "bad.weak")


RULES = {
    "column": (Demand(2, ABOVE, 1.0), "column 2"),
    "order": (Demand(1, ABOVE, 1.0), "a condition does not suit column 1"),
    "level": (Demand(0, CATEGORY, category=0), "a condition does not suit column 0"),
    "unknown": (Demand(1, CATEGORY, category=3), "an unknown category"),
    "below": (Demand(1, CATEGORY, category=-2), "level"),
    "gap": (Demand(1, MISSING), "a condition does not suit column 1"),
    "nan": (Demand(0, ABOVE, float("nan")), "threshold"),
}


@pytest.mark.parametrize("name", RULES)
def test_a_rule_asks_what_can_be_asked(name: str, tmp_path: Any) -> None:
    demand, words = RULES[name]
    model = SlipperClassifier(n_estimators=2).fit(COLOURS, LABELS)
    with pytest.raises(ModelFileError, match=words):
        with_members(model, lambda t, h: Rule((demand,))).save(tmp_path / "bad.weak")
    rule = RuleClassifier().fit(COLOURS, LABELS)
    rule.rule_ = Rule((demand,))
    with pytest.raises(ModelFileError, match=words):
        rule.save(tmp_path / "bad.weak")


def test_members_of_another_kind_are_refused(tree: Any, tmp_path: Any) -> None:
    tree.ensemble_ = SlipperClassifier(n_estimators=4).fit(COLOURS, LABELS).ensemble_
    with pytest.raises(ModelFileError, match="not one of its scheme"):
        tree.save(tmp_path / "bad.weak")


def test_all_kinds_of_demands_come_back(tmp_path: Any) -> None:
    X = COLOURS.astype({"x": float})
    X.loc[::5, "x"] = np.nan
    model = RuleClassifier().fit(X, LABELS)
    every = (Demand(0, 0, 3.5), Demand(0, 1, 0.5), Demand(1, CATEGORY, category=2))
    for demands in (every, (Demand(0, MISSING), Demand(1, CATEGORY, category=-1)), ()):
        model.rule_ = Rule(demands, 3, 1)
        model.save(tmp_path / "rule.weak")

        assert load(tmp_path / "rule.weak").rule_ == model.rule_
