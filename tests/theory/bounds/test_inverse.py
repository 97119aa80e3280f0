"""Bounds and their inverses: the m for an eps, the eps for an m, and the least m there is."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=40)
sizes = st.integers(1, 10**7)
doubts = st.floats(1e-9, 0.999)
widths = st.floats(1e-3, 2.0)
errors = st.floats(0, 1)
logs = st.floats(0, 1e4)

# What is added to the training error after m examples, and the m for which that is eps.
PAIRS: dict[str, tuple[Callable[..., Any], Callable[..., Any], st.SearchStrategy[Any]]] = {
    "single": (
        lambda _, m, delta: bounds.single_upper(0, m, delta),
        lambda _, eps, delta: bounds.single_m(eps, delta),
        st.none(),
    ),
    "single, two sides": (
        lambda _, m, delta: bounds.single_two_sided_width(m, delta),
        lambda _, eps, delta: bounds.single_two_sided_m(eps, delta),
        st.none(),
    ),
    "finite": (
        lambda lnH, m, delta: bounds.finite_class_upper(0, lnH, m, delta),
        bounds.finite_class_m,
        logs,
    ),
    "uniform": (bounds.uniform_width, bounds.uniform_m, logs),
    "consistent": (bounds.consistent_finite, bounds.occam_consistent_m, logs),
    "consistent, one": (
        lambda _, m, delta: bounds.consistent_one(m, delta),
        lambda _, eps, delta: bounds.consistent_one_m(eps, delta),
        st.none(),
    ),
    "bits": (bounds.occam_bits_err, bounds.occam_bits_m, st.floats(1, 1e5)),
    "disjunction": (bounds.disjunction_err, bounds.disjunction_m, st.integers(1, 10**5)),
    "size": (
        lambda size, m, delta: bounds.size_regularised(0, size, m, delta),
        bounds.size_regularised_m,
        st.floats(1, 1e5),
    ),
    "any code": (
        lambda bits, m, delta: bounds.bits_upper(0, bits, m, delta),
        bounds.bits_m,
        st.floats(1, 1e5),
    ),
    "prefix-free": (
        lambda bits, m, delta: bounds.prefix_upper(0, bits, m, delta),
        bounds.prefix_m,
        st.floats(1, 1e5),
    ),
    "prior": (
        lambda g, m, delta: bounds.prior_upper(0, g, m, delta),
        bounds.prior_m,
        st.floats(1e-9, 1),
    ),
    "choosing": (
        lambda k, m, delta: bounds.confidence_validation_eps(k, m, delta),
        lambda k, eps, delta: 2 * math.log(4 * k / delta) / eps**2,
        st.integers(1, 1000),
    ),
    "stopping at random": (
        lambda M, m, _: bounds.random_stopping_err(M, m),
        lambda M, eps, _: bounds.random_stopping_m(M, eps),
        st.integers(1, 10**6),
    ),
    "a large gap": (
        lambda i, m, delta: bounds.large_gap_err(i, m, delta),
        lambda i, eps, delta: bounds.large_gap_run(i, eps, delta),
        st.integers(0, 10**6),
    ),
}


@pytest.mark.parametrize("pair", sorted(PAIRS))
@quick
@given(data=st.data(), m=sizes, delta=doubts)
def test_m_and_eps_invert_each_other(pair: str, data: Any, m: int, delta: float) -> None:
    width, examples, sizes_of = PAIRS[pair]
    size = data.draw(sizes_of)
    eps = width(size, m, delta)
    if eps > 0:
        assert examples(size, eps, delta) == pytest.approx(m, rel=1e-9)


def test_one_hypothesis_is_a_class_of_one() -> None:
    assert bounds.finite_class_upper(0.1, 0, 500, 0.05) == bounds.single_upper(0.1, 500, 0.05)
    assert bounds.finite_class_failure(1, 50, 0.1) == bounds.hoeffding_one_sided(50, 0.1)
    assert bounds.consistent_finite(0, 50, 0.1) == bounds.consistent_one(50, 0.1)


@quick
@given(st.integers(1, 10**400), st.integers(1, 10**6), st.floats(0.01, 1))
def test_failure_and_width_of_a_finite_class_agree(H: int, m: int, eps: float) -> None:
    delta = bounds.finite_class_failure(H, m, eps)
    if 1e-300 < delta < 1:
        width = bounds.finite_class_upper(0, math.log(H), m, delta)
        assert width == pytest.approx(eps, rel=1e-9)


@quick
@given(st.integers(1, 200), st.integers(1, 10**5), st.floats(1e-6, 0.9))
def test_equal_weights_are_a_finite_class(H: int, m: int, delta: float) -> None:
    by_prior = bounds.prior_upper(0.1, Fraction(1, H), m, delta)
    assert by_prior == pytest.approx(bounds.finite_class_upper(0.1, math.log(H), m, delta))


@quick
@given(st.integers(1, 1000), st.integers(1, 10**5), st.floats(1e-6, 0.9))
def test_prefix_free_codes_are_tighter_than_any_code(b: int, m: int, delta: float) -> None:
    tight = bounds.prefix_upper(0.1, b, m, delta)
    loose = bounds.bits_upper(0.1, b, m, delta)
    assert tight < loose < bounds.size_regularised(0.1, b, m, delta)
    assert loose == pytest.approx(bounds.prior_upper(0.1, Fraction(1, 4**b), m, delta), rel=1e-12)


@quick
@given(logs, st.floats(1e-3, 1), doubts)
def test_pac_rounds_up(lnC: float, eps: float, delta: float) -> None:
    m = bounds.pac_finite_m(lnC, eps, delta)
    assert m == math.ceil(bounds.occam_consistent_m(lnC, eps, delta)) or (
        bounds.occam_consistent_m(lnC, eps, delta) == pytest.approx(round(m), rel=1e-12)
    )


def test_pac_settles_close_calls() -> None:
    """(ln C + ln(1/delta)) / eps a hair above a whole number, where floats say it is whole."""
    eps = Fraction(1, 10**20)
    just_above = Fraction(f"{math.log(2):.60f}")  # no logarithm, only near one
    for lnC in (just_above, just_above + eps):
        m = bounds.pac_finite_m(lnC, eps, "1/2")
        assert (
            (m - 1) * eps
            < lnC + Fraction("0.693147180559945309417232121458176568")
            <= m * eps + Fraction(1, 10**34)
        )


# --- The least m -----------------------------------------------------------------------------


def ln(x: Any) -> float:
    return math.log(x)


def sauer(m: int, d: int) -> int:
    return sum(math.comb(m, i) for i in range(d + 1))


CHOICES = {
    "compression": (
        bounds.compression_smallest_m,
        lambda k, m, e, d: m > k and math.sqrt((k * ln(m) - ln(d)) / (2 * (m - k))) <= e,
    ),
    "compression, consistent": (
        bounds.compression_consistent_smallest_m,
        lambda k, m, e, d: m > k and (k * ln(m) - ln(d)) / (m - k) <= e,
    ),
    "occam": (
        bounds.vc_occam_smallest_m,
        lambda k, m, e, d: m >= 2 / e * (math.log2(2 * sauer(2 * m, k)) - math.log2(d)),
    ),
    "occam, as proved": (
        bounds.vc_occam_smallest_m_as_proved,
        lambda k, m, e, d: m >= max(8 / e, 2 / e * (math.log2(2 * sauer(2 * m, k)) - math.log2(d))),
    ),
    "uniform, as printed": (
        bounds.vc_uniform_smallest_m_as_printed,
        lambda k, m, e, d: m >= 8 / e**2 * (ln(2 * sauer(2 * m, k)) - ln(d)),
    ),
    "uniform, as proved": (
        bounds.vc_uniform_smallest_m_as_proved,
        lambda k, m, e, d: m >= 8 / e**2 * (ln(4 * sauer(2 * m, k)) - ln(d)),
    ),
    "growth": (
        bounds.growth_smallest_m,
        lambda k, m, e, d: ln(8 * sauer(m, k) / d) <= m * e**2 / 32,
    ),
    "VC dimension": (
        bounds.vc_smallest_m,
        lambda k, m, e, d: m >= k and bounds.vc_failure(m, k, e) <= d,
    ),
    "VC dimension, consistent": (
        bounds.consistent_vc_smallest_m,
        lambda k, m, e, d: m >= k and bounds.consistent_vc(m, k, d) <= e,
    ),
}


@pytest.mark.parametrize("choice", sorted(CHOICES))
@quick
@given(st.integers(1, 12), st.sampled_from([0.05, 0.1, 0.3, 0.5]), st.sampled_from([0.01, 0.1]))
def test_the_least_m_is_enough_and_one_less_is_not(
    choice: str, size: int, eps: float, delta: float
) -> None:
    smallest, enough = CHOICES[choice]
    m = smallest(size, eps, delta)
    assert enough(size, m, eps, delta)
    assert not enough(size, m - 1, eps, delta)


def test_the_least_m_is_the_least_of_all() -> None:
    for choice, (smallest, enough) in CHOICES.items():
        m = smallest(2, 0.5, 0.1)
        first = next(n for n in range(3, 10**5) if enough(2, n, 0.5, 0.1))
        assert m == first, choice


def test_inverses_of_sample_sizes() -> None:
    for d in (1, 3, 10):
        m = bounds.vc_occam_smallest_m(d, 0.1, 0.05)
        assert bounds.vc_occam_err(d, m, 0.05) <= 0.1 < bounds.vc_occam_err(d, m - 1, 0.05)
        lg = bounds.lg_sauer(2 * m, d)
        assert bounds.vc_occam_err(d, m, 0.05) == pytest.approx(
            bounds.consistent_growth(lg, m, 0.05), rel=1e-12
        )
        for kind in ("printed", "proved"):
            m = getattr(bounds, f"vc_uniform_smallest_m_as_{kind}")(d, 0.1, 0.05)
            width = getattr(bounds, f"vc_uniform_width_as_{kind}")
            assert width(d, m, 0.05) <= 0.1 < width(d, m - 1, 0.05)


def test_powers_of_two_are_settled_exactly() -> None:
    """2 H / delta a power of 2: (2/eps) lg of it is whole, and floats might round it up."""
    for delta, eps in ((Fraction(1, 4), Fraction(1, 5)), (Fraction(1, 2**20), Fraction(1, 10))):
        m = bounds.vc_occam_smallest_m(0, eps, delta)
        assert m == 2 / eps * (1 - int(math.log2(delta)))
    assert bounds.vc_occam_smallest_m(0, 0.1, 2.0**-20) == 420


def test_a_growth_function_of_ones_own() -> None:
    tight = bounds.vc_occam_smallest_m(2, 0.1, 0.05, growth=lambda n: 2 * n)  # stumps on the line
    assert tight < bounds.vc_occam_smallest_m(2, 0.1, 0.05, growth="sauer")
    assert bounds.vc_occam_smallest_m(2, 0.1, 0.05) == bounds.vc_occam_smallest_m(
        2, 0.1, 0.05, growth="sauer(2m, vc_dim)"
    )
    assert bounds.vc_uniform_width_as_proved(2, 500, 0.1, lambda n: 2 * n) == pytest.approx(
        math.sqrt(8 * math.log(4 * 2000 / 0.1) / 500)
    )
    with pytest.raises(ValueError, match=r"growth must be .* Sauer's sum for the VC dimension 2"):
        bounds.vc_occam_smallest_m(2, 0.1, 0.05, growth=lambda n: 2**n)
    with pytest.raises(ValueError, match=r"growth must be a whole number"):
        bounds.vc_occam_smallest_m(2, 0.1, 0.05, growth=lambda n: n + 0.5)
    with pytest.raises(ValueError, match=r"growth must be a function"):
        bounds.vc_occam_err(2, 100, 0.05, growth="cubic")


@quick
@given(st.integers(2, 500), st.floats(1e-3, 0.125), st.floats(1e-6, 0.01))
def test_no_learner_needs_less_than_all_need(d: int, eps: float, delta: float) -> None:
    assert bounds.vc_lower_m(d, eps, delta) < bounds.vc_occam_smallest_m(d, eps, delta)


@settings(deadline=None, max_examples=15)
@given(st.sampled_from([0.2, 0.5, 1.0]), st.floats(0.5, 8), st.sampled_from([0.2, 0.5, 1.5]))
def test_the_least_m_for_margins(theta: float, lnH: float, eps: float) -> None:
    m = bounds.margin_gen_smallest_m(theta, lnH, eps, 0.1)
    assert bounds.margin_gen_finite_best(theta, lnH, m, 0.1) <= eps
    if (m - 1) * 4 * theta**2 > lnH:
        assert bounds.margin_gen_finite_best(theta, lnH, m - 1, 0.1) > eps


@quick
@given(st.floats(1e-4, 0.5), st.integers(1, 50).map(lambda integer: Fraction(integer, 100)))
def test_the_fewest_rounds_of_boost_by_majority(eps: float, gamma: Fraction) -> None:
    T = bounds.bbm_rounds(eps, gamma)
    assert T % 2 == 1
    assert bounds.bbm_bound(T, gamma) <= eps * (1 + 1e-9)
    fewer = np.arange(max(T - 4, 1), T)
    assert (np.asarray(bounds.bbm_bound(fewer, gamma)) > eps * (1 - 1e-9)).all()


def test_rounds_of_boost_by_majority_at_equality() -> None:
    assert bounds.bbm_rounds(0.4, 0.1) == 1  # 1/2 - 1/10 is 0.4 exactly
    assert bounds.bbm_rounds(0.352, 0.1) == 3  # 3 b^2 - 2 b^3 at b = 0.4


@quick
@given(st.integers(2, 10**9), st.floats(0.01, 3))
def test_the_fewest_rounds_of_a_small_regret(m: int, eps: float) -> None:
    T = bounds.mw_rounds(m, eps)
    assert bounds.mw_delta(m, T) <= eps * (1 + 1e-12)
    assert T == 1 or bounds.mw_delta(m, T - 1) > eps * (1 - 1e-12)


def test_a_total_of_runs() -> None:
    for M in (0, 1, 7):
        runs = [math.ceil(bounds.large_gap_run(i, 0.07, 0.03)) for i in range(M + 1)]
        assert bounds.large_gap_total(M, 0.07, 0.03) == M + sum(runs)


def test_all_examples_of_boosting_the_confidence() -> None:
    k = bounds.confidence_k_failure_fixed(0.3, 0.01)
    total = k * 500 + bounds.confidence_validation(k, 0.1, 0.01)
    assert bounds.confidence_total_m(0.3, 500, 0.1, 0.01) == total
    assert bounds.confidence_total_m(0, 500, 0.1, 0.01) == 500
