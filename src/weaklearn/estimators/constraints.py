"""What a user demands of the shape of a model, column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..intake import parameters
from ..intake.arrays import labeller
from ..intake.raw_column import Kind
from ..intake.schema import Schema


def monotonic(wanted: Any, schema: Schema) -> tuple[int, ...] | None:
    """-1 (falling), 0 (free) or 1 (rising) for every column; None where all are free.

    ``wanted`` is one number a column, or a dict from column name to number.
    """
    if wanted is None:
        return None
    items = _each("monotonic_cst", wanted, schema, "-1, 0, 1")
    place = labeller(schema.names)
    for j, value in items.items():
        if isinstance(value, (bool, np.bool_)) or value not in (-1, 0, 1):
            raise ValueError(
                f"monotonic_cst is {show(value)} for {place(j)}; allowed are 1 (rising), "
                "-1 (falling) and 0 (free)."
            )
        if value != 0 and schema.columns[j].kind is Kind.CATEGORY:
            raise ValueError(
                f"monotonic_cst is {value} for {place(j)}, which holds categories and so has no "
                "order; set it to 0 there, or pass the column as numbers."
            )
    signs = [int(items.get(j, 0)) for j in range(schema.n_features)]
    return tuple(signs) if any(signs) else None


def weights(name: str, wanted: Any, schema: Schema) -> tuple[float, ...] | None:
    """A number of at least 0 for every column, 1 where none is named; None where all are 1.

    ``wanted``, the parameter of that name, is one number a column, or a dict from column name to
    number.
    """
    if wanted is None:
        return None
    items = _each(name, wanted, schema, "the numbers")
    place = labeller(schema.names)
    for j, value in items.items():
        parameters.real(f"{name} for {place(j)}", value, None, 1e100, least=0.0)
    found = tuple(float(items.get(j, 1.0)) for j in range(schema.n_features))
    if not any(found):
        raise ValueError(f"{name} is 0 for every column; leave one at a number above 0.")
    return None if set(found) == {1.0} else found


def refuse_many_classes(wanted: Any, classes: NDArray[Any]) -> None:
    """More than two probabilities cannot all rise."""
    if wanted is not None and len(classes) > 2:
        raise ValueError(
            f"monotonic_cst is for two classes, and y holds {len(classes)}; leave it at None, or "
            "fit one class against the rest."
        )


def _each(name: str, wanted: Any, schema: Schema, allowed: str) -> dict[int, Any]:
    """What a parameter of one value a column, or a dict from name to value, has for columns."""
    if isinstance(wanted, Mapping):
        return _by_name(name, wanted, schema, allowed)
    if not parameters.is_list(wanted):
        raise ValueError(
            f"{name} is {show(wanted)}; pass one of {allowed} a column, or a dict from column name "
            "to it."
        )
    if len(wanted) != schema.n_features:
        raise ValueError(
            f"{name} has {len(wanted)} entries, but X has {schema.n_features} columns; "
            "pass one a column."
        )
    return dict(enumerate(wanted))


def _by_name(name: str, wanted: Mapping[Any, Any], schema: Schema, allowed: str) -> dict[int, Any]:
    if schema.names is None:
        raise ValueError(
            f"{name} is a dict, but X has no column names; pass one of {allowed} a column, or a "
            "DataFrame."
        )
    names = list(schema.names)
    for column in wanted:
        if column not in names:
            raise ValueError(
                f"{name} holds {show(column)}, which is no column of X; the columns are "
                f"{show(names)}.{parameters.nearest(column, names)}"
            )
    return {names.index(column): value for column, value in wanted.items()}


def pairs(wanted: Any, schema: Schema) -> list[tuple[int, int]] | None:
    """Pairs of columns by name or number, the first before the second; None: none are asked for."""
    if wanted is None:
        return None
    if isinstance(wanted, (str, Mapping)) or not isinstance(wanted, Iterable):
        raise ValueError(f"pairs is {show(wanted)}; pass pairs of columns, such as [(0, 3)].")
    found = set()
    for pair in wanted:
        columns = [] if isinstance(pair, str) or not isinstance(pair, Iterable) else list(pair)
        if len(columns) != 2:
            raise ValueError(f"pairs holds {show(pair)}; each must be two columns.")
        a, b = (_place(column, schema) for column in columns)
        if a == b:
            raise ValueError(f"pairs holds {show(pair)}: a column with itself is no pair.")
        found.add((min(a, b), max(a, b)))
    return sorted(found)


def _place(column: Any, schema: Schema) -> int:
    names = [] if schema.names is None else list(schema.names)
    if isinstance(column, str) and column in names:
        return names.index(column)
    d = schema.n_features
    if isinstance(column, (int, np.integer)) and not isinstance(column, bool) and 0 <= column < d:
        return int(column)
    known = f"the columns are {show(names)}" if names else f"X has {d} columns, from 0 on"
    raise ValueError(
        f"pairs holds {show(column)}, which is no column of X; {known}."
        f"{parameters.nearest(column, names)}"
    )


def interactions(wanted: Any, schema: Schema) -> tuple[tuple[int, ...], ...]:
    """Groups of columns that may stand on one path of a tree; empty where all may.

    ``wanted`` is "no_interactions", "pairwise", or groups of columns by number or name; columns in
    no group form one of their own.
    """
    if wanted is None:
        return ()
    d = schema.n_features
    if isinstance(wanted, str):
        parameters.one_of("interaction_cst", wanted, ["no_interactions", "pairwise"])
        if wanted == "no_interactions":
            return tuple((j,) for j in range(d))
        return tuple((i, j) for i in range(d) for j in range(i + 1, d)) or ((0,),)
    try:
        groups = [list(group) for group in wanted]
    except TypeError:
        raise ValueError(
            f"interaction_cst is {show(wanted)}; pass 'no_interactions', 'pairwise', or a list of "
            "groups of columns."
        ) from None
    found = [tuple(sorted({_column(item, schema) for item in group})) for group in groups]
    rest = set(range(d)).difference(*found) if found else set(range(d))
    return (*found, *([tuple(sorted(rest))] if rest else []))


def cut_to_columns(estimator: Any, schema: Schema, columns: list[int]) -> Any:
    """The estimator, with parameters that name columns cut to the columns that it sees."""
    if len(columns) == schema.n_features:
        return estimator
    cut = {
        name: _CUT[name](wanted, schema, columns)
        for name in _CUT
        if (wanted := getattr(estimator, name, None)) is not None
        and not isinstance(wanted, str)  # words stand for all columns
    }
    return estimator.set_params(**cut) if cut else estimator


def _cut_categories(_: Any, schema: Schema, columns: list[int]) -> list[bool]:
    return [schema.columns[j].kind is Kind.CATEGORY for j in columns]


def _cut_signs(wanted: Any, schema: Schema, columns: list[int]) -> list[int] | None:
    signs = monotonic(wanted, schema)
    return None if signs is None else [signs[j] for j in columns]


def _cut_weights(name: str, wanted: Any, schema: Schema, columns: list[int]) -> list[float] | None:
    of_all = weights(name, wanted, schema) or (1.0,) * schema.n_features
    cut = [of_all[j] for j in columns]
    return cut if any(cut) else None  # a bag of columns that are never drawn draws all of them


def _cut_groups(wanted: Any, schema: Schema, columns: list[int]) -> list[list[int]]:
    groups = [set(group) for group in interactions(wanted, schema)]
    cut = [[place for place, j in enumerate(columns) if j in group] for group in groups]
    return [group for group in cut if group]


_CUT: dict[str, Callable[[Any, Schema, list[int]], Any]] = {
    "categorical_features": _cut_categories,
    "monotonic_cst": _cut_signs,
    "interaction_cst": _cut_groups,
    "feature_weights": partial(_cut_weights, "feature_weights"),
    "feature_factors": partial(_cut_weights, "feature_factors"),
}


def _column(item: Any, schema: Schema) -> int:
    if isinstance(item, str):
        names = list(schema.names or ())
        if item not in names:
            raise ValueError(
                f"interaction_cst holds {show(item)}, which is no column of X"
                f"{'' if names else ' (it has no column names)'}.{parameters.nearest(item, names)}"
            )
        return names.index(item)
    if isinstance(item, (bool, np.bool_)) or not isinstance(item, (int, np.integer)):
        raise ValueError(f"interaction_cst holds {show(item)}; name columns by number or by name.")
    if not 0 <= item < schema.n_features:
        raise ValueError(
            f"interaction_cst holds column {item}, but X has {schema.n_features} columns, counted "
            "from 0."
        )
    return int(item)
