"""Rectangle features: how many there are, in which order, and what they are worth."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden import Case, case, load
from tests.reference import haar as twin
from weaklearn.engines import Engine
from weaklearn.vision import haar_count, haar_features, haar_values
from weaklearn.vision.haar import TYPES

IMAGES = [found for found in load("vision") if "A" in found["input"]]


@pytest.mark.parametrize("golden", IMAGES, ids=lambda found: found["name"])
def test_golden(golden: Case) -> None:
    A, expected = np.array(golden["input"]["A"]), golden["expected"]
    found = haar_values(A, expected["features"])
    assert found.dtype == np.int64
    assert found.tolist() == [feature["value"] for feature in expected["features"]]
    for name, count in expected["counts"].items():
        assert haar_count(*A.shape, [name]) == count
        assert len(haar_features(*A.shape, name)) == count


def test_golden_counts() -> None:
    expected = case("vision", "count_24x24")["expected"]
    assert {name: haar_count(24, 24, name) for name in expected["counts"]} == expected["counts"]
    assert haar_count() == len(haar_features()) == expected["four_types_A_B_C_D"]
    assert haar_count(24, 24, "ABCCvD") == expected["five_types_with_vertical_three"]
    assert [list(f[1:]) for f in haar_features(24, 24, "A")[:5]] == expected["first_five_A"]


@pytest.mark.parametrize("shape", [(6, 7), (1, 5), (3, 1), (9, 4)])
def test_order(shape: tuple[int, int]) -> None:
    features = haar_features(*shape, TYPES)
    wanted = [(name, *place) for name in TYPES for place in twin.enumerated(*shape, name)]
    assert [tuple(feature) for feature in features] == wanted


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 8), st.integers(1, 8), st.sampled_from(["u1", "i8", "f8"]), st.data())
def test_values_are_sums_of_pixels(height: int, width: int, kind: str, data: Any) -> None:
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    X = rng.integers(0, 256, (data.draw(st.integers(1, 5)), height, width)).astype(kind)
    features = haar_features(height, width, TYPES)
    found, scaled = haar_values(X, features), haar_values(X, features, normalise=True)
    assert found.dtype == (np.float64 if kind == "f8" else np.int64)
    for i in range(len(X)):
        for f in range(0, len(features), 1 + len(features) // 40):
            assert found[i, f] == twin.value(X[i].astype(kind), *features[f])
            wanted = twin.normalised(X[i], features[f])
            assert scaled[i, f] == pytest.approx(wanted, rel=1e-9, abs=1e-9)


def test_constant_images() -> None:
    flat = np.full((7, 8), 9)
    for name, sign in {"A": 0, "B": 0, "C": -1, "Cv": -1, "D": 0, "E": 0, "Ev": 0, "S": 0}.items():
        features = haar_features(7, 8, [name])
        area = features.unit_height * features.unit_width
        assert (haar_values(flat, features) == sign * 9 * area).all(), name


def test_transposing_swaps_types() -> None:
    A = np.random.default_rng(0).integers(0, 256, (6, 8))
    for name, other in (("A", "B"), ("C", "Cv"), ("D", "D"), ("E", "Ev"), ("S", "S")):
        features = haar_features(6, 8, [name])
        turned = [(other, f.left, f.top, f.unit_width, f.unit_height) for f in features]
        assert (haar_values(A, features) == haar_values(A.T, turned)).all()


def test_few_rectangles() -> None:
    """At most three a feature: OpenCV's files have room for no more."""
    _, _, start = haar_features(9, 9, TYPES).rectangles()
    assert np.diff(start).max() == 3


def test_large_whole_numbers() -> None:
    window = np.array([[2**40, 2**40 + 3]])
    assert haar_values(window, [("A", 0, 0, 1, 1)]).tolist() == [3]
    window = np.array([[2**60, 2**60 + 1]])
    assert haar_values(window, [("A", 0, 0, 1, 1)]).tolist() == [1]


def test_one_feature_and_none() -> None:
    X = np.arange(12).reshape(1, 3, 4)
    features = haar_features(3, 4, "A")
    assert haar_values(X, features[0]).shape == (1, 1)
    assert haar_values(X[:0], features).shape == (0, len(features))
    assert haar_values(X, []).shape == (1, 0)
    assert len(haar_features(1, 1)) == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: haar_features(24, 24, "AZ"), "names 'Z'"),
        (lambda: haar_features(24, 24, "AA"), "each once"),
        (lambda: haar_features(24, 24, ""), "must name types"),
        (lambda: haar_count(0, 24), "1 to 4096"),
        (lambda: haar_values(np.ones((2, 2)), [("A", 0, 1, 1, 1)]), "does not lie in windows"),
        (lambda: haar_values(np.ones((2, 2)), [("Q", 0, 1, 1, 1)]), "no type of feature"),
        (lambda: haar_values(np.ones((1, 2, 2, 2)), []), "number, height, width"),
    ],
)
def test_refusals(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call()
    with pytest.raises(TypeError, match="whole number of pixels"):
        haar_count(True, 3)


@pytest.mark.parametrize(
    ("features", "words"),
    [
        (None, "features must be rectangle features, .* not None"),
        ("A", "not 'A'"),
        ([None], r"features\[0\] is None"),
        ([("A", 0, 0, 1, 1), ("A", 1)], r"features\[1\] is"),
        ([{"type": "A"}], r"features\[0\] is"),
    ],
)
def test_what_is_no_feature(features: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        haar_values(np.ones((4, 5)), features)


def test_weights_that_are_not_small_and_whole() -> None:
    """A cascade from elsewhere has any weights: none is cut or runs over."""
    window = np.arange(48).reshape(2, 4, 6).astype(np.uint8)
    rects = np.array([[0, 0, 2, 3], [1, 2, 3, 4]], np.int32)
    start = np.array([0, 2], np.int64)
    sums = np.array([w[:2, :3].sum() for w in window]), np.array([w[1:, 2:].sum() for w in window])
    for weight in ([1.0, -2.0], [0.5, -1.25], [-(2.0**31), 3.0], [2.0**40, 1.0], [12.0, -12.0]):
        found = Engine().vision.haar_values(window, rects, np.array(weight), start, normalise=False)
        assert found[:, 0].tolist() == (weight[0] * sums[0] + weight[1] * sums[1]).tolist()
