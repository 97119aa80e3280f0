"""The structure of trees: which nodes are inner, and their children."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..types import Bools, Ints

_MOST_STEPS = 2**15  # that a walk over all levels may take, each of them one of numpy's


_FEW, _NARROW = 256, 4  # tests and columns that are added one by one


class TooDeep(ValueError):
    """The trees have too many levels to be walked level by level."""


class Shapes:
    """The structure of several trees; nodes are numbered consecutively.

    ``inner`` marks the nodes that ask something. Of these, the tests, ``nodes`` gives the numbers,
    ``first`` those of their first children, and ``width`` how many children they have.
    """

    def __init__(self, length: Ints, inner: Bools, first: Ints, width: Ints) -> None:
        self.length, self.inner, self.first, self.width = length, inner, first, width
        self.start = np.cumsum(length) - length
        self.nodes = np.flatnonzero(inner)

    @classmethod
    def of(cls, length: Ints, first: NDArray[Any], width: NDArray[Any]) -> Shapes | None:
        """The structure from the trees' concatenated arrays; None where they are not trees."""
        inner = width > 0
        start = np.cumsum(length) - length
        first = np.repeat(start, length)[inner] + first[inner]
        return cls.sound(length, inner, first, width[inner].astype(np.int64))

    @classmethod
    def sound(cls, length: Ints, inner: Bools, first: Ints, width: Ints) -> Shapes | None:
        """The structure from first children and widths; None where these make no trees.

        The lengths must be those of trees, and sum to the number of nodes.
        """
        nodes = np.flatnonzero(inner)
        if not len(nodes) == len(first) == len(width):
            return None
        end = np.repeat(np.cumsum(length), length)[nodes]
        if not ((nodes < first) & (first < end) & (0 < width) & (width <= end - first)).all():
            return None
        if int(width.sum()) != len(inner) - len(length):
            return None
        twice = (np.bincount(_ranges(first, width), minlength=1) > 1).any()
        return None if twice else cls(length, inner, first, width)

    @classmethod
    def visited(cls, length: Ints, inner: Bools) -> Shapes | None:
        """The structure of binary trees grown depth first; ``inner`` is in the order of visits.

        None where a tree ends too early or too late; lengths must be as for ``sound``.
        """
        start = np.cumsum(length) - length
        tree = np.repeat(np.arange(len(length)), length)
        balance = np.cumsum(2 * inner - 1)
        balance -= np.concatenate([[0], balance])[start][tree]
        ends = np.zeros(len(inner), bool)
        ends[start + length - 1] = True
        if not np.array_equal(balance < 0, ends):
            return None
        before: Ints = np.cumsum(inner) - inner  # tests visited before
        first = start[tree] + 1 + 2 * (before - before[start][tree])
        # How many nodes wait to be visited, this one among them; one leaves, two come with a test.
        waiting = np.concatenate([[0], np.cumsum(2 * inner - 1)[:-1]])
        waiting += 1 - waiting[start][tree]
        # After a leaf comes the second child of the last test at which as many nodes waited.
        keys = tree * (int(waiting.max()) + 1) + waiting
        few = int(keys.max()) < 2**16  # sorted by counting
        order = np.argsort(keys.astype(np.uint16) if few else keys, kind="stable")
        last = np.zeros(len(inner), np.int64)
        last[order[1:]] = order[:-1]
        number = first[last] + 1
        number[1:][inner[:-1]] = first[:-1][inner[:-1]]
        number[start] = start
        at, where = np.zeros(len(inner), np.int64), np.zeros(len(inner), bool)
        at[number], where[number] = first, inner
        found = cls(length, where, at[where], np.full(int(where.sum()), 2, np.int64))
        found.__dict__["visits"] = number
        return found

    @property
    def trees(self) -> Ints:
        """The tree of each node."""
        return np.repeat(np.arange(len(self.length)), self.length)

    @cached_property
    def levels(self) -> list[list[tuple[Ints, Ints]]]:
        """By depth and number of child: the nodes that have such a child, and that child."""
        number = np.cumsum(self.inner) - 1  # of a node among the tests
        tests = number[self.start[self.inner[self.start]]]
        levels: list[list[tuple[Ints, Ints]]] = []
        steps = 0
        alike = bool((self.width == 2).all())
        while len(tests):
            level: list[tuple[Ints, Ints]] = []
            widest = 2 if alike else int(self.width[tests].max())
            steps += widest
            if steps > _MOST_STEPS:
                raise TooDeep(f"trees take more than {_MOST_STEPS} steps to walk")
            nodes, first, width = self.nodes[tests], self.first[tests], self.width[tests]
            for c in range(widest):
                having = slice(None) if alike else width > c
                level.append((nodes[having], first[having] + c))
            levels.append(level)
            found = np.concatenate([children for _, children in level])
            tests = number[found[self.inner[found]]]
        return levels

    @property
    def too_deep(self) -> bool:
        """Whether level-by-level walks would take too many steps."""
        try:
            return len(self.levels) < 0
        except TooDeep:
            return True

    @cached_property
    def children(self) -> tuple[Ints, Ints]:
        """All nodes but the roots, test after test, and the parent of each."""
        return _ranges(self.first, self.width), np.repeat(self.nodes, self.width)

    def sums(self, x: NDArray[Any]) -> NDArray[Any]:
        """The sum of x over the subtree of every node, added in the order of the children."""
        total = x.copy()
        self.add_up(total)
        return total

    def add_up(self, x: NDArray[Any]) -> None:
        """Puts these sums in the place of x."""
        few = len(self.nodes) <= _FEW and len(x) <= _MOST_STEPS  # so they are not too deep
        if few and x[:1].size <= _NARROW and _sums_fit(x):
            self._add_up_one_by_one(x)
            return
        for level in reversed(self.levels):
            for nodes, children in level:
                x[nodes] += x[children]

    def _add_up_one_by_one(self, x: NDArray[Any]) -> None:
        """The same, node after node: children stand behind their parents."""
        tests = [*zip(self.nodes.tolist(), self.first.tolist(), self.width.tolist(), strict=True)]
        for column in x.reshape(len(x), -1).T:
            total = column.tolist()
            for node, first, width in reversed(tests):
                for child in range(first, first + width):
                    total[node] += total[child]
            column[:] = total

    @cached_property
    def visits(self) -> Ints:
        """The nodes in depth-first order, the first child before the second."""
        size = self.sums(np.ones(len(self.inner), np.int64))
        place = np.repeat(self.start, self.length)
        behind = np.zeros(len(self.inner), np.int64)  # where the next child of a node will stand
        for level in self.levels:
            for c, (nodes, children) in enumerate(level):
                if c == 0:
                    behind[nodes] = place[nodes] + 1
                place[children] = behind[nodes]
                behind[nodes] += size[children]
        order = np.empty(len(place), np.int64)
        order[place] = np.arange(len(place))
        return order

    @property
    def depth_first(self) -> bool:
        """Whether ``visited`` reconstructs this structure."""
        if (self.width != 2).any():
            return False
        again = Shapes.visited(self.length, self.inner[self.visits])
        assert again is not None
        return np.array_equal(again.inner, self.inner) and np.array_equal(again.first, self.first)


def _ranges(first: NDArray[Any], width: Ints) -> Ints:
    """Concatenated ranges first, first + 1, ..., each as long as its width."""
    ends = np.cumsum(width)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(first - ends + width, width) + np.arange(total)


def _sums_fit(x: NDArray[Any]) -> bool:
    """Whether no sum of some of these numbers overflows, if they are integers."""
    most = 2**62 // max(1, len(x))
    return x.dtype == np.float64 or bool(x.min(initial=0) >= -most and x.max(initial=0) <= most)
