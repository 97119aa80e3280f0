"""What a cascade is trained on: windows of faces, windows without, and photographs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.types import Array
from .image import grey
from .mining import content_key
from .pixels import grey_windows
from .training import Negatives


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
