"""Checks for boosters, learners and losses written by users, and adversarial weak learners.

* ``check_loss``, ``check_learner``, ``check_booster``: they raise an AssertionError that says what
  is wrong.
* ``CoinLearner``, ``NoisyLearner``, ``AdversaryLearner``, ``FlakyLearner``: weak learners as bad as
  a theorem allows, to hold a booster against its assumptions.
"""

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
