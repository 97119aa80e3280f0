"""BoostByMajorityClassifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.notice import BoostingWarning, warn
from ..base.sample import Sample
from ..boosters import BoostByMajority
from ..theory.evidence import Evidence
from ..theory.planned_certificates import boost_by_majority
from . import parameters
from .promised import PromisedBoosting
from .settled import refuse_changes


@parameters.declared
class BoostByMajorityClassifier(PromisedBoosting):
    """A plain majority of rules, whose weights are planned backwards from the last round.

    An example weighs as much as a vote in this round is likely to decide it, if all later rules
    were right with probability 1/2 + gamma. Examples that are safe weigh little, and so do those
    that are wrong beyond hope, as mislabelled ones are. On large samples no booster that knows only
    gamma can promise less error.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        As in ``AdaBoostClassifier``; exact decision stumps by default.
    n_estimators : int, default 101
        The number of rounds T that the weights are planned for. The game ends before them where
        every example is decided. Of an even number the vote may be a tie, which goes to the first
        class.
    gamma : float above 0 and below 0.5, default 0.1
        The edge that the learner promises: an error of at most 1/2 - gamma in every round. A
        learner that does worse is warned of once; the game goes on, without the guarantee.
    warm_start : bool, default False
        Goes on from the rounds already played, with the same gamma. With another ``n_estimators``
        the weights to come are those of the new plan, which a ``BoostingWarning`` says: no
        guarantee speaks of the whole.
    resample, learning_rate, multiclass, min_weight_fraction_leaf, class_weight, early_stopping,
    validation_fraction, n_iter_no_change, tol, scoring, callbacks, calibrate, unseen, random_state,
    n_jobs, verbose
        As in ``GammaMajorityClassifier``.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        ``history_["potential"]`` is the mean potential before each round, a bound on the error at
        the end.

    Examples
    --------
    >>> from weaklearn import BoostByMajorityClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = BoostByMajorityClassifier(n_estimators=31, gamma=0.16).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> print(model.certify(X, y)[0])
    bbm: training error <= Pr[Binomial(T, 1/2 + gamma) <= T/2]: 0 <= 0.0325216 (holds)
    """

    def _game_of_two(self, sample: Sample) -> Booster:
        return BoostByMajority(int(self.n_estimators), float(self.gamma))

    def _settings(self) -> dict[str, Any]:
        return super()._settings() | {"n_estimators": self.n_estimators}

    def _check_going_on(self) -> None:
        planned = self._settled["n_estimators"]
        if planned != self.n_estimators:
            warn(
                f"warm_start=True goes on with a game planned for n_estimators={planned} rounds by "
                f"a plan for {self.n_estimators}: the guarantee is void. Set warm_start=False to "
                "play the longer game from its first round.",
                BoostingWarning,
            )
        refuse_changes(self._settled, super()._settings())

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        return boost_by_majority(evidence, int(self.n_estimators), float(self.gamma))
