"""Explanations of scores that are sums of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.types import Floats
from .explanation import Explanation, cells_of

if TYPE_CHECKING:
    from ..base.sample import Rows


@dataclass(frozen=True, eq=False)
class Summand:
    """What one rule adds to the scores of rows: its name, its columns, and numbers (n,)."""

    name: str
    features: tuple[int, ...]
    adds: Floats


@dataclass(frozen=True, eq=False)
class Sum:
    """One score: its name, its base, and its summands."""

    label: Any
    base: float
    summands: Sequence[Summand]


def explained(rows: Rows, sums: Sequence[Sum]) -> Explanation:
    """The explanation of scores given as sums; with several scores, rules carry their name."""
    several = len(sums) > 1
    terms = [(k, term) for k, part in enumerate(sums) for term in part.summands]
    parts = np.zeros((len(rows), len(terms), len(sums)))
    for at, (k, term) in enumerate(terms):
        parts[:, at, k] = term.adds
    features = tuple(term.features for _, term in terms)
    titles = [f"{sums[k].label}: " if several else "" for k, _ in terms]
    return Explanation(
        base=np.array([part.base for part in sums]) if several else float(sums[0].base),
        contributions=parts if several else parts[:, :, 0],
        names=tuple(title + term.name for title, (_, term) in zip(titles, terms, strict=True)),
        features=features,
        outputs=tuple(str(part.label) for part in sums) if several else (),
        scale="score" if several else f"score of {sums[0].label}",
        cells=cells_of(rows, features),
    )
