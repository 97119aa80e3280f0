"""The parameters of trees as settings of a learner, every one of them checked."""

from __future__ import annotations

from typing import Any, Literal

from ...intake import parameters
from ...learners.tree import TreeLearner
from .criteria import criterion_of

Categorical = Literal["subset", "equality", "multiway"]
Missing = Literal["side", "branch", "fraction", "error"]
MaxFeatures = int | float | Literal["sqrt", "log2"] | None


def read_learner(model: Any) -> TreeLearner:
    """The learner that the parameters of a tree describe, every one of them checked."""
    parameters.one_of("categorical", model.categorical, Categorical)
    parameters.one_of("missing", model.missing, Missing)
    parameters.reading(model)
    alpha = model.ccp_alpha
    if alpha is not None:
        alpha = parameters.real("ccp_alpha", alpha, None, 1e300, least=0.0)
    how = model.pruning
    if how == "pessimistic" and alpha:
        raise ValueError(
            f"ccp_alpha={alpha:g} belongs to pruning='cost_complexity', but pruning='pessimistic' "
            "is asked for; choose one of them."
        )
    return TreeLearner(
        criterion=criterion_of(model),
        splitter=model.splitter,
        split_zero_gain=model.splitter == "random",  # a drawn cut that gains nothing still parts
        exact=parameters.switch("exact", model.exact),
        categorical=model.categorical,
        missing="side" if model.missing == "error" else model.missing,
        max_depth=parameters.limit("max_depth", model.max_depth, 1),
        max_leaf_nodes=parameters.limit("max_leaf_nodes", model.max_leaf_nodes, 2),
        min_samples_split=parameters.count_or_share(
            "min_samples_split", model.min_samples_split, 2
        ),
        min_samples_leaf=parameters.count_or_share("min_samples_leaf", model.min_samples_leaf, 1),
        least_share=parameters.share("min_weight_fraction_leaf", model.min_weight_fraction_leaf),
        min_gain=parameters.real(
            "min_impurity_decrease", model.min_impurity_decrease, None, 1e300, least=0.0
        ),
        max_features=parameters.max_features(model.max_features),
        seed=parameters.seed("random_state", model.random_state),
        pruning="cost_complexity" if how is None and alpha else how,
        ccp_alpha=alpha,
    )
