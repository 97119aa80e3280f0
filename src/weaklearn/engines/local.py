"""The engine of this machine; the only importer of the compiled core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.distribution import Distribution, Verdict
from ..base.label_distribution import LabelDistribution
from ..base.loss import checked
from ..base.sample import OPENED, Binning
from ..base.trees.term import Grid
from .grower import TreeGrower

if TYPE_CHECKING:
    from ..base.ensemble import PackedMembers
    from ..base.loss import Loss
    from ..base.sample import Cells, Sample
    from ..base.trees.tree import Tree

Floats = NDArray[np.float64]
Keys = NDArray[np.uint64]

_NO_LIMIT = 2**32 - 1
_CELLS_AT_ONCE = 2**21  # of a sparse matrix, whose columns in use are spread out
_LABEL_COSTS = ("partition", "product", "discrete", "abstain")


@dataclass(frozen=True)
class LocalEngine:
    """Kernels on this machine's threads."""

    threads: int = 1

    def code(
        self,
        cells: Cells,
        binning: Binning = OPENED,
        copies: NDArray[np.int64] | None = None,
    ) -> _core.Columns:
        """Coded columns of dense, tabular or sparse cells, whose rows count so many times."""
        if binning.keep_order:  # such bins are opened, and need not be even
            copies = None
        how = (self.threads, binning.most_codes, binning.least_rows, binning.keep_order, copies)
        if cells.matrix is not None:
            return _core.Columns.from_matrix(cells.matrix, *how)
        if cells.sparse is not None:
            return _code_sparse(cells, how)
        assert cells.columns is not None
        assert cells.n_levels is not None
        table = [np.ascontiguousarray(column) for column in cells.columns]
        return _core.Columns.from_table(cells.n_rows, table, cells.n_levels, *how)

    def distribution(
        self,
        n_rows: int,
        prior: NDArray[np.float64] | None,
        copies: NDArray[np.int64] | None,
        sign: NDArray[np.int8] | None,
    ) -> Distribution:
        return Distribution(_core.Weights(n_rows, prior, copies, sign), self.threads, sign)

    def stump_search(
        self, sample: Sample, multiway: bool, abstain: bool, least_share: float = 0.0
    ) -> Any:
        coded = sample.coded
        if not sample.binary:
            return _core.PluralitySearch(
                coded,
                sample.y,
                sample.n_classes,
                multiway,
                abstain,
                least_share,
                False,
                self.threads,
            )
        if least_share == 0:
            return _core.StumpSearch(coded, multiway, abstain, self.threads)
        classes = (sample.y > 0).astype(np.int32)
        return SignedSearch(
            _core.PluralitySearch(
                coded, classes, 2, multiway, abstain, least_share, True, self.threads
            )
        )

    def judge(self, sample: Sample, members: Any) -> Verdict:
        h = members
        return _core.judge(
            sample.coded,
            h.feature,
            h.test,
            h.threshold,
            h.level,
            h.low,
            h.high,
            h.missing,
            None if h.levels is None else np.array(h.levels, np.int32),
            sample.y,
        )

    def verdict(self, side: NDArray[np.int8]) -> Verdict:
        return _core.Verdict(np.ascontiguousarray(side, np.int8))

    def scorer(self, members: PackedMembers) -> Any:
        return Scorer(members)

    def forest(
        self,
        trees: Sequence[Tree],
        n_features: int,
        n_levels: NDArray[Any] | None,
        *,
        votes: NDArray[np.float64] | None = None,
        outputs: NDArray[np.int32] | None = None,
        n_outputs: int = 1,
    ) -> Forest:
        return Forest(trees, n_features, n_levels, votes, outputs, n_outputs)

    def shapley(
        self,
        trees: Sequence[Tree],
        covers: Sequence[NDArray[np.float64]],
        n_features: int,
        n_levels: NDArray[Any] | None,
        *,
        votes: NDArray[np.float64],
        outputs: NDArray[np.int32],
        n_outputs: int = 1,
    ) -> Shapley:
        return Shapley(trees, covers, n_features, n_levels, votes, outputs, n_outputs)

    def label_distribution(
        self,
        signs: NDArray[np.int8],
        prior: Floats | None,
        copies: NDArray[np.int64] | None,
        *,
        pairs: bool = False,
        one_label: bool = False,
    ) -> LabelDistribution:
        """A distribution over examples and labels, or over their pairs of labels."""
        signs = np.ascontiguousarray(signs, np.int8)
        weights = _core.LabelWeights(signs, prior, copies, pairs, one_label, self.threads)
        return LabelDistribution(weights, self.threads)

    def label_grower(
        self,
        sample: Sample,
        *,
        cost: str,
        multiway: bool = False,
        least_share: float = 0.0,
        min_samples_leaf: int = 1,
        min_samples_split: int = 2,
        max_depth: int | None = 1,
        max_leaf_nodes: int | None = None,
    ) -> _core.LabelGrower:
        """A grower of trees over examples of many labels, judged in one of four ways."""
        return _core.LabelGrower(
            sample.coded,
            _LABEL_COSTS.index(cost),
            multiway,
            least_share,
            min_samples_leaf,
            _NO_LIMIT if max_depth is None else min(max_depth, _NO_LIMIT),
            0 if max_leaf_nodes is None else min(max_leaf_nodes, _NO_LIMIT),
            min_samples_split,
            self.threads,
        )

    def gradient_grower(self, sample: Sample, learner: Any) -> _core.GradientGrower:
        """A grower of trees that fit gradients, within the limits of a learner."""
        most = 2**31 - 1
        monotone = None if learner.monotonic is None else np.array(learner.monotonic, np.int8)
        return _core.GradientGrower(
            sample.coded,
            min(learner.max_leaf_nodes or most, most),
            min(learner.max_depth or most, most),
            learner.min_samples_leaf,
            learner.min_curvature,
            learner.l2,
            learner.level_noise,
            learner.level_smooth,
            learner.min_gain,
            monotone,
            [sorted(group) for group in learner.groups],
            self.threads,
        )

    def kept_trees(self) -> _core.GrownTrees:
        """A list that a gradient grower's trees are kept in."""
        return _core.GrownTrees()

    def grid(self, coded: _core.Columns, j: int) -> Grid:
        """The slots of a coded column."""
        categorical, n_codes, has_missing, cuts = _core.grid(coded, j)
        return Grid(None if categorical else cuts, n_codes, has_missing)

    def merge(
        self, coded: _core.Columns, most: int, copies: NDArray[np.int64] | None
    ) -> _core.Columns:
        """Columns whose ordered ones have at most so many codes, neighbours joined."""
        return _core.merge(coded, most, copies)

    def codes(self, coded: _core.Columns, j: int) -> NDArray[np.uint8]:
        """The code of every row in a column; one beyond the last where it is missing."""
        return _core.codes_of(coded, j)

    def pair_statistics(
        self,
        coded: _core.Columns,
        g: Floats,
        c: Floats | None,
        copies: NDArray[np.int64] | None,
        features: NDArray[np.int32],
        l2: float,
    ) -> tuple[Floats, Floats]:
        """For each pair, in order: how clearly the best cross of two cuts parts the gradients, and
        how much the best one gains.
        """
        return _core.pair_statistics(coded, g, c, copies, features, l2, self.threads)

    def derivatives(
        self,
        loss: Loss,
        y: NDArray[Any],
        F: Floats,
        weight: Floats | None,
        copies: NDArray[np.int64] | None,
        room: tuple[Floats, Floats | None] | None = None,
    ) -> tuple[Floats, Floats | None, float]:
        """Gradient and curvature, (K, m), of weighted examples, and their total loss.

        The curvature is None where it is 1 everywhere. ``copies`` count in the loss alone. In
        ``room`` are a gradient and a curvature no longer needed, to be written over.
        """
        if loss.native and len(F) == 1:
            g, c = (np.empty_like(F), None) if room is None else room
            c = np.empty_like(F) if c is None else c
            total = _core.logistic(y, F[0], weight, copies, g[0], c[0], self.threads)
            return g, c, total
        if loss.native:
            g, c, values = _core.softmax(y, F, weight, self.threads)
            return g, c, self.total(values, weight, copies)
        scores = F[0] if len(F) == 1 else F.T
        total = self.total(loss.value(y, scores), weight, copies)
        slope = np.asarray(loss.gradient(y, scores), np.float64)
        g = _by_output(checked(loss, "gradient", slope, y, scores), weight, len(F))
        if loss.constant_curvature and weight is None:
            return g, None, total
        bend = np.asarray(loss.curvature(y, scores), np.float64)
        return g, _by_output(checked(loss, "curvature", bend, y, scores), weight, len(F)), total

    def total(
        self, x: Floats, weight: Floats | None = None, copies: NDArray[np.int64] | None = None
    ) -> float:
        """The weighted sum of numbers, free of their order."""
        x = np.asarray(x, np.float64) if weight is None else x * weight
        return _core.total(np.ascontiguousarray(x), copies)

    def exponentials(self, x: Floats) -> Floats:
        """exp of every number, the same bits everywhere; held at exp(700)."""
        return _core.exponentials(np.minimum(x, 700.0), self.threads)

    def draw(
        self, content: Keys, before: Keys | None, salt: int, chance: float
    ) -> NDArray[np.uint32]:
        """The rows of a bag that each enters with a chance below 1, by its content."""
        return _core.draw(content, before, salt, chance)

    def draw_copies(
        self,
        content: Keys,
        before: Keys | None,
        copies: NDArray[np.int64],
        salt: int,
        chance: float,
    ) -> NDArray[np.int64]:
        """How many copies of each row enter a bag."""
        return _core.draw_copies(content, before, copies, salt, chance)

    def tree_grower(
        self,
        sample: Sample,
        *,
        criterion: str,
        exact: bool,
        categorical: str,
        missing: str,
        max_depth: int | None = None,
        max_leaf_nodes: int | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: int = 1,
        min_weight: float = 0.0,
        min_gain: float = 0.0,
        max_features: int | None = None,
        split_zero_gain: bool = False,
        smoothing: float = 0.0,
        level_noise: float = 0.0,
        seed: int = 0,
        monotonic: NDArray[np.int8] | None = None,
    ) -> TreeGrower:
        numbers = sample.n_classes == 0
        labels = sample.y
        if sample.binary:  # the only class is +1 inside
            labels = (sample.y > 0).astype(np.int32) * (sample.n_classes - 1)
        kernel = _core.TreeGrower(
            sample.coded,
            None if numbers else np.ascontiguousarray(labels, np.int32),
            np.ascontiguousarray(sample.y, np.float64) if numbers else None,
            sample.n_classes,
            sample.copies,
            None if sample.importance is None else sample.prior.weights,  # type: ignore[arg-type]
            criterion,
            exact,
            categorical,
            missing,
            _NO_LIMIT if max_depth is None else min(max_depth, _NO_LIMIT),
            0 if max_leaf_nodes is None else min(max_leaf_nodes, _NO_LIMIT),
            min_samples_split,
            min_samples_leaf,
            min_weight,
            min_gain,
            0 if max_features is None else max_features,
            split_zero_gain,
            smoothing,
            level_noise,
            seed,
            monotonic,
            self.threads,
        )
        return TreeGrower(kernel)

    def landed(self, coded: Any, tree: Tree) -> NDArray[np.int32] | None:
        """The leaf of every coded row; None where a test parts rows of one code, or levels."""
        return _core.landed(coded, _asked(tree), self.threads)

    def not_worth_keeping(self, tree: Tree) -> NDArray[np.int32]:
        """The nodes that pessimistic pruning makes leaves; some may lie below others."""
        shares = (tree.value, tree.values)
        return _core.pessimistic(
            tree.first, tree.width, tree.weight, tree.count, *shares, self.threads
        )

    def is_constant(self, coded: Any) -> bool:
        """Whether no column tells any two rows apart."""
        return len(self.telling(coded)) == 0

    def telling(self, coded: Any) -> NDArray[np.int32]:
        """The columns that tell rows apart."""
        columns: NDArray[np.int32] = coded.telling()
        return columns

    def row_keys(self, table: Any, factors: Keys) -> Keys:
        """The bits of the numbers of a sparse row, folded, times a factor of the column: summed."""
        by_rows = table if table.format == "csr" else table.tocsr()
        keys: Keys = _core.row_keys(*_arrays(by_rows), factors)
        return keys

    def lines(self, rows: Any, constant: bool) -> _core.Lines:
        """Rows to be learnt from one at a time: a float matrix, or a sparse one by rows.

        Where asked for, a constant feature of 1 stands behind the others.
        """
        if isinstance(rows, np.ndarray):
            down, along = rows.strides
            in_order = down >= 0 and down % rows.itemsize == 0 and rows.flags.aligned
            fits = in_order and (along == rows.itemsize or rows.shape[1] < 2)
            return _core.Lines.matrix(rows if fits else np.array(rows, order="C"), constant)
        return _core.Lines.sparse(
            rows.shape[1],
            np.ascontiguousarray(rows.data, np.float64),
            np.ascontiguousarray(rows.indices, np.int32),
            np.ascontiguousarray(rows.indptr, np.int64),
            constant,
        )

    def learn(
        self,
        lines: _core.Lines,
        y: NDArray[np.int32],
        units: Sequence[int],
        w: Floats,
        *,
        cost: int,
        rate: float,
        fading: bool,
        steps: Floats | None,
        seen: int,
        drift: Floats | None = None,
        kept: Floats | None = None,
        refuse_zero: bool = False,
        order: NDArray[np.int64] | None = None,
        **told: Any,
    ) -> tuple[int, int, int, int, float, int]:
        """One pass of learning row by row; w changes in place. The kernel says what it tells."""
        how: dict[str, Any] = {"cost": cost, "rate": rate, "fading": fading, "steps": steps}
        how |= {"seen": seen, "order": order} | told
        if len(units) > 1:
            return _core.circuit_pass(lines, y, units, w, **how)
        return _core.linear_pass(lines, y, units[0], w, drift, kept, refuse_zero=refuse_zero, **how)

    def line_scores(self, lines: _core.Lines, units: Sequence[int], w: Floats) -> Floats:
        """The scores of rows, a column for each output."""
        if len(units) == 1:
            return _core.linear_scores(lines, units[0], w, self.threads)
        return _core.circuit_scores(lines, units, w, self.threads)

    def line_errors(
        self, lines: _core.Lines, y: NDArray[np.int32], outputs: int, candidates: Floats
    ) -> list[int]:
        """How many rows each of several linear candidates labels wrongly."""
        return _core.linear_errors(lines, y, outputs, candidates, self.threads)

    def numbers(self, rows: Any) -> _core.Numbers:
        """Rows for sums in a fixed order: a matrix, or a sparse one by rows."""
        if isinstance(rows, np.ndarray):
            return _core.Numbers(np.ascontiguousarray(rows, np.float64))
        return _core.Numbers(
            np.ascontiguousarray(rows.indptr, np.int64),
            np.ascontiguousarray(rows.indices, np.int32),
            np.ascontiguousarray(rows.data, np.float64),
            rows.shape[1],
        )

    def dual_climb(
        self, matrix: Floats, y: Floats, cap: Floats, K: Floats, a: Floats, g: Floats, steps: int
    ) -> int:
        """Steps up the dual of a support vector machine, each along the coordinate of most gain.

        Multipliers a and margins g change in place; how many steps there were, until none gained.
        """
        return _core.dual_climb(matrix, y, cap, K, a, g, steps)

    def dual_settle(self, Q: Floats, slope: Floats, cap: Floats, a: Floats) -> bool:
        """Moves all multipliers together as far up as they may go; whether that was all the way."""
        return _core.dual_settle(Q, slope, cap, a)

    def solve(self, A: Floats, right: Floats) -> Floats:
        """Solutions of a positive definite system, one a row; of A the lower half is read."""
        return _core.solve(A, right)

    def play_experts(
        self,
        epsilon: float,
        chances: Floats,
        mistakes: NDArray[np.int64],
        start: NDArray[np.int64],
        expert: NDArray[np.int32],
        label: NDArray[np.int32],
        truth: NDArray[np.int32],
        place: Floats,
        n_labels: int,
        learns: bool = True,
    ) -> tuple[Floats, NDArray[np.int32], NDArray[np.int32]]:
        """Plays examples against experts; chances and mistakes of each change in place.

        Told of every example: the chance of a mistake, the label of most weight, a drawn label.
        """
        told: tuple[Floats, NDArray[np.int32], NDArray[np.int32]] = _core.play_experts(
            epsilon, chances, mistakes, start, expert, label, truth, place, n_labels, learns
        )
        return told

    def present(self, cells: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int32], Floats]:
        """The cells of a float matrix that are not NaN: starts of rows, columns, values."""
        found: tuple[NDArray[np.int64], NDArray[np.int32], Floats] = _core.present(cells)
        return found

    def haar_bank(
        self,
        windows: NDArray[Any],
        rects: NDArray[np.int32],
        weight: Floats,
        start: NDArray[np.int64],
    ) -> _core.WindowBank | _core.FloatWindowBank:
        """Windows, (n, height, width), and rectangle features of them."""
        made, kind = _core.FloatWindowBank, np.float64
        if windows.dtype.kind != "f" and sums_are_small(windows) and _are_small(weight, start):
            made, kind = _core.WindowBank, np.int32  # type: ignore[assignment]
        pixels = np.ascontiguousarray(windows, kind)
        return made.make(pixels, rects, weight, start, self.threads)

    def haar_values(
        self,
        windows: NDArray[Any],
        rects: NDArray[np.int32],
        weight: Floats,
        start: NDArray[np.int64],
        normalise: bool,
    ) -> NDArray[Any]:
        """Values of features in windows, (windows, features); whole ones of small whole pixels."""
        bank = self.haar_bank(windows, rects, weight, start)
        if normalise or not isinstance(bank, _core.WindowBank):
            return bank.values(normalise, self.threads)
        return bank.whole_values(self.threads)

    def haar_search(
        self, bank: _core.WindowBank | _core.FloatWindowBank, keep: int
    ) -> _core.HaarSearch | _core.FloatHaarSearch:
        """A search for stumps over the features of a bank, with so many bytes of codes kept."""
        if isinstance(bank, _core.WindowBank):
            return _core.HaarSearch(bank, keep, self.threads)
        return _core.FloatHaarSearch(bank, keep, self.threads)

    def scan(
        self,
        cascade: Any,
        image: NDArray[np.uint8],
        pyramid: bool,
        scales: Sequence[float],
        geometry: Sequence[Sequence[int]],
    ) -> tuple[NDArray[np.int32], Floats]:
        """Windows of a grey image that pass a cascade: (n, 3) level, row and column; scores.

        A level is a scale and its geometry: height and width of the image scanned, step, and how
        many rows and columns of windows there are.
        """
        arrays = _core.CascadeArrays(
            cascade.height,
            cascade.width,
            cascade.inset,
            cascade.rects.reshape(-1),
            cascade.rect_weight,
            cascade.feature_start,
            cascade.node_feature,
            cascade.node_threshold,
            cascade.node_low,
            cascade.node_high,
            cascade.stage_start,
            cascade.stage_threshold,
            None if cascade.tilted is None else cascade.tilted.view(np.uint8),
            cascade.low_child,
            cascade.high_child,
        )
        found: tuple[NDArray[np.int32], Floats] = arrays.scan(
            image,
            pyramid,
            np.array(scales, np.float64),
            np.array(geometry, np.int32).reshape(-1, 5),
            self.threads,
        )
        return found

    def overlapping_boxes(self, boxes: NDArray[np.int32], share: float) -> NDArray[np.int64]:
        """Classes of boxes (left, top, width, height) that share more than that of their area."""
        found: NDArray[np.int64] = _core.overlapping_boxes(boxes, share)
        return found

    def similar_boxes(self, boxes: NDArray[np.int32], share: float) -> NDArray[np.int64]:
        """Classes of boxes whose edges differ by at most that share of their mean smaller side."""
        found: NDArray[np.int64] = _core.similar_boxes(boxes, share)
        return found

    def row_hashes(self, coded: Any) -> NDArray[np.uint64]:
        hashes: NDArray[np.uint64] = coded.hash_rows(self.threads)
        return hashes


