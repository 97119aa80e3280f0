"""Scanning an image with a cascade at many scales: all accepted windows, before grouping."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..engines import Engine, on_threads
from ..intake.parameters import integer, one_of, real
from .cascade import Cascade
from .grouping import group, suppress
from .opencv import as_opencv
from .pixels import grey

Scan = Literal["features", "pyramid"]
Size: TypeAlias = int | tuple[int, int] | None
Boxes: TypeAlias = NDArray[np.int32]


def raw(
    cascade: Cascade,
    image: Any,
    *,
    min_size: Size = None,
    max_size: Size = None,
    scale_factor: float = 1.25,
    step: float | None = None,
    scan: Scan = "features",
    threads: int = 1,
) -> tuple[Boxes, NDArray[np.float64]]:
    """Boxes (left, top, width, height) of the windows that pass every stage, and their scores.

    A score is the sum over stages of (stage sum - stage threshold). Boxes come in order of size,
    then row, then column.

    ``scan="features"`` scales the features: windows at scale s stand max(1, round(step s)) pixels
    apart (``step`` is 1 if it is None), the edges of rectangles are rounded, and every rectangle's
    sum is multiplied by its area in the base window over its area here. ``scan="pyramid"`` does
    what OpenCV 4's ``detectMultiScale`` does with ``minNeighbors=0``: it shrinks the image, takes
    steps of two pixels below scale 2 and of one from there on, and passes over the window after
    one that failed in the first stage. Boxes are OpenCV's, rectangle by rectangle; those of a
    cascade that was not read from OpenCV's XML include one pixel more on each side (see
    ``as_opencv``).

    Sizes are (width, height), or one number for both. An image smaller than the window has no
    windows. Where ``min_size`` and ``max_size`` leave no size, a pyramid has one level all the
    same, of the size nearest to ``min_size``: so has OpenCV's.
    """
    one_of("scan", scan, ("features", "pyramid"))
    factor = real("scale_factor", scale_factor, 1.0, 1000.0, least=1.001)
    pixels = grey(image)
    least, most = _size("min_size", min_size), _size("max_size", max_size)
    engine = on_threads(threads)
    if scan == "pyramid":
        if step is not None:
            raise ValueError(
                f'step={show(step)} is not allowed with scan="pyramid", whose steps are OpenCV\'s: '
                'leave it out, or use scan="features".'
            )
        return _pyramid(engine, as_opencv(cascade), pixels, least, most, factor)
    stride = 1.0 if step is None else real("step", step, 0.0, 1000.0)
    return _features(engine, cascade, pixels, least, most, factor, stride)


def detect(
    cascade: Cascade,
    image: Any,
    *,
    min_neighbours: int = 3,
    overlap: float = 0.5,
    scan: Scan | None = None,
    scale_factor: float = 1.1,
    min_size: Size = None,
    max_size: Size = None,
    step: float | None = None,
    threads: int = 1,
) -> tuple[Boxes, NDArray[np.float64]]:
    """Objects in an image: windows that pass, grouped; boxes and scores, the best first.

    Groups of overlapping windows (see ``grouping.group``) with at least ``min_neighbours`` members
    become one box each, with the sum of their scores; of groups that still overlap by more than
    ``overlap`` the best is kept. With ``min_neighbours=0`` every window is given as it is. ``scan``
    is "pyramid" for OpenCV's cascades and "features" for others if it is None.
    """
    integer("min_neighbours", min_neighbours, 0)
    real("overlap", overlap, None, 1.0, least=0.0)
    boxes, scores = raw(
        cascade,
        image,
        min_size=min_size,
        max_size=max_size,
        scale_factor=scale_factor,
        step=step,
        scan=("pyramid" if cascade.inset else "features") if scan is None else scan,
        threads=threads,
    )
    if min_neighbours == 0:
        return boxes, scores
    boxes, scores, _ = group(boxes, scores, min_neighbours=min_neighbours, overlap=overlap)
    boxes, scores, _ = suppress(boxes, scores, overlap=overlap)
    return boxes, scores


def _size(name: str, value: Size) -> tuple[int, int] | None:
    if value is None:
        return None
    pair: Any = value if isinstance(value, Sequence | np.ndarray) else (value, value)
    try:
        width, height = (int(side) for side in pair)
        fine = (width, height) == tuple(pair) and width >= 0 and height >= 0
    except (TypeError, ValueError, OverflowError):
        fine = False
    if not fine:
        raise ValueError(
            f"{name}={show(value)} is not allowed: it must be a whole number of pixels, or a pair "
            "(width, height) of them."
        )
    return width, height


def _features(
    engine: Engine,
    cascade: Cascade,
    pixels: NDArray[np.uint8],
    least: tuple[int, int] | None,
    most: tuple[int, int] | None,
    factor: float,
    stride: float,
) -> tuple[Boxes, NDArray[np.float64]]:
    height, width = pixels.shape
    least = least or (0, 0)
    most = most or (width, height)
    scales, geometry, sizes = [], [], []
    scale = 1.0
    while True:
        wide, high = (math.floor(scale * side + 0.5) for side in (cascade.width, cascade.height))
        if wide > min(width, most[0]) or high > min(height, most[1]):
            break
        if wide >= least[0] and high >= least[1]:
            step = max(1, math.floor(stride * scale + 0.5))
            scales.append(scale)
            geometry.append(
                [height, width, step, (height - high) // step + 1, (width - wide) // step + 1]
            )
            sizes.append((wide, high))
        scale *= factor
    places, scores = engine.vision.scan(cascade, pixels, False, scales, geometry)
    boxes = np.empty((len(places), 4), np.int32)
    if len(places):
        level = places[:, 0]
        step_of = np.array([row[2] for row in geometry], np.int32)[level]
        boxes[:, 0] = places[:, 2] * step_of
        boxes[:, 1] = places[:, 1] * step_of
        boxes[:, 2:] = np.array(sizes, np.int32)[level]
    return boxes, scores


# ----------------------------------------------------------------- the windows OpenCV 4 looks at


def _nearest(number: Any) -> int:
    """Rounds to an integer as OpenCV's cvRound does: halves to even."""
    return int(np.rint(number))


