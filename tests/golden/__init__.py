"""Golden cases: inputs with the numbers every implementation must reproduce.

Each ``*.json`` file is one family: ``{"format", "family", "catalogue_ids", "conventions",
"tolerance": {"rel", "abs"}, "cases": [{"name", "input", "expected"}]}``. Numbers agree when
``|a - b| <= abs + rel * |b|``; keys that end in ``_exact`` are fractions written as strings.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

Case = dict[str, Any]


@cache
def _family(name: str) -> dict[str, Any]:
    text = (Path(__file__).parent / f"{name}.json").read_text(encoding="utf-8")
    family: dict[str, Any] = json.loads(text)
    return family


def load(family: str) -> list[Case]:
    """The cases of a family, in the file's order (shared between callers: read, do not change)."""
    cases: list[Case] = _family(family)["cases"]
    return cases


def case(family: str, name: str) -> Case:
    """One case by its name."""
    return next(found for found in load(family) if found["name"] == name)


def names(family: str) -> list[str]:
    """The names of a family's cases, for use as test ids."""
    return [found["name"] for found in load(family)]


def tolerance(family: str) -> dict[str, float]:
    """The family's tolerance as keywords of ``pytest.approx``."""
    allowed: dict[str, float] = _family(family)["tolerance"]
    return allowed
