"""Checks of fitted attributes in model files: each by itself, and against each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from ..base.ensemble import StackedEnsemble
from ..files.check import (
    Check,
    array,
    either,
    flag,
    home_of,
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
from ..files.game import CODED_SCORES, LABEL_SCORES, LABEL_SUM, PAIRWISE, STACKED
from ..files.history import HISTORY
from ..files.loss import LOSSES
from ..files.member import CRITERIA, check_columns
from ..files.term import alike
from . import whole_model
from .records import SCHEMA


def classes(name: str, value: Any) -> None:
    need(
        isinstance(value, np.ndarray) and value.ndim == 1 and len(value) > 0,
        f"{name} is {named(value)}; it must be an array of at least one label",
    )
    if value.dtype.kind == "f":
        array("f")(name, value)
    if value.dtype.kind in "mM":
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


def held_out(name: str, value: Any) -> None:
    need(type(value) is tuple and len(value) == 2, f"{name} is no pair of fraction and seed")
    real(0.0, 1.0)(name, value[0])
    integer(0, 2**32 - 1)(name, value[1])


def indicator(name: str, value: Any) -> None:
    """Refuses anything but (0 or -1, whether sparse): how a multi-label y was given."""
    need(type(value) is tuple and len(value) == 2, f"{name} is no pair of a number and a flag")
    one_of(0, -1)(name, value[0])
    one_of(True, False)(name, value[1])


def columns(name: str, value: Any) -> None:
    """Refuses anything but a set of column numbers."""
    check_columns(name, value)


def number(name: str, value: Any) -> None:
    """Refuses anything but a float; NaN stands for "not known"."""
    need(type(value) is float, f"{name} is {named(value)}; it must be a number")


def row_numbers(name: str, value: Any) -> None:
    """Refuses anything but floats for every row, one or several; NaN stands for "not known"."""
    array("f", 2 if np.ndim(value) == 2 else 1, finite=False)(name, value)


def feature_weights(name: str, value: Any) -> None:
    """Refuses anything but a dict of finite weights by feature."""
    need(type(value) is dict, f"{name} is {named(value)}; it must be a dict")
    for weight in value.values():
        real()(name, weight)


def estimator(name: str, value: Any) -> None:
    """Refuses anything but an estimator."""
    need(isinstance(value, BaseEstimator), f"{name} is {named(value)}; it must be an estimator")


schema = instance(SCHEMA.home)
seed = integer(0, 2**32 - 1)
criterion = one_of(*CRITERIA)
loss = either(*(record.home for record in LOSSES))

# What every game leaves behind.
GAME: dict[str, Check] = {
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
        for k in range(len(model.ensemble_.parts) if stacked else 0):
            _recorded(history, f"epsilon_{k}", 0.0, 1.0, ended=True)
            _recorded(history, f"alpha_{k}", ended=True)
        for name in facts if n else ():
            _recorded(history, name, *_RANGES[name])
        if "train_error" in history:
            _recorded(history, "train_error", 0.0, 1.0)
        need(n <= 1 or len(history) >= n, f"the history has {len(history)} rounds of {n}")
        need(not model._perfect or n == 1, "a perfect member does not stand alone")

    return check


def boosted_of(member: str, vote: str, *facts: str) -> Callable[[Any], None]:
    """The check of ``boosted``, for ensembles of one class of members and one class of votes."""
    recorded = boosted(*facts)

    def check(model: Any) -> None:
        recorded(model)
        for part in model.ensemble_.parts:
            need(home_of(part) == vote, "the vote is not one of its scheme")
        for h in model.ensemble_.members:
            need(home_of(h) == member, f"a member is {named(h)}")

    return check


# The votes of schemes that have one of their own.
_VOTES = {
    "OneVsRest": STACKED.home,
    "AllPairs": PAIRWISE.home,
    "AdaBoostM2": LABEL_SUM.home,
    "AdaBoostMH": LABEL_SCORES.home,
    "AdaBoostMO": CODED_SCORES.home,
    "AdaBoostMR": LABEL_SCORES.home,
}
_RANGES = {
    "epsilon": (0.0, 1.0),
    "gamma": (-1.0, 1.0),
    "alpha": (-np.inf, np.inf),
    "ds": (-np.inf, np.inf),
    "dt": (0.0, np.inf),
    "Z": (0.0, np.inf),
}


def _recorded(
    history: Any, name: str, least: float = -np.inf, most: float = np.inf, ended: bool = False
) -> None:
    """Refuses a history column that is absent or out of range; ``ended`` allows NaN."""
    need(name in history, f"the history lacks {name!r}")
    facts = history[name]
    good = (facts >= least) & (facts <= most)
    if ended:
        good |= np.isnan(facts)
    need(good.all(), f"the history has a value of {name!r} that cannot be")


def pack_stump(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: attributes[name] for name in ("_schema", "classes_", "error_", "stump_")}


def unpack_stump(model: Any, state: dict[str, Any]) -> None:
    model._from_stump(state["stump_"], state["_schema"], state["classes_"], state["error_"])


def pack_threshold(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes with the error curve as arrays."""
    state = dict(attributes)
    curve = state.pop("_curve")
    state.pop("optimal_intervals_")
    state["_ends"], state["_errors"] = curve.v_at_most[:-1], curve.error
    state["_mistakes"] = curve.errors
    return state


