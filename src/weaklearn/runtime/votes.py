"""Votes of boosting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter
from typing import Any

import numpy as np

from ..base.offered import offers
from ..base.rows import Rows
from ..base.types import Floats
from ..files.check import need, one_of
from ..files.error import Flaw
from ..losses.links import of_any_loss, vote_odds
from ..persistence.kept import Held
from ..persistence.kept_boosting import with_prior
from ..prediction import vote_numbers, votes
from ..prediction.rows import written
from . import later
from .columns import by_columns
from .model import Model


class _Votes(Model):
    """A vote, and the weak learner that says how strictly rows are read."""

    _ensemble = property(attrgetter("ensemble_"))

    def _restore(self) -> None:
        need(not self._any_shape, "it holds learners from elsewhere; use weaklearn.load")

    def _reading(self) -> tuple[str, bool]:
        learner = self.parameters.get("estimator")
        strict = isinstance(learner, Held) and learner.missing == "error"
        careful = strict or (isinstance(learner, Held) and learner.unseen == "error")
        unseen = self.parameters.get("unseen", "missing")
        one_of("missing", "error")("unseen", unseen)
        return ("error" if careful else str(unseen)), strict


def _prior_of(given: Any) -> Any:
    """What a vote begins with: nothing, a classifier, or rules of people."""
    if not isinstance(given, Held):
        need(given is None or callable(given), "prior is neither a model nor rules")
        return given
    prior = later.model_of(given)
    need(offers(prior, "predict_proba"), f"prior is a {given.name}, without probabilities")
    return prior


class VoteClassifier(_Votes):
    """A vote on classes."""

    _cut = 0.0
    decision_function = votes.decision_function
    predict = votes.predict
    predict_proba = votes.predict_proba
    _link_some = votes.link_votes

    def _restore(self) -> None:
        """A vote begins with a prior where, and only where, there is one."""
        super()._restore()
        try:
            self._odds = vote_odds(self.row.odds, self.parameters)
        except (KeyError, TypeError, ValueError) as error:
            raise Flaw(f"a parameter is wrong: {error!s:.300}") from None
        prior = _prior_of(self.parameters.get("prior"))
        with_prior(self.ensemble_, prior, self.classes_.tolist())

    def _rows(self, X: Any) -> Rows:
        """The rows; a prior reads them as columns where they go by names."""
        rows = super()._rows(X)
        named = isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], Mapping)
        if named and self.parameters.get("prior") is not None:
            return replace(rows, raw=by_columns(X, self._schema.names or ()))
        return rows

    _written = written


class AnyVoteClassifier(VoteClassifier):
    """A vote that has descended a loss."""

    def _link_some(self, F: Floats) -> Floats:
        return of_any_loss(self.loss_, F)


class VoteRegressor(_Votes):
    """A vote on numbers, or on scores of items."""

    predict = vote_numbers.predict

    def _prediction(self, F: Floats) -> Floats:
        return F


class AnyVoteRegressor(VoteRegressor):
    """A sum that has descended a loss."""

    def _prediction(self, F: Floats) -> Floats:
        return np.asarray(self.loss_.inverse_link(F))
