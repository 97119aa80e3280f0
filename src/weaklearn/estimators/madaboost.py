"""MadaBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.sample import Sample
from ..boosters import MadaBoost
from ..theory.evidence import Evidence
from ..theory.noise_certificates import madaboost
from . import parameters
from .two_classes import TwoClassBoosting


@parameters.declared
class MadaBoostClassifier(TwoClassBoosting):
    """MadaBoost: AdaBoost whose weights never exceed those of the start.

    Votes are AdaBoost's own, alpha = 1/2 ln((1 - epsilon)/epsilon), but an example weighs
    min(1, exp(-y F)): those that stay wrong, as mislabelled ones do, cannot draw all weight to
    themselves.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes are boosted one against the rest, or every two against one another.

    Examples
    --------
    >>> from weaklearn import MadaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = MadaBoostClassifier(n_estimators=20).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> print(model.certify(X, y)[0].verdict)
    holds
    """

    _product_bounds = False

    def _game_of_two(self, sample: Sample) -> Booster:
        return MadaBoost(float(self.learning_rate))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return [madaboost(evidence)]
