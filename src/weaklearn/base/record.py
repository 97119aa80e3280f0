"""What happened: rounds, their history, and why a game ended."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .table import Table

if TYPE_CHECKING:
    from .booster import State


class Stop(str, enum.Enum):
    """Why no further round was played."""

    ROUNDS = "all rounds played"
    PERFECT = "a hypothesis made no error"
    NO_EDGE = "no hypothesis beats chance"
    WORSE = "the hypothesis does worse than chance"
    LEARNER = "the weak learner gave up"
    EARLY = "the validation score stopped improving"
    CALLBACK = "a callback asked to stop"
    INTERRUPTED = "interrupted"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Round:
    """The facts of one round by name, and perhaps a reason to stop after it."""

    facts: Mapping[str, float]
    stop: Stop | None = None


@dataclass
class History(Mapping[str, NDArray[Any]]):
    """One column for each recorded fact, one entry for each round played, the ending one included.

    ``history["epsilon"]`` is an array; ``len(history)`` counts rounds; printing shows a table.
    """

    _columns: dict[str, list[float]] = field(default_factory=dict)
    _rounds: int = 0

    def append(self, facts: Mapping[str, float]) -> None:
        self._rounds += 1
        columns = self._columns
        for column in columns.values():  # facts noted later stay aligned
            column.extend([float("nan")] * (self._rounds - 1 - len(column)))
        if columns.keys() == facts.keys():
            for name, value in facts.items():
                columns[name].append(value)
            return
        for name in facts:
            columns.setdefault(name, [float("nan")] * (self._rounds - 1))
        for name, column in columns.items():
            column.append(facts.get(name, float("nan")))

    def note(self, name: str, value: float) -> None:
        """One more fact of the latest round."""
        column = self._columns.setdefault(name, [float("nan")] * self._rounds)
        if len(column) < self._rounds:
            column.append(value)
        else:
            column[-1] = value

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name == "t":
            return np.arange(1, self._rounds + 1)
        return np.array(self._columns[name])

    def __iter__(self) -> Iterator[str]:
        yield "t"
        yield from self._columns

    def __len__(self) -> int:
        return self._rounds

    def __bool__(self) -> bool:
        return self._rounds > 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        return list(self) == list(other) and all(
            np.array_equal(self[name], other[name], equal_nan=True) for name in self
        )

    __hash__ = None  # type: ignore[assignment]

    def last(self) -> dict[str, float]:
        """The facts of the latest round."""
        return {name: column[-1] for name, column in self._columns.items()}

    def first(self, n: int) -> History:
        """The history of the first n rounds."""
        return History({k: v[:n] for k, v in self._columns.items()}, min(n, self._rounds))

    def table(self) -> Table:
        names = list(self)
        columns = [self[name] for name in names]
        return Table("history", names, list(zip(*columns, strict=True)))

    def to_frame(self) -> Any:
        """The history as a pandas DataFrame."""
        return self.table().to_frame()

    def __repr__(self) -> str:
        return str(self.table())

    __str__ = __repr__

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


# after_round(t, state, history) -> True to stop.
Callback = Callable[[int, "State", History], "bool | Stop | None"]
