"""Probabilities of votes: the definition, one row as many, and sums of 1 at any size of scores."""

from __future__ import annotations

import numpy as np
import pytest

from weaklearn.base.numeric.exponential import sigmoid_of
from weaklearn.prediction.vote_links import YES_OR_NO, of_each_label, of_votes

F = np.random.default_rng(0).normal(size=(200, 3)) * np.logspace(-3, 2, 200)[:, None]


def test_two_classes_are_one_sigmoid() -> None:
    found = of_votes(F[:, 0], "AdaBoost")
    assert found[:, 1].tolist() == [sigmoid_of(2 * score) for score in F[:, 0].tolist()]
    np.testing.assert_allclose(found[:, 0], 1 / (1 + np.exp(2 * F[:, 0])), rtol=1e-13)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-15)


@pytest.mark.parametrize("scheme", YES_OR_NO)
def test_every_class_by_itself_is_normalised(scheme: str) -> None:
    each = 1 / (1 + np.exp(-2 * F))
    expected = each / each.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(of_votes(F, scheme), expected, rtol=1e-12)


def test_several_classes_are_a_softmax() -> None:
    powers = np.exp(0.5 * (F - F.max(axis=1, keepdims=True)))
    expected = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(of_votes(F, "AdaBoostM1", 0.5), expected, rtol=1e-12, atol=1e-300)


def test_labels_are_never_certain() -> None:
    found = of_each_label(np.array([[-np.inf, -1e4, 0.0, 1e4, np.inf]]), 1.0)
    assert found[0, 2] == 0.5
    assert np.all((found > 0) & (found < 1))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("scheme", ["AdaBoostM1", *YES_OR_NO])
def test_scores_of_any_size_have_probabilities(scheme: str) -> None:
    for row in ([-1e300, -1e300, -1e299], [1e300, -1e300, 0.0], [-2000.0, -2000.0, -2001.0]):
        found = of_votes(np.array([row]), scheme)
        assert found.sum() == pytest.approx(1)
        assert found.argmax() == np.argmax(row)
    two = of_votes(np.array([-np.inf, -400.0, 400.0, np.inf]), "AdaBoost")
    assert two[:, 1].tolist() == [0.0, sigmoid_of(-800.0), 1.0, 1.0]
