"""Trees that fit gradients: against the plain twin, and against themselves in other words."""

from __future__ import annotations

from dataclasses import fields
from math import inf
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.gradient import Coded, Grower, Limits, Node, coded, weighted_quantile
from tests.samples import same_bits, sample_of
from weaklearn.base.rows import CUT, Binning
from weaklearn.base.trees.tree import THRESHOLD, Tree
from weaklearn.base.trees.tree_arrays import LEAF, SUBSET
from weaklearn.learners.gradient_tree import GradientTreeLearner, content_hashes

NAN = float("nan")
quick = settings(deadline=None, max_examples=120)


def sampled(X: Any, weight: Any = None, categorical: Any = None, **how: Any) -> Any:
    """A sample of numbers to predict, coded for trees."""
    m = X.shape[0]
    how = {"regression": True, "binning": CUT, **how}
    return sample_of(X, np.zeros(m), weight, categorical, **how)


def grown(
    sample: Any,
    g: Any,
    c: Any = None,
    *,
    bounded: bool = False,
    copies: Any = None,
    rows: Any = None,
    features: Any = None,
    vote: float = 1.0,
    residuals: Any = None,
    quantile: float = 0.5,
    key: int = 0,
    **limits: Any,
) -> tuple[Tree, Any]:
    """One tree, and the scores of all rows after a step along it."""
    learner = GradientTreeLearner(**{"min_samples_leaf": 1, **limits})
    F = np.zeros((1, len(sample)))
    (arrays,) = sample.engine.gradients.grower(sample, learner).grow(
        np.asarray(g, np.float64)[None],
        None if c is None else np.asarray(c, np.float64)[None],
        bounded,
        [None if copies is None else np.asarray(copies, np.int64)],
        [None if rows is None else np.asarray(rows, np.uint32)],
        [None if features is None else np.asarray(features, np.int32)],
        vote,
        F,
        None if residuals is None else np.asarray(residuals, np.float64)[None],
        [quantile],
        True,
        key=key,
    )
    return Tree.of(arrays), F[0]


def same_tree(a: Tree, b: Tree) -> bool:
    return all(same_bits(getattr(a, f.name), getattr(b, f.name)) for f in fields(Tree))


def twin_columns(sample: Any) -> list[Coded]:
    """The columns of the sample as the twin has them."""
    levels = sample.cells.n_categories
    found = []
    for j in range(sample.cells.n_features):
        n = 0 if levels is None else int(levels[j])
        found.append(coded(sample.column(j).astype(float), n > 0, n or None))
    return found


def levels_of(tree: Tree, number: int) -> set[int]:
    words = tree.subsets[tree.subset[number]].tolist()
    return {64 * k + bit for k, word in enumerate(words) for bit in range(64) if word >> bit & 1}


def agrees(tree: Tree, nodes: list[Node], columns: list[Coded], twin: Grower) -> None:
    """The tree is the twin's, node by node; inner values are those of the search."""
    assert len(tree) == len(nodes)
    for number, node in enumerate(nodes):
        _, C, N = twin.sums(node.rows)
        assert tree.count[number] == N
        assert tree.weight[number] == pytest.approx(C, rel=1e-12)
        if node.split is None:
            assert tree.ask[number] == LEAF
            assert tree.values[number, 0] == pytest.approx(node.value, rel=1e-12, abs=1e-15)
            continue
        split = node.split
        assert (tree.first[number], tree.width[number]) == (node.first, 2)
        assert (tree.feature[number], tree.missing[number]) == (split["feature"], split["missing"])
        assert tree.gain[number] == pytest.approx(split["gain"], rel=1e-9)
        if split["levels"] is None:
            assert tree.ask[number] == THRESHOLD
            assert tree.threshold[number] == columns[split["feature"]].thresholds[split["cut"]]
        else:
            assert tree.ask[number] == SUBSET
            assert levels_of(tree, number) == split["levels"]


def scores(nodes: list[Node], m: int) -> Any:
    F = np.zeros(m)
    for node in nodes:
        if node.split is None:
            F[node.rows] = F[node.others] = node.value
    return F


# --- Against the twin ------------------------------------------------------------------------


