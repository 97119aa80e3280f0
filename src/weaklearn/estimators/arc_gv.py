"""ArcGVClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.sample import Sample
from ..boosters import ArcGV
from ..theory.evidence import Evidence
from ..theory.margin_certificates import best_margin, margin_shares
from . import parameters
from .two_classes import TwoClassBoosting


@parameters.declared
class ArcGVClassifier(TwoClassBoosting):
    """arc-gv: boosting whose smallest margin tends to the largest there is.

    A vote is smaller than AdaBoost's by what a hypothesis needs to keep the margin reached:
    alpha = 1/2 ln((1 + r)/(1 - r)) - 1/2 ln((1 + rho)/(1 - rho)), where r is the correlation of the
    hypothesis with the labels and rho the smallest margin of the vote so far, or 0 while some
    example is still wrong. A hypothesis with r <= rho ends the game: no vote for it helps.

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
    >>> from weaklearn import ArcGVClassifier, datasets
    >>> X, y = datasets.toy()  # on which stumps have margins of 1/3, and no more
    >>> model = ArcGVClassifier(n_estimators=3000).fit(X, y)
    >>> round(float(model.margins(X, y).min()), 3)
    0.333
    """

    def _game_of_two(self, sample: Sample) -> Booster:
        return ArcGV(float(self.learning_rate))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return [best_margin(evidence), *margin_shares(evidence)]
