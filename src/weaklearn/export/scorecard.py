"""Scorecards: the contribution and the number of examples of every bin."""

from __future__ import annotations

import csv
import io
import os
from itertools import product
from typing import Any

from ..base.messages.table import Table
from ..base.trees.term import Term
from ..files.disk import write_out
from ..inspection.column_grid import cell_texts
from ..inspection.shape import output_names, plain_count, term_names
from ..intake.schema import Schema
from .model_ir import notes_of, slim

INTERCEPT = "intercept"


class Scorecard(Table):
    """One row per bin of every term; intercept plus the rows that apply is the score."""

    def to_csv(self, path: str | os.PathLike[str]) -> None:
        """Writes all rows to a CSV file, numbers in full."""
        file = io.StringIO(newline="")
        writer = csv.writer(file)
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        write_out(path, file.getvalue().encode("utf-8"))


def scorecard_of(model: Any) -> Scorecard:
    """The scorecard of a fitted model; neighbouring bins of equal contribution are merged."""
    schema, ensemble, outputs = model._schema, model.ensemble_, output_names(model)
    rows: list[tuple[Any, ...]] = [(INTERCEPT, "always", *ensemble.intercept.tolist(), None)]
    for term, name in zip(ensemble.terms, term_names(schema, ensemble.terms), strict=True):
        rows += _rows(slim(term), name, schema)
    columns = ["term", "cell", *(outputs or ("contribution",)), "count"]
    note = "a score is the intercept and a cell of every term, added up; one not listed adds 0"
    note = "; ".join([note, *notes_of(model)])
    return Scorecard("scorecard", columns, rows, note, shown=30)


def _rows(term: Term, name: str, schema: Schema) -> list[tuple[Any, ...]]:
    texts = product(*(cell_texts(axis, schema) for axis in term.axes))
    values = term.values.reshape(-1, term.values.shape[-1]).tolist()
    counts = [plain_count(count) for count in term.counts.ravel()]
    return [
        (name, " and ".join(words), *numbers, count)
        for words, numbers, count in zip(texts, values, counts, strict=True)
        if count or any(numbers)
    ]
