"""Guarantees of many classes played as games of two."""

from __future__ import annotations

from collections.abc import Sequence

from ..base.certificate import Certificate
from ..base.pairwise import pairs_of
from .certificates import product_of_game
from .evidence import Evidence

_BOOK = "Schapire and Freund, Boosting, chapter 3, once for each game"
_UNION = "the union bound over games"


def all_pairs(evidence: Evidence) -> list[Certificate]:
    """A class that wins all its games has most wins: errors are among those of the games."""
    id = "pairs-train"
    statement = "training error <= sum over pairs of their weight times the product of Z_t"
    why = evidence.why_not(rows_needed=True)
    if why is not None:
        return [Certificate.not_applicable(id, statement, _BOOK, why)]
    assert evidence.training is not None
    assert evidence.labels is not None
    D, y, parts = evidence.training[1], evidence.labels, evidence.ensemble.parts
    bound = 0.0
    for k, (i, j) in enumerate(pairs_of(evidence.ensemble.n_outputs)):
        weight = float(D[(y == i) | (y == j)].sum())
        bound += weight * product_of_game(evidence.history, k, len(parts[k]))
    return [evidence.certificate(id, statement, _BOOK, bound, evidence.error())]


def by_games(errors: Sequence[float], observed: float) -> Certificate:
    """Whoever is right in every game is right: the errors of the games add up.

    ``errors`` are those of the games on the training rows, as shares of the whole weight.
    """
    statement = "training error <= sum of the training errors of the games"
    checked = ("the errors of all games on the rows passed",)
    return Certificate(
        "reduction", statement, _UNION, checked, (), float(sum(errors)), observed, unit="share"
    )