_SMALL = 16  # the most that the weights of a feature's rectangles may add up to


def sums_are_small(windows: NDArray[Any]) -> bool:
    """Whether features of whole pixels and small weights are sums of 32 bits."""
    if windows.size == 0:
        return True
    most = max(abs(int(windows.max())), abs(int(windows.min())))
    area = int(windows.shape[1]) * int(windows.shape[2])
    return most * area * 4 * _SMALL < 2**31  # four corners a rectangle


def _are_small(weight: Floats, start: NDArray[np.int64]) -> bool:
    """Whether weights are whole, and small in every feature, as a cascade's need not be."""
    sums = np.concatenate([[0.0], np.cumsum(np.minimum(np.abs(weight), 2.0 * _SMALL))])
    whole = bool((weight == np.rint(weight)).all())
    return whole and bool((np.diff(sums[start]) <= _SMALL).all())


class SignedSearch:
    """A search over classes 0 and 1 whose answers are -1 and +1."""

    def __init__(self, search: _core.PluralitySearch) -> None:
        self._search = search

    def search(self, coded: _core.Columns, weights: Any) -> tuple[Any, ...]:
        found = self._search.search(coded, weights)
        test, feature, threshold, level, low, high, missing, majority, levels = found
        signs = (2 * low - 1, 2 * high - 1, 0 if missing < 0 else 2 * missing - 1, 2 * majority - 1)
        return (test, feature, threshold, level, *signs, None if levels is None else 2 * levels - 1)


