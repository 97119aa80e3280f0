"""Grouping of boxes, and non-maximum suppression."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import boxes as twin
from weaklearn.engines import Engine
from weaklearn.vision.grouping import group, group_like_opencv, overlaps, suppress

BOX = st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(1, 20), st.integers(1, 20))
BOXES = st.lists(st.tuples(BOX, st.integers(-8, 8)), max_size=24)


def parted(found: list[tuple[Any, int]]) -> tuple[Any, Any]:
    boxes = np.array([box for box, _ in found], np.int32).reshape(-1, 4)
    return boxes, np.array([score for _, score in found], np.float64)


def components(boxes: Any, together: Any) -> list[list[int]]:
    """Classes of boxes by walking from one to the next."""
    left, found = set(range(len(boxes))), []
    while left:
        reached, new = set(), [min(left)]
        while new:
            i = new.pop()
            if i in reached:
                continue
            reached.add(i)
            new += [j for j in left - reached if together(boxes[i], boxes[j])]
        left -= reached
        found.append(sorted(reached))
    return found


@given(BOXES, st.sampled_from([0.0, 0.3, 0.6]), st.integers(0, 4))
def test_groups_are_the_components_of_overlapping_boxes(
    found: list[tuple[Any, int]], overlap: float, least: int
) -> None:
    boxes, scores = parted(found)
    got, sums, members = group(boxes, scores, min_neighbours=least, overlap=overlap)
    classes = components(boxes, lambda a, b: overlaps(a, [b])[0] > overlap)
    expected = []
    for part in classes:
        if len(part) >= least:
            corners = boxes[part].astype(float)
            corners[:, 2:] += corners[:, :2]
            mean = np.floor(corners.mean(axis=0) + 0.5)
            mean[2:] -= mean[:2]
            expected.append((*mean.astype(int).tolist(), float(scores[part].sum()), len(part)))
    assert sorted(expected) == sorted(
        (*box, s, n)
        for box, s, n in zip(got.tolist(), sums.tolist(), members.tolist(), strict=True)
    )
    assert (np.diff(sums) <= 0).all()


@given(
    st.lists(st.tuples(*[st.integers(-60, 60)] * 2, *[st.integers(-1, 90)] * 2), max_size=40),
    st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]),
)
def test_classes_are_those_of_all_pairs(found: list[Any], share: float) -> None:
    boxes = np.array(found, np.int32).reshape(-1, 4)
    engine = Engine(1)
    assert np.array_equal(
        engine.vision.overlapping_boxes(boxes, share),
        twin.classes(boxes, twin.overlapping(boxes, share)),
    )
    assert np.array_equal(
        engine.vision.similar_boxes(boxes, share), twin.classes(boxes, twin.similar(boxes, share))
    )


@given(BOXES, st.randoms())
def test_groups_do_not_depend_on_the_order(found: list[tuple[Any, int]], random: Any) -> None:
    shuffled = list(found)
    random.shuffle(shuffled)
    for how in (group, suppress):
        a, b = how(*parted(found)), how(*parted(shuffled))  # type: ignore[operator]
        assert np.array_equal(a[0], b[0])
        assert np.array_equal(a[1], b[1])


@given(BOXES, st.sampled_from([0.0, 0.3, 0.6]))
def test_suppression_keeps_the_best_and_nothing_near_it(
    found: list[tuple[Any, int]], overlap: float
) -> None:
    boxes, scores = parted(found)
    kept, values, which = suppress(boxes, scores, overlap=overlap)
    assert np.array_equal(boxes[which], kept)
    assert np.array_equal(scores[which], values)
    for k, box in enumerate(kept):
        assert (overlaps(box, np.delete(kept, k, axis=0)) <= overlap).all()
    for box, score in zip(boxes, scores, strict=True):  # what is gone has a better neighbour
        near = (kept == box).all(axis=1) | (overlaps(box, kept) > overlap)
        assert (values[near] >= score).any()


@given(BOXES, st.integers(1, 3))
def test_opencvs_rule_by_hand(found: list[tuple[Any, int]], least: int) -> None:
    boxes, _ = parted(found)

    def alike(a: Any, b: Any) -> bool:
        room = 0.2 * (min(a[2], b[2]) + min(a[3], b[3])) * 0.5
        edges = [a[0] - b[0], a[1] - b[1], a[0] + a[2] - b[0] - b[2], a[1] + a[3] - b[1] - b[3]]
        return all(abs(edge) <= room for edge in edges)

    sizes = [len(part) for part in components(boxes.tolist(), alike)]
    got, members = group_like_opencv(boxes, least)
    assert len(got) <= sum(size > least for size in sizes)
    assert set(members.tolist()) <= {size for size in sizes if size > least}


def test_many_boxes_in_few_places_take_little_time() -> None:
    rng = np.random.default_rng(0)
    near = rng.integers(0, 6, (40_000, 4)) + np.array([0, 0, 30, 30])
    boxes = np.concatenate([near, np.tile([200, 200, 24, 24], (50_000, 1))])
    began = time.process_time()
    got, _, members = group(boxes, np.ones(len(boxes)))
    assert time.process_time() - began < 5  # each with each would be minutes
    assert len(got) == 2
    assert sorted(members.tolist()) == [40_000, 50_000]


def test_boxes_and_scores_must_fit() -> None:
    with pytest.raises(ValueError, match="2 boxes, but 1 scores"):
        group([[0, 0, 1, 1]] * 2, [1.0])
    with pytest.raises(ValueError, match=r"overlap=-0\.5 is not allowed"):
        group([[0, 0, 1, 1]], [1.0], overlap=-0.5)


@pytest.mark.parametrize(
    "box",
    [(2**31, 0, 1, 1), (0, 0, -(2**40), 1), (2**31 - 1, 0, 9, 9), (0.5, 0, 9, 9), (np.nan,) * 4],
)
def test_boxes_that_are_not_whole_numbers_are_refused(box: Any) -> None:
    for act in (lambda: group([box], [1]), lambda: group_like_opencv([box], 1)):
        with pytest.raises(ValueError, match=r"the box \[.*must be whole numbers below 2\*\*31"):
            act()


def test_nan_is_refused() -> None:
    with pytest.raises(ValueError, match="the score of box 1 is NaN"):
        suppress([[0, 0, 9, 9]] * 2, [1, np.nan])
    with pytest.raises(ValueError, match="overlap=nan is not allowed"):
        suppress([[0, 0, 9, 9]], [1], overlap=np.nan)
