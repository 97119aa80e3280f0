"""What the boosters share whose rules answer with numbers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import field, replace
from typing import ClassVar

from ...base.added_field import ADDED
from ...base.booster import Booster
from ...base.hypothesis import WeakLearner
from ...base.sample import Sample
from ...boosters import GentleBoost, RealAdaBoost
from ...intake import parameters
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

    def _game_of_two(self, sample: Sample) -> Booster:
        return RealAdaBoost(float(self.learning_rate), on_perfect=self.on_perfect)
