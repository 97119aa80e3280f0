"""Parsing a field of a table: a missing value, a number, or a text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

EXACT = 2**53  # whole numbers up to here are float64 values
MISSING = frozenset(
    ["", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"]
)
_NUMERAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_CODE = re.compile(r"[+-]?0[0-9]")  # 00501 is the name of something, not 501
_CODES = re.compile(r"\n[+-]?0[0-9]")
_WHOLE = re.compile(r"[+-]?[0-9]+")
_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2},[0-9]{3}")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+(?:[eE][+-]?[0-9]+)?")
_FLAGS = {"true": 1.0, "True": 1.0, "TRUE": 1.0, "false": 0.0, "False": 0.0, "FALSE": 0.0}

Column = NDArray[Any]


@dataclass(frozen=True)
class Words:
    """How a file writes missing values, decimal fractions and dates."""

    missing: frozenset[str] = MISSING
    decimal: str = "."
    strip: bool = True  # blanks around a cell mean nothing
    dates: str | None = None  # "dmy" or "mdy": whether day or month comes first

    def text(self, cell: str) -> str:
        return cell.strip() if self.strip else cell

    def number(self, text: str) -> float | None:
        """The number that a stripped text spells, infinite where too large; None for others."""
        if self.decimal != ".":
            text = text.replace(".", "x").replace(self.decimal, ".")
        if _NUMERAL.fullmatch(text) is None or _CODE.match(text) is not None:
            return None
        return float(text)


class Odd(Exception):
    """A field that is not of its column's kind: its index, its text, and why."""

    def __init__(self, place: int, text: str, why: str, hint: str) -> None:
        super().__init__(place, text, why)
        self.place, self.text, self.why, self.hint = place, text, why, hint


# ------------------------------------------------------------------------------------------ numbers


def numbers(cells: Sequence[str], words: Words, flags: bool = False) -> Column:
    """Fields as float64, NaN where missing; as Python integers, None where missing, beyond 2**53.

    With ``flags`` true and false are 1 and 0.
    """
    values = _plain_numbers(cells, words)
    if values is None:
        values = _careful_numbers(cells, words, flags)
    return exact(values, cells, words)


def exact(values: Column, cells: Sequence[str], words: Words) -> Column:
    """The values, or Python integers where float64 cannot represent them."""
    if not (np.abs(values) >= EXACT).any():
        return values
    texts = [text if (text := cell.strip()) not in words.missing else None for cell in cells]
    if not all(text is None or _WHOLE.fullmatch(text) for text in texts):
        return values
    whole = np.empty(len(texts), object)
    whole[:] = [None if text is None else int(text) for text in texts]
    return whole


def _plain_numbers(cells: Sequence[str], words: Words) -> Column | None:
    """The numbers of simply written fields; None where each must be parsed by itself."""
    if words.decimal != ".":
        return None
    missing, n_missing = words.missing, 0
    try:
        values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:
        kept = ["nan" if cell in missing else cell for cell in cells]
        n_missing = sum(cell in missing for cell in cells)
        try:
            values = np.fromiter(map(float, kept), np.float64, len(cells))
        except ValueError:
            return None
    if np.count_nonzero(~np.isfinite(values)) != n_missing:
        return None
    joined = "\n" + "\n".join(cells)
    # Python's float reads more than we call a number.
    strange = not joined.isascii() or "_" in joined or " " in joined or "\t" in joined
    return None if strange or _CODES.search(joined) else values


def _careful_numbers(cells: Sequence[str], words: Words, flags: bool) -> Column:
    values = np.empty(len(cells))
    infinite: Odd | None = None  # reported only where all the others are numbers
    for i, cell in enumerate(cells):
        text = cell.strip()
        if text in words.missing:
            values[i] = np.nan
            continue
        value = words.number(text)
        if value is None and flags:
            value = _FLAGS.get(text)
        if value is None and text.lower().lstrip("+-") in ("inf", "infinity"):
            infinite = infinite or Odd(i, text, "is infinite", "finite")
        elif value is None:
            raise Odd(i, text, "is no number", "categorical")
        elif not np.isfinite(value):
            infinite = infinite or Odd(i, text, "is a number beyond those of float64", "finite")
        else:
            values[i] = value
    if infinite is not None:
        raise infinite
    return values


def has_comma(text: str) -> bool:
    """Whether a text is a number with a decimal comma."""
    return _COMMA.fullmatch(text) is not None


def has_thousands(text: str) -> bool:
    """Whether the comma of a number could be a thousands separator."""
    return _THOUSANDS.fullmatch(text) is not None


# ------------------------------------------------------------------------------------------- words


class Codes(dict[str, int]):
    """The category code of every field so far, -1 where missing; ``labels`` are in that order."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self._known: dict[str, int] = {}

    def __missing__(self, cell: str) -> int:
        text = self._words.text(cell)
        code = -1
        if text.strip() not in self._words.missing:
            code = self._known.setdefault(text, len(self._known))
        self[cell] = code
        return code

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(self._known)

    def of(self, cells: Sequence[str]) -> NDArray[np.int32]:
        return np.fromiter(map(self.__getitem__, cells), np.int32, len(cells))
