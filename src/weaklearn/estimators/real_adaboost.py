"""RealAdaBoostClassifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..base.booster import Booster
from ..base.hypothesis import WeakLearner
from ..base.sample import OPENED, Binning, Sample
from ..boosters import OneVsRest, RealAdaBoost
from ..learners.function import NumberFunctionLearner
from ..learners.partition import PARTITION_STUMP, PartitionLearner
from ..learners.stump import StumpLearner
from ..learners.tree import TreeLearner
from . import parameters
from .boosting import BoostingClassifier
from .intake import Schema
from .weak import is_foreign, learner_for
from .weak_regressor import is_of_numbers, regressor_for

_TREE = replace(PARTITION_STUMP, categorical="subset", max_depth=3, min_samples_leaf=2)


class RealAdaBoostClassifier(BoostingClassifier):
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
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    smoothing : float, optional
        s, in shares of the weight; None means half an example, 1/(2m). With 0 a pure block is
        nearly certain.
    multiclass : {"ovr"}, default "ovr"
        More than two classes are boosted one against the rest.
    min_weight_fraction_leaf : float, default 0.0
        The least share of the weight on each side of a stump or in each leaf of a tree.
    class_weight : None, "balanced" or dict
    early_stopping, validation_fraction, n_iter_no_change, tol, scoring, warm_start, callbacks,
    calibrate, unseen, random_state, n_jobs, verbose
        As in ``AdaBoostClassifier``.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import RealAdaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = RealAdaBoostClassifier(n_estimators=5).fit(X, y)
    >>> bool((model.history_["Z"] < 1).all()), model.score(X, y)
    (True, 1.0)
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 100,
        learning_rate: float = 1.0,
        smoothing: float | None = None,
        multiclass: str = "ovr",
        min_weight_fraction_leaf: float = 0.0,
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 0.0,
        scoring: Any = None,
        warm_start: bool = False,
        callbacks: Any = None,
        calibrate: str | None = None,
        unseen: str = "missing",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.estimator = estimator
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.smoothing = smoothing
        self.multiclass = multiclass
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.class_weight = class_weight
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.scoring = scoring
        self.warm_start = warm_start
        self.callbacks = callbacks
        self.calibrate = calibrate
        self.unseen = unseen
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.real("learning_rate", self.learning_rate, 0.0, 1e6)
        parameters.one_of("multiclass", self.multiclass, ["ovr"])
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
        if self.smoothing is not None:
            parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        estimator, share = self.estimator, float(self.min_weight_fraction_leaf)
        if not is_foreign(estimator):
            learner = learner_for(estimator, False, self.n_estimators, seed, share, schema)
            if isinstance(estimator, str) and estimator == "tree":
                learner = replace(_TREE, seed=seed, least_share=share)
            return self._confident(learner)
        if is_of_numbers(estimator):
            return regressor_for(estimator, seed, schema)
        if callable(estimator) and not hasattr(estimator, "fit"):
            return NumberFunctionLearner(estimator)
        return learner_for(estimator, False, self.n_estimators, seed, share, schema)

    def _confident(self, learner: WeakLearner) -> WeakLearner:
        """The partition of a native stump or tree."""
        smoothing = None if self.smoothing is None else float(self.smoothing)
        if isinstance(learner, StumpLearner):
            if learner.missing == "abstain":
                raise ValueError(
                    "missing='abstain' is not for confidence-rated stumps, whose blocks answer "
                    "with as little confidence as they have; set missing='branch'."
                )
            learner = replace(
                PARTITION_STUMP, categorical=learner.categorical, least_share=learner.least_share
            )
        if isinstance(learner, TreeLearner):
            return PartitionLearner(learner, smoothing)
        return learner

    @property
    def _binning(self) -> Binning:
        return getattr(self._make_learner(0, None), "binning", OPENED)

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        booster = RealAdaBoost(float(self.learning_rate))
        return booster if sample.binary else OneVsRest(booster, learner)

    @property
    def _theorems(self) -> str:
        return "product" if len(self.classes_) <= 2 else "none"
