"""The warning about columns of text that look like columns of numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..base.messages.value_text import show
from ..base.messages.warnings import DataWarning, warn
from ..base.types import Array
from .raw_column import Kind, Raw

# A leading zero, as in 00501, makes a code and not a number.
_NUMERAL = re.compile(r"\s*[+-]?(0|[1-9][0-9]*)?([.,][0-9]+)?([eE][+-]?[0-9]+)?\s*")
# How tables write a missing value.
_MISSING = {"", "?", "-", "--", ".", "na", "n/a", "#n/a", "nan", "null", "none", "nil", "missing"}
_MOST = 0.9  # of the values
_MANY = 20  # more whole numbers than this are rarely names of anything
_LOOKED_AT = 200


def doubt_numerals(raws: Sequence[Raw]) -> None:
    """Warns of text columns nearly all of whose values are numbers."""
    doubt_texts(
        (raw.place, raw.labels, _frequencies_of(raw))
        for raw in raws
        if raw.kind is Kind.CATEGORY and not raw.declared
    )


def _frequencies_of(raw: Raw) -> Callable[[], Array]:
    return lambda: np.bincount(raw.values[raw.values >= 0], minlength=len(raw.labels))


def doubt_texts(columns: Iterable[tuple[str, Sequence[Any], Callable[[], Array]]]) -> None:
    """The same of columns given by their place, their values and how often each occurs."""
    doubted = [
        (place, odd)
        for place, labels, frequencies in columns
        if (odd := _odd_ones(labels, frequencies)) is not None
    ]
    if not doubted:
        return
    place, odd = doubted[0]
    others = f" (and {len(doubted) - 1} more columns)" if len(doubted) > 1 else ""
    found = ", ".join(map(show, odd[:3])) + (", ..." if len(odd) > 3 else "")
    but = f"but for {found} " if odd else ""
    warn(
        f"X, {place}{others} holds text that {but}reads as numbers, and is used as categories, "
        "without their order: convert it, for example by pandas.to_numeric(column, "
        "errors='coerce'), or make it a column of type 'category' if that is what it is.",
        DataWarning,
    )


def _odd_ones(labels: Sequence[Any], frequencies: Callable[[], Array]) -> list[str] | None:
    """The values that are no numbers, the first few kinds of them; None where there is no doubt."""
    if not all(type(v) is str for v in labels):
        return None
    first = labels[:_LOOKED_AT]
    if 2 * sum(map(is_numeral, first)) < len(first):
        return None
    numerals = np.array([is_numeral(label) for label in labels], bool)
    odd = [label for label, numeral in zip(labels, numerals.tolist()) if not numeral]
    if numerals.sum() < 3:
        return None
    if not odd:
        fractions = any("." in label or "," in label for label in labels)
        return [] if fractions or len(labels) > _MANY else None
    frequency = frequencies()
    often = frequency[numerals].sum() >= _MOST * frequency.sum()
    spelt = all(label.strip().lower() in _MISSING for label in odd)
    return odd if often or spelt else None


def is_numeral(text: str) -> bool:
    """Whether a text is a number as people and programs write it.

    >>> [is_numeral(text) for text in ("12", "-13.5", ".5", "1e-3", "00501", "n/a", "")]
    [True, True, True, True, False, False, False]
    """
    return _NUMERAL.fullmatch(text) is not None and any(c in "0123456789" for c in text)
