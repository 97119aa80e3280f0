"""Theorems about a weighted vote, applied to the record of a fit."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

import numpy as np
from scipy.special import logsumexp

from ...base import Certificate
from ...base.ensemble import rounds_of_part
from .. import bounds
from .theorem import ANY, NO_MEMBER, OTHER_ROWS, PASS_ROWS, Evidence, theorem

_BOOK = "Schapire and Freund, Boosting, chapter 3"
_MARGINS = "Schapire and Freund, Boosting, chapter 5"
_M1 = "Freund and Schapire (1997), on AdaBoost.M1"
_THETAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)


@theorem("AdaBoost", "AdaBoostM1", "Samme")
def adaboost(evidence: Evidence) -> list[Certificate]:
    """The training error falls with the product of the normalisers, and margins grow."""
    if evidence.n_classes > 2:
        return []
    return [_by_product(evidence), _by_edges(evidence), _rounds(evidence), *_margins(evidence)]


@theorem("RealAdaBoost")
def product_of_normalisers(evidence: Evidence) -> list[Certificate]:
    """Of rules that say how sure they are the product bounds the error as well."""
    return [_by_product(evidence)]


@theorem("AdaBoostM1")
def several_classes(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.M1: an error means that half of the votes were wrong."""
    if evidence.n_classes <= 2:
        return []
    statement = "training error <= prod 2 sqrt(epsilon_t (1 - epsilon_t))"
    why = _no_rows(evidence, NO_MEMBER if not len(evidence.ensemble) else _other_votes(evidence))

    def bound() -> float:
        return float(bounds.ada_product(evidence.metrics("epsilon")))

    return [_of_given_rows(evidence, "m1-train", statement, _M1, why, bound)]


@theorem("AdaBoost", reduction="OneVsRest")
def one_against_the_rest(evidence: Evidence) -> list[Certificate]:
    """An error is an error of some binary problem: their bounds add up."""
    statement = "training error <= sum over classes of the product of Z_t"
    why = _no_rows(evidence, NO_MEMBER if not len(evidence.ensemble) else None)

    def bound() -> float:
        n_parts = len(evidence.ensemble.parts)
        return sum(product_of_part(evidence, k) for k in range(n_parts))

    return [_of_given_rows(evidence, "ovr-train", statement, _BOOK, why, bound)]


@theorem("AnyBoost", reduction=ANY)
def another_descent(evidence: Evidence) -> list[Certificate]:
    """Nothing: votes that descend any loss are not AdaBoost's."""
    why = "the theorem is about AdaBoost; these votes descend in another way"
    statement = "training error <= product of Z"
    return [Certificate.not_applicable("ada-train", statement, _BOOK, why)]


def _by_product(evidence: Evidence) -> Certificate:
    named = "ada-train", "training error <= product of Z_t", _BOOK
    return _certify(evidence, *named, _why_not(evidence), evidence.product)


def _by_edges(evidence: Evidence) -> Certificate:
    def bound() -> float:
        return 0.0 if evidence.perfect else float(bounds.ada_exp(evidence.metrics("epsilon")))

    named = "ada-train-exp", "training error <= exp(-2 sum gamma_t^2)", _BOOK
    return _certify(evidence, *named, _why_not(evidence) or _other_votes(evidence), bound)


def _rounds(evidence: Evidence) -> Certificate:
    statement = "rounds until no training error is left <= 2 ln m / ln(1/(1 - 4 gamma^2)) + 1"
    why = _no_rows(evidence, _why_not(evidence) or _other_votes(evidence))
    n, needed, clean_from = len(evidence.ensemble), 1, 1
    assumed: tuple[str, ...] = ()
    if why is None and not evidence.perfect:
        gamma = float(np.min(np.abs(0.5 - evidence.metrics("epsilon"))))
        lightest = float(np.min(evidence.rows[1]))  # an error below this is none; 1/m unweighted
        needed = int(bounds.rounds_product_gt(n=ceil(1 / lightest - 1e-6), gamma=gamma))
        faulty = np.flatnonzero(evidence.metrics("train_error") > 0)
        clean_from = int(faulty[-1]) + 2 if len(faulty) else 1
        if clean_from > n and n < needed:
            why = f"it is about {needed} rounds or more, and {n} were run"
        assumed = (f"every edge is at least the smallest seen, {gamma:.4g}",)
    named, checked = ("rounds", statement, _BOOK), _checked(evidence)
    return evidence.certify(
        *named, why, needed, clean_from, checked=checked, assumed=assumed, unit="rounds"
    )


