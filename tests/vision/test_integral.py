"""Integral images are sums of rectangles, whatever the pixels are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.golden import Case, load, tolerance
from weaklearn.vision import integral_image, rectangle_sum, window_variance

IMAGES = [found for found in load("vision") if "A" in found["input"]]


@pytest.mark.parametrize("golden", IMAGES, ids=lambda found: found["name"])
def test_golden(golden: Case) -> None:
    A, expected = np.array(golden["input"]["A"]), golden["expected"]
    B = integral_image(A)
    assert B.dtype == np.int64
    assert not B[0].any()
    assert not B[:, 0].any()
    assert B[1:, 1:].tolist() == expected["integral"]
    for wanted in expected["rectangle_sums"]:
        place = {name: wanted[name] for name in ("top", "left", "height", "width")}
        assert rectangle_sum(B, **place) == wanted["sum"]
    close = tolerance("vision")
    assert window_variance(A) == pytest.approx(expected["window_variance"], **close)
    assert B[-1, -1] / A.size == pytest.approx(expected["window_mean"], **close)


shapes = st.tuples(st.integers(1, 9), st.integers(1, 9))
images = shapes.flatmap(lambda shape: arrays(np.int64, shape, elements=st.integers(-999, 999)))


@settings(max_examples=60, deadline=None)
@given(images, st.data())
def test_any_rectangle_is_the_sum_of_its_pixels(A: Any, data: Any) -> None:
    top, left = (data.draw(st.integers(0, side)) for side in A.shape)
    height, width = (
        data.draw(st.integers(0, side - at)) for side, at in zip(A.shape, (top, left), strict=True)
    )
    inside = A[top : top + height, left : left + width]
    assert rectangle_sum(integral_image(A), top, left, height, width) == inside.sum()
    if inside.size:
        found = window_variance(A, top, left, height, width)
        assert found == pytest.approx(inside.var(), rel=1e-9, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(images, st.integers(-5, 5))
def test_linear(A: Any, c: int) -> None:
    assert (
        integral_image(A * c + A.max())
        == c * integral_image(A) + A.max() * integral_image(np.ones_like(A))
    ).all()


@pytest.mark.parametrize("kind", [np.uint8, bool, np.int16, np.float32, np.float64, ">i4"])
def test_kinds_of_pixels(kind: Any) -> None:
    A = np.random.default_rng(0).integers(0, 2, (5, 7)).astype(kind)
    B = integral_image(A[:, ::-1])
    assert B.dtype == (np.float64 if np.dtype(kind).kind == "f" else np.int64)
    assert B[-1, -1] == A.sum()


def test_stacks_and_large_numbers() -> None:
    A = np.random.default_rng(1).integers(0, 256, (4, 6, 5), np.uint8)
    assert (integral_image(A)[2] == integral_image(A[2])).all()
    assert window_variance(A) == pytest.approx(A.reshape(4, -1).astype(float).var(axis=1))
    wide = np.array([[2**40, 2**40 + 2]])
    assert integral_image(wide)[1, 2] == 2**41 + 2
    assert window_variance(wide.astype(np.int64)) == 1
    assert window_variance(np.array([[-(2**63), 2**63 - 1]])) == pytest.approx(2.0**126)
    assert window_variance(np.full((3, 3), 0.1)) == 0


@pytest.mark.parametrize("mean", [0.0, 1e6, 1e12, -1e15])
def test_a_large_mean_takes_no_digits_from_the_variance(mean: float) -> None:
    A = np.random.default_rng(2).integers(0, 64, (3, 9, 8)) / 8
    exact = window_variance((8 * A).astype(np.int64)) / 64
    assert window_variance(A + mean) == pytest.approx(exact, rel=1e-13)
    top, left = np.array([0, 2]), np.array([[1], [3]])
    got = window_variance(A + mean, top, left, 4, 5)
    assert got.shape == (3, 2, 2)
    assert got == pytest.approx(window_variance((8 * A).astype(np.int64), top, left, 4, 5) / 64)


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"A holds nan at \(0, 1\)"):
        integral_image([[0.0, np.nan]])
    with pytest.raises(ValueError, match="rows and columns"):
        integral_image([1, 2])
    with pytest.raises(TypeError, match="no brightness"):
        integral_image([["a"]])
    with pytest.raises(ValueError, match="beyond the image of 2 x 2"):
        rectangle_sum(integral_image(np.ones((2, 2), int)), 0, 1, 1, 2)
    with pytest.raises(TypeError, match="whole number"):
        rectangle_sum(integral_image(np.ones((2, 2), int)), 0.5, 1, 1, 1)
    with pytest.raises(ValueError, match="needs a pixel"):
        window_variance(np.ones((2, 2), int), 0, 0, 0, 2)
