"""weaklearn: strong classifiers from weak rules.

Names are loaded when they are first used, so that importing the package stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Where each public name lives.
_HOMES = {
    "ADTreeClassifier": "estimators.adtree",
    "SlipperClassifier": "estimators.slipper",
    "RuleClassifier": "estimators.rule",
    "AdaBoostClassifier": "estimators.adaboost",
    "AdaBoostM1Classifier": "estimators.m1",
    "AdaBoostM2Classifier": "estimators.m2",
    "AdaBoostMHClassifier": "estimators.mh",
    "AdaBoostMOClassifier": "estimators.mo",
    "AdaBoostMRClassifier": "estimators.mr",
    "AdaBoostRegressor": "estimators.r2",
    "AdaBoostStarClassifier": "estimators.adaboost_star",
    "AdditiveBoostingClassifier": "estimators.additive",
    "AdditiveBoostingRegressor": "estimators.additive",
    "AllPairsBooster": "estimators.reduction",
    "OneVsRestBooster": "estimators.reduction",
    "Boosted": "estimators.boosted",
    "AnyBoostClassifier": "estimators.anyboost",
    "AnyBoostRegressor": "estimators.anyboost",
    "AlphaBoostClassifier": "estimators.alpha_boost",
    "ArcGVClassifier": "estimators.arc_gv",
    "BoostByMajorityClassifier": "estimators.boost_by_majority",
    "CoordinateBoostClassifier": "estimators.coordinate",
    "GammaMajorityClassifier": "estimators.gamma_majority",
    "MajorityOfThreeClassifier": "estimators.majority_of_three",
    "BrownBoostClassifier": "estimators.brownboost",
    "MadaBoostClassifier": "estimators.madaboost",
    "NormalBoostClassifier": "estimators.normalboost",
    "LPBoostClassifier": "estimators.lpboost",
    "TotalBoostClassifier": "estimators.totalboost",
    "SoftBoostClassifier": "estimators.softboost",
    "ERLPBoostClassifier": "estimators.erlpboost",
    "RealAdaBoostClassifier": "estimators.real_adaboost",
    "AdaBoostLClassifier": "estimators.adaboost_l",
    "FilterBoostClassifier": "estimators.filterboost",
    "GentleBoostClassifier": "estimators.gentle",
    "SmoothBoostClassifier": "estimators.smoothboost",
    "DecisionStumpClassifier": "estimators.stump",
    "BaggingClassifier": "estimators.bagging",
    "BaggingRegressor": "estimators.bagging",
    "RandomForestClassifier": "estimators.forest",
    "RankBoost": "estimators.rankboost",
    "BoostReranker": "estimators.reranker",
    "RandomForestRegressor": "estimators.forest",
    "DecisionTreeClassifier": "estimators.tree",
    "DecisionTreeRegressor": "estimators.tree",
    "GradientBoostingClassifier": "estimators.gradient_boosting",
    "GradientBoostingRegressor": "estimators.gradient_boosting",
    "ID3Classifier": "estimators.id3",
    "ThresholdClassifier": "estimators.threshold",
    "IntervalUnionClassifier": "estimators.interval_union",
    "ThreePieceClassifier": "estimators.three_piece",
    "RectangleClassifier": "estimators.rectangle",
    "MonomialClassifier": "estimators.bits",
    "DisjunctionClassifier": "estimators.bits",
    "CentroidClassifier": "estimators.centroid",
    "ERMClassifier": "estimators.erm",
    "Perceptron": "estimators.perceptron",
    "AveragedPerceptron": "estimators.perceptron",
    "MarginPerceptron": "estimators.perceptron",
    "SGDClassifier": "estimators.sgd",
    "KernelPerceptron": "estimators.kernel_perceptron",
    "HingeLPClassifier": "estimators.hinge_lp",
    "KernelSVMClassifier": "estimators.kernel_svm",
    "HalvingClassifier": "estimators.halving",
    "OnlineDisjunction": "estimators.online_disjunction",
    "SleepingExperts": "estimators.sleeping_experts",
    "Hedge": "estimators.hedge",
    "BoosTexterClassifier": "text.boostexter",
    "CallRouter": "text.router",
    "CascadeDetector": "vision.detector",
    "WindowClassifier": "vision.window",
    "SpamFilter": "text.spam",
    "TermVectorizer": "text.vectorizer",
    "rounds": "estimators.classroom",
    "Comparison": "show.comparison",
    "compare": "show.comparing",
    "load": "estimators.saving",
    "inspect": "estimators.saving",
    "prove": "estimators.proving",
    "verify": "estimators.verifying",
    "without_profile": "estimators.profile",
    "ModelFileError": "files",
    "Certificate": "base",
    "History": "base",
    "WeaklearnWarning": "base",
    "DataWarning": "base",
    "BoostingWarning": "base",
    "PassesWarning": "base",
    "ThreadsWarning": "base",
}
_ROOMS = (
    "base",
    "boosters",
    "callbacks",
    "cli",
    "datasets",
    "engines",
    "ensembles",
    "estimators",
    "files",
    "lab",
    "learners",
    "losses",
    "metrics",
    "online",
    "runtime",
    "show",
    "testing",
    "text",
    "theory",
    "vision",
)

if TYPE_CHECKING:
    from .base import (
        BoostingWarning,
        Certificate,
        DataWarning,
        History,
        PassesWarning,
        ThreadsWarning,
        WeaklearnWarning,
    )
    from .estimators.adaboost import AdaBoostClassifier
    from .estimators.adaboost_l import AdaBoostLClassifier
    from .estimators.adaboost_star import AdaBoostStarClassifier
    from .estimators.additive import AdditiveBoostingClassifier, AdditiveBoostingRegressor
    from .estimators.adtree import ADTreeClassifier
    from .estimators.alpha_boost import AlphaBoostClassifier
    from .estimators.anyboost import AnyBoostClassifier, AnyBoostRegressor
    from .estimators.arc_gv import ArcGVClassifier
    from .estimators.bagging import BaggingClassifier, BaggingRegressor
    from .estimators.bits import DisjunctionClassifier, MonomialClassifier
    from .estimators.boost_by_majority import BoostByMajorityClassifier
    from .estimators.boosted import Boosted
    from .estimators.brownboost import BrownBoostClassifier
    from .estimators.centroid import CentroidClassifier
    from .estimators.classroom import rounds
    from .estimators.coordinate import CoordinateBoostClassifier
    from .estimators.erlpboost import ERLPBoostClassifier
    from .estimators.erm import ERMClassifier
    from .estimators.filterboost import FilterBoostClassifier
    from .estimators.forest import RandomForestClassifier, RandomForestRegressor
    from .estimators.gamma_majority import GammaMajorityClassifier
    from .estimators.gentle import GentleBoostClassifier
    from .estimators.gradient_boosting import (
        GradientBoostingClassifier,
        GradientBoostingRegressor,
    )
    from .estimators.halving import HalvingClassifier
    from .estimators.hedge import Hedge
    from .estimators.hinge_lp import HingeLPClassifier
    from .estimators.id3 import ID3Classifier
    from .estimators.interval_union import IntervalUnionClassifier
    from .estimators.kernel_perceptron import KernelPerceptron
    from .estimators.kernel_svm import KernelSVMClassifier
    from .estimators.lpboost import LPBoostClassifier
    from .estimators.m1 import AdaBoostM1Classifier
    from .estimators.m2 import AdaBoostM2Classifier
    from .estimators.madaboost import MadaBoostClassifier
    from .estimators.majority_of_three import MajorityOfThreeClassifier
    from .estimators.mh import AdaBoostMHClassifier
    from .estimators.mo import AdaBoostMOClassifier
    from .estimators.mr import AdaBoostMRClassifier
    from .estimators.normalboost import NormalBoostClassifier
    from .estimators.online_disjunction import OnlineDisjunction
    from .estimators.perceptron import AveragedPerceptron, MarginPerceptron, Perceptron
    from .estimators.profile import without_profile
    from .estimators.proving import prove
    from .estimators.r2 import AdaBoostRegressor
    from .estimators.rankboost import RankBoost
    from .estimators.real_adaboost import RealAdaBoostClassifier
    from .estimators.rectangle import RectangleClassifier
    from .estimators.reduction import AllPairsBooster, OneVsRestBooster
    from .estimators.reranker import BoostReranker
    from .estimators.rule import RuleClassifier
    from .estimators.saving import inspect, load
    from .estimators.sgd import SGDClassifier
    from .estimators.sleeping_experts import SleepingExperts
    from .estimators.slipper import SlipperClassifier
    from .estimators.smoothboost import SmoothBoostClassifier
    from .estimators.softboost import SoftBoostClassifier
    from .estimators.stump import DecisionStumpClassifier
    from .estimators.three_piece import ThreePieceClassifier
    from .estimators.threshold import ThresholdClassifier
    from .estimators.totalboost import TotalBoostClassifier
    from .estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor
    from .estimators.verifying import verify
    from .files import ModelFileError
    from .show.comparing import compare
    from .show.comparison import Comparison
    from .text.boostexter import BoosTexterClassifier
    from .text.router import CallRouter
    from .text.spam import SpamFilter
    from .text.vectorizer import TermVectorizer
    from .vision.detector import CascadeDetector
    from .vision.window import WindowClassifier

__all__ = [
    "ADTreeClassifier",
    "AdaBoostClassifier",
    "AdaBoostLClassifier",
    "AdaBoostM1Classifier",
    "AdaBoostM2Classifier",
    "AdaBoostMHClassifier",
    "AdaBoostMOClassifier",
    "AdaBoostMRClassifier",
    "AdaBoostRegressor",
    "AdaBoostStarClassifier",
    "AdditiveBoostingClassifier",
    "AdditiveBoostingRegressor",
    "AllPairsBooster",
    "AlphaBoostClassifier",
    "AnyBoostClassifier",
    "AnyBoostRegressor",
    "ArcGVClassifier",
    "AveragedPerceptron",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoosTexterClassifier",
    "BoostByMajorityClassifier",
    "BoostReranker",
    "Boosted",
    "BoostingWarning",
    "BrownBoostClassifier",
    "CallRouter",
    "CascadeDetector",
    "CentroidClassifier",
    "Certificate",
    "Comparison",
    "CoordinateBoostClassifier",
    "DataWarning",
    "DecisionStumpClassifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "DisjunctionClassifier",
    "ERLPBoostClassifier",
    "ERMClassifier",
    "FilterBoostClassifier",
    "GammaMajorityClassifier",
    "GentleBoostClassifier",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "HalvingClassifier",
    "Hedge",
    "HingeLPClassifier",
    "History",
    "ID3Classifier",
    "IntervalUnionClassifier",
    "KernelPerceptron",
    "KernelSVMClassifier",
    "LPBoostClassifier",
    "MadaBoostClassifier",
    "MajorityOfThreeClassifier",
    "MarginPerceptron",
    "ModelFileError",
    "MonomialClassifier",
    "NormalBoostClassifier",
    "OneVsRestBooster",
    "OnlineDisjunction",
    "PassesWarning",
    "Perceptron",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RankBoost",
    "RealAdaBoostClassifier",
    "RectangleClassifier",
    "RuleClassifier",
    "SGDClassifier",
    "SleepingExperts",
    "SlipperClassifier",
    "SmoothBoostClassifier",
    "SoftBoostClassifier",
    "SpamFilter",
    "TermVectorizer",
    "ThreadsWarning",
    "ThreePieceClassifier",
    "ThresholdClassifier",
    "TotalBoostClassifier",
    "WeaklearnWarning",
    "WindowClassifier",
    "__version__",
    "compare",
    "inspect",
    "load",
    "prove",
    "rounds",
    "verify",
    "without_profile",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    elif name in _ROOMS:
        value = importlib.import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


# What a name completed at the prompt should offer: the models most people want, and the doors to
# the rest. Every public name resolves, whether it is listed here or not.
_SHOP_WINDOW = (
    "ADTreeClassifier",
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "AdditiveBoostingClassifier",
    "AdditiveBoostingRegressor",
    "DecisionStumpClassifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RankBoost",
    "SlipperClassifier",
    "__version__",
    "boosters",
    "compare",
    "datasets",
    "estimators",
    "load",
    "show",
    "theory",
)


def __dir__() -> list[str]:
    return list(_SHOP_WINDOW)
