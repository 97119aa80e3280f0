"""One place decides which engine does the work."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

import weaklearn
from weaklearn.engines import Engine, available_threads, choose, on_threads

SOURCES = Path(weaklearn.__file__).parent


def test_choose_resolves_n_jobs() -> None:
    assert choose(1) == Engine(1) == on_threads()
    assert choose(-1) == on_threads(available_threads())
    with pytest.raises(ValueError, match="n_jobs=0 is not allowed"):
        choose(0)


def test_engines_are_made_in_one_place() -> None:
    makers = set()
    texts = {path: path.read_text() for path in SOURCES.rglob("*.py")}
    for path, text in ((path, text) for path, text in texts.items() if "Engine" in text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "Engine":
                makers.add(path.relative_to(SOURCES).as_posix())
    assert makers == {"engines/engine.py"}


def test_faces_are_short() -> None:
    """A face serves one noun, in at most 150 lines."""
    lengths = {p.name: len(p.read_text().splitlines()) for p in SOURCES.glob("engines/*.py")}
    assert {name: n for name, n in lengths.items() if n > 150} == {}


def test_a_face_may_be_replaced() -> None:
    class Doubling(Engine):
        @property
        def weights(self):  # type: ignore[no-untyped-def,override]
            class Twice(type(Engine().weights)):  # type: ignore[misc]
                def total(self, *of: object) -> float:
                    return 2 * super().total(*of)

            return Twice(self.threads)

    x = np.array([1.0, 2.0])
    assert (Engine().weights.total(x), Doubling().weights.total(x)) == (3.0, 6.0)
