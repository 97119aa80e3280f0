"""Trees of a file that were proved sound and are decoded when they are used."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.compression.batch import Batch, batch_stops
from ..base.trees.tree import MULTIWAY, THRESHOLD, Tree
from ..base.trees.tree_arrays import EVERY_CHILD, LEAF, SUBSET
from .check import MOST, floats, integers, need
from .packed_trees import InStream
from .record import expect
from .tree_proof import NEARLY, Proof, Tests, proof_of

_OF_TESTS = (2, 4, 6, 10)  # columns with an entry for each test


class InFull:
    """The trees of columns that are written in full, a batch at a time."""

    def __init__(self, n: int, fields: list[Any]) -> None:
        expect(fields, 14)
        self._fields = fields
        self.length = integers("length", fields[0], n, 1, MOST, np.int64)
        total = int(self.length.sum())
        ask = integers("ask", fields[1], total, LEAF, MULTIWAY, np.uint8)
        self._rows = integers("rows of values", fields[12], n, 1, MOST, np.int64)
        self.n_outputs = _n_outputs(fields[13], int(self._rows.sum()))
        marks = (ask != LEAF, ask == THRESHOLD, ask == SUBSET)
        n_tests, n_cuts, n_sets = (int(np.count_nonzero(mark)) for mark in marks)
        for k, entries in (*((k, n_tests) for k in _OF_TESTS), (3, n_cuts), (9, total)):
            need(np.shape(fields[k]) == (entries,), f"column {k} has not {entries} entries")
        for k, entries in ((5, n_tests), (8, total), (11, total)):
            given = fields[k] is None or np.shape(fields[k]) == (entries,)
            need(given, f"column {k} has not {entries} entries")
        own = fields[11] is not None or np.array_equal(self._rows, self.length)
        need(own, "there are not as many values as nodes")
        sets = fields[7]
        need(
            isinstance(sets, np.ndarray) and sets.dtype == np.uint64 and sets.shape == (n_sets, 4),
            f"sets of categories are not a table of {n_sets} rows",
        )
        self.stops = batch_stops(self.length, self.n_outputs)
        self._only: Batch | None = None  # a batch that is all of them, until it is used
        start = np.cumsum(self.length) - self.length
        self._sets = np.add.reduceat(marks[2], start, dtype=np.int64) if n_sets else 0 * start
        self._ends = [[total, n_tests, n_cuts, n_sets, len(fields[13])]]  # of each batch
        if len(self.stops) > 1:
            tests, cuts = (np.add.reduceat(mark, start, dtype=np.int64) for mark in marks[:2])
            sizes = np.stack([self.length, tests, cuts, self._sets, self._rows], axis=1)
            self._ends = np.cumsum(sizes, axis=0)[np.array(self.stops) - 1].tolist()

    def proved(self) -> Proof:
        """What is known of the trees; where they are one batch, it is kept until it is used."""
        if len(self.stops) > 1:
            return Proof.joined([proof_of(self.batch(k)) for k in range(len(self.stops))])
        self._only = self.batch(0)
        return proof_of(self._only)

    @property
    def kept(self) -> int:
        """The bytes that a batch takes which is kept, or 0."""
        only = self._only
        return 0 if only is None else sum(column.nbytes for column in only.columns.values())

    def forget(self) -> None:
        """Keeps no batch."""
        self._only = None

    def batch(self, k: int) -> Batch:
        """The trees of a batch."""
        only, self._only = self._only, None
        return self._decoded(k) if only is None else only

    def _decoded(self, k: int) -> Batch:
        own = slice(self.stops[k - 1] if k else 0, self.stops[k])
        begun = self._ends[k - 1] if k else [0] * 5
        nodes, tests, cuts, sets, rows = map(slice, begun, self._ends[k])
        fields, length = self._fields, self.length[own]
        n, n_tests = nodes.stop - nodes.start, tests.stop - tests.start
        ask = integers("ask", fields[1][nodes], n, LEAF, MULTIWAY, np.uint8)
        inner = ask != LEAF
        start = np.cumsum(length) - length
        node = np.arange(n) - np.repeat(start, length)
        width = np.full(n_tests, 2, np.int64)
        if fields[5] is not None:
            width = integers("width", fields[5][tests], n_tests, 2, max(2, n), np.int64)
        first = node[inner] + integers("first", fields[4][tests], n_tests, 1, n, np.int64)
        last = np.repeat(length, length)[inner]  # one past the last node of the same tree
        need((first + width <= last).all(), "a child stands outside of its tree")
        missing = integers("missing", fields[6][tests], n_tests, EVERY_CHILD, MOST, np.int32)
        count = integers("count", fields[9][nodes], n, 0, 2**62, np.int64)
        weight = count.astype(np.float64)
        if fields[8] is not None:
            weight = floats("weight", fields[8][nodes], n)
        value = node.astype(np.int32)
        if fields[11] is not None:
            value = integers("value", fields[11][nodes], n, 0, MOST, np.int32)
        feature = integers("feature", fields[2][tests], n_tests, 0, MOST, np.int32)
        cut = ask == THRESHOLD
        threshold = floats("threshold", fields[3][cuts], cuts.stop - cuts.start)
        gain = floats("gain", fields[10][tests], n_tests)
        columns = {
            "ask": ask,
            "feature": _spread(feature, inner, -1),
            "threshold": _spread(threshold, cut, 0),
            "first": _spread(first.astype(np.int32), inner, 0),
            "width": _spread(width.astype(np.int32), inner, 0),
            "missing": _spread(missing, inner, 0),
            "subset": _places_of_sets(ask, length),
            "value": value,
            "weight": weight,
            "count": count,
            "gain": _spread(gain, inner, 0),
            "subsets": fields[7][sets],
            "values": fields[13][rows],
        }
        return Batch(columns, length, self._sets[own], self._rows[own])


def _n_outputs(values: Any, rows: int) -> int:
    """The number of outputs of trees, which have so many rows of values."""
    table = isinstance(values, np.ndarray) and values.dtype == np.float64 and values.ndim == 2
    need(table, "values are not a table of numbers")
    there = len(values) == rows and values.shape[1] >= 1
    need(there, f"values have the shape {values.shape}; they must have {rows} rows")
    return int(values.shape[1])


def _spread(values: NDArray[Any], where: NDArray[np.bool_], elsewhere: int) -> NDArray[Any]:
    column = np.full(len(where), elsewhere, values.dtype)
    column[where] = values
    return column


def _places_of_sets(ask: NDArray[Any], length: NDArray[np.int64]) -> NDArray[np.int32]:
    """The category set of each node, where sets are in the order of the nodes; -1 elsewhere."""
    chosen = ask == SUBSET
    subset = np.full(len(ask), -1, np.int32)
    if chosen.any():
        before = np.cumsum(chosen) - chosen
        own = before - np.repeat(before[np.cumsum(length) - length], length)
        subset[chosen] = own[chosen]
    return subset


def in_order(batch: Batch) -> Batch:
    """The trees with their category sets in the order of the nodes, and no others."""
    columns, length = batch.columns, batch.length
    for name, column in columns.items():
        if name not in ("subsets", "values"):
            need(len(column) == int(length.sum()), f"{name} has not one entry a node")
    chosen = np.flatnonzero(columns["ask"] == SUBSET)
    of = np.searchsorted(np.cumsum(length), chosen, side="right")
    subset = columns["subset"][chosen]
    there = ((subset >= 0) & (subset < batch.sets[of])).all()
    need(there, "a test names a set of categories that there is not")
    places = (np.cumsum(batch.sets) - batch.sets)[of] + subset
    ordered = {
        "subset": _places_of_sets(columns["ask"], length),
        "subsets": columns["subsets"][places],
    }
    sets = np.bincount(of, minlength=len(length))
    return Batch({**columns, **ordered}, length, sets, batch.rows)


class HeldTrees:
    """The trees of one list in a file, proved sound; a batch of them is decoded when it is used."""

    def __init__(self, source: InStream | InFull) -> None:
        self._source = source
        proof = source.proved()
        self._last: tuple[int, list[dict[str, NDArray[Any]]]] | None = None
        self.tests = proof.tests
        self._reach, self._shares = proof.reach.tolist(), proof.shares.tolist()

    def trees(self) -> list[Tree]:
        """The trees, not yet decoded."""
        about = zip(self._source.length.tolist(), self._reach, self._shares, strict=True)
        return [Tree.later(HeldTree(self, t, *known)) for t, known in enumerate(about)]

    def arrays(self, t: int) -> dict[str, NDArray[Any]]:
        """The arrays of a tree by name."""
        stops = self._source.stops
        k = bisect_right(stops, t)
        last = self._last
        if last is None or last[0] != k:
            with np.errstate(all="ignore"):
                batch = self._source.batch(k)
            last = self._last = k, list(batch.apart())
        return last[1][t - (stops[k - 1] if k else 0)]

    @property
    def n_outputs(self) -> int:
        return self._source.n_outputs

    @staticmethod
    def settle(trees: Sequence[Tree], room: int) -> int:
        """The bytes that trees take which are to be decoded; 0 where there is no room for them."""
        packed = trees[0].packed if trees else None
        if not isinstance(packed, HeldTree):
            return 0
        held = packed.held
        taken = held._source.kept
        if taken > room or not taken:
            held._source.forget()
            held._last = None
            return 0
        return taken

    @staticmethod
    def decode(trees: Sequence[Tree]) -> None:
        """Gives trees that are packed their arrays."""
        for tree in trees:
            about = tree.packed
            if isinstance(about, HeldTree):
                tree.decoded(about.arrays())
                tree.__dict__[_KNOWN] = Known(about.tests, about.reach, about.shares)


class HeldTree(NamedTuple):
    """One tree that is not yet decoded, and what is known of it."""

    held: HeldTrees
    number: int
    n_nodes: int
    reach: float
    shares: bool

    @property
    def n_outputs(self) -> int:
        return self.held.n_outputs

    @property
    def tests(self) -> Tests:
        """What all trees of its list ask."""
        return self.held.tests

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by name, decoded."""
        return self.held.arrays(self.number)


