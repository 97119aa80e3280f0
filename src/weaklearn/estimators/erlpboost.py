"""ERLPBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.sample import Sample
from ..boosters import ERLPBoost
from ..theory.evidence import Evidence
from ..theory.lp_certificates import erlpboost
from . import parameters
from .soft_margin import SoftMarginBoosting


@parameters.declared
class ERLPBoostClassifier(SoftMarginBoosting):
    """ERLPBoost: LPBoost kept smooth by relative entropy, in a known number of rounds.

    As LPBoost looks for the weights that are hardest for the rules so far, but it also charges for
    their distance from those of the start: weights then move less from round to round, and fewer
    rounds are needed. Votes are found anew in every round, by a linear program.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 100
        Rounds to play at most.
    nu : float in [1/m, 1], "auto" or "hard", default "auto"
        As in ``LPBoostClassifier``: no example weighs more than 1/(nu m).
    accuracy : float above 0, default 0.01
        How far the soft margin may be from the largest that any vote has; the charge for distance
        is so small that it costs half of this.
    learning_rate : float, default 1.0
        Must be 1: the votes solve a linear program.

    Examples
    --------
    >>> from weaklearn import ERLPBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = ERLPBoostClassifier(nu=0.2).fit(X, y)
    >>> model.n_iter_, round(float(model.history_["value"][-1]), 6)  # the soft margin
    (3, 0.333333)
    >>> print(*(c.verdict for c in model.certify(X, y) if c.id == "lp-gap"))
    holds
    """

    def _game_of_two(self, sample: Sample) -> Booster:
        return ERLPBoost(self._nu(sample), float(self.accuracy))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return erlpboost(evidence, float(self.accuracy))
