"""What the boosters share whose rules answer with numbers."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

from ..base.hypothesis import WeakLearner
from ..base.sample import OPENED, Binning
from ..learners.stump import StumpLearner
from ..learners.tree import TreeLearner
from . import parameters
from .intake import Schema
from .two_classes import TwoClassBoosting
from .weak import is_foreign, learner_for
from .weak_regressor import learner_of_numbers


@parameters.declared
class RatedBoosting(TwoClassBoosting):
    """Boosts stumps and trees whose blocks answer with numbers, or learners of numbers."""

    # The stump by default; trees by default differ from it in depth.
    _stump: ClassVar[TreeLearner]

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
        if stump.missing == "abstain":
            raise ValueError(
                "missing='abstain' is not for confidence-rated stumps, whose blocks answer "
                "with as little confidence as they have; set missing='branch'."
            )
        return replace(self._stump, categorical=stump.categorical, least_share=stump.least_share)

    @property
    def _binning(self) -> Binning:
        return getattr(self._make_learner(0, None), "binning", OPENED)
