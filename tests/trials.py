"""Parameters of the estimators for scikit-learn's checks, and for tests of every estimator."""

from __future__ import annotations

import inspect
from typing import Any

from weaklearn.registry import ROWS, class_of

# They have tests of their own alone: some take 0 and 1 only, lists, texts or images.
_APART = {
    "Boosted",
    "OneVsRestBooster",
    "AllPairsBooster",
    "BoostReranker",
    "MonomialClassifier",
    "DisjunctionClassifier",
    "ERMClassifier",
    "SleepingExperts",
    "HalvingClassifier",
    "OnlineDisjunction",
    "Hedge",
    "TermVectorizer",
    "SpamFilter",
    "CallRouter",
    "WindowClassifier",
    "CascadeDetector",
}
_PARAMETERS: dict[str, dict[str, Any]] = {
    "AdaBoostClassifier": {},
    "FilterBoostClassifier": {"n_estimators": 10, "n_samples": 300},
    "AdaBoostRegressor": {"n_estimators": 20},
    "LPBoostClassifier": {"n_estimators": 10},
    "TotalBoostClassifier": {"n_estimators": 10},
    "SoftBoostClassifier": {"n_estimators": 10},
    "ERLPBoostClassifier": {"n_estimators": 10},
    "GammaMajorityClassifier": {"n_estimators": 31, "gamma": 0.05},
    "BoostByMajorityClassifier": {"n_estimators": 31, "gamma": 0.05},
    "MajorityOfThreeClassifier": {},
    "BrownBoostClassifier": {"n_estimators": 30, "epsilon": 0.01},
    "NormalBoostClassifier": {"n_estimators": 30, "epsilon": 0.01},
    "ADTreeClassifier": {"n_estimators": 10},
    "SlipperClassifier": {"n_estimators": 10},
    "AdaBoostMHClassifier": {"n_estimators": 20},
    "AdaBoostMOClassifier": {"n_estimators": 20},
    "AdaBoostMRClassifier": {"n_estimators": 20},
    "AdaBoostM1Classifier": {"n_estimators": 10},
    "AdaBoostM2Classifier": {"n_estimators": 10},
    "RankBoost": {"n_estimators": 10},
    "GradientBoostingClassifier": {"n_estimators": 20},
    "GradientBoostingRegressor": {"n_estimators": 50, "learning_rate": 0.1},
    "AdditiveBoostingClassifier": {"n_estimators": 20},
    "AdditiveBoostingRegressor": {"n_estimators": 50, "n_pairs": 2},
    "BaggingClassifier": {},
    "BaggingRegressor": {},
    "RandomForestClassifier": {"n_estimators": 30, "oob_score": True},
    "RandomForestRegressor": {"n_estimators": 30, "oob_score": True},
    "AveragedPerceptron": {"fit_intercept": True},
    "BoosTexterClassifier": {"n_estimators": 20},
}


def _trial(name: str) -> dict[str, Any]:
    """Those given above, and else few rounds."""
    known = inspect.signature(class_of(ROWS[name])).parameters
    few: dict[str, Any] = {"n_estimators": 30} if "n_estimators" in known else {}
    return _PARAMETERS.get(name, few)


TRIALS = {name: _trial(name) for name in ROWS if name not in _APART}
