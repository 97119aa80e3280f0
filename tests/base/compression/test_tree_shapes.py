"""Sums over subtrees, level by level and node after node."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import same_bits
from weaklearn.base.compression import tree_shapes
from weaklearn.base.compression.tree_shapes import Shapes


def random_shapes(rng: np.random.Generator, n_trees: int) -> Shapes:
    """Trees in which a test has two to four children, numbered level by level."""
    lengths: list[int] = []
    first: list[int] = []
    width: list[int] = []
    for _ in range(n_trees):
        nodes, k = 1, 0
        while k < nodes:
            children = int(rng.integers(2, 5)) if rng.random() < 0.6 and nodes < 60 else 0
            first.append(nodes if children else 0)
            width.append(children)
            nodes, k = nodes + children, k + 1
        lengths.append(nodes)
    found = Shapes.of(np.array(lengths), np.array(first), np.array(width))
    assert found is not None
    return found


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.sampled_from(["whole", "1", "3", "9"]))
def test_sums_are_the_same_bits(seed: int, n_trees: int, kind: str) -> None:
    rng = np.random.default_rng(seed)
    shapes = random_shapes(rng, n_trees)
    n = len(shapes.inner)
    x: Any = rng.integers(-5, 5, n)
    if kind != "whole":
        x = rng.normal(size=(n, int(kind))) * 10.0 ** rng.integers(-8, 8, (n, 1))
    few = shapes.sums(x)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_shapes, "_FEW", -1)
        assert same_bits(shapes.sums(x), few)


def test_sums_beyond_64_bits_wrap_as_those_of_numpy() -> None:
    shapes = Shapes.of(np.array([3]), np.array([1, 0, 0]), np.array([2, 0, 0]))
    assert shapes is not None
    for most in (-(2**63), 2**63 - 1):
        x = np.full(3, most)
        assert shapes.sums(x)[0] == np.sum(x)
