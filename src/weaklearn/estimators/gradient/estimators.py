"""GradientBoostingClassifier and GradientBoostingRegressor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from typing import Any, Self

import numpy as np

from ... import losses
from ...base.added_field import ADDED
from ...base.history import History
from ...base.loss import EVENTS, Loss
from ...base.messages.value_text import show
from ...base.sample import Sample
from ...base.types import Floats
from ...base.votes.tree_sum import AdditiveTrees
from ...boosters.gradient import GradientBoosting
from ...intake import parameters
from ...intake.label_kind import label_score
from ...intake.labels import coded_labels, codes_among
from ...intake.multilabel import labels_in_table
from ...intake.prepare import Prepared
from ...intake.targets import NumberForm, read_events
from ...intake.validation_sets import ValidationSet
from ...losses.smoothing import smoothed
from ...losses.survival import EventLoss
from ...metrics import concordance_index
from ...prediction import sums, survival
from . import label_tables
from .fit import Descent
from .model import GradientBoostingModel
from .predictions import ClassAnswers, NumberAnswers


@parameters.declared_in_order
class GradientBoostingClassifier(ClassAnswers, GradientBoostingModel):
    """Trees that descend the log-loss, Newton step by Newton step; untuned, it is meant to do well.

    F_0 is the log-odds; every round adds ``learning_rate`` times a tree fitted to the slope of the
    loss, for more than two classes a tree a class. Probabilities are 1/(1 + exp(-F)), or the
    softmax of the scores.

    A y of several columns holds 0 and 1, a column for each label that a row may have, or the share
    of each class, numbers that add up to 1 in a row. Of labels each has a log-loss, trees and a
    probability of its own, and ``predict`` gives a table as y is; the log-loss of shares q is
    -sum q_k ln p_k, and ``score`` the mean share of the class that is predicted.

    **Guarantee.** Every round's step goes downhill on the examples it learns from, but for
    ``path_smoothing`` and ``dropout``, which may ask for another one. The same data give the same
    model, bit for bit, in any order of rows and on any number of threads.

    Parameters
    ----------
    loss : "log_loss", "exponential", "focal", "hinge", a loss object, or functions (gradient,
        curvature, value)
        "exponential" and "hinge" are for two classes. The probabilities of "exponential" are
        1/(1 + exp(-2F)); those of "hinge" want calibrating.
    label_smoothing : float in [0, 1), default 0.0
        The share of every label that is dealt evenly to all classes, in the log-loss.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    validation_losses_, feature_importances_

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from weaklearn import GradientBoostingClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> model = GradientBoostingClassifier(n_estimators=50).fit(X[:400], y[:400])
    >>> round(model.score(X[400:], y[400:]), 2)
    0.96
    """

    loss: Any = field(default="log_loss", kw_only=False)
    max_features: int | float = 0.5
    class_weight: Any = None
    label_smoothing: float = field(default=0.0, metadata=ADDED)

    staged_decision_function = sums.staged_decision_function
    staged_predict = sums.staged_predict
    staged_predict_proba = sums.staged_predict_proba

    _written = label_tables.written

    def _prepare(self, X: Any, y: Any, sample_weight: Any, resumed: bool) -> Prepared:
        if resumed:
            label_tables.refuse_other_form(self, y)
        if labels_in_table(y):
            return label_tables.prepared_table(self, X, y, sample_weight, resumed)
        return super()._prepare(X, y, sample_weight, resumed)

    def _resolve_loss(self, prepared: Prepared) -> Loss:
        if prepared.sample.n_classes > 0:
            return super()._resolve_loss(prepared)
        return label_tables.table_loss(prepared, self.monotonic_cst is not None)

    def _with_sets(self, prepared: Prepared, sets: list[ValidationSet]) -> Prepared:
        if prepared.sample.n_classes > 0:
            return super()._with_sets(prepared, sets)
        sets = label_tables.table_sets(prepared, sets)
        found = super()._with_sets(replace(prepared, indicator=None), sets)
        return replace(found, indicator=prepared.indicator)

    def _names(self, inputs: Descent, ensemble: AdditiveTrees, history: History) -> dict[str, Any]:
        found, form = super()._names(inputs, ensemble, history), inputs.prepared.indicator
        return found if form is None else found | {"_indicator": (form.absent, form.sparse)}

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float:
        """The share of the labels that are right; of several a row, that of rows with all right.

        Where y holds shares of classes it is the mean share of the class that is predicted.
        """
        return self._label_score(self.predict(X, offset), y, sample_weight)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy after 1, 2, ... rounds."""
        for labels in self.staged_predict(X):
            yield self._label_score(labels, y, sample_weight)

    def _label_score(self, labels: Any, y: Any, sample_weight: Any) -> float:
        if self._indicator is None and label_tables.learnt_shares(self) and labels_in_table(y):
            return label_tables.table_score(self, y, labels, sample_weight)
        return label_score(self.classes_, y, labels, sample_weight)

    def _check_parameters(self) -> None:
        smoothing = self.label_smoothing
        parameters.real("label_smoothing", smoothing, None, 1.0, least=0.0, strict=True)
        super()._check_parameters()

    def _named_loss(self, n_classes: int) -> Loss:
        loss = super()._named_loss(n_classes)
        return smoothed(loss, float(self.label_smoothing)) if self.label_smoothing else loss

    def margins(self, X: Any, y: Any) -> Floats:
        """In [-1, 1]: the score of the true class above the others', over the most there can be."""
        if self._indicator is not None:
            raise TypeError(
                "margins are of one class a row, and the rows of training may have several labels: "
                "decision_function tells the score of each."
            )
        F = self._scores(X)
        codes = codes_among(self.classes_, y, len(F), "y")
        most = self.ensemble_.weight + np.abs(self.ensemble_.base)
        if F.shape[1] == 1:
            signs = coded_labels(codes, len(self.classes_))
            return signs * F[:, 0] / max(float(most[0]), 1e-300)
        everyone = np.arange(len(F))
        mine = F[everyone, codes]
        others = F.copy()
        others[everyone, codes] = -np.inf
        return np.asarray((mine - others.max(axis=1)) / (2 * max(float(most.max()), 1e-300)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        return tags


@parameters.declared_in_order
class GradientBoostingRegressor(NumberAnswers, GradientBoostingModel):
    """Trees that descend a loss of numbers; untuned, it is meant to do well.

    F_0 is the best constant; every round adds ``learning_rate`` times a tree fitted to the slope of
    the loss. Several quantiles may be learnt in one fit; their predictions never cross. A y of
    several columns is several targets, each with a tree a round of its own. With loss="cox" and
    "aft" y holds times of events: a structured array, or a DataFrame, of a column of bool (whether
    the event came) and one of numbers (the time, until the event or the last look). ``predict``
    then gives the logarithm of the hazard, or the time, and ``score`` the concordance index.

    Parameters
    ----------
    loss : "squared_error", "absolute_error", "huber", "pseudo_huber", "log_cosh", "quantile",
        "expectile", "mape", "poisson", "gamma", "tweedie", "cox", "aft", a loss object, or
        functions (gradient, curvature, value)
        What is minimised; "squared_error" by default.

    Attributes
    ----------
    n_features_in_, feature_names_in_, n_iter_, stop_reason_, history_, ensemble_,
    validation_losses_, feature_importances_

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from weaklearn import GradientBoostingRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> model = GradientBoostingRegressor(n_estimators=50).fit(X[:300], y[:300])
    >>> round(model.score(X[300:], y[300:]), 1)
    0.5
    """

    loss: Any = field(default="squared_error", kw_only=False)
    quantile: Any = 0.5
    alpha: float = 0.9
    power: float = 1.5

    predict_survival = survival.predict_survival

    @property
    def _number_form(self) -> NumberForm:  # type: ignore[override]
        return "events" if self._of_events else "columns"

    @property
    def _of_events(self) -> bool:
        """Whether y holds times of events."""
        return losses.named(self.loss, n_classes=None).target == EVENTS

    def _named_loss(self, n_classes: int) -> Loss:
        if isinstance(self.loss, str) and self.loss not in losses.FOR_EVENTS:
            return super()._named_loss(n_classes)
        loss = losses.named(self.loss, n_classes=None)
        return loss if loss.target == EVENTS else super()._named_loss(n_classes)

    def _known_of_loss(
        self, booster: GradientBoosting, sample: Sample, ensemble: AdditiveTrees
    ) -> dict[str, Any]:
        booster = replace(booster, copies=None)
        loss = booster._adapted(sample, booster.replay(sample, ensemble).F)
        return loss.known() if isinstance(loss, EventLoss) else {}

    def _names(self, inputs: Descent, ensemble: AdditiveTrees, history: History) -> dict[str, Any]:
        found = super()._names(inputs, ensemble, history)
        names = inputs.prepared.target.names
        return found | {"_target_names": names} if names and not self._of_events else found

    def truncate(self, n: int) -> Self:
        model = super().truncate(n)
        if model.n_iter_ < self.n_iter_:
            for name in survival.KNOWN:  # which belong to all rounds
                model.__dict__.pop(name, None)
        return model

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float:
        """R^2; of quantiles the share of the loss of the best constants that is gone.

        Of several targets it is the mean of those of each, of times of events the concordance
        index.
        """
        if not self._of_events:
            return super().score(X, y, sample_weight, offset)
        return self._concordance(self._scores(X, offset), y, sample_weight)

    def _concordance(self, F: Floats, y: Any, sample_weight: Any) -> float:
        times = read_events(y, len(F))
        loss = losses.named(self.loss, n_classes=None)
        assert isinstance(loss, EventLoss)
        risk = loss.risk(F[:, 0])
        return concordance_index(times > 0, np.abs(times), risk, sample_weight=sample_weight)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags

    @property
    def _no_intervals(self) -> str:
        if self._loss.target == EVENTS:
            return (
                f"loss {show(self._loss.name)} learns times of events, and conformal intervals are "
                "of numbers; predict_survival tells how sure a time is."
            )
        if self._loss.n_targets > 1:
            return (
                f"y in training held {self._loss.n_targets} targets a row, and conformal intervals "
                "are of one; fit and conformalize a model for each."
            )
        return ""

    def staged_predict(self, X: Any) -> Iterator[Floats]:
        """The numbers after 1, 2, ... rounds."""
        for F in self._staged_scores(X):
            yield self._answer(F)

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The score after 1, 2, ... rounds."""
        if self._of_events:
            for F in self._staged_scores(X):
                yield self._concordance(F, y, sample_weight)
            return
        for numbers in self.staged_predict(X):
            yield self._scored(numbers, y, sample_weight)
