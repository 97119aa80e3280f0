"""Gradient boosting with trees: what the classifier and the regressor share."""

from __future__ import annotations

import copy
import functools
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from .. import losses
from ..base.additive import AdditiveTrees
from ..base.loss import CLASSES, Loss
from ..base.notice import BoostingWarning, warn
from ..base.record import Callback, History, Stop
from ..base.rounds import Played, play, told
from ..base.sample import Binning, Rows, Sample
from ..base.table import Table
from ..base.tree import Tree
from ..boosters.gradient import GradientBoosting, Slope
from ..callbacks import Progress
from ..engines import LocalEngine, resolve_threads
from ..learners.gradient_tree import GradientTreeLearner, content_hashes
from . import constraint, parameters
from .branch import Words
from .origin import Origin, origin_of
from .rounds_needed import Judge, Needed, Patience, rounds_by_folds
from .saving import Saving
from .setup import RARE, Prepared, Validation, coded_labels, prepare, read_validation
from .splitting import hold_out
from .watching import (
    CallbackSupportMixin,
    bridge,
    check_callbacks,
    is_protocol_callback,
    protocol_callbacks,
    with_callbacks,
)

log = logging.getLogger("weaklearn")
Floats = NDArray[np.float64]

FOLDS = 5
_LARGE = 10_000  # examples from which on trees may be larger and steps longer
_MANY = 50_000  # examples beyond which one split finds the rounds as well as folds do
_MOST_ROUNDS = 2000  # where the number is to be found


