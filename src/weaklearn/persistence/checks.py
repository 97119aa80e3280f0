"""The fitted names of estimators in model files: what each may be, and how they belong together."""

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
    maybe,
    named,
    need,
    one_of,
    real,
    text,
    whole,
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
    whole(0, 2**32 - 1)(name, value[1])


def indicator(name: str, value: Any) -> None:
    """What stands for "has not" in a table of labels, and whether the table was sparse."""
    need(type(value) is tuple and len(value) == 2, f"{name} is no pair of a number and a flag")
    one_of(0, -1)(name, value[0])
    one_of(True, False)(name, value[1])


def columns(name: str, value: Any) -> None:
    """A set of columns."""
    check_columns(name, value)


def number(name: str, value: Any) -> None:
    """A number, or NaN where there was nothing to tell."""
    need(type(value) is float, f"{name} is {named(value)}; it must be a number")


def row_numbers(name: str, value: Any) -> None:
    """A number for every row, or several; NaN where there was nothing to tell."""
    array("f", 2 if np.ndim(value) == 2 else 1, finite=False)(name, value)


def feature_weights(name: str, value: Any) -> None:
    """A finite weight for every feature, which may be any value that a file knows."""
    need(type(value) is dict, f"{name} is {named(value)}; it must be a dict")
    for weight in value.values():
        real()(name, weight)


def estimator(name: str, value: Any) -> None:
    """An estimator of this library."""
    need(isinstance(value, BaseEstimator), f"{name} is {named(value)}; it must be an estimator")


schema = instance(SCHEMA.home)
seed = whole(0, 2**32 - 1)
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
    "n_iter_": whole(),
    "stop_reason_": text,
    "_train_accuracy": maybe(real(0.0, 1.0)),
}


def boosted(*facts: str) -> Callable[[Any], None]:
    """The record of a game has what its members are told by."""

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
    """The same, of members and votes of one kind each."""
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
    """A fact of every round lies in its range; of a game that has ended it may be missing."""
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
    """The error curve as arrays: the ends of its intervals, and its two columns."""
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
    """A model whose edits were all taken back is the one that was never edited."""
    return {name: v for name, v in attributes.items() if name != "_edits" or v}


def added(model: Any) -> None:
    """A sum of terms has an output for each of the loss, and its edits can be taken back."""
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
    """A tree answers for every class, or with one number."""
    whole_model.one_tree(model)
    _grown(model)
    need(model.max_features_ <= model._schema.n_features, "max_features_ is more than all")


def forest(model: Any) -> None:
    """The trees of a forest answer alike."""
    whole_model.forest(model)
    _grown(model)


def _grown(model: Any) -> None:
    K = len(getattr(model, "classes_", ()))
    need(not K or model.n_classes_ == K, f"n_classes_ is not {K}")
    of_classes = model._criterion != "squared_error"
    need(of_classes == (K > 0), f"{model._criterion} is no criterion for this")
    need(max(model._gaps, default=0) < model._schema.n_features, "a gap is in no column")


def pack_games(attributes: dict[str, Any]) -> dict[str, Any]:
    """Files hold games that were played round by round, and no copies of a whole model."""
    games = attributes["model_"]
    if games.saved_in_files:
        return attributes
    name = type(games.estimator).__name__
    raise Flaw(
        f"each game is a copy of {name}, which is no booster of two classes, and which no model "
        "file can hold; use pickle for this model"
    )


def reduced(model: Any) -> None:
    """The games of a reduction are played, and of its own kind."""
    games, booster = model.model_, model._booster()
    need(hasattr(games, "ensemble_"), "the games are not played")
    need(type(games) is type(booster), f"the games are not those of {type(booster).__name__}")
    need(games.multiclass == model._multiclass, f"the games are those of {games.multiclass!r}")
    model._keep(games)


def learnt_online(model: Any) -> None:
    """The weights of an online learner are of its kind, and its passes are those it records."""
    standing = model._standing
    need((standing.drift is not None) == model._averaged, "the drift of the weights does not fit")
    need(standing.constant == bool(model.fit_intercept), "the constant feature does not fit")
    need(standing.units[:-1] == model._hidden(), "the layers are not those of the parameters")
    whole_model.pocket(model)
    told = [name in model.__dict__ for name in ("n_iter_", "history_", "converged_")]
    need(all(told) or not any(told), "the record of the passes is not whole")
    need(not told[0] or model.n_iter_ == len(model.history_), "n_iter_ is not its passes")
