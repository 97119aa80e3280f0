"""Weights of a blend by hand, and its two guards against fitting the examples it is chosen on."""

from __future__ import annotations

import numpy as np
import pytest

from weaklearn.base.types import Floats
from weaklearn.estimators.blend.selection import OfClasses, OfNumbers, weights_of


def numbers(y: Floats, n_folds: int = 4) -> OfNumbers:
    n = len(y)
    return OfNumbers(y, np.ones(n, np.int64), np.ones(n), np.arange(n) % n_folds)


def labels(y: Floats, n_folds: int = 4) -> OfClasses:
    n = len(y)
    return OfClasses(y.astype(np.int64), np.ones(n, np.int64), np.ones(n), np.arange(n) % n_folds)


def test_opposite_errors_are_averaged_away() -> None:
    y, off = np.arange(12.0), np.tile([1.0, 1.0, -1.0], 4)
    found = weights_of([(y + off)[:, None], (y - off)[:, None]], numbers(y))
    assert found.tolist() == [0.5, 0.5]


def test_of_equal_models_the_first_is_taken() -> None:
    y = np.arange(8.0)
    assert weights_of([y[:, None] + 1, y[:, None] + 1], numbers(y)).tolist() == [1.0, 0.0]


def test_a_model_that_is_right_by_chance_gets_little() -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=200)
    good = y + rng.normal(scale=0.3, size=200)
    noise = [rng.normal(size=200)[:, None] for _ in range(20)]
    found = weights_of([good[:, None], *noise], numbers(y))
    assert found[0] > 0.85


def test_a_blend_that_loses_on_unseen_folds_is_not_taken() -> None:
    # On each fold the helper is wrong by far, and on all the others it helps a little.
    y, fold = np.zeros(40), np.arange(40) % 4
    best = np.full(40, 0.1)
    helpers = [np.where(fold == k, -30.0, -0.1) for k in range(4)]
    found = weights_of([best[:, None], *(h[:, None] for h in helpers)], numbers(y))
    assert found.tolist() == [1.0, 0.0, 0.0, 0.0, 0.0]


def test_weights_do_not_depend_on_the_order_of_examples_nor_on_copies_against_counts() -> None:
    rng = np.random.default_rng(1)
    y = (rng.uniform(size=90) < 0.5).astype(float)
    scores = [(2 * y - 1 + rng.normal(size=90))[:, None] for _ in range(3)]
    counts, fold = rng.integers(1, 4, size=90), np.arange(90) % 3
    judge = OfClasses(y.astype(np.int64), counts, np.ones(90), fold)
    order = rng.permutation(np.repeat(np.arange(90), counts))
    ones = np.ones(len(order), np.int64)
    shuffled = OfClasses(y[order].astype(np.int64), ones, np.ones(len(order)), fold[order])
    found, again = weights_of(scores, judge), weights_of([F[order] for F in scores], shuffled)
    assert found.tobytes() == again.tobytes()
    assert judge.scale(scores[0]) == shuffled.scale(scores[0][order])


def test_the_scale_of_two_classes_is_their_log_odds() -> None:
    y = np.array([1.0, 1, 1, 0, 0, 0, 0, 1])  # at score 1 three of four are right, and at -1 too
    F = np.where(np.arange(8) < 4, 1.0, -1.0)[:, None]
    scale = labels(y).scale(F)
    assert scale.factor == pytest.approx(np.log(3), rel=0.1)
    assert scale.shift == pytest.approx(0.0, abs=1e-5)


def test_scores_that_say_the_opposite_have_no_factor() -> None:
    y = np.tile([0.0, 1.0], 20)
    assert labels(y).scale((1 - 2 * y)[:, None]).factor == 0.0


def test_scores_that_tell_all_classes_apart_keep_a_finite_factor() -> None:
    y = np.tile([0.0, 1.0, 2.0], 20)
    scale = labels(y).scale(np.eye(3)[y.astype(int)])
    assert 1 < scale.factor < 100
    assert not scale.shift.any()
