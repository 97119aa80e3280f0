"""Boosting over rectangle features: windows in, one weighted stump after another out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..base.booster import Stop
from ..base.ensemble import Ensemble
from ..base.hypothesis import Hypothesis
from ..base.rows import Rows
from ..base.sample import Distribution, Sample
from ..base.types import Floats
from ..boosters.adaboost import AdaBoost
from ..engines import Engine
from .cascade import Cascade
from .haar import HaarFeatures

BoosterName = Literal["adaboost", "real", "gentle"]


@dataclass(frozen=True)
class Node:
    """A stump with its scores: ``low`` where value / sigma <= threshold, ``high`` above."""

    feature: int
    threshold: float
    low: float
    high: float

    def on(self, values: Floats) -> Floats:
        return np.where(values > self.threshold, self.high, self.low)


class Bank:
    """Windows with rectangle features, whose values are normalised."""

    def __init__(self, windows: NDArray[Any], features: HaarFeatures, engine: Engine) -> None:
        self.features = features
        self.engine = engine
        self.n = len(windows)
        self._bank = engine.vision.haar_bank(windows, *features.rectangles()) if self.n else None

    def column(self, feature: int) -> Floats:
        """The value of a feature in every window, divided by the window's deviation."""
        return np.empty(0) if self._bank is None else self._bank.column(feature)

    def search(self, keep: int) -> Any:
        return self.engine.vision.haar_search(self._bank, keep)  # type: ignore[arg-type]


@dataclass(frozen=True)
class HaarStump(Hypothesis):
    """Polarity where the value of a feature is above the threshold, its opposite elsewhere."""

    feature: int
    threshold: float
    polarity: int

    def __call__(self, rows: Rows) -> NDArray[Any]:
        above = rows.raw.column(self.feature) > self.threshold
        return np.where(above, self.polarity, -self.polarity).astype(np.int8)

    def node(self, vote: float) -> Node:
        say = vote * self.polarity
        return Node(self.feature, self.threshold, -say, say)


@dataclass(frozen=True)
class _Windows:
    """The rows of a sample whose values are computed as features of windows."""

    n_rows: int
    n_features: int = 0
    matrix = None
    sparse = None
    columns = None
    n_categories = None

    def take(self, rows: NDArray[np.intp]) -> Any:
        raise NotImplementedError


def sample_of(bank: Bank, y: NDArray[np.int8], prior: Floats) -> Sample:
    """Windows as a sample of two classes, with a first distribution D_1."""
    return Sample(_Windows(bank.n), bank, bank.engine, y, 2, None, prior, None)


def oracle_of(bank: Bank, keep: int) -> Callable[..., HaarStump]:
    """Finds the stump of least error over all features and thresholds."""
    search = bank.search(keep)

    def learn(D: Distribution, z: NDArray[Any], key: int = 0) -> HaarStump:
        feature, threshold, polarity, *_ = search.search(D.weights)
        return HaarStump(feature, threshold, polarity)

    return learn


class Voting:
    """AdaBoost: stumps of least error, each with one vote; see ``boosters/adaboost.py``."""

    def __init__(
        self, bank: Bank, y: NDArray[np.int8], prior: Floats, F: Floats, keep: int
    ) -> None:
        w = prior * bank.engine.weights.exponentials(-y * F) if F.any() else prior
        self._sample = sample_of(bank, y, w)
        self._learn = oracle_of(bank, keep)
        self._booster = AdaBoost(on_perfect="smooth")
        self._state = self._booster.begin(self._sample)

    def step(self) -> Node | None:
        """The next stump with its vote; None where none has an edge."""
        self._state, played = self._booster.round(self._sample, self._learn, self._state)
        if played.stop is Stop.NO_EDGE:
            return None
        members: Ensemble = self._state.ensemble
        stump: Any = members.members[-1]
        node: Node = stump.node(float(members.votes[-1]))
        return node


