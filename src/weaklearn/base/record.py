"""The record of a fit: metrics per round, their history, and the reason it stopped."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .messages.table import Table, Tabular


class Stop(enum.StrEnum):
    """The reason why boosting stopped."""

    ROUNDS = "all rounds played"
    FOUND = "the rounds that folds found best were played"
    PERFECT = "a hypothesis made no error"
    NO_EDGE = "no hypothesis beats chance"
    WORSE = "the hypothesis does worse than chance"
    FLAT = "the loss has no slope left"
    LEARNER = "the weak learner gave up"
    PROMISE = "the weak learner broke its promise"
    DECIDED = "no example is left to decide"
    TIME = "the booster's time has run out"
    COMPLETE = "the booster has all the rules that it takes"
    OPTIMAL = "no hypothesis can improve the vote any more"
    LIGHT = "too little weight is left"
    DRY = "the filter let no example through"
    SPENT = "the oracle had no more examples"
    EARLY = "the validation score stopped improving"
    CALLBACK = "a callback asked to stop"
    INTERRUPTED = "interrupted"

    @classmethod
    def of(cls, sentence: str) -> Stop | None:
        """The member whose text is a ``stop_reason_``; None where there is none.

        >>> Stop.of("interrupted").name
        'INTERRUPTED'
        """
        return next((reason for reason in cls if reason.value == sentence), None)


@dataclass(frozen=True, slots=True)
class Round:
    """The metrics of one round by name, and a reason to stop after it, if any."""

    metrics: Mapping[str, float]
    stop: Stop | None = None


class Unrecorded(KeyError):
    """A metric that a history has no column of."""


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
            raise Unrecorded(name)
        return np.array([metrics.get(name, np.nan) for metrics in self._metrics])

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


# after_round(t, state, history) -> True to stop; S is the type of the state.
S = TypeVar("S")
Callback = Callable[[int, S, History], "bool | Stop | None"]
