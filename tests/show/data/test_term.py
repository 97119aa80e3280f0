"""Terms of additive models: averages over rows, categories, and axes exchanged."""

from __future__ import annotations

import numpy as np
import pytest

import weaklearn as wl
from tests.mixed_table import mixed_table
from weaklearn.show.data.term import Term, categorical, ordered, score_scale


def pair() -> Term:
    axes = (categorical("town", ("a", "b", "c"), False), ordered("age", np.array([30.0])))
    values = np.arange(12.0).reshape(4, 3)[..., None] - 5
    counts = np.array([[1, 2, 0], [0, 4, 0], [5, 1, 0], [0, 0, 0]], float)
    return Term("town x age", axes, values, values, values, counts, ())


def test_strength_is_the_mean_size_over_the_rows() -> None:
    term = pair()
    rows = np.repeat(np.abs(term.values[..., 0]).ravel(), term.counts.astype(int).ravel())
    assert term.strengths() == pytest.approx([rows.mean()])


def test_axes_are_exchanged_and_exchanged_back() -> None:
    term = pair()
    turned = term.transposed()
    assert [axis.name for axis in turned.axes] == ["age", "town"]
    assert np.array_equal(turned.values[1, 2], term.values[2, 1])
    assert np.array_equal(turned.transposed().values, term.values)
    assert turned.strengths() == pytest.approx(term.strengths())


def test_the_most_influential_categories_are_kept() -> None:
    term, left = pair().top_categories(0, 1)
    assert (term.axes[0].categories, left) == (("a",), 2)  # 1 * 5 + 2 * 4 beside 4 and 5 + 2
    assert term.values.shape == (2, 3, 1)  # its cell, and that of missing values
    assert pair().top_categories(0, 2)[1] == 0  # "and 1 more" takes as much room


def test_a_centred_term_adds_nothing_on_average() -> None:
    X, two, _, _ = mixed_table()
    model = wl.AdaBoostClassifier(n_estimators=8).fit(X, two)
    for shape in model.shapes(X).values():
        term = Term.from_shape(shape, {}).centred()
        assert term.counts @ term.values == pytest.approx(0.0, abs=1e-9)
    assert "yes" in score_scale(model)


def test_large_numbers_of_a_narrow_span_are_counted_from_a_round_one() -> None:
    axis = ordered("a $ column", np.array([2**60 + 5.0]), np.array([2**60, 2**60 + 900]))
    assert axis.origin % 1000 == 0
    assert axis.name == f"a $ column − {axis.origin}"
