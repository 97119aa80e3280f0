"""Pruning, against its definitions by brute force on trees of any shape."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from tests.reference import pruning as twin
from weaklearn import DecisionTreeClassifier, _core
from weaklearn.base.trees.tree import MULTIWAY, THRESHOLD, Tree
from weaklearn.base.trees.tree_arrays import EVERY_CHILD, LEAF
from weaklearn.engines import Engine
from weaklearn.learners import pruning
from weaklearn.learners.pruning import decreases, importances, impurity

ENGINE = Engine()


def tree_of(rng: np.random.Generator, n_splits: int, K: int = 3, chain: bool = False) -> Tree:
    """A tree of random shape, whose nodes hold what their leaves hold together."""
    children: list[list[int]] = [[]]
    leaves = [0]
    for _ in range(n_splits):
        node = leaves.pop(-1 if chain else int(rng.integers(len(leaves))))
        width = 2 if chain else int(rng.integers(2, 5))
        children[node] = list(range(len(children), len(children) + width))
        leaves += children[node]
        children += [[] for _ in range(width)]
    n = len(children)
    mass = np.zeros((n, K))
    for node in reversed(range(n)):
        own = rng.integers(0, 4, K) * rng.choice([1, 0.25])
        mass[node] = mass[children[node]].sum(axis=0) if children[node] else own
    mass[~mass.any(axis=1), 0] = 1e-3
    for node in reversed(range(n)):
        if children[node]:
            mass[node] = mass[children[node]].sum(axis=0)
    weight = mass.sum(axis=1)
    width = np.array([len(c) for c in children])
    return Tree.of(
        {
            "ask": np.select([width == 0, width == 2], [LEAF, THRESHOLD], MULTIWAY),
            "feature": np.where(width > 0, rng.integers(0, 5, n), -1),
            "threshold": np.where(width == 2, rng.normal(size=n), 0),
            "first": np.array([c[0] if c else 0 for c in children]),
            "width": width,
            "missing": np.where(width > 0, EVERY_CHILD, 0),
            "subset": np.full(n, -1),
            "value": np.arange(n),
            "weight": weight,
            "count": np.maximum(np.ceil(weight), 1),
            "gain": np.zeros(n),
            "subsets": np.zeros((0, 4)),
            "values": mass / weight[:, None],
        }
    )


def kids(tree: Tree, node: int) -> range:
    return range(tree.first[node], tree.first[node] + tree.width[node])


def prunings(tree: Tree, node: int = 0) -> list[frozenset[int]]:
    """Every set of nodes that can be the leaves of a pruned subtree."""
    found = [frozenset([node])]
    if tree.width[node]:
        below = [prunings(tree, child) for child in kids(tree, node)]
        found += [frozenset().union(*parts) for parts in itertools.product(*below)]
    return found


def leaf_answers(tree: Tree) -> dict[int, Any]:
    """What each leaf is told by, whatever its number: weight and shares."""
    return {
        int(i): (tree.weight[i], *tree.values[tree.value[i]]) for i in np.flatnonzero(tree.is_leaf)
    }


def well_formed(tree: Tree) -> None:
    """The promise of the layout: children neighbours after their parent, every node reached."""
    assert sorted(np.concatenate(tree.levels())) == list(range(len(tree)))
    inner = ~tree.is_leaf
    assert (tree.first[inner] > np.flatnonzero(inner)).all()
    assert not tree.first[~inner].any()
    assert (tree.feature[~inner] == -1).all()
    assert not tree.width[~inner].any()
    assert set(tree.value) == set(range(len(tree.values)))
    assert set(tree.subset[inner]) - {-1} == set(range(len(tree.subsets)))


seeds = st.integers(0, 2**32 - 1)


@given(seeds, st.integers(0, 6))
def test_cutting_keeps_the_layout_and_what_stays(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    tree = tree_of(rng, n)
    chosen = np.flatnonzero(rng.random(len(tree)) < 0.3)
    short = tree.cut(chosen)
    well_formed(short)
    parents = tree.parents
    gone = np.zeros(len(tree), bool)
    for node in range(1, len(tree)):
        gone[node] = gone[parents[node]] or parents[node] in chosen
    kept = np.flatnonzero(~gone)
    assert len(short) == len(kept)
    assert np.array_equal(short.weight, tree.weight[kept])
    assert np.array_equal(short.values[short.value], tree.values[tree.value[kept]])
    still = ~short.is_leaf
    assert np.array_equal(kept[short.first[still]], tree.first[kept[still]])
    assert np.array_equal(short.depths, tree.depths[kept])


# ------------------------------------------------------------------------------- pessimistic


@pytest.mark.parametrize(("E", "N"), [(0, 1), (0, 6), (0, 9), (1, 16), (2, 9), (5, 10), (9, 10)])
def test_the_upper_limit_is_that_of_the_binomial(E: int, N: int) -> None:
    (expected,) = _core.upper_errors(np.array([float(E)]), np.array([float(N)]))
    assert binom.cdf(E, N, expected / N) == pytest.approx(0.25, rel=1e-9)


def test_the_upper_limit_at_its_ends() -> None:
    N = np.array([0.0, 3.0, 1e-9, 2.5])
    assert _core.upper_errors(N, N).tolist() == N.tolist()  # all are errors
    none = _core.upper_errors(np.zeros(4), N)
    assert none[[0, 2]].tolist() == [0.0, 1e-9]
    assert none[[1, 3]] == pytest.approx(N[[1, 3]] * (1 - 0.25 ** (1 / N[[1, 3]])))


@given(st.floats(1e-4, 1e5), st.floats(0, 1))
def test_the_upper_limit_of_fractions_is_that_of_the_beta_law(N: float, share: float) -> None:
    E, examples = np.array([share * N]), np.array([N])
    (found,), (right,) = _core.upper_errors(E, examples), twin.upper_errors(E, examples)
    assert found == pytest.approx(right, rel=1e-9)


def test_quinlans_example() -> None:
    """C4.5, section 4.2: leaves of 6, 9 and 1 pure votes give way to one leaf of 16 with 1 error.

    Under the certainty of 25 % the book has 6 x 0.206 + 9 x 0.143 + 1 x 0.750 = 3.273 errors below
    the node, and 16 x 0.157 = 2.512 for the leaf, its limit for one error being an approximation.
    """
    leaves = _core.upper_errors(np.zeros(3), np.array([6.0, 9.0, 1.0]))
    assert leaves.sum() == pytest.approx(3.273, abs=2e-3)
    one = _core.upper_errors(np.array([1.0]), np.array([16.0]))
    assert one[0] == pytest.approx(2.512, abs=0.05)


def expected_errors(tree: Tree) -> float:
    """The errors that pessimistic pruning expects of a tree: the sum over its leaves."""
    N = tree.weight * (tree.count[0] / tree.weight[0])
    E = N * (1 - tree.values.max(axis=1)[tree.value])
    return float(_core.upper_errors(E, N)[tree.is_leaf].sum())


def expected_after(tree: Tree, node: int, N: Any, E: Any) -> tuple[float, frozenset[int]]:
    """The definition: errors to expect after pruning below a node, and the leaves that are left."""
    (own,) = _core.upper_errors(E[[node]], N[[node]])
    if not tree.width[node]:
        return own, frozenset([node])
    below = [expected_after(tree, child, N, E) for child in kids(tree, node)]
    total = sum(errors for errors, _ in below)
    if own <= total * (1 + 1e-12):
        return own, frozenset([node])
    return total, frozenset().union(*(leaves for _, leaves in below))


@given(seeds, st.integers(0, 12), st.booleans())
def test_pessimistic_pruning_is_its_definition(seed: int, n: int, chain: bool) -> None:
    tree = tree_of(np.random.default_rng(seed), n, chain=chain)
    short = pruning.pessimistic(tree, ENGINE)
    well_formed(short)
    N = tree.weight * (tree.count[0] / tree.weight[0])
    E = N * (1 - tree.values.max(axis=1)[tree.value])
    errors, leaves = expected_after(tree, 0, N, E)
    assert sorted(leaf_answers(short).values()) == sorted(
        (tree.weight[i], *tree.values[tree.value[i]]) for i in leaves
    )
    assert expected_errors(short) == pytest.approx(errors)
    assert expected_errors(short) <= expected_errors(tree) * (1 + 1e-12)
    assert len(pruning.pessimistic(short, ENGINE)) == len(short)


@given(seeds, st.integers(0, 60), st.booleans(), st.floats(0.01, 1))
def test_pessimistic_pruning_is_its_twin(seed: int, n: int, chain: bool, count: float) -> None:
    tree = tree_of(np.random.default_rng(seed), n, chain=chain)
    few = np.maximum(np.ceil(tree.count * count), 1).astype(np.int64)  # parts of an example a leaf
    tree = Tree.of({**tree.arrays(), "count": few})
    assert ENGINE.trees.pessimistic(tree).tolist() == twin.pessimistic(tree)


def test_broken_trees_are_refused() -> None:
    tree = tree_of(np.random.default_rng(0), 3)
    for name, wrong in (("first", 0), ("width", 99), ("width", -1), ("value", -1), ("value", 99)):
        arrays = {**tree.arrays(), name: getattr(tree, name).copy()}
        arrays[name][0] = wrong
        with pytest.raises(ValueError, match=r"children|value"):
            ENGINE.trees.pessimistic(Tree.of(arrays))


@given(seeds, st.floats(1e-9, 1e9))
def test_only_shares_of_the_weight_matter(seed: int, scale: float) -> None:
    tree = tree_of(np.random.default_rng(seed), 8)
    arrays = tree.arrays()
    scaled = Tree.of({**arrays, "weight": tree.weight * 2.0 ** round(np.log2(scale))})
    assert np.array_equal(
        pruning.pessimistic(scaled, ENGINE).ask, pruning.pessimistic(tree, ENGINE).ask
    )


def test_pruning_a_deep_tree_takes_no_recursion() -> None:
    tree = tree_of(np.random.default_rng(0), 3000, K=2, chain=True)
    assert tree.depth == 3000
    well_formed(pruning.pessimistic(tree, ENGINE))
    lowered = decreases(tree, "gini")
    assert pruning.path(tree, lowered).leaves[0] <= tree.n_leaves
    well_formed(pruning.cost_complexity(tree, lowered, 1e-3))


# ------------------------------------------------------------------------------------- humility


@given(seeds, st.integers(0, 8), st.booleans())
def test_a_tree_without_error_loses_its_least_twig(seed: int, n: int, pure: bool) -> None:
    rng = np.random.default_rng(seed)
    tree = tree_of(rng, n)
    if pure:  # each leaf is given a class of its own, and inner nodes what lies below them
        shares = np.eye(3)[rng.integers(0, 3, len(tree))]
        for node in reversed(np.flatnonzero(~tree.is_leaf)):
            below = list(kids(tree, node))
            shares[node] = np.average(shares[below], axis=0, weights=tree.weight[below])
        tree = Tree.of({**tree.arrays(), "values": shares})
    lowered = decreases(tree, "entropy")
    short = pruning.humbled(tree, lowered)
    well_formed(short)
    errs = (tree.values.max(axis=1)[tree.value] < 1)[tree.is_leaf].any()
    twigs = [
        node
        for node in np.flatnonzero(~tree.is_leaf)
        if node > 0 and tree.is_leaf[list(kids(tree, node))].all()
    ]
    if errs or not twigs:
        assert short is tree
        return
    gone = len(tree) - len(short)
    least = min(twigs, key=lambda node: lowered[node])
    assert gone == tree.width[least]
    assert decreases(short, "entropy").sum() == pytest.approx(lowered.sum() - lowered[least])


# -------------------------------------------------------------------------------- cost complexity


@given(seeds, st.integers(0, 4), st.sampled_from(["gini", "entropy", "error"]))
def test_the_subtree_of_least_cost_is_found(seed: int, n: int, criterion: str) -> None:
    rng = np.random.default_rng(seed)
    tree = tree_of(rng, n)
    lowered = decreases(tree, criterion)
    mixed = impurity(tree.values[tree.value], criterion)
    R = tree.weight / tree.weight[0] * mixed
    for alpha in (0.0, *rng.exponential(0.05, 3), 10.0):
        short = pruning.cost_complexity(tree, lowered, alpha)
        well_formed(short)
        costs = [
            (sum(R[i] for i in leaves) + alpha * len(leaves), len(leaves))
            for leaves in prunings(tree)
        ]
        least = min(cost for cost, _ in costs)
        own = impurity(short.values[short.value], criterion) * short.weight / tree.weight[0]
        assert own[short.is_leaf].sum() + alpha * short.n_leaves == pytest.approx(least, abs=1e-9)
        fewest = min(k for cost, k in costs if cost <= least + 1e-12)
        assert short.n_leaves <= fewest


@given(seeds, st.integers(0, 15), st.booleans())
def test_the_path_names_every_subtree(seed: int, n: int, chain: bool) -> None:
    tree = tree_of(np.random.default_rng(seed), n, chain=chain)
    lowered = decreases(tree, "gini")
    path = pruning.path(tree, lowered)
    assert path.alphas[0] == 0
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.leaves) < 0).all()
    assert path.leaves[-1] == 1
    assert path.lost[-1] == pytest.approx(lowered.sum())
    ends = np.r_[path.alphas[1:], path.alphas[-1] + 1]
    for alpha, end, leaves, lost in zip(path.alphas, ends, path.leaves, path.lost, strict=True):
        if end - alpha < 1e-9:
            continue
        for within in (alpha, (alpha + end) / 2):
            short = pruning.cost_complexity(tree, lowered, within)
            assert short.n_leaves == leaves
            assert lowered.sum() - decreases(short, "gini").sum() == pytest.approx(lost, abs=1e-9)
        fallen = path.falls <= alpha * (1 + 1e-12)
        cut = tree.cut(np.flatnonzero(fallen & ~tree.is_leaf))
        assert cut.n_leaves == leaves


# ------------------------------------------------------------------------------------- impurity


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio", "sqrt", "error"])
@pytest.mark.parametrize("K", [2, 3])
def test_what_a_grower_notes_is_the_decrease(criterion: str, K: int) -> None:
    rng = np.random.default_rng(K)
    X = rng.integers(0, 9, (200, 3)).astype(float)
    X[::7, 1] = np.nan
    y = (X[:, 0] + rng.integers(0, 5, 200)).astype(int) % K
    weight = rng.integers(1, 999, 200) / 128
    for missing in ("side", "branch"):
        tree = DecisionTreeClassifier(criterion=criterion, missing=missing).fit(X, y, weight).tree_
        unmarked = Tree.of({**tree.arrays(), "missing": np.where(tree.is_leaf, 0, EVERY_CHILD)})
        noted, found = decreases(tree, criterion), decreases(unmarked, criterion)
        assert noted == pytest.approx(found, abs=1e-12)


def test_impurities_of_two_classes() -> None:
    p = np.linspace(0, 1, 11)
    shares = np.column_stack([1 - p, p])
    assert impurity(shares, "error") == pytest.approx(np.minimum(p, 1 - p))
    assert impurity(shares, "gini") == pytest.approx(2 * p * (1 - p))
    assert impurity(shares, "sqrt") == pytest.approx(2 * np.sqrt(p * (1 - p)), abs=1e-12)
    assert impurity(shares, "entropy")[[0, 5, 10]].tolist() == [0, 1, 0]


@given(seeds, st.sampled_from(["gini", "entropy", "error", "sqrt", "gain_ratio"]))
def test_what_the_tests_take_away_is_what_the_leaves_lack(seed: int, criterion: str) -> None:
    tree = tree_of(np.random.default_rng(seed), 7)
    mixed = impurity(tree.values[tree.value], criterion) * tree.weight / tree.weight[0]
    lowered = decreases(tree, criterion)
    assert mixed[0] - mixed[tree.is_leaf].sum() == pytest.approx(lowered.sum(), abs=1e-9)
    shares = importances(tree, criterion, 5)
    assert shares.sum() == pytest.approx(1) or not lowered.any()
    untested = np.setdiff1d(np.arange(5), tree.feature[~tree.is_leaf])
    assert not shares[untested].any()
