"""Calls of the command line, and a table of patients to call it on."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weaklearn.cli import main

PYTHON = [sys.executable, "-m", "weaklearn"]


@dataclass(frozen=True)
class Called:
    """How a call ended."""

    status: int
    out: str
    err: str


def call(*arguments: Any) -> Called:
    """Calls in this process."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main([str(a) for a in arguments])
    return Called(status, out.getvalue(), err.getvalue())


def refused(*arguments: Any, status: int = 2) -> str:
    """The one line of a call that must end with this status, without a traceback."""
    called = call(*arguments)
    assert called.status == status, called
    lines = called.err.strip().splitlines()
    assert len(lines) == 1, called.err
    assert lines[0].startswith("weaklearn: ")
    return lines[0]


def start(*arguments: Any, **options: Any) -> subprocess.Popen[str]:
    """Calls in a process of its own."""
    settings: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([*PYTHON, *map(str, arguments)], **(settings | options))


@contextmanager
def standard_input_of(*command: str) -> Iterator[None]:
    """Standard input is what a program writes."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(program.stdout))
            yield
        program.stdout.close()


def patients(path: Path, n: int = 120, seed: int = 0) -> Path:
    """A table of made-up patients: numbers, categories, dates and gaps."""
    rng = np.random.default_rng(seed)
    age, bmi = rng.integers(20, 90, n), rng.normal(26, 4, n).round(1)
    pain = rng.choice(["none", "mild", "severe"], n)
    day = np.datetime64("2024-01-01") + rng.integers(0, 300, n)
    sick = np.where((age > 55) ^ ((pain == "severe") & (bmi > 25)), "yes", "no")
    lines = ["age,bmi,pain,seen,cost,sick"]
    for k in range(n):
        shown = "" if k % 11 == 3 else str(bmi[k])
        cost = round(float(age[k] * 10 + 50 * (pain[k] == "severe")), 2)
        lines.append(f"{age[k]},{shown},{pain[k]},{day[k]},{cost}5,{sick[k]}")
    path.write_text("\n".join(lines) + "\n")
    return path


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **more}
