"""A column without a value in training has no kind, in files and in the runtime neither."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import weaklearn
from tests.files.forge import loaded
from weaklearn import AdaBoostClassifier
from weaklearn.base.messages.warnings import DataWarning
from weaklearn.intake.column_schema import ColumnSchema
from weaklearn.intake.raw_column import Kind
from weaklearn.persistence.model_bytes import sealed
from weaklearn.runtime import load
from weaklearn.uncertainty.test_error import judged_rows


@pytest.mark.parametrize(
    "made",
    [
        weaklearn.AdaBoostClassifier,
        weaklearn.BaggingClassifier,
        weaklearn.GradientBoostingClassifier,
        weaklearn.RandomForestClassifier,
    ],
)
def test_a_column_without_a_value_in_training_has_no_kind_in_files_either(
    made: Any, tmp_path: Path
) -> None:
    y = np.arange(40) % 2
    X = pd.DataFrame({"a": np.sin(np.arange(40.0)) + y, "b": [np.nan] * 40})
    with pytest.warns(DataWarning, match="missing values only"):
        model = made(n_estimators=5).fit(X, y)
    path = tmp_path / "m.weak"
    model.save(path)
    wanted = model.predict_proba(X)
    for values in (["Y"] * 40, [2.5] * 40, pd.to_datetime(["2020-01-01"] * 40)):
        rows = X.assign(b=values)
        asked = {"a": rows["a"].tolist(), "b": rows["b"].tolist()}
        for one, given in ((model, rows), (weaklearn.load(path), rows), (load(path), asked)):
            with pytest.warns(DataWarning, match="held nothing in training") as told:
                assert (one.predict_proba(given) == wanted).all()
            assert len(told) == 1
    assert model.predictor()([0.5, 9.0]) == model.predictor()([0.5, np.nan])


@pytest.mark.parametrize("form", ["csr_array", "csc_array", "coo_matrix"])
def test_a_column_without_a_value_in_training_is_blanked_in_sparse_rows_too(form: str) -> None:
    y = np.arange(60) % 2
    a = np.sin(np.arange(60.0)) + 1.4 * y
    nothing = np.full(60, np.nan)
    X = np.stack([nothing, a, np.cos(np.arange(60.0)), nothing], axis=1)
    sparse = getattr(sp, form)
    for trained in (X[:40], sparse(X[:40])):
        with pytest.warns(DataWarning, match="missing values only"):
            model = AdaBoostClassifier(n_estimators=5).fit(trained, y[:40])
        X_new = X.copy()
        X_new[:, 0], X_new[30:, 3] = 0.0, 7.0
        for rows in (X_new, sparse(X_new)):
            told = r"holds 0.0, but .*and 1 more such columns.*count as missing"
            with pytest.warns(DataWarning, match=told) as warned:
                assert (model.predict_proba(rows) == model.predict_proba(X)).all()
            assert len(warned) == 1
            with pytest.warns(DataWarning, match="held nothing in training"):
                found = judged_rows(model, rows, y)
            assert found.seen == 40
        model.set_params(unseen="error")
        with pytest.raises(ValueError, match="held nothing in training; leave it empty"):
            model.predict(sparse(X_new))


def test_files_of_before_tell_of_columns_without_a_value() -> None:
    y = np.arange(20) % 2
    with pytest.warns(DataWarning, match="missing values only"):
        model = AdaBoostClassifier(n_estimators=2).fit(
            np.stack([np.full(20, np.nan), np.arange(20.0)], axis=1), y
        )
    nothing = np.array([], np.int64)
    for column in (
        ColumnSchema(None, Kind.CATEGORY),
        ColumnSchema(None, Kind.DATETIME, marks=nothing, unit="ns"),
        ColumnSchema(None, Kind.WIDE, marks=nothing),
    ):
        model._schema = replace(model._schema, special={0: column}, empty=frozenset())
        again = loaded(sealed(model))
        assert again._schema.empty == {0}
        assert not again._schema.special


MISSING = [partial(np.full, (20, 1), np.nan), partial(pd.DataFrame, {"a": [None] * 20})]


@pytest.mark.parametrize("made", MISSING, ids=["array", "frame"])
def test_a_lone_column_of_categories_that_are_all_missing(made: Any) -> None:
    X, y = made(), np.arange(20) % 3 // 2
    for name in ("AlphaBoost", "BoostByMajority", "GammaMajority", "MajorityOfThree"):
        learner = weaklearn.DecisionStumpClassifier(categorical_features=[0])
        model = getattr(weaklearn, f"{name}Classifier")(estimator=learner)
        with pytest.warns(DataWarning, match="missing values only"):
            model.fit(X, y)
        assert (loaded(sealed(model)).predict(X) == 0).all()
