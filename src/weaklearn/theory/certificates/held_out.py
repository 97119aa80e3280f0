"""Certificates about the true error from test rows."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.certificate import Certificate
from .. import bounds

_HOEFFDING = "Hoeffding (1963); Schapire and Freund, Boosting, section 2.2.1"
_EXACT = "Clopper and Pearson (1934)"
_DRAWN = "the test rows were drawn independently, and nothing was chosen by them"
_NEW = "the {} of them that cannot be looked up were not trained on"

# Of the delta for test rows: the exact interval has one half, the others a quarter each.
_SHARES = {"test-exact": 0.5, "test-set": 0.25, "test-new": 0.25}


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

    Given which of the test rows were seen, the others are drawn independently from all rows unlike
    those of training: the interval for them is about such rows.
    """
    found = [_exact(held, delta), _hoeffding(held, delta)]
    if held.why_not is not None and held.new > 0:
        found.append(_new(held, delta))
    return found


def _exact(held: Held, delta: float) -> Certificate:
    id, share = "test-exact", _SHARES["test-exact"] * delta
    words = "true error in the exact interval of a binomial, from the test rows"
    if held.why_not is not None:
        return Certificate.not_applicable(id, words, _EXACT, held.why_not, "truth")
    return _interval(id, words, held.errors, held.n, share, held.checked, held.assumed)


def _new(held: Held, delta: float) -> Certificate:
    words = "error on rows unlike those of training in the exact interval of a binomial"
    share = _SHARES["test-new"] * delta
    checked = f"{held.n - held.new - held.undecided} rows seen in training were left out"
    if held.undecided:
        checked += f", and {held.undecided} that cannot be looked up"
    return _interval("test-new", words, held.new_errors, held.new, share, checked, (_DRAWN,))


def _interval(
    id: str, words: str, k: int, n: int, share: float, checked: str, assumed: tuple[str, ...]
) -> Certificate:
    lower = float(bounds.binomial_lower(k, n, share / 2)) if k > 0 else 0.0
    upper = float(bounds.binomial_upper(k, n, share / 2)) if k < n else 1.0
    return Certificate(
        id,
        words,
        _EXACT,
        (checked,) if checked else (),
        assumed,
        upper,
        note=f"{k} errors on {n} rows, at least {lower:.4g}",
        about="truth",
        delta=share,
        lower=lower,
    )


def _hoeffding(held: Held, delta: float) -> Certificate:
    id, share = "test-set", _SHARES["test-set"] * delta
    words = "true error <= test error + sqrt(ln(1/delta) / (2n))"
    if held.why_not is not None:
        return Certificate.not_applicable(id, words, _HOEFFDING, held.why_not, "truth")
    error = held.errors / held.n
    return Certificate(
        id,
        words,
        _HOEFFDING,
        (held.checked,) if held.checked else (),
        held.assumed,
        float(bounds.single_upper(error, held.n, share)),
        note=f"test error {error:.4g} on {held.n} rows",
        about="truth",
        delta=share,
    )
