"""Columns of texts: the terms of training, and texts read by them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..files.check import array, integer, listed, maybe, named, need, of_type, text
from ..files.error import Flaw
from ..intake.cells import Cells
from ..text.terms import Terms
from ..text.text_columns import TextColumn, beside, check_parts, features
from .columns import Columns, by_columns, one_column
from .held import Held
from .term_rows import TermRows, side_by_side

VECTORIZER = "TermVectorizer"


class Vectorizer:
    """The vocabulary of training, and how texts are cut into its terms."""

    def __init__(self, source: Any) -> None:
        need(isinstance(source, Held) and source.name == VECTORIZER, "there is no vectorizer")
        state = source.state
        for name, check in (
            ("terms", listed(text)),
            ("document_frequency_", array("i")),
            ("n_documents_", integer(1, 2**62)),
        ):
            need(name in state, "the vectorizer is not fitted")
            check(name, state[name])
        names: list[str] = state["terms"]
        need(len(names) > 0, "there are no terms")
        need(all(a < b for a, b in pairwise(names)), "the terms are in no order")
        try:
            self.how = Terms.by(source.parameters)
        except (KeyError, TypeError, ValueError) as error:
            raise Flaw(f"a parameter is wrong: {error!s:.300}") from None
        self.vocabulary_ = {name: j for j, name in enumerate(names)}

    def transform(self, X: Any) -> TermRows:
        """Which terms of the vocabulary each document contains."""
        start, place, count = self.how.counted(one_column(X), self.vocabulary_.get)
        return TermRows(start, place, count, (len(start) - 1, len(self.vocabulary_)))


def make_text_column(fields: list[Any]) -> TextColumn:
    """A column of texts out of a file."""
    need(len(fields) == 2, f"it has {len(fields)} fields; it must have 2")
    maybe(text)("name", fields[0])
    return TextColumn(fields[0], Vectorizer(fields[1]))


@dataclass(frozen=True, eq=False)
class TextColumns(Columns):
    """The columns of training where some are texts: those of ``plain``, and terms behind them."""

    plain: Columns | None = None
    texts: tuple[TextColumn, ...] = ()

    def read(self, X: Any, *, unseen: str = "missing") -> Cells:
        """Read an X to predict, whose columns must be those of training."""
        if self.texts[0].name is None:
            return _beside(None, [self.texts[0].vectorizer.transform(X)])
        own = [str(column.name) for column in self.texts]
        others = () if self.plain is None else self.plain.names or ()
        table = by_columns(X, [*others, *own])
        terms = [
            c.vectorizer.transform(table[name]) for name, c in zip(own, self.texts, strict=True)
        ]
        plain = None if self.plain is None else self.plain.read(table, unseen=unseen)
        return _beside(plain, terms)


def make_text_columns(fields: list[Any]) -> TextColumns:
    """Columns with texts out of a file; the features follow from them."""
    need(len(fields) == 2, f"it has {len(fields)} fields; it must have 2")
    plain, texts = fields
    if plain is not None:
        of_type("plain", plain, Columns)
    check_parts(plain, texts)
    names, special = features(plain, texts), {} if plain is None else plain.special
    empty = frozenset[int]() if plain is None else plain.empty
    return TextColumns(len(names), names, special, "", empty, plain, tuple(texts))


def _beside(cells: Cells | None, terms: list[TermRows]) -> Cells:
    """Cells of other columns, and the terms behind them."""
    rows = side_by_side(terms)
    if cells is not None and cells.n_rows != rows.shape[0]:
        raise ValueError(
            f"X has columns of {cells.n_rows} values and texts of {rows.shape[0]}; give every "
            "column as many."
        )
    return beside(cells, rows)


def any_columns(name: str, value: Any) -> None:
    """The columns of training, with texts among them or not."""
    need(type(value) in (Columns, TextColumns), f"{name} is {named(value)}; it must be columns")
