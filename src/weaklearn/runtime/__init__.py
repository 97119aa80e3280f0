"""How is a model asked where little is installed? Files loaded and asked with numpy alone.

``load(path)`` gives a small model with ``predict``, ``predict_proba``, ``decision_function``,
``classes_`` and ``predictor()``. It answers as ``weaklearn.load(path)`` does, to the bit, and
neither scikit-learn nor scipy nor narwhals is touched. What reads files is imported with the first.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .loading import load
    from .model import Model

__all__ = ["Model", "load"]

_HOMES = {"load": "loading", "Model": "model"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    return value
