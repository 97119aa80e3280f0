"""Kernels over examples of many labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.label_distribution import LabelDistribution
from ..base.trees.grower_settings import LabelTreeSettings
from .collective import ALONE, Collective
from .structs import filled

if TYPE_CHECKING:
    from ..base.sample import Sample


@dataclass(frozen=True)
class LabelKernels:
    """Kernels over pairs of an example and a label."""

    threads: int
    collective: Collective = ALONE

    def distribution(
        self,
        signs: NDArray[np.int8],
        prior: NDArray[np.float64] | None,
        copies: NDArray[np.int64] | None,
        *,
        pairs: bool = False,
        one_label: bool = False,
    ) -> LabelDistribution:
        """A distribution over examples and labels, or over their pairs of labels."""
        weights = _core.LabelWeights(
            np.ascontiguousarray(signs, np.int8),
            prior,
            copies,
            pairs=pairs,
            one_label=one_label,
            threads=self.threads,
            all=self.collective.core,
        )
        return LabelDistribution(weights, self.threads)

    def grower(self, sample: Sample, settings: LabelTreeSettings) -> _core.LabelGrower:
        """A grower of trees over examples of many labels."""
        struct = filled(_core.LabelTreeSettings(), LabelTreeSettings, settings)
        return _core.LabelGrower(sample.coded, struct, self.threads, self.collective.core)
