"""Statements about the true error hold as often as they say, and none is made where it may not."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression

import weaklearn
from weaklearn import (
    AdaBoostClassifier,
    DecisionStumpClassifier,
    GammaMajorityClassifier,
    GradientBoostingClassifier,
)
from weaklearn.base import Certificates
from weaklearn.base.hypothesis import CONSTANT, THRESHOLD, Stump
from weaklearn.theory import bounds
from weaklearn.theory.certificates.code_length import (
    Table,
    described,
    integer_bits,
    member_of,
    number_bits,
)
from weaklearn.theory.certificates.held_out import Held, Tally, held_out
from weaklearn.theory.certificates.pac_bayes import drawn_bound, kl, kl_bound, kl_inverse

IDS = {"gen-finite", "gen-bits", "gen-vc", "gen-compression", "gen-margins", "gen-pac-bayes"}


def table_of(n: int, seed: int, flips: float = 0.1, integer: bool = True) -> tuple[Any, Any]:
    """Rows whose class three columns decide together, but for flipped labels."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 6))
    if integer:
        X = np.round(4 * X)
    y = (X[:, :3] > 0).sum(axis=1) >= 2
    return X, np.where(rng.random(n) < flips, ~y, y).astype(int)


def ranks(found: Certificates) -> list[float]:
    return [c.bound for c in found.truth if c.bound is not None and not c.vacuous]


# ------------------------------------------------------------------------------------ the numbers


def test_codes_are_those_of_numbers() -> None:
    assert [number_bits(x) for x in (0.0, 1.0, -2.0, 0.5, 3.0, 2596.5)] == [18, 18, 18, 18, 19, 30]
    assert max(number_bits(x) for x in np.random.default_rng(0).normal(size=1000)) <= 70
    # The code of Elias leaves room for all whole numbers.
    assert sum(2.0 ** -integer_bits(n) for n in range(1, 5000)) <= 1


def test_the_code_of_stumps_has_room_for_all_of_them() -> None:
    """2^-bits over all stumps of a few thresholds is far below 1, whatever their answers."""
    table = Table(2)
    total = 0.0
    answers = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)]
    for feature in range(2):
        for low, high, missing in answers:
            cuts = [Stump(THRESHOLD, feature, t, 0, low, high, missing) for t in (0.0, 1.0, 1.5)]
            for h in (*cuts, Stump(CONSTANT, feature, 0.0, 0, low, high, missing)):
                found = member_of(h, table)
                assert not isinstance(found, str)
                assert found.bits is not None
                total += 2.0**-found.bits
    assert total <= 1


def test_the_inverse_of_kl() -> None:
    for q in (0.0, 0.01, 0.3, 0.9):
        for c in (1e-6, 0.01, 0.5):
            p = kl_inverse(q, c)
            assert p >= q
            assert kl(q, p) == pytest.approx(c, abs=1e-9)
            assert p <= kl_bound(q, c) + 1e-12 <= max(p, q + np.sqrt(c / 2)) + 2e-12


def test_one_voter_is_the_bound_by_twice_the_gibbs_error() -> None:
    rng = np.random.default_rng(1)
    margins, m = rng.uniform(-0.05, 0.1, 4000), 4000
    gibbs, KL, delta = float(np.mean((1 - margins) / 2)), 500.0, 0.05
    found = drawn_bound(margins, KL, delta)
    assert (found.voters, found.right) == (1, 0)  # with so few examples more voters cost too much
    cost = KL + log(2 * np.sqrt(m) / delta) + 2 * log(2)
    assert found.bound == pytest.approx(2 * kl_inverse(gibbs, cost / m), abs=2e-3)
    assert found.bound >= 2 * kl_inverse(gibbs, cost / m) - 1e-9  # margins are rounded to be safe


