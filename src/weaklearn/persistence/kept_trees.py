"""Which fitted attributes of stumps, rules, trees and averages of them model files hold."""

from __future__ import annotations

from operator import lt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.offered import fact
from ..base.trees.split_search import CRITERIA, OF_NUMBERS, features_to_try
from ..files.check import (
    among,
    array,
    columns,
    instance,
    integer,
    listed,
    need,
    one_of,
    one_or_several,
    real,
)
from ..files.held_tree import check_shares, check_shares_of
from ..files.stump import STUMP
from ..files.tree import TREE
from ..files.tree_votes import GROVE
from ..prediction.outputs import class_names, n_outputs
from ..prediction.rows import classes_of
from . import checks as fit
from .calibration_record import CALIBRATION
from .kept import Kept


def _shares_by_row(name: str, value: Any) -> None:
    """Refuses anything but shares of classes for every row, of several outputs for each."""
    array("f", 3 if np.ndim(value) == 3 else 2, finite=False)(name, value)


_CRITERION = one_of(*CRITERIA)
_TREE = {
    "_schema": fit.schema,
    "_gaps": columns,
    "_criterion": _CRITERION,
    "tree_": instance(TREE.home),
    "n_outputs_": integer(1),
    "max_features_": integer(1),
}
_LABELLED = {"classes_": fit.classes, "n_classes_": integer(1)}
_OF_OUTPUTS = {
    "classes_": one_or_several(fit.classes),
    "n_classes_": one_or_several(integer(1)),
}
_PRUNED = {"ccp_alpha_": real(0.0)}
_AVERAGE = {"_schema": fit.schema, "_seed": fit.seed, "_content": integer(0, 2**64 - 1)}
_FOREST = _AVERAGE | {
    "_gaps": columns,
    "_criterion": _CRITERION,
    "trees_": instance(GROVE.home),
    "n_outputs_": integer(1),
}
_BAGGED = _AVERAGE | {
    "estimator_": fit.estimator,
    "estimators_": listed(fit.estimator),
    "estimators_features_": listed(array("i")),
}
_OUT_OF_BAG = {
    "oob_score_": fit.number,
    "oob_coverage_": real(0.0, 1.0),
    "oob_decision_function_": _shares_by_row,
    "oob_prediction_": fit.row_numbers,
}
_FEW = 32  # columns that are looked at one by one
_ROWS = frozenset({"_content", "oob_decision_function_", "oob_prediction_"})
_BAGS = frozenset({"_bags", "_used"})


def _pack_stump(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: attributes[name] for name in ("_schema", "classes_", "error_", "stump_")}


def _unpack_stump(model: Any, state: dict[str, Any]) -> None:
    model._from_stump(state["stump_"], state["_schema"], state["classes_"], state["error_"])


def _one_tree(model: Any) -> None:
    """A tree answers with shares of the classes, or with one number."""
    _outputs(model, [model.tree_])
    need(model.max_features_ <= model._schema.n_features, "max_features_ is more than all")


def _drawn(model: Any) -> None:
    """There are as many columns as the parameters draw at each split."""
    features_to_try(model.max_features, model._schema.n_features)


def _forest(model: Any) -> None:
    """There are trees, which answer alike."""
    need(len(model.trees_) > 0, "there is no tree")
    _outputs(model, model.trees_)


def _outputs(model: Any, trees: Any) -> None:
    names, n = class_names(model), model.n_outputs_
    several = type(model.__dict__.get("classes_")) is list
    need(several == (n > 1 and len(names) > 0), "the classes are not those of so many outputs")
    need(not names or len(names) == n, f"{n} outputs have classes of {len(names)}")
    sizes = [len(classes) for classes in names]
    for tree in trees:
        need(tree.n_outputs == (sum(sizes) or n), f"a tree has {tree.n_outputs} outputs")
        if several:
            check_shares_of(tree, sizes)
        elif names:
            check_shares(tree)
    found = sizes if several else sum(sizes)
    need(not names or model.n_classes_ == found, f"n_classes_ is not {found}")
    of_classes = model._criterion not in OF_NUMBERS
    need(of_classes == (len(names) > 0), f"{model._criterion} is no criterion for this")
    need(max(model._gaps, default=0) < model._schema.n_features, "a missing value is in no column")


def _bag(model: Any) -> None:
    """Every member of a bag has its columns, as many as it was trained on."""
    need(model.estimators_, "there is no member")
    need(
        len(model.estimators_features_) == len(model.estimators_),
        "there are not as many sets of columns as members",
    )
    n = model._schema.n_features
    for member, places in zip(model.estimators_, model.estimators_features_, strict=True):
        width = fact(member, "n_features_in_")
        need(width is not None, "a member is not fitted")
        need(len(places) == width, "a member has other columns")
        need(_in_order(places, n), "columns are not in order")
    classes, several = classes_of(model), n_outputs(model)
    for member in model.estimators_:
        own_outputs = n_outputs(member)
        need(own_outputs in (1, several), f"a member has {own_outputs} outputs")
        own = classes_of(member)
        need((own is None) == (classes is None), "a member is of another kind")
        if own is not None and classes is not None:
            _among(own, classes)


def _among(own: Any, classes: Any) -> None:
    """Refuses labels of a member, of each output, that the bag has not."""
    need(type(own) is type(classes), "a member is of another kind")
    if type(classes) is not list:
        among(own, classes)
        return
    need(len(own) == len(classes), f"a member has classes of {len(own)} outputs")
    for some, labels in zip(own, classes, strict=True):
        among(some, labels)


def _in_order(places: NDArray[Any], n: int) -> bool:
    """Whether these are some of n columns, each once and in order."""
    if len(places) <= _FEW:  # faster than what numpy takes to begin
        listed = places.tolist()
        return (
            bool(listed) and 0 <= listed[0] and listed[-1] < n and all(map(lt, listed, listed[1:]))
        )
    return bool(places[0] >= 0 and places[-1] < n and (np.diff(places) > 0).all())


stump = Kept(
    {
        "_schema": fit.schema,
        "classes_": fit.classes,
        "stump_": instance(STUMP.home),
        "error_": real(0.0, 1.0),
    },
    pack=_pack_stump,
    unpack=_unpack_stump,
)
tree = Kept(_TREE, _PRUNED, consistent=_one_tree, cross_check=_drawn)
tree_of_classes = Kept(_TREE | _OF_OUTPUTS, _PRUNED, consistent=_one_tree, cross_check=_drawn)
id3 = Kept(
    _TREE | _LABELLED | {"root_gains_": array("f"), "entropy_": real(0.0)}, consistent=_one_tree
)
forest = Kept(
    _FOREST,
    _OUT_OF_BAG,
    sided=_ROWS,
    dropped=_BAGS,
    consistent=_forest,
    cross_check=_drawn,
)
forest_of_classes = Kept(
    _FOREST | _OF_OUTPUTS,
    _OUT_OF_BAG | {"calibration_": instance(CALIBRATION.home)},
    sided=_ROWS,
    dropped=_BAGS,
    consistent=_forest,
    cross_check=_drawn,
)
_OF_BAG = _OUT_OF_BAG | {"n_outputs_": integer(2)}
bag = Kept(_BAGGED, _OF_BAG, sided=_ROWS, dropped=_BAGS, consistent=_bag)
bag_of_classes = Kept(
    _BAGGED | _OF_OUTPUTS,
    _OUT_OF_BAG | {"n_outputs_": integer(2)},
    sided=_ROWS,
    dropped=_BAGS,
    consistent=_bag,
)
