"""The short form: a few tables for every estimator, and those that once went wrong."""

from __future__ import annotations

import pytest

from tests.campaign.odd_tables import attempt

FOUND = (1037, 1283, 1730, 1762, 2082, 2400, 2862, 20740)


def _failures(first: int, count: int) -> list[tuple[int, str]]:
    return [failure for k in range(first, first + count) for failure in attempt(k).failures]


@pytest.mark.parametrize("first", range(0, 80, 40))
def test_odd_tables_are_answered_alike_or_refused_by_name(first: int) -> None:
    assert not _failures(first, 40)


@pytest.mark.parametrize("number", FOUND)
def test_what_was_found(number: int) -> None:
    assert not _failures(number, 1)


@pytest.mark.long
@pytest.mark.parametrize("first", range(10_000, 13_000, 100))
def test_many_odd_tables(first: int) -> None:
    assert not _failures(first, 100)
