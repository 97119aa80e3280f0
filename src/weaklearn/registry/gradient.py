"""The rows of the gradient boosting estimators."""

from __future__ import annotations

from .row import BOOSTERS, READABLE, Family, Row

_PLACES: dict[str, tuple[str, Family, str]] = {
    "gradient": ("estimators.gradient.estimators", BOOSTERS, "gradient-boosting.md"),
    "glass": ("estimators.gradient.additive", READABLE, "glass-box.md"),
}


def _row(number: int, command: str, name: str, rule: str) -> Row:
    module, family, page = _PLACES[command]
    classes = name.endswith("Classifier")
    return Row(
        home=f"{module}.{name}",
        family=family,
        page=page,
        number=number,
        kept=(f"persistence.kept_gradient.{rule}",),
        runtime="trees.SumClassifier" if classes else "trees.SumRegressor",
        command=command,
        predicts="classes" if classes else "numbers",
    )


ROWS = (
    _row(110, "gradient", "GradientBoostingClassifier", "tree_sum_of_classes"),
    _row(111, "gradient", "GradientBoostingRegressor", "tree_sum"),
    _row(116, "glass", "AdditiveBoostingClassifier", "term_sum_of_classes"),
    _row(117, "glass", "AdditiveBoostingRegressor", "term_sum"),
)
