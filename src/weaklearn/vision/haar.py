"""Rectangle features: differences between sums of pixels in rectangles that lie side by side."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.messages.value_text import show
from ..engines import choose
from ..engines.vision import sums_are_small
from .integral import integral_image, rectangle_sum
from .pixels import pixels_of

Ints = NDArray[np.int32]


class _Mask(NamedTuple):
    """Units down and across, and rectangles of units: (top, left, height, width, weight)."""

    down: int
    across: int
    parts: tuple[tuple[int, int, int, int, int], ...]


# The whole with weight -1 and the parts that count more need fewer rectangles than all units.
_MASKS = {
    "A": _Mask(1, 2, ((0, 0, 1, 1, -1), (0, 1, 1, 1, 1))),
    "B": _Mask(2, 1, ((0, 0, 1, 1, -1), (1, 0, 1, 1, 1))),
    "C": _Mask(1, 3, ((0, 0, 1, 3, -1), (0, 1, 1, 1, 2))),
    "Cv": _Mask(3, 1, ((0, 0, 3, 1, -1), (1, 0, 1, 1, 2))),
    "D": _Mask(2, 2, ((0, 0, 2, 2, -1), (0, 1, 1, 1, 2), (1, 0, 1, 1, 2))),
    "E": _Mask(1, 3, ((0, 0, 1, 3, -1), (0, 1, 1, 1, 3))),
    "Ev": _Mask(3, 1, ((0, 0, 3, 1, -1), (1, 0, 1, 1, 3))),
    "S": _Mask(3, 3, ((0, 0, 3, 3, -1), (1, 1, 1, 1, 9))),
}
TYPES = tuple(_MASKS)


class HaarFeature(NamedTuple):
    """One rectangle feature: its type, the place of its top left corner, the size of a unit."""

    type: str
    top: int
    left: int
    unit_height: int
    unit_width: int


@dataclass(frozen=True, eq=False)
class HaarFeatures:
    """Many rectangle features of a window, as arrays; a single one or a choice by index."""

    height: int
    width: int
    kind: NDArray[np.int8]  # place of the type in TYPES
    top: Ints
    left: Ints
    unit_height: Ints
    unit_width: Ints

    @classmethod
    def of(cls, height: int, width: int, kind: Any, **places: Any) -> HaarFeatures:
        """Features from arrays or lists, checked."""
        kinds = np.asarray(kind)
        if kinds.size and not (kinds.min() >= 0 and kinds.max() < len(TYPES)):
            raise ValueError(f"a type is outside 0 to {len(TYPES) - 1}")
        columns = {name: np.ascontiguousarray(x, np.int32) for name, x in places.items()}
        if any(column.shape != kinds.shape for column in columns.values()):
            raise ValueError("the arrays of features differ in length")
        made = cls(int(height), int(width), kinds.astype(np.int8), **columns)
        return features_of(made, made.height, made.width)

    def __len__(self) -> int:
        return len(self.kind)

    @overload
    def __getitem__(self, at: int) -> HaarFeature: ...
    @overload
    def __getitem__(self, at: slice | NDArray[Any] | list[int]) -> HaarFeatures: ...
    def __getitem__(self, at: Any) -> HaarFeature | HaarFeatures:
        if isinstance(at, (int, np.integer)):
            places = (self.top, self.left, self.unit_height, self.unit_width)
            return HaarFeature(TYPES[self.kind[at]], *(int(x[at]) for x in places))
        return HaarFeatures(
            self.height,
            self.width,
            self.kind[at],
            self.top[at],
            self.left[at],
            self.unit_height[at],
            self.unit_width[at],
        )

    def __iter__(self) -> Iterator[HaarFeature]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} rectangle features of {self.height} x {self.width} pixels>"

    def rectangles(self) -> tuple[Ints, NDArray[np.float64], NDArray[np.int64]]:
        """Top, left, height and width of all rectangles, their weights, where each one starts."""
        n_parts = np.array([len(mask.parts) for mask in _MASKS.values()], np.int64)
        start = np.zeros(len(self) + 1, np.int64)
        np.cumsum(n_parts[self.kind], out=start[1:])
        rects = np.zeros((int(start[-1]), 4), np.int32)
        weight = np.zeros(len(rects))
        for k, mask in enumerate(_MASKS.values()):
            of = np.flatnonzero(self.kind == k)
            h, w = self.unit_height[of], self.unit_width[of]
            for p, (top, left, height, width, value) in enumerate(mask.parts):
                at = start[of] + p
                rects[at, 0] = self.top[of] + top * h
                rects[at, 1] = self.left[of] + left * w
                rects[at, 2] = height * h
                rects[at, 3] = width * w
                weight[at] = value
        return rects, weight, start


def types_of(types: str | Iterable[str]) -> list[str]:
    """The names in "ABCD", "ABCCvD" or a list of names; no name twice."""
    names = re.findall(r"[A-Z]v?|.", types) if isinstance(types, str) else list(types)
    for name in names:
        if name not in _MASKS:
            raise ValueError(
                f"types={show(types)} names {show(name)}; types of rectangle features are "
                f"{', '.join(TYPES)}."
            )
    if len(names) == 0 or len(set(names)) < len(names):
        raise ValueError(
            f"types={show(types)} must name types of features, each once, as in 'ABCD'."
        )
    return names


def _side(name: str, value: Any) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise TypeError(
            f"{name}={show(value)} is not allowed: it must be a whole number of pixels."
        )
    if not 1 <= value <= 4096:
        raise ValueError(f"{name}={value} is not allowed: a window has 1 to 4096 pixels a side.")
    return int(value)


def haar_count(height: int = 24, width: int = 24, types: str | Iterable[str] = "ABCD") -> int:
    """How many rectangle features a window has: every whole unit, at every place where it fits.

    For a mask of a x b units: the sum over k of (height - a k + 1), times that over k of
    (width - b k + 1).

    >>> haar_count(24, 24), haar_count(24, 24, "ABCCvD")
    (134736, 162336)
    """
    height, width = _side("height", height), _side("width", width)

    def places(side: int, units: int) -> int:
        return sum(side - units * k + 1 for k in range(1, side // units + 1))

    masks = (_MASKS[name] for name in types_of(types))
    return sum(places(height, mask.down) * places(width, mask.across) for mask in masks)


def haar_features(
    height: int = 24, width: int = 24, types: str | Iterable[str] = "ABCD"
) -> HaarFeatures:
    """All rectangle features of a window, in order of type, top, left, unit height, unit width.

    The unit is one of the equal rectangles a feature is made of:

    ======  =====================================================================
    A       two side by side: right - left
    B       two stacked: bottom - top
    C, Cv   three in a row (a column): centre - (both others)
    D       two by two: (top right + bottom left) - (top left + bottom right)
    E, Ev   three in a row (a column), the centre twice: 0 on a constant image
    S       three by three: 8 times the centre - the ring around it
    ======  =====================================================================

    >>> features = haar_features(24, 24)
    >>> len(features), features[1]
    (134736, HaarFeature(type='A', top=0, left=0, unit_height=1, unit_width=2))

    References
    ----------
    Viola and Jones (2001); Schapire and Freund, Boosting, section 3.4.3.
    """
    height, width = _side("height", height), _side("width", width)
    names = types_of(types)
    parts = [_placed(TYPES.index(name), height, width) for name in names]
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    kind, *places = columns
    return HaarFeatures(height, width, kind.astype(np.int8), *places)


def _placed(kind: int, height: int, width: int) -> tuple[Ints, ...]:
    """All features of one type, by top, left, unit height, unit width."""
    mask = _MASKS[TYPES[kind]]
    tops, heights = _spans(height, mask.down)
    lefts, widths = _spans(width, mask.across)
    # Spans come by place, then by size; those of both directions are interleaved.
    rows = np.searchsorted(tops, np.arange(height + 1))
    columns = np.searchsorted(lefts, np.arange(width + 1))
    found: list[tuple[Ints, Ints]] = []
    for top in range(height):
        down = np.arange(rows[top], rows[top + 1])
        for left in range(width):
            across = np.arange(columns[left], columns[left + 1])
            a, b = np.meshgrid(down, across, indexing="ij")
            found.append((a.ravel(), b.ravel()))
    down = np.concatenate([a for a, _ in found])
    across = np.concatenate([b for _, b in found])
    kinds = np.full(len(down), kind, np.int32)
    return kinds, tops[down], lefts[across], heights[down], widths[across]


def _spans(side: int, units: int) -> tuple[Ints, Ints]:
    """First pixel and unit of all spans of so many units, by first pixel, then unit."""
    pairs = [(at, k) for at in range(side) for k in range(1, (side - at) // units + 1)]
    table = np.array(pairs, np.int32).reshape(-1, 2)
    return table[:, 0], table[:, 1]


_WANTED = (
    "rectangle features, as haar_features(height, width) gives them, or a list of "
    f"({', '.join(HaarFeature._fields)})"
)


def features_of(features: Any, height: int, width: int) -> HaarFeatures:
    """Features given in any form, as arrays, checked to lie in the window."""
    if isinstance(features, HaarFeatures):
        made = features
    else:
        made = _listed(features, height, width)
    masks = list(_MASKS.values())
    down = np.array([mask.down for mask in masks], np.int64)[made.kind]
    across = np.array([mask.across for mask in masks], np.int64)[made.kind]
    inside = (made.top >= 0) & (made.left >= 0) & (made.unit_height > 0) & (made.unit_width > 0)
    inside &= made.top + down * made.unit_height <= height
    inside &= made.left + across * made.unit_width <= width
    if not inside.all():
        at = int(np.argmin(inside))
        raise ValueError(f"{made[at]} does not lie in windows of {height} x {width} pixels.")
    return made


def _listed(features: Any, height: int, width: int) -> HaarFeatures:
    if isinstance(features, (HaarFeature, Mapping)):
        features = [features]
    if isinstance(features, (str, bytes)) or not isinstance(features, Iterable):
        raise TypeError(f"features must be {_WANTED}, not {show(features)}.")
    rows = []
    for i, feature in enumerate(features):
        try:
            named = isinstance(feature, Mapping)
            row = HaarFeature(*([feature[k] for k in HaarFeature._fields] if named else feature))
        except (TypeError, KeyError):
            raise TypeError(f"features[{i}] is {show(feature)}; pass {_WANTED}.") from None
        if row.type not in _MASKS:
            raise ValueError(f"{row.type!r} is no type of feature; there are {', '.join(TYPES)}.")
        rows.append((TYPES.index(row.type), *row[1:]))
    table = np.array(rows, np.int64).reshape(-1, 5)
    kind, *places = table.T
    return HaarFeatures(
        height, width, kind.astype(np.int8), *(np.ascontiguousarray(x, np.int32) for x in places)
    )


def haar_values(
    images: ArrayLike, features: Any, *, normalise: bool = False, n_jobs: int | None = None
) -> NDArray[Any]:
    """The values of features in windows, (windows, features); of a single window a row.

    Of whole pixels the values are whole (int64), else float64. With ``normalise`` each is divided
    by the deviation of its window's pixels (by 1 where they are all equal), as detectors do.

    >>> import numpy as np
    >>> window = np.array([[5, 8, 9], [4, 1, 3]])
    >>> three = [("A", 0, 0, 1, 1), ("B", 0, 0, 1, 3), ("C", 0, 0, 2, 1)]
    >>> haar_values(window, three).tolist()
    [3, -14, -12]
    """
    pixels = pixels_of("images", images)
    if pixels.ndim > 3:
        raise ValueError(f"images has shape {pixels.shape}; it must be (number, height, width).")
    stack = pixels if pixels.ndim == 3 else pixels[None]
    chosen = features_of(features, *stack.shape[1:])
    engine = choose(n_jobs)
    if len(stack) == 0 or len(chosen) == 0:
        kind = np.float64 if normalise or stack.dtype.kind == "f" else np.int64
        found: NDArray[Any] = np.zeros((len(stack), len(chosen)), kind)
    else:
        whole = stack.dtype.kind != "f" and not normalise
        of = _wide_values if whole and not sums_are_small(stack) else engine.vision.haar_values
        found = of(stack, *chosen.rectangles(), normalise=normalise)
    return found if pixels.ndim == 3 else found[0]


def _wide_values(
    windows: NDArray[Any], rects: Ints, weight: Any, start: Any, normalise: bool
) -> NDArray[np.int64]:
    """Feature values where sums of pixels need 64-bit integers."""
    top, left, height, width = rects.T
    sums = rectangle_sum(integral_image(windows), top, left, height, width)
    return np.add.reduceat(sums * weight.astype(np.int64), start[:-1], axis=1)
