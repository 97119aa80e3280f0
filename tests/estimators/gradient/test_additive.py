"""AdditiveBoostingClassifier and AdditiveBoostingRegressor: sums of functions that can be read."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss, mean_squared_error

from tests.samples import same_bits
from weaklearn import AdditiveBoostingClassifier, AdditiveBoostingRegressor, BoostingWarning

pd = pytest.importorskip("pandas")

NAN = float("nan")


def mixed(m: int = 600, seed: int = 0) -> tuple[Any, Any]:
    """Numbers with gaps, a category and a date; a target with one interaction."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(18, 80, m).astype(float),
            "dose": rng.normal(size=m),
            "town": pd.Categorical(rng.choice(["Oslo", "Bergen", "Voss"], m)),
            "seen": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, m), "D"),
            "noise": rng.normal(size=m),
        }
    )
    z = 0.05 * (X["age"] - 45) + 2 * X["dose"] * (X["town"] == "Voss") + 1.0 * (X["dose"] > 0)
    X.loc[rng.random(m) < 0.1, "dose"] = NAN
    return X, (z + 0.5 * rng.normal(size=m)).to_numpy()


def classifier(**given: Any) -> Any:
    return AdditiveBoostingClassifier(**{"n_estimators": 20, "learning_rate": 0.3, **given})


def regressor(**given: Any) -> Any:
    return AdditiveBoostingRegressor(**{"n_estimators": 20, "learning_rate": 0.3, **given})


def same_terms(a: Any, b: Any) -> bool:
    """The same sums of terms, to the bit."""
    one, two = a.ensemble_, b.ensemble_
    if not same_bits(one.intercept, two.intercept) or len(one) != len(two):
        return False
    for s, t in zip(one.terms, two.terms, strict=True):
        alike = [same_bits(s.values, t.values), same_bits(s.low, t.low), same_bits(s.high, t.high)]
        cuts = [(p.cuts, q.cuts) for p, q in zip(s.axes, t.axes, strict=True)]
        alike += [(p is None) == (q is None) and (p is None or same_bits(p, q)) for p, q in cuts]
        if s.features != t.features or not all(alike) or not same_bits(s.counts, t.counts):
            return False
    return True


# --- What the model is ------------------------------------------------------------------------


@pytest.mark.parametrize("classes", [2, 3])
def test_the_score_is_the_sum_of_the_terms_to_the_last_bit(classes: int) -> None:
    X, z = mixed()
    y = np.digitize(z, [0.5] if classes == 2 else [0.0, 1.0])
    model = classifier(pairs=[("dose", "town"), ("age", "noise")]).fit(X, y)
    assert model.pairs_ == [("age", "noise"), ("dose", "town")]
    parts = model.ensemble_.contributions(model._rows(X))
    F = np.tile(model.intercept_, (len(X), 1))
    for k in range(parts.shape[1]):
        F = F + parts[:, k]
    assert same_bits(F, model.ensemble_(model._rows(X)))
    found = model.decision_function(X)
    assert same_bits(F[:, 0] if classes == 2 else F, found)


@pytest.mark.parametrize("weights", [None, "copies", "importances"])
def test_terms_have_no_mean_and_pairs_are_pure(weights: str | None) -> None:
    X, z = mixed()
    rng = np.random.default_rng(5)
    given = None if weights is None else rng.integers(1, 4, len(z))
    w = np.ones(len(z)) if given is None else given.astype(float)
    if weights == "importances":
        given = w = rng.uniform(0.2, 3, len(z))
    model = regressor(pairs=[("dose", "town"), ("age", "dose")]).fit(X, z, given)
    rows, share = model._rows(X), w / w.sum()
    slack = 1e-8 if weights == "importances" else 1e-10  # they are cut to 24 binary digits
    for term in model.ensemble_.terms:
        added = term(rows)[:, 0]
        assert abs((added * share).sum()) < slack
        for axis in term.axes if len(term.axes) == 2 else ():
            cells = axis.places(rows.column(axis.feature))
            means = np.bincount(cells, added * share, axis.n_cells)
            assert np.abs(means).max() < slack
        assert term.counts.sum() == pytest.approx(w.sum() if weights != "importances" else len(z))


