"""Copies of rows do not make a statement stronger, and equal draws may be vouched for."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.theory import bounds
from weaklearn.theory.certificates.code_length import Table, described

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(60, 5)), RNG.integers(0, 2, 60)
FRESH, LABELS = RNG.normal(size=(80, 5)), RNG.integers(0, 2, 80)

TESTED = [
    wl.AdaBoostClassifier(n_estimators=3),
    wl.GradientBoostingClassifier(n_estimators=3),
    wl.DecisionStumpClassifier(),
]


def times(n: int, *arrays: Any) -> list[Any]:
    return [np.repeat(array, n, axis=0) for array in arrays]


@pytest.mark.parametrize("weighted", [False, True])
def test_copies_of_noise_do_not_make_it_a_pattern(weighted: bool) -> None:
    model, plain = (wl.AdaBoostClassifier(n_estimators=12) for _ in range(2))
    rows, weight = (times(2000, X, Y), None) if not weighted else ((X, Y), np.full(60, 2000))
    found = model.fit(*rows, weight).certify(*rows, sample_weight=weight)
    once = plain.fit(X, Y).certify(X, Y)
    for certificate in found.truth:
        twin = once.of(certificate.id)
        assert certificate.applies == twin.applies
        if certificate.applies:
            assert certificate.bound == pytest.approx(twin.bound, rel=0.02)
            assert certificate.vacuous
            assert "m = 60 different of 120000" in certificate.note
            assert any("equal rows are all copies" in words for words in certificate.assumed)
            assert not any("equal rows" in words for words in twin.assumed)
    draws = model.certify(*rows, sample_weight=weight, repeats="draws").of("gen-bits")
    assert "m = 120000" in draws.note  # which is untrue here, and is what was vouched for
    assert any("equal by chance" in words for words in draws.assumed)


def test_weights_count_as_copies_beside_copies() -> None:
    weight = np.where(np.arange(60) < 30, 3, 1)
    twice, thrice = (
        [np.concatenate([array, *[array[:30]] * n]) for array in (X, Y)] for n in (1, 2)
    )
    both = np.r_[np.full(30, 2), np.ones(60, np.int64)]
    given = (((X, Y), weight), (thrice, None), (twice, both))
    tables = []
    for rows, w in given:
        model = wl.AdaBoostClassifier(n_estimators=4).fit(*rows, w)
        tables.append([(c.bound, c.note) for c in model.certify(*rows, sample_weight=w).truth])
    assert tables[0] == tables[1] == tables[2]


def test_the_larger_error_counts() -> None:
    """Heavy rows that are right hide light ones that are wrong, and the other way round."""
    x = np.arange(200.0)[:, None]
    y = np.where((x[:, 0] >= 100) ^ (np.arange(200) % 10 == 0), 1, 0)
    for heavy in (np.arange(200) % 10 != 0, np.arange(200) % 10 == 0):
        w = np.where(heavy, 5, 1)
        model = wl.AdaBoostClassifier(n_estimators=1).fit(x, y, w)
        wrong = model.predict(x) != y
        error = max(np.mean(wrong), w @ wrong / w.sum())
        told = model.certify(x, y, sample_weight=w)
        drawn = model.certify(x, y, sample_weight=w, repeats="draws")
        assert told.of("gen-vc").bound > drawn.of("gen-vc").bound
        vote = described(model.ensemble_, Table(1))
        assert not isinstance(vote, str)
        finite = told.of("gen-finite")
        expected = bounds.finite_class_upper(error, vote.grid + vote.shape, 200, finite.delta)
        assert finite.bound == pytest.approx(expected)


def test_copies_of_test_rows_say_no_more_than_one() -> None:
    for model in TESTED:
        model.fit(X, Y)
        once = model.certify(X_test=FRESH, y_test=LABELS)
        often = model.certify(None, None, *times(50, FRESH, LABELS))
        for id in ("test-exact", "test-set"):
            assert often.of(id).bound == once.of(id).bound
            assert often.of(id).lower == once.of(id).lower
            assert "80 different of 4000 rows" in often.of(id).note
        drawn = model.certify(None, None, *times(50, FRESH, LABELS), repeats="draws")
        assert drawn.of("test-exact").bound < once.of("test-exact").bound
        assert any("equal by chance" in words for words in drawn.of("test-exact").assumed)
        few, many = (
            model.certify(
                None, None, np.r_[X[:5], *times(n, FRESH)], np.r_[Y[:5], *times(n, LABELS)]
            )
            for n in (1, 3)
        )
        assert many.of("test-new").bound == few.of("test-new").bound
        with pytest.raises(ValueError, match="repeats='luck'"):
            model.certify(X_test=FRESH, y_test=LABELS, repeats="luck")


def test_copies_of_the_wrong_rows_hide_nothing() -> None:
    """Copied right rows lower the error of all rows; the interval has both ends by either count."""
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, Y)
    right = model.predict(FRESH) == LABELS
    often = np.where(right, 40, 1)
    found = model.certify(
        X_test=np.repeat(FRESH, often, axis=0), y_test=np.repeat(LABELS, often)
    ).of("test-exact")
    plain = model.certify(X_test=FRESH, y_test=LABELS).of("test-exact")
    assert found.bound == plain.bound
    assert found.lower < plain.lower


def test_the_simple_rules_count_different_examples() -> None:
    x = np.linspace(-1, 1, 40)[:, None]
    y = np.where(x[:, 0] > 0.1, 1, 0)
    rule = wl.ThresholdClassifier().fit(x, y)
    copies = times(100, x, y)
    once, often = rule.certify(x, y), wl.ThresholdClassifier().fit(*copies).certify(*copies)
    assert often.of("gen-compression").bound == pytest.approx(once.of("gen-compression").bound)
    assert "m = 40 different of 4000" in often.of("gen-compression").note
    told = rule.compression(*copies)
    assert (told.m, told.different, told.bound) == (4000, 40, rule.compression(x, y).bound)
    assert "different ones" in str(told)
    few = wl.theory.compression_scheme(
        "rectangle", *times(9, np.array([[1.0, 2.0]]), np.array([1]))
    )
    assert few.bound == 1  # one example, and four may be kept
    erm = wl.ERMClassifier([lambda X: X[:, 0] > 0, lambda X: X[:, 0] > 0.5])
    erm.fit(*copies)
    told = erm.certify(*copies).of("gen-finite")
    assert told.bound == pytest.approx(erm.certify(x, y).of("gen-finite").bound)


def test_calibration_rows_count_once() -> None:
    """Sixty rows cannot promise 99 %, however often they are copied."""
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, Y)
    copies = times(50, FRESH, LABELS)
    plain = model.conformalize(FRESH, LABELS)._conformity.scores
    found = model.conformalize(*copies)
    assert np.array_equal(found._conformity.scores, plain)
    with pytest.raises(
        ValueError, match=r"99 calibration rows, and there are 80 different of 4000"
    ):
        model.predict_set(FRESH, alpha=0.01)
    told = model.conformal_certificate(0.01)
    assert not told.applies
    assert "does not apply: alpha=0.01 needs at least 99" in told.note
    assert "80 different of 4000 calibration rows" in model.conformal_certificate(0.1).note
    drawn = model.conformalize(*copies, repeats="draws").conformal_certificate(0.01)
    assert drawn.applies
    assert any("equal by chance" in words for words in drawn.assumed)
    with pytest.raises(ValueError, match="repeats='luck'"):
        model.conformalize(FRESH, LABELS, repeats="luck")


def test_files_keep_what_equal_rows_were(tmp_path: Any) -> None:
    model = wl.DecisionTreeRegressor(max_depth=2).fit(X, X[:, 0])
    for given in ({}, {"repeats": "draws"}):
        model.conformalize(*times(3, FRESH, FRESH[:, 0]), **given)
        model.save(tmp_path / "model.weak")
        again = wl.load(tmp_path / "model.weak")
        assert again.conformal_certificate(0.1) == model.conformal_certificate(0.1)
        assert (again.predict_interval(FRESH) == model.predict_interval(FRESH)).all()


def test_out_of_bag_answers_to_copies_are_none() -> None:
    """A forest knows every noise row whose copy was in the bag; folds keep copies together."""
    forest = wl.RandomForestClassifier(n_estimators=20, oob_score=True, random_state=0)
    copies = times(20, X, Y)
    forest.fit(*copies)
    assert forest.oob_score_ == 1
    told = forest.conformalize(*copies, how="oob").conformal_certificate(0.1)
    assert told.bound == 0  # 1 - 2 (u + 1)/(n + 1), and no less than nothing
    with pytest.warns(wl.BoostingWarning, match="a set holds every label"):
        assert (forest.predict_set(FRESH, alpha=0.1).sizes == 2).all()
    folds = forest.conformalize(*copies, how="folds")
    assert folds.conformal_certificate(0.1).bound == pytest.approx(0.8)
    assert folds.predict_set(FRESH, alpha=0.1).covers(LABELS).mean() > 0.75
    forest.fit(X, Y, np.full(60, 20))
    with pytest.raises(ValueError, match="1200 examples in 60 rows"):
        forest.conformalize(X, Y, how="oob")
    numbers = wl.BaggingRegressor(n_estimators=10, oob_score=True, random_state=0)
    numbers.fit(*times(3, X, X[:, 0])).conformalize(*times(3, X, X[:, 0]), how="oob")
    with pytest.warns(wl.BoostingWarning, match="the intervals have no ends"):
        assert np.isinf(numbers.predict_interval(FRESH, alpha=0.1)).all()


def test_copies_in_the_bags_are_what_is_blamed() -> None:
    forest = wl.RandomForestClassifier(n_estimators=20, oob_score=True, random_state=0)
    copies = times(2, X, Y)
    forest.fit(*copies).conformalize(*copies, how="oob")
    note = forest.conformal_certificate(0.1).note
    assert f"u = {len(X)} of them with copies that the bags of out-of-bag members may hold" in note
    assert "unknown" not in note
    with pytest.warns(wl.BoostingWarning, match="copies that the bags") as told:
        forest.predict_set(X, alpha=0.1)
    assert len(told) == 1
    forest.fit(X, np.where(np.arange(len(X)) == 3, 7, Y)).conformalize(
        X, np.where(np.arange(len(X)) == 3, 7, Y), how="oob"
    )
    assert "u = 1 of them alone of their label" in forest.conformal_certificate(0.1).note


def test_a_label_of_copies_alone_is_unknown_without_its_fold() -> None:
    """Copies stay in one fold, also where a label has fewer different rows than there are folds."""
    stump = wl.DecisionTreeClassifier(max_depth=2)
    rows = np.concatenate([X, np.repeat(X[:1] + 9, 8, axis=0)])
    labels = np.concatenate([Y, np.full(8, 7)])
    note = stump.fit(rows, labels).conformalize(rows, labels, how="folds")
    assert (
        "with labels unknown to the refit without their fold"
        in note.conformal_certificate(0.1).note
    )


def test_intervals_without_ends_are_warned_of_and_why() -> None:
    bag = wl.BaggingRegressor(n_estimators=10, oob_score=True, random_state=0)
    copies = times(2, X, X[:, 0])
    bag.fit(*copies).conformalize(*copies, how="oob")
    with pytest.warns(
        wl.BoostingWarning, match="no ends: .* with copies that the bags .*too many for alpha"
    ) as told:
        assert np.isinf(bag.predict_interval(X, alpha=0.1)).all()
    assert len(told) == 1
    note = bag.conformal_certificate(0.1).note
    assert note.endswith("too many for alpha = 0.1, and an interval holds every number")
    bag.conformalize(*copies, how="folds")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(bag.predict_interval(X, alpha=0.1)).all()


@pytest.mark.parametrize(
    ("n", "tree"), [(2, wl.DecisionTreeClassifier()), (1, wl.DecisionTreeRegressor())]
)
def test_folds_of_too_few_different_rows_are_refused_by_name(n: int, tree: Any) -> None:
    copies = times(20, X[:n], np.arange(n))
    tree.fit(*copies)
    with pytest.raises(ValueError, match=f"the different ones of X_cal, {n} in number, leave"):
        tree.conformalize(*copies, how="folds")