def unpack_threshold(model: Any, state: dict[str, Any]) -> None:
    from ..learners.threshold import ErrorCurve

    ends, errors, mistakes = (state.pop(name) for name in ("_ends", "_errors", "_mistakes"))
    need((ends[1:] > ends[:-1]).all(), "the ends of the error curve do not rise")
    need(len(ends) > 0, "the error curve has no end")
    need(
        len(errors) == len(ends) + 1 and (mistakes is None or len(mistakes) == len(errors)),
        "the error curve has columns of different lengths",
    )
    need(state["feature_"] < state["_schema"].n_features, "feature_ is no column")
    need(len(state["classes_"]) <= 2, "there are more than two classes")
    threshold, error = state["threshold_"], state["error_"]
    model.__dict__.update(state)
    above = np.concatenate([[-np.inf], ends])
    curve = ErrorCurve(above, np.concatenate([ends, [np.inf]]), errors, mistakes)
    model.__dict__.update(model._described(curve))
    need((model.threshold_, model.error_) == (threshold, error), "the curve has another optimum")


def unpack_prior(model: Any, state: dict[str, Any]) -> None:
    """The votes begin with the prior that is a parameter of the model."""
    whole_model.with_prior(state["ensemble_"], model.prior, state["classes_"].tolist())
    model.__dict__.update(state)


def descended(model: Any) -> None:
    """A sum of trees has an output for each of the loss, and as many rounds as it says."""
    n = len(model.ensemble_)
    need(model.n_iter_ == n, f"n_iter_ is {model.n_iter_}, and there are {n} rounds")
    whole_model.outputs_of_loss(model)
    need(max(model._gaps, default=0) < model._schema.n_features, "a gap is in no column")


def pack_edits(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes, without ``_edits`` if the list is empty."""
    return {name: v for name, v in attributes.items() if name != "_edits" or v}


def added(model: Any) -> None:
    """Refuses a term sum with other outputs than the loss, or with edits that cannot be undone."""
    outputs, terms = model.ensemble_.n_outputs, list(model.ensemble_.terms)
    whole_model.outputs_of_loss(model)
    for edit in reversed(model._edits):
        left = edit.after is not None
        need(edit.place + left <= len(terms), f"an edit is of term {edit.place}, which is none")
        need(edit.before.values.shape[-1] == outputs, f"an edited term has not {outputs} outputs")
        if edit.after is not None:
            need(alike(edit.after, terms[edit.place]), "a term is not as its edit left it")
        terms[edit.place : edit.place + left] = [edit.before]
    features = [frozenset(term.features) for term in terms]
    need(len(set(features)) == len(features), "edits leave two terms of the same columns")


def one_tree(model: Any) -> None:
    """Refuses a tree with other outputs than the classes of the model."""
    whole_model.one_tree(model)
    _grown(model)
    need(model.max_features_ <= model._schema.n_features, "max_features_ is more than all")


def forest(model: Any) -> None:
    """Refuses a forest with trees of other outputs than the classes of the model."""
    whole_model.forest(model)
    _grown(model)


def _grown(model: Any) -> None:
    K = len(getattr(model, "classes_", ()))
    need(not K or model.n_classes_ == K, f"n_classes_ is not {K}")
    of_classes = model._criterion != "squared_error"
    need(of_classes == (K > 0), f"{model._criterion} is no criterion for this")
    need(max(model._gaps, default=0) < model._schema.n_features, "a missing value is in no column")


def pack_games(attributes: dict[str, Any]) -> dict[str, Any]:
    """The fitted attributes; refused where the games are copies of another estimator."""
    games = attributes["model_"]
    if games.saved_in_files:
        return attributes
    name = type(games.estimator).__name__
    raise Flaw(
        f"each game is a copy of {name}, which is no booster of two classes, and which no model "
        "file can hold; use pickle for this model"
    )


def reduced(model: Any) -> None:
    """Refuses a reduction whose fitted booster is not the one that its parameters name."""
    games, booster = model.model_, model._booster()
    need(hasattr(games, "ensemble_"), "the games are not played")
    need(type(games) is type(booster), f"the games are not those of {type(booster).__name__}")
    need(games.multiclass == model._multiclass, f"the games are those of {games.multiclass!r}")
    model._keep(games)


def learnt_online(model: Any) -> None:
    """Refuses weights of another shape than the parameters, or a broken record of passes."""
    state = model._standing
    need((state.drift is not None) == model._averaged, "the drift of the weights does not fit")
    need(state.constant == bool(model.fit_intercept), "the constant feature does not fit")
    need(state.units[:-1] == model._hidden(), "the layers are not those of the parameters")
    whole_model.pocket(model)
    recorded = [name in model.__dict__ for name in ("n_iter_", "history_", "converged_")]
    need(all(recorded) or not any(recorded), "the record of the passes is incomplete")
    need(not recorded[0] or model.n_iter_ == len(model.history_), "n_iter_ is not its passes")
