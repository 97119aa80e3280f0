"""Documents from any container, each as a text or as a list of tokens."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..base.messages.value_text import show
from ..base.messages.warnings import warn
from ..intake.object_column import is_missing

Document = str | list[str]


@dataclass
class Documents:
    """Reads documents one by one; longer ones are truncated to ``most`` characters.

    Bytes are decoded by ``encoding``, and what is broken in them as ``decode_error`` says.
    """

    encoding: str = "utf-8"
    decode_error: str = "replace"
    most: int | None = None
    cut: list[int] = field(default_factory=list)  # the places of documents that were cut

    def read(self, X: Any, argument: str = "X") -> Iterator[Document]:
        """The documents of X, with one warning at the end if some were truncated."""
        for i, given in enumerate(items(X, argument)):
            yield self.one(given, f"{argument}[{i}]", i)
        if self.cut:
            some = f"{len(self.cut)} documents are" if len(self.cut) > 1 else "one document is"
            warn(
                f"{some} longer than max_chars={self.most}, the first in place {self.cut[0]}: only "
                "the beginning is read; set max_chars=None to read all."
            )

    def one(self, given: Any, where: str, place: int = 0) -> Document:
        """One document."""
        if isinstance(given, (bytes, bytearray, memoryview)):
            text = self._decoded(bytes(given), where, place)
        elif isinstance(given, str):
            text = given
        elif isinstance(given, (list, tuple)):
            return _tokens(given, where)
        elif is_missing(given):
            return ""
        else:
            raise TypeError(
                f"{where} is {show(given)}, of type {type(given).__name__}; a document is a text, "
                "bytes, or a list of tokens."
            )
        if self.most is not None and len(text) > self.most:
            self._note(place)
            text = text[: self.most]
        return text

    def _decoded(self, raw: bytes, where: str, place: int) -> str:
        whole = self.most is None or len(raw) <= 4 * self.most  # no character takes more
        if not whole:
            self._note(place)
            raw = raw[: 4 * (self.most or 0)]
        try:
            decoder = codecs.getincrementaldecoder(self.encoding)(self.decode_error)
            return decoder.decode(raw, final=whole)  # a character cut in two is left out
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{where} is not text in {self.encoding}: byte {error.start} is "
                f"0x{raw[error.start]:02x}; name its encoding, or set decode_error='replace'."
            ) from None

    def _note(self, place: int) -> None:
        if not self.cut or self.cut[-1] != place:
            self.cut.append(place)


def _tokens(given: Any, where: str) -> list[str]:
    for k, token in enumerate(given):
        if not isinstance(token, str):
            raise TypeError(
                f"{where}[{k}] is {show(token)}; a document of tokens is a list of texts."
            )
    return list(given)


def items(X: Any, argument: str) -> Any:
    """The items of X, one per document; other containers are refused with the reason."""
    if isinstance(X, (str, bytes, bytearray)):
        raise TypeError(f"{argument} is one text; pass a list of texts: [{show(X[:20])}].")
    if hasattr(X, "to_pylist"):  # of Arrow, whose cells are not Python's
        return _of_arrow(X, argument)
    if hasattr(X, "tocsr") or isinstance(X, Mapping) or not isinstance(X, Iterable):
        raise TypeError(f"{argument} is {type(X).__name__}; pass a list of texts.")
    if isinstance(X, (set, frozenset)):
        raise TypeError(f"{argument} is a {type(X).__name__}, which has no order; pass a list.")
    table: Any = X
    columns = getattr(X, "columns", None)
    if columns is not None:
        return list(table[_only([*columns], argument)])
    shape = getattr(X, "shape", None)
    if shape is not None and len(shape) != 1:
        if len(shape) == 2 and shape[1] == 1:
            return table[:, 0]
        raise ValueError(
            f"{argument} has shape {shape}; pass one column of texts, a row of X a document."
        )
    return X


def _of_arrow(X: Any, argument: str) -> Any:
    if hasattr(X, "column_names"):
        X = X.column(_only(list(X.column_names), argument))
    return X.to_pylist()


def _only(names: list[Any], argument: str) -> Any:
    """The name of the one column of a table."""
    if len(names) != 1:
        raise ValueError(
            f"{argument} is a table of {len(names)} columns; pass one column of texts, such as "
            f"{argument}[{show(names[0]) if names else '...'}]."
        )
    return names[0]
