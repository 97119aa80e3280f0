"""Settings reach the kernels by name: every field of a dataclass is one of its struct."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from weaklearn import _core
from weaklearn.base.trees.grower_settings import GradientSettings, LabelTreeSettings, TreeSettings
from weaklearn.engines.structs import filled
from weaklearn.learners.tree import TreeLearner

PAIRS = [
    (TreeSettings, _core.TreeSettings),
    (GradientSettings, _core.GradientSettings),
    (LabelTreeSettings, _core.LabelTreeSettings),
]
OTHER: dict[str, Any] = {
    "criterion": "gini",
    "categorical": "equality",
    "missing": "branch",
    "cost": "discrete",
    "monotonic": (1, 0, -1),
    "groups": ((0, 2), (1,)),
    "exact": False,
    "splitter": "random",
    "random_cuts": True,
    "feature_weights": (1.0, 0.5, 2.0),
    "feature_factors": (1.0, 0.5, 2.0),
    "forced_feature": (2, 0),
    "forced_cut": (1, 3),
    "forced_left": (1, -1),
    "forced_right": (-1, -1),
    "split_zero_gain": True,
}


def plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return [] if value is None else value


@pytest.mark.parametrize(("kind", "struct"), PAIRS)
def test_every_field_arrives(kind: Any, struct: Any) -> None:
    other = {field.name: OTHER.get(field.name, 3) for field in fields(kind)}
    for settings in (kind(), kind(**other)):
        made = filled(struct(), kind, settings)
        for field in fields(kind):
            assert plain(getattr(made, field.name)) == plain(getattr(settings, field.name))


@pytest.mark.parametrize(("kind", "struct"), PAIRS)
def test_the_struct_has_no_other_field(kind: Any, struct: Any) -> None:
    bound = {name for name in vars(struct) if not name.startswith("_")}
    assert bound == {field.name for field in fields(kind)}


def test_limits_of_any_size() -> None:
    made = filled(_core.TreeSettings(), TreeSettings, TreeSettings(max_depth=10**30))
    assert made.max_depth is None  # as large as there are numbers: no limit
    assert filled(made, TreeSettings, TreeSettings(max_leaf_nodes=10**30)).max_leaf_nodes == (
        2**32 - 1
    )
    with pytest.raises(ValueError, match="max_depth is negative"):
        made.max_depth = -1


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="criterion has no value ginni"):
        filled(_core.TreeSettings(), TreeSettings, TreeSettings(criterion="ginni"))
    with pytest.raises(AttributeError):
        _core.TreeSettings().smoothing = 1.0  # type: ignore[attr-defined]


def test_a_learner_carries_its_settings() -> None:
    learner = replace(TreeLearner(criterion="sqrt", max_depth=2), humble=True)
    made = filled(_core.TreeSettings(), TreeSettings, learner)
    assert (made.criterion, made.max_depth) == ("sqrt", 2)
