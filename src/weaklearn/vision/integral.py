"""Integral images: the sum of any rectangle of pixels from four look-ups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .pixels import pixels_of

_PIXELS_AT_ONCE = 2**22  # that are cut out of an image together


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
    t, l, h, w = _inside(integral.shape[-2] - 1, integral.shape[-1] - 1, top, left, height, width)
    at = integral
    return (at[..., t + h, l + w] - at[..., t, l + w]) - (at[..., t + h, l] - at[..., t, l])


def _inside(rows: int, columns: int, *place: ArrayLike) -> list[NDArray[Any]]:
    """Top, left, height and width as arrays, once they are known to lie in an image."""
    t, l, h, w = found = [np.asarray(x) for x in place]
    for name, x in zip(("top", "left", "height", "width"), found, strict=True):
        if x.dtype.kind not in "iu":
            raise TypeError(f"{name} must be a whole number of pixels, not {x.dtype}.")
    inside = (t >= 0) & (l >= 0) & (h >= 0) & (w >= 0) & (t + h <= rows) & (l + w <= columns)
    if not np.all(inside):
        raise ValueError(
            f"a rectangle reaches beyond the image of {rows} x {columns} pixels: top and left must "
            f"be at least 0, top + height at most {rows}, left + width at most {columns}."
        )
    return found


def window_variance(
    A: ArrayLike,
    top: ArrayLike = 0,
    left: ArrayLike = 0,
    height: int | None = None,
    width: int | None = None,
) -> Any:
    """The variance of the pixels of a window: mean(x^2) - mean(x)^2.

    Without a window it is that of the whole image; of a stack each image has its own. Features are
    divided by its root, and by 1 where all pixels are equal. Whole pixels are added up exactly, by
    two integral images; of others, and of whole ones too large for that, the mean is taken away
    first, window by window, so that a large one takes no digits from the variance.

    >>> float(window_variance([[1, 2], [3, 4]]))
    1.25
    """
    pixels = pixels_of("A", A)
    rows, columns = pixels.shape[-2:]
    h = rows if height is None else height
    w = columns if width is None else width
    t, l, *_ = _inside(rows, columns, top, left, h, w)
    n = int(h) * int(w)
    if n == 0:
        raise ValueError(f"a window of {h} x {w} pixels has no variance; it needs a pixel.")
    if pixels.dtype.kind != "f" and pixels.size:
        least, most = int(pixels.min()), int(pixels.max())
        if n * (most - least) < 2**31:
            pixels = pixels - least  # which leaves the variance as it is
            sums = rectangle_sum(integral_image(pixels), t, l, h, w)
            squares = rectangle_sum(integral_image(pixels * pixels), t, l, h, w)
            return (n * squares - sums * sums) / float(n * n)
        if most - least < 2**63:
            pixels = pixels - least
    return _around_the_mean(pixels.astype(np.float64, copy=False), t, l, int(h), int(w))


def _around_the_mean(
    pixels: NDArray[np.float64], top: NDArray[Any], left: NDArray[Any], height: int, width: int
) -> Any:
    """Mean squares of what pixels are away from the mean of their window, some at a time."""
    windows = np.lib.stride_tricks.sliding_window_view(pixels, (height, width), axis=(-2, -1))
    top, left = np.broadcast_arrays(top, left)
    found = np.empty((*pixels.shape[:-2], top.size))
    step = max(1, _PIXELS_AT_ONCE // (height * width * max(1, pixels[..., 0, 0].size)))
    for first in range(0, top.size, step):
        some = slice(first, first + step)
        x = windows[..., top.ravel()[some], left.ravel()[some], :, :]
        x = x - x[..., :1, :1]  # equal pixels are 0 from here on
        x -= x.mean(axis=(-2, -1), keepdims=True)
        found[..., some] = (x * x).mean(axis=(-2, -1))
    return found.reshape((*pixels.shape[:-2], *top.shape))[()]
