"""Where the model comes from: versions, rows, fingerprint, parameters."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ...base.messages.table import printable
from ...files import ModelFileError
from ...page.element import Node, tag
from ...production.provenance import current_versions, provenance_of
from .section import Absent, ReportContext, Section, facts, note

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def provenance(context: ReportContext, absent: list[Absent]) -> Section:
    """The facts that identify the model, its parameters, and what the report left out."""
    model, origin = context.model, provenance_of(context.model)
    rows: list[tuple[str, Node]] = [
        ("estimator", f"{type(model).__module__.split('.')[0]} {type(model).__name__}"),
        ("fingerprint", tag("code", _fingerprint(model))),
        ("fitted", origin.fitted),
        ("examples in training", None if origin.n_examples is None else f"{origin.n_examples:,}"),
        ("hash of the training rows", None if origin.rows is None else tag("code", origin.rows)),
        ("fitted by", _versions(origin)),
        ("report by", _versions(current_versions())),
    ]
    body: list[Node] = [facts([row for row in rows if row[1] is not None])]
    if absent:
        names = "; ".join(f"{part.title} ({part.why})" for part in absent)
        body.append(note(f"Left out, since they do not apply: {names}."))
    body += [tag("h3", "Parameters"), facts(_parameters(model))]
    return Section("provenance", "Provenance", body, "What it takes to find this model again.")


def _versions(origin: Any) -> str:
    return (
        f"weaklearn {origin.weaklearn}, numpy {origin.numpy}, scikit-learn {origin.scikit_learn}, "
        f"Python {origin.python}"
    )


def _fingerprint(model: Any) -> str:
    try:
        return str(model.fingerprint())
    except (AttributeError, ModelFileError, TypeError, ValueError):
        return "none: parts of the model are from outside the library"


def _parameters(model: Any) -> list[tuple[str, Node]]:
    given = model.get_params(deep=False) if hasattr(model, "get_params") else {}
    return [(printable(name), tag("code", _shown(value))) for name, value in sorted(given.items())]


def _shown(value: Any) -> str:
    """A parameter in one line, the same at every run; arrays by their shape alone."""
    if hasattr(value, "shape") and not np.isscalar(value):
        return f"an array of shape {tuple(value.shape)}"
    if isinstance(value, (list, tuple, dict, set)) and len(value) > 12:
        return f"a {type(value).__name__} of {len(value)}"
    try:
        text = repr(value.item() if isinstance(value, np.generic) else value)
    except Exception:  # an object that cannot show itself
        text = f"<{type(value).__name__}>"
    return printable(_ADDRESS.sub("", " ".join(text.split())))
