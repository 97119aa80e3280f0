"""Rows with their targets, and what a model predicts for them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.offered import Method, fact, offers
from ...base.sample import take_rows
from ...base.types import Floats
from ...intake.dataset_batches import in_memory, tables_of
from ...intake.dataset_table import opened
from ...intake.elsewhere import in_files, is_dataset
from ...intake.labels import codes_among
from ...prediction.rows import schema_of
from ...production.provenance import provenance_of
from ...production.row_sketch import Lookup, RowSketch

MOST_ROWS = 20_000  # rows that margins and staged errors are computed for


@dataclass(frozen=True)
class EvaluatedRows:
    """Rows X with targets y; predictions are computed when first asked for, and kept."""

    model: Any
    X: Any
    y: NDArray[Any]

    @property
    def n(self) -> int:
        return len(self.y)

    @cached_property
    def predictions(self) -> NDArray[Any]:
        return np.asarray(self.model.predict(self.X))

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The positions of the true classes in ``classes_``; -1 for a class not in training."""
        return codes_among(self.model.classes_, self.y, self.n, "y", allow_unknown=True)

    @cached_property
    def predicted_codes(self) -> NDArray[np.int64]:
        """The positions of the predicted classes in ``classes_``."""
        known = {label: k for k, label in enumerate(self.model.classes_.tolist())}
        return np.array([known.get(label, -1) for label in self.predictions.tolist()], np.int64)

    @cached_property
    def probabilities(self) -> Floats | None:
        """The probability of every class; None where the model gives none."""
        found = _result_of(self.model, "predict_proba", self.X)
        if found is None or found.shape != (self.n, len(self.model.classes_)):
            return None
        return found if np.isfinite(found).all() else None

    @cached_property
    def scores(self) -> Floats | None:
        """Scores to rank rows by, one column per class; for two classes that of the second."""
        found = _result_of(self.model, "decision_function", self.X)
        K = len(self.model.classes_)
        if found is not None and K == 2 and found.shape == (self.n,):
            return found[:, None]
        if found is not None and K > 2 and found.shape == (self.n, K):
            return found
        if self.probabilities is None:
            return None
        return self.probabilities[:, 1:] if K == 2 else self.probabilities

    @cached_property
    def seen(self) -> Lookup | None:
        """How many of the rows were in training; None where the model does not know."""
        return self._looked_up(provenance_of(self.model).row_sketch)

    @property
    def chose_threshold(self) -> bool:
        """Whether the model's threshold was chosen on some of the rows."""
        decision = fact(self.model, "_decision")
        if decision is None or decision.threshold is None or not decision.of(self.model):
            return False
        found = self._looked_up(decision.rows)
        return found is not None and found.found > 0

    def _looked_up(self, known: RowSketch | None) -> Lookup | None:
        """How many of the rows are in a sketch."""
        if known is None:
            return None
        read = self.model._judged_cells or (lambda X: self.model._rows(X).cells)
        try:
            parts = [known.look(read(X)) for X in tables_of(self.model, self.X)]
        except (AttributeError, NotImplementedError, TypeError):
            return None
        n, decided, found = map(sum, zip(*((p.n, p.decided, p.found) for p in parts), strict=True))
        return Lookup(n, decided, found)

    @property
    def origin(self) -> str:
        """Whether the rows were in training: "training", "new", "mixed" or "unknown"."""
        if self.seen is None or self.seen.decided == 0:
            return "unknown"
        if self.seen.found == 0:
            return "new"
        return "training" if self.seen.found == self.seen.decided else "mixed"

    def sample(self, most: int = MOST_ROWS) -> EvaluatedRows:
        """At most so many of the rows, evenly spread and in memory: the same ones at every call."""
        if self.n <= most:
            return self
        rows = np.unique(np.linspace(0, self.n - 1, most).astype(np.intp))
        return EvaluatedRows(self.model, in_memory(take_rows(self.X, rows)), self.y[rows])

    @property
    def stay_in_files(self) -> bool:
        """Whether X is read batch by batch, as it may be larger than memory."""
        return in_files(self.X)


def from_dataset(model: Any, X: Any, roles: dict[str, Any]) -> tuple[Any, list[Any]]:
    """X, y and the like; those of a dataset are named. Few rows of it are read into memory."""
    if not is_dataset(X):
        return X, list(roles.values())
    schema = schema_of(model)
    table, found = opened(X, roles, features=None if schema is None else schema.names)
    return in_memory(table) if len(table) <= MOST_ROWS else table, found


def _result_of(model: Any, method: Method, X: Any) -> Floats | None:
    """What a method returns for X; None where the model does not have it, or it does not apply."""
    if not offers(model, method):
        return None
    try:
        return np.asarray(getattr(model, method)(X), np.float64)
    except (AttributeError, NotImplementedError):
        return None
