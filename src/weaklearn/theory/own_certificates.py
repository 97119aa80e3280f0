"""What can be said of a vote whose booster no theorem here knows."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from ..base.certificate import Certificate
from .evidence import Evidence

_EXPONENTIAL = "exp(-z) >= 1 wherever z <= 0"


def own_booster(evidence: Evidence, name: str) -> list[Certificate]:
    """No theorem of its own, and the one bound that every vote has."""
    statement = f"what {name} guarantees"
    why = f"Boosted runs {name} without knowing any theorem about it: that is its author's to prove"
    return [
        Certificate.not_applicable("own-booster", statement, f"the author of {name}", why),
        _exponential(evidence),
    ]


def _exponential(evidence: Evidence) -> Certificate:
    id, statement = "exp-loss", "training error <= mean of exp(-lead of the right class)"
    why = evidence.why_not(rows_needed=True)
    if why is not None:
        return Certificate.not_applicable(id, statement, _EXPONENTIAL, why)
    assert evidence.training is not None
    margins, D = evidence.training
    with np.errstate(over="ignore"):
        bound = float(np.exp(logsumexp(-evidence.ensemble.margin_weight * margins, b=D)))
    return evidence.certificate(id, statement, _EXPONENTIAL, bound, evidence.error())
