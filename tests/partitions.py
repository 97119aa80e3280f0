"""Rows dealt to partitions, and programs that run on all of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.engines.here import run_here

RowNumbers = NDArray[np.intp]


def dealt(n_rows: int, n_parts: int, seed: int = 0) -> list[RowNumbers]:
    """Rows dealt at random to partitions, some of which are empty now and then."""
    rng = np.random.default_rng(seed)
    owner = rng.choice(n_parts, n_rows, p=rng.dirichlet(np.full(n_parts, 0.5)))
    return [np.flatnonzero(owner == rank) for rank in range(n_parts)]


def on_each(parts: list[RowNumbers], program: Callable[[RowNumbers], Any]) -> list[Any]:
    """What a program returns on the rows of each partition."""
    return run_here([lambda rows=rows: program(rows) for rows in parts])  # type: ignore[misc]


def by_row(parts: list[RowNumbers], program: Callable[[RowNumbers], Any]) -> NDArray[Any]:
    """What a program returns for each row of its partition, in the order of all rows."""
    found = np.concatenate(on_each(parts, program))
    return np.asarray(found[np.argsort(np.concatenate(parts), kind="stable")])
