"""Any booster for more classes: the wrappers against what they wrap."""

from __future__ import annotations

import pickle
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import weaklearn as wl
from weaklearn import (
    AdaBoostClassifier,
    AllPairsBooster,
    AnyBoostClassifier,
    GradientBoostingClassifier,
    MadaBoostClassifier,
    ModelFileError,
    OneVsRestBooster,
    RealAdaBoostClassifier,
)

X, y = load_iris(return_X_y=True)
WRAPPERS = {"ovr": OneVsRestBooster, "pairs": AllPairsBooster}
ROUNDS = [
    AdaBoostClassifier(n_estimators=8),
    AdaBoostClassifier("tree", n_estimators=4, multiclass="m1"),
    MadaBoostClassifier(n_estimators=8),
    RealAdaBoostClassifier(n_estimators=4),
    AnyBoostClassifier(n_estimators=8),
    AdaBoostClassifier(LogisticRegression(), n_estimators=3),
]
WHOLE = [
    GradientBoostingClassifier(n_estimators=4, min_samples_leaf=2),
    wl.AdaBoostM2Classifier(n_estimators=4),
    LinearDiscriminantAnalysis(),
    GaussianNB(),
]
both = pytest.mark.parametrize("how", WRAPPERS)


def name_of(booster: Any) -> str:
    return type(booster).__name__ + str(getattr(booster, "estimator", ""))


def wins_of(scores: dict[tuple[int, int], Any], K: int = 3) -> Any:
    wins = np.zeros((len(next(iter(scores.values()))), K))
    for (i, j), F in scores.items():
        wins[:, i] += F <= 0
        wins[:, j] += F > 0
    return wins


@both
@pytest.mark.parametrize("booster", ROUNDS, ids=name_of)
def test_a_booster_of_ours_plays_its_runs_side_by_side(how: str, booster: Any) -> None:
    model = WRAPPERS[how](booster).fit(X, y)
    inside = clone(booster).set_params(multiclass=how).fit(X, y)
    assert model.decision_function(X).tobytes() == inside.decision_function(X).tobytes()
    assert model.predict_proba(X).tobytes() == inside.predict_proba(X).tobytes()
    assert model.predict(X).tolist() == inside.predict(X).tolist()
    assert model.history_ == inside.history_
    assert (model.n_iter_, model.stop_reason_) == (inside.n_iter_, inside.stop_reason_)
    assert str(model.rules()) == str(inside.rules())
    assert str(model.certify(X, y)) == str(inside.certify(X, y))
    assert model.margins(X, y).tobytes() == inside.margins(X, y).tobytes()
    stages = list(model.staged_predict(X)), list(model.staged_predict_proba(X))
    assert stages[0][-1].tolist() == model.predict(X).tolist()
    assert stages[1][-1].tobytes() == model.predict_proba(X).tobytes()
    assert len(list(model.staged_decision_function(X))) == model.n_iter_
    assert booster.get_params().get("multiclass") == clone(booster).multiclass  # left as it was


@both
@pytest.mark.parametrize("booster", WHOLE, ids=name_of)
def test_any_other_classifier_is_copied_for_each_run(how: str, booster: Any) -> None:
    model = WRAPPERS[how](booster).fit(X, y)

    def scores(rows: Any, target: Any) -> Any:
        own = clone(booster).fit(X[rows], target)
        if hasattr(own, "decision_function"):
            return own.decision_function(X)
        return own.predict_proba(X)[:, 1] - 0.5

    if how == "ovr":
        expected = np.column_stack([scores(slice(None), np.where(y == k, 1, -1)) for k in range(3)])
    else:
        pairs = {(i, j): np.flatnonzero((y == i) | (y == j)) for i, j in combinations(range(3), 2)}
        expected = wins_of({pair: scores(rows, y[rows]) for pair, rows in pairs.items()})
    F = model.decision_function(X)
    assert F == pytest.approx(expected)
    assert (model.predict(X) == F.argmax(axis=1)).all()
    p = model.predict_proba(X)
    assert p.sum(axis=1) == pytest.approx(np.ones(len(y)))
    assert (p.argmax(axis=1) == F.argmax(axis=1)).all()
    assert np.exp(model.predict_log_proba(X)) == pytest.approx(p)
    assert model.score(X, y) > 0.85
    assert len(model.estimators_) == 3


