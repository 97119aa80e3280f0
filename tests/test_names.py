"""The names of the package: one list, all resolve, none costs before it is used."""

import json
import subprocess
import sys

import pytest

import weaklearn
from tests.typed import stub


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
