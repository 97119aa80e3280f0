"""``columns="by_name"``: X to predict for may have other columns, and in any order."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.datasets import read_table

MODELS = {
    "stumps": wl.AdaBoostClassifier(n_estimators=4),
    "third-party learner": wl.AdaBoostClassifier(DecisionTreeClassifier(), n_estimators=3),
    "gradient boosting": wl.GradientBoostingClassifier(n_estimators=4),
    "glass box": wl.AdditiveBoostingClassifier(n_estimators=4, n_pairs=0),
    "forest": wl.RandomForestClassifier(4),
    "bag": wl.BaggingClassifier(n_estimators=4),
    "tree": wl.DecisionTreeClassifier(),
    "stump": wl.DecisionStumpClassifier(),
    "rule": wl.RuleClassifier(),
    "ID3": wl.ID3Classifier(),
    "blend": wl.StrongClassifier(parts=["forest"]),
}


def table(n: int = 60) -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    numbers = np.random.default_rng(5).integers(0, 9, (n, 3)).astype(float)
    return pd.DataFrame(numbers, columns=["a", "b", "c"]), (numbers[:, 1] > 4).astype(int)


@pytest.mark.parametrize("name", MODELS)
def test_other_columns_in_any_order(name: str) -> None:
    X, y = table()
    model = MODELS[name].set_params(columns="by_name").fit(X, y)
    wanted = model.predict(X)
    shuffled = X.assign(z=["x"] * len(X), y=[[1]] * len(X))[["z", "c", "a", "y", "b"]]
    assert (model.predict(shuffled) == wanted).all()
    with pytest.raises(ValueError, match=r"X lacks the column 'b'; columns='by_name' needs every"):
        model.predict(X[["c", "a"]])
    with pytest.raises(ValueError, match="same order"):
        model.set_params(columns="strict").predict(X[["c", "a", "b"]])


@pytest.mark.parametrize("name", MODELS)
def test_every_method_that_reads_rows(name: str) -> None:
    X, y = table(200)
    model = MODELS[name].set_params(columns="by_name").fit(X, y)
    new, truth = table(150)
    new, truth = new + 0.5, truth[::-1]
    turned = new.assign(z="x")[["z", "c", "a", "b"]]
    asked: dict[str, Any] = {
        "check": lambda X: model.check(X).to_dict(),
        "score": lambda X: model.score(X, truth),
        "certify": lambda X: str(model.certify(X_test=X, y_test=truth)),
        "conformalize": lambda X: str(model.conformalize(X, truth).conformal_certificate(0.5)),
        "predict_set": lambda X: str(model.predict_set(X, 0.5)),
        "tune_threshold": lambda X: model.tune_threshold(X, truth, seen="keep"),
        "explain": lambda X: model.explain(X).contributions.tolist(),
        "apply": lambda X: model.apply(X).tolist(),
        "margins": lambda X: str(model.margins(X, truth)),
        "staged_predict": lambda X: [each.tolist() for each in model.staged_predict(X)],
    }
    if name == "third-party learner":
        del asked["explain"]
    for method, ask in asked.items():
        if hasattr(model, method):
            assert ask(turned) == ask(new), method


def test_further_rows_to_learn_from() -> None:
    X, y = table()
    model = wl.GradientBoostingRegressor(n_estimators=3, columns="by_name").fit(X, y)
    turned, other = X.assign(z="x")[["z", "c", "a", "b"]], copy.deepcopy(model)
    assert (model.refit(turned, -y).predict(X) == other.refit(X, -y).predict(X)).all()
    more = [m.update(Z, y, n_estimators=2) for m, Z in ((model, turned), (other, X))]
    assert (more[0].predict(X) == more[1].predict(X)).all()


def test_every_container(tmp_path: Any) -> None:
    X, y = table()
    model = wl.GradientBoostingClassifier(n_estimators=5, columns="by_name").fit(X, y)
    wanted, other = model.predict_proba(X), X[["c", "b", "a"]].assign(d=1)
    other.to_csv(tmp_path / "rows.csv", index=False)
    frames = [other, pl.from_pandas(other), pa.Table.from_pandas(other)]
    for frame in [*frames, read_table(tmp_path / "rows.csv")]:
        assert (model.predict_proba(frame) == wanted).all()
    with pytest.warns(match="valid feature names"):  # an array has no names: by position, as ever
        assert (model.predict_proba(X.to_numpy()) == wanted).all()


def test_the_default_leaves_files_and_fingerprints_as_they_were(tmp_path: Any) -> None:
    X, y = table()
    strict = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    named = wl.AdaBoostClassifier(n_estimators=3, columns="by_name").fit(X, y)
    named.save(tmp_path / "model.weak")
    again = wl.load(tmp_path / "model.weak")
    assert (again.predict(X[["c", "b", "a"]]) == strict.predict(X)).all()


def test_texts_beside_other_columns() -> None:
    X, y = table()
    X["words"] = np.where(y == 1, "big number", "small number")
    model = wl.text.BoosTexterClassifier(n_estimators=3, columns="by_name").fit(X, y)
    turned = X.assign(more=1)[["words", "more", "b", "c", "a"]]
    assert (model.predict(turned) == model.predict(X)).all()


def test_an_unknown_way_is_refused() -> None:
    X, y = table()
    with pytest.raises(ValueError, match="columns='name' is not allowed: it must be one of"):
        wl.AdaBoostClassifier(columns="name").fit(X, y)


def test_rows_learnt_from_later_and_rows_to_judge_by() -> None:
    X, y = table()
    turned = X.assign(z=1)[["z", "c", "b", "a"]]
    model = wl.GradientBoostingClassifier(n_estimators=4, columns="by_name", warm_start=True)

    def life(other: pd.DataFrame) -> str:
        model.__dict__.pop("ensemble_", None)
        model.set_params(n_estimators=4).fit(X, y, X_val={"a": other}, y_val={"a": y})
        model.set_params(n_estimators=6).fit(other, y)
        model.update(other, y, n_estimators=2).refit(other, y)
        return str(model.fingerprint())

    assert life(turned) == life(X)
    with pytest.raises(ValueError, match="same order"):
        model.set_params(columns="strict").refit(X[["c", "a", "b"]], y)


@pytest.mark.parametrize("name", ["stumps", "third-party learner", "forest", "bag"])
def test_a_warm_start_finds_its_columns(name: str) -> None:
    X, y = table()
    model = clone(MODELS[name]).set_params(columns="by_name", warm_start=True, n_estimators=3)
    model.fit(X, y)
    model.set_params(n_estimators=5).fit(X[["c", "b", "a"]].assign(z=1), y)
    straight = clone(MODELS[name]).set_params(n_estimators=5).fit(X, y)
    assert (model.predict(X) == straight.predict(X)).all()


def test_rows_to_judge_boosting_by() -> None:
    X, y = table()
    model = wl.AdaBoostClassifier(n_estimators=4, columns="by_name")
    plain = model.fit(X, y, X_val=X, y_val=y).history_
    turned = model.fit(X, y, X_val=X[["c", "b", "a"]], y_val=y).history_
    assert list(turned["validation_score"]) == list(plain["validation_score"])
