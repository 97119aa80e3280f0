"""Windows are found where a cascade goes wrong, and none of them twice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn.vision import Cascade
from weaklearn.vision.mining import Backgrounds, content_key
from weaklearn.vision.resizing import resized

RNG = np.random.default_rng(0)
IMAGES = [RNG.integers(0, 256, shape, np.uint8) for shape in ((20, 30), (40, 25), (9, 9))]
DARK = Cascade.of(
    8,
    8,
    rects=[[0, 0, 8, 8]],
    rect_weight=[1],
    feature_start=[0, 1],
    node_feature=[0],
    node_threshold=[100.0],
    node_low=[1],
    node_high=[-1],
    stage_start=[0, 1],
    stage_threshold=[0],
)


def scan(cascade: Cascade, pixels: Any) -> Any:
    """A plain scanner for a cascade that looks at brightness alone."""
    views = np.lib.stride_tricks.sliding_window_view(pixels, (8, 8)).astype(float)
    values = views.sum(axis=(2, 3)) / np.maximum(views.std(axis=(2, 3)), 1e-9)
    return np.nonzero(values <= cascade.node_threshold[0])


def mined(wanted: int, taken: Any = None, cascade: Any = None, **how: Any) -> Any:
    backgrounds = Backgrounds(IMAGES, 8, 8, **how)
    taken = np.zeros((0, 3), np.int64) if taken is None else taken
    return backgrounds, backgrounds.mine(cascade, wanted, taken, scan)


def test_windows_are_where_their_keys_say() -> None:
    backgrounds, found = mined(50)
    assert len(found.windows) == len(found.keys) == 50
    assert len({tuple(key) for key in found.keys}) == 50
    assert not found.dry
    for window, (number, top, left) in zip(found.windows, found.keys, strict=True):
        level = backgrounds.levels[number].pixels(IMAGES)
        assert (window == level[top : top + 8, left : left + 8]).all()


def test_levels_hold_every_turn_and_size() -> None:
    backgrounds, _ = mined(1)
    assert {level.turn for level in backgrounds.levels} == set(range(8))
    for level in backgrounds.levels:
        pixels = level.pixels(IMAGES)
        assert min(pixels.shape) >= 8
        plain = resized(IMAGES[level.image], level.height, level.width)
        turns = [np.rot90(side, k) for side in (plain, plain[:, ::-1]) for k in range(4)]
        assert any(np.array_equal(pixels, turn) for turn in turns)


def test_what_is_found_passes_and_is_new() -> None:
    backgrounds, first = mined(40)
    passing = backgrounds.mine(DARK, 30, first.keys, scan)
    assert passing.passed >= len(passing.windows) > 0
    taken = {tuple(key) for key in first.keys}
    for window, key in zip(passing.windows, passing.keys, strict=True):
        assert window.sum() / window.std() <= 100.0
        assert tuple(key) not in taken
    again = backgrounds.mine(DARK, 30, np.concatenate([first.keys, passing.keys]), scan)
    assert not {tuple(k) for k in again.keys} & {tuple(k) for k in passing.keys}


def test_runs_dry() -> None:
    backgrounds, found = mined(10**6)
    assert found.dry
    assert found.seen == sum(
        (p.shape[0] - 7) * (p.shape[1] - 7)
        for p in (level.pixels(IMAGES) for level in backgrounds.levels)
    )
    nothing = Backgrounds([], 8, 8).mine(None, 5, np.zeros((0, 3), np.int64), scan)
    assert nothing.dry
    assert len(nothing.windows) == 0
    small = Backgrounds([np.zeros((7, 50), np.uint8)], 8, 8)
    assert small.levels == []


def test_same_every_time() -> None:
    one, other = mined(60)[1], mined(60)[1]
    assert (one.keys == other.keys).all()
    assert not np.array_equal(one.keys, mined(60, seed=1)[1].keys)


def test_content_key() -> None:
    a = np.arange(6, dtype=np.uint8).reshape(2, 3)
    assert content_key(a) == content_key(a.copy()) == content_key(np.asfortranarray(a))
    assert content_key(a) != content_key(a.reshape(3, 2))
    assert content_key(a) != content_key(a, seed=1)


@pytest.mark.parametrize("size", [(3, 4), (10, 7), (6, 5), (1, 1), (13, 2)])
def test_resized(size: tuple[int, int]) -> None:
    image = np.random.default_rng(1).random((6, 5)) * 100
    found = resized(image, *size)
    assert found.shape == size
    assert found.min() >= image.min()
    assert found.max() <= image.max()
    if size[0] <= 6 and size[1] <= 5:  # areas keep the mean
        assert found.mean() == pytest.approx(image.mean())
    assert (resized(np.full((6, 5), 7, np.uint8), *size) == 7).all()
