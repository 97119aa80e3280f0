"""What the boosters of any number of classes share."""

from __future__ import annotations

from typing import Any

from . import parameters
from .boosting import BoostingClassifier
from .settings import VoteSettings


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
