"""How does a saved model predict where little is installed? With numpy and the compiled core alone.

``load(path)`` gives a small model with ``predict``, ``predict_proba``, ``decision_function``,
``classes_`` and ``predictor()``. It predicts as ``weaklearn.load(path)`` does, to the bit, and
imports neither scikit-learn nor scipy nor narwhals. Nothing that reads files is imported before.
Gradient boosting and the glass box take ``offset`` too, a known score of every row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .loading import load
    from .model import Model

__all__ = ["Model", "load"]

__getattr__ = lazy_names(__name__, {"load": "loading", "Model": "model"})
