"""The rows of stumps, rules, trees, and averages of them."""

from __future__ import annotations

from typing import Any

from .row import READABLE, TREES, Family, Row


def _row(
    number: int,
    home: str,
    page: str,
    command: str,
    rule: str,
    runtime: str,
    *,
    rules: str = "kept_trees",
    family: Family = TREES,
    **more: Any,
) -> Row:
    return Row(
        home=f"estimators.trees.{home}",
        family=family,
        page=page,
        number=number,
        kept=(f"persistence.{rules}.{rule}",),
        runtime=runtime,
        command=command,
        **more,
    )


_TREE, _BAG, _FOREST = ("trees.md", "tree"), ("forests.md", "bagging"), ("forests.md", "forest")
_EXTRA = ("forests.md", "extra-trees")
_NUMBERS: dict[str, Any] = {"predicts": "numbers"}
ROWS = (
    _row(
        101, "stump.DecisionStumpClassifier", "stumps.md", "stump", "stump", "trees.StumpClassifier"
    ),
    _row(107, "tree.DecisionTreeClassifier", *_TREE, "tree_of_classes", "trees.TreeClassifier"),
    _row(108, "tree.DecisionTreeRegressor", *_TREE, "tree", "trees.TreeRegressor", **_NUMBERS),
    _row(109, "tree.ID3Classifier", "trees.md", "id3", "id3", "trees.TreeClassifier"),
    _row(114, "bagging.BaggingClassifier", *_BAG, "bag_of_classes", "bags.BagClassifier"),
    _row(115, "bagging.BaggingRegressor", *_BAG, "bag", "bags.BagRegressor", **_NUMBERS),
    _row(
        112,
        "forest.RandomForestClassifier",
        *_FOREST,
        "forest_of_classes",
        "trees.ForestClassifier",
    ),
    _row(
        113, "forest.RandomForestRegressor", *_FOREST, "forest", "trees.ForestRegressor", **_NUMBERS
    ),
    _row(
        192,
        "extra_trees.ExtraTreesClassifier",
        *_EXTRA,
        "forest_of_classes",
        "trees.ForestClassifier",
    ),
    _row(
        193,
        "extra_trees.ExtraTreesRegressor",
        *_EXTRA,
        "forest",
        "trees.ForestRegressor",
        **_NUMBERS,
    ),
    _row(
        147,
        "stump.RuleClassifier",
        "canon/readable.md",
        "rule",
        "rule",
        "trees.RuleClassifier",
        rules="kept_rules",
        family=READABLE,
    ),
)
