"""AdaBoostMRClassifier."""

from __future__ import annotations

from ..base.booster import Booster
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters import AdaBoostMR
from . import parameters
from .label_ranking import LabelRanking


@parameters.declared
class AdaBoostMRClassifier(LabelRanking):
    """AdaBoost.MR: the labels of an example are to rank above those that it has not.

    Weights are on pairs of labels of an example, one that it has and one that it has not. In every
    round the stump g and the signs u of labels get the vote alpha = 1/2 ln((1 + r)/(1 - r)) whose
    answers h(x, l) = u_l g(x) have the largest correlation r = 1/2 sum D (h(x, own) - h(x, other)).
    Labels are ranked by the sum of alpha h, and the first is predicted. Where y is a table of
    labels, those are whose sum is above a threshold, the one of least Hamming loss in training,
    which scores are told from: ``decision_function`` is above 0 for them.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Exact stumps by default. All other learners tell two groups of examples apart, and are found
        in turns with the signs of the labels.
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule that ranks every pair rightly outvotes all others and ends the game, or is counted as
        if it erred on half an example.
    min_weight_fraction_leaf, class_weight, early_stopping, validation_fraction, n_iter_no_change,
    tol, scoring, warm_start, callbacks, calibrate, unseen, random_state, n_jobs, verbose
        As in ``AdaBoostClassifier``. Of a table of labels early stopping looks at the share of
        pairs that are ranked rightly.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        ``classes_`` are the labels: where y is a table, the names of its columns, or their numbers.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import AdaBoostMRClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostMRClassifier(n_estimators=20).fit(X, y)
    >>> model.score(X, y) > 0.95
    True
    >>> print(model.certify(X, y)[0].verdict)
    holds

    Reference: Schapire and Singer (1999), Machine Learning 37, section 8.
    """

    @property
    def _of_products(self) -> bool:
        return True

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        return AdaBoostMR(float(self.learning_rate), self.on_perfect)
