"""Certificates that hold for any vote, whatever the booster."""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from ...base.certificate import Certificate
from ...base.votes.pairwise import pairs_of
from .adaboost import product_of_part
from .theorem import ANY, OWN, Evidence, theorem

_EXPONENTIAL = "exp(-z) >= 1 wherever z <= 0"
_BOOK = "Schapire and Freund, Boosting, chapter 3, once for each binary problem"
_ALTERNATING = "Freund and Mason (1999), The alternating decision tree learning algorithm"
_SLIPPER = "Cohen and Singer (1999), SLIPPER; Schapire and Singer (1999), theorem 1"


@theorem(OWN, reduction=ANY)
def own_booster(evidence: Evidence) -> list[Certificate]:
    """No theorem of its own, and the one bound that every vote has."""
    name = evidence.booster
    statement = f"what {name} guarantees"
    why = f"Boosted runs {name} without knowing any theorem about it: that is its author's to prove"

    def loss() -> float:
        margins, D = evidence.rows
        with np.errstate(over="ignore"):
            return float(np.exp(logsumexp(-evidence.ensemble.margin_weight * margins, b=D)))

    named = "exp-loss", "training error <= mean of exp(-lead of the right class)", _EXPONENTIAL
    return [
        Certificate.not_applicable("own-booster", statement, f"the author of {name}", why),
        evidence.certify(*named, evidence.why_not(rows_needed=True), loss),
    ]


@theorem("AdaBoost", reduction="AllPairs")
def all_pairs(evidence: Evidence) -> list[Certificate]:
    """The bound of all-pairs: a class that wins all its pairs wins, so their errors add up."""

    def bound() -> float:
        assert evidence.labels is not None
        D, y = evidence.rows[1], evidence.labels
        return sum(
            float(D[(y == i) | (y == j)].sum()) * product_of_part(evidence, k)
            for k, (i, j) in enumerate(pairs_of(evidence.ensemble.n_outputs))
        )

    statement = "training error <= sum over pairs of their weight times the product of Z_t"
    why = evidence.why_not(rows_needed=True)
    return [evidence.certify("pairs-train", statement, _BOOK, why, bound)]


@theorem("ADTree")
def alternating_tree(evidence: Evidence) -> list[Certificate]:
    """A wrong example has y F <= 0, and so weighs 1 or more: errors are fewer than weights."""
    statement = "training error <= mean of exp(-y F), the weight that is left"
    named, why = ("adtree-train", statement, _ALTERNATING), evidence.why_not()
    return [evidence.certify(*named, why, lambda: evidence.last("potential"))]


@theorem("Slipper")
def rule_set(evidence: Evidence) -> list[Certificate]:
    """The same for rules, whose weights are normalised in every round by Z."""
    named = "slipper-train", "training error <= product of Z", _SLIPPER
    return [evidence.certify(*named, evidence.why_not(), evidence.product)]
