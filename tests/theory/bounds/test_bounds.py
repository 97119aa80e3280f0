"""The bounds: golden values, the inequalities between them, exact counts, refusals."""

from __future__ import annotations

import doctest
import inspect
import math
import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden import Case, case, load, names
from weaklearn.theory import bounds

errors = st.lists(st.floats(0, 1), max_size=30)
edges = st.lists(st.floats(0, 0.5), min_size=1, max_size=30)
edge = st.floats(1e-3, 0.5)
percents = st.integers(1, 99).map(lambda integer: Fraction(integer, 100))
quick = settings(deadline=None, max_examples=60)


@pytest.mark.parametrize("golden", load("bounds"), ids=names("bounds"))
def test_golden(golden: Case) -> None:
    value = getattr(bounds, golden["input"]["function"])(**golden["input"]["args"])
    assert type(value) is type(golden["expected"]["value"])
    assert value == pytest.approx(golden["expected"]["value"], rel=1e-12, abs=1e-15)


def test_every_listed_function_has_a_golden_case() -> None:
    assert {golden["input"]["function"] for golden in load("bounds")} <= set(bounds.__all__)


def test_docstrings_hold_and_say_what_is_guaranteed() -> None:
    files = [module for name, module in vars(bounds).items() if inspect.ismodule(module)]
    outcomes = [doctest.testmod(module) for module in files]
    assert sum(outcome.failed for outcome in outcomes) == 0
    assert sum(outcome.attempted for outcome in outcomes) >= len(bounds.__all__)
    for name in bounds.__all__:
        said = inspect.getdoc(getattr(bounds, name)) or ""
        for part in (".. math::", "Guarantee:", ">>> ", "Reference:"):
            assert part in said, f"{name} has no {part}"


def test_the_page_names_every_function() -> None:
    page = Path(__file__).parents[3] / "docs" / "bounds.md"
    told = set(re.findall(r"`(?:bounds\.)?(\w+)", page.read_text(encoding="utf-8")))
    assert set(bounds.__all__) <= told


def test_import_is_light() -> None:
    code = "import sys, weaklearn.theory.bounds; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- Training error and margins --------------------------------------------------------------


@quick
@given(errors)
def test_product_is_below_exp(epsilons: list[float]) -> None:
    assert bounds.ada_product(epsilons) <= bounds.ada_exp(epsilons) * (1 + 1e-12)


@quick
@given(edges)
def test_margin_zero_is_the_training_error(gammas: list[float]) -> None:
    product = bounds.ada_product([0.5 - g for g in gammas])
    assert bounds.margin_product(gammas, 0) == pytest.approx(product, rel=1e-9, abs=1e-12)


def test_toy_run_obeys_its_margin_bounds() -> None:
    expected = case("toy_adaboost", "ten_points_three_rounds")["expected"]
    epsilons = [row["eps_exact"] for row in expected["rounds"]]
    gammas = [Fraction(1, 2) - Fraction(epsilon) for epsilon in epsilons]
    assert bounds.ada_product(epsilons) == pytest.approx(expected["product_of_Z"], rel=1e-12)
    for check in expected["margin_distribution_checks"]:
        bound = bounds.margin_product(gammas, check["theta"])
        assert bound == pytest.approx(check["bound"], rel=1e-12)
        assert check["fraction_at_most"] <= bound


def test_training_error_edges() -> None:
    assert bounds.ada_product([0, 0.3]) == 0
    assert bounds.ada_product(["1", "3/10"]) == 0
    assert bounds.ada_product([]) == bounds.ada_exp([]) == 1
    assert bounds.ada_product(0.5) == 1
    assert bounds.margin_product([0.5, 0.1], 0.9) == 0
    assert bounds.margin_product([0.5], 1) == pytest.approx(2)
    assert bounds.margin_product([0.5] * 5000, 1) == math.inf
    assert bounds.gamma_boost_mistakes_product(7, 0.5, [0, 1, 2]).tolist() == [7, 0, 0]


