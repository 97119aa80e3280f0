"""Training of a cascade: each stage on the windows that the earlier ones accept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.history import History
from ..base.types import Bools, Floats, Ints
from ..engines import Engine
from .boosting import Bank, Node, booster_of, halves, scores_of, stage_of
from .cascade import Cascade
from .haar import HaarFeatures
from .mining import Backgrounds
from .scanner import raw

STAGES = "all stages were trained"
TARGET = "the overall false positive rate was reached"
DRY = "the backgrounds ran dry"
TIME = "the time was up"
OPENCV = "the cascade was read from a file of OpenCV"
NO_EDGE = "no feature told faces from other windows any more"

_FEWEST = 20  # windows without a face that a stage is trained on, at least
_LEAST_SHARE = 100  # and one in so many of those that were asked for


@dataclass(frozen=True)
class Plan:
    """The target rates of a cascade, and the limits of its size."""

    min_detection_rate: float
    max_false_positive_rate: float
    target_false_positive_rate: float
    max_stages: int
    max_stage_features: int
    n_negatives: int
    validation_fraction: float
    booster: str
    soft: bool
    max_features: int | None
    keep: int
    deadline: float
    seed: int


@dataclass
class Negatives:
    """Negative windows that the cascade so far accepts.

    ``keys`` tell where each was found (level, top, left), -1 first for those that were given;
    ``aside`` are kept for validation.
    """

    windows: NDArray[Any]
    keys: NDArray[np.int64]
    aside: Bools

    def __len__(self) -> int:
        return len(self.windows)

    def only(self, chosen: Bools) -> Negatives:
        return Negatives(self.windows[chosen], self.keys[chosen], self.aside[chosen])

    def joined(self, windows: NDArray[Any], keys: NDArray[np.int64], aside: Bools) -> Negatives:
        return Negatives(
            np.concatenate([self.windows, windows]),
            np.concatenate([self.keys, keys]),
            np.concatenate([self.aside, aside]),
        )


@dataclass
class Trainer:
    """The state of the training of a cascade; ``stage`` adds one stage."""

    plan: Plan
    features: HaarFeatures
    faces: NDArray[Any]  # to learn from
    held: NDArray[Any]  # to set thresholds by
    backgrounds: Backgrounds
    negatives: Negatives
    engine: Engine
    history: History = field(default_factory=History)
    stages: list[list[Node]] = field(default_factory=list)
    thresholds: list[float] = field(default_factory=list)
    seconds: float = 0.0  # that the latest stage took
    cut: bool = False  # whether the time was up before the latest stage was good enough

    @property
    def cascade(self) -> Cascade:
        """The cascade so far."""
        return stage_of(self.features, self.stages, self.thresholds)

    def finished(self) -> str | None:
        """The reason to stop before another stage, or None."""
        if self.cut:
            return TIME
        if len(self.stages) >= self.plan.max_stages:
            return STAGES
        if self.history and self._proven() <= self.plan.target_false_positive_rate:
            return TARGET
        return TIME if time.monotonic() >= self.plan.deadline else None

    def stage(self, watch: Callable[[int, float, float], None]) -> str | None:
        """Trains one more stage; returns the reason if it could not.

        ``watch`` is called after each feature with their number and the rates they reach.
        """
        began = time.monotonic()
        number = len(self.stages)
        cascade = self.cascade if self.stages else None
        seen, passed = self._refill(cascade, number)
        self.cut = time.monotonic() >= self.plan.deadline
        if self.cut:
            return TIME
        learnt = self.negatives.only(~self.negatives.aside).windows
        if len(learnt) < max(_FEWEST, self.plan.n_negatives // _LEAST_SHARE):
            return DRY
        scored = self._scored(cascade)
        nodes, threshold, rates = self._grown(scored, learnt, number, watch)
        if not nodes:
            return TIME if self.cut else NO_EDGE
        before = self.stages[-1] if self.plan.soft and self.stages else []
        self.stages.append([*before, *nodes])
        self.thresholds.append(threshold)
        detection, false_positive = rates
        self.history.append(
            {
                "features": len(nodes),
                "detection_rate": detection,
                "false_positive_rate": false_positive,
                "overall_detection": self._overall("detection") * detection,
                "overall_false_positive": self._overall("false_positive") * false_positive,
                "faces": len(scored.faces),
                "negatives": len(learnt),
                "judged": len(scored.others) if scored.judges else len(learnt),
                "windows_seen": seen,
                "windows_passed": passed,
            }
        )
        self.seconds = time.monotonic() - began
        return None

    def latest(self) -> str:
        """The facts of the latest stage as a line of text."""
        facts = self.history.last()
        return (
            f"stage {len(self.stages)}: {facts['features']} features, detection "
            f"{facts['detection_rate']:.4f}, false positives "
            f"{facts['false_positive_rate']:.4f} (overall {facts['overall_detection']:.4f}, "
            f"{facts['overall_false_positive']:.2e}); backgrounds: "
            f"{facts['windows_seen']:,} windows seen, {facts['windows_passed']:,} passed, "
            f"{facts['negatives']} learnt from; {self.seconds:.1f} s"
        )

    def explained(self, reason: str, max_time: float | None) -> str:
        """A reason to stop, with the remedy where there is one."""
        if reason == DRY:
            return (
                f"{reason}: in all of their {len(self.backgrounds.levels)} sizes and turns only "
                f"{len(self.negatives)} windows still pass; add photographs without faces."
            )
        if reason == TIME:
            return f"{reason} (max_time={max_time}); allow more, or take up the checkpoint."
        return reason + "."

    def _proven(self) -> float:
        """The overall false positive rate; none among n windows counts as 1 / (n + 1)."""
        rates, n = self.history["false_positive_rate"], self.history["judged"]
        return float(np.maximum(rates, 1 / (n + 1)).prod())

    def _overall(self, rate: str) -> float:
        return float(self.history.last()[f"overall_{rate}"]) if self.history else 1.0

    def _refill(self, cascade: Cascade | None, number: int) -> tuple[int, int]:
        """Replaces the negatives that the cascade now rejects by new false positives."""
        if cascade is not None and len(self.negatives):
            self.negatives = self.negatives.only(self._pass(cascade, self.negatives.windows))
        wanted = self.plan.n_negatives - len(self.negatives)
        if wanted <= 0:
            return 0, 0
        mined = self.backgrounds.mine(
            cascade, wanted, self.negatives.keys, self._scan, self.plan.deadline
        )
        windows, keys = mined.windows, mined.keys
        if cascade is not None and len(windows):  # as the stages score them
            sure = self._pass(cascade, windows)
            windows, keys = windows[sure], keys[sure]
        rng = np.random.default_rng([self.plan.seed, 19, number])
        aside = rng.random(len(windows)) < self.plan.validation_fraction
        self.negatives = self.negatives.joined(windows, keys, aside)
        return mined.seen, mined.passed

    def _scan(self, cascade: Cascade, pixels: NDArray[Any]) -> tuple[Ints, Ints]:
        """Tops and lefts of the windows of the cascade's own size that it accepts in an image."""
        size = (cascade.width, cascade.height)
        boxes, _ = raw(cascade, pixels, min_size=size, max_size=size, threads=self.engine.threads)
        return boxes[:, 1].astype(np.int64), boxes[:, 0].astype(np.int64)

    def _pass(self, cascade: Cascade, windows: NDArray[Any]) -> Bools:
        """The mask of windows that the cascade accepts, evaluated stage by stage."""
        left = np.arange(len(windows))
        for s in range(cascade.n_stages):
            scores = scores_of(cascade, windows[left], self.engine, s, s + 1)[:, 0]
            left = left[scores > cascade.stage_threshold[s]]
        found = np.zeros(len(windows), bool)
        found[left] = True
        return found

    def _scored(self, cascade: Cascade | None) -> _Scored:
        """The faces still accepted and the false positives, with scores where stages share them."""
        faces, held = self.faces, self.held
        if cascade is not None:
            faces = faces[self._pass(cascade, faces)]
            held = held[self._pass(cascade, held)]
        others = self.negatives.only(self.negatives.aside).windows
        return _Scored(faces, held, others, cascade if self.plan.soft else None, self.engine)

    def _grown(
        self,
        scored: _Scored,
        learnt: NDArray[Any],
        number: int,
        watch: Callable[[int, float, float], None],
    ) -> tuple[list[Node], float, tuple[float, float]]:
        """Adds features one at a time, until the stage reaches its target rates."""
        plan = self.plan
        chosen = self._features(number)
        y = np.repeat(np.array([1, -1], np.int8), [len(scored.faces), len(learnt)])
        windows = np.concatenate([scored.faces, learnt])
        F = scored.start(windows)
        bank = Bank(windows, self.features[chosen], self.engine)
        booster = booster_of(plan.booster, bank, y, halves(y, F, self.engine), F, plan.keep)
        others = scored.others if scored.judges else learnt
        check = Bank(np.concatenate([scored.held, others]), bank.features, self.engine)
        G = scored.start(np.concatenate([scored.held, others]))
        n_held = len(scored.held)
        needed = ceil(plan.min_detection_rate * self._overall("detection") * len(self.held) - 1e-9)
        nodes: list[Node] = []
        threshold, rates = 0.0, (1.0, 1.0)
        while len(nodes) < plan.max_stage_features:
            self.cut = time.monotonic() >= plan.deadline
            node = None if self.cut else booster.step()
            if node is None:
                break
            G = G + node.on(check.column(node.feature))
            nodes.append(Node(int(chosen[node.feature]), node.threshold, node.low, node.high))
            threshold = lowered(G[:n_held], needed)
            rates = _rate(G[:n_held], threshold), _rate(G[n_held:], threshold)
            watch(len(nodes), *rates)
            if rates[1] <= plan.max_false_positive_rate:
                break
        return nodes, threshold, rates

    def _features(self, number: int) -> NDArray[np.intp]:
        """The features that a stage may choose among."""
        most = self.plan.max_features
        if most is None or most >= len(self.features):
            return np.arange(len(self.features))
        rng = np.random.default_rng([self.plan.seed, 23, number])
        return np.sort(rng.choice(len(self.features), most, replace=False))


