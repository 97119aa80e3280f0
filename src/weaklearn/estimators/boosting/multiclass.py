"""AdaBoostM1Classifier."""

from __future__ import annotations

from ...base.booster import Booster
from ...base.hypothesis import WeakLearner
from ...base.sample import Sample
from ...boosters import AdaBoost, AdaBoostM1, AdaBoostM2
from ...intake import parameters
from .classifier import AnyClassBoosting
from .weak_learner import Answers


@parameters.declared
class AdaBoostM1Classifier(AnyClassBoosting):
    """AdaBoost.M1: any number of classes, by rules that name a class and err on less than half.

    In every round the weak learner is asked for a rule with error epsilon below 1/2 under the
    present weights; it gets the vote alpha = 1/2 ln((1 - epsilon)/epsilon), and the examples that
    it got wrong gain weight. The class with the largest sum of votes is predicted. A rule that
    errs on half of the weight or more ends the fit: a guess among K classes errs with 1 - 1/K, so
    that stumps may fail at once where there are many; trees do not, nor does "m2".

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import AdaBoostM1Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostM1Classifier("tree", n_estimators=10).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> print(model.certify(X, y)[0].verdict)
    holds

    Reference: Freund and Schapire (1997), J. Comput. Syst. Sci. 55.
    """

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        rate = float(self.learning_rate)
        if sample.binary:  # the same game, with signs for names
            return AdaBoost(rate, "stop", self.on_perfect)
        return AdaBoostM1(rate, self.on_perfect)


@parameters.declared
class AdaBoostM2Classifier(AnyClassBoosting):
    """AdaBoost.M2: any number of classes, by rules that say how plausible each of them is.

    Weights are on mislabels, an example with a label that is not its own. A rule answers every
    label with a number h from 0 to 1; its pseudo-loss is the mean of (1 - h(own) + h(other))/2
    under these weights, 1/2 for a guess however many classes there are; and it gets the vote
    ln((1 - epsilon)/epsilon). The label with the largest sum of votes times h is predicted. Weak
    rules that AdaBoost.M1 has no use for are of use here.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Stumps, the default, and trees of this library answer with the shares of the classes where
        a row ends up, other classifiers with their ``predict_proba``, or 1 for the class they
        predict. A function maps (X, y, D) to a function from X to classes, or to numbers from 0
        to 1, a row for each of X and a column for each class.
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule without pseudo-loss outvotes all others and ends the fit, or is counted as if it had
        that of half an example.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_
        ``estimator_errors_`` are pseudo-losses.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from weaklearn import AdaBoostM2Classifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = AdaBoostM2Classifier(n_estimators=20).fit(X, y)
    >>> bool((model.history_["epsilon"] < 0.5).all())
    True
    >>> print(model.certify(X, y)[1].verdict)
    holds

    Reference: Freund and Schapire (1997), J. Comput. Syst. Sci. 55, section 5.2.
    """

    _answers = Answers.SHARES
    _binned_by_learner = True

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        return AdaBoostM2(float(self.learning_rate), self.on_perfect)
