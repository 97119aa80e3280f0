"""The history of a fit in a file: a column for each metric.

Some columns nearly follow from others: gamma is a half less epsilon. In a compact file they are
coded as differences to such a guess, and decoded when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.compression.stream import Reader, StreamError, Writer
from ..base.history import History
from .check import integer, named, need, of_type, text
from .error import Flaw
from .record import Record, expect

_Floats = NDArray[np.float64]

# What a fact is guessed from, and how. Part of the form of a file: it must never change, and uses
# operations alone that give the same bits everywhere.
_GUESSES: dict[str, tuple[str, Callable[[_Floats], _Floats]]] = {
    "gamma": ("epsilon", lambda epsilon: 0.5 - epsilon),
    "r": ("gamma", lambda gamma: 2.0 * gamma),
    "Z": ("epsilon", lambda epsilon: 2.0 * np.sqrt(epsilon * (1.0 - epsilon))),
    "product_Z": ("Z", np.multiply.accumulate),
}
_ENTRIES = 8  # that the steps of one number may need: lists of lists among them


def take(history: History) -> list[Any]:
    """Fields: number of rounds, names, a column each, and which rounds have which (None: all)."""
    names = tuple(name for name in history if name != "t")
    rounds = history.metrics
    known = np.array([[name in metrics for name in names] for metrics in rounds])
    columns = [_column([metrics[name] for metrics in rounds if name in metrics]) for name in names]
    return [len(rounds), names, columns, None if known.all() else known]


def _column(values: list[Any]) -> Any:
    if all(isinstance(value, float) for value in values):  # numpy's among them
        return np.array(values, np.float64)
    return values


def pack(histories: Sequence[History]) -> list[Any] | None:
    """The same fields with columns coded as differences to a guess; None if none gets shorter."""
    n, names, columns, known = take(histories[0])
    small = [_guessed(name, names, columns) for name in names]
    if all(data is None for data in small):
        return None
    found = [column if data is None else data for column, data in zip(columns, small, strict=True)]
    return [n, names, found, known]


def _guessed(name: str, names: Sequence[str], columns: Sequence[Any]) -> bytes | None:
    """A column coded as differences to its guess, or None where that is no shorter."""
    guess = _guess(name, names, columns)
    column = columns[names.index(name)]
    if guess is None or not isinstance(column, np.ndarray) or column.shape != guess.shape:
        return None
    writer = Writer()
    writer.guessed(column, guess)
    return bytes(writer) if len(bytes(writer)) < column.nbytes else None


def _guess(name: str, names: Sequence[str], columns: Sequence[Any]) -> _Floats | None:
    """The values that a column is guessed to have from an earlier column, or None."""
    source, formula = _GUESSES.get(name, (None, None))
    if formula is None or source not in names[: names.index(name)]:
        return None
    column = columns[names.index(source)]
    if not isinstance(column, np.ndarray) or column.dtype != np.float64 or column.ndim != 1:
        return None
    with np.errstate(all="ignore"):
        guess = formula(column)
    return np.where(np.isfinite(guess), guess, 0.0)  # the sign of NaN is not the same everywhere


def spell(_: int, fields: list[Any]) -> list[Any]:
    """The fields with packed columns decoded."""
    expect(fields, 4)
    n, names, columns, known = fields
    integer(0)("rounds", n)
    of_type("names", names, tuple)
    of_type("columns", columns, list)
    need(len(set(names)) == len(names), "a name stands twice")
    for name in names:
        text("a name", name)
        need(name != "t", "'t' is the number of the round and no fact")
    need(len(columns) == len(names), f"{len(names)} facts have {len(columns)} columns")
    found = list(columns)
    for k, name in enumerate(names):
        if type(found[k]) is bytes:
            found[k] = _unguessed(name, found[k], _guess(name, names, found))
    return [n, names, found, known]


def _unguessed(name: str, data: bytes, guess: _Floats | None) -> _Floats:
    if guess is None:
        raise Flaw(f"{name} is packed, and nothing tells what it was guessed to be")
    reader = Reader(data, _ENTRIES * (len(guess) + 1))
    try:
        column = reader.guessed(guess)
        reader.end()
    except StreamError as error:
        raise Flaw(f"{name} is packed and damaged: {error}") from None
    return column


def make(fields: list[Any]) -> History:
    n, names, columns, known = spell(1, fields)
    need(names or n == 0, f"{n} rounds have no facts")
    if known is None:
        need(all(np.size(column) == n for column in columns), f"a fact has not {n} entries")
        known = np.ones((n, len(names)), bool)
    need(
        isinstance(known, np.ndarray) and known.dtype == bool and known.shape == (n, len(names)),
        f"what is known is not a table of {n} rounds",
    )
    metrics: list[dict[str, Any]] = [{} for _ in range(n)]
    for j, (name, column) in enumerate(zip(names, columns, strict=True)):
        rounds = np.flatnonzero(known[:, j]).tolist()
        for t, value in zip(rounds, _metrics(name, column, len(rounds)), strict=True):
            metrics[t][name] = value
    return History(metrics, dict.fromkeys(names))


def _metrics(name: str, column: Any, n: int) -> list[Any]:
    if isinstance(column, np.ndarray):
        need(column.dtype == np.float64 and column.shape == (n,), f"{name} has not {n} numbers")
        return list(column.tolist())
    need(type(column) is list and len(column) == n, f"{name} has not {n} entries")
    for value in column:
        need(isinstance(value, (int, float, np.number, np.bool_)), f"{name} holds {named(value)}")
    return list(column)


HISTORY = Record(5, History, take, make, pack=pack, spell=spell)
