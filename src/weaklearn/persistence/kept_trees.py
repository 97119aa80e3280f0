"""Which fitted attributes of stumps, rules, trees and averages of them model files hold."""

from __future__ import annotations

from ..files.check import array, instance, integer, listed, one_of, real
from ..files.game import GROVE
from ..files.readable import RULE
from ..files.stump import STUMP
from ..files.tree import TREE
from . import checks as fit
from . import whole_model
from .kept import Kept

_TREE = {
    "_schema": fit.schema,
    "_gaps": fit.columns,
    "_criterion": fit.criterion,
    "tree_": instance(TREE.home),
    "n_outputs_": one_of(1),
    "max_features_": integer(1),
}
_LABELLED = {"classes_": fit.classes, "n_classes_": integer(1)}
_PRUNED = {"ccp_alpha_": real(0.0)}
_AVERAGE = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_content": integer(0, 2**64 - 1),
}
_FOREST = _AVERAGE | {
    "_gaps": fit.columns,
    "_criterion": fit.criterion,
    "trees_": instance(GROVE.home),
    "n_outputs_": one_of(1),
}
_BAGGED = _AVERAGE | {
    "estimator_": fit.estimator,
    "estimators_": listed(fit.estimator),
    "estimators_features_": listed(array("i")),
}
_OUT_OF_BAG = {
    "oob_score_": fit.number,
    "oob_coverage_": real(0.0, 1.0),
    "oob_decision_function_": array("f", 2, finite=False),
    "oob_prediction_": array("f", finite=False),
}
_ROWS = frozenset({"_content", "oob_decision_function_", "oob_prediction_"})
_BAGS = frozenset({"_bags", "_used"})

stump = Kept(
    {
        "_schema": fit.schema,
        "classes_": fit.classes,
        "stump_": instance(STUMP.home),
        "error_": real(0.0, 1.0),
    },
    pack=fit.pack_stump,
    unpack=fit.unpack_stump,
)
rule = Kept(
    {
        "_schema": fit.schema,
        "classes_": fit.two_classes,
        "rule_": instance(RULE.home),
        "confidence_": real(),
        "error_": real(0.0, 1.0),
    }
)
tree = Kept(_TREE, _PRUNED, cross_check=fit.one_tree)
tree_of_classes = Kept(_TREE | _LABELLED, _PRUNED, cross_check=fit.one_tree)
id3 = Kept(
    _TREE | _LABELLED | {"root_gains_": array("f"), "entropy_": real(0.0)}, cross_check=fit.one_tree
)
forest = Kept(_FOREST, _OUT_OF_BAG, sided=_ROWS, dropped=_BAGS, cross_check=fit.forest)
forest_of_classes = Kept(
    _FOREST | _LABELLED, _OUT_OF_BAG, sided=_ROWS, dropped=_BAGS, cross_check=fit.forest
)
bag = Kept(_BAGGED, _OUT_OF_BAG, sided=_ROWS, dropped=_BAGS, cross_check=whole_model.bag)
bag_of_classes = Kept(
    _BAGGED | _LABELLED, _OUT_OF_BAG, sided=_ROWS, dropped=_BAGS, cross_check=whole_model.bag
)
