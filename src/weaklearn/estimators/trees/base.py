"""What every decision tree shares: growing, reading, and finding the leaf of a row."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from math import ceil, log2
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import ClassifierMixin, is_classifier
from sklearn.utils.validation import check_is_fitted

from ...base.messages.table import Spelled, Table
from ...base.messages.warnings import deferred_warnings
from ...base.offered import fact
from ...base.rows import CUT, Binning, Rows
from ...base.sample import Sample
from ...base.trees.packed import packed_once
from ...base.trees.split_search import OF_NUMBERS, features_to_try
from ...base.trees.tree import Tree
from ...base.types import Floats
from ...engines import choose
from ...export import methods as export
from ...inspection import explainable
from ...inspection.merge_rules import first_rows
from ...inspection.rule_text import renamed
from ...inspection.tree_sum import TreeSum, averaged
from ...inspection.tree_text import Words, test_bits
from ...intake import parameters
from ...intake.label_kind import score_of_labels
from ...intake.prepare import Prepared, Reading, Target, prepare
from ...intake.schema import Schema
from ...learners.pruning import importances
from ...learners.tree import ORDERED, TreeLearner
from ...prediction import trees
from ...prediction.outputs import class_names, labels_by_output, shares_by_output
from ...prediction.rows import predict_log_proba, read_rows
from ...production.provenance import after_fit
from ...uncertainty.conformal import SetPrediction
from .. import thresholds
from ..constraints import monotonic
from ..fit import column_names
from ..model import Model, in_one_step
from . import one_output
from .prune_by_cv import chosen_alpha
from .several_outputs import (
    no_intervals,
    refuse_settings,
    refuse_several,
    settings_allow_several,
    several_tags,
)
from .tree_parameters import MaxFeatures, Missing


class TreeEstimator(Model):
    """What every decision tree shares: growing, reading, and finding the leaf of a row."""

    of_output, _keep_output = one_output.of_output, one_output.keep_of_tree
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
    _explained_sum = explainable.shares_explained
    _explained_scale = explainable.share_scale
    _model_ir = export.model_ir

    # Parameters, or what they are fixed at.
    n_jobs: int | None
    unseen: parameters.Unseen
    columns: parameters.Matching
    missing: Missing
    exact: bool
    max_features: MaxFeatures
    monotonic_cst: Any
    categorical_features: Any
    class_weight: Any

    _tree_holder = "tree_"

    # Set by fit.
    tree_: Tree
    n_outputs_: int
    _schema: Schema
    _gaps: frozenset[int]
    _criterion: str

    _takes_outputs = False  # whether y may have several columns, each an output

    # ------------------------------------------------------------------------------------ fitting

    @property
    def _binning(self) -> Binning:
        return ORDERED if self.exact else CUT

    @abstractmethod
    def _native_learner(self) -> TreeLearner:
        """The learner that the parameters describe, every one of them checked."""

    def _check_parameters(self) -> None:
        self._native_learner()

    def _prepared(self, X: Any, y: Any, sample_weight: Any, learner: TreeLearner) -> Prepared:
        """The sample to grow on."""
        return prepare(
            X,
            y,
            sample_weight,
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            binning=learner.binning,
            target=Target(
                class_weight=self.class_weight,
                regression=not is_classifier(self),
                outputs=self._takes_outputs,
            ),
            reading=Reading(
                categorical_features=self.categorical_features,
                refuses_missing=self.missing == "error",
            ),
        )

    @abstractmethod
    def _answer(self, node: int) -> str | Spelled:
        """The prediction of a node, as text, or as a number with its text."""

    @abstractmethod
    def _error(self, node: int) -> float | None:
        """The share of a node's weight that its answer gets wrong; None for numbers."""

    def _grown(self, X: Any, y: Any, sample_weight: Any) -> tuple[Prepared, TreeLearner, Tree]:
        """The sample, the learner, and a tree that is not pruned yet."""
        with deferred_warnings():
            learner = self._native_learner()
            prepared = self._prepared(X, y, sample_weight, learner)
            wanted = monotonic(self.monotonic_cst, prepared.schema)
        refuse_settings(self, learner, prepared)
        learner, sample = replace(learner, monotonic=wanted), prepared.sample
        settings = learner.settings(sample)
        grower = sample.engine.trees.grower(sample, settings, prepared.n_outputs)
        return prepared, learner, grower.grow(None)

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grows the tree on weighted rows; whole weights count as repetitions."""
        prepared, learner, tree = self._grown(X, y, sample_weight)
        sample, outputs = prepared.sample, prepared.outputs
        classes = prepared.classes if outputs is None else list(outputs.classes)
        if learner.pruning == "cost_complexity" and learner.ccp_alpha is None:
            alpha = chosen_alpha(sample, learner, tree, learner.seed)
            learner = replace(learner, ccp_alpha=alpha)
        tree = learner.pruned(tree, sample.engine)
        facts = self._facts_of(sample) | {"_origin": after_fit(sample)}
        if learner.pruning == "cost_complexity":
            facts["ccp_alpha_"] = learner.ccp_alpha
        gaps = _gaps(sample, tree)
        facts["n_outputs_"] = prepared.n_outputs
        return self._keep(tree, prepared.schema, classes, learner.criterion, gaps, facts)

    def _facts_of(self, sample: Sample) -> dict[str, Any]:
        """Further fitted names, by the sample."""
        return {}

    def _keep(
        self,
        tree: Tree,
        schema: Schema,
        classes: NDArray[Any] | list[NDArray[Any]],
        criterion: str,
        gaps: frozenset[int],
        others: dict[str, Any] | None = None,
    ) -> Self:
        """Assigns every fitted name in one step; of several outputs ``classes`` is a list."""
        drawn = features_to_try(self.max_features, schema.n_features)
        facts: dict[str, Any] = (
            {"n_outputs_": 1}
            | (others or {})
            | column_names(schema)
            | {
                "tree_": tree,
                "_gaps": gaps,
                "_criterion": criterion,
                "max_features_": drawn or schema.n_features,
            }
        )
        if criterion not in OF_NUMBERS:
            facts |= {"classes_": classes, "n_classes_": numbers_of_classes(classes)}
        for name in ("feature_names_in_", "ccp_alpha_", "_origin"):
            self.__dict__.pop(name, None)
        self.__dict__.update(facts)
        return self

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "tree_")
        strict = self.missing == "error"
        X = self._schema.matched(X, self.columns)
        return read_rows(self._schema, X, choose(self.n_jobs), unseen=self.unseen, strict=strict)

    _values = trees.leaf_values

    def _tree_sum(self) -> TreeSum:
        check_is_fitted(self, "tree_")
        refuse_several(self, "explanations and exports are")
        return averaged([self.tree_])

    def apply(self, X: Any) -> NDArray[np.int64]:
        """The number of the leaf where each row ends up.

        With missing="fraction" a row may have several; then it is the heaviest of them.
        """
        rows = self._rows(X)
        packed = packed_once(self.tree_, rows)
        nodes: NDArray[np.int32] = packed.apply(rows.cells, rows.engine.threads)
        return nodes[:, 0].astype(np.int64)

    def decision_path(self, X: Any) -> csr_matrix:
        """Which nodes each row passes: a sparse matrix of ones, (rows, nodes)."""
        leaves = self.apply(X)
        return path_matrix(self.tree_, leaves)

    # --------------------------------------------------------------------------------- describing

    def get_depth(self) -> int:
        """The largest number of tests on the way to a leaf."""
        check_is_fitted(self, "tree_")
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves

    @property
    def feature_importances_(self) -> Floats:
        """The share of the decrease of impurity that each feature holds."""
        check_is_fitted(self, "tree_")
        return importances(self.tree_, self._criterion, self.n_features_in_)

    def _words(self, feature_names: Any = None) -> Words:
        check_is_fitted(self, "tree_")
        schema = renamed(self._schema, feature_names)
        return Words(self.tree_, schema, self._gaps, self._answer, self._error)

    def rules(
        self, n: int | None = None, *, merge: bool = False, feature_names: Any = None
    ) -> Table:
        """The first n leaves (all by default): conditions, answer, examples there, their error.

        ``feature_names`` says what columns are called where training did not see names. ``merge``
        must be False, as there is one tree.
        """
        return first_rows(self._words(feature_names).rules(), n, merge)

    def to_text(self, max_depth: int | None = None) -> str:
        """The tree as indented lines, one a branch, down to so many tests; what numbers are below.

        A list of more than a few categories is cut short; ``rules().to_frame()`` has all of them.
        """
        if max_depth is not None:
            parameters.integer("max_depth", max_depth, 1, None, "None")
        return self._words().text(max_depth)

    def to_graphviz(self) -> str:
        """The tree as Graphviz source: write it to a file and run ``dot -Tsvg`` on it."""
        return self._words().graphviz()

    def description_length(self) -> int:
        """The bits that a prefix-free description of the tree takes, node by node from the root.

        A leaf takes 1 bit and ceil(lg K) for its class (64 for a number), a test 1 bit and
        ceil(lg d) for its feature. This is all for features of two values, where two classes give
        ``theory.bounds.tree_bits``; elsewhere a threshold takes 64 bits more, and a set of
        categories one a category. Where missing values go is not counted.
        """
        check_is_fitted(self, "tree_")
        tree = self.tree_
        inner = np.flatnonzero(~tree.is_leaf).tolist()
        naming = ceil(log2(self.n_features_in_))
        tests = sum(1 + naming + test_bits(tree, self._schema, node) for node in inner)
        return tests + tree.n_leaves * (1 + self._answer_bits)

    @property
    def _answer_bits(self) -> int:
        return 64

    _no_intervals = property(no_intervals)

    def __sklearn_is_fitted__(self) -> bool:
        return fact(self, "tree_") is not None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        several = self._takes_outputs and settings_allow_several(self, self._native_learner)
        several_tags(tags, several)
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self.missing != "error"
        tags.input_tags.string = True
        return tags


def numbers_of_classes(classes: NDArray[Any] | list[NDArray[Any]]) -> int | list[int]:
    """How many classes there are; of several outputs a list."""
    return [len(each) for each in classes] if isinstance(classes, list) else len(classes)


def _chosen(shares: Floats) -> NDArray[np.intp]:
    return trees.class_numbers(shares, shares.shape[1])


def path_matrix(tree: Tree, leaves: NDArray[np.int64]) -> csr_matrix:
    """The nodes on the way to each leaf, as ones: (rows, nodes)."""
    depths, parents = tree.depths, tree.parents
    ends = np.cumsum(depths[leaves] + 1)
    nodes = np.empty(int(ends[-1]) if len(ends) else 0, np.int64)
    here, at = leaves, ends - 1
    while len(here):  # parents have smaller numbers, so that every row is in order
        nodes[at] = here
        climbing = here > 0
        here, at = parents[here[climbing]].astype(np.int64), at[climbing] - 1
    ones = np.ones(len(nodes), np.int64)
    return csr_matrix((ones, nodes, np.r_[0, ends]), shape=(len(leaves), len(tree)))


def _gaps(sample: Sample, tree: Tree) -> frozenset[int]:
    """The features tested of which training had missing values."""
    used = np.unique(tree.feature[~tree.is_leaf]).tolist()
    describe = sample.coded.describe
    return frozenset(j for j in used if describe(j)["has_missing"])


class ClassTree(SetPrediction, ClassifierMixin, TreeEstimator):
    """What trees of classes share: shares of classes at every node, the largest one answers."""

    tune_threshold, set_threshold = thresholds.tune_threshold, thresholds.set_threshold
    threshold_, _binary_scores = property(thresholds.given_threshold), thresholds.share_scores
    _probability_at = thresholds.of_difference

    score = score_of_labels

    classes_: Any  # of several outputs a list

    predict_proba = trees.predict_proba
    predict = trees.predict
    predict_log_proba = predict_log_proba

    def _codes(self, values: Floats) -> NDArray[np.intp]:
        return trees.class_numbers(values, len(self.classes_))

    def _answer(self, node: int) -> str:
        values = self.tree_.values[[self.tree_.value[node]]]
        if self.n_outputs_ > 1:
            return ", ".join(map(str, labels_by_output(self.classes_, values, _chosen)[0]))
        return str(self.classes_[self._codes(values)[0]])

    def _error(self, node: int) -> float | None:
        """Of several outputs the mean of theirs."""
        values = self.tree_.values[[self.tree_.value[node]]]
        shares = shares_by_output(class_names(self), values)
        return float(np.mean([1 - part.max() for part in shares]))

    @property
    def _answer_bits(self) -> int:
        return sum(ceil(log2(len(classes))) for classes in class_names(self))
