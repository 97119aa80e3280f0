"""GradientBoostingRanker: what it promises of queries, weights, order, files and bad input."""

from __future__ import annotations

import re

import numpy as np
import pytest

import weaklearn as wl
from weaklearn import GradientBoostingRanker, metrics, runtime


def same_bytes(one, other) -> bool:
    return bool(one.tobytes() == other.tobytes())


def world(n_queries: int = 60, n_items: int = 10, seed: int = 0):
    rng = np.random.default_rng(seed)
    n = n_queries * n_items
    X, qid = rng.normal(size=(n, 4)), np.repeat(np.arange(n_queries), n_items)
    X[rng.random(n) < 0.1, 3] = np.nan
    y = np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + 0.3 * rng.normal(size=n), [0, 1, 2])
    return X, y, qid


@pytest.mark.parametrize("metric", ["ndcg@5", "ndcg", "map", "mrr@3"])
def test_it_learns_an_order(metric: str) -> None:
    X, y, qid = world()
    model = GradientBoostingRanker(metric=metric, n_estimators=30).fit(X, y, qid=qid)
    blank = GradientBoostingRanker(metric=metric, n_estimators=1, learning_rate=1e-9)
    assert model.score(X, y, qid=qid) > blank.fit(X, y, qid=qid).score(X, y, qid=qid) + 0.01
    assert model.history_["loss"][-1] == pytest.approx(1 - model.score(X, y, qid=qid))
    assert list(model.staged_score(X, y, qid=qid))[-1] == model.score(X, y, qid=qid)
    functions = {
        "ndcg": metrics.ndcg,
        "map": metrics.mean_average_precision,
        "mrr": metrics.mean_reciprocal_rank,
    }
    name, _, k = metric.partition("@")
    theirs = functions[name](y, model.predict(X), k=int(k) if k else None, group=qid)
    assert model.score(X, y, qid=qid) == theirs


@pytest.mark.parametrize("settings", [{}, {"subsample": 0.6}, {"n_estimators": "auto"}])
def test_order_of_rows_ids_and_threads_change_no_bit(settings) -> None:
    X, y, qid = world()
    settings: dict[str, object] = {"n_estimators": 15, "n_jobs": 1} | settings
    first = GradientBoostingRanker(**settings).fit(X, y, qid=qid)
    order = np.random.default_rng(1).permutation(len(y))
    ids = [("query", 7 * number % 61) if number % 2 else f"q{number}" for number in qid[order]]
    again = GradientBoostingRanker(**settings | {"n_jobs": 2}).fit(X[order], y[order], qid=ids)
    assert same_bytes(first.predict(X), again.predict(X))
    assert first.history_["loss"].tolist() == again.history_["loss"].tolist()


@pytest.mark.parametrize(
    "settings",
    [{}, {"subsample": 0.6}, {"n_estimators": "auto"}, {"early_stopping": True}],
)
def test_a_weight_is_so_many_copies_of_the_query(settings) -> None:
    X, y, qid = world(40)
    k = np.random.default_rng(2).integers(0, 4, 40)
    settings = {"n_estimators": 15} | settings
    weighted = GradientBoostingRanker(**settings).fit(X, y, k[qid], qid=qid)
    rows = [np.flatnonzero(qid == q) for q in range(40) for _ in range(k[q])]
    ids = np.repeat(np.arange(len(rows)), 10)
    rows = np.concatenate(rows)
    copied = GradientBoostingRanker(**settings).fit(X[rows], y[rows], qid=ids)
    assert same_bytes(weighted.predict(X), copied.predict(X))
    assert weighted.score(X, y, k[qid], qid=qid) == copied.score(X[rows], y[rows], qid=ids)


def test_weights_of_one_size_make_no_difference() -> None:
    X, y, qid = world()
    plain = GradientBoostingRanker(n_estimators=5).fit(X, y, qid=qid)
    same = GradientBoostingRanker(n_estimators=5).fit(X, y, np.full(len(y), 0.3), qid=qid)
    assert same_bytes(plain.predict(X), same.predict(X))


def test_validation_queries_choose_the_rounds() -> None:
    X, y, qid = world(120)
    there = qid < 60
    given = {"X_val": X[~there], "y_val": y[~there], "qid_val": qid[~there]}
    model = GradientBoostingRanker(learning_rate=0.3).fit(
        X[there], y[there], qid=qid[there], **given
    )
    assert model.n_iter_ == max(1, int(np.argmin(model.validation_losses_)))
    found = model.score(X[~there], y[~there], qid=qid[~there])
    assert 1 - model.validation_losses_.min() == pytest.approx(found)
    named = {name: {"far": value} for name, value in given.items()}
    several = GradientBoostingRanker(n_estimators=3).fit(
        X[there], y[there], qid=qid[there], **named
    )
    assert "far_loss" in several.history_


def test_warm_start_is_one_fit() -> None:
    X, y, qid = world()
    whole = GradientBoostingRanker(n_estimators=12).fit(X, y, qid=qid)
    part = GradientBoostingRanker(n_estimators=5, warm_start=True).fit(X, y, qid=qid)
    part.set_params(n_estimators=12).fit(X, y, qid=qid)
    assert same_bytes(whole.predict(X), part.predict(X))
    with pytest.raises(ValueError, match="another loss"):
        part.set_params(metric="map", n_estimators=14).fit(X, y, qid=qid)


