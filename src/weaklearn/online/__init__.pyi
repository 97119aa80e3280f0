# Made by `make stub` from the names that the module lists.
from . import kernels as kernels
from .experts import ExpertTrace, HedgeTrace
from .kernel_perceptron import OnlineKernelPerceptron
from .linear import OnlineMarginPerceptron, OnlinePerceptron, OnlineSGD
from .mistake_bounds import DisjunctionLearner, Duel, HalvingLearner, adversary
from .protocol import OnlineLearner, Stopped, Trace, large_gap, random_stopping

__all__ = [
    "DisjunctionLearner",
    "Duel",
    "ExpertTrace",
    "HalvingLearner",
    "HedgeTrace",
    "OnlineKernelPerceptron",
    "OnlineLearner",
    "OnlineMarginPerceptron",
    "OnlinePerceptron",
    "OnlineSGD",
    "Stopped",
    "Trace",
    "adversary",
    "kernels",
    "large_gap",
    "random_stopping",
]