def _margins(evidence: Evidence) -> list[Certificate]:
    id = "margin-dist"
    statement = "share of margins <= theta <= prod sqrt((1+2g)^(1+theta) (1-2g)^(1-theta))"
    why = _no_rows(evidence, _why_not(evidence) or _other_votes(evidence))
    if why is None and bool(np.any(evidence.metrics("epsilon") > 0.5)):
        why = "a hypothesis did worse than chance"
    if why is not None:
        return [Certificate.not_applicable(id, statement, _MARGINS, why)]
    gammas = 0.5 - evidence.metrics("epsilon")
    shares = [0.0 if evidence.perfect else bounds.margin_product(gammas, t) for t in _THETAS]
    return [
        Certificate(
            id,
            f"share of margins <= {theta:g}",
            _MARGINS,
            _checked(evidence),
            (),
            float(share),
            evidence.share(theta),
        )
        for theta, share in zip(_THETAS, shares, strict=True)
    ]


def _certify(
    evidence: Evidence, id: str, text: str, source: str, why: str | None, bound: Callable[[], float]
) -> Certificate:
    return evidence.certify(id, text, source, why, bound, checked=_checked(evidence))


def _of_given_rows(
    evidence: Evidence, id: str, text: str, source: str, why: str | None, bound: Callable[[], float]
) -> Certificate:
    """The certificate of a theorem whose rows cannot be checked."""
    assumed = ("the rows are those of training",)
    return evidence.certify(id, text, source, why, bound, checked=(), assumed=assumed)


def _checked(evidence: Evidence) -> tuple[str, ...]:
    if evidence.training is None:
        return ("the recorded rounds",)
    return ("the mean exponential loss of the rows equals the product of the normalisers",)


def _no_rows(evidence: Evidence, why: str | None) -> str | None:
    """The reason, or that the training rows are missing."""
    return why or (PASS_ROWS if evidence.training is None else None)


def _why_not(evidence: Evidence) -> str | None:
    """The reason why no theorem about these rounds applies; None if there is none.

    The rows passed are those of training where their exponential loss is the product of the Z_t.
    """
    if len(evidence.ensemble) == 0 or evidence.training is None:
        return evidence.why_not()
    margins, D = evidence.training
    if evidence.perfect:
        return None if (margins > 0).all() else OTHER_ROWS
    log_loss = float(logsumexp(-evidence.ensemble.margin_weight * margins, b=D))
    if abs(log_loss - evidence.log_product) <= 1e-6:
        return None
    return (
        f"{OTHER_ROWS}: the logarithm of their mean exponential loss is {log_loss:.6g}, "
        f"that of the product of the normalisers {evidence.log_product:.6g}"
    )


def _other_votes(evidence: Evidence) -> str | None:
    """The reason why the votes are not 1/2 ln((1 - epsilon)/epsilon); None if they are."""
    epsilon = evidence.metrics("epsilon")
    with np.errstate(divide="ignore"):
        own = 0.5 * np.log((1 - epsilon) / epsilon)
    if evidence.perfect or np.allclose(evidence.metrics("alpha"), own, rtol=1e-9, atol=1e-9):
        return None
    return (
        "some votes are not AdaBoost's own: a learning rate, smoothing, or hypotheses that "
        "were silent on some rows"
    )


def product_of_part(evidence: Evidence, k: int) -> float:
    """The product of the normalisers of binary problem k, in the rounds of the members kept."""
    history, kept = evidence.history, rounds_of_part(evidence.history, evidence.ensemble, k)
    if np.isinf(history[f"alpha_{k}"][kept]).any():  # won by one hypothesis without error
        return 0.0
    return float(np.prod(history[f"Z_{k}"][kept]))
