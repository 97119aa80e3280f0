"""Names that are imported when first asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def lazy_names(
    package: str,
    homes: Mapping[str, str] | Callable[[], Mapping[str, str]],
    modules: Collection[str] = (),
) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package whose names are defined in these modules of it.

    Or that of a module, for names defined in others of its package. ``homes`` gives the module of
    each name, or is a function that does; ``modules`` are names of modules themselves. ``dir`` of
    the package lists its ``__all__``, which is all of these names where it defines none. In a
    package no name may be that of a module: whoever imports the module would put it in the name's
    place.
    """

    def find(name: str) -> Any:
        if name == "__all__":
            return listed()
        known = homes() if callable(homes) else homes
        above = sys.modules[package].__package__
        if name in known:
            value = getattr(import_module(f".{known[name]}", above), name)
        elif name in modules:
            value = import_module(f".{name}", above)
        else:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        setattr(import_module(package), name, value)
        return value

    def listed() -> list[str]:
        names = vars(sys.modules[package]).get("__all__")
        return sorted(names or {*(homes() if callable(homes) else homes), *modules})

    sys.modules[package].__dir__ = listed  # type: ignore[method-assign]
    return find


def homes_of(names: Mapping[str, str]) -> dict[str, str]:
    """The module of every name, by the names that each module defines.

    A package keeps it as ``_HOMES``: of that ``make stub`` makes what type checkers read.

    >>> homes_of({"haar": "haar_count haar_values", "window": "WindowClassifier"})
    {'haar_count': 'haar', 'haar_values': 'haar', 'WindowClassifier': 'window'}
    """
    return {name: module for module, listed in names.items() for name in listed.split()}
