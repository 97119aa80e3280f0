"""Labellings, growth and VC dimension: golden values, formulas against brute force, witnesses."""

from __future__ import annotations

import math
import re
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from weaklearn.theory import bounds, vc

quick = settings(max_examples=30, deadline=None)

ON_THE_LINE: dict[str, vc.HypothesisClass] = {
    "thresholds": vc.Thresholds(),
    "stumps_on_the_line": vc.Stumps(1),
    "intervals": vc.Intervals(1),
    "unions_of_2_intervals": vc.Intervals(2),
    "three_piece": vc.ThreePiece(),
    **{f"piecewise_constant_{r}": vc.Piecewise(r) for r in range(1, 6)},
    **{f"majority_of_{k}_thresholds": vc.Majority(k) for k in (1, 3, 5)},
    **{f"at_most_{d}_positives": vc.AtMost(d) for d in range(5)},
    **{f"halfspaces_over_{T}_stumps_on_the_line": vc.StumpVotes(T) for T in range(1, 6)},
}
IN_SPACE: dict[str, vc.HypothesisClass] = {
    **{f"rectangles_R{n}": vc.Rectangles(n) for n in (1, 2, 3)},
    **{f"stumps_R{n}": vc.Stumps(n) for n in (1, 2, 3, 4)},
    "stumps_R5_formula": vc.Stumps(5),
    **{f"homogeneous_halfspaces_R{n}": vc.Halfspaces(n, False) for n in (1, 2, 3)},
    **{f"affine_halfspaces_R{n}": vc.Halfspaces(n, True) for n in (1, 2, 3)},
    "homogeneous_origin_trap": vc.Halfspaces(2, affine=False),
    "affine_square": vc.Halfspaces(2),
    "affine_collinear": vc.Halfspaces(2),
    **{f"monomials_{n}": vc.Monomials(n) for n in (2, 3, 4)},
    **{f"disjunctions_{n}": vc.Disjunctions(n) for n in (2, 3, 4)},
}
SMALL: list[vc.HypothesisClass] = [
    *ON_THE_LINE.values(),
    vc.Intervals(3),
    vc.StumpVotes(2, zero_sums=True),
    vc.StumpVotes(4, zero_sums=True),
    vc.Stumps(2),
    vc.Rectangles(2),
    vc.Monomials(2),
    vc.Monomials(3),
    vc.Disjunctions(3),
    vc.AllFunctions(3),
    vc.Majority(3, vc.Stumps(1)),
]


@pytest.mark.parametrize("name", golden.names("vc"))
def test_golden(name: str) -> None:
    case = golden.case("vc", name)
    given_, expected = case["input"], case["expected"]
    cls = {**ON_THE_LINE, **IN_SPACE}[name]
    if "vc_dim" in expected:
        assert vc.vc_dimension(cls) == expected["vc_dim"]
    if isinstance(expected.get("dichotomies"), list):
        found = [len(vc.dichotomies(cls, np.sqrt(np.arange(k)))) for k in given_["k"]]
        assert found == expected["dichotomies"]
        assert [vc.growth(cls, k) for k in given_["k"]] == expected["dichotomies"]
    elif "dichotomies" in expected:
        assert len(vc.dichotomies(cls, given_["points"])) == expected["dichotomies"]
    for key in {"growth", "growth_on_cube"} & expected.keys():
        sizes = given_.get("k", range(1, 1 + len(expected[key])))
        assert [vc.growth(cls, m) for m in sizes] == expected[key]
    if "shattered_set" in expected:
        assert vc.is_shattered(cls, expected["shattered_set"])
    if "class_size" in expected:
        cube = list(product((0, 1), repeat=given_["n"]))
        assert len(vc.dichotomies(cls, cube)) == expected["class_size"]


