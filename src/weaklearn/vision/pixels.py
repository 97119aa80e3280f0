"""Pixels as arrays: images and stacks of windows, checked before a kernel sees them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["grey_windows", "pixels_of", "windows_of"]

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

    ``size`` is the one that they must have. Colour becomes grey.
    """
    if isinstance(windows, np.ndarray) and windows.dtype != object:
        stack = windows
    else:
        stack = _stacked(name, windows)
    if stack.ndim == 4 and stack.shape[3] in (3, 4):
        light = _numbers(name, stack)[..., :3] @ _LUMA
        stack = light if stack.dtype.kind == "f" else np.rint(light).astype(np.int64)
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


def grey_windows(name: str, windows: Any, size: tuple[int, int] | None = None) -> NDArray[np.uint8]:
    """A stack of windows in grey levels from 0 to 255, as the scanner sees images.

    Numbers with a point go from 0 to 1, or to 255 where one of them is above 1.
    """
    stack = windows_of(name, windows, size)
    if stack.size == 0:
        return stack.astype(np.uint8)
    least, most = float(stack.min()), float(stack.max())
    if least < 0 or most > 255:
        raise ValueError(
            f"{name} has values from {least:g} to {most:g}: grey levels go from 0 to 255, or from "
            "0 to 1 in floating point; rescale them first."
        )
    scale = 255.0 if stack.dtype.kind == "f" and most <= 1 else 1.0
    return np.floor(stack * scale + 0.5).astype(np.uint8)


def _stacked(name: str, windows: Any) -> NDArray[Any]:
    """A list of windows as one array; the first that differs in size is named."""
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
