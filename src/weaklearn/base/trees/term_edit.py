"""A manual change of a term of an additive model, kept so that it can be shown and undone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Floats
from .term import Term

_LAST_BITS = 4  # a mean of equal numbers may differ from them by that


@dataclass(frozen=True, eq=False)
class Edit:
    """A manual change of one term: the term before and after; ``after`` is None for a deleted term.

    ``scores`` are names of scores with their values before and after, on the rows that were given.
    """

    term: str
    what: str
    place: int  # of the term among all
    before: Term
    after: Term | None
    scores: tuple[tuple[str, float, float], ...] = ()

    @property
    def n_changed(self) -> int:
        """How many cells have another value."""
        return int(self._changed().any(axis=-1).sum())

    def _changed(self) -> NDArray[np.bool_]:
        if self.after is None:
            return np.ones(self.before.values.shape, bool)
        before, after = self.before.values, self.after.values
        size = np.maximum(np.abs(before), np.abs(after))
        return np.asarray(np.abs(after - before) > _LAST_BITS * np.spacing(size))

    def row(self, number: int | str, names: Sequence[str]) -> tuple[Any, ...]:
        """The row of a table of edits, with the scores of these names."""
        changed = self._changed()
        by_name = {name: (before, after) for name, before, after in self.scores}
        after = "gone" if self.after is None else _span(self.after.values[changed])
        scores = [score for name in names for score in by_name.get(name, (None, None))]
        before = _span(self.before.values[changed])
        return number, self.term, self.what, self.n_changed, before, after, *scores


def _span(values: Floats) -> str:
    if not values.size:
        return ""
    low, high = f"{values.min():.4g}", f"{values.max():.4g}"
    return low if low == high else f"{low} to {high}"
