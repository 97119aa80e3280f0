"""How is a model asked where little is installed? Files loaded and asked with numpy alone.

``load(path)`` gives a small model with ``predict``, ``predict_proba``, ``decision_function``,
``classes_`` and ``predictor()``. It answers as ``weaklearn.load(path)`` does, to the bit, and is
imported in a few milliseconds: neither scikit-learn nor scipy nor narwhals is touched.
"""

from .loading import load
from .model import Model

__all__ = ["Model", "load"]
