"""The sources of weaklearn-runtime: built as weaklearn is, with numpy as the only requirement."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from distributions import runtime

GIVEN = (runtime.ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_numpy_alone_is_required() -> None:
    made = tomllib.loads(runtime.pyproject(GIVEN))["project"]
    assert made["name"] == "weaklearn-runtime"
    assert [need.partition(">")[0] for need in made["dependencies"]] == ["numpy"]
    assert "optional-dependencies" not in made
    assert "scripts" not in made


def test_it_is_built_as_the_whole_is() -> None:
    ours, theirs = tomllib.loads(GIVEN), tomllib.loads(runtime.pyproject(GIVEN))
    assert theirs["build-system"] == ours["build-system"]
    assert theirs["tool"]["dynamic-metadata"] == ours["tool"]["dynamic-metadata"]
    assert theirs["tool"]["scikit-build"] == ours["tool"]["scikit-build"]
    assert theirs["tool"]["cibuildwheel"]["build"] == ours["tool"]["cibuildwheel"]["build"]
    for system in ("linux", "macos", "windows"):
        assert theirs["tool"]["cibuildwheel"][system] == ours["tool"]["cibuildwheel"][system]


def test_the_sources_are_whole(tmp_path: Path) -> None:
    runtime.write(tmp_path / "sources")
    assert {path.name for path in (tmp_path / "sources").iterdir()} == {
        *runtime.BUILT,
        "pyproject.toml",
    }
    copied = tmp_path / "sources" / "src" / "weaklearn" / "runtime" / "loading.py"
    assert (
        copied.read_bytes()
        == (runtime.ROOT / copied.relative_to(tmp_path / "sources")).read_bytes()
    )


def test_a_folder_of_something_else_is_not_emptied(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(SystemExit, match="holds something else"):
        runtime.write(tmp_path)
    assert (tmp_path / "thesis.tex").is_file()
    for _ in range(2):  # its own folder is written anew
        runtime.write(tmp_path / "sources")


BLOCKED = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("sklearn", "scipy", "narwhals"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocked())
"""


def without_scikit_learn(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-c", BLOCKED + code, *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def test_its_trial_passes_without_scikit_learn() -> None:
    done = without_scikit_learn(runtime.TRIAL, str(runtime.ROOT / runtime._MODEL))
    assert done.returncode == 0, done.stderr


def test_estimators_say_what_they_need() -> None:
    done = without_scikit_learn("from weaklearn import AdaBoostClassifier")
    assert "ImportError: weaklearn.AdaBoostClassifier needs sklearn: weaklearn-runtime" in (
        done.stderr
    )
    assert "pip install weaklearn in its place" in done.stderr
