"""Parsing a field of a table: a missing value, a number, a text or a date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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
            raise Odd(i, text, "is not a number", "categorical")
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


ORDERS = ("dmy", "mdy")
_TIME = r"([0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)"
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})([./])([0-9]{{1,2}})\2([0-9]{{1,2}})(?: {_TIME})?")
_YEAR_LAST = re.compile(rf"([0-9]{{1,2}})([./-])([0-9]{{1,2}})\2([0-9]{{4}})(?: {_TIME})?")
_Found = re.Match[str] | None


def datetimes(cells: Sequence[str], words: Words) -> tuple[Column, str | None]:
    """Fields as datetime64, NaT where missing, and the time zone: UTC, or None where none is given.

    Dates and times as ISO 8601 writes them: 2024-02-29, 2024-02-29 13:45:00.5, and with Z or an
    offset such as +02:00. Besides, 2024/02/29, and with points 29.02.2024; 02/29/2024 and
    29-02-2024 where ``words`` say whether the day or the month comes first.
    """
    found: list[_Found] = []
    for i, cell in enumerate(cells):
        text = cell.strip()
        if text in words.missing:
            found.append(None)
            continue
        match = _MOMENT.fullmatch(text) or _in_order(text, words.dates)
        if match is None:
            raise _odd(i, text)
        found.append(match)
    zones = {match[3] is not None for match in found if match is not None}
    if len(zones) > 1:
        i = next(i for i, m in enumerate(found) if m is not None and m[3] is None)
        raise Odd(i, cells[i].strip(), "has no time zone, which others have", "categorical")
    zoned = zones == {True}
    unit = _unit(found)
    values = np.full(len(cells), "NaT", f"M8[{unit}]")
    for i, match in enumerate(found):
        if match is None:
            continue
        try:
            values[i] = _in_utc(match, unit) if zoned else np.array(match[0], f"M8[{unit}]")
        except ValueError:
            why = "is no day of the calendar"
            raise Odd(i, cells[i].strip(), why, "categorical") from None
    return values, "UTC" if zoned else None


def _in_order(text: str, order: str | None) -> _Found:
    """A date in another notation as ISO 8601; with points the day comes first."""
    if match := _YEAR_FIRST.fullmatch(text):
        year, _, month, day, time = match.groups()
    elif match := _YEAR_LAST.fullmatch(text):
        day, sign, month, year, time = match.groups()
        order = order or ("dmy" if sign == "." else None)
        if order is None:
            return None
        if order == "mdy":
            day, month = month, day
    else:
        return None
    hour, colon, rest = (time or "").partition(":")
    clock = f" {hour:0>2}{colon}{rest}" if time else ""
    return _MOMENT.fullmatch(f"{year}-{month:0>2}-{day:0>2}{clock}")


def _odd(place: int, text: str) -> Odd:
    if _YEAR_LAST.fullmatch(text):
        return Odd(place, text, "is a date whose day or month may come first", "dates")
    return Odd(place, text, "is no date as in 2024-02-29 or 2024-02-29 13:45:00", "categorical")


def orders(texts: Iterable[str]) -> tuple[str, ...] | None:
    """The orders ("dmy", "mdy") in which all texts are dates; None if they are no such dates.

    >>> orders(["08/23/2020", "01/02/2020"]), orders(["03/04/2020"]), orders(["2020-03-04"])
    (('mdy',), ('dmy', 'mdy'), None)
    """
    listed = [text.strip() for text in texts]
    if not all(map(_YEAR_LAST.fullmatch, listed)):
        return None
    return tuple(order for order in ORDERS if _are_dates(listed, Words(dates=order)))


def _are_dates(texts: Sequence[str], words: Words) -> bool:
    try:
        datetimes(texts, words)
    except Odd:
        return False
    return True


def undated(texts: Sequence[str], words: Words) -> list[str]:
    """The texts that are no dates."""
    return [text for text in texts if not _are_dates([text], words)]


def no_days(texts: Iterable[str]) -> list[str]:
    """The texts written as dates that are no day of the calendar in any order.

    >>> no_days(["31.02.2019", "2019-02-29", "02/13/2019", "soon"])
    ['31.02.2019', '2019-02-29']
    """
    shapes = (_MOMENT, _YEAR_FIRST, _YEAR_LAST)
    spelt = [text for text in texts if any(shape.fullmatch(text.strip()) for shape in shapes)]
    for order in ORDERS:
        spelt = undated(spelt, Words(dates=order))
    return spelt


def _unit(found: Sequence[_Found]) -> str:
    times = [match[2] for match in found if match is not None and match[2] is not None]
    if not times:
        return "D"
    years = [int(match[1][:4]) for match in found if match is not None]
    fine = any(len(time) > 15 for time in times)  # hh:mm:ss.ffffff
    return "ns" if fine and min(years) > 1677 and max(years) < 2262 else "us"


def _in_utc(match: re.Match[str], unit: str) -> Column:
    zone, offset = match[3], 0
    if zone != "Z":
        hours, minutes = int(zone[1:3]), int(zone[-2:])
        if hours > 23 or minutes > 59:
            raise ValueError(zone)
        offset = int(f"{zone[0]}{60 * hours + minutes}")
    local: Column = np.array(f"{match[1]}T{match[2]}", f"M8[{unit}]")
    found: Column = local - np.timedelta64(offset, "m")
    if not 1 <= int(found.astype("M8[Y]").astype(int)) + 1970 <= 9999:
        raise ValueError(match[0])
    return found
