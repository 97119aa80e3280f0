"""Games of two classes that one model each decides."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..base.booster import Booster
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters.once import Once
from ..learners.whole_model import WholeModelLearner
from . import parameters
from .intake import Schema
from .two_classes import TwoClassBoosting

Floats = NDArray[np.float64]


@parameters.declared
class WholeModels(TwoClassBoosting):
    """A copy of ``estimator``, any classifier with scores, for each game; scores are log-odds."""

    n_estimators: int = 1

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        return WholeModelLearner(self.estimator)

    def _game_of_two(self, sample: Sample) -> Booster:
        return Once()

    @property
    def _odds(self) -> float:
        return 0.5  # scores are whole log-odds
