"""What a report is about: a model, the rows it is shown with, and the rows it is judged on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.messages.table import printable
from ...base.sample import take_rows
from ...intake.arrays import Table
from ...intake.containers import open_table
from ...intake.prepare import codes_among
from ...production.provenance import earlier
from ...production.row_sketch import Lookup

Floats = NDArray[np.float64]

MOST_ROWS = 20_000  # rows that pictures of margins and stages are drawn from


@dataclass(frozen=True)
class Judged:
    """Rows with their targets, and what the model says of them."""

    model: Any
    X: Any
    y: NDArray[Any]

    @property
    def n(self) -> int:
        return len(self.y)

    @cached_property
    def said(self) -> NDArray[Any]:
        return np.asarray(self.model.predict(self.X))

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The numbers of the true classes; -1 for a class that the model never met."""
        classes = self.model.classes_
        return codes_among(classes, self.y, self.n, "y", strangers=True)

    @cached_property
    def answers(self) -> NDArray[np.int64]:
        """The numbers of the classes that the model answers."""
        known = {label: k for k, label in enumerate(self.model.classes_.tolist())}
        return np.array([known.get(label, -1) for label in self.said.tolist()], np.int64)

    @cached_property
    def shares(self) -> Floats | None:
        """The probability of every class, where the model gives any."""
        found = _asked(self.model, "predict_proba", self.X)
        if found is None or found.shape != (self.n, len(self.model.classes_)):
            return None
        return found if np.isfinite(found).all() else None

    @cached_property
    def scores(self) -> Floats | None:
        """What rows are put in order by, a column a class; one column where there are two."""
        found = _asked(self.model, "decision_function", self.X)
        K = len(self.model.classes_)
        if found is not None and K == 2 and found.shape == (self.n,):
            return found[:, None]
        if found is not None and K > 2 and found.shape == (self.n, K):
            return found
        if self.shares is None:
            return None
        return self.shares[:, 1:] if K == 2 else self.shares

    @cached_property
    def seen(self) -> Lookup | None:
        """How many of the rows the fit has looked at; None where the model does not know."""
        known = earlier(self.model).seen
        if known is None:
            return None
        find = getattr(self.model, "_judged_cells", None)
        try:
            return known.look(self.model._rows(self.X).cells if find is None else find(self.X))
        except (AttributeError, NotImplementedError, TypeError):
            return None

    @property
    def where(self) -> str:
        """ "training", "new", "mixed" or "unknown": how the rows stand to the fit."""
        if self.seen is None or self.seen.told == 0:
            return "unknown"
        if self.seen.found == 0:
            return "new"
        return "training" if self.seen.found == self.seen.told else "mixed"

    def part(self, most: int = MOST_ROWS) -> Judged:
        """At most so many of the rows, evenly spread: the same ones at every call."""
        if self.n <= most:
            return self
        rows = np.unique(np.linspace(0, self.n - 1, most).astype(np.intp))
        return Judged(self.model, take_rows(self.X, rows), self.y[rows])


def _asked(model: Any, method: str, X: Any) -> Floats | None:
    """What a method says, where the model has it and it applies."""
    ask = getattr(model, method, None)
    if ask is None:
        return None
    try:
        return np.asarray(ask(X), np.float64)
    except (AttributeError, NotImplementedError):
        return None


@dataclass(frozen=True)
class Subject:
    """A fitted model, the rows X and y, and rows to test it on, if there are any."""

    model: Any
    rows: Judged
    test: Judged | None
    weights: Any
    delta: float
    examples: bool  # whether rows of data may be shown

    @property
    def kind(self) -> str:
        return type(self.model).__name__

    @property
    def judged(self) -> Judged:
        """The rows to judge by: those of a test, if any."""
        return self.rows if self.test is None else self.test

    @cached_property
    def classes(self) -> tuple[str, ...] | None:
        """The names of the classes; None where numbers are predicted."""
        known = getattr(self.model, "classes_", None)
        return (
            None if known is None else tuple(printable(str(c)) for c in np.asarray(known).tolist())
        )

    @property
    def several_labels(self) -> bool:
        """Whether a row may have several labels."""
        return self.rows.y.ndim == 2

    @property
    def classifies(self) -> bool:
        return self.classes is not None and not self.several_labels

    @cached_property
    def table(self) -> Table | None:
        """The columns of X; None where X holds something else, such as texts."""
        try:
            return open_table(self.rows.X)
        except (TypeError, ValueError):
            return None

    @cached_property
    def schema(self) -> Any:
        """What the model knows of its columns, where it keeps that."""
        return getattr(getattr(self.model, "model_", self.model), "_schema", None)

    def column_names(self) -> Sequence[str]:
        if self.table is None:
            return ()
        names = self.table.names or getattr(self.schema, "names", None)
        if names is None:
            return [f"x[{j}]" for j in range(self.table.shape[1])]
        return [str(name) for name in names]

    @property
    def words_for_rows(self) -> str:
        """What the rows that are judged by are called."""
        words = {"training": "the rows it was trained on", "new": "rows it has never seen"}
        known = words.get(self.judged.where, "the rows given")
        return known if self.test is None or self.judged.where == "new" else "the test rows given"


def spread_rounds(last: int, most: int) -> list[int]:
    """Rounds from 1 to the last, denser at the beginning, at most so many.

    >>> spread_rounds(1000, 6)
    [1, 4, 16, 63, 251, 1000]
    """
    if last <= most:
        return list(range(1, last + 1))
    return sorted(set(np.geomspace(1, last, most).round().astype(int).tolist()))