@both
@pytest.mark.parametrize("booster", [*ROUNDS, *WHOLE], ids=name_of)
def test_two_classes_are_the_booster_itself(how: str, booster: Any) -> None:
    target = np.where(y == 1, "yes", "no")
    model, plain = WRAPPERS[how](booster).fit(X, target), clone(booster).fit(X, target)
    assert model.predict(X).tolist() == plain.predict(X).tolist()
    if hasattr(plain, "decision_function"):
        assert model.decision_function(X).tobytes() == plain.decision_function(X).tobytes()


@both
def test_other_names_permute_predictions(how: str) -> None:
    names = np.array(["rose", "iris", "aster"])
    plain = WRAPPERS[how](AdaBoostClassifier(n_estimators=8)).fit(X, y)
    named = WRAPPERS[how](AdaBoostClassifier(n_estimators=8)).fit(X, names[y])
    F = plain.decision_function(X)
    top = np.sort(F, axis=1)
    clear = top[:, -1] > top[:, -2]
    assert (named.predict(X)[clear] == names[plain.predict(X)[clear]]).all()
    assert clear.mean() > 0.9


@both
@pytest.mark.parametrize("booster", [AdaBoostClassifier(n_estimators=5), GaussianNB()], ids=name_of)
def test_weights_are_copies(how: str, booster: Any) -> None:
    copies = np.random.default_rng(0).integers(0, 4, len(y))
    rows = np.repeat(np.arange(len(y)), copies)
    weighted = WRAPPERS[how](booster).fit(X, y, copies)
    repeated = WRAPPERS[how](booster).fit(X[rows], y[rows])
    assert weighted.decision_function(X) == pytest.approx(repeated.decision_function(X), abs=1e-8)


def test_classifiers_without_weights() -> None:
    copies = np.random.default_rng(0).integers(1, 3, len(y))
    rows = np.repeat(np.arange(len(y)), copies)
    weighted = AllPairsBooster(KNeighborsClassifier(3)).fit(X, y, copies)
    repeated = AllPairsBooster(KNeighborsClassifier(3)).fit(X[rows], y[rows])
    assert weighted.decision_function(X).tolist() == repeated.decision_function(X).tolist()
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no weights"):
        AllPairsBooster(KNeighborsClassifier(3)).fit(X, y, copies / 7)


@both
def test_columns_of_any_kind(how: str) -> None:
    """A category that one pair of classes never shows is no stranger to the model."""
    table = pd.DataFrame(X, columns=list("abcd"))
    table["colour"] = np.where(y == 0, None, np.where(y == 1, "red", "blue")).astype(object)
    table.loc[:9, "colour"] = "green"
    booster = AdaBoostClassifier(n_estimators=5, unseen="error")
    model = WRAPPERS[how](booster).fit(table, y)
    assert model.score(table, y) > 0.9
    assert model.feature_names_in_.tolist() == [*"abcd", "colour"]
    table.loc[0, "colour"] = "violet"
    with pytest.raises(ValueError, match="violet"):
        model.predict(table)


