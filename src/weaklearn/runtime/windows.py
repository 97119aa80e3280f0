"""A model of windows of images."""

from __future__ import annotations

from typing import Any

from ..files.check import real
from ..vision import window_scores
from .model import Model


class WindowClassifier(Model):
    """Two classes, by the votes of rectangle features."""

    _reads = "windows"
    _schema: Any = None
    b: Any

    def _restore(self) -> None:
        b: Any = self.parameters.get("b", 0.0)
        self.b = float(b) if type(b) is int else b
        real()("b", self.b)

    _windows = window_scores.windows_to_score
    decision_function = window_scores.decision_function
    predict = window_scores.predict