class GradientBoostingModel(Saving, CallbackSupportMixin, BaseEstimator):
    """A sum of trees that descends a loss; subclasses say what is predicted."""

    # Set by the constructors of subclasses.
    loss: Any
    n_estimators: int | str
    learning_rate: float | str
    max_leaf_nodes: int | str | None
    max_depth: int | None
    min_samples_leaf: int
    l2_regularization: float
    min_gain: float
    subsample: float
    max_features: float
    max_bins: int
    monotonic_cst: Any
    interaction_cst: Any
    categorical_features: Any
    early_stopping: bool
    validation_fraction: float
    n_iter_no_change: int
    tol: float
    warm_start: bool
    callbacks: Any
    unseen: str
    random_state: Any
    n_jobs: int | None
    verbose: int

    _regression = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__init__" in cls.__dict__:
            cls.__init__ = parameters.suggesting(cls.__init__)  # type: ignore[method-assign]

    @property
    def _finds_rounds(self) -> bool:
        return _is_auto(self.n_estimators)

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        if not self._finds_rounds:
            parameters.whole("n_estimators", self.n_estimators, 1, None, "'auto'")
        if not _is_auto(self.learning_rate):
            parameters.real("learning_rate", self.learning_rate, 0.0, 1e6)
        if self.max_leaf_nodes is not None and not _is_auto(self.max_leaf_nodes):
            parameters.whole("max_leaf_nodes", self.max_leaf_nodes, 2, None, "None or 'auto'")
        if self.max_depth is not None:
            parameters.whole("max_depth", self.max_depth, 1, None, "None")
        parameters.whole("min_samples_leaf", self.min_samples_leaf, 1)
        parameters.real("l2_regularization", self.l2_regularization, None, 1e300, least=0.0)
        parameters.real("min_gain", self.min_gain, None, 1e300, least=0.0)
        parameters.real("subsample", self.subsample, 0.0, 1.0)
        parameters.real("max_features", self.max_features, 0.0, 1.0)
        parameters.whole("max_bins", self.max_bins, 2, 255)
        parameters.switch("early_stopping", self.early_stopping)
        parameters.real("validation_fraction", self.validation_fraction, 0.0, 0.999999)
        parameters.whole("n_iter_no_change", self.n_iter_no_change, 1)
        parameters.real("tol", self.tol, None, 1e300, least=0.0)
        parameters.switch("warm_start", self.warm_start)
        parameters.one_of("unseen", self.unseen, ["missing", "error"])
        parameters.whole(
            "verbose", int(self.verbose) if self.verbose is True else self.verbose or 0, 0
        )
        check_callbacks(self.callbacks)
        self._named_loss(0 if self._regression else 2)

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        offset: Any = None,
        offset_val: Any = None,
    ) -> Any:
        """Descends the loss on X and y.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Numbers, strings, categories, booleans, dates; missing values are allowed.
        y : array-like of n labels or numbers
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        X_val, y_val, sample_weight_val : optional
            Rows to judge every round by, in place of a held-out fraction.
        offset : array-like of n numbers, optional
            A score known beforehand (such as the logarithm of an exposure): the trees add to it.
        offset_val : array-like of numbers, optional
            The same for the rows of X_val.
        """
        self._check_parameters()
        judged = {"y_val": y_val, "sample_weight_val": sample_weight_val, "offset_val": offset_val}
        for name, given in judged.items():
            if X_val is None and given is not None:
                raise ValueError(f"{name} is given without X_val: pass the validation rows too.")
        if X_val is not None and offset is not None and offset_val is None:
            raise ValueError("offset is given, and X_val without offset_val: pass that too.")
        resumed = bool(self.warm_start) and hasattr(self, "ensemble_")
        seed = self._seed if resumed else parameters.seed("random_state", self.random_state)
        prepared = self._prepare(X, y, sample_weight, resumed)
        loss = self._resolve_loss(prepared)
        booster = GradientBoosting(
            loss, self._rate(prepared.sample), self._offset(offset, prepared, loss)
        )
        validation = None
        if X_val is not None:
            validation = read_validation(X_val, y_val, sample_weight_val, prepared)
            if offset_val is not None:
                offset_val = read_offset(offset_val, len(validation.y), "offset_val")
        origin = origin_of(prepared.sample)  # now: its hashes want memory, and so do the rounds
        descent = _Descent(self, prepared, booster, validation, offset_val, seed)
        if resumed:
            descent.resume(self.ensemble_, self.history_)
        played = descent.play(X, y, sample_weight)
        if played.interrupt is None or len(played.history) > 0:
            self._keep(descent, played, origin)
        if played.interrupt is not None:
            raise played.interrupt
        return self

    def _prepare(self, X: Any, y: Any, sample_weight: Any, resumed: bool) -> Prepared:
        prepared = prepare(
            X,
            y,
            sample_weight,
            engine=LocalEngine(resolve_threads(self.n_jobs)),
            class_weight=getattr(self, "class_weight", None),
            name=type(self).__name__,
            categorical_features=self.categorical_features,
            known=(self._schema, getattr(self, "classes_", np.array([]))) if resumed else None,
            regression=self._regression,
            binning=Binning(int(self.max_bins), 1, False),
            rare=RARE,
            names_aside=True,
        )
        return replace(prepared, sample=_evened(prepared.sample))

    def _resolve_loss(self, prepared: Prepared) -> Loss:
        loss = self._named_loss(prepared.sample.n_classes)
        loss.check_target(prepared.sample.y)
        judged = self._finds_rounds or self.early_stopping
        if judged and isinstance(loss, losses.CustomLoss) and not loss.tells("value"):
            raise ValueError(
                f"loss {loss.name!r} tells no value, which n_estimators='auto' and early_stopping "
                "judge rounds by; pass functions (gradient, curvature, value), or a number of "
                "rounds and early_stopping=False."
            )
        return loss

    def _named_loss(self, n_classes: int) -> Loss:
        """The loss of the parameters; n_classes is 0 where numbers are to be predicted."""
        return losses.named(self.loss, n_classes=n_classes)

    def _offset(self, offset: Any, prepared: Prepared, loss: Loss) -> Floats | None:
        """The offset of every row that counts, (1, m)."""
        if offset is None:
            return None
        _refuse_offset(loss)
        used = prepared.used
        values = read_offset(offset, len(prepared.sample) if used is None else len(used), "offset")
        return np.ascontiguousarray((values if used is None else values[used])[None])

    def _rate(self, sample: Sample) -> float:
        if _is_auto(self.learning_rate):
            return 0.05 if sample.m < _LARGE else 0.1
        return float(self.learning_rate)

    def _leaves(self, sample: Sample) -> int | None:
        if _is_auto(self.max_leaf_nodes):
            return 15 if sample.m < _LARGE else 31
        return None if self.max_leaf_nodes is None else int(self.max_leaf_nodes)

    def _learner(self, prepared: Prepared, seed: int, scale: float) -> GradientTreeLearner:
        return GradientTreeLearner(
            max_leaf_nodes=self._leaves(prepared.sample),
            max_depth=self.max_depth,
            min_samples_leaf=int(self.min_samples_leaf),
            l2=float(self.l2_regularization) * scale,
            min_curvature=GradientTreeLearner.min_curvature * scale,
            min_gain=float(self.min_gain),
            subsample=float(self.subsample),
            max_features=float(self.max_features),
            monotonic=constraint.monotonic(self.monotonic_cst, prepared.schema),
            groups=constraint.interactions(self.interaction_cst, prepared.schema),
            seed=seed,
        )

    def _facts(
        self, descent: _Descent, ensemble: AdditiveTrees, history: History
    ) -> dict[str, Any]:
        """The fitted names, as a state gives them."""
        prepared = descent.prepared
        facts: dict[str, Any] = {
            "_schema": prepared.schema,
            "_seed": descent.seed,
            "_loss": descent.booster.loss,
            "_gaps": descent.gaps(ensemble),
            "n_features_in_": prepared.schema.n_features,
            "ensemble_": ensemble,
            "history_": history,
            "n_iter_": len(ensemble),
        }
        if not self._regression:
            facts["classes_"] = prepared.classes
        if prepared.schema.names is not None:
            facts["feature_names_in_"] = np.array(prepared.schema.names, dtype=object)
        return facts

    def _keep(self, descent: _Descent, played: Played, origin: Origin) -> None:
        """Assigns every fitted name in one step."""
        ensemble = descent.chosen(played)
        facts = self._facts(descent, ensemble, played.history)
        facts["stop_reason_"] = str(played.stop)
        facts["_origin"] = origin
        if descent.needed is not None:
            facts["validation_losses_"] = descent.needed.losses
        elif descent.wait is not None:
            facts["validation_losses_"] = np.array(descent.wait.losses)
        for name in ("feature_names_in_", "validation_losses_"):
            self.__dict__.pop(name, None)
        self.__dict__.update(facts)
        log.debug("%s: %d rounds, %s", type(self).__name__, len(ensemble), played.stop)
        if len(ensemble) == 0 and descent.sample.n_classes != 1:
            warn(
                f"nothing was learnt ({played.stop}): the model answers the same for every row.",
                BoostingWarning,
            )

    # --------------------------------------------------------------------------------- predicting

    def _rows(self, X: Any) -> Rows:
        check_is_fitted(self, "ensemble_")
        cells = self._schema.read(X, unseen=self.unseen)
        return Rows(cells, X, LocalEngine(resolve_threads(self.n_jobs)))

    def _scores(self, X: Any, offset: Any = None) -> Floats:
        """F on rows, (n, outputs)."""
        rows = self._rows(X)
        F: Floats = self.ensemble_(rows)
        if offset is None:
            return F
        _refuse_offset(self._loss)
        return F + read_offset(offset, len(rows), "offset")[:, None]

    def _staged_scores(self, X: Any) -> Iterator[Floats]:
        rows = self._rows(X)
        yield from self.ensemble_.stages(rows)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """The leaf each row reaches in every tree, (n, trees)."""
        rows = self._rows(X)
        return np.asarray(self.ensemble_.leaves(rows))

    def truncate(self, n_estimators: int) -> Any:
        """A copy of this model with its first rounds only."""
        check_is_fitted(self, "ensemble_")
        parameters.whole("n_estimators", n_estimators, 1, max(1, self.n_iter_))
        model = copy.copy(self)
        model.ensemble_ = self.ensemble_.staged(n_estimators)
        model.n_iter_ = len(model.ensemble_)
        model.history_ = self.history_.first(model.n_iter_)
        return model

    def rules(self, n_rounds: int = 1) -> Table:
        """The leaves of the first rounds, one a row: if, then how far the score moves."""
        check_is_fitted(self, "ensemble_")
        parameters.whole("n_rounds", n_rounds, 1)
        rows: list[tuple[Any, ...]] = []
        for t, (vote, trees) in enumerate(self.ensemble_.staged(n_rounds), start=1):
            for k, tree in enumerate(trees):
                step = functools.partial(_step_text, vote, tree)
                words = Words(tree, self._schema, self._gaps, step, lambda node: None)
                leaves = words.leaf_rules()
                mark = (self._output_name(k),) if len(trees) > 1 else ()
                rows += [(t, *mark, *row[:3]) for row in leaves]
        several = ["for"] if self.ensemble_.n_outputs > 1 else []
        note = f"every score starts at {', '.join(f'{b:.4g}' for b in self.ensemble_.base)}"
        return Table("rules", ["round", *several, "if", "score", "support"], rows, note, shown=30)

    def _output_name(self, k: int) -> str:
        return str(k)

    @property
    def feature_importances_(self) -> Floats:
        """The share of all gain that splits on each feature brought."""
        check_is_fitted(self, "ensemble_")
        gains = np.zeros(self.n_features_in_)
        for tree in self.ensemble_.trees:
            inner = ~tree.is_leaf
            np.add.at(gains, tree.feature[inner], tree.gain[inner])
        total = gains.sum()
        return gains / total if total > 0 else gains

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "ensemble_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = tags.input_tags.allow_nan = tags.input_tags.string = True
        return tags


