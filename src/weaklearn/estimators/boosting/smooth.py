"""MadaBoostClassifier."""

from __future__ import annotations

from ...base.booster import Booster
from ...base.sample import Sample
from ...boosters import MadaBoost, SmoothBoost
from ...intake import parameters
from .classifier import TwoClassBoosting
from .known_edge import PromisedBoosting


@parameters.declared
class MadaBoostClassifier(TwoClassBoosting):
    """MadaBoost: AdaBoost whose weights never exceed those of the start.

    Votes are AdaBoost's own, alpha = 1/2 ln((1 - epsilon)/epsilon), but an example weighs
    min(1, exp(-y F)): those that stay wrong, as mislabelled ones do, cannot draw all weight to
    themselves.

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


@parameters.declared
class SmoothBoostClassifier(PromisedBoosting):
    """SmoothBoost: a plain majority, under weights that stay near those of the start.

    Every rule has one vote. An example that is wrong weighs what it did at first, however often it
    was wrong; one that is right weighs less and less. Before the last round none weighs more than
    1/kappa times its first weight, so that mislabelled examples cannot draw the weight to
    themselves. It ends once less than kappa of the weight is left, or with a warning when a rule
    falls below the promised edge: on noisy labels that is where there is nothing left but noise.

    Parameters
    ----------
    kappa : float above 0 and below 1, default 0.05
        The share of the first weight at which boosting ends; fewer than kappa of the training
        examples are then wrong.
    gamma : float above 0 and below 0.5, default 0.03
        The edge that the learner promises: an error of at most 1/2 - gamma in every round. Margins
        of gamma / (2 + gamma) are aimed at.

    Examples
    --------
    >>> from weaklearn import SmoothBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = SmoothBoostClassifier(kappa=0.1, gamma=0.15, n_estimators=500).fit(X, y)
    >>> model.stop_reason_, model.score(X, y)
    ('too little weight is left', 1.0)
    """

    n_estimators: int = 200
    kappa: float = 0.05
    gamma: float = 0.03

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("kappa", self.kappa, 0.0, 1.0, strict=True)

    def _game_of_two(self, sample: Sample) -> Booster:
        return SmoothBoost(float(self.kappa), float(self.gamma))
