"""The rows of the gradient boosting estimators."""

from __future__ import annotations

from typing import Any

from .family import BOOSTERS, READABLE
from .row import Family, Row

_PLACES: dict[str, tuple[str, Family, str]] = {
    "gradient": ("estimators.gradient.estimators", BOOSTERS, "gradient-boosting.md"),
    "glass": ("estimators.gradient.additive", READABLE, "glass-box.md"),
}


def _row(number: int, command: str, name: str, rule: str, **more: Any) -> Row:
    module, family, page = _PLACES[command]
    return Row(
        home=f"{module}.{name}",
        family=family,
        page=page,
        number=number,
        kept=(f"persistence.kept_gradient.{rule}",),
        command=command,
        **more,
    )


ROWS = (
    _row(
        110,
        "gradient",
        "GradientBoostingClassifier",
        "tree_sum_of_classes",
        runtime="trees.SumClassifier",
        trial={"n_estimators": 5},
    ),
    _row(
        111,
        "gradient",
        "GradientBoostingRegressor",
        "tree_sum",
        runtime="trees.SumRegressor",
        predicts="numbers",
        trial={"n_estimators": 10, "learning_rate": 0.3},
    ),
    _row(
        116,
        "glass",
        "AdditiveBoostingClassifier",
        "term_sum_of_classes",
        runtime="trees.SumClassifier",
        trial={"n_estimators": 5},
    ),
    _row(
        117,
        "glass",
        "AdditiveBoostingRegressor",
        "term_sum",
        runtime="trees.SumRegressor",
        predicts="numbers",
        trial={"n_estimators": 10, "learning_rate": 0.3, "n_pairs": 1, "n_bags": 2},
    ),
)
