"""Guarantees of the boosters whose models are to be read."""

from __future__ import annotations

from math import fsum

import numpy as np

from ..base.certificate import Certificate
from .evidence import Evidence

_ALTERNATING = "Freund and Mason (1999), The alternating decision tree learning algorithm"
_SLIPPER = "Cohen and Singer (1999), SLIPPER; Schapire and Singer (1999), theorem 1"


def alternating_tree(evidence: Evidence) -> Certificate:
    """A wrong example has y F <= 0, and so weighs 1 or more: errors are fewer than weights."""
    id, statement = "adtree-train", "training error <= mean of exp(-y F), the weight that is left"
    why = evidence.why_not()
    if why is not None:
        return Certificate.not_applicable(id, statement, _ALTERNATING, why)
    left = float(evidence.facts("potential")[-1])
    return evidence.certificate(id, statement, _ALTERNATING, left, evidence.error())


def rule_set(evidence: Evidence) -> Certificate:
    """The same for rules, whose weights are normalised in every round by Z."""
    id, statement = "slipper-train", "training error <= product of Z"
    why = evidence.why_not()
    if why is not None:
        return Certificate.not_applicable(id, statement, _SLIPPER, why)
    bound = float(np.exp(fsum(np.log(evidence.facts("Z")))))
    return evidence.certificate(id, statement, _SLIPPER, bound, evidence.error())
