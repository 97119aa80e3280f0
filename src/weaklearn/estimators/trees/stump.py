"""DecisionStumpClassifier: one test, two answers."""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.ensemble import Ensemble
from ...base.messages.table import Table
from ...base.sample import ABSTAINED, WRONG, Rows
from ...base.trees.stump import EQUALITY, Stump
from ...engines import choose, on_threads
from ...export import methods as export
from ...inspection import explainable
from ...inspection.merge_rules import first_rows
from ...inspection.rule_text import feature_name, real_threshold, renamed, rule_texts
from ...inspection.tree_sum import TreeSum, sum_of
from ...intake import parameters
from ...intake.prepare import Reading, Target, prepare
from ...intake.schema import Schema
from ...learners.stump import StumpLearner
from ...prediction import stumps
from ...prediction.rows import read_rows
from ...production.provenance import after_fit
from ...uncertainty.conformal import SetPrediction
from ..model import Model, in_one_step

Categorical = Literal["equality", "multiway"]
Missing = Literal["branch", "abstain", "error"]


@parameters.declared_in_order
class DecisionStumpClassifier(SetPrediction, ClassifierMixin, Model):
    """The stump of least weighted error over all features, thresholds and polarities: exact.

    h(x) = polarity if x[feature] > threshold else -polarity, with polarity +1 standing for
    ``classes_[1]``. Ties go to the lowest feature, then the lowest threshold, then polarity +1.
    For more than two classes each side answers its heaviest class.

    Parameters
    ----------
    categorical : {"equality", "multiway"}, default "equality"
        Test a category against the rest, or give every category its own answer.
    missing : {"branch", "abstain", "error"}, default "branch"
        Missing values get an answer of their own, none at all, or are refused.
    min_weight_fraction_leaf : float, default 0.0
        The least share of the weight on each side of a test; 0.5 at most.
    random_state : None, int below 2**32, RandomState or Generator
        Not used, as the search is exact; scikit-learn's trees, whose place it may take, have it.

    Attributes
    ----------
    feature_, threshold_, polarity_, error_, level_, classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import DecisionStumpClassifier
    >>> stump = DecisionStumpClassifier().fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> stump.feature_, stump.threshold_, stump.polarity_, stump.error_
    (0, 2.5, 1, 0.0)
    """

    categorical: Categorical = "equality"
    missing: Missing = "branch"
    unseen: parameters.Unseen = "missing"
    min_weight_fraction_leaf: float = 0.0
    class_weight: Any = None
    categorical_features: Any = "from_dtype"
    random_state: Any = None
    n_jobs: int | None = None

    explain = explainable.explain
    interactions = explainable.interactions
    shapes = explainable.shapes
    to_frame = explainable.to_frame
    to_c = export.to_c
    to_onnx = export.to_onnx
    to_python = export.to_python
    _explained_sum = explainable.scores_explained
    _explained_scale = explainable.score_scale
    _model_ir = export.model_ir

    def _check_parameters(self) -> None:
        parameters.one_of("categorical", self.categorical, Categorical)
        parameters.one_of("missing", self.missing, Missing)
        parameters.one_of("unseen", self.unseen, parameters.Unseen)
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)

    def _native_learner(self) -> StumpLearner:
        self._check_parameters()
        share = float(self.min_weight_fraction_leaf)
        return StumpLearner(self.categorical, self.missing, share)

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Finds the best stump for weighted rows."""
        learner = self._native_learner()
        parameters.seed("random_state", self.random_state)
        prepared = prepare(
            X,
            y,
            sample_weight,
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            target=Target(class_weight=self.class_weight),
            reading=Reading(
                categorical_features=self.categorical_features,
                refuses_missing=self.missing == "error",
            ),
        )
        sample = prepared.sample
        D = sample.prior
        h = learner.bind(sample)(D, sample.y)
        correct = sample.correctness(h)
        error = D.mass(correct, WRONG) + D.mass(correct, ABSTAINED) / 2
        self._from_stump(h, prepared.schema, prepared.classes, error)
        self._origin = after_fit(sample)
        return self

    def _from_stump(
        self, h: Stump, schema: Schema, classes: NDArray[Any], error: float
    ) -> DecisionStumpClassifier:
        facts: dict[str, Any] = {
            "stump_": h,
            "_schema": schema,
            "classes_": classes,
            "n_features_in_": schema.n_features,
            "feature_": h.feature,
            "threshold_": real_threshold(schema, h),
            "polarity_": h.high if len(classes) <= 2 else None,
            "level_": schema.columns[h.feature].describe(h.category)
            if h.test == EQUALITY
            else None,
            "error_": error,
        }
        if schema.names is not None:
            facts["feature_names_in_"] = np.array(schema.names, dtype=object)
        else:
            self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(facts)
        return self

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "stump_")
        strict = self.missing == "error"
        return read_rows(self._schema, X, on_threads(), unseen=self.unseen, strict=strict)

    def _tree_sum(self) -> TreeSum:
        check_is_fitted(self, "stump_")
        return sum_of(
            Ensemble(1 if len(self.classes_) <= 2 else len(self.classes_)).plus(1.0, self.stump_)
        )

    _answers = stumps.answers
    predict = stumps.predict
    decision_function = stumps.decision_function

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """All on the feature tested."""
        check_is_fitted(self, "stump_")
        shares = np.zeros(self.n_features_in_)
        shares[self.feature_] = 1.0
        return shares

    def rules(
        self, n: int | None = None, *, merge: bool = False, feature_names: Any = None
    ) -> Table:
        """The one rule, in words.

        ``feature_names`` says what columns are called where training did not see names. ``merge``
        must be False, as there is one rule.
        """
        check_is_fitted(self, "stump_")
        h, schema = self.stump_, renamed(self._schema, feature_names)
        row = (*rule_texts(schema, h, self.classes_), self.error_)
        name = feature_name(schema, h.feature)
        table = Table(f"stump on {name}", ["test", "then", "else", "if missing", "error"], [row])
        return first_rows(table, n, merge)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.string = True
        tags.classifier_tags.poor_score = True
        return tags
