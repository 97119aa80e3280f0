"""Scanning window by window: pixels are added up one rectangle at a time, without any table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Hit = tuple[tuple[int, int, int, int], float]


def rectangle(image: NDArray[Any], top: int, left: int, height: int, width: int) -> int:
    return int(image[top : top + height, left : left + width].astype(np.int64).sum())


def turned(image: NDArray[Any], top: int, left: int, height: int, width: int) -> int:
    """A rectangle turned by 45 degrees, from its top corner ``width`` steps down right."""
    total = 0
    for y in range(top, top + height + width):
        for x in range(left - height, left + width):
            # Along both sides, in half diagonals from the corner.
            along, down = (x - left) + (y - top) + 2, (y - top) - (x - left)
            if 0 < along <= 2 * width and 0 < down <= 2 * height:
                total += int(image[y, x])
    return total


def _edge(scale: float, at: int) -> int:
    return math.floor(scale * at + 0.5)


def _tree(c: Any, n: int, value: Any) -> float:
    """The score of the weak classifier whose first node is n."""
    while True:
        low = value(n)
        child = c.low_child if low else c.high_child
        if child is None or child[n] == 0:
            return float(c.node_low[n] if low else c.node_high[n])
        n += int(child[n])


def _roots(c: Any, s: int) -> Iterator[int]:
    inner = set()
    for child in (c.low_child, c.high_child):
        if child is not None:
            inner |= {n + int(k) for n, k in enumerate(child) if k > 0}
    return (n for n in range(c.stage_start[s], c.stage_start[s + 1]) if n not in inner)


def _score(c: Any, low: Any) -> tuple[float | None, int]:
    """The sum of margins, None where a stage rejects, and that stage."""
    score = 0.0
    for s in range(c.n_stages):
        total = 0.0
        for n in _roots(c, s):
            total += _tree(c, n, low)
        if not total > c.stage_threshold[s]:
            return None, s
        score += total - float(c.stage_threshold[s])
    return score, c.n_stages


def _parts(c: Any, n: int) -> Iterator[tuple[list[int], float, bool]]:
    f = c.node_feature[n]
    for r in range(c.feature_start[f], c.feature_start[f + 1]):
        yield (
            c.rects[r].tolist(),
            float(c.rect_weight[r]),
            c.tilted is not None and bool(c.tilted[f]),
        )


def features(c: Any, image: NDArray[np.uint8], factor: float) -> list[Hit]:
    """``scan="features"``: features are scaled, and every rectangle corrected by its area."""
    height, width = image.shape
    found, scale = [], 1.0
    while _edge(scale, c.height) <= height and _edge(scale, c.width) <= width:
        high, wide = _edge(scale, c.height), _edge(scale, c.width)
        step = max(1, _edge(scale, 1))
        for top in range(0, height - high + 1, step):
            for left in range(0, width - wide + 1, step):
                window = image[top : top + high, left : left + wide]
                score = _scaled_window(c, window, scale)
                if score is not None:
                    found.append(((left, top, wide, high), score))
        scale *= factor
    return found


def _scaled_window(c: Any, window: NDArray[np.uint8], scale: float) -> float | None:
    inset = int(c.inset)
    top, left = _edge(scale, inset), _edge(scale, inset)
    bottom, right = _edge(scale, c.height - inset), _edge(scale, c.width - inset)
    inner = window[top:bottom, left:right].astype(np.float64)
    n, total, squares = inner.size, inner.sum(), (inner**2).sum()
    sigma = math.sqrt(max(0.0, n * squares - total * total) * (1.0 / (float(n) * float(n))))
    if c.inset and sigma <= 10.0:
        return None
    sigma = sigma or 1.0

    def low(node: int) -> bool:
        value = 0.0
        for (t, x, h, w), weight, is_turned in _parts(c, node):
            if is_turned:
                high, wide = int(scale * h), int(scale * w)
                found = turned(window, _edge(scale, t), _edge(scale, x), high, wide)
            else:
                high, wide = (
                    _edge(scale, t + h) - _edge(scale, t),
                    _edge(scale, x + w) - _edge(scale, x),
                )
                found = rectangle(window, _edge(scale, t), _edge(scale, x), high, wide)
            value += weight * (h * w / (high * wide)) * found
        return value <= float(c.node_threshold[node]) * sigma

    return _score(c, low)[0]


# ------------------------------------------------------------------------------ OpenCV's way


def shrunken(image: NDArray[np.uint8], height: int, width: int) -> NDArray[np.uint8]:
    """OpenCV's INTER_LINEAR_EXACT: shares in 256ths, one rounding at the end."""

    def axis(n: int, m: int) -> tuple[Any, Any, Any]:
        at = (1.0 / (m / n)) * (np.arange(m) + 0.5) - 0.5
        first = np.floor(at).astype(int)
        share = np.where((first < 0) | (first >= n - 1), 0, np.rint((at - first) * 256)).astype(int)
        first = first.clip(0, n - 1)
        return first, np.minimum(first + 1, n - 1), share

    a, b, share = axis(image.shape[1], width)
    pixels = image.astype(np.int64)
    across = pixels[:, a] * (256 - share) + pixels[:, b] * share
    a, b, share = axis(image.shape[0], height)
    both = across[a] * (256 - share)[:, None] + across[b] * share[:, None]
    return ((both + 32768) >> 16).astype(np.uint8)


def pyramid(c: Any, image: NDArray[np.uint8], factor: float) -> list[Hit]:
    """``scan="pyramid"`` for an inset cascade, in singles as OpenCV 4 computes."""
    f32 = np.float32
    height, width = image.shape
    found: list[Hit] = []
    scale, stripes = 1.0, 0
    while round(c.width * scale) <= width and round(c.height * scale) <= height:
        s = f32(scale)
        wide, high = int(np.rint(f32(width) / s)), int(np.rint(f32(height) / s))
        small = shrunken(image, high, wide)
        step = 1 if s >= 2 else 2
        across, down = wide + 1 - c.width, high + 1 - c.height
        stripes = stripes or math.ceil(across / 32)
        stripe = max((down // step + stripes - 1) // stripes, 1) * step
        for y in range(0, min(stripe * stripes, down), step):
            x = 0
            while x < across:
                window = small[y : y + c.height, x : x + c.width]
                score, failed = _single_window(c, window)
                if score is not None:
                    left, top = int(np.rint(f32(x) * s)), int(np.rint(f32(y) * s))
                    box_wide, box_high = (int(np.rint(f32(d) * s)) for d in (c.width, c.height))
                    box = (left, top, min(box_wide, width - left), min(box_high, height - top))
                    found.append((box, score))
                x += 2 * step if failed == 0 else step
        scale *= factor
    return found


def _single_window(c: Any, window: NDArray[np.uint8]) -> tuple[float | None, int]:
    """The score, and the stage that rejects; -1 where the window is too flat to be judged."""
    f32 = np.float32
    inner = window[1:-1, 1:-1].astype(np.int64)
    area = inner.size
    spread = float(area) * float((inner**2).sum()) - float(inner.sum()) ** 2
    norm = f32(1.0 / math.sqrt(spread)) if spread > 0 else f32(1.0)
    if spread <= 0 or not area * float(norm) < 0.1:
        return None, -1

    def low(node: int) -> bool:
        value = None
        for (t, x, h, w), weight, is_turned in _parts(c, node):
            term = f32(weight) * f32((turned if is_turned else rectangle)(window, t, x, h, w))
            value = term if value is None else f32(value + term)
        return bool(f32(value * norm) <= f32(float(c.node_threshold[node]) / area))

    return _score(c, low)
