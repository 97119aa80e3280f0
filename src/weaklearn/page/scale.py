"""The scale of an axis: from numbers to positions, with ticks at round numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.messages.number_text import number
from ..base.types import Floats

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)


@dataclass(frozen=True)
class Scale:
    """The scale of an axis from ``low`` to ``high``, linear or logarithmic.

    ``percent`` writes shares as percentages; ``marks`` are ticks and their labels, in place of
    round numbers.
    """

    low: float
    high: float
    log: bool = False
    percent: bool = False
    marks: tuple[tuple[float, str], ...] | None = None

    @classmethod
    def around(cls, *parts: Any, room: float = 0.06, zero: bool = False, **how: Any) -> Scale:
        """The scale that holds all finite numbers of some arrays, with a little room."""
        every = np.concatenate([np.ravel(np.asarray(part, np.float64)) for part in parts])
        every = every[np.isfinite(every)]
        low, high = (float(every.min()), float(every.max())) if len(every) else (0.0, 1.0)
        if zero:
            low, high = min(low, 0.0), max(high, 0.0)
        if high <= low:
            reach = abs(low) / 2 or 0.5
            low, high = low - reach, high + reach
        extra = room * (high - low)
        low, high = (low if zero and low == 0 else low - extra), high + extra
        return cls(low, high, **how)

    def at(self, values: Any, start: float, end: float) -> Floats:
        """The positions of numbers on an axis from ``start`` to ``end``."""
        low, high, x = self.low, self.high, np.asarray(values, np.float64)
        if self.log:
            low, high, x = math.log(low), math.log(high), np.log(x)
        return np.asarray(start + (x - low) / (high - low) * (end - start))

    def ticks(self, most: int = 6) -> list[tuple[float, str]]:
        r"""Ticks at round numbers, with their labels.

        >>> Scale(0, 1, percent=True).ticks(3)
        [(0.0, '0\xa0%'), (0.5, '50\xa0%'), (1.0, '100\xa0%')]
        >>> [text for _, text in Scale(1, 500, log=True).ticks()]
        ['1', '10', '100']
        """
        if self.marks is not None:
            return [mark for mark in self.marks if self.low <= mark[0] <= self.high]
        if self.log:
            return [(float(t), number(float(t))) for t in self._powers(most)]
        places = round_numbers(self.low, self.high, most)
        return [(place, self.text(place)) for place in places]

    def text(self, value: float) -> str:
        """A number as a tick label."""
        return f"{number(100 * value, 4)}\xa0%" if self.percent else number(value, 5)

    def _powers(self, most: int) -> list[float]:
        digits = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for fine in ((1, 2, 5), (1,)):
            found = [f * 10.0**d for d in digits for f in fine]
            found = [t for t in found if self.low <= t * (1 + 1e-12) and t <= self.high]
            if len(found) <= most:
                break
        return found


def round_numbers(low: float, high: float, most: int) -> list[float]:
    """At most so many round numbers from low to high, equally far apart.

    >>> round_numbers(0.3, 9.9, 5)
    [2.0, 4.0, 6.0, 8.0]
    """
    exponent = math.floor(math.log10((high - low) / max(most, 1)))
    for step in _STEPS:
        width = step * 10.0**exponent
        first, last = math.ceil(low / width - 1e-9), math.floor(high / width + 1e-9)
        if last - first + 1 <= most:
            break
    return [round(k * width, 1 - exponent) for k in range(first, last + 1)]
