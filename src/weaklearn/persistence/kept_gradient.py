"""Which fitted attributes of gradient boosting model files hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.votes.tree_sum import AdditiveTrees
from ..files.check import array, columns, instance, integer, listed, named, need, text
from ..files.history import HISTORY
from ..prediction.rows import class_list
from . import checks as fit
from .kept import Kept


def _sum_of_trees(name: str, value: Any) -> None:
    """Refuses what is no sum of trees, whose leaves may have slopes."""
    need(isinstance(value, AdditiveTrees), f"{name} is {named(value)}; it must be a sum of trees")


_DESCENT = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_loss": fit.loss,
    "_gaps": columns,
    "ensemble_": _sum_of_trees,
    "history_": instance(HISTORY.home),
    "n_iter_": integer(),
    "stop_reason_": text,
}
_JUDGED = {
    "validation_losses_": array("f", finite=False),
    "validation_scores_": array("f", finite=False),
}
_SURVIVAL = {"baseline_": array("f", ndim=2), "scale_": fit.number}
_DROPPING = {"_dropping": array("f")}
_TARGETS = {"_target_names": listed(text, tuple)}
_SEVERAL = {"_indicator": fit.indicator}


def outputs_of_loss(model: Any) -> None:
    """A sum has an output for each of its loss: one for two classes, and for more one a class."""
    outputs = model.ensemble_.n_outputs
    need(outputs == model._loss.n_outputs, f"the loss has not {outputs} outputs")
    n = len(class_list(model))
    several = vars(model).get("_indicator") is not None
    K = n if n > 2 or several else 1
    need(not several or model._loss.n_targets == n > 1, "several labels have not as many targets")
    need(not n or outputs == K, f"{n} classes have not {K} scores")


def _descended(model: Any) -> None:
    """A sum of trees has an output for each of the loss, and as many rounds as it says."""
    n = len(model.ensemble_)
    need(model.n_iter_ == n, f"n_iter_ is {model.n_iter_}, and there are {n} rounds")
    outputs_of_loss(model)
    need(max(model._gaps, default=0) < model._schema.n_features, "a gap is in no column")
    dropping = vars(model).get("_dropping")
    if dropping is not None:
        need(dropping.shape == (2,) and 0 < dropping[0] <= 1, "a rate of dropout is none")


def _descended_numbers(model: Any) -> None:
    """What survival needs is there for a loss of events alone, and can be."""
    _descended(model)
    names = vars(model).get("_target_names")
    need(names is None or len(names) == model._loss.n_targets, "a target has no name, or two")
    found = {name: value for name, value in vars(model).items() if name in _SURVIVAL}
    wanted = {"cox": "baseline_", "aft": "scale_"}.get(model._loss.name, "")
    need(set(found) <= {wanted}, f"{sorted(found)} is not what survival needs")
    if "scale_" in found:
        need(found["scale_"] > 0, "scale_ is not above 0")
    if "baseline_" in found:
        table = found["baseline_"]
        need(len(table) == 2, "baseline_ has not two rows")
        need((np.diff(table, prepend=0.0) > 0).all(), "baseline_ does not grow")


tree_sum = Kept(
    _DESCENT,
    _JUDGED | _DROPPING | _SURVIVAL | _TARGETS,
    sided=frozenset(_TARGETS),
    consistent=_descended_numbers,
)
ranked_tree_sum = Kept(
    _DESCENT,
    {"validation_losses_": array("f"), "position_bias_": array("f", ndim=2)} | _DROPPING,
    consistent=_descended,
)
tree_sum_of_classes = Kept(
    _DESCENT | {"classes_": fit.classes}, _JUDGED | _DROPPING | _SEVERAL, consistent=_descended
)
