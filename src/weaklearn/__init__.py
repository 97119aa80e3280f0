"""weaklearn: strong classifiers from weak rules.

Names are loaded when they are first used, so that importing the package stays light.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

# Where each public name lives.
_HOMES = {
    "AdaBoostClassifier": "estimators.adaboost",
    "AdaBoostRegressor": "estimators.r2",
    "AdditiveBoostingClassifier": "estimators.additive",
    "AdditiveBoostingRegressor": "estimators.additive",
    "AnyBoostClassifier": "estimators.anyboost",
    "AnyBoostRegressor": "estimators.anyboost",
    "MadaBoostClassifier": "estimators.madaboost",
    "RealAdaBoostClassifier": "estimators.real_adaboost",
    "DecisionStumpClassifier": "estimators.stump",
    "BaggingClassifier": "estimators.bagging",
    "BaggingRegressor": "estimators.bagging",
    "RandomForestClassifier": "estimators.forest",
    "RandomForestRegressor": "estimators.forest",
    "DecisionTreeClassifier": "estimators.tree",
    "DecisionTreeRegressor": "estimators.tree",
    "GradientBoostingClassifier": "estimators.gradient_boosting",
    "GradientBoostingRegressor": "estimators.gradient_boosting",
    "ID3Classifier": "estimators.id3",
    "ThresholdClassifier": "estimators.threshold",
    "rounds": "estimators.classroom",
    "Comparison": "show.comparison",
    "compare": "show.comparing",
    "load": "estimators.saving",
    "inspect": "estimators.saving",
    "prove": "estimators.proving",
    "verify": "estimators.verifying",
    "ModelFileError": "files",
    "Certificate": "base",
    "History": "base",
    "WeaklearnWarning": "base",
    "DataWarning": "base",
    "BoostingWarning": "base",
    "ThreadsWarning": "base",
}
_ROOMS = (
    "base",
    "boosters",
    "callbacks",
    "datasets",
    "engines",
    "ensembles",
    "estimators",
    "files",
    "learners",
    "losses",
    "show",
    "testing",
    "theory",
)

if TYPE_CHECKING:
    from .base import (
        BoostingWarning,
        Certificate,
        DataWarning,
        History,
        ThreadsWarning,
        WeaklearnWarning,
    )
    from .estimators.adaboost import AdaBoostClassifier
    from .estimators.additive import AdditiveBoostingClassifier, AdditiveBoostingRegressor
    from .estimators.anyboost import AnyBoostClassifier, AnyBoostRegressor
    from .estimators.bagging import BaggingClassifier, BaggingRegressor
    from .estimators.classroom import rounds
    from .estimators.forest import RandomForestClassifier, RandomForestRegressor
    from .estimators.gradient_boosting import (
        GradientBoostingClassifier,
        GradientBoostingRegressor,
    )
    from .estimators.id3 import ID3Classifier
    from .estimators.madaboost import MadaBoostClassifier
    from .estimators.proving import prove
    from .estimators.r2 import AdaBoostRegressor
    from .estimators.real_adaboost import RealAdaBoostClassifier
    from .estimators.saving import inspect, load
    from .estimators.stump import DecisionStumpClassifier
    from .estimators.threshold import ThresholdClassifier
    from .estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor
    from .estimators.verifying import verify
    from .files import ModelFileError
    from .show.comparing import compare
    from .show.comparison import Comparison

__all__ = [
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "AdditiveBoostingClassifier",
    "AdditiveBoostingRegressor",
    "AnyBoostClassifier",
    "AnyBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostingWarning",
    "Certificate",
    "Comparison",
    "DataWarning",
    "DecisionStumpClassifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "GradientBoostingClassifier",
    "GradientBoostingRegressor",
    "History",
    "ID3Classifier",
    "MadaBoostClassifier",
    "ModelFileError",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RealAdaBoostClassifier",
    "ThreadsWarning",
    "ThresholdClassifier",
    "WeaklearnWarning",
    "__version__",
    "compare",
    "inspect",
    "load",
    "prove",
    "rounds",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    elif name in _ROOMS:
        value = importlib.import_module(f".{name}", __name__)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *_ROOMS})
