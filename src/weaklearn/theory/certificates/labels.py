"""Guarantees of the boosters of many labels."""

from __future__ import annotations

import numpy as np

from ...base.certificate import Certificate
from ...base.numeric.output_code import least_distance
from ...base.types import Floats
from .. import bounds
from .theorem import Evidence, theorem

_SINGER = "Schapire and Singer (1999), Machine Learning 37"
_M2 = "Freund and Schapire (1997), on AdaBoost.M2"
_MH = f"{_SINGER}, on AdaBoost.MH"
_MO = f"{_SINGER}, on AdaBoost.MO"
_MR = f"{_SINGER}, on AdaBoost.MR"


@theorem("AdaBoostMH")
def by_hamming_loss(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.MH: each wrong entry (example, label) costs at least 1; an error has two."""
    why, K = evidence.why_not(), evidence.ensemble.n_classes
    named = "mh-hamming", "Hamming loss <= product of Z_t", _MH
    loss = evidence.certify(*named, why, evidence.product, lambda: _hamming_loss(evidence))
    if why is not None or evidence.ensemble.several:
        return [loss]
    named = "mh-train", "training error <= (K/2) product of Z_t", _MH
    return [loss, evidence.certify(*named, None, lambda: K / 2 * evidence.product())]


@theorem("AdaBoostMO")
def by_code(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.MO: decoding to another word takes errors in the bits in which the two differ."""
    code = evidence.ensemble.code
    factor, name = (1, "s") if evidence.ensemble.decoding == "loss" else (2, "2s")
    why = evidence.why_not(rows_needed=True)
    if why is None and (code == 0).any():
        why = "the code has zeros, and the theorem is about codes without"

    def bound() -> float:
        return float(factor * code.shape[1] / least_distance(code) * evidence.product())

    named = "mo-train", f"training error <= ({name}/rho) product of Z_t", _MO
    return [evidence.certify(*named, why, bound)]


@theorem("AdaBoostMR")
def by_rank_loss(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.MR: a pair in the wrong order costs at least 1, and so does an error one pair."""
    why, K = evidence.why_not(), evidence.ensemble.n_classes
    loss = 0.0 if why is not None else _rank_loss(evidence)
    named = "mr-rank", "rank loss <= product of Z_t", _MR
    by_product = evidence.certify(*named, why, evidence.product, loss)
    if why is not None:
        return [by_product]
    r = np.clip(evidence.metrics("r"), -1.0, 1.0)  # a sum of shares may exceed 1 by its last bit
    with np.errstate(divide="ignore"):
        why = _other_votes(evidence, 0.5 * np.log((1 + r) / (1 - r)))

    def bound() -> float:
        return float(np.prod(np.sqrt(np.maximum(1 - r * r, 0.0))))

    named = "mr-edges", "rank loss <= product of sqrt(1 - r_t^2)", _MR
    found = [by_product, evidence.certify(*named, why, bound, loss)]
    if not evidence.ensemble.several:
        named = "mr-train", "training error <= (K - 1) product of Z_t", _MR
        found.append(evidence.certify(*named, None, lambda: float(K - 1) * evidence.product()))
    return found


@theorem("AdaBoostM2")
def by_pseudo_loss(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.M2: every error has a label that outdoes the right one, out of K - 1."""
    why, K = evidence.why_not(), evidence.ensemble.n_classes
    named = "m2-product", "training error <= (K - 1) product of Z_t", _M2
    by_product = evidence.certify(*named, why, lambda: float(K - 1) * evidence.product())
    if why is None:
        losses = evidence.metrics("epsilon")
        with np.errstate(divide="ignore"):
            why = _other_votes(evidence, np.log((1 - losses) / losses))

    def bound() -> float:
        return float((K - 1) * bounds.ada_product(evidence.metrics("epsilon")))

    statement = "training error <= (K - 1) prod 2 sqrt(epsilon_t (1 - epsilon_t))"
    return [by_product, evidence.certify("m2-train", statement, _M2, why, bound)]


def _other_votes(evidence: Evidence, own: Floats) -> str | None:
    """The reason why the votes are not the algorithm's own; None if they are."""
    if np.allclose(evidence.metrics("alpha"), own, rtol=1e-9, atol=1e-9):
        return None
    return "some votes are not the algorithm's own: a learning rate, or smoothing"


def _hamming_loss(evidence: Evidence) -> float:
    if evidence.training is None:
        return evidence.last("hamming_loss")
    assert evidence.sample is not None
    wrong = evidence.sample.signs * evidence.ensemble.labels(evidence.sample) <= 0
    return float(evidence.training[1] @ wrong.mean(axis=1))


def _rank_loss(evidence: Evidence) -> float:
    if evidence.training is None:
        return evidence.last("rank_loss")
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
