"""The closed table of estimators in model files, and what the runtime makes of each."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .model import Model


class Kind(NamedTuple):
    """The name of an estimator, and where the model is that answers for it; None: nowhere."""

    name: str
    home: str | None = None

    @property
    def form(self) -> type[Model]:
        """The model, imported when a file first holds one."""
        assert self.home is not None
        module, _, name = self.home.partition(".")
        found: type[Model] = getattr(import_module(f".{module}", __package__), name)
        return found


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
    101: Kind("DecisionStumpClassifier", "rules.StumpClassifier"),
    102: Kind("ThresholdClassifier", "rules.ThresholdClassifier"),
    103: Kind("AnyBoostClassifier", "votes.AnyVoteClassifier"),
    104: Kind("AnyBoostRegressor", "votes.AnyVoteRegressor"),
    105: Kind("AdaBoostRegressor", "votes.VoteRegressor"),
    107: Kind("DecisionTreeClassifier", "trees.TreeClassifier"),
    108: Kind("DecisionTreeRegressor", "trees.TreeRegressor"),
    109: Kind("ID3Classifier", "trees.TreeClassifier"),
    110: Kind("GradientBoostingClassifier", "trees.SumClassifier"),
    111: Kind("GradientBoostingRegressor", "trees.SumRegressor"),
    112: Kind("RandomForestClassifier", "trees.ForestClassifier"),
    113: Kind("RandomForestRegressor", "trees.ForestRegressor"),
    114: Kind("BaggingClassifier", "bags.BagClassifier"),
    115: Kind("BaggingRegressor", "bags.BagRegressor"),
    116: Kind("AdditiveBoostingClassifier", "trees.SumClassifier"),
    117: Kind("AdditiveBoostingRegressor", "trees.SumRegressor"),
    147: Kind("RuleClassifier", "rules.RuleClassifier"),
    148: Kind("RankBoost", "votes.Ranker"),
    150: Kind("Perceptron", "linear.LinearClassifier"),
    151: Kind("AveragedPerceptron", "linear.LinearClassifier"),
    152: Kind("MarginPerceptron", "linear.LinearClassifier"),
    153: Kind("SGDClassifier", "linear.LinearClassifier"),
    155: Kind("HingeLPClassifier", "linear.HalfspaceClassifier"),
    154: Kind("KernelPerceptron", "kernels.KernelClassifier"),
    156: Kind("KernelSVMClassifier", "kernels.KernelClassifier"),
    158: Kind("OnlineDisjunction", "simple.OnlineDisjunction"),
    160: Kind("Hedge", "linear.Hedge"),
    161: Kind("IntervalUnionClassifier", "simple.IntervalUnionClassifier"),
    162: Kind("ThreePieceClassifier", "simple.ThreePieceClassifier"),
    163: Kind("RectangleClassifier", "simple.RectangleClassifier"),
    164: Kind("MonomialClassifier", "simple.MonomialClassifier"),
    165: Kind("DisjunctionClassifier", "simple.DisjunctionClassifier"),
    166: Kind("CentroidClassifier", "simple.CentroidClassifier"),
    172: Kind("BoosTexterClassifier", "texts.BoosTexter"),
    173: Kind("SpamFilter", "texts.SpamFilter"),
    174: Kind("CallRouter", "texts.CallRouter"),
}
AROUND = {143: "OneVsRestBooster", 144: "AllPairsBooster"}  # models around another
_UNKNOWN = {
    149: "BoostReranker",
    157: "HalvingClassifier",
    159: "SleepingExperts",
    167: "ERMClassifier",
    170: "WindowClassifier",
    171: "CascadeDetector",
    175: "TermVectorizer",
}
KINDS: dict[int, Kind] = {
    **{number: Kind(name, "votes.VoteClassifier") for number, name in _VOTES.items()},
    **_OTHERS,
    **{number: Kind(name) for number, name in (AROUND | _UNKNOWN).items()},
}
NAMED = {kind.name: kind for kind in KINDS.values()}
