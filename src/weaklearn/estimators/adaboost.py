"""AdaBoostClassifier."""

from __future__ import annotations

from typing import Any

from ..base.booster import Booster
from ..base.distribution import WRONG
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters import AdaBoost, AdaBoostM1, OneVsRest, Samme
from ..learners.tree import TreeLearner
from . import parameters
from .boosting import BoostingClassifier

_MULTICLASS = ["auto", "m1", "samme", "ovr"]


class AdaBoostClassifier(BoostingClassifier):
    """AdaBoost: a strong classifier from many weak rules of thumb.

    Two classes are boosted as in Algorithm 1.1 of Schapire and Freund: in every round the weak
    learner is asked for a rule with small error under the present weights, the rule gets the vote
    alpha = 1/2 ln((1 - epsilon)/epsilon), and the examples it got wrong gain weight.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Exact decision stumps by default; "tree" is a C4.5-style tree, pruned so that it does not
        learn a small sample by heart. Or a DecisionStumpClassifier or DecisionTreeClassifier of
        this library, a scikit-learn classifier or Pipeline: one that takes no weights is trained on
        resampled rows. Or a function that maps (X, y, D), with y in {-1, +1}, to a hypothesis,
        itself a function from X to {-1, +1}.
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    multiclass : {"auto", "m1", "samme", "ovr"}, default "auto"
        How more than two classes are boosted; "auto" is "m1" for this library's trees of any
        depth, unless the first of them errs on half of the weight, and "samme" for all others.
    on_half : {"flip", "stop"}, default "flip"
        A rule worse than chance votes negatively, or ends the game (as it always does under "m1"
        and "samme").
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule without error outvotes all others and ends the game, or is counted as if it erred on
        half an example.
    resample : bool or dict, default False
        Train on rows drawn by weight instead of weighting them: True, or a dict of ``n_samples``,
        ``gamma``, ``delta``, ``success_probability``, ``on_failure`` ("best", "fail", "stop").
    min_weight_fraction_leaf : float, default 0.0
        The least share of the weight D_t on each side of a stump or in each leaf of a scikit-learn
        tree; learners without leaves do not look at it. A little of it keeps a model from cutting
        off light examples one by one.
    class_weight : None, "balanced" or dict
    early_stopping : bool, default False
        Stop when the score on held-out rows has stayed below its best for ``n_iter_no_change``
        rounds, and keep the rounds up to the best one, the latest of equals.
    validation_fraction : float, default 0.1
    n_iter_no_change : int, default 10
        Accuracy on few rows is a coarse judge; 50 is rarely too long, and often better.
    tol : float, default 0.0
        A round counts as better only if it gains so much; with 0 it may also be as good.
    scoring : None, str or callable
        What early stopping looks at; accuracy by default.
    warm_start : bool, default False
        Go on from the rounds already played.
    callbacks : list, optional
        Functions of (t, state, history) that may return True to stop, or scikit-learn callbacks.
    calibrate : {None, "slope", "platt"}, default None
        Probabilities by the book's link, 1/(1 + exp(-2F)); or with one positive factor on F, or
        Platt's two numbers, fitted on scores of rows held out in five folds. Labels do not change.
    unseen : {"missing", "error"}, default "missing"
        A category that training never saw is taken for a missing value, or refused.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds held-out rows, resampling and foreign learners; stumps use no randomness. None is 0.
    n_jobs : int, optional
        Threads; None means all this process may use. The model is the same for any number.
    verbose : int, default 0
        1 shows a progress bar.

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    estimators_, estimator_weights_, estimator_errors_, edges_, feature_importances_

    Examples
    --------
    >>> from weaklearn import AdaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    >>> [round(float(a), 2) for a in model.estimator_weights_]
    [0.42, 0.65, 0.92]
    >>> model.score(X, y)
    1.0
    """

    def __init__(
        self,
        estimator: Any = None,
        *,
        n_estimators: int = 100,
        learning_rate: float = 1.0,
        multiclass: str = "auto",
        on_half: str = "flip",
        on_perfect: str = "stop",
        resample: Any = False,
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
        self.multiclass = multiclass
        self.on_half = on_half
        self.on_perfect = on_perfect
        self.resample = resample
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
        parameters.one_of("multiclass", self.multiclass, _MULTICLASS)
        parameters.one_of("on_half", self.on_half, ["flip", "stop"])
        parameters.one_of("on_perfect", self.on_perfect, ["stop", "smooth"])
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        binary = AdaBoost(float(self.learning_rate), self.on_half, self.on_perfect)
        if sample.binary:
            return binary
        if self.multiclass == "ovr":
            return OneVsRest(binary, learner)
        if self.multiclass == "m1" or (
            self.multiclass == "auto" and self._is_strong(sample, learner)
        ):
            return AdaBoostM1(float(self.learning_rate), self.on_perfect)
        return Samme(float(self.learning_rate), self.on_perfect)

    def _is_strong(self, sample: Sample, learner: WeakLearner) -> bool:
        """Whether a learner grows trees of any depth, and errs on less than half of the weight."""
        if not isinstance(learner, TreeLearner) or learner.max_depth or learner.max_leaf_nodes:
            return False
        if self.warm_start and hasattr(self, "ensemble_"):  # the game to go on with
            return bool(self._scheme == "AdaBoostM1")
        D = sample.prior
        return D.mass(sample.verdict(learner.bind(sample)(D, sample.y)), WRONG) < 0.5

    @property
    def _link_scale(self) -> float:
        return 2.0 if self._scheme == "AdaBoostM1" else 1.0

    @property
    def _theorems(self) -> str:
        if len(self.classes_) <= 2:
            return "adaboost"
        return {"AdaBoostM1": "m1", "OneVsRest": "ovr"}.get(self._scheme, "none")
