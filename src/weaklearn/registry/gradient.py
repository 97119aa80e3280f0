"""The rows of the gradient boosting estimators, and of the blends that they take part in."""

from __future__ import annotations

from .row import BOOSTERS, RANKING, READABLE, Family, Row

# Module, family, page, module of the rules, and classes of the runtime, by command.
_PLACES: dict[str, tuple[str, Family, str, str, str]] = {
    "gradient": (
        "estimators.gradient.estimators",
        BOOSTERS,
        "gradient-boosting.md",
        "kept_gradient",
        "sums.Sum",
    ),
    "glass": (
        "estimators.gradient.additive",
        READABLE,
        "glass-box.md",
        "kept_additive",
        "sums.Sum",
    ),
    "strong": (
        "estimators.blend.strong",
        BOOSTERS,
        "strongest.md",
        "kept_blend",
        "blends.Blend",
    ),
}


def _row(number: int, command: str, name: str, rule: str) -> Row:
    module, family, page, rules, runtime = _PLACES[command]
    classes = name.endswith("Classifier")
    return Row(
        home=f"{module}.{name}",
        family=family,
        page=page,
        number=number,
        kept=(f"persistence.{rules}.{rule}",),
        runtime=f"{runtime}{'Classifier' if classes else 'Regressor'}",
        command=command,
        predicts="classes" if classes else "numbers",
    )


ROWS = (
    _row(110, "gradient", "GradientBoostingClassifier", "tree_sum_of_classes"),
    _row(111, "gradient", "GradientBoostingRegressor", "tree_sum"),
    Row(
        home="estimators.gradient.ranker.GradientBoostingRanker",
        family=RANKING,
        page="canon/ranking.md",
        number=190,
        kept=("persistence.kept_gradient.ranked_tree_sum",),
        runtime="sums.SumRanker",
        predicts="numbers",
    ),
    _row(116, "glass", "AdditiveBoostingClassifier", "term_sum_of_classes"),
    _row(117, "glass", "AdditiveBoostingRegressor", "term_sum"),
    _row(180, "strong", "StrongClassifier", "blend_of_classes"),
    _row(181, "strong", "StrongRegressor", "blend"),
)
