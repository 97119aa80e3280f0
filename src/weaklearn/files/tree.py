"""Trees in a file: a list as one set of columns, without what can be computed again.

Leaves have no test, so the columns of tests hold inner nodes only; children are named by how far
behind their parent they stand. One pass over the columns shows that every node but the root has
exactly one parent, which stands before it: no cycle can be written.

Where that takes less room, the columns are not written but packed into one stream of bytes. A
reader spells them out, and holds them to the same checks as those that were written in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.compression.tree_stream import read_trees, write_small_trees
from ..base.trees.tree import MULTIWAY, THRESHOLD, Tree
from ..base.trees.tree_arrays import EVERY_CHILD, LEAF, SUBSET
from .array import narrow
from .check import MOST, all_finite, floats, inside, integers, need, of_type
from .error import Flaw
from .record import expect, in_columns
from .shape import Shape

LAST = np.finfo(np.float64).max
_BITS = 256  # of a set of categories
_MOST_WEIGHT = 1e290  # so that sums stay finite


def take_many(trees: Sequence[Tree]) -> list[Any]:
    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(tree, name) for tree in trees])

    ask = joined("ask")
    inner = ask != LEAF
    node = np.concatenate([np.arange(len(tree)) for tree in trees])
    width, weight, count = joined("width")[inner], joined("weight"), joined("count")
    value, values = joined("value"), joined("values")
    each = [len(tree.values) for tree in trees]
    sets = [tree.subsets[tree.subset[tree.ask == SUBSET]] for tree in trees]
    return [
        narrow(np.array([len(tree) for tree in trees])),
        ask,
        narrow(joined("feature")[inner]),
        joined("threshold")[ask == THRESHOLD],
        narrow((joined("first") - node)[inner]),
        None if (width == 2).all() else narrow(width),
        narrow(joined("missing")[inner]),
        np.concatenate(sets).reshape(-1, 4),
        None if (weight == count).all() else weight,
        narrow(count),
        joined("gain")[inner],
        None if each == [len(tree) for tree in trees] and (value == node).all() else narrow(value),
        narrow(np.array(each)),
        values,
    ]


def pack(trees: Sequence[Tree]) -> list[Any] | None:
    """The trees as one compressed field; None where that is longer or a reader would refuse it."""
    data = write_small_trees([_sets_in_order(tree) for tree in trees])
    if data is None:
        return None
    in_full = sum(field.nbytes for field in take_many(trees) if field is not None)
    return [data] if len(trees) <= len(data) < in_full else None


def _sets_in_order(tree: Tree) -> dict[str, NDArray[Any]]:
    """The arrays of a tree, with its category sets in the order of its nodes."""
    chosen = tree.ask == SUBSET
    subset = np.full(len(tree), -1, np.int32)
    subset[chosen] = np.arange(chosen.sum())
    return tree.arrays() | {"subset": subset, "subsets": tree.subsets[tree.subset[chosen]]}


def spell(n: int, fields: list[Any]) -> list[Any]:
    """The columns of trees, decompressed if they are packed."""
    if len(fields) != 1:
        return fields
    of_type("packed trees", fields[0], bytes)
    try:
        with np.errstate(all="ignore"):
            trees = [Tree(**arrays) for arrays in read_trees(fields[0], trusted=False)]
    except ValueError as error:
        raise Flaw(f"the packed trees are damaged: {error!s:.200}") from None
    need(len(trees) == n and n > 0, f"{len(trees)} trees are packed where {n} are announced")
    for tree in trees:
        _even(tree)
    need(len({tree.n_outputs for tree in trees}) == 1, "trees have not as many outputs each")
    return take_many(trees)


def _even(tree: Tree) -> None:
    """Refuses a tree with arrays of different lengths or with unknown category sets."""
    for name, array in tree.arrays().items():
        if name not in ("subsets", "values"):
            need(len(array) == len(tree), f"{name} has not one entry a node")
    need(tree.subsets.shape[1] == 4, "sets of categories have not four words")
    chosen = tree.subset[tree.ask == SUBSET]
    inside("subset", chosen, 0, len(tree.subsets) - 1)
    need(len(tree) > 0, "a tree has no node")


def make_many(n: int, fields: list[Any]) -> list[Any]:
    fields = spell(n, fields)
    expect(fields, 14)
    length = integers("length", fields[0], n, 1, MOST, np.int64)
    total = int(length.sum())
    ask = integers("ask", fields[1], total, LEAF, MULTIWAY, np.uint8)
    inner = ask != LEAF
    tests = int(inner.sum())
    for k, entries in ((2, tests), (4, tests), (6, tests), (9, total), (10, tests)):
        # Before any work is done or memory taken.
        need(np.shape(fields[k]) == (entries,), f"column {k} has not {entries} entries")
    start = np.cumsum(length) - length
    node = np.arange(total) - np.repeat(start, length)
    last = np.repeat(length, length)[inner]  # one past the last node of the same tree
    width = _width(fields[5], tests, total)
    step = integers("first", fields[4], tests, 1, total, np.int64)
    first = node[inner] + step
    need((first + width <= last).all(), "a child stands outside of its tree")
    _one_parent(np.repeat(start, length)[inner] + first, width, start, total)
    missing = integers("missing", fields[6], tests, EVERY_CHILD, MOST, np.int32)
    need((missing < width).all(), "missing values go to a child that there is not")
    cut, chosen = ask == THRESHOLD, ask == SUBSET
    count = integers("count", fields[9], total, 0, 2**62, np.int64)
    weight = count.astype(np.float64) if fields[8] is None else floats("weight", fields[8], total)
    need(weight.min() >= 0 and weight.max() <= _MOST_WEIGHT, "a node's weight cannot be")
    threshold, gain = np.zeros(total), np.zeros(total)
    threshold[cut] = floats("threshold", fields[3], int(cut.sum()))
    gain[inner] = floats("gain", fields[10], tests)
    need(np.abs(gain).max() <= _MOST_WEIGHT, "a test's gain cannot be")
    rows, values = _values(fields[12], fields[13], n)
    value = _value(fields[11], node, length, rows)
    subset, subsets, sets = _subsets(fields[7], chosen, length)
    columns = {
        "ask": ask,
        "feature": _spread(integers("feature", fields[2], tests, 0, MOST, np.int32), inner, -1),
        "threshold": threshold,
        "first": _spread(first.astype(np.int32), inner, 0),
        "width": _spread(width.astype(np.int32), inner, 0),
        "missing": _spread(missing, inner, 0),
        "subset": subset,
        "value": value,
        "weight": weight,
        "count": count,
        "gain": gain,
    }
    _heavy_children(columns, start, length)
    ends, row_ends, set_ends = (np.cumsum(x).tolist() for x in (length, rows, sets))
    trees = []
    for k in range(n):
        own = slice(ends[k] - int(length[k]), ends[k])
        parts = {name: column[own] for name, column in columns.items()}
        parts["values"] = values[row_ends[k] - int(rows[k]) : row_ends[k]]
        parts["subsets"] = subsets[set_ends[k] - int(sets[k]) : set_ends[k]]
        trees.append(Tree(**parts))
    return trees


def _width(field: Any, tests: int, total: int) -> NDArray[np.int64]:
    if field is None:
        return np.full(tests, 2, np.int64)
    return integers("width", field, tests, 2, max(2, total), np.int64)


def _one_parent(
    first: NDArray[np.int64], width: NDArray[np.int64], roots: NDArray[np.int64], total: int
) -> None:
    """Refuses trees in which a node other than a root has not exactly one parent."""
    need(int(width.sum()) == total - len(roots), "some node has no parent, or several")
    ends = np.cumsum(width)
    children = np.repeat(first - ends + width, width) + np.arange(total - len(roots))
    parents = np.bincount(children, minlength=total) if len(children) else np.zeros(total, int)
    expected = np.ones(total, int)
    expected[roots] = 0
    need(np.array_equal(parents, expected), "some node has no parent, or several")


def _values(each: Any, values: Any, n: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The number of rows of leaf values of each tree, and all these rows."""
    rows = integers("rows of values", each, n, 1, MOST, np.int64)
    need(
        isinstance(values, np.ndarray) and values.dtype == np.float64 and values.ndim == 2,
        "values are not a table of numbers",
    )
    need(
        len(values) == int(rows.sum()) and values.shape[1] >= 1,
        f"values have the shape {values.shape}; they must have {int(rows.sum())} rows",
    )
    all_finite("values", values)
    return rows, values


