"""What many fits do without, imported when first asked for.

What rows elsewhere need, and weak learners that are not stumps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from ..learners.foreign import ForeignLearner as ForeignLearner
    from ..learners.foreign import RegressorLearner as RegressorLearner
    from ..learners.foreign import weight_argument as weight_argument
    from ..theory.bounds import resample_tries as resample_tries
    from .boosting.adaboost import AdaBoostClassifier as AdaBoostClassifier
    from .boosting.multilabel import code_for as code_for
    from .constraints import monotonic as monotonic
    from .elsewhere import learn_elsewhere as learn_elsewhere
    from .elsewhere import predict_elsewhere as predict_elsewhere
    from .over_partitions import refuse_parts as refuse_parts

__getattr__ = lazy_names(
    __name__,
    {
        "AdaBoostClassifier": "boosting.adaboost",
        "ForeignLearner": ".learners.foreign",
        "RegressorLearner": ".learners.foreign",
        "code_for": "boosting.multilabel",
        "learn_elsewhere": "elsewhere",
        "monotonic": "constraints",
        "predict_elsewhere": "elsewhere",
        "refuse_parts": "over_partitions",
        "resample_tries": ".theory.bounds",
        "weight_argument": ".learners.foreign",
    },
)
