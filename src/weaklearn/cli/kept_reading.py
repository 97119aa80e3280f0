"""How a table is read: the options that a model keeps from its fit for the commands after it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_KEPT = ("missing", "dates")


def kept_text(reading: Mapping[str, Any]) -> str | None:
    """The options that a model keeps, as JSON; None where none was given.

    >>> kept_text({"missing": ("??",), "dates": None, "decimal": ","})
    '{"missing": ["??"]}'
    """
    given = {name: reading[name] for name in _KEPT if reading.get(name)}
    return json.dumps(given) if given else None


def with_kept(model: Any, reading: Mapping[str, Any]) -> dict[str, Any]:
    """The options, and where they were left out those that the model was fitted with."""
    from ..production.provenance import provenance_of

    kept = json.loads(provenance_of(model).reading or "{}")
    marks, dates = kept.get("missing", []), kept.get("dates")
    if not all(isinstance(mark, str) for mark in marks) or dates not in (None, "dmy", "mdy"):
        raise ValueError("the model file says in a way that is unknown here how to read tables.")
    return {
        **reading,
        "missing": reading.get("missing") or tuple(marks),
        "dates": reading.get("dates") or dates,
    }
