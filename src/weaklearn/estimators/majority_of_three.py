"""MajorityOfThreeClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.notice import BoostingWarning, warn
from ..base.sample import Sample
from ..boosters import MajorityOfThree
from ..theory.evidence import Evidence
from ..theory.planned_certificates import majority_of_three
from . import parameters
from .two_classes import TwoClassBoosting


@parameters.declared
class MajorityOfThreeClassifier(TwoClassBoosting):
    """The first booster: three rules, each learnt where those before it are of no use.

    The second rule sees as much weight where the first is wrong as where it is right; the third
    sees the examples on which the first two differ; their majority answers. If each errs on at most
    b of what it sees, the majority errs on at most 3 b^2 - 2 b^3. Boosted again, as the
    ``estimator`` of another one, majorities of majorities reach any accuracy.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 3
        Rounds to play at most. The third is always the last: of more a ``BoostingWarning`` says
        that they are not played.
    learning_rate : float, default 1.0
        Must be 1: the votes are equal.

    Examples
    --------
    >>> from weaklearn import MajorityOfThreeClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = MajorityOfThreeClassifier().fit(X, y)
    >>> model.n_iter_, model.score(X, y)
    (3, 1.0)
    >>> print(model.certify(X, y)[0])
    majority3: training error <= 3 b^2 - 2 b^3: 0 <= 0.216 (holds)
    """

    n_estimators: int = 3

    _fixed_votes = "every rule has one vote of the same size"

    def _check_game(self, sample: Sample) -> None:
        super()._check_game(sample)
        if self.n_estimators > 3:
            warn(
                f"n_estimators={self.n_estimators} is more than a majority of three has: three "
                "rounds are played. Set n_estimators=3; for more rules boost again, with "
                "estimator=MajorityOfThreeClassifier().",
                BoostingWarning,
            )

    def _game_of_two(self, sample: Sample) -> Booster:
        return MajorityOfThree()

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return [majority_of_three(evidence)]
