"""Models fitted on all examples and fold by fold, until all are played or time is up."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.warnings import suppressed_warnings
from ...base.sample import Sample, take_rows
from ...base.types import Floats
from ...learners.foreign import labels_of
from ...prediction.blends import scores_of
from ...production.profile import without_profile
from ...production.provenance import forget_rows
from ...uncertainty.calibration import Fold, folds_of
from .candidates import finds_rounds, method_of, model_of, of_rounds
from .selection import Judge, OfClasses, OfNumbers

_MANY = 50_000  # examples beyond which one fold says as much as all
_QUICK = (1, 3, 10, 30, 100)  # rounds of the models that are played where time is limited
_AHEAD = 4  # times what the last one took must be left for the next


@dataclass(frozen=True)
class Played:
    """A model fitted on all examples, and the scores of those held out by models without them.

    ``unseen`` is None where nothing was held out.
    """

    name: str
    model: Any
    method: str
    unseen: Floats | None = None

    def scores(self, X: Any) -> Floats:
        """Scores of rows, (n, outputs)."""
        return scores_of(self.model, self.method, X)


def leave_shares(model: Any, method: str) -> None:
    """Has a forest answer with its average shares, which the blend calibrates."""
    if method == "predict_proba":
        vars(model).pop("calibration_", None)


class Clock:
    """What is left of the seconds allowed; any number where these are None."""

    def __init__(self, seconds: float | None) -> None:
        self._end = np.inf if seconds is None else time.monotonic() + seconds

    @property
    def left(self) -> float:
        return float(self._end - time.monotonic())


@dataclass(frozen=True)
class CrossFit:
    """The rows of a fit, the parameters that its models share, and the seed of its folds."""

    sample: Sample
    shared: dict[str, Any]
    seed: int
    clock: Clock

    @property
    def regression(self) -> bool:
        return self.sample.n_classes == 0

    @cached_property
    def y(self) -> NDArray[Any]:
        """Labels or numbers as the user gave them."""
        return self.sample.y if self.regression else labels_of(self.sample, self.sample.y)

    @cached_property
    def folds(self) -> Sequence[Fold]:
        """The folds; none where there is nothing to tell apart, or to hold out."""
        if self.sample.n_classes == 1:
            return []
        folds = folds_of(self.sample, self.seed)
        return folds if self.sample.m <= _MANY else folds[:1]

    def judge(self) -> Judge:
        """The truth about the examples that are held out."""
        rows = np.concatenate([fold.outside for fold in self.folds])
        kind = OfNumbers if self.regression else OfClasses
        return kind(
            self.sample.y[rows] if self.regression else self.sample.codes[rows],
            np.concatenate([fold.copies for fold in self.folds]),
            np.concatenate([fold.importance for fold in self.folds]),
            np.repeat(np.arange(len(self.folds)), [len(fold.outside) for fold in self.folds]),
        )

    def play(self, name: str) -> Played | None:
        """A model on all examples and one on those of each fold; None where time is up before."""
        sample, raw = self.sample, self.sample.raw
        played = self.play_once(name)
        unseen = []
        for fold in self.folds:
            if self.clock.left <= 0:
                return None
            part = self._unfitted(name)
            if finds_rounds(name):
                of_rounds(part, played.model, sample)
            with suppressed_warnings(), without_profile(rows=False):
                part.fit(take_rows(raw, fold.inside), self.y[fold.inside], fold.weights)
                leave_shares(part, played.method)
                X = take_rows(raw, fold.outside)
                unseen.append(scores_of(part, played.method, X))
        return Played(name, played.model, played.method, np.concatenate(unseen) if unseen else None)

    def play_once(self, name: str) -> Played:
        """A model on all examples."""
        model = self._unfitted(name)
        with suppressed_warnings(), without_profile(rows=False):
            model.fit(self.sample.raw, self.y, self.sample.weights)
        forget_rows(model)
        method = method_of(name, self.regression)
        leave_shares(model, method)
        return Played(name, model, method)

    def play_quickly(self) -> Played:
        """A small model, of as many rounds as the time left is sure to allow."""
        for rounds in _QUICK:
            before = self.clock.left
            played = self.play_once(f"gradient {rounds}")
            if self.clock.left < _AHEAD * (before - self.clock.left):
                break
        return played

    def _unfitted(self, name: str) -> Any:
        return model_of(name, self.regression, self.shared)
