"""Messages from folders and CSV files."""

from __future__ import annotations

import csv
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from ..datasets.source import refuse_device

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
