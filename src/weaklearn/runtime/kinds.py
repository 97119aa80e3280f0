"""The closed table of estimators in model files, and what the runtime makes of each."""

from __future__ import annotations

from dataclasses import dataclass

from .bags import BagClassifier, BagRegressor
from .linear import HalfspaceClassifier, LinearClassifier
from .model import Model
from .rules import RuleClassifier, StumpClassifier, ThresholdClassifier
from .trees import (
    ForestClassifier,
    ForestRegressor,
    SumClassifier,
    SumRegressor,
    TreeClassifier,
    TreeRegressor,
)
from .votes import AnyVoteClassifier, AnyVoteRegressor, Ranker, VoteClassifier, VoteRegressor


@dataclass(frozen=True)
class Kind:
    """The name of an estimator, and the model that answers for it; None where there is none."""

    name: str
    form: type[Model] | None = None


_VOTES = {
    100: "AdaBoostClassifier",
    106: "RealAdaBoostClassifier",
    118: "MadaBoostClassifier",
    120: "GammaMajorityClassifier",
    121: "AlphaBoostClassifier",
    122: "BoostByMajorityClassifier",
    123: "MajorityOfThreeClassifier",
    125: "AdaBoostStarClassifier",
    126: "ArcGVClassifier",
    127: "LPBoostClassifier",
    128: "TotalBoostClassifier",
    129: "SoftBoostClassifier",
    130: "ERLPBoostClassifier",
    131: "CoordinateBoostClassifier",
    132: "BrownBoostClassifier",
    133: "NormalBoostClassifier",
    134: "SmoothBoostClassifier",
    135: "GentleBoostClassifier",
    136: "AdaBoostLClassifier",
    137: "FilterBoostClassifier",
    138: "AdaBoostM1Classifier",
    139: "AdaBoostM2Classifier",
    140: "AdaBoostMHClassifier",
    141: "AdaBoostMOClassifier",
    142: "AdaBoostMRClassifier",
    145: "ADTreeClassifier",
    146: "SlipperClassifier",
}
_OTHERS = {
    101: Kind("DecisionStumpClassifier", StumpClassifier),
    102: Kind("ThresholdClassifier", ThresholdClassifier),
    103: Kind("AnyBoostClassifier", AnyVoteClassifier),
    104: Kind("AnyBoostRegressor", AnyVoteRegressor),
    105: Kind("AdaBoostRegressor", VoteRegressor),
    107: Kind("DecisionTreeClassifier", TreeClassifier),
    108: Kind("DecisionTreeRegressor", TreeRegressor),
    109: Kind("ID3Classifier", TreeClassifier),
    110: Kind("GradientBoostingClassifier", SumClassifier),
    111: Kind("GradientBoostingRegressor", SumRegressor),
    112: Kind("RandomForestClassifier", ForestClassifier),
    113: Kind("RandomForestRegressor", ForestRegressor),
    114: Kind("BaggingClassifier", BagClassifier),
    115: Kind("BaggingRegressor", BagRegressor),
    116: Kind("AdditiveBoostingClassifier", SumClassifier),
    117: Kind("AdditiveBoostingRegressor", SumRegressor),
    147: Kind("RuleClassifier", RuleClassifier),
    148: Kind("RankBoost", Ranker),
    150: Kind("Perceptron", LinearClassifier),
    151: Kind("AveragedPerceptron", LinearClassifier),
    152: Kind("MarginPerceptron", LinearClassifier),
    153: Kind("SGDClassifier", LinearClassifier),
    155: Kind("HingeLPClassifier", HalfspaceClassifier),
}
AROUND = {143: "OneVsRestBooster", 144: "AllPairsBooster"}  # models around another
_UNKNOWN = {
    149: "BoostReranker",
    154: "KernelPerceptron",
    156: "KernelSVMClassifier",
    157: "HalvingClassifier",
    158: "OnlineDisjunction",
    159: "SleepingExperts",
    160: "Hedge",
    161: "IntervalUnionClassifier",
    162: "ThreePieceClassifier",
    163: "RectangleClassifier",
    164: "MonomialClassifier",
    165: "DisjunctionClassifier",
    166: "CentroidClassifier",
    167: "ERMClassifier",
    170: "WindowClassifier",
    171: "CascadeDetector",
    172: "BoosTexterClassifier",
    173: "SpamFilter",
    174: "CallRouter",
    175: "TermVectorizer",
}
KINDS: dict[int, Kind] = {
    **{number: Kind(name, VoteClassifier) for number, name in _VOTES.items()},
    **_OTHERS,
    **{number: Kind(name) for number, name in (AROUND | _UNKNOWN).items()},
}
FORMS = {kind.name: kind.form for kind in KINDS.values()}
