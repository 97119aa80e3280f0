"""The stubs of ``weaklearn`` and ``weaklearn.boosters``: what editors and type checkers see.

``python -m tests.typed.stub`` writes them; a test compares them with the registry.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import weaklearn
from weaklearn.registry import PACKAGES, booster_homes, homes

_HEAD = "# Made from the registry by `make stub`.\n"
_WIDTH = 100


def stubs() -> dict[Path, str]:
    """The text of every stub, by its file."""
    top = Path(weaklearn.__file__).parent
    packages = "".join(f"from . import {name} as {name}\n" for name in PACKAGES)
    public = _HEAD + packages + _imports(homes()) + "\n__version__: str\n\n"
    boosters = booster_homes()
    return {
        top / "__init__.pyi": public + _listed([*homes(), "__version__"]),
        top / "boosters" / "__init__.pyi": _HEAD + _imports(boosters) + "\n" + _listed(boosters),
    }


def _imports(modules: Mapping[str, str]) -> str:
    """A line for every module, with the names that it defines."""
    found: dict[str, list[str]] = {}
    for name, module in modules.items():
        found.setdefault(module, []).append(name)
    return "".join(_import(module, sorted(names)) for module, names in sorted(found.items()))


def _import(module: str, names: list[str]) -> str:
    line = f"from .{module} import {', '.join(names)}"
    if len(line) <= _WIDTH:
        return f"{line}\n"
    return f"from .{module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"


def _listed(names: list[str] | Mapping[str, str]) -> str:
    return "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names)) + "]\n"


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
