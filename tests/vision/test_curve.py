"""Found boxes against true ones."""

from __future__ import annotations

import numpy as np
import pytest

from weaklearn.vision import detection_curve


def test_each_face_is_found_once() -> None:
    boxes = [[[0, 0, 10, 10], [1, 0, 10, 10], [80, 80, 10, 10]], [], [[5, 5, 9, 9]]]
    scores = [[3.0, 2.0, 1.0], [], [2.5]]
    truth = [[[0, 0, 10, 10]], [[3, 3, 9, 9]], []]
    curve = detection_curve(boxes, scores, truth)
    assert curve.thresholds.tolist() == [3.0, 2.5, 2.0, 1.0]
    assert curve.detections.tolist() == [1, 1, 1, 1]
    assert curve.false_positives.tolist() == [0, 1, 2, 3]
    assert curve.n_faces == 2
    assert (curve.at(0), curve.at(9)) == (1, 1)
    assert curve.average_precision == 0.5


def test_equal_scores_come_together() -> None:
    curve = detection_curve([[[0, 0, 5, 5], [20, 0, 5, 5]]], [[1.0, 1.0]], [[[0, 0, 5, 5]]])
    assert curve.thresholds.tolist() == [1.0]
    assert curve.false_positives.tolist() == [1]


def test_nothing() -> None:
    curve = detection_curve([np.zeros((0, 4))], [[]], [[]])
    assert (curve.at(5), curve.n_faces, curve.average_precision) == (0, 0, 0.0)
    with pytest.raises(ValueError, match="one entry an image"):
        detection_curve([[]], [], [[]])
