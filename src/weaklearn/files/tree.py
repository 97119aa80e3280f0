"""Trees in a file: a list as one set of columns, without what can be computed again.

Leaves have no test, so the columns of tests hold inner nodes only; children are named by how far
behind their parent they stand. One pass over the columns shows that every node but the root has
exactly one parent, which stands before it: no cycle can be written.

Where that takes less room, the columns are not written but packed into one stream of bytes. What a
reader decodes passes the same checks as columns that were written in full. It goes through the
trees a batch at a time, and leaves large ones as they are in the file until they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base import compression
from ..base.compression.batch import are_packed
from ..base.trees.tree import MULTIWAY, THRESHOLD, Tree
from ..base.trees.tree_arrays import LEAF, SUBSET
from ..engines.files import Unsound
from .array import narrow
from .check import inside, need, of_type
from .error import Flaw
from .held_tree import HeldTrees, InFull, in_order, known_tests
from .packed_trees import InStream
from .record import in_columns
from .shape import Shape
from .tree_proof import LAST

_BITS = 256  # of a set of categories


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
    data = compression.write_small_trees([_sets_in_order(tree) for tree in trees])
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
    try:
        with np.errstate(all="ignore"):
            found = _opened(n, fields[0])
            if not isinstance(found, compression.PackedTrees):
                return found
            parts = found.walk(lambda batch: [Tree(**tree) for tree in in_order(batch).apart()])
    except ValueError as error:
        raise _damaged(error) from None
    return take_many([tree for trees in parts for tree in trees])


def make_many(n: int, fields: list[Any]) -> list[Any]:
    try:
        with np.errstate(all="ignore"):
            return HeldTrees(_source(n, fields)).trees()
    except Unsound as error:
        raise Flaw(str(error)) from None
    except ValueError as error:
        raise _damaged(error) from None


def _source(n: int, fields: list[Any]) -> InStream | InFull:
    """The trees of fields, to be proved and decoded."""
    if len(fields) != 1:
        return InFull(n, fields)
    if not are_packed(of_type("packed trees", fields[0], bytes)):
        columns = _opened(n, fields[0])
        assert not isinstance(columns, compression.PackedTrees)
        return InFull(n, columns)
    found = InStream(fields[0])
    _must_be(n, len(found.length))
    return found


def _must_be(n: int, found: int) -> None:
    need(found == n and n > 0, f"{found} trees are packed where {n} are announced")


def _damaged(error: ValueError) -> Flaw:
    return Flaw(f"the packed trees are damaged: {error!s:.200}")


def _opened(n: int, data: Any) -> compression.PackedTrees | list[Any]:
    """Packed trees; the columns of those that a stream holds as they are."""
    of_type("packed trees", data, bytes)
    found = compression.open_trees(data, trusted=False)
    _must_be(n, len(found))
    if isinstance(found, compression.PackedTrees):
        return found
    trees = [Tree(**arrays) for arrays in found]
    need(len({tree.n_outputs for tree in trees}) == 1, "trees have not as many outputs each")
    for tree in trees:
        _even(tree)
    return take_many(trees)


def _even(tree: Tree) -> None:
    """Refuses a tree with arrays of different lengths or with unknown category sets."""
    for name, array in tree.arrays().items():
        if name not in ("subsets", "values"):
            need(len(array) == len(tree), f"{name} has not one entry a node")
    need(tree.subsets.shape[1] == 4, "sets of categories have not four words")
    inside("subset", tree.subset[tree.ask == SUBSET], 0, len(tree.subsets) - 1)
    need(len(tree) > 0, "a tree has no node")


def check_trees(trees: Any, n: int) -> None:
    """Refuses anything but a list of n trees."""
    need(
        type(trees) is list and len(trees) == n and all(type(tree) is Tree for tree in trees),
        f"there are not {n} trees",
    )


def fits(name: str, trees: Sequence[Tree], shape: Shape) -> None:
    """Refuses trees whose tests do not fit the columns of the model."""
    tests = known_tests(trees)
    ask, feature, width = tests.ask, tests.feature, tests.width
    inside(f"{name}: feature", feature, 0, shape.n_features - 1)
    categories = shape.n_categories_of(feature)
    cut, many = ask == THRESHOLD, ask == MULTIWAY
    known = cut & (tests.high == LAST)  # any known value against none, whatever the column
    suits = cut == (categories == 0)
    need((suits | known).all(), f"{name}: a test does not suit the kind of its column")
    for threshold in (tests.low, tests.high):
        shape.check_thresholds(name, feature[cut & ~known], threshold[cut & ~known])
    need((categories[ask == SUBSET] <= _BITS).all(), f"{name}: more than {_BITS} categories")
    usual = np.where(many, categories, 2)
    own = width == usual + 1  # a child for missing values alone
    need(((width == usual) | own).all(), f"{name}: a test has not one child for each outcome")
    avoided = tests.missing[own] != usual[own]
    need(not avoided.any(), f"{name}: missing values have a child and avoid it")


TREE = in_columns(
    2,
    Tree,
    take_many,
    make_many,
    pack=pack,
    spell=spell,
    fits=fits,
    cost=11,
    settle=HeldTrees.settle,
    decode=HeldTrees.decode,
)
