"""The flavour of MLflow, tried with MLflow itself: saved, logged, loaded, asked by pyfunc."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mlflow
import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
import weaklearn.mlflow as flavour
from weaklearn.files import ModelFileError


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"age": rng.normal(50, 9, 80), "town": rng.choice(list("abc"), 80)})
    return X, np.where((X["age"] > 50) ^ (X["town"] == "a"), "yes", "no")


@pytest.fixture(scope="module")
def model(table: tuple[pd.DataFrame, np.ndarray]) -> Any:
    return wl.AdaBoostClassifier(n_estimators=5).fit(*table)


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory, model: Any, table: Any) -> Path:
    path = tmp_path_factory.mktemp("mlflow") / "model"
    flavour.save_model(
        model, path, signature=flavour.signature(model, table[0]), input_example=table[0].head(2)
    )
    return path


def test_a_model_comes_back_as_it_was(saved: Path, model: Any) -> None:
    assert flavour.load_model(str(saved)).fingerprint() == model.fingerprint()
    known = mlflow.models.get_model_info(str(saved)).flavors
    assert known["weaklearn"]["fingerprint"] == model.fingerprint()
    assert known["weaklearn"]["estimator"] == "AdaBoostClassifier"
    assert set(known) == {"weaklearn", "python_function"}
    assert not [path for path in saved.rglob("*") if path.suffix in (".pkl", ".pickle", ".joblib")]
    needed = (saved / "requirements.txt").read_text().split()
    assert f"weaklearn=={wl.__version__}" in needed


def test_pyfunc_answers_as_the_model_does(saved: Path, model: Any, table: Any) -> None:
    X, _ = table
    loaded = mlflow.pyfunc.load_model(str(saved))
    assert np.array_equal(loaded.predict(X), model.predict(X))
    for method in ("predict", "predict_proba", "decision_function"):
        found = loaded.predict(X, params={"method": method})
        assert np.array_equal(found, getattr(model, method)(X))
    with pytest.raises(ValueError, match=r"method='save' is not allowed: AdaBoostClassifier has"):
        loaded.predict(X, params={"method": "save"})


def test_the_signature_holds_columns_and_is_enforced(saved: Path, table: Any) -> None:
    X, _ = table
    info = mlflow.models.get_model_info(str(saved))
    assert info.signature.inputs.input_names() == ["age", "town"]
    assert info.signature.params.to_dict()[0]["default"] == "predict"
    with pytest.raises(mlflow.MlflowException, match="town"):
        mlflow.pyfunc.load_model(str(saved)).predict(X[["age"]])


def test_a_model_is_logged_to_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: Any, table: Any
) -> None:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.chdir(tmp_path)
    before = mlflow.get_tracking_uri()
    mlflow.set_tracking_uri((tmp_path / "runs").as_uri())
    try:
        with mlflow.start_run():
            info = flavour.log_model(model, "boosted", signature=flavour.signature(model, table[0]))
        assert flavour.load_model(info.model_uri).fingerprint() == model.fingerprint()
        loaded = mlflow.pyfunc.load_model(info.model_uri)
        assert np.array_equal(loaded.predict(table[0]), model.predict(table[0]))
    finally:
        mlflow.set_tracking_uri(before)


def test_a_regressor_of_numbers(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = wl.GradientBoostingRegressor(n_estimators=3).fit(X, X[:, 0])
    flavour.save_model(model, tmp_path / "m", signature=flavour.signature(model, X))
    loaded = mlflow.pyfunc.load_model(str(tmp_path / "m"))
    assert np.array_equal(loaded.predict(X), model.predict(X))
    with pytest.raises(ValueError, match="GradientBoostingRegressor has predict"):
        loaded.predict(X, params={"method": "predict_proba"})


def test_what_no_file_can_hold_is_refused(tmp_path: Path, table: Any) -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = wl.AdaBoostClassifier(DecisionTreeClassifier(), n_estimators=2).fit(X, X[:, 0] > 0)
    with pytest.raises(ModelFileError):
        flavour.save_model(model, tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_model_of_another_flavour_is_refused(tmp_path: Path) -> None:
    other = mlflow.models.Model()
    other.add_flavor("python_function", loader_module="x")
    (tmp_path / "m").mkdir()
    other.save(str(tmp_path / "m" / "MLmodel"))
    with pytest.raises(ValueError, match="no flavour 'weaklearn'; it has python_function"):
        flavour.load_model(str(tmp_path / "m"))
