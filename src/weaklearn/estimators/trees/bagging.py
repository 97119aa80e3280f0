"""BaggingClassifier and BaggingRegressor: one learner, many bags, one average."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import field
from typing import Any, ClassVar, TypeVar

import numpy as np
from sklearn import config_context
from sklearn.base import is_classifier, is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ...base.added_field import ADDED
from ...base.history import History
from ...base.messages.warnings import DataWarning
from ...base.numeric.hashing import places, stream
from ...base.numeric.magnitude import SUMMED
from ...base.rows import Rows
from ...base.sample import take_rows
from ...base.trees.split_search import features_to_try
from ...base.types import Floats, Ints
from ...callbacks import Progress
from ...engines import choose, resolve_threads
from ...ensembles import Bags
from ...export import methods as export
from ...intake import parameters
from ...intake.prepare import Prepared, Target, prepare
from ...intake.schema import Schema
from ...learners.foreign import explained, fresh, weight_argument
from ...prediction import averages
from ...production.provenance import forget_rows
from ..boosting.weak_learner import is_foreign, reading_for, rows_for, with_tags_of
from ..constraints import cut_to_columns
from ..model import Model
from . import bag_export, bag_trees, one_output
from .averaged_ensemble import Averaging, Facts
from .averages import ClassAverage, NumberAverage
from .bag_export import part_of
from .out_of_bag import labels_or_numbers
from .several_outputs import of_one_output, several_tags, takes_outputs
from .stump import DecisionStumpClassifier
from .tree import DecisionTreeClassifier, DecisionTreeRegressor

Member = tuple[Any, Ints]  # a fitted estimator, and the columns that it looks at
Item = TypeVar("Item")
Found = TypeVar("Found")

_COLUMNS = 0x434F4C  # the purpose of draws among columns


@parameters.declared_in_order
class Bagging(Averaging):
    """What both share: drawing bags, training the members, averaging their predictions.

    Parameters
    ----------
    n_estimators : int, default 10
        Members.
    max_features : int or float, default 1.0
        Columns a member looks at: a number, or a share of all.
    bootstrap : bool, default True
        Draw examples with replacement. Without, max_samples should be below 1.0.
    bootstrap_features : bool, default False
        Draw columns with replacement; one that is drawn twice is there once.
    warm_start : bool, default False
        Keep the members there are, and train those that are lacking.
    """

    of_output, _keep_output = one_output.of_output, one_output.keep_of_members
    explain = bag_export.explain
    interactions = bag_export.interactions
    tree, to_shap_trees = bag_trees.tree, bag_trees.to_shap_trees
    to_c = export.to_c
    to_javascript = export.to_javascript
    to_json = export.to_json
    to_onnx = export.to_onnx
    to_pmml = export.to_pmml
    to_python = export.to_python
    to_sql = export.to_sql
    _model_ir = bag_export.model_ir

    estimator: Any = field(default=None, kw_only=False)
    n_estimators: int = field(default=10, kw_only=False)
    max_samples: int | float | None = None
    max_features: int | float = 1.0
    bootstrap: bool = True
    bootstrap_features: bool = False
    oob_score: Any = False
    warm_start: bool = False
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0

    _any_learner = True
    _learners: ClassVar[dict[str, type[Model]]]  # by name, those of this library

    # Set by fit.
    estimator_: Any = field(init=False)
    estimators_: list[Any] = field(init=False)
    estimators_features_: list[Ints] = field(init=False)
    n_features_in_: int = field(init=False)
    _schema: Schema = field(init=False)

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("columns", self.columns, parameters.Matching)
        parameters.switch("bootstrap_features", self.bootstrap_features)
        parameters.count_or_share("max_features", self.max_features, 1)

    def _learner(self) -> Any:
        """The estimator that every member is a copy of."""
        estimator = self.estimator_ if self._resumed() else self.estimator
        if estimator is None or isinstance(estimator, str):
            parameters.one_of("estimator", estimator, [None, *self._learners])
            return self._learners[estimator or "tree"]()
        if isinstance(estimator, type):
            name = estimator.__name__
            raise TypeError(f"estimator={name} is a class; pass an instance, {name}().")
        reason = ""
        if not (hasattr(estimator, "fit") and hasattr(estimator, "predict")):
            reason = "it lacks fit or predict"
        elif hasattr(estimator, "__sklearn_tags__"):
            if is_classifier(self) and is_regressor(estimator):
                reason = "it is a regressor"
            elif is_regressor(self) and is_classifier(estimator):
                reason = "it is a classifier"
        if reason:
            raise TypeError(
                f"estimator={estimator!r} cannot be bagged: {reason}; pass an estimator of this "
                "library or of scikit-learn, or leave it at its default."
            )
        return estimator

    def _prepare(self, X: Any, y: Any, weight: Any, learner: Any, resumed: bool) -> Prepared:
        return prepare(
            X,
            y,
            weight,
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            known=(self._schema, self._known_classes) if resumed else None,
            columns=self.columns,
            target=Target(regression=not is_classifier(self), largest=SUMMED, outputs=True),
            reading=reading_for(learner),
        )

    def _trained(self, learner: Any, prepared: Prepared, bags: Bags, resumed: bool) -> Facts:
        members = self._members() if resumed else []
        members += self._trained_from(len(members), learner, prepared, bags)
        several = {} if prepared.outputs is None else {"n_outputs_": prepared.n_outputs}
        return several | {
            "estimator_": learner,
            "estimators_": [member for member, _ in members],
            "estimators_features_": [columns for _, columns in members],
        }

    def _trained_from(self, first: int, base: Any, prepared: Prepared, bags: Bags) -> list[Member]:
        """The members from ``first`` on."""
        seed, sample, n_features = bags.seed, prepared.sample, prepared.schema.n_features
        labels = labels_or_numbers(prepared)
        asked = parameters.count_or_share("max_features", self.max_features, 1)
        n_columns = features_to_try(asked, n_features) or n_features
        weights = None if self.bootstrap else sample.importance
        if weights is not None and weight_argument(base) is None:
            raise ValueError(
                f"sample_weight cannot be used: {type(base).__name__} takes no weights, and with "
                "bootstrap=False rows are not drawn by weight either; set bootstrap=True."
            )

        def train(b: int) -> Member:
            rows, columns = bags.rows(b), self._columns(n_columns, n_features, seed, b)
            X, y = part_of(take_rows(sample.raw, rows), columns, n_features), labels[rows]
            if is_classifier(self) and is_foreign(base) and (y == y[0]).all():
                # Many classifiers refuse a single class.
                return DummyClassifier(strategy="most_frequent").fit(X, y), columns
            member = cut_to_columns(fresh(base, seed, b), prepared.schema, columns.tolist())
            named = {} if weights is None else {str(weight_argument(base)): weights[rows]}
            try:
                with config_context(enable_metadata_routing=False):
                    member.fit(X, y, **named)
            except ValueError as error:
                raise explained(error, base, sample) from error
            forget_rows(member)
            return member, columns

        members: list[Member] = []
        progress = Progress(self.n_estimators, type(self).__name__, first)
        with _quietly(base):
            for member in self._each(train, range(first, self.n_estimators), base):
                members.append(member)
                if self.verbose:
                    progress(first + len(members), None, History([{}]))
        progress.close()
        return members

    def _columns(self, k: int, n_features: int, seed: int, b: int) -> Ints:
        """The columns of member b, drawn by (seed, b); one that is drawn twice is there once."""
        if self.bootstrap_features:
            return np.unique(places(stream(k, seed, b, _COLUMNS), n_features))
        if k == n_features:
            return np.arange(n_features)
        return np.sort(np.argsort(stream(n_features, seed, b, _COLUMNS), kind="stable")[:k])

    def _each(
        self, function: Callable[[Item], Found], items: Iterable[Item], base: Any
    ) -> Iterator[Found]:
        """A function of every item, in order; learners outside this library work in parallel."""
        threads = resolve_threads(self.n_jobs) if is_foreign(base) else 1
        if threads == 1:
            yield from map(function, items)
            return
        pool = ThreadPoolExecutor(threads)
        try:
            yield from pool.map(function, items)
        finally:
            pool.shutdown(cancel_futures=True)

    # --------------------------------------------------------------------------------- predicting

    @property
    def _n_members(self) -> int:
        return len(self.estimators_)

    def _members(self, facts: Facts | None = None) -> list[Member]:
        known = vars(self) if facts is None else facts
        return list(zip(known["estimators_"], known["estimators_features_"], strict=True))

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "estimators_")
        base, engine = self.estimator_, choose(self.n_jobs)
        X = self._schema.matched(X, self.columns)
        return rows_for(base, self._schema, X, engine, "missing", is_foreign(base))

    def _answers(self, facts: Facts, rows: Rows, classes: Any) -> Iterator[Floats]:
        """The predictions of each member, (rows, outputs), in batches to save memory."""
        if len(rows) == 0:  # which many estimators refuse
            sizes = (
                [len(each) for each in classes] if isinstance(classes, tuple) else [len(classes)]
            )
            yield np.zeros((0, sum(sizes) or int(facts.get("n_outputs_", 1))))
            return
        members, base = self._members(facts), facts["estimator_"]
        n_features = rows.cells.n_features

        def ask(member: Member) -> Floats:
            estimator, columns = member
            return self._answer(estimator, part_of(rows.raw, columns, n_features), classes)

        size = 4 * rows.engine.threads
        for start in range(0, len(members), size):
            with _quietly(base):
                batch = list(self._each(ask, members[start : start + size], base))
            yield from batch

    @abstractmethod
    def _answer(self, member: Any, X: Any, classes: Any) -> Floats:
        """The predictions of one member for X, (rows, outputs)."""

    @property
    def feature_importances_(self) -> Floats:
        """The mean of the members' importances, for learners that have them."""
        total = np.zeros(len(self._schema.columns))
        for member, columns in self._members():
            if not isinstance(member, DummyClassifier):
                total[columns] += member.feature_importances_
        mass = total.sum()
        return total / mass if mass > 0 else total

    def __sklearn_tags__(self) -> Any:
        tags = with_tags_of(self.estimator, super().__sklearn_tags__())
        several_tags(tags, takes_outputs(self.estimator))
        return tags


