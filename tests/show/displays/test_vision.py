"""Pictures of rectangle features, detections and their curves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn.show import DetectionCurveDisplay, DetectionDisplay, HaarDisplay
from weaklearn.vision import WindowClassifier, detection_curve

pytest.importorskip("matplotlib").use("Agg")


@pytest.fixture(scope="module")
def model() -> Any:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 256, (60, 6, 6), np.uint8)
    X[:30, :3] //= 3
    return X, WindowClassifier(n_estimators=3, types="ABE").fit(X, np.repeat([1, 0], 30))


def test_features_over_the_mean_face(model: Any) -> None:
    X, fitted = model
    shown = HaarDisplay.from_estimator(fitted, X[:30], n=2)
    assert len(shown.axes_) == 1 + len(shown.features)
    assert not shown.axes_[0].patches
    feature = fitted.features_[0]
    assert feature.type == "B"
    upper, lower = shown.axes_[1].patches
    assert upper.get_facecolor()[:3] == (0, 0, 0)
    assert lower.get_facecolor()[:3] == (1, 1, 1)
    assert lower.get_y() == feature.top + feature.unit_height - 0.5
    with pytest.raises(ValueError, match="needs one"):
        HaarDisplay.from_estimator(fitted, X[:0])


def test_boxes() -> None:
    boxes = np.array([[2, 3, 5, 5], [9, 9, 4, 4]])
    shown = DetectionDisplay(np.zeros((20, 20), np.uint8), boxes, np.array([2.0, 0.5])).plot()
    assert [patch.get_width() for patch in shown.ax_.patches] == [5, 4]
    nothing = DetectionDisplay(np.zeros((20, 20, 3), np.uint8), boxes[:0], np.zeros(0)).plot()
    assert not nothing.ax_.patches


def test_curve() -> None:
    curve = detection_curve([[[0, 0, 9, 9]]], [[1.0]], [[[0, 0, 9, 9]]])
    shown = DetectionCurveDisplay.from_curves({"ours": curve, "theirs": curve})
    assert len(shown.ax_.lines) == 2
    assert shown.ax_.lines[0].get_ydata().tolist() == [0, 1]
