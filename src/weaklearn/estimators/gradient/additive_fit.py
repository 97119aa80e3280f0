"""The descent of the glass box: functions of one column first, then of the pairs that matter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import Stop, play
from ...base.history import History
from ...base.trees.term import CodedTable
from ...base.types import Floats, Ints
from ...callbacks import Patience
from .folds import SideBySide

if TYPE_CHECKING:
    from ...base.sample import Sample
    from ...base.trees.term import Grid
    from ...learners.gradient_tree import GradientTreeLearner

Pair = tuple[int, int]
# What trees add up to: a constant, functions of columns, functions of pairs.
Tables = tuple[float, dict[int, Floats], list[Floats]]

PAIR_LEAVES = 8
SPARE = 4.0  # how far a pair must pass what chance gives, where their number is given
LACK = 20.0  # how far it may fall behind, where it is not, and examples are few
FEW_PAIRS, MANY_PAIRS = 10, 30
LARGE = 10_000  # examples from which functions may have more steps a round, and there are few pairs
PAIR_CELLS = 31  # of an ordered column beside another; missing values have one more
MOST_LOOKS = 2_000_000_000  # rows times pairs times outputs that a ranking may look at
LEAST_LOOKS = 20_000  # that a pair costs, however few rows there are


@dataclass(frozen=True)
class Played:
    """Rounds of one stage: the trees, how many of them to take, the losses of unseen examples."""

    sample: Sample  # as its trees see it
    kept: Any
    rounds: int
    losses: list[float]
    tables: dict[int, Tables] = field(default_factory=dict)  # by the bag's output, once asked for


class TermDescent:
    """Bags of additive models, side by side.

    In round t every bag grows a tree that asks for one column only, the one that gains most. When
    the loss of examples left out no longer falls, pairs of columns are ranked by what the best
    cross of two cuts would still gain on those examples, and rounds of trees over the chosen pairs
    follow.
    """

    def __init__(
        self,
        side: SideBySide,
        learner: GradientTreeLearner,
        content: NDArray[np.uint64],
        patience: Callable[[], Patience],
        most_rounds: int,
    ) -> None:
        self.side, self._learner, self._content = side, learner, content
        self._patience, self._most = patience, most_rounds
        self.watch: Callable[[str, int, float], None] | None = None
        self.mains: Played | None = None
        self.crossed: Played | None = None
        self.pairs: list[Pair] = []
        self.interrupt: BaseException | None = None
        self._coarse: Sample | None = None

    @property
    def coarse(self) -> Sample:
        """The sample as pairs see it. So few cells a column that each holds enough examples: in
        finer ones, what is pure chance in a pair would pass for what its columns say alone.
        """
        if self._coarse is None:  # no cached_property: one at a time, partitions would never meet
            sample = self.sample
            coded = sample.engine.columns.merge(sample.coded, PAIR_CELLS, sample.copies)
            self._coarse = replace(sample, coded=coded)
        return self._coarse

    @property
    def sample(self) -> Sample:
        return self.side.sample

    # ------------------------------------------------------------------------------------ stages

    def play_mains(self, rounds: int | None) -> None:
        """Functions of one column; ``rounds``: exactly so many."""
        varying = self.sample.engine.columns.varying(self.sample.coded)
        alone = tuple((int(j),) for j in self.used(varying))
        self.mains = self._play("columns", self.sample, alone, self._learner, rounds)
        self.stand_at_best()

    def play_pairs(self, pairs: Sequence[Pair], rounds: int | None) -> None:
        """Functions of two columns."""
        varying = set(self.used(self.sample.engine.columns.varying(self.sample.coded)).tolist())
        self.pairs = sorted(pair for pair in pairs if varying.issuperset(pair))
        if not self.pairs:
            return
        most = min(self._learner.max_leaf_nodes or PAIR_LEAVES, PAIR_LEAVES)
        learner = replace(self._learner, max_leaf_nodes=max(most, 4), max_features=1.0)
        self.crossed = self._play("pairs", self.coarse, tuple(self.pairs), learner, rounds)
        if self.crossed.rounds == 0:
            self.pairs, self.crossed = [], None
        self.stand_at_best()

    def _play(
        self,
        stage: str,
        sample: Sample,
        groups: tuple[tuple[int, ...], ...],
        learner: GradientTreeLearner,
        rounds: int | None,
    ) -> Played:
        """Rounds until the loss of unseen examples has long not fallen, or exactly so many. An
        interrupt ends them; what was learnt until then is kept.
        """
        side, wait = self.side, self._patience()
        side.kept = kept = sample.engine.gradients.tree_list()
        wait(side.judge(side.F))
        if not groups or self.interrupt is not None:
            return Played(sample, kept, 0, wait.values)

        def look(t: int, state: int, history: History) -> Stop | None:
            over = wait(side.judge(side.F))
            if self.watch is not None:
                self.watch(stage, t, wait.values[-1])
            return Stop.EARLY if over and rounds is None else None

        try:
            learn = replace(learner, groups=groups).bind(sample, self._content)
        except KeyboardInterrupt as interrupt:
            self.interrupt = interrupt
            return Played(sample, kept, 0, wait.values)
        self.interrupt = play(
            side,
            sample,
            learn,
            state=0,
            history=History(),
            n_rounds=self._most if rounds is None else rounds,
            callbacks=[look],
            stage=f" of the {stage}",
        ).interrupt
        played = len(wait.values) - 1  # rounds that every model has ended
        return Played(sample, kept, wait.best if rounds is None else played, wait.values)

    def stand_at_best(self) -> None:
        """Moves the scores to where the mean loss was least."""
        side = self.side
        for k in range(len(side.models)):
            constants, mains, pairs = self.tables(k)
            F = side.of(k)
            F[:] = constants[:, None]
            if side.booster.offset is not None:
                F += side.booster.offset
            add = self.sample.engine.gradients.add_tables
            for j, table in mains.items():  # one by one: all codes may be larger than memory
                add(F, [CodedTable(table, _codes(self.sample, j))])
            for (a, b), cross in zip(self.pairs, pairs, strict=True):
                add(F, [CodedTable(cross, _codes(self.coarse, a), _codes(self.coarse, b))])

    def _tables(self, played: Played, task: int) -> Tables:
        """What the trees of a stage add up to for one output of a bag, worked out once."""
        pairs = self.pairs if played is self.crossed else []
        if task not in played.tables:
            vote = self.side.booster.learning_rate
            played.tables[task] = played.kept.tables(
                played.sample.coded, task, played.rounds, vote, pairs
            )
        return played.tables[task]

    def unseen_scores(self) -> tuple[Floats, Ints]:
        """``SideBySide.unseen_scores`` of the examples as they are."""
        return self.side.unseen_scores(self._content)

    # ------------------------------------------------------------------------------------- pairs

    def rank(self, most: int | None) -> list[Pair]:
        """The pairs that say more together than chance would: the best ones, at most so many.

        Of n pairs that say nothing, the best of k crosses each has a statistic of about 2 log n +
        log k: that much is asked for, and a little more, so that few models have such a pair. With
        ``most=None`` clearly less is enough where examples are few: a pair may say what no single
        cross shows, and one too many does little harm.
        """
        many = most is None and self.sample.m < LARGE
        most = most if most is not None else MANY_PAIRS if many else FEW_PAIRS
        sample, side = self.sample, self.side
        features = self._candidates()
        if most == 0 or len(features) < 2:
            return []
        F, times = self.unseen_scores()
        model = replace(side.booster, copies=None)
        g, c, _ = model.slope(sample, np.where(times > 0, F, 0.0))
        lacking = np.array([(times == 0).any()], np.int64)
        all_seen = not sample.engine.collective.maximum(lacking)[0]
        copies = None if sample.copies is None and all_seen else times
        if copies is not None:
            g, c = g * (times > 0), None if c is None else c * (times > 0)
        found, gains = sample.engine.gradients.pair_statistics(
            self.coarse.coded, g, c, copies, features, self._learner.l2
        )
        names = [(int(a), int(b)) for a, b in combinations(features, 2)]
        cuts = {int(j): self._cuts(int(j)) for j in features}
        crosses = np.array([log(cuts[a] * cuts[b]) for a, b in names])
        spare = -LACK if many else SPARE
        beyond = found > side.K * (crosses + 2 * log(max(2, len(names))) + spare)
        order = np.argsort(-gains, kind="stable")
        return [names[k] for k in order if beyond[k]][:most]

    def _cuts(self, j: int) -> int:
        """How many places there are to cut a column that is looked at through coarse cells."""
        grid = self._grid(self.coarse, j)
        return max(1, min(grid.n_codes + grid.has_missing, PAIR_CELLS + 1) - 1)

    def _candidates(self) -> NDArray[np.int32]:
        """The columns to be paired: all, or those that moved scores most where all are too many."""
        assert self.mains is not None
        features = self.used(self.sample.engine.columns.varying(self.sample.coded))
        allowed = MOST_LOOKS // (max(self.side.n_rows, LEAST_LOOKS) * self.side.K)
        most = int((1 + (1 + 8 * allowed) ** 0.5) / 2)  # most * (most - 1) / 2 pairs
        if len(features) <= most:
            return np.asarray(features, np.int32)
        size = np.zeros(int(features.max()) + 1)
        for task in range(len(self.side.F)):
            for j, table in self._tables(self.mains, task)[1].items():
                size[j] += np.abs(table - table.mean()).mean()
        order = np.argsort(-size[features], kind="stable")
        return np.sort(features[order[:most]]).astype(np.int32)

    def used(self, features: NDArray[np.int32]) -> NDArray[np.int32]:
        """The columns whose weight and factor are not 0."""
        both = (self._learner.feature_weights, self._learner.feature_factors)
        for of_columns in both:
            if of_columns is not None:
                features = features[np.asarray(of_columns)[features] > 0]
        return features

    # ------------------------------------------------------------------------------------ tables

    def tables(self, k: int) -> tuple[Floats, dict[int, Floats], list[Floats]]:
        """What bag k learnt: constants (K,), functions of columns (slots, K), and of pairs
        (slots, slots, K).
        """
        K = self.side.K
        constants = np.array(self.side.base, np.float64)
        mains: dict[int, Floats] = {}
        pairs = [np.zeros((*self._shape(pair), K)) for pair in self.pairs]
        for output in range(K):
            for played in (self.mains, self.crossed):
                if played is None:
                    continue
                constant, ones, twos = self._tables(played, k * K + output)
                constants[output] += constant
                for j, table in ones.items():
                    within = self._grid(self.sample, j).within(self._grid(played.sample, j))
                    main = mains.setdefault(j, np.zeros((len(within), K)))
                    main[:, output] += table[within]
                if played is self.crossed:
                    for cross, table in zip(pairs, twos, strict=True):
                        cross[:, :, output] += table.reshape(cross.shape[:2])
        return constants, mains, pairs

    def _shape(self, pair: Pair) -> tuple[int, int]:
        a, b = (self._grid(self.coarse, j).n_codes + 1 for j in pair)
        return a, b

    @staticmethod
    def _grid(sample: Sample, j: int) -> Grid:
        return sample.engine.columns.grid(sample.coded, j)


def _codes(sample: Sample, j: int) -> NDArray[np.uint8]:
    """The codes of a column, which are not kept: those of all columns may be larger than memory."""
    return sample.engine.columns.codes(sample.coded, j)
