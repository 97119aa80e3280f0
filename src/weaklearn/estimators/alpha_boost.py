"""AlphaBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.sample import Sample
from ..boosters import AlphaBoost
from ..theory.evidence import Evidence
from ..theory.planned_certificates import constant_step
from . import parameters
from .promised import PromisedBoosting


@parameters.declared
class AlphaBoostClassifier(PromisedBoosting):
    """AdaBoost with one and the same vote in every round.

    With a small vote the sum grows along the path of votes of least total size, and towards the
    largest margin; with that of an edge gamma, alpha = 1/2 ln((1 + 2 gamma)/(1 - 2 gamma)), the
    rules are those of ``GammaMajorityClassifier``.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 101
        Rounds to play.
    alpha : float above 0, optional
        The vote, 0.1 by default.
    gamma : float above 0 and below 0.5, optional
        In place of alpha: the edge that the learner promises in every round.
    resample, learning_rate, multiclass, min_weight_fraction_leaf, class_weight, early_stopping,
    validation_fraction, n_iter_no_change, tol, scoring, warm_start, callbacks, calibrate, unseen,
    random_state, n_jobs, verbose
        As in ``GammaMajorityClassifier``.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import AlphaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = AlphaBoostClassifier(n_estimators=1000, alpha=0.01).fit(X, y)
    >>> round(float(model.margins(X, y).min()), 3)  # 1/3 is the largest there can be
    0.332
    """

    alpha: float | None = None
    gamma: float | None = None

    _fixed_votes = "alpha is the vote itself"

    def _check_gamma(self) -> None:
        if self.gamma is not None and self.alpha is not None:
            raise ValueError(
                f"alpha={self.alpha!r} and gamma={self.gamma!r} are both given, and each of them "
                "determines the vote: pass one of them."
            )
        if self.gamma is not None:
            super()._check_gamma()
        if self.alpha is not None:
            parameters.real("alpha", self.alpha, 0.0, 1e6)

    def _game_of_two(self, sample: Sample) -> Booster:
        if self.gamma is not None:
            return AlphaBoost(gamma=float(self.gamma))
        return AlphaBoost() if self.alpha is None else AlphaBoost(float(self.alpha))

    @property
    def _odds(self) -> float:
        return 1.0  # votes are on the scale of odds already

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return constant_step(evidence, None if self.gamma is None else float(self.gamma))
