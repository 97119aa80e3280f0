"""SoftBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.sample import Sample
from ..boosters import SoftBoost
from ..theory.evidence import Evidence
from ..theory.lp_certificates import softboost
from . import parameters
from .soft_margin import SoftMarginBoosting


@parameters.declared
class SoftBoostClassifier(SoftMarginBoosting):
    """SoftBoost: the largest soft margin up to an accuracy, in a known number of rounds.

    Weights stay as near to those of the start as they can, while every rule so far does worse under
    them by ``accuracy`` than the worst one did in its own round; when there are no such weights any
    more, the game is over. Votes are found anew in every round, by a linear program.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 100
        Rounds to play at most.
    nu : float in [1/m, 1], "auto" or "hard", default "auto"
        As in ``LPBoostClassifier``: no example weighs more than 1/(nu m).
    accuracy : float above 0, default 0.01
        How far the soft margin may be from the largest that any vote has.
    learning_rate : float, default 1.0
        Must be 1: the votes solve a linear program.

    Examples
    --------
    >>> from weaklearn import SoftBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = SoftBoostClassifier(nu=0.2).fit(X, y)
    >>> round(float(model.history_["value"][-1]), 6)  # the soft margin
    0.333333
    >>> print(*(c.verdict for c in model.certify(X, y) if c.id == "lp-gap"))
    holds
    """

    def _game_of_two(self, sample: Sample) -> Booster:
        return SoftBoost(self._nu(sample), float(self.accuracy))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return softboost(evidence, float(self.accuracy))
