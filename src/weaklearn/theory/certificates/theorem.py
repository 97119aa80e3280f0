"""Which theorems speak of a fit: every function of this package that is marked as one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from ...base.booster import Unrecorded
from ...base.certificate import Certificate
from .evidence import Evidence

Prove = Callable[[Evidence], Sequence[Certificate]]

_BOOK = "Schapire and Freund, Boosting, chapter 3"
_NO_FIT = "the record holds numbers that no fit gives"
_THEOREMS: list[Theorem] = []  # in the order of their modules, and within these of their lines


ANY = "any"  # one game, or those of any reduction
OWN = "own"  # a booster that is not one of this library


@dataclass(frozen=True)
class Theorem:
    """A function from evidence to certificates, and the games that it speaks of.

    ``boosters``: the names of the boosters; none: of any of this library. ``reduction``: the
    booster of more than two classes in which they play, "OneVsRest" or "AllPairs"; "" where they
    play one game.
    """

    prove: Prove
    boosters: tuple[str, ...]
    reduction: str

    def speaks_of(self, evidence: Evidence) -> bool:
        """Whether the games are those of the theorem."""
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
