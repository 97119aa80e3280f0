"""Explanations: they add up to the score, name what the row holds, and print."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from tests.handmade import handmade, table
from weaklearn import AdditiveBoostingClassifier, AdditiveBoostingRegressor, DataWarning
from weaklearn.inspection.explanation import cells_of
from weaklearn.inspection.rule_text import quote
from weaklearn.intake.raw_column import Kind, Raw

CLASSES = ("low", "middle", "high")


@pytest.mark.parametrize("outputs", [(), CLASSES])
def test_base_and_contributions_are_the_score_to_the_last_bit(outputs):
    model, X = handmade(outputs), table(repeat=3)
    why = model.explain(X)
    F = model.decision_function(X)
    assert np.array_equal(why.scores, F)
    assert why.contributions.shape == (18, 6, *(3,) * bool(outputs))
    assert why.outputs == outputs
    assert all(np.array_equal(why.scores_of(row), F[row]) for row in range(len(why)))


def test_values_are_the_rows_own():
    why = handmade().explain(table())
    assert why.names == ("age", "town", "day", "waited", "age x town", "town x day")
    assert why.values[1].tolist() == [
        *("35", "Bergen", "2024-02-01", "01:30:00"),
        *("35, Bergen", "Bergen, 2024-02-01"),
    ]
    assert why.values[3, 1] == why.values[4, 0] == why.values[2, 2] == "missing"


def test_values_that_training_never_saw_are_told_as_they_are():
    X = table().assign(town="Trondheim", day=pd.Timestamp("2031-05-06 07:08"), age=41.25)
    values = handmade().explain(X).values[0]
    assert values[:3].tolist() == ["41.25", "Trondheim", "2031-05-06T07:08:00"]


def test_levels_of_a_plain_array_are_its_numbers():
    from weaklearn.base.rows import Rows
    from weaklearn.engines import Engine
    from weaklearn.intake.schema import Schema

    X = np.array([[70.0, 1.5], [90.0, 2.5], [70.0, np.nan]])
    schema, cells = Schema.learn(X, categorical_features=[0])
    found = cells_of(Rows(schema.read(X), X, Engine(1)), [(0,), (1,)])
    assert [quote(found[0], row) for row in range(3)] == ["70", "90", "70"]
    assert quote(found[1], 2) == "missing"
    assert cells.n_rows == 3


def test_moments_are_told_in_the_zone_of_their_column():
    noon = np.array(["2024-07-01T10:00"], "M8[ns]").view(np.int64)
    raw = Raw("column 'seen'", Kind.DATETIME, noon, unit="ns", tz="Europe/Berlin")
    assert quote(raw, 0) == "2024-07-01T12:00:00+02:00"


def test_a_row_is_a_table_with_the_largest_first():
    model = handmade()
    why = model.explain(table())
    lines = why.table(2)
    sizes = [abs(contribution) for *_, contribution in lines]
    assert sizes == sorted(sizes, reverse=True)
    assert {name for name, *_ in lines} == set(why.names)
    assert f"= {why.scores[2]:.4g}" in lines.note
    assert why.table(-1).rows == why.table(5).rows
    with pytest.raises(ValueError, match=r"row=6 is not allowed.*at most 5"):
        why.table(6)


def test_classes_have_a_column_each():
    why = handmade(CLASSES).explain(table())
    assert why.table(0).columns == ["term", "value", *CLASSES]
    first = [max(map(abs, line[2:])) for line in why.table(0)]
    assert first == sorted(first, reverse=True)
    assert why.order(0, 1)[0] == int(np.argmax(np.abs(why.contributions[0, :, 1])))


def test_it_prints_a_few_rows_and_counts_the_others():
    why = handmade().explain(table())
    text = str(why)
    assert text.count("\nterm ") == 3
    assert text.endswith("... and 3 more rows")
    assert why._repr_html_().count("<table") == 3
    assert "more row" not in str(handmade().explain(table()[:2]))
    assert str(handmade().explain(table()[:0])) == "(no rows)"


def test_frame():
    why = handmade().explain(table())
    frame = why.to_frame()
    assert list(frame.columns) == ["base", *why.names, "score"]
    assert np.array_equal(frame["score"], why.scores)
    assert np.array_equal(frame["town"], why.contributions[:, 1])
    many = handmade(CLASSES).explain(table())
    frame = many.to_frame()
    assert list(frame.columns[:2]) == ["row", "output"]
    assert len(frame) == 18
    middle = frame[frame["output"] == "middle"]
    assert np.array_equal(middle["score"], many.scores[:, 1])
    assert np.array_equal(middle["age"], many.contributions[:, 0, 1])


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(5)
    X = table(repeat=40)
    X["age"] = X["age"] + rng.normal(size=len(X))
    number = X["age"].fillna(0) + 20 * (X["town"] == "Oslo") + rng.normal(size=len(X))
    return X, number.to_numpy()


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_fitted_models_are_explained_to_the_last_bit(fitted, n_classes):
    X, number = fitted
    if n_classes == 0:
        model = AdditiveBoostingRegressor(n_estimators=20).fit(X, number)
        F = model.predict(X)
    else:
        levels = np.quantile(number, np.arange(1, n_classes) / n_classes)
        names = np.array(["a", "b", "c"])[np.digitize(number, levels)]
        model = AdditiveBoostingClassifier(n_estimators=20).fit(X, names)
        F = model.decision_function(X)
    why = model.explain(X)
    assert np.array_equal(why.scores, F)
    assert set(why.names) == set(model.shapes_)
    assert why.scale == {0: "prediction", 2: "log-odds of b", 3: "score"}[n_classes]
    said = f" ({why.scale})" if n_classes < 3 else ""
    assert why.table(0).note.endswith(f"= {np.ravel(F[0])[-1]:.4g}{said}")


def test_a_logarithm_is_called_so(fitted):
    X, number = fitted
    model = AdditiveBoostingRegressor("poisson", n_estimators=5).fit(X, np.abs(number).round())
    assert model.explain(X).scale == "logarithm of the prediction"
    assert np.allclose(np.exp(model.explain(X).scores), model.predict(X))


def test_a_model_without_terms_is_its_base():
    X = np.arange(6.0).reshape(3, 2)
    with pytest.warns(DataWarning, match="one class only"):
        model = AdditiveBoostingClassifier().fit(X, ["a", "a", "a"])
    why = model.explain(X)
    assert np.array_equal(why.scores, model.decision_function(X))
    assert "(no rows)" in str(why.table(0))
    assert why.to_frame().shape == (3, 2)


def test_sparse_rows_have_values_too():
    sp = pytest.importorskip("scipy.sparse")
    X = np.round(np.random.default_rng(0).normal(size=(80, 2)))
    model = AdditiveBoostingRegressor(n_estimators=5).fit(X, X[:, 0])
    why = model.explain(sp.csr_array(X))
    assert np.array_equal(why.scores, model.predict(X))
    assert why.value(0, 0) == f"{X[0, 0]:.0f}"


def test_the_table_of_one_class_alone():
    why = handmade(CLASSES).explain(table())
    told = why.table(1, output="middle")
    assert told.columns == ["term", "value", "middle"]
    sizes = [abs(row[-1]) for row in told]
    assert sizes == sorted(sizes, reverse=True)
    assert told.note.startswith("middle: base ")
    assert ";" not in told.note
    with pytest.raises(ValueError, match="output='best' is not"):
        why.table(output="best")
    with pytest.raises(ValueError, match="one score only"):
        handmade().explain(table()).table(output="middle")


@pytest.mark.parametrize("quantile", [0.5, [0.2, 0.8]])
def test_an_offset_is_part_of_the_score(quantile):
    X = np.arange(60.0).reshape(30, 2) % 7
    known = np.linspace(-3, 3, 30)
    model = AdditiveBoostingRegressor("quantile", quantile=quantile, n_estimators=5, n_bags=2)
    model.fit(X, X[:, 0] + known, offset=known)
    why = model.explain(X, offset=known)
    F = model._scores(X, known)
    assert np.array_equal(why.scores.reshape(F.shape), F)
    assert np.array_equal(np.atleast_1d(why.scores_of(3)), F[3])
    assert "+ offset -3 + contributions" in why.table(0).note
    frame = why.to_frame()
    parts = frame.drop(columns=["score", "row", "output"], errors="ignore").sum(axis=1)
    assert np.allclose(parts, frame["score"])
    assert np.array_equal(frame["offset"], np.repeat(known, F.shape[1]))
    with pytest.raises(ValueError, match="pass one number a row"):
        model.explain(X, offset=known[1:])
