"""GammaMajorityClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.sample import Sample
from ..boosters import GammaMajority
from ..theory.evidence import Evidence
from ..theory.planned_certificates import constant_step
from . import parameters
from .promised import PromisedBoosting


@parameters.declared
class GammaMajorityClassifier(PromisedBoosting):
    """A plain majority of rules, boosted for an edge that is known ahead.

    Every rule has one vote. After each round the weights of the examples it got wrong are
    multiplied by (1/2 + gamma)/(1/2 - gamma). If every rule errs on at most 1/2 - gamma of the
    weight, more than ln m / (2 gamma^2) rounds leave no error on m examples. A learner that does
    worse is warned of once; the game goes on, without that guarantee.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 101
        Rounds to play. Of an even number the vote may be a tie, which goes to the first class.
    gamma : float above 0 and below 0.5, default 0.1
        The edge that the learner promises: an error of at most 1/2 - gamma in every round.
    resample : bool or dict, default False
        As in ``AdaBoostClassifier``; rules drawn again until they have the edge gamma.
    learning_rate : float, default 1.0
        Must be 1: the votes are equal.
    multiclass, min_weight_fraction_leaf, class_weight, early_stopping, validation_fraction,
    n_iter_no_change, tol, scoring, warm_start, callbacks, calibrate, unseen, random_state, n_jobs,
    verbose
        As in ``MadaBoostClassifier``.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import GammaMajorityClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = GammaMajorityClassifier(n_estimators=51, gamma=0.16).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> print(model.certify(X, y)[0])
    gamma-majority: training error <= (1 - 4 gamma^2)^(T/2): 0 <= 0.0636228 (holds)
    """

    def _game_of_two(self, sample: Sample) -> Booster:
        return GammaMajority(float(self.gamma))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return constant_step(evidence, float(self.gamma))