def test_files_runtime_contributions_constraints_and_export(tmp_path) -> None:
    X, y, qid = world()
    model = GradientBoostingRanker(n_estimators=8, monotonic_cst=[1, 0, 0, 0])
    model.fit(X, y, qid=qid)
    model.save(tmp_path / "model.weak")
    for again in (wl.load(tmp_path / "model.weak"), runtime.load(tmp_path / "model.weak")):
        assert same_bytes(again.predict(X), model.predict(X))
    assert np.allclose(model.explain(X[:20]).scores, model.predict(X[:20]))
    assert "double" in model.to_c()
    line = np.zeros((30, 4))
    line[:, 0] = np.linspace(-2, 2, 30)
    assert (np.diff(model.predict(line)) >= 0).all()


def test_clicks_are_freed_of_positions() -> None:
    rng = np.random.default_rng(3)
    X, y, qid = world(400)
    position = np.tile(np.arange(1, 11), 400)
    clicks = ((y > 0) & (rng.random(len(y)) < 1 / position)).astype(int)
    model = GradientBoostingRanker(n_estimators=20).fit(X, clicks, qid=qid, position=position)
    clicked, passed = model.position_bias_
    assert clicked[0] == passed[0] == 1
    assert clicked[-1] < 0.6 < clicked[1]
    order = rng.permutation(len(y))
    again = GradientBoostingRanker(n_estimators=20, n_jobs=1).fit(
        X[order], clicks[order], qid=qid[order], position=position[order]
    )
    assert same_bytes(again.predict(X), model.predict(X))
    assert same_bytes(again.position_bias_, model.position_bias_)
    model.fit(X, clicks, qid=qid)
    assert "position_bias_" not in vars(model)


X, Y, QID = world(6)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "qid is missing: pass one id per row"),
        ({"qid": QID[:-1]}, "qid has shape (59,) and X has 60 rows"),
        ({"qid": [10] * 6}, "For sizes of queries, pass np.repeat(np.arange(6), qid)"),
        ({"qid": np.arange(6)}, "one id per row, not one per query"),
        ({"qid": np.arange(60)}, "qid names 60 queries, one for each row"),
        ({"qid": np.where(QID == 2, np.nan, QID)}, "qid is missing in row 20"),
        ({"qid": QID, "y": -Y}, "which is no grade: grades are whole numbers from 0"),
        ({"qid": QID, "y": Y + 0.5}, "np.unique(y, return_inverse=True)[1]"),
        ({"qid": QID, "y": 0 * Y}, "no query holds two grades"),
        ({"qid": QID, "position": QID}, "position[0] is 0; positions are whole numbers from 1"),
        ({"qid": QID, "position": [1]}, "position has shape (1,)"),
        ({"qid": QID, "position": np.full(60, 1001)}, "position[0] is 1001"),
        ({"qid": QID, "sample_weight": np.arange(60)}, "sample_weight differs within a query"),
        ({"qid": QID, "X_val": X, "y_val": Y}, "qid_val is missing"),
        ({"qid": QID, "X_val": X, "y_val": -Y, "qid_val": QID}, "y_val["),
    ],
)
def test_bad_input_is_told(given, said) -> None:
    model = GradientBoostingRanker(n_estimators=2)
    with pytest.raises(ValueError, match=re.escape(said)):
        model.fit(**{"X": X, "y": Y} | given)
    assert not hasattr(model, "ensemble_")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"metric": "auc"}, "metric='auc' is not allowed: it must be 'ndcg'"),
        ({"loss": "log_loss"}, "loss='log_loss' is not allowed"),
        ({"truncation": 0}, "truncation=0"),
        ({"sigma": 0}, "sigma=0"),
    ],
)
def test_bad_parameters_are_told(settings, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        GradientBoostingRanker(**settings).fit(X, Y, qid=QID)


def test_judging_needs_whole_queries() -> None:
    with pytest.raises(ValueError, match="qid names one query only"):
        GradientBoostingRanker().fit(X, Y, qid=np.zeros(60))
    cut = GradientBoostingRanker(cv=[(np.arange(0, 60, 2), np.arange(1, 60, 2))])
    with pytest.raises(ValueError, match="divides the rows of 6 queries"):
        cut.fit(X, Y, qid=QID)


def test_qid_is_what_others_call_it() -> None:
    with pytest.raises(TypeError, match="called 'qid' here"):
        GradientBoostingRanker().fit(X, Y, group=QID)
    with pytest.raises(TypeError, match="GradientBoostingRanker"):
        wl.GradientBoostingRegressor().fit(X, Y, qid=QID)


def test_importances_by_permutation_take_the_queries() -> None:
    X, y, qid = world(20)
    model = GradientBoostingRanker(n_estimators=10).fit(X, y, qid=qid)
    found = wl.show.importances(model, X, y, by="permutation", qid=qid, n_repeats=2)
    assert found.rows[0][0] == "x[0]"
    with pytest.raises(ValueError, match="qid is missing"):
        wl.show.importances(model, X, y, by="permutation")
