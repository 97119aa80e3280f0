"""A short run of what ``python -m tests.campaign.inputs`` does at length."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign import inputs

_FEW = {"csv": 60, "parquet": 40, "mail": 30, "opencv": 20}


@pytest.mark.parametrize("name", list(inputs.KINDS))
def test_inputs_are_answered_or_refused(name: str, tmp_path: Path) -> None:
    count = _FEW.get(name, 12)
    found = inputs.run(name, count, 5, tmp_path)
    assert found.failures == []
    assert found.counts["refused"] + found.counts["answered"] == count
    assert found.counts["answered"] > 0


@pytest.mark.long
@pytest.mark.parametrize("name", list(inputs.KINDS))
def test_many_inputs_are_answered_or_refused(name: str, tmp_path: Path) -> None:
    found = inputs.run(name, 25 * _FEW.get(name, 12), 6, tmp_path)
    assert found.failures == []


def test_a_failure_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> str:
        raise KeyError("no")

    kind = inputs.Kind(inputs.KINDS["mail"].made, wrong, 1.0)
    monkeypatch.setitem(inputs.KINDS, "mail", kind)
    found = inputs.run("mail", 30, 1, tmp_path, most=2)
    assert found.counts == {"tried": 2, "failed": 2}
    assert found.failures[1].startswith("mail: KeyError at")
    assert found.failures[1].endswith("(--seed 1 --first 1)")
