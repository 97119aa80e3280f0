"""Losses by name."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from ..base.loss import CLASSES, EVENTS, NUMBERS, SIGNS, Loss, Option, options_of
from ..base.messages.spelling import nearest
from ..base.messages.value_text import show
from . import kinds
from .custom import CustomLoss, made_of

_NAMED = [kind for kind in kinds() if kind.by_name]
NAMES = {kind.name: kind for kind in _NAMED if kind.target != CLASSES}
_SEVERAL = {kind.name: kind for kind in _NAMED if kind.target == CLASSES}
_ALIASES = {alias: kind.name for kind in _NAMED for alias in kind.aliases}
_THEIRS = {  # names of losses in other libraries, by ours
    "absolute_error": "mae l1 mean_absolute_error lad regression_l1 reg:absoluteerror",
    "squared_error": "mse l2 rmse ls mean_squared_error regression regression_l2 reg:squarederror",
    "log_loss": "deviance binary multiclass cross_entropy crossentropy logloss binary_crossentropy "
    "binary:logistic multi:softmax multi:softprob multiclassova",
    "quantile": "pinball quantile_loss reg:quantileerror",
    "huber": "smooth_l1",
    "pseudo_huber": "reg:pseudohubererror",
    "poisson": "count:poisson",
    "gamma": "reg:gamma",
    "tweedie": "reg:tweedie",
    "exponential": "adaboost",
    "cox": "survival:cox",
    "aft": "survival:aft",
}
_ELSEWHERE = {theirs: ours for ours, names in _THEIRS.items() for theirs in names.split()}
FOR_CLASSES = tuple(name for name, kind in NAMES.items() if kind.target == SIGNS)
FOR_NUMBERS = tuple(name for name, kind in NAMES.items() if kind.target == NUMBERS)
FOR_EVENTS = tuple(name for name, kind in NAMES.items() if kind.target == EVENTS)


def named(loss: Any, *, n_classes: int | None = 0, **options: Any) -> Loss:
    """The loss of a name, or a loss from the user's functions or object.

    ``n_classes`` is 0 where numbers are to be predicted, None for any loss at all. Options are
    those of the loss: ``level`` of "quantile" and "huber", ``power`` of "tweedie".

    >>> named("quantile", level=0.9)
    Quantile(level=0.9)
    >>> named("log_loss", n_classes=3)
    Softmax(n_classes=3)
    >>> named("hubert")
    Traceback (most recent call last):
        ...
    ValueError: loss='hubert' is not allowed: ... Did you mean 'huber'?
    """
    if not isinstance(loss, str):
        found = _object(loss, options)
        return found if n_classes is None else _suited(found, n_classes)
    loss = _ALIASES.get(loss, loss)
    task, known = _allowed(n_classes)
    if loss not in known:
        other = f" ({show(loss)} is for other targets.)" if loss in NAMES else ""
        ours = _ELSEWHERE.get(loss.lower())
        hint = f" It is called {ours!r} here." if ours in known else nearest(loss, known)
        raise ValueError(
            f"loss={show(loss)} is not allowed: for {task} it must be one of "
            f"{', '.join(map(repr, known))}, a loss object, or a tuple of functions (gradient, "
            f"curvature, value).{other}{hint}"
        )
    kind = NAMES[loss]
    allowed = list(inspect.signature(kind).parameters)
    for option in options:
        if option not in allowed:
            listed = ", ".join(allowed) or "none"
            raise TypeError(
                f"loss={loss!r} has no option {option!r}; it has {listed}."
                + nearest(option, allowed)
            )
    if n_classes is not None and n_classes > 2:
        if loss in _SEVERAL:
            return _SEVERAL[loss](n_classes)  # type: ignore[call-arg]
        raise ValueError(
            f"loss={loss!r} is for two classes, and y holds {n_classes}; use "
            f"{' or '.join(f'loss={name!r}' for name in _SEVERAL)}."
        )
    return kind(**options)


def set_by_parameters(name: str) -> dict[str, Option]:
    """The options of the loss of a name that parameters of estimators set; none where it has none.

    >>> {field: option.parameter for field, option in set_by_parameters("huber").items()}
    {'level': 'alpha'}
    """
    if name not in NAMES:
        return {}
    return {field: known for field, known in options_of(NAMES[name]).items() if known.parameter}


def _allowed(n_classes: int | None) -> tuple[str, Sequence[str]]:
    """The task ("numbers" or "classes"), and the names of losses for it."""
    if n_classes is None:
        return "classes and numbers", tuple(NAMES)
    return ("numbers", FOR_NUMBERS) if n_classes == 0 else ("classes", FOR_CLASSES)


_TASKS = {SIGNS: "classes", CLASSES: "classes", NUMBERS: "numbers", EVENTS: "times of events"}


def _suited(loss: Loss, n_classes: int) -> Loss:
    """The loss object; raises ValueError where its target is of another task."""
    if loss.whole_queries:
        raise ValueError(
            f"loss={loss!r} is not allowed: it is of whole queries; use GradientBoostingRanker, "
            "whose fit takes qid."
        )
    target = _declared_target(loss)
    if target is None or target in ((SIGNS, CLASSES) if n_classes else (NUMBERS,)):
        return loss
    task, known = _allowed(n_classes)
    raise ValueError(
        f"loss={loss!r} is not allowed: it is for {_TASKS[target]}, and "
        f"{task} are to be predicted; for {task} use one of {', '.join(map(repr, known))}, such a "
        "loss as an object, or a tuple of functions (gradient, curvature, value)."
    )


def _declared_target(loss: Loss) -> str | None:
    """The target that a loss declares; None where a user's loss declares none."""
    if isinstance(loss, CustomLoss):
        target = getattr(loss.own, "target", None)
        return target if target in (SIGNS, CLASSES, NUMBERS, EVENTS) else None
    own = any("target" in vars(kind) for kind in type(loss).__mro__ if kind is not Loss)
    ours = type(loss).__module__.startswith(__package__ or "weaklearn")
    return loss.target if own or ours else None


def _object(loss: Any, options: dict[str, Any]) -> Loss:
    found = loss if isinstance(loss, Loss) else made_of(loss)
    if found is None:
        shown = loss.__name__ if isinstance(loss, type) else repr(loss)
        kind = f" Pass an instance, {shown}()." if isinstance(loss, type) else ""
        raise TypeError(
            f"loss={shown} is not allowed: it must be a name, a loss object, or a tuple of "
            f"functions (gradient, curvature, value) of (y, F).{kind}"
        )
    if options:
        raise TypeError(f"options {', '.join(options)} are for losses given by name.")
    return found
