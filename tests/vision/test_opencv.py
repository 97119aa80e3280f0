"""OpenCV's XML, read and written; detections recorded from OpenCV 4.12."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.vision.cascades import drawn, scene
from weaklearn.vision import Cascade, opencv
from weaklearn.vision.grouping import group_like_opencv
from weaklearn.vision.pixels import grey
from weaklearn.vision.scanner import raw

HERE = Path(__file__).parent
GOOD = (HERE / "stumps.xml").read_text()
# What OpenCV 4.12's detectMultiScale (scaleFactor=1.3, minNeighbors=0, minSize=(30, 30), one
# thread) and groupRectangles(..., 1, 0.2) gave for these two files and the grey astronaut.
RECORDED = json.loads((HERE / "opencv_boxes.json").read_text())


@pytest.fixture(scope="module")
def astronaut() -> Any:
    skimage = pytest.importorskip("skimage.data")
    return grey(skimage.astronaut())


@pytest.mark.parametrize("name", ["stumps", "trees"])
def test_raw_detections_are_those_that_opencv_gave(name: str, astronaut: Any) -> None:
    cascade = opencv.read(HERE / f"{name}.xml")
    assert cascade.has_trees == cascade.has_tilted == (name == "trees")
    boxes, _ = raw(cascade, astronaut, scan="pyramid", scale_factor=1.3, min_size=30)
    assert boxes.tolist() == RECORDED[name]["raw"]
    grouped, sizes = group_like_opencv(boxes, 1)
    assert grouped.tolist() == RECORDED[name]["grouped"]
    assert sizes.tolist() == RECORDED[name]["sizes"]


def same(a: Cascade, b: Cascade) -> bool:
    def equal(x: Any, y: Any) -> bool:
        return (x is None and y is None) or np.array_equal(x, y)

    return all(equal(getattr(a, name), getattr(b, name)) for name in a.__dataclass_fields__)


@pytest.mark.parametrize("kind", [{}, {"inset": True}, {"trees": True}, {"tilted": True}])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_is_read_again(kind: dict[str, bool], seed: int, tmp_path: Path) -> None:
    cascade = drawn(np.random.default_rng(seed), 9, 10, **kind)
    opencv.write(cascade, tmp_path / "c.xml")
    found = opencv.read(tmp_path / "c.xml")
    assert same(found, opencv.as_opencv(cascade))
    assert same(found, opencv.as_opencv(found))
    opencv.write(found, tmp_path / "d.xml")
    assert (tmp_path / "d.xml").read_text() == (tmp_path / "c.xml").read_text()


def test_a_window_one_pixel_larger_keeps_the_normalisation() -> None:
    """The inset normalisation of the larger window is that of the window itself."""
    rng = np.random.default_rng(1)
    cascade, image = drawn(rng), scene(rng, 50, 50)
    ours, _ = raw(cascade, image, max_size=8)
    theirs, _ = raw(opencv.as_opencv(cascade), image, max_size=10, scan="features")
    inner = theirs + np.array([1, 1, -2, -2])
    edge = (ours[:, :2] > 0).all(axis=1) & (ours[:, :2] + ours[:, 2:] < 50).all(axis=1)
    # OpenCV passes over windows of little contrast; there are none here.
    assert len(inner)
    assert inner.tolist() == ours[edge].tolist()


def test_no_window_is_lost_by_rounding() -> None:
    cascade = drawn(np.random.default_rng(2))
    rounded = opencv.as_opencv(cascade)
    assert (rounded.stage_threshold <= cascade.stage_threshold + 1e-6).all()
    for s in range(cascade.n_stages):
        nodes = slice(cascade.stage_start[s], cascade.stage_start[s + 1])
        # A window whose sum is just above the threshold stays above it in singles.
        for scores in ("node_low", "node_high"):
            before, after = getattr(cascade, scores)[nodes], getattr(rounded, scores)[nodes]
            lost = max(0.0, float((before - after).sum()))
            assert rounded.stage_threshold[s] <= cascade.stage_threshold[s] - lost + 1e-6


@pytest.mark.parametrize("threshold", [0.0, -1e-5, float(np.float32(-1e-5)), 1e-40, 0.3, -7e30])
def test_a_written_threshold_is_the_least_that_is_above(threshold: float) -> None:
    cascade = drawn(np.random.default_rng(2))
    thresholds = np.full(cascade.n_stages, threshold)
    lossless = replace(cascade, stage_threshold=thresholds)
    found = list(opencv._written_thresholds(lossless, np.zeros(cascade.n_stages)))
    slack = np.float32(1e-5)
    for written in found:
        below = np.nextafter(written, np.float32(-np.inf))
        assert float(below - slack) <= threshold < float(written - slack)


@pytest.mark.parametrize("number", [float(np.finfo(np.float32).max), 1e300])
@pytest.mark.parametrize(
    ("name", "what"), [("stage_threshold", "stage"), ("node_threshold", "node")]
)
def test_thresholds_beyond_singles_are_not_written(
    name: str, what: str, number: float, tmp_path: Path
) -> None:
    cascade = drawn(np.random.default_rng(0))
    numbers = getattr(cascade, name).copy()
    numbers[1] = number * (1 if what == "stage" else cascade.height * cascade.width)
    told = rf"^{what} 1 has the threshold {re.escape(f'{numbers[1]:g}')}.*float32"
    with pytest.raises(ValueError, match=told):
        opencv.write(replace(cascade, **{name: numbers}), tmp_path / "c.xml")
    assert not (tmp_path / "c.xml").exists()


def test_features_of_four_rectangles_are_not_for_opencv() -> None:
    cascade = Cascade.of(
        4,
        4,
        rects=[[0, 0, 1, 1]] * 4,
        rect_weight=[1] * 4,
        feature_start=[0, 4],
        node_feature=[0],
        node_threshold=[0],
        node_low=[0],
        node_high=[1],
        stage_start=[0, 1],
        stage_threshold=[0],
    )
    with pytest.raises(ValueError, match="4 rectangles, but OpenCV allows 3"):
        opencv.as_opencv(cascade)


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><opencv_storage>&c;</opencv_storage>'
)
OUTSIDE = (
    '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><opencv_storage>&a;</opencv_storage>'
)


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new, 1)


HOSTILE = {
    "entities": (BOMB, "document type or entities"),
    "a file outside": (OUTSIDE, "document type or entities"),
    "a document type": ("<!DOCTYPE x><opencv_storage/>", "document type"),
    "an unknown entity": (changed("BOOST", "&boost;"), "not well-formed"),
    "nothing": ("", "not well-formed"),
    "no XML": ("\x00\x01\x02", "not well-formed"),
    "half of it": (GOOD[: len(GOOD) // 2], "not well-formed"),
    "depth": ("<a>" * 1000 + "</a>" * 1000, "nested more than 16 deep"),
    "an encoding": ('<?xml version="1.0" encoding="klingon"?><a/>', "XML|decoded"),
    "other XML": ("<html></html>", "outermost element is <html>"),
    "an empty list of stages": (
        GOOD.split("<stages>")[0] + "<stages></stages>" + GOOD.split("</stages>")[1],
        "it has no stages",
    ),
    "an empty store": ("<opencv_storage/>", "<opencv_storage> is empty"),
    "another type": (changed("opencv-cascade-classifier", "opencv-ml-svm"), "opencv-ml-svm"),
    "OpenCV 1": (changed("opencv-cascade-classifier", "opencv-haar-classifier"), "OpenCV 1"),
    "LBP": (changed("HAAR", "LBP"), "featureType is 'LBP'; only HAAR"),
    "HOG": (changed("HAAR", "HOG"), "featureType is 'HOG'"),
    "categories": (changed("<maxCatCount>0", "<maxCatCount>256"), "maxCatCount"),
    "no stages": (changed("<stages>", "<steps>").replace("</stages>", "</steps>"), "no <stages>"),
    "a huge window": (changed("<height>14", "<height>999999"), "height is 999999"),
    "a window of nothing": (changed("<height>14", "<height>0"), "height is 0"),
    "a narrow window": (changed("<width>14", "<width>2"), "too small"),
    "half a pixel": (changed("<height>14", "<height>14.5"), "14.5, not a whole number"),
    "words": (changed("<height>14", "<height>tall"), "holds something else"),
    "a bold number": (changed("<height>14", "<height>14 14"), "holds 2 numbers"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused_in_one_sentence(kind: str, tmp_path: Path) -> None:
    text, told = HOSTILE[kind]
    path = tmp_path / "cascade.xml"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(ValueError, match=told) as caught:
        opencv.read(path)
    message = str(caught.value)
    assert message.startswith("cascade.xml ")
    assert message.endswith(".")
    assert "\n" not in message


def nodes(words: str) -> str:
    """The good file with other words in its first node."""
    begin = GOOD.index("<internalNodes>") + len("<internalNodes>")
    return GOOD[:begin] + words + GOOD[GOOD.index("</internalNodes>") :]


def leaves(words: str) -> str:
    begin = GOOD.index("<leafValues>") + len("<leafValues>")
    return GOOD[:begin] + words + GOOD[GOOD.index("</leafValues>") :]


def first_rect(words: str) -> str:
    begin = GOOD.index("<_>", GOOD.index("<rects>")) + 3
    return GOOD[:begin] + words + GOOD[GOOD.index("</_>", begin) :]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (nodes("0 -1 9999 0.5"), "node_feature names a feature outside"),
        (nodes("0 -1 -7 0.5"), "node_feature names a feature outside"),
        (nodes("0 -1 0 nan"), "not finite"),
        (nodes("0 -1 0 1e99"), "not finite"),
        (nodes("0 -1 0"), "holds 3 numbers, not four a node"),
        (nodes(""), "holds 0 numbers"),
        (nodes("1 -1 0 0.5"), "not every node of a tree of 1 is led to"),
        (nodes("2 0 0 0.5 0 -1 0 0.5 1 0 0 .5"), "node 2 of a tree of 3 goes on at node 1"),
        (nodes("0 -1 0 0.5 0 -1 0 0.5"), "not every node of a tree of 2 is led to"),
        (nodes("1 1 0 0.5 0 -1 0 0.5"), "not every node of a tree of 2 is led to"),
        (nodes("0 1 0 0.5 1 -1 0 0.5"), "not every node of a tree of 2 is led to"),
        (nodes("0 -9 0 0.5"), "none number 9"),
        (nodes("0 -1 1e300 0.5"), "whole number"),
        (leaves("1.0"), "none number 1"),
        (leaves("inf 1"), "not finite"),
        (leaves("one two"), "holds something else"),
        (first_rect("0 0 15 1 1."), "does not lie in the window"),
        (first_rect("-1 0 1 1 1."), "does not lie in the window"),
        (first_rect("2147483647 0 1 1 1."), "does not lie in the window"),
        (first_rect("0 0 0 1 1."), "does not lie in the window"),
        (first_rect("0 0 1 1"), "has 4 numbers, not 5"),
        (first_rect("0 0 1 1 nan"), "not finite"),
        (changed("<stageThreshold>", "<stageThreshold>nan "), "holds 2 numbers"),
    ],
)
def test_numbers_are_checked(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "cascade.xml"
    path.write_text(text)
    with pytest.raises(ValueError, match=told) as caught:
        opencv.read(path)
    assert str(caught.value).startswith("cascade.xml ")


def test_oversized_files_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "cascade.xml"
    path.write_text(GOOD)
    monkeypatch.setattr(opencv, "_MOST_BYTES", 1000)
    with pytest.raises(ValueError, match="above 1,000 bytes are not read"):
        opencv.read(path)
    if os.path.exists("/dev/zero"):
        with pytest.raises(ValueError, match="zero has more than 1,000 bytes"):
            opencv.read("/dev/zero")
    monkeypatch.setattr(opencv, "_MOST_BYTES", 10**6)
    monkeypatch.setattr(opencv, "_MOST_ELEMENTS", 10)
    with pytest.raises(ValueError, match="more than 10 elements"):
        opencv.read(path)


def test_every_cut_of_a_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cascade.xml"
    for length in range(0, len(GOOD) - 2, 37):
        path.write_text(GOOD[:length])
        with pytest.raises(ValueError, match="cannot be read as a cascade"):
            opencv.read(path)
