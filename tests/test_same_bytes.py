"""Rows in several partitions of this process: the bytes of fits are those of all rows."""

import pytest

from tests.partitions import dealt
from tests.same_bytes import CASES, N_PARTITIONS, M, ordered
from weaklearn.engines.here import run_here


@pytest.mark.parametrize("name", CASES)
def test_partitions_and_orders_change_no_byte(name: str) -> None:
    case = CASES[name]
    right = case.fit(ordered(0))
    for seed, n in enumerate(N_PARTITIONS):
        rows = ordered(seed)
        parts = [rows[own] for own in dealt(M, n, seed)]
        assert set(run_here([lambda own=own: case.fit(own) for own in parts])) == {right}
