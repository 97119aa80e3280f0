"""Models made by playing a boosting game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.sample import Rows
from ..base.votes.prior import Foreknown, Prior
from ..files.check import either, instance, need, one_of, real, text
from ..files.error import Flaw
from ..files.game import (
    CODED_SCORES,
    ENSEMBLE,
    FADING,
    FOREKNOWN,
    LABEL_SCORES,
    LABEL_SUM,
    MEDIAN,
    PAIRWISE,
    REVOTED,
    STACKED,
    WEIGHTED_SUM,
)
from ..files.loss import LOSSES
from ..losses import links
from ..losses.links import ALL_PAIRS, Calibration, decide, softmax
from .columns import by_columns
from .held import Held
from .model import Classifier, Floats, Model, columns, labels

_ANY = (ENSEMBLE, STACKED, PAIRWISE, REVOTED, WEIGHTED_SUM, FADING, FOREKNOWN)
_LABELS = (LABEL_SUM, LABEL_SCORES, CODED_SCORES)
_loss = either(*(record.home for record in LOSSES))


class _Game(Model):
    """A vote, and the weak learner that says how strictly rows are read."""

    ensemble_: Any

    def __init__(self, source: Held) -> None:
        foreign = source.state.get("_any_shape")
        need(not foreign, "it holds learners from elsewhere; use weaklearn.load")
        super().__init__(source)

    def _reading(self) -> tuple[str, bool]:
        learner = self.parameters.get("estimator")
        strict = isinstance(learner, Held) and learner.missing == "error"
        careful = strict or (isinstance(learner, Held) and learner.unseen == "error")
        unseen = self.parameters.get("unseen", "missing")
        one_of("missing", "error")("unseen", unseen)
        return ("error" if careful else str(unseen)), strict

    def _votes(self, X: Any) -> Floats:
        rows = self._rows(X)
        return np.asarray(self.ensemble_(rows))


def _prior_of(given: Any) -> Any:
    """What a vote begins with: nothing, a classifier, or rules of people."""
    from .loading import model_of

    if not isinstance(given, Held):
        need(given is None or callable(given), "prior is neither a model nor rules")
        return given
    prior = model_of(given)
    need(hasattr(prior, "predict_proba"), f"prior is a {given.name}, without probabilities")
    return prior


class VoteClassifier(_Game, Classifier):
    """A vote on classes."""

    calibration_: Calibration
    _scheme: str
    _needed = {
        "_schema": columns,
        "classes_": labels,
        "ensemble_": either(*(record.home for record in (*_ANY, *_LABELS))),
        "calibration_": instance(Calibration),
        "_scheme": text,
    }

    def __init__(self, source: Held) -> None:
        super().__init__(source)
        try:
            self._odds = links.vote_odds(source.row.odds, source.parameters)
        except (KeyError, TypeError, ValueError) as error:
            raise Flaw(f"a parameter is wrong: {error!s:.300}") from None
        self._several: int | None = None  # what stands for "has not", where rows have many labels
        self._cut = 0.0
        form = source.state.get("_indicator")
        if form is not None:
            need(type(form) is tuple and len(form) == 2, "_indicator is no pair")
            one_of(0, -1)("_indicator", form[0])
            self._several = int(form[0])
            if "_cut" in source.state:
                real()("_cut", source.state["_cut"])
                self._cut = float(source.state["_cut"])

    def _check(self) -> None:
        """A vote begins with a prior where, and only where, there is one."""
        super()._check()
        prior = _prior_of(self.parameters.get("prior"))
        for part in self.ensemble_.parts:
            known = isinstance(part, Foreknown)
            need(known == (prior is not None and self._K > 1), "a vote lacks its prior")
            if known:
                need(part.prior.k < self._K, f"a prior is of class {part.prior.k}, which is none")
                part.prior = Prior(prior, self.classes_.tolist(), part.prior.k)

    def _rows(self, X: Any) -> Rows:
        """The rows; a prior reads them as columns where they go by names."""
        rows = super()._rows(X)
        named = isinstance(X, (list, tuple)) and len(X) > 0 and isinstance(X[0], Mapping)
        if named and self.parameters.get("prior") is not None:
            return replace(rows, raw=by_columns(X, self._schema.names or ()))
        return rows

    @property
    def _link_scale(self) -> float:
        return links.link_scale(self._scheme, self._several is not None)

    def decision_function(self, X: Any) -> Floats:
        """F: (n,) for two classes (above 0: ``classes_[1]``), else (n, K)."""
        F = self._votes(X)
        return F if self._several is None else F - self._cut

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row, or which labels it has."""
        F = self.decision_function(X)
        if self._several is not None:
            return np.where(F > 0, 1, self._several).astype(np.int64)
        return np.asarray(self.classes_[decide(F, self._K)])

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, in the order of ``classes_``."""
        F = self.calibration_(self.decision_function(X))
        if self._several is not None:
            return links.of_each_label(F, self._link_scale)
        if self._K == 1:
            return np.ones((len(F), 1))
        return softmax(F) if self._scheme == ALL_PAIRS else self._link_some(F)

    def _link_some(self, F: Floats) -> Floats:
        return links.of_votes(self._odds * F, self._scheme, self._link_scale)


class AnyVoteClassifier(VoteClassifier):
    """A vote that has descended a loss."""

    loss_: Any
    _needed = VoteClassifier._needed | {"loss_": _loss}

    def _link_some(self, F: Floats) -> Floats:
        return links.of_any_loss(self.loss_, F)


class Ranker(_Game):
    """Scores of items."""

    _needed = {"_schema": columns, "ensemble_": either(ENSEMBLE.home, WEIGHTED_SUM.home)}

    def predict(self, X: Any) -> NDArray[Any]:
        """The score of each item: the higher, the further up."""
        return self._votes(X)


class VoteRegressor(Ranker):
    """A vote on numbers."""

    _needed = {"_schema": columns, "ensemble_": instance(MEDIAN.home)}


class AnyVoteRegressor(Ranker):
    """A sum that has descended a loss."""

    loss_: Any
    _needed = {
        "_schema": columns,
        "ensemble_": either(WEIGHTED_SUM.home, ENSEMBLE.home, REVOTED.home),
        "loss_": _loss,
    }

    def predict(self, X: Any) -> NDArray[Any]:
        """The number of each row."""
        return np.asarray(self.loss_.inverse_link(self._votes(X)))
