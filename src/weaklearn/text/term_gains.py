"""The contribution of each term to the score of a document, for rules on one term each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..base.types import Floats


@dataclass(frozen=True, eq=False)
class TermGains:
    """A score taken apart: that of a document without terms, and what each term adds.

    Rules of one term each add up: with c1 and c0 what the rules of a term say where it is present
    and absent, a score is the sum of all c0, and c1 - c0 of every term that is there. ``base`` has
    an entry a label, ``gains`` a row a term.
    """

    base: Floats
    gains: Floats

    @classmethod
    def of(cls, model: Any, n_terms: int) -> TermGains:
        """The gains of a fitted model, from documents with no term and with one."""
        one_each = sp.identity(n_terms, np.float32, "csr")
        none = one_each[:1] * 0
        base = _table(model.decision_function(none))[0]
        return cls(base, _table(model.decision_function(one_each)) - base)

    def used(self) -> NDArray[np.intp]:
        """The terms with a contribution other than 0."""
        return np.flatnonzero((self.gains != 0).any(axis=1))

    def strongest(self, n: int | None = None) -> NDArray[np.intp]:
        """The terms sorted by their largest contribution to any label; ties by column."""
        size = np.abs(self.gains).max(axis=1)
        used = self.used()
        order = used[np.argsort(-size[used], kind="stable")]
        return order if n is None else order[:n]


def _table(scores: Any) -> Floats:
    """Scores with one column per label; a single column for two labels."""
    found = np.asarray(scores, np.float64)
    return found[:, None] if found.ndim == 1 else found
