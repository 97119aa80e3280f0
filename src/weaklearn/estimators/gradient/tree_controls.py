"""What holds trees of gradients back: parameters, checked, and as a learner takes them."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from ...base.loss import EVENTS, Loss
from ...base.messages.value_text import show
from ...base.rows import Rows
from ...base.trees.split_search import features_to_try
from ...base.types import Floats
from ...base.votes.linear_trees import LinearTrees
from ...base.votes.tree_sum import AdditiveTrees
from ...boosters.dropout import Dropout, DroppingBoosting
from ...boosters.gradient import GradientBoosting
from ...inspection.rule_text import feature_name
from ...intake import parameters
from ...intake.schema import Schema
from .. import constraints
from . import forced_splits

if TYPE_CHECKING:
    from .additive import AdditiveModel
    from .model import GradientBoostingModel

Splitter = Literal["best", "random"]
_OF_STEPS = ("min_hessian_leaf", "l1_regularization", "category_smoothing")  # at least 0
OF_ALL_ROWS = ("keep_largest", "dropout", "linear_leaves")  # what needs them in one place
_DRAWN = ("max_features_by_level", "max_features_by_node")


def check(model: GradientBoostingModel) -> None:
    """Refuses values out of range."""
    if model.max_depth is not None:
        parameters.integer("max_depth", model.max_depth, 1, None, "None")
    for name in ("min_gain", "path_smoothing"):
        parameters.real(name, getattr(model, name), None, 1e300, least=0.0)
    check_steps(model)
    parameters.real("dropout", model.dropout, None, 1.0, least=0.0)
    parameters.real("keep_largest", model.keep_largest, None, 1.0, least=0.0, strict=True)
    for name in _DRAWN:
        parameters.count_or_share(name, getattr(model, name), 1)
    parameters.one_of("splitter", model.splitter, Splitter)
    _check_linear(model)


def _check_linear(model: GradientBoostingModel) -> None:
    """Refuses what slopes in the leaves would break."""
    parameters.switch("linear_leaves", model.linear_leaves)
    parameters.real("linear_l2", model.linear_l2, None, 1e300, least=0.0)
    if model.linear_leaves and model.monotonic_cst is not None:
        raise ValueError(
            "monotonic_cst is set, and linear_leaves=True gives leaves slopes that may fall where "
            "they should rise: set linear_leaves=False, or monotonic_cst=None."
        )
    if model.linear_leaves and model.max_step is not None:
        raise ValueError(
            f"max_step={show(model.max_step)} holds the values of leaves, and linear_leaves=True "
            "adds slopes to these: set linear_leaves=False, or max_step=None and a smaller "
            "learning_rate."
        )


def check_steps(model: GradientBoostingModel | AdditiveModel) -> None:
    """Refuses values out of range of what holds steps back, in glass boxes too."""
    for name in _OF_STEPS:
        parameters.real(name, getattr(model, name), None, 1e300, least=0.0)
    parameters.integer("min_samples_category", model.min_samples_category, 1)
    if model.max_step is not None:
        parameters.real("max_step", model.max_step, 0.0, 1e300, others="None")


def check_dropout(model: GradientBoostingModel, resumed: bool) -> None:
    """Refuses what does not go with rounds whose votes change later."""
    if resumed and (model.dropout > 0 or model._dropping is not None):
        raise ValueError(
            "warm_start=True does not go on with rounds of a fit with dropout: set "
            "warm_start=False, or dropout=0.0 from the first fit on."
        )
    if model.dropout > 0 and model._finds_rounds:
        raise ValueError(
            f"dropout={show(model.dropout)} needs a number of rounds: set n_estimators to the most "
            "that there should be, and early_stopping=True to keep the best of them."
        )


def booster(
    model: GradientBoostingModel, loss: Loss, rate: float, offset: Floats | None, seed: int
) -> GradientBoosting:
    """The booster of the parameters."""
    sums = LinearTrees if model.linear_leaves else AdditiveTrees
    if model.dropout > 0:
        dropout = Dropout(float(model.dropout), rate, seed)
        return DroppingBoosting(loss, rate, offset, sums=sums, dropout=dropout)
    return GradientBoosting(loss, rate, offset, sums=sums)


def check_loss(model: GradientBoostingModel, loss: Loss) -> None:
    """Refuses what does not go with a loss."""
    if model.path_smoothing > 0 and loss.leaf_quantiles is not None:
        raise ValueError(
            f"path_smoothing={show(model.path_smoothing)} does not go with loss {loss.name!r}, "
            "whose leaves answer quantiles: set path_smoothing=0.0, or use min_samples_leaf."
        )
    if model.linear_leaves and loss.leaf_quantiles is not None:
        raise ValueError(
            f"linear_leaves=True does not go with loss {loss.name!r}, whose leaves answer "
            "quantiles: set linear_leaves=False, or use a loss with a curvature, such as "
            "'squared_error' or 'huber'."
        )
    if isinstance(model.scoring, str) and loss.target == EVENTS:
        raise ValueError(
            f"scoring={show(model.scoring)} compares labels or numbers, and loss {loss.name!r} "
            "learns times of events: pass a function of (estimator, X, y), such as "
            "lambda model, X, y: model.score(X, y), or None."
        )


def settings(model: GradientBoostingModel, schema: Schema, scale: float) -> dict[str, Any]:
    """Fields of the learner; ``scale`` is that of the curvature."""
    drawn = {name: parameters.count_or_share(name, getattr(model, name), 1) for name in _DRAWN}
    for name, asked in drawn.items():
        if isinstance(asked, int):
            features_to_try(asked, schema.n_features, name)  # which refuses more than there are
    return {
        **drawn,
        **of_steps(model, schema, scale),
        "random_cuts": model.splitter == "random",
        "keep_largest": float(model.keep_largest),
        "max_depth": parameters.limit("max_depth", model.max_depth, 1),
        "path_smoothing": float(model.path_smoothing),
        "min_gain": float(model.min_gain),
        "linear_l2": float(model.linear_l2) * scale if model.linear_leaves else None,
        "groups": constraints.interactions(model.interaction_cst, schema),
        **forced_splits.settings(model, schema),
    }


def of_steps(
    model: GradientBoostingModel | AdditiveModel, schema: Schema, scale: float
) -> dict[str, Any]:
    """Fields of the learner that hold steps back and weigh columns, in glass boxes too."""
    return {
        "feature_weights": constraints.weights("feature_weights", model.feature_weights, schema),
        "feature_factors": constraints.weights("feature_factors", model.feature_factors, schema),
        "category_smooth": float(model.category_smoothing),
        "min_curvature": float(model.min_hessian_leaf) * scale,
        "l1": float(model.l1_regularization),
        "max_step": inf if model.max_step is None else float(model.max_step),
    }


def asked_pairs(model: AdditiveModel, schema: Schema) -> list[tuple[int, int]] | None:
    """The pairs that a glass box is to have; refused where a column of theirs is not to be used."""
    asked = constraints.pairs(model.pairs, schema)
    for name in ("feature_weights", "feature_factors"):
        of_columns = constraints.weights(name, getattr(model, name), schema)
        for j in sorted({j for pair in asked or () for j in pair}):
            if of_columns is not None and of_columns[j] == 0:
                raise ValueError(
                    f"pairs names {show(feature_name(schema, j))}, whose {name} is 0: leave the "
                    "pair out, or set that to a number above 0."
                )
    return asked


def staged(model: GradientBoostingModel, n: int) -> AdditiveTrees:
    """The ensemble of a fitted model as it was after n rounds."""
    if model._dropping is not None:
        return _dropout(model).staged(model.ensemble_, n)
    ensemble: AdditiveTrees = model.ensemble_.staged(n)
    return ensemble


def stages(model: GradientBoostingModel, rows: Rows) -> Iterator[Floats]:
    """F on rows after 1, 2, ... rounds, (n, outputs)."""
    if model._dropping is None:
        yield from model.ensemble_.stages(rows)
    else:
        for ensemble in _dropout(model).stages(model.ensemble_):
            yield ensemble(rows)


def _dropout(model: GradientBoostingModel) -> Dropout:
    """What the fit left out."""
    rate, learning_rate = model._dropping.tolist()
    return Dropout(rate, learning_rate, model._seed)
