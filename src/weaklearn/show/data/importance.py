"""Columns by importance, and what the less important ones add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base.messages.table import Table
from ...base.messages.value_text import show
from ...base.offered import fact
from ...estimators.boosting.base import Boosting
from ...estimators.gradient.additive_edit import Editing
from ...inspection.importance import Importances, importances


@dataclass(frozen=True)
class Importance:
    """The columns of a model with their importances, the most important first."""

    columns: tuple[str, ...]
    values: tuple[float, ...]
    note: str  # what the values are, such as "share of all gain"
    is_share: bool = True  # whether they add up to 1
    spread: tuple[float, ...] = ()  # of each value over repetitions, where it was repeated

    @classmethod
    def from_model(
        cls, model: Any, X: Any = None, y: Any = None, *, by: str | None = None, **settings: Any
    ) -> Importance:
        """By ``feature_importances_``, or ``by`` one of the ways of ``importances``."""
        if by is not None:
            return cls.from_table(importances(model, X, y, by=by, **settings))
        found = np.asarray(model.feature_importances_)
        names = fact(model, "feature_names_in_")
        if names is None:
            names = [f"x[{j}]" for j in range(len(found))]
        whole = "all votes" if isinstance(model, Boosting) else "all gain"
        whole = "all contributions" if isinstance(model, Editing) else whole
        order = np.argsort(-found, kind="stable").tolist()
        columns = tuple(str(names[j]) for j in order)
        return cls(columns, tuple(found[order].tolist()), f"share of {whole}")

    @classmethod
    def from_table(cls, table: Table) -> Importance:
        """What ``importances`` returned; another table is refused."""
        if not isinstance(table, Importances):
            raise TypeError(
                f"table={show(table)} is not allowed: pass what weaklearn.show.importances returns."
            )
        columns = tuple(str(row[0]) for row in table.rows)
        values = tuple(float(row[1]) for row in table.rows)
        spread = tuple(float(row[2]) for row in table.rows if len(row) > 2)
        return cls(columns, values, table.note, table.columns[1] in ("gain", "vote"), spread)