@quick
@given(st.floats(0, 0.5))
def test_limit_lies_between_one_and_two_edges(gamma: float) -> None:
    limit = bounds.margin_theta_limit(gamma)
    assert gamma * (1 - 1e-12) <= limit <= 2 * gamma * (1 + 1e-12)


@quick
@given(st.floats(0.01, 0.49), st.floats(0.01, 0.2))
def test_limit_parts_falling_from_rising(gamma: float, step: float) -> None:
    limit = bounds.margin_theta_limit(gamma)
    assert bounds.margin_product([gamma], limit) == pytest.approx(1)
    assert bounds.margin_product([gamma], max(limit - step, -1)) < 1
    assert bounds.margin_product([gamma], min(limit + step, 1)) >= 1


def test_limit_at_the_ends() -> None:
    assert bounds.margin_theta_limit(0) == 0
    assert bounds.margin_theta_limit(1e-200) == 1e-200
    assert bounds.margin_theta_limit("1/2") == 1
    assert bounds.margin_theta_limit(0.5 - 1e-12) == pytest.approx(
        bounds.margin_theta_limit(Fraction(1, 2) - Fraction(1, 10**12)), rel=1e-6
    )


@quick
@given(st.integers(1, 10**6), edge, st.integers(0, 500))
def test_mistakes_product_is_below_exp(n: int, gamma: float, T: int) -> None:
    product = bounds.gamma_boost_mistakes_product(n, gamma, T)
    assert product <= bounds.gamma_boost_mistakes_exp(n, gamma, T) * (1 + 1e-12)


