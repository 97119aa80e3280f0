"""How scores answer: labels and probabilities, or numbers, by the link of a loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from ... import losses
from ...base.certificate import Certificates
from ...base.loss import CLASSES, SIGNS, Loss
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, warn
from ...base.offered import fact
from ...base.types import Floats
from ...intake import parameters
from ...intake.label_kind import label_score
from ...intake.labels import check_column_names
from ...intake.prepare import Prepared
from ...losses.links import numbers_of
from ...losses.names import set_by_parameters
from ...prediction import sums
from ...theory.certificates.held_out import held_out
from ...uncertainty import conformal
from ...uncertainty.conformity import HOWS, two_sided
from ...uncertainty.test_error import all_hold, judged_rows, together, whose_errors
from .. import thresholds
from .base import DescendingModel


class ClassAnswers(ClassifierMixin, DescendingModel):
    """Labels and probabilities of a model whose scores descend a loss of classes."""

    tune_threshold, set_threshold = thresholds.tune_threshold, thresholds.set_threshold
    threshold_, _binary_scores = property(thresholds.given_threshold), thresholds.decision_scores
    _probability_at = sums.probability_at

    conformalize = conformal.conformalize
    conformal_certificate = conformal.conformal_certificate
    predict_set = conformal.predict_set
    _hows = HOWS
    _judged_cells = conformal.cells_of
    _label_scores = conformal.label_scores

    classes_: NDArray[Any]

    def _resolve_loss(self, prepared: Prepared) -> Loss:
        K = prepared.sample.n_classes
        if K > 2 and self.monotonic_cst is not None:
            raise ValueError(
                f"monotonic_cst is set, and y holds {K} classes: it is for two classes and for "
                "numbers."
            )
        loss = self._named_loss(K)
        if loss.n_outputs != (K if K > 2 else 1):
            raise ValueError(
                f"loss {loss.name!r} is of {loss.n_outputs} score(s) a row, and y holds {K} "
                "classes; use loss='log_loss'."
            )
        return super()._resolve_loss(prepared)

    def _output_name(self, k: int) -> str:
        return str(self.classes_[k])

    @property
    def _no_intervals(self) -> str:
        if self._indicator is None:
            return ""
        return (
            "conformal sets are of one class a row, and rows may have several labels; fit and "
            "conformalize a model for each."
        )

    decision_function = sums.decision_function
    predict = parameters.suggesting(sums.predict)
    predict_proba = parameters.suggesting(sums.predict_proba)
    _link = sums.probabilities

    def predict_log_proba(self, X: Any, offset: Any = None) -> Floats:
        """The logarithm of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X, offset))

    def _unseen_label_scores(self) -> Floats:
        F = fact(self, "oob_decision_function_")
        if F is None:
            raise conformal.no_bags(self)
        return two_sided(F) if F.ndim == 1 else 1 - self._link(F)

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float:
        """The share of the labels that are right."""
        return label_score(self.classes_, y, self.predict(X, offset), sample_weight)

    def certify(
        self,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        delta: float = 0.05,
        offset: Any = None,
        *,
        repeats: str = "copies",
    ) -> Certificates:
        """What rows the model has never seen say of its true error, with probability 1 - delta.

        X and y, the rows of fit, are taken as elsewhere; no theorem here asks for them. ``offset``
        is that of the rows of X_test. Rows that are equal, label included, count as one; with
        ``repeats="draws"`` they are taken for independent draws that are equal by chance.
        """
        check_is_fitted(self, "ensemble_")
        parameters.real("delta", delta, 0.0, 0.999999)
        together(X, y, X_test, y_test)
        if X_test is None:
            return Certificates([], "rows not used in fitting are needed: pass X_test and y_test")
        if offset is None and self._has_offset:
            raise ValueError(
                "the model was fitted with an offset, and X_test is given without one; pass "
                "offset= of these rows as well."
            )
        given = {} if offset is None else {"offset": offset}
        found = held_out(judged_rows(self, X_test, y_test, repeats, **given), delta)
        return Certificates.ranked(found, all_hold(delta), whose_errors(self))