def test_it_learns_functions_and_finds_the_pair() -> None:
    X, z = mixed(2000)
    train, test = slice(0, 1500), slice(1500, None)
    model = AdditiveBoostingRegressor().fit(X[train], z[train])
    assert ("dose", "town") in model.pairs_
    error = mean_squared_error(z[test], model.predict(X[test]))
    assert error < 0.65  # the noise and what missing doses hide are 0.4
    alone = AdditiveBoostingRegressor(n_pairs=0).fit(X[train], z[train])
    assert alone.pairs_ == []
    assert mean_squared_error(z[test], alone.predict(X[test])) > 1.5 * error
    sizes = dict(zip(X.columns, model.feature_importances_, strict=True))
    assert sizes["noise"] < 0.1 < sizes["age"]
    assert sum(sizes.values()) == pytest.approx(1)
    assert model.oob_score_ == pytest.approx(model.score(X[test], z[test]), abs=0.05)


def test_an_additive_target_needs_no_pairs() -> None:
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 2, (1500, 4))
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 2 + 0.3 * rng.normal(size=1500)
    model = AdditiveBoostingRegressor(n_pairs=10).fit(X, y)
    assert len(model.pairs_) <= 1
    grid = np.linspace(-1.8, 1.8, 50)
    at = np.zeros((50, 4))
    at[:, 0] = grid
    parts = model.ensemble_.contributions(model._rows(at))[:, 0, 0]
    truth = np.sin(2 * grid)
    off = (parts - parts.mean()) - (truth - truth.mean())
    assert np.sqrt((off**2).mean()) < 0.12


def test_bands_hold_the_truth() -> None:
    inside = []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X = rng.uniform(-2, 2, (800, 2))
        y = np.sin(2 * X[:, 0]) + 0.5 * X[:, 1] + 0.3 * rng.normal(size=800)
        term = AdditiveBoostingRegressor(n_pairs=0).fit(X, y).ensemble_.terms[0]
        assert term.axes[0].cuts is not None
        edges = np.concatenate([[-2.0], term.axes[0].cuts, [2.0]])
        middle = (edges[1:] + edges[:-1]) / 2
        truth = np.sin(2 * middle)
        mass = term.counts[:-1] / term.counts[:-1].sum()
        truth -= (truth * mass).sum()
        held = (term.low[:-1, 0] <= truth) & (truth <= term.high[:-1, 0])
        inside.append((held * mass).sum())
    assert 0.8 < np.mean(inside)


# --- Determinism ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["two classes", "three classes", "numbers"])
def test_neither_order_nor_threads_nor_copies_matter(kind: str) -> None:
    X, z = mixed(300)
    y = z if kind == "numbers" else np.digitize(z, [0.5] if kind == "two classes" else [0.0, 1.0])
    build = regressor if kind == "numbers" else classifier
    model = build(n_jobs=1, n_estimators=8).fit(X, y)
    order = np.random.default_rng(1).permutation(300)
    again = build(n_jobs=3, n_estimators=8).fit(X.iloc[order], y[order])
    assert same_terms(model, again)
    counts = np.random.default_rng(2).integers(0, 4, 300)
    many = np.repeat(np.arange(300), counts)
    weighted = build(n_estimators=8).fit(X, y, counts)
    repeated = build(n_estimators=8).fit(X.iloc[many], y[many])
    assert same_terms(weighted, repeated)


