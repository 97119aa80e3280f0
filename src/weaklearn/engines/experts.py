"""Kernels of sleeping experts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.types import Floats

Labels = NDArray[np.int32]


@dataclass(frozen=True)
class ExpertKernels:
    """Kernels that combine experts, one example after another."""

    def play(
        self,
        epsilon: float,
        chances: Floats,
        mistakes: NDArray[np.int64],
        start: NDArray[np.int64],
        expert: Labels,
        label: Labels,
        truth: Labels,
        place: Floats,
        n_labels: int,
        learns: bool = True,
    ) -> tuple[Floats, Labels, Labels]:
        """Runs examples against experts; chances and mistakes of each change in place.

        Returned are, of every example, the chance of a mistake, the label of most weight, and a
        drawn label.
        """
        return _core.play_experts(
            epsilon, chances, mistakes, start, expert, label, truth, place, n_labels, learns
        )

    def present(self, cells: NDArray[Any]) -> tuple[NDArray[np.int64], Labels, Floats]:
        """The entries of a float matrix that are not NaN: starts of rows, columns, values."""
        return _core.present(cells)
