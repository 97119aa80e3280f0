"""Several labels a row, and shares of classes, in gradient boosting."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import weaklearn
from weaklearn import GradientBoostingClassifier, runtime
from weaklearn.show.report import report

RNG = np.random.default_rng(3)
X = RNG.normal(size=(240, 4))
Y = np.column_stack([X[:, 0] + X[:, 1] > 0, X[:, 1] > 0.5, X[:, 2] * X[:, 3] > 0]).astype(int)
Y ^= RNG.random(Y.shape) < 0.1
ALL: dict[str, Any] = {"n_estimators": 8, "subsample": 1.0, "max_features": 1.0}


def shares_of(K: int) -> Any:
    F = RNG.normal(size=(len(X), K))
    F[:, 0] += 2 * X[:, 0]
    return np.exp(F) / np.exp(F).sum(axis=1, keepdims=True)


def test_each_label_is_as_a_fit_of_its_own() -> None:
    model = GradientBoostingClassifier(**ALL).fit(X, Y)
    for k in range(3):
        alone = GradientBoostingClassifier(**ALL).fit(X, Y[:, k])
        np.testing.assert_allclose(
            model.predict_proba(X)[:, k], alone.predict_proba(X)[:, 1], rtol=1e-12
        )
    assert (model.predict(X) == (model.decision_function(X) > 0)).all()
    assert model.score(X, Y) == (model.predict(X) == Y).all(axis=1).mean()
    assert model.classes_.tolist() == [0, 1, 2]


@pytest.mark.parametrize("K", [2, 3])
def test_certain_shares_are_labels(K: int) -> None:
    codes = RNG.integers(K, size=len(X))
    Q = np.eye(K)[codes]
    Q[0] = 1 / K  # so that they are no labels
    weight = np.r_[0, np.ones(len(X) - 1, int)]
    soft = GradientBoostingClassifier(**ALL).fit(X, Q, weight)
    hard = GradientBoostingClassifier(**ALL).fit(X[1:], codes[1:])
    np.testing.assert_allclose(soft.predict_proba(X), hard.predict_proba(X), rtol=1e-3)
    assert (soft.predict(X) == hard.predict(X)).mean() > 0.95


@pytest.mark.parametrize("K", [2, 3])
def test_shares_are_rows_of_each_class_by_weight(K: int) -> None:
    """The loss is that of copies of the row, one a class; smoothing picks the same kernels."""
    Q = RNG.integers(1, 5, (len(X), K)) * 1.0
    Q[:, -1] = 12 - Q[:, :-1].sum(axis=1)
    how = ALL | {"min_samples_leaf": 1, "max_leaf_nodes": 4}
    soft = GradientBoostingClassifier(**how).fit(X, Q / 12, np.full(len(X), 12))
    copies = Q.astype(int).T.ravel()
    rows, labels = np.tile(X, (K, 1)), np.repeat(np.arange(K), len(X))
    hard = GradientBoostingClassifier(**how, label_smoothing=1e-12).fit(rows, labels, copies)
    np.testing.assert_allclose(soft.predict_proba(X), hard.predict_proba(X), rtol=1e-9)


def test_one_round_by_hand() -> None:
    Q = shares_of(2)
    model = GradientBoostingClassifier(**ALL | {"n_estimators": 1}, learning_rate=1.0).fit(X, Q)
    p = Q[:, 1].mean()
    [tree] = model.ensemble_.trees
    at = model.apply(X)[:, 0]
    values = tree.values[tree.value[at], 0]
    for leaf in np.unique(at):
        here = at == leaf
        step = -(p - Q[here, 1]).sum() / (here.sum() * p * (1 - p) + 1.0)
        np.testing.assert_allclose(values[here], step, rtol=1e-9)
    F = np.log(p / (1 - p)) + values
    np.testing.assert_allclose(model.decision_function(X), F, rtol=1e-9)


@pytest.mark.parametrize("form", [np.asarray, pd.DataFrame, sp.csr_matrix, sp.csc_array, list])
def test_forms_of_y(form: Any) -> None:
    model = GradientBoostingClassifier(n_estimators=3).fit(X, form(Y.tolist()))
    plain = GradientBoostingClassifier(n_estimators=3).fit(X, Y).predict(X)
    found = model.predict(X)
    assert sp.issparse(found) == (form in (sp.csr_matrix, sp.csc_array))
    assert ((found.toarray() if sp.issparse(found) else found) == plain).all()


def test_signs_stay_signs_and_names_are_classes() -> None:
    table = pd.DataFrame(2 * Y - 1, columns=["cat", "dog", "cow"])
    model = GradientBoostingClassifier(n_estimators=3).fit(X, table)
    assert set(np.unique(model.predict(X))) == {-1, 1}
    assert list(model.classes_) == ["cat", "dog", "cow"]
    assert "cat" in str(model.explain(X[:1]))
    named = pd.DataFrame(shares_of(2), columns=["cat", "dog"])
    assert set(GradientBoostingClassifier(n_estimators=3).fit(X, named).predict(X)) <= {
        "cat",
        "dog",
    }


@pytest.mark.parametrize("y", [Y, Y[:, :2], shares_of(2), shares_of(3)])
def test_files_runtime_order_and_copies(y: Any, tmp_path: Path) -> None:
    how = {"n_estimators": 4}
    model = GradientBoostingClassifier(**how).fit(X, y, np.full(len(X), 2))
    order = RNG.permutation(np.repeat(np.arange(len(X)), 2))
    again = GradientBoostingClassifier(**how).fit(X[order], y[order])
    assert again.fingerprint() == model.fingerprint()
    path = tmp_path / "model.weak"
    model.save(path)
    for held in (weaklearn.load(path), runtime.load(path)):
        assert (np.asarray(held.predict(X)) == model.predict(X)).all()
        assert (held.predict_proba(X) == model.predict_proba(X)).all()
        proba = model.predict_proba(X[:1])[0]
        one = proba[1:] if y.shape[1] == 2 and y.dtype.kind == "f" else proba
        np.testing.assert_allclose(np.ravel(held.predictor()(X[0].tolist())), one, rtol=1e-12)
    explained = model.explain(X[:5])
    np.testing.assert_allclose(
        np.asarray(explained.scores).reshape(5, -1),
        model.decision_function(X[:5]).reshape(5, -1),
    )


@pytest.mark.parametrize("y", [Y, shares_of(3)])
def test_rounds_are_found_stopped_and_go_on(y: Any) -> None:
    found = GradientBoostingClassifier(learning_rate=0.3, n_iter_no_change=5).fit(X, y)
    assert 1 <= found.n_iter_ < 300
    stopped = GradientBoostingClassifier(n_estimators=40, early_stopping=True).fit(
        X, y, X_val=X[:50], y_val=y[:50]
    )
    assert len(stopped.validation_losses_) == stopped.n_iter_ + 1
    straight = GradientBoostingClassifier(n_estimators=6).fit(X, y)
    resumed = GradientBoostingClassifier(n_estimators=3, warm_start=True).fit(X, y)
    resumed.set_params(n_estimators=6).fit(X, y)
    assert (resumed.predict_proba(X) == straight.predict_proba(X)).all()
    assert straight.refit(X, y).update(X, y, n_estimators=2).n_iter_ == 8


def test_scoring_sees_tables_of_labels() -> None:
    seen: list[Any] = []

    def right(model: Any, rows: Any, y: Any) -> float:
        seen.append(np.unique(y).tolist())
        return float((model.predict(rows) == y).mean())

    how: Any = {"n_estimators": 5, "early_stopping": True, "scoring": right}
    model = GradientBoostingClassifier(**how).fit(X, Y)
    assert model.validation_scores_[-1] > 0.45
    assert seen[0] == [0, 1]


def test_the_score_of_shares_is_the_share_of_what_is_predicted() -> None:
    Q = shares_of(3)
    model = GradientBoostingClassifier(n_estimators=3).fit(X, Q)
    expected = Q[np.arange(len(X)), model.predict(X)].mean()
    assert model.score(X, Q) == pytest.approx(expected)
    assert [*model.staged_score(X, Q)][-1] == model.score(X, Q)
    assert model.score(X, Q.argmax(axis=1)) == (model.predict(X) == Q.argmax(axis=1)).mean()


def test_the_next_fit_forgets_the_form() -> None:
    model = GradientBoostingClassifier(n_estimators=2).fit(X, Y).fit(X, Y[:, 0])
    assert model.predict(X).shape == (len(X),)
    assert model._indicator is None


def test_reports_and_what_is_of_one_class_a_row(tmp_path: Path) -> None:
    model = GradientBoostingClassifier(n_estimators=2).fit(X, shares_of(3))
    report(model, X, model.predict(X), tmp_path / "report.html")
    several = GradientBoostingClassifier(n_estimators=2).fit(X, Y)
    report(several, X, Y, tmp_path / "several.html")
    with pytest.raises(ValueError, match="several labels"):
        several.conformalize(X + 1.0, Y)
    with pytest.raises(TypeError, match="several labels"):
        several.to_python()
    with pytest.raises(TypeError, match="margins are of one class"):
        several.margins(X, Y)


Q3 = shares_of(3)
NAN = np.where(np.arange(3) == 1, np.nan, Q3)


@pytest.mark.parametrize(
    ("y", "how", "words"),
    [
        (Q3 * 1.1, {}, "a table of several columns holds 0 and 1|add up to"),
        (Q3 * 0.9, {}, r"the shares of y\[0\] add up to 0.9"),
        (NAN, {}, "Input y contains NaN"),
        (np.eye(3)[np.arange(len(X)) % 3], {}, "floats with a single 1 a row"),
        (Y * 2, {}, "a table of labels holds 1"),
        (Y[:-1], {}, "inconsistent numbers of samples"),
        (Q3, {"loss": "focal"}, "loss='focal' is for one class a row"),
        (Y, {"class_weight": "balanced"}, "class_weight='balanced' is not allowed"),
        (Y, {"label_smoothing": 0.1}, "label_smoothing=0.1 is not allowed"),
        (Q3, {"scoring": "accuracy"}, "scoring='accuracy' is not allowed"),
        (Q3, {"monotonic_cst": [1, 0, 0, 0]}, "monotonic_cst is set"),
    ],
)
def test_what_is_refused(y: Any, how: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        GradientBoostingClassifier(n_estimators=2, **how).fit(X, y)


def test_another_form_is_refused_where_rounds_go_on() -> None:
    model = GradientBoostingClassifier(n_estimators=2, warm_start=True).fit(X, Y)
    with pytest.raises(ValueError, match="y holds one class a row"):
        model.set_params(n_estimators=3).fit(X, Y[:, 0])
    with pytest.raises(ValueError, match="trained with 3"):
        model.fit(X, Y[:, :2])
    with pytest.raises(ValueError, match=r"a table of labels holds 1"):
        model.fit(X, Q3)
    with pytest.raises(ValueError, match="y_val has 2 columns"):
        GradientBoostingClassifier(n_estimators=2).fit(X, Y, X_val=X, y_val=Y[:, :2])
    shares = GradientBoostingClassifier(n_estimators=2, warm_start=True).fit(X, Q3)
    with pytest.raises(ValueError, match="must hold the shares of 3 classes"):
        shares.set_params(n_estimators=3).fit(X, shares_of(2))


@pytest.mark.parametrize("kind", ["labels", "shares"])
@pytest.mark.parametrize(
    "used",
    [
        lambda model, turned: model.score(X, turned),
        lambda model, turned: model.update(X, turned, n_estimators=2),
        lambda model, turned: model.refit(X, turned),
        lambda model, turned: model.set_params(warm_start=True, n_estimators=9).fit(X, turned),
        lambda model, turned: model.fit(X, turned[list("abc")], X_val=X, y_val=turned),
    ],
    ids=["score", "update", "refit", "warm start", "y_val"],
)
def test_columns_of_y_in_another_order_are_refused(used: Any, kind: str) -> None:
    """They were taken by their places, so that one label was learnt and judged as another."""
    y = pd.DataFrame(Y if kind == "labels" else shares_of(3), columns=list("abc"))
    model = GradientBoostingClassifier(**ALL).fit(X, y)
    before = model.fingerprint()
    with pytest.raises(ValueError, match=r"\['b', 'a', 'c'\].*\['a', 'b', 'c'\]"):
        used(model, y[["b", "a", "c"]])
    assert model.set_params(warm_start=False, **ALL).fingerprint() == before


@pytest.mark.parametrize("kind", ["labels", "shares"])
def test_names_of_classes_stay_those_of_the_first_fit(kind: str) -> None:
    """Rounds that learnt from an array took them away, so that shares were answered by numbers."""
    y = pd.DataFrame(Y if kind == "labels" else shares_of(3), columns=list("abc"))
    model = GradientBoostingClassifier(**ALL).fit(X, y)
    assert model.update(X, y.to_numpy(), n_estimators=2).classes_.tolist() == ["a", "b", "c"]
    assert model.refit(X, y.to_numpy()).classes_.tolist() == ["a", "b", "c"]
    other = GradientBoostingClassifier(**ALL).fit(X, y.to_numpy())
    assert other.update(X, y, n_estimators=2).classes_.tolist() == [0, 1, 2]


def test_labels_are_scored_in_any_form() -> None:
    """Of -1 and 1 none was right that was predicted as 0 and 1."""
    model = GradientBoostingClassifier(**ALL).fit(X, Y)
    right = float((model.predict(X) == Y).all(axis=1).mean())
    assert 0 < right < 1
    for form in (2 * Y - 1, sp.csr_matrix(Y), Y.astype(bool), pd.DataFrame(Y), Y.tolist()):
        assert model.score(X, form) == right
    signs = GradientBoostingClassifier(**ALL).fit(X, 2 * Y - 1)
    assert signs.score(X, Y) == right
    with pytest.raises(ValueError, match="2 columns of labels"):
        model.score(X, Y[:, :2])
