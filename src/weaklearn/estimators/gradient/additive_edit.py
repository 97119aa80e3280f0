"""Terms changed by hand: every change is written down, shown with what it costs, and undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ...base.loss import Loss
from ...base.messages.table import Table, printable
from ...base.messages.value_text import show
from ...base.numeric.total import mean
from ...base.trees.term import Axis, Term, TermSum
from ...base.trees.term_edit import Edit
from ...base.types import Bools, Floats
from ...inspection.column_grid import (
    cell_texts,
    own_cuts,
    own_ends,
    own_number,
    own_text,
    stretch_text,
)
from ...inspection.rule_text import feature_name
from ...inspection.shape import index_of, term_name
from ...intake import parameters
from ...intake.column_schema import ColumnSchema
from ...intake.labels import coded_labels, codes_among, counts, read_target, read_weights
from ...intake.object_column import is_missing
from ...intake.raw_column import Kind
from ...intake.schema import Schema
from ..model import in_one_step
from .edit_values import edit_table, levelled, moved, reaching, rising

if TYPE_CHECKING:
    from ...base.sample import Rows


_ACTIONS = "flatten=, monotone=, low= and high=, set= or drop="
_HUGE = 1e100


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
    """``edit``, ``undo`` and ``edits_``; mixed into estimators whose ensemble is a sum of terms."""

    ensemble_: TermSum
    classes_: NDArray[Any]
    _schema: Schema
    _loss: Loss
    _edits: tuple[Edit, ...] = ()
    _has_offset: bool = False  # fit was given one

    if TYPE_CHECKING:

        def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float: ...
        def _known_scores(self, offset: Any, n: int) -> Floats | None: ...
        def _rows(self, X: Any) -> Rows: ...
        def _output_name(self, k: int) -> str: ...

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
        if monotone is not None and len(chosen) > 1 and hasattr(self, "classes_"):
            raise ValueError(
                f"monotone= is given for all {len(chosen)} classes at once, whose scores cannot "
                "all win by rising; name one with output=, such as "
                f"output={show(self.classes_.tolist()[0])}."
            )
        change = _Change(old, self._schema, index.names[place], chosen)
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
        labels = self.classes_.tolist() if K > 1 and hasattr(self, "classes_") else names
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
        if hasattr(self, "classes_"):
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


class _Change:
    """One term, and the scores of it that are to change."""

    def __init__(self, term: Term, schema: Schema, name: str, outputs: list[int]) -> None:
        self.term, self.schema, self.name, self.outputs = term, schema, name, outputs

    def made(
        self, asked: list[str], between: Any, given: dict[str, Any]
    ) -> tuple[Term | None, str]:
        """The changed term, and what was done in words."""
        action = asked[0]
        if between is not None and action in ("set", "drop"):
            raise ValueError(
                f"between= goes with flatten=, monotone=, low= and high=, not with {action}=."
            )
        if action == "drop":
            return self._each(lambda values: np.zeros_like(values)), "set to 0"
        if action in ("low", "high"):
            return self._capped(given["low"], given["high"], between)
        if len(self.term.axes) > 1:
            raise ValueError(
                f"{show(self.name)} is a pair of columns, to which {action}= does not apply; hold "
                "it between low= and high=, or drop it with drop=True."
            )
        if action == "set":
            return self._set(given["set"])
        return (self._flattened if action == "flatten" else self._monotone)(given[action], between)

    @property
    def _axis(self) -> Axis:
        return self.term.axes[0]

    @property
    def _column(self) -> ColumnSchema:
        return self.schema.columns[self._axis.feature]

    def _each(self, change: Any, where: Bools | None = None) -> Term:
        """Other values for some cells of every score that is to change."""
        values = self.term.values.copy()
        cells = np.ones(self.term.counts.shape, bool) if where is None else where
        for k in self.outputs:
            part = values[..., k]
            part[cells] = change(part[cells])
        return moved(self.term, values)

    def _known(self, between: Any) -> tuple[Bools, str]:
        """The cells of known values in a range, and that range in words."""
        cells = np.ones(self._axis.n_cells, bool)
        cells[-1] = False
        if between is None:
            return cells, ""
        if self._axis.cuts is None:
            raise ValueError(
                f"between= is for columns with an order, and {show(self.name)} holds categories; "
                "use set={level: value}."
            )
        low, high = self._limits(between)
        cells[:-1] = reaching(own_cuts(self._column, self._axis), low, high)
        first, *_, last = np.flatnonzero(cells).tolist() * 2
        where_text = stretch_text(self._axis, self.schema, first, last)
        return cells, f" where {where_text}"

    def _limits(self, between: Any) -> tuple[Any, Any]:
        if isinstance(between, (str, bytes)) or np.ndim(between) != 1 or len(between) != 2:
            raise ValueError(f"between={show(between)} is not allowed: it must be (low, high).")
        ends = [
            None if end is None else own_number(self._column, end, "between", self.name)
            for end in between
        ]
        low, high = (-inf if ends[0] is None else ends[0]), (inf if ends[1] is None else ends[1])
        if not low < high:
            raise ValueError(
                f"between={show(between)} is not allowed: the first must be below the second."
            )
        self._check_inside(low, high, between)
        return low, high

    def _check_inside(self, low: Any, high: Any, between: Any) -> None:
        """Refuses a range without any value of training."""
        ends = own_ends(self._column, self._axis)
        if ends is not None and (ends[1] <= low or ends[0] > high):
            least, most = (own_text(self._column, end) for end in ends)
            raise ValueError(
                f"between={show(between)} lies outside {show(self.name)}, whose values went from "
                f"{least} to {most} in training."
            )

    def _flattened(self, flatten: Any, between: Any) -> tuple[Term, str]:
        where, where_text = self._known(between)
        if isinstance(flatten, (bool, np.bool_)):
            if not flatten:
                raise ValueError("flatten=False changes nothing; use True, or a number.")
            counts = self.term.counts[where]
            return self._each(
                lambda values: levelled(values, counts), where
            ), f"flattened{where_text}"
        if isinstance(flatten, str) and flatten == "bridge":
            return self._bridged(where, between), f"bridged{where_text}"
        value = _finite("flatten", flatten, "True, a number or 'bridge'")
        flat = self._each(lambda values: np.full(len(values), value), where)
        return flat, f"flattened to {value:g}{where_text}"

    def _bridged(self, where: Bools, between: Any) -> Term:
        """Equal steps between the neighbours of a range; at an end, the value of the only one."""
        if self._axis.cuts is None:
            raise ValueError(
                f"flatten='bridge' is for columns with an order, and {show(self.name)} holds "
                "categories; use set={level: value}."
            )
        cells = np.flatnonzero(where)
        sides = [i for i in (cells[0] - 1, cells[-1] + 1) if 0 <= i < self._axis.n_cells - 1]
        if not sides:
            raise ValueError(
                f"flatten='bridge' needs a neighbour, and between={show(between)} leaves none of "
                f"{show(self.name)}; pass a smaller range."
            )
        values = self.term.values.copy()
        for k in self.outputs:
            low, high = values[sides[0], k], values[sides[-1], k]
            values[cells, k] = np.linspace(low, high, len(cells) + 2)[1:-1]
        return moved(self.term, values)

    def _monotone(self, monotone: Any, between: Any) -> tuple[Term, str]:
        if isinstance(monotone, (bool, np.bool_)) or parameters.as_float(monotone) not in (-1, 1):
            raise ValueError(
                f"monotone={show(monotone)} is not allowed: it must be 1 (rising) or -1 (falling)."
            )
        if self._axis.cuts is None:
            raise ValueError(
                f"monotone= is for columns with an order, and {show(self.name)} holds categories."
            )
        where, where_text = self._known(between)
        counts = self.term.counts[where]
        made = self._each(lambda v: monotone * rising(monotone * v, counts), where)
        return made, f"made {'rising' if monotone > 0 else 'falling'}{where_text}"

    def _capped(self, low: Any, high: Any, between: Any) -> tuple[Term, str]:
        least = -inf if low is None else _finite("low", low, "a number")
        most = inf if high is None else _finite("high", high, "a number")
        if least > most:
            raise ValueError(f"low={least:g} is above high={most:g}; swap them.")
        where, where_text = None, ""
        if between is not None:
            if len(self.term.axes) > 1:
                raise ValueError(f"between= is for one column, and {show(self.name)} is of two.")
            where, where_text = self._known(between)
        bounds = {"at least": low, "at most": high}
        words = " and ".join(f"{word} {end:g}" for word, end in bounds.items() if end is not None)
        return self._each(lambda v: np.clip(v, least, most), where), f"held {words}{where_text}"

    # ------------------------------------------------------------------------------------- levels

    def _set(self, wanted: Any) -> tuple[Term, str]:
        if not isinstance(wanted, Mapping) or not wanted:
            raise ValueError(
                f"set={show(wanted)} is not allowed: it must be a dict {{level: value}}."
            )
        values = self.term.values.copy()
        words = []
        for level, value in wanted.items():
            cell = self._cell(level)
            number = _finite(f"set[{show(level)}]", value, "a number")
            values[cell, self.outputs] = number
            words.append(f"{cell_texts(self._axis, self.schema)[cell]}: {number:g}")
        return moved(self.term, values), "set " + _listed(words)

    def _cell(self, level: Any) -> int:
        """The cell of a level, of the rare ones, or of missing values."""
        column, last = self._column, self._axis.n_cells - 1
        if level is None or is_missing(level):
            return last
        if column.kind is not Kind.CATEGORY:
            if level == "missing":
                return last
            raise ValueError(
                f"set= holds {show(level)}, and {show(self.name)} is no category: set={{None: "
                "value} sets missing values; use flatten= with between= for a range."
            )
        if level in column.levels:
            return column.levels.index(level)
        if level in column.pooled:
            raise ValueError(
                f"set= holds {show(level)}, one of {len(column.pooled)} rare levels that share a "
                "cell; set 'other' for all of them."
            )
        if level == "other" and column.pooled:
            return len(column.levels)
        if level == "missing":
            return last
        words = [str(known) for known in column.levels] + ["other"] * bool(column.pooled)
        raise ValueError(
            f"set= holds {show(level)}, which is no level of {show(self.name)}; there are "
            f"{_listed([show(known) for known in column.levels])}"
            f"{' and other' * bool(column.pooled)}.{parameters.nearest(level, words)}"
        )


def _finite(name: str, value: Any, allowed: str) -> float:
    number = parameters.as_float(value)
    if isinstance(value, (bool, np.bool_)) or not abs(number) <= _HUGE:
        raise ValueError(f"{name}={show(value)} is not allowed: it must be {allowed}.")
    return number


def _listed(words: Any, most: int = 6) -> str:
    shown = ", ".join(words[:most])
    return shown + (f", ... ({len(words)})" if len(words) > most else "")
