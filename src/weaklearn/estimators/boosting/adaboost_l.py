"""AdaBoostLClassifier."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ...base.booster import Booster
from ...base.hypothesis import WeakLearner
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, warn
from ...base.sample import Sample
from ...base.votes.prior import Prior
from ...boosters import AdaBoostL
from ...intake import parameters
from ...intake.prepare import Prepared
from ...intake.schema import Schema
from .classifier import TwoClassBoosting
from .weak_regressor import learner_of_numbers


@parameters.declared
class AdaBoostLClassifier(TwoClassBoosting):
    """AdaBoost.L: boosting for the logistic loss, perhaps from a prior.

    Votes are AdaBoost's own, but an example weighs 1/(1 + exp(y F)), never more than 1, and
    1/(1 + exp(-F)) is the probability of the second class.

    What is known before any example is seen can be said as a prior: F then begins at its log-odds,
    and with ``prior_strength`` every example also pulls F towards the prior. Where examples are
    many they win; where they are few the prior does.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Exact decision stumps by default; "tree" is a C4.5-style tree. Or a stump or tree of this
        library, a scikit-learn classifier or Pipeline, or a function that maps (X, y, D), with y in
        {-1, +1}, to a function from X to {-1, +1}. Regressors of other libraries, and
        a function of (X, y, D) that gives a function from X to numbers, get the vote that makes the
        weighted mean of exp(-a y h) least.
    prior : function or fitted classifier, optional
        A function from X to probabilities, of ``classes_[1]`` alone for two classes or one column
        a class in the order of ``classes_``, or a classifier with ``predict_proba``. It is used as
        it is and never fitted. Probabilities are held within 1e-6 of 0 and 1, with a warning where
        they are 0 or 1.
    prior_strength : float, default 1.0
        How many examples the prior is worth beside each one seen; with 0 it is where F begins, and
        no more.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes are boosted one against the rest, or, without a prior, every two
        against one another.

    Examples
    --------
    >>> from weaklearn import AdaBoostLClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = AdaBoostLClassifier(n_estimators=20).fit(X, y)
    >>> model.score(X, y)
    1.0
    >>> print(model.certify(X, y)[0].verdict)
    holds

    Who believes that the second class is above 5 in the first column, and sees ten points:

    >>> def above(X):
    ...     return 0.1 + 0.8 * (X[:, 0] > 5)
    >>> model = AdaBoostLClassifier(n_estimators=20, prior=above, prior_strength=2.0).fit(X, y)
    >>> model.predict_proba([[7.0, 9.0], [3.0, 3.0]])[:, 1].round(2).tolist()
    [0.92, 0.08]
    """

    prior: Any = None
    prior_strength: float = 1.0

    _product_bounds = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("prior_strength", self.prior_strength, None, 1e6, least=0.0)
        prior = self.prior
        usable = hasattr(prior, "predict_proba") or callable(prior)
        if prior is not None and (isinstance(prior, type) or not usable):
            raise TypeError(
                f"prior={show(prior)} is not allowed: it must be a function from X to "
                "probabilities, a fitted classifier with predict_proba, or None."
            )
        if prior is not None and self.multiclass == "pairs":
            raise ValueError(
                "prior is given and multiclass='pairs': a prior speaks of each class among all; "
                "set multiclass='ovr'."
            )

    def _check_game(self, sample: Sample) -> None:
        super()._check_game(sample)
        if self.prior is None or sample.n_classes == 1:
            return
        n = Prior(self.prior, np.asarray(sample.classes).tolist()).certain(sample)
        if n > 0:
            warn(
                f"prior gave a probability of exactly 0 or 1 for {n} of {len(sample)} rows, whose "
                "log-odds are infinite: they are held within 1e-6 of 0 and 1. Give probabilities "
                "between 0 and 1, such as 0.01, if the prior may be wrong.",
                BoostingWarning,
            )

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        learner = learner_of_numbers(self.estimator, seed, schema)
        return super()._make_learner(seed, schema) if learner is None else learner

    def _game_of_two(self, sample: Sample) -> Booster:
        rate = float(self.learning_rate)
        if self.prior is None or sample.n_classes == 1:
            return AdaBoostL(rate)
        prior = Prior(self.prior, np.asarray(sample.classes).tolist())
        return AdaBoostL(rate, prior, float(self.prior_strength))

    def _nothing_learnt(self, prepared: Prepared) -> str:
        if self.prior is None:
            return super()._nothing_learnt(prepared)
        return "the model answers as the prior does"

    def __sklearn_clone__(self) -> Any:
        """A prior is knowledge, not a part to be fitted: a clone has the same one."""
        without = copy.copy(self)
        without.prior = None
        made = BaseEstimator.__sklearn_clone__(without)
        made.prior = self.prior
        return made
