"""Printing: tables on a terminal, plain text into pipes, JSON with ``--json``."""

from __future__ import annotations

import json
import math
import os
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from ..base.messages.table import Table


def say(text: str) -> None:
    """Prints a message on standard error; one that cannot be written is no reason to end."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:  # a full disk, or a closed pipe
        discard(sys.stderr)


def is_lively() -> bool:
    """Whether standard error is a terminal: progress is shown there only."""
    return sys.stderr.isatty()


def discard(stream: TextIO) -> None:
    """Redirects standard output or error to the null device, where it cannot be written."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def show(table: Table, title: str = "") -> None:
    """Prints a table with a title on standard output, in colours on a terminal.

    A closed pipe is no error: the model is still saved, and the exit status returned.
    """
    try:
        _show(table, title)
    except BrokenPipeError:
        discard(sys.stdout)


def _show(table: Table, title: str) -> None:
    table.all_rows = "--json has all"
    if sys.stdout.isatty():
        try:
            _show_rich(table, title)
            return
        except ImportError:
            pass
    if title:
        print(f"{title}:")
    print(table)
    print(flush=True)


def _show_rich(table: Table, title: str) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table as RichTable
    from rich.text import Text

    names, rows, right, notes = table.layout()
    rich = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, title_justify="left")
    rich.title = Text(title, style="bold") if title else None
    for name, flush_right in zip(names, right, strict=True):
        rich.add_column(Text(name), justify="right" if flush_right else "left", overflow="fold")
    for row in rows:
        rich.add_row(*map(Text, row))
    console = Console(highlight=False)
    console.print(rich)
    for note in notes:
        console.print(Text(note), style="dim")


def show_json(value: Any) -> None:
    """Prints a value as JSON on standard output."""
    show_line(json.dumps(plain(value), ensure_ascii=False, allow_nan=False))


def show_line(text: str) -> None:
    """Prints a line on standard output; a closed pipe is no error."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        discard(sys.stdout)


def plain(value: Any) -> Any:
    """A value made of JSON's types; NaN and infinities become null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # arrays and numbers of numpy's
        return plain(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return str(value)


def records(table: Table) -> list[dict[str, Any]]:
    """The rows of a table as dicts from column name to value."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]
