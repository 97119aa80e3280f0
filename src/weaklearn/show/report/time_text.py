"""Datetimes, durations and large integers as text."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.number_text import number
from ...intake.raw_column import Kind, Raw, as_time


def rough(value: float) -> str:
    """A number in three digits."""
    return number(float(f"{value:.3g}"), 3)


def mean_of_whole(raw: Raw, least: int, above: NDArray[np.float64]) -> str:
    """Mean ± standard deviation of datetimes, durations or large integers; ``above`` the least."""
    mean, off = least + round(float(above.mean())), round(float(above.std()))
    if raw.kind is Kind.WIDE:
        return f"{rough(mean)} ± {rough(off)}"
    day = np.timedelta64(1, "D")
    spread = np.abs(as_time(Kind.TIMEDELTA, off, raw.unit))
    unit = "D" if spread >= day else "s"
    return f"{_in_unit(as_time(raw.kind, mean, raw.unit), unit)} ± {_in_unit(spread, unit)}"


def _in_unit(time: Any, unit: str) -> str:
    """A datetime or duration to the day or the second."""
    return time_text(time.astype(f"{'M' if time.dtype.kind == 'M' else 'm'}8[{unit}]"))


def time_text(time: Any) -> str:
    """A datetime or a duration without trailing zeros.

    >>> time_text(np.datetime64("2024-05-01T00:00:00.000")), time_text(np.datetime64("NaT"))
    ('2024-05-01', 'NaT')
    >>> time_text(np.timedelta64(90_000, "s")), time_text(np.timedelta64(3, "D"))
    ('1 day, 1:00:00', '3 days')
    """
    if np.isnat(time) or time.dtype.kind == "M":
        return re.sub(r"(T00:00)?(:00)?(\.0*)?$", "", str(time)) if "T" in str(time) else str(time)
    try:
        whole = timedelta(seconds=round(float(time / np.timedelta64(1, "s"))))
    except OverflowError:  # of millions of years
        return str(time)
    return str(whole).removesuffix(", 0:00:00")