def test_voters_drawn_are_wrong_as_often_as_the_theorem_counts() -> None:
    rng = np.random.default_rng(2)
    margins = rng.uniform(-0.2, 0.9, 20_000)
    found = drawn_bound(margins, 3.0, 0.05)
    right = rng.binomial(found.voters, (1 + margins) / 2)
    bad = np.mean(right <= found.right)
    assert bad == pytest.approx(found.bad, abs=0.01)
    wrong = margins <= 0
    at_least = binom.cdf(found.right, found.voters, 0.5)
    assert np.mean(right[wrong] <= found.right) >= at_least - 0.02
    assert np.mean(wrong) <= found.bound


# ------------------------------------------------------------------------- tables of certificates


def test_training_rows_alone_bound_the_true_error_of_a_large_table() -> None:
    X, y = table_of(50_000, 0)
    model = AdaBoostClassifier(n_estimators=12).fit(X, y)
    found = model.certify(X, y)
    assert {c.id for c in found.truth} == IDS
    first = found[0]
    assert first.about == "truth"
    assert not first.vacuous
    fresh, labels = table_of(50_000, 1)
    error = 1 - model.score(fresh, labels)
    for certificate in found.truth:
        if certificate.applies:
            assert error <= certificate.bound, str(certificate)
            assert certificate.delta == pytest.approx(0.05 / 6)
            assert certificate.assumed
    assert first.bound < error + 0.1
    assert ranks(found) == sorted(ranks(found))
    assert sum(not c.vacuous for c in found.truth if c.applies) >= 4


def test_the_numbers_are_those_of_the_bounds() -> None:
    X, y = table_of(20_000, 2)
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    found, delta = model.certify(X, y, repeats="draws"), 0.05 / 6
    error = float(np.mean(model.margins(X, y) <= 0))
    vote = described(model.ensemble_, Table(6))
    assert not isinstance(vote, str)
    expected = bounds.finite_class_upper(error, vote.grid + vote.shape, 20_000, delta)
    assert found.of("gen-finite").bound == pytest.approx(expected)
    plain = bounds.prefix_upper(error, vote.bits, 20_000, delta)
    assert error < found.of("gen-bits").bound <= plain
    width = found.of("gen-vc").bound - error
    assert width == pytest.approx(
        np.sqrt(8 * (vote.growth(40_000) + vote.shape + log(4 / delta)) / 20_000)
    )
    # Five stumps over six columns cut 40,000 rows in at most that many ways.
    assert vote.growth(40_000) >= 5 * log(bounds.stump_growth_upper(40_000, 6))


def test_equal_votes_can_be_rebuilt_from_a_few_examples() -> None:
    X, y = table_of(20_000, 3, flips=0.02)
    model = GammaMajorityClassifier(gamma=0.1, n_estimators=7).fit(X, y)
    assert len(set(model.estimator_weights_)) == 1
    kept = model.certify(X, y).of("gen-compression")
    assert kept.applies
    assert "14 examples kept" in kept.note
    assert 1 - model.score(*table_of(20_000, 4, flips=0.02)) <= kept.bound < 1
    other = AdaBoostClassifier(n_estimators=7).fit(X, y).certify(X, y).of("gen-compression")
    assert "votes rest on all examples" in other.note


def test_categories_are_spelt_where_no_class_is_finite() -> None:
    import pandas as pd

    rng = np.random.default_rng(5)
    names = np.array(["oak", "elm", "ash"])[rng.integers(0, 3, 4000)]
    x = rng.integers(0, 20, 4000).astype(float)
    y = (names == "elm") ^ (rng.random(4000) < 0.05)
    X = pd.DataFrame({"tree": pd.Categorical(names), "x": x})
    found = AdaBoostClassifier(n_estimators=1).fit(X, y).certify(X, y)
    assert "no class of these is finite" in found.of("gen-finite").note
    bits = found.of("gen-bits")
    assert bits.applies or "unknown to training" in bits.note


def test_nothing_is_said_where_a_theorem_may_not() -> None:
    X, y = table_of(300, 6)
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    assert all("pass the training rows" in c.note for c in model.certify().truth)
    assert all("not the rows of training" in c.note for c in model.certify(X[1:], y[1:]).truth)
    foreign = AdaBoostClassifier(LogisticRegression(), n_estimators=3).fit(X, y)
    assert all("no class of rules is known" in c.note for c in foreign.certify(X, y).truth)