@contextmanager
def _quietly(base: Any) -> Iterator[None]:
    """Silences data warnings of single bags: the fit has warned of all of X already."""
    if is_foreign(base):
        yield
        return
    with warnings.catch_warnings(action="ignore", category=DataWarning):
        yield


@parameters.declared_in_order
class BaggingClassifier(ClassAverage, Bagging):
    """Bagging: a classifier trained on many bootstrap samples, and the average of its copies.

    For b = 1 ... B, n examples are drawn with replacement, the learner is trained on them, and the
    probabilities (or, without these, the votes) of all members are averaged; the largest average
    wins, the smallest label on ties.

    Parameters
    ----------
    estimator : "tree", "stump", or any classifier or Pipeline, default "tree"
        What is trained on every bag.
    oob_score : bool or function of (y, predicted), default False
        Score every example by the members whose bag left it out; accuracy by default.

    Attributes
    ----------
    estimators_, estimators_samples_, estimators_features_, estimator_, classes_, n_classes_,
    n_features_in_, feature_names_in_, feature_importances_, oob_score_, oob_decision_function_,
    oob_coverage_

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> from weaklearn import BaggingClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> model = BaggingClassifier(KNeighborsClassifier(1), n_estimators=50, oob_score=True)
    >>> model.fit(X, y).oob_score_, model.oob_coverage_
    (0.96, 1.0)

    Reference: Breiman (1996), Bagging predictors.
    """

    _learners = {"tree": DecisionTreeClassifier, "stump": DecisionStumpClassifier}

    def _answer(self, member: Any, X: Any, classes: Any) -> Floats:
        return averages.member_shares(member, X, classes)

    decision_function = available_if(of_one_output)(averages.decision_function)


