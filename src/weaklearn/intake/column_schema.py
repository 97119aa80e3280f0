"""The schema of one column: learned from training, and used to encode it at prediction."""

from __future__ import annotations

import datetime
import functools
import hashlib
import math
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import row_number, show
from ..base.numeric.hashing import Keys
from ..base.types import Array
from .object_column import plain_number
from .raw_column import EXACT, NANOSECONDS, Kind, Raw, as_time, bounds

_OFFSET = re.compile(r"(?:UTC|GMT)?([+-])(\d{2}):?(\d{2})")
_SECOND = np.timedelta64(1, "s")


@functools.lru_cache(maxsize=64)
def named_zone(name: str) -> datetime.tzinfo | None:
    """The time zone named such as Europe/Berlin or +05:30; None if this machine lacks it."""
    fixed = _OFFSET.fullmatch(name)
    if fixed:
        sign, hours, minutes = fixed.groups()
        offset = datetime.timedelta(hours=int(hours), minutes=int(minutes))
        return datetime.timezone(-offset if sign == "-" else offset)
    import zoneinfo  # for columns with a zone alone

    try:
        return zoneinfo.ZoneInfo(name)
    except (OSError, ValueError, zoneinfo.ZoneInfoNotFoundError):
        return None


def offset_at(moment: np.datetime64, zone: str) -> np.timedelta64:
    """The offset of a time zone from UTC at a date-time; 0 where it is unknown.

    >>> str(offset_at(np.datetime64("2024-07-01T00:00", "ns"), "Europe/Berlin"))
    '7200 seconds'
    """
    known = named_zone(zone)
    seconds = moment.astype("M8[s]").item()
    if known is None or not isinstance(seconds, datetime.datetime):  # beyond the year 9999
        return np.timedelta64(0, "s")
    try:
        offset = seconds.replace(tzinfo=datetime.UTC).astimezone(known).utcoffset()
    except OverflowError:  # in the first or the last hours of all years
        offset = None
    return np.timedelta64(int((offset or datetime.timedelta(0)).total_seconds()), "s")


def offset_text(offset: np.timedelta64) -> str:
    """An offset as ISO 8601 writes it.

    >>> offset_text(np.timedelta64(-210, "m"))
    '-03:30'
    """
    seconds = int(offset / _SECOND)
    minutes, left = divmod(abs(seconds), 60)
    text = f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
    return text + (f":{left:02}" if left else "")


MOST_CATEGORIES = 254
NOUNS = {
    Kind.NUMBER: "numbers",
    Kind.CATEGORY: "categories",
    Kind.WIDE: "integers",
    Kind.DATETIME: "dates",
    Kind.TIMEDELTA: "durations",
}


