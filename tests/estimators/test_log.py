"""The logger of the library: one, named weaklearn, and silent unless somebody listens."""

from __future__ import annotations

import logging
import re
import subprocess
import sys
from pathlib import Path

import pytest

import weaklearn as wl

SOURCES = Path(wl.__file__).parent


def test_there_is_one_logger() -> None:
    named = [
        found
        for path in SOURCES.rglob("*.py")
        for found in re.findall(r"getLogger\((.*?)\)", path.read_text(encoding="utf-8"))
    ]
    assert len(named) > 3
    assert set(named) == {'"weaklearn"'}


def test_every_fit_is_told_at_the_level_debug(caplog: pytest.LogCaptureFixture) -> None:
    X, y = wl.datasets.toy()
    with caplog.at_level(logging.DEBUG, "weaklearn"):
        wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    *_, rounds, took = caplog.messages
    assert rounds.startswith("AdaBoostClassifier: 3 members, ")
    assert re.fullmatch(r"AdaBoostClassifier\.fit took \S+ s", took)
    assert {record.name for record in caplog.records} == {"weaklearn"}


def test_nothing_is_printed_unless_somebody_listens() -> None:
    code = (
        "import logging; logging.basicConfig()\n"
        "import weaklearn as wl\n"
        "wl.AdaBoostClassifier(n_estimators=3).fit(*wl.datasets.toy())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
