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

    kept = _read(provenance_of(model).reading or "{}")
    return {
        **reading,
        "missing": reading.get("missing") or tuple(kept.get("missing", ())),
        "dates": reading.get("dates") or kept.get("dates"),
    }


def _read(text: str) -> dict[str, Any]:
    """The options that a model keeps, checked: its file may come from anywhere."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        kept = None
    marks, dates = (kept.get("missing", []), kept.get("dates")) if type(kept) is dict else (0, 0)
    listed = type(marks) is list and all(type(mark) is str for mark in marks)
    if not listed or dates not in (None, "dmy", "mdy"):
        raise ValueError("the model file says in a way that is unknown here how to read tables.")
    return dict(kept)
