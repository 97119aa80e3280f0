"""Weights in fixed point over partitions: the same whole numbers as on all rows in one."""

import numpy as np
import pytest

from weaklearn.engines import choose
from weaklearn.engines.here import run_here


def dealt(rng, m, n):
    """The rows of n partitions, dealt at random; with several, one of them has none."""
    owner = rng.integers(0, max(1, n - 1), m)
    return [np.flatnonzero(owner == k) for k in range(n)]


def rounds_of(rng, m, n_rounds, silent):
    """Votes and sides of rounds; now and then a vote of a size that asks for a new unit."""
    alphas = rng.choice([0.3, -0.4, 1.7, 25.0, 400.0], n_rounds, p=[0.4, 0.2, 0.2, 0.15, 0.05])
    sides = rng.choice(
        [-1, 0, 1], (n_rounds, m), p=[(1 - silent) / 3, silent, (1 - silent) * 2 / 3]
    )
    return alphas, sides.astype(np.int8)


def played(rows, prior, copies, sign, alphas, sides):
    """Masses, margins and errors after every round, and the shares of the rows at hand."""
    kernels = choose(1).weights

    def own(x):
        return None if x is None else np.ascontiguousarray(x[rows])

    D = kernels.distribution(len(rows), own(prior), own(copies), own(sign))
    facts = [D.margin_and_errors()]
    for alpha, side in zip(alphas, sides, strict=True):
        correct = kernels.correctness(side[rows])
        facts.append(tuple(D.mass(correct, which) for which in (-1, 0, 1)))
        D = D.reweight(alpha, correct)
        facts.append(D.margin_and_errors())
    return facts, D.array


@pytest.mark.parametrize(
    "weights", ["equal", "copies", "importance", "thousands", "many copies", "both"]
)
@pytest.mark.parametrize("silent", [0.0, 0.2])
def test_partitions_do_not_show(weights, silent):
    rng = np.random.default_rng(len(weights))
    m = 700
    sign = rng.choice([-1, 1], m).astype(np.int8)
    prior = rng.lognormal(0, 9, m) if weights in ("importance", "both") else None
    copies = rng.integers(1, 9, m) if weights in ("copies", "both") else None
    if weights in ("thousands", "many copies"):  # whose rounding counts; which are importances
        copies = rng.integers(1, 2000 if weights == "thousands" else 2**30, m)
    alphas, sides = rounds_of(rng, m, 30, silent)
    facts, D = played(np.arange(m), prior, copies, sign, alphas, sides)
    for n in (1, 3, 7):
        parts = dealt(rng, m, n)

        def program(rows):
            return lambda: played(rows, prior, copies, sign, alphas, sides)

        found = run_here([program(rows) for rows in parts])
        for rows, (same, own) in zip(parts, found, strict=True):
            assert same == facts
            np.testing.assert_array_equal(own, D[rows])


def test_weights_that_are_all_zero_in_one_partition_alone_are_allowed():
    prior = np.array([0.0, 0.0, 3.0, 1.0])
    sign = np.ones(4, np.int8)

    def program(rows):
        return lambda: choose(1).weights.distribution(2, prior[rows], None, sign[rows]).array

    light, heavy = run_here([program([0, 1]), program([2, 3])])
    assert light.tolist() == [0, 0]
    np.testing.assert_allclose(heavy, [0.75, 0.25], rtol=1e-14)
    with pytest.raises(ValueError, match="all weights are zero"):
        run_here([program([0, 1]), program([1, 0])])
