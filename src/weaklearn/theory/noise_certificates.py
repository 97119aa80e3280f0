"""Guarantees of the boosters that noise cannot carry away."""

from __future__ import annotations

from ..base.certificate import Certificate
from .evidence import Evidence

_MADABOOST = "Domingo and Watanabe (2000), MadaBoost"


def madaboost(evidence: Evidence) -> Certificate:
    """A wrong example keeps all its weight, so there cannot be more errors than weight is left."""
    id, statement = "madaboost-train", "training error <= share of the first weight that is left"
    why = evidence.why_not()
    if why is not None:
        return Certificate.not_applicable(id, statement, _MADABOOST, why)
    left = float(evidence.facts("potential")[-1])
    return evidence.certificate(id, statement, _MADABOOST, left, evidence.error())