@pytest.mark.parametrize("seed", [22, 37, 106])
def test_pairs_with_a_category_are_those_of_copies(seed: int) -> None:
    """Pairs were found with copies that were not found with weights, and the other way round."""
    rng = np.random.default_rng(seed)
    m = int(rng.integers(80, 300))
    kind, x = rng.choice(list("abcdefgh"), m), rng.normal(size=m).round(1)
    few = rng.integers(0, 4, m).astype(float)
    X = pd.DataFrame({"kind": pd.Categorical(kind), "x": x, "few": few})
    score = 2 * x * np.isin(kind, ["a", "b"]) + (few - 1.5) * (kind < "d")
    y = (score + rng.normal(size=m) * 0.7 > 0).astype(int)
    counts = rng.integers(1, 4, m)
    many = np.repeat(np.arange(m), counts)
    build = partial(classifier, n_estimators=15, n_bags=3, learning_rate=0.3, random_state=seed)
    weighted = build().fit(X, y, counts)
    repeated = build().fit(X.iloc[many], y[many])
    assert weighted.pairs_ == repeated.pairs_
    assert same_terms(weighted, repeated)
    scores = weighted.oob_decision_function_[many]
    assert scores.tobytes() == repeated.oob_decision_function_.tobytes()


def test_pickles_and_clones() -> None:
    X, z = mixed(300)
    model = regressor().fit(X, z)
    loaded = pickle.loads(pickle.dumps(model))
    assert same_bits(loaded.predict(X), model.predict(X))
    assert same_terms(clone(model).fit(X, z), model)


# --- Losses, constraints, parameters ------------------------------------------------------------


@pytest.mark.parametrize(
    "loss", ["squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie"]
)
def test_every_loss_of_numbers(loss: str) -> None:
    X, z = mixed()
    y = np.exp(z / 2) if loss in ("poisson", "gamma", "tweedie") else z
    model = regressor(loss=loss).fit(X, y)
    assert model.score(X, y) > 0.2


def test_several_quantiles_do_not_cross() -> None:
    X, z = mixed()
    found = regressor(loss="quantile", quantile=[0.1, 0.5, 0.9]).fit(X, z).predict(X)
    assert (np.diff(found, axis=1) >= 0).all()


def test_an_offset_is_added_to() -> None:
    X, z = mixed()
    rng = np.random.default_rng(0)
    exposure = rng.uniform(0.1, 5, len(z))
    y = rng.poisson(exposure * np.exp(z / 3))
    model = regressor(loss="poisson").fit(X, y, offset=np.log(exposure))
    with_offset = model.predict(X, offset=np.log(exposure))
    assert np.corrcoef(with_offset, exposure * np.exp(z / 3))[0, 1] > 0.9
    assert with_offset == pytest.approx(model.predict(X) * exposure)


def test_monotone_columns_rise_whatever_the_others_are() -> None:
    X, z = mixed(1000)
    model = regressor(monotonic_cst={"age": 1}, pairs=[("age", "dose")], n_estimators=60).fit(X, z)
    at = X.iloc[:40].copy()
    found = []
    for age in range(15, 85, 2):
        at["age"] = float(age)
        found.append(model.predict(at))
    assert (np.diff(found, axis=0) >= -1e-9).all()
    assert np.ptp(found) > 1


def test_missing_values_that_training_had_not_say_nothing() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    model = regressor().fit(X, X[:, 0])
    away = np.array([[NAN, NAN]])
    assert model.predict(away)[0] == pytest.approx(model.intercept_[0])


def test_one_class_one_row_one_value() -> None:
    X, _z = mixed(50)
    one = classifier().fit(X, np.full(50, "yes"))
    assert (one.predict(X) == "yes").all()
    assert len(one.ensemble_) == 0
    with pytest.warns(BoostingWarning, match="nothing was learnt"):
        flat = regressor().fit(np.ones((30, 2)), np.arange(30.0))
    assert flat.predict(np.ones((1, 2)))[0] == pytest.approx(14.5)
    tiny = AdditiveBoostingRegressor().fit([[1.0], [2.0], [3.0]], [1.0, 2.0, 3.0])
    assert np.isfinite(tiny.predict([[2.0]])).all()


