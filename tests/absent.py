"""A plugin for the suite where optional packages are absent: ``pytest -p tests.absent``.

A test module or test that asks for one of them is skipped, and says which. It is not loaded
otherwise: where a package should be there, its absence is an error.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_IMPORTED_AS = {"mlflow-skinny": "mlflow", "pillow": "PIL", "scikit-image": "skimage"}


def _optional() -> frozenset[str]:
    """The packages that the extras name and this environment lacks, as they are imported."""
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    extras = (one for many in project["optional-dependencies"].values() for one in many)
    names = {re.split(r"[^\w-]", one)[0] for one in extras} - {"weaklearn", "pytest"}
    found = {_IMPORTED_AS.get(name, name.replace("-", "_")) for name in names}
    return frozenset(name for name in found if find_spec(name) is None)


ABSENT = _optional()


def _absent(error: BaseException | None) -> str | None:
    """The absent package that an error comes from, or None."""
    while error is not None:
        if isinstance(error, ImportError):
            asked = (error.name or "").partition(".")[0]
            if asked in ABSENT:
                return asked
            # This library's own words: "to_frame() needs pandas: pip install pandas".
            told = re.search(r"\bneeds (\w+)", str(error))
            if told is not None and told[1] in {*ABSENT, "Pillow"}:
                return told[1]
        # What a process of its own, such as an example, said before it ended.
        told = re.search(r"ModuleNotFoundError: No module named '(\w+)", str(error))
        if told is not None and told[1] in ABSENT:
            return told[1]
        error = error.__cause__ or error.__context__
    return None


class _Module(pytest.Module):
    def _getobj(self) -> Any:
        try:
            return super()._getobj()
        except self.CollectError as error:
            name = _absent(error.__cause__)
            if name is None:
                raise
            # Half of it was made: whoever imports from it is to find out the same.
            place = self.path.relative_to(self.config.rootpath).with_suffix("")
            sys.modules.pop(".".join(place.parts), None)
            pytest.skip(f"{name} is not installed", allow_module_level=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The command line is run in processes of its own, which cannot be seen to lack a package."""
    for item in items:
        if "click" in ABSENT and "cli" in item.path.parts:
            item.add_marker(pytest.mark.skip(reason="click is not installed"))


def pytest_pycollect_makemodule(module_path: Path, parent: Any) -> pytest.Module:
    module: pytest.Module = _Module.from_parent(parent, path=module_path)
    return module


def _skipping(item: pytest.Item) -> Generator[None, None, None]:
    """Skips a test, or one whose fixtures could not be made, where a package is absent."""
    try:
        yield
    except Exception as error:
        name = _absent(error)
        if name is None:
            raise
        pytest.skip(f"{name} is not installed")


pytest_runtest_setup = pytest.hookimpl(wrapper=True)(_skipping)
pytest_runtest_call = pytest.hookimpl(wrapper=True)(_skipping)
