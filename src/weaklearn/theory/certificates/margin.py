"""Guarantees of the boosters that aim at large margins, or at a small loss."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, log

import numpy as np
from numpy.typing import NDArray

from ...base.certificate import Certificate
from .. import bounds
from ..games import weak_learnability
from .evidence import Evidence
from .theorem import theorem

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
    id, statement = "star-margin", "least correlation - smallest margin <= nu"
    why = evidence.why_not() or _other_votes(evidence) or _too_few(evidence, nu)
    if why is not None:
        return [Certificate.not_applicable(id, statement, _STAR, why)]
    short = float(evidence.metrics("r").min()) - _smallest_margin(evidence)
    return [evidence.certificate(id, statement, _STAR, nu, short, unit="margin")]


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
    return f"not yet, {played} rounds were played and {needed} are promised to be enough"


def _smallest_margin(evidence: Evidence) -> float:
    if evidence.training is not None:
        return float(evidence.training[0].min())
    return float(evidence.metrics("margin_min")[-1])


@theorem("AdaBoostStar", "ArcGV")
def best_margin(evidence: Evidence) -> Sequence[Certificate]:
    """The value of the game between the examples and the rules found: no vote of them has more."""
    id = "margin-best"
    statement = "smallest margin <= the largest that any vote of these rules has"
    why = evidence.why_not(rows_needed=True)
    M = _answers(evidence) if why is None else None
    if M is None:
        why = why or "the linear program that finds it would be too large"
        return [Certificate.not_applicable(id, statement, _GAMES, why)]
    value, margin = weak_learnability(M).value, _smallest_margin(evidence)
    return [evidence.certificate(id, statement, _GAMES, value, margin, unit="margin")]


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
    with np.errstate(divide="ignore"):
        shrunk = float(np.log(evidence.metrics("Z")).sum())
    weight = 0.0 if evidence.perfect else float(np.abs(evidence.metrics("alpha")).sum())
    return [
        evidence.certificate(
            id,
            f"share of margins <= {theta:g}",
            _MARGINS,
            float(np.exp(min(shrunk + theta * weight, 700.0))),
            evidence.share(theta),
        )
        for theta in _THETAS
    ]


@theorem("CoordinateBoost", "ConditionalGradient")
def loss_train(evidence: Evidence) -> Sequence[Certificate]:
    """An example that is not right has a loss of at least phi(0), which is 1 or ln 2."""
    id = "loss-train"
    of_exp = evidence.settings["loss"] == "exponential"
    loss = "exponential" if of_exp else "logistic"
    statement = f"training error <= mean {loss} loss" + ("" if of_exp else " / ln 2")
    why = evidence.why_not()
    if why is not None:
        return [Certificate.not_applicable(id, statement, _LOSS, why)]
    bound = float(evidence.metrics("loss")[-1]) / (1.0 if of_exp else log(2))
    return [evidence.certificate(id, statement, _LOSS, bound, evidence.error())]


@theorem("ConditionalGradient")
def ball(evidence: Evidence) -> Sequence[Certificate]:
    """Votes within an L1 ball, and how far their loss is above the least there."""
    radius = float(evidence.settings["radius"])
    gap, norm = "mean loss - least mean loss in the ball <= gap", "sum of |votes| <= radius"
    why = evidence.why_not()
    if why is not None:
        statements = [("ball-gap", gap), ("ball-norm", norm)]
        return [Certificate.not_applicable(id, text, _BALL, why) for id, text in statements]
    found = {name: float(evidence.metrics(name)[-1]) for name in ("gap", "loss", "loss_bound")}
    return [
        Certificate(
            "ball-gap",
            gap,
            _BALL,
            ("the recorded rounds",),
            ("the learner finds the largest correlation",),
            found["gap"],
            note=f"the least lies between {found['loss_bound']:.6g} and {found['loss']:.6g}",
            unit="loss",
        ),
        evidence.certificate(
            "ball-norm", norm, _BALL, radius, evidence.ensemble.weight, unit="votes"
        ),
    ]