def test_more_pairs_than_there_are() -> None:
    X, z = mixed(300)
    model = regressor(n_pairs=1000).fit(X, z)
    assert len(model.pairs_) <= 10


def test_a_pair_of_many_levels_has_a_right_answer() -> None:
    rng = np.random.default_rng(0)
    m = 3000
    X = pd.DataFrame({c: [f"{c}{k}" for k in rng.integers(0, 1000, m)] for c in "ab"})
    X["x"] = rng.normal(size=m)
    y = X["x"].to_numpy() + 0.1 * rng.normal(size=m)
    model = regressor(pairs=[("a", "b")]).fit(X, y)
    assert model.score(X, y) > 0.9


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"n_pairs": -1}, "n_pairs"),
        ({"n_bags": 0}, "n_bags"),
        ({"learning_rate": "auto"}, "learning_rate"),
        ({"max_leaf_nodes": 1}, "max_leaf_nodes"),
        ({"max_leaf_nodes": None}, "max_leaf_nodes"),
        ({"pairs": "age"}, "pairs"),
        ({"pairs": [("age",)]}, "two columns"),
        ({"pairs": [("age", "age")]}, "no pair"),
        ({"pairs": [("age", "does")]}, "dose"),
        ({"pairs": [(0, 9)]}, "9"),
    ],
)
def test_what_cannot_be_is_named(given: Any, said: str) -> None:
    X, z = mixed(60)
    with pytest.raises(ValueError, match=said):
        regressor(**given).fit(X, z)


def test_bags() -> None:
    X, z = mixed(400)
    single = regressor(n_bags=1).fit(X, z)
    assert all(same_bits(term.low, term.high) for term in single.ensemble_.terms)
    several = regressor(n_bags=3).fit(X, z)
    assert any((term.high > term.low).any() for term in several.ensemble_.terms)
    assert len(several.oob_prediction_) == 400


def test_untuned_it_does_well() -> None:
    from sklearn.datasets import load_breast_cancer

    X, y = load_breast_cancer(return_X_y=True)
    model = AdditiveBoostingClassifier().fit(X[:400], y[:400])
    assert log_loss(y[400:], model.predict_proba(X[400:])) < 0.12
    assert model.oob_loss_ < 0.13
    assert model.oob_score_ >= 0.95


def test_an_interrupt_keeps_what_was_learnt(monkeypatch: Any) -> None:
    from weaklearn.estimators.gradient.folds import SideBySide

    X, z = mixed(300)
    whole = SideBySide.round

    def interrupted(self: Any, sample: Any, learn: Any, state: int) -> Any:
        if state == 7:
            raise KeyboardInterrupt
        return whole(self, sample, learn, state)

    monkeypatch.setattr(SideBySide, "round", interrupted)
    model = regressor(n_estimators=50)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, z)
    monkeypatch.undo()
    assert same_terms(model, regressor(n_estimators=7, n_pairs=0).fit(X, z))


