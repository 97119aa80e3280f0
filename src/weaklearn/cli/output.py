"""What is printed: tables for people on a terminal, plain lines for pipes, JSON for programs."""

from __future__ import annotations

import json
import math
import os
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..base.messages.table import Table


def say(text: str) -> None:
    """A line for people, on standard error."""
    print(text, file=sys.stderr, flush=True)


def is_lively() -> bool:
    """Whether a person watches: progress is shown on terminals only."""
    return sys.stderr.isatty()


def unread() -> None:
    """Nobody reads on: what is still to be written goes nowhere, and nothing is said of it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def show(table: Table, title: str = "") -> None:
    """A table on standard output, with a heading; with colours where that is a terminal.

    Where nobody reads it the work goes on: a model is to be saved, a status to be told.
    """
    try:
        _show(table, title)
    except BrokenPipeError:
        unread()


def _show(table: Table, title: str) -> None:
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
    """A value on standard output, as JSON."""
    show_line(json.dumps(plain(value), ensure_ascii=False, allow_nan=False))


def show_line(text: str) -> None:
    """A line on standard output; where nobody reads it, the work goes on."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        unread()


def plain(value: Any) -> Any:
    """A value of what JSON knows; what is not a finite number is null."""
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
    """The rows of a table, each by the names of the columns."""
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]
