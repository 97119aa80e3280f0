"""Trees as weak hypotheses: what they answer, how they are judged, and how they vote together."""

from __future__ import annotations

import pickle
import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.samples import same_bits, sample_of
from weaklearn.base.ensemble import Ensemble, TreeVote
from weaklearn.base.rows import CUT, Binning, Rows
from weaklearn.base.sample import WRONG
from weaklearn.base.trees.packed import packed_once
from weaklearn.base.trees.split_search import features_to_try
from weaklearn.learners.stump import StumpLearner
from weaklearn.learners.tree import ORDERED, TreeHypothesis, TreeLearner

CRITERIA = ["error", "gini", "entropy", "gain_ratio", "sqrt"]


def table(seed: int, m: int = 40, d: int = 3, K: int = 2, gaps: float = 0.0) -> tuple[Any, Any]:
    """Rows with ties, conflicts and perhaps missing values; labels that depend on them a little."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (m, d)).astype(float)
    y = (X[:, 0] + X[:, -1] + rng.integers(0, 5, m)).astype(int) % K
    y[:K] = np.arange(K)
    X[rng.random(X.shape) < gaps] = np.nan
    return X, 2 * y - 1 if K == 2 else y


def sampled(X: Any, y: Any, weight: Any = None, categorical: Any = None, threads: int = 1) -> Any:
    """A sample coded as trees ask for it."""
    sample = sample_of(X, y, weight, categorical, threads)
    return replace(sample, coded=sample.engine.columns.code(sample.cells, ORDERED), binning=ORDERED)


def learnt(sample: Any, **options: Any) -> TreeHypothesis:
    return TreeLearner(**options).bind(sample)(sample.prior, sample.y)


def error(sample: Any, h: Any) -> float:
    return float(sample.prior.mass(sample.correctness(h), WRONG))


seeds = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("binning", [ORDERED, CUT])
@given(seed=seeds, K=st.integers(2, 4), m=st.integers(10, 600), gaps=st.sampled_from([0, 0.2]))
@settings(max_examples=15, deadline=None)
def test_codes_tell_what_cells_tell(
    binning: Binning, seed: int, K: int, m: int, gaps: float
) -> None:
    """Also of a tree grown elsewhere, whose thresholds may fall inside a code."""
    X, y = table(seed, m, K=K, gaps=gaps)
    X[:, 0] += np.random.default_rng(seed).normal(size=m).round(3)
    sample = sampled(X, y)
    sample = replace(
        sample, coded=sample.engine.columns.code(sample.cells, binning), binning=binning
    )
    h = learnt(sample, exact=binning is ORDERED, min_samples_leaf=2)
    elsewhere = learnt(sampled(X[::-2] * 0.999, y[::-2]))
    for tree in (h, elsewhere):
        told = tree(sample)
        assert np.array_equal(told, tree(Rows(sample.cells, X, sample.engine)))
    if binning is CUT and not h.constant:
        assert sample.engine.trees.leaves(sample.coded, h.tree) is not None


# ------------------------------------------------------------------------------------ hypotheses


@pytest.mark.parametrize("K", [2, 3])
@given(seed=seeds)
@settings(max_examples=20, deadline=None)
def test_a_tree_without_limits_answers_the_majority_of_equal_rows(K: int, seed: int) -> None:
    X, y = table(seed, K=K)
    sample = sampled(X, y)
    h = learnt(sample, criterion="gini", split_zero_gain=True)
    answers = h(sample)
    for row in np.unique(X, axis=0):
        same = (X == row).all(axis=1)
        labels, counts = np.unique(y[same], return_counts=True)
        most = labels[counts == counts.max()]
        assert answers[same].tolist() == [most.max() if K == 2 else most.min()] * same.sum()


@given(seeds, st.sampled_from([2, 3]), st.sampled_from(["side", "branch", "fraction"]))
@settings(max_examples=30, deadline=None)
def test_the_verdict_is_that_of_the_answers(seed: int, K: int, missing: str) -> None:
    X, y = table(seed, K=K, gaps=0.2)
    sample = sampled(X, y)
    h = learnt(sample, criterion="entropy", missing=missing, max_depth=3)
    answers = h(sample)
    assert np.array_equal(np.asarray(sample.correctness(h)), np.where(answers == y, 1, -1))
    shares = h.shares(sample, h.n_classes)
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(X)))
    chosen = shares[np.arange(len(X)), (answers + 1) // 2 if K == 2 else answers]
    assert chosen == pytest.approx(shares.max(axis=1))


def test_ties_go_to_the_second_of_two_classes_and_the_first_of_more() -> None:
    X = np.zeros((6, 1))
    two, three = sampled(X, [-1, 1] * 3), sampled(X, [0, 1, 2] * 2)
    assert learnt(two)(two).tolist() == [1] * 6
    assert learnt(three)(three).tolist() == [0] * 6


@given(seeds)
@settings(max_examples=25, deadline=None)
def test_a_test_alone_errs_as_little_as_the_best_stump(seed: int) -> None:
    X, y = table(seed)
    sample = sampled(X, y)
    stump = StumpLearner().bind(sample)(sample.prior, sample.y)
    tree = learnt(sample, criterion="error", max_depth=1)
    assert error(sample, tree) == pytest.approx(error(sample, stump), abs=1e-12)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt"])
@given(seed=seeds, K=st.sampled_from([2, 3]))
@settings(max_examples=15, deadline=None)
def test_deeper_trees_never_err_more(criterion: str, seed: int, K: int) -> None:
    X, y = table(seed, K=K)
    sample = sampled(X, y)
    errors = [
        error(sample, learnt(sample, criterion=criterion, max_depth=depth))
        for depth in (1, 2, 3, 5, None)
    ]
    assert (np.diff(errors) <= 1e-12).all()


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("K", [2, 3])
def test_weights_order_and_threads(criterion: str, K: int) -> None:
    X, y = table(5, m=60, d=4, K=K, gaps=0.1)
    rng = np.random.default_rng(0)
    copies = rng.integers(1, 4, len(X))
    repeated = np.repeat(np.arange(len(X)), copies)
    rng.shuffle(repeated)
    options = {"criterion": criterion, "pruning": "pessimistic"}
    trees = [
        learnt(sampled(X, y, copies), **options).tree,
        learnt(sampled(X[repeated], y[repeated]), **options).tree,
        learnt(sampled(X, y, copies, threads=2), **options).tree,
    ]
    for tree in trees[1:]:
        for name, array in trees[0].arrays().items():
            assert same_bits(array, getattr(tree, name)), name


def test_other_labels_are_learnt_from_the_same_rows() -> None:
    X, y = table(3)
    sample = sampled(X, y)
    z = np.where(X[:, 1] > 2, 1, -1).astype(np.int8)
    h = TreeLearner(criterion="gini").bind(sample)(sample.prior, z)
    assert h(sample).tolist() == z.tolist()
    assert h.importances(3).tolist() == [0, 1, 0]


def test_gaps_are_known() -> None:
    X, y = table(1, m=60)
    X[:5, 2] = np.nan
    h = learnt(sampled(X, y), criterion="gini")
    assert h.gaps == {2}
    assert learnt(sampled(X, y), max_depth=1, criterion="gini").gaps <= {2}


def test_a_constant_has_no_test() -> None:
    sample = sampled(np.zeros((4, 2)), [1, 1, 1, -1])
    h = learnt(sample)
    assert h.constant
    assert h(sample).tolist() == [1] * 4
    assert not h.importances(2).any()
    alone = sampled([[1.0], [2.0]], [3, 3])
    assert learnt(alone)(alone).tolist() == [1, 1]


def test_a_pickle_answers_the_same() -> None:
    X, y = table(2, K=3)
    sample = sampled(X, y)
    h = learnt(sample, criterion="gini")
    h(sample)
    assert "answers" not in h.__getstate__()
    assert np.array_equal(pickle.loads(pickle.dumps(h))(sample), h(sample))


# ------------------------------------------------------------------------------------------- votes


@given(seeds, st.sampled_from([2, 3]), st.sampled_from(["side", "branch"]))
@settings(max_examples=20, deadline=None)
def test_packed_staged_and_single_votes_have_the_same_bits(seed: int, K: int, missing: str) -> None:
    X, y = table(seed, K=K, gaps=0.1)
    sample = sampled(X, y)
    rng = np.random.default_rng(seed)
    vote, oracle = Ensemble(1 if K == 2 else K), TreeLearner(missing=missing, max_depth=2)
    oracle = oracle.bind(sample)
    for _ in range(7):
        D = sample.weighed(rng.dirichlet(np.ones(len(X))))
        vote = vote.plus(float(rng.normal()), oracle(D, sample.y))
    assert isinstance(vote.scorer(sample), TreeVote)
    together, stages = vote(sample), [F.copy() for F in vote.stages(sample)]
    assert same_bits(stages[-1], together)
    scores = np.zeros((len(X), vote.n_outputs), np.int64)
    for k, (whole, h) in enumerate(zip(vote.fixed_votes(), vote.members, strict=True)):
        answers = h(sample)
        if K == 2:
            scores[:, 0] += whole * answers
        else:
            scores[np.arange(len(X)), answers] += whole
        F = scores * vote.unit()
        assert same_bits(stages[k], F[:, 0] if K == 2 else F)
    assert same_bits(pickle.loads(pickle.dumps(vote))(sample), together)


def test_votes_that_cancel_give_nothing() -> None:
    X, y = table(0)
    sample = sampled(X, y)
    h = learnt(sample, max_depth=2)
    vote = Ensemble().plus(0.1, h).plus(0.2, h).plus(-0.1, h).plus(-0.2, h)
    assert not vote(sample).any()


def test_rows_in_parts_are_voted_on_member_by_member() -> None:
    X, y = table(4, gaps=0.2)
    sample = sampled(X, y)
    h = learnt(sample, missing="fraction", max_depth=3)
    assert h.shared
    assert h.as_tree() is None
    vote = Ensemble().plus(0.5, h).plus(0.25, h)
    assert vote.scorer(sample) is None
    assert np.array_equal(vote(sample), 0.75 * h(sample))
    assert len(Rows(sample.cells, X, sample.engine)) == len(X)


# ----------------------------------------------------------------------------------------- limits


def test_limits_hold() -> None:
    X, y = table(9, m=300, d=4)
    sample = sampled(X, y)
    tree = learnt(sample, max_depth=3).tree
    assert tree.depth <= 3
    tree = learnt(sample, max_leaf_nodes=5).tree
    assert tree.n_leaves == 5
    tree = learnt(sample, min_samples_leaf=20).tree
    assert tree.count[tree.is_leaf].min() >= 20
    tree = learnt(sample, min_samples_leaf=0.1).tree
    assert tree.count[tree.is_leaf].min() >= 30
    tree = learnt(sample, min_samples_split=100).tree
    assert tree.count[~tree.is_leaf].min() >= 100
    tree = learnt(sample, least_share=0.2).tree
    assert (tree.weight[tree.is_leaf] / tree.weight[0]).min() >= 0.2 - 1e-12
    assert learnt(sample, min_gain=2.0).constant


def test_how_many_features_are_tried() -> None:
    assert [features_to_try(a, 100) for a in (None, "sqrt", "log2", 0.25, 1.0, 7)] == [
        None, 10, 6, 25, 100, 7,
    ]  # fmt: skip
    assert features_to_try(0.001, 5) == 1
    with pytest.raises(ValueError, match=r"max_features=6 is more than X has: 5 columns"):
        features_to_try(6, 5)


def test_features_drawn_depend_on_seed_and_key_alone() -> None:
    X, y = table(6, m=100, d=6)
    sample = sampled(X, y)

    def tests(seed: int, key: int) -> list[int]:
        oracle = TreeLearner(max_features=1, seed=seed).bind(sample)
        return oracle(sample.prior, sample.y, key).tree.feature.tolist()

    assert tests(1, 2) == tests(1, 2)
    assert len({tuple(tests(seed, key)) for seed in range(3) for key in range(3)}) > 5


def test_a_packed_tree_goes_with_its_tree() -> None:
    """What is cached for prediction holds no tree alive."""
    found = sample_of(np.arange(8.0)[:, None], np.arange(8) % 2)
    tree = TreeLearner().bind(found)(found.prior, found.y).tree
    packed = packed_once(tree, found)
    assert packed_once(tree, found) is packed
    seen = weakref.ref(tree)
    del tree, packed
    assert seen() is None
