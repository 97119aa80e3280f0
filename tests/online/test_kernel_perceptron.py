"""The perceptron behind a kernel: golden runs, the perceptron itself, and passes over a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from tests.reference import gram as twin
from weaklearn.online import OnlineKernelPerceptron, OnlineLearner, OnlinePerceptron
from weaklearn.online.kernel_perceptron import Mistakes, go_over
from weaklearn.online.kernels import Function, Linear, Polynomial, String, polynomial

CASES = [name for name in golden.names("online") if name.startswith("kernel_perceptron")]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    "kernel", [Polynomial(2), Function(lambda x, z: polynomial(x, z, 2))], ids=["own", "function"]
)
def test_golden(name: str, kernel: Any) -> None:
    case = golden.case("online", name)
    sequence = [(row["x"], row["y"]) for row in case["input"]["sequence"]]
    for run in (OnlineKernelPerceptron.run, OnlineLearner.run):
        learner = OnlineKernelPerceptron(kernel)
        trace = run(learner, sequence)
        assert trace.scores.tolist() == case["expected"]["scores"]
        assert trace.mistake_flags.tolist() == case["expected"]["mistake_flags"]
        assert learner.mistakes == case["expected"]["mistakes"]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 60), st.integers(1, 4))
def test_it_is_the_perceptron_on_the_map(seed: int, n: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, size=(n, d)) / 4
    y = rng.choice([-1, 1], n)
    rows = np.where(np.abs(X).max(axis=1, keepdims=True) > 0, X, 1.0)
    plain, kernel = OnlinePerceptron(), OnlineKernelPerceptron(Linear())
    for one, other in zip(plain.run(rows, y).scores, kernel.run(rows, y).scores):
        assert other == one  # sixteenths: exactly
    X = rng.normal(size=(n, d))  # whose scores are never 0 but for rounding
    wide = OnlinePerceptron().run(twin.monomials(X, 2), y)
    mapped = OnlineKernelPerceptron(Polynomial(2)).run(X, y)
    np.testing.assert_allclose(mapped.scores, wide.scores, atol=1e-9)


def test_batches_and_single_rows_learn_the_same() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(700, 3)), rng.choice([-1.0, 1.0], 700)
    whole, parts, sparse = (Mistakes(Polynomial(2)) for _ in range(3))
    scores, wrong = whole.learn(X, y)
    for i in range(0, 700, 90):
        part = slice(i, i + 90)
        found = parts.learn(X[part], y[part])
        np.testing.assert_allclose(found[0], scores[part], rtol=1e-9, atol=1e-9)
        assert (found[1] == wrong[part]).all()
    assert (sparse.learn(sp.csr_array(X), y)[0] == scores).all()
    np.testing.assert_allclose(whole.scores(X[:5]), parts.scores(X[:5]))


def test_a_batch_is_gone_over_until_clean() -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(150, 2))
    y = np.where((X**2).sum(axis=1) > 1.5, 1.0, -1.0)
    pocket = go_over(Polynomial(2), X, y, 1000)
    assert pocket.clean
    K = Polynomial(2).gram(X)
    assert (y * (K @ pocket.times) > 0).all()
    assert pocket.history["mistakes"][-1] == 0
    learner = OnlineKernelPerceptron(Polynomial(2))
    per_pass = [learner.run(X, y).mistakes for _ in range(len(pocket.history))]
    assert per_pass == pocket.history["mistakes"].tolist()
    assert pocket.mistakes == learner.mistakes


def test_what_cannot_be_separated_ends_with_the_best() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(80, 2)), rng.choice([-1.0, 1.0], 80)
    pocket = go_over(Linear(), X, y, 15)
    assert not pocket.clean
    assert len(pocket.history) == 15
    errors = np.count_nonzero(y * (X @ X.T @ pocket.times) <= 0)
    assert errors == pocket.errors <= 40


def test_no_row_may_be_mapped_to_zero() -> None:
    learner = OnlineKernelPerceptron(Linear())
    with pytest.raises(ValueError, match=r"K\(x, x\) is 0.*y \(w.x\) > 0"):
        learner.update([0.0, 0.0], 1)
    with pytest.raises(ValueError, match="row 1"):
        OnlineKernelPerceptron(String(3)).run([("abc", 1), ("ab", -1)])
    assert len(OnlineKernelPerceptron(Linear()).run([])) == 0
