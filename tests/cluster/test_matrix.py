"""Partitions, workers and orders of rows on a Dask cluster: one fingerprint for every kind of fit.

``python -m tests.cluster.test_matrix`` tells how many fits of each were the same.
"""

from __future__ import annotations

import sys
import time
import warnings
from typing import Any

import dask.dataframe as dd
import pytest

from tests.campaign.kills import local_cluster
from tests.same_bytes import CASES, FRAME, N_PARTITIONS, Case, ordered

ORDERS = range(3)


def fitted(case: Case, n_partitions: int, order: int) -> str:
    """The fingerprint of a fit on the current cluster."""
    rows = FRAME[case.columns].iloc[ordered(order)].reset_index(drop=True)
    spread: Any = dd.from_pandas(rows, npartitions=n_partitions, sort=False)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*are few for a cluster")
        model = case.make().fit(spread, case.target, sample_weight=case.weight)
    return str(model.fingerprint())


def others(names: list[str], n_workers: int) -> list[tuple[str, int, int]]:
    """The names, partitions and orders of fits that differ from those in memory."""
    different = []
    with local_cluster(n_workers) as client:
        client.wait_for_workers(n_workers)
        for name in names:
            case = CASES[name]
            right = case.fit(ordered(0))
            different += [
                (name, n, order)
                for n in N_PARTITIONS
                for order in ORDERS
                if fitted(case, n, order) != right
            ]
    return different


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("n_workers", [1, 2, 3])
def test_a_cluster_changes_no_byte(n_workers: int, name: str) -> None:
    assert others([name], n_workers) == []


def main() -> None:
    all_of, wrong = len(N_PARTITIONS) * len(ORDERS), 0
    for n_workers in (1, 2, 3):
        for name in CASES:
            begin = time.monotonic()
            different = others([name], n_workers)
            wrong += len(different)
            told = f"{n_workers} workers, {name}: {all_of - len(different)} of {all_of} the same"
            print(f"{told}, {time.monotonic() - begin:.0f} s {different}", flush=True)
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
