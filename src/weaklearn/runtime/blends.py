"""Weighted sums of what whole models answer."""

from __future__ import annotations

from ..prediction import blends
from .bags import OfModels


class BlendClassifier(OfModels):
    """A blend of classifiers."""

    decision_function = blends.decision_function
    predict = blends.predict
    predict_proba = blends.predict_proba


class BlendRegressor(OfModels):
    """A blend of numbers."""

    predict = blends.predict
