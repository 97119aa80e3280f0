"""Several targets a row: a tree a round for each, and nothing else that is new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.model_selection import cross_val_score

import weaklearn
from weaklearn import (
    AdditiveBoostingRegressor,
    GradientBoostingRegressor,
    losses,
    merge,
    runtime,
)
from weaklearn.cli.evaluation import prediction_columns
from weaklearn.files import ModelFileError

RNG = np.random.default_rng(4)
X = RNG.normal(size=(300, 3)).round(1)
Y = np.column_stack([X[:, 0] + X[:, 1] ** 2, np.sin(2 * X[:, 2]), 3 * X[:, 0]])
Y += 0.1 * RNG.normal(size=Y.shape)
COPIES = RNG.integers(1, 4, 300)
ORDER = RNG.permutation(np.repeat(np.arange(300), COPIES))


@pytest.mark.parametrize("loss", ["squared_error", "huber", "quantile", "log_cosh", "poisson"])
def test_every_target_is_learnt_as_if_alone(loss: str) -> None:
    """Where no rows are drawn, trees of one target know nothing of the others."""
    y = np.abs(Y) if loss == "poisson" else Y
    model = GradientBoostingRegressor(loss, n_estimators=10, subsample=1.0, l2_regularization=0.0)
    together = model.fit(X, y).predict(X)
    assert together.shape == (300, 3)
    for k in range(3):
        alone = model.fit(X, y[:, k]).predict(X)
        np.testing.assert_allclose(together[:, k], alone, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "given",
    [
        {"n_estimators": 20},
        {"n_estimators": 20, "loss": "huber"},
        {"n_estimators": 20, "loss": "quantile", "quantile": 0.8},
        {},
        {"n_estimators": 60, "early_stopping": True, "n_iter_no_change": 5},
    ],
    ids=str,
)
def test_neither_order_nor_copies_matter(given: dict[str, Any]) -> None:
    model = GradientBoostingRegressor(learning_rate=0.3, **given)
    weighed = model.fit(X, Y, COPIES).fingerprint()
    assert model.fit(X[ORDER], Y[ORDER]).fingerprint() == weighed


def test_rounds_are_judged_by_all_targets() -> None:
    model = GradientBoostingRegressor(learning_rate=0.3).fit(X, Y)
    assert model.n_iter_ > 5
    assert model.score(X, Y) > 0.95
    given = GradientBoostingRegressor(learning_rate=0.3).fit(X, Y, X_val=X[:50], y_val=Y[:50])
    last = given.history_["validation_loss"][given.n_iter_ - 1]
    left = ((given.predict(X[:50]) - Y[:50]) ** 2).mean(axis=0) / Y.var(axis=0)
    assert last == pytest.approx(left.sum())


@pytest.mark.parametrize("loss", ["squared_error", "huber", "absolute_error"])
def test_the_units_of_targets_do_not_matter(loss: str) -> None:
    """(But for draws and folds, which go by the content of rows.)"""
    units = np.array([1024.0, 1.0, 2.0**-10])
    model = GradientBoostingRegressor(loss, learning_rate=0.3, subsample=1.0, n_iter_no_change=5)
    plain = model.fit(X[50:], Y[50:], X_val=X[:50], y_val=Y[:50]).predict(X)
    n = model.n_iter_
    scaled = model.fit(X[50:], Y[50:] * units, X_val=X[:50], y_val=Y[:50] * units).predict(X)
    assert model.n_iter_ == n > 5
    np.testing.assert_allclose(scaled, plain * units, rtol=1e-9)


def test_scikit_learns_conventions() -> None:
    from sklearn.metrics import r2_score

    model = GradientBoostingRegressor(n_estimators=20).fit(X, Y)
    assert model.score(X, Y) == pytest.approx(r2_score(Y, model.predict(X)))
    assert cross_val_score(model, X, Y, cv=3).min() > 0.2
    frame = pd.DataFrame(Y, columns=["a", "b", "c"])
    assert model.fit(X, frame).fingerprint() == model.fit(X, Y).fingerprint()
    assert GradientBoostingRegressor().__sklearn_tags__().target_tags.multi_output
    assert not AdditiveBoostingRegressor().__sklearn_tags__().target_tags.multi_output


def test_files_runtime_and_one_row(tmp_path: Path) -> None:
    model = GradientBoostingRegressor("poisson", n_estimators=10).fit(X, np.abs(Y))
    model.save(tmp_path / "several.weak")
    loaded, small = (made(tmp_path / "several.weak") for made in (weaklearn.load, runtime.load))
    assert loaded.fingerprint() == model.fingerprint()
    assert loaded._loss == losses.Several.of(losses.Poisson(), 3)
    for other in (loaded, small):
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        np.testing.assert_array_equal(other.predictor()(X[0].tolist()), model.predict(X[:1])[0])


def test_what_is_learnt_is_told_of_every_target() -> None:
    model = GradientBoostingRegressor(n_estimators=10).fit(X, Y)
    np.testing.assert_allclose(model.explain(X).scores, model.predict(X))
    assert model.apply(X).shape == (300, 30)
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert [stage.shape for stage in model.staged_predict(X)] == [(300, 3)] * 10
    assert {row[1] for row in model.rules(n=1).rows} == {"0", "1", "2"}


@pytest.mark.parametrize("several", ["targets", "quantiles"])
def test_tables_have_a_column_or_a_line_for_every_score(several: str) -> None:
    model = GradientBoostingRegressor(n_estimators=3)
    if several == "targets":
        model.fit(X, Y)
    else:
        model.set_params(loss="quantile", quantile=[0.1, 0.9]).fit(X, Y[:, 0])
    names = ["0", "1", "2"] if several == "targets" else ["quantile 0.1", "quantile 0.9"]
    why = model.explain(X[:4])
    assert model.to_frame().columns[-len(names) :].tolist() == names
    assert why.to_frame()["output"].tolist() == names * 4
    np.testing.assert_allclose(why.to_frame()["score"], why.scores.ravel())
    assert names[0] in str(why)


def test_a_warm_start_goes_on() -> None:
    model = GradientBoostingRegressor(n_estimators=5, warm_start=True).fit(X, Y)
    more = model.set_params(n_estimators=12).fit(X, Y)
    straight = GradientBoostingRegressor(n_estimators=12, warm_start=True).fit(X, Y)
    assert more.fingerprint() == straight.fingerprint()


def test_one_column_is_one_target() -> None:
    model = GradientBoostingRegressor(n_estimators=3)
    with pytest.warns(UserWarning, match="column-vector"):
        assert model.fit(X, Y[:, :1]).predict(X).shape == (300,)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m.fit(X, Y, offset=np.ones(300)), "offset is given, and y holds 3 targets"),
        (lambda m: m.fit(X, Y, X_val=X, y_val=Y[:, 0]), "y_val holds 1 target.* in training 3"),
        (lambda m: m.fit(X, Y[:-1]), "X has 300 rows, y has 299"),
        (lambda m: m.fit(X, np.where(Y > 3, np.nan, Y)), "Input y contains NaN"),
        (lambda m: m.set_params(loss="poisson").fit(X, Y), "which loss='poisson' cannot take"),
        (lambda m: m.set_params(loss=lambda y, F: F - y).fit(X, Y), "y holds 3 targets a row"),
        (
            lambda m: m.set_params(loss="quantile", quantile=[0.1, 0.9]).fit(X, Y),
            "y holds 3 targets a row",
        ),
        (lambda m: m.fit(X, Y).refit(X, Y[:, :2]), "y holds 2 target.*, and y in training 3"),
        (lambda m: m.fit(X, Y).refit(X, Y[:, 0]), "y holds 1 target.*, and y in training 3"),
        (lambda m: m.fit(X, Y[:, 0]).refit(X, Y), "y holds 3 target.*, and y in training 1"),
        (lambda m: m.fit(X, Y[:, 0]).update(X, Y, n_estimators=1), "3 target.*in training 1"),
        (lambda m: m.fit(X, Y).to_c(), "exports are of one target"),
        (lambda m: m.fit(X, Y).conformalize(X + 1, Y[:, 0]), "held 3 targets"),
        (lambda m: m.fit(X, Y[:, :, None]), "1d array"),
    ],
)
def test_what_is_refused(change: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        change(GradientBoostingRegressor(n_estimators=2))


def test_an_error_names_the_column() -> None:
    with pytest.raises(ValueError, match="cannot take") as found:
        GradientBoostingRegressor("gamma", n_estimators=2).fit(X, np.where(Y == Y[7, 1], 0, 5.0))
    assert found.value.__notes__ == ["This is column 1 of y."]


def test_others_take_one_target() -> None:
    words = "1d array, .*several targets a row, which AdditiveBoostingRegressor does not take"
    with pytest.raises(ValueError, match=words):
        AdditiveBoostingRegressor().fit(X, Y)
    with pytest.raises(ValueError, match=r"^y is a sparse matrix of shape .*; pass y.toarray\(\)"):
        GradientBoostingRegressor().fit(X, sp.csr_array(Y))


def test_a_file_of_other_parts_is_refused(tmp_path: Path) -> None:
    model = GradientBoostingRegressor(n_estimators=2).fit(X, Y)
    object.__setattr__(model._loss, "parts", (losses.Squared(),) * 2)
    with pytest.raises((ModelFileError, ValueError)):
        model.save(tmp_path / "wrong.weak")


def test_names_of_targets_are_kept(tmp_path: Path) -> None:
    frame = pd.DataFrame(Y, columns=["a", "b", "c"])
    model = GradientBoostingRegressor(n_estimators=3).fit(X, frame)
    assert model.explain(X[:2]).outputs == ("a", "b", "c")
    assert {row[1] for row in model.rules(n=1).rows} == {"a", "b", "c"}
    model.save(tmp_path / "named.weak")
    loaded = weaklearn.load(tmp_path / "named.weak")
    assert loaded.explain(X[:2]).outputs == ("a", "b", "c")
    assert loaded.fingerprint() == model.fingerprint()
    assert list(prediction_columns(loaded, X[:2], False)) == [f"prediction {k}" for k in "abc"]
    assert runtime.load(tmp_path / "named.weak").predict(X).shape == (300, 3)
    assert model.fit(X, Y).explain(X[:2]).outputs == ("0", "1", "2")


NAMED = pd.DataFrame(Y, columns=["a", "b", "c"])
TURNED = NAMED[["b", "a", "c"]]


@pytest.mark.parametrize(
    "used",
    [
        lambda model: model.score(X, TURNED),
        lambda model: model.update(X, TURNED, n_estimators=2),
        lambda model: model.refit(X, TURNED),
        lambda model: model.set_params(warm_start=True, n_estimators=9).fit(X, TURNED),
        lambda model: model.fit(X, NAMED, X_val=X, y_val=TURNED),
        lambda model: merge([model, GradientBoostingRegressor(n_estimators=5).fit(X, TURNED)]),
    ],
    ids=["score", "update", "refit", "warm start", "y_val", "merge"],
)
def test_targets_in_another_order_are_refused(used: Any) -> None:
    """They were taken by their places, so that one target was learnt and judged as another."""
    model = GradientBoostingRegressor(n_estimators=5).fit(X, NAMED)
    before = model.fingerprint()
    with pytest.raises(ValueError, match=r"\['b', 'a', 'c'\].*\['a', 'b', 'c'\]"):
        used(model)
    assert model.set_params(warm_start=False, n_estimators=5).fingerprint() == before


def test_targets_without_names_are_those_of_the_fit() -> None:
    model = GradientBoostingRegressor(n_estimators=5).fit(X, NAMED)
    assert model.update(X, Y, n_estimators=2)._target_names == ("a", "b", "c")
    others = NAMED.set_axis(["p", "q", "r"], axis=1)
    assert model.score(X, others) == pytest.approx(model.score(X, Y), rel=1e-12)
