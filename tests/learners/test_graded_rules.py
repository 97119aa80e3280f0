"""Many rules a round: against plain numpy, and the promises of a round."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import graded_rules
from weaklearn import BoosTexterClassifier


def drawn(seed, m=40, d=25, K=3, share=0.25):
    """Weights of terms in texts, and one label each; row lengths differ."""
    rng = np.random.default_rng(seed)
    X = (rng.random((m, d)) < share) * rng.integers(1, 2**12, (m, d)) / 2**12
    y = np.concatenate([np.arange(K), rng.integers(0, K, m - K)])
    for l in range(K):
        X[y == l, l] += 0.5 * (rng.random((y == l).sum()) < 0.6)
    return X, y


def boosted(X, y, n=6, sample_weight=None, **given_):
    model = BoosTexterClassifier(form="parallel", n_estimators=n, **given_)
    return model.fit(X, y, sample_weight=sample_weight)


def signs(y):
    return np.where(np.arange(y.max() + 1) == y[:, None], 1.0, -1.0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("n_terms", [3, 100])
def test_against_plain_numpy(seed, n_terms):
    X, y = drawn(seed)
    model = boosted(X, y, rules_per_round=n_terms)
    said, F = graded_rules.rounds(X, signs(y), 6, n_terms)
    for h, expected in zip(model.ensemble_.members, said, strict=True):
        ours, theirs = np.argsort(h.features), np.argsort(expected.terms)  # gains may be equal
        assert h.features[ours].tolist() == expected.terms[theirs].tolist()
        # Newton's method ends within a thousandth of the best step.
        numbers = h.confidences[ours], expected.confidences[theirs]
        np.testing.assert_allclose(*numbers, rtol=0.01, atol=1e-3)
        np.testing.assert_allclose(h.base, expected.base, rtol=0.01, atol=1e-3)
        assert h.bound == pytest.approx(expected.bound, rel=1e-3)
    np.testing.assert_allclose(model.history_["Z"], [each.Z for each in said], rtol=1e-3)
    np.testing.assert_allclose(model.decision_function(X), F, rtol=0.02, atol=0.02)


def test_several_labels_against_plain_numpy():
    X, _ = drawn(5)
    Y = (np.random.default_rng(5).random((len(X), 4)) < 0.4).astype(int)
    Y[0], Y[1] = 1, 0
    model = boosted(X, Y)
    said, F = graded_rules.rounds(X, 2.0 * Y - 1, 6, 2000)
    np.testing.assert_allclose(model.decision_function(X), F, rtol=0.02, atol=0.02)
    np.testing.assert_allclose(model.history_["Z"], [each.Z for each in said], rtol=1e-3)


@settings(max_examples=30)
@given(
    st.integers(0, 10**6),
    st.integers(2, 5),
    st.integers(1, 30),
    st.floats(0.05, 0.9),
    st.sampled_from([None, 0.0, 0.1]),
)
def test_the_weight_left_is_at_most_the_bound(seed, K, n_terms, share, s):
    X, y = drawn(seed, m=24, d=12, K=K, share=share)
    model = boosted(X, y, n=8, rules_per_round=n_terms, smoothing=s)
    history = model.history_
    assert (history["Z"] <= history["Z_criterion"] + 1e-9).all()
    assert (history["hamming_loss"] <= history["product_Z"] + 1e-9).all()


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_order_copies_and_containers_change_no_bit(seed):
    X, y = drawn(seed)
    rng = np.random.default_rng(seed)
    weight = rng.integers(1, 4, len(X))
    order = rng.permutation(int(weight.sum()))
    many = np.repeat(np.arange(len(X)), weight)[order]
    weighed = BoosTexterClassifier(form="parallel", n_estimators=5)
    weighed.fit(X, y, sample_weight=weight)
    repeated = boosted(sp.csc_array(X[many]), y[many], n=5, n_jobs=2)
    assert weighed.ensemble_.members == repeated.ensemble_.members
    scores = weighed.decision_function(X)
    assert repeated.decision_function(sp.csr_array(X)).tobytes() == scores.tobytes()


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.floats(0.01, 1e4), st.sampled_from([1.0, 0.3]))
def test_staged_and_merged_scores_are_the_same_bits(seed, unit, rate):
    X, y = drawn(seed)
    model = boosted(X * unit, y, n=12, learning_rate=rate)
    *_, last = model.staged_decision_function(X * unit)
    assert last.tobytes() == model.decision_function(X * unit).tobytes()
    later = BoosTexterClassifier(form="parallel", n_estimators=5, learning_rate=rate)
    later.fit(X * unit, y)
    later.set_params(n_estimators=12, warm_start=True).fit(X * unit, y)
    assert later.ensemble_.members == model.ensemble_.members


def test_a_label_that_is_never_seen_with_a_term_and_empty_texts():
    X = np.array([[1.0, 0], [1, 0], [0, 1], [0, 1], [0, 0], [0, 0]])
    model = boosted(X, ["a", "a", "b", "b", "c", "c"], n=3)
    assert model.predict(X).tolist() == ["a", "a", "b", "b", "c", "c"]
    assert np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize(
    ("X", "said"),
    [
        (np.array([[1.0, -1.0], [0, 1]]), "X has a value below 0"),
        (np.array([[1.0, np.nan], [0, 1]]), "missing values"),
        (np.array([["a", 1], ["b", 2]], object), "columns that are none"),
    ],
)
def test_what_is_no_weight_of_a_term_is_refused(X, said):
    with pytest.raises(ValueError, match=said):
        boosted(X, [0, 1])


def test_shares_of_weight_are_refused():
    with pytest.raises(ValueError, match="is not allowed under form='parallel', whose rules part"):
        boosted(np.eye(2), [0, 1], min_weight_fraction_leaf=0.1)


def test_more_copies_than_weights_can_tell_apart():
    X, y = drawn(3)
    few, many = (np.full(len(y), 2**k) for k in (20, 40))
    assert boosted(X, y, sample_weight=few).score(X, y) > 0.5
    with pytest.raises(ValueError, match=r"sample_weight .* form='parallel' .* set form='real'"):
        boosted(X, y, sample_weight=many)
