"""A short run of what ``python -m tests.campaign.disasters`` does at length."""

from __future__ import annotations

import os

import pytest

from tests.campaign import disasters

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
_FEW = {"full disk": 12, "vanishing folder": 8, "read-only folder": 4, "changing file": 2}


def _failures(name: str, count: int, seed: int) -> list[tuple[int, str]]:
    return [found for k in range(count) for found in disasters.attempt(k, seed, name).failures]


@pytest.mark.parametrize("name", [n for n in disasters.DISASTERS if n not in disasters.SLOW])
def test_disasters(name: str) -> None:
    assert not _failures(name, _FEW.get(name, 1), 3)


@pytest.mark.long
@pytest.mark.parametrize("name", list(disasters.DISASTERS))
def test_many_disasters(name: str) -> None:
    assert not _failures(name, 3 if name in disasters.SLOW else 40, 4)
