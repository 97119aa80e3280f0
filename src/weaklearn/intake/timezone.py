"""UTC offsets of date-times in the time zone of their column."""

from __future__ import annotations

import datetime
import functools
import re

import numpy as np

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