class Scorer:
    """A packed vote: cells in, whole-number scores out."""

    def __init__(self, members: PackedMembers) -> None:
        self._n_features = members.n_features
        self._n_levels = members.n_levels
        self._kernel = _core.Scorer(
            members.n_features, members.n_outputs, members.n_levels, **members.arrays
        )

    def __call__(self, cells: Cells, threads: int) -> NDArray[np.int64]:
        if cells.matrix is not None:
            return self._kernel.score_matrix(cells.matrix, self._n_features, threads)
        if cells.sparse is not None:
            return self._kernel.score_sparse(cells.n_rows, *_csc(cells.sparse))
        assert cells.columns is not None
        table = [np.ascontiguousarray(column) for column in cells.columns]
        return self._kernel.score_table(cells.n_rows, table, self._n_levels, threads)

    def by_row(self, unit: float) -> Callable[[list[Any]], Any]:
        """A function of one row, a list of numbers with levels as codes, to scores in units.

        It answers None where the list holds anything else, or is of another length.
        """
        score = self._kernel.score_row
        return lambda row: score(row, unit)


def _by_output(x: Floats, weight: Floats | None, n_outputs: int) -> Floats:
    """(m,) or (m, K) to (K, m), each example times its weight."""
    rows = x[None] if n_outputs == 1 else x.T
    return np.ascontiguousarray(rows if weight is None else rows * weight)


