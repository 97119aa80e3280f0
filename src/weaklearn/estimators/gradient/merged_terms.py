"""The mean of sums of terms of several glass boxes, on the cells of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from ...base.numeric.total import total
from ...base.trees.term import Axis, Term, TermSum
from ...base.types import Floats, Ints
from ...intake.schema import Schema
from .bagged_terms import merged, purified

Places = NDArray[np.intp]


def average_of_terms(
    sums: Sequence[TermSum], shares: Floats, schema: Schema, codes: Sequence[Mapping[int, Ints]]
) -> TermSum:
    """The mean of the sums: of all functions of the same columns, pure and centred again.

    Where a cell of one model is cut by another, its training rows are taken for evenly divided; a
    function that a model lacks is 0 there.
    """
    n_categories = {j: column.n_categories for j, column in schema.special.items()}
    features = sorted({t.features for s in sums for t in s.terms}, key=lambda f: (len(f), f))
    used = {j for pair in features for j in pair}
    features = [*((j,) for j in sorted(used)), *(pair for pair in features if len(pair) == 2)]
    intercept = np.asarray(sum(w * s.intercept for w, s in zip(shares.tolist(), sums, strict=True)))
    by_features = {f: _mean_term(f, sums, shares, n_categories, codes) for f in features}
    for pair in features:
        if len(pair) == 2 and pair in by_features:
            crossed = by_features[pair]
            pure, *rest = purified(crossed.values, crossed.counts)
            shift = pure - crossed.values
            by_features[pair] = _with(crossed, pure, crossed.low + shift, crossed.high + shift)
            for j, axis, table in zip(pair, crossed.axes, rest, strict=True):
                main = by_features[(j,)]
                added = table[_within(main.axes[0], axis, None)]
                by_features[(j,)] = _with(
                    main, main.values + added, main.low + added, main.high + added
                )
    terms = []
    for f, term in by_features.items():
        if len(f) == 1:
            mass = term.counts / max(total(term.counts), 1e-300)
            middle = np.array([total(term.values[:, k] * mass) for k in range(len(intercept))])
            intercept = intercept + middle
            term = _with(term, term.values - middle, term.low - middle, term.high - middle)
        terms.append(merged(term))
    return TermSum(intercept, tuple(terms))


def _with(term: Term, values: Floats, low: Floats, high: Floats) -> Term:
    return Term(term.axes, values, low, high, term.counts)


def _mean_term(
    features: tuple[int, ...],
    sums: Sequence[TermSum],
    shares: Floats,
    n_categories: Mapping[int, int],
    codes: Sequence[Mapping[int, Ints]],
) -> Term:
    """The mean of the functions of some columns."""
    found = [next((t for t in s.terms if t.features == features), None) for s in sums]
    # A column that stands in pairs alone has its cells from there.
    known = [a for s in sums for t in s.terms for a in t.axes if t.features == features]
    known = known or [a for s in sums for t in s.terms for a in t.axes if a.feature in features]
    axes = tuple(
        _union([a for a in known if a.feature == j], n_categories.get(j, 0)) for j in features
    )
    shape = (*(axis.n_cells for axis in axes), sums[0].n_outputs)
    tables = values, low, high = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    counts = np.zeros(shape[:-1])
    for term, share, moves in zip(found, shares.tolist(), codes, strict=True):
        if term is None:
            continue
        pairs = list(zip(axes, term.axes, strict=True))
        where = [_within(wide, own, moves.get(own.feature)) for wide, own in pairs]
        places = np.ix_(*where)
        for table, own in zip(tables, (term.values, term.low, term.high), strict=True):
            table += share * own[places]
        into = np.zeros(term.counts.shape)
        np.add.at(into, places, 1.0)
        counts += (term.counts / np.maximum(into, 1.0))[places]
    return Term(axes, values, low, high, counts)


def _union(axes: Sequence[Axis], n_categories: int) -> Axis:
    """The cells of several axes of one column: a cut where any of them has one."""
    first = axes[0]
    if first.cuts is None:
        return Axis(first.feature, None, n_categories)
    cuts = np.unique(np.concatenate([axis.cuts for axis in axes if axis.cuts is not None]))
    ends = [axis.ends for axis in axes if axis.ends is not None]
    reach = (min(e[0] for e in ends), max(e[1] for e in ends)) if ends else None
    return Axis(first.feature, cuts, 0, reach)


def _within(wide: Axis, own: Axis, moves: Ints | None) -> Places:
    """The cell of a model in which each cell of the union lies; unknown categories are missing."""
    if wide.cuts is None or own.cuts is None:
        places = np.full(wide.n_cells, own.n_cells - 1, np.intp)
        known = np.arange(own.n_cells - 1) if moves is None else moves
        places[known] = np.arange(len(known))
        return places
    inside = np.searchsorted(own.cuts, wide.cuts)
    return np.concatenate([inside, [len(own.cuts)], [own.n_cells - 1]]).astype(np.intp)
