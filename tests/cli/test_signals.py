"""Ctrl-C and SIGTERM in the middle of a fit."""

from __future__ import annotations

import signal
import time
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from tests.cli.calling import patients, start


def interrupted(number: int, *arguments: Any) -> tuple[int, str, float]:
    """A fit of very many rounds, ended by a signal once it is under way."""
    run = start("fit", *arguments, "--target=sick", "--set=n_estimators=100000000", "--cv=0")
    assert run.stdout is not None
    try:
        for line in run.stdout:  # the columns are shown just before the fit
            if line.startswith("cost"):
                break
        time.sleep(0.7)
        begin = time.perf_counter()
        run.send_signal(number)
        _, err = run.communicate(timeout=60)
        return run.returncode, err, time.perf_counter() - begin
    finally:
        run.kill()


def test_a_fit_that_is_ended_leaves_no_model(tmp_path: Path) -> None:
    data = patients(tmp_path / "p.csv", 2000)
    status, err, seconds = interrupted(signal.SIGINT, data, "-o", tmp_path / "m.weak")
    assert status == 130
    assert err.splitlines()[-1] == "weaklearn: interrupted."
    assert "Traceback" not in err
    assert seconds < 10  # less than 1 on a machine that is not busy
    assert [p.name for p in tmp_path.iterdir()] == ["p.csv"]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["int", "term"]
)
def test_a_checkpoint_keeps_what_was_learnt(tmp_path: Path, number: int, status: int) -> None:
    data = patients(tmp_path / "p.csv", 2000)
    kept = tmp_path / "so-far.weak"
    code, err, _ = interrupted(number, data, "-o", tmp_path / "m.weak", "--checkpoint", kept)
    assert code == status
    assert "rounds played so far are kept in" in err
    assert not (tmp_path / "m.weak").exists()
    model = wl.load(kept)
    assert model.n_iter_ > 0
    X, y = wl.datasets.read_table(data).split("sick")
    assert model.score(X, y) > 0.8
