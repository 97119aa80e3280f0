"""Measures agree with scikit-learn's where it has them, and with their definitions elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import log_loss, r2_score, roc_auc_score

from weaklearn.comparison.trial import auc, calibration, of_classes, of_numbers, ranks

rng = np.random.default_rng(0)


@pytest.mark.parametrize("K", [2, 4])
def test_classes_as_scikit_learn_measures_them(K):
    y = rng.integers(0, K, 200)
    P = rng.dirichlet(np.ones(K), 200).round(2) + 1e-3  # with ties
    P /= P.sum(axis=1, keepdims=True)
    found = of_classes(y, P.argmax(axis=1), P, P, y)
    expected = roc_auc_score(y, P[:, 1] if K == 2 else P, multi_class="ovr")
    assert found["auc"] == pytest.approx(expected)
    assert found["log_loss"] == pytest.approx(log_loss(y, P))
    assert found["error"] == np.mean(P.argmax(axis=1) != y)


def test_a_class_not_learnt_is_an_error_and_nothing_else():
    y, codes = np.array(["a", "b", "z"]), np.array([0, 1, -1])
    P = np.array([[0.5, 0.5], [0.5, 0.5], [0.5, 0.5]])
    found = of_classes(y, np.array(["a", "b", "a"]), P, P, codes)
    assert found["error"] == pytest.approx(1 / 3)
    assert found["log_loss"] == pytest.approx(np.log(2))


def test_certainty_that_is_wrong_costs_what_float32_can_say():
    P = np.array([[1.0, 0.0]])
    found = of_classes(np.array([1]), np.array([0]), P, P, np.array([1]))
    assert found["log_loss"] == pytest.approx(-np.log(1e-7))
    assert "auc" not in found  # one class alone has none


def test_scores_of_one_column_are_for_the_second_class():
    assert auc(np.array([0, 1]), np.array([[-3.0], [2.0]])) == 1.0


def test_calibration_is_the_gap_in_bins_of_equal_count():
    p = np.repeat([0.1, 0.9], 50)
    events = np.concatenate([np.arange(50) < 5, np.arange(50) < 40])
    assert calibration(events, p) == pytest.approx((0.0 + 0.1) / 2)
    p = np.linspace(0, 1, 1000)
    events = rng.random(1000) < p
    edges = np.array_split(np.arange(1000), 10)
    expected = np.mean([abs(p[part].mean() - events[part].mean()) for part in edges])
    assert calibration(events, p) == pytest.approx(expected)


def test_calibration_does_not_depend_on_the_order_of_rows():
    p, events = rng.random(99).round(1), rng.random(99) < 0.5
    order = rng.permutation(99)
    assert calibration(events, p) == pytest.approx(calibration(events[order], p[order]))


def test_numbers_as_scikit_learn_measures_them():
    y, answers = rng.normal(size=50), rng.normal(size=50)
    found = of_numbers(y, answers)
    assert found["r2"] == pytest.approx(r2_score(y, answers))
    assert (
        found["rmse"] ** 2
        == pytest.approx(found["mse"])
        == pytest.approx(np.mean((y - answers) ** 2))
    )
    assert "r2" not in of_numbers(np.ones(3), np.zeros(3))


def test_ranks_share_and_put_nothing_last():
    values = {"a": 0.9, "b": float("nan"), "c": 0.5, "d": 0.9}
    assert ranks(values, greater=True) == {"a": 1.5, "b": 4.0, "c": 3.0, "d": 1.5}
