"""Columns of texts: the terms of training, and texts read by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from ..base.types import Ints
from ..files.check import maybe, need, of_type, text
from ..files.error import Flaw
from ..files.record import MODELS, Record, expect
from ..intake.cells import Cells
from ..persistence import checks as fit
from ..persistence.column_record import PARTS_OF_TEXTS, TEXT_COLUMN_NUMBER
from ..persistence.kept import Held
from ..text.kept import check_vocabulary, unpack_terms
from ..text.terms import Terms
from ..text.text_columns import TextColumn, beside, check_parts, features
from .columns import Columns, by_columns, one_column
from .term_rows import TermRows, side_by_side


class Vectorizer:
    """The vocabulary of training, and how texts are cut into its terms."""

    vocabulary_: dict[str, int]
    document_frequency_: Ints
    n_documents_: int

    def __init__(self, source: Held) -> None:
        need(source.state, "the vectorizer is not fitted")
        unpack_terms(self, dict(source.state))
        check_vocabulary(self)
        try:
            self.how = Terms.by(source.parameters)
        except (KeyError, TypeError, ValueError) as error:
            raise Flaw(f"a parameter is wrong: {error!s:.300}") from None
        self.binary, self.weights = self.how.binary, self.how.weights

    def transform(self, X: Any) -> TermRows:
        """Which terms of the vocabulary each document contains."""
        counted = self.how.counted(one_column(X), self.vocabulary_.get)
        data = self.how.weighed(counted, self.document_frequency_, self.n_documents_)
        start, place, _ = counted
        return TermRows(start, place, data, (len(start) - 1, len(self.vocabulary_)))


def _make_text_column(fields: list[Any]) -> TextColumn:
    """A column of texts out of a file."""
    expect(fields, 2)
    maybe(text)("name", fields[0])
    fit.estimator_of("TermVectorizer")("vectorizer", fields[1])
    return TextColumn(fields[0], Vectorizer(fields[1]))


@dataclass(frozen=True, eq=False)
class TextColumns(Columns):
    """The columns of training where some are texts: those of ``plain``, and terms behind them."""

    plain: Columns | None = None
    texts: tuple[TextColumn, ...] = ()

    @property
    def text_columns(self) -> tuple[TextColumn, ...]:
        """The columns of texts."""
        return self.texts

    def read(self, X: Any, *, unseen: str = "missing", threads: int = 1) -> Cells:
        """Read an X to predict, whose columns must be those of training."""
        if self.texts[0].name is None:
            return _beside(None, [self.texts[0].vectorizer.transform(X)])
        own = [str(column.name) for column in self.texts]
        others = () if self.plain is None else self.plain.names or ()
        table = by_columns(X, [*others, *own])
        terms = [
            c.vectorizer.transform(table[name]) for name, c in zip(own, self.texts, strict=True)
        ]
        plain = (
            None if self.plain is None else self.plain.read(table, unseen=unseen, threads=threads)
        )
        return _beside(plain, terms)


def _make_text_columns(fields: list[Any]) -> TextColumns:
    """Columns with texts out of a file; the features follow from them."""
    expect(fields, 2)
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


def _nothing(value: Any) -> NoReturn:
    raise TypeError("the runtime writes no files")


TEXT_SCHEMA = Record(97, TextColumns, _nothing, _make_text_columns, holds=PARTS_OF_TEXTS)
TEXT_COLUMN = Record(TEXT_COLUMN_NUMBER, TextColumn, _nothing, _make_text_column, holds={1: MODELS})