def test_a_fit_that_fails_at_its_end_leaves_the_model_as_it_was() -> None:
    X, z = mixed(100)
    calls, fails_at = 0, -1

    def value(y: Any, F: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == fails_at:
            raise ArithmeticError("the last judgement")
        return (F - y) ** 2 / 2

    loss = (lambda y, F: F - y, lambda y, F: np.ones(len(y)), value)
    model = regressor(loss=loss, n_estimators=3, n_pairs=0).fit(X, z)
    before, fails_at, calls = dict(model.__dict__), calls, 0
    with pytest.raises(RuntimeError, match="the last judgement"):
        model.fit(X, 2 * z)
    assert model.__dict__.keys() == before.keys()
    assert all(model.__dict__[name] is before[name] for name in before)


def test_progress(capsys: Any) -> None:
    X, z = mixed(100)
    regressor(verbose=1, n_estimators=100).fit(X, z)
    captured = capsys.readouterr()
    assert "out-of-bag loss" in captured.err
    assert captured.out == ""
    regressor().fit(X, z)
    assert capsys.readouterr().err == ""


def test_what_a_certificate_needs_is_told() -> None:
    X = np.arange(80.0)[:, None]
    quick = {"n_estimators": 3, "n_bags": 2}
    classes = AdditiveBoostingClassifier(**quick).fit(X, X[:, 0] > 30)
    assert len(classes.certify()) == 0
    assert "pass X_test and y_test" in str(classes.certify())
    assert "50 of 80 rows were seen" in str(classes.certify(X_test=X + 30, y_test=X[:, 0] > 0))
    assert classes.certify(X_test=X + 0.5, y_test=X[:, 0] > 30)[0].id == "test-exact"
    numbers = AdditiveBoostingRegressor(**quick).fit(X, X[:, 0])
    assert "no theorem here bounds" in str(numbers.certify(X_test=X, y_test=X[:, 0]))


def test_a_certificate_counts_the_offset() -> None:
    X = np.arange(200.0)[:, None] % 50
    y, known = X[:, 0] > 25, np.linspace(-1, 1, 200)
    model = AdditiveBoostingClassifier(n_estimators=5).fit(X, y, offset=known)
    with pytest.raises(ValueError, match="fitted with an offset, and X_test is given without"):
        model.certify(X_test=X, y_test=y)
    assert model.certify(X_test=X + 0.1, y_test=y, offset=known)[0].bound > 0


def test_rows_that_all_bags_learnt_from_have_no_out_of_bag_answer() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.normal(size=200)
    weights = np.repeat([1, 0], 100)
    single = AdditiveBoostingRegressor(n_bags=1, n_estimators=300).fit(X, y)
    known = ~np.isnan(single.oob_prediction_)
    assert 20 <= known.sum() <= 50
    assert single.oob_score_ < 0.3 < single.score(X, y)
    several = regressor().fit(X, y, weights)
    assert len(several.oob_prediction_) == 200
    assert np.isnan(several.oob_prediction_).tolist() == [False] * 100 + [True] * 100


def test_a_class_of_one_example_is_rare_not_impossible() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), np.arange(300) == 7
    rare = AdditiveBoostingClassifier().fit(X, y).predict_proba(X)[:, 1].mean()
    assert 1e-3 < rare < 1e-2


def test_many_weak_pairs_are_learnt_unless_a_number_is_given() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (1100, 6)).astype(float)
    signs = rng.choice([-1.0, 1.0], (6, 6))
    alike = X[:, :, None] == X[:, None, :]
    y = (np.triu(signs, 1) * alike).sum(axis=(1, 2)) + 0.5 * rng.normal(size=len(X))
    auto, strict = (
        AdditiveBoostingRegressor(n_pairs=n).fit(X[:600], y[:600]) for n in ("auto", 10)
    )
    assert len(auto.pairs_) == 15 > len(strict.pairs_)
    assert auto.score(X[600:], y[600:]) > 0.9 > strict.score(X[600:], y[600:])


def test_defaults_by_size_are_those_of_the_docstring() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10_000, 2))
    y = X[:, 0] + X[:, 1] + 0.1 * rng.normal(size=len(X))
    few = AdditiveBoostingRegressor(n_estimators=1, n_bags=1, n_pairs=0).fit(X[1:], y[1:])
    many = AdditiveBoostingRegressor(n_estimators=1, n_bags=1, n_pairs=0).fit(X, y)
    assert [term.axes[0].n_cells - 1 for term in few.ensemble_.terms] == [3]
    assert [term.axes[0].n_cells - 1 for term in many.ensemble_.terms] == [24]


def test_only_the_true_pair_is_found() -> None:
    found = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(1000, 6))
        y = X[:, 0] * X[:, 1] + X[:, 2] + 0.5 * rng.normal(size=1000)
        found.append(AdditiveBoostingRegressor(n_pairs=10).fit(X, y).pairs_)
    assert all((0, 1) in pairs for pairs in found)
    assert sum(map(len, found)) <= 6