@dataclass(frozen=True)
class _Scored:
    """The windows of one stage; ``cascade`` where scores go on from its last stage."""

    faces: NDArray[Any]
    held: NDArray[Any]
    others: NDArray[Any]
    cascade: Cascade | None
    engine: Engine

    @property
    def judges(self) -> bool:
        """Whether there are enough validation windows for a stage."""
        return len(self.others) >= _FEWEST

    def start(self, windows: NDArray[Any]) -> Floats:
        """The scores at the start of a stage."""
        if self.cascade is None:
            return np.zeros(len(windows))
        last = self.cascade.n_stages
        return scores_of(self.cascade, windows, self.engine, last - 1, last)[:, 0]


def lowered(scores: Floats, needed: int) -> float:
    """The threshold with exactly so many scores above it, midway to the next score below.

    Where nothing lies between two scores, it is the lower one.

    >>> lowered(np.array([3.0, 1.0, 2.0, 5.0]), 3)
    1.5
    """
    if len(scores) == 0:
        return 0.0
    ranked = np.sort(scores)[::-1]
    last = ranked[min(max(needed, 1), len(ranked)) - 1]
    below = ranked[ranked < last]
    if not len(below):
        return float(last) - max(1e-6, 1e-9 * abs(float(last)))
    middle = float((last + below[0]) / 2)
    return middle if middle < last else float(below[0])


def _rate(scores: Floats, threshold: float) -> float:
    return float((scores > threshold).mean()) if len(scores) else 0.0