class Forest:
    """Trees packed for prediction: cells in, sums of values, leaves or single values out.

    Tree t adds ``votes[t]`` times its value to column ``outputs[t]`` of the scores, or, where that
    is -1 (as it is everywhere unless given), to all of them.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        n_features: int,
        n_levels: NDArray[Any] | None,
        votes: NDArray[np.float64] | None,
        outputs: NDArray[np.int32] | None,
        n_outputs: int,
    ) -> None:
        T = len(trees)
        levels = np.zeros(n_features) if n_levels is None else n_levels
        self._n_outputs = n_outputs
        self._made_of = (trees, n_levels, votes, outputs)
        self._kernel = _core.Forest(
            n_features,
            np.ascontiguousarray(levels, np.uint32),
            n_outputs,
            [_asked(tree) for tree in trees],
            np.ascontiguousarray(np.ones(T) if votes is None else votes, np.float64),
            np.full(T, -1, np.int32)
            if outputs is None
            else np.ascontiguousarray(outputs, np.int32),
        )

    def __len__(self) -> int:
        return self._kernel.n_trees

    def sum(
        self,
        cells: Cells,
        threads: int,
        base: float | NDArray[np.float64] = 0.0,
        first: int = 0,
        last: int | None = None,
    ) -> NDArray[np.float64]:
        """Base, then vote times value of the trees first .. last - 1 in their order."""
        start = np.empty(self._n_outputs)
        start[:] = base
        stop = len(self) if last is None else last
        if _by_rows(cells):
            parts = [f._kernel.sum(c, start, first, stop, threads) for f, c in self._narrow(cells)]
            return np.concatenate(parts)
        return self._kernel.sum(_cells(cells), start, first, stop, threads)

    def by_row(self, base: NDArray[np.float64]) -> Callable[[list[Any]], Any]:
        """A function of one row, a list of numbers with levels as codes, to base plus all trees.

        It answers None where the list holds anything else, or is of another length.
        """
        add, start = self._kernel.sum_row, np.array(base, np.float64)
        return lambda row: add(row, start)

    def apply(self, cells: Cells, threads: int) -> NDArray[np.int32]:
        """The leaf each row ends in, tree by tree; where it goes to every child, the heaviest."""
        if _by_rows(cells):
            parts = [f._kernel.apply(c, threads) for f, c in self._narrow(cells)]
            return np.concatenate(parts)
        return self._kernel.apply(_cells(cells), threads)

    def each(self, cells: Cells, threads: int) -> NDArray[np.float64]:
        """The value of every tree of a single output, before its vote."""
        if _by_rows(cells):
            return np.concatenate([f._kernel.each(c, threads) for f, c in self._narrow(cells)])
        return self._kernel.each(_cells(cells), threads)

    def _narrow(self, cells: Cells) -> Iterator[tuple[Forest, _core.Cells]]:
        """The trees over the columns that they ask for alone, and these of some rows at a time."""
        trees, n_levels, votes, outputs = self._made_of
        asked = [tree.feature[~tree.is_leaf] for tree in trees]
        used = np.unique(np.concatenate([[0], *asked])).astype(np.int32)
        levels = None if n_levels is None else np.asarray(n_levels)[used]
        narrow = [_over(tree, used) for tree in trees]
        forest = Forest(narrow, len(used), levels, votes, outputs, self._n_outputs)
        columns = cells.columns or []
        beside = int(np.searchsorted(used, len(columns)))  # of the list of columns
        listed = used[beside:] - len(columns)
        step = max(256, _CELLS_AT_ONCE // len(used))
        for begin in range(0, max(cells.n_rows, 1), step):
            part = slice(begin, begin + step)
            table = [np.ascontiguousarray(columns[j][part]) for j in used[:beside]]
            spread = cells.sparse[part][:, listed].toarray().astype(np.float64)  # type: ignore[index]
            table += [np.ascontiguousarray(column) for column in spread.T]
            yield forest, _core.Cells.table(len(spread), table)


def _over(tree: Tree, used: NDArray[np.int32]) -> Tree:
    """A tree over some columns, all that it asks for among them."""
    place = np.searchsorted(used, tree.feature).astype(np.int32)
    return replace(tree, feature=np.where(tree.is_leaf, np.int32(-1), place))


class Shapley:
    """Trees packed for Shapley values; ``covers``: what share of the examples each node had.

    Votes and outputs are those of ``Forest``.
    """

    def __init__(
        self,
        trees: Sequence[Tree],
        covers: Sequence[NDArray[np.float64]],
        n_features: int,
        n_levels: NDArray[Any] | None,
        votes: NDArray[np.float64],
        outputs: NDArray[np.int32],
        n_outputs: int,
    ) -> None:
        levels = np.zeros(n_features) if n_levels is None else n_levels
        self._kernel = _core.Shap(
            n_features,
            np.ascontiguousarray(levels, np.uint32),
            n_outputs,
            [_asked(tree) for tree in trees],
            [np.ascontiguousarray(cover, np.float64) for cover in covers],
            np.ascontiguousarray(votes, np.float64),
            np.ascontiguousarray(outputs, np.int32),
        )

    @property
    def base(self) -> NDArray[np.float64]:
        """The mean scores."""
        return self._kernel.base()

    def contributions(self, cells: Cells, threads: int) -> NDArray[np.float64]:
        """What every feature adds to the scores of every row: (rows, features, outputs)."""
        return self._kernel.contributions(_cells(cells), threads)

    def interactions(self, cells: Cells, threads: int) -> NDArray[np.float64]:
        """The same for every two features, (rows, features, features, outputs): each pair half at
        both of its places, and on the diagonal what a feature does alone.
        """
        kernel_cells = _cells(cells)
        alone = self._kernel.contributions(kernel_cells, threads)
        return self._kernel.interactions(kernel_cells, alone, threads)


_ASKED = (
    "ask",
    "feature",
    "threshold",
    "first",
    "width",
    "missing",
    "subset",
    "value",
    "weight",
    "subsets",
    "values",
)


def _asked(tree: Tree) -> tuple[NDArray[Any], ...]:
    """The arrays of a tree that answers depend on."""
    return tuple(getattr(tree, name) for name in _ASKED)


def _by_rows(cells: Cells) -> bool:
    """Whether some columns are those of a sparse matrix by rows."""
    return cells.sparse is not None and cells.sparse.format == "csr"


def _cells(cells: Cells) -> _core.Cells:
    """Cells as kernels read them, whichever form they have."""
    if cells.matrix is not None:
        return _core.Cells.matrix(cells.matrix)
    if cells.sparse is not None and cells.columns is None:
        return _core.Cells.sparse(cells.n_rows, *_csc(cells.sparse))
    assert cells.columns is not None
    columns = [np.ascontiguousarray(column) for column in cells.columns]
    if cells.sparse is not None:  # spread out: for a few rows
        columns += list(np.ascontiguousarray(cells.sparse.toarray().T, np.float64))
    return _core.Cells.table(cells.n_rows, columns)


def _code_sparse(cells: Cells, how: tuple[Any, ...]) -> _core.Columns:
    sparse: Any = cells.sparse
    if sparse.format == "csc":
        by_columns: _core.Columns = _core.Columns.from_sparse(cells.n_rows, *_arrays(sparse), *how)
        return by_columns
    columns, levels = cells.columns or [], np.zeros(0, np.int32)
    if cells.n_levels is not None:
        levels = np.ascontiguousarray(cells.n_levels[: len(columns)])
    table = [np.ascontiguousarray(column) for column in columns]
    by_rows: _core.Columns = _core.Columns.from_rows(
        table, levels, sparse.shape[1], *_arrays(sparse), *how
    )
    return by_rows


def _csc(sparse: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Data, rows and starts of sparse columns."""
    return _arrays(sparse if sparse.format == "csc" else sparse.tocsc())


def _arrays(sparse: Any) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Data, places and starts of sparse columns or rows, with one type of index."""
    rows, starts = sparse.indices, sparse.indptr
    index = np.int32 if rows.dtype == np.int32 and starts.dtype == np.int32 else np.int64
    return (
        np.ascontiguousarray(sparse.data),
        np.ascontiguousarray(rows, index),
        np.ascontiguousarray(starts, index),
    )
