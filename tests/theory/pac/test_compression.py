"""Compression schemes: what is kept is enough, and where it is not, that is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

from weaklearn.theory import bounds, compression_scheme

quick = settings(deadline=None, max_examples=80)
columns = st.lists(st.tuples(st.integers(0, 6), st.sampled_from([-1, 1])), min_size=3, max_size=12)


@pytest.mark.parametrize(("scheme", "kappa"), [("threshold", 1), ("midpoint", 2)])
@quick
@given(rows=columns)
def test_thresholds_are_rebuilt(scheme: str, kappa: int, rows: list[tuple[int, int]]) -> None:
    X, y = np.array([[x] for x, _ in rows], float), np.array([label for _, label in rows])
    found = compression_scheme(scheme, X, y, delta=0.3, repeats="draws")
    assert found.verified
    assert 1 <= len(found.kept) <= kappa
    cuts = np.concatenate([np.unique(X), [np.inf]])
    least = min(np.mean(np.where(X[:, 0] >= v, 1, -1) != y) for v in cuts)
    assert found.error == least
    upper = bounds.compression_upper(least, len(y), kappa, 0.3)
    if least > 0:
        assert found.bound == upper
    else:
        assert found.bound == min(upper, bounds.compression_consistent(len(y), kappa, 0.3))
    order = np.random.default_rng(0).permutation(len(y))
    other = compression_scheme(scheme, X[order], y[order], delta=0.3)
    grid = np.linspace(-1, 7, 33)[:, None]
    assert (other.hypothesis(grid) == found.hypothesis(grid)).all()


@quick
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(9, 30))
def test_rectangles_are_rebuilt(seed: int, d: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 5, size=(m, d)).astype(float)
    y = np.where((X >= 1).all(axis=1) & (X <= 3).all(axis=1), 1, -1)
    found = compression_scheme("rectangle", X, y, repeats="draws")
    assert found.verified
    assert found.error == 0
    assert len(found.kept) <= 2 * d
    assert (y[found.kept] == 1).all()
    expected = bounds.compression_consistent(m, 2 * d, 0.05)
    assert found.bound == pytest.approx(min(expected, bounds.compression_upper(0, m, 2 * d, 0.05)))


def test_the_midpoint_is_between() -> None:
    X = np.array([[1.0], [2.0], [5.0], [6.0]])
    found = compression_scheme("midpoint", X, [-1, -1, 1, 1], delta=0.9)
    assert found.kept.tolist() == [1, 2]
    assert found.hypothesis(np.array([[3.4], [3.6]])).tolist() == [-1, 1]
    assert "kept" in str(found)


def test_rules_that_are_never_positive() -> None:
    X = np.arange(6.0)[:, None]
    for scheme in ("threshold", "midpoint", "rectangle"):
        found = compression_scheme(scheme, X, [-1] * 6)
        assert found.verified
        assert (found.hypothesis(np.array([[-5.0], [99.0]])) == -1).all()


def test_an_estimator_and_its_support() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    X = X[np.abs(X.sum(axis=1)) > 0.3]
    y = np.where(X.sum(axis=1) > 0, "up", "down")
    svm = SVC(kernel="linear", C=1e6)
    found = compression_scheme(svm, X, y, keep=lambda model, X, y: model.support_)
    assert found.verified
    k, m = len(found.kept), len(y)
    doubt = 0.05 / ((k + 1) * (k + 2))  # the number kept came out of the examples
    assert found.bound == pytest.approx(bounds.compression_consistent(m, k, doubt))
    fixed = compression_scheme(svm, X, y, keep=found.kept, kappa=k)
    assert fixed.bound == pytest.approx(bounds.compression_consistent(m, k, 0.05))


def test_what_is_not_enough_is_said() -> None:
    X = np.arange(10.0)[:, None]
    y = np.array([0, 0, 1, 1, 0, 0, 1, 1, 0, 0])
    found = compression_scheme(KNeighborsClassifier(1), X, y, keep=[0, 2])
    assert not found.verified
    assert found.bound is None
    assert not found.vacuous


def test_a_scheme_of_ones_own() -> None:
    """The greatest negative and the smallest positive number, by two functions."""

    def compress(X: Any, y: Any) -> Any:
        return [int(np.argmax(np.where(y < 0, X[:, 0], -np.inf)))]

    def rebuild(X: Any, y: Any) -> Any:
        return lambda rows: np.where(rows[:, 0] > X[0, 0], 1, -1)

    X = np.array([[3.0], [1.0], [4.0], [2.0]])
    found = compression_scheme((compress, rebuild), X, np.array([1, -1, 1, -1]), kappa=1)
    assert (found.kept.tolist(), found.error) == ([3], 0.0)
    assert found.vacuous == (found.bound >= 1)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda X, y: compression_scheme("sphere", X, y), "scheme='sphere' is not allowed"),
        (lambda X, y: compression_scheme("threshold", X, y[:2]), "one label a row"),
        (lambda X, y: compression_scheme("threshold", X, [0, 1, 1]), "-1 and \\+1"),
        (lambda X, y: compression_scheme("threshold", np.c_[X, X], y), "2 columns"),
        (lambda X, y: compression_scheme(SVC(), X, y), "keep is None"),
        (lambda X, y: compression_scheme(SVC(), X, y, keep=[7]), "rows below 3"),
        (lambda X, y: compression_scheme(SVC(), X, y, keep=[0, 1], kappa=1), "kappa must be at"),
        (lambda X, y: compression_scheme("threshold", X, y, kappa=3), "kappa must be below m"),
    ],
)
def test_refusals(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        call(np.array([[1.0], [2.0], [3.0]]), np.array([-1, 1, 1]))
