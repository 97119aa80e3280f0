"""Single rules: the definition, the draw, and what a rule is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import rule as twin
from tests.samples import prepared, rows_like, sample_of
from weaklearn.base.trees.rule import ABOVE, AT_MOST, CATEGORY, MISSING, Demand, Rule
from weaklearn.learners.rule import RuleLearner, ranked


def table(seed: int, n: int = 40, gaps: float = 0.1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (n, 3)).astype(float)
    y = np.where((X[:, 0] > 2) & (X[:, 1] < 4) ^ (rng.random(n) < 0.1), 1, -1)
    X[rng.random(X.shape) < gaps] = np.nan
    return X, y


def told(rule: Rule, X: Any, categorical: Any) -> list[tuple[int, str, float]]:
    """A rule in the words of the twin."""
    asks = {AT_MOST: "<=", ABOVE: ">", CATEGORY: "=", MISSING: "missing"}
    found = []
    for demand in rule.demands:
        value, word = demand.threshold, asks[demand.asks]
        if demand.asks == CATEGORY:
            known = X[~np.isnan(X[:, demand.feature]), demand.feature]
            word = "missing" if demand.category < 0 else "="
            value = 0.0 if demand.category < 0 else np.unique(known)[demand.category]
        found.append((demand.feature, word, 0.0 if demand.asks == MISSING else float(value)))
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.integers(0, 5))
def test_the_rule_is_that_of_the_definition(seed: int, levels: bool, key: int) -> None:
    X, y = table(seed)
    categorical = [0, 2] if levels else []
    weight = np.random.default_rng(seed).integers(1, 4, len(y)) if seed % 2 else None
    sample = sample_of(X, y, weight, categorical=categorical)
    D = sample.reweighted(np.random.default_rng(seed + 1).random(len(y)))
    learn = RuleLearner(seed=3).bind(sample)
    drawn = learn._drawn(D.exact, sample.y, key)
    copies = 1 if weight is None else weight
    grown = D.exact / copies * drawn
    grew = twin.grow(X, sample.y, grown, frozenset(categorical))
    want = twin.prune(grew, X, sample.y, grown, D.exact - grown, sample.m)
    rule = learn(D, sample.y, key)
    assert told(rule, X, categorical) == want
    where = np.ones(len(y), bool)
    for test in want:
        where &= twin.met(X, test)
    assert rule(sample).tolist() == where.astype(int).tolist()
    many = np.ones(len(y), int) if weight is None else weight
    assert (rule.right, rule.wrong) == (
        many[where & (sample.y > 0)].sum(),
        many[where & (sample.y < 0)].sum(),
    )


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.floats(0.05, 1.0))
def test_two_thirds_of_the_weight_are_drawn(seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    X, y = table(seed, 60, 0.0)
    copies = rng.integers(1, 9, 60)
    sample = sample_of(X, y, copies)
    D = sample.reweighted(
        np.exp(0.3 * (X @ [1, 2, 3] % 7) + 0.5 * y)
    )  # alike for identical examples
    learn = RuleLearner(share).bind(sample)
    drawn = learn._drawn(D.exact, sample.y, seed)
    assert ((drawn >= 0) & (drawn <= copies)).all()
    divided = np.flatnonzero((drawn > 0) & (drawn < copies))
    assert len(np.unique(np.c_[X, y][divided], axis=0)) <= 1  # but one heap of identical examples
    taken, one = (D.exact / copies * drawn).sum(), (D.exact / copies).max()
    assert share - 1e-12 <= taken <= share + one + 1e-12
    others = [learn._drawn(D.exact, sample.y, seed + k) for k in range(1, 9)]
    assert share > 0.95 or any((other != drawn).any() for other in others)


def test_identical_rows_apart_or_counted_give_one_rule() -> None:
    X, y = table(1, 50)
    copies = np.random.default_rng(0).integers(1, 5, 50)
    rows = np.random.default_rng(1).permutation(np.repeat(np.arange(50), copies))
    one, other = sample_of(X, y, copies), sample_of(X[rows], y[rows])
    for key in range(4):
        rules = [RuleLearner(seed=7).bind(s)(s.prior, s.y, key) for s in (one, other)]
        assert rules[0] == rules[1]


def test_columns_in_blocks_are_searched_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table(4, 50)
    sample = sample_of(X, y)
    whole = RuleLearner().bind(sample)(sample.prior, sample.y)
    monkeypatch.setattr("weaklearn.learners.rule._CELLS", 60)  # a column at a time
    parts = RuleLearner().bind(sample)
    assert len(list(parts._literals._blocks())) == 3
    assert parts(sample.prior, sample.y) == whole


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0]], [1]),
        ([[1.0], [2.0]], [1, 1]),
        ([[1.0], [1.0], [1.0]], [1, -1, 1]),
        ([[np.nan], [np.nan]], [1, -1]),
    ],
)
def test_where_nothing_grows_the_rule_is_empty(X: Any, y: Any) -> None:
    sample = sample_of(np.array(X), y)
    rule = RuleLearner().bind(sample)(sample.prior, sample.y)
    assert rule.demands == ()
    assert rule.constant
    assert rule(sample).tolist() == [1] * len(y)


def test_limits_of_a_rule() -> None:
    X, y = table(2, 200, 0.0)
    sample = sample_of(X, y)
    for key in range(5):
        learn = RuleLearner(1.0, max_tests=1).bind(sample)
        assert len(learn(sample.prior, sample.y, key).demands) == 1
        wide = RuleLearner(1.0, least_share=0.3).bind(sample)(sample.prior, sample.y, key)
        assert wide.right + wide.wrong >= 60


def test_with_all_examples_to_grow_on_nothing_is_pruned() -> None:
    X, y = table(5, 60)
    sample = sample_of(X, y)
    rule = RuleLearner(1.0).bind(sample)(sample.prior, sample.y)
    assert told(rule, X, []) == twin.grow(X, sample.y, np.full(60, 1 / 60))


# ------------------------------------------------------------------------------------------- rules

DEMANDS = [
    Demand(0, AT_MOST, 2.5),
    Demand(0, ABOVE, 0.5),
    Demand(0, MISSING),
    Demand(1, CATEGORY, category=1),
    Demand(1, CATEGORY, category=-1),
]


@pytest.mark.parametrize("demands", [(), *((d,) for d in DEMANDS), DEMANDS[:2], DEMANDS[1:4:2]])
def test_a_rule_and_its_tree_agree(demands: Any) -> None:
    X = np.array([[a, b] for a in (0, 1, 3, np.nan) for b in (0, 1, 2, np.nan)])
    y = np.resize([1, -1], len(X))
    ready = prepared(X, y, categorical=[1])
    rule = Rule(tuple(demands))
    later = rows_like(ready, np.r_[X, [[2.0, 9.0]]])  # a level never seen is a missing one
    for rows in (ready.sample, later):
        scorer = rows.engine.prediction.forest([rule.tree], 2, rows.cells.n_categories, n_outputs=1)
        assert scorer.sum(rows.cells, 1)[:, 0].tolist() == rule(rows).tolist()
    if len(demands):
        shares = rule.importances(2)
        assert shares.sum() == pytest.approx(1.0)
        assert shares[demands[0].feature] > 0
    counted = rule.counted(ready.sample)
    assert counted.right + counted.wrong == rule(ready.sample).sum()


def test_ranks_of_columns() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, (30, 4)).astype(float)
    x[rng.random(x.shape) < 0.2] = np.nan
    x[:, 3] = np.nan
    ranks, n_values = ranked(x)
    for j in range(4):
        known = ~np.isnan(x[:, j])
        values, codes = np.unique(x[known, j], return_inverse=True)
        assert n_values[j] == len(values)
        assert ranks[known, j].tolist() == codes.tolist()
        assert (ranks[~known, j] == len(values)).all()
