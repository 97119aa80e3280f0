"""``python -m tests.typed.write`` writes the program anew, where estimators came or went."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path

import weaklearn

CLIENT = Path(__file__).parent / "client.py"
_HEAD = '''"""Every public estimator in use, for type checkers; written by ``write.py``."""

from __future__ import annotations

from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import weaklearn as wl

Rows = NDArray[np.float64]
'''


def estimators() -> Iterator[type]:
    """The public classes that are fitted, in the order of their names."""
    for name in sorted(weaklearn.__all__):
        found = getattr(weaklearn, name)
        if inspect.isclass(found) and hasattr(found, "fit"):
            yield found


def client() -> str:
    """The text of the program."""
    return _HEAD + "".join(f"\n\n{_function(made)}\n" for made in estimators())


def _function(made: type) -> str:
    name = f"wl.{made.__name__}"
    needed = [
        parameter.name
        for parameter in inspect.signature(made).parameters.values()
        if parameter.default is parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
    given = ", ".join([f"{parameter}: Any" for parameter in needed] + ["X: Rows", "y: Any"])
    lines = [
        f"def fit_{made.__name__}({given}) -> None:",
        f"    model = {name}({', '.join(needed)})",
        f"    assert_type(model, {name})",
        f"    assert_type(model.fit(X, y), {name})",
    ]
    lines += [
        f"    model.{method}(X)" for method in ("predict", "transform") if hasattr(made, method)
    ]
    return "\n".join(lines)


def main() -> None:
    CLIENT.write_text(client())


if __name__ == "__main__":
    main()
