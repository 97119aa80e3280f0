"""A prior given by the user, and votes that start from its log-odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..hypothesis import Form, Hypothesis
from ..numeric.exponential import logarithms
from ..types import Floats
from .weighted_sum import WeightedSum

if TYPE_CHECKING:
    from ..rows import Rows


_LEAST = 1e-6  # no prior is surer than this


@dataclass(frozen=True)
class Prior(Hypothesis):
    """The log-odds ln(pi / (1 - pi)) of class ``k`` among ``classes``, by a prior pi.

    ``source`` is a function from X to probabilities, (n,) for the second of two classes or
    (n, K), or a fitted classifier with ``predict_proba``. Probabilities are held within 1e-6 of 0
    and 1.
    """

    source: Any
    classes: Sequence[Any]
    k: int = 1

    form = Form.NUMBERS

    def of_class(self, k: int) -> Prior:
        """The same prior for class k."""
        return replace(self, k=k)

    def __call__(self, rows: Rows) -> Floats:
        pi = np.clip(self.probabilities(rows)[:, self.k], _LEAST, 1 - _LEAST)
        return logarithms(pi) - logarithms(1 - pi)

    def probabilities(self, rows: Rows) -> Floats:
        """pi of every class, in the order of ``classes``."""
        if len(rows) == 0:
            return np.zeros((0, len(self.classes)))
        X = np.asarray(rows.raw) if isinstance(rows.raw, (list, tuple)) else rows.raw
        found = self._numbers(self._answered(X))
        if hasattr(self.source, "predict_proba"):
            found = self._sorted(found)
        if found.shape == (len(rows),) and len(self.classes) == 2:
            found = np.column_stack([1 - found, found])
        if found.shape != (len(rows), len(self.classes)):
            two = f"({len(rows)},) or " if len(self.classes) == 2 else ""
            raise ValueError(
                f"prior gave an array of shape {found.shape} for {len(rows)} rows; it must give "
                f"one of shape {two}({len(rows)}, {len(self.classes)}), a probability for each of "
                f"the classes {list(self.classes)[:10]}."
            )
        return found

    def certain(self, rows: Rows) -> int:
        """The number of rows with a probability of 0 or 1, whose log-odds are clipped."""
        pi = self.probabilities(rows)
        return int(((pi <= 0) | (pi >= 1)).any(axis=1).sum())

    def _answered(self, X: Any) -> Any:
        """The source's probabilities for X; its exceptions, but for a lack of memory, become a
        ValueError that names the prior.
        """
        if hasattr(self.source, "predict_proba"):
            return self.source.predict_proba(X)
        try:
            return self.source(X)
        except MemoryError:
            raise
        except Exception as error:
            raise ValueError(
                f"prior, a function, failed on X, a {type(X).__name__} of shape {np.shape(X)}: "
                f"{type(error).__name__}: {error}. It must take X as it is passed to fit and "
                "predict, and give probabilities."
            ) from error

    def _sorted(self, found: Floats) -> Floats:
        """The columns of a classifier in the order of our classes; 0 for unknown classes."""
        theirs = np.asarray(getattr(self.source, "classes_", ())).tolist()
        place = {label: j for j, label in enumerate(theirs)}
        if found.ndim != 2 or found.shape[1] != len(theirs) or not place.keys() & set(self.classes):
            raise ValueError(
                f"prior is a {type(self.source).__name__} of the classes {theirs[:10]}, and the "
                f"classes here are {list(self.classes)[:10]}; it must have been fitted on the "
                "same labels."
            )
        columns = [
            found[:, place[label]] if label in place else np.zeros(len(found))
            for label in self.classes
        ]
        return np.column_stack(columns)

    @staticmethod
    def _numbers(found: Any) -> Floats:
        try:
            pi = np.asarray(found, np.float64)
        except (TypeError, ValueError):
            raise TypeError(f"prior gave {type(found).__name__}, no array of numbers.") from None
        strange = ~((pi >= 0) & (pi <= 1))
        if strange.any():
            place = tuple(int(i) for i in np.argwhere(strange)[0])
            raise ValueError(
                f"prior gave {pi[place]} in row {place[0]}; a probability must be between 0 and 1."
            )
        return pi


class Foreknown(WeightedSum):
    """F = the log-odds of a prior + the sum of vote times answer.

    ``reach`` is the largest size of these log-odds in training.
    """

    _made_of = ("prior", "reach")

    def __init__(self, prior: Prior, reach: float = 0.0) -> None:
        super().__init__()
        self.prior = prior
        self.reach = reach

    def blank(self, rows: Rows) -> Floats:
        odds: Floats = self.prior(rows)
        return odds

    def _pack(self, rows: Rows) -> Any:
        return None  # what a scorer begins with is one number

    @property
    def margin_weight(self) -> float:
        return self.reach + super().margin_weight