@dataclass(frozen=True, eq=False)
class ColumnSchema:
    """A column of the training data: its name, its kind, and the values that it took."""

    name: str | None
    kind: Kind
    categories: tuple[Any, ...] = ()  # CATEGORY: those seen, sorted; a code is an index here
    pooled: frozenset[Any] = frozenset()  # CATEGORY: rare values, sharing the code len(categories)
    marks: Array | None = None  # WIDE, DATETIME, TIMEDELTA: sorted distinct training values
    unit: str = ""  # DATETIME, TIMEDELTA: numpy's name of the unit of the marks
    tz: str | None = None  # DATETIME: the time zone; marks are then in UTC
    date: bool = False  # DATETIME: in some files true of days alone, which the marks tell
    unseen_joins_pool: bool = False  # CATEGORY: an unknown category is encoded as a rare one

    @property
    def n_categories(self) -> int:
        """Number of category codes, the pooled one included; 0 for an ordered column."""
        return len(self.categories) + bool(self.pooled)

    def threshold(self, rank_threshold: float) -> Any:
        """The threshold t in the column's own values: x > t where the rank is above the given."""
        if self.kind is Kind.NUMBER:
            return float(rank_threshold)
        if self.kind is Kind.CATEGORY:
            raise TypeError("a category has no order, hence no threshold")
        k = math.floor(rank_threshold)
        if not 0 <= k < len(self._midpoints):
            raise ValueError(
                f"rank_threshold is {rank_threshold}; it must lie between two of the "
                f"{len(self._midpoints) + 1} ranks of the column"
            )
        midpoint = int(self._midpoints[k])
        return midpoint if self.kind is Kind.WIDE else as_time(self.kind, midpoint, self.unit)

    @cached_property
    def whole_days(self) -> bool:
        """Whether training held dates only: every date-time was midnight in the column's zone."""
        if self.kind is not Kind.DATETIME or self.marks is None:
            return False
        if self.tz is None:
            day = NANOSECONDS["D"] // NANOSECONDS[self.unit]
            return not (self.marks % max(1, day)).any()
        minute = max(1, 60 * NANOSECONDS["s"] // NANOSECONDS[self.unit])
        if (self.marks % minute).any():  # most times of day are found here, without a calendar
            return False
        moments = (as_time(self.kind, int(mark), self.unit) for mark in self.marks)
        return all(_is_midnight(moment, self.tz) for moment in moments)

    def describe(self, code: int) -> str:
        """The text of a category code."""
        if code < 0:
            return "missing"
        if code < len(self.categories):
            return str(self.categories[code])
        if code == len(self.categories) and self.pooled:
            return f"other ({len(self.pooled)} rare values)"
        raise ValueError(f"code is {code}; the column has {self.n_categories} categories")

    @classmethod
    def learn(
        cls, raw: Raw, name: str | None, repeats: NDArray[np.int64] | None = None, rare: int = 1
    ) -> tuple[ColumnSchema, Array]:
        """The schema of a training column, and its encoded values."""
        if raw.kind is Kind.NUMBER:
            return cls(name, Kind.NUMBER), raw.values
        if raw.kind is Kind.CATEGORY:
            return cls._learn_categories(raw, name, repeats, rare)
        values, unit = (raw.values, "") if raw.kind is Kind.WIDE else in_nanoseconds(raw)
        present = slice(None) if raw.missing is None else ~raw.missing
        marks, ranks = np.unique(values[present], return_inverse=True)
        cells = np.full(len(values), np.nan)
        cells[present] = ranks
        return cls(name, raw.kind, marks=marks, unit=unit, tz=raw.tz), cells

    @classmethod
    def _learn_categories(
        cls, raw: Raw, name: str | None, repeats: NDArray[np.int64] | None, rare: int
    ) -> tuple[ColumnSchema, Array]:
        # One more count than labels, the first one for the code -1 of a missing value.
        found = np.bincount(raw.values + 1, weights=repeats, minlength=len(raw.labels) + 1)[1:]
        frequency = {raw.labels[k]: found[k] for k in np.flatnonzero(found)}
        schema = cls.of_categories(name, frequency, rare)
        return schema, schema._codes(raw, "missing")

    @classmethod
    def of_categories(
        cls, name: str | None, frequency: Mapping[Any, float], rare: int = 1
    ) -> ColumnSchema:
        """The schema of a column of categories, from how many examples have each."""
        categories = sorted(frequency)
        pooled: frozenset[Any] = frozenset()
        often = [category for category in categories if frequency[category] >= rare]
        if len(categories) > MOST_CATEGORIES or len(often) < len(categories):
            # A stable sort: among equally frequent values the order of values decides.
            common = sorted(often, key=frequency.__getitem__, reverse=True)
            common = common[: MOST_CATEGORIES - 1]
            pooled = frozenset(categories).difference(common)
            categories = sorted(common)
        return cls(name, Kind.CATEGORY, tuple(categories), pooled, unseen_joins_pool=rare > 1)

    def encode(self, raw: Raw, unseen: str = "missing") -> Array:
        """The encoded values of a column at prediction."""
        if self.kind is Kind.NUMBER:
            return self._numbers(raw)
        if self.kind is Kind.CATEGORY:
            return self._codes(raw, unseen)
        return self._ranks(raw)

    # --------------------------------------------------------------------------------- numbers

    def _numbers(self, raw: Raw) -> Array:
        if raw.kind is Kind.NUMBER:
            return raw.values
        if raw.kind is Kind.WIDE:
            cells = _rounded_up(raw.values)
            if raw.missing is not None:
                cells[raw.missing] = np.nan
            return cells
        if raw.kind is Kind.CATEGORY and all(isinstance(v, (int, float)) for v in raw.labels):
            return np.array([*raw.labels, np.nan], np.float64)[raw.values]
        return self._nothing(raw, np.full(len(raw.values), np.nan))

    def _nothing(self, raw: Raw, cells: Array) -> Array:
        """`cells`, all missing, if the column is empty; else the kinds clash and it is refused."""
        found = raw.first_present()
        if found is None:
            return cells
        row, value = found
        raise ValueError(
            f"X, row {row_number(row)}, {raw.place} holds {show(value)}, but the column held "
            f"{NOUNS[self.kind]} in training; pass {NOUNS[self.kind]} there, or fit again."
        )

    # ------------------------------------------------------------------------------ categories

    @cached_property
    def _code_of(self) -> dict[Any, int]:
        codes = {value: code for code, value in enumerate(self.categories)}
        codes.update(dict.fromkeys(self.pooled, len(self.categories)))
        return codes

    def _codes(self, raw: Raw, unseen: str) -> Array:
        labels, codes = raw.labels, raw.values
        known = next(iter(self._code_of), None)
        if raw.kind in (Kind.NUMBER, Kind.WIDE) and (known is None or not isinstance(known, str)):
            labels, codes = as_labels(raw)
        elif raw.kind is not Kind.CATEGORY:
            return self._nothing(raw, np.full(len(raw.values), -1, np.int32))
        if known is not None and labels and isinstance(known, str) != isinstance(labels[0], str):
            return self._nothing(raw, np.full(len(codes), -1, np.int32))
        # One more entry than labels, so that the code -1 of a missing value maps to -1.
        never = len(self.categories) if self.pooled and self.unseen_joins_pool else -1
        table = np.array([*(self._code_of.get(v, never) for v in labels), -1], np.int32)
        if unseen == "error":
            known_codes = np.array([*(v in self._code_of for v in labels), True])
            strange = np.flatnonzero(~known_codes[codes])
            if len(strange):
                row = int(strange[0])
                raise ValueError(
                    f"X, row {row_number(row)}, {raw.place} holds the category "
                    f"{show(labels[codes[row]])}, which training never saw; map it to a known "
                    "category, or pass unseen='missing'."
                )
        return table[codes]

    def knows(self, value: Any) -> bool:
        """Whether training saw a category."""
        return value in self._code_of

    def pooled_keys(self, raw: Raw) -> Keys:
        """A hash of each value that has no code of its own, for being rare or unknown; else 0."""
        if raw.kind in (Kind.DATETIME, Kind.TIMEDELTA):
            return np.zeros(len(raw.values), np.uint64)
        is_coded = raw.kind is Kind.CATEGORY
        labels, codes = (raw.labels, raw.values) if is_coded else as_labels(raw)
        rare = len(self.categories)
        keys = [_key(v) if self._code_of.get(v, rare) == rare else 0 for v in labels]
        return np.array([*keys, 0], np.uint64)[codes]

    # ----------------------------------------------------------------------------------- ranks

    @cached_property
    def _midpoints(self) -> Array:
        assert self.marks is not None
        low, high = self.marks[:-1], self.marks[1:]
        return (low & high) + ((low ^ high) >> 1)  # floor((a + b) / 2) without overflow

    def _ranks(self, raw: Raw) -> Array:
        """The number of midpoints below x, so that ranks and thresholds agree."""
        nothing = np.full(len(raw.values), np.nan)
        midpoints = self._midpoints
        missing = raw.missing
        if self.kind is Kind.WIDE and raw.kind in (Kind.WIDE, Kind.NUMBER):
            values = raw.values
            if raw.kind is Kind.NUMBER:
                missing = np.isnan(values)
                values = np.ceil(np.where(missing, 0.0, values))  # x > t iff ceil(x) > t
            values = _saturated(values, midpoints.dtype)
        elif raw.kind is self.kind:
            if (raw.tz is None) != (self.tz is None):
                have, had = ("no time zone", f"the time zone {self.tz}")
                if self.tz is None:
                    have, had = f"the time zone {raw.tz}", "no time zone"
                raise ValueError(
                    f"X, {raw.place} has {have}, but had {had} in training; convert it first."
                )
            values = in_unit(raw.values, raw.unit, self.unit)
        else:
            return self._nothing(raw, nothing)
        ranks = np.searchsorted(midpoints, values, side="left").astype(np.float64)
        if missing is not None:
            ranks[missing] = np.nan
        return ranks

    def __getstate__(self) -> dict[str, Any]:
        derived = ("_code_of", "_midpoints", "whole_days")
        return {k: v for k, v in self.__dict__.items() if k not in derived}


def _key(value: Any) -> int:
    """A hash of a category that is the same in every process."""
    return int.from_bytes(hashlib.blake2b(repr(value).encode(), digest_size=8).digest(), "little")


def _is_midnight(moment: np.datetime64, zone: str) -> bool:
    local = moment + offset_at(moment, zone)
    return bool(local == local.astype("M8[D]"))


def as_labels(raw: Raw) -> tuple[tuple[Any, ...], Array]:
    """The distinct values of an ordered column, sorted, and each row's index among them."""
    missing = np.isnan(raw.values) if raw.kind is Kind.NUMBER else raw.missing
    present = slice(None) if missing is None else ~missing
    distinct, inverse = np.unique(raw.values[present], return_inverse=True)
    codes = np.full(len(raw.values), -1, np.int64)
    codes[present] = inverse
    return tuple(plain_number(v) for v in distinct.tolist()), codes


def in_nanoseconds(raw: Raw) -> tuple[Array, str]:
    """Nanoseconds if they fit 64 bits; those of the year 9999 do not, and are microseconds.

    A coarser unit is left where neither holds its values.
    """
    present = raw.values if raw.missing is None else raw.values[~raw.missing]
    low, high = bounds(present)
    for unit in ("ns", "us"):
        limit = np.iinfo(np.int64).max * NANOSECONDS[unit] // NANOSECONDS[raw.unit]
        if -limit <= low and high <= limit:
            return in_unit(raw.values, raw.unit, unit), unit
    return raw.values, raw.unit


def in_unit(values: Array, unit: str, wanted: str) -> Array:
    """Whole numbers of another unit of time, such that x > t keeps its answer for a whole t.

    A finer unit is rounded up; what does not fit in a coarser one is clipped.
    """
    have, want = NANOSECONDS[unit], NANOSECONDS[wanted]
    if have < want:
        return -(-values // (want // have))
    factor = have // want
    most = np.iinfo(np.int64).max
    limit = most // factor
    scaled = np.clip(values, -limit, limit) * factor
    return np.where(values > limit, most, np.where(values < -limit, -most, scaled))


def _saturated(values: Array, dtype: np.dtype[Any]) -> Array:
    """Whole numbers, floats among them, as another type, clipped at its ends."""
    if values.dtype == dtype:
        return values
    if dtype.kind == "O":
        return _objects(int(v) for v in values.tolist())
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    if values.dtype.kind == "O":
        return np.array([min(max(v, low), high) for v in values.tolist()], dtype)
    if values.dtype.kind == "f":
        # The ends are settled first: 2**63 - 1 is no float64, and a cast beyond it is undefined.
        values = values.astype(np.float64)
        under, over = values <= float(low), values >= float(high)
        inside = np.where(under | over, 0.0, values).astype(dtype)
        return np.where(under, dtype.type(low), np.where(over, dtype.type(high), inside))
    if values.dtype.kind == "u":
        return np.minimum(values, np.uint64(high)).astype(dtype)
    return np.maximum(values, max(low, int(np.iinfo(values.dtype).min))).astype(dtype)


def _rounded_up(values: Array) -> Array:
    """The least float64 not below each whole number: x > t is unchanged for a float64 t."""
    most = sys.float_info.max
    if values.dtype.kind == "O":
        values = _objects(min(max(v, int(-most)), int(most)) for v in values.tolist())
    cells = values.astype(np.float64)
    for row in np.flatnonzero(np.abs(cells) >= EXACT):
        if int(cells[row]) < int(values[row]):
            cells[row] = math.nextafter(cells[row], math.inf)
    return cells


def _objects(values: Iterable[Any]) -> Array:
    """A one-dimensional object array, whatever the objects are."""
    items = list(values)
    array = np.empty(len(items), object)
    array[:] = items
    return array
