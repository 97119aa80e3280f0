"""The interior-point method against scipy's solvers, and what it is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.reference import interior_point as twin
from tests.reference import soft_margin as reference
from tests.samples import same_bits, sample_of
from weaklearn.boosters.parts import distinct_rows as patterns_module
from weaklearn.boosters.parts.capped_simplex import Capped, soft_margin
from weaklearn.boosters.parts.distinct_rows import Patterns
from weaklearn.boosters.parts.interior_point import hardest, nearest, smoothed
from weaklearn.engines import Engine
from weaklearn.engines.margins import InteriorPoint


def run(seed: int, wild: bool = False) -> tuple[Patterns, Any, Any]:
    """Different rows of -1, 0 and +1, some columns twice or opposed, and their weights."""
    rng = np.random.default_rng(seed)
    m, n = int(rng.integers(1, 40)), int(rng.integers(1, 14))
    M = rng.choice([-1, 1] if rng.random() < 0.6 else [-1, 0, 1], size=(m, n))
    M = np.where(rng.random((m, n)) < rng.choice([0.0, 0.7]), 1, M)
    if rng.random() < 0.3:
        M = np.column_stack([M, -M[:, :2], M[:, :1]])
    M, counts = np.unique(M, axis=0, return_counts=True)
    share = counts * (10.0 ** rng.uniform(-6, 0, len(M)) if wild else 1.0)
    share = share / share.sum()
    return Patterns(M.astype(np.int8), share, np.arange(len(M)), share), M, share


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 10**6), st.booleans(), st.sampled_from([0.05, 0.3, 0.8, 0.99]))
def test_the_hardest_distribution_is_that_of_the_linear_program(
    seed: int, wild: bool, nu: float
) -> None:
    patterns, M, share = run(seed, wild)
    D, w, error = hardest(patterns, share / nu)
    value, _ = reference.hardest(M, share, nu)
    assert error < 1e-6
    assert (D >= 0).all()
    assert (D <= share / nu * (1 + 1e-9) + 1e-9).all()
    assert (D @ M).max() == pytest.approx(value, abs=2e-6)
    assert reference.soft_margin(M @ w / w.sum(), share, nu) == pytest.approx(value, abs=2e-6)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.3, 0.8]), st.sampled_from([1.0, 40.0, 400.0]))
@example(388, 0.1, 40.0)
def test_the_smoothed_distribution_has_the_form_that_makes_it_best(
    seed: int, nu: float, eta: float
) -> None:
    patterns, M, share = run(seed)
    D, w, error = smoothed(patterns, share / nu, eta)
    assert error < 1e-6
    assert w.sum() == pytest.approx(eta)
    assert D.sum() == pytest.approx(1)
    r = D @ M
    assert w @ (r.max() - r) / eta < 1e-6  # only the largest correlations have multipliers
    # The entropy, divided by eta, is what holds D in place: a gap of ``error`` leaves it, by the
    # inequality of Pinsker, the root of 2 eta times the gap.
    assert exponential(D, M @ w, share, nu) < 1e-6 + np.sqrt(2 * eta * error)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10**6), st.sampled_from([0.1, 0.3, 0.8]), st.sampled_from([0.002, 0.05, 0.5]))
def test_the_nearest_distribution_has_the_form_that_makes_it_nearest(
    seed: int, nu: float, room: float
) -> None:
    patterns, M, share = run(seed)
    hard = hardest(patterns, share / nu)
    bound = float((hard.D @ M).max()) + room
    D, w, error = nearest(patterns, share / nu, bound, hard.D)
    assert error < 1e-6
    assert (D @ M).max() <= bound + 1e-6
    assert w @ np.maximum(bound - D @ M, 0) < 1e-5 * (1 + w.sum())
    assert exponential(D, M @ w, share, nu) < 1e-5


def exponential(D: Any, z: Any, share: Any, nu: float) -> float:
    """How far D is from min(share/nu, share exp(mu - z)), with the mu that gives it sum 1."""
    low, high = z.min() - 50, z.max() + 50
    for _ in range(200):
        mu = (low + high) / 2
        form = np.minimum(share / nu, share * np.exp(np.minimum(mu - z, 50)))
        low, high = (mu, high) if form.sum() < 1 else (low, mu)
    return float(np.abs(D - form).sum())


@pytest.mark.parametrize("seed", range(4))
def test_slsqp_finds_nothing_better(seed: int) -> None:
    patterns, M, share = run(seed)
    nu, eta = 0.4, 5.0
    found = smoothed(patterns, share / nu, eta)
    mine = (found.D @ M).max() + reference.entropy(found.D, share) / eta
    theirs = reference.least(lambda v: v[-1] + reference.entropy(v[:-1], share) / eta, M, share, nu)
    assert mine <= theirs + 1e-7
    hard = hardest(patterns, share / nu)
    bound = float((hard.D @ M).max()) + 0.05
    near = nearest(patterns, share / nu, bound, hard.D)
    theirs = reference.least(lambda v: reference.entropy(v[:-1], share), M, share, nu, bound)
    assert reference.entropy(near.D, share) <= theirs + 1e-5


@settings(deadline=None, max_examples=60)
@given(
    st.integers(0, 10**6),
    st.booleans(),
    st.sampled_from([0.05, 0.3, 0.8]),
    st.sampled_from([(0.0, 1.0), (1.0, 40.0), (1.0, None)]),
    st.sampled_from([1, 3, 100]),
)
def test_the_kernel_has_the_bits_of_its_twin(
    seed: int, wild: bool, nu: float, goal: tuple[float, float | None], steps: int
) -> None:
    patterns, _, share = run(seed, wild)
    cap, (curve, total), n = share / nu, goal, len(share)
    r = patterns.correlations(share)
    b, t = float(r.max()) + 0.05, patterns.n_members
    rng = np.random.default_rng(seed)
    v = np.concatenate([share, cap - share, b - r])
    u = np.concatenate([rng.random(2 * n) + 0.1, np.full(t, (total or 1.0) / t)])
    point = InteriorPoint(v.copy(), u.copy(), b, 0.1)
    with np.errstate(all="ignore"):
        error = Engine().margins.interior_point(
            *(patterns, cap, point),
            **dict(curve=curve, total=total, steps=steps, vain=40 if curve else 5),
            **dict(close=(1e-9, 1e-14), way=0.999, slow=0.1),
        )
    D, w, expected = twin.Task(patterns, cap, curve, total).settled(
        twin.Point(v, u, b, 0.1, n), steps
    )
    assert error == expected
    assert same_bits(point.v[:n], D)
    assert same_bits(point.u[2 * n :], w)


def test_the_factor_of_the_twin_solves() -> None:
    rng = np.random.default_rng(3)
    A = rng.normal(size=(9, 9))
    M, B = A @ A.T + np.eye(9), rng.normal(size=(9, 2))
    np.testing.assert_allclose(M @ twin.solved(twin.cholesky(M), B), B, atol=1e-9)


def test_sides_that_are_many_give_the_same_bits() -> None:
    rng = np.random.default_rng(8)
    sides = np.unique(rng.choice([-1, 0, 1], size=(30_000, 40)), axis=0).astype(np.int8)
    share = np.full(len(sides), 1 / len(sides))
    patterns = Patterns(sides, share, np.arange(len(sides)), share)
    assert sides.size > 2**20
    cap, r = share / 0.3, patterns.correlations(share)
    b = float(r.max()) + 0.5
    v = np.concatenate([share, cap - share, b - r])
    u = np.concatenate([np.full(2 * len(share), 0.5), np.full(40, 1 / 40)])
    point = InteriorPoint(v.copy(), u.copy(), b, 0.0)
    error = Engine().margins.interior_point(
        *(patterns, cap, point),
        **dict(curve=0.0, total=1.0, steps=3, vain=5),
        **dict(close=(1e-9, 1e-14), way=0.999, slow=0.1),
    )
    start = twin.Point(v, u, b, 0.0, len(share))
    D, w, expected = twin.Task(patterns, cap, 0.0, 1.0).settled(start, 3)
    assert error == expected
    assert same_bits(point.v[: len(share)], D)
    assert same_bits(point.u[2 * len(share) :], w)


@pytest.mark.parametrize(
    ("name", "wrong"), [("v", np.zeros(3)), ("u", np.zeros(3)), ("cap", np.zeros(1))]
)
def test_arrays_of_another_length_are_refused(name: str, wrong: Any) -> None:
    patterns, _, share = run(5)
    n = 2 * len(share) + patterns.n_members
    arrays = {"v": np.ones(n), "u": np.ones(n), "cap": share} | {name: wrong}
    with pytest.raises(ValueError, match=f"{name} has {len(wrong)} entries"):
        Engine().margins.interior_point(
            *(patterns, arrays["cap"], InteriorPoint(arrays["v"], arrays["u"], 0.0, 0.0)),
            **dict(curve=0.0, total=1.0, steps=1, vain=1),
            **dict(close=(1e-9, 1e-14), way=0.999, slow=0.1),
        )


# ----------------------------------------------------------------------------------- the patterns


def test_products_do_not_depend_on_who_adds_up(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    sides = np.unique(rng.choice([-1, 0, 1], size=(500, 7)), axis=0).astype(np.int8)
    share = rng.random(len(sides))
    patterns = Patterns(sides, share / share.sum(), np.arange(len(sides)), share)
    w, D = rng.normal(size=7), rng.random(len(sides))
    said = [patterns.margins(w), patterns.correlations(D), patterns.gram(D)]
    monkeypatch.setattr(patterns_module, "_KEPT", 0)
    for at_once in (1, 7, 100, 10**6):
        monkeypatch.setattr(patterns_module, "_AT_ONCE", at_once)
        again = [patterns.margins(w), patterns.correlations(D), patterns.gram(D)]
        assert all(same_bits(a, b) for a, b in zip(said, again, strict=True))
    np.testing.assert_allclose(said[0], sides @ w, atol=1e-12)
    np.testing.assert_allclose(said[1], D @ sides, atol=1e-12)
    np.testing.assert_allclose(said[2], (sides * D[:, None]).T @ sides, atol=1e-11)


def test_rows_that_no_member_tells_apart_are_one_pattern() -> None:
    X, y = np.arange(6.0)[:, None], np.array([-1, 1, -1, 1, 1, 1])
    weights = np.array([1, 2, 1, 1, 3, 2])
    sample = sample_of(X, y, weights)
    patterns = Patterns.of(sample)
    for side in ([1, 1, -1, 1, 1, -1], [1, 0, 1, 1, 0, 1]):
        patterns = patterns.split_by(sample.engine.weights.correctness(np.array(side, np.int8)))
    assert patterns.sides.tolist() == [[-1, 1], [1, 0], [1, 1]]
    np.testing.assert_allclose(patterns.share, [0.3, 0.5, 0.2])
    assert patterns.place.tolist() == [2, 1, 0, 2, 1, 0]
    D = patterns.distribution(sample, np.array([0.6, 0.4, 0.0])).array
    np.testing.assert_allclose(D, [0, 0.16, 0.2, 0, 0.24, 0.4])  # as the weights within a pattern


@given(
    st.lists(st.tuples(st.floats(-1, 1), st.floats(0.01, 1)), min_size=1, max_size=12),
    st.floats(0.01, 1),
)
def test_the_soft_margin_is_the_mean_of_the_lowest(rows: Any, nu: float) -> None:
    margins, share = (np.array(column) for column in zip(*rows, strict=True))
    share = share / share.sum()
    value, rho = soft_margin(margins, share, nu)
    assert value == pytest.approx(reference.soft_margin(margins, share, nu), abs=1e-9)
    assert share[margins < rho].sum() <= nu * (1 + 1e-9)
    assert share[margins <= rho].sum() >= nu * (1 - 1e-9)


def test_members_beyond_the_first_few_are_looked_at_when_they_matter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patterns, M, share = run(11)
    capped = Capped(patterns, 0.3)
    t = M.shape[1]
    together = capped.best(np.full(t - 1, 1 / (t - 1)))
    monkeypatch.setattr("weaklearn.boosters.parts.capped_simplex._FEW", 0)
    alone = capped.best(np.zeros(t - 1))  # from the last member alone
    assert t > 3
    assert alone.value == pytest.approx(together.value, abs=1e-8)
    assert alone.dual == pytest.approx(reference.hardest(M, share, 0.3)[0], abs=1e-8)
    bound = alone.dual + 0.05
    D = capped.nearest(bound, alone)
    assert (D @ M).max() <= bound + 1e-6
    monkeypatch.undo()
    np.testing.assert_allclose(D, capped.nearest(bound, together), atol=1e-5)
    np.testing.assert_allclose(
        capped.smoothed(20.0, alone), capped.smoothed(20.0, together), atol=1e-5
    )
