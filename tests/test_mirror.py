"""The folders of the tests are those of the packages."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
# Tests of files that lie in the repository, and of no package.
DATA = {"frozen", "reference"}


def test_every_folder_of_tests_is_that_of_a_package() -> None:
    tests = ROOT / "tests"
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    lost = [
        str(folder)
        for folder in folders
        if not any((home / folder).is_dir() for home in (ROOT / "src" / "weaklearn", ROOT))
        and str(folder) not in DATA
    ]
    assert not lost, f"no package is called so: {sorted(lost)}"
