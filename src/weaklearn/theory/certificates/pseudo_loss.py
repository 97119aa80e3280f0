"""Guarantees of boosters that go by the pseudo-loss."""

from __future__ import annotations

import numpy as np

from ...base.certificate import Certificate
from .. import bounds
from .evidence import Evidence
from .theorem import theorem

_M2 = "Freund and Schapire (1997), on AdaBoost.M2"


@theorem("AdaBoostM2")
def by_pseudo_loss(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.M2: every error has a label that outdoes the right one, out of K - 1."""
    return [_by_product(evidence), _by_losses(evidence)]


def _by_product(evidence: Evidence) -> Certificate:
    id, statement = "m2-product", "training error <= (K - 1) product of Z_t"
    why = evidence.why_not()
    if why is not None:
        return Certificate.not_applicable(id, statement, _M2, why)
    K = evidence.ensemble.n_classes
    with np.errstate(divide="ignore"):
        product = float(np.exp(np.sum(np.log(evidence.metrics("Z")))))
    return evidence.certificate(id, statement, _M2, (K - 1) * product, evidence.error())


def _by_losses(evidence: Evidence) -> Certificate:
    id = "m2-train"
    statement = "training error <= (K - 1) prod 2 sqrt(epsilon_t (1 - epsilon_t))"
    why = evidence.why_not() or _other_votes(evidence)
    if why is not None:
        return Certificate.not_applicable(id, statement, _M2, why)
    K, losses = evidence.ensemble.n_classes, evidence.metrics("epsilon")
    bound = (K - 1) * float(bounds.ada_product(losses))
    return evidence.certificate(id, statement, _M2, bound, evidence.error())


def _other_votes(evidence: Evidence) -> str | None:
    """The reason why the votes are not ln((1 - epsilon)/epsilon); None if they are."""
    epsilon, alpha = evidence.metrics("epsilon"), evidence.metrics("alpha")
    with np.errstate(divide="ignore"):
        own = np.log((1 - epsilon) / epsilon)
    if np.allclose(alpha, own, rtol=1e-9, atol=1e-9):
        return None
    return "some votes are not the algorithm's own: a learning rate, or smoothing"
