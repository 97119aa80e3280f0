"""The stubs of modules whose names are imported when first asked for: what type checkers see.

``python -m tests.typed.stub`` writes them; a test compares them with the registry, and with the
names that each such module lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from pathlib import Path

import weaklearn
from weaklearn.registry import PACKAGES, booster_homes, homes

_HEAD = "# Made from the registry by `make stub`.\n"
_OF_MODULE = "# Made by `make stub` from the names that the module lists.\n"
_WIDTH = 100


def stubs() -> dict[Path, str]:
    """The text of every stub, by its file."""
    top = Path(weaklearn.__file__).parent
    public = _HEAD + _modules(PACKAGES) + _imports(homes()) + "\n__version__: str\n\n"
    boosters = booster_homes()
    return {
        top / "__init__.pyi": public + _listed([*homes(), "__version__"]),
        top / "boosters" / "__init__.pyi": _HEAD + _imports(boosters) + "\n" + _listed(boosters),
    } | dict(_of_modules(top))


def _of_modules(top: Path) -> Iterable[tuple[Path, str]]:
    """The stubs of the modules that list the homes of their names."""
    for path in sorted(top.rglob("*.py")):
        if "\n_HOMES = homes_of(" in path.read_text(encoding="utf-8"):
            parts = path.relative_to(top.parent).with_suffix("").parts
            module = import_module(".".join(parts).removesuffix(".__init__"))
            modules = vars(module).get("_MODULES", ())
            names = [*module._HOMES, *modules]
            text = _OF_MODULE + _modules(modules) + _imports(module._HOMES)
            yield path.with_suffix(".pyi"), f"{text}\n{_listed(names)}"


def _modules(names: Iterable[str]) -> str:
    """A line for every module of a package that is public itself."""
    return "".join(f"from . import {name} as {name}\n" for name in names)


def _imports(modules: Mapping[str, str]) -> str:
    """A line for every module, with the names that it defines."""
    found: dict[str, list[str]] = {}
    for name, module in modules.items():
        found.setdefault(module, []).append(name)
    return "".join(
        _import(module, sorted(names, key=_place)) for module, names in sorted(found.items())
    )


def _place(name: str) -> tuple[bool, str]:
    """Where a name stands in a list: constants first, then classes, then functions."""
    return not name.isupper(), name


def _import(module: str, names: list[str]) -> str:
    line = f"from .{module} import {', '.join(names)}"
    if len(line) <= _WIDTH:
        return f"{line}\n"
    return f"from .{module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"


def _listed(names: list[str] | Mapping[str, str]) -> str:
    return (
        "__all__ = [\n" + "".join(f'    "{name}",\n' for name in sorted(names, key=_place)) + "]\n"
    )


if __name__ == "__main__":
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")
