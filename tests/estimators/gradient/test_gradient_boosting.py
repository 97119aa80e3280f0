"""GradientBoostingClassifier and GradientBoostingRegressor, as a user meets them."""

from __future__ import annotations

import pickle
import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given as draws
from hypothesis import settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.metrics import log_loss, mean_pinball_loss, mean_squared_error
from sklearn.model_selection import cross_val_score

from tests.samples import same_bits
from weaklearn import (
    AdaBoostClassifier,
    BoostingWarning,
    DataWarning,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    losses,
)
from weaklearn.estimators.gradient import fit

pd = pytest.importorskip("pandas")

NAN = float("nan")


def table(m: int = 300, seed: int = 0, noise: float = 0.5) -> tuple[Any, Any]:
    """Four columns of numbers with gaps, and a number that depends on three of them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 4))
    z = 1.5 * X[:, 0] - (X[:, 1] > 0.3) + X[:, 2] * (X[:, 0] > 0) + noise * rng.normal(size=m)
    X[rng.random((m, 4)) < 0.03] = NAN
    return X, z


def classifier(**given: Any) -> Any:
    return GradientBoostingClassifier(**{"n_estimators": 15, **given})


def regressor(**given: Any) -> Any:
    return GradientBoostingRegressor(**{"n_estimators": 15, **given})


def words(z: Any, cuts: Any = (0.0,)) -> Any:
    return np.array(["low", "mid", "top"], dtype=object)[np.digitize(z, cuts)]


def same_model(a: Any, b: Any, X: Any) -> bool:
    """The same trees, votes and base, and so the same scores, to the bit."""
    if len(a.ensemble_) != len(b.ensemble_):
        return False
    pairs = zip(a.ensemble_.trees, b.ensemble_.trees, strict=True)
    alike = all(
        same_bits(mine, yours)
        for s, t in pairs
        for mine, yours in zip(s.arrays().values(), t.arrays().values(), strict=True)
    )
    return alike and same_bits(a.ensemble_(a._rows(X)), b.ensemble_(b._rows(X)))


# --- Classes ---------------------------------------------------------------------------------


def test_two_classes() -> None:
    X, z = table()
    y = words(z)
    model = classifier(n_estimators=60).fit(X, y)
    assert model.classes_.tolist() == ["low", "mid"]
    p = model.predict_proba(X)
    assert p.shape == (300, 2)
    assert p.sum(axis=1) == pytest.approx(np.ones(300))
    F = model.decision_function(X)
    assert p[:, 1] == pytest.approx(1 / (1 + np.exp(-F)))
    assert (model.predict(X) == np.where(F > 0, "mid", "low")).all()
    assert model.predict_log_proba(X) == pytest.approx(np.log(p))
    assert model.score(X, y) > 0.9
    fresh, z = table(seed=1)
    assert model.score(fresh, words(z)) > 0.75
    assert log_loss(words(z), model.predict_proba(fresh)) < 0.5


def test_several_classes() -> None:
    X, z = table(600)
    y = words(z, (-0.8, 0.8))
    model = classifier(n_estimators=40).fit(X, y)
    p, F = model.predict_proba(X), model.decision_function(X)
    assert p.shape == F.shape == (600, 3)
    assert p.sum(axis=1) == pytest.approx(np.ones(600))
    e = np.exp(F - F.max(axis=1, keepdims=True))
    assert p == pytest.approx(e / e.sum(axis=1, keepdims=True))
    assert (model.predict(X) == model.classes_[F.argmax(axis=1)]).all()
    assert model.score(X, y) > 0.85
    assert model.apply(X).shape == (600, 120)
    assert model.history_["leaves"].max() <= 3 * 15


def test_the_exponential_loss_and_its_link() -> None:
    X, z = table()
    model = classifier(loss="exponential").fit(X, z > 0)
    F = model.decision_function(X)
    assert model.predict_proba(X)[:, 1] == pytest.approx(1 / (1 + np.exp(-2 * F)))
    with pytest.raises(ValueError, match=r"exponential.*two classes, and y holds 3"):
        classifier(loss="exponential").fit(X, words(z, (-1, 1)))


@pytest.mark.parametrize("auto", [False, True])
def test_one_class_is_certain(auto: bool) -> None:
    X, _ = table(40)
    with pytest.warns(DataWarning, match="one class only") as caught:
        model = classifier(n_estimators="auto" if auto else 5).fit(X, ["only"] * 40)
    assert len(caught) == 1
    assert (model.n_iter_, len(model.ensemble_)) == (0, 0)
    assert model.predict(X[:3]).tolist() == ["only"] * 3
    assert model.predict_proba(X[:3]).tolist() == [[1.0]] * 3
    assert model.margins(X, ["only"] * 40) == pytest.approx(np.ones(40))
    assert model.apply(X).shape == (40, 0)
    assert list(model.staged_predict(X)) == []
    assert model.feature_importances_.tolist() == [0, 0, 0, 0]


@pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
@pytest.mark.parametrize(
    "given", [{}, {"n_estimators": "auto"}, {"n_estimators": 3, "subsample": 0.1}]
)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_very_few_rows(n: int, given: dict[str, Any]) -> None:
    X = np.arange(2.0 * n).reshape(n, 2)
    model = classifier(**given).fit(X, np.arange(n) % 2)
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(np.ones(n))
    number = regressor(**given).fit(X, np.arange(n) + 4.0)
    assert number.predict(X) == pytest.approx(np.full(n, 4 + (n - 1) / 2), abs=n / 2)


@pytest.mark.parametrize("kind", ["many classes", "rare classes"])
def test_the_first_steps_for_rare_classes_do_not_overshoot(kind: str) -> None:
    """Where a class has few of the examples, the loss bends so little that a Newton step
    for a leaf with a few of them would be a hundred times too long.
    """
    rng = np.random.default_rng(0)

    def drawn(n: int) -> tuple[Any, Any]:
        if kind == "many classes":
            y = np.repeat(np.arange(600), n)
            return centres[y] + 0.5 * rng.normal(size=(len(y), 6)), y
        X = rng.normal(size=(3000 * n, 6))
        return X, np.digitize(X[:, 0] + rng.normal(size=len(X)), [-3.3, 3.3])

    centres = rng.normal(size=(600, 6))
    (X, y), (X_val, y_val) = drawn(5), drawn(1)
    model = GradientBoostingClassifier(n_estimators=4, early_stopping=True)
    losses = model.fit(X, y, X_val=X_val, y_val=y_val).validation_losses_
    assert (np.diff(losses) < 0).all()


def test_a_thousand_classes() -> None:
    y = np.repeat(np.arange(1000), 3)
    X = y[:, None] + np.random.default_rng(0).normal(size=(3000, 1)) / 100
    model = classifier(n_estimators=1, min_samples_leaf=1).fit(X, y)
    assert model.predict_proba(X[:5]).shape == (5, 1000)
    assert model.score(X, y) > 0.01


# --- Numbers ---------------------------------------------------------------------------------


def test_numbers() -> None:
    X, z = table()
    model = regressor(n_estimators=80).fit(X, z)
    assert model.score(X, z) > 0.85
    fresh, other = table(seed=1)
    assert model.score(fresh, other) > 0.6
    assert model.predict(X).dtype == np.float64
    assert not hasattr(model, "classes_")


@pytest.mark.parametrize("loss", ["absolute_error", "huber", "quantile", "squared_error"])
def test_losses_of_residuals_move_with_the_numbers(loss: str) -> None:
    """Shifted and stretched by powers of two, numbers give shifted and stretched predictions."""
    X, z = table(200)
    z = z.round(3)
    how = {"loss": loss, "l2_regularization": 0.0, "subsample": 1.0}  # draws follow what y holds
    plain = regressor(**how).fit(X, z).predict(X)
    moved = regressor(**how).fit(X, 4 * z + 8).predict(X)
    assert moved == pytest.approx(4 * plain + 8, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("loss", ["poisson", "gamma", "tweedie"])
def test_losses_of_amounts_predict_amounts(loss: str) -> None:
    X, z = table(500)
    y = np.exp(z)
    model = regressor(loss=loss, n_estimators=80).fit(X, y)
    p = model.predict(X)
    assert (p > 0).all()
    assert np.corrcoef(np.log(p), z)[0, 1] > 0.85
    assert same_bits(p, np.exp(model._scores(X)[:, 0])) or np.allclose(
        p, np.exp(model._scores(X)[:, 0])
    )


@pytest.mark.parametrize(
    ("loss", "bad", "allowed"),
    [
        ("poisson", -1.0, "at least 0"),
        ("tweedie", -0.5, "at least 0"),
        ("gamma", 0.0, "above 0"),
        ("gamma", -2.0, "above 0"),
    ],
)
def test_numbers_outside_the_domain_are_refused_by_row(loss: str, bad: float, allowed: str) -> None:
    X, z = table(50)
    y = np.exp(z)
    y[17] = bad
    with pytest.raises(ValueError, match=rf"y\[17\] is {bad}.*{loss}.*{allowed}"):
        regressor(loss=loss).fit(X, y)


def test_a_quantile_is_one() -> None:
    X, z = table(800)
    for level in (0.1, 0.5, 0.9):
        model = regressor(loss="quantile", quantile=level, n_estimators=120).fit(X, z)
        assert np.mean(z <= model.predict(X)) == pytest.approx(level, abs=0.06)
        constant = mean_pinball_loss(z, np.full(800, np.quantile(z, level)), alpha=level)
        assert mean_pinball_loss(z, model.predict(X), alpha=level) < 0.7 * constant


def test_several_quantiles_never_cross() -> None:
    X, z = table(400)
    levels = [0.9, 0.1, 0.5, 0.45, 0.55]
    model = regressor(loss="quantile", quantile=levels, n_estimators=60).fit(X, z)
    fresh = np.vstack([table(300, seed=2)[0], np.full((1, 4), NAN)])
    order = np.argsort(levels)
    crossing = np.sort(model._scores(fresh)[:, order], axis=1) != model._scores(fresh)[:, order]
    assert crossing.any()  # or the test would show nothing
    for found in (model.predict(fresh), *model.staged_predict(fresh)):
        assert found.shape == (301, 5)
        assert (np.diff(found[:, order], axis=1) >= 0).all()
    one = regressor(loss="quantile", quantile=[0.5]).fit(X, z).predict(X)
    assert one.shape == (400, 1)
    assert same_bits(one[:, 0], regressor(loss="quantile", quantile=0.5).fit(X, z).predict(X))


# --- How many rounds -------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 7, np.int8(9)])
def test_a_number_means_exactly_that_many(n: Any) -> None:
    X, z = table(80)
    for model in (classifier(n_estimators=n).fit(X, z > 0), regressor(n_estimators=n).fit(X, z)):
        assert model.n_iter_ == len(model.ensemble_) == len(model.history_) == n
        assert model.stop_reason_ == "all rounds played"


@pytest.mark.parametrize("kind", ["classes", "three", "numbers", "huber"])
def test_rounds_are_found_by_folds(kind: str) -> None:
    X, z = table(250)
    y = {"classes": z > 0, "three": words(z, (-1, 1))}.get(kind, z)
    how: dict[str, Any] = {"learning_rate": 0.2, "n_iter_no_change": 10}
    make: Any = classifier if kind in ("classes", "three") else regressor
    if kind == "huber":
        how["loss"] = "huber"
    found = make(**how, n_estimators="auto").fit(X, y)
    curve = found.validation_losses_
    assert found.n_iter_ == curve.argmin() > 3
    assert len(curve) == found.n_iter_ + 11
    assert curve[found.n_iter_] < 0.8 * curve[0]
    # The model itself has learnt from all rows, as if the number had been given.
    told = make(**how, n_estimators=found.n_iter_).fit(X, y)
    assert same_model(found, told, X)


def test_folds_judge_by_what_they_never_saw() -> None:
    """On noise the loss of unseen examples does not fall, and one round is the least."""
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(300, 3)), rng.normal(size=300)
    model = regressor(n_estimators="auto", n_iter_no_change=10, learning_rate=0.3).fit(X, y)
    assert model.n_iter_ <= 2
    assert model.validation_losses_[0] == pytest.approx(np.var(y) / 2, rel=0.05)


def test_many_classes_are_split_once_and_not_for_long(monkeypatch: Any) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.arange(300) % 30
    monkeypatch.setattr(fit, "_MUCH", 5_000)
    monkeypatch.setattr(fit, "_LEAST_ROUNDS", 3)
    for work, most in ((300 * 30 * 4 * 7, 7), (1, 3), (1e12, 2000)):
        monkeypatch.setattr(fit, "_WORK", work)
        how: dict[str, Any] = {"n_iter_no_change": 8, "l2_regularization": 300.0, "max_depth": 2}
        model = classifier(**how, n_estimators="auto").fit(X, y)
        played = len(model.validation_losses_) - 1  # before the first round there is one too
        assert played == most if most < 8 else 8 <= played < most
        assert model.n_iter_ <= played
    few = classifier(n_estimators="auto", n_iter_no_change=3).fit(X, y % 3)
    assert few.stop_reason_ == "the rounds that folds found best were played"


def test_nothing_to_judge_many_classes_by(monkeypatch: Any) -> None:
    monkeypatch.setattr(fit, "_MUCH", 100)
    X = np.random.default_rng(0).normal(size=(24, 2))
    with pytest.warns(DataWarning, match="24 classes in 24 rows"):
        model = classifier(n_estimators="auto").fit(X, np.arange(24))
    assert model.n_iter_ <= 1


@pytest.mark.parametrize("make", [classifier, regressor])
def test_columns_by_number(make: Any) -> None:
    X, z = table(200)
    d = X.shape[1]
    y = z > 0 if make is classifier else z
    how: dict[str, Any] = {"n_estimators": 6, "random_state": 0}
    for k in range(1, d + 1):
        by_number = make(**how, max_features=k).fit(X, y)
        by_share = make(**how, max_features=k / d).fit(X, y)
        assert (by_number.apply(X) == by_share.apply(X)).all()
        for _, trees in by_number.ensemble_:
            asked = {j for tree in trees for j in tree.feature[~tree.is_leaf].tolist()}
            assert len(asked) <= k
    with pytest.raises(ValueError, match=f"max_features={d + 1} is more than X has: {d} columns"):
        make(max_features=d + 1).fit(X, y)
    for wrong in (0, -1, 1.5, "sqrt"):
        with pytest.raises((ValueError, TypeError), match=r"max_features=.*a share above 0.0"):
            make(max_features=wrong).fit(X, y)


def test_many_rows_are_split_once(monkeypatch: Any) -> None:
    X, z = table(400)
    monkeypatch.setattr(fit, "MANY", 100)
    how: dict[str, Any] = {"learning_rate": 0.2, "n_iter_no_change": 8}
    found = classifier(**how, n_estimators="auto").fit(X, z > 0)
    assert found.stop_reason_ == "the validation score stopped improving"
    assert found.n_iter_ == found.validation_losses_.argmin()
    told = classifier(**how, n_estimators=2000, early_stopping=True).fit(X, z > 0)
    assert same_model(found, told, X)
    assert same_bits(found.validation_losses_[1:], found.history_["validation_loss"])


def test_early_stopping_keeps_the_best() -> None:
    X, z = table(600)
    how: dict[str, Any] = {"n_iter_no_change": 12, "learning_rate": 0.2}
    model = classifier(**how, n_estimators=400, early_stopping=True).fit(X, z > 0)
    curve = model.validation_losses_
    assert model.n_iter_ == max(1, curve.argmin())
    assert len(curve) == curve.argmin() + 13
    assert len(model.history_) == len(curve) - 1
    # The tolerance counts what is hardly better for no better.
    strict = clone(model).set_params(tol=0.05).fit(X, z > 0)
    assert 1 < strict.n_iter_ < model.n_iter_


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
def test_a_small_validation_fraction_is_told_from_none() -> None:
    with pytest.raises(ValueError, match=r"validation_fraction=0.1.*n_samples=1"):
        regressor(early_stopping=True).fit([[1.0]], [1.0])


@pytest.mark.parametrize("kind", ["classes", "three", "numbers"])
def test_validation_rows_of_ones_own(kind: str) -> None:
    X, z = table(300)
    fresh, other = table(150, seed=5)
    make: Any = regressor if kind == "numbers" else classifier
    of = {"classes": lambda z: words(z), "three": lambda z: words(z, (-1, 1))}.get(
        kind, lambda z: z
    )
    weight = 0.5 + np.arange(150) % 4
    model = make(n_estimators=12, learning_rate=0.3)
    for w in (None, weight):
        model.fit(X, of(z), X_val=fresh, y_val=of(other), sample_weight_val=w)
        assert model.n_iter_ == 12  # it is looked at, and does not stop anything
        if kind == "numbers":
            expected = [
                mean_squared_error(other, p, sample_weight=w) / 2
                for p in model.staged_predict(fresh)
            ]
        else:
            expected = [
                log_loss(of(other), p, sample_weight=w) for p in model.staged_predict_proba(fresh)
            ]
        assert model.history_["validation_loss"] == pytest.approx(np.array(expected), rel=1e-7)
    stopped = make(n_estimators="auto", learning_rate=0.3, n_iter_no_change=5)
    stopped.fit(X, of(z), X_val=fresh, y_val=of(other))
    assert stopped.n_iter_ == stopped.validation_losses_.argmin()
    assert stopped.stop_reason_ == "the rounds that the validation rows found best were kept"


def test_a_waiting_time_without_early_stopping_is_told(recwarn: Any) -> None:
    X, z = table(60)
    rows = {"X_val": X[:20], "y_val": z[:20] > 0}
    for make in (classifier, AdaBoostClassifier):
        with pytest.warns(BoostingWarning, match="=7 has no effect.*Set early_stopping=True") as it:
            make(n_estimators=5, n_iter_no_change=7).fit(X, z > 0, **rows)
        assert len(it) == 1
        recwarn.clear()
        make(n_estimators=5).fit(X, z > 0, **rows)
        make(n_estimators=5, n_iter_no_change=7).fit(X, z > 0)
        make(n_estimators=5, n_iter_no_change=7, early_stopping=True).fit(X, z > 0, **rows)
        assert not recwarn


@pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
def test_validation_where_nothing_is_learnt() -> None:
    X, z = np.ones((30, 2)), np.arange(30.0)
    for make, y in (regressor, z), (classifier, z > 9), (classifier, np.zeros(30)):
        model = make(n_estimators=9, early_stopping=True).fit(X, y, X_val=X[:7], y_val=y[:7])
        assert model.n_iter_ == 0
        assert len(model.history_) == 1
        assert model.validation_losses_[0] == model.validation_losses_[1]


def test_validation_arguments_come_together() -> None:
    X, z = table(40)
    for given, message in (
        ({"y_val": z}, "y_val is given without X_val"),
        ({"offset_val": z}, "offset_val is given without X_val"),
        ({"X_val": X}, "X_val is given without y_val"),
    ):
        with pytest.raises(ValueError, match=message):
            regressor().fit(X, z, **given)
    with pytest.raises(ValueError, match=r"'top'.*not among the classes"):
        classifier().fit(X, words(z), X_val=X, y_val=["top"] * 40)


def test_callbacks_watch_and_stop() -> None:
    X, z = table(100)
    seen: list[tuple[int, float]] = []

    def watch(t: int, state: Any, history: Any) -> bool:
        seen.append((t, history["loss"][-1]))
        assert state.loss == history["loss"][-1]
        assert len(state.ensemble) == t
        return t == 4

    model = regressor(callbacks=[watch], n_estimators=10**9).fit(X, z)
    assert model.n_iter_ == 4
    assert model.stop_reason_ == "a callback asked to stop"
    assert [t for t, _ in seen] == [1, 2, 3, 4]
    assert [loss for _, loss in seen] == model.history_["loss"].tolist()


def test_progress_goes_to_standard_error(capsys: Any) -> None:
    X, z = table(60)
    regressor(verbose=1, n_estimators=4).fit(X, z)
    out, err = capsys.readouterr()
    assert out == ""
    assert "4/4" in err
    assert "folds" not in err
    model = regressor(verbose=1, n_estimators="auto", n_iter_no_change=3).fit(X, z)
    search = [line for line in capsys.readouterr().err.splitlines() if "folds" in line]
    assert f"best {model.n_iter_} " in search[-1]
    assert f"{len(model.validation_losses_) - 1} tried" in search[-1]


def test_an_interrupt_keeps_the_rounds_already_played() -> None:
    X, z = table(100)

    def interrupt(t: int, state: Any, history: Any) -> None:
        if t == 3:
            raise KeyboardInterrupt

    model = regressor(callbacks=[interrupt])
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, z)
    assert (model.n_iter_, model.stop_reason_) == (3, "interrupted")
    assert same_model(model, regressor(n_estimators=3).fit(X, z), X)


# --- Going on --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"loss": "huber", "subsample": 0.5},
        {"loss": "quantile", "quantile": [0.2, 0.8]},
        {"loss": "poisson", "offset": True},
        {"weights": True, "max_features": 0.4},
    ],
    ids=str,
)
def test_going_on_is_going_straight(how: dict[str, Any]) -> None:
    X, z = table(200)
    how = dict(how)
    y = np.abs(z).round() if how.get("loss") == "poisson" else z
    given: dict[str, Any] = {}
    if how.pop("offset", False):
        given["offset"] = np.sin(np.arange(200.0))
    if how.pop("weights", False):
        given["sample_weight"] = 0.1 + np.arange(200) % 5
    straight = regressor(**how, n_estimators=11).fit(X, y, **given)
    model = regressor(**how, n_estimators=4, warm_start=True).fit(X, y, **given)
    first = list(model.ensemble_)
    model.set_params(n_estimators=11).fit(X, y, **given)
    assert all(a is b for (_, a), (_, b) in zip(first, model.ensemble_, strict=False))
    assert same_model(model, straight, X)
    assert model.history_ == straight.history_
    again = model.fit(X, y, **given)
    assert same_model(again, straight, X)


def test_going_on_with_classes() -> None:
    X, z = table(200)
    for y in (words(z), words(z, (-1, 1))):
        model = classifier(n_estimators=3, warm_start=True).fit(X, y)
        model.set_params(n_estimators=8).fit(X, y)
        assert same_model(model, classifier(n_estimators=8).fit(X, y), X)


def test_going_on_where_rounds_are_judged() -> None:
    X, z = table(300)
    fresh, other = table(150, seed=5)
    given = {"X_val": fresh, "y_val": other}
    how: dict[str, Any] = {"learning_rate": 0.3, "n_iter_no_change": 5, "early_stopping": True}
    straight = regressor(**how, n_estimators=300).fit(X, z, **given)
    model = regressor(**how, n_estimators=4, warm_start=True).fit(X, z, **given)
    assert model.n_iter_ == 4
    model.set_params(n_estimators=300).fit(X, z, **given)
    assert same_model(model, straight, X)
    held = regressor(**how, n_estimators=300).fit(X, z)
    model = regressor(**how, n_estimators=4, warm_start=True).fit(X, z)
    assert same_model(model.set_params(n_estimators=300).fit(X, z), held, X)


def test_going_on_is_refused_where_it_means_nothing() -> None:
    X, z = table(60)
    model = regressor(n_estimators=5, warm_start=True).fit(X, z)
    with pytest.raises(ValueError, match="n_estimators=3 must be larger or equal to the 5 rounds"):
        model.set_params(n_estimators=3).fit(X, z)
    with pytest.raises(ValueError, match="n_estimators='auto' is not allowed with warm_start=True"):
        model.set_params(n_estimators="auto").fit(X, z)
    with pytest.raises(ValueError, match="descended another loss than loss='absolute_error'"):
        model.set_params(n_estimators=7, loss="absolute_error").fit(X, z)
    assert model.n_iter_ == 5


# --- Weights ---------------------------------------------------------------------------------


SHORT: dict[str, Any] = {"n_estimators": "auto", "learning_rate": 0.3, "n_iter_no_change": 5}


@pytest.mark.parametrize("m", [150, 1200])
@pytest.mark.parametrize("given", [{}, SHORT, {"early_stopping": True}], ids=str)
def test_a_weight_is_so_many_copies(m: int, given: dict[str, Any]) -> None:
    X, z = table(m)
    counts = np.arange(m) % 4
    many = np.repeat(np.arange(m), counts)
    a, b = classifier(**given), classifier(**given)
    assert same_model(a.fit(X, z > 0, counts), b.fit(X[many], z[many] > 0), X)
    a, b = regressor(**given, max_bins=30), regressor(**given, max_bins=30)
    assert same_model(a.fit(X, z, counts), b.fit(X[many], z[many]), X)


def test_copies_with_class_weights_too() -> None:
    X, z = table(200)
    counts = np.arange(200) % 4
    many = np.repeat(np.arange(200), counts)
    for weights in ("balanced", {True: 2.5, False: 0.7}):
        a = classifier(class_weight=weights).fit(X, z > 1, counts)
        b = classifier(class_weight=weights).fit(X[many], z[many] > 1)
        assert same_model(a, b, X)


@settings(deadline=None, max_examples=15)
@draws(st.floats(1e-200, 1e200))
def test_multiplied_importances_are_the_same(factor: float) -> None:
    X, z = table(120)
    weight = np.random.default_rng(1).random(120) + 0.01
    a = classifier(n_estimators=4).fit(X, z > 0, weight)
    b = classifier(n_estimators=4).fit(X, z > 0, weight * factor)
    assert same_model(a, b, X)


def test_importances_count_as_rows_do_on_average() -> None:
    """Regularisation is in rows: weights of 1 and of 0.5 are the same, and so are none."""
    X, z = table(120)
    plain = regressor().fit(X, z)
    assert same_model(plain, regressor().fit(X, z, np.full(120, 0.5)), X)
    weight = np.where(z > 0, 3.5, 0.5)
    assert regressor().fit(X, z, weight).predict(X).mean() > plain.predict(X).mean() + 0.2


def test_rows_of_weight_zero_are_left_out() -> None:
    X, z = table(150)
    weight = (np.arange(150) % 3 > 0) * 1.5
    weight[4] = 2.25
    used = weight > 0
    offset = np.cos(np.arange(150.0))
    a = classifier().fit(X, z > 0, weight, offset=offset)
    b = classifier().fit(X[used], z[used] > 0, weight[used], offset=offset[used])
    assert same_model(a, b, X)
    # So are those of a class without weight.
    y = words(z, (-1, 1))
    a = classifier(class_weight={"mid": 0}).fit(X, y, offset=None)
    assert a.predict_proba(X).shape == (150, 3)


def test_class_weights_are_weights() -> None:
    X, z = table(200)
    y = words(z)
    a = classifier(class_weight={"mid": 3}).fit(X, y)
    assert same_model(a, classifier().fit(X, y, np.where(y == "mid", 3, 1)), X)
    balanced = classifier(class_weight="balanced").fit(X, words(z, (1.5,)))
    assert balanced.ensemble_.base == pytest.approx([0.0], abs=1e-6)


def test_weights_far_beyond_counting() -> None:
    X, z = table(60)
    how = {"l2_regularization": 0.0, "subsample": 1.0, "learning_rate": 0.1, "max_leaf_nodes": 9}
    plain = classifier(**how).fit(X, z > 0)
    heavy = classifier(**how, min_samples_leaf=5 * 10**13).fit(X, z > 0, np.full(60, 10**13))
    assert heavy.decision_function(X) == pytest.approx(plain.decision_function(X), abs=0.15)


# --- Shapes that are demanded ----------------------------------------------------------------


@pytest.mark.parametrize(
    "loss", ["squared_error", "absolute_error", "quantile", "poisson", "log_loss"]
)
def test_monotone_columns_are_monotone_everywhere(loss: str) -> None:
    rng = np.random.default_rng(4)
    m = 500
    X = rng.normal(size=(m, 3))
    X[rng.random((m, 3)) < 0.05] = NAN
    z = np.nan_to_num(np.sin(3 * X[:, 0]) - np.cos(2 * X[:, 1]) + X[:, 0] * X[:, 2])
    signs = [1, -1, 0]
    how = {"monotonic_cst": signs, "n_estimators": 40, "min_samples_leaf": 2}
    if loss == "log_loss":
        model = classifier(**how).fit(X, z > 0)
        answer = model.decision_function
    else:
        model = regressor(**how, loss=loss).fit(X, np.abs(z).round() if loss == "poisson" else z)
        answer = model.predict
    grid = np.linspace(-3.5, 3.5, 300)
    for row in np.vstack([X[:40], np.full((1, 3), NAN)]):
        for j, sign in ((0, 1), (1, -1)):
            rows = np.repeat(row[None], 300, axis=0)
            rows[:, j] = grid
            assert (np.diff(answer(rows)) * sign >= 0).all()
    free = classifier if loss == "log_loss" else regressor
    if loss == "squared_error":
        unbound = free(n_estimators=40, loss=loss).fit(X, z)
        rows = np.repeat(np.zeros((1, 3)), 300, axis=0)
        rows[:, 0] = grid
        assert (np.diff(unbound.predict(rows)) < 0).any()  # or the test would show nothing


def test_monotone_by_name_and_what_is_refused() -> None:
    X, z = table(100)
    named = pd.DataFrame(X, columns=list("abcd"))
    a = regressor(monotonic_cst={"b": -1}).fit(named, z)
    assert same_model(a, regressor(monotonic_cst=[0, -1, 0, 0]).fit(named, z), named)
    named["e"] = pd.Categorical(np.arange(100) % 3)
    for given, message in (
        ({"e": 1}, "monotonic_cst is 1 for column 'e', which holds categories"),
        ({"z": 1}, "monotonic_cst holds 'z', which is no column"),
        ([1, 0], "monotonic_cst has 2 entries, but X has 5"),
        ({"a": 2}, "monotonic_cst is 2 for column 'a'"),
        ("rising", "monotonic_cst"),
    ):
        with pytest.raises(ValueError, match=message):
            regressor(monotonic_cst=given).fit(named, z)
    with pytest.raises(ValueError, match="monotonic_cst is set, and y holds 3 classes"):
        classifier(monotonic_cst=[1, 0, 0, 0]).fit(X, words(z, (-1, 1)))


def paths(tree: Any) -> list[set[int]]:
    """The features asked for on the way to each leaf."""
    found: list[set[int]] = []

    def walk(node: int, asked: frozenset[int]) -> None:
        if tree.is_leaf[node]:
            found.append(set(asked))
            return
        for k in range(2):
            walk(int(tree.first[node]) + k, asked | {int(tree.feature[node])})

    walk(0, frozenset())
    return found


@pytest.mark.parametrize(
    ("given", "groups"),
    [
        ("no_interactions", [{0}, {1}, {2}, {3}]),
        ("pairwise", [{i, j} for i in range(4) for j in range(i)]),
        ([[0, 1], [1, 2]], [{0, 1}, {1, 2}, {3}]),
        ([{"a", "c"}], [{0, 2}, {1, 3}]),
    ],
    ids=["none", "pairs", "by number", "by name"],
)
def test_columns_meet_on_a_path_only_where_they_may(given: Any, groups: list[set[int]]) -> None:
    X, z = table(400)
    named = pd.DataFrame(X, columns=list("abcd"))
    model = regressor(interaction_cst=given, n_estimators=30, max_features=1.0).fit(named, z)
    met = [path for tree in model.ensemble_.trees for path in paths(tree)]
    assert all(any(path <= group for group in groups) for path in met)
    widest = max(map(len, met))
    assert widest == max(map(len, groups))


def test_groups_that_are_refused() -> None:
    X, z = table(50)
    for given, message in (
        ("pairs", "interaction_cst='pairs' is not allowed"),
        ([[0, 9]], "interaction_cst holds column 9, but X has 4"),
        ([["a"]], "interaction_cst holds 'a'.*no column names"),
        (3, "interaction_cst is 3"),
        ([[0.5]], "interaction_cst holds 0.5"),
    ):
        with pytest.raises(ValueError, match=message):
            regressor(interaction_cst=given).fit(X, z)


# --- Stages and leaves -----------------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 3])
def test_stages_end_where_the_model_stands(K: int) -> None:
    X, z = table(200)
    y = words(z, (0.0,) if K == 2 else (-1, 1))
    model = classifier().fit(X, y)
    for staged, last in (
        (model.staged_decision_function, model.decision_function),
        (model.staged_predict_proba, model.predict_proba),
        (model.staged_predict, model.predict),
    ):
        stages = list(staged(X))
        assert len(stages) == 15
        assert (stages[-1] == last(X)).all()
        assert stages[-1].dtype == last(X).dtype
    halves = list(model.staged_decision_function(X))
    cut = model.truncate(6)
    assert same_bits(cut.decision_function(X), halves[5])
    assert (cut.n_iter_, model.n_iter_) == (6, 15)
    number = regressor().fit(X, z)
    assert same_bits(list(number.staged_predict(X))[-1], number.predict(X))
    assert model.truncate(16).n_iter_ == 15
    for wrong in (0, 2.5, True):
        with pytest.raises((TypeError, ValueError), match="n="):
            model.truncate(wrong)


@pytest.mark.parametrize("K", [1, 3])
def test_leaves_add_up_to_the_score(K: int) -> None:
    X, z = table(150)
    model = regressor().fit(X, z) if K == 1 else classifier().fit(X, words(z, (-1, 1)))
    leaves = model.apply(X)
    assert leaves.shape == (150, 15 * K)
    F = np.tile(model.ensemble_.base, (150, 1))
    for t, (vote, trees) in enumerate(model.ensemble_):
        for k, tree in enumerate(trees):
            reached = leaves[:, t * K + k]
            assert tree.is_leaf[reached].all()
            F[:, k] += vote * tree.values[reached, 0]
    assert same_bits(F, model._scores(X))


def test_importances_are_shares_of_the_gain() -> None:
    X, z = table(500)
    model = regressor(n_estimators=40).fit(X, z)
    shares = model.feature_importances_
    assert shares.sum() == pytest.approx(1)
    assert shares.argmax() == 0
    assert shares[3] == shares.min() > 0


@pytest.mark.parametrize("loss", ["log_loss", "exponential"])
@pytest.mark.parametrize("rate", [0.05, 1.0])
def test_margins_lie_between_minus_one_and_one(loss: str, rate: float) -> None:
    X, z = table(200)
    fresh, other = table(200, seed=1)
    for cuts in ((0.0,), (-1, 1)) if loss == "log_loss" else ((0.5,),):
        y = words(z, cuts)
        model = classifier(loss=loss, n_estimators=40, learning_rate=rate).fit(X, y)
        for rows, labels in ((X, y), (fresh, words(other, cuts))):
            margins = model.margins(rows, labels)
            assert np.abs(margins).max() <= 1
            right = model.predict(rows) == labels
            assert (margins[right] >= 0).all()
            assert (margins[~right] <= 0).all()
    with pytest.raises(ValueError, match=r"'other'.*not among the classes"):
        model.margins(X, ["other"] * 200)


# --- Categories ------------------------------------------------------------------------------


def categories(m: int = 400, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    town = rng.choice(["ash", "beech", "cedar", "oak", "pine"], m)
    z = np.isin(town, ["beech", "pine"]) * 2.0 + rng.normal(size=m) / 4
    return pd.DataFrame({"town": town, "noise": rng.normal(size=m)}), z


def test_categories_are_learnt_and_unseen_ones_answered() -> None:
    X, z = categories()
    model = regressor(n_estimators=60, max_features=1.0).fit(X, z)
    towns = pd.DataFrame({"town": ["beech", "pine", "ash", "oak"], "noise": 0.0})
    assert model.predict(towns) == pytest.approx([2, 2, 0, 0], abs=0.35)
    new = pd.DataFrame({"town": ["elm", None], "noise": 0.0})
    found = model.predict(new)
    assert found[0] == found[1]  # unseen is missing where no rare ones share a code
    with pytest.raises(ValueError, match="'elm'"):
        model.set_params(unseen="error").predict(new)


def test_rare_categories_share_a_code() -> None:
    """Four rows each: alone they say little, together they are told apart from the others."""
    X, z = categories()
    X.loc[:79, "town"] = [f"hamlet {k // 4}" for k in range(80)]
    z[:80] = 5 + z[:80] / 10
    model = regressor(n_estimators=80, max_features=1.0).fit(X, z)
    known, unknown = "hamlet 3", "hamlet never seen"
    rows = pd.DataFrame({"town": [known, unknown, "ash"], "noise": 0.0})
    found = model.predict(rows)
    assert found[0] == found[1]  # the unseen join the rare
    assert found[0] == pytest.approx(5, abs=0.4)
    assert found[2] < 2.3


@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("m", [3_000, 15_000])
def test_ten_thousand_levels_of_noise_do_little_harm(kind: str, m: int) -> None:
    """Be they so rare that all share a code, or some frequent enough for a code of their own."""
    rng = np.random.default_rng(5)
    X, z = table(2 * m)
    noisy = pd.DataFrame(X[:, :3], columns=list("abc"))
    noisy["id"] = pd.Categorical([f"k{k}" for k in rng.integers(0, 10_000, 2 * m)])
    how = {"n_estimators": 60} if m < 10_000 else {"n_estimators": 60, "max_features": 1.0}
    found = []
    for frame in (noisy[list("abc")], noisy):
        if kind == "classes":
            model = classifier(**how).fit(frame[:m], z[:m] > 0)
            found.append(log_loss(z[m:] > 0, model.predict_proba(frame[m:])))
        else:
            model = regressor(**how).fit(frame[:m], z[:m])
            found.append(mean_squared_error(z[m:], model.predict(frame[m:])))
    assert found[1] <= 1.01 * found[0]


def test_a_column_of_names_is_not_split_on_and_told_once() -> None:
    X, z = table(200)
    named = pd.DataFrame(X, columns=list("abcd"))
    named["name"] = [f"person {k}" for k in range(200)]
    with pytest.warns(DataWarning) as caught:
        model = regressor().fit(named, z)
    (message,) = [str(w.message) for w in caught]
    assert "column 'name'" in message
    assert "drop them" in message
    assert model.feature_importances_[4] == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(model.predict(named)).all()
        model.set_params(n_estimators=16, warm_start=True).fit(named, z)


# --- A loss of one's own ---------------------------------------------------------------------


def squared_gradient(y: Any, F: Any) -> Any:
    return F - y


def test_functions_are_a_loss() -> None:
    X, z = table(200)
    ones = lambda y, F: np.ones_like(F)  # noqa: E731
    value = lambda y, F: (y - F) ** 2 / 2  # noqa: E731
    own = regressor(loss=(squared_gradient, ones, value), n_estimators=30).fit(X, z)
    assert own.score(X, z) > 0.5
    offset = np.full(200, z.mean())
    told = regressor(n_estimators=30).fit(X, z, offset=offset)
    mine = regressor(loss=squared_gradient, n_estimators=30).fit(X, z, offset=offset)
    assert mine.predict(X) == pytest.approx(told.predict(X), rel=1e-6, abs=1e-6)
    assert np.isnan(mine.history_["loss"]).all()
    found = regressor(loss=(squared_gradient, ones, value), n_estimators="auto", learning_rate=0.3,
                      n_iter_no_change=5).fit(X, z)  # fmt: skip
    assert found.n_iter_ > 3


def test_a_loss_without_a_value_cannot_judge_rounds() -> None:
    X, z = table(60)
    for given in ({"n_estimators": "auto"}, {"early_stopping": True}):
        with pytest.raises(ValueError, match="'squared_gradient' tells no value"):
            regressor(loss=squared_gradient, **given).fit(X, z)


def test_a_loss_of_ones_own_for_labels() -> None:
    X, z = table(300)
    y = words(z)

    def slope(y: Any, F: Any) -> Any:
        return -y / (1 + np.exp(y * F))

    def bend(y: Any, F: Any) -> Any:
        return 1 / (2 + np.exp(F) + np.exp(-F))

    own = classifier(loss=(slope, bend), max_features=1.0).fit(X, y)
    p = own.predict_proba(X)
    assert p.sum(axis=1) == pytest.approx(np.ones(300))
    assert own.score(X, y) > 0.85
    with pytest.raises(ValueError, match=r"'slope' is of 1 score.*y holds 3 classes"):
        classifier(loss=(slope, bend)).fit(X, words(z, (-1, 1)))
    with pytest.raises(ValueError, match=r"is of 3 score.*y holds 2 classes"):
        classifier(loss=losses.Softmax(3)).fit(X, y)
    with pytest.raises(ValueError, match="is for classes"):
        regressor(loss=losses.Logistic()).fit(X, np.sign(z))


def test_a_loss_that_goes_wrong_leaves_the_model_as_it_was() -> None:
    X, z = table(100)
    model = regressor().fit(X, z)
    before = model.predict(X)

    def wrong(y: Any, F: Any) -> Any:
        return np.where(np.abs(F).max() > 0, np.nan, F - y)

    model.set_params(loss=wrong)
    with pytest.raises(
        ValueError, match="gradient of loss 'wrong' returned nan in row 0"
    ) as caught:
        model.fit(X, z)
    assert "round 1" in "".join(caught.value.__notes__)
    model.set_params(loss=(wrong, None, lambda y, F: (y - F) ** 2), n_estimators="auto")
    with pytest.raises(ValueError, match="gradient of loss 'wrong'") as caught:
        model.fit(X, z)
    assert "round 1 of the folds" in "".join(caught.value.__notes__)
    assert same_bits(model.predict(X), before)
    with pytest.raises(ValueError, match="gradient of loss 'wrong'"):
        GradientBoostingRegressor(wrong, n_estimators=4).fit(X, z)


# --- Offsets ---------------------------------------------------------------------------------


def test_an_exposure_is_an_offset() -> None:
    rng = np.random.default_rng(7)
    X = rng.integers(0, 3, (4000, 1)).astype(float)
    exposure = rng.uniform(0.2, 5, 4000)
    y = rng.poisson(exposure * (1 + X[:, 0]))
    model = regressor(loss="poisson", n_estimators=200, subsample=1.0)
    model.fit(X, y, offset=np.log(exposure))
    rates = model.predict([[0.0], [1.0], [2.0]])
    assert rates == pytest.approx([1, 2, 3], rel=0.08)
    doubled = model.predict([[0.0], [1.0], [2.0]], offset=np.log([2.0] * 3))
    assert doubled == pytest.approx(2 * rates)


def test_an_offset_of_labels() -> None:
    X, z = table(300)
    first = classifier(n_estimators=5).fit(X, z > 0)
    known = first.decision_function(X)
    second = classifier(n_estimators=10).fit(X, z > 0, offset=known)
    both = second.decision_function(X, offset=known)
    assert both == pytest.approx(second.decision_function(X) + known)
    assert log_loss(z > 0, second.predict_proba(X, offset=known)) < log_loss(
        z > 0, first.predict_proba(X)
    )
    assert (second.predict(X, offset=known) == (both > 0)).all()


def test_an_offset_of_validation_rows() -> None:
    X, z = table(200)
    offset, apart = np.cos(np.arange(200.0)), np.sin(np.arange(100.0))
    model = regressor().fit(
        X, z + offset, X_val=X[:100], y_val=z[:100] + apart, offset=offset, offset_val=apart
    )
    last = mean_squared_error(z[:100] + apart, model.predict(X[:100], offset=apart)) / 2
    assert model.history_["validation_loss"][-1] == pytest.approx(last)


def test_rows_that_differ_in_their_offset_differ() -> None:
    """Draws follow what a row holds, its offset too: their order does not matter."""
    X = np.repeat(np.arange(20.0), 10)[:, None]
    y, offset = np.repeat(np.arange(20.0) % 3, 10), np.random.default_rng(0).normal(size=200)
    order = np.random.default_rng(1).permutation(200)
    a = regressor(subsample=0.5).fit(X, y, offset=offset)
    b = regressor(subsample=0.5).fit(X[order], y[order], offset=offset[order])
    assert same_model(a, b, X)


@pytest.mark.parametrize(
    ("offset", "message"),
    [
        ([1.0], r"offset has the shape \(1,\), and there are 60 rows"),
        (3.0, r"offset has the shape \(\)"),
        (np.zeros((60, 1)), r"offset has the shape \(60, 1\)"),
        ([NAN] * 60, r"offset\[0\] is nan"),
        ([*[0.0] * 59, np.inf], r"offset\[59\] is inf"),
        (["a"] * 60, "offset does not consist of numbers"),
    ],
    ids=str,
)
def test_offsets_that_are_refused(offset: Any, message: str) -> None:
    X, z = table(60)
    with pytest.raises(ValueError, match=message):
        regressor().fit(X, z, offset=offset)
    model = regressor().fit(X, z)
    with pytest.raises(ValueError, match=message):
        model.predict(X, offset=offset)


def test_an_offset_means_nothing_for_several_classes() -> None:
    X, z = table(60)
    y = words(z, (-1, 1))
    with pytest.raises(ValueError, match="offset is given, and y holds 3 classes"):
        classifier().fit(X, y, offset=np.zeros(60))
    with pytest.raises(ValueError, match="offset is given, and y holds 3 classes"):
        classifier().fit(X, y).predict(X, offset=np.zeros(60))


# --- A good citizen --------------------------------------------------------------------------


def test_pickled_and_cloned() -> None:
    X, z = table(150)
    for model in (classifier().fit(X, z > 0), regressor().fit(X, z)):
        again = pickle.loads(pickle.dumps(model))
        assert same_bits(again.predict(X), model.predict(X))
        assert again.history_ == model.history_
        fresh = clone(model)
        assert not hasattr(fresh, "ensemble_")
        assert fresh.get_params() == model.get_params()
        assert same_model(fresh.fit(X, z > 0 if hasattr(model, "classes_") else z), model, X)


def test_scikit_learn_scores_it() -> None:
    X, z = table(200)
    assert cross_val_score(classifier(), X, z > 0, cv=3).mean() > 0.75
    assert cross_val_score(regressor(n_estimators=40), X, z, cv=3).mean() > 0.5


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
def test_nothing_learnt_is_told() -> None:
    with pytest.warns(BoostingWarning, match="nothing was learnt"):
        model = regressor().fit(np.ones((20, 2)), np.arange(20.0))
    assert model.predict(np.zeros((1, 2))) == pytest.approx([9.5])
    with pytest.warns(BoostingWarning, match="nothing was learnt"):
        labels = classifier().fit(np.ones((20, 2)), np.arange(20) < 5)
    assert labels.predict_proba(np.ones((1, 2))) == pytest.approx(np.array([[0.75, 0.25]]))


def test_every_round_is_recorded() -> None:
    X, z = table(200)
    model = regressor(subsample=1.0, max_features=1.0).fit(X, z)
    assert list(model.history_) == ["t", "loss", "leaves"]
    curve = model.history_["loss"]
    assert all(b < a for a, b in pairwise([np.var(z) / 2, *curve]))
    assert curve[-1] == pytest.approx(mean_squared_error(z, model.predict(X)) / 2)
    assert (model.history_["leaves"] <= 15).all()


@pytest.mark.parametrize("loss", ["poisson", "gamma", "tweedie"])
@pytest.mark.parametrize("scale", [2.0**-20, 2.0**20])
def test_the_unit_of_the_target_does_not_matter(loss: str, scale: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.exp(X[:, 0]) * rng.uniform(0.5, 1.5, 300)
    plain, scaled = (
        GradientBoostingRegressor(loss, n_estimators=100).fit(X, unit * y).score(X, unit * y)
        for unit in (1.0, scale)
    )
    assert plain > 0.7
    assert scaled == pytest.approx(plain, abs=0.03)


def test_scores_of_quantiles_and_with_an_offset() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = X[:, 0] + rng.normal(size=300) / 2
    model = GradientBoostingRegressor("quantile", quantile=[0.2, 0.8], n_estimators=60).fit(X, y)
    pinball = [
        losses.Quantile(level).value(y, model.predict(X)[:, k]).mean()
        / losses.Quantile(level).value(y, np.full(300, np.quantile(y, level))).mean()
        for k, level in enumerate((0.2, 0.8))
    ]
    assert model.score(X, y) == pytest.approx(1 - np.mean(pinball), abs=1e-6)
    assert list(model.staged_score(X, y))[-1] == model.score(X, y)
    offset = rng.normal(size=300)
    known = GradientBoostingRegressor(n_estimators=60).fit(X, y + offset, offset=offset)
    assert known.score(X, y + offset, offset=offset) > known.score(X, y + offset) + 0.2
    labels = y > 0
    told = GradientBoostingClassifier(n_estimators=9).fit(X, labels)
    assert list(told.staged_score(X, labels))[-1] == told.score(X, labels)


def test_a_quantile_for_another_loss_is_doubted() -> None:
    X = np.arange(20.0)[:, None]
    with pytest.warns(BoostingWarning, match=r"quantile=0.9 is set, but loss='squared_error'"):
        GradientBoostingRegressor(quantile=0.9, n_estimators=2).fit(X, X[:, 0])


def test_rounds_that_were_found_are_told_so() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    model = GradientBoostingRegressor(n_iter_no_change=3).fit(X, X[:, 0])
    assert model.stop_reason_ == "the rounds that folds found best were played"


def test_what_newcomers_are_told() -> None:
    rng = np.random.default_rng(0)
    A, whole = rng.normal(size=(300, 2)), np.round(rng.normal(size=300) * 30)
    with pytest.warns(DataWarning, match=r"different floats, all whole.* take a regressor"):
        GradientBoostingClassifier(n_estimators=1).fit(A, whole)
    for texts in (whole.astype(str), whole.astype(str).tolist()):
        with pytest.raises(ValueError, match=r"this is a text: pass y.astype\(float\)"):
            GradientBoostingRegressor(n_estimators=1).fit(A, texts)
    with pytest.raises(ValueError, match="Did you mean 'roc_auc'"):
        GradientBoostingRegressor(n_estimators=1, scoring="roc-auc").fit(A, whole)
    with pytest.raises(TypeError, match="CalibratedClassifierCV") as found:
        GradientBoostingClassifier(calibrate="slope")
    assert "max_features" not in str(found.value)
    with pytest.raises(ValueError, match="must be one of 'auto', None"):
        RandomForestClassifier(calibrate="slope").fit(A, whole > 0)


def test_rules_say_of_what_the_scores_start() -> None:
    X = np.arange(40.0)[:, None]
    y = np.where(np.arange(40) < 10, "ill", "well")
    model = GradientBoostingClassifier(n_estimators=2).fit(X, y)
    assert model.explain(X[:1]).scale == "log-odds of well"
    assert model.rules(1).note == "every score starts at 1.099 (log-odds of well)"  # ln 3
    numbers = GradientBoostingRegressor(n_estimators=2).fit(X, X[:, 0] + 1)
    assert numbers.rules().note == "every score starts at 20.5 (prediction)"


def test_a_wrong_learning_rate_is_told_of_auto() -> None:
    X = np.arange(40.0)[:, None]
    with pytest.raises(TypeError, match=r"at most 1e\+06, or 'auto'"):
        GradientBoostingRegressor(learning_rate="abc").fit(X, X[:, 0])
