"""The learner of single rules: tests are added while they help, then pruned."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, log, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import WeakLearner
from ..base.numeric.hashing import GOLDEN, Keys, mixed
from ..base.trees.rule import Rule
from ..base.types import Floats
from .literal import Literals

if TYPE_CHECKING:
    from ..base.sample import Distribution, Sample

Weights = tuple[float, float]  # of the positive and of the negative examples

_TIED = 1e-12


@dataclass(frozen=True)
class RuleLearner(WeakLearner):
    """Grows a rule for +1 on one part of the examples and prunes it on the other.

    Tests are x <= t, x > t, x = v of a category, and that x is missing. The examples are split at
    random, two thirds of the weight (``grow``) to grow on. From the empty rule on, the test that
    makes sqrt(W+) - sqrt(W-) largest is added, until no negative example is covered or that stops
    rising. Then every final run of tests may go: kept is the beginning that makes
    (1 - V+ - V-) + V+ exp(-c) + V- exp(c) least on the other part, with
    c = 1/2 ln((W+ + 1/(2m))/(W- + 1/(2m))) from the first; of equals the shortest.

    Draws are keyed by seed and round and by what an example holds; identical examples stay together
    but for those at the border. ``max_tests``: no rule has more; None: any number.
    ``least_share``: no test leaves less of the weight to grow on.

    Reference: Cohen and Singer (1999), AAAI.
    """

    grow: float = 2 / 3
    max_tests: int | None = None
    least_share: float = 0.0
    seed: int = 0

    def bind(self, sample: Sample) -> RuleOracle:
        return RuleOracle(sample, self)


class RuleOracle:
    """The builder bound to a sample."""

    def __init__(self, sample: Sample, learner: RuleLearner) -> None:
        self._sample = sample
        self._learner = learner
        self._literals = Literals(sample)
        self._copies = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies

    def __call__(self, D: Distribution, z: NDArray[Any], key: int = 0) -> Rule:
        weight = D.exact  # whose sums are exact, in whatever order
        grown = weight / self._copies * self._drawn(weight, z, key)
        places, way = self._grown(grown, z)
        kept = self._kept(way, self._way(weight - grown, z, places))
        demands = tuple(self._literals.demand(*place) for place in places[:kept])
        return Rule(demands).counted(self._sample)

    # ------------------------------------------------------------------------------------ parts

    def _drawn(self, weight: Floats, z: NDArray[Any], key: int) -> NDArray[np.int64]:
        """The number of copies of each row to grow on."""
        salt = mixed(np.array([self._learner.seed, key], np.uint64) + GOLDEN)
        keys: Keys = mixed(self._content(z) ^ mixed(salt[:1] + GOLDEN * salt[1:]))
        order = np.argsort(keys, kind="stable")
        keys, copies = keys[order], self._copies[order]
        starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]])  # of identical examples
        ends = np.cumsum(np.add.reduceat(weight[order], starts))
        border = int(np.searchsorted(ends, self._learner.grow * ends[-1]))
        drawn = np.where(np.arange(len(keys)) < starts[border], copies, 0)
        here = slice(starts[border], starts[border + 1] if border + 1 < len(starts) else None)
        before = ends[border - 1] if border else 0.0
        share = (self._learner.grow * ends[-1] - before) / (ends[border] - before)
        some = ceil(share * copies[here].sum() * (1 - 1e-12))
        drawn[here] = np.clip(some - (np.cumsum(copies[here]) - copies[here]), 0, copies[here])
        counts = np.zeros(len(keys), np.int64)
        counts[order] = drawn
        return counts

    def _content(self, z: NDArray[Any]) -> Keys:
        """A hash of the content of each example."""
        content = mixed(self._literals.hashes + GOLDEN * (z > 0).astype(np.uint64))
        if self._sample.importance is not None:
            content = mixed(content ^ self._sample.importance.view(np.uint64))
        return content

    # ---------------------------------------------------------------------------- grow and prune

    def _grown(
        self, weight: Floats, z: NDArray[Any]
    ) -> tuple[list[tuple[int, int, int]], list[Weights]]:
        """The tests of the grown rule, and the weights covered by its first 0, 1, 2, ... tests."""
        rows = np.flatnonzero(weight)
        plus, minus = rows[z[rows] > 0], rows[z[rows] < 0]
        tie, least = _TIED * weight.sum(), self._learner.least_share * weight.sum()
        places: list[tuple[int, int, int]] = []
        way = [(float(weight[plus].sum()), float(weight[minus].sum()))]
        most = self._learner.max_tests
        while way[-1][1] > 0 and (most is None or len(places) < most):
            found = self._literals.best(plus, minus, weight, tie, least)
            if found is None or found[0] <= merit(*way[-1]) + tie:
                break
            place = found[1]
            plus, minus = (some[self._literals.met(some, *place)] for some in (plus, minus))
            places.append(place)
            way.append((float(weight[plus].sum()), float(weight[minus].sum())))
        return places, way

    def _way(
        self, weight: Floats, z: NDArray[Any], places: list[tuple[int, int, int]]
    ) -> list[Weights]:
        """The weights covered by the first 0, 1, 2, ... tests."""
        rows = np.flatnonzero(weight)
        way = []
        for place in [None, *places]:
            if place is not None:
                rows = rows[self._literals.met(rows, *place)]
            positive = weight[rows] * (z[rows] > 0)
            way.append((float(positive.sum()), float(weight[rows].sum() - positive.sum())))
        return way

    def _kept(self, grown: list[Weights], pruned: list[Weights]) -> int:
        """The number of tests kept after pruning."""
        if sum(pruned[0]) == 0:  # nothing to judge by
            return len(grown) - 1
        less = 0.5 / self._sample.m
        losses = []
        for (W_plus, W_minus), (V_plus, V_minus) in zip(grown, pruned, strict=True):
            c = 0.5 * log((W_plus + less) / (W_minus + less))
            losses.append(1 - V_plus - V_minus + V_plus * exp(-c) + V_minus * exp(c))
        return next(k for k, loss in enumerate(losses) if loss <= min(losses) + _TIED)


def merit(W_plus: float, W_minus: float) -> float:
    """(sqrt(W+) - sqrt(W-))^2 with the sign of the difference: as large as that, in weights."""
    lead = sqrt(W_plus) - sqrt(W_minus)
    return lead * abs(lead)
