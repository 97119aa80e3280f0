"""Hand-written rules as a prior over labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.messages.value_text import show
from ..base.numeric.exponential import exponentials
from ..base.types import Floats
from ..files.check import integer
from ..files.record import plain
from ..intake import parameters
from .terms import Terms

_MOST = 50.0  # e^50 is as good as certain


@dataclass(frozen=True)
class HandwrittenPrior:
    """The probabilities of K labels by hand-written rules, whose sums are the last K columns.

    A label with the sum s is e^s times as likely as one that no rule speaks of:
    pi(l) = e^s(l) / sum e^s. Where no rule speaks, all labels are equally likely.
    """

    n_labels: int

    def __call__(self, X: Any) -> Floats:
        sums = X[:, X.shape[1] - self.n_labels :]
        s = np.asarray(sums.toarray() if hasattr(sums, "toarray") else sums, np.float64)
        s = exponentials(s - s.max(axis=1, keepdims=True, initial=0.0))
        return np.asarray(s / s.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class Handwritten:
    """Rules: strengths of labels by term, and functions from a text to strengths of labels."""

    terms: Mapping[str, Mapping[Any, float]]
    functions: tuple[Callable[[str], Any], ...]

    @classmethod
    def read(cls, given: Any) -> Handwritten:
        """The rules of a dict, a function, or a list of both."""
        parts = given if isinstance(given, (list, tuple)) else [given]
        terms: dict[str, dict[Any, float]] = {}
        functions = []
        for part in parts:
            if isinstance(part, Mapping):
                for term, strengths in part.items():
                    if not isinstance(term, str):
                        raise TypeError(f"prior_rules holds {show(term)}; a term must be a text.")
                    found = terms.setdefault(term, {})
                    for label, s in _strengths(strengths, f"prior_rules[{show(term)}]").items():
                        found[label] = found.get(label, 0.0) + s
            elif callable(part) and not isinstance(part, type):
                functions.append(part)
            else:
                raise TypeError(
                    f"prior_rules holds {show(part)}; pass a dict from term to label to strength, "
                    "a function from a text to such a dict of labels, or a list of both."
                )
        return cls(terms, tuple(functions))

    def labels(self) -> set[Any]:
        """The labels that the rules on terms name."""
        return {label for strengths in self.terms.values() for label in strengths}

    def sums(self, texts: Iterable[Any], terms: Terms, labels: list[Any]) -> Floats:
        """The sum of the strengths of the rules that fire, per text and label."""
        place = {label: k for k, label in enumerate(labels)}
        # A term is written as people write it, and looked for as a text would hold it.
        spelt = [(terms.tokens(term), strengths) for term, strengths in self.terms.items()]
        rows = []
        for i, text in enumerate(texts):
            row = np.zeros(len(labels))
            document = terms.reader.one(text, f"X[{i}]")
            tokens = terms.tokens(document)
            for wanted, strengths in spelt:
                if _holds(tokens, wanted):
                    _add(row, strengths, place, "prior_rules")
            for function in self.functions:
                found = function(document if isinstance(document, str) else " ".join(document))
                name = getattr(function, "__name__", "a function")
                where = f"prior_rules: {name}(X[{i}])"
                _add(row, {} if found is None else _strengths(found, where), place, where)
            rows.append(np.clip(row, -_MOST, _MOST))
        return np.array(rows).reshape(len(rows), len(labels))


def _holds(tokens: list[str], wanted: list[str]) -> bool:
    """Whether the tokens contain the wanted ones, next to each other."""
    n = len(wanted)
    if n == 1:
        return wanted[0] in tokens
    return n > 0 and any(tokens[k : k + n] == wanted for k in range(len(tokens) - n + 1))


def _strengths(given: Any, where: str) -> dict[Any, float]:
    if not isinstance(given, Mapping):
        raise TypeError(f"{where} is {show(given)}; pass a dict from label to strength.")
    found = {}
    for label, strength in given.items():
        found[label] = parameters.real(
            f"{where}[{show(label)}]", strength, None, _MOST, least=-_MOST
        )
    return found


def _add(row: Floats, strengths: Mapping[Any, float], place: dict[Any, int], where: str) -> None:
    for label, strength in strengths.items():
        if label not in place:
            raise ValueError(
                f"{where} speaks of the label {show(label)}, which is not in y; known are "
                f"{', '.join(map(show, list(place)[:10]))}."
            )
        row[place[label]] += strength


HANDWRITTEN = plain(96, HandwrittenPrior, {"n_labels": integer(1, 2**20)})
