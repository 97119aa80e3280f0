"""Which fitted attributes of gradient boosting and additive models model files hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.check import array, either, flag, instance, integer, listed, need, text
from ..files.ensembles import ADDITIVE
from ..files.history import HISTORY
from ..files.linear_trees import LINEAR_TREES
from ..files.member import check_columns
from ..files.term import TERM_SUM, alike
from ..prediction.rows import class_list
from . import checks as fit
from .kept import Kept
from .records import EDIT

_DESCENT = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_loss": fit.loss,
    "_gaps": check_columns,
    "ensemble_": either(ADDITIVE.home, LINEAR_TREES.home),
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
_TERMS = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_loss": fit.loss,
    "ensemble_": instance(TERM_SUM.home),
    "n_iter_": integer(),
    "validation_losses_": array("f", finite=False),
}
_EDITED = {
    "validation_scores_": array("f", finite=False),
    "_edits": listed(instance(EDIT.home), tuple),
    "_has_offset": flag,
    "oob_score_": fit.number,
    "oob_loss_": fit.number,
    "oob_decision_function_": fit.row_numbers,
}
# Links take numpy's exponential, whose last bit is the processor's: their score is no fact.
_UNSEEN = frozenset({"oob_decision_function_", "oob_score_", "_has_offset"})


def _outputs_of_loss(model: Any) -> None:
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
    _outputs_of_loss(model)
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


def _pack_edits(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes, without ``_edits`` if the list is empty."""
    return {name: v for name, v in attributes.items() if name != "_edits" or v}


def _added(model: Any) -> None:
    """Refuses a term sum with other outputs than the loss, or with edits that cannot be undone."""
    outputs, terms = model.ensemble_.n_outputs, list(model.ensemble_.terms)
    _outputs_of_loss(model)
    for edit in reversed(model._edits):
        left = edit.after is not None
        need(edit.place + left <= len(terms), f"an edit is of term {edit.place}, which is none")
        need(edit.before.values.shape[-1] == outputs, f"an edited term has not {outputs} outputs")
        if edit.after is not None:
            need(alike(edit.after, terms[edit.place]), "a term is not as its edit left it")
        terms[edit.place : edit.place + left] = [edit.before]
    features = [frozenset(term.features) for term in terms]
    need(len(set(features)) == len(features), "edits leave two terms of the same columns")


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
term_sum = Kept(
    _TERMS,
    _EDITED | {"oob_prediction_": fit.row_numbers},
    sided=_UNSEEN | {"oob_prediction_"},
    pack=_pack_edits,
    consistent=_added,
)
term_sum_of_classes = Kept(
    _TERMS | {"classes_": fit.classes}, _EDITED, sided=_UNSEEN, pack=_pack_edits, consistent=_added
)
