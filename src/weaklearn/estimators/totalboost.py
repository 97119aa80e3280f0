"""TotalBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.sample import Sample
from ..boosters import TotalBoost
from ..theory.evidence import Evidence
from ..theory.lp_certificates import totalboost
from . import parameters
from .two_classes import TwoClassBoosting


@parameters.declared
class TotalBoostClassifier(TwoClassBoosting):
    """TotalBoost: the largest margin up to an accuracy, in a known number of rounds.

    Weights stay as near to those of the start as they can, while every rule so far does worse under
    them by ``nu`` than the worst one did in its own round; when there are no such weights any more,
    the game is over. Votes are found anew in every round, by a linear program: those of the largest
    smallest margin. For data that a vote of the rules can separate; for others see
    ``SoftBoostClassifier``.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 100
        Rounds to play at most.
    nu : float above 0 and at most 1, default 0.01
        How far the smallest margin may be from the largest that any vote has.
    learning_rate : float, default 1.0
        Must be 1: the votes solve a linear program.

    Examples
    --------
    >>> from weaklearn import TotalBoostClassifier, datasets
    >>> X, y = datasets.toy()  # on which stumps have margins of 1/3, and no more
    >>> model = TotalBoostClassifier(nu=0.05).fit(X, y)
    >>> round(float(model.margins(X, y).min()), 6)
    0.333333
    >>> print(*(c.verdict for c in model.certify(X, y) if c.id == "lp-gap"))
    holds
    """

    nu: float = 0.01

    _fixed_votes = "the votes are those that solve a linear program"

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("nu", self.nu, 0.0, 1.0)

    def _game_of_two(self, sample: Sample) -> Booster:
        return TotalBoost(float(self.nu))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return totalboost(evidence, float(self.nu))