@both
def test_going_on_and_stopping_early(how: str) -> None:
    straight = WRAPPERS[how](AdaBoostClassifier(n_estimators=9)).fit(X, y)
    resumed = WRAPPERS[how](AdaBoostClassifier(n_estimators=4, warm_start=True)).fit(X, y)
    resumed.set_params(booster__n_estimators=9).fit(X, y)
    assert resumed.n_iter_ == 9
    assert resumed.history_ == straight.history_
    early = WRAPPERS[how](AdaBoostClassifier(early_stopping=True, n_iter_no_change=2)).fit(X, y)
    assert early.n_iter_ < 100
    assert len(early.validation_scores_) >= early.n_iter_
    given = WRAPPERS[how](AdaBoostClassifier(n_estimators=3)).fit(X, y, X_val=X, y_val=y)
    scores = [np.mean(labels == y) for labels in given.staged_predict(X)]
    assert given.validation_scores_ == pytest.approx(scores)


@both
def test_files(how: str, tmp_path: Any) -> None:
    model = WRAPPERS[how](AdaBoostClassifier(n_estimators=4, random_state=3)).fit(X, y)
    model.save(tmp_path / "model.weak")
    again = wl.load(tmp_path / "model.weak")
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert again.fingerprint() == model.fingerprint()
    assert again.certify(X, y)[0].verdict == model.certify(X, y)[0].verdict
    assert wl.verify(again, X, y)
    assert again.get_params()["booster__random_state"] == 3
    whole = WRAPPERS[how](GradientBoostingClassifier(n_estimators=2)).fit(X, y)
    with pytest.raises(ModelFileError, match=r"copy of GradientBoostingClassifier.*use pickle"):
        whole.save(tmp_path / "whole.weak")
    same = pickle.loads(pickle.dumps(whole))
    assert same.decision_function(X).tobytes() == whole.decision_function(X).tobytes()


@both
def test_runs_of_another_booster_are_refused(how: str, tmp_path: Any) -> None:
    model = WRAPPERS[how](AdaBoostClassifier(n_estimators=2)).fit(X, y)
    strange = MadaBoostClassifier(n_estimators=2, multiclass=how).fit(X, y)
    other = "pairs" if how == "ovr" else "ovr"
    for problems, words in (
        (strange, "not those of AdaBoostClassifier"),
        (AdaBoostClassifier(n_estimators=2, multiclass=other).fit(X, y), f"those of '{other}'"),
        (AdaBoostClassifier(n_estimators=2, multiclass=how), "not fitted"),
    ):
        model.model_ = problems
        with pytest.raises(ModelFileError, match=words):
            model.save(tmp_path / "model.weak")


@pytest.mark.parametrize("scheme", ["AdaBoostM2", "OneVsRest", "Samme"])
def test_a_vote_is_one_of_its_scheme(scheme: str, tmp_path: Any) -> None:
    model = AdaBoostClassifier(n_estimators=2, multiclass="pairs").fit(X, y)
    model._scheme = scheme
    with pytest.raises(ModelFileError, match="not one of its scheme"):
        model.save(tmp_path / "model.weak")


@both
def test_what_cannot_be_wrapped(how: str) -> None:
    for booster, words in (
        (AdaBoostClassifier, r"is a class; pass an instance, AdaBoostClassifier\(\)"),
        (wl.AdaBoostRegressor(), "must be a boosted classifier"),
        (3, "booster=3 is not allowed"),
        ("adaboost", "booster='adaboost' is not allowed"),
    ):
        with pytest.raises(TypeError, match=words):
            WRAPPERS[how](booster).fit(X, y)
    with pytest.raises(ValueError, match="n_estimators=0"):
        WRAPPERS[how](AdaBoostClassifier(n_estimators=0)).fit(X, y)
    fresh = WRAPPERS[how]()
    for attribute in ("classes_", "history_", "n_features_in_"):
        assert not hasattr(fresh, attribute)
    assert fresh.fit(X, y).n_iter_ == 100


@both
def test_grids_reach_into_the_booster(how: str) -> None:
    from sklearn.model_selection import GridSearchCV

    grid = GridSearchCV(WRAPPERS[how](MadaBoostClassifier()), {"booster__n_estimators": [1, 20]})
    assert grid.fit(X, y).best_params_ == {"booster__n_estimators": 20}
