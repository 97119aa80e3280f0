"""The weighted vote: F = sum of alpha_t h_t."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from .hypothesis import Hypothesis, Stump
from .numeric.total import added_in_order

if TYPE_CHECKING:
    from .history import History
    from .rows import Cells, Rows
    from .trees.tree import Tree


_STUMP_TYPES: dict[str, Any] = {
    **{"test": np.uint8, "feature": np.int64, "threshold": np.float64, "category": np.uint32},
    **{"low": np.int32, "high": np.int32, "missing": np.int32},
}


class PackedMembers(NamedTuple):
    """Stumps as parallel arrays, for an engine's scorer; votes are integer multiples of a unit."""

    n_features: int
    n_outputs: int
    n_categories: NDArray[np.uint32]
    arrays: dict[str, NDArray[Any]]


class Ensemble:
    """Members in order with their votes, as chosen; normalising is a view.

    Adding a member is O(1): ensembles that grew from one another share one list. Scores are summed
    as multiples of 2^-k, so that the packed form, the staged one and any order of members give
    the same bits, and votes that cancel give exactly 0.
    """

    sums = True  # F grows by one term per member
    several = False  # whether a row may have any number of labels
    base: float = 0.0  # what F begins with
    prior: Any = None  # the log-odds that F begins with, where these differ by row
    _made_of: ClassVar[tuple[str, ...]] = ("n_outputs",)  # what its constructor takes

    def __init__(self, n_outputs: int = 1) -> None:
        self.n_outputs = n_outputs  # 1: signed votes; K: votes for classes
        self._votes: list[float] = []
        self._members: list[Hypothesis] = []
        self._n = 0
        self.running_weight = 0.0  # the sum of the absolute votes, added up in order
        self._scorer: tuple[Any, ...] | None = None
        self._unit: float | None = None

    def plus(self, vote: float, h: Hypothesis) -> Ensemble:
        """This ensemble and one more member."""
        grown = self._view(self._n)
        if len(self._members) != self._n:  # another branch has grown from here: part company
            grown._votes, grown._members = self._votes[: self._n], self._members[: self._n]
        grown._votes.append(float(vote))
        grown._members.append(h)
        grown._n += 1
        grown.running_weight = self.running_weight + abs(vote)
        return grown

    def plus_all(self, votes: Sequence[float], members: Sequence[Hypothesis]) -> Ensemble:
        """This ensemble and more members, as by ``plus`` one after another."""
        grown: Ensemble = self
        if type(self).plus is not Ensemble.plus or len(self._members) != self._n:
            for vote, h in zip(votes, members, strict=True):
                grown = grown.plus(vote, h)
            return grown
        grown = self._view(self._n + len(members))
        grown._votes += map(float, votes)
        grown._members += members
        grown.running_weight = added_in_order([self.running_weight, *map(abs, votes)])
        return grown

    def _view(self, n: int) -> Self:
        view = type(self)(*(getattr(self, name) for name in self._made_of))
        view._votes, view._members, view._n = self._votes, self._members, n
        return view

    def staged(self, t: int) -> Ensemble:
        """The first t members with their votes."""
        view = self._view(min(t, self._n))
        view.running_weight = added_in_order(abs(v) for v in self._votes[: view._n])
        return view

    def follows(self, earlier: Ensemble) -> bool:
        """Whether this ensemble is an earlier one with, perhaps, more members."""
        return self._members is earlier._members and self._n >= earlier._n

    def __len__(self) -> int:
        return self._n

    def __iter__(self) -> Iterator[tuple[float, Hypothesis]]:
        return iter(zip(self._votes[: self._n], self._members[: self._n], strict=True))

    def since(self, n: int) -> Iterator[tuple[float, Hypothesis]]:
        """The members after the first n."""
        return iter(zip(self._votes[n : self._n], self._members[n : self._n], strict=True))

    @property
    def parts(self) -> tuple[Ensemble, ...]:
        """The ensembles whose scores are summed separately: this one alone."""
        return (self,)

    @property
    def last(self) -> tuple[float, Hypothesis] | None:
        """The last member with its vote; None where there is none."""
        return (self._votes[self._n - 1], self._members[self._n - 1]) if self._n else None

    @property
    def votes(self) -> NDArray[np.float64]:
        return np.array(self._votes[: self._n])

    @property
    def members(self) -> list[Hypothesis]:
        return self._members[: self._n]

    @property
    def weight(self) -> float:
        """The sum of the absolute votes."""
        return math.fsum(abs(v) for v in self._votes[: self._n])

    @property
    def margin_weight(self) -> float:
        """The divisor that normalises margins."""
        return self.weight

    def unit(self) -> float:
        """The power of two that votes are integer multiples of, so that no sum exceeds 60 bits.

        Votes of trees are summed in doubles, where integers of 52 bits are exact.
        """
        if self._unit is None:
            weight, least = self.weight, -1074  # 2^-1074 is the smallest number there is
            known = weight > 0 and math.isfinite(weight)
            bits = 52 if any(h.is_tree for h in self.members) else 60
            exponent = max(math.frexp(weight)[1] - bits, least) if known else 0
            self._unit = math.ldexp(1.0, exponent)
        return self._unit

    def fixed_votes(self) -> NDArray[np.int64]:
        """The votes as integer multiples of ``unit``."""
        return np.rint(self.votes / self.unit()).astype(np.int64)

    def blank(self, rows: Rows) -> NDArray[np.float64]:
        """The scores of rows before any member has voted."""
        return np.zeros(len(rows) if self.n_outputs == 1 else (len(rows), self.n_outputs))

    def answers(self, h: Hypothesis, rows: Rows) -> NDArray[Any]:
        """The answers of a member on rows, in the form that ``add`` takes."""
        return np.asarray(h(rows))

    def add(self, scores: NDArray[np.float64], vote: float, answers: NDArray[Any]) -> None:
        """Adds one member's vote to scores, in floating point."""
        if self.n_outputs == 1:
            scores += vote * answers
        else:
            voiced = np.flatnonzero(answers >= 0)
            scores[voiced, answers[voiced]] += vote

    def __call__(self, rows: Rows) -> NDArray[np.float64]:
        """F on rows: (n,) for signed votes, (n, K) for votes on classes."""
        scores: NDArray[np.float64] = self._integer_scores(rows) * np.float64(self.unit())
        return scores[:, 0] if self.n_outputs == 1 else scores

    def _integer_scores(self, rows: Rows) -> NDArray[Any]:
        if self._n == 0:
            return np.zeros((len(rows), self.n_outputs), dtype=np.int64)
        scorer = self.scorer(rows)
        if scorer is not None:
            packed: NDArray[Any] = scorer(rows.cells, rows.engine.threads)
            return packed
        *_, scores = self._running(rows)
        return scores

    def scorer(self, rows: Rows) -> Any:
        """The packed form, made once; None where members are neither stumps nor trees."""
        key = (self._n, rows.cells.n_features)
        if self._scorer is None or self._scorer[0] != key:
            self._scorer = (key, self._pack(rows))
        return self._scorer[1]

    def _pack(self, rows: Rows) -> Any:
        output = 0 if self.n_outputs == 1 else -1
        outputs = np.full(self._n, output, dtype=np.int32)
        stumps = [h for h in self.members if isinstance(h, Stump)]
        if len(stumps) < self._n:
            return self._pack_trees(rows, outputs)
        return rows.engine.prediction.scorer(
            pack(stumps, self.fixed_votes(), outputs, rows, self.n_outputs)
        )

    def _pack_trees(self, rows: Rows, outputs: NDArray[np.int32]) -> Any:
        trees = self._trees()
        if trees is None:
            return None
        votes = self.fixed_votes().astype(np.float64)
        return TreeVote(rows.forest(trees, votes=votes, outputs=outputs, n_outputs=self.n_outputs))

    def _trees(self) -> list[Tree] | None:
        """The members as trees; None where one is none."""
        trees = [tree for h in self.members if (tree := h.as_tree()) is not None]
        return trees if len(trees) == self._n else None

    def _running(self, rows: Rows) -> Iterator[NDArray[Any]]:
        if self._n and isinstance(self.scorer(rows), TreeVote):
            yield from self.scorer(rows).stages(rows.cells, rows.engine.threads)
            return
        scores = np.zeros((len(rows), self.n_outputs), dtype=np.int64)
        everyone = np.arange(len(rows))
        for vote, h in zip(self.fixed_votes(), self.members, strict=True):
            answers = h.class_answers(rows, self.n_outputs)
            if self.n_outputs == 1:
                scores[:, 0] += vote * answers
            else:
                voiced = answers >= 0
                scores[everyone[voiced], answers[voiced]] += vote
            yield scores

    def stages(self, rows: Rows) -> Iterator[NDArray[np.float64]]:
        """F after 1, 2, ... members."""
        unit = np.float64(self.unit())
        for scores in self._running(rows):
            yield scores[:, 0] * unit if self.n_outputs == 1 else scores * unit

    def __getstate__(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in self._made_of}
        return own | {"votes": self.votes.tolist(), "members": self.members}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(*(state[name] for name in self._made_of))  # type: ignore[misc]
        self._votes, self._members = state["votes"], state["members"]
        self._n = len(self._members)
        self.running_weight = added_in_order(abs(v) for v in self._votes)