class Known(NamedTuple):
    """What is known of a tree that was decoded at once; ``tests`` are those of all of its list."""

    tests: Tests
    reach: float
    shares: bool


_KNOWN = "_known"  # where a tree has it


def _about(tree: Tree) -> Known | HeldTree | None:
    """What is known of a tree of a file, decoded or not."""
    packed = tree.packed
    known: Known | None = tree.__dict__.get(_KNOWN)
    return packed if isinstance(packed, HeldTree) else known


def known_tests(trees: Sequence[Tree]) -> Tests:
    """What trees ask; those that are not decoded stay so."""
    about = [_about(tree) for tree in trees]
    known = [
        each.held if isinstance(each, HeldTree) else each for each in about if each is not None
    ]
    tests = list({id(each.tests): each.tests for each in known}.values())
    others = [tree for tree, each in zip(trees, about, strict=True) if each is None]
    if others:
        names = ("ask", "feature", "width", "missing", "threshold")
        joined = {name: np.concatenate([getattr(tree, name) for tree in others]) for name in names}
        tests.append(Tests.asked(joined))
    return Tests.joined(tests)


def known_reach(tree: Tree) -> float:
    """The greatest absolute value of a tree, decoded or not."""
    about = _about(tree)
    return float(np.abs(tree.values).max()) if about is None else about.reach


def has_shares_of(tree: Tree, sizes: Sequence[int]) -> bool:
    """Whether the values of a tree are distributions over the classes of each output, by sizes."""
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    sums = np.add.reduceat(tree.values, starts, axis=1)
    return bool(tree.values.min() >= 0 and (np.abs(sums - 1) <= NEARLY).all())


def has_shares(tree: Tree) -> bool:
    """Whether all values of a tree, decoded or not, are distributions over the classes."""
    about = _about(tree)
    if about is not None:
        return about.shares
    values = tree.values
    return bool(values.min() >= 0 and (np.abs(values.sum(axis=1) - 1) <= NEARLY).all())


def check_shares(tree: Tree) -> None:
    """Refuses a classification tree whose leaf values are no distributions over the classes."""
    need(has_shares(tree), "the shares of the classes do not sum to 1")


def check_shares_of(tree: Tree, sizes: Sequence[int]) -> None:
    """Refuses a tree of several outputs whose values are no distributions over their classes."""
    need(has_shares_of(tree, sizes), "the shares of the classes of an output do not sum to 1")
