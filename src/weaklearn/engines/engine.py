"""The engine: everything that is computed in C++, by what it works on."""

from __future__ import annotations

from dataclasses import dataclass

from .columns import ColumnKernels
from .experts import ExpertKernels
from .gradients import GradientKernels
from .labels import LabelKernels
from .linear import LinearKernels
from .prediction import PredictionKernels
from .stumps import StumpKernels
from .svm import SvmKernels
from .trees import TreeKernels
from .vision import VisionKernels
from .weights import WeightKernels


@dataclass(frozen=True)
class Engine:
    """Kernels on this machine's threads; another engine overrides some of its faces.

    >>> import numpy as np
    >>> Engine().weights.total(np.array([0.5, 0.25]))
    0.75
    """

    threads: int = 1

    @property
    def columns(self) -> ColumnKernels:
        return ColumnKernels(self.threads)

    @property
    def weights(self) -> WeightKernels:
        return WeightKernels(self.threads)

    @property
    def stumps(self) -> StumpKernels:
        return StumpKernels(self.threads)

    @property
    def trees(self) -> TreeKernels:
        return TreeKernels(self.threads)

    @property
    def gradients(self) -> GradientKernels:
        return GradientKernels(self.threads)

    @property
    def labels(self) -> LabelKernels:
        return LabelKernels(self.threads)

    @property
    def prediction(self) -> PredictionKernels:
        return PredictionKernels()

    @property
    def linear(self) -> LinearKernels:
        return LinearKernels(self.threads)

    @property
    def svm(self) -> SvmKernels:
        return SvmKernels()

    @property
    def experts(self) -> ExpertKernels:
        return ExpertKernels()

    @property
    def vision(self) -> VisionKernels:
        return VisionKernels(self.threads)