@st.composite
def problems(draw: Any) -> dict[str, Any]:
    """Small tables full of ties, with gaps and categories; gradients are multiples of 1/8."""
    m, d = draw(st.integers(1, 24)), draw(st.integers(1, 3))
    categorical = [j for j in range(d) if draw(st.integers(0, 2)) == 0]
    cell: Any = st.integers(0, draw(st.sampled_from([2, 4, 9])))
    if draw(st.booleans()):
        cell = st.one_of(cell, cell, st.just(NAN))
    X = np.array(draw(st.lists(st.lists(cell, min_size=d, max_size=d), min_size=m, max_size=m)))
    slope = st.integers(-8, 8).map(lambda k: k / 8)
    constant = draw(st.booleans())
    limits: dict[str, Any] = {
        "max_leaf_nodes": draw(st.sampled_from([None, 2, 3, 8])),
        "max_depth": draw(st.sampled_from([None, 1, 2, 3])),
        "min_samples_leaf": draw(st.integers(1, 4)),
        "min_curvature": draw(st.sampled_from([1e-3, 0.5])),
        "l1": draw(st.sampled_from([0.0, 0.0, 0.5, 2.0])),
        "l2": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "max_step": draw(st.sampled_from([inf, inf, 0.25, 0.5])),
        "path_smoothing": draw(st.sampled_from([0.0, 0.0, 1.0, 4.0])),
        "category_noise": draw(st.sampled_from([0.0, 0.6, 2.0])),
        "category_smooth": draw(st.sampled_from([0.0, 2.0, 10.0])),
        "min_gain": draw(st.sampled_from([0.0, 0.25])),
        "random_cuts": draw(st.sampled_from([False, False, True])),
    }
    if draw(st.booleans()):
        counts, weights = st.sampled_from([None, 1, 2]), st.sampled_from([0.0, 0.5, 1.0, 3.0])
        limits["level_features"], limits["node_features"] = draw(counts), draw(counts)
        if draw(st.booleans()):
            limits["feature_weights"] = tuple(draw(weights) for _ in range(d))
            limits["feature_factors"] = tuple(draw(weights) for _ in range(d))
    if draw(st.booleans()):
        limits["monotonic"] = tuple(
            0 if j in categorical else draw(st.integers(-1, 1)) for j in range(d)
        )
    if d > 1 and draw(st.booleans()):
        limits["groups"] = draw(st.sampled_from([((0,), (1,)), ((0, 1), tuple(range(1, d)))]))
    n_codes = [len(np.unique(x[x == x])) for x in X.T.astype(float)]
    ordered = [j for j in range(d) if j not in categorical and n_codes[j] > 0]
    if ordered and draw(st.integers(0, 2)) == 0:
        limits |= forced(draw, ordered, n_codes)
    several = draw(st.booleans())
    copies = draw(st.lists(st.integers(0 if several else 1, 3), min_size=m, max_size=m))
    return {
        "X": X.astype(float),
        "categorical": categorical,
        "g": np.array(draw(st.lists(slope, min_size=m, max_size=m))),
        "c": None if constant else np.array(
            draw(st.lists(st.integers(0, 8).map(lambda k: k / 8), min_size=m, max_size=m))
        ),
        "bounded": not constant and draw(st.booleans()),
        "copies": np.array(copies) if several and any(copies) else None,
        "features": sorted(draw(st.sets(st.integers(0, d - 1), min_size=1))) if d > 1 else None,
        "limits": limits,
        "key": draw(st.integers(0, 2**64 - 1)),
    }  # fmt: skip


def forced(draw: Any, ordered: list[int], n_codes: list[int]) -> dict[str, Any]:
    """One to three splits: of the second and third, what side of an earlier one they stand on."""
    n = draw(st.integers(1, 3))
    features = [draw(st.sampled_from(ordered)) for _ in range(n)]
    below = [[-1, -1] for _ in range(n)]
    for k in range(1, n):
        free = [(a, side) for a in range(k) for side in (0, 1) if below[a][side] < 0]
        above, side = draw(st.sampled_from(free))
        below[above][side] = k
    return {
        "groups": (),  # which estimators refuse beside forced splits
        "forced_feature": tuple(features),
        "forced_cut": tuple(draw(st.integers(0, n_codes[j] - 1)) for j in features),
        "forced_left": tuple(left for left, _ in below),
        "forced_right": tuple(right for _, right in below),
    }


def as_given(problem: dict[str, Any]) -> dict[str, Any]:
    """What of a problem goes to the grower beside gradients: a bag is its rows and their copies."""
    copies = problem["copies"]
    rows = None if copies is None else np.flatnonzero(copies)
    return {"copies": copies, "rows": rows, "features": problem["features"], "key": problem["key"]}


@quick
@given(problems())
def test_the_tree_is_the_twins(problem: dict[str, Any]) -> None:
    sample = sampled(problem["X"], categorical=problem["categorical"])
    g, c = problem["g"], problem["c"]
    given_too = as_given(problem)
    tree, F = grown(sample, g, c, bounded=problem["bounded"], **given_too, **problem["limits"])
    columns = twin_columns(sample)
    twin = Grower(
        columns, g, np.ones(len(g)) if c is None else c, Limits(**problem["limits"]), **given_too
    )
    nodes = twin.grow()
    agrees(tree, nodes, columns, twin)
    assert F == pytest.approx(scores(nodes, len(g)), rel=1e-12, abs=1e-15)


