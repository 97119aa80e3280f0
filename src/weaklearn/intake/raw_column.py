"""One column as it was found, whatever container it came from."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeAlias

import numpy as np

from ..base.messages.value_text import row_number, show
from ..base.messages.warnings import warn
from ..base.types import Array
from ..engines.cells import holds_infinity

Labeller: TypeAlias = Callable[[int], str]  # the name of the j-th column in messages

EXACT = 2**53  # integers up to here are float64 values
NANOSECONDS = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "m": 60 * 10**9,
    "h": 3600 * 10**9,
    "D": 86400 * 10**9,
}


class Kind(enum.Enum):
    """The kind of the values of a column."""

    NUMBER = "number"
    CATEGORY = "category"
    WIDE = "wide"  # integers beyond 2**53, kept exactly by rank
    DATETIME = "moment"  # dates and datetimes, kept exactly by rank
    TIMEDELTA = "duration"  # timedeltas, kept exactly by rank

    def __reduce__(self) -> tuple[type[Kind], tuple[str]]:  # asked for by skops.io, not by pickle
        return type(self), (self.value,)


class Raw(NamedTuple):
    """One column as it was found, whatever container it came from.

    NUMBER: float32 or float64, NaN is missing. CATEGORY: codes into ``labels``, -1 is missing.
    WIDE, DATETIME, TIMEDELTA: whole numbers, with a mask of the missing ones.
    """

    place: str  # "column 'age'", for messages
    kind: Kind
    values: Array
    missing: Array | None = None
    labels: tuple[Any, ...] = ()
    unit: str = ""
    tz: str | None = None
    declared: bool = False  # CATEGORY: by its type or by the user, not for being text
    integers: str = ""  # NUMBER, WIDE: the type of integers it came as: b, i, u, or O (Python's)

    def first_present(self) -> tuple[int, Any] | None:
        """Row and value of the first value that is not missing."""
        if self.kind is Kind.NUMBER:
            present = ~np.isnan(self.values)
        elif self.kind is Kind.CATEGORY:
            present = self.values >= 0
        elif self.missing is None:
            present = np.ones(len(self.values), bool)
        else:
            present = ~self.missing
        if not present.any():
            return None
        row = int(np.argmax(present))
        value = self.values[row]
        if self.kind is Kind.CATEGORY:
            return row, self.labels[value]
        if self.kind in (Kind.DATETIME, Kind.TIMEDELTA):
            return row, str(as_time(self.kind, value, self.unit))
        return row, value.item() if isinstance(value, np.generic) else value


def as_time(kind: Kind, value: int, unit: str) -> Any:
    """A whole number of units as numpy's datetime64 (DATETIME) or timedelta64 (TIMEDELTA)."""
    letter = "M" if kind is Kind.DATETIME else "m"
    return np.array(value, np.int64).view(f"{letter}8[{unit}]")[()]


def without_unit(dtype: Any) -> bool:
    """Whether a type of datetime64 or timedelta64 says not what its numbers count."""
    return np.datetime_data(dtype)[0] == "generic"


def bounds(values: Array) -> tuple[int, int]:
    """Minimum and maximum of an integer array as Python integers; (0, 0) if it is empty."""
    return (int(values.min()), int(values.max())) if values.size else (0, 0)


def unnamed(j: int) -> str:
    """The name in messages of a column that has none."""
    return f"column {j}"


def check_type(X: Any, where: str) -> None:
    """Refuse an array or sparse matrix of a type that holds neither numbers, text nor dates."""
    if X.dtype.kind == "c":
        raise ValueError(
            f"Complex data not supported: X has type {X.dtype}; pass real and imaginary parts as "
            "two columns."
        )
    if X.dtype.kind == "S":
        refuse_bytes(where)
    if X.dtype.kind == "V":
        raise ValueError(
            f"X is a structured array of type {show(X.dtype)}; pass a plain 2D array, or a "
            "DataFrame for columns of several types."
        )


def refuse_bytes(where: str) -> NoReturn:
    """Refuse a column of bytes."""
    raise ValueError(f"X, {where} holds bytes; decode it to text, or convert it to numbers.")


def as_floats(X: Array, masked: Array | None) -> Array | None:
    """X as one matrix of floats that equal its values, or None where no such matrix exists."""
    kind, size = X.dtype.kind, X.dtype.itemsize
    if kind not in "fbiu":
        return None
    if kind != "f" and size == 8:
        low, high = bounds(X if masked is None else np.where(masked, X.dtype.type(0), X))
        if low < -EXACT or high > EXACT:
            return None
    wanted = np.float32 if size <= 2 or (kind == "f" and size == 4) else np.float64
    if kind == "f" and size > 8:
        matrix = _shortened(X)
    else:
        matrix = X.astype(wanted, copy=False)  # also to the byte order of this machine
    if masked is not None:
        matrix = np.where(masked, matrix.dtype.type(np.nan), matrix)
    return matrix


def _shortened(X: Array) -> Array:
    """Extended floats as float64, with a warning if that rounds."""
    with np.errstate(over="ignore"):
        short = X.astype(np.float64)
    changed = np.count_nonzero((short != X) & ~np.isnan(X) & np.isfinite(short))
    if changed:
        warn(f"X has type {X.dtype}: {changed} values were rounded to float64.")
    return short


def check_finite(matrix: Array, label: Labeller = unnamed, threads: int = 1) -> None:
    """Refuse the first infinity of a float matrix, without a temporary of its size."""
    if not holds_infinity(matrix, threads):
        return
    step = max(1, 2**16 // max(1, matrix.shape[1]))
    for start in range(0, len(matrix), step):
        infinite = np.isinf(matrix[start : start + step])
        if infinite.any():
            row, j = np.argwhere(infinite)[0]
            refuse_infinity(start + int(row), label(int(j)), matrix[start + row, j])


def refuse_infinity(row: int, where: str, value: Any) -> NoReturn:
    """Refuses an infinite value."""
    raise ValueError(
        f"Input X contains infinity or a value too large for float64: row {row_number(row)}, "
        f"{where} holds {'inf' if value > 0 else '-inf'}; pass a finite number there, or NaN if "
        "it is missing."
    )


def warn_rounded(where: str, merged: int) -> None:
    """Warns that integers beyond 2**53 were rounded."""
    warn(
        f"X, {where} holds integers beyond 2**53 that were rounded to float64; {merged} distinct "
        "values merged with another one."
    )


def time_raw(
    values: Array,
    where: str,
    missing: Array | None = None,
    tz: str | None = None,
) -> Raw:
    """Open a column of datetime64 or timedelta64."""
    kind = Kind.DATETIME if values.dtype.kind == "M" else Kind.TIMEDELTA
    unit, _ = np.datetime_data(values.dtype)
    if unit == "W" or (kind is Kind.DATETIME and unit in "YM"):
        unit = "D"
    if unit not in NANOSECONDS:
        raise ValueError(
            f"X, {where} has type {values.dtype}, whose unit is not one of days to nanoseconds; "
            "convert it with astype."
        )
    gone = np.isnat(values) if missing is None else np.isnat(values) | missing
    whole = values.astype(f"{values.dtype.kind}8[{unit}]").view(np.int64)
    return Raw(where, kind, whole, gone if gone.any() else None, unit=unit, tz=tz)
