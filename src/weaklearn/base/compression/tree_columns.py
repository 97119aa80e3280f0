"""The columns of many trees in a compressed stream: shapes, thresholds, counts, weights, values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Bools, Floats, Ints
from .stream import Reader, StreamError, Writer, must, must_index
from .tree_shapes import Shapes

# Values and gains of inner nodes are guessed from the leaves, so that only differences are stored.
# The guesses are part of the form in which trees are stored: they use the four operations alone, in
# a fixed order, so that they are the same bits everywhere, and must never change.
_ALMOST_INTEGER = 2.0**-20


def ratio(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """a / b, and 0 where that is not finite."""
    with np.errstate(all="ignore"):
        found = np.asarray(a / b, np.float64)
    return np.where(np.isfinite(found), found, 0.0)


class Parts:
    """Values and gains of inner nodes computed from their children."""

    def __init__(self, shapes: Shapes, count: Ints, weight: Floats, value: Ints) -> None:
        self.shapes, self.value = shapes, value
        self.weight = weight if len(weight) else count.astype(np.float64)

    def rows(self, n: int) -> tuple[Bools, Ints]:
        """Mask of the rows of ``values`` that are a leaf's or unused; the first node of each other
        row.
        """
        tests = self.shapes.nodes[self.value[self.shapes.nodes] >= 0]
        by_leaves = np.ones(n, bool)
        by_leaves[self.value[tests]] = False
        by_leaves[self.value[~self.shapes.inner]] = True
        found, first = np.unique(self.value[tests], return_index=True)
        return by_leaves, tests[first][~by_leaves[found]]

    def totals(self, values: Floats) -> Floats:
        """Weight times value, summed over the leaves below every node."""
        total = np.zeros((len(self.value), values.shape[1]))
        leaves = np.flatnonzero(~self.shapes.inner)
        if len(self.weight) == 0:
            return total
        with np.errstate(all="ignore"):
            found = values[self.value[leaves]] * self.weight[leaves, None]
            rounded = np.rint(found)
            almost = (np.abs(found - rounded) <= _ALMOST_INTEGER).all()
        total[leaves] = rounded if almost else found
        with np.errstate(all="ignore"):
            return np.asarray(self.shapes.sums(total))

    def means(self, total: Floats, nodes: Ints) -> Floats:
        if len(self.weight) == 0:
            return np.zeros((len(nodes), total.shape[1]))
        return ratio(total[nodes], self.weight[nodes, None])

    def gains(self, total: Floats, values: Floats) -> Floats:
        """The gain of every test in Gini impurity, or in squared error."""
        tests, n = self.shapes.nodes, len(self.value)
        if len(self.weight) == 0 or (self.value[tests] < 0).any():
            return np.zeros(len(tests))
        gain = np.zeros(n)
        with np.errstate(all="ignore"):
            if values.shape[1] == 1:
                mean = values[self.value, 0]
                for level in self.shapes.levels:
                    for nodes, children in level:
                        apart = mean[children] - mean[nodes]
                        gain[nodes] += self.weight[children] * apart * apart
            else:
                merit = np.zeros(n)
                for column in total.T:
                    merit += column * column
                merit = ratio(merit, self.weight)
                for level in self.shapes.levels:
                    for nodes, children in level:
                        gain[nodes] += merit[children]
                gain -= merit
        return np.where(np.isfinite(gain), gain, 0.0)[tests]


# Whose row of values a node has: its own, its own that others share, one that came before, none.
_NEW, _SHARED, _AGAIN, _NONE = range(4)


def each(x: NDArray[Any], of: NDArray[Any]) -> NDArray[Any]:
    """One entry for each of others."""
    must(len(x) == len(of), f"there are {len(x)} entries, and should be {len(of)}")
    return x


def must_add_up(parts: Ints, total: int) -> None:
    """Numbers from 0 on that sum to a total."""
    must_index(parts, total + 1)
    must(int(parts.sum()) == total, f"parts do not add up to {total}")


def in_order(tree: Ints) -> Ints:
    """0, 1, 2, ... within each tree, given the tree of each entry."""
    start = np.searchsorted(tree, tree)
    return np.arange(len(tree)) - start


# ------------------------------------------------------------------------------- shapes and tests


def write_shapes(writer: Writer, shapes: Shapes) -> None:
    """Writes which nodes ask, and where their children stand."""
    writer.integers(shapes.length)
    depth_first = shapes.depth_first
    writer.number(int(depth_first))
    writer.integers(shapes.inner[shapes.visits] if depth_first else shapes.inner)
    if not depth_first:
        writer.integers(shapes.first - shapes.nodes)
        writer.integers(shapes.width)


def read_shapes(reader: Reader, most_nodes: int | None) -> Shapes:
    """The structure of the trees; refused where they have more nodes than is allowed."""
    length, depth_first = reader.integers(), reader.number()
    marks = reader.integers()
    must(most_nodes is None or len(marks) <= most_nodes, "few bytes ask for very many nodes")
    must_index(marks, 2)
    must_add_up(length, len(marks))
    must(len(length) > 0 and length.min() > 0, "a tree has no node")
    inner = marks.astype(bool)
    if depth_first:
        shapes = Shapes.visited(length, inner)
    else:
        nodes = np.flatnonzero(inner)
        shapes = Shapes.sound(
            length, inner, each(reader.integers(), nodes) + nodes, each(reader.integers(), nodes)
        )
    if shapes is None:
        raise StreamError("nodes and children make no trees")
    return shapes


def write_cuts(writer: Writer, feature: NDArray[Any], threshold: Floats) -> None:
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


def read_cuts(reader: Reader, feature: Ints) -> Floats:
    """The threshold of each test, given its feature."""
    if not reader.number():
        return reader.doubles()
    n_cuts, cuts, place = reader.integers(), reader.doubles(), reader.integers()
    features, of = np.unique(feature, return_inverse=True)
    must_add_up(each(n_cuts, features), len(cuts))
    must(((place >= 0) & (each(place, feature) < n_cuts[of])).all(), "a cut is in no list")
    return np.asarray(cuts[(np.cumsum(n_cuts) - n_cuts)[of] + place])


# ------------------------------------------------------------------------------ counts and weights


def write_count(writer: Writer, shapes: Shapes, count: Ints) -> None:
    """Writes counts, of the leaves alone where the others are their sums."""
    adds_up = np.array_equal(shapes.sums(np.where(shapes.inner, 0, count)), count)
    writer.number(int(adds_up))
    writer.integers(count[~shapes.inner] if adds_up else count)


def read_count(reader: Reader, shapes: Shapes) -> Ints:
    """The number of examples at each node."""
    if not reader.number():
        return each(reader.integers(), shapes.inner)
    count = np.zeros(len(shapes.inner), np.int64)
    leaves = np.flatnonzero(~shapes.inner)
    count[leaves] = each(reader.integers(), leaves)
    return np.asarray(shapes.sums(count))


def write_weight(writer: Writer, shapes: Shapes, count: Ints, weight: Floats) -> None:
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


def read_weight(reader: Reader, shapes: Shapes, count: Ints) -> Floats:
    """The weight at each node."""
    with np.errstate(all="ignore"):  # numbers that nobody wrote are refused by who knows what fits
        if reader.number():
            unit = each(reader.doubles(), shapes.length)
            return reader.guessed(each(count, shapes.inner) * unit[shapes.trees])
        weight = np.zeros(len(shapes.inner))
        leaves = np.flatnonzero(~shapes.inner)
        weight[leaves] = each(reader.doubles(), leaves)
        weight[shapes.inner] = reader.guessed(shapes.sums(weight)[shapes.inner])
        return weight


# ------------------------------------------------------------------------------------------ values


def write_value(writer: Writer, shapes: Shapes, value: Ints, rows: Ints) -> Ints:
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


def read_value(reader: Reader, shapes: Shapes) -> tuple[Ints, Ints]:
    """The value row of each node, numbered through all trees, and the number of rows of each."""
    form = reader.number()
    trees = shapes.trees
    if form == 0:
        value, rows = each(reader.integers(), trees), each(reader.integers(), shapes.length)
        must_index(rows, 2**31)
        must(((value >= -1) & (value < rows[trees])).all(), "a node has a value that there is not")
        start = np.cumsum(rows) - rows
        return np.where(value < 0, -1, value + start[trees]), rows
    order = shapes.visits if form == 2 else np.arange(len(shapes.inner))
    kinds, place = each(reader.integers(), trees), reader.integers()
    own = (kinds == _NEW) | (kinds == _SHARED)
    rows = np.bincount(trees[own], minlength=len(shapes.length))
    through = np.where(own, np.cumsum(own) - 1, -1)
    shared = through[kinds == _SHARED]
    again = kinds == _AGAIN
    of_tree = np.searchsorted(shared, np.cumsum(rows) - rows)[trees[again]]
    before = np.searchsorted(shared, np.cumsum(rows))[trees[again]]
    place = each(place, of_tree) + of_tree
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
