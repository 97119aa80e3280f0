"""Certificates about the true error from test rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...base.certificate import Certificate
from .. import bounds
from ..distinct import Distinct

_HOEFFDING = "Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1"
_EXACT = "Clopper and Pearson (1934)"
_DRAWN = "the test rows were drawn independently, and nothing was chosen by them"
_NEW = "the {} of them that cannot be looked up were not trained on"


@dataclass(frozen=True)
class Tally:
    """How many examples count, and how many of them are errors: at least and at most.

    The two differ where rows are equal: errors are then a larger share of all rows than of the
    different ones, or a smaller one.
    """

    n: int
    errors: int
    least: int
    words: str  # of how many rows
    assumed: tuple[str, ...] = ()

    @classmethod
    def of(cls, examples: Distinct, wrong: NDArray[np.bool_]) -> Tally:
        """The errors of a mask of wrong rows."""
        least, most = examples.count(wrong)
        return cls(examples.m, most, least, examples.words, examples.assumed)

    @classmethod
    def plain(cls, n: int, errors: int) -> Tally:
        """Rows of which no two are equal."""
        return cls(n, errors, errors, str(n))


@dataclass(frozen=True)
class Held:
    """Errors among test rows: among all, and among those not seen in training.

    ``why_not`` says why statements about all rows do not apply, ``checked`` what was looked up,
    ``seen`` counts the rows found in training, and ``undecided`` those that could not be looked up:
    these are not among the new ones where some row was seen, and else must be taken for new.
    """

    all: Tally
    new: Tally | None = None
    checked: str = ""
    why_not: str | None = None
    seen: int = 0
    undecided: int = 0

    @property
    def assumed(self) -> tuple[str, ...]:
        """What statements about all rows take for granted."""
        unknown = (_NEW.format(self.undecided),) if self.undecided else ()
        return (_DRAWN, *unknown, *self.all.assumed)


def held_out(held: Held, delta: float) -> list[Certificate]:
    """Hoeffding's bound and the exact interval; the interval of unseen rows alone where some were
    seen.

    Of delta the exact interval has one half, the others a quarter each. Given which of the test
    rows were seen, the others are drawn independently from all rows unlike those of training: the
    interval for them is about such rows.
    """
    exact = "true error in the exact interval of a binomial, from the test rows"
    hoeffding = "true error <= test error + sqrt(ln(1/delta) / (2n))"
    if held.why_not is not None:
        named = (("test-exact", exact, _EXACT), ("test-set", hoeffding, _HOEFFDING))
        found = [Certificate.not_applicable(*words, held.why_not, "truth") for words in named]
        return [*found, *_new(held, delta / 4)]
    checked = (held.checked,) if held.checked else ()
    share, tally = delta / 4, held.all
    error = tally.errors / tally.n
    by_hoeffding = Certificate(
        "test-set",
        hoeffding,
        _HOEFFDING,
        checked,
        held.assumed,
        float(bounds.single_upper(error, tally.n, share)),
        note=f"test error {error:.4g} on {tally.words} rows",
        about="truth",
        delta=share,
    )
    by_binomial = _interval("test-exact", exact, tally, delta / 2, checked, held.assumed)
    return [by_binomial, by_hoeffding]


def _new(held: Held, share: float) -> list[Certificate]:
    if held.new is None or held.new.n == 0:
        return []
    words = "error on rows unlike those of training in the exact interval of a binomial"
    checked = f"{held.seen} rows seen in training were left out"
    if held.undecided:
        checked += f", and {held.undecided} that cannot be looked up"
    assumed = (_DRAWN, *held.new.assumed)
    return [_interval("test-new", words, held.new, share, (checked,), assumed)]


def _interval(
    id: str,
    words: str,
    tally: Tally,
    share: float,
    checked: tuple[str, ...],
    assumed: tuple[str, ...],
) -> Certificate:
    n, k, least = tally.n, tally.errors, tally.least
    lower = float(bounds.binomial_lower(least, n, share / 2)) if least > 0 else 0.0
    upper = float(bounds.binomial_upper(k, n, share / 2)) if k < n else 1.0
    note = f"{k} errors on {tally.words} rows, at least {lower:.4g}"
    return Certificate(
        id, words, _EXACT, checked, assumed, upper,
        note=note, about="truth", delta=share, lower=lower,
    )  # fmt: skip