class NumberAnswers(RegressorMixin, DescendingModel):
    """Numbers of a model whose scores descend a loss of numbers."""

    conformalize = conformal.conformalize
    conformal_certificate = conformal.conformal_certificate
    predict_interval = conformal.predict_interval
    _hows = HOWS
    _judged_cells = conformal.cells_of

    quantile: Any
    alpha: float
    power: float

    _regression = True

    def _named_loss(self, n_classes: int) -> Loss:
        name = self.loss if isinstance(self.loss, str) else ""
        if name == "quantile" and isinstance(self.quantile, (list, tuple, np.ndarray)):
            return self._quantiles_loss()
        own = self.get_params(deep=False)
        options = {
            field: parameters.real(
                known.parameter, own[known.parameter], known.above, known.below, strict=True
            )
            for field, known in set_by_parameters(name).items()
            if known.parameter in own
        }
        if options:
            return losses.named(name, n_classes=n_classes, **options)
        if not parameters.same(self.quantile, 0.5):
            warn(
                f"quantile={show(self.quantile)} is set, but loss={show(self.loss)} does not "
                "use it; pass loss='quantile' to have that quantile learnt.",
                BoostingWarning,
            )
        loss = super()._named_loss(n_classes)
        if loss.target in (SIGNS, CLASSES):
            raise ValueError(f"loss {loss.name!r} is for classes; use a loss for numbers.")
        return loss

    def _quantiles_loss(self) -> Loss:
        if not parameters.is_list(self.quantile) or len(self.quantile) == 0:
            raise ValueError(
                f"quantile={show(self.quantile)} is not allowed: it must be one number above 0 and "
                "below 1, or a list of one or more."
            )
        levels = [parameters.real("quantile", q, 0.0, 1.0, strict=True) for q in self.quantile]
        return losses.Quantiles(tuple(levels))

    @parameters.suggesting
    def predict(self, X: Any, offset: Any = None) -> Floats:
        """The number for each row; of several quantiles or targets, a column each."""
        return self._answer(self._scores(X, offset))

    def _output_name(self, k: int) -> str:
        levels = self._loss.leaf_quantiles
        if levels is None or self._loss.n_targets > 1:
            return self._target_names[k] if self._target_names else str(k)
        return f"quantile {levels[k]:g}"

    def _answer(self, F: Floats) -> Floats:
        return numbers_of(self._loss, F)

    def score(self, X: Any, y: Any, sample_weight: Any = None, offset: Any = None) -> float:
        """R^2; of quantiles the share of the loss of the best constants that is gone.

        Of several targets it is the mean of those of each.
        """
        return self._scored(self.predict(X, offset), y, sample_weight)

    def certify(
        self,
        X: Any = None,
        y: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        delta: float = 0.05,
    ) -> Certificates:
        """No certificate, and a note that says why: errors of numbers may be of any size."""
        check_is_fitted(self, "ensemble_")
        return Certificates(
            [],
            "no theorem here bounds the error of numbers, which may be of any size; "
            "score(X_test, y_test) tells it for rows not used in fitting",
        )

    def _scored(self, numbers: Floats, y: Any, sample_weight: Any) -> float:
        from sklearn.metrics import d2_pinball_score, r2_score  # heavy, and rarely needed

        check_column_names(y, self._target_names)
        levels = self._loss.leaf_quantiles if self.loss == "quantile" else None
        if levels is None:
            return float(r2_score(y, numbers, sample_weight=sample_weight))
        if self._loss.n_targets > 1:
            how = {"sample_weight": sample_weight, "alpha": levels[0]}
            return float(d2_pinball_score(y, numbers, **how))
        columns = numbers.reshape(len(numbers), -1).T
        scores = [
            d2_pinball_score(y, column, sample_weight=sample_weight, alpha=level)
            for column, level in zip(columns, levels, strict=True)
        ]
        return float(np.mean(scores))
