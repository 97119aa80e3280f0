"""The columns of many trees written to a stream: shapes, thresholds, counts, weights, values."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Bools, Floats, Ints
from .stream import Writer, must, must_index
from .tree_shapes import Shapes

# Values and gains of inner nodes are guessed from the leaves, so that only differences are stored.
# The guesses are part of the form in which trees are stored: they use the four operations alone, in
# a fixed order, so that they are the same bits everywhere, and must never change.
_ALMOST_INTEGER = 2.0**-20


def ratio(a: NDArray[Any], b: NDArray[Any]) -> Floats:
    """a / b, and 0 where that is not finite."""
    with np.errstate(all="ignore"):
        found = np.asarray(a / b, np.float64)
    found[~np.isfinite(found)] = 0.0
    return found


def almost_integers(x: Floats) -> bool:
    """Whether all numbers are integers, but for a little."""
    with np.errstate(all="ignore"):
        return bool((np.abs(x - np.rint(x)) <= _ALMOST_INTEGER).all())


class Parts:
    """Values and gains of inner nodes computed from their children."""

    def __init__(self, shapes: Shapes, count: Ints, weight: Floats, value: Ints) -> None:
        self.shapes, self.value = shapes, value
        self.weight = weight if len(weight) else count.astype(np.float64)
        self._leaves = np.flatnonzero(~shapes.inner)

    def rows(self, n: int) -> tuple[Bools, Ints]:
        """Mask of the rows of ``values`` that are a leaf's or unused; the first node of each other
        row.
        """
        tests = self.shapes.nodes[self.value[self.shapes.nodes] >= 0]
        first = np.full(n, -1, np.int64)
        first[self.value[tests][::-1]] = tests[::-1]  # the last that is written is the first node
        first[self.value[self._leaves]] = -1
        by_leaves = first < 0
        return by_leaves, first[~by_leaves]

    def products(self, values: Floats) -> Floats:
        """Weight times value of the leaves; none where there are no weights."""
        if len(self.weight) == 0:
            return np.empty((0, values.shape[1]))
        with np.errstate(all="ignore"):
            return np.asarray(values[self.value[self._leaves]] * self.weight[self._leaves, None])

    def totals(self, products: Floats, whole: bool) -> Floats:
        """The products, as integers if ``whole``, summed over the leaves below every node."""
        total = np.zeros((len(self.value), products.shape[1]))
        if len(products) == 0:
            return total
        total[self._leaves] = np.rint(products) if whole else products
        with np.errstate(all="ignore"):
            self.shapes.add_up(total)
        return total

    def means(self, total: Floats, nodes: Ints) -> Floats:
        if len(self.weight) == 0:
            return np.zeros((len(nodes), total.shape[1]))
        return ratio(total[nodes], self.weight[nodes, None])

    def gains(self, total: Floats, values: Floats) -> Floats:
        """The gain of every test in Gini impurity, or in squared error."""
        tests, n = self.shapes.nodes, len(self.value)
        if len(self.weight) == 0 or (self.value[tests] < 0).any():
            return np.zeros(len(tests))
        children, parents = self.shapes.children
        with np.errstate(all="ignore"):  # children are added in their order
            if values.shape[1] == 1:
                gain = _sums_by(parents, self._spread(values[self.value, 0]), n)
            else:
                merit = np.zeros(n)
                for column in total.T:
                    merit += column * column
                merit = ratio(merit, self.weight)
                gain = _sums_by(parents, merit[children], n) - merit
        return np.where(np.isfinite(gain), gain, 0.0)[tests]

    def _spread(self, mean: Floats) -> Floats:
        """Weight times the squared step from its parent's mean, of every child."""
        children, parents = self.shapes.children
        apart = mean[children]
        apart -= mean[parents]
        found = self.weight[children]
        found *= apart
        found *= apart
        return found


def _sums_by(groups: Ints, x: Floats, n: int) -> Floats:
    """The sum of x over each of n groups, added in order."""
    return np.asarray(np.bincount(groups, x, n), np.float64)


# Whose row of values a node has: its own, its own that others share, one that came before, none.
NEW, SHARED, AGAIN, NONE = range(4)


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


# ------------------------------------------------------------------------------ counts and weights


def write_count(writer: Writer, shapes: Shapes, count: Ints) -> None:
    """Writes counts, of the leaves alone where the others are their sums."""
    adds_up = np.array_equal(shapes.sums(np.where(shapes.inner, 0, count)), count)
    writer.number(int(adds_up))
    writer.integers(count[~shapes.inner] if adds_up else count)


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
        shared = through[order][kinds == SHARED]
        of_tree = np.searchsorted(shared, start)  # where each tree's shared rows begin
        again = kinds == AGAIN
        place = np.searchsorted(shared, through[order][again])
        writer.integers(place - of_tree[shapes.trees[again]])
        return through
    writer.number(0)
    writer.integers(value)
    writer.integers(rows)
    return through


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
    kinds = np.where(new, np.where(users[through] > 1, SHARED, NEW), AGAIN)
    kinds[value < 0] = NONE
    return kinds
