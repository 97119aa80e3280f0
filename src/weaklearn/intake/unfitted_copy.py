"""Copies of estimators to be fitted on other rows."""

from __future__ import annotations

from typing import Any

from sklearn.base import clone


def unfitted_copy(estimator: Any) -> Any:
    """A clone with the same parameters, without scikit-learn's callbacks."""
    copy = clone(estimator)
    copy.__dict__.pop("_skl_callbacks", None)
    return copy
