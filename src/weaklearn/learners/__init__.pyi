# Made by `make stub` from the names that the module lists.
from ..base.hypothesis import Stump
from .function import FunctionLearner, ask, doubt_zeros
from .label_rules import LabelPartitionLearner, ProductLearner, ProductStumpLearner
from .partition import ConditionLearner, MeanLearner, PartitionLearner, sharing
from .resampling import Resampling
from .stump import StumpLearner
from .threshold import seed_scan
from .tree import TreeLearner

__all__ = [
    "ConditionLearner",
    "FunctionLearner",
    "LabelPartitionLearner",
    "MeanLearner",
    "PartitionLearner",
    "ProductLearner",
    "ProductStumpLearner",
    "Resampling",
    "Stump",
    "StumpLearner",
    "TreeLearner",
    "ask",
    "doubt_zeros",
    "seed_scan",
    "sharing",
]
