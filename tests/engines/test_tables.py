"""Tables of trees, the slots of columns, and the ranking of pairs, beside their plain twins."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from tests.reference.pairs import cross
from weaklearn import _core
from weaklearn.base.rows import Binning
from weaklearn.base.trees.tree import Tree
from weaklearn.boosters.gradient import GradientBoosting
from weaklearn.engines import Engine
from weaklearn.intake.prepare import RARE, Reading, prepare
from weaklearn.learners.gradient_tree import GradientTreeLearner
from weaklearn.losses import named

pd = pytest.importorskip("pandas")

NAN = float("nan")


def sampled(m: int = 400, seed: int = 0) -> Any:
    """Two columns of few numbers, one with gaps, one of many, and a category."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "few": rng.integers(0, 6, m).astype(float),
            "gaps": np.where(rng.random(m) < 0.1, NAN, rng.integers(0, 9, m)),
            "many": rng.normal(size=m),
            "word": pd.Categorical(rng.choice(list("abcde"), m)),
        }
    )
    z = X["few"] * (X["word"] == "b") + X["many"] + (X["gaps"].fillna(20) > 5)
    y = z + rng.normal(size=m) > z.median()
    prepared = prepare(
        X,
        y.to_numpy(),
        None,
        engine=Engine(2),
        name="x",
        binning=Binning(255, 1, False),
        reading=Reading(rare=RARE),
    )
    return prepared.sample


@pytest.mark.parametrize("groups", [((0,), (1,), (2,), (3,)), ((0, 1), (0, 3), (2, 3))])
def test_tables_answer_what_the_trees_do(groups: Any) -> None:
    sample = sampled()
    booster = GradientBoosting(named("log_loss", n_classes=2), 0.3)
    learn = GradientTreeLearner(max_leaf_nodes=7, groups=groups).bind(sample)
    kept, engine = sample.engine.gradients.tree_list(), sample.engine
    state = booster.begin(sample)
    F = state.F.copy()
    for t in range(12):
        g, c, _ = booster.slope(sample, F)
        booster.descend(sample, learn, [booster], F, g, c, t, keep=False, kept=kept)
    pairs = [pair for pair in groups if len(pair) == 2]
    constant, mains, crossed = kept.tables(sample.coded, 0, len(kept), 0.3, pairs)
    scores = state.F[0] + constant
    for j, table in mains.items():
        scores = scores + table[engine.columns.codes(sample.coded, j)]
    for (a, b), table in zip(pairs, crossed, strict=True):
        shape = [engine.columns.grid(sample.coded, j).n_codes + 1 for j in (a, b)]
        where = (engine.columns.codes(sample.coded, a), engine.columns.codes(sample.coded, b))
        scores = scores + table.reshape(shape)[where]
    assert np.ptp(scores) > 1
    assert scores == pytest.approx(F[0], abs=1e-12)
    # Fewer rounds: those of the first trees.
    constant, mains, crossed = kept.tables(sample.coded, 0, 0, 0.3, pairs)
    assert constant == 0
    assert not mains
    assert all((table == 0).all() for table in crossed)


def test_a_path_of_three_columns_has_no_table() -> None:
    sample = sampled()
    booster = GradientBoosting(named("log_loss", n_classes=2), 0.3)
    learn = GradientTreeLearner(max_leaf_nodes=31).bind(sample)
    kept, state = sample.engine.gradients.tree_list(), booster.begin(sample)
    booster.descend(sample, learn, [booster], state.F, state.g, state.c, 0, keep=False, kept=kept)
    with pytest.raises(ValueError, match=r"pair|columns"):
        kept.tables(sample.coded, 0, 1, 0.3, [])


def test_slots_are_those_of_the_codes() -> None:
    sample = sampled()
    for j in range(4):
        grid = sample.engine.columns.grid(sample.coded, j)
        codes = sample.engine.columns.codes(sample.coded, j)
        values = sample.column(j)
        missing = values < 0 if j == 3 else np.isnan(values)
        assert grid.has_missing == missing.any()
        assert (codes[missing] == grid.n_codes).all()
        if j == 3:
            assert grid.cuts is None
            assert (codes == values).all()
        else:
            assert grid.cuts is not None
            assert len(grid.cuts) == grid.n_codes - 1
            assert (np.searchsorted(grid.cuts, values[~missing]) == codes[~missing]).all()


@pytest.mark.parametrize("weighted", [False, True])
def test_pairs_say_what_the_definition_says(weighted: bool) -> None:
    sample = sampled()
    rng = np.random.default_rng(1)
    m = len(sample)
    g, c = rng.normal(size=(1, m)), rng.uniform(0.1, 1, size=(1, m))
    copies = rng.integers(1, 4, m) if weighted else None
    times = np.ones(m) if copies is None else copies
    features = np.array([0, 1, 3], np.int32)
    found, gains = sample.engine.gradients.pair_statistics(
        sample.coded, g, c, copies, features, 1.0
    )
    cells = {}
    for j in (0, 1, 3):
        codes = sample.engine.columns.codes(sample.coded, j).astype(int)
        if j == 3:  # levels stand in the order of their rates
            smooth = 10 * (c[0] * times).sum() / m
            rate = [
                (g[0] * times)[codes == k].sum() / ((c[0] * times)[codes == k].sum() + smooth)
                for k in range(5)
            ]
            codes = np.argsort(np.argsort(rate))[codes]
        cells[j] = codes
    for k, (a, b) in enumerate(combinations((0, 1, 3), 2)):
        clear, gained = cross(cells[a], cells[b], g[0], c[0], times, 1.0)
        assert found[k] == pytest.approx(clear, rel=1e-9)
        assert gains[k] == pytest.approx(gained, rel=1e-9)


def test_the_ranking_depends_on_neither_threads_nor_order() -> None:
    rng = np.random.default_rng(2)
    m = 60_000  # worth a second thread
    X = np.column_stack([rng.normal(size=m), rng.integers(0, 9, m), rng.random(m)])
    g, c = rng.normal(size=(2, m)), rng.uniform(0.1, 1, size=(2, m))
    order = rng.permutation(m)
    found = []
    for threads, rows in ((1, slice(None)), (8, slice(None)), (2, order)):
        coded = _core.Columns.from_matrix(np.ascontiguousarray(X[rows]), 1, 31, 1, False)
        part = (np.ascontiguousarray(g[:, rows]), np.ascontiguousarray(c[:, rows]))
        features = np.arange(3, dtype=np.int32)
        found.append(Engine(threads).gradients.pair_statistics(coded, *part, None, features, 1.0))
    for first, again, turned in zip(*found, strict=True):
        assert (first > 0).all()
        assert (first == again).all()
        assert (first == turned).all()


def test_grown_trees_are_returned_or_kept() -> None:
    sample = sampled()
    booster = GradientBoosting(named("log_loss", n_classes=2), 0.3)
    learn = GradientTreeLearner(max_leaf_nodes=3).bind(sample)
    state = booster.begin(sample)
    trees = booster.descend(sample, learn, [booster], state.F.copy(), state.g, state.c, 0)
    kept = sample.engine.gradients.tree_list()
    none = booster.descend(sample, learn, [booster], state.F.copy(), state.g, state.c, 0, kept=kept)
    assert isinstance(trees[0], Tree)
    assert none == []
    assert len(kept) == 1
