"""What being wrong costs: the losses as objects."""

from ..base.loss import Loss
from .custom import CustomLoss
from .margin import Exponential, Hinge, Logistic
from .names import FOR_CLASSES, FOR_NUMBERS, named
from .percentile import percentile
from .positive import Gamma, Poisson, Tweedie
from .probability import probability
from .quantiles import Quantiles
from .residual import Absolute, Huber, Quantile, Squared
from .softmax import Softmax

__all__ = [
    "FOR_CLASSES",
    "FOR_NUMBERS",
    "Absolute",
    "CustomLoss",
    "Exponential",
    "Gamma",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "Poisson",
    "Quantile",
    "Quantiles",
    "Softmax",
    "Squared",
    "Tweedie",
    "named",
    "percentile",
    "probability",
]
