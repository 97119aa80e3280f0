"""What the boosters of many labels share."""

from __future__ import annotations

from dataclasses import field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...base.booster import State, Stop
from ...base.history import History
from ...base.hypothesis import WeakLearner
from ...base.messages.value_text import show
from ...base.sample import Sample
from ...base.types import Floats
from ...intake import parameters
from ...intake.multilabel import Indicator, Signs, read_indicator
from ...intake.prepare import Prepared, Target
from ...intake.schema import Schema
from ...intake.validation import Validation
from ...losses.links import decide
from ..fit import FitInputs
from .base import Facts, Score
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

    _binned_by_learner = True
    # Whether rows may have several labels.
    _takes_several: ClassVar[bool] = False
    # Whether stumps and trees answer with a sign for each label, and no confidence.
    _of_products = False

    # ------------------------------------------------------------------------------------ fitting

    def _check_parameters(self) -> None:
        super()._check_parameters()
        parameters.one_of("on_perfect", self.on_perfect, OnPerfect)
        parameters.share("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
        if self.smoothing is not None:
            parameters.real("smoothing", self.smoothing, None, 1e6, least=0.0)

    def _target(self) -> Target:
        return replace(super()._target(), several=self._takes_several)

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

    def _check_sample(self, sample: Sample) -> None:
        if not sample.several:
            super()._check_sample(sample)
        elif self.calibrate is not None:
            raise ValueError(
                f"calibrate={show(self.calibrate)} is for rows of one label each; set "
                "calibrate=None."
            )
        if self._goes_on and sample.several != (self._indicator is not None):
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
        self, inputs: FitInputs, state: State, history: History, stop: Stop | None = None
    ) -> Facts:
        form = inputs.prepared.indicator
        indicator = None if form is None else (form.absent, form.sparse)
        return super()._facts(inputs, state, history, stop) | {"_indicator": indicator}

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

        Where rows may have several labels, the smallest margin among the labels of each row.
        """
        F = self.decision_function(X)
        if self._indicator is None:
            return super().margins(X, y)
        signs, _ = read_indicator(y, len(F), known=self.classes_)
        return normalised_margins(F, signs, self.ensemble_)

    # ------------------------------------------------------------------------ scikit-learn's wishes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = self._takes_several
        return tags


@parameters.declared
class LabelRanking(LabelBoosting):
    """Labels of a row above those that it has not; ``_ranks`` may leave that to the parameters."""

    _takes_several: ClassVar[bool] = True

    @property
    def _ranks(self) -> bool:
        return True

    def _check_sample(self, sample: Sample) -> None:
        super()._check_sample(sample)
        if self._ranks and sample.several and not _some_pairs(sample.y):
            raise ValueError(
                "y gives every row all labels or none, so that there is nothing to rank: pass rows "
                "that have some labels and lack others."
            )

    def _label_score(self, signs: Signs, weights: Floats | None) -> Score:
        if not self._ranks:
            return super()._label_score(signs, weights)
        has, lacks = signs > 0, signs < 0
        pairs = has.sum(axis=1) * lacks.sum(axis=1)

        def score(F: Floats, state: State) -> float:
            right = np.zeros(len(F))
            for own, column in zip(has.T, F.T, strict=True):
                right += own * ((F < column[:, None]) & lacks).sum(axis=1)
            return float(np.average(right / np.maximum(pairs, 1), weights=weights))

        return score

    # ------------------------------------------------------------------------------- several labels

    def _finished(self, inputs: FitInputs) -> Self:
        sample = inputs.prepared.sample
        self.__dict__.pop("_cut", None)
        if self._ranks and sample.several:
            times = None if sample.copies is None else sample.copies
            self._cut = best_cut(self.ensemble_(sample), sample.y, times)
        return super()._finished(inputs)


def best_cut(F: Floats, signs: Signs, copies: NDArray[np.int64] | None) -> float:
    """The threshold above which scores get most labels right; the lowest of equals.

    >>> best_cut(np.array([[0.5, 2.0, 3.0]]), np.array([[-1, -1, 1]], np.int8), None)
    2.5
    """
    times = np.ones(len(F), np.int64) if copies is None else copies
    values, place = np.unique(F, return_inverse=True)
    gained = np.zeros(len(values), np.int64)  # rights less wrongs, for a cut just above each value
    np.add.at(gained, place.ravel(), (-signs.astype(np.int64) * times[:, None]).ravel())
    best = int(np.argmax(np.concatenate([[0], np.cumsum(gained)])))
    ends = np.concatenate([[values[0] - 1], (values[1:] + values[:-1]) / 2, [values[-1] + 1]])
    return float(ends[best])


def _some_pairs(signs: Signs) -> bool:
    own = (signs > 0).sum(axis=1)
    return bool(((own > 0) & (own < signs.shape[1])).any())
