"""Guarantees of the boosters that aim at large margins, or at a small loss."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from ...base.certificate import Certificate
from .. import bounds
from ..games import weak_learnability
from .theorem import Evidence, theorem

_STAR = "Rätsch and Warmuth (2005), Efficient margin maximizing with boosting"
_MARGINS = "Schapire and Freund, Boosting, chapter 5"
_GAMES = "Schapire and Freund, Boosting, chapter 6"
_LOSS = "Schapire and Freund, Boosting, chapter 7"
_BALL = "Jaggi (2013), Revisiting Frank-Wolfe"
_THETAS = (0.0, 0.1, 0.2, 0.3, 0.5)
_MOST_ANSWERS, _MOST_CELLS = 10**8, 10**5  # what a linear program is made of, before and after


@theorem("AdaBoostStar")
def star(evidence: Evidence) -> Sequence[Certificate]:
    """AdaBoost* comes within nu of its least correlation, which no vote's margins exceed."""
    nu = float(evidence.settings["nu"])
    why = evidence.why_not() or _other_votes(evidence) or _too_few(evidence, nu)

    def short() -> float:
        return float(evidence.metrics("r").min()) - _smallest_margin(evidence)

    named = "star-margin", "least correlation - smallest margin <= nu", _STAR
    return [evidence.certify(*named, why, nu, short, unit="margin")]


def _other_votes(evidence: Evidence) -> str | None:
    """The reason why the votes are not those of AdaBoost*; None if they are."""
    r, rho, alpha = (evidence.metrics(name) for name in ("r", "rho", "alpha"))
    with np.errstate(divide="ignore"):
        own = np.arctanh(r) - np.arctanh(rho)
    if evidence.perfect or np.allclose(alpha, own, rtol=1e-6, atol=1e-9):
        return None
    return "the votes are not those of AdaBoost*: a learning rate was set"


def _too_few(evidence: Evidence, nu: float) -> str | None:
    n = evidence.n_examples
    if evidence.training is not None:
        n = ceil(1 / float(evidence.training[1].min()) - 1e-6)  # as if all were so light
    needed, played = int(bounds.nu_star_rounds(n, nu)), len(evidence.ensemble)
    if evidence.perfect or played >= needed:
        return None
    return f"it is about {needed} rounds or more, and {played} were run"


def _smallest_margin(evidence: Evidence) -> float:
    given = evidence.training
    return evidence.last("margin_min") if given is None else float(given[0].min())


@theorem("AdaBoostStar", "ArcGV")
def best_margin(evidence: Evidence) -> Sequence[Certificate]:
    """The value of the game between the examples and the rules found: no vote of them has more."""
    why = evidence.why_not(rows_needed=True)
    M = _answers(evidence) if why is None else None
    if why is None and M is None:
        why = "the linear program that finds it would be too large"
    value = 0.0 if M is None else weak_learnability(M).value
    named = "margin-best", "smallest margin <= the largest that any vote of these rules has", _GAMES
    return [evidence.certify(*named, why, value, lambda: _smallest_margin(evidence), unit="margin")]


def _answers(evidence: Evidence) -> NDArray[np.float64] | None:
    """y h of the different rules on the different examples; None where these are too many."""
    sample, members = evidence.sample, evidence.ensemble.members
    assert sample is not None
    if len(sample) * len(members) > _MOST_ANSWERS:
        return None
    M = np.column_stack([np.asarray(sample.correctness(h)) for h in members])
    M = np.unique(np.unique(M, axis=0), axis=1)
    return M.astype(np.float64) if M.size <= _MOST_CELLS else None


@theorem("AdaBoostStar", "ArcGV")
def margin_shares(evidence: Evidence) -> list[Certificate]:
    """Few margins are small, whatever the votes: y F <= theta A means exp(theta A - y F) >= 1."""
    id, formula = "margin-dist", "share of margins <= theta <= exp(theta sum |alpha_t|) prod Z_t"
    why = evidence.why_not(rows_needed=True)
    if why is not None:
        return [Certificate.not_applicable(id, formula, _MARGINS, why)]
    shrunk = evidence.log_product
    weight = 0.0 if evidence.perfect else float(np.abs(evidence.metrics("alpha")).sum())
    return [
        evidence.certify(
            id,
            f"share of margins <= {theta:g}",
            _MARGINS,
            None,
            float(np.exp(min(shrunk + theta * weight, 700.0))),
            evidence.share(theta),
        )
        for theta in _THETAS
    ]


@theorem("CoordinateBoost", "ConditionalGradient")
def loss_train(evidence: Evidence) -> Sequence[Certificate]:
    """An example that is not right has a loss of at least phi(0), which is 1 or ln 2."""
    exponential = evidence.settings["loss"] == "exponential"
    loss, least = ("exponential loss", 1.0) if exponential else ("logistic loss / ln 2", log(2))
    named = "loss-train", f"training error <= mean {loss}", _LOSS
    return [evidence.certify(*named, evidence.why_not(), lambda: evidence.last("loss") / least)]


@theorem("ConditionalGradient")
def ball(evidence: Evidence) -> Sequence[Certificate]:
    """Votes within an L1 ball, and how far their loss is above the least there."""
    radius, why = float(evidence.settings["radius"]), evidence.why_not()
    norm = "ball-norm", "sum of |votes| <= radius", _BALL
    weight = evidence.ensemble.weight
    by_norm = evidence.certify(*norm, why, radius, weight, unit="votes")
    gap = "ball-gap", "mean loss - least mean loss in the ball <= gap", _BALL
    if why is not None:
        return [Certificate.not_applicable(*gap, why), by_norm]
    note = (
        f"the least lies between {evidence.last('loss_bound'):.6g} and {evidence.last('loss'):.6g}"
    )
    assumed = ("the learner finds the largest correlation",)
    bound, checked = evidence.last("gap"), ("the recorded rounds",)
    return [Certificate(*gap, checked, assumed, bound, note=note, unit="loss"), by_norm]
