"""Certificates that hold for any vote, whatever the booster."""

from __future__ import annotations

from math import fsum

import numpy as np
from scipy.special import logsumexp

from ...base.certificate import Certificate
from ...base.votes.pairwise import pairs_of
from .adaboost import product_of_game
from .evidence import Evidence
from .theorem import ANY, OWN, theorem

_EXPONENTIAL = "exp(-z) >= 1 wherever z <= 0"


@theorem(OWN, reduction=ANY)
def own_booster(evidence: Evidence) -> list[Certificate]:
    """No theorem of its own, and the one bound that every vote has."""
    name = evidence.booster
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


_BOOK = "Schapire and Freund, Boosting, chapter 3, once for each game"
_UNION = "the union bound over games"


@theorem("AdaBoost", reduction="AllPairs")
def all_pairs(evidence: Evidence) -> list[Certificate]:
    """The bound of all-pairs: a class that wins all its pairs wins, so their errors add up."""
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


_ALTERNATING = "Freund and Mason (1999), The alternating decision tree learning algorithm"
_SLIPPER = "Cohen and Singer (1999), SLIPPER; Schapire and Singer (1999), theorem 1"


@theorem("ADTree")
def alternating_tree(evidence: Evidence) -> list[Certificate]:
    """A wrong example has y F <= 0, and so weighs 1 or more: errors are fewer than weights."""
    id, statement = "adtree-train", "training error <= mean of exp(-y F), the weight that is left"
    why = evidence.why_not()
    if why is not None:
        return [Certificate.not_applicable(id, statement, _ALTERNATING, why)]
    left = float(evidence.metrics("potential")[-1])
    return [evidence.certificate(id, statement, _ALTERNATING, left, evidence.error())]


@theorem("Slipper")
def rule_set(evidence: Evidence) -> list[Certificate]:
    """The same for rules, whose weights are normalised in every round by Z."""
    id, statement = "slipper-train", "training error <= product of Z"
    why = evidence.why_not()
    if why is not None:
        return [Certificate.not_applicable(id, statement, _SLIPPER, why)]
    bound = float(np.exp(fsum(np.log(evidence.metrics("Z")))))
    return [evidence.certificate(id, statement, _SLIPPER, bound, evidence.error())]
