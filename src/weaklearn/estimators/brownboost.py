"""BrownBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import erf

from ..base.certificate import Certificate
from ..boosters import BrownBoost
from ..theory.evidence import Evidence
from ..theory.noise_certificates import brownboost
from . import parameters
from .timed import TimedBoosting


@parameters.declared
class BrownBoostClassifier(TimedBoosting):
    """BrownBoost: it gives up the examples that stay wrong, in the time that it has.

    Weights exp(-(y F + s)^2 / c) rise with the error and fall again: with s the time left, an
    example far on the wrong side weighs nothing. Votes keep an average potential at epsilon while
    the time c runs out; then the training error is at most epsilon.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 100
        Rounds to play at most. Where they end before the time does, nothing is guaranteed.
    epsilon : float in (0, 1) or "auto", default "auto"
        The training error to aim at. An example that is given up counts twice: epsilon should be
        about twice the share of labels that cannot be learnt; near 0 the game is AdaBoost. "auto"
        takes 1.5 times the error of AdaBoost, with the same learner and 100 rounds, on rows held
        out in five folds; or 1e-6 where its single rules learn labels by heart. Several games, of
        more classes, share one. ``epsilon_`` tells. With a slow learner these folds take most of
        the time.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes are boosted one against the rest, or every two against one another.
    learning_rate : 1.0
        Votes are fixed by the algorithm.
    calibrate : {None, "slope", "platt"}, default None
        Probabilities by AdaBoost's link, 1/(1 + exp(-2F)), or fitted in five folds. The confidence
        erf(F / sqrt(c)) of the algorithm is in ``confidence``: it is no probability.

    Attributes
    ----------
    epsilon_ : float
        The error that was aimed at.
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import BrownBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = BrownBoostClassifier(epsilon=0.1).fit(X, y)
    >>> model.stop_reason_
    "the booster's time has run out"
    >>> print(model.certify(X, y)[0])
    brownboost-train: training error <= epsilon, once no time is left: 0 <= 0.1 (holds)
    """

    @property
    def _leniency(self) -> float:
        return 1.5

    def _game_towards(self, epsilon: float) -> BrownBoost:
        return BrownBoost(epsilon)

    def confidence(self, X: Any) -> NDArray[np.float64]:
        """erf(F / sqrt(c)), between -1 and 1: how sure the vote is, in the measure of epsilon."""
        F = self.decision_function(X)
        return np.asarray(erf(F / np.sqrt(BrownBoost(self.epsilon_).c)))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return brownboost(evidence, BrownBoost(self.epsilon_))
