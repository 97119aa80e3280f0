"""Bags: uniform, keyed by content, seed and member."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.samples import sample_of
from weaklearn.ensembles import Bags, canonical_order


def table(seed: int = 0, n: int = 40) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(n, 3)).astype(float)
    return X, np.where(rng.random(n) < 0.5, 1, -1)


def order_of(X: Any, y: Any, importance: Any = None) -> Any:
    sample = sample_of(X, y, importance)
    hashes = sample.engine.rows.row_hashes(sample.coded)
    return canonical_order(hashes, sample.y, sample.importance)


def drawn(X: Any, y: Any, bags: Bags, member: int) -> list[Any]:
    """The content of a bag."""
    rows = bags.rows(member)
    return sorted(zip(map(tuple, X[rows].tolist()), y[rows].tolist(), strict=True))


@pytest.mark.parametrize("replacement", [True, False])
@given(st.permutations(range(40)), st.integers(0, 2**32 - 1))
def test_bags_do_not_depend_on_the_order_of_rows(
    replacement: bool, mix: list[int], seed: int
) -> None:
    X, y = table()
    straight = Bags(order_of(X, y), 25, seed, replacement)
    mixed = Bags(order_of(X[mix], y[mix]), 25, seed, replacement)
    for member in (0, 1, 7):
        assert drawn(X[mix], y[mix], mixed, member) == drawn(X, y, straight, member)


@pytest.mark.parametrize("replacement", [True, False])
def test_a_weight_equals_copies(replacement: bool) -> None:
    X, y = table()
    copies = np.random.default_rng(1).integers(1, 5, len(y))
    rows = np.repeat(np.arange(len(y)), copies)
    m = len(rows)
    weighted = Bags(order_of(X, y), m // 2, 3, replacement, copies)
    repeated = Bags(order_of(X[rows], y[rows]), m // 2, 3, replacement)
    assert weighted.n_examples == repeated.n_examples == m
    for member in range(5):
        found = drawn(X, y, weighted, member)
        assert found == drawn(X[rows], y[rows], repeated, member)
        assert len(found) == m // 2
        examples = weighted.row_of_example[weighted.unseen(member)]
        others = repeated.row_of_example[repeated.unseen(member)]
        assert X[examples].tolist() == X[rows[others]].tolist()


def test_counts_rows_and_examples_left_out_agree() -> None:
    X, y = table()
    bags = Bags(order_of(X, y), 40, 5)
    for member in range(4):
        counts = bags.counts(member)
        assert counts.sum() == 40
        assert np.repeat(np.arange(40), counts).tolist() == sorted(bags.rows(member).tolist())
        left = bags.row_of_example[bags.unseen(member)]
        assert sorted(left.tolist()) == np.flatnonzero(counts == 0).tolist()


def test_without_replacement_nothing_is_drawn_twice() -> None:
    X, y = table()
    bags = Bags(order_of(X, y), 30, 0, replacement=False)
    assert all(bags.counts(member).max() == 1 for member in range(10))
    whole = Bags(order_of(X, y), 40, 0, replacement=False)
    assert whole.counts(3).tolist() == [1] * 40


def test_the_expected_share_of_distinct_examples() -> None:
    n = 50
    bags = Bags(np.arange(n), n, seed=1)
    shares = [(bags.counts(member) > 0).mean() for member in range(2000)]
    assert np.mean(shares) == pytest.approx(1 - (1 - 1 / n) ** n, abs=0.004)
    totals = sum(bags.counts(member) for member in range(2000))
    assert totals == pytest.approx(np.full(n, 2000), rel=0.12)  # about five standard deviations


def test_members_and_seeds_draw_differently_and_always_the_same() -> None:
    bags = Bags(np.arange(30), 30, seed=1)
    found = {bags.places(member).tobytes() for member in range(50)}
    found |= {Bags(np.arange(30), 30, seed=s).places(0).tobytes() for s in range(2, 50)}
    assert len(found) == 98
    assert Bags(np.arange(30), 30, seed=1).places(3).tolist() == bags.places(3).tolist()


def test_heavier_rows_are_drawn_more_often() -> None:
    weights = np.array([1.0, 2.0, 0.5, 4.5])
    bags = Bags(np.arange(4), 4, importance=weights)
    totals = sum(bags.counts(member) for member in range(4000))
    assert totals / totals.sum() == pytest.approx(weights / 8, abs=0.01)


def test_importances_belong_to_the_content() -> None:
    X, y = np.zeros((6, 1)), np.array([1, 1, 1, -1, -1, -1])
    importance = np.array([0.5, 1.5, 2.5, 0.5, 1.5, 2.5])
    mix = np.array([3, 1, 5, 0, 2, 4])
    one = order_of(X, y, importance)
    other = order_of(X[mix], y[mix], importance[mix])
    assert mix[other].tolist() == one.tolist()
