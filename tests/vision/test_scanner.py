"""The scanner against window-by-window twins, and what must hold of any scan."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.reference import scan as twin
from tests.vision.cascades import drawn, scene
from weaklearn.vision import Cascade, opencv
from weaklearn.vision.scanner import detect, raw


def compared(found: Any, expected: list[twin.Hit]) -> int:
    boxes, scores = found
    assert boxes.dtype == np.int32
    assert [tuple(box) for box in boxes.tolist()] == [box for box, _ in expected]
    np.testing.assert_allclose(scores, [score for _, score in expected], rtol=1e-12, atol=1e-12)
    return len(expected)


@pytest.mark.parametrize(("inset", "trees", "tilted"), list(product([False, True], repeat=3)))
def test_features_are_scaled_as_the_twin_scales_them(
    inset: bool, trees: bool, tilted: bool
) -> None:
    rng = np.random.default_rng([1, inset, trees, tilted])
    hits = 0
    for _ in range(4):
        cascade = drawn(rng, inset=inset, trees=trees, tilted=tilted)
        image = scene(rng, 27, 33)
        hits += compared(raw(cascade, image), twin.features(cascade, image, 1.25))
    assert hits > 0


@pytest.mark.parametrize(("trees", "tilted"), list(product([False, True], repeat=2)))
def test_pyramids_are_those_of_the_twin(trees: bool, tilted: bool) -> None:
    rng = np.random.default_rng([2, trees, tilted])
    hits = 0
    for _ in range(4):
        cascade = opencv.as_opencv(drawn(rng, inset=True, trees=trees, tilted=tilted))
        image = scene(rng, 41, 57)
        found = raw(cascade, image, scan="pyramid", scale_factor=1.3)
        hits += compared(found, twin.pyramid(cascade, image, 1.3))
    assert hits > 0


def test_pyramid_of_our_own_cascade_is_that_of_the_cascade_as_opencv_holds_it() -> None:
    rng = np.random.default_rng(31)
    cascade, image = drawn(rng), scene(rng, 40, 40)
    ours = raw(cascade, image, scan="pyramid")
    compared(ours, twin.pyramid(opencv.as_opencv(cascade), image, 1.25))
    assert len(ours[0])


@pytest.mark.parametrize("scan", ["features", "pyramid"])
def test_threads_and_strips_change_nothing(scan: Any) -> None:
    rng = np.random.default_rng(4)
    cascade = drawn(rng, 6, 6, tilted=True)
    image = scene(rng, 700, 420)  # several strips
    boxes, scores = raw(cascade, image, scan=scan)
    assert len(boxes)
    again = raw(cascade, image, scan=scan, threads=3)
    assert np.array_equal(boxes, again[0])
    assert np.array_equal(scores, again[1])
    # What lies in the lower part is found there when the upper part is cut off.
    if scan == "features":
        small = boxes[:, 2] == 6
        part = raw(cascade, image[350:], max_size=6)[0] + np.array([0, 350, 0, 0])
        assert np.array_equal(boxes[small & (boxes[:, 1] >= 350)], part)


def found_by_some() -> str:
    """Boxes and scores of a few scans, to the bit."""
    rng = np.random.default_rng(9)
    told = []
    for kind in ({}, {"trees": True}, {"tilted": True}):
        cascade, image = drawn(rng, **kind), scene(rng, 60, 90)
        for scan in ("features", "pyramid"):
            boxes, scores = raw(cascade, image, scan=scan)  # type: ignore[arg-type]
            told.append(f"{len(boxes)}:{boxes.tobytes().hex()}{scores.tobytes().hex()}")
    return " ".join(told)


@pytest.mark.parametrize("variant", ["baseline", "avx2"])
def test_variants_give_the_same_bits(variant: str) -> None:
    code = "from tests.vision.test_scanner import found_by_some; print(found_by_some())"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"WEAKLEARN_SIMD": variant, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert len(told) > 1000
    assert told == found_by_some()


@pytest.mark.parametrize("kind", [{}, {"inset": True}, {"tilted": True}, {"trees": True}])
def test_a_shifted_image_has_shifted_detections(kind: dict[str, bool]) -> None:
    """By whole steps of every level: 2, here."""
    rng = np.random.default_rng(5)
    cascade, image = drawn(rng, **kind), scene(rng, 60, 60)
    first, _ = raw(cascade, image[:50, :50], max_size=14)
    moved, _ = raw(cascade, image[4:54, 6:56], max_size=14)
    inside = (first[:, 0] >= 6) & (first[:, 1] >= 4)
    back = moved + np.array([6, 4, 0, 0])
    known = (back[:, 0] + back[:, 2] <= 50) & (back[:, 1] + back[:, 3] <= 50)
    assert known.any()
    assert np.array_equal(first[inside], back[known])


def test_a_stage_that_repeats_the_one_before_it_scores_the_same() -> None:
    """A soft cascade: the kernel goes on from the sum of the stage before."""
    rng = np.random.default_rng(6)
    plain, image = drawn(rng, stages=(3, 4)), scene(rng, 40, 40)
    nodes = np.array([0, 1, 2, 0, 1, 2, 3, 4, 5, 6])
    soft = Cascade.of(
        plain.height,
        plain.width,
        rects=plain.rects,
        rect_weight=plain.rect_weight,
        feature_start=plain.feature_start,
        node_feature=plain.node_feature[nodes],
        node_threshold=plain.node_threshold[nodes],
        node_low=plain.node_low[nodes],
        node_high=plain.node_high[nodes],
        stage_start=[0, 3, 10],
        stage_threshold=[-1.0, -1.5],
    )
    assert compared(raw(soft, image), twin.features(soft, image, 1.25)) > 0


def test_windows_whose_sums_need_more_than_31_bits() -> None:
    cascade = Cascade.of(
        4,
        4,
        rects=[[0, 0, 4, 4], [0, 0, 2, 4]],
        rect_weight=[-1, 2],
        feature_start=[0, 2],
        node_feature=[0],
        node_threshold=[0.0],
        node_low=[-1.0],
        node_high=[1.0],
        stage_start=[0, 1],
        stage_threshold=[0.0],
    )
    image = np.full((3100, 3001), 250, np.uint8)
    image[1500:] = 240  # brighter above: every window of this size sees it
    boxes, scores = raw(cascade, image, min_size=3000, scale_factor=750.0)
    assert boxes.tolist() == [[0, 0, 3000, 3000]]
    assert scores.tolist() == [1.0]
    assert len(raw(cascade, image[::-1], min_size=3000, scale_factor=750.0)[0]) == 0


@pytest.mark.parametrize("shape", [(1, 1), (7, 100), (100, 6), (0, 0), (0, 50)])
@pytest.mark.parametrize("scan", ["features", "pyramid"])
def test_images_smaller_than_the_window_have_no_detections(shape: Any, scan: Any) -> None:
    cascade = drawn(np.random.default_rng(7))
    for found in (raw, detect):
        boxes, scores = found(cascade, np.zeros(shape, np.uint8), scan=scan)  # type: ignore[operator]
        assert boxes.shape == (0, 4)
        assert scores.shape == (0,)


def test_sizes_between_the_least_and_the_most_are_kept() -> None:
    rng = np.random.default_rng(8)
    cascade, image = drawn(rng, 8, 8), scene(rng, 60, 60)
    every, _ = raw(cascade, image)
    some, _ = raw(cascade, image, min_size=10, max_size=(20, 20))
    width = every[:, 2]
    assert np.array_equal(some, every[(width >= 10) & (width <= 20)])
    assert 0 < len(some) < len(every)
    # OpenCV takes the nearest size where none is allowed.
    one, _ = raw(cascade, image, scan="pyramid", min_size=30, max_size=20)
    assert len(set(one[:, 2].tolist())) <= 1


def test_step_moves_windows_further() -> None:
    rng = np.random.default_rng(10)
    cascade, image = drawn(rng), scene(rng, 40, 40)
    every, _ = raw(cascade, image, max_size=8)
    some, _ = raw(cascade, image, max_size=8, step=3)
    assert np.array_equal(some, every[(every[:, 0] % 3 == 0) & (every[:, 1] % 3 == 0)])


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ({"scale_factor": 1.0}, "scale_factor=1.0"),
        ({"scale_factor": float("nan")}, "scale_factor"),
        ({"scan": "feature"}, "scan='feature'"),
        ({"step": 0}, "step=0"),
        ({"step": 2, "scan": "pyramid"}, "step=2 is not allowed"),
        ({"min_size": -1}, "min_size=-1"),
        ({"max_size": (1, 2, 3)}, "max_size"),
    ],
)
def test_wrong_calls_are_told(how: dict[str, Any], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        raw(drawn(np.random.default_rng(0)), np.zeros((20, 20), np.uint8), **how)


def test_detect_groups_what_raw_finds() -> None:
    rng = np.random.default_rng(11)
    cascade, image = drawn(rng), scene(rng, 50, 50)
    every, scores = raw(cascade, image, scale_factor=1.1)
    alone, same = detect(cascade, image, min_neighbours=0)
    assert np.array_equal(every, alone)
    assert np.array_equal(scores, same)
    boxes, sums = detect(cascade, image, min_neighbours=2)
    assert 0 < len(boxes) < len(every)
    assert (np.diff(sums) <= 0).all()
