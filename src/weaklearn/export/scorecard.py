"""Scorecards: the contribution of every bin, or of every leaf of one tree."""

from __future__ import annotations

import csv
import io
import os
from itertools import product
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..base.trees.term import Axis, Term, TermSum
from ..files.disk import write_out
from ..inspection.column_grid import cell_texts
from ..inspection.no_tree_sum import NoTreeSum
from ..inspection.rule_text import feature_name
from ..inspection.shape import (
    constants,
    of_stumps,
    output_names,
    plain_count,
    steps,
    term_names,
)
from ..inspection.tree_sum import TreeSum, score_names
from ..inspection.tree_text import Words
from ..intake.schema import Schema
from .model_ir import notes_of, slim
from .trees import refuse_decoded, refuse_known

INTERCEPT = "intercept"
_ADDED_UP = "a score is the intercept and a cell of every term, added up; one not listed adds 0"


class Scorecard(Table):
    """One row per bin of every term; intercept plus the rows that apply is the score.

    Of one tree a row per leaf.
    """

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes all rows to a CSV file, numbers in full."""
        file = io.StringIO(newline="")
        writer = csv.writer(file)
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        write_out(path, file.getvalue().encode("utf-8"))


def scorecard_of(model: Any) -> Scorecard:
    """The scorecard of a fitted model; neighbouring bins of equal contribution are merged."""
    if not isinstance(model._ensemble, TermSum):
        return _of_trees(model)
    schema, ensemble, outputs = model._schema, model.ensemble_, output_names(model)
    rows: list[tuple[Any, ...]] = [(INTERCEPT, "always", *ensemble.intercept.tolist(), None)]
    for term, name in zip(ensemble.terms, term_names(schema, ensemble.terms), strict=True):
        rows += _rows(slim(term), name, schema)
    columns = ["term", "cell", *(outputs or ("contribution",)), "count"]
    note = "; ".join([_ADDED_UP, *notes_of(model)])
    return Scorecard("scorecard", columns, rows, note, shown=30)


def _of_trees(model: Any) -> Scorecard:
    """The scorecard of a sum of stumps, or of one tree."""
    refuse_decoded(model)
    summed: TreeSum = model._tree_sum()
    refuse_known(summed)
    outputs = list(score_names(model)) if summed.n_outputs > 1 else ["contribution"]
    if of_stumps(summed):
        rows, note = _of_steps(summed, model._schema), _ADDED_UP
        return Scorecard("scorecard", ["term", "cell", *outputs], rows, note, shown=30)
    if len(summed.addends) > 1:
        raise NoTreeSum(
            f"it is a sum of {len(summed.addends)} trees that ask several questions in a row, and "
            "a scorecard has a cell of every column",
            "use to_sql, or fit AdditiveBoostingClassifier or stumps",
        )
    rows, note = _of_leaves(summed, model._schema)
    return Scorecard("scorecard", ["term", "cell", *outputs, "count"], rows, note, shown=30)


def _of_steps(summed: TreeSum, schema: Schema) -> list[tuple[Any, ...]]:
    """The sum of the stumps of every column as a step function."""
    rows: list[tuple[Any, ...]] = [
        (INTERCEPT, "always", *(summed.base + constants(summed)).tolist())
    ]
    for j in summed.features:
        n_categories = schema.columns[j].n_categories
        cuts, values = steps(summed, j, n_categories)
        axis = Axis(j, None if cuts is None else np.array(cuts), n_categories)
        term = Term((axis,), values, values, values, np.zeros(len(values)))
        rows += [row[:-1] for row in _rows(slim(term), feature_name(schema, j), schema)]
    return rows


def _of_leaves(summed: TreeSum, schema: Schema) -> tuple[list[tuple[Any, ...]], str]:
    """A row for every leaf of the only tree, with its examples."""
    (addend,) = summed.addends
    tree, asked = addend.tree, frozenset(summed.features)
    words = Words(tree, schema, asked, lambda leaf: "", lambda leaf: None)
    values = np.zeros((len(tree), summed.n_outputs))
    values[:, addend.scores] = addend.vote * tree.values[tree.value]
    values += summed.base
    note = "the score is that of the one cell that a row is in"
    return [
        ("tree", text, *values[leaf].tolist(), int(tree.count[leaf]))
        for leaf, text in words.cells()
    ], "; ".join(filter(None, [note, words.note_of_parts()]))


def _rows(term: Term, name: str, schema: Schema) -> list[tuple[Any, ...]]:
    texts = product(*(cell_texts(axis, schema) for axis in term.axes))
    values = term.values.reshape(-1, term.values.shape[-1]).tolist()
    counts = [plain_count(count) for count in term.counts.ravel()]
    return [
        (name, " and ".join(words), *numbers, count)
        for words, numbers, count in zip(texts, values, counts, strict=True)
        if count or any(numbers)
    ]
