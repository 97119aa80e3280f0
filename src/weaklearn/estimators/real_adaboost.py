"""RealAdaBoostClassifier."""

from __future__ import annotations

from ..base.booster import Booster
from ..base.hypothesis import WeakLearner
from ..base.sample import Sample
from ..boosters import RealAdaBoost
from ..learners.partition import PARTITION_STUMP, PartitionLearner
from ..learners.tree import TreeLearner
from . import parameters
from .rated import RatedBoosting


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
    n_estimators : int, default 100
        Rounds to play at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    smoothing : float, optional
        s, in shares of the weight; None means half an example, 1/(2m). With 0 a pure block is
        nearly certain.
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes are boosted one against the rest, or every two against one another.
    min_weight_fraction_leaf : float, default 0.0
        The least share of the weight on each side of a stump or in each leaf of a tree.
    class_weight : None, "balanced" or dict

    Examples
    --------
    >>> from weaklearn import RealAdaBoostClassifier, datasets
    >>> X, y = datasets.toy()
    >>> model = RealAdaBoostClassifier(n_estimators=5).fit(X, y)
    >>> bool((model.history_["Z"] < 1).all()), model.score(X, y)
    (True, 1.0)
    """

    smoothing: float | None = None
    multiclass: str = "ovr"

    _stump = PARTITION_STUMP

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.smoothing is not None:
            parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)

    def _of_blocks(self, learner: TreeLearner) -> WeakLearner:
        return PartitionLearner(learner, None if self.smoothing is None else float(self.smoothing))

    def _game_of_two(self, sample: Sample) -> Booster:
        return RealAdaBoost(float(self.learning_rate))

    @property
    def _theorems(self) -> str:
        return "product" if len(self.classes_) <= 2 else "none"
