"""Kernels: golden values, their maps written out, positive matrices, and what is made of them."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests import golden
from tests.reference import gram as twin
from weaklearn.online import kernels
from weaklearn.online.kernels import (
    AllProducts,
    Combination,
    Function,
    Kernel,
    Linear,
    Polynomial,
    String,
    power,
)

WHOLE = st.integers(-4, 4).map(float)
TEXTS = st.lists(st.text("abc", max_size=12), min_size=1, max_size=8)


def matrices(most: int = 4) -> Any:
    shapes = st.tuples(st.integers(1, 12), st.integers(1, most))
    return shapes.flatmap(lambda shape: arrays(np.float64, shape, elements=WHOLE))


@pytest.mark.parametrize("name", golden.names("kernels"))
def test_golden(name: str) -> None:
    case = golden.case("kernels", name)
    given, expected = case["input"], case["expected"]
    if "X" not in given:
        assert kernels.string(given["s"], given["t"], given["p"]) == expected["string_kernel"]
        assert String(given["p"]).gram([given["s"]], [given["t"]]) == expected["string_kernel"]
        return
    X, degree = given["X"], given["degree"]
    by_pairs = [[kernels.polynomial(x, z, degree=degree) for z in X] for x in X]
    assert by_pairs == expected["polynomial_gram"]
    assert [[kernels.all_products(x, z) for z in X] for x in X] == expected["all_products_gram"]
    assert Polynomial(degree).gram(X).tolist() == expected["polynomial_gram"]
    assert AllProducts().gram(X).tolist() == expected["all_products_gram"]
    d = len(X[0])
    assert twin.monomials(np.array(X), degree).shape[1] == expected["polynomial_feature_dim"]
    assert comb(d + degree, degree) == expected["polynomial_feature_dim"]
    assert twin.subsets(np.array(X)).shape[1] == expected["all_products_feature_dim"]


@settings(max_examples=40, deadline=None)
@given(matrices(), st.integers(1, 3))
def test_maps_written_out(X: Any, degree: int) -> None:
    wide = twin.monomials(X, degree)
    np.testing.assert_allclose(Polynomial(degree).gram(X), wide @ wide.T, rtol=1e-9, atol=1e-9)
    sets = twin.subsets(X)
    assert (AllProducts().gram(X) == sets @ sets.T).all()  # whole numbers: exactly


@settings(max_examples=40, deadline=None)
@given(TEXTS, st.integers(1, 3))
def test_substrings_written_out(texts: list[str], p: int) -> None:
    words = twin.substrings(texts, "abc", p)
    assert (String(p).gram(texts) == words @ words.T).all()
    assert (String(p).diagonal(texts) == (words**2).sum(axis=1)).all()


@settings(max_examples=40, deadline=None)
@given(matrices(), st.floats(0, 5))
def test_closure_keeps_matrices_positive(X: Any, c: float) -> None:
    K: Kernel = (c * Polynomial(2) + AllProducts()) * Linear() + Polynomial(1)
    G = K.gram(X)
    parts = Polynomial(2).gram(X), AllProducts().gram(X), Linear().gram(X), Polynomial(1).gram(X)
    expected = (c * parts[0] + parts[1]) * parts[2] + parts[3]
    np.testing.assert_allclose(G, expected, rtol=1e-9, atol=1e-9)
    assert (G == G.T).all()
    assert np.linalg.eigvalsh(G).min() >= -1e-9 * max(1.0, np.abs(G).max())
    np.testing.assert_array_equal(np.diag(G), K.diagonal(X))
    np.testing.assert_array_equal(G[:1, -1:], K.gram(X[:1], X[-1:]))


@settings(max_examples=30, deadline=None)
@given(matrices(6))
def test_sparse_rows_and_threads_give_the_same_bits(X: Any) -> None:
    rng = np.random.default_rng(3)
    X = X + rng.normal(size=X.shape) * (X != 0)
    rows = sp.csr_array(X)
    for K in (Linear(), Polynomial(3), AllProducts(), Linear() * AllProducts()):
        G = K.gram(X)
        assert (K.gram(rows) == G).all()
        assert (K.gram(rows, X) == G).all()
        assert (K.gram(X, rows, threads=3) == G).all()
        assert all(K(x, z) == G[i, j] for i, x in enumerate(X) for j, z in enumerate(X))


def test_many_rows_are_compared_in_panels() -> None:
    X = np.random.default_rng(0).normal(size=(1100, 3))
    K = Polynomial(2)
    assert (K.gram(X) == K.gram(X, X)).all()
    np.testing.assert_allclose(K.gram(X), (1 + X @ X.T) ** 2, rtol=1e-12, atol=1e-12)


def test_powers_of_whole_numbers_are_exact() -> None:
    x = np.array([3.0, -7.0, 0.0])
    for k in (1, 2, 3, 5, 13):
        assert power(x, k).tolist() == [3.0**k, (-7.0) ** k, 0.0]


def test_a_function_of_ones_own() -> None:
    overlap = Function(lambda s, t: len(set(s) & set(t)))
    assert overlap.gram(["ab", "bc"]).tolist() == [[2, 1], [1, 2]]
    dot = Function(lambda x, z: float(np.dot(x, z)))
    X = np.array([[1.0, 2.0], [0.0, 3.0]])
    assert (dot.gram(X) == Linear().gram(X)).all()
    assert (dot.gram(sp.csr_array(X)) == Linear().gram(X)).all()
    mixed = dot + Polynomial(2)
    assert mixed.takes == "numbers"
    assert (2.0 * (overlap + String(1))).takes == "texts"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: kernels.string("a", "b", 0), "p=0"),
        (lambda: kernels.string("a", "b", -1), "p=-1"),
        (lambda: kernels.polynomial([1], [1], 0), "degree=0"),
        (lambda: Polynomial(True), "degree=True"),
        (lambda: Polynomial(2.5), "degree=2.5"),  # type: ignore[arg-type]
        (lambda: -1 * Linear(), "factor=-1.0"),
        (lambda: np.inf * Linear(), "factor=inf"),
        (lambda: Linear() + String(2), "kernels of texts"),
        (lambda: Combination(()), "parts"),
        (lambda: kernels.all_products([1, 2], [1]), "2 and of 1"),
        (lambda: Linear().gram([[1.0, np.nan]]), "NaN"),
        (lambda: Linear().gram([1.0, 2.0]), "shape"),
        (lambda: AllProducts().gram(np.full((2, 60), 1e6)), "too large"),
        (lambda: Function(lambda x, z: "no").gram([[1.0]]), "'no'"),
    ],
)
def test_what_is_no_kernel(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_what_is_no_text() -> None:
    with pytest.raises(TypeError, match="example 1 is 3"):
        String(2).gram(["ab", 3])
    with pytest.raises(TypeError):
        Linear() + 1  # type: ignore[operator]
