"""Reading of numbers to predict: one a row, or several."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from ..base.messages.value_text import show
from ..base.numeric.magnitude import SQUARED
from ..base.types import Array, Floats
from .labels import as_array, read_target

NumberForm = Literal["one", "columns", "events"]


def read_numbers(
    y: Any,
    n_rows: int,
    form: NumberForm,
    *,
    estimator_name: str = "",
    largest: float = math.inf,
    argument: str = "y",
    n_targets: int | None = None,
) -> Floats:
    """The numbers to predict, (n,); of several targets, where ``form`` allows them, (n, targets).

    ``n_targets`` is how many there must be, as in training.
    """
    if form == "events":
        return read_events(y, n_rows, argument)
    table = _table(y) if form == "columns" and y is not None else None
    k = table.shape[1] if table is not None and table.ndim == 2 else 1
    if n_targets is not None and k != n_targets:
        raise ValueError(
            f"{argument} holds {k} target(s) a row, and y in training {n_targets}; pass a column "
            "for each."
        )
    how: dict[str, Any] = {"estimator_name": estimator_name, "largest": largest}
    if table is None or k == 1:
        return read_target(y, n_rows, argument=argument, **how)
    columns = []
    for j in range(k):
        try:
            columns.append(read_target(table[:, j], n_rows, argument=argument, **how))
        except (TypeError, ValueError) as error:
            error.add_note(f"This is column {j} of {argument}, which has {k}.")
            raise
    return np.column_stack(columns)


_EVENTS = (
    "a structured array or a DataFrame of one column of bool (whether the event came) and one of "
    "numbers (the time)"
)


def read_events(y: Any, n_rows: int, argument: str = "y") -> Floats:
    """Times of events, and minus the times of rows whose event did not come.

    >>> y = np.array([(True, 3.0), (False, 4.0)], [("died", bool), ("days", float)])
    >>> read_events(y, 2).tolist()
    [3.0, -4.0]
    """
    columns: list[Array] = []
    if isinstance(y, np.ndarray):
        columns = [y[name] for name in y.dtype.names or ()]
    elif not isinstance(y, (list, tuple)) and np.asarray(y).ndim == 2:
        columns = [np.asarray(y[name]) for name in y.columns]
    kinds = ["event" if x.dtype.kind == "b" else "time" for x in columns]
    if sorted(kinds) != ["event", "time"] or any(x.dtype.kind not in "biuf" for x in columns):
        raise ValueError(_no_events(y, columns, argument))
    event, time = columns[kinds.index("event")], columns[kinds.index("time")]
    time = read_target(time, n_rows, largest=SQUARED, argument=argument)
    if (time <= 0).any():
        row = int(np.argmax(time <= 0))
        raise ValueError(
            f"the time of {argument}[{row}] is {show(time[row].item())}; times are numbers above "
            "0: count them from before the first event, or leave the row out."
        )
    return np.where(event, time, -time)


def _no_events(y: Any, columns: list[Array], argument: str) -> str:
    """What is wrong with a y that holds no times of events, and what to do."""
    kinds = [x.dtype.kind for x in columns]
    found = f"holds {show([str(x.dtype) for x in columns])}" if kinds else f"is {_named(y)}"
    text = f"{argument} {found}; times of events are {_EVENTS}"
    flags = [np.isin(x, [0, 1]).all() for x in columns if x.dtype.kind in "biuf"]
    if len(flags) == len(kinds) == 2 and "b" not in kinds and sum(flags) == 1:
        return f"{text}: make bool of the column of 0 and 1 by .astype(bool)."
    return f'{text}, such as pd.DataFrame({{"event": came.astype(bool), "time": days}}).'


def _named(y: Any) -> str:
    name = type(y).__name__
    return "an array without names" if name == "ndarray" else f"a {name}"


def events_of(y: Floats) -> Array:
    """What ``read_events`` reads so: a structured array.

    >>> events_of(np.array([3.0, -4.0])).tolist()
    [(True, 3.0), (False, 4.0)]
    """
    found = np.empty(len(y), [("event", bool), ("time", np.float64)])
    found["event"], found["time"] = y > 0, np.abs(y)
    return found


def _table(y: Any) -> Array:
    """The values of a container of one dimension or two."""
    plain = isinstance(y, (np.ndarray, list, tuple))
    return as_array(y) if plain or np.asarray(y).ndim != 2 else np.asarray(y)
