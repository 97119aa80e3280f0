"""The classes of a fitted model, and the columns that it reads. Needs numpy alone."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray


def classes_of(model: Any) -> NDArray[Any] | None:
    """The classes of a fitted model; None where it predicts numbers."""
    return getattr(model, "classes_", None)


def schema_of(model: Any) -> Any:
    """The schema of a model, or of the model within it; None where neither has one."""
    return getattr(getattr(model, "model_", model), "_schema", None)
