"""Documents from any container, from folders and CSV files, as texts or lists of tokens."""

from __future__ import annotations

import codecs
import csv
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from ..base.messages.warnings import warn
from ..datasets.source import refuse_device
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


# What columns of messages and of their labels are called, in lower case.
_TEXTS = ("text", "message", "email", "mail", "body", "content", "sms", "v2")
_LABELS = ("label", "class", "category", "target", "spam", "type", "v1")
_LIMIT = threading.Lock()  # held while cells may be of any length


def is_path(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike))


def folder(path: Any, argument: str, most: int) -> Iterator[bytes]:
    """The first bytes of every file of a folder and its subfolders, sorted by name."""
    place = Path(path)
    if not os.path.isdir(place):  # which says so of any text, however long
        raise NotADirectoryError(
            f"{argument}={show(os.fspath(path))} is no folder; pass a folder of messages, a file "
            "each, or a list of messages."
        )
    n = 0
    for parent, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(parent) / name
            if name.startswith(".") or not file.is_file():
                continue
            n += 1
            with file.open("rb") as opened:
                yield opened.read(most + 1)
    if n == 0:
        raise ValueError(f"{argument}={show(os.fspath(path))} is a folder without files.")


def table(
    path: Any, text: str | None, label: str | None, encoding: str
) -> tuple[list[str], list[str]]:
    """Messages and their labels from two columns of a CSV file with a header."""
    try:
        # Bytes that are no text become marks, as everywhere in messages.
        with (
            Path(path).open(encoding=encoding, errors="replace", newline="") as file,
            _long_cells(),
        ):
            refuse_device(file, os.fspath(path))
            return _read(csv.reader(file, strict=True), os.fspath(path), text, label)
    except csv.Error as error:
        raise ValueError(f"{os.fspath(path)} is no CSV file: {error}.") from None


@contextmanager
def _long_cells() -> Iterator[None]:
    """Allows cells of any length, for one thread at a time: the limit is that of the process."""
    with _LIMIT:
        before = csv.field_size_limit(2**31 - 1)
        try:
            yield
        finally:
            csv.field_size_limit(before)


def _read(
    lines: Any, path: str, text: str | None, label: str | None
) -> tuple[list[str], list[str]]:
    first: list[str] = next(lines, [])
    if not first:
        raise ValueError(f"{path} has no line of names; pass a CSV file whose first line is one.")
    names = [name.removeprefix("\ufeff").strip() for name in first]
    j = _column(names, text, "text", _TEXTS, path)
    k = _column(names, label, "label", _LABELS, path)
    messages, labels = [], []
    for row in lines:
        if not row:
            continue  # a blank line
        if len(row) != len(names):
            raise ValueError(
                f"{path}, line {lines.line_num} has {len(row)} cells; its first line has "
                f"{len(names)}. Put texts that hold commas into quotes."
            )
        messages.append(row[j])
        labels.append(row[k].strip())
    if not messages:
        raise ValueError(f"{path} has no rows below its names.")
    return messages, labels


def _column(
    names: list[str], given: str | None, argument: str, usual: tuple[str, ...], path: str
) -> int:
    if given is not None:
        if names.count(given) == 1:
            return names.index(given)
        what = "stands twice" if given in names else "is not there"
        raise ValueError(
            f"{argument}={show(given)}: the column {what} in {path}, whose columns are "
            f"{', '.join(map(show, names[:20]))}.{nearest(given, names)}"
        )
    found = [j for j, name in enumerate(names) if name.lower() in usual]
    if len(found) != 1:
        raise ValueError(
            f"{path} has {len(found) or 'no'} columns that could be the {argument}; name one of "
            f"{', '.join(map(show, names[:20]))} as {argument}=."
        )
    return found[0]