def test_without_points_on_the_border() -> None:
    case = golden.case("vc", "homogeneous_origin_trap")
    strict = vc.Halfspaces(2, affine=False, strict=True)
    found = vc.dichotomies(strict, case["input"]["points"])
    assert len(found) == case["expected"]["strict_dichotomies"] == vc.growth(strict, 3)
    every = vc.witnesses(vc.Halfspaces(2, affine=False), case["input"]["points"])
    assert every.keys() - found == {(-1, -1, -1)}
    votes = [len(vc.dichotomies(vc.StumpVotes(2, zero_sums=True), range(k))) for k in (2, 3, 4)]
    assert votes == [4, 7, 11]


@pytest.mark.parametrize("cls", SMALL, ids=repr)
def test_formulas_agree_with_brute_force(cls: vc.HypothesisClass) -> None:
    largest = 4 if isinstance(cls, vc.Stumps | vc.Rectangles | vc.Majority) else 5
    for m in range(largest + 1):
        assert vc.HypothesisClass.growth(cls, m) == cls.growth(m)
        # 2^m if and only if m is at most the VC dimension, and Sauer's bound
        assert (cls.growth(m) == 2**m) == (m <= cls.vc_dimension())
        assert cls.growth(m) <= bounds.sauer(m, int(cls.vc_dimension()))


@pytest.mark.parametrize("m", range(1, 9))
def test_closed_forms_of_the_catalogue(m: int) -> None:
    def first(k: int) -> int:
        return sum(math.comb(m - 1, i) for i in range(k))

    assert vc.growth(vc.Thresholds(), m) == m + 1
    assert vc.growth(vc.Stumps(1), m) == 2 * m
    assert vc.growth(vc.ThreePiece(), m) == m * (m - 1) + 2
    assert vc.growth(vc.Intervals(None), m) == 2**m
    for k in (1, 2, 3):
        assert vc.growth(vc.Intervals(k), m) == bounds.union_intervals_growth(m, k)
        assert vc.growth(vc.Piecewise(k), m) == 2 * first(k)
        assert vc.growth(vc.Halfspaces(k), m) == 2 * first(k + 1)
        assert vc.growth(vc.Halfspaces(k, False, strict=True), m) == 2 * first(k)
        assert vc.growth(vc.Halfspaces(k, False), m) == 2 * first(k) + (m > k)
        assert vc.growth(vc.Stumps(k), m) <= bounds.stump_growth_upper(m, k)
        if m >= 2 * k:
            assert vc.growth(vc.Stumps(k), m) == k * (2 * m - 2) + 2


def test_growth_of_stumps_and_boxes_by_all_orders() -> None:
    """Against the definition: subsets at the ends of orders, and subsets that fill their box."""

    def ends(order: tuple[int, ...]) -> set[frozenset[int]]:
        cut = [(order[:i], order[i:]) for i in range(len(order) + 1)]
        return {frozenset(part) for pair in cut for part in pair}

    for n, m in [(2, 3), (2, 4), (2, 5), (3, 4)]:
        pools = [ends(order) for order in permutations(range(m))]
        most = max(len(pools[0].union(*others)) for others in combinations(pools, n - 1))
        assert vc.growth(vc.Stumps(n), m) == most
    assert vc.growth(vc.Rectangles(2), 5) == vc.HypothesisClass.growth(vc.Rectangles(2), 5) == 28
    # One of 7 points is inside; at best 3 of the 6 others are needed to hold it: 2^7 - 2^3.
    assert vc.growth(vc.Rectangles(3), 7) == 120


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 10, 18])
def test_stumps_shatter_as_many_points_as_the_formula_says(n: int) -> None:
    points = vc.shattered_set(vc.Stumps(n))
    assert points.shape == (bounds.stump_vc_exact(n), n)
    assert vc.is_shattered(vc.Stumps(n), points)


