"""Which fitted attributes of the simple learners model files hold."""

from __future__ import annotations

from typing import Any

from ..files.check import array, integer, maybe, need, one_of, real
from . import checks as fit
from . import whole_model
from .kept import Kept

_RULE = {"_schema": fit.schema, "classes_": fit.two_classes, "error_": real(0.0, 1.0)}


def _union(model: Any) -> None:
    """The intervals lie apart from each other, in order, and are not too many."""
    whole_model.intervals(model)
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
    _RULE
    | {"feature_": integer(), "thresholds_": whole_model.two_numbers, "polarity_": one_of(-1, 1)},
    cross_check=whole_model.pieces,
)
rectangle = Kept(
    _RULE | {"lower_": array("f", finite=False), "upper_": array("f", finite=False)},
    cross_check=whole_model.box,
)
columns = Kept(_RULE | {"kept_": array("i")}, cross_check=whole_model.some_columns)
centroids = Kept(
    _RULE | {"classes_": fit.classes, "means_": array("f", 2), "_open": array("b")},
    cross_check=whole_model.means,
)
hypotheses = Kept(
    _RULE
    | {"classes_": fit.classes, "errors_": array("f"), "best_index_": integer()}
    | {"_keys": maybe(array("u"))},
    cross_check=_chosen,
)
