"""What many fits do without, imported when first asked for.

What rows elsewhere need, rows given or divided to judge by, weak learners that are not stumps,
calibration, and thresholds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from ..intake.parts import check_cv as check_cv
    from ..intake.parts import rows_held_out as rows_held_out
    from ..intake.validation_sets import validation_sets as validation_sets
    from ..intake.validation_sets import with_sets as with_sets
    from ..learners.foreign import ForeignLearner as ForeignLearner
    from ..learners.foreign import RegressorLearner as RegressorLearner
    from ..learners.foreign import weight_argument as weight_argument
    from ..theory.bounds import resample_tries as resample_tries
    from ..uncertainty.calibration import calibrate as calibrate
    from ..uncertainty.calibration import check_calibration as check_calibration
    from ..uncertainty.decision_threshold import give_threshold as give_threshold
    from ..uncertainty.decision_threshold import tuned as tuned
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
        "calibrate": ".uncertainty.calibration",
        "check_calibration": ".uncertainty.calibration",
        "check_cv": ".intake.parts",
        "code_for": "boosting.multilabel",
        "give_threshold": ".uncertainty.decision_threshold",
        "learn_elsewhere": "elsewhere",
        "monotonic": "constraints",
        "predict_elsewhere": "elsewhere",
        "refuse_parts": "over_partitions",
        "resample_tries": ".theory.bounds",
        "rows_held_out": ".intake.parts",
        "tuned": ".uncertainty.decision_threshold",
        "validation_sets": ".intake.validation_sets",
        "weight_argument": ".learners.foreign",
        "with_sets": ".intake.validation_sets",
    },
)