@pytest.mark.parametrize(
    "cls",
    [*SMALL, vc.Rectangles(4), vc.Halfspaces(3), vc.Halfspaces(4, False), vc.Monomials(6)],
    ids=repr,
)
def test_shattered_sets_are_shattered(cls: vc.HypothesisClass) -> None:
    d = int(vc.vc_dimension(cls))
    for m in {d, d // 2}:
        points = vc.shattered_set(cls, m)
        assert len(points) == m
        assert vc.is_shattered(cls, points)
        assert vc.missing(cls, points) == []
    with pytest.raises(ValueError, match="m must be at most the VC dimension of"):
        vc.shattered_set(cls, d + 1)


def points_for(cls: vc.HypothesisClass, seed: int, m: int) -> Any:
    rng = np.random.default_rng(seed)
    if isinstance(cls, vc.Monomials | vc.Disjunctions):
        return rng.integers(0, 2, size=(m, cls.n))
    if isinstance(cls, vc.AllFunctions):
        return rng.integers(0, cls.d, size=m)
    if isinstance(cls, vc.Stumps | vc.Rectangles | vc.Halfspaces):
        return rng.integers(-3, 4, size=(m, cls.n))  # with ties, and points twice
    return rng.integers(-3, 4, size=m) / 3


@pytest.mark.parametrize(
    "cls",
    [*SMALL, vc.Halfspaces(2), vc.Halfspaces(2, False), vc.Halfspaces(2, False, strict=True)],
    ids=repr,
)
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6), m=st.integers(0, 5))
def test_witnesses_yield_their_labels(cls: vc.HypothesisClass, seed: int, m: int) -> None:
    points = points_for(cls, seed, m)
    found = vc.witnesses(cls, points)
    for labels, h in found.items():
        assert len(labels) == m
        if m:
            assert tuple(h(points).tolist()) == labels
    assert found.keys() == vc.dichotomies(cls, points)
    assert len(found) <= vc.growth(cls, m)
    assert len(found) + len(vc.missing(cls, points)) == 2**m
    assert vc.is_shattered(cls, points) == (not vc.missing(cls, points, limit=1))
    if 0 < m and np.unique(points, axis=0).shape[0] < m:
        assert not vc.is_shattered(cls, points)


@quick
@given(st.integers(0, 10**6), st.integers(1, 12), st.integers(1, 6))
def test_finite_classes(seed: int, size: int, columns: int) -> None:
    table = np.random.default_rng(seed).choice([-1, 1], size=(size, columns))
    distinct = len(np.unique(table, axis=0))
    d = vc.vc_dimension(table)
    assert d <= math.log2(distinct)
    assert vc.is_shattered(table, vc.shattered_set(table))
    functions = [lambda x, row=row: row[x] for row in table]
    rule = vc.Predicate(
        lambda points, labels: bool((table[:, points] == labels).all(axis=1).any()),
        domain=range(columns),
    )
    assert vc.vc_dimension(rule) == vc.vc_dimension(vc.Finite(functions, range(columns))) == d
    for m in range(columns + 1):
        brute = max(
            len({tuple(row) for row in table[:, list(chosen)]})
            for chosen in combinations(range(columns), m)
        )
        assert vc.growth(table, m) == vc.growth(rule, m) == brute
        assert (brute == 2**m) == (m <= d)
        assert brute <= bounds.sauer(m, int(d))
    every = range(columns)
    assert vc.dichotomies(functions, every) == vc.dichotomies(table, every)
    assert vc.dichotomies(rule.realisable, every) == vc.dichotomies(table, every)
    for labels, h in vc.witnesses(functions, every).items():
        assert tuple(h(every)) == labels
    assert vc.growth(table, columns + 3) == distinct


