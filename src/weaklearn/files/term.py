"""The terms of additive models in a file: a list as one set of columns, and their sum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.trees.term import Axis, Term, TermSum
from .array import narrow
from .check import MOST, all_finite, array, floats, integers, need, of_type
from .record import Record, expect, in_columns
from .shape import Shape

_TABLES = ("values", "low", "high")
_STRUCTURE = 8  # fields that say which cells there are
_MOST_WEIGHT = 1e280  # so that sums stay finite
_MEMORY, _FREE = 1_100, 2**26  # bytes that a term takes beside its numbers, and that are let pass


def take_many(terms: Sequence[Term]) -> list[Any]:
    axes = [axis for term in terms for axis in term.axes]
    ordered = [axis for axis in axes if axis.cuts is not None]
    cuts = [axis.cuts for axis in ordered if axis.cuts is not None]
    known = [axis.ends for axis in ordered if axis.ends is not None]
    return [
        _narrow(len(term.axes) for term in terms),
        _narrow(term.values.shape[-1] for term in terms),
        _narrow(axis.feature for axis in axes),
        _narrow(-1 if axis.cuts is not None else axis.n_categories for axis in axes),
        _narrow(map(len, cuts)),
        _joined(cuts),
        np.array([axis.ends is not None for axis in ordered], bool),
        np.array(known, np.float64).reshape(-1, 2),
        *(_joined([getattr(term, name) for term in terms]) for name in _TABLES),
        _joined([term.counts for term in terms]),
    ]


def _narrow(numbers: Any) -> NDArray[Any]:
    return narrow(np.array(list(numbers), np.int64))


def _joined(arrays: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    return np.concatenate([np.zeros(0), *(each.ravel() for each in arrays)])


def make_many(n: int, fields: list[Any]) -> list[Any]:
    expect(fields, _STRUCTURE + len(_TABLES) + 1)
    need(
        n * _MEMORY <= _FREE + 16 * np.size(fields[_STRUCTURE]),
        f"{n} terms have hardly a cell each",
    )
    n_axes = integers("axes", fields[0], n, 1, 2, np.int64)
    outputs = integers("outputs", fields[1], n, 1, MOST, np.int64).tolist()
    ends = np.cumsum(n_axes).tolist()
    axes = _axes(int(n_axes.sum()), fields[2:_STRUCTURE])
    each = [tuple(axes[end - k : end]) for end, k in zip(ends, n_axes.tolist(), strict=True)]
    shapes = [tuple(axis.n_cells for axis in several) for several in each]
    cells = [shape[0] * (shape[1] if len(shape) == 2 else 1) for shape in shapes]
    sizes = [k * K for k, K in zip(cells, outputs, strict=True)]  # whole numbers do not overflow
    tables = [
        floats(name, field, sum(sizes))
        for name, field in zip(_TABLES, fields[_STRUCTURE:-1], strict=True)
    ]
    counts = floats("counts", fields[-1], sum(cells))
    need((tables[1] <= tables[2]).all(), "a band ends below its beginning")
    need((counts >= 0).all(), "a cell holds fewer examples than none")
    need(counts.max(initial=0.0) <= _MOST_WEIGHT, "a cell holds more examples than there can be")
    terms, at, at_count = [], 0, 0
    for several, shape, K, size, k in zip(each, shapes, outputs, sizes, cells, strict=True):
        values, low, high = (table[at : at + size].reshape(*shape, K) for table in tables)
        mass = counts[at_count : at_count + k].reshape(shape)
        terms.append(Term(several, values, low, high, mass))
        at, at_count = at + size, at_count + k
    return terms


def _axes(n: int, fields: list[Any]) -> list[Axis]:
    feature = integers("feature", fields[0], n, 0, MOST, np.int64).tolist()
    levels = integers("levels", fields[1], n, -1, MOST, np.int64).tolist()
    n_ordered = levels.count(-1)
    n_cuts = integers("cuts", fields[2], n_ordered, 0, MOST, np.int64)
    cuts = floats("cuts", fields[3], int(n_cuts.sum()))
    rises = np.diff(cuts, prepend=-np.inf) > 0
    starts = (np.cumsum(n_cuts) - n_cuts)[n_cuts > 0]
    rises[starts] = True  # after the last cut of another axis
    need(rises.all(), "cuts do not rise")
    parts = iter(np.split(cuts, np.cumsum(n_cuts)[:-1]) if n_ordered else [])
    known = iter(_ends(n_ordered, *fields[4:]))
    axes = []
    for j, n_categories in zip(feature, levels, strict=True):
        if n_categories >= 0:
            axes.append(Axis(j, None, n_categories))
            continue
        own, ends = next(parts), next(known)
        inside = ends is None or not len(own) or (ends[0] <= own[0] and own[-1] <= ends[1])
        need(inside, "a cut lies outside the values of its column")
        axes.append(Axis(j, own, 0, ends))
    return axes


def _ends(n: int, known: Any, ends: Any) -> list[tuple[float, float] | None]:
    """The least and the greatest value of each of n ordered axes; None where unknown."""
    array("b")("known ends", known)
    array("f", 2)("ends", ends)
    need(len(known) == n, f"{len(known)} of {n} axes have known ends or not")
    need(
        ends.shape == (int(known.sum()), 2) and ends.dtype == np.float64,
        f"ends are not a table of {int(known.sum())} rows and 2 columns",
    )
    need((ends[:, 0] <= ends[:, 1]).all(), "the least value is above the greatest")
    pairs = iter(ends.tolist())
    return [tuple(next(pairs)) if is_known else None for is_known in known.tolist()]


def alike(term: Term, other: Term, cells_only: bool = False) -> bool:
    """Whether two terms are the same to the bit, or, with ``cells_only``, have the same cells."""
    fields = [take_many([each])[: _STRUCTURE if cells_only else None] for each in (term, other)]
    return all(
        a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
        for a, b in zip(*fields, strict=True)
    )


def fits(name: str, terms: Sequence[Term], shape: Shape) -> None:
    """Refuses terms that do not fit the columns of the model."""
    axes = [axis for term in terms for axis in term.axes]
    for axis in axes:
        j = axis.feature
        need(j < shape.n_features, f"{name} asks for feature {j}; the model has {shape.n_features}")
        categories = shape.n_categories.get(j)
        need(
            (axis.cuts is None) == (categories is not None), f"{name}: bins do not suit feature {j}"
        )
        if categories is not None:
            need(
                axis.n_categories == categories,
                f"{name} has {axis.n_categories} of {categories} categories",
            )
    cuts = [(axis.feature, axis.cuts) for axis in axes if axis.cuts is not None]
    lengths = [len(each) for _, each in cuts]
    features = np.repeat(np.array([j for j, _ in cuts], np.int64), lengths)
    shape.check_thresholds(name, features, _joined([each for _, each in cuts]))
    for term in terms:
        need(len(set(term.features)) == len(term.axes), f"{name} pairs a column with itself")


def _make_sum(fields: list[Any]) -> TermSum:
    expect(fields, 2)
    intercept, terms = fields
    array("f")("intercept", intercept)
    need(len(intercept) > 0 and intercept.dtype == np.float64, "there is no output")
    of_type("terms", terms, list)
    for term in terms:
        need(type(term) is Term, "a term is none")
        outputs = term.values.shape[-1]
        need(outputs == len(intercept), f"a term of {outputs} outputs beside {len(intercept)}")
    features = [term.features for term in terms]
    need(len(set(map(frozenset, features))) == len(features), "two terms are of the same columns")
    with np.errstate(over="ignore"):
        most = np.abs(intercept) + sum(_greatest(term) for term in terms)
    all_finite("the greatest score", most)
    return TermSum(intercept, tuple(terms))


def _greatest(term: Term) -> NDArray[np.float64]:
    tables = np.abs(np.stack([getattr(term, name) for name in _TABLES]))
    most: NDArray[np.float64] = tables.reshape(-1, tables.shape[-1]).max(axis=0)
    return most


def _sums_fit(name: str, sums: Sequence[TermSum], shape: Shape) -> None:
    for each in sums:
        if shape.n_classes:
            expected = shape.n_classes if shape.n_classes > 2 else 1
            found = each.n_outputs
            need(found == expected, f"{name} has {found} outputs; the model has {expected}")
        fits(name, each.terms, shape)


TERM = in_columns(13, Term, take_many, make_many, fits=fits, cost=12)
TERM_SUM = Record(
    14,
    TermSum,
    take=lambda terms: [terms.intercept, list(terms.terms)],
    make=_make_sum,
    fits=_sums_fit,
    holds={1: {TERM.number}},
)