@quick
@given(st.integers(0, 150), st.integers(0, 50).map(lambda integer: Fraction(integer, 100)))
def test_the_chance_of_a_minority(T: int, gamma: Fraction) -> None:
    p = Fraction(1, 2) + gamma
    exact = sum(math.comb(T, j) * p**j * (1 - p) ** (T - j) for j in range(T // 2 + 1))
    found = bounds.bbm_bound(T, gamma)
    assert found == pytest.approx(float(exact), rel=1e-9, abs=1e-300)
    assert found <= math.exp(-2 * float(gamma) ** 2 * T) * (1 + 1e-12)


def test_a_majority_of_three_is_better_than_each() -> None:
    beta = np.linspace(0, 0.5, 101)
    found = np.asarray(bounds.majority3_error(beta))
    assert (found <= beta).all()
    assert (found[1:-1] < beta[1:-1]).all()
    draws = np.random.default_rng(0).random((3, 200_000)) < 0.2  # independent errors reach it
    assert (draws.sum(axis=0) >= 2).mean() == pytest.approx(bounds.majority3_error(0.2), abs=5e-3)


def test_numbers_beyond_floats() -> None:
    n = 10**400
    assert bounds.gamma_boost_mistakes_exp(n, 0.1, 50_000) == pytest.approx(
        math.exp(400 * math.log(10) - 1000), rel=1e-10
    )
    assert bounds.gamma_boost_mistakes_exp(n, 0.1, 1) == math.inf
    assert bounds.hoeffding_one_sided(10**400, Fraction(1, 10**200)) == pytest.approx(math.exp(-2))
    assert bounds.hoeffding_one_sided(10**400, 0.1) == 0
    assert bounds.rounds_exp_ge(n, 0.1) == math.ceil(400 * math.log(10) / 0.02)
    assert bounds.single_upper(0, 10**400, 0.1) == 0


# --- Counts ----------------------------------------------------------------------------------


@quick
@given(st.integers(1, 10**6), st.integers(1, 50).map(lambda integer: Fraction(integer, 100)))
def test_rounds_are_the_first_that_suffice(n: int, gamma: Fraction) -> None:
    product, exp = bounds.rounds_product_gt(n, gamma), bounds.rounds_exp_ge(n, gamma)
    assert 1 <= product <= exp == bounds.rounds_exp_gt(n, gamma)
    q = 1 - 4 * gamma**2
    assert n**2 * q**product < 1 or n == 1
    assert product == 1 or n**2 * q ** (product - 1) >= 1
    ratio = Decimal(n).ln() / (2 * Decimal(gamma.numerator) ** 2 / Decimal(gamma.denominator) ** 2)
    assert exp == max(1, math.ceil(ratio))


@quick
@given(st.integers(1, 10**6), st.integers(1, 100).map(lambda integer: Fraction(integer, 100)))
def test_rounds_of_a_margin_are_the_first_that_suffice(n: int, nu: Fraction) -> None:
    T = bounds.nu_star_rounds(n, nu)
    ratio = 2 * Decimal(n).ln() * Decimal(nu.denominator) ** 2 / Decimal(nu.numerator) ** 2
    assert T == max(1, math.ceil(ratio))


@quick
@given(st.integers(1, 10**9), st.fractions(Fraction(1, 20), Fraction(19, 20), max_denominator=20))
def test_rounds_that_grow_as_a_power(m: int, a: Fraction) -> None:
    T = bounds.consistent_rounds(m, a)
    assert T**a.denominator >= m**a.numerator
    assert T == 1 or (T - 1) ** a.denominator < m**a.numerator


def test_rounds_that_grow_as_a_power_are_exact_in_floats() -> None:
    assert bounds.consistent_rounds(10**30) == 10**15
    assert bounds.consistent_rounds([1, 8, 9, 27, 28], 1 / 3).tolist() == [1, 2, 3, 3, 4]
    assert bounds.consistent_rounds(2**60, 0.9) == 2**54
    with pytest.raises(ValueError, match="a must be strictly between 0 and 1"):
        bounds.consistent_rounds(10, 1)


def test_rounds_are_at_least_one() -> None:
    for function in (bounds.rounds_exp_ge, bounds.rounds_exp_gt, bounds.rounds_product_gt):
        assert function(1, 0.1) == 1
    assert bounds.rounds_product_gt(10**6, 0.5) == 1


@quick
@given(percents, percents, st.integers(1, 1000))
def test_tries_are_the_first_that_suffice(p: Fraction, delta: Fraction, T: int) -> None:
    counts = [
        (bounds.confidence_k_success(p, delta), 1 - p, delta),
        (bounds.resample_tries(T, delta, p), 1 - p, delta / T),
        (bounds.confidence_k_failure_as_printed(p, delta), p, delta),
        (bounds.confidence_k_failure_fixed(p, delta), p, delta / 2),
    ]
    for k, q, target in counts:
        assert k >= 1
        assert q**k <= target
        assert k == 1 or q ** (k - 1) > target


@quick
@given(st.integers(1, 30), st.integers(2, 60))
def test_whole_powers_are_met_exactly(k: int, base: int) -> None:
    exact = Fraction(1, base)
    assert bounds.confidence_k_failure_as_printed(exact, exact**k) == k
    assert bounds.confidence_k_success(1 - exact, exact**k) == k
    assert bounds.confidence_k_failure_as_printed(f"1/{base}", f"1/{base**k}") == k


@pytest.mark.parametrize("k", range(1, 300, 7))
def test_decimal_powers_are_met_exactly_in_floats(k: int) -> None:
    assert bounds.confidence_k_failure_as_printed(0.1, float(f"1e-{k}")) == k
    assert bounds.confidence_k_success(0.9, float(f"1e-{k}")) == k


def test_floats_stand_for_simple_fractions() -> None:
    assert bounds.confidence_k_failure_as_printed(1 / 7, 1 / 49) == 2
    assert bounds.confidence_k_failure_as_printed(2 / 3, 4 / 9) == 2


def test_certain_success_takes_one_try() -> None:
    assert bounds.confidence_k_success(1, 0.01) == 1
    assert bounds.resample_tries(10, 0.01, 1) == 1
    assert bounds.confidence_k_failure_as_printed(0, 0.01) == 1
    assert bounds.confidence_k_failure_fixed([0, 0.5], 0.25).tolist() == [1, 3]


def test_counts_larger_than_an_array_of_integers_holds() -> None:
    rare = Fraction(1, 10**40)
    k = bounds.confidence_k_success(rare, 0.01)
    assert k == pytest.approx(math.log(100) * 10**40, rel=1e-12)
    assert bounds.confidence_k_success([rare, "1/2"], 0.01).tolist() == [k, 7]


@quick
@given(st.integers(1, 1000), percents, percents)
def test_validation_size(k: int, eps: Fraction, delta: Fraction) -> None:
    size = bounds.confidence_validation(k, eps, delta)
    reached = k * bounds.hoeffding_two_sided(size, eps / 2)
    assert reached <= delta / 2 * Fraction(1 + 10**-12)
    if size > 1:
        assert k * bounds.hoeffding_two_sided(size - 1, eps / 2) > delta / 2 * (1 - 1e-12)


# --- One hypothesis --------------------------------------------------------------------------


@quick
@given(st.integers(1, 300), percents, percents)
def test_hoeffding_is_above_the_exact_tail(m: int, p: Fraction, eps: Fraction) -> None:
    tail = bounds.binomial_lower_tail(m, p, eps)
    assert tail <= bounds.hoeffding_one_sided(m, eps) * (1 + 1e-12)
    last = math.floor((p - eps) * m)
    exact = sum(math.comb(m, i) * p**i * (1 - p) ** (m - i) for i in range(last + 1))
    assert tail == pytest.approx(float(exact), rel=1e-11)
    assert bounds.binomial_lower_tail(m, float(p), float(eps)) == pytest.approx(tail, rel=1e-12)


def test_tail_edges() -> None:
    assert bounds.binomial_lower_tail(10, 0.3, 0.1) == pytest.approx(0.3827827864, rel=1e-12)
    assert bounds.binomial_lower_tail(5, 1, 0) == bounds.binomial_lower_tail(5, 0, 0) == 1
    assert bounds.binomial_lower_tail(5, 0.1, 0.2) == 0


@quick
@given(st.integers(1, 10**6), st.floats(1e-6, 1 - 1e-6), st.floats(0, 1))
def test_widths_invert_hoeffding(m: int, delta: float, err: float) -> None:
    width = bounds.single_upper(err, m, delta) - err
    assert bounds.hoeffding_one_sided(m, max(width, 1e-300)) == pytest.approx(delta, rel=1e-6)
    width = bounds.single_two_sided_width(m, delta)
    assert bounds.hoeffding_two_sided(m, width) == pytest.approx(delta, rel=1e-9)


@quick
@given(st.integers(1, 200), percents.filter(lambda g: g <= Fraction(1, 2)))
def test_hoeffding_is_adaboost_with_constant_edges(T: int, gamma: Fraction) -> None:
    constant = bounds.ada_exp([Fraction(1, 2) - gamma] * T)
    assert bounds.hoeffding_one_sided(T, gamma) == pytest.approx(constant, rel=1e-10)


# --- Shapes and kinds ------------------------------------------------------------------------

ELEMENTWISE: list[tuple[str, dict[str, Any]]] = [
    ("gamma_boost_mistakes_product", {"n": [5, 10, 20], "gamma": [[0.1], [0.5]], "T": 3}),
    ("gamma_boost_mistakes_exp", {"n": [5, 10, 20], "gamma": [[0.1], [0.5]], "T": 3}),
    ("rounds_exp_ge", {"n": [1, 10, 1000], "gamma": [[0.1], [0.5]]}),
    ("rounds_exp_gt", {"n": [1, 10, 1000], "gamma": [[0.1], [0.5]]}),
    ("rounds_product_gt", {"n": [1, 10, 1000], "gamma": [[0.1], [0.5]]}),
    ("margin_theta_limit", {"gamma": [[0.0, 0.1, 0.3], [0.4, 0.45, 0.5]]}),
    ("confidence_k_success", {"success_probability": [0.1, 0.9, 1], "delta": [[1e-5], [0.5]]}),
    ("resample_tries", {"T": [1, 10, 100], "delta": [[1e-3], [0.5]], "success_probability": 0.9}),
    ("confidence_k_failure_as_printed",
     {"failure_probability": [0, 0.1, 0.5], "delta": [[1e-5], [0.25]]}),
    ("confidence_k_failure_fixed",
     {"failure_probability": [0, 0.1, 0.5], "delta": [[2e-5], [0.5]]}),
    ("confidence_validation", {"k": [1, 2, 3], "eps": [[0.1], [2.0]], "delta": 0.1}),
    ("hoeffding_one_sided", {"m": [1, 10, 100], "eps": [[0.1], [0.2]]}),
    ("hoeffding_two_sided", {"m": [1, 10, 100], "eps": [[0.1], [0.2]]}),
    ("single_upper", {"err": [0, 0.1, 1], "m": [[10], [100]], "delta": 0.1}),
    ("single_two_sided_width", {"m": [1, 10, 100], "delta": [[0.1], [0.2]]}),
    ("binomial_lower_tail", {"m": [1, 10, 100], "p": [[0.3], [1]], "eps": 0.1}),
]  # fmt: skip


@pytest.mark.parametrize(("function", "arguments"), ELEMENTWISE, ids=lambda part: str(part))
def test_arrays_broadcast(function: str, arguments: dict[str, Any]) -> None:
    apply = getattr(bounds, function)
    table = apply(**arguments)
    assert table.shape == (2, 3)
    grid = dict(zip(arguments, np.broadcast_arrays(*arguments.values()), strict=True))
    for place in np.ndindex(2, 3):
        alone = apply(**{name: values[place] for name, values in grid.items()})
        assert table[place] == pytest.approx(alone, rel=1e-12)
    exact = {name: np.vectorize(lambda x: Fraction(str(x)), otypes=[object])(values)
             for name, values in grid.items()}  # fmt: skip
    assert apply(**exact) == pytest.approx(table, rel=1e-12)


def test_rounds_are_reduced_over_the_last_axis() -> None:
    table = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.25]])
    for function in (bounds.ada_product, bounds.ada_exp):
        assert function(table) == pytest.approx([function(row) for row in table])
    thetas = np.array([[0.0], [0.1], [0.5]])
    grid = bounds.margin_product(0.5 - table, thetas)
    assert np.shape(grid) == (3, 2)
    assert grid == pytest.approx(
        np.array(
            [[bounds.margin_product(0.5 - row, theta) for row in table] for (theta,) in thetas]
        )
    )


