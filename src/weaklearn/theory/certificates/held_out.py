"""Certificates about the true error from test rows."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.certificate import Certificate
from .. import bounds

_HOEFFDING = "Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1"
_EXACT = "Clopper and Pearson (1934)"
_DRAWN = "the test rows were drawn independently, and nothing was chosen by them"
_NEW = "the {} of them that cannot be looked up were not trained on"


@dataclass(frozen=True)
class Held:
    """Counts of test rows and errors, of all rows and of those not seen in training.

    ``why_not`` says why statements about all rows do not apply, ``checked`` what was looked up, and
    ``undecided`` counts rows that could not be: these are not among the new ones where some row was
    seen, and else must be taken for new.
    """

    n: int
    errors: int
    new: int
    new_errors: int
    checked: str = ""
    why_not: str | None = None
    undecided: int = 0

    @property
    def assumed(self) -> tuple[str, ...]:
        """What statements about all rows take for granted."""
        return (_DRAWN, _NEW.format(self.undecided)) if self.undecided else (_DRAWN,)


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
        return [*found, _new(held, delta / 4)] if held.new > 0 else found
    checked = (held.checked,) if held.checked else ()
    share, error = delta / 4, held.errors / held.n
    by_hoeffding = Certificate(
        "test-set",
        hoeffding,
        _HOEFFDING,
        checked,
        held.assumed,
        float(bounds.single_upper(error, held.n, share)),
        note=f"test error {error:.4g} on {held.n} rows",
        about="truth",
        delta=share,
    )
    counts = held.errors, held.n, delta / 2
    return [_interval("test-exact", exact, *counts, checked, held.assumed), by_hoeffding]


def _new(held: Held, share: float) -> Certificate:
    words = "error on rows unlike those of training in the exact interval of a binomial"
    checked = f"{held.n - held.new - held.undecided} rows seen in training were left out"
    if held.undecided:
        checked += f", and {held.undecided} that cannot be looked up"
    return _interval("test-new", words, held.new_errors, held.new, share, (checked,), (_DRAWN,))


def _interval(
    id: str,
    words: str,
    k: int,
    n: int,
    share: float,
    checked: tuple[str, ...],
    assumed: tuple[str, ...],
) -> Certificate:
    lower = float(bounds.binomial_lower(k, n, share / 2)) if k > 0 else 0.0
    upper = float(bounds.binomial_upper(k, n, share / 2)) if k < n else 1.0
    note = f"{k} errors on {n} rows, at least {lower:.4g}"
    return Certificate(
        id, words, _EXACT, checked, assumed, upper,
        note=note, about="truth", delta=share, lower=lower,
    )  # fmt: skip
