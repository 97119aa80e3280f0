"""The weak learners: searches for hypotheses under a distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from ..base.hypothesis import Stump as Stump
    from .function import FunctionLearner as FunctionLearner
    from .function import ask as ask
    from .function import doubt_zeros as doubt_zeros
    from .label_rules import LabelPartitionLearner as LabelPartitionLearner
    from .label_rules import ProductLearner as ProductLearner
    from .label_rules import ProductStumpLearner as ProductStumpLearner
    from .partition import ConditionLearner as ConditionLearner
    from .partition import MeanLearner as MeanLearner
    from .partition import PartitionLearner as PartitionLearner
    from .partition import sharing as sharing
    from .resampling import Resampling as Resampling
    from .stump import StumpLearner as StumpLearner
    from .threshold import seed_scan as seed_scan
    from .tree import TreeLearner as TreeLearner

__getattr__ = lazy_names(
    __name__,
    {
        "ConditionLearner": "partition",
        "FunctionLearner": "function",
        "LabelPartitionLearner": "label_rules",
        "MeanLearner": "partition",
        "PartitionLearner": "partition",
        "ProductLearner": "label_rules",
        "ProductStumpLearner": "label_rules",
        "Resampling": "resampling",
        "Stump": "stump",
        "StumpLearner": "stump",
        "TreeLearner": "tree",
        "ask": "function",
        "doubt_zeros": "function",
        "seed_scan": "threshold",
        "sharing": "partition",
    },
)
