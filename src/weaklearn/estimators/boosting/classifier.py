"""What every boosted classifier shares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin

from ...base.booster import State
from ...base.hypothesis import WeakLearner
from ...base.record import History, Stop
from ...base.sample import Sample
from ...base.trees.stump import Stump
from ...intake import parameters
from ...intake.prepare import Game, Prepared, Validation
from ...intake.schema import Schema
from ...intake.unfitted_copy import unfitted_copy
from ...losses.links import ALL_PAIRS, Calibration, link_scale, of_votes, softmax, vote_odds
from ...registry import row_of
from ...uncertainty.calibration import calibrate
from ...uncertainty.calibration import check as check_calibration
from ...uncertainty.conformal import SetPrediction
from ..callback_support import accuracy_score, decide
from .base import Playing, Score
from .inspection import Telling
from .weak_learner import learner_for

Floats = NDArray[np.float64]


class BoostingClassifier(Telling, SetPrediction, ClassifierMixin, Playing):
    """A classifier made by playing a boosting game; subclasses name the booster."""

    class_weight: Any
    calibrate: str | None
    classes_: NDArray[Any]
    calibration_: Calibration

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("calibrate", self.calibrate, [None, "slope", "platt"])

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        return self._learner_by(learner_for, seed, schema)

    def _learner_by(
        self, make: Callable[..., WeakLearner], seed: int, schema: Schema | None
    ) -> WeakLearner:
        """The learner of the parameters, made in one of the ways there are."""
        return make(
            self.estimator,
            getattr(self, "resample", False),
            self.n_estimators,
            seed,
            getattr(self, "min_weight_fraction_leaf", 0.0),
            schema,
        )

    def _target(self) -> dict[str, Any]:
        return {"class_weight": self.class_weight}

    @property
    def _known_classes(self) -> NDArray[Any]:
        return self.classes_

    def _check_game(self, sample: Sample) -> None:
        check_calibration(self.calibrate, sample)

    def _default_score(self, prepared: Prepared, validation: Validation) -> Score:
        return accuracy_score(validation, len(prepared.classes))

    def _facts(
        self, game: Game, state: State, history: History, stop: Stop | None = None
    ) -> dict[str, Any]:
        facts = super()._facts(game, state, history, stop)
        return facts | {"classes_": game.prepared.classes, "calibration_": Calibration()}

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
        return float(np.average(right, weights=sample.copies))

    def _finished(self, game: Game) -> Any:
        if self.calibrate is not None and self.n_iter_ > 0:  # last, so that nothing played is lost
            rounds = len(self.history_) if self._perfect else self.n_iter_
            self.calibration_ = self._calibrated(game, rounds)
        return self

    def _calibrated(self, game: Game, n_rounds: int) -> Calibration:
        """A link fitted on scores of models that play the same game without the rows they score."""
        settings = {
            "calibrate": None,
            "warm_start": False,
            "early_stopping": False,
            "n_estimators": n_rounds,
            "class_weight": None,
            "callbacks": None,
            "random_state": game.seed,
            "verbose": 0,
        }

        def refit(X: Any, y: Any, weights: Floats) -> Any:
            model = unfitted_copy(self).set_params(**settings)
            return model.fit(X, y, sample_weight=weights)

        return calibrate(self.calibrate, game.prepared.sample, game.seed, refit, self._link)

    # --------------------------------------------------------------------------------- predicting

    def decision_function(self, X: Any) -> Floats:
        """F, the sum of the votes: (n,) for two classes (above 0: ``classes_[1]``), else (n, K)."""
        rows = self._rows(X)
        return np.asarray(self.ensemble_(rows))

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each row."""
        F = self.decision_function(X)
        return np.asarray(self.classes_[decide(F, len(self.classes_))])

    def predict_proba(self, X: Any) -> Floats:
        """The probability of each class, in the order of ``classes_``."""
        F = self.decision_function(X)
        return self._link(self.calibration_(F))

    def predict_log_proba(self, X: Any) -> Floats:
        """The logarithm of the probabilities."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @property
    def _link_scale(self) -> float:
        """What a softmax takes scores times."""
        return link_scale(self._scheme, several=False)

    @property
    def _odds(self) -> float:
        """What makes half the log-odds of scores, as the registry has it."""
        row = row_of(type(self))
        return 1.0 if row is None else vote_odds(row.odds, vars(self))

    def _link(self, F: Floats) -> Floats:
        """Scores to probabilities: 1/(1 + exp(-2F)) for two classes; of wins a softmax."""
        if len(self.classes_) == 1:
            return np.ones((len(F), 1))
        return softmax(F) if self._scheme == ALL_PAIRS else self._link_some(F)

    def _link_some(self, F: Floats) -> Floats:
        return of_votes(self._odds * F, self._scheme, self._link_scale)

    def staged_decision_function(self, X: Any) -> Iterator[Floats]:
        """F after 1, 2, ... members."""
        rows = self._rows(X)
        yield from self.ensemble_.stages(rows)

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """The labels after 1, 2, ... members."""
        for F in self.staged_decision_function(X):
            yield self.classes_[decide(F, len(self.classes_))]

    def staged_predict_proba(self, X: Any) -> Iterator[Floats]:
        """The probabilities after 1, 2, ... members."""
        for F in self.staged_decision_function(X):
            yield self._link(self.calibration_(F))

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy after 1, 2, ... members."""
        from sklearn.metrics import accuracy_score  # heavy, and rarely needed

        for labels in self.staged_predict(X):
            yield float(accuracy_score(y, labels, sample_weight=sample_weight))
