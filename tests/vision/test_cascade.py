"""Cascades as arrays: what is checked before a kernel trusts them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vision.cascades import drawn
from weaklearn.vision import Cascade

GOOD: dict[str, Any] = {
    "rects": [[0, 0, 2, 4], [2, 0, 2, 4], [0, 2, 1, 1]],
    "rect_weight": [-1, 1, 1],
    "feature_start": [0, 2, 3],
    "node_feature": [0, 1, 0],
    "node_threshold": [0.5, 1.5, 2.5],
    "node_low": [-1, -1, -1],
    "node_high": [1, 1, 1],
    "stage_start": [0, 2, 3],
    "stage_threshold": [0, 0],
}


def test_a_good_one_is_kept() -> None:
    cascade = Cascade.of(4, 4, **GOOD)
    assert (cascade.n_stages, cascade.n_nodes, cascade.n_features) == (2, 3, 2)
    assert not cascade.has_trees
    assert not cascade.has_tilted
    assert cascade.checked() is cascade


@pytest.mark.parametrize(
    ("height", "change", "told"),
    [
        (0, {}, "height is 0"),
        (10**6, {}, "height is 1000000"),
        (2, {"inset": True}, "inset window is too small"),
        (4, {"rects": [[0, 0, 5, 4]] * 3}, "rectangle 0"),
        (4, {"rects": [[0, 0, 1, 1], [3, 3, 1, 2], [0, 0, 1, 1]]}, "rectangle 1"),
        (4, {"rects": [[0, 0, 2**31 - 1, 1]] * 3}, "rectangle 0"),
        (4, {"rects": [[0, 0, 1]] * 3}, "3 columns"),
        (4, {"rect_weight": [1, 1]}, "rect_weight has 2 entries"),
        (4, {"rect_weight": [1, 1, np.nan]}, "not finite"),
        (4, {"feature_start": [0, 3, 2]}, "feature_start"),
        (4, {"feature_start": [0, 0, 3]}, "no rectangles"),
        (4, {"feature_start": []}, "feature_start"),
        (4, {"node_feature": [0, 1, 2]}, "outside 0 to 1"),
        (4, {"node_feature": [0, -1, 0]}, "outside 0 to 1"),
        (4, {"node_low": [0]}, "node_low has 1"),
        (4, {"stage_start": [0, 4, 3]}, "stage_start"),
        (4, {"stage_start": [1, 2, 3]}, "stage_start"),
        (4, {"stage_threshold": [0]}, "stage_threshold has 1"),
        (4, {"stage_threshold": [0, np.inf]}, "not finite"),
        (4, {"tilted": [True]}, "tilted has 1"),
        (4, {"tilted": [True, False]}, "rectangle 0"),
        (4, {"low_child": [-1, 0, 0]}, "points backwards"),
        (4, {"low_child": [0, 1, 0]}, "out of its stage"),
        (4, {"low_child": [1, 0, 0], "high_child": [1, 0, 0]}, "child of two"),
        (4, {"low_child": [2**31 - 1, 0, 0]}, "out of its stage"),
    ],
)
def test_what_would_mislead_a_kernel_is_refused(
    height: int, change: dict[str, Any], told: str
) -> None:
    change = dict(change)
    inset = bool(change.pop("inset", False))
    with pytest.raises(ValueError, match=told):
        Cascade.of(height, 4, inset, **(GOOD | change))


def test_nodes_of_trees_stand_side_by_side() -> None:
    crossed = GOOD | {"stage_start": [0, 3, 3], "low_child": [2, 0, 0]}
    with pytest.raises(ValueError, match="side by side"):
        Cascade.of(4, 4, **crossed)
    assert Cascade.of(4, 4, **(crossed | {"low_child": [1, 1, 0]})).has_trees


@pytest.mark.parametrize("kind", [{}, {"trees": True}, {"tilted": True}])
def test_first_stages(kind: dict[str, bool]) -> None:
    cascade = drawn(np.random.default_rng(0), **kind)
    part = cascade.first_stages(2).checked()
    assert part.n_stages == 2
    assert part.n_nodes == cascade.stage_start[2]
    assert cascade.first_stages(3).checked().n_nodes == cascade.n_nodes
    assert cascade.first_stages(0).checked().n_nodes == 0
