"""RankBoost as an estimator: grades, groups, pairs, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from weaklearn import RankBoost, load

RNG = np.random.default_rng(3)
X = RNG.normal(size=(200, 4))
GRADE = np.digitize(X[:, 0] + 0.5 * X[:, 1] + 0.3 * RNG.normal(size=200), [-0.7, 0.0, 0.7])
GROUP = RNG.integers(0, 12, 200)


def model(**settings: Any) -> RankBoost:
    return RankBoost(**({"n_estimators": 15} | settings))


def test_scores_are_the_area_under_the_curve() -> None:
    fitted = model().fit(X, GRADE > 1)
    assert fitted.score(X, GRADE > 1) == pytest.approx(roc_auc_score(GRADE > 1, fitted.predict(X)))
    assert fitted.score(X, GRADE > 1) > 0.9


def test_groups_are_compared_within() -> None:
    """A shift of whole groups changes nothing: only items of one group are compared."""
    shifted = GRADE + 100 * GROUP
    plain, moved = model().fit(X, GRADE, group=GROUP), model().fit(X, shifted, group=GROUP)
    assert plain.predict(X).tobytes() == moved.predict(X).tobytes()
    assert plain.predict(X).tobytes() != model().fit(X, GRADE).predict(X).tobytes()
    named = np.array([f"query {g:02d}" for g in GROUP])
    assert model().fit(X, GRADE, group=named).fingerprint() == plain.fingerprint()


def test_order_threads_and_copies_do_not_matter(tmp_path: Any) -> None:
    copies = RNG.integers(0, 3, 200)
    weighted = model().fit(X, GRADE, group=GROUP, sample_weight=copies)
    rows = RNG.permutation(np.repeat(np.arange(200), copies))
    spelt = model(n_jobs=1).fit(X[rows], GRADE[rows], group=GROUP[rows])
    assert weighted.fingerprint() == spelt.fingerprint()
    weighted.save(tmp_path / "order.weak")
    again = load(tmp_path / "order.weak")
    assert again.predict(X).tobytes() == weighted.predict(X).tobytes()


def test_pairs_of_dropped_items_do_not_count() -> None:
    pairs = [(0, 1), (2, 1), (3, 4)]
    weight = np.r_[1, 1, 1, 0, np.ones(196)]
    kept = np.flatnonzero(weight)
    fitted = model().fit(X, pairs=pairs, sample_weight=weight)
    assert fitted.fingerprint() == model().fit(X[kept], pairs=pairs[:2]).fingerprint()


def test_a_pair_twice_is_a_pair_of_weight_two() -> None:
    twice = model().fit(X, pairs=[(0, 1), (0, 1), (2, 3), (3, 2)])
    once = model().fit(X, pairs=[(0, 1), (2, 3), (3, 2)], pair_weight=[2, 1, 1])
    assert twice.history_["r"].tobytes() == once.history_["r"].tobytes()
    assert twice.history_["rank_loss"].min() >= 0.25  # two pairs contradict each other


def test_warm_start_goes_on() -> None:
    straight = model(n_estimators=12).fit(X, GRADE, group=GROUP)
    resumed = model(n_estimators=5, warm_start=True).fit(X, GRADE, group=GROUP)
    resumed.set_params(n_estimators=12).fit(X, GRADE, group=GROUP)
    assert resumed.fingerprint() == straight.fingerprint()


def test_early_stopping_looks_at_pairs_in_order() -> None:
    settings = {"n_estimators": 400, "early_stopping": True, "n_iter_no_change": 5}
    noise = RNG.integers(0, 2, 200)
    stopped = model(**settings).fit(X, noise, group=GROUP)
    assert stopped.n_iter_ < 400
    judged = model(**settings).fit(X, GRADE, X_val=X, y_val=GRADE, group_val=GROUP)
    own = judged.score(X, GRADE, group=GROUP)
    assert judged.validation_scores_.max() == pytest.approx(own, abs=1e-12)


def test_the_certificate_holds_and_stages_end_in_the_model() -> None:
    fitted = model().fit(X, GRADE, group=GROUP)
    (certificate,) = fitted.certify()
    assert certificate.holds
    assert certificate.bound < 1
    assert list(fitted.staged_predict(X))[-1].tobytes() == fitted.predict(X).tobytes()
    assert "up" in str(fitted.rules(2))
    assert len(fitted.estimators_) == fitted.n_iter_


@pytest.mark.parametrize(
    "given",
    [
        {"y": GRADE, "group": GROUP},
        {"y": GRADE, "sample_weight": np.arange(200) % 3},
        {"pairs": [(0, 1), (2, 3), (3, 2)], "pair_weight": [2, 1, 1]},
    ],
)
def test_the_certificate_is_recomputed_on_the_rows_of_fit(given: dict[str, Any]) -> None:
    fitted = model().fit(X, **given)
    (recorded,), (found,) = fitted.certify(), fitted.certify(X, **given, delta=0.1)
    assert found.holds
    assert found.observed == pytest.approx(recorded.observed, abs=1e-12)
    assert "mean exponential loss of the pairs" in found.checked[0]
    (other,) = fitted.certify(-X, **given)
    assert not other.applies
    assert "these are not the pairs of training" in other.verdict


def test_rows_held_out_are_no_pairs_of_training() -> None:
    fitted = model(n_estimators=9, early_stopping=True).fit(X, GRADE)
    assert fitted.certify(X, GRADE)[0].holds
    assert fitted.certify(X, GRADE, X, GRADE)[0].holds  # test rows are taken as elsewhere


def test_a_certificate_needs_the_rows_of_its_grades() -> None:
    fitted = model().fit(X, GRADE)
    with pytest.raises(ValueError, match="y is given without X"):
        fitted.certify(y=GRADE)
    with pytest.raises(ValueError, match="pass grades, or pairs="):
        fitted.certify(X)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"y": None}, "pass grades, or pairs="),
        ({"y": GRADE, "pairs": [(0, 1)]}, "y is given with pairs"),
        ({"pairs": [(0, 1)], "group": GROUP}, "group is given with pairs"),
        ({"pairs": [(3, 3)]}, "prefers row 3 to itself"),
        ({"pairs": [(0, 200)]}, "X has 200 rows"),
        ({"pairs": [(-1, 2)]}, "X has 200 rows"),
        ({"pairs": []}, "two row numbers"),
        ({"pairs": np.zeros((0, 2), int)}, "nothing to learn"),
        ({"pairs": [(0, 1)], "pair_weight": [-1.0]}, r"pair_weight\[0\] is -1"),
        ({"pairs": [(0, 1)], "pair_weight": [0.0]}, "nothing to learn"),
        ({"y": GRADE, "pair_weight": [1.0]}, "pair_weight is given without pairs"),
        ({"y": np.ones(200)}, "no group holds two grades"),
        ({"y": GRADE, "group": np.arange(200)}, "no group holds two grades"),
        ({"y": GRADE, "group": GROUP[:5]}, "one id per row"),
        ({"y": GRADE, "group": [100, 100]}, "np.repeat"),
        ({"y": GRADE, "group": [None, *GROUP[1:].tolist()]}, "missing in row 0"),
        ({"y": np.r_[np.nan, GRADE[1:]]}, "NaN"),
    ],
)
def test_what_cannot_be_learnt_from_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        model().fit(X, given.pop("y", None), **given)
    with pytest.raises(ValueError, match="smoothing=-1"):
        model(smoothing=-1).fit(X, GRADE)


def test_grades_in_words_are_told_to_be_numbers() -> None:
    X = np.arange(4.0)[:, None]
    words = "y has type <U4; grades must be numbers, larger where better"
    with pytest.raises(ValueError, match=words):
        model().fit(X, np.array(["bad", "good", "bad", "good"]))
    mixed = np.array([0, "good", 1, 2], object)
    with pytest.raises(ValueError, match=r"y\[1\] is 'good'; grades must be numbers"):
        model().fit(X, mixed)


def test_pairs_may_come_from_a_generator() -> None:
    X = np.arange(6.0)[:, None]
    listed = model().fit(X, pairs=[(k, k + 1) for k in range(5)])
    told = model().fit(X, pairs=((k, k + 1) for k in range(5)))
    assert told.predict(X).tobytes() == listed.predict(X).tobytes()
