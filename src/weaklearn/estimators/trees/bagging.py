"""BaggingClassifier and BaggingRegressor: one learner, many bags, one average."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.base import is_classifier, is_regressor
from sklearn.dummy import DummyClassifier
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from ...base.booster import History
from ...base.messages.warnings import DataWarning
from ...base.numeric.hashing import places, stream
from ...base.sample import Rows, take_columns, take_rows
from ...base.types import Floats, Ints
from ...callbacks import Progress
from ...engines import choose, resolve_threads
from ...ensembles import Bags, canonical_order
from ...export import methods as export
from ...inspection.explanation import Explanation
from ...intake import parameters
from ...intake.arrays import as_table
from ...intake.magnitude import SUMMED
from ...intake.prepare import Prepared, Reading, Target, prepare
from ...intake.raw_column import Kind
from ...intake.schema import Schema
from ...learners.foreign import explained, fresh, weight_argument
from ...prediction import averages
from ...prediction.rows import read_rows
from ...production.provenance import forget_rows
from ..boosting.weak_learner import is_foreign, refuses_missing, refuses_unseen
from ..constraints import interactions, monotonic
from ..model import in_one_step
from .averaged_ensemble import (
    Averaging,
    ClassAverage,
    NumberAverage,
    check_copies,
    labels_or_numbers,
)

if TYPE_CHECKING:
    from ...export.model_ir import ModelIR
    from ...inspection.shapley import Interactions

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

    to_c = export.to_c
    to_onnx = export.to_onnx
    to_python = export.to_python

    estimator: Any = field(default=None, kw_only=False)
    n_estimators: int = field(default=10, kw_only=False)
    max_samples: int | float | None = None
    max_features: int | float = 1.0
    bootstrap: bool = True
    bootstrap_features: bool = False
    oob_score: Any = False
    warm_start: bool = False
    n_jobs: int | None = None
    random_state: Any = None
    verbose: int = 0

    # Set by fit.
    estimator_: Any = field(init=False)
    estimators_: list[Any] = field(init=False)
    estimators_features_: list[Ints] = field(init=False)
    n_features_in_: int = field(init=False)
    _schema: Schema = field(init=False)

    # ------------------------------------------------------------------------------------ fitting

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Trains every member on a bag of its own.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            A learner outside this library gets its rows of X as they came, in their container.
        y : array-like of n labels or numbers
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows, and a row of weight 0 is left out; other
            weights make rows be drawn more often, or, with bootstrap=False, go to the learner.
        """
        self._check_parameters()
        resumed = self._resumed()
        base = self.estimator_ if resumed else self._learner()
        seed = self._seed if resumed else parameters.seed("random_state", self.random_state)
        prepared = self._prepare(X, y, sample_weight, base, resumed)
        sample = prepared.sample
        if self.oob_score:
            check_copies(sample)
        hashes = sample.engine.columns.row_hashes(sample.coded)
        bags = Bags(
            canonical_order(hashes, sample.y, sample.importance),
            self._n_draws(sample),
            seed,
            bool(self.bootstrap),
            sample.copies,
            sample.importance,
        )
        facts: dict[str, Any] = {
            "_content": self._content_of(hashes, resumed),
            "_bags": bags,
            "_used": prepared.used,
            "_schema": prepared.schema,
            "_seed": seed,
            "estimator_": base,
            "n_features_in_": prepared.schema.n_features,
        }
        members = self._members() if resumed else []
        members += self._trained(base, prepared, bags, seed, len(members))
        facts["estimators_"] = [member for member, _ in members]
        facts["estimators_features_"] = [columns for _, columns in members]
        if self.oob_score:
            predicted = self._asked(members, sample, base, prepared.classes)
            facts |= self._out_of_bag(predicted, prepared, bags)
        return self._keep(facts, prepared)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.switch("bootstrap_features", self.bootstrap_features)
        parameters.count_or_share("max_features", self.max_features, 1)

    @abstractmethod
    def _named(self, name: str | None) -> Any:
        """The learner of this library with that name; None is the default."""

    @abstractmethod
    def _refuse(self, estimator: Any) -> str:
        """Why an estimator cannot be a member; nothing if it can."""

    def _learner(self) -> Any:
        """The estimator that every member is a copy of."""
        estimator = self.estimator
        if estimator is None or isinstance(estimator, str):
            return self._named(estimator)
        if isinstance(estimator, type):
            name = estimator.__name__
            raise TypeError(f"estimator={name} is a class; pass an instance, {name}().")
        reason = "it lacks fit or predict"
        if hasattr(estimator, "fit") and hasattr(estimator, "predict"):
            reason = self._refuse(estimator)
        if reason:
            raise TypeError(
                f"estimator={estimator!r} cannot be bagged: {reason}; pass an estimator of this "
                "library or of scikit-learn, or leave it at its default."
            )
        return estimator

    def _prepare(self, X: Any, y: Any, sample_weight: Any, base: Any, resumed: bool) -> Prepared:
        return prepare(
            X,
            y,
            sample_weight,
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            known=(self._schema, self._known_classes) if resumed else None,
            target=Target(regression=not is_classifier(self), largest=SUMMED),
            reading=Reading(
                categorical_features=getattr(base, "categorical_features", "from_dtype"),
                refuses_missing=refuses_missing(base),
                any_shape=is_foreign(base),
            ),
        )

    def _trained(
        self, base: Any, prepared: Prepared, bags: Bags, seed: int, first: int
    ) -> list[Member]:
        """The members from ``first`` on."""
        sample, n_features = prepared.sample, prepared.schema.n_features
        labels = labels_or_numbers(sample)
        n_columns = self._n_columns(n_features)
        weights = None if self.bootstrap else sample.importance
        if weights is not None and weight_argument(base) is None:
            raise ValueError(
                f"sample_weight cannot be used: {type(base).__name__} takes no weights, and with "
                "bootstrap=False rows are not drawn by weight either; set bootstrap=True."
            )

        def train(b: int) -> Member:
            rows, columns = bags.rows(b), self._columns(n_columns, n_features, seed, b)
            X, y = _part(take_rows(sample.raw, rows), columns, n_features), labels[rows]
            if len(prepared.classes) and is_foreign(base) and (y == y[0]).all():
                # Many classifiers refuse a single class.
                return DummyClassifier(strategy="most_frequent").fit(X, y), columns
            member = _suited(fresh(base, seed, b), prepared.schema, columns)
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

    def _n_columns(self, n_features: int) -> int:
        """How many columns a member looks at."""
        asked = self.max_features
        if isinstance(asked, (float, np.floating)):
            return max(1, int(asked * n_features))
        if asked > n_features:
            raise ValueError(
                f"max_features={asked} is more than X has: {n_features} columns; pass at most that "
                "many, or a share such as 0.5."
            )
        return int(asked)

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

    def _members(self) -> list[Member]:
        return list(zip(self.estimators_, self.estimators_features_, strict=True))

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "estimators_")
        base, strict = self.estimator_, refuses_missing(self.estimator_)
        unseen = "error" if strict or refuses_unseen(base) else "missing"
        table = as_table(X) if is_foreign(base) else X
        engine = choose(self.n_jobs)
        return read_rows(self._schema, X, engine, unseen=unseen, strict=strict, table=table)

    def _member_predictions(self, X: Any) -> Iterator[Floats]:
        rows = self._rows(X)
        if len(rows) == 0:  # which many estimators refuse
            return iter([np.zeros((0, max(1, len(self._known_classes))))])
        return self._asked(self._members(), rows, self.estimator_, self._known_classes)

    def _asked(
        self, members: list[Member], rows: Rows, base: Any, classes: NDArray[Any]
    ) -> Iterator[Floats]:
        """The predictions of each member, (rows, outputs), in batches to save memory."""
        n_features = rows.cells.n_features

        def ask(member: Member) -> Floats:
            estimator, columns = member
            return self._answer(estimator, _part(rows.raw, columns, n_features), classes)

        size = 4 * rows.engine.threads
        for start in range(0, len(members), size):
            with _quietly(base):
                batch = list(self._each(ask, members[start : start + size], base))
            yield from batch

    @abstractmethod
    def _answer(self, member: Any, X: Any, classes: NDArray[Any]) -> Floats:
        """The predictions of one member for X, (rows, outputs)."""

    def explain(self, X: Any) -> Explanation:
        """What every column adds to the average, for bags of stumps or trees of this library.

        Contributions are the means of those of the members: of a tree the Shapley values, of a
        stump what it says.

        >>> import numpy as np
        >>> from weaklearn import BaggingRegressor
        >>> X = np.arange(80.0).reshape(40, 2) % 7
        >>> model = BaggingRegressor("tree", n_estimators=3).fit(X, X[:, 0] * X[:, 1])
        >>> bool(np.allclose(model.explain(X).scores, model.predict(X)))
        True
        """
        from .bag_explanation import explained_bag

        rows = self._rows(X)
        return explained_bag(self._parted(X), rows, self._schema, self._known_classes)

    def interactions(self, X: Any) -> Interactions:
        """What every two columns do together, on average over the members: for bags of trees."""
        from .bag_explanation import bag_interactions

        rows = self._rows(X)
        return bag_interactions(self._parted(X), rows, self._schema, self._known_classes)

    def _model_ir(self, as_trees: bool) -> ModelIR:
        from .bag_export import bag_ir

        return bag_ir(self)

    def _parted(self, X: Any) -> list[tuple[Any, Ints, Any]]:
        """Every member with its columns, and these of X."""
        return [(m, c, _part(X, c, self._schema.n_features)) for m, c in self._members()]

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
        tags = super().__sklearn_tags__()
        if hasattr(self.estimator, "__sklearn_tags__"):  # it reads what its learner can read
            tags.input_tags = get_tags(self.estimator).input_tags
        else:
            tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


