"""What is settled when a game begins, and must stay so for as long as it is played."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np

from ..base.messages.value_text import show

# How a game is watched, ended, read and told, and how its rules are found: a warm start may change
# these. The way of more than two classes is told by the games themselves.
FREE = frozenset(
    {
        *("n_estimators", "learning_rate", "estimator", "resample", "min_weight_fraction_leaf"),
        *("early_stopping", "validation_fraction", "n_iter_no_change", "tol", "scoring"),
        *("warm_start", "callbacks", "calibrate", "unseen", "random_state", "n_jobs", "verbose"),
        "multiclass",
    }
)


def settled(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that define a game, as they are now.

    >>> settled({"nu": 0.1, "n_estimators": 100})
    {'nu': 0.1}
    """
    return {name: _kept(value) for name, value in parameters.items() if name not in FREE}


def _kept(value: Any) -> Any:
    """A value that nobody changes in place; other objects are known by what they are."""
    return deepcopy(value) if isinstance(value, (dict, list, set, np.ndarray)) else value


def refuse_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Refuses to go on with a game whose definition has changed since it began."""
    for name, value in now.items():
        if name in before and not same(before[name], value):
            raise ValueError(
                f"warm_start=True goes on with a game of {name}={show(before[name])}, but now "
                f"{name}={show(value)}; set {name} back, or set warm_start=False to begin anew."
            )


def changed(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    """What was settled and is otherwise now."""
    return {name: v for name, v in before.items() if name in now and not same(v, now[name])}


def same(one: Any, other: Any) -> bool:
    """Whether two values of a parameter mean the same.

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
    except (TypeError, ValueError):  # of what compares in a way of its own
        return False
    if type(one) is not type(other) or callable(one) or not hasattr(one, "__dict__"):
        return False
    a, b = vars(one), vars(other)  # objects that do not say when they are equal
    return bool(a) and a.keys() == b.keys() and all(_equal(a[name], b[name]) for name in a)


def _equal(one: Any, other: Any) -> bool:
    try:
        return one is other or bool(np.all(one == other))
    except (TypeError, ValueError):
        return False
