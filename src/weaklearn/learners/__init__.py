"""The weak learners: searches for hypotheses under a distribution."""

from __future__ import annotations

from ..lazy_names import homes_of, lazy_names

_HOMES = homes_of(
    {
        ".base.hypothesis": "Stump",
        "function": "FunctionLearner ask doubt_zeros",
        "label_rules": "LabelPartitionLearner ProductLearner ProductStumpLearner",
        "partition": "ConditionLearner MeanLearner PartitionLearner sharing",
        "resampling": "Resampling",
        "stump": "StumpLearner",
        "threshold": "seed_scan",
        "tree": "TreeLearner",
    }
)

__getattr__ = lazy_names(__name__, _HOMES)
