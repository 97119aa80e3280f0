"""What the terms of an additive model are called: after their columns."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.term import Term
from .intake import Schema
from .reading import feature_name

PAIR = " x "  # between the names of two columns


def term_name(schema: Schema, features: Sequence[int]) -> str:
    """The name of a column, or of two."""
    return PAIR.join(feature_name(schema, j) for j in features)


def term_names(schema: Schema, terms: Sequence[Term]) -> list[str]:
    """The names of all terms, each of them once."""
    names = [term_name(schema, term.features) for term in terms]
    alone = {name for name, term in zip(names, terms, strict=True) if len(term.axes) == 1}
    return [
        f"{name} (pair)" if len(term.axes) == 2 and name in alone else name
        for name, term in zip(names, terms, strict=True)
    ]
