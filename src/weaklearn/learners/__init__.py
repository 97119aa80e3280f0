"""How a hypothesis is found."""

from typing import TYPE_CHECKING

from ..base.lazy_names import lazy_names

if TYPE_CHECKING:
    from ..base.trees.stump import Stump
    from .condition import ConditionLearner
    from .function import FunctionLearner
    from .label_partition import LabelPartitionLearner
    from .label_product import ProductStumpLearner
    from .partition import MeanLearner, PartitionLearner
    from .stump import StumpLearner
    from .threshold import seed_scan

__all__ = [
    "ConditionLearner",
    "FunctionLearner",
    "LabelPartitionLearner",
    "MeanLearner",
    "PartitionLearner",
    "ProductStumpLearner",
    "Stump",
    "StumpLearner",
    "seed_scan",
]

__getattr__ = lazy_names(
    __name__,
    {
        "ConditionLearner": "condition",
        "FunctionLearner": "function",
        "LabelPartitionLearner": "label_partition",
        "MeanLearner": "partition",
        "PartitionLearner": "partition",
        "ProductStumpLearner": "label_product",
        "Stump": "stump",
        "StumpLearner": "stump",
        "seed_scan": "threshold",
    },
)
