"""Trees grown by the kernel against their definitions, and forests against themselves."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.reference.tree import KNOWN, Grower, walk
from tests.samples import same_bits
from weaklearn.base import Sample
from weaklearn.base.numeric.hashing import mixed
from weaklearn.base.rows import CUT, Binning
from weaklearn.base.trees.grower_settings import TreeSettings
from weaklearn.base.trees.split_search import OF_NUMBERS
from weaklearn.base.trees.tree import MULTIWAY, Tree
from weaklearn.base.trees.tree_arrays import EVERY_CHILD, LEAF
from weaklearn.engines import Engine
from weaklearn.ensembles import Bags

NAN = float("nan")
ORDERED = Binning(most_codes=255, least_rows=1, keep_order=True)
CLASS_CRITERIA = ["error", "gini", "entropy", "gain_ratio", "sqrt"]
quick = settings(deadline=None, max_examples=40)


class Table:
    """Cells by columns, as intake hands them on."""

    matrix = None
    sparse = None

    def __init__(self, X: Any, n_categories: Any) -> None:
        self.n_categories = np.asarray(n_categories, np.int32)
        self.n_rows, self.n_features = X.shape
        self.columns = [
            np.where(np.isnan(x), -1, x).astype(np.int32) if n else np.ascontiguousarray(x)
            for x, n in zip(np.asarray(X, float).T, self.n_categories, strict=True)
        ]


def sample_of(
    X: Any,
    y: Any,
    n_classes: int,
    n_categories: Any = None,
    copies: Any = None,
    importance: Any = None,
    binning: Binning = CUT,
    threads: int = 1,
) -> Sample:
    """A sample whose columns and labels are given as they are."""
    X = np.asarray(X, float)
    cells: Any = Table(X, np.zeros(X.shape[1]) if n_categories is None else n_categories)
    engine = Engine(threads)
    y = np.asarray(y)
    if n_classes == 0:
        labels: Any = y.astype(float)
    elif n_classes <= 2:
        labels = (2 * y - 1).astype(np.int8) if n_classes == 2 else np.ones(len(y), np.int8)
    else:
        labels = y.astype(np.int32)
    return Sample(
        cells=cells,
        raw=X,
        engine=engine,
        y=labels,
        n_classes=n_classes,
        copies=None if copies is None else np.asarray(copies, np.int64),
        importance=None if importance is None else np.asarray(importance, float),
        coded=engine.columns.code(cells, binning),
        binning=binning,
    )


def grower_of(sample: Sample, **rules: Any) -> Any:
    rules = {"exact": False, "categorical": "subset", "category_noise": 0.0, **rules}
    return sample.engine.trees.grower(sample, TreeSettings(**rules))


def same_tree(a: Tree, b: Tree) -> bool:
    return all(same_bits(x, y) for x, y in zip(a.arrays().values(), b.arrays().values(),
                                               strict=True))  # fmt: skip


def check(tree: Tree, node: int, twin: dict[str, Any], unit: float) -> None:
    """The flat tree from this node on is the twin's."""
    assert tree.count[node] == twin["count"]
    assert tree.weight[node] == pytest.approx(twin["weight"] * unit, abs=1e-9)
    assert tree.values[tree.value[node]] == pytest.approx(twin["value"], abs=1e-9)
    assert (tree.ask[node] == LEAF) == ("children" not in twin)
    if "children" not in twin:
        assert (tree.feature[node], tree.width[node], tree.gain[node]) == (-1, 0, 0)
        return
    ask = ["leaf", "threshold", "subset", "multiway"][tree.ask[node]]
    assert (tree.feature[node], ask) == (twin["feature"], twin["ask"])
    assert tree.missing[node] == twin["missing"]
    assert tree.gain[node] == pytest.approx(twin["gain"] * unit, abs=1e-9)
    if ask == "threshold":
        assert tree.threshold[node] == twin["threshold"]
    if ask == "subset":
        assert levels(tree, node) == twin["levels"]
    assert tree.width[node] == len(twin["children"])
    for k, child in enumerate(twin["children"]):
        check(tree, tree.first[node] + k, child, unit)


