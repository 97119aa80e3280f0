"""Data sets as they are given, the kind of their labels, and folds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.model_selection import ShuffleSplit

from weaklearn.comparison.trial import MANY, NUMBERS, TWO, folds, kind_of, read_task

X = np.arange(20.0).reshape(10, 2)
y = np.array(list("aabbaabbab"))


@given(st.lists(st.integers(0, 4), min_size=2, max_size=60), st.data())
def test_folds_partition_the_rows_and_deal_every_class_evenly(labels, data):
    y = np.array(labels)
    k = data.draw(st.integers(2, len(y)))
    parts = folds(y, len(y), k, seed=data.draw(st.integers(0, 3)))
    assert len(parts) == k
    tested = np.concatenate([test for _, test in parts])
    assert sorted(tested.tolist()) == list(range(len(y)))
    sizes = [len(test) for _, test in parts]
    assert max(sizes) - min(sizes) <= 1
    for train, test in parts:
        assert sorted([*train.tolist(), *test.tolist()]) == list(range(len(y)))
    for label in set(labels):
        counts = [int((y[test] == label).sum()) for _, test in parts]
        assert max(counts) - min(counts) <= 1


def test_folds_are_shuffled_by_the_seed():
    first = [folds(None, 50, 5, seed)[0][1].tolist() for seed in (0, 0, 1)]
    assert first[0] == first[1] != first[2]
    assert first[0] != list(range(10))


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (["no", "yes"] * 3, TWO),
        ([True, False] * 3, TWO),
        ([0.0, 1.0] * 3, TWO),
        ([1] * 6, TWO),
        (["a", "b", "c"] * 3, MANY),
        ([0, 1, 2] * 3, MANY),
        ([0.5, 1.5, 2.5], NUMBERS),
        ([10.0, 20.0, 30.0], NUMBERS),
        (list(range(200)), NUMBERS),
        ([k % 35 for k in range(40)], NUMBERS),
        ([k % 35 for k in range(105)], MANY),
        (list(range(10)), MANY),
        ([0.5, 1.5] * 3, NUMBERS),
        ([2.5] * 6, NUMBERS),
    ],
)
def test_kind_is_told_by_the_labels(labels, kind):
    assert kind_of(np.array(labels)) == kind


def test_estimators_say_what_whole_numbers_mean():
    counts = np.array([0, 1, 2] * 3)
    assert kind_of(counts, numbers=True) == NUMBERS
    assert kind_of(np.arange(200), numbers=False) == MANY
    assert kind_of(counts.astype(float), numbers=False) == MANY
    assert kind_of(counts + 0.5, numbers=False) == NUMBERS
    assert kind_of(np.array(list("abc")), numbers=True) == MANY
    assert kind_of(np.array(["a", 1, None], object), numbers=True) == MANY


@pytest.mark.parametrize(
    "split",
    [
        (np.arange(6), np.arange(6, 10)),
        ([0, 1, 2, 3, 4, 5], [6, 7, 8, 9]),
        [(np.arange(6), np.arange(6, 10))],
        (np.arange(10) < 6, np.arange(10) >= 6),
    ],
)
def test_a_split_may_come_with_the_data(split):
    task = read_task("t", (X, y, split), 5, 0)
    assert [(train.tolist(), test.tolist()) for train, test in task.splits] == [
        ([0, 1, 2, 3, 4, 5], [6, 7, 8, 9])
    ]


def test_two_splits_of_equal_size_are_two():
    half = np.arange(5)
    task = read_task("t", (X, y, [(half, half + 5), (half + 5, half)]), 5, 0)
    assert len(task.splits) == 2


def test_bunches_functions_and_splitters():
    assert read_task("iris", load_iris, 5, 0).kind == MANY
    assert read_task("iris", load_iris(), 5, 0).X.shape == (150, 4)
    splitter = ShuffleSplit(3, test_size=2, random_state=0)
    assert [len(test) for _, test in read_task("t", (X, y), splitter, 0).splits] == [2, 2, 2]


@pytest.mark.parametrize(
    ("given", "cv", "words"),
    [
        ((X, y[:4]), 2, ["t has 10 rows but 4 labels"]),
        ((X, np.ones((10, 2))), 2, ["(10, 2)", "one label a row"]),
        ("adult", 2, ["str", "(X, y)"]),
        ((X, y), 11, ["cv=11", "10 rows"]),
        ((X, y), 1, ["cv=1", "at least 2"]),
    ],
)
def test_what_is_refused(given, cv, words):
    with pytest.raises((ValueError, TypeError)) as caught:
        read_task("t", given, cv, 0)
    assert all(word in str(caught.value) for word in words)