def _part(X: Any, columns: Ints, n_features: int) -> Any:
    """Some columns of X; X itself where that is all of them."""
    return X if len(columns) == n_features else take_columns(X, columns)


def _suited(member: Any, schema: Schema, columns: Ints) -> Any:
    """The member, with settings that name columns cut to the columns that it sees."""
    if len(columns) == schema.n_features:
        return member
    cut_settings = {}
    for name, cut in _BY_COLUMN.items():
        wanted = getattr(member, name, None)
        if wanted is not None and not isinstance(wanted, str):  # words stand for all columns
            cut_settings[name] = cut(wanted, schema, columns.tolist())
    return member.set_params(**cut_settings) if cut_settings else member


def _cut_categories(_: Any, schema: Schema, columns: list[int]) -> list[bool]:
    return [schema.columns[j].kind is Kind.CATEGORY for j in columns]


def _cut_signs(wanted: Any, schema: Schema, columns: list[int]) -> list[int] | None:
    signs = monotonic(wanted, schema)
    return None if signs is None else [signs[j] for j in columns]


def _cut_groups(wanted: Any, schema: Schema, columns: list[int]) -> list[list[int]]:
    groups = [set(group) for group in interactions(wanted, schema)]
    cut = [[place for place, j in enumerate(columns) if j in group] for group in groups]
    return [group for group in cut if group]


