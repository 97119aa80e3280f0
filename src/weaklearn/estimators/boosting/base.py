"""How every boosted estimator is fitted: rows read, rounds run, attributes assigned."""

from __future__ import annotations

import copy
import logging
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import field, replace
from operator import attrgetter
from typing import Any, Self, cast

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from ...base.added_field import ADDED
from ...base.booster import Booster, Played, State, Stop
from ...base.history import History
from ...base.hypothesis import WeakLearner
from ...base.messages.warnings import BoostingWarning, deferred_warnings, warn
from ...base.rows import Binning, Rows
from ...base.sample import Sample
from ...base.types import Floats
from ...engines import choose
from ...export import methods as export
from ...inspection import explainable
from ...inspection.explainable import with_summary
from ...intake import parameters
from ...intake.parameters import FREE, refuse_changes
from ...intake.prepare import Prepared, Target, prepare
from ...intake.schema import Schema
from ...intake.validation import Validation
from ...production.provenance import Provenance
from .. import callback_support, later
from ..fit import Fit, FitInputs, column_names, fit_of, inputs_of, run
from ..model import Model, assign
from . import inspection
from .weak_learner import Answers, binning_for, is_foreign, reading_for, rows_for, with_tags_of

log = logging.getLogger("weaklearn")
Score = Callable[[Floats, State], float]
Facts = dict[str, Any]  # fitted names and what they are
HeldOut = tuple[float, int] | None  # fraction and seed of rows held out

# Reasons that come from outside the run: more rounds can be played after them.
_GOES_ON = (Stop.ROUNDS, Stop.FOUND, Stop.EARLY, Stop.CALLBACK, Stop.INTERRUPTED, None)