def levels(tree: Tree, node: int) -> set[int]:
    bits = "".join(f"{int(word):064b}"[::-1] for word in tree.subsets[tree.subset[node]])
    return {k for k, bit in enumerate(bits) if bit == "1"}


# --- Against the twin ------------------------------------------------------------------------


@st.composite
def problems(draw: Any) -> dict[str, Any]:
    """Small tables full of ties, with categories, missing values and repeated rows."""
    m, d = draw(st.integers(1, 18)), draw(st.integers(1, 3))
    most = draw(st.sampled_from([5, 5, 9]))
    n_categories = [draw(st.sampled_from([0, 0, most])) for _ in range(d)]
    cell = st.integers(0, most - 1)
    if draw(st.booleans()):
        cell = st.one_of(cell, cell, st.none())
    cells = draw(st.lists(st.lists(cell, min_size=d, max_size=d), min_size=m, max_size=m))
    X = np.array([[NAN if v is None else v for v in row] for row in cells], dtype=float)
    K = draw(st.sampled_from([0, 1, 2, 2, 3, 5]))
    y = draw(st.lists(st.integers(0, 3 if K == 0 else K - 1), min_size=m, max_size=m))
    rules: dict[str, Any] = {
        "criterion": draw(st.sampled_from(CLASS_CRITERIA if K else OF_NUMBERS)),
        "splitter": draw(st.sampled_from(["best", "best", "random"])),
        "categorical": draw(st.sampled_from(["multiway", "equality", "subset"])),
        "missing": draw(st.sampled_from(["side", "branch", "fraction"])),
        "max_depth": draw(st.sampled_from([None, None, 1, 2])),
        "min_samples_split": draw(st.sampled_from([2, 2, 4])),
        "min_samples_leaf": draw(st.sampled_from([1, 1, 2])),
        "least_share": draw(st.sampled_from([0.0, 0.0, 0.15])),
        "min_gain": draw(st.sampled_from([0.0, 0.0, 0.03])),
        "split_zero_gain": draw(st.booleans()),
        "category_noise": draw(st.sampled_from([0.0, 0.3, 1.0])),
    }
    if rules["splitter"] == "random" or rules["criterion"] == "absolute_error":
        rules |= {"missing": "side", "categorical": draw(st.sampled_from(["equality", "subset"]))}
    if rules["criterion"] == "poisson":
        y[0] = max(y[0], 1)
    if K <= 2 and rules["criterion"] != "absolute_error" and draw(st.booleans()):
        ways = st.sampled_from([-1, 0, 1])
        rules["monotonic"] = [0 if n else draw(ways) for n in n_categories]
    copies = draw(st.lists(st.integers(1, 3), min_size=m, max_size=m))
    return {"X": X, "y": np.array(y), "K": K, "n_categories": n_categories, "copies": copies,
            "rules": rules, "coarse": draw(st.booleans())}  # fmt: skip


def grown(problem: dict[str, Any], copies: Any, importance: Any = None, **more: Any) -> Tree:
    rules = dict(problem["rules"], **more)
    if "monotonic" in rules:
        rules["monotonic"] = tuple(rules["monotonic"])
    binning = Binning(3, 1, True) if problem["coarse"] else CUT
    sample = sample_of(problem["X"], problem["y"], problem["K"], problem["n_categories"], copies,
                       importance, binning)  # fmt: skip
    tree: Tree = grower_of(sample, exact=problem["coarse"], **rules).grow()
    return tree


def twin_of(problem: dict[str, Any], weights: Any, copies: Any) -> Grower:
    rules = dict(problem["rules"])
    return Grower(problem["X"], problem["y"], problem["K"], weights, copies,
                  problem["n_categories"], **rules)  # fmt: skip


@quick
@given(problems())
def test_copies_against_the_twin(problem: dict[str, Any]) -> None:
    tree = grown(problem, problem["copies"])
    check(tree, 0, twin_of(problem, problem["copies"], problem["copies"]).grow(), 1.0)


