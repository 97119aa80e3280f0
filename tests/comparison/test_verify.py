"""Is this the model that these rows give?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.linear_model import LogisticRegression

import weaklearn as wl
from tests.samples import sample_of
from weaklearn import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    AdditiveBoostingRegressor,
    AnyBoostRegressor,
    DecisionStumpClassifier,
    GradientBoostingClassifier,
    load,
    verify,
)
from weaklearn.production.provenance import training_hash


def rows(n: int = 200, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(n, 3)), 1)
    return X, (X[:, 0] + rng.normal(size=n) > 0).astype(int)


def test_same_and_different() -> None:
    X, y = rows()
    model = AdaBoostClassifier(n_estimators=10).fit(X, y)
    assert verify(model, X, y)
    assert str(verify(model, X, y)).startswith("same: ")
    other = y.copy()
    other[3] = 1 - other[3]
    answer = verify(model, X, other)
    assert not answer
    assert answer.same_rows is False
    assert answer.fingerprint != answer.refitted
    assert "the rows are not those it was fitted on" in str(answer)


def test_the_same_rows_with_other_parameters() -> None:
    X, y = rows()
    model = AdaBoostClassifier(n_estimators=10).fit(X, y).set_params(n_estimators=9)
    answer = verify(model, X, y)
    assert not answer
    assert answer.same_rows
    assert "different" in str(answer)


MODELS: dict[str, Any] = {
    "stumps": AdaBoostClassifier(n_estimators=8),
    "one against the rest": AdaBoostClassifier(n_estimators=8, multiclass="ovr"),
    "trees": GradientBoostingClassifier(n_estimators=8, min_samples_leaf=5),
    "any loss": AnyBoostRegressor(n_estimators=8),
    "medians": AdaBoostRegressor(n_estimators=8),
}


@pytest.mark.parametrize("name", MODELS)
def test_models_cut_short(name: str, tmp_path: Path) -> None:
    X, y = rows()
    y = y + 2 * (X[:, 1] > 0) if is_classifier(MODELS[name]) else y + X[:, 0] ** 2
    model = clone(MODELS[name]).fit(X, y)
    whole = model.n_iter_
    assert whole > 3
    answer = verify(model.truncate(3), X, y)
    assert not answer
    assert answer.cut_short == (3, whole)
    assert str(answer).startswith(f"cut short: the model has the first 3 of {whole} rounds")
    assert "the rows are those it was fitted on" in str(answer)
    model.truncate(3).save(tmp_path / "cut.weak")
    assert verify(load(tmp_path / "cut.weak"), X, y).cut_short == (3, whole)
    assert verify(model, X, y).cut_short is None
    other = verify(model.truncate(3), X[::2], y[::2])
    assert other.cut_short is None
    assert str(other).startswith("different")


def test_an_interrupted_fit_is_cut_short() -> None:
    X, y = rows()

    def interrupt(t: int, state: Any, history: Any) -> None:
        if t == 4:
            raise KeyboardInterrupt

    model = AdaBoostClassifier(n_estimators=10, callbacks=[interrupt])
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    answer = verify(model.set_params(callbacks=None), X, y)
    assert answer.cut_short == (4, 10)


def test_weights_and_copies() -> None:
    X, y = rows()
    weight = np.random.default_rng(1).integers(0, 4, len(X))
    repeated = np.repeat(np.arange(len(X)), weight)
    model = AdaBoostClassifier(n_estimators=5).fit(X, y, sample_weight=weight)
    answer = verify(model, X[repeated], y[repeated])
    assert answer
    assert answer.same_rows


def test_arguments_of_fit_and_generators() -> None:
    X, y = rows()
    given = {"X_val": X[:50], "y_val": y[:50]}
    model = AdaBoostClassifier(n_estimators=20, early_stopping=True, n_iter_no_change=3)
    assert verify(model.fit(X, y, **given), X, y, **given)
    drawn = AdaBoostClassifier(n_estimators=3, resample=True, random_state=np.random.RandomState(1))
    assert verify(drawn.fit(X, y), X, y)


@pytest.mark.parametrize(
    "model",
    [
        AdaBoostClassifier(n_estimators=20, early_stopping=True, n_iter_no_change=3),
        AdaBoostClassifier(n_estimators=20),
        GradientBoostingClassifier(n_estimators=20),
        GradientBoostingClassifier(n_estimators=60, early_stopping=True, n_iter_no_change=3),
        GradientBoostingClassifier(),
    ],
    ids=str,
)
def test_a_fit_that_was_judged_by_other_rows_says_so(model: Any, tmp_path: Path) -> None:
    X, y = rows(300)
    given = {"X_val": X[200:], "y_val": y[200:]}
    assert verify(clone(model).fit(X, y), X, y)  # what it holds out itself it holds out again
    model.fit(X[:200], y[:200], **given).save(tmp_path / "m.weak")
    for known in (model, load(tmp_path / "m.weak")):
        assert verify(known, X[:200], y[:200], **given)
        answer = verify(known, X[:200], y[:200])
        assert not answer
        assert "X_val and y_val" in str(answer)
        assert "not those it was fitted on" not in str(answer)
        if not model.early_stopping and model.n_estimators == 20:
            assert answer.lacks
            assert str(answer).startswith("not to be verified: its fit was judged by validation")
    whole = clone(model).fit(X, y)
    for part in (slice(150), np.r_[np.arange(299), 0]):  # fewer rows, and others
        assert "X_val" not in str(verify(whole, X[part], y[part]))
    plain = AdaBoostClassifier(n_estimators=5).fit(X, y).set_params(n_estimators=6)
    assert "X_val" not in str(verify(plain, X, y))


def test_rows_that_were_not_noted() -> None:
    X, y = rows()
    model = AdaBoostClassifier(n_estimators=2).fit(X, y)
    stump = model.estimators_[0]  # made from a member, not fitted
    answer = verify(stump, X, y)
    assert answer.same_rows is None
    assert "was not noted" in str(answer)


def test_foreign_models_are_refused() -> None:
    X, y = rows()
    with pytest.raises(TypeError, match="models of this library"):
        verify(LogisticRegression().fit(X, y), X, y)


def test_edits_are_told() -> None:
    X, y = rows()
    model = AdditiveBoostingRegressor(n_estimators=5, n_bags=2, pairs=[(0, 1)]).fit(X, y)
    assert verify(model, X, y)
    model.edit(0, flatten=True)
    answer = verify(model, X, y)
    assert not answer
    assert answer.edited == 1
    assert str(answer).startswith("edited: 1 edit was made to the model by hand; without, it is")
    model.edit((0, 1), drop=True)
    assert str(verify(model, X[::-1], y[::-1])).startswith("edited: 2 edits were made")
    other = verify(model, X[1:], y[1:])
    assert (other.same, other.edited, other.cut_short) == (False, None, None)
    assert len(model._edits) == 2
    model.undo()
    model.undo()
    assert verify(model, X, y)


# ----------------------------------------------------------------------------- the hash of the rows


def test_the_hash_is_free_of_order_and_counts_copies() -> None:
    X, y = rows()
    order = np.random.default_rng(3).permutation(len(X))
    known = training_hash(sample_of(X, y))
    assert len(known) == 32
    assert training_hash(sample_of(X[order], y[order])) == known
    assert training_hash(sample_of(np.r_[X, X], np.r_[y, y])) == training_hash(
        sample_of(X, y, np.full(len(X), 2))
    )
    weight = np.random.default_rng(4).random(len(X)) + 0.5
    assert training_hash(sample_of(X[order], y[order], weight[order])) == training_hash(
        sample_of(X, y, weight)
    )


@pytest.mark.parametrize(
    "change", ["a cell", "a label", "a row less", "a row twice", "two cells exchanged"]
)
def test_the_hash_tells_every_change(change: str) -> None:
    X, y = rows()
    known = training_hash(sample_of(X, y))
    X, y = X.copy(), y.copy()
    if change == "a cell":
        X[17, 2] += 0.1
    elif change == "a label":
        y[17] = 1 - y[17]
    elif change == "a row less":
        X, y = X[1:], y[1:]
    elif change == "a row twice":
        X, y = np.r_[X, X[:1]], np.r_[y, y[:1]]
    else:
        i, j = 0, int(np.flatnonzero(X[:, 1] != X[0, 1])[0])
        X[[i, j], 1] = X[[j, i], 1]
    assert training_hash(sample_of(X, y)) != known


def test_the_origin_is_that_of_the_last_fit() -> None:
    X, y = rows()
    for model in (AdaBoostClassifier(n_estimators=2), DecisionStumpClassifier()):
        first = model.fit(X, y)._origin
        second = model.fit(X[1:], y[1:])._origin
        assert first.rows != second.rows
        assert (first.n_examples, second.n_examples) == (200, 199)


# ------------------------------------------------------------------------------- what it has learnt


@pytest.mark.parametrize(
    "model",
    [
        wl.AdaBoostClassifier(n_estimators=2),
        wl.GradientBoostingClassifier(n_estimators=2),
        wl.RandomForestClassifier(n_estimators=2),
        wl.DecisionTreeClassifier(),
        wl.AdditiveBoostingClassifier(n_estimators=5),
    ],
    ids=lambda m: type(m).__name__,
)
def test_the_name_of_the_target_is_remembered(model: Any, tmp_path: Path) -> None:
    X = np.arange(40.0).reshape(20, 2)
    y = pd.Series([0, 1] * 10, name="sick")
    plain = clone(model).fit(X, y.to_numpy())
    assert plain._origin.target is None
    model.fit(X, y)
    model.save(tmp_path / "m.weak")
    again = wl.load(tmp_path / "m.weak")
    assert again._origin.target == "sick"
    told = wl.inspect(tmp_path / "m.weak").origin
    assert told is not None
    assert told.target == "sick"
    assert again.fingerprint() == plain.fingerprint()
    if "warm_start" in again.get_params():  # labels without a name do not make it forget
        again.set_params(warm_start=True, n_estimators=3).fit(X, y.to_numpy())
        assert again._origin.target == "sick"


@pytest.mark.parametrize("name", [None, 3, "", ("a", "b")])
def test_other_names_are_none(name: Any) -> None:
    y = pd.Series([0, 1], name=name)
    model = wl.DecisionStumpClassifier().fit([[0.0], [1.0]], y)
    assert model._origin.target is None


@pytest.mark.parametrize("how", ["update", "refit"])
def test_what_learnt_further_is_not_verified_from_one_table(how: str, tmp_path: Path) -> None:
    X, y = rows()
    model = GradientBoostingClassifier(n_estimators=5).fit(X[:100], y[:100])
    assert verify(model, X[:100], y[:100])
    more = {"n_estimators": 3} if how == "update" else {}
    getattr(model, how)(X[100:], y[100:], **more)
    model.save(tmp_path / "further.weak")
    for part in (slice(100), slice(100, 200), slice(None)):
        answer = verify(tmp_path / "further.weak", X[part], y[part])
        assert (bool(answer), answer.since) == (False, how)
        assert f"further rows by {how} since its fit" in str(answer)
    further = clone(model).fit(X, y)
    assert verify(further, X, y).since is None
