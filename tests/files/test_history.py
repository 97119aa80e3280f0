"""Histories in small files: facts as steps from a guess, and back to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.forge import reread, written
from weaklearn.base.history import History
from weaklearn.files import Flaw
from weaklearn.files.history import make, pack, spell, take

NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


def history(**columns: Any) -> History:
    record = History()
    for values in zip(*columns.values(), strict=True):
        record.append(dict(zip(columns, values, strict=True)))
    return record


def played(n: int, seed: int = 0) -> History:
    """Facts as AdaBoost has them: each from the error, by a way of its own."""
    epsilon = np.random.default_rng(seed).uniform(0.05, 0.5, n)
    gamma = ((1.0 - epsilon) - epsilon) / 2.0
    Z = np.sqrt(1.0 - (2.0 * gamma) ** 2)
    return history(epsilon=epsilon, gamma=gamma, r=2.0 * gamma, alpha=np.arctanh(2.0 * gamma), Z=Z)


def same(a: History, b: History) -> bool:
    return list(a) == list(b) and all(a[name].tobytes() == b[name].tobytes() for name in a)


def test_what_follows_takes_no_room() -> None:
    record = played(500)
    small = written(record, compact=True)
    assert len(small) < 2 * 500 * 8 + 1500 < len(written(record)) / 2
    assert same(reread(small), record)


def test_the_full_form_is_found_again() -> None:
    record = played(30)
    fields = pack([record])
    assert fields is not None
    assert {type(column) for column in fields[2]} == {np.ndarray, bytes}
    full, again = take(record), spell(1, fields)
    assert full[:2] + full[3:] == again[:2] + again[3:]
    assert [c.tobytes() for c in full[2]] == [c.tobytes() for c in again[2]]


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=8))
def test_any_numbers_come_back(rows: list[tuple[float, ...]]) -> None:
    names = ("epsilon", "gamma", "Z", "product_Z")
    record = history(**dict(zip(names, zip(*rows, strict=True), strict=True)))
    assert same(reread(written(record, compact=True)), record)


def test_facts_of_some_rounds_alone() -> None:
    record = played(40)
    record.append({"gamma": 0.25})
    record.append({"epsilon": 0.5, "leaves": 3})
    assert same(reread(written(record, compact=True)), record)


def test_nothing_to_guess_from() -> None:
    assert pack([history(a=[1.0, 2.0])]) is None
    assert pack([history(gamma=[0.25, 0.5], epsilon=[0.25, 0.0])]) is None  # the wrong way round
    assert pack([history(epsilon=[1, 2], gamma=[0.25, 0.5])]) is None  # no column of numbers
    assert pack([History()]) is None


def test_damage_is_told() -> None:
    fields: Any = pack([played(50)])
    n, names, columns, known = fields
    at = names.index("gamma")

    def refused(data: Any, words: str, source: Any = None) -> None:
        bad = list(columns)
        bad[at] = data
        bad[0] = bad[0] if source is None else source
        with pytest.raises(Flaw, match=words):
            make([n, names, bad, known])

    refused(b"", "gamma is packed and damaged")
    refused(columns[at][:-1], "gamma is packed and damaged")
    refused(columns[at] + b"\0", "gamma is packed and damaged")
    refused(columns[at], "nothing tells", [1, 2])
    refused(columns[at], "gamma is packed and damaged", np.zeros(3))
    with pytest.raises(Flaw, match="nothing tells"):
        make([n, names, [b"\0", *columns[1:]], known])