def test_kinds_of_numbers_agree() -> None:
    answer = bounds.single_upper(0.1, 500, 0.05)
    for err in ("1/10", "0.1", Fraction(1, 10), Decimal("0.1"), np.float64(0.1)):
        assert bounds.single_upper(err, 500, 0.05) == pytest.approx(answer, rel=1e-14)
    for m in (500.0, "500", Fraction(500), np.int32(500)):
        assert bounds.single_upper(0.1, m, 0.05) == pytest.approx(answer, rel=1e-14)
    assert bounds.ada_product(["1/10", "1/5"]) == pytest.approx(bounds.ada_product([0.1, 0.2]))
    assert bounds.ada_exp([Fraction(1, 10), 0.2]) == pytest.approx(bounds.ada_exp([0.1, 0.2]))


# --- Refusals --------------------------------------------------------------------------------

LNH = math.log(1000)
GOOD: dict[str, dict[str, Any]] = {
    **{golden["input"]["function"]: golden["input"]["args"] for golden in load("bounds")},
    "binomial_upper": {"k": 5, "m": 100, "delta": 0.05},
    "binomial_lower": {"k": 5, "m": 100, "delta": 0.05},
    "single_m": {"eps": 0.1, "delta": 0.05},
    "single_two_sided_m": {"eps": 0.1, "delta": 0.05},
    "finite_class_m": {"lnH": LNH, "eps": 0.1, "delta": 0.05},
    "consistent_one_m": {"eps": 0.1, "delta": 0.05},
    "disjunction_err": {"d": 10, "m": 1000, "delta": 0.05},
    "size_regularised_m": {"size": 10, "eps": 0.1, "delta": 0.05},
    "prior_m": {"g": 0.01, "eps": 0.1, "delta": 0.05},
    "bits_m": {"bits": 10, "eps": 0.1, "delta": 0.05},
    "prefix_upper": {"err": 0.1, "bits": 10, "m": 1000, "delta": 0.05},
    "prefix_m": {"bits": 10, "eps": 0.1, "delta": 0.05},
    "compression_smallest_m": {"kappa": 4, "eps": 0.1, "delta": 0.05},
    "compression_consistent_smallest_m": {"kappa": 4, "eps": 0.1, "delta": 0.05},
    "lg_sauer": {"m": 100, "d": 3},
    "maj_vc_upper": {"k": 3, "d": 2},
    "stump_votes_vc": {"T": 5},
    "lbt_vc_lower": {"T": 4, "d": 8},
    "vc_uniform_width_as_printed": {"vc_dim": 3, "m": 1000, "delta": 0.05},
    "vc_uniform_width_as_proved": {"vc_dim": 3, "m": 1000, "delta": 0.05},
    "vc_occam_err": {"vc_dim": 3, "m": 1000, "delta": 0.05},
    "vc_occam_smallest_m_as_proved": {"vc_dim": 3, "eps": 0.1, "delta": 0.05},
    "consistent_vc_smallest_m": {"d": 3, "eps": 0.1, "delta": 0.05},
    "growth_smallest_m": {"vc_dim": 3, "eps": 0.2, "delta": 0.05},
    "vc_smallest_m": {"d": 3, "eps": 0.2, "delta": 0.05},
    "vc_lower_m": {"d": 10, "eps": 0.1, "delta": 0.01},
    "consistent_rounds": {"m": 569, "a": 0.5},
    "softboost_rounds": {"nu": 0.1, "delta": 0.1},
    "erlpboost_rounds": {"nu": 0.1, "delta": 0.1},
    "bbm_rounds": {"eps": 0.01, "gamma": 0.1},
    "margin_gen_smallest_m": {"theta": 0.5, "lnH": 2.0, "eps": 0.3, "delta": 0.05},
    "confidence_validation_eps": {"k": 5, "m": 1199, "delta": 0.05},
    "confidence_total_m": {"failure_probability": 0.5, "m_H": 100, "eps": 0.1, "delta": 0.05},
    "perceptron_hinge_scale": {"margins": [0.5, 0.25]},
    "perceptron_hinge_best": {"margins": [0.5, 0.25]},
    "random_stopping_err": {"M": 100, "m": 5000},
    "large_gap_err": {"i": 3, "run": 63, "delta": 0.05},
    "large_gap_total": {"M": 10, "eps": 0.1, "delta": 0.05},
    "mw_rounds": {"m": 10, "eps": 0.1},
}
WHOLE = ["m", "n", "k", "d", "H", "N", "Pi", "T", "internal", "kappa", "r", "t", "i", "vc_dim",
         "n_features", "m_H", "run"]  # fmt: skip
