"""Columns of names: found, made constant, and told of once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn import DataWarning
from weaklearn.engines import Engine
from weaklearn.engines.collective import ALONE
from weaklearn.intake.id_columns import set_aside, unsplittable
from weaklearn.intake.prepare import Reading, prepare
from weaklearn.intake.schema import Schema

pd = pytest.importorskip("pandas")


def people(n: int = 60) -> Any:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "name": [f"person {i}" for i in range(n)],
            "town": rng.choice(["Bath", "Ely", "Wells"], n),
            "height": rng.normal(size=n),
            "number": np.arange(n),  # distinct, but ordered: not a text
        }
    )


def found(X: Any, **given: Any) -> list[int]:
    schema, cells = Schema.learn(X, rare=5)
    return unsplittable(schema, cells, given.get("repeats"), ALONE)


def test_texts_that_hardly_ever_repeat() -> None:
    X = people()
    assert found(X) == [0]
    X.loc[:2, "name"] = "person 59"  # 57 values in 60 rows
    assert found(X) == [0]
    X.loc[:29, "name"] = "person 59"  # 30 values
    assert found(X) == []


def test_few_rows_and_missing_values() -> None:
    assert found(people(19)) == []  # too few to tell
    X = people()
    X.loc[:44, "name"] = None  # 15 known
    assert found(X) == []
    X = people(100)
    X.loc[:44, "name"] = None
    assert found(X) == [0]


def test_copies_are_counted() -> None:
    X = people()
    assert found(X, repeats=np.full(60, 2)) == found(pd.concat([X, X])) == []
    assert found(X, repeats=np.ones(60, np.int64)) == [0]


def test_numbers_called_categories_are_the_users_own_will() -> None:
    schema, cells = Schema.learn(people(), categorical_features=["number"], rare=5)
    assert unsplittable(schema, cells, None, ALONE) == [0]


def test_a_column_set_aside_is_constant_and_reads_anything() -> None:
    X = people()
    X.loc[5, "name"] = None
    schema, cells = Schema.learn(X, rare=5)
    with pytest.warns(DataWarning, match="hardly ever repeat.*column 'name'; drop them") as caught:
        schema, cells = set_aside(schema, cells, None, ALONE, tell=True)
    assert len(caught) == 1
    assert cells.columns[0].tolist() == [0] * 60
    assert cells.n_categories[0] == 1
    new = people(3)
    new["name"] = ["person 7", "somebody else", None]
    assert schema.read(new).columns[0].tolist() == [0, 0, -1]


def test_preparing_the_same_rows_again_sets_the_same_aside(recwarn: Any) -> None:
    X, y = people(), np.arange(60) % 2
    X.loc[5, "name"] = None
    engine = Engine()
    reading = Reading(names_aside=True, rare=5)
    first = prepare(X, y, None, engine=engine, name="test", reading=reading)
    assert len(recwarn) == 1
    known = (first.schema, first.classes)
    again = prepare(X, y, None, engine=engine, name="test", reading=reading, known=known)
    assert len(recwarn) == 1
    for ready in (first, again):
        assert ready.sample.coded.describe(0)["n_codes"] == 1
        assert not ready.sample.coded.describe(0)["has_missing"]
    hashes = [engine.rows.row_hashes(ready.sample.coded).tolist() for ready in (first, again)]
    assert hashes[0] == hashes[1]


def test_many_are_told_of_in_one_sentence() -> None:
    X = pd.concat([people().add_prefix(f"{k} ") for k in range(7)], axis=1)
    schema, cells = Schema.learn(X, rare=5)
    with pytest.warns(DataWarning, match=r"7 column\(s\) of texts.*'0 name', .*, \.\.\.;"):
        set_aside(schema, cells, None, ALONE, tell=True)


def test_nothing_to_set_aside_changes_nothing() -> None:
    schema, cells = Schema.learn(people()[["town", "height"]], rare=5)
    assert set_aside(schema, cells, None, ALONE, tell=True) == (schema, cells)
