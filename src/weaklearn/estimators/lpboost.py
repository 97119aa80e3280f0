"""LPBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.sample import Sample
from ..boosters import LPBoost
from ..theory.evidence import Evidence
from ..theory.lp_certificates import lpboost
from . import parameters
from .soft_margin import SoftMarginBoosting


@parameters.declared
class LPBoostClassifier(SoftMarginBoosting):
    """LPBoost: the vote of the largest soft margin, by a linear program a round.

    The soft margin of a vote is the mean of its lowest margins, those of the share ``nu`` of the
    examples. Every round asks for a rule under the distribution that is hardest for the rules so
    far, and finds all votes anew; the game ends when no rule can help any more. Then no vote of any
    rules has a larger soft margin, and at most the share nu of the examples has a margin below
    ``history_["rho"]``.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 100
        Rounds to play at most.
    nu : float in [1/m, 1], "auto" or "hard", default "auto"
        The share of the examples whose margins may fall short; no example weighs more than 1/(nu m)
        (a weighted one more in proportion). Set it above the share of examples that cannot be
        right: below it the best vote is often one that cancels to 0. "auto" takes twice the error
        of the first rule, at which that rule alone has a soft margin of 0; on clean data a smaller
        one is often better. "hard" is 1/m, where the soft margin is the smallest margin: for clean
        labels. Where no vote has a soft margin above 0, a ``BoostingWarning`` says so.
    accuracy : float above 0, default 1e-6
        The game ends when no rule promises a soft margin larger by more than this.
    learning_rate : float, default 1.0
        Must be 1: the votes solve a linear program.

    Examples
    --------
    >>> from weaklearn import LPBoostClassifier, datasets
    >>> X, y = datasets.toy()  # on which stumps have margins of 1/3, and no more
    >>> model = LPBoostClassifier(nu="hard").fit(X, y)
    >>> model.n_iter_, round(float(model.margins(X, y).min()), 6)
    (4, 0.333333)
    >>> print(*(c.verdict for c in model.certify(X, y) if c.id == "lp-gap"))
    holds
    """

    accuracy: float = 1e-6

    def _game_of_two(self, sample: Sample) -> Booster:
        return LPBoost(self._nu(sample), float(self.accuracy))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return lpboost(evidence, float(self.accuracy))
