"""Kernels of rectangle features, cascades and boxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from ..base.types import Floats

Boxes = NDArray[np.int32]

_SMALL = 16  # the most that the weights of a feature's rectangles may add up to


@dataclass(frozen=True)
class VisionKernels:
    """Kernels of windows and images."""

    threads: int

    def haar_bank(
        self,
        windows: NDArray[Any],
        rects: NDArray[np.int32],
        weight: Floats,
        start: NDArray[np.int64],
    ) -> _core.WindowBank | _core.FloatWindowBank:
        """A bank of windows, (n, height, width), and their rectangle features."""
        made, kind = _core.FloatWindowBank, np.float64
        if windows.dtype.kind != "f" and sums_are_small(windows) and _are_small(weight, start):
            made, kind = _core.WindowBank, np.int32  # type: ignore[assignment]
        pixels = np.ascontiguousarray(windows, kind)
        return made.make(pixels, rects, weight, start, self.threads)

    def haar_values(
        self,
        windows: NDArray[Any],
        rects: NDArray[np.int32],
        weight: Floats,
        start: NDArray[np.int64],
        normalise: bool,
    ) -> NDArray[Any]:
        """The values of features in windows, (windows, features); integers for small integer
        pixels.
        """
        bank = self.haar_bank(windows, rects, weight, start)
        if normalise or not isinstance(bank, _core.WindowBank):
            return bank.values(normalise, self.threads)
        return bank.whole_values(self.threads)

    def haar_search(
        self, bank: _core.WindowBank | _core.FloatWindowBank, keep: int
    ) -> _core.HaarSearch | _core.FloatHaarSearch:
        """A search for stumps over the features of a bank, with a limit on the bytes of cached
        codes.
        """
        if isinstance(bank, _core.WindowBank):
            return _core.HaarSearch(bank, keep, self.threads)
        return _core.FloatHaarSearch(bank, keep, self.threads)

    def scan(
        self,
        cascade: Any,
        image: NDArray[np.uint8],
        pyramid: bool,
        scales: Sequence[float],
        geometry: Sequence[Sequence[int]],
    ) -> tuple[NDArray[np.int32], Floats]:
        """Windows of a grey image that pass a cascade: (n, 3) level, row and column; scores.

        A level is a scale and its geometry: height and width of the image scanned, step, and how
        many rows and columns of windows there are.
        """
        arrays = _core.CascadeArrays(
            height=cascade.height,
            width=cascade.width,
            inset=cascade.inset,
            rects=cascade.rects.reshape(-1),
            rect_weight=cascade.rect_weight,
            feature_start=cascade.feature_start,
            node_feature=cascade.node_feature,
            node_threshold=cascade.node_threshold,
            node_low=cascade.node_low,
            node_high=cascade.node_high,
            stage_start=cascade.stage_start,
            stage_threshold=cascade.stage_threshold,
            tilted=None if cascade.tilted is None else cascade.tilted.view(np.uint8),
            low_child=cascade.low_child,
            high_child=cascade.high_child,
        )
        return arrays.scan(
            image,
            pyramid,
            np.array(scales, np.float64),
            np.array(geometry, np.int32).reshape(-1, 5),
            self.threads,
        )

    def overlapping_boxes(self, boxes: Boxes, share: float) -> NDArray[np.int64]:
        """Groups of boxes (left, top, width, height) that overlap by more than a share of their
        area.
        """
        return _core.overlapping_boxes(boxes, share)

    def similar_boxes(self, boxes: Boxes, share: float) -> NDArray[np.int64]:
        """Groups of boxes whose edges differ by at most a share of their mean smaller side."""
        return _core.similar_boxes(boxes, share)


def sums_are_small(windows: NDArray[Any]) -> bool:
    """Whether the features of integer pixels and small weights fit sums of 32 bits."""
    if windows.size == 0:
        return True
    most = max(abs(int(windows.max())), abs(int(windows.min())))
    area = int(windows.shape[1]) * int(windows.shape[2])
    return most * area * 4 * _SMALL < 2**31  # four corners a rectangle


def _are_small(weight: Floats, start: NDArray[np.int64]) -> bool:
    """Whether the weights are integers, and small in every feature."""
    sums = np.concatenate([[0.0], np.cumsum(np.minimum(np.abs(weight), 2.0 * _SMALL))])
    are_integers = bool((weight == np.rint(weight)).all())
    return are_integers and bool((np.diff(sums[start]) <= _SMALL).all())
