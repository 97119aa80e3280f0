"""A sum of trees: F = F_0 + sum of vote_t times tree_t, one column per output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from ..trees.tree import Tree, pack_trees, unpack_trees
from ..types import Floats

if TYPE_CHECKING:
    from ..rows import Rows
    from ..trees.linear_tree import Slopes


class AdditiveTrees:
    """Rounds in order, each of one tree per output; scores are added up in that order.

    Adding a round is O(1): sums that grew from one another share one list. What a row's score is
    does not depend on the rows beside it.
    """

    def __init__(self, base: Floats) -> None:
        self.base = np.asarray(base, np.float64)  # F_0, one number per output
        self._rounds: list[tuple[float, tuple[Tree, ...]]] = []
        self._n = 0
        self._packed: tuple[Any, ...] | None = None

    @property
    def n_outputs(self) -> int:
        return len(self.base)

    def __len__(self) -> int:
        return self._n

    def plus(self, vote: float, trees: Sequence[Tree]) -> Self:
        """This sum and one more round."""
        grown = self.staged(self._n)
        if len(self._rounds) != self._n:  # another branch has grown from here: part company
            grown._rounds = self._rounds[: self._n]
        grown._rounds.append((float(vote), tuple(trees)))
        grown._n += 1
        return grown

    def staged(self, t: int) -> Self:
        """The first t rounds."""
        view = type(self)(self.base)
        view._rounds, view._n = self._rounds, min(t, self._n)
        return view

    def revoted(self, votes: Floats) -> Self:
        """The same trees with other votes."""
        other = type(self)(self.base)
        pairs = zip(votes.tolist(), self, strict=True)
        other._rounds = [(vote, trees) for vote, (_, trees) in pairs]
        other._n = self._n
        return other

    def some(self, rounds: NDArray[np.int64]) -> Self:
        """The sum of these rounds alone, without F_0."""
        other = type(self)(np.zeros(self.n_outputs))
        other._rounds = [self._rounds[t] for t in rounds]
        other._n = len(other._rounds)
        return other

    def __iter__(self) -> Iterator[tuple[float, tuple[Tree, ...]]]:
        return iter(self._rounds[: self._n])

    @property
    def votes(self) -> Floats:
        return np.array([vote for vote, _ in self])

    @property
    def trees(self) -> list[Tree]:
        """All trees, round after round."""
        return [tree for _, trees in self for tree in trees]

    @property
    def weight(self) -> Floats:
        """The largest possible sum of the trees, per output."""
        sizes = [
            [abs(vote) * np.abs(tree.values).max(initial=0.0) for tree in trees]
            for vote, trees in self
        ]
        return np.asarray(np.sum(np.reshape(sizes, (self._n, self.n_outputs)), axis=0))

    def __call__(self, rows: Rows) -> Floats:
        """F on rows, (n, outputs)."""
        return np.asarray(self._scores(rows, self.base, 0, self._n))

    def stages(self, rows: Rows) -> Iterator[Floats]:
        """F after 1, 2, ... rounds."""
        scores = np.tile(self.base, (len(rows), 1))
        for t in range(self._n):
            scores = self._scores(rows, scores, t, t + 1)
            yield scores

    def add_round(self, rows: Rows, scores: Floats, t: int) -> Floats:
        """The scores after t + 1 rounds from those after t, (n, outputs)."""
        alone = type(self)(self.base).plus(*self._rounds[t])
        return alone._scores(rows, scores, 0, 1)

    def leaves(self, rows: Rows) -> NDArray[np.int32]:
        """The leaf index of each row in each tree, (n, trees)."""
        leaves: NDArray[np.int32] = self.forest(rows).apply(rows.cells, rows.engine.threads)
        return leaves

    def _scores(self, rows: Rows, base: Floats, first: int, last: int) -> Floats:
        if first == last:
            return np.tile(base, (len(rows), 1)) if base.ndim == 1 else base
        K = self.n_outputs
        added = self.forest(rows)
        if base.ndim == 1:
            scores: Floats = added.sum(
                rows.cells, rows.engine.threads, base=base, first=first * K, last=last * K
            )
            return scores
        more: Floats = added.sum(rows.cells, rows.engine.threads, first=first * K, last=last * K)
        return base + more

    def forest(self, rows: Rows) -> Any:
        """The trees packed for prediction, made once."""
        key = (self._n, rows.cells.n_features)
        if self._packed is None or self._packed[0] != key:
            trees, K = self.trees, self.n_outputs
            forest = rows.forest(
                trees,
                votes=np.repeat(self.votes, K),
                outputs=np.tile(np.arange(K, dtype=np.int32), self._n),
                n_outputs=K,
                slopes=self._slopes(),
            )
            self._packed = (key, forest)
        return self._packed[1]

    def _slopes(self) -> Sequence[Slopes] | None:
        """The slopes of the leaves of all trees; None where leaves answer their value alone."""
        return None

    def __getstate__(self) -> dict[str, Any]:
        votes, trees = [vote for vote, _ in self], pack_trees(self.trees)
        return {"base": self.base, "votes": votes, "trees": trees}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["base"])  # type: ignore[misc]
        trees = iter(unpack_trees(state["trees"]))
        for vote in state["votes"]:
            self._rounds.append((vote, tuple(islice(trees, self.n_outputs))))
        self._n = len(self._rounds)
