"""The proof that trees of a file are sound, and what it tells of trees that stay packed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..base.compression.batch import Batch
from ..base.trees.tree import THRESHOLD
from ..base.trees.tree_arrays import EVERY_CHILD
from ..engines import on_threads
from .check import need
from .error import Flaw

LAST = np.finfo(np.float64).max
NEARLY = 1e-6  # how far shares may sum from 1
_FEW = 64  # tests that may be listed more than once
_TESTS = ("feature", "ask", "width", "missing", "low", "high")


class Tests(NamedTuple):
    """What trees ask: each combination once, with the least and the greatest of its thresholds.

    A threshold of ``LAST`` asks whether a value is known, and is a combination of its own.
    """

    feature: NDArray[np.int64]
    ask: NDArray[np.uint8]
    width: NDArray[np.int64]
    missing: NDArray[np.int64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]

    @classmethod
    def asked(cls, columns: Mapping[str, NDArray[Any]]) -> Tests:
        """The tests of trees, whose arrays are joined."""
        inner = np.flatnonzero(columns["ask"])
        feature, width, missing = (
            columns[name][inner].astype(np.int64) for name in ("feature", "width", "missing")
        )
        ask, threshold = columns["ask"][inner], columns["threshold"][inner]
        return cls._once(feature, ask, width, missing, threshold, threshold)

    @classmethod
    def joined(cls, parts: Sequence[Tests]) -> Tests:
        """The tests of several parts."""
        if len(parts) == 1:
            return parts[0]
        return cls._once(
            *(np.concatenate([getattr(part, name) for part in parts]) for name in _TESTS)
        )

    @classmethod
    def _once(cls, *columns: NDArray[Any]) -> Tests:
        feature, ask, width, missing, low, high = columns
        if len(feature) <= _FEW:
            return cls(*columns)
        known = (ask == THRESHOLD) & (high == LAST)
        outcomes = _numbered((width << 32) + missing - EVERY_CHILD)
        asked = (ask.astype(np.int64) << 1) + known
        keys = _numbered((feature << 32) + outcomes * 8 + asked)
        few = int(keys.max()) < 2**16  # sorted by counting
        order = np.argsort(keys.astype(np.uint16) if few else keys, kind="stable")
        starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
        of = order[starts]
        low, high = (
            np.minimum.reduceat(low[order], starts),
            np.maximum.reduceat(high[order], starts),
        )
        return cls(feature[of], ask[of], width[of], missing[of], low, high)


def _numbered(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    """Smaller keys, which are the same where these are."""
    low, high = int(keys.min()), int(keys.max())
    return keys - low if high - low < 2**16 else np.unique(keys, return_inverse=True)[1]


class Proof(NamedTuple):
    """What was found out about trees while they were proved sound."""

    tests: Tests
    reach: NDArray[np.float64]  # of each tree: the greatest absolute value
    shares: NDArray[np.bool_]  # of each tree: whether all values are distributions

    @classmethod
    def of(cls, facts: Mapping[str, NDArray[Any]]) -> Proof:
        """The proof, from what the engine found out."""
        tests = Tests(**{name: facts[name] for name in _TESTS})
        return cls(tests, facts["reach"], facts["shares"].view(np.bool_))

    @classmethod
    def joined(cls, parts: Sequence[Proof]) -> Proof:
        """The proof of several parts, one after another."""
        return cls(
            Tests.joined([part.tests for part in parts]),
            np.concatenate([part.reach for part in parts]),
            np.concatenate([part.shares for part in parts]),
        )


def proof_of(batch: Batch) -> Proof:
    """What is known of trees; they are refused unless they are sound."""
    for name, column in batch.columns.items():
        if name not in ("subsets", "values"):
            need(len(column) == int(batch.length.sum()), f"{name} has not one entry a node")
    try:
        return Proof.of(on_threads().files.proved(batch.columns, batch.length, batch.rows))
    except ValueError as error:
        raise Flaw(str(error)) from None
