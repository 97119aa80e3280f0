"""By what rounds are judged: scores, several named sets, groups and splits of the user's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.metrics import accuracy_score, log_loss, make_scorer, roc_auc_score
from sklearn.model_selection import GroupKFold, KFold, TimeSeriesSplit, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import weaklearn
from weaklearn import (
    AdditiveBoostingClassifier,
    AdditiveBoostingRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
)
from weaklearn.callbacks import Patience

RNG = np.random.default_rng(0)
X = RNG.normal(size=(240, 4))
Z = 2 * X[:, 0] + X[:, 1] * X[:, 2]
Y = (Z + RNG.normal(size=240) > 0).astype(int)
NAMES = np.array(["no", "yes"])[Y]
THREE = np.digitize(Z + RNG.normal(size=240), [-1, 1])
NUMBERS = Z + RNG.normal(size=240)
QUICK: Any = {"n_iter_no_change": 8, "learning_rate": 0.2}


# ------------------------------------------------------------------------------------------ scoring


@pytest.mark.parametrize("early", [False, True])
def test_the_score_of_validation_rows_is_that_of_the_model(early: bool) -> None:
    settings: Any = QUICK | ({"early_stopping": True, "n_estimators": 50} if early else {})
    model = GradientBoostingClassifier(scoring="roc_auc", **settings)
    model.fit(X[:160], NAMES[:160], X_val=X[160:], y_val=NAMES[160:])
    staged = [roc_auc_score(NAMES[160:], p[:, 1]) for p in model.staged_predict_proba(X[160:])]
    assert model.history_["validation_score"][: model.n_iter_] == pytest.approx(staged)
    assert model.validation_scores_[1 : model.n_iter_ + 1] == pytest.approx(staged)
    assert model.validation_scores_[model.n_iter_] == max(model.validation_scores_)
    assert not hasattr(model, "validation_losses_")


def test_log_loss_by_name_finds_the_rounds_that_the_loss_finds() -> None:
    for y in (Y, THREE):
        plain = GradientBoostingClassifier(**QUICK).fit(X, y)
        model = GradientBoostingClassifier(scoring="neg_log_loss", **QUICK).fit(X, y)
        assert model.n_iter_ == plain.n_iter_
        assert -model.validation_scores_ == pytest.approx(plain.validation_losses_, rel=0.02)
    box = AdditiveBoostingClassifier(scoring="neg_log_loss", n_pairs=0, **QUICK).fit(X, Y)
    assert abs(box.n_iter_ - AdditiveBoostingClassifier(n_pairs=0, **QUICK).fit(X, Y).n_iter_) < 8


def test_a_score_of_numbers() -> None:
    plain = GradientBoostingRegressor(**QUICK).fit(X, NUMBERS)
    model = GradientBoostingRegressor(scoring="neg_mean_squared_error", **QUICK).fit(X, NUMBERS)
    assert abs(model.n_iter_ - plain.n_iter_) < 8
    assert -model.validation_scores_ / 2 == pytest.approx(
        plain.validation_losses_[: len(model.validation_scores_)], rel=0.02
    )
    for scoring in ("r2", make_scorer(lambda y, p: -np.abs(y - p).max())):
        assert GradientBoostingRegressor(scoring=scoring, **QUICK).fit(X, NUMBERS).n_iter_ > 0


def test_functions_get_the_rows_and_a_model_that_answers_for_them() -> None:
    seen = []

    def score(model: Any, rows: Any, y: Any) -> float:
        seen.append(len(rows))
        assert rows.shape == (len(y), 4)
        assert model.classes_.tolist() == ["no", "yes"]
        assert (
            model.predict(rows) == model.classes_[(model.decision_function(rows) > 0) * 1]
        ).all()
        return float(accuracy_score(y, model.predict(rows)))

    GradientBoostingClassifier(scoring=score, n_estimators=3, early_stopping=True).fit(X, NAMES)
    assert set(seen) == {25}


def test_order_and_weights_change_no_bit_of_a_scored_search() -> None:
    copies = RNG.integers(1, 4, 240)
    model = GradientBoostingClassifier(scoring="neg_log_loss", **QUICK)
    weighed = clone(model).fit(X, NAMES, sample_weight=copies)
    rows = RNG.permutation(np.repeat(np.arange(240), copies))
    repeated = clone(model).fit(X[rows], NAMES[rows])
    assert (weighed.validation_scores_ == repeated.validation_scores_).all()
    assert weighed.fingerprint() == repeated.fingerprint()


def test_weights_are_handed_to_the_scorer() -> None:
    weights = RNG.uniform(0.1, 3, 80)
    model = GradientBoostingClassifier(scoring="neg_log_loss", n_estimators=3)
    model.fit(X[:160], Y[:160], X_val=X[160:], y_val=Y[160:], sample_weight_val=weights)
    told = log_loss(Y[160:], model.predict_proba(X[160:]), sample_weight=weights)
    assert model.history_["validation_score"][-1] == pytest.approx(-told)


def test_a_perfect_score_ends_the_search() -> None:
    y = (X[:, 0] > 0).astype(int)
    assert GradientBoostingClassifier(scoring="accuracy", **QUICK).fit(X, y).n_iter_ < 100
    wait = Patience(3, larger=True, strict=True)
    assert [wait(score) for score in (1, 1, 1, 1)] == [False, False, False, True]
    assert wait.best == 3


@pytest.mark.parametrize(
    ("scoring", "error", "words"),
    [
        ("acuracy", ValueError, "Did you mean .accuracy."),
        (3, ValueError, "scoring=3 is not allowed"),
        (lambda model, X, y: float("nan"), ValueError, "gave nan on"),
        (lambda model, X, y: "good", TypeError, "gave 'good'"),
        (lambda model, X, y: model.predict(X[:2])[0], ValueError, "other rows"),
    ],
)
def test_scores_that_are_none(scoring: Any, error: type[Exception], words: str) -> None:
    for kind in (GradientBoostingClassifier, AdditiveBoostingClassifier):
        model = kind(n_estimators=3).fit(X, Y)
        with pytest.raises(error, match=words):
            model.set_params(n_estimators="auto", scoring=scoring).fit(X, Y)
        assert model.n_iter_ > 0  # the earlier fit is still there


def test_a_scorer_that_fails_says_which() -> None:
    def broken(model: Any, rows: Any, y: Any) -> float:
        raise ZeroDivisionError("oops")

    with pytest.raises(ZeroDivisionError, match="oops") as caught:
        GradientBoostingClassifier(scoring=broken).fit(X, Y)
    assert any("failed on" in note for note in caught.value.__notes__)


def test_a_scored_model_is_saved_and_goes_on(tmp_path: Any) -> None:
    model = GradientBoostingClassifier(
        scoring="roc_auc", n_estimators=6, early_stopping=True, warm_start=True, cv=KFold(3)
    ).fit(X, Y)
    model.save(tmp_path / "model.weak")
    again = weaklearn.load(tmp_path / "model.weak")
    assert (again.validation_scores_ == model.validation_scores_).all()
    assert again.cv is None
    more = model.set_params(n_estimators=12).fit(X, Y)
    whole = clone(model).set_params(warm_start=False).fit(X, Y)
    assert (more.validation_scores_ == whole.validation_scores_).all()


# --------------------------------------------------------------------------------------- named sets


def test_named_sets_are_all_recorded_and_the_first_judges() -> None:
    sets: Any = {
        "X_val": {"early": X[160:200], "late": X[200:]},
        "y_val": {"early": Y[160:200], "late": Y[200:]},
    }
    model = GradientBoostingClassifier(**QUICK).fit(X[:160], Y[:160], **sets)
    alone = GradientBoostingClassifier(**QUICK).fit(
        X[:160], Y[:160], X_val=X[160:200], y_val=Y[160:200]
    )
    assert model.fingerprint() != alone.fingerprint()  # the history has more
    assert model.n_iter_ == alone.n_iter_
    assert (model.history_["early_loss"] == model.history_["validation_loss"]).all()
    other = GradientBoostingClassifier(n_estimators=model.n_iter_, learning_rate=0.2).fit(
        X[:160], Y[:160], X_val=X[200:], y_val=Y[200:]
    )
    assert (model.history_["late_loss"][: model.n_iter_] == other.history_["validation_loss"]).all()


def test_offsets_and_weights_of_named_sets() -> None:
    counts = np.random.default_rng(1).poisson(np.exp(Z / 4))
    offset, weight = np.log(RNG.uniform(0.5, 2, 240)), RNG.uniform(0.5, 2, 240)
    parts = {"a": slice(160, 200), "b": slice(200, 240)}

    def named(values: Any) -> Any:
        return {name: values[part] for name, part in parts.items()}

    model = GradientBoostingRegressor(loss="poisson", n_estimators=5)
    model.fit(
        X[:160], counts[:160], offset=offset[:160], X_val=named(X), y_val=named(counts),
        offset_val=named(offset), sample_weight_val=named(weight),
    )  # fmt: skip
    plain = GradientBoostingRegressor(loss="poisson", n_estimators=5).fit(
        X[:160], counts[:160], offset=offset[:160], X_val=X[200:], y_val=counts[200:],
        offset_val=offset[200:], sample_weight_val=weight[200:],
    )  # fmt: skip
    assert (model.history_["b_loss"] == plain.history_["validation_loss"]).all()


@pytest.mark.parametrize(
    ("X_val", "y_val", "words"),
    [
        ({"a": X[:9]}, {"b": Y[:9]}, "pass a dict with the same names"),
        ({"a": X[:9]}, Y[:9], "y_val has no dict"),
        ({"validation": X[:9]}, {"validation": Y[:9]}, "is the name of the first set"),
        ({1: X[:9]}, {1: Y[:9]}, "names a set 1"),
        ({}, {}, "empty dict"),
        ({"a": X[:9]}, None, "X_val is given without y_val"),
        (None, {"a": Y[:9]}, "y_val is given without X_val"),
    ],
)
def test_named_sets_that_clash(X_val: Any, y_val: Any, words: str) -> None:
    for model in (GradientBoostingClassifier(n_estimators=2), weaklearn.AdaBoostClassifier()):
        with pytest.raises(ValueError, match=words):
            model.fit(X, Y, X_val=X_val, y_val=y_val)


def test_named_sets_of_votes() -> None:
    model = weaklearn.AdaBoostClassifier(n_estimators=10).fit(
        X[:160],
        Y[:160],
        X_val={"a": X[160:200], "b": X[200:]},
        y_val={"a": Y[160:200], "b": Y[200:]},
    )
    assert (model.history_["a_score"] == model.history_["validation_score"]).all()
    assert model.history_["b_score"] == pytest.approx(list(model.staged_score(X[200:], Y[200:])))


# ----------------------------------------------------------------------------------- groups, splits


def clustered() -> Any:
    """Groups of eight rows that nearly repeat one another, with a label each."""
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(40), 8)
    rows = rng.normal(size=(40, 5))[groups] + rng.normal(size=(320, 5)) / 20
    return rows, rng.integers(0, 2, 40)[groups], groups


@pytest.mark.parametrize("kind", [GradientBoostingClassifier, AdditiveBoostingClassifier])
@pytest.mark.parametrize("how", ["groups", "splitter", "pairs"])
def test_groups_show_that_there_is_nothing_to_learn(kind: Any, how: str) -> None:
    rows, y, groups = clustered()
    pairs = list(GroupKFold(5).split(rows, y, groups))
    cv = {"groups": None, "splitter": GroupKFold(5), "pairs": pairs}[how]
    model = kind(cv=cv, **QUICK)
    model.fit(rows, y, groups=None if how == "pairs" else groups)
    alone = kind(**QUICK).fit(rows, y)
    assert model.n_iter_ < alone.n_iter_ / 3


def test_groups_held_out_stay_together() -> None:
    rows, y, groups = clustered()
    seen = []

    def score(model: Any, given: Any, y: Any) -> float:
        seen.append(given)
        return float(accuracy_score(y, model.predict(given)))

    model = GradientBoostingClassifier(
        n_estimators=2, early_stopping=True, validation_fraction=0.2, scoring=score
    )
    model.fit(rows, y, groups=np.array([f"g{g}" for g in groups]))
    where = [groups[(rows == row).all(axis=1)][0] for row in seen[0]]
    assert np.bincount(where)[np.unique(where)].tolist() == [8] * len(np.unique(where))
    assert len(where) == 64


def test_groups_depend_on_content_alone() -> None:
    rows, y, groups = clustered()
    order = RNG.permutation(320)
    first = GradientBoostingClassifier(**QUICK).fit(rows, y, groups=groups)
    second = GradientBoostingClassifier(**QUICK).fit(rows[order], y[order], groups=-groups[order])
    assert first.fingerprint() == second.fingerprint()
    copies = RNG.integers(1, 3, 320)
    twice = np.repeat(np.arange(320), copies)
    third = GradientBoostingClassifier(**QUICK).fit(rows, y, sample_weight=copies, groups=groups)
    fourth = GradientBoostingClassifier(**QUICK).fit(rows[twice], y[twice], groups=groups[twice])
    assert third.fingerprint() == fourth.fingerprint()


def test_time_order() -> None:
    """The last split of a time series is learnt from what comes before, and nothing else."""
    seen: list[Any] = []

    def score(model: Any, rows: Any, y: Any) -> float:
        seen.append(rows)
        return float(accuracy_score(y, model.predict(rows)))

    model = GradientBoostingClassifier(
        n_estimators=4, early_stopping=True, cv=TimeSeriesSplit(3), scoring=score
    ).fit(X, Y)
    assert {tuple(row) for row in seen[0]} == {tuple(row) for row in X[180:]}
    before = GradientBoostingClassifier(n_estimators=4).fit(X[:180], Y[:180])
    assert model.ensemble_.base.tolist() == before.ensemble_.base.tolist()
    found = GradientBoostingClassifier(cv=TimeSeriesSplit(3), **QUICK).fit(X, Y)
    assert found.n_iter_ > 3


def test_a_row_of_weight_0_has_its_number_in_splits() -> None:
    weights = np.ones(240)
    weights[::3] = 0
    used = weights > 0
    pairs = [(np.arange(120), np.arange(120, 240)), (np.arange(120, 240), np.arange(120))]
    inner = [tuple((np.cumsum(used) - 1)[rows[used[rows]]] for rows in pair) for pair in pairs]
    first = GradientBoostingClassifier(cv=pairs, **QUICK).fit(X, Y, sample_weight=weights)
    second = GradientBoostingClassifier(cv=inner, **QUICK).fit(X[used], Y[used])
    assert first.fingerprint() == second.fingerprint()
    masks = [tuple(np.isin(np.arange(240), rows) for rows in pair) for pair in pairs]
    third = GradientBoostingClassifier(cv=masks, **QUICK).fit(X, Y, sample_weight=weights)
    assert third.fingerprint() == first.fingerprint()


def test_a_number_of_folds() -> None:
    default = GradientBoostingClassifier(**QUICK).fit(X, Y)
    assert GradientBoostingClassifier(cv=5, **QUICK).fit(X, Y).n_iter_ == default.n_iter_
    losses = GradientBoostingClassifier(cv=3, **QUICK).fit(X, Y).validation_losses_
    assert losses[1] != default.validation_losses_[1]


def test_where_rounds_are_given_nothing_is_divided() -> None:
    plain = GradientBoostingClassifier(n_estimators=3).fit(X, Y)
    model = GradientBoostingClassifier(n_estimators=3, cv=iter(()))
    assert model.fit(X, Y, groups=np.zeros(240)).fingerprint() == plain.fingerprint()


_HALVES = (np.arange(120), np.arange(120, 240))


@pytest.mark.parametrize(
    ("cv", "words"),
    [
        ([(np.arange(120), np.arange(100, 200))], "20 of them, the first row 100"),
        ([_HALVES, ([], [1])], "split 2 of cv has no rows to learn from"),
        ([(np.arange(120), [])], "split 1 of cv has no rows to judge by"),
        ([], "gives no splits"),
        ([([0, 1], [240])], "names row 240, and X has the rows 0 to 239"),
        ([([0, 1], [-1])], "names row -1"),
        ([_HALVES[0]], "must be a pair of row numbers"),
        ([(["a"], [1])], "pass row numbers"),
        ([(np.flatnonzero(Y == 1), np.flatnonzero(Y == 0))], "no example of class 0"),
        (GroupKFold(3), "groups"),
    ],
)
def test_splits_that_cannot_be(cv: Any, words: str) -> None:
    for kind in (GradientBoostingClassifier, AdditiveBoostingClassifier):
        with pytest.raises(ValueError, match=words):
            kind(cv=cv).fit(X, Y)


@pytest.mark.parametrize("cv", ["five", 2.5, True, object()])
def test_what_is_no_way_to_divide_rows(cv: Any) -> None:
    with pytest.raises(TypeError, match=r"cv=.* is not allowed"):
        AdditiveBoostingRegressor(cv=cv).fit(X, NUMBERS)


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (np.arange(239), "groups has shape"),
        (np.zeros(240), "one group only"),
        ([None] + [1] * 239, "groups is missing in row 0"),
        (Y, "no example of class"),
    ],
)
def test_groups_that_cannot_be(groups: Any, words: str) -> None:
    for kind in (GradientBoostingClassifier, AdditiveBoostingClassifier):
        with pytest.raises(ValueError, match=words):
            kind().fit(X, Y, groups=groups)


def test_groups_are_routed_through_a_pipeline() -> None:
    rows, y, groups = clustered()
    with config_context(enable_metadata_routing=True):
        model = GradientBoostingClassifier(**QUICK).set_fit_request(groups=True)
        pipeline = make_pipeline(StandardScaler(), model).fit(rows, y, groups=groups)
        found = cross_validate(
            make_pipeline(StandardScaler(), model), rows, y, cv=GroupKFold(4),
            params={"groups": groups}, return_estimator=True, error_score="raise",
        )  # fmt: skip
    alone = GradientBoostingClassifier(**QUICK).fit(StandardScaler().fit_transform(rows), y)
    for each in (pipeline, *found["estimator"]):
        assert each[-1].n_iter_ < alone.n_iter_ / 3
