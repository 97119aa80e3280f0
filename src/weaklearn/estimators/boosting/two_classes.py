"""Games of two classes that one model each decides."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ... import boosters
from ...base.booster import Booster
from ...base.hypothesis import WeakLearner
from ...base.sample import Sample
from ...intake import parameters
from .classifier import BoostingClassifier
from .settings import VoteSettings

Floats = NDArray[np.float64]


@parameters.declared
class AnyClassBoosting(VoteSettings, BoostingClassifier):
    """Boosts any number of classes by the one game that a subclass names."""

    learning_rate: float = 1.0
    on_perfect: str = "stop"
    resample: Any = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("on_perfect", self.on_perfect, ["stop", "smooth"])
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)


@parameters.declared
class TwoClassBoosting(VoteSettings, BoostingClassifier):
    """Boosts two classes by the game that a subclass names; more classes by several such games."""

    learning_rate: float = 1.0
    multiclass: str = "ovr"

    # How more than two classes may be boosted.
    _multiclass: ClassVar[Sequence[str]] = ("ovr", "pairs")
    # Why votes are not to be shrunk, where the booster's definition fixes them.
    _fixed_votes = ""

    @abstractmethod
    def _game_of_two(self, sample: Sample) -> Booster:
        """The booster, for two classes."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("multiclass", self.multiclass, self._multiclass)
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
        if self._fixed_votes and self.learning_rate != 1:
            raise ValueError(
                f"learning_rate={self.learning_rate!r} is not allowed: {self._fixed_votes}; it "
                "must be 1."
            )

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        booster = self._game_of_two(sample)
        return booster if sample.binary else self._game_of_many(sample, learner, booster)

    def _game_of_many(self, sample: Sample, learner: WeakLearner, two: Booster) -> Booster:
        """The booster for more classes, out of games of two."""
        panel = boosters.AllPairs if self.multiclass == "pairs" else boosters.OneVsRest
        return panel(two, learner)
