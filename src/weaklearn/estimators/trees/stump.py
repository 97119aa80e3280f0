"""DecisionStumpClassifier, one test and two answers; RuleClassifier, one rule for one class."""

from __future__ import annotations

from dataclasses import field
from math import log
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.added_field import ADDED
from ...base.ensemble import Ensemble
from ...base.hypothesis import EQUALITY, Stump
from ...base.messages.table import Table
from ...base.rows import Rows
from ...base.sample import ABSTAINED, RIGHT, WRONG
from ...base.trees.rule import Rule
from ...base.types import Floats
from ...engines import choose, on_threads
from ...export import methods as export
from ...inspection import explainable
from ...inspection.merge_rules import first_rows
from ...inspection.rule_text import feature_name, real_threshold, renamed, rule_texts
from ...inspection.tree_sum import TreeSum, sum_of
from ...inspection.tree_text import rule_condition
from ...intake import parameters
from ...intake.label_kind import score_of_labels
from ...intake.prepare import Prepared, Reading, Target, prepare
from ...intake.schema import Schema
from ...learners.rule import RuleLearner
from ...learners.stump import StumpLearner
from ...prediction import rules, signs, stumps
from ...prediction.rows import read_rows
from ...production.provenance import after_fit
from ...uncertainty.conformal import SetPrediction
from ..fit import column_names
from ..model import Model, in_one_step

Categorical = Literal["equality", "multiway"]
Missing = Literal["branch", "abstain", "error"]


class OneRule(SetPrediction, ClassifierMixin, Model):
    """What a stump and a rule share: one hypothesis, found in one step."""

    score = score_of_labels

    # Parameters that both declare.
    missing: Any
    unseen: parameters.Unseen
    columns: parameters.Matching
    min_weight_fraction_leaf: float
    class_weight: Any
    categorical_features: Any
    n_jobs: int | None

    _missing: ClassVar[Any]  # what may be done with missing values
    _hypothesis: ClassVar[str]  # the fitted name of the hypothesis
    _schema: Schema

    def _check_parameters(self) -> None:
        parameters.one_of("missing", self.missing, self._missing)
        parameters.reading(self)
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)

    def _prepared(self, X: Any, y: Any, sample_weight: Any) -> Prepared:
        return prepare(
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

    def _keep(self, schema: Schema, classes: NDArray[Any], **facts: Any) -> Self:
        """Assigns every fitted name in one step."""
        self.__dict__.pop("feature_names_in_", None)
        self.__dict__.update(column_names(schema) | {"classes_": classes} | facts)
        return self

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, self._hypothesis)
        strict = self.missing == "error"
        X = self._schema.matched(X, self.columns)
        return read_rows(self._schema, X, on_threads(), unseen=self.unseen, strict=strict)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.string = True
        tags.input_tags.allow_nan = self.missing != "error"
        tags.classifier_tags.poor_score = True
        return tags


