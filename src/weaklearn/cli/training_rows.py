"""The training and test rows of ``weaklearn fit`` and ``weaklearn compare``."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ..base.sample import take_rows
from ..comparison import trial
from ..datasets.data_table import DataTable
from ..datasets.reading import read_table
from . import data
from .evaluation import held_out
from .fault import Fault
from .kept_reading import Reading, orders_of, words
from .model import CLASSES, NUMBERS, USUAL, made
from .option import ThresholdRule

# Counts have so many values, a greatest one so much rarer than the commonest, and a tail so thin.
_COUNTED, _THIN, _TAIL = 6, 20, 4


@dataclass(frozen=True)
class Training:
    """A file of training rows, the roles of its columns, and the task where it is given."""

    path: str
    target: str | None
    weights: str | None = None
    ignore: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    task: str | None = None
    reading: Reading = field(default_factory=dict)

    @property
    def apart(self) -> list[str]:
        """The columns that are no features: the target and the weights."""
        return [name for name in (self.target, self.weights) if name]

    def rows(self) -> tuple[data.Rows, str]:
        """The training rows, and the task: ``CLASSES`` or ``NUMBERS``."""
        assert self.target is not None
        table = data.with_target(self.path, self._table(self.target), self.target, self.reading)
        kind = self.task or task_of(table, self.target)
        y = table.labels(self.target)
        w = None if self.weights is None else data.amounts(self.path, table, self.weights)
        y = y.astype(np.float64) if kind == NUMBERS else y
        return data.Rows(table.drop(self.apart), y, w, self.target), kind

    def _table(self, target: str) -> DataTable:
        source = data.source_at(self.path, self.reading)
        names = data.names_of(source, self.reading)
        data.check_names(self.path, names, [*self.apart, *self.ignore])
        orders = orders_of(self.reading.get("dates"))
        data.check_names(self.path, names, [name for name in orders if name is not None])
        categories = list(dict.fromkeys([*self.categorical, *self.text]))
        data.check_names(self.path, names, categories)
        types = dict.fromkeys(categories, "category")
        types |= {self.weights: "number"} if self.weights else {}
        if self.task is not None:
            types[target] = "number" if self.task == NUMBERS else "category"
        wanted = [name for name in names if name not in self.ignore]
        if len(wanted) < 1 + len(self.apart):
            raise Fault(f"{self.path} has no column to learn {target!r} from.")
        types = {name: kind for name, kind in types.items() if name in wanted}
        how = {"columns": wanted, **words(self.reading, source)}
        table = read_table(source, types=types, **how)
        if table.column(target).kind == "date":  # classes are called as they are in the file
            table = read_table(source, types=types | {target: "category"}, **how)
        return table


@dataclass(frozen=True, kw_only=True)
class FitOptions(Training):
    """What ``weaklearn fit`` is asked for."""

    model: str | None
    positive: str | None
    settings: tuple[str, ...]
    resume: str | None
    test: str | None
    cv: int | None
    n_rules: int
    guarantees: bool
    repeats: str
    threshold: ThresholdRule | None
    hold_out: float | None
    seed: int | None
    threads: int | None
    as_json: bool

    @classmethod
    def of(cls, path: str, given: dict[str, Any]) -> Self:
        """The options as the command gives them; those that are none of a fit say how to read."""
        own = {each.name for each in fields(cls)} & given.keys()
        reading = {name: value for name, value in given.items() if name not in own}
        return cls(path, **{name: given[name] for name in own}, reading=reading)

    def new_model(self, task: str) -> Any:
        """The model that is asked for, not fitted."""
        given = {"random_state": self.seed, "n_jobs": self.threads}
        return made(self.model or USUAL, task, self.settings, **given)


def are_counts(y: NDArray[Any]) -> bool:
    """Whether numbers look like counts: whole, from 0 or 1 on without large gaps, thinning out.

    >>> rng = np.random.default_rng(0)
    >>> are_counts(rng.poisson(1.5, 500)), are_counts(np.arange(500) % 10)
    (True, False)
    """
    values, rows = np.unique(y, return_counts=True)
    if len(values) < _COUNTED or not 0 <= values[0] <= 1 or (values != np.round(values)).any():
        return False
    mode, (small, large) = int(rows.argmax()), np.array_split(rows, 2)
    dense = (np.diff(values)[: len(small)] == 1).all() and mode < len(small)
    return bool(dense and rows[-1] * _THIN <= rows[mode] and large.sum() * _TAIL <= small.sum())


def task_of(table: DataTable, target: str) -> str:
    """Classification, unless the target holds fractions, counts, or integers that hardly repeat."""
    column = table.column(target)
    if column.kind not in ("number", "integer"):
        return CLASSES
    known = column.values.astype(np.float64)
    if are_counts(known):
        return NUMBERS
    ranks = np.unique(known, return_inverse=True)[1]  # they repeat alike, and are never too large
    kind = trial.kind_of(ranks if (known == np.round(known)).all() else known)
    return NUMBERS if kind == trial.NUMBERS else CLASSES


def train_and_test(
    rows: data.Rows, test: str | None, kind: str, seed: int, reading: Reading
) -> tuple[data.Rows, data.Rows | None]:
    """The training rows, and the test rows if there are any."""
    if test is None:
        return rows, None
    share = share_of(test)
    if share is None:
        return rows, _test_rows(rows, test, kind, reading)
    held = held_out(None if kind == NUMBERS else rows.y, len(rows.y), share, seed)
    if not 0 < held.sum() < len(held):
        raise Fault(f"--test {test} leaves no rows to learn from, or none to test on.")
    return subset(rows, np.flatnonzero(~held)), subset(rows, np.flatnonzero(held))


def share_of(test: str) -> float | None:
    """``--test`` as a share of the rows; None where it names a file."""
    try:
        share = float(test)
    except ValueError:
        return None
    if not 0 < share < 1:
        raise Fault(f"--test {test} is not allowed: a share is above 0 and below 1.")
    return share


def subset(rows: data.Rows, kept: Any) -> data.Rows:
    w = None if rows.weights is None else rows.weights[kept]
    return data.Rows(take_rows(rows.X, kept), rows.y[kept], w, rows.target)


def _test_rows(rows: data.Rows, path: str, kind: str, reading: Reading) -> data.Rows:
    """The rows of a test file, read with the column types of the training rows."""
    assert rows.target is not None
    source = data.source_at(path, reading)
    names = data.names_of(source, reading)
    data.check_names(path, names, [*rows.X.names, rows.target])
    types = {name: "number" if of == "integer" else of for name, of in rows.X.kinds.items()}
    types[rows.target] = "number" if rows.y.dtype.kind in "if" else "category"
    table = read_table(source, types=types, columns=list(types), **words(reading, source, names))
    table = data.with_target(path, table, rows.target, reading)
    y = table.labels(rows.target)
    return data.Rows(
        table.drop([rows.target]), y.astype(float) if kind == NUMBERS else y, None, rows.target
    )
