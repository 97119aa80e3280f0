"""Lossless compression of trees.

Many trees are written at once and share their tables. What follows from the rest is left out: where
children stand in trees grown depth first, sums over children, what leaves have no need of. What
nearly follows, as a mean from the means of its parts, is written as the step from a guess. Guesses
use the four operations alone, in a fixed order, so that they are the same bits everywhere.

Whoever reads may distrust the bytes: nothing is made before there is room for it, no index is used
before it is checked, and what no writer writes raises an error. Whether the arrays make good trees
is not asked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..trees.tree_arrays import LEAF, MULTIWAY, SPARE, SUBSET, TABLES, THRESHOLD, TYPES
from ..types import Floats
from . import tree_columns as nodes
from .stream import Reader, Writer, must
from .tree_batch import narrowed
from .tree_columns import Parts, in_order
from .tree_reader import PackedTrees
from .tree_shapes import Shapes

Arrays = Mapping[str, NDArray[Any]]

# What a stream of so many bytes may stand for, where it is not trusted: so many entries a byte, of
# long ones fewer, of trees as they are, which are decoded at once, one; a node a byte, and so many
# bytes a tree, but for a few that are let pass.
_MOST_ENTRIES, _MOST_OF_LONG, _MOST_AS_IS, _FREE_ENTRIES = 16, 8, 1, 2**19
_FREE_NODES = 2**15
_FREE_TREES, _BYTES_OF_TREE = 2**14, 32


def _most_entries(n_bytes: int, regular: bool) -> int:
    of_long = _MOST_OF_LONG if regular else _MOST_AS_IS
    return min(_MOST_ENTRIES * n_bytes, _FREE_ENTRIES + of_long * n_bytes)


def _most_trees(n_bytes: int) -> int:
    return max(_FREE_TREES, n_bytes // _BYTES_OF_TREE)


def write_trees(trees: Sequence[Arrays]) -> bytes:
    """Trees, as arrays by name, as compressed bytes."""
    return bytes(_written(trees, _shapes(trees) if trees else None))


def write_small_trees(trees: Sequence[Arrays]) -> bytes | None:
    """The same, or None where a reader that does not trust it would refuse the stream."""
    shapes = _shapes(trees) if trees else None
    writer = _written(trees, shapes)
    data = bytes(writer)
    n = len(data)
    nodes = max(sum(len(tree[name]) for tree in trees) for name in ("ask", "values"))
    most = _most_entries(n, shapes is not None)
    small = writer.entries <= most and nodes <= n + _FREE_NODES
    return data if small and len(trees) <= _most_trees(n) else None


def _written(trees: Sequence[Arrays], shapes: Shapes | None) -> Writer:
    writer = Writer()
    writer.number(len(trees))
    writer.number(0 if shapes is None else 1)
    if shapes is None:
        for tree in trees:
            _write_as_is(writer, tree)
    else:
        _write_regular(writer, trees, shapes)
    return writer


def read_trees(data: bytes, trusted: bool = True) -> list[dict[str, NDArray[Any]]]:
    """The trees from compressed bytes; they may share memory.

    Of bytes not trusted, it makes no more than in proportion to their number, or raises ValueError.
    """
    found = open_trees(data, trusted)
    if not isinstance(found, PackedTrees):
        return found
    return [tree for batch in found.walk(lambda batch: list(batch.apart())) for tree in batch]


def open_trees(data: bytes, trusted: bool = True) -> PackedTrees | list[dict[str, NDArray[Any]]]:
    """The trees from compressed bytes, to be decoded; those that are written as they are at once.

    Bytes not trusted are refused as by ``read_trees``.
    """
    most = _most_entries(len(data), regular=True)
    reader = Reader(data, None if trusted else most)
    n = reader.number()
    must(trusted or n <= _most_trees(len(data)), "few bytes ask for very many trees")
    most_nodes = None if trusted else len(data) + _FREE_NODES
    if reader.number():
        return PackedTrees(reader, n, most_nodes)
    reader.room(most - _most_entries(len(data), regular=False))
    trees = [_read_as_is(reader) for _ in range(n)]
    reader.end()
    return trees


# -------------------------------------------------------------------------------------- any arrays


def _write_as_is(writer: Writer, tree: Arrays) -> None:
    for name, kind in TYPES.items():
        if name in TABLES:
            writer.number(tree[name].shape[1])
        flat = tree[name].ravel()
        writer.doubles(flat) if kind is np.float64 else writer.integers(flat.astype(np.int64))


def _read_as_is(reader: Reader) -> dict[str, NDArray[Any]]:
    tree: dict[str, NDArray[Any]] = {}
    for name, kind in TYPES.items():
        columns = reader.number() if name in TABLES else None
        flat = reader.doubles() if kind is np.float64 else narrowed(reader.integers(), kind)
        if columns is not None:
            must(columns > 0 and len(flat) % columns == 0, f"{name} is no table")
            flat = flat.reshape(-1, columns)
        tree[name] = flat
    return tree


# ---------------------------------------------------------------------------------- trees as grown


def _joined(trees: Sequence[Arrays], name: str) -> NDArray[Any]:
    return np.concatenate([tree[name] for tree in trees])


def _shapes(trees: Sequence[Arrays]) -> Shapes | None:
    """The structure of the trees; None where an array holds something that no grower writes."""
    length = np.array([len(tree["ask"]) for tree in trees])
    for name in SPARE:
        entries = np.array([len(tree[name]) for tree in trees])
        if entries.any() and (entries != length).any():
            return None
    if len({tree["values"].shape[1] for tree in trees}) > 1 or (length == 0).any():
        return None
    ask, width, value = _joined(trees, "ask"), _joined(trees, "width"), _joined(trees, "value")
    leaf, rows = ask == LEAF, np.array([len(tree["values"]) for tree in trees])
    zero = np.zeros(1).tobytes()

    def is_zero(x: Floats) -> bool:
        return x.tobytes() == zero * len(x)

    gain = _joined(trees, "gain")
    regular = (
        np.array_equal(leaf, width == 0)
        and int(ask.max()) <= MULTIWAY
        and (_joined(trees, "feature")[leaf] == -1).all()
        and not _joined(trees, "first")[leaf].any()
        and not _joined(trees, "missing")[leaf].any()
        and (_joined(trees, "subset")[ask != SUBSET] == -1).all()
        and is_zero(_joined(trees, "threshold")[ask != THRESHOLD])
        and (len(gain) == 0 or is_zero(gain[leaf]))
        and (value >= np.where(leaf, 0, -1)).all()
        and (value < np.repeat(rows, length)).all()
    )
    shapes = Shapes.of(length, _joined(trees, "first"), width) if regular else None
    return None if shapes is None or shapes.too_deep else shapes


def _write_regular(writer: Writer, trees: Sequence[Arrays], shapes: Shapes) -> None:
    tests = shapes.nodes
    ask, feature = _joined(trees, "ask")[tests], _joined(trees, "feature")[tests]
    subset = _joined(trees, "subset")[tests][ask == SUBSET]
    nodes.write_shapes(writer, shapes)
    writer.integers(ask)
    writer.integers(feature)
    nodes.write_cuts(
        writer, feature[ask == THRESHOLD], _joined(trees, "threshold")[tests][ask == THRESHOLD]
    )
    writer.integers(_joined(trees, "missing")[tests])
    writer.integers(subset - in_order(shapes.trees[tests][ask == SUBSET]))
    writer.integers(np.array([len(tree["subsets"]) for tree in trees]))
    for words in _joined(trees, "subsets").T:
        writer.integers(words.astype(np.int64))
    spare = [name for name in SPARE if len(trees[0][name]) == 0]
    writer.number(sum(1 << SPARE.index(name) for name in spare))
    count, weight, gain = (_joined(trees, name) for name in ("count", "weight", "gain"))
    if "count" not in spare:
        nodes.write_count(writer, shapes, count)
    if "weight" not in spare:
        nodes.write_weight(writer, shapes, count, weight)
    rows = np.array([len(tree["values"]) for tree in trees])
    values = _joined(trees, "values")
    value = nodes.write_value(writer, shapes, _joined(trees, "value").astype(np.int64), rows)
    parts = Parts(shapes, count, weight, value)
    writer.number(values.shape[1])
    writer.entries += len(value) * values.shape[1]
    by_leaves, owners = parts.rows(len(values))
    writer.doubles(values[by_leaves].ravel())
    products = parts.products(values)
    total = parts.totals(products, nodes.almost_integers(products))
    writer.guessed(values[~by_leaves].ravel(), parts.means(total, owners).ravel())
    if "gain" not in spare:
        writer.guessed(gain[tests], parts.gains(total, values))
