"""The record of the rounds of a fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .messages.table import Table, Tabular
from .messages.value_text import show


class Unrecorded(KeyError):
    """A metric that a history has no column of: its name, and a sentence."""

    def __str__(self) -> str:
        return str(self.args[-1])


@contextmanager
def remembered() -> Iterator[None]:
    """Context manager: an ``Unrecorded`` metric becomes a ValueError that says what to do."""
    try:
        yield
    except Unrecorded as error:
        raise ValueError(
            f"the history of this model lacks {show(error.args[0])}, without which its rounds "
            "cannot be played again; fit the model anew with warm_start=False."
        ) from None


@dataclass(repr=False)
class History(Tabular, Mapping[str, NDArray[Any]]):
    """One column for each recorded metric, one entry for each round, the last one included.

    ``history["epsilon"]`` is an array; ``len(history)`` counts rounds; printing shows a table.
    """

    _metrics: list[dict[str, float]] = field(default_factory=list)
    _names: dict[str, None] = field(default_factory=dict)

    def append(self, metrics: Mapping[str, float]) -> None:
        """Adds the metrics of one more round, by name."""
        self._metrics.append(dict(metrics))
        if self._names.keys() != metrics.keys():
            self._names.update(dict.fromkeys(metrics))

    def note(self, name: str, value: float) -> None:
        """Adds one more metric to the latest round."""
        self._metrics[-1][name] = value
        self._names.setdefault(name)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name == "t":
            return np.arange(1, len(self._metrics) + 1)
        if name not in self._names:
            known = f"it has {', '.join(self)}, each with entry t - 1 for round t"
            raise Unrecorded(name, f"the history has no metric {show(name)}; {known}.")
        return np.array([metrics.get(name, np.nan) for metrics in self._metrics])

    def __contains__(self, name: object) -> bool:
        return name == "t" or name in self._names

    def __iter__(self) -> Iterator[str]:
        yield "t"
        yield from self._names

    def __len__(self) -> int:
        return len(self._metrics)

    def __bool__(self) -> bool:
        return bool(self._metrics)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        return list(self) == list(other) and all(
            np.array_equal(self[name], other[name], equal_nan=True) for name in self
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def metrics(self) -> list[Mapping[str, float]]:
        """The metrics of each round."""
        return list(self._metrics)

    def last(self) -> dict[str, float]:
        """The metrics of the latest round."""
        return dict(self._metrics[-1])

    def first(self, n: int) -> History:
        """The history of the first n rounds."""
        return History([dict(metrics) for metrics in self._metrics[:n]], dict(self._names))

    def table(self) -> Table:
        names = list(self)
        columns = [self[name] for name in names]
        return Table("history", names, list(zip(*columns, strict=True)))
