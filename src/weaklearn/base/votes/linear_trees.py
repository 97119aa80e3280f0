"""A sum of trees whose leaves have slopes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..trees.linear_tree import LinearTree, Slopes
from ..types import Floats
from .tree_sum import AdditiveTrees


class LinearTrees(AdditiveTrees):
    """Rounds of trees with slopes in their leaves, one tree per output.

    A tree adds vote * (value + slopes); scores are added up tree after tree.
    """

    @property
    def trees(self) -> list[LinearTree]:  # type: ignore[override]
        """All trees, round after round."""
        return [tree for _, trees in self for tree in trees if isinstance(tree, LinearTree)]

    @property
    def weight(self) -> Floats:
        """The largest possible sum of the trees, per output."""
        reaches = np.reshape([_reach(tree) for tree in self.trees], (len(self), self.n_outputs))
        return np.asarray(np.sum(np.abs(self.votes)[:, None] * reaches, axis=0))

    def _slopes(self) -> Sequence[Slopes]:
        return [tree.slopes for tree in self.trees]

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"slopes": self._slopes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        slopes = iter(state["slopes"])
        self._rounds = [
            (vote, tuple(LinearTree.with_slopes(tree, next(slopes)) for tree in trees))
            for vote, trees in self._rounds
        ]


def _reach(tree: LinearTree) -> float:
    """The largest answer of a tree."""
    values = np.abs(tree.values[tree.value, 0])
    return float((values + tree.slopes.reach)[tree.is_leaf].max())
