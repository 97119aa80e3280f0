"""Other values for a term of a glass box: levelled, made monotone; and the table of edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from ...base.messages.table import Table
from ...base.numeric.total import total
from ...base.trees.term import Term
from ...base.trees.term_edit import Edit
from ...base.types import Bools, Floats


def edit_table(edits: Sequence[Edit], title: str, numbers: Sequence[Any], note: str = "") -> Table:
    """Edits in order: what was changed, the values of these cells, and scores before and after."""
    names = list(dict.fromkeys(name for edit in edits for name, _, _ in edit.scores))
    scores = [f"{name} {when}" for name in names for when in ("before", "after")]
    columns = ["edit", "term", "what", "cells", "before", "after", *scores]
    rows = [edit.row(number, names) for number, edit in zip(numbers, edits, strict=True)]
    return Table(title, columns, rows, note, shown=30)


def moved(term: Term, values: Floats) -> Term:
    """The term with other values; the band of every cell moves along with its value."""
    shift = values - term.values
    return replace(term, values=values, low=term.low + shift, high=term.high + shift)


def levelled(values: Floats, counts: Floats) -> Floats:
    """The mean over the examples in all places; over the cells, where there are no examples.

    >>> levelled(np.array([1.0, 4.0]), np.array([2.0, 1.0])).tolist()
    [2.0, 2.0]
    """
    weights = counts if counts.any() else np.ones(len(values))
    return np.full(len(values), total(values * weights) / total(weights))


def rising(values: Floats, counts: Floats) -> Floats:
    """The nearest values that never fall, nearest in squares over the examples.

    Neighbours that fall are pooled to their mean, again and again; the mean over the examples
    stays what it was. A cell without examples keeps its value, as far as its neighbours allow.

    >>> rising(np.array([1.0, 3.0, 2.0, 4.0]), np.ones(4)).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    if (values[1:] >= values[:-1]).all():
        return values.copy()
    met = np.flatnonzero(counts > 0) if counts.any() else np.arange(len(values))
    weights = counts if counts.any() else np.ones(len(values))
    fitted = np.full(len(values), np.nan)
    fitted[met] = _pooled(values[met], weights[met])
    held = values.copy()
    floor, ceiling = -np.inf, np.inf
    for i in range(len(values)):  # from below what came before, and then from above
        held[i] = floor = max(held[i], floor) if np.isnan(fitted[i]) else fitted[i]
    for i in reversed(range(len(values))):
        held[i] = ceiling = min(held[i], ceiling) if np.isnan(fitted[i]) else fitted[i]
    return held


def _pooled(values: Floats, weights: Floats) -> Floats:
    """The pool-adjacent-violators algorithm: blocks of places, each with its mean."""
    blocks: list[tuple[int, int]] = []
    means: list[float] = []
    for i in range(len(values)):
        begin, mean = i, float(values[i])
        while means and means[-1] > mean:
            begin = blocks.pop()[0]
            means.pop()
            part = slice(begin, i + 1)
            mean = total(values[part] * weights[part]) / total(weights[part])
        blocks.append((begin, i + 1))
        means.append(mean)
    lengths = [end - begin for begin, end in blocks]
    return np.repeat(means, lengths)


def reaching(cuts: list[float], low: float, high: float) -> Bools:
    """The cells of known values that reach into low < x <= high.

    >>> reaching([30.0, 40.0, 50.0], 35.0, 40.0).tolist()
    [False, True, False, False]
    """
    ends = [-np.inf, *cuts, np.inf]
    return np.array([a < high and b > low for a, b in pairwise(ends)])
