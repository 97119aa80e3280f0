"""Learners whose hypotheses give each class a plausibility."""

from __future__ import annotations

from dataclasses import replace

from .stump import StumpLearner
from .tree import TreeLearner

# The cut that makes the sum of squared shares largest: a guess by them is then right most often.
SHARE_STUMP = TreeLearner(criterion="gini", categorical="multiway", missing="branch", max_depth=1)


def sharing(learner: StumpLearner) -> TreeLearner:
    """The learner of stumps that answer with class shares, in place of one that names a class."""
    if learner.missing == "abstain":
        raise ValueError(
            "missing='abstain' is not for stumps that answer with class shares, which tell how "
            "little they know; set missing='branch'."
        )
    return replace(SHARE_STUMP, categorical=learner.categorical, least_share=learner.least_share)
