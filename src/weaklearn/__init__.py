"""weaklearn: strong classifiers from weak rules.

Names are loaded when they are first used, so that importing the package stays light. Which there
are says the registry; ``__init__.pyi``, made from it by ``make stub``, says it to editors.
"""

from __future__ import annotations

from typing import Any

from . import registry
from .lazy_names import lazy_names
from .text import registry as _text
from .vision import registry as _vision

__version__ = "0.1.0"

registry.register(_text.ROWS, _text.RECORDS)
registry.register(_vision.ROWS, _vision.RECORDS)


_find = lazy_names(__name__, registry.homes, registry.PACKAGES)


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    try:
        return _find(name)
    except ModuleNotFoundError as error:
        needed = str(error.name).partition(".")[0]
        if needed not in ("sklearn", "scipy", "narwhals"):
            raise
        raise ImportError(
            f"weaklearn.{name} needs {needed}: weaklearn-runtime comes with numpy alone, and has "
            "weaklearn.runtime; to fit models, pip install weaklearn in its place"
        ) from error


def __dir__() -> list[str]:
    return sorted([*registry.homes(), "__version__"])
