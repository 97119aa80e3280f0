"""Data augmentation: windows mirrored, shifted, scaled, rotated, brightened."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Augmentation:
    """How far copies of a window may differ from it; draws are uniform in both directions.

    ``shift`` is in pixels, ``scale`` and ``brightness`` are shares (0.1: a tenth more or less),
    ``rotation`` is in degrees. Where a copy reaches beyond its window, the border is repeated.
    """

    mirror: bool = True
    copies: int = 1
    shift: float = 0.0
    scale: float = 0.0
    rotation: float = 0.0
    brightness: float = 0.0

    def __call__(self, windows: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
        """The windows, then their mirror images, then varied copies of all; types stay."""
        base = np.concatenate([windows, windows[:, :, ::-1]]) if self.mirror else windows
        varied = [self._varied(base, rng) for _ in range(self.copies)] if self._varies else []
        return np.concatenate([base, *varied])

    @property
    def _varies(self) -> bool:
        return max(self.shift, self.scale, self.rotation, self.brightness) > 0

    def _varied(self, windows: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
        n, h, w = windows.shape
        dy, dx = rng.uniform(-self.shift, self.shift, (2, n))
        size = np.exp(rng.uniform(-1, 1, n) * np.log1p(self.scale))
        angle = np.deg2rad(rng.uniform(-self.rotation, self.rotation, n))
        rows, columns = np.mgrid[:h, :w].astype(np.float64)
        rows, columns = rows - (h - 1) / 2, columns - (w - 1) / 2
        cos = np.cos(angle)[:, None, None] / size[:, None, None]
        sin = np.sin(angle)[:, None, None] / size[:, None, None]
        y = cos * rows - sin * columns + dy[:, None, None] + (h - 1) / 2
        x = sin * rows + cos * columns + dx[:, None, None] + (w - 1) / 2
        light = rng.uniform(1 - self.brightness, 1 + self.brightness, (n, 1, 1))
        found: NDArray[Any] = _between(windows, y, x) * light
        if windows.dtype.kind == "f":
            return found
        most = 255 if windows.max(initial=0) <= 255 else np.iinfo(windows.dtype).max
        whole: NDArray[Any] = np.rint(np.clip(found, windows.min(initial=0), most))
        return whole.astype(windows.dtype)


def _between(windows: NDArray[Any], y: NDArray[Any], x: NDArray[Any]) -> NDArray[np.float64]:
    """Bilinear interpolation between pixels; beyond the border its pixels are repeated."""
    n, h, w = windows.shape
    y, x = np.clip(y, 0, h - 1), np.clip(x, 0, w - 1)
    top, left = np.minimum(y.astype(np.intp), h - 2), np.minimum(x.astype(np.intp), w - 2)
    top, left = np.maximum(top, 0), np.maximum(left, 0)
    below, right = np.minimum(top + 1, h - 1), np.minimum(left + 1, w - 1)
    fy, fx = y - top, x - left
    which = np.arange(n)[:, None, None]
    upper = windows[which, top, left] * (1 - fx) + windows[which, top, right] * fx
    lower = windows[which, below, left] * (1 - fx) + windows[which, below, right] * fx
    return np.asarray(upper * (1 - fy) + lower * fy, np.float64)
