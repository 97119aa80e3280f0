"""Trees of a compressed stream, decoded a batch at a time.

The columns of a stream go through all of its trees. Where the trees of a batch begin in each column
is known once those before are decoded: a first walk goes through all of them, and any batch can be
decoded again later. So a reader needs memory for one batch and for the stream itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np

from ..trees.tree_arrays import LEAF, MULTIWAY, SPARE, SUBSET, THRESHOLD
from ..types import Floats, Ints
from .batch import Batch, batch_stops
from .stream import Doubles, Guessed, Integers, Reader, StreamError, must, must_index
from .tree_batch import Cuts, of_trees, spread
from .tree_columns import AGAIN, NEW, SHARED, Parts, almost_integers, each, in_order, must_add_up
from .tree_shapes import Shapes

T = TypeVar("T")


class _Place(NamedTuple):
    """How many entries of each kind the trees before have."""

    tree: int = 0
    node: int = 0
    test: int = 0
    cut: int = 0
    chosen: int = 0
    sets: int = 0
    again: int = 0
    leaf_row: int = 0
    other_row: int = 0


class PackedTrees:
    """The trees of a stream; ``most_nodes`` is how many it may have, None: any number."""

    def __init__(self, reader: Reader, n_trees: int, most_nodes: int | None) -> None:
        self._shapes_from(reader, n_trees, most_nodes)
        self._tests_from(reader)
        self._weights_from(reader)
        self._values_from(reader, most_nodes)
        self._gain = reader.later_guessed() if self._present["gain"] else None
        reader.end()
        # Two things that hold for the guesses of all trees, if for any: believed until disproved.
        self._whole = self._valued = True
        self.stops = batch_stops(self.length, self.n_outputs)
        self._starts: list[_Place] = []

    def __len__(self) -> int:
        return len(self.length)

    def walk(self, visit: Callable[[Batch], T]) -> list[T]:
        """What ``visit`` gives for each batch, in order."""
        while True:
            believed = self._whole, self._valued
            found = self._walked(visit)
            if found is not None:
                return found
            must((self._whole, self._valued) != believed, "guesses do not agree")

    def batch(self, k: int) -> Batch:
        """A batch again, after a walk."""
        found = self._decoded(self._starts[k], self.stops[k])
        assert found is not None
        return found[0]

    def _walked(self, visit: Callable[[Batch], T]) -> list[T] | None:
        """What ``visit`` gives; None where what was believed of all trees is not true of some."""
        at, starts, found = _Place(), [], []
        for k, stop in enumerate(self.stops):
            decoded = self._decoded(at, stop)
            if decoded is None:
                return None
            batch, after = decoded
            try:
                found.append(visit(batch))
            except Exception:
                if self._believed(after, k + 1):
                    raise
                return None
            starts.append(at)
            at = after
        self._must_end(at)
        self._starts = starts
        return found

    def _believed(self, at: _Place, k: int) -> bool:
        """Whether what is believed of all trees is true of the batches from one on."""
        for stop in self.stops[k:]:
            decoded = self._decoded(at, stop)
            if decoded is None:
                return False
            at = decoded[1]
        return True

    # ------------------------------------------------------------------------- what stands where

    def _shapes_from(self, reader: Reader, n_trees: int, most_nodes: int | None) -> None:
        self.length = of_trees(reader, n_trees)
        self._depth_first = bool(reader.number())
        self._marks = reader.later_integers()
        n = len(self._marks)
        must(most_nodes is None or n <= most_nodes, "few bytes ask for very many nodes")
        must_add_up(self.length, n)
        must(n_trees > 0 and self.length.min() > 0, "a tree has no node")
        self._first = None if self._depth_first else reader.later_integers()
        self._width = None if self._depth_first else reader.later_integers()

    def _tests_from(self, reader: Reader) -> None:
        self._ask, self._feature = reader.later_integers(), reader.later_integers()
        must(len(self._ask) == len(self._feature) <= len(self._marks), "tests are lacking")
        self._cuts = Cuts(reader, self._ask, self._feature)
        self._missing, self._subset = reader.later_integers(), reader.later_integers()
        self._sets = of_trees(reader, len(self))
        self._words = [reader.later_integers() for _ in range(4)]
        must_add_up(self._sets, len(self._words[0]))
        must(len({len(word) for word in self._words}) == 1, "words of sets are lacking")

    def _weights_from(self, reader: Reader) -> None:
        spare = reader.number()
        self._present = {name: not spare >> k & 1 for k, name in enumerate(SPARE)}
        self._adds_up = self._present["count"] and bool(reader.number())
        self._count = reader.later_integers() if self._present["count"] else None
        self._multiple = self._present["weight"] and bool(reader.number())
        self._unit = self._light = self._weight = None
        if self._multiple:
            unit = reader.later_doubles()
            must(len(unit) == len(self), "units are lacking")
            self._unit = unit.read()
        elif self._present["weight"]:
            self._light = reader.later_doubles()
        if self._present["weight"]:
            self._weight = reader.later_guessed()

    def _values_from(self, reader: Reader, most_nodes: int | None) -> None:
        self._form = reader.number()
        self._value = reader.later_integers()  # rows, or kinds of rows
        self._again = reader.later_integers() if self._form else None
        self._rows = None if self._form else of_trees(reader, len(self))
        self.n_outputs = reader.number()
        reader.room(len(self._marks) * self.n_outputs)
        self._of_leaves = reader.later_doubles()
        K = self.n_outputs
        must(K > 0 and len(self._of_leaves) % K == 0, "values are no table")
        self._of_others = reader.later_guessed()
        most = len(self._of_leaves) // K + len(self._ask)
        if self._rows is not None:
            must_index(self._rows, 2**31)
            must(int(self._rows.sum()) <= most, "rows of values are lacking")
            few = most_nodes is None or int(self._rows.sum()) <= most_nodes
            must(few, "few bytes ask for very many rows of values")

    def _must_end(self, at: _Place) -> None:
        """Raises StreamError unless the trees have taken all entries of all columns."""
        K, leaves = self.n_outputs, at.node - at.test
        taken: list[tuple[Integers | Doubles | Guessed | None, int]] = [
            *((column, at.test) for column in (self._first, self._width, self._ask)),
            *((column, at.test) for column in (self._missing, self._gain)),
            (self._cuts.column, at.cut),
            (self._subset, at.chosen),
            (self._count, leaves if self._adds_up else at.node),
            (self._light, leaves),
            (self._weight, at.node if self._multiple else at.test),
            (self._value, at.node),
            (self._again, at.again),
            (self._of_leaves, at.leaf_row * K),
            (self._of_others, at.other_row * K),
        ]
        for column, n in taken:
            must(column is None or len(column) == n, f"a column has not {n} entries")

    # ----------------------------------------------------------------------------------- decoding

    def _decoded(self, at: _Place, stop: int) -> tuple[Batch, _Place] | None:
        """The trees from a place to another, and the place after; None: see ``_walked``."""
        length = self.length[at.tree : stop]
        shapes = self._shapes(at, length)
        tests, n, n_tests = shapes.nodes, len(shapes.inner), len(shapes.nodes)
        through = at.test + n_tests
        ask = self._ask.read(at.test, through)
        feature = self._feature.read(at.test, through)
        must(((ask >= THRESHOLD) & (ask <= MULTIWAY)).all(), "a node asks what there is not")
        cut, chosen = ask == THRESHOLD, tests[ask == SUBSET]
        n_cuts = int(cut.sum())
        threshold = np.zeros(n)
        threshold[tests[cut]] = self._cuts.read(feature[cut], at.cut)
        subset = self._subset.read(at.chosen, at.chosen + len(chosen))
        subset += in_order(shapes.trees[chosen])
        sets = self._sets[at.tree : stop]
        n_sets = at.sets + int(sets.sum())
        count, weight = self._counts(at, shapes), np.empty(0)
        if self._present["weight"]:
            weight = self._weights(at, shapes, count)
        value, rows, n_again = self._rows_of(at, stop, shapes)
        parts = Parts(shapes, count, weight, value)
        valued = bool((value[tests] >= 0).all())
        if self._valued and not valued:
            self._valued = False
            return None
        found = self._values(at, parts, int(rows.sum()))
        if found is None:
            return None
        values, total, n_others = found
        gain = np.empty(0)
        if self._gain is not None:
            guess = parts.gains(total, values) if self._valued else np.zeros(n_tests)
            gain = np.zeros(n)
            gain[tests] = self._gain.read(guess, at.test)
        first, width = shapes.first - np.repeat(shapes.start, length)[tests], shapes.width
        del shapes, parts, found, total  # a tree may be large
        row_start = np.repeat(np.cumsum(rows) - rows, length)
        columns = {
            "ask": spread(ask, tests, n, LEAF, np.uint8),
            "feature": spread(feature, tests, n, -1, np.int32),
            "threshold": threshold,
            "first": spread(first, tests, n, 0, np.int32),
            "width": spread(width, tests, n, 0, np.int32),
            "missing": spread(self._missing.read(at.test, through), tests, n, 0, np.int32),
            "subset": spread(subset, chosen, n, -1, np.int32),
            "value": np.where(value < 0, -1, value - row_start).astype(np.int32),
            "weight": weight,
            "count": count,
            "gain": gain,
            "subsets": np.stack(
                [word.read(at.sets, n_sets).view(np.uint64) for word in self._words], axis=1
            ),
            "values": values,
        }
        n_rows = len(values) - n_others
        after = _Place(
            *(stop, at.node + n, through, at.cut + n_cuts, at.chosen + len(chosen), n_sets),
            *(at.again + n_again, at.leaf_row + n_rows, at.other_row + n_others),
        )
        return Batch(columns, length, sets, rows), after

    def _shapes(self, at: _Place, length: Ints) -> Shapes:
        marks = self._marks.read(at.node, at.node + int(length.sum()))
        must_index(marks, 2)
        inner = marks.astype(bool)
        shapes: Shapes | None
        if self._first is None or self._width is None:
            shapes = Shapes.visited(length, inner)
        else:
            nodes = np.flatnonzero(inner)
            first = self._first.read(at.test, at.test + len(nodes)) + nodes
            width = self._width.read(at.test, at.test + len(nodes))
            shapes = Shapes.sound(length, inner, first, width)
        if shapes is None:
            raise StreamError("nodes and children make no trees")
        return shapes

    def _counts(self, at: _Place, shapes: Shapes) -> Ints:
        """The number of examples at each node."""
        if self._count is None:
            return np.empty(0, np.int64)
        n = len(shapes.inner)
        if not self._adds_up:
            return self._count.read(at.node, at.node + n)
        count = np.zeros(n, np.int64)
        leaves, start = np.flatnonzero(~shapes.inner), at.node - at.test
        count[leaves] = self._count.read(start, start + len(leaves))
        return np.asarray(shapes.sums(count))

    def _weights(self, at: _Place, shapes: Shapes, count: Ints) -> Floats:
        """The weight at each node."""
        assert self._weight is not None
        with np.errstate(all="ignore"):  # what nobody wrote is refused by who knows what fits
            if self._unit is not None:
                unit = self._unit[at.tree : at.tree + len(shapes.length)]
                guess = each(count, shapes.inner) * np.repeat(unit, shapes.length)
                return self._weight.read(guess, at.node)
            assert self._light is not None
            weight = np.zeros(len(shapes.inner))
            leaves, start = np.flatnonzero(~shapes.inner), at.node - at.test
            weight[leaves] = self._light.read(start, start + len(leaves))
            sums = shapes.sums(weight)
            weight[shapes.nodes] = self._weight.read(sums[shapes.nodes], at.test)
            return weight

    def _rows_of(self, at: _Place, stop: int, shapes: Shapes) -> tuple[Ints, Ints, int]:
        """The row of values of each node, numbered through the batch; how many each tree has, and
        how many nodes have a row that came before.
        """
        trees, n = shapes.trees, len(shapes.inner)
        kinds = self._value.read(at.node, at.node + n)
        if self._again is None or self._rows is not None:
            assert self._rows is not None
            rows = self._rows[at.tree : stop]
            known = (kinds >= -1) & (kinds < rows[trees])
            must(known.all(), "a node has a value that there is not")
            return np.where(kinds < 0, -1, kinds + (np.cumsum(rows) - rows)[trees]), rows, 0
        own = (kinds == NEW) | (kinds == SHARED)
        ends = np.cumsum(own)
        rows = np.diff(ends[np.cumsum(shapes.length) - 1], prepend=0)
        through = np.where(own, ends - 1, -1)
        again = np.flatnonzero(kinds == AGAIN)
        if len(again):
            shared = through[kinds == SHARED]
            of_tree = np.searchsorted(shared, np.cumsum(rows) - rows)[trees[again]]
            before = np.searchsorted(shared, np.cumsum(rows))[trees[again]]
            place = self._again.read(at.again, at.again + len(again)) + of_tree
            inside = ((place >= of_tree) & (place < before)).all()
            must(inside, "a node has a value that there is not")
            through[again] = shared[place]
        if self._form != 2:
            return through, rows, len(again)
        found = np.empty(n, np.int64)
        found[shapes.visits] = through
        return found, rows, len(again)

    def _values(self, at: _Place, parts: Parts, n_rows: int) -> tuple[Floats, Floats, int] | None:
        """The rows of values, the totals from which some were guessed, and how many these are."""
        K, shapes = self.n_outputs, parts.shapes
        must(int(parts.value[~shapes.inner].min()) >= 0, "a leaf has no value")
        by_leaves, owners = parts.rows(n_rows)
        start, n_leaf_rows = at.leaf_row * K, n_rows - len(owners)
        values = np.zeros((n_rows, K))
        values[by_leaves] = self._of_leaves.read(start, start + n_leaf_rows * K).reshape(-1, K)
        products = parts.products(values)
        if self._whole and not almost_integers(products):
            self._whole = False
            if at.tree:
                return None  # the trees before have been rounded
        total = parts.totals(products, self._whole)
        del products  # large, as the total is
        guess = parts.means(total, owners).ravel()
        values[~by_leaves] = self._of_others.read(guess, at.other_row * K).reshape(-1, K)
        return values, total, len(owners)
