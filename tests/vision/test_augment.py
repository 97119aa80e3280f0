"""Faces varied: mirror images, shifts, sizes, turns, brightness."""

from __future__ import annotations

import numpy as np
import pytest

from weaklearn.vision.training_images import Augmentation

FACES = np.random.default_rng(0).integers(20, 200, (5, 9, 8), np.uint8)


def rng() -> np.random.Generator:
    return np.random.default_rng(1)


def test_nothing_asked_nothing_done() -> None:
    assert (Augmentation(mirror=False)(FACES, rng()) == FACES).all()
    both = Augmentation()(FACES, rng())
    assert (both == np.concatenate([FACES, FACES[:, :, ::-1]])).all()


def test_copies_differ_a_little() -> None:
    how = Augmentation(mirror=False, copies=3, shift=0.5, scale=0.05, rotation=3, brightness=0.1)
    found = how(FACES, rng())
    assert found.shape == (20, 9, 8)
    assert found.dtype == np.uint8
    smooth = Augmentation(mirror=False, copies=1, shift=0.5)
    ramp = np.tile(np.arange(8, dtype=np.float64) * 10, (4, 9, 1))
    moved = smooth(ramp, rng())[4:]
    assert moved.dtype == np.float64
    assert np.abs(moved[:, :, 1:-1] - ramp[:, :, 1:-1]).max() <= 5 + 1e-9


def test_a_tiny_shift_changes_no_whole_pixel() -> None:
    how = Augmentation(mirror=False, copies=1, shift=1e-12)
    assert (how(FACES, rng())[5:] == FACES).all()


def test_brightness() -> None:
    found = Augmentation(mirror=False, copies=1, brightness=0.2)(FACES.astype(float), rng())[5:]
    share = found / FACES
    assert share.min() >= 0.8
    assert share.max() <= 1.2
    assert np.ptp(share, axis=(1, 2)) == pytest.approx(0, abs=1e-9)


def test_one_pixel() -> None:
    how = Augmentation(copies=1, shift=1, scale=0.1, rotation=10)
    assert (how(np.full((2, 1, 1), 9, np.uint8), rng()) == 9).all()
