"""The bounds: golden values, the inequalities between them, exact counts, refusals."""

from __future__ import annotations

import doctest
import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
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
percents = st.integers(1, 99).map(lambda whole: Fraction(whole, 100))
quick = settings(deadline=None, max_examples=60)


@pytest.mark.parametrize("golden", load("bounds"), ids=names("bounds"))
def test_golden(golden: Case) -> None:
    value = getattr(bounds, golden["input"]["function"])(**golden["input"]["args"])
    assert type(value) is type(golden["expected"]["value"])
    assert value == pytest.approx(golden["expected"]["value"], rel=1e-12, abs=1e-15)


def test_every_listed_function_has_a_golden_case() -> None:
    assert {golden["input"]["function"] for golden in load("bounds")} <= set(bounds.__all__)


def test_docstrings_hold() -> None:
    outcome = doctest.testmod(bounds)
    assert outcome.failed == 0
    assert outcome.attempted >= len(bounds.__all__)


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
@given(st.integers(1, 10**6), st.integers(1, 50).map(lambda whole: Fraction(whole, 100)))
def test_rounds_are_the_first_that_suffice(n: int, gamma: Fraction) -> None:
    product, exp = bounds.rounds_product_gt(n, gamma), bounds.rounds_exp_ge(n, gamma)
    assert 1 <= product <= exp == bounds.rounds_exp_gt(n, gamma)
    q = 1 - 4 * gamma**2
    assert n**2 * q**product < 1 or n == 1
    assert product == 1 or n**2 * q ** (product - 1) >= 1
    ratio = Decimal(n).ln() / (2 * Decimal(gamma.numerator) ** 2 / Decimal(gamma.denominator) ** 2)
    assert exp == max(1, math.ceil(ratio))


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

GOOD: dict[str, dict[str, Any]] = {
    golden["input"]["function"]: golden["input"]["args"] for golden in load("bounds")
}
BAD: dict[str, list[Any]] = {
    "m": [0, -1, 2.5, math.nan, math.inf, "ten", [5, 0]],
    "n": [0, -1, 2.5, math.nan, math.inf],
    "T": [-1, 2.5, math.nan],
    "k": [0, 2.5],
    "delta": [0, 1, -0.1, 1.5, math.nan, "3/2", "1/0", [0.1, 1.0]],
    "eps": [-0.1, math.nan, math.inf],
    "gamma": [-0.1, 0.6, math.nan],
    "gammas": [[-0.1], [0.1, 0.6], [math.nan]],
    "epsilons": [[-0.1], [0.1, 1.5], [math.nan]],
    "theta": [-1.5, 1.5, math.nan],
    "err": [-0.1, 1.1, math.nan],
    "p": [-0.1, 1.1, math.nan],
    "success_probability": [0, -0.1, 1.1, math.nan],
    "failure_probability": [1, -0.1, math.nan],
    "internal": [-1, 2.5, math.nan],
    "d": [0, 2.5, math.nan],
}
CALLS = [
    (function, name, bad)
    for function, arguments in GOOD.items()
    for name in arguments
    for bad in BAD[name]
]


@pytest.mark.parametrize(("function", "name", "bad"), CALLS, ids=lambda part: str(part))
def test_values_out_of_range_are_refused(function: str, name: str, bad: Any) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be .*, got .*\.$"):
        getattr(bounds, function)(**{**GOOD[function], name: bad})


@pytest.mark.parametrize(
    ("function", "name"),
    [("hoeffding_one_sided", "eps"), ("confidence_validation", "eps"), ("rounds_exp_ge", "gamma"),
     ("gamma_boost_mistakes_exp", "gamma"), ("resample_tries", "T")],
)  # fmt: skip
def test_zero_is_refused_where_nothing_is_promised(function: str, name: str) -> None:
    with pytest.raises(ValueError, match=rf"^{name} must be "):
        getattr(bounds, function)(**{**GOOD[function], name: 0})


@pytest.mark.parametrize("bad", [None, True, 1 + 2j, [None], {}])
def test_other_kinds_are_refused(bad: Any) -> None:
    with pytest.raises(TypeError, match=r"^m must be a number"):
        bounds.hoeffding_one_sided(bad, 0.1)


def test_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"^delta must be strictly between 0 and 1, got 1\.5\.$"):
        bounds.single_upper(0.1, 500, 1.5)
