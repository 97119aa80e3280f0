"""The blend: what it is made of, that it is one sum, and that time and order change no bit."""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn
from tests.trials import with_small_blends
from weaklearn import BoostingWarning, StrongClassifier, StrongRegressor, runtime

FAST = ["forest", "glass_box", "stumps"]


@pytest.fixture(autouse=True)
def small_blends(monkeypatch: pytest.MonkeyPatch) -> None:
    with_small_blends(monkeypatch)


def table(n: int = 150, K: int = 2, seed: int = 0) -> tuple[Any, Any]:
    """Numbers with gaps beside categories, and labels that depend on both."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.normal(size=(n, 3)), columns=["a", "b", "c"])
    X["kind"] = pd.Categorical(rng.choice(list("uvw"), size=n))
    score = X["a"] + (X["kind"] == "u") * X["b"] + rng.normal(scale=0.5, size=n)
    y = np.digitize(score, np.quantile(score, np.arange(1, K) / K))
    X.loc[rng.uniform(size=n) < 0.1, "a"] = np.nan
    return X, np.array(["no", "yes", "never"])[y]


def numbers(n: int = 150) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, 4))
    return X, X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(scale=0.2, size=n)


def case(name: str) -> tuple[Any, Any, Any]:
    """A model and its rows."""
    if name == "numbers":
        return StrongRegressor(parts=FAST[:2]), *numbers()
    return StrongClassifier(parts=FAST), *table(K=3 if name == "three" else 2)


@cache
def fitted(name: str) -> tuple[Any, Any]:
    """A fitted model, which tests only ask, and its rows."""
    model, X, y = case(name)
    return model.fit(X, y), X


CASES = ["two", "three", "numbers"]


def scores(model: Any, X: Any) -> Any:
    classes = isinstance(model, StrongClassifier)
    return model.decision_function(X) if classes else model.predict(X)


@pytest.mark.parametrize("name", CASES)
def test_the_blend_is_the_sum_of_what_its_models_answer(name: str) -> None:
    model, X = fitted(name)
    F = np.tile(model.intercept_, (len(X), 1))
    for part, factor in zip(model.estimators_, model.factors_, strict=True):
        if isinstance(model, StrongRegressor):
            own = part.predict(X)
        elif isinstance(part, weaklearn.RandomForestClassifier):
            own = part.predict_proba(X)
            own = own[:, 1] if len(model.classes_) == 2 else own
        else:
            own = part.decision_function(X)
        F += factor * own.reshape(len(X), -1)
    assert np.allclose(F.reshape(scores(model, X).shape), scores(model, X), rtol=1e-12)
    assert model.parts_.names == tuple(model.parts)
    assert sum(model.parts_.weights) == pytest.approx(1.0)
    assert len(model.estimators_) == sum(weight > 0 for weight in model.parts_.weights)


@pytest.mark.parametrize("name", CASES)
def test_explanations_and_exports_say_what_the_blend_says(name: str) -> None:
    model, X = fitted(name)
    assert np.allclose(model.explain(X).scores, scores(model, X), rtol=1e-9, atol=1e-9)
    names: dict[str, Any] = {}
    exec(model.to_python(), names)
    rows = X.head(20).to_dict("records") if isinstance(X, pd.DataFrame) else X[:20].tolist()
    wanted = model.predict(X[:20])
    found = [names["predict"](row) for row in rows]
    if isinstance(model, StrongRegressor):
        assert np.allclose(found, wanted, rtol=1e-12)
    else:
        assert found == wanted.tolist()


@pytest.mark.parametrize("name", CASES)
def test_files_keep_the_blend_for_the_library_and_the_runtime(name: str, tmp_path: Path) -> None:
    model, X = fitted(name)
    model.save(tmp_path / "model.weak")
    loaded = weaklearn.load(tmp_path / "model.weak")
    small: Any = runtime.load(tmp_path / "model.weak")
    method = "predict" if isinstance(model, StrongRegressor) else "predict_proba"
    wanted = getattr(model, method)(X)
    assert getattr(loaded, method)(X).tobytes() == wanted.tobytes()
    columns = X.to_dict("list") if isinstance(X, pd.DataFrame) else X
    assert getattr(small, method)(columns).tobytes() == wanted.tobytes()
    assert str(loaded.parts_) == str(model.parts_)
    assert loaded.fingerprint() == model.fingerprint()


@pytest.mark.parametrize("name", CASES)
def test_order_copies_and_threads_change_no_bit(name: str) -> None:
    model, X, y = case(name)
    counts = np.arange(len(y)) % 3
    weighed = model.fit(X, y, counts).fingerprint()
    order = np.random.default_rng(0).permutation(np.repeat(np.arange(len(y)), counts))
    X = X.iloc[order] if isinstance(X, pd.DataFrame) else X[order]
    assert model.set_params(n_jobs=2).fit(X, y[order]).fingerprint() == weighed


def test_the_usual_parts_are_played_and_gain_over_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.undo()  # with all their rounds
    X, y = table(300)
    model = StrongClassifier().fit(X, y)
    assert model.parts_[0] == "gradient"
    assert "stumps" in model.parts_
    assert {"GradientBoostingClassifier", "RandomForestClassifier"} <= set(model.parts_.kinds)
    assert "gradient_large" in str(model.parts_)
    assert "glass_box" in model._repr_html_()
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    new, truth = table(600, seed=1)
    proba = model.predict_proba(new)[np.arange(600), (truth == "yes").astype(int)]
    first = StrongClassifier(parts=["gradient"]).fit(X, y).predict_proba(new)
    alone = first[np.arange(600), (truth == "yes").astype(int)]
    assert -np.log(proba).mean() < -np.log(alone).mean()


def test_a_budget_too_small_for_one_model_gives_a_small_one_and_says_so() -> None:
    X, y = table()
    model = StrongClassifier(max_time=1e-9)
    with pytest.warns(BoostingWarning, match=r"max_time=1e-09 was over .* of 1 rounds"):
        model.fit(X, y)
    assert model.parts_.names == ("gradient 1",)
    again = StrongClassifier(parts=model.parts_.names).fit(X, y)
    assert again.predict_proba(X).tobytes() == model.predict_proba(X).tobytes()


def test_what_was_played_in_time_gives_the_same_bits_without_a_clock() -> None:
    X, y = table()
    timed = StrongClassifier(max_time=3600, parts=FAST).fit(X, y)
    assert timed.parts_.names == tuple(FAST)
    again = StrongClassifier(parts=timed.parts_.names).fit(X, y)
    assert again.predict_proba(X).tobytes() == timed.predict_proba(X).tobytes()


def test_a_class_of_one_row_is_known_to_every_fold() -> None:
    X, y = table()
    y = y.astype(object)
    y[7] = "alone"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = StrongClassifier(parts=FAST).fit(X, y)
    assert model.classes_.tolist() == ["alone", "no", "yes"]
    assert np.isfinite(model.predict_proba(X)).all()


def test_class_weights_are_weights() -> None:
    X, y = table()
    factors = np.where(y == "yes", 2, 1)
    named = StrongClassifier(parts=FAST, class_weight={"no": 1, "yes": 2}).fit(X, y)
    given = StrongClassifier(parts=FAST).fit(X, y, factors)
    assert np.allclose(named.predict_proba(X), given.predict_proba(X), atol=0.1)
    plain = StrongClassifier(parts=FAST).fit(X, y)
    assert named.predict_proba(X)[:, 1].mean() > plain.predict_proba(X)[:, 1].mean()


def test_test_rows_certify_it_and_conformal_sets_cover() -> None:
    X, y = table(400)
    model = StrongClassifier(parts=FAST).fit(X[:200], y[:200])
    found = model.certify(X_test=X[200:], y_test=y[200:])
    assert 0 < min(each.bound for each in found) < 0.5
    model.conformalize(X[200:300], y[200:300])
    assert model.predict_set(X[300:], alpha=0.1).covers(y[300:]).mean() > 0.8


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"parts": ["forest", "tree"]}, ValueError, "parts holds 'tree', which is none of"),
        ({"parts": "forest"}, TypeError, "must be a list of names"),
        ({"parts": []}, ValueError, "at least one name"),
        ({"parts": ["forest", "forest"]}, ValueError, "none of them twice"),
        ({"parts": ["gradient 5", "forest"]}, ValueError, "stands alone"),
        ({"parts": ["gradient 0"]}, ValueError, "parts holds 'gradient 0'"),
        ({"max_time": 0}, ValueError, "max_time=0 is not allowed"),
        ({"max_time": "1h"}, TypeError, "max_time='1h' is not allowed"),
    ],
)
def test_bad_parameters(given: Any, error: type[Exception], words: str) -> None:
    X, y = table(30)
    with pytest.raises(error, match=words):
        StrongClassifier(**given).fit(X, y)


def test_an_interrupt_leaves_the_earlier_model(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    model = StrongClassifier(parts=FAST).fit(X, y)
    before = model.fingerprint()

    def interrupted(*args: Any, **kwargs: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(weaklearn.AdditiveBoostingClassifier, "fit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X[:100], y[:100])
    assert model.fingerprint() == before
