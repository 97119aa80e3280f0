"""Rectangle features laid over the mean of the faces they were chosen on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...intake.parameters import integer
from ...vision.cascade import Cascade
from ...vision.pixels import grey_windows
from ..drawing.canvas import STYLE, Axes, Figure, load_matplotlib


@dataclass
class HaarDisplay:
    """The features that a detector looks at first, over the mean face.

    Pixels in the white rectangles count for the feature, those in the black ones against it.

    Made by ``HaarDisplay.from_estimator(model, faces)``; ``plot(axes=...)`` draws again. ``axes_``
    and ``figure_`` hold what was drawn on.
    """

    cascade: Cascade
    mean: NDArray[np.float64]
    n: int = 2
    axes_: NDArray[Any] = field(init=False, repr=False, compare=False)
    figure_: Figure = field(init=False, repr=False, compare=False)

    @classmethod
    def from_estimator(cls, model: Any, faces: Any, *, n: int = 2, axes: Any = None) -> HaarDisplay:
        """Draws the first n features of a fitted detector, one beside another."""
        cascade: Cascade = model.cascade_
        stack = grey_windows("faces", faces, (cascade.height, cascade.width))
        if len(stack) == 0:
            raise ValueError("faces holds no window; the mean face needs one.")
        return cls(cascade, stack.mean(axis=0), integer("n", n, 1)).plot(axes=axes)

    @property
    def features(self) -> list[int]:
        """The first n features in use, in the order of the nodes."""
        return list(dict.fromkeys(self.cascade.node_feature.tolist()))[: self.n]

    def plot(self, *, axes: Any = None) -> HaarDisplay:
        """Draws the mean face and the features over it."""
        matplotlib = load_matplotlib()
        import matplotlib.pyplot as plt

        chosen = self.features
        with matplotlib.rc_context(STYLE):
            if axes is None:
                size = (2.6 * (len(chosen) + 1), 2.9)
                _, axes = plt.subplots(1, len(chosen) + 1, figsize=size, layout="constrained")
            self.axes_ = np.ravel(axes)
            self.figure_ = self.axes_[0].figure
            for k, ax in enumerate(self.axes_):
                ax.imshow(self.mean, cmap="gray")
                ax.set_axis_off()
                ax.set_title("mean face" if k == 0 else f"feature {k}")
                if k > 0:
                    self._lay(ax, chosen[k - 1])
        return self

    def _lay(self, ax: Axes, feature: int) -> None:
        from matplotlib.patches import Rectangle

        start, stop = self.cascade.feature_start[feature : feature + 2]
        for (top, left, height, width), weight in zip(
            self.cascade.rects[start:stop], self.cascade.rect_weight[start:stop], strict=True
        ):
            how: dict[str, Any] = {"facecolor": "white" if weight > 0 else "black", "alpha": 0.85}
            corner = (left - 0.5, top - 0.5)
            ax.add_patch(Rectangle(corner, width, height, edgecolor="#808080", **how))
