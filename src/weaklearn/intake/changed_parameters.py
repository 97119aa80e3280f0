"""The parameters that a warm start must leave as they were at the first fit."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from ..base.messages.value_text import show

# Parameters that a warm start may change: the number of rounds, stopping, callbacks, and how weak
# rules are found. For more than two classes the ensemble itself shows which reduction was used.
FREE = frozenset(
    {
        *("n_estimators", "learning_rate", "estimator", "resample", "min_weight_fraction_leaf"),
        *("early_stopping", "validation_fraction", "n_iter_no_change", "tol", "scoring"),
        *("warm_start", "callbacks", "calibrate", "unseen", "random_state", "n_jobs", "verbose"),
        "multiclass",
    }
)


def settled(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Copies of the parameters that define a fit, without those a warm start may change.

    >>> settled({"nu": 0.1, "n_estimators": 100})
    {'nu': 0.1}
    """
    return {name: _kept(value) for name, value in parameters.items() if name not in FREE}


def _kept(value: Any) -> Any:
    """A deep copy of a mutable container or array; other values as they are."""
    return deepcopy(value) if isinstance(value, (dict, list, set, np.ndarray)) else value


def refuse_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuses a warm start after a change of the parameters that define the fit."""
    for name, value in now.items():
        if name in before and not same(before[name], value):
            raise ValueError(
                f"warm_start=True continues a fit with {name}={show(before[name])}, but now "
                f"{name}={show(value)}; set {name} back, or set warm_start=False to fit anew."
            )


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """The earlier values of the parameters that differ now."""
    return {name: v for name, v in before.items() if name in now and not same(v, now[name])}


def same(one: Any, other: Any) -> bool:
    """Whether two values of a parameter are equal.

    >>> same(1, 1.0), same([[0, 1]], np.array([[0, 1]])), same(len, max)
    (True, True, False)
    """
    if one is other:
        return True
    if isinstance(one, (np.ndarray, list, tuple)) and isinstance(other, (np.ndarray, list, tuple)):
        return np.shape(one) == np.shape(other) and bool(np.all(np.asarray(one) == other))
    try:
        if bool(one == other):
            return True
    except (TypeError, ValueError):  # a comparison that does not give True or False
        return False
    if type(one) is not type(other) or callable(one) or not hasattr(one, "__dict__"):
        return False
    a, b = vars(one), vars(other)  # objects without an __eq__ of their own
    return bool(a) and a.keys() == b.keys() and all(_equal(a[name], b[name]) for name in a)


def _equal(one: Any, other: Any) -> bool:
    try:
        return one is other or bool(np.all(one == other))
    except (TypeError, ValueError):
        return False
