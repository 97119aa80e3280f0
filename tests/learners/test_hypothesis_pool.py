"""Picking from a list of hypotheses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier

from tests.reference.votes import Answers
from tests.samples import sample_of
from weaklearn.learners.hypothesis_pool import PoolLearner

ROWS = np.arange(10.0)[:, None]
LABELS = np.array([1, 1, 1, 1, -1, -1, -1, 1, -1, 1])


def picks(H: Any, selection: str, D: Any = None, keys: Any = (0,)) -> list[int]:
    """The columns of H that are picked, one a key."""
    sample = sample_of(ROWS[: len(H)], LABELS[: len(H)])
    pool = tuple(Answers(h) for h in H.T)
    oracle = PoolLearner(pool, selection).bind(sample)
    weights = sample.prior if D is None else sample.weighed(np.asarray(D, float))
    return [pool.index(oracle(weights, sample.y, key)) for key in keys]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6))
def test_the_best_of_all_is_picked(seed: int) -> None:
    rng = np.random.default_rng(seed)
    H, D = rng.integers(-1, 2, size=(10, 6)), rng.random(10)
    D = D / D.sum()
    M = LABELS[:, None] * H
    r = D @ M
    assert np.abs(r)[picks(H, "greedy", D)[0]] == pytest.approx(np.abs(r).max())
    Z = D @ (M == 0) + 2 * np.sqrt((D @ (M > 0)) * (D @ (M < 0)))
    assert Z[picks(H, "least_z", D)[0]] == pytest.approx(Z.min())


def test_of_equals_the_first_is_picked() -> None:
    h = np.where(np.arange(10) == 3, -1, 1) * LABELS
    H = np.column_stack([-LABELS * (np.arange(10) < 2), -h, h, h])
    assert picks(H, "greedy") == [1]
    assert picks(H, "least_z") == [1]


def test_silence_parts_the_two_criteria() -> None:
    often = LABELS * np.array([1, 1, 1, 1, 1, 1, 1, -1, -1, -1])  # r = 0.4, Z = 0.917
    rarely = LABELS * np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0])  # r = 0.3, Z = 0.7
    H = np.column_stack([often, rarely])
    assert (picks(H, "greedy"), picks(H, "least_z")) == ([0], [1])


def test_turns_go_round_and_pass_over_what_has_no_edge() -> None:
    H = LABELS[:, None] * np.ones((10, 4))
    assert picks(H, "cyclic", keys=range(9)) == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    H[:5, 1] *= -1  # right on half of the rows
    assert picks(H, "cyclic", keys=range(5)) == [0, 2, 2, 3, 0]
    assert picks(H[:, [1, 1]], "cyclic", keys=[3]) == [1]  # none has an edge: the booster sees


def test_classifiers_and_functions_are_hypotheses() -> None:
    sample = sample_of(ROWS, np.where(LABELS > 0, "yes", "no"))
    always = DummyClassifier(strategy="constant", constant="yes").fit(ROWS, ["yes", "no"] * 5)
    oracle = PoolLearner((always, lambda X: np.where(X[:, 0] < 4, 1, -1))).bind(sample)
    h = oracle(sample.prior, sample.y)
    assert h(sample).tolist() == [1] * 4 + [-1] * 6  # right on eight rows, not on six
    one = PoolLearner((always,)).bind(sample)(sample.prior, sample.y)
    assert one(sample).tolist() == [1] * 10
