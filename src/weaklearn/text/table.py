"""Tables with columns of texts beside numbers and categories, and lists of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import scipy.sparse as sp
from sklearn.base import clone

from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from ..base.messages.warnings import warn
from ..base.numeric.hashing import Keys
from ..intake.arrays import Names, Table, array_table
from ..intake.cells import Cells
from ..intake.object_column import is_missing
from ..intake.raw_column import unnamed
from ..intake.schema import Schema
from .documents import items
from .text_columns import TextColumn, beside, features
from .vectorizer import TermVectorizer


@dataclass(frozen=True, eq=False)
class TextSchema(Schema):
    """The schema of a training X with texts.

    Features are the columns of ``plain``, where there are others than texts, and behind them the
    terms of each text column.
    """

    plain: Schema | None = None
    texts: tuple[TextColumn, ...] = ()

    @property
    def text_columns(self) -> tuple[TextColumn, ...]:
        """The columns of texts."""
        return self.texts

    @classmethod
    def of(cls, plain: Schema | None, texts: Sequence[TextColumn], name: str) -> TextSchema:
        """The schema of these columns."""
        names, special = features(plain, texts), {} if plain is None else plain.special
        empty = frozenset[int]() if plain is None else plain.empty
        return cls(len(names), names, special, name or "estimator", empty, plain, tuple(texts))

    @classmethod
    def learn_texts(
        cls, X: Any, columns: Sequence[str] | None, vectorizer: TermVectorizer, **how: Any
    ) -> tuple[Schema, Cells]:
        """Read the training X; ``columns`` are those of texts, None where X is a list of them."""
        found = []
        matrices = []
        for name, texts in _texts(X, columns):
            own: TermVectorizer = clone(vectorizer)
            matrices.append(own._learned(texts, how.get("repeats")))
            found.append(TextColumn(name, own))
        rest = None if columns is None else _others(X, columns)
        plain, cells = (None, None) if rest is None else Schema.learn(rest, **how)
        schema = cls.of(plain, found, how.get("estimator_name", ""))
        _check_names(schema)
        return schema, beside(cells, _side_by_side(matrices))

    @property
    def _names(self) -> list[str] | None:
        """The columns of texts in a table; None where X is a list of texts."""
        return [column.name for column in self.texts if column.name is not None] or None

    def others(self, X: Any) -> Any:
        """The columns of X that are no texts; None where there are none."""
        return None if self._names is None else _others(X, self._names)

    def _needed_names(self) -> Names:
        names = self._names
        if names is None or (self.plain is not None and self.plain.names is None):
            return None
        return (*(() if self.plain is None else self.plain.names or ()), *names)

    def pooled_keys(self, X: Any) -> Keys:
        assert self.plain is not None  # terms have no rare categories
        return self.plain.pooled_keys(self.others(X))

    def _open(self, X: Any) -> Table:
        """The columns of X that are no texts, as a table; one without columns where all are."""
        if self.plain is None:
            return array_table(np.zeros((len(_texts(X, self._names)[0][1]), 0)), unnamed)
        return self.plain._open(self.others(X))

    def read(self, X: Any, *, unseen: str = "missing", threads: int = 1) -> Cells:
        """Read an X to predict, whose columns must be those of training."""
        columns = self._names
        texts = _texts(X, columns)
        matrices = [
            column.vectorizer._counted(documents)
            for column, (_, documents) in zip(self.texts, texts, strict=True)
        ]
        cells = None
        if columns is not None:
            rest = self.others(X)
            if self.plain is not None and rest is None:
                raise ValueError(f"X lacks the column {show((self.plain.names or ('',))[0])}.")
            if self.plain is None and rest is not None:
                name = next(iter(nw.from_native(rest, eager_only=True).columns))
                raise ValueError(f"X has a column {show(name)} that training did not have.")
            if self.plain is not None:
                cells = self.plain.read(rest, unseen=unseen, threads=threads)
        return beside(cells, _side_by_side(matrices))


def _check_names(schema: TextSchema) -> None:
    """Refuses feature names that occur twice."""
    seen = set() if schema.plain is None else set(schema.plain.names or ())
    plain = frozenset(seen)
    for column in schema.texts:
        for name in column.terms:
            if name in plain:
                raise ValueError(
                    f"X has a column {show(name)}, which is also the name of a term; rename it."
                )
            if name in seen:
                raise ValueError(
                    f"X has a term {show(name)} in two columns; rename the column "
                    f"{show(column.name)}."
                )
            seen.add(name)


def warn_of_texts(X: Any) -> None:
    """Warns of columns that look like texts, though they are used as categories."""
    if not nw.dependencies.is_into_dataframe(X):
        return
    names = list(getattr(X, "column_names", None) or X.columns)  # Arrow's columns are values
    if len({str(name) for name in names}) < len(names):
        return  # refused when it is read, by name and place
    frame = nw.from_native(X, eager_only=True)
    found = []
    for name, kind in frame.schema.items():
        if kind in (nw.String, nw.Object):
            texts = [cell for cell in frame[name].head(100).to_list() if isinstance(cell, str)]
            long = sum(len(text.split()) > 2 for text in texts)
            if 2 * long > len(texts) and 2 * len(set(texts)) > len(texts):
                found.append(name)
    if found:
        warn(
            f"X has columns that read like texts, {show(found)}, and are taken for categories; "
            "name columns of texts as text_columns."
        )


def is_texts(X: Any) -> bool:
    """Whether X is a list of documents, and no table: its first item is a text, or tokens.

    >>> is_texts([None, "a text"]), is_texts([["a", "token"], []]), is_texts([[1.0], [2.0]])
    (True, True, False)
    """
    if sp.issparse(X) or isinstance(X, (str, bytes, dict)) or hasattr(type(X), "columns"):
        return False
    if getattr(X, "ndim", 1) != 1:
        return False
    if not isinstance(X, Iterable) or isinstance(X, Iterator):
        return False
    for item in X.to_pylist() if hasattr(X, "to_pylist") else X:  # cells of Arrow are not Python's
        if isinstance(item, (list, tuple)):
            if item:
                return all(isinstance(token, str) for token in item)
        elif not is_missing(item):
            return isinstance(item, (str, bytes, bytearray))
    return False


def as_texts(X: Any) -> Any:
    """X, with an iterator of texts turned into a list, to be read more than once."""
    if not isinstance(X, Iterator):
        return X
    found = list(X)
    return found if is_texts(found) else (item for item in found)


def check_columns(X: Any, columns: Sequence[str]) -> None:
    """Refuses names of text columns that the table does not have."""
    frame = _frame(X)
    for name in columns:
        if name not in frame.columns:
            raise ValueError(
                f"text_columns holds {show(name)}, which is no column of X; the columns are "
                f"{show(list(frame.columns))}.{nearest(name, frame.columns)}"
            )


def only_texts(X: Any, columns: Sequence[str]) -> bool:
    """Whether the table has no other columns."""
    return not set(_frame(X).columns) - set(columns)


def _frame(X: Any) -> Any:
    if not nw.dependencies.is_into_dataframe(X):
        raise ValueError(
            f"text_columns names columns of a table, but X is {type(X).__name__}; pass a "
            "DataFrame, or set text_columns=None for a list of texts."
        )
    return nw.from_native(X, eager_only=True)


def _texts(X: Any, columns: Sequence[str] | None) -> list[tuple[str | None, Any]]:
    """Each column of texts with its name."""
    if columns is None:
        return [(None, items(X, "X"))]
    check_columns(X, columns)
    frame = _frame(X)
    return [(name, frame[name].to_list()) for name in columns]


def _others(X: Any, columns: Sequence[str]) -> Any:
    """The table without its text columns; None where no column is left."""
    rest = _frame(X).drop(list(columns))
    return rest.to_native() if rest.columns else None


def _side_by_side(matrices: Sequence[Any]) -> Any:
    """The columns of sparse matrices behind one another."""
    return sp.csr_array(matrices[0] if len(matrices) == 1 else sp.hstack(matrices, "csr"))
