"""Terms of a glass box: read, changed by hand with what it costs, and undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ...base.loss import Loss
from ...base.messages.table import Table, printable
from ...base.messages.value_text import show
from ...base.numeric.total import mean
from ...base.trees.term import Edit, Term, TermSum
from ...base.types import Floats
from ...inspection.rule_text import feature_name
from ...inspection.shape import Shapes, index_of, shapes_of, term_name
from ...intake import parameters
from ...intake.labels import coded_labels, codes_among, read_target
from ...intake.schema import Schema
from ...intake.weights import counts, read_weights
from ..model import in_one_step
from .edit_values import TermChange, edit_table

if TYPE_CHECKING:
    from ...base.rows import Rows


_ACTIONS = "flatten=, monotone=, low= and high=, set= or drop="


@dataclass(frozen=True)
class _Rows:
    """Rows that a model is scored by, before and after an edit; none where X is None."""

    X: Any
    y: Any
    sample_weight: Any
    offset: Any

    def check(self, fitted_with_offset: bool) -> None:
        """Refuses what cannot be scored, or would be scored wrongly."""
        others = self.sample_weight is not None or self.offset is not None
        if (self.X is None) != (self.y is None) or (others and self.X is None):
            raise ValueError("pass X together with y to have the model scored before and after.")
        if self.X is not None and self.offset is None and fitted_with_offset:
            raise ValueError(
                "the model was fitted with an offset, and X and y are given without one; pass "
                "offset= of these rows as well."
            )


class Editing:
    """A sum of terms read and edited: mixed into estimators whose ensemble is one."""

    ensemble_: TermSum
    classes_: NDArray[Any]
    _regression: bool
    n_features_in_: int
    _schema: Schema
    _loss: Loss
    _edits: tuple[Edit, ...] = ()
    _has_offset: bool = False  # fit was given one

    if TYPE_CHECKING:

        def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float: ...
        def _known_scores(self, offset: Any, n: int) -> Floats | None: ...
        def _rows(self, X: Any) -> Rows: ...
        def _output_name(self, k: int) -> str: ...

    # ------------------------------------------------------------------------------------ reading

    @property
    def shapes_(self) -> Shapes:
        """The functions that are added up, by name, the strongest first.

        >>> import numpy as np
        >>> from weaklearn import AdditiveBoostingRegressor
        >>> X = np.arange(400.0).reshape(200, 2) % 7
        >>> model = AdditiveBoostingRegressor(n_pairs=0).fit(X, X[:, 0] ** 2)
        >>> next(iter(model.shapes_))
        'x[0]'
        >>> model.shapes_["x[0]"].grid.edges.tolist()
        [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
        """
        return shapes_of(self)

    @property
    def intercept_(self) -> Floats:
        """The score of the mean row, one number an output."""
        check_is_fitted(self, "ensemble_")
        return self.ensemble_.intercept

    @property
    def pairs_(self) -> list[tuple[Any, Any]]:
        """The pairs of columns that have a function, by name or number."""
        check_is_fitted(self, "ensemble_")
        names = self._schema.names
        found = [
            (term.features[0], term.features[1])
            for term in self.ensemble_.terms
            if len(term.axes) == 2
        ]
        return [(a, b) if names is None else (names[a], names[b]) for a, b in found]

    @property
    def feature_importances_(self) -> Floats:
        """The mean absolute contribution of each column, that of a pair divided among its two, as
        shares.
        """
        check_is_fitted(self, "ensemble_")
        sizes = np.zeros(self.n_features_in_)
        for term in self.ensemble_.terms:
            for j in term.features:
                sizes[j] += term.importance() / len(term.features)
        total_size = sizes.sum()
        return sizes / total_size if total_size > 0 else sizes

    # ------------------------------------------------------------------------------------ editing

    @in_one_step
    def edit(
        self,
        term: Any,
        *,
        between: Any = None,
        flatten: Any = None,
        monotone: int | None = None,
        low: float | None = None,
        high: float | None = None,
        set: Mapping[Any, float] | None = None,
        drop: bool = False,
        output: Any = None,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        offset: Any = None,
    ) -> Table:
        """Changes one term by hand, without fitting again; ``undo`` takes it back.

        The change is one of: a range made flat, the term made to rise or fall, its contribution
        held between two numbers, levels set to numbers, the term dropped. The bands of changed
        cells move along; other terms and the intercept stay.

        Parameters
        ----------
        term : name of a column, pair of names, or number of a column
        between : (low, high), optional
            With ``flatten``, ``monotone``, ``low`` and ``high``: only the cells that reach into
            low < x <= high, in the column's own values; None is no limit.
        flatten : True, float or "bridge"
            True: to the mean over the training examples there. "bridge": in equal steps from the
            cell before the range to that behind it.
        monotone : +1 or -1
            To the nearest values, over the training examples, that never fall (never rise).
        low, high : float
            The least and the greatest contribution.
        set : dict from level to float
            None is the cell of missing values, "other" that of all rare levels.
        drop : bool
            The term goes.
        output : label, optional
            Where there are several scores a row, the only one to change.
        X, y, sample_weight, offset : optional
            Rows to score the model by, before and after; best such as had no part in fitting. A
            model that was fitted with an offset needs that of these rows.

        Returns
        -------
        Table
            The change, as a line of ``edits_``.
        """
        check_is_fitted(self, "ensemble_")
        parameters.switch("drop", drop)
        given = {"flatten": flatten, "monotone": monotone, "low": low, "high": high, "set": set}
        asked = [name for name, value in given.items() if value is not None] + ["drop"] * drop
        if not asked or (len(asked) > 1 and asked != ["low", "high"]):
            found = ", ".join(f"{name}=" for name in asked) or "none"
            raise ValueError(f"edit() makes one change at a time, and got {found}; use {_ACTIONS}.")
        rows = _Rows(X, y, sample_weight, offset)
        rows.check(self._has_offset)
        index = index_of(self._schema, self.ensemble_.terms)
        place = index[term]
        old = self.ensemble_.terms[place]
        chosen = self._chosen(output)
        if monotone is not None and len(chosen) > 1 and not self._regression:
            raise ValueError(
                f"monotone= is given for all {len(chosen)} classes at once, whose scores cannot "
                "all win by rising; name one with output=, such as "
                f"output={show(self.classes_.tolist()[0])}."
            )
        change = TermChange(old, self._schema, index.names[place], chosen)
        new, what = change.made(asked, between, given)
        if drop and output is None:
            new, what = None, "dropped"
        if output is not None:
            what += f" for {printable(str(output))}"
        edit = Edit(index.names[place], what, place, old, new)
        if new is not None and edit.n_changed == 0:
            return edit_table([edit], "edit", ["-"], "nothing to change: the term is so already")
        edited = _with(self.ensemble_, place, new)
        edit = replace(edit, scores=self._compared(edited, rows))
        self.ensemble_, self._edits = edited, (*self._edits, edit)
        note = _note_of_pairs(edited, old, self._schema, monotone is not None)
        return edit_table([edit], "edit", [len(self._edits)], note)

    @in_one_step
    def undo(self) -> Table:
        """Takes the last edit back; the term is again what it was, to the bit."""
        check_is_fitted(self, "ensemble_")
        if not self._edits:
            raise ValueError("there is no edit to undo: the model is as fit left it.")
        *others, last = self._edits
        terms = list(self.ensemble_.terms)
        terms[last.place : last.place + (last.after is not None)] = [last.before]
        self.ensemble_, self._edits = self.ensemble_.with_terms(terms), tuple(others)
        left = f"{len(others)} edit{'s' * (len(others) != 1)}"
        return edit_table([last], "undone", [len(others) + 1], f"undone; {left} left")

    @property
    def edits_(self) -> Table:
        """Every edit in order, with the values of the changed cells and scores before and after."""
        check_is_fitted(self, "ensemble_")
        return edit_table(self._edits, "edits", range(1, len(self._edits) + 1))

    def _chosen(self, output: Any) -> list[int]:
        """The numbers of the scores that are to change."""
        K = self.ensemble_.n_outputs
        if output is None:
            return list(range(K))
        names = [self._output_name(k) for k in range(K)] if K > 1 else []
        labels = names if K == 1 or self._regression else self.classes_.tolist()
        for k in range(len(names)):
            if output == labels[k] or output == names[k]:
                return [k]
        if not names:
            raise ValueError(
                f"output={show(output)} is given, and a row has one score only; leave it out."
            )
        raise ValueError(f"output={show(output)} is not there; it must be one of {show(labels)}.")

    def _compared(self, edited: TermSum, given: _Rows) -> tuple[tuple[str, float, float], ...]:
        """The loss and the score before and after an edit, which is made; none without rows."""
        if given.X is None:
            return ()
        before = self._judged(given)
        self.ensemble_ = edited
        after = self._judged(given)
        return tuple((name, before[name], after[name]) for name in before if name in after)

    def _judged(self, given: _Rows) -> dict[str, float]:
        rows = self._rows(given.X)
        weights = read_weights(given.sample_weight, len(rows))
        known = self._known_scores(given.offset, len(rows))
        F = self.ensemble_(rows)
        F = F if known is None else F + known[:, None]
        F = F[:, 0] if F.shape[1] == 1 else F
        if not self._regression:
            K, word = len(self.classes_), "accuracy"
            target = coded_labels(codes_among(self.classes_, given.y, len(rows), "y"), K)
        else:
            K, word = 0, "score"
            target = read_target(given.y, len(rows))
        found = {}
        if K != 1:
            repeats = counts(weights) if weights is not None else None
            loss = mean(self._loss.value(target, F), weights if repeats is None else repeats)
            found = {self._loss.name: loss} if np.isfinite(loss) else {}
        score = self.score(given.X, given.y, given.sample_weight, given.offset)
        return found | {word: float(score)}


def _with(ensemble: TermSum, place: int, new: Term | None) -> TermSum:
    terms = list(ensemble.terms)
    terms[place : place + 1] = [] if new is None else [new]
    return ensemble.with_terms(terms)


def _note_of_pairs(ensemble: TermSum, old: Term, schema: Schema, monotone: bool) -> str:
    """A note that a column also acts through pairs; empty where it does not."""
    if len(old.axes) > 1:
        return ""
    (j,) = old.features
    pairs = [term for term in ensemble.terms if len(term.axes) == 2 and j in term.features]
    if not pairs:
        return ""
    name = printable(feature_name(schema, j))
    if monotone:
        named = ", ".join(printable(term_name(schema, term.features)) for term in pairs)
        return f"the score itself may still rise and fall with {name}, which also acts in {named}"
    others = [other for term in pairs for other in term.features if other != j]
    named = ", ".join(printable(feature_name(schema, other)) for other in others)
    return f"{name} also acts together with {named}"
