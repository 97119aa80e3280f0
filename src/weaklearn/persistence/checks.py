"""Checks of fitted attributes in model files: each by itself, and of votes against their history.

They need numpy alone: the runtime reads files by them too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.ensemble import StackedEnsemble
from ..base.loss import Loss
from ..base.votes.homes import home_of_vote as vote
from ..files.check import (
    Check,
    all_finite,
    array,
    flag,
    home_of,
    home_of_class,
    instance,
    integer,
    maybe,
    named,
    need,
    one_of,
    real,
    text,
)
from ..files.error import Flaw
from ..files.history import HISTORY
from ..intake.cells import KnownColumns
from ..intake.raw_column import without_unit
from ..registry import row_of
from .column_record import SCHEMAS
from .kept import Held

_MOST_COLUMNS = 2**24


def schema(name: str, value: Any) -> None:
    """Refuses anything but the columns of training, none of them texts, and too many of them."""
    _columns(name, value, type(value) in SCHEMAS)
    few = value.n_features <= _MOST_COLUMNS  # importances and explanations have a number for each
    need(few, f"{name} has {value.n_features} columns; {_MOST_COLUMNS} are allowed")


def any_schema(name: str, value: Any) -> None:
    """Refuses anything but the columns of training."""
    _columns(name, value, isinstance(value, KnownColumns))


def numeric(name: str, value: Any) -> None:
    """Refuses anything but the columns of training, all of them numbers."""
    _columns(name, value, type(value) in SCHEMAS)
    need(not value.special, "a column holds no numbers")


def _columns(name: str, value: Any, fine: bool) -> None:
    need(fine, f"{name} is {named(value)}; it must be the columns of training")


def classes(name: str, value: Any) -> None:
    need(
        isinstance(value, np.ndarray) and value.ndim == 1 and len(value) > 0,
        f"{name} is {named(value)}; it must be an array of at least one label",
    )
    if value.dtype.kind == "f":
        all_finite(name, value)
    if value.dtype.kind in "mM":
        need(not without_unit(value.dtype), f"{name} holds times without a unit")
        need(not np.isnat(value).any(), f"{name} holds a missing time")
    labels = value.tolist()
    try:
        different = len(set(labels)) == len(labels)
    except TypeError:
        raise Flaw(f"{name} holds what is no label") from None
    need(different and not any(v is None or v != v for v in labels), f"{name} holds a label twice")


def two_classes(name: str, value: Any) -> None:
    classes(name, value)
    need(len(value) <= 2, f"{name} holds more than two labels")


def both_classes(name: str, value: Any) -> None:
    """Refuses anything but two labels."""
    two_classes(name, value)
    need(len(value) == 2, f"{name} holds one label")


def held_out(name: str, value: Any) -> None:
    need(type(value) is tuple and len(value) == 2, f"{name} is no pair of fraction and seed")
    real(0.0, 1.0)(name, value[0])
    integer(0, 2**32 - 1)(name, value[1])


def indicator(name: str, value: Any) -> None:
    """Refuses anything but (0 or -1, whether sparse): how a multi-label y was given."""
    need(type(value) is tuple and len(value) == 2, f"{name} is no pair of a number and a flag")
    one_of(0, -1)(name, value[0])
    one_of(True, False)(name, value[1])


def number(name: str, value: Any) -> None:
    """Refuses anything but a float; NaN stands for "not known"."""
    need(type(value) is float, f"{name} is {named(value)}; it must be a number")


def row_numbers(name: str, value: Any) -> None:
    """Refuses anything but floats for every row, one or several; NaN stands for "not known"."""
    array("f", 2 if np.ndim(value) == 2 else 1, finite=False)(name, value)


def estimator(name: str, value: Any) -> None:
    """Refuses anything but an estimator."""
    need(_estimator_name(value), f"{name} is {named(value)}; it must be an estimator")


def estimator_of(wanted: str) -> Check:
    """A check for an estimator of one name."""

    def check(name: str, value: Any) -> None:
        fine = _estimator_name(value) == wanted
        need(fine, f"{name} is {named(value)}; it must be a {wanted}")

    return check


def loss(name: str, value: Any) -> None:
    known = isinstance(value, Loss) and value.number is not None
    need(known, f"{name} is {named(value)}; it must be a loss of this library")


def _estimator_name(value: Any) -> str:
    """The name of an estimator; empty for anything else."""
    if isinstance(value, Held):
        return value.name
    row = row_of(type(value))
    return "" if row is None else row.name


seed = integer(0, 2**32 - 1)

# What every fit of rounds leaves behind.
BOOSTED: dict[str, Check] = {
    "_schema": schema,
    "_seed": seed,
    "_held_out": maybe(held_out),
    "_any_shape": flag,
    "_weighted": flag,
    "_resumed": flag,
    "_final": flag,
    "_perfect": flag,
    "history_": instance(HISTORY.home),
    "n_iter_": integer(),
    "stop_reason_": text,
    "_train_accuracy": maybe(real(0.0, 1.0)),
}


def boosted(*facts: str) -> Callable[[Any], None]:
    """A check that the history has one row for each member, and these columns in their ranges."""

    def check(model: Any) -> None:
        history, n = model.history_, len(model.ensemble_)
        need(model.n_iter_ == n, f"n_iter_ is {model.n_iter_}, and the vote has {n} members")
        vote = home_of(model.ensemble_)
        needed = _VOTES.get(model._scheme)  # None: any but those
        fine = vote not in _VOTES.values() if needed is None else vote == needed
        need(fine, "the vote is not one of its scheme")
        stacked = n and isinstance(model.ensemble_, StackedEnsemble)
        if stacked:
            _recorded_of_parts(history, model.ensemble_)
        for name in facts if n else ():
            _recorded(history, name, *_RANGES[name])
        if "train_error" in history:
            _recorded(history, "train_error", 0.0, 1.0)
        need(len(history) >= n, f"the history has {len(history)} rounds of {n}")
        need(not model._perfect or n == 1, "a perfect member does not stand alone")

    return check


# The votes of schemes that have one of their own.
_VOTES = {
    "OneVsRest": home_of_class(StackedEnsemble),
    "AllPairs": vote("PairwiseEnsemble"),
    "AdaBoostM2": vote("LabelSum"),
    "AdaBoostMH": vote("LabelScores"),
    "AdaBoostMO": vote("CodedScores"),
    "AdaBoostMR": vote("LabelScores"),
}
_RANGES = {
    "epsilon": (0.0, 1.0),
    "gamma": (-1.0, 1.0),
    "alpha": (-np.inf, np.inf),
    "ds": (-np.inf, np.inf),
    "dt": (0.0, np.inf),
    "Z": (0.0, np.inf),
}


def _recorded_of_parts(history: Any, ensemble: StackedEnsemble) -> None:
    """Refuses errors and votes of several problems that are absent or cannot be."""
    K = len(ensemble.parts)
    for name, least, most in (("epsilon", 0.0, 1.0), ("alpha", -np.inf, np.inf)):
        names = [f"{name}_{k}" for k in range(K)]
        for each in names:
            need(each in history, f"the history lacks {each!r}")
        facts = np.array([history[each] for each in names])
        good = (((facts >= least) & (facts <= most)) | np.isnan(facts)).all(axis=1)
        if not good.all():
            wrong = names[int(np.argmin(good))]
            raise Flaw(f"the history has a value of {wrong!r} that cannot be")
    infinite = np.isinf(facts).any(axis=1)
    for k in np.flatnonzero(infinite).tolist():
        n_own = len(ensemble.parts[k])
        alone = n_own <= 1 or not np.isinf(facts[k, :n_own]).any()
        need(alone, "a vote without bound does not stand alone")


def _recorded(history: Any, name: str, least: float = -np.inf, most: float = np.inf) -> None:
    """Refuses a history column that is absent or out of range."""
    need(name in history, f"the history lacks {name!r}")
    facts = history[name]
    good = (facts >= least) & (facts <= most)
    need(good.all(), f"the history has a value of {name!r} that cannot be")
