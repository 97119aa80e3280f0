"""The rows of stumps, rules, trees, and averages of them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from .family import READABLE, TREES
from .row import Family, Row


def _row(
    number: int,
    home: str,
    page: str,
    rule: str,
    runtime: str,
    *,
    family: Family = TREES,
    trial: Mapping[str, Any] | None = MappingProxyType({}),
    **more: Any,
) -> Row:
    return Row(
        home=f"estimators.trees.{home}",
        family=family,
        page=page,
        number=number,
        kept=(f"persistence.kept_trees.{rule}",),
        runtime=runtime,
        trial=trial,
        **more,
    )


ROWS = (
    _row(
        101,
        "stump.DecisionStumpClassifier",
        "stumps.md",
        "stump",
        "rules.StumpClassifier",
        command="stump",
    ),
    _row(
        107,
        "tree.DecisionTreeClassifier",
        "trees.md",
        "tree_of_classes",
        "trees.TreeClassifier",
        command="tree",
    ),
    _row(
        108,
        "tree.DecisionTreeRegressor",
        "trees.md",
        "tree",
        "trees.TreeRegressor",
        command="tree",
        predicts="numbers",
    ),
    _row(109, "id3.ID3Classifier", "trees.md", "id3", "trees.TreeClassifier", command="id3"),
    _row(
        114,
        "bagging.BaggingClassifier",
        "forests.md",
        "bag_of_classes",
        "bags.BagClassifier",
        command="bagging",
        trial={"n_estimators": 5},
    ),
    _row(
        115,
        "bagging.BaggingRegressor",
        "forests.md",
        "bag",
        "bags.BagRegressor",
        command="bagging",
        predicts="numbers",
        trial={"n_estimators": 5},
    ),
    _row(
        112,
        "forest.RandomForestClassifier",
        "forests.md",
        "forest_of_classes",
        "trees.ForestClassifier",
        command="forest",
        trial={"n_estimators": 10, "oob_score": True},
    ),
    _row(
        113,
        "forest.RandomForestRegressor",
        "forests.md",
        "forest",
        "trees.ForestRegressor",
        command="forest",
        predicts="numbers",
        trial={"n_estimators": 10, "oob_score": True},
    ),
    _row(
        147,
        "rule.RuleClassifier",
        "canon/readable.md",
        "rule",
        "rules.RuleClassifier",
        family=READABLE,
        command="rule",
    ),
)
