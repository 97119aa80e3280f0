"""The names of the package: one list, all resolve, none costs before it is used.

Files that the pages name are there, and hold what the pages say of them.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import weaklearn
from tests.typed import stub

ROOT = Path(__file__).parents[1]
HOMES = (ROOT, ROOT / "src" / "weaklearn", ROOT / "cpp" / "include" / "weaklearn")
PAGES = [ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
_FILE = r"`([\w./*-]+\.(?:py|pyi|hpp|cpp|md|toml))`"


def test_what_is_shown_is_what_is_public() -> None:
    assert dir(weaklearn) == weaklearn.__all__
    assert {"LPBoostClassifier", "load", "__version__"} <= set(dir(weaklearn))


@pytest.mark.parametrize("name", weaklearn.__all__)
def test_every_public_name_resolves(name: str) -> None:
    assert getattr(weaklearn, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="AdaBoastClassifier"):
        weaklearn.AdaBoastClassifier  # noqa: B018


@pytest.mark.parametrize("path", stub.stubs(), ids=lambda path: path.parent.name)
def test_stubs_are_those_of_the_registry(path) -> None:
    assert path.read_text(encoding="utf-8") == stub.stubs()[path], "run make stub"


def loaded(code: str) -> set[str]:
    """The modules that a fresh interpreter has after some lines."""
    told = "import json, sys; print(json.dumps(sorted(sys.modules)))"
    out = subprocess.run(
        [sys.executable, "-c", f"{code}; {told}"], capture_output=True, text=True, check=True
    )
    return set(json.loads(out.stdout))


def test_importing_the_package_loads_no_heavy_one() -> None:
    heavy = {"numpy", "scipy", "sklearn", "narwhals", "matplotlib", "pandas"}
    assert not heavy & loaded("import weaklearn")


def test_importing_an_estimator_loads_little() -> None:
    found = loaded("from weaklearn import AdaBoostClassifier")
    ours = {name for name in found if name.split(".")[0] == "weaklearn"}
    assert len(ours) <= 120
    known = loaded("import sklearn.base")
    assert not {name for name in found - known if name.split(".")[0] == "scipy"}


def prose(page: Path) -> str:
    """The text of a page without its blocks of code, in one line."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return " ".join(text.split())


def homes_of(name: str) -> list[Path]:
    """The files of a name, which may hold ``*``."""
    return [path for home in HOMES for path in home.glob(name)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_named_on_pages_are_there(page: Path) -> None:
    named = set(re.findall(_FILE, prose(page)))
    assert not {name for name in named if not homes_of(name)}


def test_the_architecture_names_what_its_files_hold() -> None:
    text = prose(ROOT / "ARCHITECTURE.md")
    found = re.findall(rf"{_FILE}, `(\w+)`", text)
    found += [pair[::-1] for pair in re.findall(rf"`(\w+)`,? (?:\(|in ){_FILE}", text)]
    assert len(found) > 30
    for name, word in found:
        source = homes_of(name)[0].read_text(encoding="utf-8")
        assert re.search(rf"\b(?:def|class|struct) {word}\b", source), f"{name} has no {word}"


_FEATURES = "## Features beside each other"


def test_every_feature_names_the_tests_that_hold_it() -> None:
    """Rows of the table of five libraries, whose last column is of ours."""
    page = (ROOT / "docs" / "switching.md").read_text(encoding="utf-8")
    part = page.split(_FEATURES)[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in part.splitlines()
        if "|" in line
    ]
    rows = [row for row in rows if row[0] and not set(row[0]) <= {"-"}]
    assert len(rows) > 60
    assert {len(row) for row in rows} == {7}
    for feature, ours, *_, tests in rows:
        named = re.findall(r"`([\w/]+\.py)::(test_\w+)`", tests)
        assert bool(named) != (ours.split(":")[0] == "no"), feature
        for file, name in named:
            source = (ROOT / "tests" / file).read_text(encoding="utf-8")
            assert f"\ndef {name}(" in source, f"{feature}: tests/{file} has no {name}"
