"""Checks for boosters, learners and losses written by users, and adversarial weak learners.

* ``check_loss``, ``check_learner``, ``check_booster``: they raise an AssertionError that says what
  is wrong.
* ``CoinLearner``, ``NoisyLearner``, ``AdversaryLearner``, ``FlakyLearner``: weak learners as bad as
  a theorem allows, to hold a booster against its assumptions.
"""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        "booster": "check_booster",
        "fakes": "AdversaryLearner CoinLearner FlakyLearner NoisyLearner",
        "learner": "check_learner",
        "loss": "check_loss",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
