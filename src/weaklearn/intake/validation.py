"""Validation rows, and how those that a user passes are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.messages.warnings import shared_warnings
from ..base.numeric.fixed_point import scale_weights
from ..base.sample import Rows
from ..base.types import Floats
from .arrays import as_table
from .dataset_table import opened
from .labels import codes_among, read_target
from .multilabel import Signs, read_indicator
from .offset import read_offset
from .streamed_schema import in_memory_or_file, read_cells
from .weights import read_weights

if TYPE_CHECKING:
    from .prepare import Prepared


@dataclass(frozen=True)
class Validation:
    """Held-out rows with labels or numbers, class codes (0 without classes) and weights.

    ``signs`` are those of all labels, where rows may have several; ``name`` is that of a set among
    several, and ``offset`` a known score of every row.
    """

    rows: Rows
    y: NDArray[Any]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    signs: Signs | None = None
    name: str = ""
    offset: Floats | None = None


Judged = dict[str, Any]  # y_val, sample_weight_val, ... by their names


Opened = tuple[str, Any, list[Any]]  # a set by name: X_val, and the rest in their order


def opened_sets(X_val: Any, judged: Judged, features: Any) -> list[Opened]:
    """The validation sets as given, datasets of pyarrow opened as tables of those features."""
    sets = _named_sets(X_val, judged)
    return [(name, *opened(X, rest, features=features)) for name, X, rest in sets]


def with_sets(prepared: Prepared, sets: Sequence[Opened], any_shape: bool = False) -> Prepared:
    """What was prepared, with the validation sets: the first judges, the others are recorded."""
    first, *others = (_read_set(*each, prepared, any_shape) for each in sets)
    return replace(prepared, validation=first, recorded=tuple(others))


def _read_set(
    name: str, X: Any, rest: list[Any], prepared: Prepared, any_shape: bool
) -> Validation:
    y, weight, *offsets = rest
    found = read_validation(X, y, weight, prepared, any_shape)
    given = [read_offset(each, len(found.y), "offset_val") for each in offsets if each is not None]
    return replace(found, name=name, offset=given[0] if given else None)


def _named_sets(X_val: Any, judged: Judged) -> list[tuple[str, Any, Judged]]:
    """The validation sets as given, each with its name: one without a name, or those of a dict.

    >>> [name for name, X, rest in _named_sets({"a": [[1]], "b": [[2]]}, {"y_val": None})]
    ['a', 'b']
    """
    if X_val is None:
        for argument, value in judged.items():
            if value is not None:
                raise ValueError(
                    f"{argument} is given without X_val: pass the validation rows too."
                )
        return []
    if not isinstance(X_val, Mapping):
        return [("", X_val, judged)]
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
        (name, X, {key: None if each is None else each[name] for key, each in judged.items()})
        for name, X in X_val.items()
    ]


def read_validation(
    X_val: Any,
    y_val: Any,
    sample_weight_val: Any,
    prepared: Prepared,
    any_shape: bool = False,
) -> Validation:
    """The user's validation rows; every label must be a class of training."""
    if y_val is None:
        raise ValueError(
            "X_val is given without y_val: pass the labels of the validation rows too."
        )
    classes, engine = prepared.classes, prepared.sample.engine
    over = engine.collective
    with shared_warnings(over):
        read = read_cells(prepared.schema, as_table(X_val) if any_shape else X_val)
        cells = in_memory_or_file(read)
    signs = None
    if prepared.indicator is not None:
        n = len(classes)
        signs, _ = read_indicator(y_val, cells.n_rows, argument="y_val", n_labels=n)
        labels: NDArray[Any] = (signs > 0).astype(np.int64)
        codes = np.zeros(cells.n_rows, np.int64)
    elif prepared.sample.n_classes == 0:
        labels = read_target(y_val, cells.n_rows, largest=prepared.largest, argument="y_val")
        codes = np.zeros(cells.n_rows, np.int64)
    else:
        codes = codes_among(classes, y_val, cells.n_rows, "y_val")
        labels = classes[codes]
    weights = read_weights(sample_weight_val, cells.n_rows, over)
    weights = None if weights is None else scale_weights(weights, over)
    return Validation(Rows(cells, X_val, engine), labels, codes, weights, signs)
