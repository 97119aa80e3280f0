"""Integral images: the sum of any rectangle of pixels from four look-ups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .pixels import pixels_of

__all__ = ["integral_image", "rectangle_sum", "window_variance"]

_ROOT = 2**31  # squares of pixels up to here, added up, are whole numbers of 64 bits


def integral_image(A: ArrayLike) -> NDArray[Any]:
    """Sums of all pixels above and to the left, with a row and a column of zeros before them.

    B[i, j] is the sum of A over the first i rows and the first j columns. Whole pixels are added up
    in int64, others in float64; of a stack of images each gets its own.

    >>> integral_image([[1, 2], [3, 4]])
    array([[ 0,  0,  0],
           [ 0,  1,  3],
           [ 0,  4, 10]])

    References
    ----------
    Viola and Jones (2001), Rapid object detection using a boosted cascade of simple features.
    """
    pixels = pixels_of("A", A)
    whole = pixels.dtype.kind != "f"
    shape = (*pixels.shape[:-2], pixels.shape[-2] + 1, pixels.shape[-1] + 1)
    sums: NDArray[Any] = np.zeros(shape, np.int64 if whole else np.float64)
    inner = sums[..., 1:, 1:]
    np.cumsum(pixels, axis=-2, out=inner)
    np.cumsum(inner, axis=-1, out=inner)
    return sums


def rectangle_sum(
    integral: NDArray[Any], top: ArrayLike, left: ArrayLike, height: ArrayLike, width: ArrayLike
) -> Any:
    """The sum of the pixels of a rectangle, from its four corners in an integral image.

    Rectangles may be arrays of numbers; an empty one has the sum 0.

    >>> B = integral_image([[1, 2, 3], [4, 5, 6]])
    >>> int(rectangle_sum(B, top=0, left=1, height=2, width=2))
    16
    """
    rows, columns = integral.shape[-2] - 1, integral.shape[-1] - 1
    t, l, h, w = (np.asarray(x) for x in (top, left, height, width))
    for name, x in (("top", t), ("left", l), ("height", h), ("width", w)):
        if x.dtype.kind not in "iu":
            raise TypeError(f"{name} must be a whole number of pixels, not {x.dtype}.")
    inside = (t >= 0) & (l >= 0) & (h >= 0) & (w >= 0) & (t + h <= rows) & (l + w <= columns)
    if not np.all(inside):
        raise ValueError(
            f"a rectangle reaches beyond the image of {rows} x {columns} pixels: top and left must "
            f"be at least 0, top + height at most {rows}, left + width at most {columns}."
        )
    at = integral
    return (at[..., t + h, l + w] - at[..., t, l + w]) - (at[..., t + h, l] - at[..., t, l])


def window_variance(
    A: ArrayLike,
    top: ArrayLike = 0,
    left: ArrayLike = 0,
    height: int | None = None,
    width: int | None = None,
) -> Any:
    """The variance of the pixels of a window: mean(x^2) - mean(x)^2, from two integral images.

    Without a window it is that of the whole image; of a stack each image has its own. Features are
    divided by its root, and by 1 where all pixels are equal.

    >>> float(window_variance([[1, 2], [3, 4]]))
    1.25
    """
    pixels = pixels_of("A", A)
    if pixels.dtype.kind != "f" and pixels.size and int(np.abs(pixels).max()) >= _ROOT:
        pixels = pixels.astype(np.float64)  # squares would overflow
    h = pixels.shape[-2] if height is None else height
    w = pixels.shape[-1] if width is None else width
    sums = rectangle_sum(integral_image(pixels), top, left, h, w)
    squares = rectangle_sum(integral_image(pixels * pixels), top, left, h, w)
    n = h * w
    if n == 0:
        raise ValueError(f"a window of {h} x {w} pixels has no variance; it needs a pixel.")
    if pixels.dtype.kind == "f" or float(np.max(squares)) * n >= 2.0**62:
        return np.maximum(squares / n - (sums / n) ** 2, 0.0)
    return (n * squares - sums * sums) / float(n * n)
