"""The weak learners: searches for hypotheses under a distribution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from ..base.trees.stump import Stump
    from .condition import ConditionLearner
    from .function import FunctionLearner, ask
    from .label_partition import LabelPartitionLearner
    from .label_product import ProductLearner, ProductStumpLearner
    from .partition import MeanLearner, PartitionLearner
    from .resampling import Resampling
    from .soft_votes import sharing
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
    "seed_scan",
    "sharing",
]

__getattr__ = lazy_names(
    __name__,
    {
        "ConditionLearner": "condition",
        "FunctionLearner": "function",
        "LabelPartitionLearner": "label_partition",
        "MeanLearner": "partition",
        "PartitionLearner": "partition",
        "ProductLearner": "label_product",
        "ProductStumpLearner": "label_product",
        "Resampling": "resampling",
        "Stump": "stump",
        "StumpLearner": "stump",
        "TreeLearner": "tree",
        "ask": "function",
        "seed_scan": "threshold",
        "sharing": "soft_votes",
    },
)
