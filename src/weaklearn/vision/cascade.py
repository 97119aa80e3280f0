"""A cascade as arrays: what training writes, what scanners and files read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_LARGEST_SIDE = 4096  # of a window, in pixels: sums of rectangles stay far from the ends of int64
_TYPES: dict[str, type[np.generic]] = {
    "rects": np.int32,
    "rect_weight": np.float64,
    "feature_start": np.int64,
    "node_feature": np.int32,
    "node_threshold": np.float64,
    "node_low": np.float64,
    "node_high": np.float64,
    "stage_start": np.int64,
    "stage_threshold": np.float64,
    "tilted": np.bool_,
    "low_child": np.int32,
    "high_child": np.int32,
}


@dataclass(frozen=True, eq=False)
class Cascade:
    """Stages of weak classifiers over rectangle features of a window.

    A feature is a weighted sum of rectangle sums, divided by the deviation sigma of the window's
    pixels. A node compares it with a threshold: its score is ``node_low`` where
    value / sigma <= threshold, ``node_high`` where it is above. A stage is passed where the sum of
    its scores is strictly above its threshold, and a window must pass every stage.

    ``inset`` says whose rules of normalisation hold. Not inset: sigma is that of the whole window,
    and 1 where all pixels are equal. Inset (OpenCV's files): sigma is that of the window without
    its outermost pixels, and windows whose sigma is 10 grey levels or less are passed over.

    Weak classifiers of several nodes (trees) say so in ``low_child`` and ``high_child``: how many
    nodes further the next question stands, 0 where the answer is the score. A feature that is
    ``tilted`` has rectangles turned by 45 degrees: the top corner, then the length along the way
    down right (width) and down left (height).
    """

    height: int
    width: int
    rects: NDArray[np.int32]  # (R, 4): top, left, height, width in the window
    rect_weight: NDArray[np.float64]  # (R,)
    feature_start: NDArray[np.int64]  # (F + 1,): rectangles of feature f
    node_feature: NDArray[np.int32]  # (N,)
    node_threshold: NDArray[np.float64]  # (N,)
    node_low: NDArray[np.float64]  # (N,)
    node_high: NDArray[np.float64]  # (N,)
    stage_start: NDArray[np.int64]  # (S + 1,): nodes of stage s
    stage_threshold: NDArray[np.float64]  # (S,)
    inset: bool = False
    tilted: NDArray[np.bool_] | None = None  # (F,); None: no feature is
    low_child: NDArray[np.int32] | None = None  # (N,); None: every node answers
    high_child: NDArray[np.int32] | None = None

    @classmethod
    def of(
        cls, height: int, width: int, inset: bool = False, **arrays: ArrayLike | None
    ) -> Cascade:
        """A cascade from arrays or lists, checked.

        >>> import numpy as np
        >>> eyes = Cascade.of(
        ...     4, 4, rects=[[0, 0, 2, 4], [2, 0, 2, 4]], rect_weight=[-1, 1], feature_start=[0, 2],
        ...     node_feature=[0], node_threshold=[2.5], node_low=[-1], node_high=[1],
        ...     stage_start=[0, 1], stage_threshold=[0],
        ... )
        >>> eyes.n_stages, eyes.n_nodes
        (1, 1)
        """
        made: dict[str, Any] = {
            name: None if value is None else np.ascontiguousarray(value, _TYPES[name])
            for name, value in arrays.items()
        }
        return cls(int(height), int(width), inset=bool(inset), **made).checked()

    @property
    def n_stages(self) -> int:
        """The number of stages."""
        return len(self.stage_threshold)

    @property
    def n_nodes(self) -> int:
        """The number of tests, over all trees of all stages."""
        return len(self.node_feature)

    @property
    def n_features(self) -> int:
        """The number of different features."""
        return len(self.feature_start) - 1

    @property
    def has_trees(self) -> bool:
        """Whether some weak classifier is a tree with more than one test."""
        return any(child is not None and bool(child.any()) for child in self._children)

    @property
    def has_tilted(self) -> bool:
        """Whether any feature is turned by 45 degrees."""
        return self.tilted is not None and bool(self.tilted.any())

    @property
    def _children(self) -> tuple[NDArray[np.int32] | None, NDArray[np.int32] | None]:
        return self.low_child, self.high_child

    def first_stages(self, count: int) -> Cascade:
        """The cascade of the first ``count`` stages; features no longer used are kept."""
        nodes = int(self.stage_start[count])
        cut: dict[str, Any] = {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if not field.name.startswith(("node_", "stage_", "low_", "high_"))
        }
        for name in ("node_feature", "node_threshold", "node_low", "node_high"):
            cut[name] = getattr(self, name)[:nodes]
        for name, child in zip(("low_child", "high_child"), self._children, strict=True):
            cut[name] = None if child is None else child[:nodes]
        cut["stage_start"] = self.stage_start[: count + 1]
        cut["stage_threshold"] = self.stage_threshold[:count]
        return Cascade(**cut)

    def checked(self) -> Cascade:
        """Itself, after a check of every array; ValueError says which one is invalid.

        Files come from anywhere, and the kernels trust these arrays.
        """
        for side, name in ((self.height, "height"), (self.width, "width")):
            _demand(1 <= side <= _LARGEST_SIDE, f"{name} is {side}, not from 1 to {_LARGEST_SIDE}")
        _demand(not self.inset or min(self.height, self.width) >= 3, "an inset window is too small")
        self._check_arrays()
        self._check_rects()
        self._check_nodes()
        return self

    def _check_arrays(self) -> None:
        for name, kind in _TYPES.items():
            array = getattr(self, name)
            if array is None and name in ("tilted", "low_child", "high_child"):
                continue
            _demand(
                isinstance(array, np.ndarray) and array.dtype == kind,
                f"{name} is no {kind.__name__} array",
            )
            _demand(array.ndim == (2 if name == "rects" else 1), f"{name} has {array.ndim} axes")
            if array.dtype == np.float64:
                _demand(bool(np.isfinite(array).all()), f"{name} has numbers that are not finite")
        _check_starts(self.feature_start, len(self.rects), "feature_start")
        _check_starts(self.stage_start, self.n_nodes, "stage_start")
        lengths = {
            "rect_weight": len(self.rects),
            "node_threshold": self.n_nodes,
            "node_low": self.n_nodes,
            "node_high": self.n_nodes,
            "stage_threshold": len(self.stage_start) - 1,
            "tilted": self.n_features,
            "low_child": self.n_nodes,
            "high_child": self.n_nodes,
        }
        for name, length in lengths.items():
            array = getattr(self, name)
            if array is not None:
                _demand(len(array) == length, f"{name} has {len(array)} entries, not {length}")

    def _check_rects(self) -> None:
        bare = bool((np.diff(self.feature_start) == 0).any())
        _demand(not bare, "a feature has no rectangles")
        _demand(self.rects.shape[1] == 4, f"rects has {self.rects.shape[1]} columns, not 4")
        top, left, height, width = self.rects.astype(np.int64).T
        tilted = np.zeros(len(self.rects), np.bool_)
        if self.tilted is not None:
            tilted = np.repeat(self.tilted, np.diff(self.feature_start))
        upright = (top + height <= self.height) & (left + width <= self.width) & (left >= 0)
        turned = (
            (top + height + width <= self.height) & (left >= height) & (left + width <= self.width)
        )
        inside = (top >= 0) & (height >= 1) & (width >= 1) & np.where(tilted, turned, upright)
        if not inside.all():
            r = int(np.argmin(inside))
            raise ValueError(
                f"rectangle {r} (top, left, height, width = {self.rects[r].tolist()}) does not lie "
                f"in the window of {self.height} x {self.width} pixels"
            )

    def _check_nodes(self) -> None:
        feature = self.node_feature
        _demand(
            bool(((feature >= 0) & (feature < self.n_features)).all()),
            f"node_feature names a feature outside 0 to {self.n_features - 1}",
        )
        stage_end = np.repeat(self.stage_start[1:], np.diff(self.stage_start))
        places = np.arange(self.n_nodes)
        seen = np.zeros(self.n_nodes, np.int64)
        for name, child in zip(("low_child", "high_child"), self._children, strict=True):
            if child is None:
                continue
            _demand(bool((child >= 0).all()), f"{name} points backwards")
            target = places + child
            _demand(bool((target < stage_end).all()), f"{name} points out of its stage")
            np.add.at(seen, target[child > 0], 1)
        _demand(bool((seen <= 1).all()), "a node is the child of two others")
        tree = np.cumsum(seen == 0)
        for child in self._children:
            if child is not None:
                within = bool((tree[places + child] == tree).all())
                _demand(within, "the nodes of a tree do not stand side by side")


def _check_starts(starts: NDArray[np.int64], total: int, name: str) -> None:
    proper = len(starts) >= 1 and starts[0] == 0 and starts[-1] == total
    _demand(proper and bool((np.diff(starts) >= 0).all()), f"{name} does not run from 0 to {total}")


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(f"this is no proper cascade: {otherwise}")
