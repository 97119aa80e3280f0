"""What boosted classifiers share: all of them, those of any number of classes, those of two."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import field
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ... import boosters
from ...base.booster import Booster, State, Stop
from ...base.ensemble import StackedEnsemble
from ...base.history import History
from ...base.hypothesis import Stump, WeakLearner
from ...base.messages.value_text import show
from ...base.sample import Sample
from ...base.types import Floats
from ...intake import parameters
from ...intake.label_kind import label_score, score_of_labels
from ...intake.prepare import Prepared, Target
from ...intake.schema import Schema
from ...intake.splitting import unfitted_copy
from ...intake.validation import Validation
from ...losses.links import REDUCTIONS, Calibration, decide, vote_odds
from ...prediction import rows, votes
from ...registry import row_of
from ...uncertainty import conformal
from ...uncertainty.conformity import HOWS
from .. import later, thresholds
from ..callback_support import accuracy_score
from ..fit import FitInputs, with_callbacks
from . import inspection
from .base import Boosting, Facts, Score
from .weak_learner import Answers, learner_for

Calibrate = Literal[None, "slope", "platt"]
OnPerfect = Literal["stop", "smooth"]
Multiclass = Literal["ovr", "pairs"]


@parameters.declared
class BoostingClassifier(ClassifierMixin, Boosting):
    """A classifier fitted in boosting rounds; subclasses name the booster.

    Parameters
    ----------
    resample : bool or dict, default False
        Train on rows drawn by weight instead of weighting them: True, or a dict of ``n_samples``,
        ``gamma``, ``delta``, ``success_probability``, ``on_failure`` ("best", "fail", "stop").
    min_weight_fraction_leaf : float, default 0.0
        The least share of the weight D_t on each side of a stump or in each leaf of a tree;
        learners without leaves do not look at it. A little of it keeps a model from cutting off
        light examples one by one.
    calibrate : {None, "slope", "platt"}, default None
        Probabilities by the book's link, 1/(1 + exp(-2F)); or with one positive factor on F, or
        Platt's two numbers, fitted on scores of rows held out in five folds. Labels do not change.
    """

    tune_threshold, set_threshold = thresholds.tune_threshold, thresholds.set_threshold
    threshold_, _binary_scores = property(thresholds.given_threshold), thresholds.decision_scores
    _probability_at = votes.probability_at

    options_of_all_rows: ClassVar[tuple[str, ...]] = (
        "resample",
        "scoring",
        "cv",
        "calibrate",
        "min_weight_fraction_leaf",
    )
    predicts_datasets = True
    score = score_of_labels

    min_weight_fraction_leaf: float = 0.0
    class_weight: Any = None
    calibrate: Calibrate = None

    resample = False  # those that can train on drawn rows declare it as a parameter

    # Set by fit.
    classes_: NDArray[Any] = field(init=False)
    calibration_: Calibration = field(init=False)

    margins = inspection.margins
    distributions = inspection.distributions
    certify = inspection.certify

    conformalize = conformal.conformalize
    conformal_certificate = conformal.conformal_certificate
    predict_set = conformal.predict_set
    _hows = HOWS
    _judged_cells = conformal.cells_of
    _label_scores = conformal.label_scores

    _own_booster = False  # whether the booster is the user's

    @property
    def _booster_name(self) -> str:
        """The booster that played, in every run where a reduction had several."""
        row = row_of(type(self))
        return self._scheme if self._scheme not in REDUCTIONS or row is None else row.schemes[0]

    def _unseen_label_scores(self) -> Floats:
        raise conformal.no_bags(self)

    @property
    def _vote_classes(self) -> NDArray[Any]:  # type: ignore[override]
        return self.classes_

    @property
    def edges_(self) -> Floats:
        """The edges gamma_t of the members."""
        check_is_fitted(self, "ensemble_")
        if isinstance(self.ensemble_, StackedEnsemble):
            return 0.5 - self.estimator_errors_
        return inspection.recorded(self, "gamma")

    # ------------------------------------------------------------------------------------ fitting

    @with_callbacks
    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        groups: Any = None,
    ) -> Self:
        """Fits the boosting rounds on X and y.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Numbers, strings, categories, booleans, dates; missing values are allowed. A learner
            outside this library gets X as it came, and may take texts or arrays of any shape.
        y : array-like of n labels
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows; a row of weight 0 is left out.
        X_val, y_val, sample_weight_val : optional
            Rows to score every round on, in place of a held-out fraction. With early_stopping=True
            they choose the number of rounds; otherwise their score is only recorded. Dicts hold
            several sets by name: the first judges, and all are in ``history_``, as "name_score".
        groups : array-like of n ids, optional
            Rows of a group are held out together; handed to ``cv`` where that is set.
        """
        return self._fit(X, y, sample_weight, X_val, y_val, sample_weight_val, groups)

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("calibrate", self.calibrate, Calibrate)

    def _learner_before_rows(self) -> WeakLearner:
        return self._make_learner(0, None)

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        return self._learner_answering(self._answers, seed, schema)

    def _learner_answering(self, answers: Answers, seed: int, schema: Schema | None) -> WeakLearner:
        """The learner of the parameters, with hypotheses that answer in one of the ways."""
        return learner_for(
            self.estimator,
            self.resample,
            self.n_estimators,
            seed,
            self.min_weight_fraction_leaf,
            schema,
            answers=answers,
        )

    def _target(self) -> Target:
        return Target(class_weight=self.class_weight)

    @property
    def _known_classes(self) -> NDArray[Any]:  # type: ignore[override]
        return self.classes_

    def _check_sample(self, sample: Sample) -> None:
        if self.calibrate is not None:
            later.check_calibration(self.calibrate, sample)

    def _default_score(self, prepared: Prepared, validation: Validation) -> Score:
        return accuracy_score(validation, len(prepared.classes))

    def _facts(
        self, inputs: FitInputs, state: State, history: History, stop: Stop | None = None
    ) -> Facts:
        facts = super()._facts(inputs, state, history, stop)
        return facts | {"classes_": inputs.prepared.classes, "calibration_": Calibration()}

    def _nothing_learnt(self, prepared: Prepared) -> str:
        return f"every row will be given the class {prepared.classes.tolist()[0]!r}"

    def _train_score(self, ensemble: Any, sample: Sample, history: History) -> float | None:
        """The share of the training examples that the vote gets right."""
        if "train_error" in history:
            return float(1 - history["train_error"][min(len(ensemble), len(history)) - 1])
        if not all(isinstance(h, Stump) or h.is_tree for h in ensemble.members):
            return None
        codes = (sample.y > 0) if sample.binary else sample.y
        right = decide(np.asarray(ensemble(sample)), sample.n_classes) == codes
        n_right = np.array([np.sum(right if sample.copies is None else right * sample.copies)])
        return float(sample.engine.collective.sum(n_right)[0] / sample.m)

    def _finished(self, inputs: FitInputs) -> Self:
        if self.calibrate is not None and self.n_iter_ > 0:  # last, so that nothing played is lost
            rounds = len(self.history_) if self._perfect else self.n_iter_
            self.calibration_ = self._calibrated(inputs, rounds)
        return self

    def _calibrated(self, inputs: FitInputs, n_rounds: int) -> Calibration:
        """A link fitted on scores of held-out rows, of models fitted without these rows."""
        settings = {
            "calibrate": None,
            "warm_start": False,
            "early_stopping": False,
            "n_estimators": n_rounds,
            "class_weight": None,
            "callbacks": None,
            "random_state": inputs.seed,
            "verbose": 0,
        }

        def refit(X: Any, y: Any, weights: Floats) -> Any:
            model = unfitted_copy(self).set_params(**settings)
            return model.fit(X, y, sample_weight=weights)

        sample = inputs.prepared.sample
        return later.calibrate(self.calibrate, sample, inputs.seed, refit, self._link)

    # --------------------------------------------------------------------------------- predicting

    decision_function = votes.decision_function
    predict = votes.predict
    predict_proba = votes.predict_proba
    predict_log_proba = rows.predict_log_proba
    staged_decision_function = votes.staged_decision_function
    staged_predict = votes.staged_predict
    staged_predict_proba = votes.staged_predict_proba
    _link = votes.probabilities
    _link_some = votes.link_votes

    _cut = 0.0  # where scores are cut, of rows with several labels

    @property
    def _odds(self) -> float:
        """The factor that turns scores into half the log-odds, by the registry."""
        row = row_of(type(self))
        return 1.0 if row is None else vote_odds(row.odds, vars(self))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy after 1, 2, ... members."""
        for labels in self.staged_predict(X):
            yield label_score(self.classes_, y, labels, sample_weight)


