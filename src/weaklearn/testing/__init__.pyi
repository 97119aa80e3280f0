# Made by `make stub` from the names that the module lists.
from .booster import check_booster
from .fakes import AdversaryLearner, CoinLearner, FlakyLearner, NoisyLearner
from .learner import check_learner
from .loss import check_loss

__all__ = [
    "AdversaryLearner",
    "CoinLearner",
    "FlakyLearner",
    "NoisyLearner",
    "check_booster",
    "check_learner",
    "check_loss",
]
