"""The functions of an additive model in the user's words."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from tests.glass import HOSTILE, LEVELS, assembled, model, table
from weaklearn.base.trees.term import Axis
from weaklearn.estimators.gradient.additive import AdditiveBoostingRegressor


def test_shapes_come_strongest_first_and_say_what_the_terms_say() -> None:
    made = model("two")
    shapes = made.shapes_
    importances = [shape.importance for shape in shapes.values()]
    assert importances == sorted(importances, reverse=True)
    assert len(shapes) == len(made.ensemble_.terms)
    for term in made.ensemble_.terms:
        names = tuple(made._schema.names[j] for j in term.features)
        shape = shapes[names]
        assert shape.features == names
        assert np.array_equal(shape.values, term.values[..., 0])
        assert np.array_equal(shape.counts, term.counts)
        assert shape.counts.shape == tuple(len(grid) for grid in shape.grids)


def test_a_pair_is_found_in_either_order_by_name_and_number() -> None:
    shapes = model("two").shapes_
    shape = shapes["age x sex"]
    assert shape is shapes["age", "sex"] is shapes["sex", "age"] is shapes["sex x age"]
    assert shape is shapes[0, 1] is shapes["sex", 0]
    assert shapes["age"] is shapes[0]
    assert shape.grid == shape.grids
    assert "age" in shapes
    assert "rage" not in shapes
    with pytest.raises(KeyError, match="Did you mean 'age'"):
        shapes["agee"]
    with pytest.raises(KeyError, match="no pair of this model; its pairs are 'age x sex', "):
        shapes["age", "age"]


def test_a_column_without_a_function_is_told_from_one_that_is_not_there() -> None:
    axis = Axis(0, np.array([1.0]))
    X = pd.DataFrame({"a": [0.0, 2.0], "b": [0.0, 2.0]})
    named, plain = (assembled(x, [axis], [[0.0, 1.0, 2.0]]) for x in (X, X.to_numpy()))
    for made, term in [(named, "b"), (named, 1), (plain, 1), (plain, "x[1]")]:
        with pytest.raises(KeyError, match="is a column that this model does not use by itself"):
            made.shapes_[term]
    for made, term in [(named, "c"), (named, 2), (plain, -1), (plain, "x[2]"), (named, "x[1]")]:
        with pytest.raises(KeyError, match="is no term of this model"):
            made.shapes_[term]
    with pytest.raises(KeyError, match="it has no pairs"):
        named.shapes_["a", "b"]


def test_bands_of_which_nothing_is_known_are_blank() -> None:
    axis = Axis(0, np.array([1.0, 2.0]))
    X = pd.DataFrame({"a": [0.0, 3.0]})
    made = assembled(X, [axis], [[0.0, 1.0, 2.0, 3.0]], [4, 0, 1, 0])
    frame = made.shapes_["a"].to_frame()
    assert frame["low"].isna().tolist() == frame["high"].isna().tolist() == [False, True] * 2
    assert frame["value"].tolist() == [0.0, 1.0, 2.0, 3.0]
    rows = pd.DataFrame({"a": np.arange(80.0)})
    single = AdditiveBoostingRegressor(n_bags=1, n_estimators=5).fit(rows, rows["a"])
    single.edit("a", high=0.1)
    assert single.shapes_["a"].to_frame()[["low", "high"]].isna().all(axis=None)


def test_grids_are_in_the_columns_own_values() -> None:
    shapes = model("two").shapes_
    X = table()
    age = shapes["age"].grid
    assert age.edges.dtype == np.float64
    assert age.ends.tolist() == [17.0, 89.0]
    assert age.missing
    assert not shapes["ratio"].grid.missing
    when = shapes["when"].grid
    assert when.edges.dtype == np.dtype("M8[ns]")
    assert when.ends.tolist() == np.array([X["when"].min(), X["when"].max()], "M8[ns]").tolist()
    assert when.missing
    assert shapes["took"].grid.edges.dtype == np.dtype("m8[ns]")
    assert all(2**60 < edge < 2**60 + 40 for edge in shapes["wide"].grid.edges)
    assert shapes["grade"].grid.categories == (1, 2, 3, 4)
    assert shapes["sex"].grid.categories == ("f", "m", "other (4 rare values)")
    assert set(shapes[HOSTILE].grid.categories) == set(LEVELS)
    for name in ("age", "when", "took", "wide", "ratio"):
        assert (shapes[name].grid.edges[1:] > shapes[name].grid.edges[:-1]).all()
        assert len(shapes[name].grid) == len(shapes[name].grid.edges) + 2


def test_every_value_lies_in_the_cell_that_the_grid_names() -> None:
    made = model("two")
    X = table()
    for name in ("age", "ratio", "when", "took"):
        grid, shape = made.shapes_[name].grid, made.shapes_[name]
        known = X[name].dropna().to_numpy()
        cells = np.searchsorted(grid.edges, known)  # edges[i-1] < x <= edges[i]
        counts = np.bincount(cells, minlength=len(grid) - 1)
        assert counts.tolist() == shape.counts[:-1].tolist()


def test_several_scores_have_a_column_each() -> None:
    shape = model("three").shapes_["age"]
    assert shape.outputs == ("0", "1", "2")
    assert shape.values.shape == (*shape.counts.shape, 3)
    frame = shape.to_frame()
    assert list(frame.columns) == ["cell", "output", "value", "low", "high", "count"]
    assert len(frame) == 3 * len(shape.counts)


def test_tables_and_pages_are_readable_and_safe() -> None:
    shapes = model("two").shapes_
    assert "importance" in str(shapes).splitlines()[0]
    assert "sex = f" in str(shapes["sex"])
    assert "other (4 rare values)" in str(shapes["sex"])
    text, page = str(shapes[HOSTILE]), shapes[HOSTILE]._repr_html_()
    assert "line\\nbreak" in text
    assert "<script" not in page
    assert list(shapes["age", "sex"].to_frame().columns)[:2] == ["age", "sex"]
    assert next(iter(shapes.to_frame()["term"])) == next(iter(shapes))


def test_cells_are_told_apart_where_few_digits_would_not() -> None:
    close = np.array([1.0, 1.0 + 1e-12, 2e6])
    made = assembled(pd.DataFrame({"a": [1.0, 2.0]}), [Axis(0, close)], [[0, 1, 2, 3, 4]])
    cells = made.shapes_["a"].grid.cells
    assert len(set(cells)) == 5
    made = assembled(pd.DataFrame({"a": [1.0, 2.0]}), [Axis(0, np.array([0.1 + 0.2]))], [[0, 1, 2]])
    assert made.shapes_["a"].grid.cells == ("a <= 0.3", "a > 0.3", "a is missing")
    made = assembled(pd.DataFrame({"a": [1.0, 2.0]}), [Axis(0, np.array([]))], [[0, 1]])
    assert made.shapes_["a"].grid.cells == ("a is known", "a is missing")


def test_a_column_named_like_a_pair_keeps_its_name() -> None:
    X = pd.DataFrame({"a": [0.0, 1.0], "b": [0.0, 1.0], "a x b": [0.0, 1.0]})
    half = np.array([0.5])
    made = assembled(X, [Axis(2, half)], [[1, 2, 3]])
    pair = assembled(X, [Axis(0, half)], [[1, 2, 3]]).ensemble_.terms[0]
    both = np.zeros((3, 3, 1))
    crossed = type(pair)((Axis(0, half), Axis(1, half)), both, both, both, np.ones((3, 3)))
    made.ensemble_ = made.ensemble_.with_terms([*made.ensemble_.terms, crossed])
    assert set(made.shapes_) == {"a x b", "a x b (pair)"}
    assert made.shapes_["a x b"].features == ("a x b",)
    assert made.shapes_["b", "a"].features == ("a", "b")


def test_shapes_of_nothing() -> None:
    with pytest.raises(NotFittedError):
        AdditiveBoostingRegressor().shapes_  # noqa: B018
    assert not hasattr(AdditiveBoostingRegressor(), "shapes_")
    assert len(model("one").shapes_) == 0
    with pytest.raises(KeyError, match="no terms"):
        model("one").shapes_["age"]