class TreeVote:
    """A packed weighted vote of trees whose answers are integers, so that sums are exact."""

    def __init__(self, forest: Any) -> None:
        self._forest = forest

    def __call__(self, cells: Cells, threads: int) -> NDArray[np.float64]:
        scores: NDArray[np.float64] = self._forest.sum(cells, threads)
        return scores

    def by_row(self, base: NDArray[np.float64]) -> Any:
        """A fast scorer of one row given as a list of numbers; it returns None for other rows."""
        return self._forest.by_row(base)

    def stages(self, cells: Cells, threads: int) -> Iterator[NDArray[np.float64]]:
        """The scores after 1, 2, ... of the trees."""
        scores = self._forest.sum(cells, threads, first=0, last=0)
        for term in self._forest.terms(cells, threads):
            scores += term
            yield scores


def pack(
    members: list[Stump],
    votes: NDArray[np.int64],
    outputs: NDArray[np.int32],
    rows: Rows,
    n_outputs: int,
) -> PackedMembers:
    """Parallel arrays of stumps."""
    n = len(members)
    n_features = rows.cells.n_features
    answers_by_category = [h.by_category or () for h in members]
    begin = np.zeros(n + 1, dtype=np.int64)
    np.cumsum([len(answers) for answers in answers_by_category], out=begin[1:])
    n_categories = np.zeros(n_features, dtype=np.uint32)
    if rows.cells.n_categories is not None:
        n_categories[:] = rows.cells.n_categories

    columns = zip(*map(attrgetter(*_STUMP_TYPES), members), strict=True)
    arrays = {
        **{
            name: np.array(values, dtype)
            for (name, dtype), values in zip(_STUMP_TYPES.items(), columns, strict=True)
        },
        "by_category_begin": begin,
        "by_category": np.array(
            [a for answers in answers_by_category for a in answers], dtype=np.int32
        ),
        "vote": np.ascontiguousarray(votes, np.int64),
        "output": np.ascontiguousarray(outputs, np.int32),
    }
    return PackedMembers(n_features, n_outputs, n_categories, arrays)