def test_trees_have_a_code_too() -> None:
    X, y = table_of(30_000, 7)
    model = AdaBoostClassifier(weaklearn.DecisionTreeClassifier(max_depth=3), n_estimators=3).fit(
        X, y
    )
    found = model.certify(X, y)
    error = 1 - model.score(*table_of(30_000, 8))
    bits = found.of("gen-bits")
    assert error <= bits.bound < 0.5
    assert error <= found.of("gen-vc").bound


def test_many_classes_have_a_code() -> None:
    rng = np.random.default_rng(9)
    X = rng.integers(0, 30, (8000, 3)).astype(float)
    y = np.digitize(X[:, 0], [10, 20])
    model = AdaBoostClassifier(n_estimators=4, multiclass="ovr").fit(X, y)
    found = model.certify(X, y)
    assert found.of("gen-bits").bound < 0.5
    assert "two classes" in found.of("gen-vc").note
    assert "two classes" in found.of("gen-pac-bayes").note


def test_bounds_from_training_rows_cover() -> None:
    """Small samples, a loud delta, and a vote that fits noise: tables are wrong no more often."""
    fresh, labels = table_of(20_000, 99, flips=0.3)
    missed = 0
    for seed in range(20):
        X, y = table_of(1000, 1000 + seed, flips=0.3)
        model = AdaBoostClassifier(n_estimators=3).fit(X, y)
        error = 1 - model.score(fresh, labels)
        found = model.certify(X, y, delta=0.5)
        missed += any(c.bound < error for c in found.truth if c.applies)
    assert missed <= 10


def test_one_rule_fixed_before_is_covered() -> None:
    """Occam's razor for a rule of no bits is the Chernoff bound: it fails with delta at most."""
    rng = np.random.default_rng(3)
    p, m, delta = 0.1, 200, 0.1
    errors = rng.binomial(m, p, 3000)
    bound = {int(k): kl_inverse(k / m, -log(delta) / m) for k in np.unique(errors)}
    missed = np.mean([bound[int(k)] < p for k in errors])
    assert 0.005 < missed <= delta


def test_votes_fixed_before_are_covered() -> None:
    """A vote of the prior itself has no divergence; voters are drawn, and rows are."""
    rng = np.random.default_rng(4)
    margins = rng.choice([-0.2, 0.1, 0.5], 20_000, p=[0.1, 0.3, 0.6])
    missed = sum(
        drawn_bound(rng.choice(margins, 400), 0.0, 0.3).bound < np.mean(margins <= 0)
        for _ in range(12)
    )
    assert missed <= 4


# ---------------------------------------------------------------------------------- rows held out


def test_intervals_cover_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    p, n, delta, missed = 0.07, 80, 0.2, 0
    for _ in range(2000):
        k = int(rng.binomial(n, p))
        found = held_out(Held(Tally.plain(n, k)), delta)
        exact, plain = found
        missed += not (exact.lower <= p <= exact.bound) or p > plain.bound
        assert exact.bound <= plain.bound + 0.05
    assert missed / 2000 <= delta
    assert held_out(Held(Tally.plain(10, 0)), 0.1)[0].lower == 0
    assert held_out(Held(Tally.plain(10, 10)), 0.1)[0].bound == 1


def test_rows_of_training_are_found_among_test_rows() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=20).fit(X[:300], y[:300])
    clean = model.certify(X[:300], y[:300], X[300:], y[300:])
    assert clean[0].id == "test-exact"
    assert clean[0].checked == ("none of the rows was seen in training",)
    assert clean[0].delta == pytest.approx(0.05 / 4)
    assert clean[0].lower < 1 - model.score(X[300:], y[300:]) < clean[0].bound < 0.2
    mixed = model.certify(X_test=X[290:], y_test=y[290:])
    for id in ("test-exact", "test-set"):
        assert mixed.of(id).note == "does not apply: 10 of 279 rows were seen"
        assert not mixed.of(id).applies
    rest = mixed.of("test-new")
    assert rest.bound == pytest.approx(
        bounds.binomial_upper(round(269 * (1 - model.score(X[300:], y[300:]))), 269, 0.05 / 8)
    )
    assert "unlike those of training" in rest.statement
    # A row is known by its content, however it is stored and whatever its label.
    assert "50 of 50 rows" in str(model.certify(X_test=X[:50].tolist(), y_test=1 - y[:50]))


