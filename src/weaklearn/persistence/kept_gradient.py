"""Which fitted attributes of gradient boosting and additive models model files hold."""

from __future__ import annotations

from ..files.check import array, flag, instance, integer, listed, text
from ..files.game import ADDITIVE
from ..files.history import HISTORY
from ..files.term import TERM_SUM
from . import checks as fit
from .kept import Kept
from .records import EDIT

_DESCENT = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_loss": fit.loss,
    "_gaps": fit.columns,
    "ensemble_": instance(ADDITIVE.home),
    "history_": instance(HISTORY.home),
    "n_iter_": integer(),
    "stop_reason_": text,
}
_LOSSES_SEEN = {"validation_losses_": array("f", finite=False)}
_TERMS = {
    "_schema": fit.schema,
    "_seed": fit.seed,
    "_loss": fit.loss,
    "ensemble_": instance(TERM_SUM.home),
    "n_iter_": integer(),
    "validation_losses_": array("f", finite=False),
}
_EDITED = {
    "_edits": listed(instance(EDIT.home), tuple),
    "_has_offset": flag,
    "oob_score_": fit.number,
    "oob_loss_": fit.number,
    "oob_decision_function_": fit.row_numbers,
}
# Links take numpy's exponential, whose last bit is the processor's: their score is no fact.
_UNSEEN = frozenset({"oob_decision_function_", "oob_score_", "_has_offset"})

tree_sum = Kept(_DESCENT, _LOSSES_SEEN, cross_check=fit.descended)
tree_sum_of_classes = Kept(
    _DESCENT | {"classes_": fit.classes}, _LOSSES_SEEN, cross_check=fit.descended
)
term_sum = Kept(
    _TERMS,
    _EDITED | {"oob_prediction_": fit.row_numbers},
    sided=_UNSEEN | {"oob_prediction_"},
    pack=fit.pack_edits,
    cross_check=fit.added,
)
term_sum_of_classes = Kept(
    _TERMS | {"classes_": fit.classes},
    _EDITED,
    sided=_UNSEEN,
    pack=fit.pack_edits,
    cross_check=fit.added,
)
