"""Votes that are recomputed in every round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ensemble import Ensemble
from ..types import Floats

if TYPE_CHECKING:
    from ..hypothesis import Hypothesis
    from ..rows import Rows


class Revoted(Ensemble):
    """A binary vote whose members get new votes whenever one joins: stage t has its own votes.

    ``tables[t - 1]`` are the votes of the first t members as they stood after round t.
    """

    sums = False  # the votes of one stage are no part of those of the next
    _made_of = ()

    def __init__(self, tables: Sequence[Floats] = (), members: Sequence[Hypothesis] = ()) -> None:
        super().__init__(1)
        self.tables = tuple(tables)
        self._members = list(members)
        self._votes = self.tables[-1].tolist() if self.tables else []
        self._n = len(self._members)
        self.running_weight = self.weight

    def revoted(self, h: Hypothesis, votes: Floats) -> Revoted:
        """The ensemble with h as one more member, and these votes for all members."""
        return Revoted((*self.tables, np.asarray(votes, np.float64)), [*self.members, h])

    def staged(self, t: int) -> Revoted:
        return Revoted(self.tables[:t], self.members[:t])

    def stages(self, rows: Rows) -> Iterator[Floats]:
        for t in range(1, len(self) + 1):
            yield self.staged(t)(rows)

    def __getstate__(self) -> dict[str, Any]:
        return {"tables": self.tables, "members": self.members}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["tables"], state["members"])  # type: ignore[misc]
