"""Validation sets: one, or several by their names in a dict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..base.messages.value_text import show
from .offset import read_offset
from .validation import Validation, read_validation

if TYPE_CHECKING:
    from .prepare import Prepared

Judged = dict[str, Any]  # y_val, sample_weight_val, ... by their names


ValidationSet = tuple[str, Any, list[Any]]  # a set by name: X_val, and the rest in their order


def with_sets(
    prepared: Prepared,
    sets: Sequence[ValidationSet],
    columns: str = "strict",
    any_shape: bool = False,
) -> Prepared:
    """What was prepared, with the validation sets: the first judges, the others are recorded.

    ``columns``: whether columns are found by their names, as in ``Schema.matched``.
    """
    matched = [(name, prepared.schema.matched(X, columns), rest) for name, X, rest in sets]
    first, *others = (_read_set(*each, prepared, any_shape) for each in matched)
    return replace(prepared, validation=first, recorded=tuple(others))


def _read_set(
    name: str, X: Any, rest: list[Any], prepared: Prepared, any_shape: bool
) -> Validation:
    y, weight, *offsets = rest
    found = read_validation(X, y, weight, prepared, any_shape)
    given = [read_offset(each, len(found.y), "offset_val") for each in offsets if each is not None]
    return replace(found, name=name, offset=given[0] if given else None)


def validation_sets(X_val: Any, judged: Judged) -> list[ValidationSet]:
    """The validation sets as given, each with its name: one without a name, or those of a dict.

    >>> validation_sets({"a": [[1]], "b": [[2]]}, {"y_val": {"a": [3], "b": [4]}})
    [('a', [[1]], [[3]]), ('b', [[2]], [[4]])]
    """
    if X_val is None:
        for argument, value in judged.items():
            if value is not None:
                raise ValueError(
                    f"{argument} is given without X_val: pass the validation rows too."
                )
        return []
    if not isinstance(X_val, Mapping):
        return [("", X_val, list(judged.values()))]
    names = list(X_val)
    for name in names:
        if not isinstance(name, str) or name in ("", "validation"):
            raise ValueError(
                f"X_val names a set {show(name)}: names are texts that are not empty, and "
                "'validation' is the name of the first set in history_; choose another."
            )
    if not names:
        raise ValueError("X_val is an empty dict: pass one set at least, or None.")
    for argument, value in judged.items():
        if value is not None and (not isinstance(value, Mapping) or set(value) != set(names)):
            given = f"the names {show(list(value))}" if isinstance(value, Mapping) else "no dict"
            raise ValueError(
                f"X_val names the sets {', '.join(map(show, names))}, and {argument} has {given}; "
                "pass a dict with the same names."
            )
    return [
        (name, X, [None if each is None else each[name] for each in judged.values()])
        for name, X in X_val.items()
    ]
