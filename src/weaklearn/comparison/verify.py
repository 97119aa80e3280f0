"""``verify``: refits a model on its data and compares the two to the bit."""

from __future__ import annotations

import copy
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from ..base.ensemble import Ensemble, StackedEnsemble
from ..base.offered import fact
from ..base.votes.tree_sum import AdditiveTrees
from ..estimators.model import Model
from ..persistence.model_bytes import written
from ..persistence.save_load import load


@dataclass(frozen=True)
class Verification:
    """The result of ``verify``: true where the models are equal; printing explains it.

    ``same_rows`` says whether the training rows are those of the model, None where it did not note
    them. ``cut_short`` counts rounds, those of the model and those of a whole fit, where the model
    is a fit that was interrupted or truncated: the same to the bit as far as it goes. ``edited``
    counts the edits made to the model by hand, where without them it is the same. ``since`` names
    the method, "update" or "refit", by which the model learnt from further rows after its fit: no
    one table then gives it again. ``lacks`` says what else the fit was given, where it cannot be
    repeated without.
    """

    same: bool
    fingerprint: str
    refitted: str
    same_rows: bool | None
    cut_short: tuple[int, int] | None = None
    edited: int | None = None
    since: str | None = None
    hint: str = ""  # what was perhaps forgotten
    lacks: str = ""

    def __bool__(self) -> bool:
        return self.same

    def __str__(self) -> str:
        rows = {
            True: "the rows are those it was fitted on",
            False: "the rows are not those it was fitted on",
            None: "which rows it was fitted on was not noted",
        }[self.same_rows]
        if self.same:
            return (
                f"same: fitted again, the model is {self.fingerprint[:16]}... to the bit; {rows}."
            )
        if self.cut_short is not None:
            kept, full = self.cut_short
            return (
                f"cut short: the model has the first {kept} of {full} rounds, and these are, "
                f"fitted again, the same to the bit; {rows}."
            )
        if self.edited is not None:
            edits = "1 edit was" if self.edited == 1 else f"{self.edited} edits were"
            return (
                f"edited: {edits} made to the model by hand; without, it is, fitted again, the "
                f"same to the bit; {rows}."
            )
        if self.since is not None:
            return (
                f"not to be verified: the model has learnt from further rows by {self.since} since "
                "its fit, so that no one table gives it again. Verify it as it was before, and "
                f"call {self.since} anew on the rows that it was given."
            )
        if self.lacks:
            known = "" if self.same_rows is None else f"; {rows}"
            return f"not to be verified: {self.lacks}{known}."
        return (
            f"different: the model is {self.fingerprint[:16]}..., fitted again it is "
            f"{self.refitted[:16]}...; {rows}{self.hint}."
        )

    __repr__ = __str__


def verify(model: Any, X: Any, y: Any, sample_weight: Any = None, **fit: Any) -> Verification:
    """Refits a copy of the model on X and y, and compares the two to the last bit.

    The model may be given as the path of its file. The order of rows and the number of threads do
    not matter. Further arguments go to ``fit``: those that the model was fitted with, such as X_val
    and y_val.

    >>> import weaklearn
    >>> X, y = weaklearn.datasets.toy()
    >>> model = weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> bool(weaklearn.verify(model, X[::-1], y[::-1]))
    True
    >>> print(weaklearn.verify(model, X[1:], y[1:]))
    different: the model is ..., fitted again it is ...; the rows are not those it was fitted on.
    >>> print(weaklearn.verify(model.truncate(2), X, y))
    cut short: the model has the first 2 of 3 rounds, ...; the rows are those it was fitted on.
    """
    if isinstance(model, (str, os.PathLike)):
        model = load(model)
    if not isinstance(model, Model):
        raise TypeError(
            f"model is of type {type(model).__name__}; verify compares models of this library."
        )
    check_is_fitted(model)
    again = refit(model, X, y, sample_weight, **fit)
    ours, theirs = model.fingerprint(), again.fingerprint()
    known = [m._origin for m in (model, again)]
    rows = [None if origin is None else origin.rows for origin in known]
    same_rows = None if None in rows else rows[0] == rows[1]
    cut = None if ours == theirs else _cut_short(model, again)
    edited = None if ours == theirs else _edited(model, theirs)
    forgot = model._has_offset and fit.get("offset") is None
    hint = "; it was fitted with an offset, so pass offset= as well" * forgot
    since = None if ours == theirs or known[0] is None else known[0].since
    lacks = ""
    if ours != theirs and fit.get("X_val") is None and _is_judged(model):
        learnt = [None if origin is None else origin.n_examples for origin in known]
        if not _is_judged(again):
            lacks = _NO_X_VAL
        elif sample_weight is None and learnt[0] == len(y) != learnt[1]:
            lacks, same_rows = _NO_X_VAL, None  # it held none of them out, as the refit did
        elif same_rows and not hint:
            hint = "; if its fit was given X_val and y_val, or groups, pass them as well"
    return Verification(ours == theirs, ours, theirs, same_rows, cut, edited, since, hint, lacks)


_NO_X_VAL = (
    "its fit was judged by validation rows of their own, which the refit was not given: pass X_val "
    "and y_val as well"
)


def _is_judged(model: Any) -> bool:
    """Whether the fit was judged by rows that it did not learn from."""
    scores = (fact(model, name) for name in ("validation_scores_", "validation_losses_"))
    return any(found is not None and len(found) > 0 for found in scores)


def _cut_short(model: Any, again: Any) -> tuple[int, int] | None:
    """(rounds of the model, rounds of the refit) if the model is the beginning of the refit."""
    part: Any = model._ensemble
    if not isinstance(part, (Ensemble, StackedEnsemble, AdditiveTrees)):
        return None
    full: Any = again.ensemble_
    if type(part) is not type(full) or not 0 < len(part) < len(full):
        return None
    equal = written(part)[0] == written(full.staged(len(part)))[0]
    return (len(part), len(full)) if equal else None


def _edited(model: Any, theirs: str) -> int | None:
    """The number of edits, if the model without them equals the refit."""
    unedited, edits = copy.copy(model), len(model._edits)
    for _ in range(edits):
        unedited.undo()
    return edits if edits and unedited.fingerprint() == theirs else None


def refit(model: Any, X: Any, y: Any, sample_weight: Any = None, **fit: Any) -> Any:
    """A copy of a fitted model, fitted from the beginning with the same random seed."""
    again = clone(model)
    drawn = model.get_params(deep=False).get("random_state")
    if isinstance(drawn, (np.random.RandomState, np.random.Generator)):
        again.set_params(random_state=model._seed)
    given = {} if sample_weight is None else {"sample_weight": sample_weight}
    return again.fit(X, y, **given, **fit)
