"""Models whose scores descend a loss: their data, their loss, their rows."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ... import losses
from ...base.loss import EVENTS, Loss
from ...base.messages.value_text import show
from ...base.messages.warnings import BoostingWarning, warn
from ...base.numeric.magnitude import SQUARED
from ...base.offered import fact
from ...base.rows import Binning, Rows
from ...base.sample import Sample
from ...base.trees.split_search import features_to_try
from ...base.types import Floats
from ...boosters.gradient import over
from ...engines import choose
from ...inspection.explanation import scale_of
from ...inspection.shape import output_names
from ...intake import parameters
from ...intake.labels import check_column_names, column_names_of
from ...intake.offset import read_offset
from ...intake.parts import check_cv
from ...intake.prepare import RARE, Prepared, Reading, Target, prepare
from ...intake.targets import NumberForm
from ...learners.gradient_tree import GradientTreeLearner
from ...losses import CustomLoss
from ...losses.several import Several, balanced
from ...prediction import sums
from ...prediction.sums import refuse_offset
from .. import constraints
from ..callback_support import check_scorer
from ..model import Model


class DescendingModel(Model):
    """What gradient boosting and the glass box share; ``ensemble_`` gives the scores of rows.

    Parameters
    ----------
    quantile : float or sequence of floats in (0, 1), default 0.5
        For loss="quantile" and "expectile". Several quantiles give a column each.
    alpha : float, default 0.9
        For loss="huber", "pseudo_huber" and "log_cosh": the share of the residuals that count by
        their square, or nearly.
    power : float in (1, 2), default 1.5
        For loss="tweedie".
    min_samples_leaf : int, default 5
        No leaf gets fewer examples.
    l2_regularization : float, default 1.0
        Added to the hessian (the curvature) of every leaf, in examples of the mean hessian.
    monotonic_cst : sequence of -1, 0, 1 per column, or dict from name to these, optional
        Columns along which predictions may only rise (1) or fall (-1).
    n_iter_no_change : int, default 50
        Rounds to wait for a smaller loss.
    tol : float, default 0.0
        A loss counts as smaller only if it falls by so much.
    scoring : None, str or callable, default None
        What rounds are judged by, where examples not learnt from choose their number: the loss, or
        a score by scikit-learn's name or as a function of (estimator, X, y), larger where better.
    cv : int, splitter or pairs of row numbers, optional
        How rows are divided where ``X_val`` does not judge: into so many folds, or by an object
        with split(X, y, groups), or as pairs (rows to learn from, rows to judge by). With
        early_stopping=True the last split is the one that is held out.
    unseen : {"missing", "error"}, default "missing"
        A category that training never saw joins the rare ones or is taken for missing, or is
        refused.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds the draws of rows and columns; None is 0. Draws depend on what a row holds, so that
        the order of rows does not matter.
    """

    predicts_datasets = True
    options_of_all_rows: ClassVar[tuple[str, ...]] = ("scoring", "cv")
    _other_rates: ClassVar[str] = "'auto'"  # what learning_rate may be that is no number

    # Parameters that subclasses declare.
    loss: Any
    n_estimators: int | Literal["auto"]
    learning_rate: float | Literal["auto"]
    max_leaf_nodes: int | Literal["auto"] | None
    min_samples_leaf: int
    l2_regularization: float
    subsample: float
    max_features: int | float
    max_bins: int
    monotonic_cst: Any
    categorical_features: Any
    validation_fraction: float
    n_iter_no_change: int
    tol: float
    scoring: Any
    cv: Any
    class_weight: Any
    unseen: parameters.Unseen
    columns: parameters.Matching
    random_state: Any
    n_jobs: int | None
    verbose: int

    # Set by fit.
    ensemble_: Any
    classes_: NDArray[Any]  # of classifiers
    _schema: Any
    _loss: Loss

    _regression = False
    _number_form: NumberForm = "one"
    _target_names: tuple[str, ...] = ()  # of several targets, where y brought names
    _rare = RARE  # categories seen less often share a code
    _ensemble = property(attrgetter("ensemble_"))

    @property
    def _finds_rounds(self) -> bool:
        return is_auto(self.n_estimators)

    @property
    def _judges_rounds(self) -> bool:
        """Whether rounds are judged by the loss of examples not learnt from."""
        return self._finds_rounds

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        if not self._finds_rounds:
            parameters.integer("n_estimators", self.n_estimators, 1, None, "'auto'")
        if not is_auto(self.learning_rate):
            parameters.real("learning_rate", self.learning_rate, 0.0, 1e6, others=self._other_rates)
        if self.max_leaf_nodes is not None and not is_auto(self.max_leaf_nodes):
            parameters.integer("max_leaf_nodes", self.max_leaf_nodes, 2, None, "None or 'auto'")
        parameters.integer("min_samples_leaf", self.min_samples_leaf, 1)
        parameters.real("l2_regularization", self.l2_regularization, None, 1e300, least=0.0)
        parameters.real("subsample", self.subsample, 0.0, 1.0)
        parameters.count_or_share("max_features", self.max_features, 1)
        parameters.integer("max_bins", self.max_bins, 2, 255)
        parameters.real("validation_fraction", self.validation_fraction, 0.0, 0.999999)
        parameters.integer("n_iter_no_change", self.n_iter_no_change, 1)
        parameters.real("tol", self.tol, None, 1e300, least=0.0)
        check_cv(self.cv)
        if self.scoring is not None:
            check_scorer(self.scoring)
        parameters.reading(self)
        parameters.verbosity(self.verbose)
        self._named_loss(0 if self._regression else 2)

    def _prepare(self, X: Any, y: Any, sample_weight: Any, resumed: bool) -> Prepared:
        return self._prepared(X, y, sample_weight, resumed, self._target(y, resumed))

    def _target(self, y: Any, resumed: bool) -> Target:
        """How y is read."""
        if resumed:
            check_column_names(y, self._target_names)
        return Target(
            class_weight=self.class_weight,
            regression=self._regression,
            largest=SQUARED,
            form=self._number_form,
            n_targets=self._loss.n_targets if resumed and self._regression else None,
            names=self._target_names if resumed else column_names_of(y),
        )

    def _prepared(
        self, X: Any, y: Any, sample_weight: Any, resumed: bool, target: Target
    ) -> Prepared:
        """The sample, with y read as ``target`` says."""
        classes = np.array([]) if target.regression or not resumed else self.classes_
        prepared = prepare(
            X,
            y,
            sample_weight,
            engine=choose(self.n_jobs),
            name=type(self).__name__,
            known=(self._schema, classes) if resumed else None,
            columns=self.columns,
            binning=Binning(int(self.max_bins), 1, False),
            target=target,
            reading=Reading(
                categorical_features=self.categorical_features, rare=self._rare, names_aside=True
            ),
        )
        return replace(prepared, sample=_evened(prepared.sample))

    def _resolve_loss(self, prepared: Prepared) -> Loss:
        partitions, y = over(prepared.sample.engine), prepared.sample.y
        n_classes = prepared.sample.n_classes
        loss = self._named_loss(n_classes).settled(y, n_classes)
        if self._regression and y.ndim == 2:
            loss = self._of_several(loss, y.shape[1], partitions)
            loss.check_target(y)
            loss = balanced(loss, y, prepared.sample.weights)
        if partitions and type(loss) not in losses.kinds():
            raise ValueError(
                f"loss {loss.name!r} is not supported over several partitions of the rows: use one "
                f"of {', '.join(map(repr, self._loss_names))}, or fit on all rows in one place."
            )
        if partitions and loss.target == EVENTS:
            raise ValueError(
                f"loss {loss.name!r} is not supported over several partitions of the rows: fit on "
                "all rows in one place."
            )
        loss.check_target(prepared.sample.y, *partitions)
        judged = self._judges_rounds and self.scoring is None
        if judged and isinstance(loss, losses.CustomLoss) and not loss.has("value"):
            raise ValueError(
                f"loss {loss.name!r} tells no value, which n_estimators='auto' and early_stopping "
                "judge rounds by; pass functions (gradient, curvature, value), scoring=, or a "
                "number of rounds and early_stopping=False."
            )
        doubt_gradient(loss, prepared.sample.y, prepared.sample.weights)
        return loss

    def _of_several(self, loss: Loss, n_targets: int, partitions: tuple[Any, ...]) -> Several:
        """The loss of so many targets, each of which ``loss`` is for."""
        if type(loss) not in losses.kinds() or loss.n_outputs > 1:
            raise ValueError(
                f"y holds {n_targets} targets a row, each of which takes a named loss of one "
                f"score, not loss={show(self.loss)}; fit a model for each."
            )
        if partitions:
            raise ValueError(
                f"y holds {n_targets} targets a row, which is not supported over several "
                "partitions of the rows: fit a model for each, or on all rows in one place."
            )
        return Several.of(loss, n_targets)

    @property
    def _loss_names(self) -> tuple[str, ...]:
        return losses.FOR_NUMBERS if self._regression else losses.FOR_CLASSES

    def _named_loss(self, n_classes: int) -> Loss:
        """The loss of the parameters; n_classes is 0 where numbers are to be predicted."""
        return losses.named(self.loss, n_classes=n_classes)

    def _offset(self, offset: Any, prepared: Prepared, loss: Loss) -> Floats | None:
        """The offset of every row that counts, (1, m)."""
        if offset is None:
            return None
        refuse_offset(loss)
        used = prepared.used
        values = read_offset(offset, len(prepared.sample) if used is None else len(used), "offset")
        return np.ascontiguousarray((values if used is None else values[used])[None])

    def _learner(self, prepared: Prepared, seed: int, scale: float) -> GradientTreeLearner:
        """The learner of the parameters; ``scale`` is that of the curvature."""
        schema = prepared.schema
        drawn = parameters.count_or_share("max_features", self.max_features, 1)
        if isinstance(drawn, int):
            features_to_try(drawn, schema.n_features)  # which refuses more than there are
        return GradientTreeLearner(
            min_samples_leaf=min(int(self.min_samples_leaf), parameters.MOST_EXAMPLES),
            l2=float(self.l2_regularization) * scale,
            min_curvature=GradientTreeLearner.min_curvature * scale,
            subsample=float(self.subsample),
            max_features=drawn,
            monotonic=constraints.monotonic(self.monotonic_cst, schema),
            seed=seed,
        )

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        if not self.__sklearn_is_fitted__():  # the check itself reads all tags
            check_is_fitted(self, "ensemble_")
        X = self._schema.matched(X, self.columns)
        cells = self._schema.read(X, unseen=self.unseen)
        return Rows(cells, X, choose(self.n_jobs))

    _scores = sums.scores
    _known_scores = sums.known_scores

    def _explained_scale(self) -> str:
        """The unit of the scores."""
        return scale_of(self._loss, None if self._regression else self.classes_)

    def _output_name(self, k: int) -> str:
        return str(k)

    @property
    def _score_names(self) -> tuple[str, ...]:
        return output_names(self)

    def __sklearn_is_fitted__(self) -> bool:
        return fact(self, "ensemble_") is not None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


def _evened(sample: Sample) -> Sample:
    """Importances in units of their mean: regularisation is counted in examples, so weights are.

    They are cut to 24 binary digits, so that it makes no difference by what they were multiplied.
    """
    if sample.importance is None:
        return sample
    total = sample.engine.weights.total(sample.importance, None, sample.copies)
    digits, exponent = np.frexp(sample.importance * (sample.m / total))
    return replace(sample, importance=np.ldexp(np.rint(np.ldexp(digits, 24)), exponent - 24))


def is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == "auto"


_STEP = 1e-3  # of the size of scores and targets


def doubt_gradient(loss: Loss, y: NDArray[Any], w: NDArray[Any] | None = None) -> None:
    """Warns where a small step against the gradient raises the loss it is said to be the slope of.

    Of a loss that tells no value it is asked whether the slope turns from rising to falling as
    scores grow, as it would around a summit.
    """
    if not isinstance(loss, CustomLoss) or loss.n_outputs > 1:
        return
    try:
        with np.errstate(all="ignore"):
            F = np.full(len(y), float(loss.best_constant(y, w)[0]))
            wrong = _rises(loss, y, F) if loss.has("value") else _has_summits(loss, y, F)
    except Exception:  # the rounds will meet it too, and say so
        return
    if wrong:
        warn(
            f"the gradient of loss {loss.name!r} points downhill: a step against it makes the loss "
            "larger. It must be the derivative of the loss by F, for (F - y)**2 / 2 that is F - y; "
            "weaklearn.testing.check_loss compares the two.",
            BoostingWarning,
        )


def _rises(loss: CustomLoss, y: NDArray[Any], F: Floats) -> bool:
    g = loss.gradient(y, F)
    largest = float(np.abs(g).max(initial=0.0))
    if largest == 0:
        return False
    step = _STEP * (1 + float(np.abs(y).mean())) / largest
    gained = float((loss.value(y, F - step * g) - loss.value(y, F)).sum())
    return gained > 0.5 * step * float((g * g).sum())  # a true gradient would lose twice that


def _has_summits(loss: CustomLoss, y: NDArray[Any], F: Floats) -> bool:
    apart = float(np.std(y)) or 1.0
    below, above = np.sign(loss.gradient(y, F - apart)), np.sign(loss.gradient(y, F + apart))
    return bool((below > above).any() and not (below < above).any())
