"""Faces found in photographs, curves of detections, and the Haar features that find them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...intake.parameters import integer
from ...vision.cascade import Cascade
from ...vision.curve import DetectionCurve
from ...vision.pixels import grey_windows
from ..drawing.canvas import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    STYLE,
    VERMILION,
    Axes,
    Display,
    Figure,
    load_matplotlib,
)


@dataclass
class DetectionDisplay(Display):
    """An image with a box around each face found; thicker ones scored higher.

    Made by ``DetectionDisplay.from_estimator(model, image)``, with settings of ``detect`` behind;
    ``plot(ax=...)`` draws again. ``ax_`` and ``figure_`` hold what was drawn on.
    """

    image: Any
    boxes: NDArray[Any]
    scores: NDArray[np.float64]

    @classmethod
    def from_estimator(
        cls, model: Any, image: Any, *, ax: Axes | None = None, **how: Any
    ) -> DetectionDisplay:
        """Draws what a fitted detector finds in an image; ``how`` goes to ``detect``."""
        boxes, scores = model.detect(image, **how)
        return cls(np.asarray(image), boxes, scores).plot(ax=ax)

    def _draw(self, ax: Axes) -> None:
        from matplotlib.patches import Rectangle

        ax.imshow(self.image, cmap="gray" if self.image.ndim == 2 else None)
        ax.set_axis_off()
        top = float(np.max(self.scores, initial=1e-12))
        for (left, above, width, height), score in zip(self.boxes, self.scores, strict=True):
            thick = 1.0 + 2.0 * max(0.0, float(score) / top)
            how: dict[str, Any] = {"fill": False, "edgecolor": ORANGE, "linewidth": thick}
            ax.add_patch(Rectangle((left - 0.5, above - 0.5), width, height, **how))


@dataclass
class DetectionCurveDisplay(Display):
    """Faces found against boxes that hold none, as the bar for scores is lowered.

    Made by ``DetectionCurveDisplay.from_curves({"ours": curve})`` of ``vision.detection_curve``.
    """

    curves: Mapping[str, DetectionCurve]

    @classmethod
    def from_curves(
        cls, curves: Mapping[str, DetectionCurve], *, ax: Axes | None = None
    ) -> DetectionCurveDisplay:
        """Draws curves of ``weaklearn.vision.detection_curve``, each under its name."""
        return cls(curves).plot(ax=ax)

    def _draw(self, ax: Axes) -> None:
        colours = (BLUE, VERMILION, GREEN, PURPLE, ORANGE)
        with load_matplotlib().rc_context(STYLE):
            for (name, curve), colour in zip(self.curves.items(), colours * 9, strict=False):
                x, y = np.r_[0, curve.false_positives], np.r_[0, curve.detections]
                ax.plot(x, y, drawstyle="steps-post", color=colour, label=name)
            most = max((curve.n_faces for curve in self.curves.values()), default=1)
            ax.set(xlabel="false positives", ylabel=f"faces found, of {most}", ylim=(0, most))
            ax.set_title("Detections against false positives")
            ax.legend(loc="lower right")


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
