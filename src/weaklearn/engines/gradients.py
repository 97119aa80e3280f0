"""Gradients of losses, and the trees that fit them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.loss import checked
from ..base.streamed_cells import StreamedCells
from ..base.trees.grower_settings import GradientSettings
from ..base.types import Floats, Ints
from .collective import ALONE, Collective
from .mapped_file import mapped_room
from .queries import QueryKernels
from .sample import WeightKernels
from .structs import filled

if TYPE_CHECKING:
    from ..base.loss import Loss
    from ..base.sample import Sample
    from ..base.trees.term import CodedTable


@dataclass(frozen=True)
class GradientKernels:
    """Kernels of gradient boosting."""

    threads: int
    collective: Collective = ALONE

    def grower(self, sample: Sample, settings: GradientSettings) -> _core.GradientGrower:
        """A grower of trees that fit gradients."""
        struct = filled(_core.GradientSettings(), GradientSettings, settings)
        room = None
        if isinstance(sample.cells, StreamedCells):  # then codes lie in a file, and bands too
            room = mapped_room(_core.GradientGrower.bytes_of_bands(sample.coded, struct))
        return _core.GradientGrower(sample.coded, struct, self.threads, self.collective.core, room)

    def tree_list(self) -> _core.GrownTrees:
        """A list in the engine to which a grower appends its trees."""
        return _core.GrownTrees()

    def derivatives(
        self,
        loss: Loss,
        y: NDArray[Any],
        F: Floats,
        weight: Floats | None,
        copies: Ints | None,
        room: tuple[Floats, Floats | None] | None = None,
        want_loss: bool = True,
    ) -> tuple[Floats, Floats | None, float]:
        """Gradient and curvature, (K, m), of weighted examples, and their total loss over all
        partitions, any number where that is not wanted.

        The curvature is None where it is 1 everywhere. ``copies`` count in the loss alone. In
        ``room`` are a gradient and a curvature no longer needed, to be written over.
        """
        total, core = WeightKernels(self.threads, self.collective).total, self.collective.core
        if loss.queries is not None:
            return QueryKernels(self.threads).lambdas(loss.queries, F, weight, copies, room)
        if loss.native and len(F) == 1:
            g, c = (np.empty_like(F), None) if room is None else room
            c = np.empty_like(F) if c is None else c
            of = (y, F[0], weight, copies)
            return g, c, _core.logistic(*of, g[0], c[0], self.threads, core, want_loss)
        if loss.native:
            g, c = (np.empty_like(F), None) if room is None else room
            c = np.empty_like(F) if c is None else c
            values = _core.softmax(y, F, weight, g, c, self.threads)
            return g, c, total(values, weight, copies)
        if loss.has_squared_kernel and len(F) == 1:
            g, c = (np.empty_like(F), None) if room is None else room
            loss_sum = _core.squared(y, F[0], weight, copies, g[0], self.threads, core)
            if isfinite(loss_sum):  # otherwise what follows finds the row
                return g, _filled(c, weight), loss_sum
        scores = F[0] if len(F) == 1 else F.T
        loss_sum = total(loss.value(y, scores), weight, copies)
        flat = loss.constant_curvature and weight is None
        found = (loss.gradient(y, scores),) if flat else loss.derivatives(y, scores)
        slope = np.asarray(found[0], np.float64)
        g = _by_output(checked(loss, "gradient", slope, y, scores), weight, len(F))
        if flat:
            return g, None, loss_sum
        bend = np.asarray(found[-1], np.float64)
        c = _by_output(checked(loss, "curvature", bend, y, scores), weight, len(F))
        return g, c, loss_sum

    def of_own_rows(self) -> GradientKernels:
        """The same with total losses of the partition's own rows, which ask nothing of others."""
        return GradientKernels(self.threads)

    def unseen_scores(
        self, F: Floats, rows: list[NDArray[np.uint32]], room: Floats | None = None
    ) -> Floats:
        """Scores of some rows of every model, (K, all of them): F is (models times K, m). They are
        written into ``room``, if given.
        """
        if room is None:
            room = np.empty((len(F) // max(1, len(rows)), sum(map(len, rows))))
        _core.unseen_scores(F, rows, room, self.threads)
        return room

    def add_tables(self, F: Floats, tables: Sequence[CodedTable]) -> None:
        """Adds to the scores F, (K, m), what tables hold for the codes of rows, in their order."""
        _core.add_tables(
            F,
            [np.ascontiguousarray(t.values.reshape(-1, len(F))) for t in tables],
            [t.first for t in tables],
            [t.second for t in tables],
            [t.values.shape[1] for t in tables],
            self.threads,
        )

    def pair_statistics(
        self,
        coded: _core.Columns,
        g: Floats,
        c: Floats | None,
        copies: Ints | None,
        features: NDArray[np.int32],
        l2: float,
    ) -> tuple[Floats, Floats]:
        """For each pair of columns, in order: the significance and the gain of the best interaction
        by one cut in each.
        """
        return _core.pair_statistics(
            coded, g, c, copies, features, l2, self.threads, self.collective.core
        )


def _filled(room: Floats | None, weight: Floats | None) -> Floats | None:
    """The curvature of a loss whose curvature is 1: (1, m) weights, None where there are none."""
    if weight is None or room is None:
        return None if weight is None else weight[None].copy()
    room[0] = weight
    return room


def _by_output(x: Floats, weight: Floats | None, n_outputs: int) -> Floats:
    """(m,) or (m, K) to (K, m), each example times its weight."""
    rows = x[None] if n_outputs == 1 else x.T
    return np.ascontiguousarray(rows if weight is None else rows * weight)
