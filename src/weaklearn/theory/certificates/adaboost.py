"""Theorems about the votes of AdaBoost and its confidence-rated and multiclass forms."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from ...base.certificate import Certificate
from .. import bounds
from .evidence import Evidence

if TYPE_CHECKING:
    from ...base.record import History

Floats = NDArray[np.float64]

_BOOK = "Schapire and Freund, Boosting, chapter 3"
_MARGINS = "Schapire and Freund, Boosting, chapter 5"
_M1 = "Freund and Schapire (1997), on AdaBoost.M1"
_OTHER_ROWS = "these are not the rows of training"
_ROWS_NEEDED = "pass the training rows, X and y"
_THETAS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5)
_EQUAL_LOSSES = "the mean exponential loss of the rows equals the product of the normalisers"


def adaboost_votes(evidence: Evidence) -> list[Certificate]:
    """AdaBoost for two classes: bounds on the training error, the rounds and the margins."""
    return [
        _by_product(evidence),
        _by_edges(evidence),
        _rounds_needed(evidence),
        *_margins(evidence),
    ]


def rated_votes(evidence: Evidence) -> list[Certificate]:
    """Confidence-rated AdaBoost for two classes: the training error is at most the product of Z."""
    return [_by_product(evidence)]


def more_classes(evidence: Evidence) -> list[Certificate]:
    """The certificate that does not apply, for boosters of two classes on more than two."""
    return [_refused("the theorem is about two classes; this model has more")]


def other_votes(evidence: Evidence) -> list[Certificate]:
    """The certificate that does not apply, for votes that minimise another loss."""
    return [_refused("the theorem is about AdaBoost; these votes descend in another way")]


def _refused(why: str) -> Certificate:
    return Certificate.not_applicable("ada-train", "training error <= product of Z", _BOOK, why)


def one_vs_rest(evidence: Evidence) -> list[Certificate]:
    """A vote that every class's own game gets right is right: the games' bounds add up."""
    id, statement = "ovr-train", "training error <= sum over classes of the product of Z_t"
    why = "no hypothesis was kept" if len(evidence.ensemble) == 0 else None
    if why is None and evidence.training is None:
        why = _ROWS_NEEDED
    if why is not None:
        return [Certificate.not_applicable(id, statement, _BOOK, why)]
    sizes = enumerate(map(len, evidence.ensemble.parts))
    bound = sum(product_of_game(evidence.history, k, n) for k, n in sizes)
    assumed = ("the rows are those of training",)
    return [Certificate(id, statement, _BOOK, (), assumed, bound, evidence.error())]


def m1_votes(evidence: Evidence) -> list[Certificate]:
    """AdaBoost.M1: the training error is at most the product of 2 sqrt(epsilon (1 - epsilon))."""
    id, statement = "m1-train", "training error <= prod 2 sqrt(epsilon_t (1 - epsilon_t))"
    why = "no hypothesis was kept" if len(evidence.ensemble) == 0 else _why_other_votes(evidence)
    if why is None and evidence.training is None:
        why = _ROWS_NEEDED
    if why is not None:
        return [Certificate.not_applicable(id, statement, _M1, why)]
    bound = float(bounds.ada_product(evidence.facts("epsilon")))
    assumed = ("the rows are those of training",)
    return [Certificate(id, statement, _M1, (), assumed, bound, evidence.error())]


def product_of_game(history: History, k: int, n: int) -> float:
    """The product of the normalisers of game k alone, whose first n votes were kept."""
    if np.isinf(history[f"alpha_{k}"]).any():  # won by one hypothesis without error
        return 0.0
    return float(np.prod(history[f"Z_{k}"][:n]))


# --------------------------------------------------------------------------- one theorem at a time


def _by_product(evidence: Evidence) -> Certificate:
    id, statement = "ada-train", "training error <= product of Z_t"
    why = _why_not(evidence)
    if why is not None:
        return Certificate.not_applicable(id, statement, _BOOK, why)
    bound = float(np.exp(_log_product(evidence)))
    return Certificate(id, statement, _BOOK, _checked(evidence), (), bound, evidence.error())


def _by_edges(evidence: Evidence) -> Certificate:
    id, statement = "ada-train-exp", "training error <= exp(-2 sum gamma_t^2)"
    why = _why_not(evidence) or _why_other_votes(evidence)
    if why is not None:
        return Certificate.not_applicable(id, statement, _BOOK, why)
    bound = 0.0 if evidence.perfect else float(bounds.ada_exp(evidence.facts("epsilon")))
    return Certificate(id, statement, _BOOK, _checked(evidence), (), bound, evidence.error())


def _rounds_needed(evidence: Evidence) -> Certificate:
    id = "rounds"
    statement = "rounds until no training error is left <= 2 ln m / ln(1/(1 - 4 gamma^2)) + 1"
    checked = _checked(evidence)
    why = _why_not(evidence) or _why_other_votes(evidence)
    if why is None and evidence.training is None:
        why = _ROWS_NEEDED
    if why is None and evidence.perfect:
        return Certificate(id, statement, _BOOK, checked, (), 1, 1, unit="rounds")
    if why is not None:
        return Certificate.not_applicable(id, statement, _BOOK, why)
    gamma = float(np.min(np.abs(0.5 - evidence.facts("epsilon"))))
    assert evidence.training is not None
    lightest = float(np.min(evidence.training[1]))  # an error below this is none; 1/m unweighted
    needed = int(bounds.rounds_product_gt(n=ceil(1 / lightest - 1e-6), gamma=gamma))
    n = len(evidence.ensemble)
    faulty = np.flatnonzero(evidence.facts("train_error") > 0)
    clean_from = int(faulty[-1]) + 2 if len(faulty) else 1
    if clean_from > n and n < needed:
        why = f"not yet, {n} rounds were played and {needed} are promised to be enough"
        return Certificate.not_applicable(id, statement, _BOOK, why)
    assumed = (f"every edge is at least the smallest seen, {gamma:.4g}",)
    return Certificate(id, statement, _BOOK, checked, assumed, needed, clean_from, unit="rounds")


def _margins(evidence: Evidence) -> list[Certificate]:
    id = "margin-dist"
    statement = "share of margins <= theta <= prod sqrt((1+2g)^(1+theta) (1-2g)^(1-theta))"
    why = _why_not(evidence) or _why_other_votes(evidence)
    if why is None and evidence.training is None:
        why = _ROWS_NEEDED
    if why is None and bool(np.any(evidence.facts("epsilon") > 0.5)):
        why = "a hypothesis did worse than chance"
    if why is not None:
        return [Certificate.not_applicable(id, statement, _MARGINS, why)]
    return [_margin(evidence, id, theta) for theta in _THETAS]


def _margin(evidence: Evidence, id: str, theta: float) -> Certificate:
    gammas = 0.5 - evidence.facts("epsilon")
    bound = 0.0 if evidence.perfect else float(bounds.margin_product(gammas=gammas, theta=theta))
    statement, observed = f"share of margins <= {theta:g}", evidence.share(theta)
    return Certificate(id, statement, _MARGINS, _checked(evidence), (), bound, observed)


# ------------------------------------------------------------------------------------ what is known


def _log_product(evidence: Evidence) -> float:
    with np.errstate(divide="ignore"):
        return float(np.sum(np.log(evidence.facts("Z"))))


def _why_not(evidence: Evidence) -> str | None:
    """A reason why no theorem about these rounds can be applied, or None.

    Whether the rows are those of training is found by their exponential loss, which is the product
    of the normalisers: a fit need not have kept a hash of its rows.
    """
    if len(evidence.ensemble) == 0 or evidence.training is None:
        return evidence.why_not()
    margins, D = evidence.training
    if evidence.perfect:
        return None if (margins > 0).all() else _OTHER_ROWS
    log_product = _log_product(evidence)
    log_loss = float(logsumexp(-evidence.ensemble.margin_weight * margins, b=D))
    if not abs(log_loss - log_product) <= 1e-6:
        return (
            f"{_OTHER_ROWS}: the logarithm of their mean exponential loss is {log_loss:.6g}, "
            f"that of the product of the normalisers {log_product:.6g}"
        )
    return None


def _why_other_votes(evidence: Evidence) -> str | None:
    """A reason why the votes are not AdaBoost's own, 1/2 ln((1 - epsilon)/epsilon), or None."""
    if evidence.perfect:
        return None
    epsilon = evidence.facts("epsilon")
    with np.errstate(divide="ignore"):
        own = 0.5 * np.log((1 - epsilon) / epsilon)
    if np.allclose(evidence.facts("alpha"), own, rtol=1e-9, atol=1e-9):
        return None
    return (
        "some votes are not AdaBoost's own: a learning rate, smoothing, or hypotheses that "
        "were silent on some rows"
    )


def _checked(evidence: Evidence) -> tuple[str, ...]:
    return ("the recorded rounds",) if evidence.training is None else (_EQUAL_LOSSES,)
