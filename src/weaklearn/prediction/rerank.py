"""The best candidate of each list: a base score, corrected by the weights of its features."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from ..base.types import Floats
from ..intake.parameters import as_float


@dataclass(frozen=True)
class Candidate:
    """A candidate of a list: its base score, its features, and what it costs to put it first."""

    loglik: float
    features: frozenset[Hashable]
    importance: float


def decision_function(self: Any, groups: Any) -> list[Floats]:
    """The score of every candidate, list by list."""
    lists = self._lists(groups)
    return [np.array([_score(self, candidate) for candidate in each]) for each in lists]


def lists_to_score(self: Any, groups: Any) -> list[list[Candidate]]:
    """The lists of candidates to score, of which there may be none."""
    return read_lists(groups, some=False)


def _score(model: Any, candidate: Candidate) -> float:
    known = sorted(model.weights_.get(f, 0.0) for f in candidate.features)  # in any order alike
    return float(model.w0_ * candidate.loglik + sum(known))


def predict(self: Any, groups: Any) -> NDArray[np.int64]:
    """The number of the best candidate of each list; of equal scores the first."""
    return np.array([int(np.argmax(F)) for F in self.decision_function(groups)], np.int64)


def read_lists(groups: Any, some: bool = True) -> list[list[Candidate]]:
    """Lists of candidates as they are passed, checked; ``some`` refuses that there are none."""
    if isinstance(groups, (str, bytes, Mapping)) or not isinstance(groups, Iterable):
        raise TypeError(f"groups is {type(groups).__name__}; pass a list of lists of candidates.")
    lists = [
        [_candidate(c, f"groups[{i}][{j}]") for j, c in enumerate(_listed(each, i))]
        for i, each in enumerate(groups)
    ]
    if some and not lists:
        raise ValueError("groups is empty; pass a list of lists of candidates.")
    for i, each in enumerate(lists):
        if not each:
            raise ValueError(f"groups[{i}] is an empty list; every list needs a candidate.")
    return lists


def _listed(each: Any, i: int) -> Any:
    if isinstance(each, (str, bytes, Mapping)) or not isinstance(each, Iterable):
        raise TypeError(f"groups[{i}] is {type(each).__name__}; pass a list of candidates.")
    return each


_KEYS = ("loglik", "features", "importance")


def _candidate(given: Any, where: str) -> Candidate:
    if isinstance(given, Mapping):
        for key in given:
            if key not in _KEYS:
                hint = nearest(str(key), list(_KEYS))
                raise ValueError(
                    f"{where} holds {show(key)}; allowed are {', '.join(_KEYS)}.{hint}"
                )
        parts = [given.get("loglik", 0.0), given.get("features", ()), given.get("importance", 1.0)]
    elif (
        isinstance(given, Sequence) and not isinstance(given, (str, bytes)) and len(given) in (2, 3)
    ):
        parts = [*given, 1.0][:3]
    else:
        raise TypeError(f"{where} is {show(given)}; pass a dict of {', '.join(_KEYS)}.")
    loglik, features, importance = parts
    if isinstance(features, (str, bytes)) or not isinstance(features, Iterable):
        raise TypeError(f"{where}: features is {show(features)}; pass a list of features.")
    loglik, importance = as_float(loglik), as_float(importance)
    if not abs(loglik) <= 1e300:
        raise ValueError(f"{where}: loglik is {loglik}; it must be a finite number.")
    if not 0 <= importance <= 1e300:
        raise ValueError(f"{where}: importance is {importance}; it must be a finite number >= 0.")
    try:
        return Candidate(loglik, frozenset(features), importance)
    except TypeError:
        raise TypeError(f"{where}: a feature cannot be hashed; use texts or numbers.") from None
