"""Votes that stop early by rows that ``groups`` and ``cv`` hold out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import GroupKFold, TimeSeriesSplit

from weaklearn import AdaBoostClassifier, AdaBoostRegressor, AnyBoostClassifier

RNG = np.random.default_rng(0)
GROUPS = np.repeat(np.arange(40), 8)
X = RNG.normal(size=(40, 5))[GROUPS] + RNG.normal(size=(320, 5)) / 20
Y = RNG.integers(0, 2, 40)[GROUPS]


def rows_of(model: Any, **given: Any) -> Any:
    """The rows by which a model stops."""
    seen = []

    def score(model: Any, rows: Any, y: Any) -> float:
        seen.append(rows)
        return float((model.predict(rows) == y).mean())

    model.set_params(scoring=score, early_stopping=True).fit(X, Y, **given)
    return {int(np.flatnonzero((X == row).all(axis=1))[0]) for row in seen[0]}


def test_groups_are_held_out_together() -> None:
    held = rows_of(AdaBoostClassifier(validation_fraction=0.25), groups=GROUPS)
    assert len(held) == 80
    assert {row // 8 for row in held} == {row // 8 for row in held if row % 8 == 0}
    noise = AdaBoostClassifier(n_estimators=300, early_stopping=True, validation_fraction=0.25)
    by_group = noise.fit(X, Y, groups=GROUPS).validation_scores_.max()
    assert by_group < noise.fit(X, Y).validation_scores_.max() - 0.1


def test_the_last_split_is_held_out() -> None:
    for model in (
        AdaBoostClassifier(cv=TimeSeriesSplit(3)),
        AnyBoostClassifier(cv=TimeSeriesSplit(3)),
    ):
        assert rows_of(model) == set(range(240, 320))
    pairs = [(np.arange(100), np.arange(100, 200)), (np.arange(50), np.arange(200, 210))]
    model = AdaBoostClassifier(cv=pairs, n_estimators=5)
    assert rows_of(model) == set(range(200, 210))
    alone = AdaBoostClassifier(n_estimators=5).fit(X[:50], Y[:50])
    assert model.ensemble_.votes[0] == alone.ensemble_.votes[0]


def test_numbers_and_weights_are_divided_with_their_rows() -> None:
    target, weights = X[:, 0] + RNG.normal(size=320), RNG.uniform(1, 2, 320)
    weights[::5] = 0
    cv = GroupKFold(4)
    model = AdaBoostRegressor(cv=cv, early_stopping=True, n_estimators=8).fit(
        X, target, sample_weight=weights, groups=GROUPS
    )
    *_, (learnt, held) = cv.split(X, target, GROUPS)
    given = AdaBoostRegressor(early_stopping=True, n_estimators=8).fit(
        X[learnt], target[learnt], sample_weight=weights[learnt], X_val=X[held],
        y_val=target[held], sample_weight_val=weights[held],
    )  # fmt: skip
    assert model.validation_scores_ == pytest.approx(given.validation_scores_)
    assert model.fingerprint() == given.fingerprint()


@pytest.mark.parametrize(
    ("cv", "groups", "words"),
    [
        (None, np.zeros(320), "one group only"),
        (None, np.arange(3), "groups has shape"),
        (None, Y, "no example of class"),
        ([], None, "gives no splits"),
        ([(np.arange(9), np.arange(5, 12))], None, "must not overlap"),
    ],
)
def test_what_cannot_be_held_out(cv: Any, groups: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        AdaBoostClassifier(early_stopping=True, cv=cv).fit(X, Y, groups=groups)


def test_a_number_of_folds_holds_no_rows_of_votes_out() -> None:
    with pytest.raises(TypeError, match="cv=5 is not allowed"):
        AdaBoostClassifier(cv=5).fit(X, Y)