@quick
@given(problems())
def test_importances_against_the_twin(problem: dict[str, Any]) -> None:
    weights, ones = problem["copies"], [1] * len(problem["y"])
    tree = grown(problem, None, np.array(weights) * 0.7)
    twin = twin_of(problem, weights, ones)
    root = twin.grow()
    # Shares of a whole are rounded: where means of a monotone column tie, or two numbers both halve
    # the weight, either answer is right.
    assume(not twin.close)
    check(tree, 0, root, len(ones) / sum(weights))


@quick
@given(problems(), st.randoms(use_true_random=False))
def test_neither_order_nor_copies_matter(problem: dict[str, Any], random: Any) -> None:
    tree = grown(problem, problem["copies"])
    spread = np.repeat(np.arange(len(problem["y"])), problem["copies"])
    random.shuffle(spread)
    listed = dict(problem, X=problem["X"][spread], y=problem["y"][spread])
    assert same_tree(grown(listed, None), tree)


@quick
@given(problems())
def test_a_bag_is_a_sample(problem: dict[str, Any]) -> None:
    bag = np.array(problem["copies"]) - 1
    if not bag.any():
        bag[0] = 2
    problem["coarse"] = False
    sample = sample_of(problem["X"], problem["y"], problem["K"], problem["n_categories"])
    rules = dict(problem["rules"])
    if "monotonic" in rules:
        rules["monotonic"] = tuple(rules["monotonic"])
    tree = grower_of(sample, **rules).grow(copies=bag)
    if problem["K"] != 0:
        check(tree, 0, twin_of(problem, bag.tolist(), bag.tolist()).grow(), 1.0)
    D = replace(sample, copies=np.maximum(bag, 1)).prior
    with pytest.raises(ValueError, match="not both"):
        grower_of(sample, **rules).grow(D, copies=bag)


@quick
@given(problems())
def test_answers_are_those_of_the_rows(problem: dict[str, Any]) -> None:
    """The examples that reach a leaf by real values are those it was made of."""
    if problem["rules"]["missing"] == "fraction":
        problem["rules"]["missing"] = "side"
    sample = sample_of(problem["X"], problem["y"], problem["K"], problem["n_categories"],
                       binning=Binning(3, 1, False))  # fmt: skip
    rules = dict(problem["rules"])
    if "monotonic" in rules:
        rules["monotonic"] = tuple(rules["monotonic"])
    tree = grower_of(sample, **rules).grow()
    marked = replace(tree, values=np.arange(len(tree), dtype=float)[:, None],
                     value=np.arange(len(tree), dtype=np.int32))  # fmt: skip
    m = len(problem["y"])
    reached = np.array([int(walk(marked, problem["X"], i)[0]) for i in range(m)])
    counts = np.bincount(reached, minlength=len(tree))
    assert np.array_equal(counts[tree.is_leaf], tree.count[tree.is_leaf])


# --- What growing promises -------------------------------------------------------------------