def _opencv_scales(
    cascade: Cascade,
    shape: tuple[int, int],
    least: tuple[int, int] | None,
    most: tuple[int, int] | None,
    factor: float,
) -> list[np.float32]:
    height, width = shape
    least = least or (0, 0)
    if most is None or 0 in most:
        most = (width, height)
    every: list[np.float32] = []
    scale = 1.0
    while _nearest(cascade.width * scale) <= width and _nearest(cascade.height * scale) <= height:
        every.append(np.float32(scale))
        scale *= factor
    wide_32, high_32 = np.float32(cascade.width), np.float32(cascade.height)
    sizes = [(_nearest(wide_32 * s), _nearest(high_32 * s)) for s in every]
    kept = []
    for scale_here, (wide, high) in zip(every, sizes, strict=True):
        if wide > most[0] or high > most[1]:
            break
        if wide >= least[0] and high >= least[1]:
            kept.append(scale_here)
    if not kept and every:  # none is allowed: the one nearest to the least size
        away = [(least[0] - wide) ** 2 + (least[1] - high) ** 2 for wide, high in sizes]
        kept.append(every[int(np.argmin(away))])
    return kept


def _pyramid(
    engine: Engine,
    cascade: Cascade,
    pixels: NDArray[np.uint8],
    least: tuple[int, int] | None,
    most: tuple[int, int] | None,
    factor: float,
) -> tuple[Boxes, NDArray[np.float64]]:
    height, width = pixels.shape
    scales = (
        []
        if height < cascade.height or width < cascade.width
        else _opencv_scales(cascade, (height, width), least, most, factor)
    )
    geometry = []
    stripes = 0
    for scale in scales:
        wide, high = _nearest(np.float32(width) / scale), _nearest(np.float32(height) / scale)
        step = 1 if scale >= 2 else 2
        across, down = max(wide + 1 - cascade.width, 0), max(high + 1 - cascade.height, 0)
        stripes = stripes or math.ceil(across / 32)
        # OpenCV cuts rows into stripes, and may leave the last row out.
        stripe = max((down // step + stripes - 1) // max(stripes, 1), 1) * step
        down = min(down, stripe * stripes)
        geometry.append([high, wide, step, -(-down // step), -(-across // step)])
    places, scores = engine.vision.scan(cascade, pixels, True, [1.0] * len(scales), geometry)
    boxes = np.empty((len(places), 4), np.int32)
    if len(places):
        level = places[:, 0]
        scale_of = np.array(scales, np.float32)[level]
        step_of = np.array([row[2] for row in geometry], np.int32)[level]
        boxes[:, 0] = np.rint((places[:, 2] * step_of).astype(np.float32) * scale_of)
        boxes[:, 1] = np.rint((places[:, 1] * step_of).astype(np.float32) * scale_of)
        boxes[:, 2] = np.rint(np.float32(cascade.width) * scale_of)
        boxes[:, 3] = np.rint(np.float32(cascade.height) * scale_of)
        np.minimum(boxes[:, 2:], [width, height] - boxes[:, :2], out=boxes[:, 2:])
    return boxes, scores
