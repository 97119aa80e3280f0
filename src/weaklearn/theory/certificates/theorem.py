"""Theorems, and the evidence that they look at: the history of a fit, its ensemble, its rows.

Those that speak of a fit are found among all functions of this package that are marked as one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base import Certificate, History, Sample
from ...base.history import Unrecorded
from ...base.types import Floats
from ..distinct import Distinct

NO_MEMBER = "no hypothesis was kept"
OTHER_ROWS = "these are not the rows of training"
PASS_ROWS = "pass the training rows, X and y"

Number = float | Callable[[], float]
Training = tuple[Floats, Floats]  # margins of the training rows, and their first distribution


@dataclass(frozen=True)
class Evidence:
    """The history of a fit, its ensemble, and the margins of the training rows where they were
    passed.

    ``perfect``: the one member is that of the last round, which made no error; ``weighted``: the
    first distribution was given by importances, which recorded training errors do not know;
    ``resumed``: the rounds were run in several fits; ``other_rows``: the rows passed are not
    those of training; ``labels``: the classes of the rows passed, -1 and +1 or their numbers;
    ``sample``: these rows themselves; ``distinct``: the different examples among them;
    ``left_out``: how many of those passed had weight 0;
    ``booster``: the name of the booster, in every binary problem of the ``reduction`` ("" where
    there was one problem); ``own``: it is not one of this library; ``n_classes``: how many classes
    the fit saw; ``settings``: the parameters of the fit and what it found, by their public names.
    """

    history: History
    ensemble: Any
    n_examples: int
    training: Training | None = None
    perfect: bool = False
    weighted: bool = False
    resumed: bool = False
    other_rows: bool = False
    labels: NDArray[Any] | None = None
    sample: Sample | None = None
    distinct: Distinct | None = None
    left_out: int = 0
    booster: str = ""
    reduction: str = ""
    own: bool = False
    n_classes: int = 2
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rows(self) -> Training:
        """The margins and the first distribution of the training rows, which were passed."""
        assert self.training is not None
        return self.training

    def metrics(self, name: str) -> Floats:
        """A recorded metric, one number for every member kept."""
        column = self.history[name]
        kept: Floats = column[-1:] if self.perfect else column[: len(self.ensemble)]
        return kept

    def last(self, name: str) -> float:
        """A recorded metric after the last member kept."""
        return float(self.metrics(name)[-1])

    @property
    def log_product(self) -> float:
        """The logarithm of the product of the normalisers Z_t of the members kept."""
        with np.errstate(divide="ignore"):
            return float(np.sum(np.log(self.metrics("Z"))))

    def product(self) -> float:
        """The product of the normalisers."""
        return float(np.exp(self.log_product))

    def why_not(self, rows_needed: bool = False) -> str | None:
        """The reason why no theorem about these rounds applies; None if there is none."""
        if len(self.ensemble) == 0:
            return NO_MEMBER
        if self.other_rows:
            return OTHER_ROWS
        if self.training is not None:
            return None
        if self.resumed:
            return f"the rounds were played in several fits: {PASS_ROWS}"
        if self.weighted:
            return f"weights were given: {PASS_ROWS}"
        return PASS_ROWS if rows_needed else None

    def error(self) -> float:
        """The weight of the training examples that the vote does not get right."""
        if self.training is not None:
            return self.share(0.0)
        return float(self.history["train_error"][-1 if self.perfect else len(self.ensemble) - 1])

    def share(self, theta: float) -> float:
        """The weight of the training examples with a margin of at most theta."""
        margins, D = self.rows
        return float(D @ (margins <= theta))

    def certify(
        self,
        id: str,
        statement: str,
        source: str,
        why: str | None,
        bound: Number,
        observed: Number | None = None,
        *,
        checked: tuple[str, ...] | None = None,
        assumed: tuple[str, ...] = (),
        unit: str = "share",
    ) -> Certificate:
        """The certificate of a theorem; ``why`` is the reason if it does not apply.

        Where it does, ``bound`` is compared with ``observed``, the training error unless given;
        either may be a function, which is called there alone.
        """
        if why is not None:
            return Certificate.not_applicable(id, statement, source, why)
        if checked is None:
            given = self.training is not None
            checked = (
                "the recorded rounds",
                *(["the rows are those of training"] if given else []),
            )
        limit, seen = _number(bound), _number(self.error if observed is None else observed)
        return Certificate(id, statement, source, checked, assumed, limit, seen, unit=unit)


def _number(given: Number) -> float:
    return given() if callable(given) else given


Prove = Callable[[Evidence], Sequence[Certificate]]

_BOOK = "Schapire and Freund, Boosting, chapter 3"
_NO_FIT = "the record holds numbers that no fit gives"
_THEOREMS: list[Theorem] = []  # in the order of their modules, and within these of their lines

ANY = "any"  # one problem, or those of any reduction
OWN = "own"  # a booster that is not one of this library


@dataclass(frozen=True)
class Theorem:
    """A function from evidence to certificates, and the problems that it speaks of.

    ``boosters``: the names of the boosters; none: of any of this library. ``reduction``: the
    booster of more than two classes that they serve, "OneVsRest" or "AllPairs"; "" where there
    is one problem.
    """

    prove: Prove
    boosters: tuple[str, ...]
    reduction: str

    def speaks_of(self, evidence: Evidence) -> bool:
        """Whether the problems are those of the theorem."""
        booster = OWN if evidence.own else evidence.booster
        known = booster in self.boosters or not (self.boosters or evidence.own)
        return known and self.reduction in (evidence.reduction, ANY)


def theorem(*boosters: str, reduction: str = "") -> Callable[[Prove], Prove]:
    """Marks a function as a theorem, so that ``certify`` applies it to the fits it speaks of.

    Where the rounds are not such as it needs, a certificate says so; where there is nothing to say
    at all, the function returns an empty list.
    """

    def mark(prove: Prove) -> Prove:
        _THEOREMS.append(Theorem(prove, boosters, reduction))
        return prove

    return mark


@cache
def theorems() -> tuple[Theorem, ...]:
    """Every theorem of the modules of this package, in their order."""
    assert __package__ is not None
    for module in iter_modules(import_module(__package__).__path__):
        import_module(f".{module.name}", __package__)
    return tuple(_THEOREMS)


def _proved(known: Theorem, evidence: Evidence) -> Sequence[Certificate]:
    """What a theorem says of a fit: nothing where the record lacks a metric that it is about.

    A record that was altered may hold numbers of which it can say nothing either.
    """
    try:
        return known.prove(evidence)
    except Unrecorded:
        return []
    except ArithmeticError:
        id, statement = known.prove.__name__.replace("_", "-"), "the record is that of a fit"
        return [Certificate.not_applicable(id, statement, "", _NO_FIT)]


def applied(evidence: Evidence) -> list[Certificate]:
    """What all theorems say of a fit; where none speaks of it, one line that says so."""
    spoken = [known for known in theorems() if known.speaks_of(evidence)]
    found = [certificate for known in spoken for certificate in _proved(known, evidence)]
    if found:
        return found
    why = "the theorem is about two classes; this model has more"
    if evidence.n_classes <= 2:
        why = f"the theorem is about AdaBoost; none here speaks of {evidence.booster}"
    statement = "training error <= product of Z"
    return [Certificate.not_applicable("ada-train", statement, _BOOK, why)]
