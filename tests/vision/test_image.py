"""Images of every make become grey levels, and what is none is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weaklearn.vision.pixels import grey

LEVELS = np.arange(256, dtype=np.uint8).reshape(16, 16)


@pytest.mark.parametrize(
    "image",
    [
        LEVELS,
        LEVELS[:, :, None],
        np.stack([LEVELS] * 3, axis=2),
        np.stack([LEVELS, LEVELS, LEVELS, 255 - LEVELS], axis=2),
        LEVELS.astype(np.int64),
        LEVELS.astype(np.float32),
        LEVELS / 255.0,
        np.stack([LEVELS / 255.0] * 3, axis=2),
        LEVELS.astype(np.uint16) * 257,
        LEVELS.tolist(),
        LEVELS.copy(order="F"),
    ],
)
def test_the_same_levels_in_other_forms(image: Any) -> None:
    found = grey(image)
    assert found.dtype == np.uint8
    assert found.flags.c_contiguous
    assert np.array_equal(found, LEVELS)


def test_bits_are_black_and_white() -> None:
    assert grey(np.array([[True, False]])).tolist() == [[255, 0]]


def test_pillow_images_are_read_as_pillow_reads_them() -> None:
    Image = pytest.importorskip("PIL.Image")
    colours = np.random.default_rng(0).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    image = Image.fromarray(colours)
    expected = np.asarray(image.convert("L"))
    assert np.array_equal(grey(image), expected)
    assert np.array_equal(grey(colours), expected)
    for mode in ("RGBA", "L", "CMYK", "1", "P"):
        other = image.convert(mode)
        assert np.array_equal(grey(other), np.asarray(other.convert("L")))
    deep = Image.fromarray(LEVELS.astype(np.uint16) * 257)
    assert np.array_equal(grey(deep), LEVELS)


@pytest.mark.parametrize(
    ("image", "kind", "told"),
    [
        (np.array([[0.0, np.nan]]), ValueError, r"value nan at pixel \(0, 1\)"),
        (np.array([[0.0], [np.inf]]), ValueError, r"value inf at pixel \(1, 0\)"),
        (np.array([[-1.0, 2.0]]), ValueError, "from -1 to 2"),
        (np.array([[0, 300]]), ValueError, "from 0 to 300"),
        (np.zeros((2, 3, 5)), ValueError, r"shape \(2, 3, 5\)"),
        (np.zeros((2, 2, 3, 3)), ValueError, "one image at a time"),
        (np.zeros(7), ValueError, r"shape \(7,\)"),
        ([[1, 2], [3]], ValueError, "rows of different lengths"),
        (np.array([["a"]]), TypeError, "it must be an array of numbers"),
        (np.array([[1j]]), TypeError, "complex128"),
        (None, TypeError, "array of numbers"),
        ("face.jpg", TypeError, "PIL.Image.open"),
        (Path("face.jpg"), TypeError, "is a path"),
    ],
)
def test_what_is_no_image_is_refused(image: Any, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=told):
        grey(image)


def test_a_large_image_is_read_piece_by_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    colours = np.random.default_rng(1).integers(0, 256, (37, 11, 3), dtype=np.uint8)
    whole = grey(colours)
    monkeypatch.setattr("weaklearn.vision.pixels._ROWS_AT_ONCE", 60)
    assert np.array_equal(grey(colours), whole)
