"""How an estimator is written to a file and read: parameters, fitted attributes, settings."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, is_dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np

from ..base.added_field import without_added_defaults
from ..base.messages.warnings import suppressed_warnings
from ..engines import resolve_threads
from ..files.check import known_names, need, of_type
from ..files.error import Flaw
from ..files.record import Book, Record
from ..intake.parameters import changed
from ..registry import Row, class_of
from ..uncertainty.conformity import HOWS, Conformity, Decision, learnt
from .kept import Kept, checked_decision, estimator_fields, kept_of

# Parameters that change neither a model nor its record.
_ASIDE = ("n_jobs", "verbose", "warm_start")
# What watches a fit and what routes its arguments is not kept, nor what is found again, nor
# the container of answers, nor the version of a pickle.
_DROPPED = (
    *("_skl_callbacks", "_parent_callback_ctx", "_metadata_request", "_origin"),
    *("_sklearn_output_config", "_weaklearn_version"),
)
# Parameters that hold functions or row numbers of one fit.
_ROWS_ALONE = ("callbacks", "cv")
_DERIVED = ("n_features_in_", "feature_names_in_")


@dataclass(frozen=True)
class KeptEstimator:
    """The record of one estimator class, made from its row of the registry."""

    row: Row

    @cached_property
    def name(self) -> str:
        """The name of the class."""
        return self.row.name

    @property
    def number(self) -> int:
        """The number of the class in files."""
        assert self.row.number is not None
        return self.row.number

    @cached_property
    def kept(self) -> Kept:
        """The fitted attributes that a file holds, with their checks."""
        return kept_of(self.row)

    def record(self, book: Callable[[], Book]) -> Record:
        """The ``Record`` of the class; ``book`` is called only when a file is read."""
        return Record(
            self.number,
            self.row.address,
            self.take,
            lambda fields: self.make(fields, book()),
            sided=True,
            knows=self.knows,
            begins=self._begun,
        )

    # ------------------------------------------------------------------------------------ writing

    def take(self, model: Any) -> list[Any]:
        """[parameters, fitted attributes, settings that are no part of the fingerprint]."""
        parameters = model.get_params(deep=False)
        attributes = {k: v for k, v in model.__getstate__().items() if k not in parameters}
        for name in _ROWS_ALONE:
            parameters.pop(name, None)
        if is_dataclass(model):
            parameters = without_added_defaults(model, parameters)
        conformity = attributes.pop("_conformity", None)
        decision = attributes.pop("_decision", None)
        before = attributes.pop("_settled", {})
        if isinstance(parameters.get("random_state"), (np.random.RandomState, np.random.Generator)):
            need("_seed" in attributes, "random_state is a generator; pass a whole number")
            parameters["random_state"] = attributes["_seed"]  # what the fit drew from it
        for name in ("callbacks", *_DROPPED, *self.kept.dropped):
            attributes.pop(name, None)
        state = self._packed(attributes) if attributes else {}
        aside = [
            {name: parameters.pop(name) for name in _ASIDE if name in parameters},
            {name: state.pop(name) for name in sorted(self.kept.sided) if name in state},
        ]
        if conformity is not None and conformity.of(model):
            aside[1]["_conformity"] = conformity.kept()
        if decision is not None and decision.of(model):
            aside[1]["_decision"] = [decision.positive, decision.threshold]
        other = changed(before, model._settings()) if before else {}
        if other:  # parameters that were set after the fit, which knew these
            aside[1]["_settled"] = other
        return [dict(sorted(parameters.items())), dict(sorted(state.items())), aside]

    def _packed(self, attributes: dict[str, Any]) -> dict[str, Any]:
        if "_schema" in attributes:
            for name in _DERIVED:
                attributes.pop(name, None)
        state = attributes if self.kept.pack is None else self.kept.pack(attributes)
        for name in state:
            if name not in self.kept.fitted and name not in self.kept.optional:
                raise Flaw(
                    f"the rule of the registry does not list {name!r} among the fitted names of "
                    f"{self.name}"
                )
        return state

    # ------------------------------------------------------------------------------------ reading

    def knows(self, k: int, name: Any) -> None:
        """Refuses what is no parameter (k is 0) or no fitted name (1)."""
        if k == 1:
            self.kept.knows(self.name, name)
        else:
            known = _parameters(class_of(self.row))
            if type(name) is not str or name not in known:
                known_names(f"parameter of {self.name}", (name,), ())

    def _begun(self, given: Any, aside: Any) -> None:
        """Refuses parameters that are wrong, or the lack of those that were set aside."""
        self._blank(estimator_fields([given, {}, aside])[0])

    def make(self, fields: list[Any], book: Book) -> Any:
        """The estimator of such fields, every one of them checked."""
        given, state, aside = estimator_fields(fields)
        model = self._blank(given)
        conformity = aside[1].pop("_conformity", None)
        decision = aside[1].pop("_decision", None)
        before = aside[1].pop("_settled", {})
        of_type("settled parameters", before, dict)
        state = state | aside[1]
        if state:
            self._fill(model, state, book)
        if model._settings is not None:
            known_names(f"settled parameter of {self.name}", before, set(model._settings()))
            model._settled = model._settings() | before
        else:
            need(not before, f"{self.name} settles nothing")
        if conformity is not None:
            need(model._hows, f"{self.name} has no scores of calibration")
            model._conformity = _conformity(conformity, model)
        if decision is not None:
            positive, threshold = checked_decision(decision, model)
            model._decision = Decision(positive, threshold, learnt(model))
        return model

    def _blank(self, given: dict[str, Any]) -> Any:
        """An unfitted estimator with the given parameters, these checked."""
        kind = class_of(self.row)
        known_names(f"parameter of {self.name}", given, _parameters(kind))
        model = kind(**given)
        try:
            model._check_parameters()
            if given.get("n_jobs") is not None:
                with suppressed_warnings():
                    resolve_threads(given["n_jobs"])
        except MemoryError:
            raise
        except Exception as error:  # whatever a hostile value leads a check to
            raise Flaw(f"a parameter is wrong: {error!s:.300}") from None
        return model

    def _fill(self, model: Any, state: dict[str, Any], book: Book) -> None:
        state = self.kept.checked(self.name, state, book)
        schema = state.get("_schema")
        if self.kept.unpack is not None:
            self.kept.unpack(model, state)
        else:
            model.__dict__.update(state)
        if schema is not None:
            model.n_features_in_ = schema.n_features
            if schema.names is not None:
                model.feature_names_in_ = np.array(schema.names, dtype=object)
        for check in (self.kept.consistent, self.kept.cross_check):
            if check is not None:
                check(model)


@cache
def _parameters(kind: type) -> frozenset[str]:
    return frozenset(inspect.signature(kind).parameters)


def _conformity(kept: Any, model: Any) -> Conformity:
    """The calibration scores from a file, bound to the loaded model."""
    good = type(kept) is list and len(kept) in (3, 5)
    need(good, "the scores of calibration are no list of three or five")
    how, scores, vouched = kept[:3]
    need(how in HOWS and type(vouched) is bool, "the scores of calibration are of no known kind")
    good = isinstance(scores, np.ndarray) and scores.dtype == np.float64 and scores.ndim == 1
    good = good and len(scores) > 0 and not np.isnan(scores).any()
    need(good, "the scores of calibration are no numbers")
    need(bool((scores[1:] >= scores[:-1]).all()), "the scores of calibration do not rise")
    n, drawn = kept[3:] or (len(scores), False)
    good = type(n) is int and len(scores) <= n < 2**63 and type(drawn) is bool
    need(good, "the numbers of calibration rows are not possible")
    return Conformity(scores, how, vouched, learnt(model), n, drawn)
