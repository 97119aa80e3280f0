"""What changes with the rounds of a boosted model: errors, their bound, and margins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...base.certificate import Certificate
from ...base.messages.warnings import suppressed_warnings
from ...base.offered import fact
from ...base.types import Floats
from ...prediction.rows import classes_of
from .rows import EvaluatedRows

_LEAST = 1e-15  # probabilities in the log-loss


def staged_error(model: Any, X: Any, y: Any) -> Floats:
    """1 - score of the rows X, y after every round: the error of a classifier."""
    return np.array([1 - score for score in model.staged_score(X, y)])


def staged_loss(rows: EvaluatedRows) -> Floats:
    """The mean log-loss of the probabilities after every round."""
    at, codes = np.arange(rows.n), rows.codes
    return np.array(
        [
            -np.log(np.clip(p[at, codes], _LEAST, 1.0)).mean()
            for p in rows.model.staged_predict_proba(rows.X)
        ]
    )


def training_error_bound(model: Any, certificates: Iterable[Certificate] = ()) -> Floats | None:
    """The bound on the training error after every round: the product of the Z_t, times a factor.

    None where no theorem gives one. The factor is 1 for two classes; for more it follows from the
    certificates that hold: K/2 of AdaBoost.MH, 1 of AdaBoost.M1.
    """
    history, classes = model.history_, classes_of(model)
    if classes is None or "Z" not in history:
        return None
    if len(classes) <= 2:
        factor = float(model._product_bounds)
    else:
        proven = {c.id for c in certificates if c.applies}
        factor = len(classes) / 2 if "mh-train" in proven else float("m1-train" in proven)
    return factor * np.cumprod(history["Z"]) if factor else None


def sorted_margins(model: Any, X: Any, y: Any, rounds: Iterable[int] = ()) -> dict[int, Floats]:
    """The margins of the rows X, y in rising order, by number of rounds.

    Those of the whole model stand under its own number of rounds, and alone where none is given.
    """
    last, found = n_rounds(model), {}
    for t in rounds or (last,):
        with suppressed_warnings():  # a threshold, which margins know nothing of
            first = model if t == last else model.truncate(t)
        found[t] = np.sort(np.asarray(first.margins(X, y), np.float64))
    return found


def n_rounds(model: Any) -> int:
    """The rounds of a model; 1 where it has none."""
    return int(fact(model, "n_iter_") or 1)


def spread_rounds(last: int, most: int) -> list[int]:
    """Rounds from 1 to the last, denser at the beginning, at most so many.

    >>> spread_rounds(1000, 6)
    [1, 4, 16, 63, 251, 1000]
    """
    if last <= most:
        return list(range(1, last + 1))
    return sorted(set(np.geomspace(1, last, most).round().astype(int).tolist()))
