"""Photographs with the faces found in them, and curves of detections against false positives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...vision.curve import DetectionCurve
from ..drawing.canvas import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    STYLE,
    VERMILION,
    Axes,
    Display,
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