def test_rows_that_stopped_a_fit_were_seen() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    stopped = AdaBoostClassifier(n_estimators=30, early_stopping=True, random_state=0)
    stopped.fit(X[:400], y[:400])
    assert "400 of 400" in str(stopped.certify(X_test=X[:400], y_test=y[:400]))
    own = AdaBoostClassifier(n_estimators=10).fit(
        X[:300], y[:300], X_val=X[300:400], y_val=y[300:400]
    )
    assert "100 of 269" in str(own.certify(X_test=X[300:], y_test=y[300:]))
    descent = GradientBoostingClassifier(n_estimators=5).fit(
        X[:300], y[:300], X_val=X[300:400], y_val=y[300:400]
    )
    assert "100 of 269" in str(descent.certify(X_test=X[300:], y_test=y[300:]))
    assert descent.certify(X_test=X[400:], y_test=y[400:])[0].bound < 0.2
    warm = AdaBoostClassifier(n_estimators=3, warm_start=True).fit(X[:200], y[:200])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", weaklearn.BoostingWarning)
        warm.set_params(n_estimators=5).fit(X[200:400], y[200:400])
    assert "400 of 569" in str(warm.certify(X_test=X, y_test=y))


def test_files_remember_the_rows(tmp_path: Any) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    for model in (AdaBoostClassifier(n_estimators=3), DecisionStumpClassifier()):
        model.fit(X[:300], y[:300]).save(tmp_path / "model.weak")
        again = weaklearn.load(tmp_path / "model.weak")
        assert again._origin.row_sketch.to_bytes() == model._origin.row_sketch.to_bytes()
        assert again._origin.row_sketch.known(again._schema.read(X)).sum() == 300


def test_rows_that_cannot_be_looked_up_are_taken_for_new_in_so_many_words(tmp_path: Any) -> None:
    """A file keeps few hashes: what was not looked up is assumed, never said to be checked."""
    X, y = table_of(44_000, 3)
    AdaBoostClassifier(n_estimators=3).fit(X[:40_000], y[:40_000]).save(tmp_path / "model.weak")
    model = weaklearn.load(tmp_path / "model.weak")
    told = model._origin.row_sketch.look(model._judged_cells(X[:4])).decided
    assert told < 4
    found = model.certify(X_test=X[:4], y_test=y[:4]).of("test-exact")
    assert any(f"the {4 - told} of them that cannot be looked up" in a for a in found.assumed)
    assert not any("0 of" in words for words in found.checked)
    some = model.certify(X_test=X, y_test=y).of("test-new")
    assert re.match(r"20\d\d rows seen in training were left out, and \d+ that ca", some.checked[0])
    certificate = model.conformalize(X[:4], y[:4]).conformal_certificate(0.5)
    assert "the calibration rows were not trained on" in certificate.assumed


def test_a_model_that_knows_no_rows_says_so() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(n_estimators=3).fit(X[:300], y[:300])
    model._origin = replace(model._origin, row_sketch=None)
    found = model.certify(X_test=X[300:], y_test=y[300:])
    assert "does not know which rows" in found.of("test-exact").note


def test_the_table_is_in_order_of_strength() -> None:
    X, y = table_of(5000, 10)
    model = AdaBoostClassifier(n_estimators=5).fit(X[:4000], y[:4000])
    found = model.certify(X[:4000], y[:4000], X[4000:], y[4000:])
    applies = [c for c in found.truth if c.applies and not c.vacuous]
    assert [*found[: len(applies)]] == applies
    assert "all hold at once with probability 0.95" in str(found)
    shares = sum(c.delta or 0 for c in found.truth)
    assert shares <= 0.05 + 1e-12
    with pytest.raises(KeyError, match="there is no certificate 'luck'"):
        found.of("luck")
