"""Threshold rules and the textbook's scan, against golden cases and the plain twins."""

from __future__ import annotations

import doctest
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden import Case, load, names, tolerance
from tests.reference import threshold as twin
from tests.reference.stump import best_stump
from weaklearn.learners import threshold
from weaklearn.learners.threshold import error_curve, seed_scan

CURVES = [found for found in load("threshold_erm") if "curve" in found["expected"]]
quick = settings(deadline=None, max_examples=60)
points = st.lists(
    st.tuples(st.integers(-4, 4), st.sampled_from([-1, 1]), st.integers(0, 5)),
    min_size=1,
    max_size=25,
).filter(lambda rows: any(weight for *_, weight in rows))


def unbounded(end: float) -> float | None:
    return float(end) if np.isfinite(end) else None


def test_docstrings_hold() -> None:
    assert doctest.testmod(threshold).failed == 0


# --- Error curves ----------------------------------------------------------------------------


@pytest.mark.parametrize("golden", CURVES, ids=lambda found: found["name"])
def test_golden_curve(golden: Case) -> None:
    expected, y = golden["expected"], golden["input"]["y"]
    curve = error_curve(golden["input"]["x"], y)
    assert curve.errors is not None
    rows = zip(curve.v_above, curve.v_at_most, curve.errors.tolist(), strict=True)
    assert [(unbounded(a), unbounded(b), errors) for a, b, errors in rows] == [
        tuple(row.values()) for row in expected["curve"]
    ]
    assert curve.best == pytest.approx(expected["min_error_rate"], **tolerance("threshold_erm"))
    assert [[unbounded(a), unbounded(b)] for a, b in curve.optimal_intervals] == expected[
        "optimal_intervals"
    ]


def test_equal_rules_share_an_interval() -> None:
    golden = CURVES[0]["input"]
    curve = error_curve(golden["x"], golden["y"])
    place = [int(np.searchsorted(curve.v_at_most, nu)) for nu in (3.9, 4.2)]
    assert place[0] == place[1]


@quick
@given(points)
def test_curve_agrees_with_the_twin(rows: list[tuple[int, int, int]]) -> None:
    x, y, D = (list(part) for part in zip(*rows, strict=True))
    total = sum(D)
    curve = error_curve(x, y, D)
    plain = twin.error_curve(x, y, [Fraction(w, total) for w in D])
    assert curve.error == pytest.approx([float(row["error"]) for row in plain], abs=1e-14)
    assert curve.errors is not None
    assert curve.errors.tolist() == [row["error"] * total for row in plain]
    assert curve.nu == twin.threshold(x, y, [Fraction(w, total) for w in D])
    wrong = np.where(np.array(x) >= curve.nu, 1, -1) != y
    assert wrong @ np.array(D) / total == pytest.approx(curve.best, abs=1e-14)


@quick
@given(points)
def test_no_threshold_on_a_grid_is_better(rows: list[tuple[int, int, int]]) -> None:
    x, y, D = (np.array(part) for part in zip(*rows, strict=True))
    grid = np.linspace(-6, 6, 121)
    wrong = np.where(x >= grid[:, None], 1, -1) != y
    assert error_curve(x, y, D).best == pytest.approx((wrong @ D).min() / D.sum(), abs=1e-14)


def test_weights_are_normalised_and_counted_only_when_whole() -> None:
    x, y = [1.0, 2.0, 3.0], [-1, 1, -1]
    copies = error_curve(x, y, [2, 1, 3])
    assert copies.errors is not None
    assert copies.errors.tolist() == [5, 3, 4, 1]
    scaled = error_curve(x, y, [0.2, 0.1, 0.3])
    assert scaled.errors is None
    assert scaled.error == pytest.approx(copies.error)
    assert error_curve(x, y, np.array([2, 1, 3]) * 5e307).error == pytest.approx(copies.error)


