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
from ..types import Floats, Ints
from . import tree_columns as nodes
from .stream import Reader, Writer, must
from .tree_columns import Parts, each, in_order, must_add_up
from .tree_shapes import Shapes

Arrays = Mapping[str, NDArray[Any]]

# What a stream of so many bytes may stand for, where it is not trusted: so many entries a byte, of
# long ones fewer; a node a byte, and so many bytes a tree, but for a few that are let pass.
_MOST_ENTRIES, _MOST_OF_LONG, _FREE_ENTRIES = 16, 8, 2**19
_FREE_NODES = 2**15
_FREE_TREES, _BYTES_OF_TREE = 2**14, 32


def _most_entries(n_bytes: int) -> int:
    return min(_MOST_ENTRIES * n_bytes, _FREE_ENTRIES + _MOST_OF_LONG * n_bytes)


def _most_trees(n_bytes: int) -> int:
    return max(_FREE_TREES, n_bytes // _BYTES_OF_TREE)


def write_trees(trees: Sequence[Arrays]) -> bytes:
    """Trees, as arrays by name, as compressed bytes."""
    return bytes(_written(trees))


def write_small_trees(trees: Sequence[Arrays]) -> bytes | None:
    """The same, or None where a reader that does not trust it would refuse the stream."""
    writer = _written(trees)
    data = bytes(writer)
    n, nodes = len(data), sum(len(tree["ask"]) for tree in trees)
    small = writer.entries <= _most_entries(n) and nodes <= n + _FREE_NODES
    return data if small and len(trees) <= _most_trees(n) else None


def _written(trees: Sequence[Arrays]) -> Writer:
    writer = Writer()
    shapes = _shapes(trees) if trees else None
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
    reader = Reader(data, None if trusted else _most_entries(len(data)))
    n = reader.number()
    must(trusted or n <= _most_trees(len(data)), "few bytes ask for very many trees")
    regular = reader.number()
    most_nodes = None if trusted else len(data) + _FREE_NODES
    trees = (
        _read_regular(reader, n, most_nodes) if regular else [_read_as_is(reader) for _ in range(n)]
    )
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
        flat = reader.doubles() if kind is np.float64 else _narrowed(reader.integers(), kind)
        if columns is not None:
            must(columns > 0 and len(flat) % columns == 0, f"{name} is no table")
            flat = flat.reshape(-1, columns)
        tree[name] = flat
    return tree


def _narrowed(x: Ints, kind: Any) -> NDArray[Any]:
    """Integers as a smaller type; 64-bit words keep their bits."""
    limits = np.iinfo(kind)
    if limits.bits < 64 and len(x):
        must(limits.min <= x.min() and x.max() <= limits.max, f"{limits.dtype} does not hold all")
    return x.astype(kind)


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
    total = parts.totals(values)
    writer.guessed(values[~by_leaves].ravel(), parts.means(total, owners).ravel())
    if "gain" not in spare:
        writer.guessed(gain[tests], parts.gains(total, values))


def _read_regular(
    reader: Reader, n_trees: int, most_nodes: int | None
) -> list[dict[str, NDArray[Any]]]:
    shapes = nodes.read_shapes(reader, most_nodes)
    must(len(shapes.length) == n_trees, f"there are not {n_trees} trees")
    tests, n = shapes.nodes, len(shapes.inner)

    def spread(x: NDArray[Any], where: Ints, elsewhere: float, kind: Any) -> NDArray[Any]:
        column = np.full(n, elsewhere, kind)
        column[where] = x if kind is np.float64 else _narrowed(x, kind)
        return column

    ask, feature = each(reader.integers(), tests), each(reader.integers(), tests)
    must(((ask >= THRESHOLD) & (ask <= MULTIWAY)).all(), "a node asks what there is not")
    cut, chosen = tests[ask == THRESHOLD], tests[ask == SUBSET]
    threshold = each(nodes.read_cuts(reader, feature[ask == THRESHOLD]), cut)
    missing = each(reader.integers(), tests)
    subset = each(reader.integers(), chosen) + in_order(shapes.trees[chosen])
    n_sets = each(reader.integers(), shapes.length)
    words = [reader.integers().view(np.uint64) for _ in range(4)]
    must_add_up(n_sets, len(words[0]))
    subsets = np.stack([each(word, words[0]) for word in words], axis=1)
    spare = reader.number()
    present = {name: not spare >> k & 1 for k, name in enumerate(SPARE)}
    empty = np.empty(0)
    count = nodes.read_count(reader, shapes) if present["count"] else empty.astype(np.int64)
    weight = nodes.read_weight(reader, shapes, count) if present["weight"] else empty
    value, rows = nodes.read_value(reader, shapes)
    parts = Parts(shapes, count, weight, value)
    values, total = _read_values(reader, parts, int(rows.sum()))
    gain = empty
    if present["gain"]:
        gain = spread(reader.guessed(parts.gains(total, values)), tests, 0.0, np.float64)
    reader.end()
    trees, start = shapes.trees, np.repeat(shapes.start, shapes.length)
    row_start = np.cumsum(rows) - rows
    by_node = {
        "ask": spread(ask, tests, LEAF, np.uint8),
        "feature": spread(feature, tests, -1, np.int32),
        "threshold": spread(threshold, cut, 0.0, np.float64),
        "first": spread(shapes.first - start[tests], tests, 0, np.int32),
        "width": spread(shapes.width, tests, 0, np.int32),
        "missing": spread(missing, tests, 0, np.int32),
        "subset": spread(subset, chosen, -1, np.int32),
        "value": np.where(value < 0, -1, value - row_start[trees]).astype(np.int32),
        "weight": weight,
        "count": count,
        "gain": gain,
    }
    sizes = {name: shapes.length if len(by_node[name]) else 0 * rows for name in by_node}
    return _apart(
        {**by_node, "subsets": subsets, "values": values},
        {**sizes, "subsets": n_sets, "values": rows},
    )


def _read_values(reader: Reader, parts: Parts, n_rows: int) -> tuple[Floats, Floats]:
    """The rows of values of all trees, and the totals of the nodes from which they were guessed."""
    shapes, value = parts.shapes, parts.value
    columns = reader.number()
    reader.room(len(value) * columns)
    of_leaves = reader.doubles()
    must(columns > 0 and len(of_leaves) % columns == 0, "values are no table")
    most = len(of_leaves) // columns + len(shapes.nodes)
    must(n_rows <= most, "rows of values are lacking")
    must(int(value[~shapes.inner].min()) >= 0, "a leaf has no value")
    by_leaves, owners = parts.rows(n_rows)
    must(int(by_leaves.sum()) * columns == len(of_leaves), "rows of values are lacking")
    values = np.zeros((n_rows, columns))
    values[by_leaves] = of_leaves.reshape(-1, columns)
    total = parts.totals(values)
    values[~by_leaves] = reader.guessed(parts.means(total, owners).ravel()).reshape(-1, columns)
    return values, total


def _apart(arrays: Arrays, sizes: Mapping[str, Ints]) -> list[dict[str, NDArray[Any]]]:
    """The arrays of all trees cut into those of each, which have these sizes."""
    ends = {name: np.cumsum(size) for name, size in sizes.items()}
    return [
        {
            name: array[(ends[name][t - 1] if t else 0) : ends[name][t]]
            for name, array in arrays.items()
        }
        for t in range(len(sizes["values"]))
    ]
