"""A column of any numpy type or of Python objects, whose kind is found from its values."""

from __future__ import annotations

import datetime
import numbers
import sys
from typing import Any, NoReturn

import numpy as np

from ..base.messages.value_text import row_number, show
from ..base.types import Array
from .raw_column import (
    EXACT,
    Kind,
    Raw,
    as_floats,
    check_finite,
    check_type,
    refuse_bytes,
    refuse_infinity,
    time_raw,
    warn_rounded,
)


def array_raw(values: Array, where: str, missing: Array | None = None) -> Raw:
    """The raw column of a numpy array; `missing` masks values to ignore."""
    kind = values.dtype.kind
    check_type(values, where)
    if kind in "fbiu":
        floats = as_floats(values, missing)
        if floats is None:
            wide = values.astype(f"{kind}8", copy=False)
            return Raw(where, Kind.WIDE, wide, missing, integers=kind)
        check_finite(floats[:, None], lambda _: where)
        return Raw(where, Kind.NUMBER, floats, integers=kind.strip("f"))
    if kind in "mM":
        return time_raw(values, where, missing)
    items = values.tolist() if kind == "U" else values.astype(object).tolist()
    if missing is not None:
        items = [None if gone else item for item, gone in zip(items, missing.tolist())]
    return object_raw(items, where)


def object_raw(items: list[Any], where: str) -> Raw:
    """The raw column of Python objects, whose types are all looked at."""
    families = {kind: family(kind) for kind in set(map(type, items))}
    found = set(families.values()) - {"missing"}
    _refuse_strange(items, families, where)
    if "real" in found and not found <= NUMERIC:  # the NaN of pandas among texts or dates
        items = [None if is_missing(v) else v for v in items]
        families = {kind: family(kind) for kind in set(map(type, items))}
        found = set(families.values()) - {"missing"}
    gone = {kind for kind in families if families[kind] == "missing"}
    if found <= NUMERIC:
        return _number_raw(items, gone, found, where)
    if found == {"text"}:
        return _text_raw(items, gone, where)
    if found <= {"moment", "date"}:
        return _moment_raw(items, gone, where)
    if found == {"period"}:
        starts = [None if type(v) in gone else v.start_time.to_datetime64() for v in items]
        return time_raw(np.array(starts, "M8"), where)
    if found == {"duration"}:
        values = [None if type(v) in gone else _as_timedelta64(v) for v in items]
        return time_raw(np.array(values, "m8"), where)
    _refuse_mixture(items, families, found, where)


NUMERIC = {"flag", "whole", "real"}
_FAMILIES: tuple[tuple[tuple[type, ...], str], ...] = (
    ((str,), "text"),
    ((bytes, bytearray, memoryview), "bytes"),
    ((np.timedelta64, datetime.timedelta), "duration"),  # numpy's is an integer to issubclass
    ((bool, np.bool_), "flag"),
    ((int, np.integer), "whole"),
    ((float, np.floating, numbers.Real), "real"),
    ((complex, np.complexfloating), "complex"),
    ((np.datetime64, datetime.datetime), "moment"),
    ((datetime.date,), "date"),
)


def family(kind: type) -> str:
    """The family of a type: "text", "whole", "real", "moment", ..., "missing" or "other"."""
    # pandas' NA, NaT and Period go by their names, since pandas need not be installed.
    if kind is type(None) or kind.__name__ in ("NAType", "NaTType", "MaskedConstant"):
        return "missing"
    if kind.__name__ == "Period" and hasattr(kind, "start_time"):
        return "period"
    other = "real" if _is_decimal(kind) else "other"
    return next((name for kinds, name in _FAMILIES if issubclass(kind, kinds)), other)


def _is_decimal(kind: type) -> bool:
    """Whether a type is that of decimals, by its name: no other value takes their module."""
    return any(base.__module__ == "decimal" for base in kind.__mro__)


def is_missing(value: Any) -> bool:
    """Whether a value is missing: None, NaN, NA or NaT."""
    real = isinstance(value, (float, np.floating)) or _is_decimal(type(value))
    nan = real and bool(value != value)
    return nan or family(type(value)) == "missing"


def plain_number(value: Any) -> Any:
    """3.0 as 3, as people write a category; the two are equal and have equal hashes."""
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, np.generic):
        return plain_number(value.item())
    return int(value) if float(value).is_integer() else float(value)


