"""Which fitted attributes of additive models model files hold."""

from __future__ import annotations

from typing import Any

from ..files.check import array, flag, instance, integer, listed, need
from ..files.term import TERM_SUM, alike
from . import checks as fit
from .edit_record import EDIT
from .kept import Kept
from .kept_gradient import outputs_of_loss

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


def _pack_edits(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes, without ``_edits`` if the list is empty."""
    return {name: v for name, v in attributes.items() if name != "_edits" or v}


def _added(model: Any) -> None:
    """Refuses a term sum with other outputs than the loss, or with edits that cannot be undone."""
    outputs, terms = model.ensemble_.n_outputs, list(model.ensemble_.terms)
    outputs_of_loss(model)
    for edit in reversed(model._edits):
        left = edit.after is not None
        need(edit.place + left <= len(terms), f"an edit is of term {edit.place}, which is none")
        need(edit.before.values.shape[-1] == outputs, f"an edited term has not {outputs} outputs")
        if edit.after is not None:
            need(alike(edit.after, terms[edit.place]), "a term is not as its edit left it")
        terms[edit.place : edit.place + left] = [edit.before]
    features = [frozenset(term.features) for term in terms]
    need(len(set(features)) == len(features), "edits leave two terms of the same columns")


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
