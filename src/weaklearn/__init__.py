"""weaklearn: strong classifiers from weak rules.

Names are loaded when they are first used, so that importing the package stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Where each public name lives.
_HOMES = {
    "ADTreeClassifier": "estimators.boosting.adtree",
    "SlipperClassifier": "estimators.boosting.slipper",
    "RuleClassifier": "estimators.trees.rule",
    "AdaBoostClassifier": "estimators.boosting.adaboost",
    "AdaBoostM1Classifier": "estimators.boosting.multiclass",
    "AdaBoostM2Classifier": "estimators.boosting.multiclass",
    "AdaBoostMHClassifier": "estimators.boosting.multilabel",
    "AdaBoostMOClassifier": "estimators.boosting.multilabel",
    "AdaBoostMRClassifier": "estimators.boosting.multilabel",
    "AdaBoostRegressor": "estimators.boosting.adaboost_r2",
    "AdaBoostStarClassifier": "estimators.boosting.margin",
    "AdditiveBoostingClassifier": "estimators.gradient.additive",
    "AdditiveBoostingRegressor": "estimators.gradient.additive",
    "AllPairsBooster": "estimators.boosting.reduction",
    "OneVsRestBooster": "estimators.boosting.reduction",
    "Boosted": "estimators.boosting.boosted",
    "AnyBoostClassifier": "estimators.boosting.anyboost",
    "AnyBoostRegressor": "estimators.boosting.anyboost",
    "AlphaBoostClassifier": "estimators.boosting.known_edge",
    "ArcGVClassifier": "estimators.boosting.margin",
    "BoostByMajorityClassifier": "estimators.boosting.known_edge",
    "CoordinateBoostClassifier": "estimators.boosting.coordinate",
    "GammaMajorityClassifier": "estimators.boosting.known_edge",
    "MajorityOfThreeClassifier": "estimators.boosting.known_edge",
    "BrownBoostClassifier": "estimators.boosting.brownboost",
    "MadaBoostClassifier": "estimators.boosting.smooth",
    "NormalBoostClassifier": "estimators.boosting.brownboost",
    "LPBoostClassifier": "estimators.boosting.soft_margin",
    "TotalBoostClassifier": "estimators.boosting.soft_margin",
    "SoftBoostClassifier": "estimators.boosting.soft_margin",
    "ERLPBoostClassifier": "estimators.boosting.soft_margin",
    "RealAdaBoostClassifier": "estimators.boosting.confidence_rated",
    "AdaBoostLClassifier": "estimators.boosting.adaboost_l",
    "FilterBoostClassifier": "estimators.boosting.filterboost",
    "GentleBoostClassifier": "estimators.boosting.confidence_rated",
    "SmoothBoostClassifier": "estimators.boosting.smooth",
    "DecisionStumpClassifier": "estimators.trees.stump",
    "BaggingClassifier": "estimators.trees.bagging",
    "BaggingRegressor": "estimators.trees.bagging",
    "RandomForestClassifier": "estimators.trees.forest",
    "RankBoost": "estimators.boosting.rankboost",
    "BoostReranker": "estimators.boosting.reranker",
    "RandomForestRegressor": "estimators.trees.forest",
    "DecisionTreeClassifier": "estimators.trees.tree",
    "DecisionTreeRegressor": "estimators.trees.tree",
    "GradientBoostingClassifier": "estimators.gradient.estimators",
    "GradientBoostingRegressor": "estimators.gradient.estimators",
    "ID3Classifier": "estimators.trees.id3",
    "ThresholdClassifier": "estimators.simple.threshold",
    "IntervalUnionClassifier": "estimators.simple.intervals",
    "ThreePieceClassifier": "estimators.simple.intervals",
    "RectangleClassifier": "estimators.simple.rectangle",
    "MonomialClassifier": "estimators.simple.boolean",
    "DisjunctionClassifier": "estimators.simple.boolean",
    "CentroidClassifier": "estimators.simple.centroid",
    "ERMClassifier": "estimators.simple.erm",
    "Perceptron": "estimators.online.perceptron",
    "AveragedPerceptron": "estimators.online.perceptron",
    "MarginPerceptron": "estimators.online.perceptron",
    "SGDClassifier": "estimators.online.sgd",
    "KernelPerceptron": "estimators.online.kernel_perceptron",
    "HingeLPClassifier": "estimators.online.hinge_lp",
    "KernelSVMClassifier": "estimators.online.kernel_svm",
    "HalvingClassifier": "estimators.online.halving",
    "OnlineDisjunction": "estimators.online.disjunction",
    "SleepingExperts": "estimators.online.sleeping_experts",
    "Hedge": "estimators.online.hedge",
    "BoosTexterClassifier": "text.boostexter",
    "CallRouter": "text.router",
    "CascadeDetector": "vision.detector",
    "WindowClassifier": "vision.window",
    "SpamFilter": "text.spam",
    "TermVectorizer": "text.vectorizer",
    "rounds": "estimators.boosting.round_by_round",
    "Comparison": "comparison.result",
    "compare": "comparison.compare",
    "load": "persistence.save_load",
    "inspect": "persistence.save_load",
    "prove": "comparison.prove",
    "verify": "comparison.verify",
    "without_profile": "production.profile",
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
    from .comparison.compare import compare
    from .comparison.prove import prove
    from .comparison.result import Comparison
    from .comparison.verify import verify
    from .estimators.boosting.adaboost import AdaBoostClassifier
    from .estimators.boosting.adaboost_l import AdaBoostLClassifier
    from .estimators.boosting.adaboost_r2 import AdaBoostRegressor
    from .estimators.boosting.adtree import ADTreeClassifier
    from .estimators.boosting.anyboost import AnyBoostClassifier, AnyBoostRegressor
    from .estimators.boosting.boosted import Boosted
    from .estimators.boosting.brownboost import BrownBoostClassifier, NormalBoostClassifier
    from .estimators.boosting.confidence_rated import GentleBoostClassifier, RealAdaBoostClassifier
    from .estimators.boosting.coordinate import CoordinateBoostClassifier
    from .estimators.boosting.filterboost import FilterBoostClassifier
    from .estimators.boosting.known_edge import (
        AlphaBoostClassifier,
        BoostByMajorityClassifier,
        GammaMajorityClassifier,
        MajorityOfThreeClassifier,
    )
    from .estimators.boosting.margin import AdaBoostStarClassifier, ArcGVClassifier
    from .estimators.boosting.multiclass import AdaBoostM1Classifier, AdaBoostM2Classifier
    from .estimators.boosting.multilabel import (
        AdaBoostMHClassifier,
        AdaBoostMOClassifier,
        AdaBoostMRClassifier,
    )
    from .estimators.boosting.rankboost import RankBoost
    from .estimators.boosting.reduction import AllPairsBooster, OneVsRestBooster
    from .estimators.boosting.reranker import BoostReranker
    from .estimators.boosting.round_by_round import rounds
    from .estimators.boosting.slipper import SlipperClassifier
    from .estimators.boosting.smooth import MadaBoostClassifier, SmoothBoostClassifier
    from .estimators.boosting.soft_margin import (
        ERLPBoostClassifier,
        LPBoostClassifier,
        SoftBoostClassifier,
        TotalBoostClassifier,
    )
    from .estimators.gradient.additive import AdditiveBoostingClassifier, AdditiveBoostingRegressor
    from .estimators.gradient.estimators import (
        GradientBoostingClassifier,
        GradientBoostingRegressor,
    )
    from .estimators.online.disjunction import OnlineDisjunction
    from .estimators.online.halving import HalvingClassifier
    from .estimators.online.hedge import Hedge
    from .estimators.online.hinge_lp import HingeLPClassifier
    from .estimators.online.kernel_perceptron import KernelPerceptron
    from .estimators.online.kernel_svm import KernelSVMClassifier
    from .estimators.online.perceptron import AveragedPerceptron, MarginPerceptron, Perceptron
    from .estimators.online.sgd import SGDClassifier
    from .estimators.online.sleeping_experts import SleepingExperts
    from .estimators.simple.boolean import DisjunctionClassifier, MonomialClassifier
    from .estimators.simple.centroid import CentroidClassifier
    from .estimators.simple.erm import ERMClassifier
    from .estimators.simple.intervals import IntervalUnionClassifier, ThreePieceClassifier
    from .estimators.simple.rectangle import RectangleClassifier
    from .estimators.simple.threshold import ThresholdClassifier
    from .estimators.trees.bagging import BaggingClassifier, BaggingRegressor
    from .estimators.trees.forest import RandomForestClassifier, RandomForestRegressor
    from .estimators.trees.id3 import ID3Classifier
    from .estimators.trees.rule import RuleClassifier
    from .estimators.trees.stump import DecisionStumpClassifier
    from .estimators.trees.tree import DecisionTreeClassifier, DecisionTreeRegressor
    from .files import ModelFileError
    from .persistence.save_load import inspect, load
    from .production.profile import without_profile
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
