"""How scores become answers, in a form that other languages can be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..base.loss import CLASSES, NUMBERS, SIGNS
from ..losses import CustomLoss, Exponential, Quantiles
from ..losses.positive import LogLinkLoss

IDENTITY, EXP, SIGMOID, SHARE, SOFTMAX, SURE = (
    "identity",
    "exp",
    "sigmoid",
    "share",
    "softmax",
    "sure",
)
HELD = 700.0  # the largest score of which an exponential is taken, as in fits


@dataclass(frozen=True)
class Link:
    """IDENTITY, EXP: numbers; SIGMOID of scale * F, SHARE ((1 + F) / 2 within 0 and 1): two
    classes; SOFTMAX: more of them; SURE: one class only.
    """

    form: str
    scale: float = 1.0


def link_of(model: Any) -> Link:
    """The link of a fitted model; refused where it is the user's own function."""
    loss = model._loss
    custom = isinstance(loss, CustomLoss)
    if isinstance(loss, Quantiles):
        raise ValueError(
            "several quantiles are put in order once they are added up, which no export does; fit "
            "a model for each."
        )
    if custom and loss.has_link:
        raise ValueError(
            f"loss {loss.name!r} turns scores into answers by a function of yours, which no export "
            "can write; use a named loss, or to_scorecard()."
        )
    if not hasattr(model, "classes_"):
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
