"""The folders of the tests are those of the packages."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
# Tests of files that lie in the repository, or of everything, and of no package.
DATA = {"campaign", "frozen", "reference", "typed"}


def test_every_folder_of_tests_is_that_of_a_package() -> None:
    tests, homes = ROOT / "tests", (ROOT / "src" / "weaklearn", ROOT)
    folders = {path.parent.relative_to(tests) for path in tests.rglob("test_*.py")}
    known = {
        folder
        for folder in folders
        for home in homes
        if (home / folder).is_dir() or (home / f"{folder}.py").is_file()
    }
    lost = {str(folder) for folder in folders - known} - DATA
    assert not lost, f"no package or module is called so: {sorted(lost)}"
