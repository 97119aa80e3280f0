"""What a column may be moved to in the what-if panel, and its typical value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.table import printable
from ...base.types import Floats
from ...export.json import json_label
from ...export.model_ir import InputColumn
from ...intake.raw_column import NANOSECONDS, Kind, Raw, as_time
from .columns import FEWEST, rough, time_text

_CATEGORIES = 100  # of a column
_STEPS = 60  # of dates, durations and large integers
_PLACES = 100  # of a slider of numbers, at least
_TIMES = ((60, "D"), (600, "s"))  # units of which at least so many lie between the ends


@dataclass(frozen=True)
class Choices:
    """The values that a column may take: ``values`` as the exported model has them in JSON, and
    what each is called. Of plain numbers there are none: these lie between ``ends``, a ``step``
    apart, where enough of them are known.
    """

    column: InputColumn
    typical: float | int | None  # a number, or a place among the values; None is missing
    values: tuple[Any, ...] = ()
    texts: tuple[str, ...] = ()
    ends: tuple[float, float] | None = None
    step: float | None = None
    missing: bool = False  # whether rows lack it

    @property
    def is_number(self) -> bool:
        return self.column.schema.kind is Kind.NUMBER

    def text(self, value: float | int | None) -> str:
        """A number, or the value at a place, in words."""
        if value is None:
            return "missing"
        return rough(value) if self.is_number else self.texts[int(value)]

    def with_values(self, more: Sequence[tuple[Any, str]]) -> Choices:
        """With further values, those of rows that are shown."""
        new = [(value, text) for value, text in more if value not in self.values]
        if self.is_number or not new:
            return self
        pairs = [*zip(self.values, self.texts, strict=True), *new]
        if self.column.schema.kind is not Kind.CATEGORY:  # digits of times, or of large integers
            pairs.sort(key=lambda pair: int(pair[0]))
        values, texts = zip(*pairs, strict=True)
        typical = None if self.typical is None else values.index(self.values[int(self.typical)])
        return replace(self, values=values, texts=texts, typical=typical)


def choices_of(source: InputColumn, raw: Raw | None, fewest: int) -> Choices:
    """What a column may take by its values in some rows; ``raw`` is None where X lacks it.

    A category is offered where it has ``fewest`` rows; of other values the ends are quantiles 0.01
    and 0.99, rounded, and none is taken of fewer than five.
    """
    if raw is None:
        return Choices(source, None, missing=True)
    if source.schema.kind is Kind.CATEGORY:
        return _categories(source, raw, fewest)
    known = _known(raw)
    missing = len(known) < len(raw.values)
    if raw.kind is not source.schema.kind or len(known) < FEWEST:
        return Choices(source, None, missing=True)
    absent = 2 * len(known) < len(raw.values)  # as of most rows
    if source.schema.kind is Kind.NUMBER:
        return _numbers(source, known.astype(np.float64), missing, absent)
    return _whole(source, raw, known, missing, absent)


def _known(raw: Raw) -> NDArray[Any]:
    """The values of a column of no categories that are not missing."""
    known = raw.values if raw.missing is None else raw.values[~raw.missing]
    return known[~np.isnan(known)] if raw.kind is Kind.NUMBER else known


def value_of(source: InputColumn, raw: Raw | None, row: int) -> tuple[Any, str] | None:
    """The value of a row as the exported model reads it, and its text; None where it is missing."""
    if raw is None:
        return None
    value = raw.values[row]
    if raw.kind is Kind.CATEGORY:
        return None if value < 0 else _category(raw.labels[value])
    if (raw.missing is not None and raw.missing[row]) or value != value:
        return None
    if source.schema.kind is Kind.CATEGORY:
        return _category(value.item())
    if raw.kind is Kind.NUMBER:
        return float(value), rough(float(value))
    return _in_units(source, raw, int(value))


# ----------------------------------------------------------------------------------------- numbers


def _numbers(source: InputColumn, known: Floats, missing: bool, absent: bool) -> Choices:
    low, middle, high = np.quantile(known, [0.01, 0.5, 0.99]).tolist()
    whole = bool((known == np.rint(known)).all())
    typical = float(round(middle)) if whole else middle
    typical = float(f"{typical:.3g}")
    if not math.isfinite(high - low):
        return Choices(source, None if absent else typical, missing=missing)
    step = 10.0 ** math.floor(math.log10((high - low) / _PLACES)) if high > low else 1.0
    step = max(step, 1.0) if whole else step
    ends = (
        float(f"{math.floor(low / step) * step:.12g}"),
        float(f"{math.ceil(high / step) * step:.12g}"),
    )
    return Choices(
        source, None if absent else typical, ends=ends, step=float(f"{step:.6g}"), missing=missing
    )


# ------------------------------------------------------------- dates, durations and large integers


def _whole(source: InputColumn, raw: Raw, known: Any, missing: bool, absent: bool) -> Choices:
    ordered = np.sort(known)
    n = len(ordered) - 1
    low, middle, high = (int(ordered[round(q * n)]) for q in (0.01, 0.5, 0.99))
    places = sorted({low + (high - low) * k // _STEPS for k in range(_STEPS + 1)} | {middle})
    if raw.kind is not Kind.WIDE:
        places = _even(raw, places, high - low)
    values, texts = zip(*dict.fromkeys(_in_units(source, raw, place) for place in places))
    aim = int(_in_units(source, raw, middle)[0])
    nearest = min(range(len(values)), key=lambda k: abs(int(values[k]) - aim))
    return Choices(source, None if absent else nearest, values, texts, missing=missing)


def _even(raw: Raw, places: Sequence[int], spread: int) -> list[int]:
    """Times to the day or the second, where these tell them apart."""
    for least, unit in _TIMES:
        if spread * NANOSECONDS[raw.unit] >= least * NANOSECONDS[unit]:
            times = [as_time(raw.kind, place, raw.unit) for place in places]
            whole = [t.astype(f"{t.dtype.kind}8[{unit}]").astype(t.dtype) for t in times]
            return sorted({int(t.astype(np.int64)) for t in whole})
    return list(places)


def _in_units(source: InputColumn, raw: Raw, value: int) -> tuple[str, str]:
    """A whole number in the units of the model, as digits, and its text."""
    if raw.kind is Kind.WIDE:
        return str(value), f"{value:,}"
    time = as_time(raw.kind, value, raw.unit)
    units = time.astype(f"{time.dtype.kind}8[{source.schema.unit}]").astype(np.int64)
    return str(int(units)), time_text(time)


# -------------------------------------------------------------------------------------- categories


def _categories(source: InputColumn, raw: Raw, fewest: int) -> Choices:
    if raw.kind is Kind.CATEGORY:
        counts = np.bincount(raw.values[raw.values >= 0], minlength=len(raw.labels)).tolist()
        found = dict(zip(raw.labels, counts, strict=True))
        n_missing = int(np.count_nonzero(raw.values < 0))
    else:
        known = _known(raw)
        each, n_rows = np.unique(known, return_counts=True)
        found = dict(zip(each.tolist(), n_rows.tolist(), strict=True))
        n_missing = len(raw.values) - len(known)
    kept = [category for category in source.codes if found.get(category, 0) >= fewest]
    kept = sorted(kept, key=lambda category: -found[category])[:_CATEGORIES]
    named = [_category(category) for category in kept]
    values, texts = ([pair[k] for pair in named] for k in (0, 1))
    typical = 0 if kept and found[kept[0]] >= n_missing else None
    return Choices(source, typical, tuple(values), tuple(texts), missing=n_missing > 0)


def _category(category: Any) -> tuple[Any, str]:
    """A category as JSON has it, and its text."""
    return json_label(category), printable(str(category))