@parameters.declared
class Boosting(Model):
    """Fits in boosting rounds; subclasses name the booster, the weak learner and the target.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Exact decision stumps by default; "tree" is a C4.5-style tree, pruned so that it does not
        overfit a small sample. Or a DecisionStumpClassifier or DecisionTreeClassifier of this
        library, a scikit-learn classifier or Pipeline: one that takes no weights is trained on
        resampled rows. Or a function that maps (X, y, D), with y in {-1, +1}, to a hypothesis,
        itself a function from X to {-1, +1}.
    n_estimators : int, default 100
        Boosting rounds at most.
    learning_rate : float, default 1.0
        Factor on every vote.
    early_stopping : bool, default False
        Stop when the score on held-out rows has stayed below its best for ``n_iter_no_change``
        rounds, and keep the rounds up to the best one, the latest of equals.
    validation_fraction : float, default 0.1
        The share of the rows held out for early stopping, where no ``X_val`` is given.
    n_iter_no_change : int, default 10
        Rounds to wait for a better score. Scores of few rows are a coarse measure; 50 is rarely
        too long, and often better.
    tol : float, default 0.0
        A round counts as better only if it gains so much; with 0 it may also be as good.
    scoring : None, str or callable
        What early stopping looks at; accuracy by default.
    cv : splitter or pairs of row numbers, optional
        What early stopping holds out, where no ``X_val`` is given: the rows that the last split
        judges by. An object with split(X, y, groups), or pairs (rows to learn from, to judge by).
    warm_start : bool, default False
        Continue from the rounds of the fit before. The parameters that define the algorithm
        must be those of that fit; the number of rounds, the learning rate, the weak learner and the
        callbacks may change. The seed is that of the fit before.
    callbacks : list, optional
        Functions of (t, state, history) that may return True to stop, or scikit-learn callbacks.
    random_state : None, int below 2**32, RandomState or Generator
        Seeds held-out rows, resampling and foreign learners; stumps use no randomness. None is 0.
    """

    estimator: Any = field(default=None, kw_only=False)
    n_estimators: int = 100
    learning_rate: Any = field(init=False)  # subclasses declare it, unless votes are fixed
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 10
    tol: float = 0.0
    scoring: Any = None
    cv: Any = None
    warm_start: bool = False
    callbacks: Any = None
    unseen: parameters.Unseen = "missing"
    columns: parameters.Matching = field(default="strict", metadata=ADDED)
    random_state: Any = None
    n_jobs: int | None = None
    verbose: int = 0

    # Set by fit.
    ensemble_: Any = field(init=False)
    history_: History = field(init=False)
    n_iter_: int = field(init=False)
    n_features_in_: int = field(init=False)
    stop_reason_: str = field(init=False)
    _schema: Schema = field(init=False)
    _final: bool = field(init=False)  # the run is over: more rounds would change nothing
    _perfect: bool = field(init=False)  # the one member kept is that of the last round
    _weighted: bool = field(init=False)  # weights other than repetitions were given
    _resumed: bool = field(init=False)  # the rounds were played in several fits
    _seed: int = field(init=False)
    _scheme: str = field(init=False)
    _any_shape: bool = field(init=False)
    _held_out: HeldOut = field(init=False)
    _origin: Provenance = field(init=False)
    _settled: dict[str, Any] = field(init=False)

    _ensemble = property(attrgetter("ensemble_"))
    _rate_by_step = False  # whether learning_rate may be None, for a default of the subclass
    _rounds_by_folds = False  # whether "auto" leaves the number of rounds to folds
    _answers = Answers.CLASSES  # what hypotheses are asked for
    _binned_by_learner = False  # whether the learner tells how columns are coded, or ``estimator``
    _product_bounds = True  # whether the training error is at most the product of the Z recorded
    _learn_schema = staticmethod(Schema.learn)  # what X is, and its cells
    _known_classes = np.array([])  # of an earlier fit
    _vote_classes = np.array([])  # that members answer with; none where they answer with numbers

    # What a sum of stumps or trees, and a vote, can do.
    explain, interactions = explainable.explain, explainable.interactions
    shapes, to_frame, tree = explainable.shapes, explainable.to_frame, explainable.tree
    to_shap_trees = explainable.to_shap_trees
    to_c = export.to_c
    to_javascript = export.to_javascript
    to_json = export.to_json
    to_onnx = export.to_onnx
    to_pmml = export.to_pmml
    to_python = export.to_python
    to_sql, to_scorecard = export.to_sql, export.to_scorecard
    _tree_sum = explainable.tree_sum_of_ensemble
    _explained_sum = explainable.scores_explained
    _explained_scale = explainable.score_scale
    _model_ir = export.model_ir
    rules, truncate = inspection.rules, inspection.truncate
    _member_classes = inspection.member_classes

    if callback_support.SUPPORTED:
        set_callbacks = callback_support.set_callbacks
        _init_callback_context = callback_support.init_callback_context

    # ------------------------------------------------------------------------- what subclasses say

    @abstractmethod
    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        """The booster for this sample."""

    @abstractmethod
    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        """The weak learner for columns of this schema."""

    @abstractmethod
    def _target(self) -> Target:
        """How y is to be read."""

    @abstractmethod
    def _default_score(self, prepared: Prepared, validation: Validation) -> Score:
        """What early stopping looks at, of the scores F of held-out rows; larger is better."""

    @abstractmethod
    def _nothing_learnt(self, prepared: Prepared) -> str:
        """What a model without members predicts, in words, for a warning."""

    def _advice(self, stop: Stop) -> str:
        """What may help where nothing was learnt."""
        return "Try deeper learners or other features."

    def _answers_for(self, booster: Booster) -> Answers:
        """The form of answers that the booster needs."""
        return self._answers

    def _learner_answering(self, answers: Answers, seed: int, schema: Schema | None) -> WeakLearner:
        """The weak learner whose hypotheses give that form of answers."""
        raise NotImplementedError

    def _check_sample(self, sample: Sample) -> None:
        """Refuses, before a long fit, parameters that this sample does not allow."""

    def _train_score(self, ensemble: Any, sample: Sample, history: History) -> float | None:
        """The accuracy on the training rows, where it is known without much work."""
        return None

    @property
    def _binning(self) -> Binning:
        """How the columns are coded for the weak learner."""
        if self._binned_by_learner:
            return self._make_learner(0, None).binning
        return binning_for(self.estimator)

    @property
    def _finds_rounds(self) -> bool:
        """Whether folds are to find the number of rounds."""
        n: Any = self.n_estimators
        return self._rounds_by_folds and isinstance(n, str) and n == "auto"

    @property
    def _most_rounds(self) -> int:
        """How many rounds there can be."""
        return self.n_estimators

    def _rounds_to_play(self, inputs: FitInputs) -> int:
        """The number of rounds at most, those of earlier fits included."""
        return self.n_estimators

    def _settings(self) -> dict[str, Any]:
        """Copies of the parameters that define the algorithm; a warm start may not change them."""
        given, held = self.get_params(deep=False).items(), (dict, list, set, np.ndarray)
        kept = ((name, value) for name, value in given if name not in FREE)
        return {name: copy.deepcopy(v) if isinstance(v, held) else v for name, v in kept}

    @property
    def _goes_on(self) -> bool:
        """Whether a fit goes on with the rounds of the one before."""
        return bool(self.warm_start) and self.__sklearn_is_fitted__()

    @property
    def _is_over(self) -> bool:
        """Whether further rounds of a warm start would change nothing."""
        return self._final

    def _check_going_on(self) -> None:
        """Refuses a warm start whose parameters define another algorithm."""
        refuse_changes(self._settled, self._settings())

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        others = "'auto'" if self._rounds_by_folds else ""
        if not self._finds_rounds:
            parameters.integer("n_estimators", self.n_estimators, 1, None, others)
        if self.learning_rate is not None or not self._rate_by_step:
            parameters.real("learning_rate", self.learning_rate, 0.0, 1e6)
        parameters.verbosity(self.verbose)
        parameters.switch("early_stopping", self.early_stopping)
        parameters.switch("warm_start", self.warm_start)
        parameters.real("validation_fraction", self.validation_fraction, 0.0, 0.999999)
        parameters.integer("n_iter_no_change", self.n_iter_no_change, 1)
        parameters.real("tol", self.tol, None, 1e300, least=0.0)
        if self.cv is not None:
            later.check_cv(self.cv, numbers=False)
        parameters.reading(self)
        if self.callbacks is not None:
            callback_support.check_callbacks(self.callbacks)

    def _fit(self, *given: Any) -> Self:
        """What ``fit`` does: checks the parameters, reads the rows, and runs the rounds."""
        resumed = self._goes_on
        with deferred_warnings():
            self._check_parameters()
            inputs = self._inputs(*given, resumed=resumed)
        return self._run(inputs, resumed, given[:3])

    def _run(self, inputs: FitInputs, resumed: bool, data: tuple[Any, Any, Any]) -> Self:
        """Runs the rounds of a fit that is ready, and assigns the fitted attributes."""
        if resumed and self._is_over:
            return self
        run(self, fit_of(self, inputs, resumed), data)
        return self._finished(inputs)

    def _kept(self, fit: Fit[State, Any], played: Played[State]) -> None:
        self._settled, stop = self._settings(), played.stop
        log.debug("%s: %d members, %s", type(self).__name__, self.n_iter_, stop)
        if self.n_iter_ == 0 and stop not in (Stop.FLAT, Stop.DECIDED):  # there was more to learn
            warn(
                f"nothing was learnt: {stop} (round {len(played.history)}); "
                f"{self._nothing_learnt(fit.inputs.prepared)}. {self._advice(stop)}",
                BoostingWarning,
            )

    def _finished(self, inputs: FitInputs) -> Self:
        """The model after what follows the last round, such as calibration."""
        return self

    def _inputs(self, *given: Any, **named: Any) -> FitInputs:
        """The rows, the weak learner and the booster of a fit."""
        return inputs_of(self, *given, **named)

    def _prepare(self, X: Any, y: Any, weight: Any, held_out: HeldOut, resumed: bool) -> Prepared:
        return prepare(
            *(X, y, weight),
            name=type(self).__name__,
            held_out=held_out,
            known=(self._schema, self._known_classes) if resumed else None,
            columns=self.columns,
            binning=self._binning,
            target=self._target(),
            reading=replace(reading_for(self.estimator), learn=self._learn_schema),
            engine=choose(self.n_jobs),
        )

    def _prepare_again(self, X: Any, y: Any, sample_weight: Any) -> Prepared:
        """The sample of the fit, from the same arguments."""
        return self._prepare(X, y, sample_weight, self._held_out, True)

    def _facts(
        self, inputs: FitInputs, state: State, history: History, stop: Stop | None = None
    ) -> Facts:
        """The fitted attributes at a state."""
        prepared, ensemble = inputs.prepared, state.ensemble
        facts: Facts = {
            "_seed": inputs.seed,
            "_held_out": inputs.held_out,
            "_scheme": type(inputs.booster).__name__,
            "_any_shape": is_foreign(self.estimator),
            "_weighted": prepared.sample.importance is not None,
            "_resumed": self._goes_on,
            "_final": stop not in _GOES_ON,
            "_perfect": len(ensemble) == 1
            and "alpha" in history
            and bool(np.isinf(history["alpha"][-1])),
            "ensemble_": ensemble,
            "history_": history,
            "n_iter_": len(ensemble),
            "stop_reason_": str(stop or Stop.ROUNDS),
        }
        return column_names(prepared.schema) | facts

    def _model_after(self, inputs: FitInputs, state: State, history: History) -> Any:
        """A copy of this model as fitted by the rounds up to this state."""
        assign(model := copy.copy(self), self._facts(inputs, state, history))
        return model

    def _outcome(self, fit: Fit[State, Any], played: Played[State]) -> Facts:
        """The fitted attributes after the last round, or the best one with early stopping."""
        inputs, state, history, early = fit.inputs, played.state, played.history, fit.early
        facts = self._facts(cast("FitInputs", inputs), state, history, played.stop)
        if early is not None:
            facts["validation_scores_"] = history["validation_score"]
            if early.stops and (kept := early.best) is not None:
                facts["_perfect"] = facts["_perfect"] and kept is state.ensemble
                facts |= {"ensemble_": kept, "n_iter_": len(kept)}
        facts["_train_accuracy"] = self._train_score(facts["ensemble_"], fit.sample, history)
        return facts

    # ---------------------------------------------------------------------- predicting, and members

    def _rows(self, X: Any) -> Rows:
        if not self.__sklearn_is_fitted__():  # the check itself reads all tags
            check_is_fitted(self, "ensemble_")
        engine, any_shape = choose(self.n_jobs), self._any_shape
        X = self._schema.matched(X, self.columns)
        return rows_for(self.estimator, self._schema, X, engine, self.unseen, any_shape)

    @property
    def estimators_(self) -> list[Any]:
        """The members as fitted estimators, of several binary problems one after another.

        "ovr" has those of classes -1 and 1, class by class; "pairs" those of both, pair by pair.
        """
        return inspection.fitted_members(self)

    @property
    def estimator_weights_(self) -> Floats:
        """The votes alpha_t of the members."""
        check_is_fitted(self, "ensemble_")
        return np.asarray(self.ensemble_.votes)

    @property
    def estimator_errors_(self) -> Floats:
        """The weighted errors epsilon_t of the members."""
        return inspection.member_errors(self)

    @property
    def feature_importances_(self) -> Floats:
        """The share of the vote that each feature holds."""
        return inspection.vote_shares(self)

    # ------------------------------------------------------------------------ scikit-learn's wishes

    def __sklearn_is_fitted__(self) -> bool:
        return "ensemble_" in vars(self)

    def __sklearn_tags__(self) -> Any:
        return with_tags_of(self.estimator, super().__sklearn_tags__())

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_estimators"}

    def _repr_html_inner(self) -> str:
        return with_summary(self, BaseEstimator._repr_html_inner(self))

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._repr_html_inner()}