def test_majorities() -> None:
    assert vc.dichotomies(vc.Majority(101), range(6)) == vc.dichotomies(vc.Thresholds(), range(6))
    assert vc.vc_dimension(vc.Majority(101)) == 1
    three = vc.Majority(3, vc.Stumps(1))
    # A majority of three stumps has at most three changes, each way round.
    assert vc.dichotomies(three, range(5)) == vc.dichotomies(vc.StumpVotes(3), range(5))
    assert vc.vc_dimension(three) == 4 <= bounds.maj_vc_upper(3, 2)
    assert vc.vc_dimension(vc.Majority(1, vc.Rectangles(3))) == 6
    assert vc.growth(vc.Majority(1, vc.Rectangles(3)), 5) == 32


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 4), st.integers(0, 1))
def test_radon_splits_as_no_halfspace_can(seed: int, d: int, more: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(d + 2 + more, d)) * 10.0 ** rng.integers(-6, 7) + rng.normal()
    if seed % 3 == 0:
        x = rng.integers(-2, 3, size=x.shape).astype(float)  # degenerate
    split = vc.radon(x)
    first, second = list(split.first), list(split.second)
    assert sorted(first + second) == list(range(len(x)))
    shares = split.shares
    assert (shares >= 0).all()
    for part in (first, second):
        assert shares[part].sum() == pytest.approx(1)
        meeting = shares[part] @ x[part]
        assert meeting == pytest.approx(split.point, rel=1e-9, abs=1e-9 * np.abs(x).max())
    labels = tuple(1 if i in first else -1 for i in range(len(x)))
    if len(x) <= 5:
        assert labels not in vc.dichotomies(vc.Halfspaces(d), x)


def test_radon_puts_idle_points_in_the_first_part() -> None:
    split = vc.radon([[0.0, 0.0], [2.0, 0.0], [5.0, 7.0], [1.0, 0.0]])
    assert (split.first, split.second) == ((0, 1, 2), (3,))
    assert split.point == pytest.approx([1.0, 0.0])
    assert split.shares == pytest.approx([0.5, 0.5, 0.0, 1.0])
    assert vc.radon([3.0, 1.0, 2.0]).point == pytest.approx([2.0])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: vc.Stumps(0), "n must be a whole number of at least 1, got 0."),
        (lambda: vc.Majority(2), "k must be an odd whole number of at least 1, got 2."),
        (lambda: vc.AtMost(-1), "d must be a whole number of at least 0, got -1."),
        (lambda: vc.growth(vc.Thresholds(), -1), "m must be a whole number of at least 0, got -1."),
        (lambda: vc.growth(vc.Rectangles(4), 9), "takes about 10^"),
        (lambda: vc.growth([lambda x: x], 2), "name them with domain=..."),
        (lambda: vc.growth(lambda points, labels: True, 2), "name them with domain=..."),
        (lambda: vc.dichotomies(vc.Stumps(2), [[1.0]]), "rows of 2 numbers, got shape (1, 1)"),
        (lambda: vc.dichotomies(vc.Thresholds(), [np.nan]), "points must be finite, got nan"),
        (lambda: vc.dichotomies(vc.Monomials(2), [[0, 2]]), "points must be of 0 and 1, got 2"),
        (lambda: vc.dichotomies(vc.AllFunctions(2), [2]), "whole numbers from 0 to 1"),
        (lambda: vc.dichotomies([[1, -1]], [2]), "points must be columns from 0 to 1"),
        (lambda: vc.Finite([]), "at least one function or row"),
        (lambda: vc.Finite([[1]], domain=[0]), "domain must be left out"),
        (lambda: vc.Finite([1, -1]), "rows of one matrix, got shape (2,)"),
        (lambda: vc.shattered_set(vc.Intervals(None)), "shatters sets of any size"),
        (lambda: vc.radon([[0, 0], [1, 0], [0, 1]]), "d + 2 points of R^d, got 3 points of R^2"),
    ],
)
def test_outside_the_theorems_it_is_refused(call: Any, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        call()


def test_what_is_no_class_is_refused() -> None:
    for nothing in (vc.Thresholds, 3):
        with pytest.raises(TypeError, match="cls must be a class of hypotheses such as"):
            vc.vc_dimension(nothing)  # type: ignore[arg-type]
