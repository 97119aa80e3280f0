"""How a hypothesis is found."""

from .function import FunctionLearner
from .stump import Stump, StumpLearner
from .threshold import seed_scan

__all__ = ["FunctionLearner", "Stump", "StumpLearner", "seed_scan"]
