"""Pixels as arrays: images read and checked, and stacks of windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show

_LUMA = np.array([0.299, 0.587, 0.114])  # how bright red, green and blue are


def pixels_of(name: str, image: Any) -> NDArray[Any]:
    """Pixels as int64 or float64 of an image, or of a stack of them; refuses what is no number."""
    pixels = np.asarray(image)
    if pixels.ndim < 2:
        raise ValueError(
            f"{name} has shape {pixels.shape}; an image has rows and columns, a stack of images "
            "comes with its number first."
        )
    return _numbers(name, pixels)


def _numbers(name: str, pixels: NDArray[Any]) -> NDArray[Any]:
    if pixels.dtype.kind in "bi" or (pixels.dtype.kind == "u" and pixels.dtype.itemsize < 8):
        return pixels.astype(np.int64, copy=False)
    if pixels.dtype.kind == "u":
        if pixels.size and int(pixels.max()) > np.iinfo(np.int64).max:
            raise ValueError(f"{name} holds whole numbers beyond 2**63; divide them first.")
        return pixels.astype(np.int64)
    if pixels.dtype.kind != "f":
        raise TypeError(
            f"{name} holds {pixels.dtype}, which is no brightness; pass numbers, such as uint8."
        )
    finite = np.isfinite(pixels)
    if not finite.all():
        at = tuple(int(i) for i in np.argwhere(~finite)[0])
        raise ValueError(
            f"{name} holds {pixels[at]} at {at}; pixels must be finite numbers: fill it in, or "
            "leave the image out."
        )
    return pixels.astype(np.float64, copy=False)


def windows_of(name: str, windows: Any, size: tuple[int, int] | None = None) -> NDArray[Any]:
    """A stack of grey windows of one size, (n, height, width), in int64 or float64.

    ``size`` is the one that they must have. Colour becomes grey; numbers keep their range, which
    no feature that is divided by the deviation of its window looks at.
    """
    return _light(name, _stacked(name, windows), size)


def grey_windows(name: str, windows: Any, size: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """A stack of windows in grey levels from 0 to 255, as the scanner sees images.

    True is white. Whole numbers of 16 bits without a sign go to 65535 where one of them is above
    255, numbers with a point from 0 to 1, or to 255 where one of them is above 1.

    >>> grey_windows("faces", np.array([[[0, 32896, 65535]]], np.uint16)).tolist()
    [[[0, 128, 255]]]
    >>> grey_windows("faces", np.array([[[False, True]]])).tolist()
    [[[0, 255]]]
    """
    stack = _stacked(name, windows)
    light = _light(name, stack, size)
    return np.floor(light * scale_of(name, stack) + 0.5).astype(np.uint8)


def _light(name: str, stack: NDArray[Any], size: tuple[int, int] | None) -> NDArray[Any]:
    """Windows, grey or coloured, as one number per pixel."""
    if stack.ndim == 4 and stack.shape[3] in (3, 4):
        light = _numbers(name, stack)[..., :3] @ _LUMA
        stack = np.rint(light).astype(np.int64) if stack.dtype.kind in "iu" else light
    if stack.ndim != 3:
        raise ValueError(
            f"{name} has shape {stack.shape}; it must be a stack of windows, (number, height, "
            "width); one window is stack[None]."
        )
    if 0 in stack.shape[1:]:
        raise ValueError(f"{name} has windows of {stack.shape[1]} x {stack.shape[2]} pixels.")
    if size is not None and stack.shape[1:] != size:
        raise ValueError(
            f"{name} has windows of {stack.shape[1]} x {stack.shape[2]} pixels, but {size[0]} x "
            f"{size[1]} were learnt; resize them."
        )
    return _numbers(name, stack)


def _stacked(name: str, windows: Any) -> NDArray[Any]:
    """Windows as one array; the first of a list that differs in size is named."""
    if isinstance(windows, np.ndarray) and windows.dtype != object:
        return windows
    if not hasattr(windows, "__iter__"):
        raise TypeError(
            f"{name} must be a stack of windows, (number, height, width), not "
            f"{type(windows).__name__}."
        )
    if not isinstance(windows, Sequence) and not hasattr(windows, "__array__"):
        windows = list(windows)
    if len(windows) == 0:
        return np.zeros((0, 1, 1), np.uint8)
    arrays = [np.asarray(window) for window in windows]
    for i, array in enumerate(arrays):
        if array.shape != arrays[0].shape:
            raise ValueError(
                f"{name}[{i}] has shape {array.shape}, but {name}[0] has {arrays[0].shape}; all "
                "windows must have one size: crop and resize them first."
            )
    return np.stack(arrays)


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