def _value(
    field: Any, node: NDArray[np.int64], length: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.int32]:
    """The row of leaf values of each node."""
    if field is None:
        need(np.array_equal(rows, length), "there are not as many values as nodes")
        return node.astype(np.int32)
    value = integers("value", field, len(node), 0, MOST, np.int32)
    need((value < np.repeat(rows, length)).all(), "a node answers with a value that there is not")
    return value


def _subsets(
    field: Any, chosen: NDArray[np.bool_], length: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.uint64], NDArray[np.int64]]:
    """The category set of each node, all sets, and the number of sets of each tree."""
    n_sets = int(chosen.sum())
    need(
        isinstance(field, np.ndarray) and field.dtype == np.uint64 and field.shape == (n_sets, 4),
        f"sets of categories are not a table of {n_sets} rows",
    )
    tree = np.repeat(np.arange(len(length)), length)[chosen]
    sets = np.bincount(tree, minlength=len(length)).astype(np.int64)
    subset = np.full(len(chosen), -1, np.int32)
    subset[chosen] = np.arange(n_sets) - np.repeat(np.cumsum(sets) - sets, sets)
    return subset, field, sets


def _spread(
    values: NDArray[np.int32], inner: NDArray[np.bool_], elsewhere: int
) -> NDArray[np.int32]:
    column = np.full(len(inner), elsewhere, np.int32)
    column[inner] = values
    return column


