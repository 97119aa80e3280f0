"""What happened: rounds, their history, and why a game ended."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from .messages.table import Table, Tabular


class Stop(enum.StrEnum):
    """Why no further round was played."""

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
        """The reason behind a ``stop_reason_``; None where it is none of these.

        >>> Stop.of("interrupted").name
        'INTERRUPTED'
        """
        return next((reason for reason in cls if reason.value == sentence), None)


@dataclass(frozen=True, slots=True)
class Round:
    """The facts of one round by name, and perhaps a reason to stop after it."""

    facts: Mapping[str, float]
    stop: Stop | None = None


@dataclass(repr=False)
class History(Tabular, Mapping[str, NDArray[Any]]):
    """One column for each recorded fact, one entry for each round played, the ending one included.

    ``history["epsilon"]`` is an array; ``len(history)`` counts rounds; printing shows a table.
    """

    _facts: list[dict[str, float]] = field(default_factory=list)
    _names: dict[str, None] = field(default_factory=dict)

    def append(self, facts: Mapping[str, float]) -> None:
        """Adds the facts of one more round, by name."""
        self._facts.append(dict(facts))
        if self._names.keys() != facts.keys():
            self._names.update(dict.fromkeys(facts))

    def note(self, name: str, value: float) -> None:
        """One more fact of the latest round."""
        self._facts[-1][name] = value
        self._names.setdefault(name)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name == "t":
            return np.arange(1, len(self._facts) + 1)
        if name not in self._names:
            raise KeyError(name)
        return np.array([facts.get(name, np.nan) for facts in self._facts])

    def __iter__(self) -> Iterator[str]:
        yield "t"
        yield from self._names

    def __len__(self) -> int:
        return len(self._facts)

    def __bool__(self) -> bool:
        return bool(self._facts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, History):
            return NotImplemented
        return list(self) == list(other) and all(
            np.array_equal(self[name], other[name], equal_nan=True) for name in self
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def facts(self) -> list[Mapping[str, float]]:
        """The facts of each round."""
        return list(self._facts)

    def last(self) -> dict[str, float]:
        """The facts of the latest round."""
        return dict(self._facts[-1])

    def first(self, n: int) -> History:
        """The history of the first n rounds."""
        return History([dict(facts) for facts in self._facts[:n]], dict(self._names))

    def table(self) -> Table:
        names = list(self)
        columns = [self[name] for name in names]
        return Table("history", names, list(zip(*columns, strict=True)))


# after_round(t, state, history) -> True to stop; S is the state of the game that is watched.
S = TypeVar("S")
Callback = Callable[[int, S, History], "bool | Stop | None"]
