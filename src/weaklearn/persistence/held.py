"""An estimator as a file has it, where there are no estimators: the runtime."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..registry import Row


@dataclass(frozen=True)
class Held:
    """One estimator of a file, fitted or not: its row, parameters and fitted names."""

    row: Row
    parameters: dict[str, Any]
    state: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of the estimator."""
        return self.row.name

    @property
    def missing(self) -> Any:
        """What the parameters say of missing values, where they do."""
        return self.parameters.get("missing")

    @property
    def unseen(self) -> Any:
        """What the parameters say of values never seen, where they do."""
        return self.parameters.get("unseen")
