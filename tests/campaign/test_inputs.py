"""A short run of what ``python -m tests.campaign.inputs`` does at length."""

from __future__ import annotations

import pytest

from tests.campaign import inputs
from tests.campaign.counts import Counts

_FEW = {"csv": 60, "parquet": 40, "mail": 30, "opencv": 20}


def _counted(name: str, count: int, seed: int) -> Counts:
    counts = Counts()
    for number in range(count):
        counts += inputs.attempt(number, seed, name)
    return counts


@pytest.mark.parametrize("name", list(inputs.KINDS))
def test_inputs_are_answered_or_refused(name: str) -> None:
    count = _FEW.get(name, 12)
    counts = _counted(name, count, 5)
    assert counts.failures == []
    assert counts.refused + counts.answered == counts.tried == count
    assert counts.answered > 0


@pytest.mark.long
@pytest.mark.parametrize("name", list(inputs.KINDS))
def test_many_inputs_are_answered_or_refused(name: str) -> None:
    assert _counted(name, 25 * _FEW.get(name, 12), 6).failures == []


def test_a_failure_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> str:
        raise KeyError("no")

    kind = inputs.Kind(inputs.KINDS["mail"].made, wrong, 1.0)
    monkeypatch.setitem(inputs.KINDS, "mail", kind)
    counts = inputs.attempt(17, 1, "mail")
    assert (counts.tried, counts.failed, counts.details["mail failed"]) == (1, 1, 1)
    [(number, why)] = counts.failures
    assert number == 17
    assert why.startswith("mail: KeyError at")


def test_every_kind_has_its_share() -> None:
    kinds = [inputs.kind_of(number) for number in range(2000)]
    for name, kind in inputs.KINDS.items():
        assert abs(kinds.count(name) / 2000 - kind.share) < 0.05