BAD: dict[str, list[Any]] = {
    **{name: [-1, 2.5, math.nan, math.inf] for name in WHOLE},
    "m": [-1, 2.5, math.nan, math.inf, "ten", [5, -1]],
    "M": [-1, math.nan, math.inf],
    "delta": [0, -0.1, math.nan, "1/0", [0.1, 0.0]],
    "eps": [-0.1, math.nan, math.inf],
    "a": [0, 1, math.nan],
    "gamma": [-0.1, math.nan],
    "gamma_hat": [0, -0.1, 0.6, math.nan],
    "gammas": [[-0.1], [0.1, 0.6], [math.nan]],
    "epsilons": [[-0.1], [0.1, 1.5], [math.nan]],
    "margins": [[0.1, math.nan], [math.inf]],
    "tau": [0, 1, -0.1, math.nan],
    "theta": [-1.5, 1.5, math.nan],
    "nu": [0, -0.1, math.nan, math.inf],
    "err": [-0.1, 1.1, math.nan],
    "p": [-0.1, 1.1, math.nan],
    "g": [0, -0.1, 1.1, math.nan],
    "b": [0, -1, math.nan, math.inf],
    "bits": [0, 0.5, -1, math.nan, math.inf],
    "size": [0, 0.5, -1, math.nan, math.inf],
    "beta": [-0.1, 1.1, math.nan],
    "lg_Pi_2m": [-1, math.nan, math.inf],
    "ln_Pi_m": [-1, math.nan, math.inf],
    "lnH": [-1, math.nan, math.inf],
    "lnC": [-1, math.nan, math.inf],
    "success_probability": [0, -0.1, 1.1, math.nan],
    "failure_probability": [1, -0.1, math.nan],
    "R": [0, -1, math.nan, math.inf],
    "norm_sq": [-1, math.nan, math.inf],
    "hinge": [-1, math.nan, math.inf],
    "mistakes_i": [-1, math.nan, math.inf],
    "best_total": [-1, math.nan, math.inf],
    "eta": [0, -1, math.nan, math.inf],
    "growth": ["fast", 3],
}
MAY_BE_ZERO = {  # beside these, a whole number or a width of 0 is refused
    *(("sauer", "m"), ("sauer", "d"), ("lg_sauer", "m"), ("lg_sauer", "d")),
    *(("union_intervals_growth", "m"), ("binomial_lower_tail", "eps"), ("tree_bits", "internal")),
    *((function, "k") for function in ("best_of_many", "binomial_upper", "binomial_lower")),
    *((function, "kappa") for function in GOOD if function.startswith("compression")),
    *((function, "i") for function in ("large_gap_run", "large_gap_err")),
    *((function, "vc_dim") for function in GOOD),
    *((function, "T") for function in GOOD if function.startswith(("gamma_boost", "bbm"))),
}
ABOVE_ONE = ("softboost_rounds", "erlpboost_rounds")  # their delta is a width
CALLS = [
    *((f, name, bad) for f, arguments in GOOD.items() for name in arguments for bad in BAD[name]),
    *((f, name, 0) for f, arguments in GOOD.items() for name in arguments
      if (name in WHOLE or name == "eps") and (f, name) not in MAY_BE_ZERO),
    *((f, "delta", bad) for f, arguments in GOOD.items() for bad in (1, 1.5, "3/2", [0.1, 1.0])
      if "delta" in arguments and f not in ABOVE_ONE),
    *((f, "gamma", 0.6) for f, arguments in GOOD.items()
      if "gamma" in arguments and not f.startswith("perceptron")),
]  # fmt: skip


