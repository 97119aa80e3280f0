"""What the boosters share that know an edge ahead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.hypothesis import WeakLearner
from ..base.step import step_of
from . import parameters
from .intake import Schema
from .two_classes import TwoClassBoosting
from .weak import learner_for

Floats = NDArray[np.float64]


@parameters.declared
class PromisedBoosting(TwoClassBoosting):
    """Boosts by votes of equal size a learner that promises the edge gamma in every round."""

    n_estimators: int = 101
    gamma: Any = 0.1
    resample: Any = False

    _fixed_votes = "every rule has one vote of the same size"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        self._check_gamma()

    def _check_gamma(self) -> None:
        parameters.real("gamma", self.gamma, 0.0, 0.5, strict=True)

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        """The learner; where rows are drawn for it, a rule must have the edge it promised."""
        resample = self.resample
        if self.gamma is not None and (resample is True or isinstance(resample, Mapping)):
            resample = {"gamma": float(self.gamma)} | ({} if resample is True else dict(resample))
        share = self.min_weight_fraction_leaf
        return learner_for(self.estimator, resample, self.n_estimators, seed, share, schema)

    @property
    def _odds(self) -> float:
        """As if rules were right independently of one another, each with probability 1/2 + gamma.

        A vote of 1 then speaks for its class with the odds (1/2 + gamma) to (1/2 - gamma).
        """
        return step_of(float(self.gamma))
