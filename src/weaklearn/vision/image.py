"""Images as the scanner reads them: grey, 8 bits per pixel."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show

_RED, _GREEN, _BLUE = 19595, 38470, 7471  # ITU-R 601 in 65536ths, as Pillow's "L"
_ROWS_AT_ONCE = 2**24  # pixels that are converted together, so that large images need little room


def grey(image: Any) -> NDArray[np.uint8]:
    """A grey image of 8 bits from an array or a Pillow image.

    Arrays are (height, width) or (height, width, channels) with channels grey, grey and alpha, red
    green blue, or red green blue alpha; alpha is not looked at. Whole numbers go from 0 to 255 (to
    65535 in 16 bits where one of them is above 255), floating-point numbers from 0 to 1, or to 255
    where one of them is above 1.

    >>> import numpy as np
    >>> grey(np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]], np.uint8))
    array([[ 76, 150,  29]], dtype=uint8)
    >>> grey(np.array([[0.0, 0.5, 1.0]]))
    array([[  0, 128, 255]], dtype=uint8)
    """
    array = _array(image)
    if array.ndim == 3 and array.shape[2] in (1, 2, 3, 4):
        channels = array.shape[2]
    elif array.ndim == 2:
        channels = 1
    else:
        raise ValueError(
            f"image has shape {array.shape}, but it must be (height, width) for grey or "
            "(height, width, 3) for red, green and blue; detect takes one image at a time."
        )
    scale = scale_of("image", array)
    if array.dtype == np.uint8 and array.ndim == 2:
        return np.ascontiguousarray(array)
    made = np.empty(array.shape[:2], np.uint8)
    step = max(1, _ROWS_AT_ONCE // max(1, array.shape[1]))
    for first in range(0, array.shape[0], step):
        rows = array[first : first + step]
        plain = rows if rows.ndim == 2 else rows[:, :, :3] if channels >= 3 else rows[:, :, 0]
        made[first : first + step] = _bytes(plain, scale)
    return made


def _array(image: Any) -> NDArray[Any]:
    if isinstance(image, (str, bytes)) or hasattr(image, "__fspath__"):
        raise TypeError(
            f"image={show(image)} is a path: open it first, as in PIL.Image.open(path), or call "
            "'weaklearn detect' in the command line."
        )
    if hasattr(image, "getbands") and hasattr(image, "convert"):  # a Pillow image
        deep = image.mode in ("F", "I") or image.mode.startswith("I;")
        return np.asarray(image if deep else image.convert("L"))
    try:
        array = np.asarray(image)
    except ValueError:
        raise ValueError(
            "image has rows of different lengths; every row needs as many pixels."
        ) from None
    if array.dtype.kind not in "buif":
        raise TypeError(
            f"image holds {array.dtype.name} values; it must be an array of numbers or a Pillow "
            "image."
        )
    return array


def scale_of(name: str, array: NDArray[Any]) -> float:
    """The factor that scales pixels to 0 to 255; values that are no grey levels are refused."""
    if array.size == 0 or array.dtype == np.uint8:
        return 1.0
    if array.dtype.kind == "b":
        return 255.0
    least, most = array.min(), array.max()
    if not (np.isfinite(least) and np.isfinite(most)):
        at = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise ValueError(
            f"{name} has the value {array[at]} at pixel {at[:2]}: every pixel must be a finite "
            "number; fill such pixels first, for instance with numpy.nan_to_num."
        )
    if array.dtype.kind == "u" and array.dtype.itemsize == 2 and most > 255:
        return 255.0 / 65535.0
    if least < 0 or most > 255:
        raise ValueError(
            f"{name} has values from {least:g} to {most:g}: grey levels go from 0 to 255, in 16 "
            "bits without a sign to 65535, or from 0 to 1 in floating point; rescale them first."
        )
    return 255.0 if array.dtype.kind == "f" and most <= 1.0 else 1.0


def _bytes(pixels: NDArray[Any], scale: float) -> NDArray[np.uint8]:
    if pixels.dtype.kind != "f" and scale == 1.0:
        if pixels.ndim == 2:
            return pixels.astype(np.uint8)
        red, green, blue = (pixels[:, :, c].astype(np.uint32) for c in range(3))
        mixed = (red * _RED + green * _GREEN + blue * _BLUE + 32768) >> 16
        return mixed.astype(np.uint8)
    level = pixels.astype(np.float64) * scale
    if pixels.ndim == 3:
        level = (level @ np.array([_RED, _GREEN, _BLUE], np.float64)) / 65536
    return np.floor(level + 0.5).astype(np.uint8)