def _refuse_strange(items: list[Any], families: dict[type, str], where: str) -> None:
    strange = {kind for kind in families if families[kind] in ("bytes", "complex", "other")}
    if not strange:
        return
    row = next(i for i, v in enumerate(items) if type(v) in strange)
    if families[type(items[row])] == "bytes":
        refuse_bytes(where)
    if families[type(items[row])] == "complex":
        raise ValueError(
            f"Complex data not supported: X, row {row_number(row)}, {where} holds "
            f"{show(items[row])}."
        )
    raise TypeError(
        f"X, row {row_number(row)}, {where} holds {show(items[row])}: the argument must be a "
        f"string or a number, a date or a missing value, not '{type(items[row]).__name__}'; "
        "convert the column to one or more such columns, or leave it out."
    )


def _refuse_mixture(
    items: list[Any], families: dict[type, str], found: set[str], where: str
) -> NoReturn:
    kinds = [families[type(v)] for v in items]
    first = next(kind for kind in kinds if kind != "missing")
    # Text among numbers is what people have to find, wherever the numbers begin.
    odd = [k == "text" if "text" in found else k not in ("missing", first) for k in kinds]
    row = odd.index(True)
    words = dict(text="text", moment="dates", date="dates", duration="durations", period="periods")
    mixture = " and ".join(sorted({words.get(name, "numbers") for name in found}))
    raise ValueError(
        f"X mixes {mixture} in {where}: row {row_number(row)} holds {show(items[row])}; convert "
        "the column to one kind (text columns are used as categories), with None or NaN where "
        "a value is missing."
    )


def _number_raw(items: list[Any], gone: set[type], found: set[str], where: str) -> Raw:
    missing = np.array([type(v) in gone for v in items], bool) if gone else None
    if gone:
        items = [0 if type(v) in gone else v for v in items]
    if "real" not in found:
        whole = [int(v) for v in items]
        low, high = min(whole, default=0), max(whole, default=0)
        if low < -EXACT or high > EXACT:
            signed = -(2**63) <= low and high < 2**63
            fits = np.int64 if signed else np.uint64 if 0 <= low and high < 2**64 else object
            return Raw(where, Kind.WIDE, np.array(whole, fits), missing, integers="O")
    try:
        floats = np.array(items, np.float64)
    except OverflowError:
        row = next(i for i, v in enumerate(items) if abs(v) > sys.float_info.max)
        refuse_infinity(row, where, items[row])
    if missing is not None:
        floats[missing] = np.nan
    check_finite(floats[:, None], lambda _: where)
    # An integer and a float compare exactly, so that this is what rounding did.
    if "whole" in found and any(v != x for v, x in zip(items, floats.tolist()) if abs(x) >= EXACT):
        numbers_found = {v for v in items if not is_missing(v)}
        warn_rounded(where, len(numbers_found) - len(set(map(float, numbers_found))))
    return Raw(where, Kind.NUMBER, floats, integers="" if "real" in found else "O")


def _text_raw(items: list[Any], gone: set[type], where: str) -> Raw:
    if gone - {type(None)}:  # numpy's masked cannot be hashed
        items = [None if type(v) in gone else v for v in items]
    code_of = dict.fromkeys(items, -1)
    labels = [value for value in code_of if value is not None]
    code_of.update((value, code) for code, value in enumerate(labels))
    codes = np.fromiter(map(code_of.__getitem__, items), np.int64, len(items))
    return Raw(where, Kind.CATEGORY, codes, labels=tuple(map(str, labels)))


def _moment_raw(items: list[Any], gone: set[type], where: str) -> Raw:
    present = [v for v in items if type(v) not in gone]
    zones = {str(z) if (z := getattr(v, "tzinfo", None)) is not None else None for v in present}
    if len(zones) > 1:
        listed = ", ".join(sorted(zone or "none" for zone in zones))
        raise ValueError(
            f"X, {where} mixes time zones ({listed}); convert the column to one time zone."
        )
    moments = [None if type(v) in gone else _as_datetime64(v) for v in items]
    # Microseconds hold every date of Python's; nanoseconds only the years 1678 to 2261.
    present = [m for m in moments if m is not None and not np.isnat(m)]
    years = [1970 + int(m.astype("M8[Y]").astype(np.int64)) for m in present]
    unit = "ns" if not years or (min(years) >= 1678 and max(years) <= 2261) else "us"
    return time_raw(np.array(moments, f"M8[{unit}]"), where, tz=zones.pop())


def _as_datetime64(value: Any) -> Any:
    if hasattr(value, "to_datetime64"):  # pandas' Timestamp, to the nanosecond and in UTC
        return value.to_datetime64()
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.UTC).replace(tzinfo=None)
    return np.datetime64(value)


def _as_timedelta64(value: Any) -> Any:
    return value.to_timedelta64() if hasattr(value, "to_timedelta64") else np.timedelta64(value)