@parameters.declared
class AnyClassBoosting(BoostingClassifier):
    """Boosts any number of classes at once, by the booster that a subclass names.

    Parameters
    ----------
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule without error outvotes all others and ends the fit, or is counted as if it erred
        on half an example.
    """

    learning_rate: float = 1.0
    on_perfect: OnPerfect = "stop"
    resample: Any = False

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("on_perfect", self.on_perfect, OnPerfect)
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)


@parameters.declared
class TwoClassBoosting(BoostingClassifier):
    """Boosts two classes by the booster that a subclass names; more classes by several of them.

    Parameters
    ----------
    multiclass : {"ovr", "pairs"}, default "ovr"
        More than two classes are boosted one against the rest, or every two against one another.
    """

    learning_rate: float = 1.0
    multiclass: Multiclass = "ovr"

    _multiclass: ClassVar[Any] = Multiclass  # how more than two classes may be boosted
    # Why votes are not to be shrunk, where the booster's definition fixes them.
    _fixed_votes = ""

    @abstractmethod
    def _booster_of_two(self, sample: Sample) -> Booster:
        """The booster, for two classes."""

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("multiclass", self.multiclass, self._multiclass)
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
        if self._fixed_votes and self.learning_rate != 1:
            raise ValueError(
                f"learning_rate={show(self.learning_rate)} is not allowed: {self._fixed_votes}; it "
                "must be 1."
            )

    def _make_booster(self, sample: Sample, learner: WeakLearner) -> Booster:
        booster = self._booster_of_two(sample)
        return booster if sample.n_classes <= 2 else self._booster_of_many(sample, learner, booster)

    def _booster_of_many(self, sample: Sample, learner: WeakLearner, two: Booster) -> Booster:
        """The booster for more classes, made of boosters of two."""
        panel = boosters.AllPairs if self.multiclass == "pairs" else boosters.OneVsRest
        return panel(two, learner)
