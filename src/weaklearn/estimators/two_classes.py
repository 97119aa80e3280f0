"""What the boosters of two classes share, and how they take on more."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import field
from typing import Any

from ..base.booster import Booster
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters import OneVsRest
from . import parameters
from .boosting import BoostingClassifier


@parameters.declared
class TwoClassBoosting(BoostingClassifier):
    """Boosts two classes by the game that a subclass names; more classes one against the rest."""

    estimator: Any = field(default=None, kw_only=False)
    n_estimators: int = 100
    learning_rate: float = 1.0
    multiclass: str = "ovr"
    min_weight_fraction_leaf: float = 0.0
    class_weight: Any = None
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 10
    tol: float = 0.0
    scoring: Any = None
    warm_start: bool = False
    callbacks: Any = None
    calibrate: str | None = None
    unseen: str = "missing"
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    # Why votes are not to be shrunk, where the booster's definition fixes them.
    _fixed_votes = ""

    @abstractmethod
    def _game_of_two(self, sample: Sample) -> Booster:
        """The booster, for two classes."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("multiclass", self.multiclass, ["ovr"])
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
        if self._fixed_votes and self.learning_rate != 1:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} is not allowed: {self._fixed_votes}; it "
                "must be 1."
            )

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        booster = self._game_of_two(sample)
        return booster if sample.binary else OneVsRest(booster, learner)
