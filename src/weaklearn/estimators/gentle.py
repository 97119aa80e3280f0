"""GentleBoostClassifier."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.booster import Booster
from ..base.certificate import Certificate
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters import GentleBoost
from ..learners.partition import GENTLE_STUMP, MeanLearner
from ..learners.tree import TreeLearner
from ..theory.evidence import Evidence
from ..theory.noise_certificates import gentle
from . import parameters
from .rated import RatedBoosting
from .weak import is_foreign


@parameters.declared
class GentleBoostClassifier(RatedBoosting):
    """Gentle AdaBoost: every rule fits the labels by weighted least squares.

    In every round a stump or tree cuts the domain into blocks, and each answers the mean of the
    labels -1 and +1 in it, (W+ - W-)/(W+ + W-), with the weights W+ and W- of the two classes. The
    answers of confidence-rated AdaBoost grow without limit in blocks that are nearly pure; these
    stay within -1 and 1.

    Parameters
    ----------
    estimator : "stump", "tree", a stump or tree of this library, any classifier, or a function
        The weak learner; exact stumps by default, "tree" has depth 3. Regressors of other libraries
        are fitted to -1 and +1, and a function of (X, y, D) gives a function from X to numbers;
        these and classifiers get the vote with which they fit the labels best.
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every answer.
    multiclass, min_weight_fraction_leaf, class_weight, early_stopping, validation_fraction,
    n_iter_no_change, tol, scoring, warm_start, callbacks, calibrate, unseen, random_state, n_jobs,
    verbose
        As in ``RealAdaBoostClassifier``.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import GentleBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = GentleBoostClassifier(n_estimators=10).fit(X, y)
    >>> bool((model.history_["Z"] < 1).all()), model.score(X, y)
    (True, 1.0)
    """

    _stump = GENTLE_STUMP

    def _of_blocks(self, learner: TreeLearner) -> WeakLearner:
        return MeanLearner(learner)

    def _game_of_two(self, sample: Sample) -> Booster:
        return GentleBoost(float(self.learning_rate))

    def _guarantees(self, evidence: Evidence) -> Sequence[Certificate]:
        if len(self.classes_) > 2:
            return super()._guarantees(evidence)
        fitted = not is_foreign(self.estimator) and self.learning_rate == 1
        return gentle(evidence, by_means=fitted)
