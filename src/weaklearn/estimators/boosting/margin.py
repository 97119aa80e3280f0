"""AdaBoostStarClassifier."""

from __future__ import annotations

import logging
from typing import Self

from ...base.booster import Booster
from ...base.sample import Sample
from ...boosters import AdaBoostStar, ArcGV
from ...intake import parameters
from ...theory.bounds import nu_star_rounds
from ..fit import Game
from .classifier import TwoClassBoosting

log = logging.getLogger("weaklearn")


@parameters.declared
class AdaBoostStarClassifier(TwoClassBoosting):
    """AdaBoost*: a vote whose smallest margin is within nu of the largest there is.

    A vote is smaller than AdaBoost's by what a hypothesis needs to have the margin rho aimed at:
    alpha = 1/2 ln((1 + r)/(1 - r)) - 1/2 ln((1 + rho)/(1 - rho)), where r is the correlation of the
    hypothesis with the labels and rho the least r so far, less nu. The margin that can be reached
    need not be known.

    Parameters
    ----------
    nu : float, default 0.1
        How far the smallest margin may stay below the largest that any vote has; above 0 and at
        most 1.
    n_estimators : int, default 100
        Boosting rounds at most. The guarantee needs ``theory.bounds.nu_star_rounds(n, nu)`` of them
        for n examples, most often more than the default; where fewer were run the log of
        "weaklearn" says so, and so does ``certify``.
    learning_rate : float, default 1.0
        Factor on every vote; nothing is promised for others than 1.

    Examples
    --------
    >>> from weaklearn import AdaBoostStarClassifier, datasets
    >>> from weaklearn.theory.bounds import nu_star_rounds
    >>> X, y = datasets.toy()  # on which stumps have margins of 1/3, and no more
    >>> model = AdaBoostStarClassifier(nu=0.1, n_estimators=nu_star_rounds(10, 0.1)).fit(X, y)
    >>> round(float(model.margins(X, y).min()), 2)  # at least 1/3 - 0.1
    0.33
    >>> print(model.certify(X, y)[0].verdict)
    holds
    """

    nu: float = 0.1

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("nu", self.nu, 0.0, 1.0)

    def _game_of_two(self, sample: Sample) -> Booster:
        return AdaBoostStar(float(self.learning_rate), float(self.nu))

    def _finished(self, game: Game) -> Self:
        needed = int(nu_star_rounds(game.prepared.sample.m, float(self.nu)))
        if self.n_iter_ < needed and not self._perfect and len(self.classes_) == 2:
            log.info(
                "%s: %d rounds were played; margins are guaranteed to be within nu=%g of the "
                "largest after n_estimators=%d",
                *(type(self).__name__, self.n_iter_, self.nu, needed),
            )
        return super()._finished(game)


@parameters.declared
class ArcGVClassifier(TwoClassBoosting):
    """arc-gv: boosting whose smallest margin tends to the largest there is.

    A vote is smaller than AdaBoost's by what a hypothesis needs to keep the margin reached:
    alpha = 1/2 ln((1 + r)/(1 - r)) - 1/2 ln((1 + rho)/(1 - rho)), where r is the correlation of the
    hypothesis with the labels and rho the smallest margin of the vote so far, or 0 while some
    example is still wrong. A hypothesis with r <= rho ends the fit: no vote for it helps.

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
