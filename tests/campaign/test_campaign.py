"""A campaign of seconds: its parts run, go on, and stand in one table."""

from __future__ import annotations

import importlib
import json
import math
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from tests.campaign import __main__ as campaign
from tests.campaign.counts import Outcome
from tests.campaign.parts import PARTS, Part
from tests.campaign.table import PAGE, put_into, write_tables
from tests.layout import ROOT

SEED = (zlib.crc32(b"abcdef0123") << 8) + 1
BAD = Part("bad ones", 1, module="tests.campaign.bad_hunt")
MISSING = Part("nowhere", 1, target="no-such-target", variable="ARGS", build="no-such-build")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "abcdef0123-run1"
    found.mkdir()
    return found


def test_parts_run_go_on_and_say_why_they_cannot(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "PARTS", (BAD, MISSING))
    monkeypatch.setattr("tests.campaign.table.PARTS", (BAD, MISSING))
    played = campaign.Campaign(folder, [BAD, MISSING], 1, math.inf)
    played.run()
    first = played.outcomes()
    assert first["bad ones"].next == first["bad ones"].counts.tried == 10
    assert first["bad ones"].counts.failed == 1
    assert "no-such-target" in first["nowhere"].missing
    told = played.write()
    command = ".venv/bin/python -m tests.campaign.bad_hunt"
    assert f"again: {command} --seed {SEED} --first 3 --count 1" in told
    again = campaign.Campaign(folder, [BAD], 1, math.inf)
    again.run()
    later = again.outcomes()["bad ones"]
    assert later.next == later.counts.tried == 20  # no number is tried twice
    assert later.counts.failed == 1


def test_the_three_tables(folder: Path) -> None:
    outcomes = {part.name: Outcome() for part in PARTS}
    found = outcomes["odd tables"]
    found.counts.add("answered", 41)
    found.counts.fail(17, "another answer")
    found.next, found.seconds = 42, 12.6
    outcomes["bits"].complete, outcomes["bits"].next = True, 3
    outcomes["allocations"].missing = "no compiler"
    outcomes["statistics"].seconds = 5.0
    text = write_tables(folder, outcomes, SEED)
    line = next(line for line in text.splitlines() if line.startswith("odd tables "))
    words = re.split(r"\s\s+", line)
    assert words == ["odd tables", "42", "0", "41", "1", "13", "abcdef0123", "numbers up to 42"]
    assert "could not run: no compiler" in text
    assert f"odd_tables --seed {SEED} --first 17 --count 1" in text
    assert text == (folder / "table.txt").read_text().rstrip("\n")
    assert "| odd tables | 42 | 0 | 41 | 1 | 13 |" in (folder / "table.md").read_text()
    page = PAGE.read_text()
    filled = put_into(page, (folder / "table.md").read_text())
    assert "| odd tables | 42 | 0 | 41 | 1 | 13 |" in filled
    assert put_into(filled, "") == put_into(page, "")  # nothing else is touched
    told = json.loads((folder / "table.json").read_text())
    assert [row["part"] for row in told["parts"]] == [part.name for part in PARTS]
    notes = {row["part"]: row["note"] for row in told["parts"]}
    assert notes["bits"] == "all of it"
    assert notes["inputs"] == "not run"
    assert notes["statistics"] == "no trial ended in time"
    assert told["failures"][0]["why"] == "another answer"


def test_runs_at_a_commit_have_seeds_of_their_own(tmp_path: Path) -> None:
    def folder(resume: bool) -> Path:
        return campaign.folder_of("abcdef0123", resume=resume, home=tmp_path)

    seeds = []
    for _ in range(2):
        assert folder(False) not in tmp_path.iterdir()
        folder(False).mkdir()
        seeds.append(campaign.seed_of(folder(True)))
    assert seeds == [SEED, SEED + 1]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_the_command_of_a_part_is_there(part: Part, capsys: Any) -> None:
    """The module has the options of every hunt, or the Makefile the target and its variable."""
    assert "," not in part.name  # by which --parts divides names
    if part.module:
        with pytest.raises(SystemExit):
            importlib.import_module(part.module).main(["--help"])
        told = capsys.readouterr().out
        assert all(word in told for word in ("--jobs", "--seconds", "--seed", "--outcome"))
        return
    makefile = (ROOT / "Makefile").read_text()
    for target in (part.target, part.build):
        assert re.search(rf"^{target}:", makefile, re.M)
    assert re.search(rf"^{part.variable} +\?=", makefile, re.M)
    assert f"{part.target} '{part.variable}=" in part.again(1, 2)


def test_a_commit_without_a_name_is_refused(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        campaign.main(["--commit", ""])
    assert "name it by --commit" in capsys.readouterr().err


def test_an_unknown_part_is_refused(capsys: Any) -> None:
    with pytest.raises(SystemExit):
        campaign.main(["--parts", "bytes"])
    assert "no part is called 'bytes': there are model files" in capsys.readouterr().err
