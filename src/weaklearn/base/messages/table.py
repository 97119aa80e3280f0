"""A small printable table: text for a terminal, HTML for a notebook, a DataFrame for work."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

_SHOWN = 12
_NARROWEST = 20  # letters of a column of texts


class Spelled(float):
    """A float that prints as a given text.

    >>> print(Table("steps", ["step"], [(Spelled(0.25, "+0.25"),)]))
     step
    +0.25
    """

    text: str

    def __new__(cls, value: float, text: str) -> Spelled:
        number = super().__new__(cls, value)
        number.text = text
        return number

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[type[Spelled], tuple[float, str]]:
        return Spelled, (float(self), self.text)


def _cell(value: Any) -> str:
    if isinstance(value, Spelled):
        return str(value)
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if value is None:
        return ""
    if isinstance(value, (float, np.floating)):
        return f"{value:.4g}" if value == value else ""
    return printable(str(value))


def printable(text: str) -> str:
    """The text on one line, control and direction characters escaped, cut to 160 characters."""
    clean = _plain(text[:161])
    return clean if len(clean) <= 160 else clean[:157] + "..."


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _broken(cell: str, width: int) -> list[str]:
    """A cell as lines of its column."""
    fits = len(cell) <= width
    return [cell] if fits else textwrap.wrap(cell, width, break_on_hyphens=False)


def _narrowed(widths: list[int], texts: list[bool], most: int) -> list[int]:
    """Widths of columns that fit a line together, the widest texts made narrower.

    >>> _narrowed([5, 80, 40], [False, True, True], 90)
    [5, 41, 40]
    """
    widths = list(widths)
    while sum(widths) + 2 * (len(widths) - 1) > most:
        widest = max((j for j, text in enumerate(texts) if text), key=widths.__getitem__)
        if widths[widest] <= _NARROWEST:
            break
        widths[widest] -= 1
    return widths


class Tabular:
    """Base of objects that print as a table: in terminals, in notebooks, as a DataFrame."""

    def table(self) -> Table:
        """The table that is shown."""
        raise NotImplementedError

    def to_frame(self) -> Any:
        """All rows as a pandas DataFrame."""
        return self.table().to_frame()

    def __repr__(self) -> str:
        return str(self.table())

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


class Table:
    """Rows under named columns.

    >>> print(Table("scores", ["round", "error"], [(1, 0.25), (2, 0.125)]))
    round  error
        1   0.25
        2  0.125
    """

    def __init__(
        self,
        title: str,
        columns: Sequence[str],
        rows: Sequence[Sequence[Any]],
        note: str = "",
        shown: int = _SHOWN,
        width: int | None = None,
    ) -> None:
        self.title = title
        self.columns = list(columns)
        self.rows = [tuple(row) for row in rows]
        self.note = _plain(note)
        self.shown = max(3, shown)  # rows printed before the middle is left out
        self.width = width  # letters in a printed line, beyond which texts are broken
        self.all_rows = "to_frame() has all"  # where rows that are not printed are found

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Any:
        return iter(self.rows)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return self.rows[index]

    def _shown(self) -> list[list[str]]:
        rows = [[_cell(value) for value in row] for row in self._ends()]
        if len(self.rows) > self.shown:
            rows.insert(self.shown - 2, ["..." for _ in self.columns])
        return rows

    def _ends(self) -> list[tuple[Any, ...]]:
        if len(self.rows) <= self.shown:
            return self.rows
        return self.rows[: self.shown - 2] + self.rows[-2:]

    def _numeric(self, j: int) -> bool:
        return all(
            isinstance(row[j], (int, float, np.number)) or row[j] is None for row in self.rows
        )

    def layout(self) -> tuple[list[str], list[list[str]], list[bool], list[str]]:
        """Column names and cells as printed, which columns are right-aligned, and the notes."""
        names = [printable(name) for name in self.columns]
        right = [self._numeric(j) for j in range(len(names))]
        return names, self._shown(), right, self._notes()

    def __str__(self) -> str:
        names, rows, right, notes = self.layout()
        if not rows:
            return "  ".join(names) + "\n(no rows)" + (f"\n{self.note}" if self.note else "")
        widths = [max(len(n), *(len(r[j]) for r in rows)) for j, n in enumerate(names)]
        if self.width is not None:
            widths = _narrowed(widths, [not number for number in right], self.width)

        def line(cells: Sequence[str]) -> str:
            return "  ".join(
                c.rjust(w) if r else c.ljust(w)
                for c, w, r in zip(cells, widths, right, strict=True)
            ).rstrip()

        lines = [line(names)]
        for row in rows:
            parts = [_broken(cell, width) for cell, width in zip(row, widths, strict=True)]
            lines += [line(cells) for cells in zip_longest(*parts, fillvalue="")]
        return "\n".join([*lines, *notes])

    def _notes(self) -> list[str]:
        """The note, and how to get the rows that were left out, if any."""
        left_out = len(self.rows) > self.shown
        more = f"{self.shown} of {len(self.rows)} rows; {self.all_rows}"
        return [self.note] * bool(self.note) + [more] * left_out

    __repr__ = __str__

    def _repr_html_(self) -> str:
        import html  # for notebooks alone

        sides = ["right" if self._numeric(j) else "left" for j in range(len(self.columns))]

        def line(tag: str, cells: Sequence[str]) -> str:
            return "".join(
                f"<{tag} style='text-align:{side};padding:.1em .7em'>{html.escape(cell)}</{tag}>"
                for cell, side in zip(cells, sides, strict=True)
            )

        head = line("th", [printable(name) for name in self.columns])
        body = "".join(f"<tr>{line('td', row)}</tr>" for row in self._shown())
        note = "".join(f"<p>{html.escape(text)}</p>" for text in self._notes())
        caption = html.escape(printable(self.title))
        return (
            "<table style='border-collapse:collapse'>"
            f"<caption style='text-align:left;font-style:italic'>{caption}</caption>"
            f"<thead><tr style='border-bottom:1px solid #888'>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>{note}"
        )

    def to_frame(self) -> Any:
        """All rows as a pandas DataFrame."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_frame() needs pandas: pip install pandas") from error
        return pd.DataFrame(self.rows, columns=self.columns)