_FREE: dict[str, Any] = {
    **{"l1": 0.0, "path_smoothing": 0.0, "max_step": inf, "monotonic": None, "max_depth": None}
}


@quick
@given(problems(), st.booleans(), st.data())
def test_forced_splits_are_the_twins(problem: dict[str, Any], free: bool, data: Any) -> None:
    X, limits = problem["X"], problem["limits"] | (_FREE if free else {})
    n_codes = [len(np.unique(x[x == x])) for x in X.T]
    ordered = [j for j, n in enumerate(n_codes) if n > 0 and j not in problem["categorical"]]
    if not ordered:
        return
    limits |= forced(data.draw, ordered, n_codes)
    sample, g, c = sampled(X, categorical=problem["categorical"]), problem["g"], problem["c"]
    given_too = as_given(problem)
    tree, F = grown(sample, g, c, bounded=problem["bounded"], **given_too, **limits)
    columns, C = twin_columns(sample), np.ones(len(g)) if c is None else c
    twin = Grower(columns, g, C, Limits(**limits), **given_too)
    nodes = twin.grow()
    agrees(tree, nodes, columns, twin)
    assert F == pytest.approx(scores(nodes, len(g)), rel=1e-12, abs=1e-15)


@quick
@given(problems(), st.sampled_from([0.1, 0.25, 0.5, 0.9]), st.randoms())
def test_leaves_that_answer_a_quantile(problem: dict[str, Any], level: float, random: Any) -> None:
    g, c, given_too = problem["g"], problem["c"], as_given(problem)
    sample = sampled(problem["X"], categorical=problem["categorical"])
    residuals = np.array([random.randint(-5, 5) / 2 for _ in g])
    weights = np.ones(len(g)) if c is None else c
    given_too |= {"residuals": residuals, "quantile": level}
    tree, F = grown(sample, g, c, **given_too, **problem["limits"])
    twin = Grower(twin_columns(sample), g, weights, Limits(**problem["limits"]), **given_too)
    nodes = twin.grow()
    agrees(tree, nodes, twin.columns, twin)
    assert F.tolist() == scores(nodes, len(g)).tolist()


def test_the_twins_quantile() -> None:
    x, one = np.array([3.0, 1.0, 2.0, 4.0]), np.ones(4)
    assert [weighted_quantile(x, q, one) for q in (0.1, 0.25, 0.3, 0.5, 0.9)] == [1, 1.5, 2, 2.5, 4]
    assert weighted_quantile(x, 0.5, np.array([5.0, 1, 1, 1])) == 3


# --- The same in other words -----------------------------------------------------------------


