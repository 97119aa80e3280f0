"""Sums of trees with scores as votes: mixtures, codes and bounds that hold."""

from __future__ import annotations

from math import log
from typing import Any

import numpy as np
import pytest

from weaklearn import GentleBoostClassifier, RealAdaBoostClassifier
from weaklearn.base.rows import Rows
from weaklearn.base.trees.tree import Tree
from weaklearn.theory import bounds
from weaklearn.theory.certificates.code_length import (
    CONSTANT_BITS,
    LN2,
    Table,
    described,
    divergence,
    number_bits,
    scored_member,
    voters,
)


def table_of(n: int, seed: int, gaps: float = 0.0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = np.round(4 * rng.normal(size=(n, 5)))
    y = ((X[:, :3] > 0).sum(axis=1) >= 2) ^ (rng.random(n) < 0.1)
    X[rng.random(X.shape) < gaps] = np.nan
    return X, y.astype(int)


def models() -> list[Any]:
    return [
        RealAdaBoostClassifier(n_estimators=6),
        GentleBoostClassifier(n_estimators=6),
        RealAdaBoostClassifier("tree", n_estimators=3),
    ]


def signs_of(word: tuple[Any, ...], tree: Tree) -> Any:
    """What a voter answers at each leaf of its tree."""
    n = int(tree.is_leaf.sum())
    up = np.full(n, word[1]) if word[0] == "constant" else np.frombuffer(word[-1], bool)
    return np.where(up, 1.0, -1.0)


@pytest.mark.parametrize("model", models(), ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_a_tree_is_the_mean_of_its_voters(model: Any, gaps: float) -> None:
    X, y = table_of(2000, 0, gaps)
    model.fit(X, y)
    total = 0.0
    for vote, h in model.ensemble_:
        leaf = h.tree.is_leaf
        c = vote * h.tree.values[h.tree.value[leaf], 0]
        found = list(voters(vote, h))
        assert len(found) <= leaf.sum() + 1
        mixed = sum(mass * signs_of(word, h.tree) for mass, word, _ in found)
        assert mixed == pytest.approx(c, abs=1e-9)
        assert sum(mass for mass, *_ in found) == pytest.approx(np.abs(c).max())
        total += np.abs(c).max()
    assert model.ensemble_.margin_weight == pytest.approx(abs(model.ensemble_.base) + total)


def test_a_single_leaf_has_one_voter_and_zeros_none() -> None:
    X, y = table_of(100, 1)
    h = RealAdaBoostClassifier(n_estimators=1).fit(X, y).ensemble_.members[0]
    flat = type(h)(type(h.tree).of({**h.tree.arrays(), "values": 0 * h.tree.values + 2.0}))
    assert [(m, w) for m, w, _ in voters(1.5, flat)] == [(3.0, ("constant", True))]
    assert list(voters(0.0, flat)) == []


def test_the_code_of_stumps_with_signs_has_room_for_all_of_them() -> None:
    """Two constants; and for each threshold two or three leaves, each -1 or +1."""
    d, thresholds = 3, [0.0, 1.0, -1.5, 0.1, 7.25]
    total = 2 * 2.0**-CONSTANT_BITS
    for width in (2, 3):
        X = np.array([[0.0] * d, [1.0] * d, [np.nan] * d]) if width == 3 else np.eye(2, d)
        y = [0, 1, 0][: len(X)]
        h = RealAdaBoostClassifier(n_estimators=1).fit(X, y).ensemble_.members[0]
        known = scored_member(h, Table(d))
        assert not isinstance(known, str)
        assert h.tree.width[0] == width
        shape = known.voter_bits - number_bits(h.tree.threshold[0])
        sides = 2 if width == 2 else 1
        for t in thresholds:
            total += d * sides * 2**width * 2.0 ** -(shape + number_bits(t))
    assert total <= 1


@pytest.mark.parametrize("model", models(), ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_bounds_hold_for_rows_to_come(model: Any, gaps: float) -> None:
    X, y = table_of(40_000, 2, gaps)
    model.fit(X, y)
    found = model.certify(X, y)
    fresh, labels = table_of(40_000, 3, gaps)
    error = 1 - model.score(fresh, labels)
    applied = [c for c in found.truth if c.applies]
    assert {c.id for c in applied} == {
        *("gen-finite", "gen-bits", "gen-vc", "gen-margins", "gen-pac-bayes")
    }
    for certificate in applied:
        assert error <= certificate.bound, str(certificate)
    assert not found[0].vacuous
    assert "other than stumps" in found.of("gen-compression").note


def test_the_numbers_are_those_of_the_bounds() -> None:
    X, y = table_of(20_000, 4)
    model = RealAdaBoostClassifier(n_estimators=4).fit(X, y)
    vote = described(model.ensemble_, Table(5))
    assert not isinstance(vote, str)
    m, delta = 20_000, 0.05 / 6
    found = model.certify(X, y, repeats="draws")
    error = float(np.mean(model.margins(X, y) <= 0))
    # Four thresholds of five columns cut 2m rows, and three leaves each make twelve dimensions.
    cuts = 4 * (log(5) + log(2 * (2 * m + 1)))
    assert vote.growth(2 * m) == pytest.approx(cuts + LN2 * bounds.lg_sauer(2 * m, 12))
    width = np.sqrt(8 * (vote.growth(2 * m) + vote.shape + log(4 / delta)) / m)
    assert found.of("gen-vc").bound == pytest.approx(error + width)
    # The votes, and of each tree its feature, its threshold and three scores.
    assert vote.grid == pytest.approx(4 * (log(5) + 5 * 64 * LN2))
    # The entropy of a mixture is at most that of its words, each of its own length.
    words = {word for v, h in model.ensemble_ for _, word, _ in voters(v, h)}
    longest = max(h.voter_bits for h in vote.members)
    KL = divergence(model.ensemble_, vote)
    assert -log(len(words)) <= KL <= longest * LN2


def test_a_word_that_returns_counts_once() -> None:
    """Two equal trees are one voter with both weights: KL is that of a single tree."""
    X, y = table_of(500, 5)
    model = RealAdaBoostClassifier(n_estimators=1).fit(X, y)
    h = model.ensemble_.members[0]
    once, twice = model.ensemble_, model.ensemble_.plus(1.0, h)
    known = [described(e, Table(5)) for e in (once, twice)]
    a, b = (divergence(e, k) for e, k in zip((once, twice), known, strict=True))
    assert a == pytest.approx(b)


def test_categories_have_no_place_in_it() -> None:
    import pandas as pd

    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.choice(list("xyz"), 300), "b": rng.normal(size=300)})
    y = (X["a"] == "x").astype(int)
    found = RealAdaBoostClassifier(n_estimators=2).fit(X, y).certify(X, y)
    assert "tests other than thresholds" in found.of("gen-bits").note


def test_rows_are_scored_as_their_voters_say() -> None:
    """The margin of a row is the mean answer of the voters at its leaves."""
    X, y = table_of(300, 6)
    model = RealAdaBoostClassifier(n_estimators=3).fit(X, y)
    rows: Rows = model._rows(X)
    F = np.zeros(len(X))
    for vote, h in model.ensemble_:
        leaves = np.flatnonzero(h.tree.is_leaf)
        engine, cells = rows.engine, rows.cells
        forest = engine.prediction.forest(
            [h.tree], cells.n_features, cells.n_categories, n_outputs=1
        )
        at = np.searchsorted(leaves, forest.apply(cells, 1)[:, 0])
        for mass, word, _ in voters(vote, h):
            F += mass * signs_of(word, h.tree)[at]
    margins = np.where(y == 1, 1, -1) * F / model.ensemble_.margin_weight
    assert margins == pytest.approx(model.margins(X, y), abs=1e-12)


def test_votes_for_labels_are_told_in_bits() -> None:
    """Three classes by one stump a round with a number for each: bits and doubles serve."""
    from weaklearn import AdaBoostClassifier, AdaBoostMHClassifier

    X, _ = table_of(40_000, 7)

    def classes(X: Any) -> Any:
        return np.digitize(X[:, 0] + X[:, 1] / 4, [-2, 2])

    y = classes(X)
    model = AdaBoostClassifier(n_estimators=4).fit(X, y)
    found = model.certify(X, y)
    fresh, _ = table_of(40_000, 8)
    error = float(
        np.mean(model.predict(fresh) != np.digitize(fresh[:, 0] + fresh[:, 1] / 4, [-2, 2]))
    )
    applied = {c.id: c.bound for c in found.truth if c.applies}
    assert set(applied) == {"gen-finite", "gen-bits"}
    assert all(error <= bound for bound in applied.values())
    assert applied["gen-bits"] < 0.6
    vote = described(model.ensemble_, Table(5, n_classes=3))
    assert not isinstance(vote, str)
    assert vote.grid == pytest.approx(4 * (log(5) + (1 + 1 + 9) * 64 * LN2))
    X, y = table_of(20_000, 9)
    two = AdaBoostMHClassifier(n_estimators=3).fit(X, y).certify(X, y)
    assert {c.id for c in two.truth if c.applies} == {"gen-finite", "gen-bits", "gen-vc"}
    assert "for each label" in two.of("gen-margins").note
