"""Which of many like cases stands for the others in ``make test``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def first_of_each(
    cases: Iterable[Any], family: Callable[[Any], Any], name: Callable[[Any], str]
) -> list[Any]:
    """The cases as parameters: of each family the first runs always, the others are long."""
    seen: set[Any] = set()
    found = []
    for case in cases:
        marks = pytest.mark.long if family(case) in seen else ()
        seen.add(family(case))
        found.append(pytest.param(case, id=name(case), marks=marks))
    return found
