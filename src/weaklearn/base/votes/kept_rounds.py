"""Which rounds gave the members of several binary problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ..booster import History


def rounds_of_part(history: History, ensemble: Any, k: int) -> NDArray[np.intp]:
    """The rounds, from 0, that gave the members of binary problem k of a stacked ensemble.

    They are the first ones, unless a hypothesis without error (an infinite vote) won the problem
    and stands alone. The record may go beyond the members: where early stopping kept those of
    earlier rounds, a later winner is none of them. A single member is then told from it by its
    vote, and where other problems have several members, it can be no other than the winner.
    """
    part, alpha = ensemble.parts[k], history[f"alpha_{k}"]
    won = np.flatnonzero(np.isinf(alpha))[:1]
    if len(won) and len(part) == 1 and (len(ensemble) > 1 or part.votes[0] != alpha[0]):
        return won
    return np.arange(len(part))
