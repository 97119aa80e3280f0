"""Cascades drawn at random, which let some windows pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.vision import Cascade


def drawn(
    rng: np.random.Generator,
    height: int = 8,
    width: int = 7,
    *,
    stages: tuple[int, ...] = (2, 3, 4),
    inset: bool = False,
    trees: bool = False,
    tilted: bool = False,
) -> Cascade:
    """Two or three rectangles a feature, stumps or trees of two nodes."""
    n = sum(stages)
    rects: list[list[int]] = []
    weights: list[float] = []
    starts, turned = [0], []
    for _ in range(n):
        turn = tilted and rng.random() < 0.5
        for weight in (-1.0, 2.0, 3.0)[: rng.integers(2, 4)]:
            rects.append(_turned(rng, height, width) if turn else _upright(rng, height, width))
            weights.append(weight)
        starts.append(len(rects))
        turned.append(turn)
    low = rng.normal(size=n)
    more: dict[str, Any] = {}
    if trees:
        ends = np.cumsum(stages)
        begins = ends - np.array(stages)
        pairs = [k for b, e in zip(begins, ends, strict=True) for k in range(b, e - 1, 2)]
        child = np.zeros(n, np.int32)
        child[pairs] = 1
        more = {"low_child": child, "high_child": np.zeros(n, np.int32)}
    return Cascade.of(
        height,
        width,
        inset,
        rects=rects,
        rect_weight=weights,
        feature_start=starts,
        node_feature=rng.permutation(n),
        node_threshold=rng.normal(0, height * width / 2, n),
        node_low=low,
        node_high=-low * rng.uniform(0.5, 1.5, n),
        stage_start=np.concatenate([[0], np.cumsum(stages)]),
        stage_threshold=rng.normal(-0.5, 0.2, len(stages)),
        tilted=turned if tilted else None,
        **more,
    )


def _upright(rng: np.random.Generator, height: int, width: int) -> list[int]:
    top, left = int(rng.integers(height)), int(rng.integers(width))
    return [
        top,
        left,
        int(rng.integers(1, height - top + 1)),
        int(rng.integers(1, width - left + 1)),
    ]


def _turned(rng: np.random.Generator, height: int, width: int) -> list[int]:
    while True:
        top, left, high, wide = (int(k) for k in rng.integers(0, max(height, width), 4))
        if min(high, wide) < 1 or left < high or left + wide > width:
            continue
        if top + high + wide <= height:
            return [top, left, high, wide]


def scene(rng: np.random.Generator, height: int, width: int) -> Any:
    """Pixels that vary from place to place and from pixel to pixel."""
    coarse = np.kron(rng.integers(0, 200, (height // 6 + 1, width // 6 + 1)), np.ones((6, 6)))
    noise = rng.integers(0, 56, (height, width))
    return (coarse[:height, :width] + noise).astype(np.uint8)
