"""The transcripts in the documentation, run as they stand."""

from __future__ import annotations

import doctest
import io
import re
import shlex
import shutil
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from weaklearn.cli import main

ROOT = Path(__file__).parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def transcripts(page: str) -> list[tuple[str, str]]:
    """The calls on a page, each with what it prints."""
    found = []
    for block in re.findall(r"```console\n(.*?)```", (ROOT / page).read_text("utf-8"), re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            call, _, printed = part.partition("\n")
            found.append((call, printed))
    return found


@pytest.mark.parametrize("page", ["docs/command-line.md", "README.md"])
def test_transcripts(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "examples" / "patients.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    calls = transcripts(page)
    assert calls
    for call, printed in calls:
        words = shlex.split(call)
        assert words[0] == "weaklearn"
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(out):
            assert main(words[1:]) == 0
        if printed.strip():
            right = doctest.OutputChecker().check_output(printed, out.getvalue(), FLAGS)
            assert right, f"{call}\n{out.getvalue()}"