def mixed_table(m: int, seed: int = 0, values: int = 40) -> tuple[Any, list[int]]:
    """Numbers of few and of many values, gaps, and two categories; the last column is constant."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 9))
    X[:, 1:4] = rng.integers(0, values, (m, 3))
    X[rng.random((m, 9)) < 0.05] = NAN
    X[:, 4], X[:, 5] = rng.integers(0, 12, m), rng.integers(0, 60, m)
    X[rng.random(m) < 0.1, 5] = NAN
    X[:, 8] = 1
    return X, [4, 5]


FORMS: dict[str, dict[str, Any]] = {
    "packed": {"bounded": True},
    "packed with one curvature": {"c": None, "bounded": True},
    "wide": {"bounded": False},
    "monotone": {"bounded": True, "monotonic": (1, 0, -1, 0, 0, 0, 1, 0, 0)},
    "groups": {"bounded": True, "groups": ((0, 1, 4), (2, 3), (5, 6, 7, 8))},
}
over_forms = pytest.mark.parametrize("form", FORMS.values(), ids=list(FORMS))


def slopes(m: int, seed: int = 1) -> tuple[Any, Any]:
    """Gradients and curvatures as those of a logistic loss."""
    p = np.random.default_rng(seed).random(m)
    y = np.random.default_rng(seed + 1).random(m) < 0.5
    return p - y, p * (1 - p)


def formed(sample: Any, g: Any, c: Any, form: dict[str, Any], **others: Any) -> tuple[Tree, Any]:
    return grown(sample, g, **{"c": c, **form, **others})


@over_forms
def test_neither_order_nor_threads_matter(form: dict[str, Any]) -> None:
    m = 12_000  # several flushes of packed sums, and work for several threads
    X, categorical = mixed_table(m)
    g, c = slopes(m)
    order = np.random.default_rng(2).permutation(m)
    bag = np.flatnonzero(np.random.default_rng(3).random(m) < 0.8)
    for rows in (None, bag):
        tree, F = formed(sampled(X, None, categorical), g, c, form, rows=rows, max_leaf_nodes=31)
        assert tree.n_leaves == 31
        for threads in (2, 5):
            other, again = formed(
                sampled(X, None, categorical, threads=threads),
                g, c, form, rows=rows, max_leaf_nodes=31,
            )  # fmt: skip
            assert same_tree(tree, other)
            assert same_bits(F, again)
        turned = None if rows is None else np.flatnonzero(np.isin(order, rows))
        sample = sampled(X[order], None, categorical, threads=3)
        other, again = formed(sample, g[order], c[order], form, rows=turned, max_leaf_nodes=31)
        assert same_tree(tree, other)
        assert same_bits(F[order], again)


def test_rows_are_parted_by_many_threads_as_by_one() -> None:
    m = 150_000
    rng = np.random.default_rng(0)
    X = rng.integers(0, 200, (m, 2)).astype(float)
    g, c = slopes(m)
    one, four = (sampled(X, threads=threads) for threads in (1, 4))
    (a, F), (b, again) = (grown(s, g, c, bounded=True, rows=np.arange(5, m)) for s in (one, four))
    assert same_tree(a, b)
    assert same_bits(F, again)


@over_forms
@pytest.mark.parametrize("m", [300, 2300])  # 2300 examples need a bit more than 80 % of them do
def test_copies_are_repetition(form: dict[str, Any], m: int) -> None:
    X, categorical = mixed_table(m, values=9)
    g, c = slopes(m)
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 4, m)
    many = np.repeat(np.arange(m), counts)
    kept = np.flatnonzero(counts)
    repeated = sampled(X[many], None, categorical)
    once = sampled(X[kept], counts[kept], categorical)
    assert once.copies is not None
    a, F = formed(repeated, g[many], c[many], form)
    b, again = formed(once, g[kept], c[kept], form, copies=once.copies)
    assert same_tree(a, b)
    assert same_bits(F, np.repeat(again, counts[kept]))
    # The same for a bag, some copies of a row in it and others not.
    inside = rng.random(len(many)) < 0.8
    bag = np.bincount(many[inside], minlength=m)[kept]
    a, F = formed(repeated, g[many], c[many], form, rows=np.flatnonzero(inside))
    b, again = formed(once, g[kept], c[kept], form, copies=bag, rows=np.flatnonzero(bag))
    assert same_tree(a, b)
    assert same_bits(F, np.repeat(again, counts[kept]))


def test_rows_without_copies_count_for_nothing() -> None:
    X, categorical = mixed_table(200)
    g, c = slopes(200)
    sample = sampled(X, None, categorical)
    copies = (np.arange(200) % 3 > 0).astype(np.int64)
    for form in FORMS.values():
        a, F = formed(sample, g, c, form, copies=copies)
        b, again = formed(sample, g, c, form, copies=copies, rows=np.flatnonzero(copies))
        assert same_tree(a, b)
        assert same_bits(F, again)


@over_forms
def test_several_trees_at_once_are_those_grown_one_by_one(form: dict[str, Any]) -> None:
    X, categorical = mixed_table(4000)
    sample = sampled(X, None, categorical, threads=3)
    slopes_of = [slopes(4000, seed) for seed in range(4)]
    bags = [None, np.arange(0, 4000, 2), np.arange(1000), None]
    columns = [None, None, np.array([0, 4, 5]), np.array([8])]
    limits = {k: v for k, v in form.items() if k not in ("c", "bounded")}
    grower = sample.engine.gradients.grower(sample, GradientTreeLearner(**limits))
    F = np.zeros((4, 4000))
    arrays = grower.grow(
        np.array([g for g, _ in slopes_of]),
        None if "c" in form else np.array([c for _, c in slopes_of]),
        form["bounded"],
        [None] * 4,
        [None if bag is None else bag.astype(np.uint32) for bag in bags],
        [None if some is None else some.astype(np.int32) for some in columns],
        0.25,
        F,
        None,
        [],
        True,
    )
    for k, (g, c) in enumerate(slopes_of):
        tree, again = formed(
            sample, g, c, form,
            rows=bags[k], features=columns[k], vote=0.25, min_samples_leaf=5,
        )  # fmt: skip
        assert same_tree(Tree.of(arrays[k]), tree)
        assert same_bits(F[k], again)
    assert len(arrays[3]["ask"]) == 1  # a constant column tells nothing apart


@pytest.mark.parametrize("m", [50, 20_000])
def test_packed_sums_are_wide_ones_where_both_are_exact(m: int) -> None:
    X, categorical = mixed_table(m)
    rng = np.random.default_rng(5)
    g, c = rng.integers(-64, 65, m) / 64, rng.integers(0, 65, m) / 256
    sample = sampled(X, None, categorical)
    a, F = grown(sample, g, c, bounded=True, max_leaf_nodes=63)
    b, again = grown(sample, g, c, bounded=False, max_leaf_nodes=63)
    assert a.n_leaves > 5
    assert same_tree(a, b)
    assert same_bits(F, again)
    # The same for a curvature of 1 that is told or not.
    a, _ = grown(sample, g, None, max_leaf_nodes=63)
    b, _ = grown(sample, g, np.ones(m), max_leaf_nodes=63)
    assert same_tree(a, b)


@pytest.mark.parametrize("sign", [-1.0, 1.0])
@pytest.mark.parametrize("m", [8191, 8192, 40_000])
def test_the_most_that_packed_fields_can_hold(m: int, sign: float) -> None:
    """All gradients and curvatures at their largest, and just below, where rounding lifts them."""
    X = np.repeat([[0.0], [1.0]], [m - 5, 5], axis=0)
    for size in (1.0, np.nextafter(1.0, 0.0), 1.0 - 2**-13, 0.5 + 2**-12):
        g, c = np.full(m, sign * size), np.full(m, size / 4)
        g[-5:] *= -1
        for curvature in (c, None):
            tree, F = grown(sampled(X), g, curvature, bounded=True)
            assert tree.count.tolist() == [m, m - 5, 5]
            each = 1.0 if curvature is None else size / 4
            assert tree.weight[0] == pytest.approx(m * each, rel=2**-10)
            assert tree.weight[1:] == pytest.approx(np.array([m - 5, 5]) * each)
            C = tree.weight[1:]
            steps = np.array([-sign, sign]) * size * np.array([m - 5, 5]) / (C + 1)
            assert tree.values[1:, 0] == pytest.approx(steps)
            assert F[[0, -1]] == pytest.approx(steps)


def test_all_codes_and_missing_values_too() -> None:
    x = np.r_[np.arange(255.0), NAN]
    X = np.repeat(x, 4)[:, None]
    g = np.where(np.isnan(X[:, 0]) | (X[:, 0] == 254), -1.0, 0.125)
    for bounded in (True, False):
        tree, F = grown(sampled(X), g, np.full(len(g), 0.25), bounded=bounded, max_leaf_nodes=2)
        assert (tree.threshold[0], tree.missing[0]) == (253.5, 1)
        assert len(np.unique(F[np.isnan(X[:, 0]) | (X[:, 0] > 253)])) == 1
        # Missing against known: above every value there is, a new one belongs to the known.
        apart = np.where(np.isnan(X[:, 0]), -1.0, 0.125)
        tree, F = grown(sampled(X), apart, np.full(len(g), 0.25), bounded=bounded, max_leaf_nodes=2)
        assert (tree.threshold[0], tree.missing[0]) == (np.finfo(float).max, 1)
        assert len(np.unique(F)) == 2


def test_as_many_levels_as_there_are_codes() -> None:
    rng = np.random.default_rng(6)
    for missing in (False, True):
        levels = np.r_[np.arange(254.0), rng.integers(0, 254, 3000)]
        if missing:
            levels[rng.random(len(levels)) < 0.1] = NAN
        sample = sampled(levels[:, None], None, [0])
        good = np.isnan(levels) | (levels % 3 == 0)
        g = np.where(good, -0.5, 0.5)
        tree, F = grown(sample, g, np.full(len(g), 0.25), bounded=True, category_noise=0.0)
        assert (tree.ask[0], len(tree)) == (SUBSET, 3)
        assert len({*F[good], *F[~good]}) == 2
        right = {level for level in range(254) if level % 3 == 0}
        assert levels_of(tree, 0) in (right, set(range(254)) - right)
        columns = twin_columns(sample)
        twin = Grower(columns, g, np.full(len(g), 0.25), Limits(category_noise=0.0))
        agrees(tree, twin.grow(), columns, twin)


@pytest.mark.parametrize("decimals", [1, 6])  # few values, and more than there are codes
@pytest.mark.parametrize("zeros", [0.02, 0.5, 0.95])
def test_sparse_columns_are_dense_ones(decimals: int, zeros: float) -> None:
    rng = np.random.default_rng(7)
    m = 3000
    X = np.where(rng.random((m, 6)) < zeros, 0.0, rng.normal(size=(m, 6)).round(decimals))
    X[:, 1] = np.abs(X[:, 1])
    X[rng.random(m) < 0.05, 2] = NAN
    X[:, 3] = rng.integers(1, 5, m) + X[:, 3] / 99  # no zero in it
    X[:, 4] = -np.abs(X[:, 4])
    g, c = slopes(m)
    for counts in (None, rng.integers(1, 4, m)):
        for how in ({}, {"binning": Binning(20, 1, False)}):
            rows = sampled(X, counts, **how)
            dense, F = grown(rows, g, c, copies=counts, max_leaf_nodes=63)
            for kind in (sp.csr_array, sp.csc_array):
                listed = sampled(kind(X), counts, **how)
                sparse, again = grown(listed, g, c, copies=counts, max_leaf_nodes=63)
                assert same_tree(dense, sparse)
                assert same_bits(F, again)
                assert same_bits(content_hashes(rows), content_hashes(listed))


# --- What a tree keeps to --------------------------------------------------------------------


@over_forms
@pytest.mark.parametrize(
    "limits",
    [
        {"max_depth": 2},
        {"min_samples_leaf": 300},
        {"min_gain": 0.5},
        {"min_curvature": 40.0},
        {"max_leaf_nodes": 4},
    ],
    ids=str,
)
def test_limits(form: dict[str, Any], limits: dict[str, Any]) -> None:
    X, categorical = mixed_table(2000)
    g, c = slopes(2000)
    given_too = {"max_leaf_nodes": 31, **limits}
    tree, _ = formed(sampled(X, None, categorical), g, c, form, **given_too)
    leaves = tree.is_leaf
    assert 1 < tree.n_leaves <= given_too["max_leaf_nodes"]
    assert tree.depth <= limits.get("max_depth", 99)
    assert tree.count[leaves].min() >= limits.get("min_samples_leaf", 1)
    assert tree.weight[leaves].min() >= limits.get("min_curvature", 0) * 0.999
    assert tree.gain[~leaves].min() > limits.get("min_gain", 0)
    assert tree.count[leaves].sum() == 2000


@over_forms
def test_leaf_values_are_newtons_steps_to_all_digits(form: dict[str, Any]) -> None:
    """Searching may round gradients to few bits; what a leaf answers is summed in full."""
    X, categorical = mixed_table(5000)
    g, c = slopes(5000)
    free = {k: v for k, v in form.items() if k != "monotonic"}
    for l2 in (0.0, 1.0, 30.0):
        tree, F = formed(sampled(X, None, categorical), g, c, free, l2=l2)
        weights = np.ones(5000) if "c" in form else c
        for leaf in np.flatnonzero(tree.is_leaf):
            value = tree.values[leaf, 0]
            rows = value == F
            assert rows.sum() == tree.count[leaf]
            assert value == pytest.approx(-g[rows].sum() / (weights[rows].sum() + l2), rel=1e-11)
        assert g @ F <= 0


def test_rounding_to_few_bits_costs_little_gain() -> None:
    X, categorical = mixed_table(3000)
    g, c = slopes(3000)
    sample = sampled(X, None, categorical)
    gains = [
        grown(sample, g, c, bounded=bounded, max_leaf_nodes=2)[0].gain[0]
        for bounded in (True, False)
    ]
    assert gains[0] == pytest.approx(gains[1], rel=1e-3)


def test_columns_that_are_not_offered_are_not_used() -> None:
    X, categorical = mixed_table(1000)
    g, c = slopes(1000)
    tree, _ = grown(sampled(X, None, categorical), g, c, features=[2, 5, 7])
    assert {*tree.feature[~tree.is_leaf].tolist()} <= {2, 5, 7}
    with pytest.raises(ValueError, match="features must ascend"):
        grown(sampled(X, None, categorical), g, c, features=[5, 2])
    with pytest.raises(ValueError, match="rows must ascend"):
        grown(sampled(X, None, categorical), g, c, rows=[0, 1000])


@pytest.mark.parametrize("power", [-1000, -400, -100, 100, 400, 990])
def test_gradients_of_any_size(power: int) -> None:
    """Times a power of two they give the same tree, as long as their squares are numbers."""
    X, categorical = mixed_table(500)
    g, c = slopes(500)
    sample = sampled(X, None, categorical)
    free = {"l2": 0.0, "min_curvature": 0.0}
    plain, F = grown(sample, g, c, **free)
    other, again = grown(sample, np.ldexp(g, power), c, **free)
    assert np.isfinite(other.values).all()
    if abs(power) <= 400:
        assert same_bits(plain.feature, other.feature)
        assert same_bits(plain.threshold, other.threshold)
        assert same_bits(np.ldexp(F, power), again)


def test_no_curvature_left() -> None:
    """A loss so flat that no sum of curvature is enough: one leaf, and no step to the moon."""
    X, _ = mixed_table(500)
    g, c = slopes(500)
    for tiny in (0.0, 1e-320, 1e-300, 1e-20):
        for l2 in (0.0, 1.0):
            for bounded in (True, False):
                tree, F = grown(sampled(X), g * tiny, c * tiny, bounded=bounded, l2=l2)
                assert len(tree) == 1
                assert np.isfinite(F).all()


# --- Draws -----------------------------------------------------------------------------------


def drawn(sample: Any, g: Any, c: Any, copies: Any = None, key: int = 3, **how: Any) -> Any:
    oracle = GradientTreeLearner(**{"subsample": 0.6, "max_features": 0.5, "seed": 5, **how}).bind(
        sample
    )
    F = np.zeros((1, len(sample)))
    given_too: dict[str, Any] = {"vote": 0.5, "key": key, "bounded": True}
    copies = sample.copies if copies is None else copies
    (tree,) = oracle(g[None], c[None], F, copies=[copies], **given_too)
    return tree, F[0]


def test_a_bag_holds_its_share() -> None:
    X = np.random.default_rng(0).normal(size=(5000, 3))
    g, c = slopes(5000)
    sample = sampled(X)
    for share in (0.01, 0.3, 0.8, 1.0):
        counts = [drawn(sample, g, c, key=key, subsample=share)[0].count[0] for key in range(12)]
        spread = 5 * np.sqrt(5000 * share * (1 - share) / 12)
        assert abs(np.mean(counts) - 5000 * share) <= spread
        assert (len(set(counts)) > 6) == (share < 1)
    bags = [drawn(sample, g, c, seed=seed)[0] for seed in range(3)]
    assert len({bag.count[0] for bag in bags}) == 3
    # Nobody drawn: everybody is.
    assert drawn(sample, g, c, subsample=1e-30)[0].count[0] == 5000


@pytest.mark.parametrize("counted", [False, True])
def test_the_largest_gradients_are_in_every_bag(counted: bool) -> None:
    """The tree is the one of the kept and the drawn rows, the latter made up for the others."""
    m, share, chance = 900, 0.2, 0.25
    rng = np.random.default_rng(2)
    X = rng.normal(size=(m, 3))
    g, c = rng.integers(-40, 41, m) / 8, rng.integers(1, 5, m) / 4
    counts = rng.integers(1, 4, m) if counted else np.ones(m, np.int64)
    sample = sampled(X, counts if counted else None)
    sizes = np.sort(np.repeat(abs(g), counts))[::-1]
    large = abs(g) >= sizes[int(np.ceil(share * len(sizes))) - 1]
    how: dict[str, Any] = {"max_features": 1.0, "subsample": chance, "min_samples_leaf": 1}
    bag = bag_of(sample, **how)
    assert 0 < bag[large].sum() < counts[large].sum()
    bag = np.where(large, counts, bag)
    up = np.where(large, 1.0, 1 / chance)
    expected, F = grown(
        sample, g * up, c * up, copies=bag if counted else None, rows=np.flatnonzero(bag), vote=0.5
    )
    tree, again = drawn(sample, g, c, keep_largest=share, **how)
    assert tree.count[0] == bag.sum()
    assert same_tree(tree, expected)
    assert same_bits(F, again)
    assert drawn(sample, g, c, **{**how, "keep_largest": share, "subsample": 1e-30})[0].count[
        0
    ] == (counts.sum())


def bag_of(sample: Any, key: int = 3, **how: Any) -> Any:
    """How many copies of each row a round draws."""
    oracle = GradientTreeLearner(**{"seed": 5, **how}).bind(sample)
    ((several, rows),) = oracle._draw([sample.copies], key)
    found = np.zeros(len(sample), np.int64)
    found[rows] = 1 if several is None else several[rows]
    return found


def test_columns_are_drawn_too() -> None:
    X = np.random.default_rng(0).normal(size=(300, 10))
    g, c = slopes(300)
    used = set()
    for key in range(8):
        tree, _ = drawn(sampled(X), g, c, key=key, max_features=0.3, max_leaf_nodes=None)
        columns = {*tree.feature[~tree.is_leaf].tolist()}
        assert 0 < len(columns) <= 3
        used |= columns
    assert len(used) > 5


def test_a_draw_follows_what_rows_hold_and_not_where_they_stand() -> None:
    m = 2300
    X, _ = mixed_table(m, values=5)
    X = X[:, 1:6]
    X[:, 3:] %= 3  # many rows are alike
    g, c = (part[np.nan_to_num(X).sum(axis=1).astype(int)] for part in slopes(200))
    order = np.random.default_rng(1).permutation(m)
    a, F = drawn(sampled(X, None, [3, 4]), g, c)
    b, again = drawn(sampled(X[order], None, [3, 4], threads=3), g[order], c[order])
    assert same_tree(a, b)
    assert same_bits(F[order], again)


@pytest.mark.parametrize("part", [False, True])
def test_a_draw_from_copies_is_one_from_repetitions(part: bool) -> None:
    """Also where some of the examples are not learnt from, as in a fold."""
    rng = np.random.default_rng(8)
    m = 700
    X = rng.integers(0, 12, (m, 3)).astype(float)
    X = np.unique(X, axis=0)
    m = len(X)
    g, c = slopes(m)
    counts = rng.integers(1, 6, m)
    many = np.repeat(np.arange(m), counts)
    once, repeated = sampled(X, counts), sampled(X[many])
    few = rng.integers(0, counts + 1) if part else counts
    place = np.arange(len(many)) - np.repeat(np.cumsum(counts) - counts, counts)
    listed = (place >= np.repeat(counts - few, counts)).astype(np.int64)
    for key in range(4):
        a, F = drawn(once, g, c, few.astype(np.int64), key)
        b, again = drawn(repeated, g[many], c[many], listed, key)
        assert same_tree(a, b)
        assert same_bits(F[many], again)


def test_weights_beyond_counting_are_drawn_from_at_once() -> None:
    X = np.random.default_rng(0).normal(size=(50, 2))
    g, c = slopes(50)
    weights = np.full(50, 10**13)
    tree, F = drawn(sampled(X, weights), g, c)
    assert tree.count[0] == pytest.approx(0.6 * 50 * 10**13, rel=1e-12)
    assert np.isfinite(F).all()


def test_what_a_row_holds() -> None:
    X = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 1.0], [-0.0, 1.0]])
    plain = content_hashes(sampled(X))
    assert len(set(plain.tolist())) == 2
    assert plain[0] == plain[2] == plain[3]
    weighed = content_hashes(sampled(X, [0.5, 0.5, 0.25, 0.5]))
    assert weighed[0] == weighed[3] != weighed[2]
    beside = content_hashes(sampled(X), np.array([0.0, 0.0, 1.0, -0.0]))
    assert beside[0] == beside[3] != beside[2]


def test_bins_count_copies() -> None:
    """Columns of many values are cut into bins of as many examples each, whoever brings them."""
    rng = np.random.default_rng(9)
    m = 900
    X = np.column_stack([rng.normal(size=m), np.where(rng.random(m) < 0.4, 0, rng.normal(size=m))])
    counts = rng.integers(1, 5, m)
    many = np.repeat(np.arange(m), counts)
    g, c = slopes(m)
    for kind in (np.asarray, sp.csc_array):
        for binning in (CUT, Binning(30, 1, False)):
            once = sampled(kind(X), counts, binning=binning)
            repeated = sampled(kind(X[many]), binning=binning)
            a, F = grown(once, g, c, copies=counts, max_leaf_nodes=None)
            b, again = grown(repeated, g[many], c[many], max_leaf_nodes=None)
            assert same_tree(a, b)
            assert same_bits(F[many], again)


def test_arrays_that_come_and_go_are_not_mixed_up() -> None:
    """An array of copies may take the place in memory of one that is gone."""
    rng = np.random.default_rng(3)
    sample = sampled(rng.normal(size=(200, 2)))
    g = rng.normal(size=(1, 200))
    learner = GradientTreeLearner(subsample=0.6, seed=1)
    oracle = learner.bind(sample)

    def grown(oracle: Any, copies: Any) -> Any:
        F = np.zeros((1, 200))
        return oracle(g, None, F, vote=1.0, key=0, bounded=False, copies=[copies])[0]

    for k in range(30):
        copies = np.random.default_rng(k).integers(0, 2, 200)
        tree = grown(oracle, copies)
        assert tree.values.tolist() == grown(learner.bind(sample), copies).values.tolist()
        del copies


def test_an_array_is_drawn_from_once_a_round(monkeypatch: Any) -> None:
    rng = np.random.default_rng(3)
    sample = sampled(rng.normal(size=(60, 2)))
    oracle = GradientTreeLearner(subsample=0.6).bind(sample)
    seen: list[Any] = []
    draw = oracle._draw
    monkeypatch.setattr(oracle, "_draw", lambda parts, key: seen.append(parts) or draw(parts, key))
    g, F = rng.normal(size=(50, 60)), np.zeros((50, 60))
    one, other = np.ones(60, np.int64), np.ones(60, np.int64)
    oracle(g, None, F, vote=1.0, key=0, bounded=False, copies=[one] * 25 + [other] * 25)
    assert [[part is one for part in parts] for parts in seen] == [[True, False]]