def test_every_function_is_called_here() -> None:
    assert set(GOOD) == set(bounds.__all__)


@pytest.mark.parametrize("function", sorted(GOOD))
def test_values_out_of_range_are_refused(function: str) -> None:
    for name, bad in ((name, bad) for f, name, bad in CALLS if f == function):
        with pytest.raises(ValueError, match=rf"^{name} must be .*, got .*\.$"):
            getattr(bounds, function)(**{**GOOD[function], name: bad})


@pytest.mark.parametrize("function", sorted(GOOD))
def test_every_function_takes_arrays_and_fractions(function: str) -> None:
    apply, arguments = getattr(bounds, function), GOOD[function]
    lists = {name: value for name, value in arguments.items() if isinstance(value, list)}
    alone = apply(**arguments)
    assert type(alone) in (int, float)
    texts = {name: value for name, value in arguments.items() if name == "growth"}
    numbers = {name: v for name, v in arguments.items() if name not in {*lists, *texts}}
    rows = {name: np.array([value] * 2) for name, value in lists.items()}
    integer = {name: np.full((2, 3), value, dtype=object) for name, value in numbers.items()}
    if numbers:
        table = apply(**lists, **texts, **integer)
        assert table.shape == (2, 3)
        assert table.dtype == (np.int64 if isinstance(alone, int) else np.float64)
        assert table.astype(float) == pytest.approx(np.full((2, 3), float(alone)), rel=1e-12)
        exact = {name: Fraction(str(value)) for name, value in numbers.items()}
        assert apply(**lists, **texts, **exact) == pytest.approx(alone, rel=1e-12)
        mixed = {name: [str(value), value] for name, value in numbers.items()}
        assert list(apply(**lists, **texts, **mixed)) == pytest.approx([alone] * 2, rel=1e-12)
    if lists:
        assert list(apply(**rows, **numbers)) == pytest.approx([alone] * 2, rel=1e-12)