@pytest.mark.parametrize(
    ("x", "y", "nu"),
    [
        ([1.0, 2.0], [-1, 1], 1.5),
        ([3.0], [1], 2.0),
        ([3.0], [-1], 4.0),
        ([1.0, np.nextafter(1.0, 2.0)], [-1, 1], np.nextafter(1.0, 2.0)),
        ([1e300], [-1], np.inf),
        ([-1.7e308, 1.7e308], [-1, 1], 0.0),
    ],
)
def test_chosen_threshold(x: list[float], y: list[int], nu: float) -> None:
    curve = error_curve(x, y)
    assert curve.nu == nu
    assert (np.where(np.array(x) >= nu, 1, -1) == y).all()


# --- The printed scan ------------------------------------------------------------------------


@pytest.mark.parametrize("golden", load("stump_erm"), ids=names("stump_erm"))
def test_golden_scan(golden: Case) -> None:
    given_, expected = golden["input"], golden["expected"]["pseudocode_b_plus_only"]
    scan = seed_scan(given_["X"], given_["y"], given_["weights"])
    assert (scan.theta, scan.feature) == (expected["theta"], expected["feature"])
    error = scan.F
    assert error == pytest.approx(expected["F"], **tolerance("stump_erm"))


def printed(X: Any, y: Any, D: list[Fraction]) -> tuple[Fraction, float, int]:
    """The pseudo-code, line by line, in fractions."""
    best: tuple[Fraction, float, int] | None = None
    for j in range(X.shape[1]):
        order = np.argsort(X[:, j], kind="stable")
        x = [*X[order, j], X[order[-1], j] + 1]
        error = sum((D[i] for i in order if y[i] == 1), Fraction(0))
        if best is None or error < best[0]:
            best = (error, x[0] - 1, j)
        for k, i in enumerate(order):
            error -= int(y[i]) * D[i]
            if error < best[0] and x[k] != x[k + 1]:
                best = (error, (x[k] + x[k + 1]) / 2, j)
    assert best is not None
    return best


@pytest.mark.parametrize("seed", range(20))
def test_scan_is_the_printed_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 5, (12, 3)).astype(float), rng.choice([-1, 1], 12)
    weights = rng.integers(0, 4, 12) + (rng.integers(0, 12) == np.arange(12))
    D = [Fraction(int(w), int(weights.sum())) for w in weights]
    scan, plain = seed_scan(X, y, [float(w) for w in D]), printed(X, y, D)
    assert (scan.theta, scan.feature) == plain[1:]
    error, either = scan.F, best_stump(X, y, np.array(D, dtype=object))["error"]
    assert error == pytest.approx(float(plain[0]), abs=1e-12)
    assert error >= float(either) - 1e-12


def test_scan_parts_neighbouring_floats() -> None:
    a, b = 1.0, float(np.nextafter(1.0, 2.0))
    assert seed_scan([[a], [b]], [1, -1], [1, 1]) == (0.0, a, 0)
    assert seed_scan([[1e300]], [-1], [1]) == (0.0, -np.inf, 0)


# --- Refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "D", "words"),
    [
        ([], [], None, "x must be one column"),
        ([[1.0]], [1], None, "x must be one column"),
        ([1.0, np.nan], [1, -1], None, "x must be finite, got nan in row 1"),
        ([1.0, np.inf], [1, -1], None, "x must be finite, got inf in row 1"),
        ([1.0, 2.0], [1], None, "y must be one column of 2 labels"),
        ([1.0, 2.0], [1, 0], None, r"labels -1 and \+1, got .*0"),
        ([1.0, 2.0], [1, -1], [1.0], "D must be one column of 2 values"),
        ([1.0, 2.0], [1, -1], [1.0, -1.0], "D must be non-negative"),
        ([1.0, 2.0], [1, -1], [0.0, 0.0], "positive sum"),
        ([1.0, 2.0], [1, -1], [np.nan, 1.0], "D must be finite"),
    ],
)
def test_bad_input_is_refused(x: Any, y: Any, D: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        error_curve(x, y, D)


def test_scan_refuses_empty_tables() -> None:
    for shape in ((0, 1), (1, 0), (1,)):
        with pytest.raises(ValueError, match="X must have"):
            seed_scan(np.ones(shape), [1], [1])
    with pytest.raises(ValueError, match=r"X\[:, 1\] must be finite"):
        seed_scan([[1.0, np.nan]], [1], [1])
