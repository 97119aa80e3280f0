"""A short run of what ``python -m tests.campaign.disasters`` does at length."""

from __future__ import annotations

import os

import pytest

from tests.campaign import disasters

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
_FEW = {"full disk": 12, "vanishing folder": 8, "read-only folder": 4, "changing file": 2}


@pytest.mark.parametrize("name", [n for n in disasters.DISASTERS if n not in disasters.SLOW])
def test_disasters(name: str) -> None:
    counts, failures = disasters.run(name, _FEW.get(name, 1), seed=3)
    assert failures == []
    assert counts["refused"] + counts["answered"] == counts["tried"]


@pytest.mark.long
@pytest.mark.parametrize("name", list(disasters.DISASTERS))
def test_many_disasters(name: str) -> None:
    _, failures = disasters.run(name, 3 if name in disasters.SLOW else 40, seed=4)
    assert failures == []
