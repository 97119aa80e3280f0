# Made from the registry by `make stub`.
from . import base as base
from . import boosters as boosters
from . import callbacks as callbacks
from . import cli as cli
from . import datasets as datasets
from . import engines as engines
from . import ensembles as ensembles
from . import estimators as estimators
from . import files as files
from . import lab as lab
from . import learners as learners
from . import losses as losses
from . import metrics as metrics
from . import online as online
from . import runtime as runtime
from . import show as show
from . import testing as testing
from . import text as text
from . import theory as theory
from . import vision as vision
from .base import (
    BoostingWarning,
    Certificate,
    DataWarning,
    History,
    InconsistentVersionWarning,
    PassesWarning,
    ThreadsWarning,
    WeaklearnWarning,
)
from .comparison.compare import compare
from .comparison.prove import prove
from .comparison.result import Comparison
from .comparison.verify import verify
from .estimators.blend.strong import StrongClassifier, StrongRegressor
from .estimators.boosting.adaboost import AdaBoostClassifier
from .estimators.boosting.adtree import ADTreeClassifier, SlipperClassifier
from .estimators.boosting.anyboost import (
    AnyBoostClassifier,
    AnyBoostRegressor,
    CoordinateBoostClassifier,
)
from .estimators.boosting.brownboost import BrownBoostClassifier, NormalBoostClassifier
from .estimators.boosting.confidence_rated import (
    AdaBoostLClassifier,
    GentleBoostClassifier,
    RealAdaBoostClassifier,
)
from .estimators.boosting.filterboost import FilterBoostClassifier
from .estimators.boosting.known_edge import (
    AlphaBoostClassifier,
    BoostByMajorityClassifier,
    GammaMajorityClassifier,
    MadaBoostClassifier,
    MajorityOfThreeClassifier,
    SmoothBoostClassifier,
)
from .estimators.boosting.multilabel import (
    AdaBoostM1Classifier,
    AdaBoostM2Classifier,
    AdaBoostMHClassifier,
    AdaBoostMOClassifier,
    AdaBoostMRClassifier,
)
from .estimators.boosting.rankboost import RankBoost
from .estimators.boosting.reduction import AllPairsBooster, Boosted, OneVsRestBooster
from .estimators.boosting.regressor import AdaBoostRegressor
from .estimators.boosting.reranker import BoostReranker
from .estimators.boosting.round_by_round import rounds
from .estimators.boosting.soft_margin import (
    AdaBoostStarClassifier,
    ArcGVClassifier,
    ERLPBoostClassifier,
    LPBoostClassifier,
    SoftBoostClassifier,
    TotalBoostClassifier,
)
from .estimators.gradient.additive import AdditiveBoostingClassifier, AdditiveBoostingRegressor
from .estimators.gradient.estimators import GradientBoostingClassifier, GradientBoostingRegressor
from .estimators.gradient.merge import merge
from .estimators.gradient.ranker import GradientBoostingRanker
from .estimators.online.disjunction import HalvingClassifier, OnlineDisjunction
from .estimators.online.hedge import Hedge
from .estimators.online.kernel_perceptron import KernelPerceptron
from .estimators.online.kernel_svm import HingeLPClassifier, KernelSVMClassifier
from .estimators.online.sgd import AveragedPerceptron, MarginPerceptron, Perceptron, SGDClassifier
from .estimators.online.sleeping_experts import SleepingExperts
from .estimators.simple.boolean import (
    DisjunctionClassifier,
    MonomialClassifier,
    RectangleClassifier,
)
from .estimators.simple.centroid import CentroidClassifier
from .estimators.simple.erm import ERMClassifier
from .estimators.simple.intervals import (
    IntervalUnionClassifier,
    ThreePieceClassifier,
    ThresholdClassifier,
)
from .estimators.trees.bagging import BaggingClassifier, BaggingRegressor
from .estimators.trees.extra_trees import ExtraTreesClassifier, ExtraTreesRegressor
from .estimators.trees.forest import RandomForestClassifier, RandomForestRegressor
from .estimators.trees.stump import DecisionStumpClassifier, RuleClassifier
from .estimators.trees.tree import DecisionTreeClassifier, DecisionTreeRegressor, ID3Classifier
from .files import ModelFileError
from .persistence.save_load import inspect, load
from .production.profile import without_profile
from .text.boostexter import BoosTexterClassifier
from .text.router import CallRouter
from .text.spam import SpamFilter
from .text.vectorizer import TermVectorizer
from .vision.detector import CascadeDetector
from .vision.window import WindowClassifier

__version__: str

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
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "FilterBoostClassifier",
    "GammaMajorityClassifier",
    "GentleBoostClassifier",
    "GradientBoostingClassifier",
    "GradientBoostingRanker",
    "GradientBoostingRegressor",
    "HalvingClassifier",
    "Hedge",
    "HingeLPClassifier",
    "History",
    "ID3Classifier",
    "InconsistentVersionWarning",
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
    "StrongClassifier",
    "StrongRegressor",
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
    "merge",
    "prove",
    "rounds",
    "verify",
    "without_profile",
]
