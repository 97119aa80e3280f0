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
from .stream import Reader, StreamError, Writer, must, must_index
from .tree_guess import Parts, ratio
from .tree_shapes import Shapes

Arrays = Mapping[str, NDArray[Any]]

# Whose row of values a node has: its own, its own that others share, one that came before, none.
_NEW, _SHARED, _AGAIN, _NONE = range(4)
_MOST_ENTRIES = 16  # that a byte of a stream may stand for, where it is not trusted


def write_trees(trees: Sequence[Arrays]) -> bytes:
    """Trees, as arrays by name, as compressed bytes."""
    return bytes(_written(trees))


def write_small_trees(trees: Sequence[Arrays]) -> bytes | None:
    """The same, or None where a reader with a limit of entries would refuse the stream."""
    writer = _written(trees)
    data = bytes(writer)
    return data if writer.entries <= _MOST_ENTRIES * len(data) else None


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
    reader = Reader(data, None if trusted else _MOST_ENTRIES * len(data))
    n = reader.number()
    regular = reader.number()
    trees = _read_regular(reader, n) if regular else [_read_as_is(reader) for _ in range(n)]
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
    _write_shapes(writer, shapes)
    writer.integers(ask)
    writer.integers(feature)
    _write_cuts(
        writer, feature[ask == THRESHOLD], _joined(trees, "threshold")[tests][ask == THRESHOLD]
    )
    writer.integers(_joined(trees, "missing")[tests])
    writer.integers(subset - _in_order(shapes.trees[tests][ask == SUBSET]))
    writer.integers(np.array([len(tree["subsets"]) for tree in trees]))
    for words in _joined(trees, "subsets").T:
        writer.integers(words.astype(np.int64))
    spare = [name for name in SPARE if len(trees[0][name]) == 0]
    writer.number(sum(1 << SPARE.index(name) for name in spare))
    count, weight, gain = (_joined(trees, name) for name in ("count", "weight", "gain"))
    if "count" not in spare:
        _write_count(writer, shapes, count)
    if "weight" not in spare:
        _write_weight(writer, shapes, count, weight)
    rows = np.array([len(tree["values"]) for tree in trees])
    values = _joined(trees, "values")
    value = _write_value(writer, shapes, _joined(trees, "value").astype(np.int64), rows)
    parts = Parts(shapes, count, weight, value)
    writer.number(values.shape[1])
    writer.entries += len(value) * values.shape[1]
    by_leaves, owners = parts.rows(len(values))
    writer.doubles(values[by_leaves].ravel())
    total = parts.totals(values)
    writer.guessed(values[~by_leaves].ravel(), parts.means(total, owners).ravel())
    if "gain" not in spare:
        writer.guessed(gain[tests], parts.gains(total, values))


