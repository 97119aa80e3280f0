"""What holds trees of gradients back: parameters, checked, and as a learner takes them."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

from ...base.loss import Loss
from ...base.messages.value_text import show
from ...intake import parameters
from ...intake.schema import Schema
from .. import constraints

if TYPE_CHECKING:
    from .model import GradientBoostingModel


def check(model: GradientBoostingModel) -> None:
    """Refuses values out of range."""
    if model.max_depth is not None:
        parameters.integer("max_depth", model.max_depth, 1, None, "None")
    for name in ("min_gain", "min_hessian_leaf", "l1_regularization", "path_smoothing"):
        parameters.real(name, getattr(model, name), None, 1e300, least=0.0)
    if model.max_step is not None:
        parameters.real("max_step", model.max_step, 0.0, 1e300, others="None")


def check_loss(model: GradientBoostingModel, loss: Loss) -> None:
    """Refuses what does not go with a loss."""
    if model.path_smoothing > 0 and loss.leaf_quantiles is not None:
        raise ValueError(
            f"path_smoothing={show(model.path_smoothing)} does not go with loss {loss.name!r}, "
            "whose leaves answer quantiles: set path_smoothing=0.0, or use min_samples_leaf."
        )


def settings(model: GradientBoostingModel, schema: Schema, scale: float) -> dict[str, Any]:
    """Fields of the learner; ``scale`` is that of the curvature."""
    return {
        "max_depth": model.max_depth,
        "min_curvature": float(model.min_hessian_leaf) * scale,
        "l1": float(model.l1_regularization),
        "max_step": inf if model.max_step is None else float(model.max_step),
        "path_smoothing": float(model.path_smoothing),
        "min_gain": float(model.min_gain),
        "groups": constraints.interactions(model.interaction_cst, schema),
    }
