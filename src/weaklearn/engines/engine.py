"""The engine: all computations in C++, grouped by subject; the only place that makes one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from . import later
from .collective import ALONE, RUNNING, Collective
from .threads import resolve_threads

if TYPE_CHECKING:
    from .files import FileKernels
    from .gradients import GradientKernels
    from .labels import LabelKernels
    from .linear import ExpertKernels, LinearKernels, SvmKernels
    from .margins import MarginKernels
    from .prediction import PredictionKernels
    from .queries import QueryKernels
    from .rows import RowKernels
    from .sample import ColumnKernels, WeightKernels
    from .stumps import StumpKernels
    from .trees import TreeKernels
    from .vision import VisionKernels


@dataclass(frozen=True)
class Engine:
    """The kernels on this machine's threads, one property per subject.

    Those that many fits do without are imported when they are first asked for. ``collective`` gives
    sums over all rows where those at hand are one partition of several.

    >>> import numpy as np
    >>> Engine().weights.total(np.array([0.5, 0.25]))
    0.75
    """

    threads: int = 1
    collective: Collective = ALONE

    @cached_property
    def columns(self) -> ColumnKernels:
        return later.ColumnKernels(self.threads, self.collective)

    @cached_property
    def rows(self) -> RowKernels:
        return later.RowKernels(self.threads, self.collective)

    @cached_property
    def weights(self) -> WeightKernels:
        return later.WeightKernels(self.threads, self.collective)

    @cached_property
    def stumps(self) -> StumpKernels:
        return later.StumpKernels(self.threads, self.collective)

    @cached_property
    def trees(self) -> TreeKernels:
        return later.TreeKernels(self.threads)

    @cached_property
    def queries(self) -> QueryKernels:
        return later.QueryKernels(self.threads)

    @cached_property
    def gradients(self) -> GradientKernels:
        return later.GradientKernels(self.threads, self.collective)

    @cached_property
    def labels(self) -> LabelKernels:
        return later.LabelKernels(self.threads, self.collective)

    @cached_property
    def prediction(self) -> PredictionKernels:
        return later.PredictionKernels()

    @cached_property
    def linear(self) -> LinearKernels:
        return later.LinearKernels(self.threads)

    @cached_property
    def margins(self) -> MarginKernels:
        return later.MarginKernels()

    @cached_property
    def svm(self) -> SvmKernels:
        return later.SvmKernels()

    @cached_property
    def experts(self) -> ExpertKernels:
        return later.ExpertKernels()

    @cached_property
    def files(self) -> FileKernels:
        return later.FileKernels()

    @cached_property
    def vision(self) -> VisionKernels:
        return later.VisionKernels(self.threads)


def choose(n_jobs: int | None) -> Engine:
    """The engine for an estimator's ``n_jobs``, for rows of the partition that this thread runs.

    >>> choose(1).threads
    1
    """
    return Engine(resolve_threads(n_jobs), RUNNING.get())


def on_threads(threads: int = 1) -> Engine:
    """The engine on so many threads.

    >>> on_threads(2).threads
    2
    """
    return Engine(threads)
