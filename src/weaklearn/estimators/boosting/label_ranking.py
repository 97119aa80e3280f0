"""What ranks the labels of a row by a sum, and where it may have several cuts the list."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.booster import State
from ...base.sample import Sample
from ...base.types import Floats
from ...intake import parameters
from ...intake.multilabel import Signs
from ..fit import Game
from .base import Score
from .label_boosting import LabelBoosting


@parameters.declared
class LabelRanking(LabelBoosting):
    """Labels of a row above those that it has not; ``_ranks`` may leave that to the parameters."""

    _takes_several: ClassVar[bool] = True

    @property
    def _ranks(self) -> bool:
        return True

    def _check_game(self, sample: Sample) -> None:
        super()._check_game(sample)
        if self._ranks and sample.several and not _some_pairs(sample.y):
            raise ValueError(
                "y gives every row all labels or none, so that there is nothing to rank: pass rows "
                "that have some labels and lack others."
            )

    def _label_score(self, signs: Signs, weights: Floats | None) -> Score:
        if not self._ranks:
            return super()._label_score(signs, weights)
        has, lacks = signs > 0, signs < 0
        pairs = has.sum(axis=1) * lacks.sum(axis=1)

        def score(F: Floats, state: State) -> float:
            right = np.zeros(len(F))
            for own, column in zip(has.T, F.T, strict=True):
                right += own * ((F < column[:, None]) & lacks).sum(axis=1)
            return float(np.average(right / np.maximum(pairs, 1), weights=weights))

        return score

    # ------------------------------------------------------------------------------- several labels

    def _finished(self, game: Game) -> Self:
        sample = game.prepared.sample
        self.__dict__.pop("_cut", None)
        if self._ranks and sample.several:
            times = None if sample.copies is None else sample.copies
            self._cut = best_cut(self.ensemble_(sample), sample.y, times)
        return super()._finished(game)


def best_cut(F: Floats, signs: Signs, copies: NDArray[np.int64] | None) -> float:
    """The threshold above which scores get most labels right; the lowest of equals.

    >>> best_cut(np.array([[0.5, 2.0, 3.0]]), np.array([[-1, -1, 1]], np.int8), None)
    2.5
    """
    times = np.ones(len(F), np.int64) if copies is None else copies
    values, place = np.unique(F, return_inverse=True)
    gained = np.zeros(len(values), np.int64)  # rights less wrongs, for a cut just above each value
    np.add.at(gained, place.ravel(), (-signs.astype(np.int64) * times[:, None]).ravel())
    best = int(np.argmax(np.concatenate([[0], np.cumsum(gained)])))
    ends = np.concatenate([[values[0] - 1], (values[1:] + values[:-1]) / 2, [values[-1] + 1]])
    return float(ends[best])


def _some_pairs(signs: Signs) -> bool:
    own = (signs > 0).sum(axis=1)
    return bool(((own > 0) & (own < signs.shape[1])).any())