class Rated:
    """Confidence-rated stumps under weights exp(-y F).

    ``real``: the threshold of least Z = 2 sum sqrt(W+ W-), whose sides say 1/2 ln(W+ / W-), both
    weights smoothed by half an example. ``gentle``: of least weighted squared error, whose sides
    say (W+ - W-) / (W+ + W-), never more than 1.

    References: Schapire and Singer (1999); Friedman, Hastie and Tibshirani (2000).
    """

    def __init__(
        self,
        bank: Bank,
        y: NDArray[np.int8],
        prior: Floats,
        F: Floats,
        keep: int,
        gentle: bool = True,
    ) -> None:
        self._bank, self._y, self._gentle = bank, y, gentle
        self._prior, self.F = np.ascontiguousarray(prior), F.astype(np.float64)
        self._search = bank.search(keep)

    def step(self) -> Node | None:
        found = self._search.rate(self._prior, self.F, self._y, self._gentle)
        feature, threshold, _, low, high, _ = found
        node = Node(feature, threshold, self._say(*low), self._say(*high))
        if node.low == node.high:
            return None
        self.F += node.on(self._bank.column(feature))
        return node

    def _say(self, minus: float, plus: float) -> float:
        if self._gentle:
            return (plus - minus) / (plus + minus) if plus + minus > 0 else 0.0
        half = 0.5 / self._bank.n
        return 0.5 * log((plus + half) / (minus + half))


def booster_of(
    name: str, bank: Bank, y: NDArray[np.int8], prior: Floats, F: Floats, keep: int
) -> Voting | Rated:
    """The booster of a name, on windows whose scores so far are F."""
    if name == "adaboost":
        return Voting(bank, y, prior, F, keep)
    return Rated(bank, y, prior, F, keep, name == "gentle")


def halves(y: NDArray[np.int8], F: Floats, engine: Engine) -> Floats:
    """D_1, up to the factor exp(-y F): each class has one half of the weight."""
    w = engine.weights.exponentials(-y * F)
    plus, minus = w[y > 0].sum(), w[y < 0].sum()
    prior: Floats = np.where(y > 0, 0.5 / plus, 0.5 / minus)
    return prior


def stage_of(
    features: HaarFeatures, stages: Sequence[Sequence[Node]], thresholds: Sequence[float]
) -> Cascade:
    """The cascade of the stages' nodes, with only the features that they use."""
    nodes = [node for stage in stages for node in stage]
    used, place = np.unique([node.feature for node in nodes], return_inverse=True)
    rects, weight, start = features[used.astype(np.intp)].rectangles()
    return Cascade.of(
        features.height,
        features.width,
        rects=rects,
        rect_weight=weight,
        feature_start=start,
        node_feature=place,
        node_threshold=[node.threshold for node in nodes],
        node_low=[node.low for node in nodes],
        node_high=[node.high for node in nodes],
        stage_start=np.cumsum([0, *map(len, stages)]),
        stage_threshold=thresholds,
    )


_AT_ONCE = 64  # features whose values are held at a time


def scores_of(
    cascade: Cascade, windows: NDArray[Any], engine: Engine, first: int = 0, last: int = -1
) -> Floats:
    """The score of every stage from first to last - 1 in windows of the cascade's size."""
    last = cascade.n_stages if last < 0 else last
    scores = np.zeros((len(windows), last - first))
    if len(windows) == 0:
        return scores
    begin, end = cascade.stage_start[first], cascade.stage_start[last]
    stage = np.repeat(np.arange(cascade.n_stages), np.diff(cascade.stage_start)) - first
    used = np.unique(cascade.node_feature[begin:end])
    for part in np.array_split(used, -(-len(used) // _AT_ONCE)) if len(used) else ():
        rects, weight, start = _of_features(cascade, part)
        values = engine.vision.haar_values(windows, rects, weight, start, normalise=True)
        places = {int(f): k for k, f in enumerate(part)}
        for n in range(begin, end):
            k = places.get(int(cascade.node_feature[n]))
            if k is not None:
                above = values[:, k] > cascade.node_threshold[n]
                scores[:, stage[n]] += np.where(above, cascade.node_high[n], cascade.node_low[n])
    return scores


def _of_features(cascade: Cascade, part: NDArray[Any]) -> tuple[Any, Any, Any]:
    """Rectangles, weights and starts of some features of a cascade."""
    counts = np.diff(cascade.feature_start)[part]
    start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    rows = np.concatenate(
        [np.arange(cascade.feature_start[f], cascade.feature_start[f + 1]) for f in part]
    )
    return cascade.rects[rows], cascade.rect_weight[rows], start
