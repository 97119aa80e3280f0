"""Kernels that find stumps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .collective import ALONE, Collective

if TYPE_CHECKING:
    from ..base.sample import Sample


@dataclass(frozen=True)
class StumpKernels:
    """Kernels that find stumps."""

    threads: int
    collective: Collective = ALONE

    def search(
        self, sample: Sample, multiway: bool, abstain: bool, least_share: float = 0.0
    ) -> _core.StumpSearch | _core.PluralitySearch:
        """An exact search for the best stump of a sample, with a least weight on each side."""
        how: dict[str, Any] = {"multiway": multiway, "abstain": abstain, "threads": self.threads}
        if sample.binary and least_share == 0:
            return _core.StumpSearch(sample.coded, **how, all=self.collective.core)
        return _core.PluralitySearch(
            sample.coded,
            labels=(sample.y > 0).astype(np.int32) if sample.binary else sample.y,
            n_classes=2 if sample.binary else sample.n_classes,
            least_share=least_share,
            signed=sample.binary,
            **how,
        )