BESIDE: list[tuple[str, str, dict[str, Any], str]] = [
    ("vc_upper", "d", {"m": 2, "d": 3}, "m >= d >= 1"),
    ("vc_failure", "d", {"m": 2, "d": 3}, "m >= d >= 1"),
    ("consistent_vc", "d", {"m": 2, "d": 3}, "m >= d >= 1"),
    ("sauer_em_d", "d", {"m": [5, 2], "d": 3}, "m >= d >= 1"),
    ("compression_upper", "kappa", {"m": 5, "kappa": 5}, "below m"),
    ("compression_consistent", "kappa", {"m": 5, "kappa": 6}, "below m"),
    ("binomial_upper", "k", {"k": 6, "m": 5}, "at most m"),
    ("margin_gen_finite_n", "theta", {"theta": 0.001}, r"above sqrt\(ln\|H\|/\(4m\)\)"),
    ("margin_gen_finite_best", "theta", {"theta": 0.001}, r"above sqrt"),
    ("margin_gen_finite_best_n", "theta", {"theta": 0.001}, r"above sqrt"),
    ("margin_gen_n_choice", "theta", {"theta": 0.001}, r"above sqrt"),
    ("perceptron_mistakes", "gamma", {"gamma": 1.5}, "between 0 and 1"),
    ("perceptron_mistakes_R", "gamma", {"gamma": 3, "R": 2}, "at most R"),
    ("lbt_vc_upper", "T", {"T": 2}, "at least 3"),
    ("lbt_vc_upper", "d", {"d": 2}, "at least 3"),
    ("lbt_vc_lower", "T", {"T": 3}, "an even number"),
    ("lbt_vc_lower", "d", {"d": 12}, "a power of 2"),
    ("maj_vc_upper", "d", {"d": 1}, "at least 2"),
    ("vc_lower_m", "d", {"d": 1}, "at least 2"),
    ("vc_lower_m", "eps", {"eps": 0.2}, "at most 1/8"),
    ("vc_lower_m", "delta", {"delta": 0.05}, "at most 1/100"),
    ("margin_gen_n_choice", "lnH", {"lnH": 0}, "above 0"),
    ("sauer", "d", {"m": 10**9, "d": 10**8}, "small enough"),
]


@pytest.mark.parametrize(("function", "name", "changed", "condition"), BESIDE)
def test_the_condition_of_the_theorem_is_told(
    function: str, name: str, changed: dict[str, Any], condition: str
) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be .*{condition}.*, got .*\.$"):
        getattr(bounds, function)(**{**GOOD[function], **changed})


@pytest.mark.parametrize("bad", [None, True, 1 + 2j, [None], {}])
def test_other_kinds_are_refused(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"^m must be a number"):
        bounds.hoeffding_one_sided(bad, 0.1)


def test_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"^delta must be strictly between 0 and 1, got 1\.5\.$"):
        bounds.single_upper(0.1, 500, 1.5)
