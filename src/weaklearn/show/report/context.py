"""What every section of a report reads: the model, its rows, the test rows, and settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...base.messages.table import printable
from ...intake.arrays import Table
from ...intake.schema import open_table
from ...theory.distinct import COPIES
from ..data.rows import EvaluatedRows


@dataclass(frozen=True)
class ReportContext:
    """A fitted model with the rows X, y, the test rows if any, and the settings of the report."""

    model: Any
    rows: EvaluatedRows
    test: EvaluatedRows | None
    weights: Any  # of the fit
    delta: float
    examples: bool  # whether rows of data may be shown
    repeats: str = COPIES  # how rows came to be equal

    @property
    def kind(self) -> str:
        return type(self.model).__name__

    @property
    def evaluated(self) -> EvaluatedRows:
        """The rows that metrics are computed on: the test rows, if any."""
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
        """The schema of the model's columns; None where it keeps none."""
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
        """What the evaluated rows are called."""
        words = {"training": "the rows it was trained on", "new": "rows it has never seen"}
        known = words.get(self.evaluated.origin, "the rows given")
        return (
            known if self.test is None or self.evaluated.origin == "new" else "the test rows given"
        )
