"""The link from scores to predictions, in a form that exports can write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.loss import CLASSES, NUMBERS, SIGNS
from ..base.types import Floats
from ..losses import CustomLoss, Exponential, Quantiles
from ..losses.regression import LogLinkLoss
from ..prediction.rows import classes_of

IDENTITY, EXP, SIGMOID, SHARE, SOFTMAX, SURE = (
    "identity",
    "exp",
    "sigmoid",
    "share",
    "softmax",
    "sure",
)
MEANS, EACH, UNKNOWN, BAGGED, POWERS = "means", "each", "unknown", "bagged", "powers"
HELD = 700.0  # the largest score of which an exponential is taken, as in fits


@dataclass(frozen=True)
class Link:
    """IDENTITY, EXP: numbers; SIGMOID of scale * F + shift, SHARE ((1 + F) / 2 within 0 and 1): two
    classes; SOFTMAX of scale * F, EACH (the sigmoid of scale * F for each class, by their sum):
    more of them; MEANS: scores are probabilities; POWERS: the powers of scale of shift / K + (1 -
    shift) * F, by their sum; SURE: one class only; UNKNOWN: there are none;
    BAGGED: the mean of what several models make of their scores.
    """

    form: str
    scale: float = 1.0
    shift: float = 0.0


def link_of(model: Any) -> Link:
    """The link of a fitted model; refused where it is the user's own function."""
    loss = model._loss
    custom = isinstance(loss, CustomLoss)
    if isinstance(loss, Quantiles):
        raise ValueError(
            "several quantiles are put in order once they are added up, which no export does; fit "
            "a model for each."
        )
    if loss.n_targets > 1:
        raise ValueError("exports are of one target; fit a model for each, or use the runtime.")
    if custom and loss.has_link:
        raise ValueError(
            f"loss {loss.name!r} turns scores into answers by a function of yours, which no export "
            "can write; use a named loss, or to_scorecard()."
        )
    if not loss.link_is_logistic:
        raise ValueError(
            f"loss {loss.name!r} turns scores into probabilities by a link that no export can "
            "write; use loss='log_loss', or weaklearn.runtime."
        )
    if classes_of(model) is None:
        return Link(EXP if isinstance(loss, LogLinkLoss) else IDENTITY)
    if len(model.classes_) == 1:
        return Link(SURE)
    if loss.target == CLASSES or model.ensemble_.n_outputs > 1:
        return Link(SOFTMAX)
    if custom:
        return Link(SIGMOID)
    if loss.target == NUMBERS:
        return Link(SHARE)
    assert loss.target == SIGNS
    return Link(SIGMOID, 2.0 if isinstance(loss, Exponential) else 1.0)


# ----------------------------------------------------------------------------- links found by trial


def found_link(link: Callable[[Floats], Floats], n_classes: int, n_outputs: int) -> Link:
    """The form of a function from scores to probabilities, found by evaluating it.

    >>> def link(F):
    ...     return np.column_stack([1 / (1 + np.exp(2 * F)), 1 / (1 + np.exp(-2 * F))])
    >>> found_link(link, 2, 1)
    Link(form='sigmoid', scale=2.0, shift=0.0)
    """
    if n_classes == 1:
        return Link(SURE)
    tried = _tried_pair(link) if n_outputs == 1 else _tried_many(link, n_outputs)
    return Link(UNKNOWN) if tried is None else tried


def _tried_pair(link: Callable[[Floats], Floats]) -> Link | None:
    F = np.array([0.0, 0.25, -0.5, 0.75, -1.0, 1.5])
    p = link(F)
    if np.allclose(p[:, 1], np.clip((1 + F) / 2, 0, 1), rtol=0, atol=1e-12):
        return Link(SHARE)
    if not ((p > 0) & (p < 1)).all():
        return None
    logit = np.log(p[:, 1]) - np.log(p[:, 0])
    scale, shift = 2 * (logit[3] - logit[1]), logit[0]
    if not np.allclose(logit, scale * F + shift, rtol=1e-9, atol=1e-12):
        return None
    return Link(SIGMOID, _rounded(scale), _rounded(shift))


def _tried_many(link: Callable[[Floats], Floats], K: int) -> Link | None:
    F = np.random.default_rng(0).normal(scale=0.5, size=(4, K))
    F[0] = 0.0
    F[0, 0] = 1.0  # in which two classes differ by one
    p = link(F)
    if np.allclose(p, F):
        return Link(MEANS)
    if not ((p > 0) & (p < 1)).all():
        return None
    scale = _rounded(float(np.log(p[0, 0] / p[0, 1])))
    if np.allclose(p, _normed(np.exp(scale * F)), rtol=1e-9):
        return Link(SOFTMAX, scale)
    half = p[0, 0] / p[0, 1] / 2  # the sigmoid of the scale, where that of 0 is 1/2
    if not 0 < half < 1:
        return None
    scale = _rounded(float(np.log(half / (1 - half))))
    return Link(EACH, scale) if np.allclose(p, _normed(1 / (1 + np.exp(-scale * F)))) else None


def _normed(p: Floats) -> Floats:
    return np.asarray(p / p.sum(axis=1, keepdims=True))


def _rounded(found: float) -> float:
    """A number without its last bits, which are rounding errors of the trial."""
    near = float(np.round(found, 12))
    return near if abs(near - found) < 1e-13 else float(found)
