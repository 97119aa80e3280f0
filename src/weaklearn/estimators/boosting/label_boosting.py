"""What the boosters of many labels share."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, ClassVar

import numpy as np

from ...base.booster import History, State, Stop
from ...base.hypothesis import WeakLearner
from ...base.sample import Sample
from ...base.types import Floats
from ...intake import parameters
from ...intake.multilabel import Indicator, Signs, read_indicator
from ...intake.prepare import Prepared, Target
from ...intake.schema import Schema
from ...intake.validation import Validation
from ...losses.links import decide
from ..fit import Game
from .base import Score
from .classifier import BoostingClassifier, OnPerfect
from .inspection import normalised_margins
from .weak_learner import Answers, learner_for


@parameters.declared
class LabelBoosting(BoostingClassifier):
    """Boosts rules that answer every label, of which a row has one or, in some, any number.

    Parameters
    ----------
    estimator : "stump", "tree", or any weak learner
        Exact stumps by default; "tree" is a tree of depth 3 by the same criterion. Of a
        DecisionTreeClassifier of this library its limits and ``categorical`` count, and missing
        values take a branch of their own. All other learners tell two groups of examples apart, and
        are found in turns with a sign for each label, as under ``form="product"``.
    on_perfect : {"stop", "smooth"}, default "stop"
        A rule that answers every label of every example rightly outvotes all others and ends the
        fit, or is one like others.
    """

    learning_rate: float = 1.0
    on_perfect: OnPerfect = "stop"
    smoothing: float | None = field(default=None, init=False)  # those that smooth declare it

    # Whether rows may have several labels.
    _takes_several: ClassVar[bool] = False

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("on_perfect", self.on_perfect, OnPerfect)
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)

    _binned_by_learner = True

    def _target(self) -> Target:
        return replace(super()._target(), several=self._takes_several)

    @property
    def _of_products(self) -> bool:
        """Whether stumps and trees answer with a sign for each label, and no confidence."""
        return False

    def _make_learner(self, seed: int, schema: Schema | None) -> WeakLearner:
        smoothing = self.smoothing
        return learner_for(
            self.estimator,
            False,
            self.n_estimators,
            seed,
            float(self.min_weight_fraction_leaf),
            schema,
            answers=Answers.SIGNS if self._of_products else Answers.LABELS,
            smoothing=None if smoothing is None else float(smoothing),
        )

    def _check_game(self, sample: Sample) -> None:
        if not sample.several:
            super()._check_game(sample)
        elif self.calibrate is not None:
            raise ValueError(
                f"calibrate={self.calibrate!r} is for rows of one label each; set calibrate=None."
            )
        resumed = self.warm_start and hasattr(self, "ensemble_")
        if resumed and sample.several != (self._indicator is not None):
            raise ValueError(
                "warm_start=True goes on with a model of "
                + ("one label a row" if sample.several else "several labels a row")
                + ", but y now is of the other kind; set warm_start=False to begin anew."
            )

    def _default_score(self, prepared: Prepared, validation: Validation) -> Score:
        if validation.signs is None:
            return super()._default_score(prepared, validation)
        return self._label_score(validation.signs, validation.weights)

    def _label_score(self, signs: Signs, weights: Floats | None) -> Score:
        """What early stopping looks at where rows may have several labels; larger is better."""

        def score(F: Floats, state: State) -> float:
            return float(np.average(((F > 0) == (signs > 0)).mean(axis=1), weights=weights))

        return score

    def _facts(
        self, game: Game, state: State, history: History, stop: Stop | None = None
    ) -> dict[str, Any]:
        form = game.prepared.indicator
        indicator = None if form is None else (form.absent, form.sparse)
        return super()._facts(game, state, history, stop) | {"_indicator": indicator}

    def _nothing_learnt(self, prepared: Prepared) -> str:
        if prepared.indicator is None:
            return super()._nothing_learnt(prepared)
        return "every row will be given no label"

    def _train_score(self, ensemble: Any, sample: Sample, history: History) -> float | None:
        if "train_error" in history:
            return super()._train_score(ensemble, sample, history)
        F = np.asarray(ensemble(sample))
        if sample.several:
            right = ((F > 0) == (sample.y > 0)).all(axis=1)
        else:
            codes = (sample.y > 0) if sample.binary else sample.y
            right = decide(F, sample.n_classes) == codes
        return float(np.average(right, weights=sample.copies))

    # --------------------------------------------------------------------------------- predicting

    def _written(self, F: Floats) -> Any:
        """The labels whose score is above 0, as they were handed in."""
        assert self._indicator is not None
        return Indicator(self.classes_, *self._indicator).written(F > 0)

    def margins(self, X: Any, y: Any) -> Floats:
        """Normalised margins in [-1, 1]: how clearly the vote is right (wrong where negative).

        Where rows may have several labels, of each row the margin of the label told worst.
        """
        F = self.decision_function(X)
        if self._indicator is None:
            return super().margins(X, y)
        signs, _ = read_indicator(y, len(F), n_labels=len(self.classes_))
        return normalised_margins(F, signs, self.ensemble_)

    # ------------------------------------------------------------------------ scikit-learn's wishes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self._takes_several
        return tags