class _Descent:
    """One fit: what is learnt from, who judges, how long."""

    def __init__(
        self,
        model: GradientBoostingModel,
        prepared: Prepared,
        booster: GradientBoosting,
        validation: Validation | None,
        offset_val: Floats | None,
        seed: int,
    ) -> None:
        self.model, self.prepared, self.seed = model, prepared, seed
        self.sample = prepared.sample
        self.booster = booster
        learner = model._learner(prepared, seed, _curvature_scale(booster, self.sample))
        self.learn = learner.bind(self.sample, self._content if learner.subsample < 1 else None)
        self.wait: Patience | None = None
        self.needed: Needed | None = None
        self._validation, self._offset_val = validation, offset_val
        self._held: NDArray[np.int64] | None = None
        self._state: Slope | None = None
        self._history = History()
        auto = model._finds_rounds
        self._stops = bool(model.early_stopping) or auto
        if validation is None and auto and self.sample.m <= _MANY and not model.early_stopping:
            self._by_folds = True
        else:
            self._by_folds = False
            if validation is None and self._stops:
                self._hold_out()

    @cached_property
    def _content(self) -> NDArray[np.uint64]:
        """A number for what each row holds, by which rows are drawn, held out and dealt."""
        offset = self.booster.offset
        return content_hashes(self.sample, None if offset is None else offset[0])

    def _hold_out(self) -> None:
        """Sets examples aside to judge by; they stay in the sample and are not learnt from."""
        sample, fraction = self.sample, float(self.model.validation_fraction)
        labels = sample.y if sample.n_classes > 0 else np.zeros(len(sample), np.int64)
        held = hold_out(
            self._content, labels, sample.copies, sample.importance, fraction, self.seed
        )
        if not held.any():
            raise ValueError(
                f"early_stopping holds out validation_fraction={fraction:g} of the examples, which "
                f"with n_samples={len(sample)} leaves none to judge by; pass more rows, or X_val "
                "and y_val."
            )
        everyone = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
        self._held = held
        self.booster = replace(self.booster, copies=everyone - held)

    def resume(self, ensemble: AdditiveTrees, history: History) -> None:
        """Takes up where an earlier fit had ended."""
        wanted = self.model.n_estimators
        if self.model._finds_rounds:
            raise ValueError(
                "n_estimators='auto' is not allowed with warm_start=True after a first fit, which "
                "goes on to a number of rounds: set n_estimators to it."
            )
        if int(wanted) < len(ensemble):
            raise ValueError(
                f"n_estimators={wanted} must be larger or equal to the {len(ensemble)} rounds "
                "already played when warm_start is True."
            )
        self._state = self.booster.replay(self.sample, ensemble)
        self._history = history.first(len(ensemble))

    def play(self, X: Any, y: Any, sample_weight: Any) -> Played:
        """The rounds, with all who watch."""
        model, history = self.model, self._history
        n_rounds = self._rounds()
        with told("before the first round"):
            state = self.booster.begin(self.sample) if self._state is None else self._state
        done = len(history)
        watchers: list[Callback] = [
            *self._judges(state),
            *(c for c in model.callbacks or () if not is_protocol_callback(c)),
        ]
        with protocol_callbacks(model):
            tasks = bridge(
                model,
                X,
                y,
                sample_weight,
                n_rounds - done,
                lambda s: model._facts(self, s.ensemble, history),  # type: ignore[arg-type]
            )
            watchers += [] if tasks is None else [tasks]
            progress = Progress(n_rounds, type(model).__name__, done) if model.verbose else None
            watchers += [] if progress is None else [progress]
            try:
                played = play(
                    self.booster,  # type: ignore[arg-type]
                    self.sample,
                    self.learn,  # type: ignore[arg-type]
                    state=state,  # type: ignore[arg-type]
                    history=history,
                    n_rounds=n_rounds,
                    callbacks=watchers,
                )
            finally:
                if progress is not None:
                    progress.close()
            if tasks is not None:
                tasks.close(played.state)
        if self.needed is not None and played.stop is Stop.ROUNDS:
            return replace(played, stop=Stop.FOUND)
        return played

    def _rounds(self) -> int:
        if not self.model._finds_rounds:
            return int(self.model.n_estimators)
        if self.sample.n_classes == 1:
            return 1
        if not self._by_folds:
            return _MOST_ROUNDS
        self.needed = rounds_by_folds(
            self.booster,
            self.sample,
            self.learn,
            hashes=self._content,
            n_folds=FOLDS,
            seed=self.seed,
            wait=self._patience(),
            most_rounds=_MOST_ROUNDS,
        )
        return max(1, self.needed.rounds)

    def _patience(self) -> Patience:
        return Patience(int(self.model.n_iter_no_change), float(self.model.tol))

    def _judges(self, state: Slope) -> list[Callback]:
        """Who looks at examples not learnt from."""
        if self._validation is None and self._held is None:
            return []
        judge = self._judge_held() if self._validation is None else self._judge_given(state)
        self.wait = self._patience()
        self.wait(judge(state))

        def look(t: int, state: Any, history: History) -> Stop | None:
            assert self.wait is not None
            over = self.wait(judge(state))
            history.note("validation_loss", self.wait.losses[-1])
            return Stop.EARLY if over and self._stops else None

        return [look]

    def _judge_held(self) -> Callable[[Slope], float]:
        assert self._held is not None
        rows, weight = np.flatnonzero(self._held), self.sample.importance
        judge = Judge(
            self.booster.loss,
            self.sample.engine,
            self.sample.y[rows],
            None if weight is None else weight[rows],
            self._held[rows],
        )
        return lambda state: judge(state.F[:, rows])

    def _judge_given(self, state: Slope) -> Callable[[Slope], float]:
        assert self._validation is not None
        given, n_classes = self._validation, self.sample.n_classes
        y = coded_labels(given.codes, n_classes) if n_classes > 0 else given.y
        judge = Judge(self.booster.loss, self.sample.engine, y, given.weights, None)
        scores, done = state.ensemble(given.rows), len(state.ensemble)
        if self._offset_val is not None:
            scores = scores + self._offset_val[:, None]

        def loss_at(state: Slope) -> float:
            nonlocal scores, done
            for t in range(done, len(state.ensemble)):
                scores = state.ensemble.add_round(given.rows, scores, t)
            done = len(state.ensemble)
            return judge(scores.T)

        return loss_at

    def gaps(self, ensemble: AdditiveTrees) -> frozenset[int]:
        """The features asked for of which some values are missing."""
        asked = {int(j) for tree in ensemble.trees for j in tree.feature[~tree.is_leaf]}
        coded = self.sample.coded
        return frozenset(j for j in asked if coded.describe(j)["has_missing"])

    def chosen(self, played: Played) -> AdditiveTrees:
        """The rounds to keep: up to the best judged, where judging may stop the descent."""
        ensemble: AdditiveTrees = played.state.ensemble  # type: ignore[assignment]
        if self.wait is not None and self._stops:
            before = 0 if self._state is None else len(self._state.ensemble)
            return ensemble.staged(max(1, before + self.wait.best))
        return ensemble


