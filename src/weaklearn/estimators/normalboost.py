"""NormalBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.certificate import Certificate
from ..boosters import NormalBoost
from ..theory.evidence import Evidence
from ..theory.noise_certificates import normalboost
from . import parameters
from .timed import TimedBoosting


@parameters.declared
class NormalBoostClassifier(TimedBoosting):
    """NormalBoost: it gives up the examples that stay wrong, and aims at a margin.

    As in BrownBoost votes keep an average potential while time runs out, and examples far on the
    wrong side weigh nothing; besides, all votes shrink with time, and the others shall get a margin
    of theta. With ``robust`` it is what is also known as RobustBoost.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 100
        Rounds to play at most. Where they end before the time does, nothing is guaranteed.
    epsilon : float in (0, 1/2), with robust in (0, 1), or "auto", default "auto"
        The share of examples to give up: about that of labels that cannot be learnt. "auto" takes
        0.75 (robust: 0.9) times the error of AdaBoost, with the same learner, on rows held out in
        five folds; or 1e-6 where its single rules learn labels by heart. Several games, of more
        classes, share one. ``epsilon_`` tells. With a slow learner these folds take most of the
        time.
    theta : float of at least 0, default 0.0
        The margin y F that the others shall have.
    sigma_f : float, default 0.1
        How wide the potential is at the end; the narrower, the nearer it is to counting errors.
    robust : bool, default False
        Examples whose margin is below the goal of the time weigh nothing at all.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes are boosted one against the rest, or every two against one another.
    learning_rate : 1.0
        Votes are fixed by the algorithm.
    calibrate : {None, "slope", "platt"}, default None
        Probabilities by AdaBoost's link, 1/(1 + exp(-2F)), or fitted in five folds.

    Attributes
    ----------
    epsilon_ : float
        The error that was aimed at.
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import NormalBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = NormalBoostClassifier(epsilon=0.1, theta=0.2).fit(X, y)
    >>> model.stop_reason_
    "the booster's time has run out"
    >>> print(model.certify(X, y)[0])
    normalboost-margin: share of y F <= 0.2 is at most 2 epsilon: 0 <= 0.2 (holds)
    """

    theta: float = 0.0
    sigma_f: float = 0.1
    robust: bool = False

    @property
    def _leniency(self) -> float:
        return 0.9 if self.robust else 0.75

    @property
    def _most(self) -> float:
        return 1.0 if self.robust else 0.5

    def _check_parameters(self) -> None:
        parameters.switch("robust", self.robust)
        super()._check_parameters()
        parameters.real("theta", self.theta, None, 100.0, least=0.0)
        parameters.real("sigma_f", self.sigma_f, None, 100.0, least=1e-3)

    def _game_towards(self, epsilon: float) -> NormalBoost:
        return NormalBoost(epsilon, float(self.theta), float(self.sigma_f), bool(self.robust))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return normalboost(evidence, self._game_towards(self.epsilon_))
