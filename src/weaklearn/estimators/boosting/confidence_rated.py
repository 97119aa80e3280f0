"""Boosters whose rules may answer with numbers: GentleBoost, RealAdaBoost, AdaBoost.L."""

from __future__ import annotations

import copy
from abc import abstractmethod
from dataclasses import field, replace
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator

from ...base.added_field import ADDED
from ...base.booster import Booster
from ...base.hypothesis import WeakLearner
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, warn
from ...base.sample import Sample
from ...base.votes.prior import Prior
from ...boosters import AdaBoostL, GentleBoost, RealAdaBoost
from ...intake import parameters
from ...intake.prepare import Prepared
from ...intake.schema import Schema
from ...learners.partition import GENTLE_STUMP, PARTITION_STUMP, MeanLearner, PartitionLearner
from ...learners.stump import StumpLearner
from ...learners.tree import TreeLearner
from .classifier import Multiclass, OnPerfect, TwoClassBoosting
from .weak_learner import is_foreign, learner_for
from .weak_regressor import learner_of_numbers


@parameters.declared
class RatedBoosting(TwoClassBoosting):
    """Boosts stumps and trees whose blocks answer with numbers, or learners of numbers."""

    _binned_by_learner = True
    # The stump by default; trees by default differ from it in depth.
    _stump: ClassVar[TreeLearner]
    _may_abstain = False  # whether stumps may answer 0 where a value is missing

    @abstractmethod
    def _of_blocks(self, learner: TreeLearner) -> WeakLearner:
        """The learner whose blocks, found by a stump or tree, answer with numbers."""

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        estimator, share = self.estimator, float(self.min_weight_fraction_leaf)
        learner = learner_of_numbers(estimator, seed, schema)
        if learner is not None:
            return learner
        learner = learner_for(estimator, False, self.n_estimators, seed, share, schema)
        if is_foreign(estimator):
            return learner
        if isinstance(estimator, str) and estimator == "tree":
            deeper = replace(self._stump, categorical="subset", max_depth=3, min_samples_leaf=2)
            learner = replace(deeper, seed=seed, least_share=share)
        if isinstance(learner, StumpLearner):
            learner = self._as_tree(learner)
        return self._of_blocks(learner) if isinstance(learner, TreeLearner) else learner

    def _as_tree(self, stump: StumpLearner) -> TreeLearner:
        if stump.missing == "abstain" and not self._may_abstain:
            raise ValueError(
                "missing='abstain' is not for confidence-rated stumps, whose blocks answer "
                "with as little confidence as they have; set missing='branch'."
            )
        missing = "abstain" if stump.missing == "abstain" else self._stump.missing
        return replace(
            self._stump,
            categorical=stump.categorical,
            missing=missing,
            least_share=stump.least_share,
        )


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
    learning_rate : float, default 1.0
        Factor on every answer.

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

    def _booster_of_two(self, sample: Sample) -> Booster:
        return GentleBoost(float(self.learning_rate))


@parameters.declared
class RealAdaBoostClassifier(RatedBoosting):
    """Confidence-rated AdaBoost: rules that say how sure they are.

    In every round a stump or tree cuts the domain into blocks, so that 2 sum sqrt(W+ W-) is small,
    with W+ and W- the weights of the two classes in a block; and each block answers
    1/2 ln((W+ + s)/(W- + s)), large where it is nearly pure and near 0 where it is mixed.

    Parameters
    ----------
    estimator : "stump", "tree", a stump or tree of this library, any classifier, or a function
        The weak learner; exact stumps by default, "tree" has depth 3. Classifiers of other
        libraries answer -1 and +1, regressors are fitted to them, and a function of (X, y, D) gives
        a function from X to numbers; these get the vote that makes Z least.
        ``DecisionStumpClassifier(missing="abstain")`` answers 0 where the value is missing, and
        the whole weight of those rows stays in Z.
    smoothing : float, optional
        s, in shares of the weight; None means half an example, 1/(2m). With 0 a pure block is
        nearly certain.
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule whose sign is right for every row outvotes all others and ends the fit; or it is one
        like others, with the confidences that ``smoothing`` keeps finite (classifiers and other
        learners count as if they erred on half an example), and the rounds go on.

    Examples
    --------
    >>> from weaklearn import RealAdaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = RealAdaBoostClassifier(n_estimators=5).fit(X, y)
    >>> bool((model.history_["Z"] < 1).all()), model.score(X, y)
    (True, 1.0)
    """

    smoothing: float | None = None
    on_perfect: OnPerfect = field(default="stop", metadata=ADDED)
    multiclass: Multiclass = "ovr"

    _stump = PARTITION_STUMP
    _may_abstain = True

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.smoothing is not None:
            parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)
        parameters.one_of("on_perfect", self.on_perfect, OnPerfect)

    def _of_blocks(self, learner: TreeLearner) -> WeakLearner:
        return PartitionLearner(learner, None if self.smoothing is None else float(self.smoothing))

    def _booster_of_two(self, sample: Sample) -> Booster:
        return RealAdaBoost(float(self.learning_rate), on_perfect=self.on_perfect)


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

    over_partitions = True
    options_of_all_rows = (*TwoClassBoosting.options_of_all_rows, "prior")
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

    def _check_sample(self, sample: Sample) -> None:
        super()._check_sample(sample)
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

    def _booster_of_two(self, sample: Sample) -> Booster:
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
