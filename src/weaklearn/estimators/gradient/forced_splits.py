"""Splits that every tree of gradients begins with, as the user names them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.messages.spelling import nearest
from ...base.messages.value_text import show
from ...inspection.rule_text import feature_name
from ...intake import parameters
from ...intake.column_schema import NOUNS
from ...intake.raw_column import Kind
from ...intake.schema import Schema

if TYPE_CHECKING:
    from .model import GradientBoostingModel

_KEYS = ("feature", "threshold", "left", "right")
_FORM = "{'feature': 'age', 'threshold': 30.0, 'left': {...}, 'right': {...}}"
_MOST = 1000  # splits


def settings(model: GradientBoostingModel, schema: Schema) -> dict[str, Any]:
    """Fields of the learner: of each split its column, its threshold, and those below it."""
    if model.forced_splits is None:
        return {}
    if model.interaction_cst is not None:
        raise ValueError(
            "forced_splits does not go with interaction_cst, which forced paths may break: leave "
            "one of them at None."
        )
    features: list[int] = []
    thresholds: list[float] = []
    below: list[list[int]] = []  # of each split the numbers of those of its sides
    waiting: list[tuple[Any, tuple[int, int] | None]] = [(model.forced_splits, None)]
    for one, above in waiting:  # which grows: those above come first
        _check(one)
        if above is not None:
            below[above[0]][above[1]] = len(features)
        j = _column(one["feature"], schema)
        waiting += [
            (one[side], (len(features), k))
            for k, side in enumerate(("left", "right"))
            if one.get(side) is not None
        ]
        features.append(j)
        thresholds.append(_threshold(one["threshold"]))
        below.append([-1, -1])
        if len(waiting) > _MOST:
            raise ValueError(f"forced_splits holds more than {_MOST} splits; name fewer.")
    return {
        "forced_feature": tuple(features),
        "forced_thresholds": tuple(thresholds),
        "forced_left": tuple(left for left, _ in below),
        "forced_right": tuple(right for _, right in below),
    }


def _check(one: Any) -> None:
    """Refuses what is no split."""
    if not isinstance(one, Mapping):
        raise ValueError(f"forced_splits holds {show(one)}; a split is a dict, {_FORM}.")
    for key in one:
        if key not in _KEYS:
            hint = nearest(key, list(_KEYS))
            raise ValueError(f"forced_splits has {show(key)}, and a split is {_FORM}.{hint}")
    for key in _KEYS[:2]:
        if key not in one:
            raise ValueError(f"forced_splits has a split without {show(key)}; it is {_FORM}.")


def _threshold(value: Any) -> float:
    return parameters.real("threshold in forced_splits", value, None, 1e300, least=-1e300)


def _column(asked: Any, schema: Schema) -> int:
    """The number of an ordered column of numbers."""
    names = [] if schema.names is None else list(schema.names)
    number = isinstance(asked, (int, np.integer)) and not isinstance(asked, (bool, np.bool_))
    if asked in names:
        j = names.index(asked)
    elif number and 0 <= asked < schema.n_features:
        j = int(asked)
    else:
        known = f"the columns are {show(names)}" if names else f"X has {schema.n_features} columns"
        raise ValueError(
            f"forced_splits names {show(asked)}, which is no column of X; {known}."
            f"{nearest(asked, names)}"
        )
    kind = schema.columns[j].kind
    if kind is not Kind.NUMBER:
        raise ValueError(
            f"forced_splits names {show(feature_name(schema, j))}, a column of {NOUNS[kind]}; a "
            "forced split is at a number: pass the column as numbers, or leave it out."
        )
    return j
