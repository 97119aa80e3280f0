"""Which fitted attributes of the simple learners model files hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.check import array, integer, maybe, need, one_of, real
from . import checks as fit
from .kept import Kept

_RULE = {"_schema": fit.schema, "classes_": fit.two_classes, "error_": real(0.0, 1.0)}


def _ends(name: str, value: Any) -> None:
    need(
        type(value) is tuple and len(value) == 2 and all(type(t) is float for t in value),
        f"{name} is no pair of numbers",
    )


def _in_columns(model: Any) -> None:
    need(model.feature_ < model._schema.n_features, "feature_ is no column")


def _union(model: Any) -> None:
    """Refuses intervals that overlap, are not sorted, or are too many."""
    _in_columns(model)
    low, high = _pairs(model.intervals_)
    need((low <= high).all() and (high[:-1] <= low[1:]).all(), "the intervals are in no order")
    need(model.n_max is None or len(low) <= model.n_max, "there are more than n_max intervals")


def _pairs(ends: Any) -> Any:
    need(ends.shape[1] == 2, "an interval has not two ends")
    return ends.T


def _pieces(model: Any) -> None:
    _in_columns(model)
    t1, t2 = model.thresholds_
    need(t1 <= t2, "thresholds_ do not rise")


def _box(model: Any) -> None:
    """Refuses a rectangle that has not one range for every column, unless it is empty."""
    d, low, high = model._schema.n_features, model.lower_, model.upper_
    need(len(low) == d and len(high) == d, f"the rectangle has not {d} columns")
    empty = (low == np.inf).all() and (high == -np.inf).all()
    need(empty or (low <= high).all(), "the rectangle is neither empty nor whole")


def _subset(model: Any) -> None:
    kept = model.kept_
    need((kept[1:] > kept[:-1]).all(), "kept_ does not rise")
    known = len(kept) == 0 or (kept[0] >= 0 and kept[-1] < model._schema.n_features)
    need(known, "kept_ names no column")


def _centres(model: Any) -> None:
    shape = len(model.classes_), model._schema.n_features
    need(model.means_.shape == shape, f"means_ has not the shape {shape}")
    need(len(model._open) == shape[0] and model._open.any(), "no class has a mean of its own")


def _chosen(model: Any) -> None:
    """Refuses a chosen hypothesis that is not in the list."""
    errors, best = model.errors_, model.best_index_
    need(best < len(errors) and model.error_ == errors[best], "error_ is not that of best_index_")
    shape = model._matrix().shape
    need(shape[0] == len(errors), "there is not an error for each hypothesis")
    need(model._keys is not None and len(model._keys) == shape[1], "rows and labels differ")


threshold = Kept(
    {
        "_schema": fit.schema,
        "classes_": fit.classes,
        "feature_": integer(),
        "threshold_": real(),
        "error_": real(0.0, 1.0),
        "_ends": array("f"),
        "_errors": array("f"),
        "_mistakes": maybe(array("i")),
    },
    pack=fit.pack_threshold,
    unpack=fit.unpack_threshold,
)
interval_union = Kept(
    _RULE | {"feature_": integer(), "intervals_": array("f", 2, finite=False)}, cross_check=_union
)
three_pieces = Kept(
    _RULE | {"feature_": integer(), "thresholds_": _ends, "polarity_": one_of(-1, 1)},
    cross_check=_pieces,
)
rectangle = Kept(
    _RULE | {"lower_": array("f", finite=False), "upper_": array("f", finite=False)},
    cross_check=_box,
)
columns = Kept(_RULE | {"kept_": array("i")}, cross_check=_subset)
centroids = Kept(
    _RULE | {"classes_": fit.classes, "means_": array("f", 2), "_open": array("b")},
    cross_check=_centres,
)
hypotheses = Kept(
    _RULE
    | {"classes_": fit.classes, "errors_": array("f"), "best_index_": integer()}
    | {"_keys": maybe(array("u"))},
    cross_check=_chosen,
)
