"""Fits and predictions of rows that are not all in memory and in one place.

A dataset in files is opened, and collections of Dask's go to the cluster of the current client;
what needs all rows in one place is refused before they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sklearn.base import is_regressor

from ..base.messages.warnings import suppressed_warnings
from ..cluster.fit import fit as fit_on_cluster
from ..cluster.pieces import check_numbers
from ..cluster.prediction import predict_lazily
from ..intake.dataset_batches import predict_batches, predict_rows
from ..intake.dataset_table import opened
from ..intake.elsewhere import in_files, is_collection, is_dataset
from ..intake.parameters import Arguments
from ..intake.validation_sets import validation_sets
from .callback_support import is_protocol_callback
from .model import assign
from .over_partitions import heard_once, planned_partitions, refuse_estimator, refuse_options

_TAKING_DATASETS = ("fit", "update", "refit")


def learn_elsewhere(
    arguments: Arguments, method: Callable[..., Any], model: Any, *args: Any, **kwargs: Any
) -> Any:
    """What a method that learns gives for such rows."""
    given = dict(zip(arguments.known, args, strict=False)) | kwargs
    refuse_estimator(model)
    if is_dataset(given.get("X")) or in_files(given.get("X")):
        model._check_for_dataset()
    if any(map(is_collection, given.values())):
        return _on_cluster(arguments, model, given)
    with heard_once():
        if arguments.method in _TAKING_DATASETS:
            with suppressed_warnings():  # the fit itself will give them
                model._check_parameters()
            refuse_options(model)
            given |= _opened(arguments, model, given)
        return method(model, *args[len(arguments.known) :], **given)


def predict_elsewhere(
    method: Callable[..., Any], model: Any, X: Any, *args: Any, **kwargs: Any
) -> Any:
    """What a method that predicts gives for a dataset or a collection: an iterator, or a lazy one.

    For a table in files it gives the answers for its rows, which are read batch by batch. A model
    that cannot predict for datasets refuses them itself.
    """
    if is_collection(X):
        return predict_lazily(method.__name__, model, X, *args, **kwargs)
    if in_files(X):
        return predict_rows(method, model, X)
    if model.predicts_datasets:
        return predict_batches(method, model, X, *args, **kwargs)
    return method(model, X, *args, **kwargs)


def _opened(arguments: Arguments, model: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The arguments that name a dataset or its columns, as a table in files and arrays."""
    found: dict[str, Any] = {}
    features = None
    for end, shown in (("", type(model).__name__), ("_val", "")):
        X = given.get("X" + end)
        names = [name + end for name in ("y", "sample_weight", "offset", "groups")]
        roles = {name: given.get(name) for name in names if name in arguments.known}
        if is_dataset(X):
            table, columns = opened(X, roles, features=features, shown=model.verbose and shown)
            features = table.names
            found |= {"X" + end: table, **dict(zip(roles, columns, strict=True))}
        elif isinstance(X, Mapping):
            found |= _opened_sets(X, roles, features)
    return found


def _opened_sets(X_val: Mapping[Any, Any], roles: dict[str, Any], features: Any) -> dict[str, Any]:
    """The same of validation sets by their names."""
    sets = {}
    for name, X, names in validation_sets(X_val, roles):
        if is_dataset(X):
            X, names = opened(X, dict(zip(roles, names, strict=True)), features=features)
        sets[name] = X, *names
    columns = zip(("X_val", *roles), zip(*sets.values(), strict=True), strict=True)
    return {role: dict(zip(sets, of, strict=True)) for role, of in columns}


def _on_cluster(arguments: Arguments, model: Any, given: dict[str, Any]) -> Any:
    """Fits a model on collections of Dask's, on the cluster of the current client."""
    with planned_partitions():
        refuse_estimator(model)
        if arguments.method != "fit":
            raise TypeError(
                f"{type(model).__name__}.{arguments.method} takes no dask collections: pass "
                "X.compute() and y.compute(), or call fit."
            )
        model._check_parameters()
        refuse_options(model)
    if is_regressor(model):
        check_numbers(given)
    for callback in model.get_params(deep=False).get("callbacks") or ():
        if is_protocol_callback(callback):
            raise TypeError(
                f"callbacks holds {callback!r}, which dask collections do not go with: pass "
                "functions of (t, state, history), which are called in the client."
            )
    own = set(model.get_params(deep=False))

    def keep(kept: Any, fitted: dict[str, Any]) -> None:
        found = {name: value for name, value in fitted.items() if name not in own}
        assign(kept, found, forget=vars(kept).keys() - own - found.keys())

    fit_on_cluster(model, given, keep)
    return model
