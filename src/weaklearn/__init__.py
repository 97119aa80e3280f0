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
    "DecisionStumpClassifier": "estimators.stump",
    "ThresholdClassifier": "estimators.threshold",
    "rounds": "estimators.classroom",
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
    "estimators",
    "learners",
    "show",
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
    from .estimators.classroom import rounds
    from .estimators.stump import DecisionStumpClassifier
    from .estimators.threshold import ThresholdClassifier

__all__ = [
    "AdaBoostClassifier",
    "BoostingWarning",
    "Certificate",
    "DataWarning",
    "DecisionStumpClassifier",
    "History",
    "ThreadsWarning",
    "ThresholdClassifier",
    "WeaklearnWarning",
    "__version__",
    "rounds",
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