# Parameters that name columns, and how they are cut to some of them.
_BY_COLUMN: dict[str, Callable[[Any, Schema, list[int]], Any]] = {
    "categorical_features": _cut_categories,
    "monotonic_cst": _cut_signs,
    "interaction_cst": _cut_groups,
}


def _is(kind: Callable[[Any], bool], estimator: Any) -> bool:
    """Whether an estimator is tagged as a classifier or regressor; False where it has no tags."""
    return hasattr(estimator, "__sklearn_tags__") and kind(estimator)


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

    def _named(self, name: str | None) -> Any:
        from .stump import DecisionStumpClassifier
        from .tree import DecisionTreeClassifier

        parameters.one_of("estimator", name, [None, "tree", "stump"])
        return DecisionStumpClassifier() if name == "stump" else DecisionTreeClassifier()

    def _refuse(self, estimator: Any) -> str:
        return "it is a regressor" if _is(is_regressor, estimator) else ""

    def _answer(self, member: Any, X: Any, classes: NDArray[Any]) -> Floats:
        return averages.member_shares(member, X, classes)

    decision_function = averages.decision_function


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

    def _named(self, name: str | None) -> Any:
        from .tree import DecisionTreeRegressor

        parameters.one_of("estimator", name, [None, "tree"])
        return DecisionTreeRegressor()

    def _refuse(self, estimator: Any) -> str:
        return "it is a classifier" if _is(is_classifier, estimator) else ""

    def _answer(self, member: Any, X: Any, classes: NDArray[Any]) -> Floats:
        return averages.member_numbers(member, X)
