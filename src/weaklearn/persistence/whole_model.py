"""How the parts of a model in a file belong together: checks for whoever reads one.

Each takes a model with its fitted names. Nothing here needs more than numpy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.votes.prior import Foreknown, Prior
from ..files.check import among, need
from ..files.member import check_shares


def two_numbers(name: str, value: Any) -> None:
    """A pair of numbers."""
    need(
        type(value) is tuple and len(value) == 2 and all(type(t) is float for t in value),
        f"{name} is no pair of numbers",
    )


def in_columns(model: Any) -> None:
    """The one column of a rule is there."""
    need(model.feature_ < model._schema.n_features, "feature_ is no column")


def intervals(model: Any) -> None:
    """The intervals lie apart from each other, in order."""
    in_columns(model)
    need(model.intervals_.shape[1] == 2, "an interval has not two ends")
    low, high = model.intervals_.T
    need((low <= high).all() and (high[:-1] <= low[1:]).all(), "the intervals are in no order")


def pieces(model: Any) -> None:
    """The thresholds of three pieces rise."""
    in_columns(model)
    t1, t2 = model.thresholds_
    need(t1 <= t2, "thresholds_ do not rise")


def box(model: Any) -> None:
    """A range for every column, or none."""
    d, low, high = model._schema.n_features, model.lower_, model.upper_
    need(len(low) == d and len(high) == d, f"the rectangle has not {d} columns")
    empty = (low == np.inf).all() and (high == -np.inf).all()
    need(empty or (low <= high).all(), "the rectangle is neither empty nor whole")


def some_columns(model: Any) -> None:
    """The variables kept are columns, in order."""
    kept = model.kept_
    need((kept[1:] > kept[:-1]).all(), "kept_ does not rise")
    known = len(kept) == 0 or (kept[0] >= 0 and kept[-1] < model._schema.n_features)
    need(known, "kept_ names no column")


def column_flags(model: Any) -> None:
    """There is a flag for every column."""
    need(len(model._mask) == model._schema.n_features, "there is not a flag for each variable")


def means(model: Any) -> None:
    """Every class has a mean, and one of them its own."""
    shape = len(model.classes_), model._schema.n_features
    need(model.means_.shape == shape, f"means_ has not the shape {shape}")
    need(len(model._open) == shape[0] and model._open.any(), "no class has a mean of its own")


def halfspace(model: Any) -> None:
    """A weight for every column, and one constant."""
    width = model._schema.n_features
    need(model.coef_.shape == (1, width), f"coef_ has not {width} columns")
    need(len(model.intercept_) == 1, "there is not one intercept")


def outputs_of_loss(model: Any) -> None:
    """A sum has an output for each of its loss."""
    outputs = model.ensemble_.n_outputs
    need(outputs == model._loss.n_outputs, f"the loss has not {outputs} outputs")


def scores_of_classes(model: Any) -> None:
    """A sum has an output for each of its loss, one for two classes, and else one a class."""
    outputs_of_loss(model)
    n = len(model.classes_)
    K = n if n > 2 else 1
    need(model.ensemble_.n_outputs == K, f"{n} classes have not {K} scores")


def one_tree(model: Any) -> None:
    """A tree answers with shares of the classes, or with one number."""
    _outputs(model, [model.tree_])


def forest(model: Any) -> None:
    """There are trees, which answer alike."""
    need(len(model.trees_) > 0, "there is no tree")
    _outputs(model, model.trees_)


def _outputs(model: Any, trees: Any) -> None:
    K = len(getattr(model, "classes_", ()))
    for tree in trees:
        need(tree.n_outputs == max(1, K), f"a tree has {tree.n_outputs} outputs")
        if K:
            check_shares(tree)


def pocket(model: Any) -> None:
    """Weights in the pocket are those of a learner that averages."""
    standing, kept = model._standing, model._pocket
    fits = kept is None or (standing.drift is not None and len(kept) == len(standing.w))
    need(fits, "the weights in the pocket do not fit")


def bag(model: Any) -> None:
    """Every member of a bag has its columns, as many as it was trained on."""
    need(model.estimators_, "there is no member")
    need(
        len(model.estimators_features_) == len(model.estimators_),
        "there are not as many sets of columns as members",
    )
    n = model._schema.n_features
    for member, places in zip(model.estimators_, model.estimators_features_, strict=True):
        need(hasattr(member, "n_features_in_"), "a member is not fitted")
        need(len(places) == member.n_features_in_, "a member has other columns")
        inside = len(places) > 0 and places.min() >= 0 and places.max() < n
        need(inside and (np.diff(places) > 0).all(), "columns are not in order")
    whole = getattr(model, "classes_", None)
    for member in model.estimators_:
        need(hasattr(member, "classes_") == (whole is not None), "a member is of another kind")
        if whole is not None:
            among(member.classes_, whole)


def with_prior(vote: Any, prior: Any, classes: list[Any]) -> None:
    """Votes begin with the prior where, and only where, there is one."""
    for part in vote.parts:
        known = isinstance(part, Foreknown)
        need(known == (prior is not None and len(classes) > 1), "a vote lacks its prior")
        if known:
            need(part.prior.k < len(classes), f"a prior is of class {part.prior.k}, which is none")
            part.prior = Prior(prior, classes, part.prior.k)
