"""Guarantees of the boosters of many labels."""

from __future__ import annotations

import numpy as np

from ...base.certificate import Certificate
from ...base.numeric.output_code import least_distance
from ...base.types import Floats
from .evidence import Evidence
from .theorem import theorem

_SINGER = "Schapire and Singer (1999), Machine Learning 37"
_MH = f"{_SINGER}, on AdaBoost.MH"
_MO = f"{_SINGER}, on AdaBoost.MO"
_MR = f"{_SINGER}, on AdaBoost.MR"


@theorem("AdaBoostMH")
def by_hamming_loss(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.MH: each wrong entry (example, label) costs at least 1; an error has two."""
    id, statement = "mh-hamming", "Hamming loss <= product of Z_t"
    why = evidence.why_not()
    if why is not None:
        return [Certificate.not_applicable(id, statement, _MH, why)]
    product, K = _product(evidence), evidence.ensemble.n_classes
    loss = evidence.certificate(id, statement, _MH, product, _hamming_loss(evidence))
    if evidence.ensemble.several:
        return [loss]
    statement = "training error <= (K/2) product of Z_t"
    error = evidence.certificate("mh-train", statement, _MH, K / 2 * product, evidence.error())
    return [loss, error]


@theorem("AdaBoostMO")
def by_code(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.MO: decoding to another word takes errors in the bits in which the two differ."""
    code = evidence.ensemble.code
    factor, name = (1, "s") if evidence.ensemble.decoding == "loss" else (2, "2s")
    id, statement = "mo-train", f"training error <= ({name}/rho) product of Z_t"
    why = evidence.why_not(rows_needed=True)
    if why is None and (code == 0).any():
        why = "the code has zeros, and the theorem is about codes without"
    if why is not None:
        return [Certificate.not_applicable(id, statement, _MO, why)]
    bound = factor * code.shape[1] / least_distance(code) * _product(evidence)
    return [evidence.certificate(id, statement, _MO, bound, evidence.error())]


@theorem("AdaBoostMR")
def by_rank_loss(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.MR: a pair in the wrong order costs at least 1, and so does an error one pair."""
    id, statement = "mr-rank", "rank loss <= product of Z_t"
    why = evidence.why_not()
    if why is not None:
        return [Certificate.not_applicable(id, statement, _MR, why)]
    product, K, loss = _product(evidence), evidence.ensemble.n_classes, _rank_loss(evidence)
    found = [evidence.certificate(id, statement, _MR, product, loss), _by_edges(evidence, loss)]
    if not evidence.ensemble.several:
        statement = "training error <= (K - 1) product of Z_t"
        bound = (K - 1) * product
        found.append(evidence.certificate("mr-train", statement, _MR, bound, evidence.error()))
    return found


def _by_edges(evidence: Evidence, loss: float) -> Certificate:
    id, statement = "mr-edges", "rank loss <= product of sqrt(1 - r_t^2)"
    r, alpha = evidence.metrics("r"), evidence.metrics("alpha")
    r = np.clip(r, -1.0, 1.0)  # a sum of shares may exceed 1 by its last bit
    with np.errstate(divide="ignore"):
        own = 0.5 * np.log((1 + r) / (1 - r))
    if not np.allclose(alpha, own, rtol=1e-9, atol=1e-9):
        why = "some votes are not the algorithm's own: a learning rate, or smoothing"
        return Certificate.not_applicable(id, statement, _MR, why)
    bound = float(np.prod(np.sqrt(np.maximum(1 - r * r, 0.0))))
    return evidence.certificate(id, statement, _MR, bound, loss)


def _product(evidence: Evidence) -> float:
    """The product of the Z_t of the members kept."""
    with np.errstate(divide="ignore"):
        return float(np.exp(np.sum(np.log(evidence.metrics("Z")))))


def _hamming_loss(evidence: Evidence) -> float:
    if evidence.training is None:
        return float(evidence.metrics("hamming_loss")[-1])
    wrong = _sides(evidence) <= 0
    return float(evidence.training[1] @ wrong.mean(axis=1))


def _sides(evidence: Evidence) -> Floats:
    """Y F, (rows, labels)."""
    assert evidence.sample is not None
    return np.asarray(evidence.sample.signs * evidence.ensemble.labels(evidence.sample))


def _rank_loss(evidence: Evidence) -> float:
    if evidence.training is None:
        return float(evidence.metrics("rank_loss")[-1])
    assert evidence.sample is not None
    F, Y, D = evidence.ensemble.labels(evidence.sample), evidence.sample.signs, evidence.training[1]
    has, lacks = Y > 0, Y < 0
    pairs = has.sum(axis=1) * lacks.sum(axis=1)
    wrong = np.zeros(len(F))
    for own, score in zip(has.T, F.T, strict=True):
        wrong += own * ((F >= score[:, None]) & lacks).sum(axis=1)
    some = pairs > 0
    if not some.any():
        return 0.0
    return float(D[some] @ (wrong[some] / pairs[some]) / D[some].sum())