def wild(m: int, d: int, seed: int, K: int = 2) -> tuple[Any, Any, Any]:
    """Columns of many values, of few, of levels; some missing; labels with noise."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, d))
    X[:, 1::4] = np.round(X[:, 1::4] * 3)
    n_categories = np.zeros(d, np.int32)
    n_categories[2::4] = 9
    X[:, 2::4] = rng.integers(0, 9, size=X[:, 2::4].shape)
    signal = X[:, 0] + np.sin(X[:, 1]) + np.isin(X[:, 2], [1, 4, 6]) + rng.normal(size=m) / 2
    X[rng.random((m, d)) < 0.05] = NAN
    y = signal if K == 0 else np.searchsorted(np.quantile(signal, np.arange(1, K) / K), signal)
    return X, y, n_categories


def answers(tree: Tree, X: Any) -> Any:
    return np.array([walk(tree, X, i) for i in range(len(X))])


@pytest.mark.parametrize("missing", ["side", "branch", "fraction"])
@pytest.mark.parametrize("K", [2, 4])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "sqrt"])
def test_deeper_trees_never_err_more(K: int, criterion: str, missing: str) -> None:
    X, y, n_categories = wild(300, 6, 1, K)
    sample = sample_of(X, y, K, n_categories)
    error = 1.0
    for depth in range(8):
        tree = grower_of(sample, criterion=criterion, missing=missing, max_depth=depth).grow()
        now = (answers(tree, X).argmax(1) != y).mean()
        assert now <= error + 1e-12 or missing == "fraction"
        error = now
    assert error < 0.25


@pytest.mark.parametrize("K", [0, 2, 5])
@pytest.mark.parametrize("exact", [True, False])
def test_large_nodes_against_the_twin(K: int, exact: bool) -> None:
    """Tables, bins and bounds come in only with more rows than Hypothesis draws."""
    X, y, n_categories = wild(130, 4, 2, K)
    if not exact:
        X[:, n_categories == 0] = np.round(X[:, n_categories == 0] * 8)
    y = y if K else y - y.min()  # rates are 0 or more
    binning = Binning(12, 1, True) if exact else CUT
    sample = sample_of(X, y, K, n_categories, binning=binning)
    criteria = ["gini", "entropy"] if K else list(OF_NUMBERS)
    for criterion in criteria:
        rules = {"criterion": criterion, "max_depth": 1, "missing": "side"}
        tree = grower_of(sample, exact=exact, **rules).grow()
        ones = [1] * len(y)
        twin = Grower(X, y, K, ones, ones, n_categories.tolist(), **rules).grow()  # type: ignore[arg-type]
        check(tree, 0, twin, 1.0)


def test_a_full_tree() -> None:
    m = 30_000
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(m, 2)), rng.integers(0, 2, m)
    sample = sample_of(X, y, 2, binning=ORDERED)
    tree = grower_of(sample, criterion="gini", exact=True).grow()
    leaves = tree.is_leaf
    assert set(tree.values[tree.value[leaves]].ravel().tolist()) == {0.0, 1.0}
    assert tree.count[leaves].sum() == m
    assert len(tree.values) == tree.n_leaves + 1  # inner nodes, and one row for each class


def test_nothing_to_split() -> None:
    for X in ([[1.0], [1.0]], [[NAN], [NAN]]):
        tree = grower_of(sample_of(X, [0, 1], 2), criterion="gini").grow()
        assert (len(tree), tree.values[tree.value[0]].tolist()) == (1, [0.5, 0.5])
    tree = grower_of(sample_of([[1.0], [2.0]], [0, 0], 1), criterion="gini").grow()
    assert (len(tree), tree.values.tolist()) == (1, [[1.0]])


def test_known_against_missing() -> None:
    sample = sample_of([[3.0], [3.0], [NAN]], [0, 0, 1], 2)
    for missing in ("side", "branch"):
        tree = grower_of(sample, criterion="entropy", missing=missing).grow()
        assert (tree.threshold[0], tree.missing[0], tree.width[0]) == (KNOWN, 1, 2)


def test_a_thousand_classes() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(3000) % 1000
    X = np.column_stack([y + rng.normal(size=3000) / 9, rng.normal(size=3000)])
    sample = sample_of(X, y, 1000, binning=ORDERED)
    tree = grower_of(sample, criterion="entropy", exact=True).grow()
    assert (answers(tree, X[:50]).argmax(1) == y[:50]).all()


def test_best_first_takes_the_largest_gains() -> None:
    X, y, n_categories = wild(400, 6, 3)
    sample = sample_of(X, y, 2, n_categories)
    rules = {"criterion": "gini", "max_depth": 6}
    full = grower_of(sample, **rules).grow()
    for most in (2, 3, 7, 20):
        tree = grower_of(sample, **rules, max_leaf_nodes=most).grow()
        assert tree.n_leaves == most
        # No node left unsplit would have gained more than the last one split, unless it came later.
        order = np.flatnonzero(~tree.is_leaf)
        by_birth = sorted(order, key=lambda node: tree.first[node])
        waiting: dict[int, float] = {}
        for node in by_birth:
            assert all(tree.gain[node] >= gain - 1e-12 for gain in waiting.values())
            waiting.pop(int(node), None)
            for child in range(tree.first[node], tree.first[node] + tree.width[node]):
                if not tree.is_leaf[child]:
                    waiting[child] = tree.gain[child]
    assert grower_of(sample, **rules, max_leaf_nodes=10_000).grow().n_leaves == full.n_leaves


def test_children_are_neighbours_after_their_parent() -> None:
    X, y, n_categories = wild(400, 6, 4, 3)
    sample = sample_of(X, y, 3, n_categories)
    for missing in ("side", "branch", "fraction"):
        for categorical in ("multiway", "equality"):
            tree = grower_of(sample, criterion="gain_ratio", categorical=categorical,
                             missing=missing).grow()  # fmt: skip
            inner = np.flatnonzero(~tree.is_leaf)
            assert (tree.first[inner] > inner).all()
            starts = np.sort(tree.first[inner])
            widths = tree.width[inner][np.argsort(tree.first[inner])]
            assert starts.tolist() == [1, *(1 + np.cumsum(widths))[:-1]]
            assert 1 + widths.sum() == len(tree)
            if missing == "fraction":
                assert (tree.missing[inner] == EVERY_CHILD).all()
            if categorical == "multiway":
                assert (tree.ask[inner] == MULTIWAY).any()


def test_columns_are_drawn_afresh() -> None:
    X, y, n_categories = wild(500, 12, 5)
    sample = sample_of(X, y, 2, n_categories)
    grower = grower_of(sample, criterion="gini", max_features=2)
    trees = [grower.grow(key=key) for key in range(3)]
    assert same_tree(trees[0], grower.grow(key=0))
    assert len({tuple(tree.feature[:20].tolist()) for tree in trees}) == 3
    other = grower_of(sample, criterion="gini", max_features=2, seed=1).grow(key=0)
    assert not same_tree(trees[0], other)
    # Noise columns are asked too, and a column that cannot part the rows is replaced.
    assert len(set(trees[0].feature[:60].tolist())) > 8
    flat = np.column_stack([np.ones(500)] * 11 + [X[:, 0]])
    narrow = grower_of(sample_of(flat, y, 2), criterion="gini", max_features=1).grow()
    assert set(narrow.feature[~narrow.is_leaf].tolist()) == {11}


@pytest.mark.parametrize("missing", ["side", "fraction"])
@pytest.mark.parametrize("K", [0, 2, 5])
def test_a_tree_is_the_same_on_any_number_of_threads(K: int, missing: str) -> None:
    """Large enough for columns and parts of the tree to be shared out."""
    X, y, n_categories = wild(6000, 12, 14, K)
    trees = []
    for threads in (1, 2, 3):
        sample = sample_of(X, y, K, n_categories, threads=threads)
        criterion = "gain_ratio" if K else "squared_error"
        rules = {"criterion": criterion, "missing": missing, "categorical": "multiway"}
        trees.append(grower_of(sample, **rules, min_samples_leaf=3).grow())
    assert same_tree(trees[0], trees[1])
    assert same_tree(trees[0], trees[2])


# --- Weights that boosting moved -------------------------------------------------------------


@pytest.mark.parametrize("K", [2, 4])
def test_a_distribution_weighs_as_importances_do(K: int) -> None:
    X, y, n_categories = wild(300, 6, 6, K)
    rng = np.random.default_rng(7)
    w = rng.random(300)
    sample = sample_of(X, y, K, n_categories)
    grower = grower_of(sample, criterion="entropy", max_depth=6)
    given_weights = grower_of(sample_of(X, y, K, n_categories, importance=w), criterion="entropy",
                              max_depth=6).grow()  # fmt: skip
    assert same_tree(grower.grow(sample.weighed(w)), given_weights)
    assert same_tree(grower.grow(sample.prior), grower_of(
        sample_of(X, y, K, n_categories, importance=np.ones(300)), criterion="entropy", max_depth=6
    ).grow())  # fmt: skip


# --- Forests ---------------------------------------------------------------------------------


def forest_of(X: Any, y: Any, K: int, n_categories: Any, threads: int = 1, **more: Any) -> Any:
    copies = more.pop("copies", None)
    sample = sample_of(X, y, K, n_categories, copies, threads=threads)
    hashes = sample.engine.rows.row_hashes(sample.coded) + mixed(
        np.asarray(y, float).view(np.uint64)
    )
    canonical = np.argsort(hashes, kind="stable")
    criterion = "gini" if K else "squared_error"
    grower = grower_of(sample, criterion=criterion, max_features=3, category_noise=1.0)
    rules = {"bootstrap": True, "n_draws": sample.m, "seed": 3, **more}
    return grower.forest(6, canonical=canonical, **rules)


@pytest.mark.parametrize("K", [0, 2, 3])
def test_a_forest_is_the_same_whoever_grows_it(K: int) -> None:
    X, y, n_categories = wild(400, 8, 8, K)
    trees = forest_of(X, y, K, n_categories)
    order = np.random.default_rng(9).permutation(400)
    for threads in (2, 4):
        assert all(map(same_tree, trees, forest_of(X, y, K, n_categories, threads)))
    assert all(map(same_tree, trees, forest_of(X[order], y[order], K, n_categories)))


def test_a_forest_of_many_classes_is_lean() -> None:
    """Inner nodes share one row of values, and so do the pure leaves of a class."""
    X, y, n_categories = wild(600, 8, 15, 20)
    trees = forest_of(X, y, 20, n_categories)
    for tree in trees:
        assert (tree.value[~tree.is_leaf] == tree.value[0]).all()
        mixed_leaves = tree.is_leaf & (tree.values[tree.value].max(axis=1) < 1)
        assert len(tree.values) <= 1 + 20 + mixed_leaves.sum()


@pytest.mark.parametrize("K", [0, 2])
def test_copies_are_places_in_the_bag(K: int) -> None:
    X, y, n_categories = wild(150, 8, 10, K)
    copies = np.random.default_rng(11).integers(1, 4, 150)
    spread = np.repeat(np.arange(150), copies)
    trees = forest_of(X, y, K, n_categories, copies=copies)
    again = forest_of(X[spread], y[spread], K, n_categories)
    assert all(map(same_tree, trees, again))


@pytest.mark.parametrize("bootstrap", [True, False])
def test_a_tree_of_a_forest_is_known_by_its_number(bootstrap: bool) -> None:
    X, y, n_categories = wild(120, 8, 12)
    trees = forest_of(X, y, 2, n_categories, bootstrap=bootstrap, n_draws=60)
    assert all(tree.count[0] == 60 for tree in trees)
    later = forest_of(X, y, 2, n_categories, bootstrap=bootstrap, n_draws=60, first=5)
    assert same_tree(later[0], trees[5])
    assert not same_tree(later[1], trees[0])


@pytest.mark.parametrize("K", [0, 2])
def test_draws_that_repeat_tell_less(K: int) -> None:
    """In a bag drawn with replacement chance gains more: as the twin has it, told of repeats."""
    rng = np.random.default_rng(17)
    m, n_draws, n_categories = 60, 40, [0, 12]
    X = np.column_stack([rng.integers(0, 6, m), rng.integers(0, 12, m)]).astype(float)
    y = (X[:, 0] > 2) ^ (rng.random(m) < 0.2)
    y = y.astype(int) if K else y + rng.integers(0, 3, m)
    sample = sample_of(X, y, K, n_categories)
    criterion = "gini" if K else "squared_error"
    grower = grower_of(sample, criterion=criterion, category_noise=1.0)
    bags = Bags(np.arange(m), n_draws, seed=5)
    trees = grower.forest(8, bootstrap=True, n_draws=n_draws, seed=5, canonical=bags.order)
    others = 0
    for b, tree in enumerate(trees):
        bag = np.bincount(bags.rows(b), minlength=m).tolist()
        rules = {"criterion": criterion, "category_noise": 1.0, "repeats": 1 + (n_draws - 1) / m}
        check(tree, 0, Grower(X, y, K, bag, bag, n_categories, **rules).grow(), 1.0)
        others += not same_tree(tree, grower.grow(copies=np.array(bag), key=b))
    assert others > 0


@pytest.mark.parametrize("criterion", [*CLASS_CRITERIA, "squared_error"])
def test_levels_of_noise_are_left_alone(criterion: str) -> None:
    """A column of 150 levels that mean nothing is not taken for one that tells a little."""
    taken = {0.0: 0, 1.0: 0}
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.normal(size=600), rng.integers(0, 150, 600)])
        y = (X[:, 0] + 2 * rng.normal(size=600) > 0).astype(int)
        sample = sample_of(X, y, 0 if criterion == "squared_error" else 2, [0, 150])
        for category_noise in taken:
            rules = {"criterion": criterion, "max_depth": 1, "category_noise": category_noise}
            taken[category_noise] += int(grower_of(sample, **rules).grow().feature[0] == 1)
    assert taken[0.0] >= 8
    assert taken[1.0] == 0


def test_levels_that_tell_are_still_found() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=900), rng.integers(0, 100, 900)])
    y = (rng.random(900) < np.where(rng.random(100) < 0.5, 0.25, 0.75)[X[:, 1].astype(int)]) * 1
    tree = grower_of(sample_of(X, y, 2, [0, 100]), criterion="gini", category_noise=1.0).grow()
    assert tree.feature[0] == 1


def test_constant_columns_are_not_drawn() -> None:
    X, y, n_categories = wild(200, 8, 18)
    wide = np.column_stack([X, np.ones((200, 30)), np.full((200, 10), NAN)])
    rules = {"criterion": "gini", "max_features": 3}
    tree = grower_of(sample_of(X, y, 2, n_categories), **rules).grow()
    again = grower_of(sample_of(wide, y, 2, [*n_categories, *[0] * 40]), **rules).grow()
    assert same_tree(tree, again)


def test_refusals() -> None:
    X, y, n_categories = wild(20, 4, 13)
    sample = sample_of(X, y, 2, n_categories)
    with pytest.raises(ValueError, match="criterion"):
        grower_of(sample, criterion="luck")
    with pytest.raises(ValueError, match="squared_error"):
        grower_of(sample, criterion="squared_error")
    many = sample_of(np.arange(300.0)[:, None], np.arange(300) % 2, 2)
    with pytest.raises(ValueError, match="order kept"):
        grower_of(many, criterion="gini", exact=True)
    with pytest.raises(ValueError, match="category_noise"):
        grower_of(sample, criterion="gini", category_noise=-1.0)
    grower = grower_of(sample, criterion="gini", missing="fraction")
    with pytest.raises(ValueError, match="canonical"):
        grower.forest(2, bootstrap=True, n_draws=5, seed=0, canonical=np.zeros(20, np.int64))
    with pytest.raises(ValueError, match="copies"):
        grower.grow(copies=np.zeros(20, np.int64))
    with pytest.raises(ValueError, match="entries"):
        grower.grow(copies=np.ones(3, np.int64))


def test_wrong_targets_are_refused() -> None:
    X, y = np.arange(8.0)[:, None], np.eye(2)[np.arange(8) % 2]
    sample = replace(sample_of(X, np.zeros(8), 0), y=y)
    engine, numbers = sample.engine.trees, TreeSettings("squared_error", categorical="subset")
    assert engine.grower(sample, numbers, 2).grow().n_outputs == 2
    with pytest.raises(ValueError, match="several targets are parted by"):
        engine.grower(sample, replace(numbers, criterion="poisson"), 2)
    with pytest.raises(ValueError, match="classes are told by 0 and 1"):
        engine.grower(replace(sample, y=y * 2), replace(numbers, criterion="gini"), 2)
    with pytest.raises(ValueError, match="not finite"):
        engine.grower(replace(sample, y=y * NAN), numbers, 2)
    with pytest.raises(ValueError, match="at least one an output"):
        engine.grower(sample, numbers, 3)
    with pytest.raises(ValueError, match="none monotonic"):
        engine.grower(sample, replace(numbers, monotonic=(1,)), 2)
    with pytest.raises(ValueError, match="numbers"):
        engine.grower(replace(sample, y=y[:4]), numbers, 2)
