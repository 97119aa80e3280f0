"""Everything that can be chosen in the lab: closed tables, and ranges of numbers.

A request names rows of these tables. Nothing that comes from a page is ever a name of a class, a
path or an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import log
from typing import Any

from ..estimators.boosting.adaboost import AdaBoostClassifier
from ..estimators.boosting.adaboost_l import AdaBoostLClassifier
from ..estimators.boosting.brownboost import BrownBoostClassifier, NormalBoostClassifier
from ..estimators.boosting.confidence_rated import GentleBoostClassifier, RealAdaBoostClassifier
from ..estimators.boosting.known_edge import BoostByMajorityClassifier
from ..estimators.boosting.margin import AdaBoostStarClassifier, ArcGVClassifier
from ..estimators.boosting.round_by_round import WatchedRound
from ..estimators.boosting.smooth import MadaBoostClassifier, SmoothBoostClassifier
from ..estimators.boosting.soft_margin import (
    ERLPBoostClassifier,
    LPBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
)
from ..estimators.trees.tree import DecisionTreeClassifier

Bound = Callable[[WatchedRound], float]


@dataclass(frozen=True)
class Range:
    """The range of a number in a request."""

    least: float
    most: float
    first: float  # the page's default
    whole: bool = True


@dataclass(frozen=True)
class Knob:
    """A parameter of a booster that the page offers; ``first`` is its default.

    None is a default that the booster finds from the data.
    """

    name: str
    label: str
    least: float
    most: float
    first: float | None


@dataclass(frozen=True)
class Booster:
    """A booster that the page offers.

    ``bound`` is the bound on the training error after a round, where a theorem gives one.
    """

    name: str
    form: type[Any]
    summary: str
    bound: Bound | None = None
    knobs: tuple[Knob, ...] = ()

    def title(self, parameters: Mapping[str, float]) -> str:
        """Its name with the parameters that are not its defaults.

        >>> BOOSTERS["majority"].title({"gamma": 0.2})
        'Boost-by-majority, edge γ 0.2'
        """
        given = [knob for knob in self.knobs if knob.name in parameters]
        return ", ".join([self.name, *(f"{k.label} {parameters[k.name]:g}" for k in given)])


def _exponential(r: WatchedRound) -> float:
    """The product of all Z, which is the mean of exp(-yF)."""
    return r.bound


def _logistic(r: WatchedRound) -> float:
    """The mean of log2(1 + exp(-yF)): at least 1 where the vote is wrong."""
    return r.facts["loss"] / (len(r.F) * log(2))


def _capped(r: WatchedRound) -> float:
    """The mean of min(1, exp(-yF)): 1 where the vote is wrong."""
    return r.facts["potential"]


_RATE = (Knob("learning_rate", "learning rate", 0.05, 2.0, 1.0),)
_CAP = (Knob("nu", "share ν given up", 0.01, 1.0, None),)

BOOSTERS = {
    "adaboost": Booster(
        "AdaBoost",
        AdaBoostClassifier,
        "points in error gain weight, each rule votes by its error",
        _exponential,
        _RATE,
    ),
    "real-adaboost": Booster(
        "Real AdaBoost",
        RealAdaBoostClassifier,
        "rules answer with their confidence",
        _exponential,
        _RATE,
    ),
    "gentleboost": Booster(
        "GentleBoost",
        GentleBoostClassifier,
        "confidences limited to -1 to +1",
        _exponential,
        _RATE,
    ),
    "adaboost-l": Booster(
        "AdaBoost.L",
        AdaBoostLClassifier,
        "logistic loss: no point's weight exceeds 1",
        _logistic,
        _RATE,
    ),
    "madaboost": Booster(
        "MadaBoost", MadaBoostClassifier, "no point weighs more than at the start", _capped, _RATE
    ),
    "smoothboost": Booster(
        "SmoothBoost",
        SmoothBoostClassifier,
        "weights stay smooth under malicious noise",
        knobs=(
            Knob("kappa", "error κ aimed at", 0.01, 0.5, 0.05),
            Knob("gamma", "edge γ", 0.01, 0.45, 0.03),
        ),
    ),
    "brownboost": Booster(
        "BrownBoost",
        BrownBoostClassifier,
        "gives up on points that stay wrong; has a clock",
        knobs=(Knob("epsilon", "error ε aimed at", 0.001, 0.9, None),),
    ),
    "normalboost": Booster(
        "NormalBoost",
        NormalBoostClassifier,
        "gives up on points, aims at a margin; has a clock",
        knobs=(
            Knob("epsilon", "share ε given up", 0.001, 0.49, None),
            Knob("theta", "margin θ", 0.0, 2.0, 0.0),
            Knob("sigma_f", "width σ", 0.01, 2.0, 0.1),
        ),
    ),
    "majority": Booster(
        "Boost-by-majority",
        BoostByMajorityClassifier,
        "a fixed number of rounds, all votes equal",
        knobs=(Knob("gamma", "edge γ", 0.01, 0.45, 0.1),),
    ),
    "arc-gv": Booster(
        "arc-gv", ArcGVClassifier, "maximises the smallest margin", _exponential, _RATE
    ),
    "adaboost-star": Booster(
        "AdaBoost*",
        AdaBoostStarClassifier,
        "maximises the smallest margin up to ν, with a guarantee",
        _exponential,
        (Knob("nu", "margin lost ν", 0.01, 1.0, 0.1),),
    ),
    "lpboost": Booster(
        "LPBoost",
        LPBoostClassifier,
        "a linear program: all votes are recomputed in every round",
        knobs=_CAP,
    ),
    "totalboost": Booster(
        "TotalBoost",
        TotalBoostClassifier,
        "totally corrective: all past rules lose their edge",
        knobs=(Knob("nu", "margin lost ν", 0.01, 1.0, 0.01),),
    ),
    "softboost": Booster(
        "SoftBoost", SoftBoostClassifier, "TotalBoost with weights capped", knobs=_CAP
    ),
    "erlpboost": Booster(
        "ERLPBoost",
        ERLPBoostClassifier,
        "LPBoost with an entropy term that stabilises its weights",
        knobs=_CAP,
    ),
}


@dataclass(frozen=True)
class Learner:
    """A weak learner that the page offers, with its Python code; a stump is every default."""

    name: str
    depth: int

    def estimator(self) -> Any:
        return None if self.depth == 1 else DecisionTreeClassifier(max_depth=self.depth)

    @property
    def code(self) -> str:
        return "" if self.depth == 1 else f"wl.DecisionTreeClassifier(max_depth={self.depth})"


LEARNERS = {
    "stump": Learner("stump (one test)", 1),
    "tree-2": Learner("tree of depth 2", 2),
    "tree-3": Learner("tree of depth 3", 3),
}

MOST_POINTS = 500
SPAN = 10.0  # the user's points lie between 0 and this

RANGES = {
    "n": Range(10, MOST_POINTS, 120),
    "noise": Range(0.0, 0.4, 0.0, whole=False),
    "seed": Range(0, 9999, 0),
    "rounds": Range(1, 200, 40),
}
