"""Which fitted attributes of the simple learners model files hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.check import array, integer, maybe, need, one_of, real
from ..learners.threshold import ErrorCurve
from . import checks as fit
from .kept import Kept

_RULE = {"_schema": fit.numeric, "classes_": fit.two_classes, "error_": real(0.0, 1.0)}


def _two_numbers(name: str, value: Any) -> None:
    """A pair of numbers."""
    need(
        type(value) is tuple and len(value) == 2 and all(type(t) is float for t in value),
        f"{name} is no pair of numbers",
    )


def _in_columns(model: Any) -> None:
    """The one column of a rule is there."""
    need(model.feature_ < model._schema.n_features, "feature_ is no column")


def _intervals(model: Any) -> None:
    """The intervals lie apart from each other, in order."""
    _in_columns(model)
    need(model.intervals_.shape[1] == 2, "an interval has not two ends")
    low, high = model.intervals_.T
    need((low <= high).all() and (high[:-1] <= low[1:]).all(), "the intervals are in no order")


def _pieces(model: Any) -> None:
    """The thresholds of three pieces rise."""
    _in_columns(model)
    t1, t2 = model.thresholds_
    need(t1 <= t2, "thresholds_ do not rise")


def _box(model: Any) -> None:
    """A range for every column, or none."""
    d, low, high = model._schema.n_features, model.lower_, model.upper_
    need(len(low) == d and len(high) == d, f"the rectangle has not {d} columns")
    empty = (low == np.inf).all() and (high == -np.inf).all()
    need(empty or (low <= high).all(), "the rectangle is neither empty nor whole")


def _some_columns(model: Any) -> None:
    """The variables kept are columns, in order."""
    kept = model.kept_
    need((kept[1:] > kept[:-1]).all(), "kept_ does not rise")
    known = len(kept) == 0 or (kept[0] >= 0 and kept[-1] < model._schema.n_features)
    need(known, "kept_ names no column")


def _means(model: Any) -> None:
    """Every class has a mean, and one of them its own."""
    shape = len(model.classes_), model._schema.n_features
    need(model.means_.shape == shape, f"means_ has not the shape {shape}")
    need(len(model._open) == shape[0] and model._open.any(), "no class has a mean of its own")


def _pack_threshold(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes with the error curve as arrays."""
    state = dict(attributes)
    curve = state.pop("_curve")
    state.pop("optimal_intervals_")
    state["_ends"], state["_errors"] = curve.v_at_most[:-1], curve.error
    state["_mistakes"] = curve.errors
    return state


def _unpack_threshold(model: Any, state: dict[str, Any]) -> None:
    ends, errors, mistakes = (state.pop(name) for name in ("_ends", "_errors", "_mistakes"))
    need((ends[1:] > ends[:-1]).all(), "the ends of the error curve do not rise")
    need(len(ends) > 0, "the error curve has no end")
    need(
        len(errors) == len(ends) + 1 and (mistakes is None or len(mistakes) == len(errors)),
        "the error curve has columns of different lengths",
    )
    need(len(state["classes_"]) <= 2, "there are more than two classes")
    threshold, error = state["threshold_"], state["error_"]
    model.__dict__.update(state)
    above = np.concatenate([[-np.inf], ends])
    curve = ErrorCurve(above, np.concatenate([ends, [np.inf]]), errors, mistakes)
    model.__dict__.update(model._described(curve))
    need((model.threshold_, model.error_) == (threshold, error), "the curve has another optimum")


def _union(model: Any) -> None:
    """Refuses more intervals than the parameter allows."""
    n = len(model.intervals_)
    need(model.n_max is None or n <= model.n_max, "there are more than n_max intervals")


def _chosen(model: Any) -> None:
    """Refuses a chosen hypothesis that is not in the list."""
    errors, best = model.errors_, model.best_index_
    need(best < len(errors) and model.error_ == errors[best], "error_ is not that of best_index_")
    shape = model._matrix().shape
    need(shape[0] == len(errors), "there is not an error for each hypothesis")
    need(model._keys is not None and len(model._keys) == shape[1], "rows and labels differ")


threshold = Kept(
    _RULE
    | {
        "classes_": fit.classes,
        "feature_": integer(),
        "threshold_": real(),
        "_ends": array("f"),
        "_errors": array("f"),
        "_mistakes": maybe(array("i")),
    },
    pack=_pack_threshold,
    unpack=_unpack_threshold,
    consistent=_in_columns,
)
interval_union = Kept(
    _RULE | {"feature_": integer(), "intervals_": array("f", 2, finite=False)},
    consistent=_intervals,
    cross_check=_union,
)
three_pieces = Kept(
    _RULE | {"feature_": integer(), "thresholds_": _two_numbers, "polarity_": one_of(-1, 1)},
    consistent=_pieces,
)
rectangle = Kept(
    _RULE | {"lower_": array("f", finite=False), "upper_": array("f", finite=False)},
    consistent=_box,
)
columns = Kept(_RULE | {"kept_": array("i")}, consistent=_some_columns)
centroids = Kept(
    _RULE | {"classes_": fit.classes, "means_": array("f", 2), "_open": array("b")},
    consistent=_means,
)
hypotheses = Kept(
    _RULE
    | {"_schema": fit.schema, "classes_": fit.classes, "_keys": maybe(array("u"))}
    | {"errors_": array("f"), "best_index_": integer()},
    cross_check=_chosen,
)