def _heavy_children(
    columns: dict[str, NDArray[Any]], start: NDArray[np.int64], length: NDArray[np.int64]
) -> None:
    """Refuses a test that sends missing values to all children if these have no weight."""
    shared = np.flatnonzero((columns["ask"] != LEAF) & (columns["missing"] == EVERY_CHILD))
    if len(shared) == 0:
        return
    sums = np.concatenate([[0.0], np.cumsum(columns["weight"])])
    first = np.repeat(start, length)[shared] + columns["first"][shared]
    need(
        (sums[first + columns["width"][shared]] > sums[first]).all(),
        "a row is to be shared out among children without weight",
    )


def check_trees(trees: Any, n: int) -> None:
    """Refuses anything but a list of n trees."""
    need(
        type(trees) is list and len(trees) == n and all(type(tree) is Tree for tree in trees),
        f"there are not {n} trees",
    )


def fits(name: str, trees: Sequence[Tree], shape: Shape) -> None:
    """Refuses trees whose tests do not fit the columns of the model."""
    inner = np.concatenate([tree.ask for tree in trees]) != LEAF
    ask, feature, width, missing, threshold = (
        np.concatenate([getattr(tree, part) for tree in trees])[inner]
        for part in ("ask", "feature", "width", "missing", "threshold")
    )
    inside(f"{name}: feature", feature, 0, shape.n_features - 1)
    levels = shape.n_categories_of(feature)
    cut, many = ask == THRESHOLD, ask == MULTIWAY
    known = cut & (threshold == LAST)  # any known value against none, whatever the column
    suits = cut == (levels == 0)
    need((suits | known).all(), f"{name}: a test does not suit the kind of its column")
    shape.check_thresholds(name, feature[cut & ~known], threshold[cut & ~known])
    need((levels[ask == SUBSET] <= _BITS).all(), f"{name}: more than {_BITS} categories")
    usual = np.where(many, levels, 2)
    own = width == usual + 1  # a child for missing values alone
    need(((width == usual) | own).all(), f"{name}: a test has not one child for each outcome")
    need((missing[own] == usual[own]).all(), f"{name}: missing values have a child and avoid it")


TREE = in_columns(2, Tree, take_many, make_many, pack=pack, spell=spell, fits=fits, cost=11)
