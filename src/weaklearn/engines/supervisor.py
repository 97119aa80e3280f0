"""Who watches a fit over partitions from outside, and the errors where some are lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol


class PartitionLost(RuntimeError):
    """Another partition failed, which raises the error that tells why."""


class Supervisor(Protocol):
    """Who runs the partitions, and watches their rounds from outside.

    ``so_far`` are rounds that an earlier run of the same fit has played: None, there are none.
    """

    so_far: Any

    def after_round(
        self,
        t: int,
        n_rounds: int,
        metrics: Mapping[str, float],
        state: Any,
        so_far: Callable[[], Any],
        model: Callable[[], Any],
    ) -> Any:
        """Hears of round t; a reason to stop after it, or None.

        ``so_far()`` gives the rounds up to this one, ``model()`` the model that they make.
        """

    def after_rounds(self) -> None:
        """Hears that the last round has been played."""


class WorkersLost(RuntimeError):
    """A fit on a cluster ended because its workers are gone; the rounds so far are kept."""
