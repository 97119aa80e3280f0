"""RuleClassifier: one rule, which speaks for one class or says nothing."""

from __future__ import annotations

from math import log
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ...base.messages.table import Table
from ...base.sample import ABSTAINED, RIGHT, WRONG, Rows
from ...base.trees.rule import Rule
from ...base.types import Floats
from ...engines import choose, on_threads
from ...inspection.merge_rules import first_rows
from ...inspection.rule_text import renamed
from ...inspection.tree_text import rule_condition
from ...intake import parameters
from ...intake.prepare import Reading, Target, prepare
from ...intake.schema import Schema
from ...learners.rule import RuleLearner
from ...prediction import rules, signs
from ...prediction.rows import read_rows
from ...production.provenance import after_fit
from ...uncertainty.conformal import SetPrediction
from ..model import Model, in_one_step

Missing = Literal["abstain", "error"]


@parameters.declared_in_order
class RuleClassifier(SetPrediction, ClassifierMixin, Model):
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
    missing: Missing = "abstain"
    unseen: parameters.Unseen = "missing"
    class_weight: Any = None
    categorical_features: Any = "from_dtype"
    random_state: Any = None
    n_jobs: int | None = None

    def _check_parameters(self) -> None:
        parameters.real("grow", self.grow, 0.0, 1.0)
        if self.max_tests is not None:
            parameters.whole("max_tests", self.max_tests, 1, None, "None")
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
        parameters.one_of("missing", self.missing, Missing)
        parameters.one_of("unseen", self.unseen, parameters.Unseen)

    def _native_learner(self) -> RuleLearner:
        self._check_parameters()
        most = None if self.max_tests is None else int(self.max_tests)
        seed = parameters.seed("random_state", self.random_state)
        return RuleLearner(float(self.grow), most, float(self.min_weight_fraction_leaf), seed)

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Builds the rule from weighted rows."""
        learner = self._native_learner()
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
        facts: dict[str, Any] = {
            "rule_": h,
            "_schema": schema,
            "classes_": classes,
            "n_features_in_": schema.n_features,
            "confidence_": confidence,
            "error_": error,
        }
        self.__dict__.pop("feature_names_in_", None)
        if schema.names is not None:
            facts["feature_names_in_"] = np.array(schema.names, dtype=object)
        self.__dict__.update(facts)
        return self

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "rule_")
        strict = self.missing == "error"
        return read_rows(self._schema, X, on_threads(), unseen=self.unseen, strict=strict)

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
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.string = True
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.poor_score = True
        return tags
