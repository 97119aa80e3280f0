"""Which fitted attributes of online learners model files hold."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from ..files.check import array, flag, instance, integer, listed, maybe, need, real, text
from ..files.history import HISTORY
from ..files.online import LINEAR_STATE
from ..online.experts import MOST_ETA
from . import checks as fit
from .kept import Kept

_MANY = integer(0, 2**62)
_SCORED = {"_schema": maybe(fit.numeric), "classes_": fit.two_classes}
_PASSES = {"history_": instance(HISTORY.home), "n_iter_": integer(), "converged_": flag}


def _vectors(name: str, value: Any) -> None:
    """Refuses anything but rows of numbers (sparse: starts, columns, values, width) or texts."""
    if type(value) is list:
        listed(text)(name, value)
    elif type(value) is tuple:
        need(len(value) == 4, f"{name} is no sparse matrix")
        start, column, cell, d = value
        array("i")(name, start)
        need(
            isinstance(column, np.ndarray) and column.dtype == np.int32 and column.ndim == 1,
            f"{name} has no columns",
        )
        array("f")(name, cell)
        integer(1)(name, d)
        sound = len(start) > 0 and start[0] == 0 and start[-1] == len(cell) == len(column)
        need(sound and (np.diff(start) >= 0).all(), f"{name} has rows that overlap")
        inside = len(column) == 0 or (column.min() >= 0 and column.max() < d)
        need(inside, f"{name} has a cell in no column")
        rows = np.repeat(np.arange(len(start) - 1), np.diff(start))
        places = rows * d + column
        need((np.diff(places) > 0).all(), f"{name} has columns in no order")
    else:
        array("f", 2)(name, value)


def _packed(attributes: dict[str, Any]) -> dict[str, Any]:
    state = dict(attributes)
    vectors: Any = state.get("support_vectors_")
    if hasattr(vectors, "tocsr"):
        state["support_vectors_"] = (
            vectors.indptr.astype(np.int64),
            vectors.indices.astype(np.int32),
            vectors.data.astype(np.float64),
            int(vectors.shape[1]),
        )
    return state


def _unpacked(model: Any, state: dict[str, Any]) -> None:
    vectors = state.get("support_vectors_")
    if type(vectors) is tuple:
        start, column, cell, d = vectors
        made = import_module("scipy.sparse").csr_array
        state["support_vectors_"] = made((cell, column, start), shape=(len(start) - 1, d))
    model.__dict__.update(state)


def _summed(model: Any) -> None:
    """Refuses support vectors without coefficients, or of a type the kernel cannot compare."""
    texts = model._schema is None
    takes = model._kernel.takes
    need(takes != ("numbers" if texts else "texts"), "the kernel compares other examples")
    vectors, coefficients = model.support_vectors_, model.dual_coef_
    need((type(vectors) is list) == texts, "support_vectors_ are not those of the kernel")
    n = len(vectors) if texts else vectors.shape[0]
    need(n == len(coefficients), "there is not a coefficient for each support vector")
    if not texts:
        width = model._schema.n_features
        need(vectors.shape[1] == width, f"support_vectors_ have not {width} columns")


def _machine(model: Any) -> None:
    """Refuses a support vector machine that is neither a halfspace nor a kernel sum."""
    state = vars(model)
    linear = "coef_" in state
    need(linear == ("intercept_" in state), "coef_ and intercept_ go together")
    need(linear != ("support_vectors_" in state), "it is neither a halfspace nor kernels")
    need(linear != ("dual_coef_" in state), "it is neither a halfspace nor kernels")
    need(len(model.history_) > 0, "history_ is empty")
    for name in ("primal", "dual", "gap"):
        need(name in model.history_, f"history_ lacks {name!r}")
        need(np.isfinite(model.history_[name]).all(), f"history_ has no number for {name!r}")
    if linear:
        need(model._schema is not None, "a halfspace has columns")
        _halfspace(model)
    else:
        _summed(model)


def _version_space(model: Any) -> None:
    n = model.online().n_hypotheses
    need(len(model._mask) == n, "there is not a flag for each hypothesis")


def _experts(model: Any) -> None:
    """Refuses experts whose counts are more than the examples seen."""
    n = model._schema.n_features
    chances, mistakes = model.expected_mistakes_, model.mistakes_of_expert_
    need(len(chances) == n and len(mistakes) == n, f"there are not numbers of {n} experts")
    within = (chances >= 0) & (chances <= model.t_) & (mistakes >= 0) & (mistakes <= model.t_)
    need(within.all() and model.mistakes_ <= model.t_, "there are more mistakes than examples")
    need(0 < model._epsilon < 1, "_epsilon is not between 0 and 1")


def _losses(model: Any) -> None:
    n = model._schema.n_features
    need(len(model.losses_) == n, f"there are not losses of {n} actions")
    totals = np.append(model.losses_, model.total_loss_)
    need((totals >= 0).all() and (totals <= model.t_ * 1.001).all(), "losses are not of t_ rounds")
    need(model.eta_ > 0, "eta_ is not above 0")


def _halfspace(model: Any) -> None:
    """A weight for every column, and one constant."""
    width = model._schema.n_features
    need(model.coef_.shape == (1, width), f"coef_ has not {width} columns")
    need(len(model.intercept_) == 1, "there is not one intercept")


def _pocket(model: Any) -> None:
    """Weights in the pocket are those of a learner that averages."""
    state, kept = model._standing, model._pocket
    fits = kept is None or (state.drift is not None and len(kept) == len(state.w))
    need(fits, "the weights in the pocket do not fit")


def _column_flags(model: Any) -> None:
    """There is a flag for every column."""
    need(len(model._mask) == model._schema.n_features, "there is not a flag for each variable")


def _variables(model: Any) -> None:
    """The parameter ``n_features``, of which a learner makes an array, is that of training."""
    n = model._schema.n_features
    need(model.n_features in (None, n), f"n_features is not the {n} variables of training")


def _learnt_online(model: Any) -> None:
    """Refuses weights of another shape than the parameters, or a broken record of passes."""
    state = model._standing
    need((state.drift is not None) == model._averaged, "the drift of the weights does not fit")
    need(state.constant == bool(model.fit_intercept), "the constant feature does not fit")
    need(state.units[:-1] == model._hidden(), "the layers are not those of the parameters")
    recorded = [name in model.__dict__ for name in ("n_iter_", "history_", "converged_")]
    need(all(recorded) or not any(recorded), "the record of the passes is incomplete")
    need(not recorded[0] or model.n_iter_ == len(model.history_), "n_iter_ is not its passes")


linear = Kept(
    {
        "_schema": fit.numeric,
        "_seed": fit.seed,
        "classes_": fit.classes,
        "_standing": instance(LINEAR_STATE.home),
        "_pocket": maybe(array("f")),
    },
    {"n_iter_": integer(1), "history_": instance(HISTORY.home), "converged_": flag},
    consistent=_pocket,
    cross_check=_learnt_online,
)
kernel_sum = Kept(
    _SCORED
    | _PASSES
    | {"support_vectors_": _vectors, "dual_coef_": array("f"), "mistakes_": _MANY},
    {"_seed": fit.seed},
    pack=_packed,
    unpack=_unpacked,
    consistent=_summed,
)
halfspace = Kept(
    {
        "_schema": fit.numeric,
        "classes_": fit.two_classes,
        "coef_": array("f", 2),
        "intercept_": array("f"),
        "hinge_loss_": real(0.0),
        "duality_gap_": real(),
        "mistakes_": _MANY,
    },
    consistent=_halfspace,
)
machine = Kept(
    _SCORED
    | _PASSES
    | {
        "alpha_": array("f"),
        "n_support_": integer(),
        "mistakes_": _MANY,
        "_squared_length": real(),
    },
    {
        "coef_": array("f", 2),
        "intercept_": array("f"),
        "support_vectors_": _vectors,
        "dual_coef_": array("f"),
    },
    sided=frozenset({"alpha_"}),
    pack=_packed,
    unpack=_unpacked,
    consistent=_machine,
)
version_space = Kept(
    {"classes_": fit.both_classes, "_mask": array("b"), "mistakes_": _MANY},
    cross_check=_version_space,
)
disjunction = Kept(
    {"_schema": fit.numeric, "classes_": fit.two_classes, "_mask": array("b"), "mistakes_": _MANY},
    consistent=_column_flags,
    cross_check=_variables,
)
experts = Kept(
    {
        "_schema": fit.schema,
        "classes_": fit.classes,
        "expected_mistakes_": array("f"),
        "mistakes_of_expert_": array("i"),
        "mistakes_": _MANY,
        "t_": _MANY,
        "_epsilon": real(0.0, 1.0),
        "_seed": fit.seed,
    },
    consistent=_experts,
)
losses = Kept(
    {
        "_schema": fit.numeric,
        "losses_": array("f"),
        "total_loss_": real(0.0),
        "eta_": real(0.0, MOST_ETA),
        "t_": _MANY,
    },
    consistent=_losses,
)
