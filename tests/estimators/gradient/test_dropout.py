"""Dropout of rounds: every round against its definition, and the stages of a model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weaklearn import GradientBoostingClassifier, GradientBoostingRegressor, load
from weaklearn.boosters.dropout import Dropout

_M = 300
_RNG = np.random.default_rng(1)
X = _RNG.normal(size=(_M, 4)).round(2)
z = X[:, 0] + (X[:, 1] > 0.5) - X[:, 2] * (X[:, 3] > 0) + _RNG.normal(size=_M) / 2
three = np.digitize(z, [-0.5, 0.8])


def numbers(**how: Any) -> GradientBoostingRegressor:
    plain = {"n_estimators": 20, "dropout": 0.3, "learning_rate": 0.2}
    return GradientBoostingRegressor(**{**plain, **how})


def test_every_round_is_its_definition() -> None:
    model = numbers(subsample=1.0).fit(X, z)
    trees, leaves = model.ensemble_.trees, model.apply(X)
    answers = [tree.values[leaves[:, t], 0] for t, tree in enumerate(trees)]
    votes: list[float] = []
    several = 0
    for t, tree in enumerate(trees):
        left = Dropout(0.3, 0.2, model._seed).left_out(t).tolist()
        several += len(left) > 1
        without = [0.0 if s in left else vote for s, vote in enumerate(votes)]
        F = z.mean() + sum((v * h for v, h in zip(without, answers, strict=False)), np.zeros(_M))
        for leaf in np.flatnonzero(tree.is_leaf):
            inside = leaves[:, t] == leaf
            step = (z - F)[inside].sum() / (inside.sum() + 1)
            assert tree.values[leaf, 0] == pytest.approx(step, rel=1e-6, abs=1e-8)
        k = len(left)
        votes = [v * k / (k + 1) if s in left else v for s, v in enumerate(votes)]
        votes.append(0.2 / (k + 1))
    assert several > 3
    assert model.ensemble_.votes == pytest.approx(votes, rel=1e-12)


def test_stages_are_the_model_after_so_many_rounds() -> None:
    model = numbers().fit(X, z)
    stages = list(model.staged_predict(X))
    for n, (stage, loss) in enumerate(zip(stages, model.history_["loss"], strict=True), start=1):
        assert np.mean((z - stage) ** 2) / 2 == pytest.approx(loss, rel=1e-9)
        short = numbers(n_estimators=n).fit(X, z)
        assert (short.predict(X) == stage).all()
        first = model.truncate(n)
        assert (first.predict(X) == stage).all()
        assert (next(first.staged_predict(X)) == stages[0]).all()
    assert (stages[-1] == model.predict(X)).all()
    moves = np.array([row[2] for row in model.rules(1)])
    assert abs(moves).max() == pytest.approx(abs(0.2 * model.ensemble_.trees[0].values).max())


def test_no_dropout_is_the_model_without(tmp_path: Any) -> None:
    plain = numbers(dropout=0.0).fit(X, z)
    assert (
        plain.fingerprint()
        == GradientBoostingRegressor(n_estimators=20, learning_rate=0.2).fit(X, z).fingerprint()
    )
    model = GradientBoostingClassifier(n_estimators=9, dropout=0.5).fit(X, three)
    model.save(tmp_path / "model.weak")
    loaded = load(tmp_path / "model.weak")
    pairs = zip(loaded.staged_predict_proba(X), model.staged_predict_proba(X), strict=True)
    assert all((a == b).all() for a, b in pairs)
    again = model.set_params(dropout=0.0).fit(X, three)  # forgets what it had been
    assert (list(again.staged_predict(X))[-1] == again.predict(X)).all()
    assert again._dropping is None


@pytest.mark.parametrize("held", [False, True])
def test_early_stopping_keeps_the_best_stage(held: bool) -> None:
    model = numbers(n_estimators=60, early_stopping=True, n_iter_no_change=5, learning_rate=0.5)
    if held:
        model.fit(X, z)
    else:
        model.fit(X[::2], z[::2], X_val=X[1::2], y_val=z[1::2])
    losses = model.validation_losses_
    assert model.n_iter_ == losses.argmin() < len(losses) - 1
    if not held:
        found = [np.mean((z[1::2] - F) ** 2) / 2 for F in model.staged_predict(X[1::2])]
        assert losses[1 : model.n_iter_ + 1] == pytest.approx(found, rel=1e-9)


def test_what_does_not_go_with_dropout() -> None:
    with pytest.raises(ValueError, match=r"dropout=0.3 needs a number of rounds: set n_estimators"):
        numbers(n_estimators="auto").fit(X, z)
    model = numbers(n_estimators=3, warm_start=True).fit(X, z)
    for dropout in (0.3, 0.0):
        with pytest.raises(ValueError, match="warm_start=True does not go on"):
            model.set_params(n_estimators=5, dropout=dropout).fit(X, z)
