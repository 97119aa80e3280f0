"""Columns of texts among others: their features, and terms beside cells. Needs numpy alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.offered import fact
from ..files.check import need, of_type
from ..intake.cells import Cells, KnownColumns


@dataclass(frozen=True, eq=False)
class TextColumn:
    """One column of texts: its name (None where X is a list of texts), and its terms."""

    name: str | None
    vectorizer: Any

    @property
    def terms(self) -> list[str]:
        """The names of its terms among the features: ``column:term``."""
        before = "" if self.name is None else f"{self.name}:"
        return [before + term for term in self.vectorizer.vocabulary_]


def features(plain: KnownColumns | None, texts: Sequence[TextColumn]) -> tuple[str, ...]:
    """The names of all features: the other columns, and behind them the terms of each text."""
    names = () if plain is None else plain.names or ()
    return (*names, *(term for column in texts for term in column.terms))


def check_parts(plain: KnownColumns | None, texts: Any) -> None:
    """Columns of a file, of which some are texts, have names of their own."""
    need(plain is None or plain.names is not None, "the other columns have no names")
    of_type("texts", texts, list)
    need(texts, "there are no texts")
    for column in texts:
        of_type("a column of texts", column, TextColumn)
        need(
            fact(column.vectorizer, "vocabulary_") is not None,
            "a column of texts has no vocabulary",
        )
    names = [column.name for column in texts]
    alone = names == [None] and plain is None
    need(alone or None not in names, "a column of texts has no name")
    all_names = features(plain, texts)
    need(len(set(all_names)) == len(all_names), "a feature's name stands twice")


def beside(cells: Cells | None, terms: Any) -> Cells:
    """The values of other columns, followed by terms, a sparse matrix by rows."""
    n, width = terms.shape
    if cells is None:
        return Cells(n, width, sparse=terms)
    columns = cells.columns
    if columns is None:
        assert cells.matrix is not None
        columns = [np.asarray(column, np.float64) for column in cells.matrix.T]
    n_categories = np.zeros(len(columns) + width, np.int32)
    categorical = np.zeros(len(n_categories), bool)
    if cells.n_categories is not None and cells.categorical is not None:
        n_categories[: len(columns)], categorical[: len(columns)] = (
            cells.n_categories,
            cells.categorical,
        )
    return Cells(
        n,
        len(n_categories),
        sparse=terms,
        columns=columns,
        categorical=categorical,
        n_categories=n_categories,
    )
