"""What a cascade is trained on: windows of faces (augmented), windows without, photographs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Array
from .mining import content_key
from .pixels import grey, grey_windows
from .training import Negatives


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


def face_windows(
    faces: Any, validation_faces: Any, fraction: float, seed: int
) -> tuple[Array, Array]:
    """The training faces, and the validation faces that set the thresholds.

    Where there are none of the latter, ``fraction`` of the faces are held out.
    """
    stack = grey_windows("faces", faces)
    if len(stack) < 2:
        raise ValueError(
            f"faces holds {len(stack)} windows; a cascade needs at least 2, and a good one "
            "thousands."
        )
    stack = _ordered(stack, seed)
    if validation_faces is None:
        n_held = min(max(1, round(fraction * len(stack))), len(stack) - 1)
        return stack[n_held:], stack[:n_held]
    size = (stack.shape[1], stack.shape[2])
    held = grey_windows("validation_faces", validation_faces, size)
    if len(held) == 0:
        raise ValueError("validation_faces holds no window; pass some, or None.")
    return stack, _ordered(held, seed)


def first_negatives(negatives: Any, size: tuple[int, int], fraction: float, seed: int) -> Negatives:
    """The negative windows to begin with, ``fraction`` of them kept for validation."""
    windows = np.zeros((0, *size), np.uint8)
    if negatives is not None:
        windows = _ordered(grey_windows("negatives", negatives, size), seed)
    number = np.arange(len(windows))
    keys = np.stack([np.full_like(number, -1), number, np.zeros_like(number)], axis=1)
    aside = np.random.default_rng([seed, 3]).random(len(windows)) < fraction
    return Negatives(windows, keys.astype(np.int64), aside)


def background_images(backgrounds: Any, width: int) -> list[NDArray[np.uint8]]:
    """Photographs without faces as grey images, in an order that does not depend on theirs."""
    if _is_one_image(backgrounds, width):
        backgrounds = [backgrounds]
    if isinstance(backgrounds, (str, bytes)) or not isinstance(backgrounds, Iterable):
        raise TypeError(
            "backgrounds must be a list of images without faces, such as arrays or Pillow "
            f"images, not {type(backgrounds).__name__}."
        )
    images = []
    for i, image in enumerate(backgrounds):
        try:
            images.append(grey(image))
        except (TypeError, ValueError) as error:
            raise type(error)(f"backgrounds[{i}]: {error}") from None
    return sorted(images, key=content_key)


def _is_one_image(backgrounds: Any, width: int) -> bool:
    """Whether X is a single photograph rather than a stack of grey ones, by its shape."""
    if not isinstance(backgrounds, np.ndarray):
        return hasattr(backgrounds, "getbands")  # of Pillow
    colours = backgrounds.ndim == 3 and backgrounds.shape[2] in (3, 4)
    return backgrounds.ndim == 2 or (colours and backgrounds.shape[2] < width)


def _ordered(windows: Array, seed: int) -> Array:
    """Windows sorted by their content, so that the order of X does not matter."""
    keys = [content_key(window, seed) for window in windows]
    return windows[np.argsort(keys, kind="stable")]