def _read_regular(reader: Reader, n_trees: int) -> list[dict[str, NDArray[Any]]]:
    shapes = _read_shapes(reader)
    must(len(shapes.length) == n_trees, f"there are not {n_trees} trees")
    tests, n = shapes.nodes, len(shapes.inner)

    def spread(x: NDArray[Any], where: Ints, elsewhere: float, kind: Any) -> NDArray[Any]:
        column = np.full(n, elsewhere, kind)
        column[where] = x if kind is np.float64 else _narrowed(x, kind)
        return column

    ask, feature = _each(reader.integers(), tests), _each(reader.integers(), tests)
    must(((ask >= THRESHOLD) & (ask <= MULTIWAY)).all(), "a node asks what there is not")
    cut, chosen = tests[ask == THRESHOLD], tests[ask == SUBSET]
    threshold = _each(_read_cuts(reader, feature[ask == THRESHOLD]), cut)
    missing = _each(reader.integers(), tests)
    subset = _each(reader.integers(), chosen) + _in_order(shapes.trees[chosen])
    n_sets = _each(reader.integers(), shapes.length)
    words = [reader.integers().view(np.uint64) for _ in range(4)]
    _must_add_up(n_sets, len(words[0]))
    subsets = np.stack([_each(word, words[0]) for word in words], axis=1)
    spare = reader.number()
    present = {name: not spare >> k & 1 for k, name in enumerate(SPARE)}
    empty = np.empty(0)
    count = _read_count(reader, shapes) if present["count"] else empty.astype(np.int64)
    weight = _read_weight(reader, shapes, count) if present["weight"] else empty
    value, rows = _read_value(reader, shapes)
    columns = reader.number()
    reader.room(n * columns)
    of_leaves = reader.doubles()
    must(columns > 0 and len(of_leaves) % columns == 0, "values are no table")
    n_rows = int(rows.sum())
    must(n_rows <= len(of_leaves) // columns + len(tests), "rows of values are lacking")
    must(int(value[~shapes.inner].min()) >= 0, "a leaf has no value")
    parts = Parts(shapes, count, weight, value)
    by_leaves, owners = parts.rows(n_rows)
    must(int(by_leaves.sum()) * columns == len(of_leaves), "rows of values are lacking")
    values = np.zeros((n_rows, columns))
    values[by_leaves] = of_leaves.reshape(-1, columns)
    total = parts.totals(values)
    values[~by_leaves] = reader.guessed(parts.means(total, owners).ravel()).reshape(-1, columns)
    gain = empty
    if present["gain"]:
        gain = spread(reader.guessed(parts.gains(total, values)), tests, 0.0, np.float64)
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
    lengths = {name: shapes.length if len(by_node[name]) else 0 * rows for name in by_node}
    arrays = {**by_node, "subsets": subsets, "values": values}
    ends = {k: np.cumsum(v) for k, v in {**lengths, "subsets": n_sets, "values": rows}.items()}
    return [
        {
            name: array[(ends[name][t - 1] if t else 0) : ends[name][t]]
            for name, array in arrays.items()
        }
        for t in range(len(rows))
    ]


def _each(x: NDArray[Any], of: NDArray[Any]) -> NDArray[Any]:
    """One entry for each of others."""
    must(len(x) == len(of), f"there are {len(x)} entries, and should be {len(of)}")
    return x


def _must_add_up(parts: Ints, total: int) -> None:
    """Numbers from 0 on that sum to a total."""
    must_index(parts, total + 1)
    must(int(parts.sum()) == total, f"parts do not add up to {total}")


def _in_order(tree: Ints) -> Ints:
    """0, 1, 2, ... within each tree, given the tree of each entry."""
    start = np.searchsorted(tree, tree)
    return np.arange(len(tree)) - start


# ------------------------------------------------------------------------------- shapes and tests


def _write_shapes(writer: Writer, shapes: Shapes) -> None:
    writer.integers(shapes.length)
    depth_first = shapes.depth_first
    writer.number(int(depth_first))
    writer.integers(shapes.inner[shapes.visits] if depth_first else shapes.inner)
    if not depth_first:
        writer.integers(shapes.first - shapes.nodes)
        writer.integers(shapes.width)


def _read_shapes(reader: Reader) -> Shapes:
    length, depth_first = reader.integers(), reader.number()
    marks = reader.integers()
    must_index(marks, 2)
    _must_add_up(length, len(marks))
    must(len(length) > 0 and length.min() > 0, "a tree has no node")
    inner = marks.astype(bool)
    if depth_first:
        shapes = Shapes.visited(length, inner)
    else:
        nodes = np.flatnonzero(inner)
        shapes = Shapes.sound(
            length, inner, _each(reader.integers(), nodes) + nodes, _each(reader.integers(), nodes)
        )
    if shapes is None:
        raise StreamError("nodes and children make no trees")
    return shapes


def _write_cuts(writer: Writer, feature: NDArray[Any], threshold: Floats) -> None:
    """Writes thresholds, or indices into a list of thresholds per feature."""
    plain, listed = Writer(), Writer()
    plain.doubles(threshold)
    bits = threshold.view(np.int64)
    order = np.lexsort((bits, feature))
    f, b = feature[order], bits[order]
    fresh = np.ones(len(f), bool)
    fresh[1:] = (f[1:] != f[:-1]) | (b[1:] != b[:-1])
    place = np.empty(len(f), np.int64)
    among = np.cumsum(fresh) - 1
    first_of = among[np.searchsorted(f, f)]
    place[order] = among - first_of
    listed.integers(np.unique(f[fresh], return_counts=True)[1])
    listed.doubles(threshold[order][fresh])
    listed.integers(place)
    shorter = len(bytes(listed)) < len(bytes(plain))
    writer.number(int(shorter))
    writer.append(listed if shorter else plain)


def _read_cuts(reader: Reader, feature: Ints) -> Floats:
    if not reader.number():
        return reader.doubles()
    each, cuts, place = reader.integers(), reader.doubles(), reader.integers()
    features, of = np.unique(feature, return_inverse=True)
    _must_add_up(_each(each, features), len(cuts))
    must(((place >= 0) & (_each(place, feature) < each[of])).all(), "a cut is in no list")
    return np.asarray(cuts[(np.cumsum(each) - each)[of] + place])


# ------------------------------------------------------------------------------ counts and weights


def _write_count(writer: Writer, shapes: Shapes, count: Ints) -> None:
    adds_up = np.array_equal(shapes.sums(np.where(shapes.inner, 0, count)), count)
    writer.number(int(adds_up))
    writer.integers(count[~shapes.inner] if adds_up else count)


def _read_count(reader: Reader, shapes: Shapes) -> Ints:
    if not reader.number():
        return _each(reader.integers(), shapes.inner)
    count = np.zeros(len(shapes.inner), np.int64)
    leaves = np.flatnonzero(~shapes.inner)
    count[leaves] = _each(reader.integers(), leaves)
    return np.asarray(shapes.sums(count))


def _write_weight(writer: Writer, shapes: Shapes, count: Ints, weight: Floats) -> None:
    """Writes weights as multiples of the counts, or as sums over children."""
    by_count, by_sums = Writer(), Writer()
    if len(count):
        unit = ratio(weight[shapes.start], count[shapes.start])
        by_count.doubles(unit)
        by_count.guessed(weight, count * unit[shapes.trees])
    by_sums.doubles(weight[~shapes.inner])
    sums = shapes.sums(np.where(shapes.inner, 0.0, weight))
    by_sums.guessed(weight[shapes.inner], sums[shapes.inner])
    multiple = 0 < len(bytes(by_count)) <= len(bytes(by_sums))
    writer.number(int(multiple))
    writer.append(by_count if multiple else by_sums)


def _read_weight(reader: Reader, shapes: Shapes, count: Ints) -> Floats:
    with np.errstate(all="ignore"):  # numbers that nobody wrote are refused by who knows what fits
        if reader.number():
            unit = _each(reader.doubles(), shapes.length)
            return reader.guessed(_each(count, shapes.inner) * unit[shapes.trees])
        weight = np.zeros(len(shapes.inner))
        leaves = np.flatnonzero(~shapes.inner)
        weight[leaves] = _each(reader.doubles(), leaves)
        weight[shapes.inner] = reader.guessed(shapes.sums(weight)[shapes.inner])
        return weight


# ------------------------------------------------------------------------------------------ values


def _write_value(writer: Writer, shapes: Shapes, value: Ints, rows: Ints) -> Ints:
    """Writes the value row of each node; returns the rows numbered through all trees."""
    start = np.cumsum(rows) - rows
    through = np.where(value < 0, -1, value + start[shapes.trees])
    for by_visits in (0, 1):  # rows may have been numbered in the order of nodes, or of visits
        order = shapes.visits if by_visits else np.arange(len(value))
        kinds = _kinds(value[order], shapes.trees, rows)
        if kinds is None:
            continue
        writer.number(1 + by_visits)
        writer.integers(kinds)
        shared = through[order][kinds == _SHARED]
        of_tree = np.searchsorted(shared, start)  # where each tree's shared rows begin
        again = kinds == _AGAIN
        place = np.searchsorted(shared, through[order][again])
        writer.integers(place - of_tree[shapes.trees[again]])
        return through
    writer.number(0)
    writer.integers(value)
    writer.integers(rows)
    return through


def _read_value(reader: Reader, shapes: Shapes) -> tuple[Ints, Ints]:
    form = reader.number()
    trees = shapes.trees
    if form == 0:
        value, rows = _each(reader.integers(), trees), _each(reader.integers(), shapes.length)
        must_index(rows, 2**31)
        must(((value >= -1) & (value < rows[trees])).all(), "a node has a value that there is not")
        start = np.cumsum(rows) - rows
        return np.where(value < 0, -1, value + start[trees]), rows
    order = shapes.visits if form == 2 else np.arange(len(shapes.inner))
    kinds, place = _each(reader.integers(), trees), reader.integers()
    own = (kinds == _NEW) | (kinds == _SHARED)
    rows = np.bincount(trees[own], minlength=len(shapes.length))
    through = np.where(own, np.cumsum(own) - 1, -1)
    shared = through[kinds == _SHARED]
    again = kinds == _AGAIN
    of_tree = np.searchsorted(shared, np.cumsum(rows) - rows)[trees[again]]
    before = np.searchsorted(shared, np.cumsum(rows))[trees[again]]
    place = _each(place, of_tree) + of_tree
    must(((place >= of_tree) & (place < before)).all(), "a node has a value that there is not")
    through[again] = shared[place]
    found = np.empty(len(through), np.int64)
    found[order] = through
    return found, rows


def _kinds(value: Ints, tree: Ints, rows: Ints) -> Ints | None:
    """Who is the first to have its row; None unless rows are numbered as they first come."""
    start = np.cumsum(rows) - rows
    through = np.where(value < 0, start[tree] - 1, value + start[tree])
    most = np.maximum.accumulate(through)
    before = np.maximum(np.concatenate([[-1], most[:-1]]), start[tree] - 1)
    new = through == before + 1
    if (through > before + 1).any() or int(new.sum()) != int(rows.sum()):
        return None
    users = np.bincount(through[value >= 0], minlength=int(rows.sum()))
    kinds = np.where(new, np.where(users[through] > 1, _SHARED, _NEW), _AGAIN)
    kinds[value < 0] = _NONE
    return kinds