def _evened(sample: Sample) -> Sample:
    """Importances in units of their mean: regularisation is counted in examples, so weights are.

    They are cut to 24 binary digits, so that it makes no difference by what they were multiplied.
    """
    if sample.importance is None:
        return sample
    total = sample.engine.total(sample.importance, None, sample.copies)
    digits, exponent = np.frexp(sample.importance * (sample.m / total))
    return replace(sample, importance=np.ldexp(np.rint(np.ldexp(digits, 24)), exponent - 24))


def _refuse_offset(loss: Loss) -> None:
    if loss.target == CLASSES:
        raise ValueError(
            f"offset is given, and y holds {loss.n_outputs} classes: it is for two classes and for "
            "numbers."
        )


def read_offset(offset: Any, n: int, name: str) -> Floats:
    """One finite number a row."""
    try:
        values = np.array(offset, np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} does not consist of numbers ({error}).") from error
    if values.shape != (n,):
        raise ValueError(
            f"{name} has the shape {values.shape}, and there are {n} rows; pass one number a row."
        )
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise ValueError(f"{name}[{row}] is {values[row]}; pass finite numbers.")
    return values


def _curvature_scale(booster: GradientBoosting, sample: Sample) -> float:
    """How L2 is counted: in examples, which bend more or less as the loss and the target have it.

    The mean curvature before the first round, of log-losses in units of that of an even coin (two
    classes count as a coin), so that neither rates of a millionth nor 1,000 classes are held back.
    """
    loss = booster.loss
    if loss.constant_curvature or (loss.native and loss.n_outputs == 1):
        return 1.0
    c, engine = booster.begin(sample).c, sample.engine
    assert c is not None
    bends = [engine.total(row, None, sample.copies) for row in c]  # weights are in c already
    mean = sum(bends) / (len(bends) * sample.m)
    mean = 4 * mean if loss.native else mean
    return mean if 0 < mean < inf else 1.0


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == "auto"


def _step_text(vote: float, tree: Tree, node: int) -> str:
    """How far a node moves the score."""
    return f"{vote * tree.values[node, 0]:+.4g}"