@parameters.declared_in_order
class BaggingRegressor(NumberAverage, Bagging):
    """Bagging: a regressor trained on many bootstrap samples, and the average of its copies.

    Under squared loss the average errs less than its members do by exactly their spread around it
    (``weaklearn.theory.bagging_identity``).

    Parameters
    ----------
    estimator : "tree", or any regressor or Pipeline, default "tree"
        What is trained on every bag.
    oob_score : bool or function of (y, predicted), default False
        Score every example by the members whose bag left it out; R^2 by default.

    Attributes
    ----------
    estimators_, estimators_samples_, estimators_features_, estimator_, n_features_in_,
    feature_names_in_, feature_importances_, oob_score_, oob_prediction_, oob_coverage_

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> from weaklearn import BaggingRegressor
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(size=(200, 1))
    >>> y = np.sin(6 * X[:, 0]) + rng.normal(scale=0.3, size=200)
    >>> model = BaggingRegressor(DecisionTreeRegressor(), n_estimators=50, oob_score=True).fit(X, y)
    >>> round(model.oob_score_, 2), model.predict_std([[0.5]]).shape
    (0.75, (1,))

    Reference: Breiman (1996), Bagging predictors.
    """

    _learners = {"tree": DecisionTreeRegressor}

    def _answer(self, member: Any, X: Any, classes: Any) -> Floats:
        return averages.member_numbers(member, X)
