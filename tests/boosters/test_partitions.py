"""Boosters whose rows lie in several partitions: the rounds are those of all rows in one."""

from dataclasses import replace

import numpy as np
import pytest

from tests.samples import sample_of
from weaklearn.base.booster import play
from weaklearn.base.history import History
from weaklearn.base.rows import Binning
from weaklearn.boosters import AdaBoost
from weaklearn.engines import choose
from weaklearn.engines.here import run_here
from weaklearn.learners import StumpLearner


def part_of(sample, rows):
    """Some rows of a sample, binned as all partitions together are; called in a partition."""
    engine, cells = choose(1), sample.cells.take(rows)

    def own(x):
        return None if x is None else np.ascontiguousarray(x[rows])

    return replace(
        sample,
        cells=cells,
        engine=engine,
        y=own(sample.y),
        copies=own(sample.copies),
        importance=own(sample.importance),
        coded=engine.columns.code(cells, sample.binning, own(sample.copies)),
    )


def rounds_on(sample, booster, learner, n_rounds):
    """Votes, members and metrics of some rounds, and why they ended."""
    state, history = booster.begin(sample), History()
    played = play(
        booster, sample, learner.bind(sample), state=state, history=history, n_rounds=n_rounds
    )
    return list(played.state.ensemble), played.history.metrics, played.stop


def dealt(rng, m, n):
    """The rows of n partitions in any order; with several, one of them has none."""
    owner = rng.integers(0, max(1, n - 1), m)
    return [rng.permutation(np.flatnonzero(owner == k)) for k in range(n)]


def same_over_partitions(sample, booster, learner, n_rounds, seed=0):
    whole = rounds_on(sample, booster, learner, n_rounds)
    rng = np.random.default_rng(seed)
    for n in (1, 3, 7):

        def program(rows):
            return lambda: rounds_on(part_of(sample, rows), booster, learner, n_rounds)

        for found in run_here([program(rows) for rows in dealt(rng, len(sample), n)]):
            for one, other in zip(found[0], whole[0], strict=True):
                assert one == other
            assert found == whole


def table(rng, m, d=6):
    """Columns of many values, some of them rare, of few, and with missing ones."""
    X = rng.normal(size=(m, d))
    X[:, 1] = np.round(X[:, 1], 2)
    X[:, 2] = np.where(rng.random(m) < 0.7, 0.0, X[:, 2])
    X[:, 3] = rng.integers(0, 7, m)
    X[:, 4] = np.exp(9 * X[:, 4])
    X[rng.random(m) < 0.2, 5] = np.nan
    score = X[:, 0] + np.nan_to_num(X[:, 5]) * X[:, 1] + (X[:, 2] > 0) + rng.normal(size=m)
    return X, np.where(score > 0.3, 1, -1)


WEIGHTS = {
    "equal": lambda rng, m: None,
    "copies": lambda rng, m: rng.integers(1, 4, m),
    "importance": lambda rng, m: rng.lognormal(0, 2, m),
    "hundreds of copies": lambda rng, m: rng.integers(1, 300, m),
}


@pytest.mark.parametrize("weights", WEIGHTS)
def test_exact_stumps_are_those_of_all_rows(weights):
    rng = np.random.default_rng(5)
    m = 3000
    X, y = table(rng, m)
    sample = sample_of(X, y, WEIGHTS[weights](rng, m))
    same_over_partitions(sample, AdaBoost(), StumpLearner(), 30)


def test_many_rounds_keep_bounds_that_hold():
    rng = np.random.default_rng(8)
    X, y = table(rng, 1500)
    same_over_partitions(sample_of(X, y), AdaBoost(), StumpLearner(), 300)


def test_bins_of_many_values_are_divided_again_and_again():
    rng = np.random.default_rng(9)
    X, y = table(rng, 12_000)
    sample = sample_of(X, y, binning=Binning(most_codes=3))  # thousands of values a bin
    same_over_partitions(sample, AdaBoost(), StumpLearner(), 6)


@pytest.mark.parametrize("missing", ["branch", "abstain"])
@pytest.mark.parametrize("categorical", ["equality", "multiway"])
def test_categories_and_missing_values(categorical, missing):
    rng = np.random.default_rng(11)
    m = 800
    X, y = table(rng, m)
    X[:, 0] = np.where(rng.random(m) < 0.1, np.nan, rng.integers(0, 9, m))
    y = np.where(rng.random(m) < 0.3, y, np.where(np.isin(X[:, 0], [1, 4, 5]), 1, -1))
    sample = sample_of(X, y, categorical=[0, 3])
    same_over_partitions(sample, AdaBoost(), StumpLearner(categorical, missing), 25)


def test_ties_are_decided_alike():
    rng = np.random.default_rng(3)
    x = rng.permutation(np.arange(2000.0))
    X = np.column_stack([x, -x, np.round(x, -1), x**3])  # each can cut where the others can
    y = np.where((x // 250) % 2 == 0, 1, -1)
    same_over_partitions(sample_of(X, y), AdaBoost(), StumpLearner(), 40)


def test_a_perfect_rule_and_no_edge_end_the_rounds():
    x = np.arange(600.0)[:, None]
    same_over_partitions(
        sample_of(x, np.where(x[:, 0] > 300, 1, -1)), AdaBoost(), StumpLearner(), 5
    )
    flat, y = np.zeros((600, 1)), np.where(np.arange(600) % 2, 1, -1)
    same_over_partitions(sample_of(flat, y), AdaBoost(), StumpLearner(), 5)