@parameters.declared_in_order
class DecisionStumpClassifier(OneRule):
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
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    min_weight_fraction_leaf: float = 0.0
    class_weight: Any = None
    categorical_features: Any = "from_dtype"
    random_state: Any = None
    n_jobs: int | None = None

    explain = explainable.explain
    interactions = explainable.interactions
    shapes = explainable.shapes
    to_frame = explainable.to_frame
    to_shap_trees = explainable.to_shap_trees
    to_c = export.to_c
    to_javascript = export.to_javascript
    to_json = export.to_json
    to_onnx = export.to_onnx
    to_pmml = export.to_pmml
    to_python = export.to_python
    to_sql, to_scorecard = export.to_sql, export.to_scorecard
    _explained_sum = explainable.scores_explained
    _explained_scale = explainable.score_scale
    _model_ir = export.model_ir

    _missing, _hypothesis = Missing, "stump_"

    def _check_parameters(self) -> None:
        parameters.one_of("categorical", self.categorical, Categorical)
        super()._check_parameters()

    def _native_learner(self) -> StumpLearner:
        self._check_parameters()
        share = float(self.min_weight_fraction_leaf)
        return StumpLearner(self.categorical, self.missing, share)

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Finds the best stump for weighted rows."""
        learner = self._native_learner()
        parameters.seed("random_state", self.random_state)
        prepared = self._prepared(X, y, sample_weight)
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
        column = schema.columns[h.feature]
        return self._keep(
            schema,
            classes,
            stump_=h,
            feature_=h.feature,
            threshold_=real_threshold(schema, h),
            polarity_=h.high if len(classes) <= 2 else None,
            level_=column.describe(h.category) if h.test == EQUALITY else None,
            error_=error,
        )

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


RuleMissing = Literal["abstain", "error"]


@parameters.declared_in_order
class RuleClassifier(OneRule):
    """A conjunction of tests for ``classes_[1]``: x <= t, x > t, a category, or a missing value.

    It is grown on two thirds of the weight, test by test, and pruned on the rest. Where all tests
    are met, the score is ``confidence_``; elsewhere the rule says nothing, and the score is 0,
    which counts for ``classes_[0]``. A missing value meets no test but that for missing values.
    Where no rule is found that tells the classes apart, it has no test and holds always.

    Parameters
    ----------
    grow : float, default 2/3
        The share of the weight to grow on.
    max_tests : int, optional
        At most so many tests.
    min_weight_fraction_leaf : float, default 0.0
        No test leaves a smaller share of the weight to grow on.
    missing : {"abstain", "error"}, default "abstain"
        Missing values meet no test but that for them, or are refused.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds the draw of the examples to grow on. None is 0.

    Attributes
    ----------
    rule_, confidence_, error_, classes_, n_features_in_, feature_names_in_

    Examples
    --------
    >>> from weaklearn import RuleClassifier
    >>> X = [[k, 2.5] for k in range(40)]
    >>> rule = RuleClassifier().fit(X, [int(10 <= k < 30) for k in range(40)])
    >>> print(rule.rules())
    if                  then  right  wrong  confidence
    9.5 < x[0] <= 28.5  1        19      0       1.832
    """

    grow: float = 2 / 3
    max_tests: int | None = None
    min_weight_fraction_leaf: float = 0.0
    missing: RuleMissing = "abstain"
    unseen: parameters.Unseen = "missing"
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    class_weight: Any = None
    categorical_features: Any = "from_dtype"
    random_state: Any = None
    n_jobs: int | None = None

    _missing, _hypothesis = RuleMissing, "rule_"

    def _check_parameters(self) -> None:
        parameters.real("grow", self.grow, 0.0, 1.0)
        if self.max_tests is not None:
            parameters.integer("max_tests", self.max_tests, 1, None, "None")
        super()._check_parameters()

    def _native_learner(self) -> RuleLearner:
        self._check_parameters()
        most = parameters.limit("max_tests", self.max_tests, 1)
        seed = parameters.seed("random_state", self.random_state)
        return RuleLearner(float(self.grow), most, float(self.min_weight_fraction_leaf), seed)

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Builds the rule from weighted rows."""
        learner = self._native_learner()
        prepared = self._prepared(X, y, sample_weight)
        if len(prepared.classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: y "
                f"holds {len(prepared.classes)} classes; pass two, or use SlipperClassifier."
            )
        sample = prepared.sample
        D = sample.prior
        h = learner.bind(sample)(D, sample.y)
        correct = sample.correctness(h)
        right, wrong, abstained = (D.mass(correct, side) for side in (RIGHT, WRONG, ABSTAINED))
        less = 0.5 / sample.m
        confidence = 0.5 * log((right + less) / (wrong + less))
        self._from_rule(h, prepared.schema, prepared.classes, confidence, wrong + abstained / 2)
        self._origin = after_fit(sample)
        return self

    def _from_rule(
        self, h: Rule, schema: Schema, classes: NDArray[Any], confidence: float, error: float
    ) -> RuleClassifier:
        return self._keep(schema, classes, rule_=h, confidence_=confidence, error_=error)

    decision_function = rules.decision_function
    predict = signs.predict

    def rules(
        self, n: int | None = None, *, merge: bool = False, feature_names: Any = None
    ) -> Table:
        """The one rule, in words.

        ``feature_names`` says what columns are called where training did not see names. ``merge``
        must be False, as there is one rule.
        """
        check_is_fitted(self, "rule_")
        h, label = self.rule_, self.classes_[-1]
        schema = renamed(self._schema, feature_names)
        row = (rule_condition(schema, h), str(label), h.right, h.wrong, self.confidence_)
        table = Table("rule", ["if", "then", "right", "wrong", "confidence"], [row])
        return first_rows(table, n, merge)

    @property
    def feature_importances_(self) -> Floats:
        """The share of the tests that each feature has."""
        check_is_fitted(self, "rule_")
        return np.asarray(self.rule_.importances(self.n_features_in_))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags
