"""Measures of orders and label sets, by hand and beside scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn.metrics as peers
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.stats import mannwhitneyu

from tests import golden
from weaklearn import metrics


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_rank_loss_is_the_mann_whitney_statistic(seed: int, weighted: bool) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, 30)
    y[:2] = 0, 1
    F = rng.integers(0, 8, 30) / 2
    w = rng.integers(1, 4, 30) if weighted else None
    area = 1 - metrics.rank_loss(y, F, ties=0.5, sample_weight=w)
    assert area == pytest.approx(peers.roc_auc_score(y, F, sample_weight=w))
    if not weighted:
        u = mannwhitneyu(F[y == 1], F[y == 0]).statistic
        assert area == pytest.approx(u / ((y == 1).sum() * (y == 0).sum()))


def test_groups_and_grades_by_hand() -> None:
    y, F, group = [0, 1, 2, 0, 1], [3.0, 2.0, 1.0, 0.0, 5.0], [0, 0, 0, 1, 1]
    assert metrics.rank_loss(y, F, group=group) == 3 / 4
    assert metrics.mean_reciprocal_rank(y, F, group=group) == (1 / 2 + 1) / 2
    assert metrics.precision_at_k(y, F, 2, group=group) == (1 / 2 + 1 / 2) / 2
    assert metrics.mean_reciprocal_rank([0, 0], [1.0, 2.0]) == 0


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_gain_as_scikit_learn_has_it(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y, F = rng.integers(0, 4, 12), rng.permutation(12).astype(float)
    y[0] = 2
    for k in (None, 1, 5):
        theirs = peers.ndcg_score([2.0**y - 1], [F], k=k)
        assert metrics.ndcg(y, F, k=k) == pytest.approx(theirs)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10_000))
def test_label_sets_as_scikit_learn_has_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    Y, F = rng.random((10, 5)) < 0.4, rng.normal(size=(10, 5))
    Y[np.arange(10), rng.integers(0, 5, 10)] = True
    assert metrics.coverage(Y, F) + 1 == pytest.approx(peers.coverage_error(Y, F))
    theirs = peers.label_ranking_average_precision_score(Y, F)
    assert metrics.average_precision(sparse.csr_matrix(Y), F) == pytest.approx(theirs)
    assert metrics.hamming_loss(Y, F > 0) == pytest.approx(peers.hamming_loss(Y, F > 0))
    assert metrics.hamming_loss(Y, F) == pytest.approx(peers.hamming_loss(Y, F > 0))
    for average in ("micro", "macro"):
        theirs = peers.f1_score(Y, F > 0, average=average, zero_division=0)
        assert metrics.f1(Y, F > 0, average) == metrics.f1(np.where(Y, 1, -1), F, average)
        assert metrics.f1(Y, F, average) == pytest.approx(theirs)
    top = Y[np.arange(10), F.argmax(axis=1)]
    assert metrics.one_error(Y, F) == pytest.approx(1 - top.mean())


def test_ties_go_to_the_first_label_and_rows_without_labels_are_left_out() -> None:
    Y, F = [[0, 1], [0, 0]], [[0.5, 0.5], [0.1, 0.9]]
    assert metrics.one_error(Y, F) == 1
    assert metrics.coverage(Y, F) == 1
    assert metrics.average_precision(Y, F) == 0.5


@pytest.mark.parametrize("name", golden.names("text"))
def test_label_sets_of_golden_runs(name: str) -> None:
    case, near = golden.case("text", name), golden.tolerance("text")
    Y, expected = case["input"]["Y"], case["expected"]
    for measure in (
        metrics.hamming_loss,
        metrics.one_error,
        metrics.coverage,
        metrics.average_precision,
    ):
        assert measure(Y, expected["F"]) == pytest.approx(expected[measure.__name__], **near)


def test_an_unused_label_counts_nothing_in_micro_and_zero_in_macro() -> None:
    Y, told = [[1, 0, 0], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]]
    assert metrics.f1(Y, told) == 1
    assert metrics.f1(Y, told, "macro") == pytest.approx(2 / 3)
    assert metrics.f1([[0, 0]], [[0, 0]]) == 0
    with pytest.raises(ValueError, match="average='mean'"):
        metrics.f1(Y, told, "mean")


def test_refusals() -> None:
    with pytest.raises(ValueError, match="no group of y holds two grades"):
        metrics.rank_loss([1, 1], [0.0, 1.0])
    with pytest.raises(ValueError, match="k=0"):
        metrics.precision_at_k([1], [1.0], 0)
    with pytest.raises(ValueError, match="k=-1"):
        metrics.ndcg([1], [1.0], k=-1)
    with pytest.raises(ValueError, match="no gain"):
        metrics.ndcg([0, 0], [1.0, 2.0])
    with pytest.raises(ValueError, match="outside 0 to 1000"):
        metrics.ndcg([-1, 0], [1.0, 2.0])
    with pytest.raises(ValueError, match="must agree"):
        metrics.rank_loss([0, 1], [0.0])
    with pytest.raises(ValueError, match="not finite"):
        metrics.rank_loss([0, 1], [0.0, np.nan])
    with pytest.raises(ValueError, match="one id for each"):
        metrics.rank_loss([0, 1], [0.0, 1.0], group=[0])
    with pytest.raises(ValueError, match="indicator"):
        metrics.one_error([[2, 0]], [[0.1, 0.2]])
    with pytest.raises(ValueError, match="no row of Y has a label"):
        metrics.coverage([[0, 0]], [[0.1, 0.2]])
    with pytest.raises(ValueError, match="is empty"):
        metrics.hamming_loss(np.zeros((0, 2)), np.zeros((0, 2)))
