"""Rows measured on several numbers of threads: what is asked for, what is gained, what is drawn."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import data, plot_threads, table
from benchmarks.__main__ import main
from benchmarks.rows import Gain, Outcome, Row, Run
from benchmarks.threads import Measured, available, counts


def unmeasured(run: Run) -> Outcome:
    raise AssertionError("outcomes are given")


def measured(ours: dict[int, float], theirs: dict[int, float], name: str = "x") -> Measured:
    row = Row(name, "work", "peer", 1.5, 3, unmeasured, on_16=(1.2, 2), gain=Gain(1, 16, 7, 12))
    outcomes = {t: Outcome({"weaklearn": ours[t], "LightGBM": theirs[t]}) for t in ours}
    return Measured(row, outcomes)


def test_numbers_of_threads_are_read_in_order() -> None:
    assert counts("4,1,2,2") == [1, 2, 4]
    assert counts("2") == [2]
    for wrong in ("0", "1,", "-2,4", "two"):
        with pytest.raises(ValueError, match=r"thread|int"):
            counts(wrong)


def test_sixteen_threads_have_bars_of_their_own() -> None:
    row = measured({1: 1.0}, {1: 1.0}).row
    assert row.asked(2) == (1.5, 3)
    assert row.asked(16) == (1.2, 2)
    assert Row("y", "work", "peer", 1.5, 3, unmeasured).asked(16) == (1.5, 3)


def test_gains_are_from_the_fewest_threads() -> None:
    each = measured({1: 8.0, 2: 4.0, 16: 1.0}, {1: 16.0, 2: 8.0, 16: 1.3})
    assert each.gains(1) == (1, 1)
    assert each.gains(2) == (2, 2)
    assert each.gains(16) == pytest.approx((8, 16 / 1.3))
    assert each.gains(16, fewer=2)[0] == 4
    assert each.gains(4) == (None, None)
    assert not each.slowed
    shown = table.ratios([each])
    assert "2 × ✓ " in shown
    assert "1.3 × ✓ " in shown
    assert "16 threads: 1.2 ×" in shown
    assert "✓ 8 × from 1 to 16 (bar 7 ×, goal 12 ×)" in table.gains([each])


def test_more_threads_that_take_longer_are_named() -> None:
    each = measured({1: 4.0, 2: 2.0, 4: 2.09, 16: 3.0}, {1: 4.0, 2: 4.0, 4: 4.0, 16: 4.0})
    assert each.slowed == {16: 1.5}  # five per cent more is noise
    assert "✗ 16 threads take 1.50 × the time of fewer" in table.gains([each])


def test_sizes_gain_nothing_from_threads() -> None:
    row = measured({1: 1.0}, {1: 1.0}).row
    sizes = {t: Outcome({"weaklearn": 5.0 * t, "LightGBM": 9.0}, "MB") for t in (1, 2)}
    assert Measured(row, sizes).gains(2) == (None, None)
    assert not Measured(row, sizes).slowed


def test_labels_of_the_made_data_follow_its_score() -> None:
    of = data.cores(4_000, 10)
    assert of.X.shape == (4_000, 10)
    assert of.X_test.shape == (400, 10)
    assert of.X.dtype == np.float32
    assert of.y[np.abs(of.X[:, 4]) > 2].mean() < of.y.mean() < 0.6
    step = of.X[:, 2] * of.X[:, 3] > 0
    assert of.y[step].mean() > of.y[~step].mean() + 0.1


@pytest.mark.slow
def test_a_run_on_several_numbers_of_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # put back afterwards
    output = tmp_path / "numbers.json"
    asked = ["--quick", "--only", "two-fits,cores-100k", "--threads", "1,2", "--peers", "none"]
    assert main([*asked, "--output", str(output)]) == 0
    tried = sorted({1, min(2, available())})
    rows = json.loads(output.read_text())["rows"]
    assert [(row["name"], row["threads"]) for row in rows] == [
        (name, threads) for name in ("cores-100k", "two-fits") for threads in tried
    ]
    assert rows[0]["gain"] == {"from": 1, "ours": 1, "best_peer": None}
    assert rows[0]["reached"] == "alone"
    assert "one after the other" in rows[-1]["values"]
    assert "cores-100k, 1 thread" in capsys.readouterr().out


@pytest.mark.slow
def test_peers_are_measured_on_the_numbers_of_threads_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # put back afterwards
    output = tmp_path / "numbers.json"
    asked = ["--quick", "--only", "forest-100", "--threads", "1,2", "--peer-threads", "1"]
    assert main([*asked, "--output", str(output)]) == 0
    rows = json.loads(output.read_text())["rows"]
    assert [len(row["values"]) for row in rows] == [2, 1][: len(rows)]


@pytest.mark.parametrize("option", ["--only", "--peers"])
def test_misspelt_names_are_refused(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([option, "LightGMB"])
    assert "there is no" in (told := capsys.readouterr().err)
    assert "'LightGMB'" in told


def test_gains_are_drawn_from_the_numbers_of_several_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    each = measured({1: 8.0, 2: 4.0}, {1: 16.0, 2: 9.0}, "forest-100")
    written = table.as_json(Run(), [each], [])["rows"]
    for row in written:
        (tmp_path / f"{row['threads']}.json").write_text(json.dumps({"rows": [row]}))
    files = [str(tmp_path / f"{threads}.json") for threads in (2, 1)]
    assert plot_threads.seconds(written, "forest-100") == ({1: 8, 2: 4}, {1: 16, 2: 9})
    assert plot_threads.main([*files, str(tmp_path / "out.png")]) == 0
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out.startswith("forest drawn")
    with pytest.raises(SystemExit):
        plot_threads.main([files[0], str(tmp_path / "none.png")])