class StackedEnsemble:
    """One binary ensemble per class: the score of class k is that of its own ensemble."""

    def __init__(self, parts: tuple[Ensemble, ...]) -> None:
        self.parts = parts
        self.n_outputs = len(parts)
        self._scorer: tuple[Any, ...] | None = None

    def __len__(self) -> int:
        return max(len(part) for part in self.parts)

    def __iter__(self) -> Iterator[tuple[float, Hypothesis]]:
        for part in self.parts:
            yield from part

    def staged(self, t: int) -> StackedEnsemble:
        return type(self)(tuple(part.staged(t) for part in self.parts))

    @property
    def votes(self) -> NDArray[np.float64]:
        return np.concatenate([part.votes for part in self.parts])

    @property
    def members(self) -> list[Hypothesis]:
        return [h for part in self.parts for h in part.members]

    @property
    def margin_weight(self) -> float:
        """Scores carry both signs: two classes differ by at most twice the heaviest vote."""
        return 2 * max(part.margin_weight for part in self.parts)

    def joined(self, scores: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """The scores of the classes, (n, K), from those of the votes."""
        return np.column_stack(scores)

    def __call__(self, rows: Rows) -> NDArray[np.float64]:
        return self.joined([part(rows) for part in self.parts])

    def stages(self, rows: Rows) -> Iterator[NDArray[np.float64]]:
        iterators = [part.stages(rows) for part in self.parts]
        scores = [part.blank(rows) for part in self.parts]
        for _ in range(len(self)):
            for k, stages in enumerate(iterators):
                scores[k] = next(stages, scores[k])
            yield self.joined(scores)


def rounds_of_part(history: History, ensemble: Any, k: int) -> NDArray[np.intp]:
    """The rounds, from 0, that gave the members of binary problem k of a stacked ensemble.

    They are the first ones, unless a hypothesis without error (an infinite vote) won the problem
    and stands alone. The record may go beyond the members: where early stopping kept those of
    earlier rounds, a later winner is none of them. A single member is then known by its
    vote, and where other problems have several members, it can be no other than the winner.
    """
    part, alpha = ensemble.parts[k], history[f"alpha_{k}"]
    won = np.flatnonzero(np.isinf(alpha))[:1]
    if len(won) and len(part) == 1 and (len(ensemble) > 1 or part.votes[0] != alpha[0]):
        return won
    return np.arange(len(part))
