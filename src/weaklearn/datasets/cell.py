"""Parsing a field of a table: a missing value, a number, a text or a date."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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


# What may stand between groups of three digits; signs that look alike count as one.
THOUSANDS = {".": ".", ",": ",", " ": " \u00a0\u2009\u202f", "'": "'\u2019"}
_GROUPED = {
    mark: re.compile(rf"[+-]?[0-9]{{1,3}}(?:[{re.escape(signs)}][0-9]{{3}})+")
    for mark, signs in THOUSANDS.items()
}


@dataclass(frozen=True)
class Words:
    """How a file writes missing values, numbers and dates."""

    missing: frozenset[str] = MISSING
    decimal: str = "."
    strip: bool = True  # blanks around a cell mean nothing
    dates: str | None = None  # "dmy" or "mdy": whether day or month comes first
    dates_of: Mapping[str, str] | None = None  # the same of single columns
    thousands: str | None = None  # one of ``THOUSANDS``

    def of(self, column: str) -> Words:
        """How the cells of one column are written."""
        order = (self.dates_of or {}).get(column)
        return self if order is None else replace(self, dates=order)

    def text(self, cell: str) -> str:
        return cell.strip() if self.strip else cell

    def plain(self, text: str) -> str:
        """A number with a decimal point and nothing between its digits; other texts are none."""
        if self.thousands is not None:
            whole, point, rest = text.partition(self.decimal)
            if _GROUPED[self.thousands].fullmatch(whole):
                whole = "".join(c for c in whole if c not in THOUSANDS[self.thousands])
                text = f"{whole}{point}{rest}"
        if self.decimal != ".":
            text = text.replace(".", "x").replace(self.decimal, ".")
        return text

    def number(self, text: str) -> float | None:
        """The number that a stripped text spells, infinite where too large; None for others."""
        text = self.plain(text)
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
    texts = [
        words.plain(text) if (text := cell.strip()) not in words.missing else None for cell in cells
    ]
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
CENTURY = 69  # years of two digits up to 68 are those of 2000 to 2068, others of 1969 to 1999
_TIME = (
    r"(?:,? ([0-9]{1,2}(?::[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)?)(?: ?([AaPp])\.?[Mm]\.?)?)?"
)
_MOMENT = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?:[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?)(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_YEAR_FIRST = re.compile(rf"([0-9]{{4}})([./-])([0-9]{{1,2}})\2([0-9]{{1,2}}){_TIME}")
_YEAR_LAST = re.compile(rf"([0-9]{{1,2}})([./-])([0-9]{{1,2}})\2([0-9]{{4}}){_TIME}")
_SHORT_YEAR = re.compile(rf"([0-9]{{1,2}})([./-])([0-9]{{1,2}})\2([0-9]{{2}}){_TIME}")
_NAME, _YEAR = r"([A-Za-z\u00e4\u00c4]{3,9})\.?", "([0-9]{4}|[0-9]{2})"
_DAY_AND_NAME = re.compile(rf"([0-9]{{1,2}})(?:\. ?|[ -]){_NAME}[ -]{_YEAR}{_TIME}")
_NAME_AND_DAY = re.compile(rf"{_NAME}[ -]([0-9]{{1,2}})(?:, ?|[ -]){_YEAR}{_TIME}")
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august", "september"),
    *("october", "november", "december"),
)
_GERMAN = {"januar": 1, "februar": 2, "märz": 3, "mai": 5, "juni": 6, "juli": 7, "oktober": 10}
_NUMBER_OF = {name: k for k, name in enumerate(_MONTHS, 1)} | _GERMAN | {"dezember": 12, "sept": 9}
_NUMBER_OF |= {name[:3]: k for name, k in _NUMBER_OF.items()}
_Found = re.Match[str] | None


def datetimes(cells: Sequence[str], words: Words) -> tuple[Column, str | None]:
    """Fields as datetime64, NaT where missing, and the time zone: UTC, or None where none is given.

    Dates and times as ISO 8601 writes them: 2024-02-29, 2024-02-29 13:45:00.5, and with Z or an
    offset such as +02:00. Besides, 2024/02/29, 29 Feb 2024, February 29, 2024, and with points
    29.02.2024; 02/29/2024 and 29-02-2024 where ``words`` say whether the day or the month comes
    first, and then also years of two digits. Times may end in AM or PM.
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
    """A date in another notation as ISO 8601; with points the day comes first, whatever is asked.

    Years of two digits are read where an order was asked for.
    """
    if match := _YEAR_FIRST.fullmatch(text):
        year, sign, month, day, hour, half = match.groups()
        if sign == "-" and half is None:  # as ISO 8601 has it, or not at all
            return None
    elif match := _YEAR_LAST.fullmatch(text) or _SHORT_YEAR.fullmatch(text):
        day, sign, month, year, hour, half = match.groups()
        first = "dmy" if sign == "." else order
        if first is None:
            return None
        if first == "mdy":
            day, month = month, day
    elif match := _DAY_AND_NAME.fullmatch(text):
        day, month, year, hour, half = match.groups()
    elif match := _NAME_AND_DAY.fullmatch(text):
        month, day, year, hour, half = match.groups()
    else:
        return None
    if not month.isdigit():
        month = str(_NUMBER_OF.get(month.lower(), ""))
    if len(year) == 2:
        if order is None:
            return None
        year = f"{'20' if int(year) < CENTURY else '19'}{year}"
    clock = _clock(hour, half)
    if clock is None:
        return None
    return _MOMENT.fullmatch(f"{year}-{month:0>2}-{day:0>2}{clock}")


def _clock(time: str | None, half: str | None) -> str | None:
    """A time of day as ISO 8601, after a blank; empty where there is none, None where it is wrong.

    >>> _clock("1:45", "P"), _clock("12:05:30", "a"), _clock("9:00", None), _clock(None, None)
    (' 13:45', ' 00:05:30', ' 09:00', '')
    """
    if time is None:
        return ""
    hour, colon, rest = time.partition(":")
    if half is None:
        return f" {hour:0>2}:{rest}" if colon else None
    if not 1 <= int(hour) <= 12:
        return None
    of_day = int(hour) % 12 + 12 * (half in "pP")
    return f" {of_day:02}:{rest or '00'}"


def _odd(place: int, text: str) -> Odd:
    if _YEAR_LAST.fullmatch(text):
        return Odd(place, text, "is a date whose day or month may come first", "dates")
    if _SHORT_YEAR.fullmatch(text):
        return Odd(place, text, "is a date with a year of two digits", "dates")
    return Odd(place, text, "is no date as in 2024-02-29 or 2024-02-29 13:45:00", "categorical")


def orders(texts: Iterable[str]) -> tuple[str, ...] | None:
    """The orders ("dmy", "mdy") in which all texts are dates; None if they are no such dates.

    >>> orders(["08/23/2020", "01/02/2020"]), orders(["03/04/2020"]), orders(["2020-03-04"])
    (('mdy',), ('dmy', 'mdy'), None)
    """
    listed = [text.strip() for text in texts]
    if not all(_YEAR_LAST.fullmatch(text) or _SHORT_YEAR.fullmatch(text) for text in listed):
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
