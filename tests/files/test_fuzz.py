"""A short run of what ``make fuzz`` and ``python -m tests.files.kill`` do at length."""

from __future__ import annotations

import errno
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import weaklearn
from tests.campaign.counts import Counts
from tests.files import asking, forge, fuzz, kill
from weaklearn.persistence.book import KEPT
from weaklearn.persistence.model_bytes import sealed


def test_mutated_files_of_every_kind_are_refused_or_sound() -> None:
    names = {base.name.split("-")[1] for base in fuzz.bases()}
    assert names == {kind.name for kind in KEPT}  # a new estimator gets a frozen file, and is tried
    counts = Counts()
    for number in range(150):
        counts += fuzz.mutation(number, seed=20, n_ways=4)
    assert not counts.failures
    assert counts.answered > 20  # so that predicting is tried as well


def test_the_runtime_is_asked_about_the_same_columns() -> None:
    """A model whose columns have exchanged their names reads an array as before, by place."""
    (base,) = (base for base in fuzz.bases() if base.name == "3-OnlineDisjunction-plain-odd")
    model = forge.loaded(base.data)
    a, b, c = model._schema.names
    model._schema = replace(model._schema, names=(a, c, b))
    renamed = forge.loaded(sealed(model))
    for question in base.cuts:
        asking.ask(renamed, "saved", question)
    other = replace(base.cuts[0], X=1 - base.cuts[0].X)
    with pytest.raises(asking.Wrong, match="of the runtime is another"):
        asking.ask(renamed, "saved", other)


def test_a_flaw_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(data: bytes) -> None:
        raise KeyError("no")

    monkeypatch.setattr(fuzz, "measured", wrong)
    [(number, why)] = fuzz.mutation(7, seed=1).failures
    assert number == 7
    assert ": KeyError at test_fuzz.py" in why


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("times", [10, pytest.param(20, marks=pytest.mark.long)])
def test_writers_killed_leave_one_whole_file(times: int, tmp_path: Path) -> None:
    kill.run(tmp_path, times, seed=3)


def test_a_disk_that_is_full_leaves_the_old_file(tmp_path: Path) -> None:
    """A disk of 16 KB, where this process may have one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(disk)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("no disk of one's own without being root; a limit of sizes stands in elsewhere")
    try:
        path = disk / "model.weak"
        weaklearn.AdaBoostClassifier(n_estimators=1).fit(*weaklearn.datasets.toy()).save(path)
        before = path.read_bytes()
        (disk / "filler").write_bytes(b"0" * 4096)
        with pytest.raises(OSError, match="No space left"):
            (disk / "more").write_bytes(b"0" * 16_384)
        (disk / "more").unlink()
        X = np.random.default_rng(0).normal(size=(300, 4))
        model = weaklearn.RandomForestClassifier(60).fit(X, X[:, 0] * X[:, 1] > 0)
        with pytest.raises(OSError, match="No space left") as caught:
            model.save(path)
        assert (caught.value.errno, caught.value.filename) == (errno.ENOSPC, str(path))
        assert path.read_bytes() == before
        assert sorted(os.listdir(disk)) == ["filler", "model.weak"]
    finally:
        subprocess.run(["umount", str(disk)], check=True)
