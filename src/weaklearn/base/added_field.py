"""Fields that came later: at their defaults they leave files and fingerprints as they were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

ADDED = {"added": True}  # the ``metadata`` of such a field of a dataclass


def without_added_defaults(kind: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a dataclass by name, less those of added fields that are the defaults.

    >>> from dataclasses import dataclass, field
    >>> @dataclass
    ... class Rule:
    ...     rate: float = 1.0
    ...     ending: str = field(default="stop", metadata=ADDED)
    >>> without_added_defaults(Rule, {"rate": 1.0, "ending": "stop"})
    {'rate': 1.0}
    """
    added = {each.name: each.default for each in fields(kind) if each.metadata.get("added")}
    return {
        name: value
        for name, value in values.items()
        if not (name in added and type(value) is type(added[name]) and value == added[name])
    }
