"""Parameters of the estimators for scikit-learn's checks, and for tests of every estimator."""

from __future__ import annotations

import inspect
from functools import partial
from typing import Any

import pytest

from weaklearn.estimators.blend import candidates
from weaklearn.registry import ROWS, class_of

# They have tests of their own alone: some take 0 and 1 only, lists, texts or images.
_APART = {
    "Boosted",
    "OneVsRestBooster",
    "AllPairsBooster",
    "BoostReranker",
    "GradientBoostingRanker",
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
_LEAST, _FEW = {"n_estimators": 3}, {"n_estimators": 5}  # rounds that pass the checks
_AIMED = {"n_estimators": 31, "gamma": 0.05}
_PARAMETERS: dict[str, dict[str, Any]] = {
    "FilterBoostClassifier": {"n_estimators": 5, "n_samples": 300},
    "LPBoostClassifier": _LEAST,
    "TotalBoostClassifier": _LEAST,
    "SoftBoostClassifier": _LEAST,
    "ERLPBoostClassifier": _LEAST,
    "GammaMajorityClassifier": _AIMED,
    "BoostByMajorityClassifier": _AIMED,
    "MajorityOfThreeClassifier": {},
    "BrownBoostClassifier": {"n_estimators": 10, "epsilon": 0.01},
    "NormalBoostClassifier": {"n_estimators": 10, "epsilon": 0.01},
    "ADTreeClassifier": _FEW,
    "SlipperClassifier": _FEW,
    "AdaBoostM1Classifier": _FEW,
    "AdaBoostM2Classifier": _FEW,
    "RankBoost": _FEW,
    "GradientBoostingClassifier": _FEW,
    "GradientBoostingRegressor": {"n_estimators": 10, "learning_rate": 0.3},
    "AdditiveBoostingClassifier": _FEW,
    "AdditiveBoostingRegressor": {
        **{"n_estimators": 10, "learning_rate": 0.3},
        **{"n_pairs": 1, "n_bags": 2},
    },
    "BaggingClassifier": _FEW,
    "BaggingRegressor": _FEW,
    "StrongClassifier": {"parts": ["forest", "stumps"]},
    "StrongRegressor": {"parts": ["forest", "glass_box"]},
    "RandomForestClassifier": {"n_estimators": 10, "oob_score": True},
    "RandomForestRegressor": {"n_estimators": 10, "oob_score": True},
    "AveragedPerceptron": {"fit_intercept": True},
    "BoosTexterClassifier": {"n_estimators": 20},
}


_OF_A_BLEND: dict[str, dict[str, Any]] = {
    "forest": {"n_estimators": 10},
    "stumps": {"n_estimators": 10},
    "glass_box": {"n_estimators": 20, "learning_rate": 0.3},
}


def with_small_blends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has blends play their parts in few rounds, as all others do here."""
    for makers in (candidates._CLASSIFIERS, candidates._REGRESSORS):
        for name in _OF_A_BLEND.keys() & makers.keys():
            monkeypatch.setitem(makers, name, partial(makers[name], **_OF_A_BLEND[name]))


def _trial(name: str) -> dict[str, Any]:
    """Those given above, and else few rounds."""
    known = inspect.signature(class_of(ROWS[name])).parameters
    few: dict[str, Any] = {"n_estimators": 10} if "n_estimators" in known else {}
    return _PARAMETERS.get(name, few)


TRIALS = {name: _trial(name) for name in ROWS if name not in _APART}
