"""How a hypothesis is found."""

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .function import FunctionLearner
    from .stump import Stump, StumpLearner
    from .threshold import seed_scan

__all__ = ["FunctionLearner", "Stump", "StumpLearner", "seed_scan"]

__getattr__ = lazy_names(
    __name__,
    {
        "FunctionLearner": "function",
        "Stump": "stump",
        "StumpLearner": "stump",
        "seed_scan": "threshold",
    },
)
