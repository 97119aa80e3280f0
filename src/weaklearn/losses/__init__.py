"""What being wrong costs: the losses as objects."""

from typing import TYPE_CHECKING

from ..base.loss import Loss
from ..lazy_names import lazy_names
from .percentile import percentile
from .probability import probability

if TYPE_CHECKING:
    from .custom import CustomLoss
    from .margin import Exponential, Hinge, Logistic
    from .names import FOR_CLASSES, FOR_NUMBERS, named
    from .positive import Gamma, Poisson, Tweedie
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

__getattr__ = lazy_names(
    __name__,
    {
        "CustomLoss": "custom",
        **dict.fromkeys(("Exponential", "Hinge", "Logistic"), "margin"),
        **dict.fromkeys(("FOR_CLASSES", "FOR_NUMBERS", "named"), "names"),
        **dict.fromkeys(("Gamma", "Poisson", "Tweedie"), "positive"),
        "Quantiles": "quantiles",
        **dict.fromkeys(("Absolute", "Huber", "Quantile", "Squared"), "residual"),
        "Softmax": "softmax",
    },
)
