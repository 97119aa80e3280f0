"""Everything that can be chosen in the lab: closed tables, and ranges of numbers.

A request names rows of these tables. Nothing that comes from a page is ever a name of a class, a
path or an expression.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from typing import Any

from ..estimators.adaboost import AdaBoostClassifier
from ..estimators.adaboost_l import AdaBoostLClassifier
from ..estimators.adaboost_star import AdaBoostStarClassifier
from ..estimators.arc_gv import ArcGVClassifier
from ..estimators.boost_by_majority import BoostByMajorityClassifier
from ..estimators.brownboost import BrownBoostClassifier
from ..estimators.classroom import WatchedRound
from ..estimators.erlpboost import ERLPBoostClassifier
from ..estimators.gentle import GentleBoostClassifier
from ..estimators.lpboost import LPBoostClassifier
from ..estimators.madaboost import MadaBoostClassifier
from ..estimators.normalboost import NormalBoostClassifier
from ..estimators.real_adaboost import RealAdaBoostClassifier
from ..estimators.smoothboost import SmoothBoostClassifier
from ..estimators.softboost import SoftBoostClassifier
from ..estimators.totalboost import TotalBoostClassifier
from ..estimators.tree import DecisionTreeClassifier

Bound = Callable[[WatchedRound], float]


@dataclass(frozen=True)
class Range:
    """The numbers that one field may hold."""

    least: float
    most: float
    first: float  # what a page begins with
    whole: bool = True


@dataclass(frozen=True)
class Booster:
    """A booster on offer. ``bound``: on the error of the vote, where a theorem gives one."""

    name: str
    form: type[Any]
    said: str
    bound: Bound | None = None


def _exponential(r: WatchedRound) -> float:
    """The product of all Z, which is the mean of exp(-yF)."""
    return r.bound


def _logistic(r: WatchedRound) -> float:
    """The mean of log2(1 + exp(-yF)): at least 1 where the vote is wrong."""
    return r.facts["loss"] / (len(r.F) * log(2))


def _capped(r: WatchedRound) -> float:
    """The mean of min(1, exp(-yF)): 1 where the vote is wrong."""
    return r.facts["potential"]


BOOSTERS = {
    "adaboost": Booster(
        "AdaBoost",
        AdaBoostClassifier,
        "wrong points grow, each rule votes by its error",
        _exponential,
    ),
    "real-adaboost": Booster(
        "Real AdaBoost",
        RealAdaBoostClassifier,
        "rules answer with their confidence",
        _exponential,
    ),
    "gentleboost": Booster(
        "GentleBoost",
        GentleBoostClassifier,
        "confidences held back between -1 and +1",
        _exponential,
    ),
    "adaboost-l": Booster(
        "AdaBoost.L",
        AdaBoostLClassifier,
        "logistic loss: no point's weight exceeds 1",
        _logistic,
    ),
    "madaboost": Booster(
        "MadaBoost", MadaBoostClassifier, "no point weighs more than at the start", _capped
    ),
    "smoothboost": Booster(
        "SmoothBoost", SmoothBoostClassifier, "weights stay smooth under malicious noise"
    ),
    "brownboost": Booster(
        "BrownBoost", BrownBoostClassifier, "gives up on points that stay wrong; has a clock"
    ),
    "normalboost": Booster(
        "NormalBoost", NormalBoostClassifier, "gives up on points, aims at a margin; has a clock"
    ),
    "majority": Booster(
        "Boost-by-majority", BoostByMajorityClassifier, "plays for a fixed number of equal votes"
    ),
    "arc-gv": Booster("arc-gv", ArcGVClassifier, "aims at the largest least margin", _exponential),
    "adaboost-star": Booster(
        "AdaBoost*",
        AdaBoostStarClassifier,
        "aims at the largest least margin, within a promise",
        _exponential,
    ),
    "lpboost": Booster(
        "LPBoost", LPBoostClassifier, "a linear program: all votes found anew in every round"
    ),
    "totalboost": Booster(
        "TotalBoost", TotalBoostClassifier, "totally corrective: all past rules lose their edge"
    ),
    "softboost": Booster("SoftBoost", SoftBoostClassifier, "the same with weights capped"),
    "erlpboost": Booster(
        "ERLPBoost", ERLPBoostClassifier, "LPBoost with an entropy that steadies its weights"
    ),
}


@dataclass(frozen=True)
class Learner:
    """A weak learner on offer, and how Python spells it; a stump is every booster's own choice."""

    name: str
    depth: int

    def estimator(self) -> Any:
        return None if self.depth == 1 else DecisionTreeClassifier(max_depth=self.depth)

    @property
    def spelt(self) -> str:
        return "" if self.depth == 1 else f"wl.DecisionTreeClassifier(max_depth={self.depth})"


LEARNERS = {
    "stump": Learner("stump: one test", 1),
    "tree-2": Learner("tree of depth 2", 2),
    "tree-3": Learner("tree of depth 3", 3),
}

MOST_POINTS = 500
SPAN = 10.0  # points of one's own lie between 0 and this

RANGES = {
    "n": Range(10, MOST_POINTS, 120),
    "noise": Range(0.0, 0.4, 0.0, whole=False),
    "seed": Range(0, 9999, 0),
    "rounds": Range(1, 200, 40),
}
