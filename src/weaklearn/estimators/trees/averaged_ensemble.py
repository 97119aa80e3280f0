"""What ensembles of averaged members share: bags, out-of-bag answers, going on where they were."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ...base.messages.warnings import DataWarning, deferred_warnings, warn
from ...base.numeric.hashing import GOLDEN, mixed
from ...base.numeric.magnitude import TINY
from ...base.offered import fact
from ...base.rows import Rows
from ...base.sample import Sample
from ...base.types import Floats
from ...ensembles import Bags, OutOfBag, canonical_order
from ...intake import parameters
from ...intake.prepare import Prepared
from ...intake.weights import for_all_rows
from ...prediction import averages
from ...prediction.rows import classes_of
from ...production.provenance import after_fit, provenance_of
from ..fit import column_names
from ..model import Model, in_one_step
from .out_of_bag import (
    MOST_COPIES,
    by_row,
    calibrated,
    check_copies,
    labels_or_numbers,
    unseen_answers,
    warn_of_uncovered,
)
from .several_outputs import (
    by_class_and_output,
    check_out_of_bag,
    known_classes,
    no_intervals,
    refuse_other_outputs,
)
from .spread import deviation

Facts = dict[str, Any]  # fitted names and what they are
_MOST_MEMBERS = 1_000_000  # which is far beyond use, and still fits into memory


class Averaging(Model):
    """Members trained on bags of the examples, and the average of their predictions.

    An example that is in every bag has no out-of-bag answer: it is left out of ``oob_score_``, and
    ``oob_coverage_`` is the share of the others.

    Parameters
    ----------
    max_samples : int or float, optional
        Examples in a bag: a number, or a share of all; as many as there are by default.
    random_state : None, int below 2**32, RandomState or Generator
        Draws are keyed by it, the member and the content of rows, whatever their order; None is 0.
    """

    # Parameters that subclasses declare.
    n_estimators: int
    bootstrap: bool
    max_samples: Any
    oob_score: Any
    warm_start: bool
    random_state: Any
    verbose: int
    n_jobs: int | None
    estimators_: list[Any]
    _seed: int
    _content: int
    _oob_name: str
    _bags: Bags | None = None  # None where the model comes from a file
    _used: NDArray[np.bool_] | None  # which rows of X count; None: all

    _members_are = "members"  # in texts
    _any_learner = False  # members get rows of X itself, those of more weight drawn more often

    @abstractmethod
    def _learner(self) -> Any:
        """What every member is trained by."""

    @abstractmethod
    def _prepare(self, X: Any, y: Any, weight: Any, learner: Any, resumed: bool) -> Prepared:
        """The sample that bags are drawn from."""

    @abstractmethod
    def _trained(self, learner: Any, prepared: Prepared, bags: Bags, resumed: bool) -> Facts:
        """The fitted names of all members; with ``resumed`` those of the earlier fit are kept."""

    @abstractmethod
    def _answers(self, facts: Facts, rows: Rows, classes: Any) -> Iterator[Floats]:
        """The predictions of each member of the fitted names, (rows, outputs), in order."""

    @abstractmethod
    def _rows(self, X: Any) -> Rows:
        """X, encoded by the schema of training."""

    def _member_predictions(self, X: Any) -> Iterator[Floats]:
        """The predictions of each member for X, (rows, outputs), in order."""
        return self._answers(self.__dict__, self._rows(X), self._known_classes)

    @property
    def estimators_samples_(self) -> list[NDArray[np.int64]]:
        """The rows of X that each member was trained on, with repetition; not kept in files."""
        check_is_fitted(self)
        if self._bags is None:
            raise AttributeError(
                "estimators_samples_ is known where the model was fitted, and not stored with it."
            )
        drawn = [self._bags.rows(b) for b in range(self._n_members)]
        if self._used is None:
            return drawn
        places = np.flatnonzero(self._used)
        return [places[rows] for rows in drawn]

    def _average(self, X: Any) -> Floats:
        """The average of the members' predictions for X, (rows, outputs)."""
        return averages.mean(self._member_predictions(X))

    def _spread(self, X: Any) -> Floats:
        """The standard deviation over the members, (rows, outputs)."""
        with np.errstate(over="ignore", invalid="ignore"):
            found = deviation(self._member_predictions(X))
        if np.isfinite(found).all():
            return found
        return deviation(answers * TINY for answers in self._member_predictions(X)) / TINY

    @abstractmethod
    def _scored(self, y: NDArray[Any], predicted: NDArray[Any], weights: Floats) -> float:
        """How well answers fit, with sums rounded once and so free of order."""

    @abstractmethod
    def _decided(self, average: Floats, classes: NDArray[Any]) -> NDArray[Any]:
        """Labels or numbers from averages."""

    @property
    @abstractmethod
    def _n_members(self) -> int:
        """How many members there are."""

    @property
    def _known_classes(self) -> Any:
        """The classes, of several outputs a tuple; none where numbers are predicted."""
        known = classes_of(self)
        if known is None:
            return np.array([])
        return tuple(known) if isinstance(known, list) else known

    # ------------------------------------------------------------------------------------ fitting

    @in_one_step
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Trains every member on a bag of its own.

        Parameters
        ----------
        X : array, DataFrame, Arrow table or sparse matrix of shape (n, d)
            Numbers, strings, categories, booleans, dates; missing values are allowed. A learner
            outside this library gets its rows of X as they came, in their container.
        y : array-like of n labels or numbers
        sample_weight : array-like of n weights, optional
            Whole numbers count as repetitions of rows, and a row of weight 0 is left out. Other
            weights go to the learner; bags of any learner, drawn by weight, hold such rows oftener.
        """
        self._check_parameters()
        learner, resumed = self._learner(), self._resumed()
        seed = self._seed if resumed else parameters.seed("random_state", self.random_state)
        with deferred_warnings():
            prepared = self._prepare(X, y, sample_weight, learner, resumed)
        if resumed:
            refuse_other_outputs(self, prepared)
        sample = prepared.sample
        if self.oob_score:
            check_copies(sample)
            if prepared.outputs is not None:
                check_out_of_bag(prepared.outputs)
        hashes = sample.row_hashes if self._any_learner else sample.code_hashes
        bags = Bags(
            canonical_order(hashes, sample.y, sample.importance),
            self._n_draws(sample),
            seed,
            bool(self.bootstrap),
            sample.copies,
            sample.importance if self._any_learner else None,
        )
        facts: dict[str, Any] = column_names(prepared.schema) | {
            "_content": self._content_of(hashes, resumed),
            "_bags": bags,
            "_used": prepared.used,
            "_seed": seed,
        }
        facts |= self._trained(learner, prepared, bags, resumed)
        calibrates = self._calibrates(prepared, facts, bags, resumed)
        if self.oob_score or calibrates:
            outputs = prepared.outputs
            of_outputs = () if outputs is None else outputs.classes
            predicted = self._answers(facts, sample, of_outputs or prepared.classes)
            unseen = unseen_answers(predicted, bags, prepared)
            facts |= self._out_of_bag(unseen, prepared, bags) if self.oob_score else {}
            calibration = calibrated(unseen, sample, bags) if calibrates else None
            facts |= {} if calibration is None else {"calibration_": calibration}
        before = provenance_of(self) if resumed else None
        facts["_origin"] = after_fit(sample, before=before)
        facts |= known_classes(prepared)
        for name in (
            "feature_names_in_",
            "_estimators",
            "oob_score_",
            "oob_coverage_",
            "calibration_",
            "n_outputs_",
            self._oob_name,
        ):
            self.__dict__.pop(name, None)
        self.__dict__.update(facts)
        return self

    def _check_parameters(self) -> None:
        parameters.integer("n_estimators", self.n_estimators, 1, _MOST_MEMBERS)
        parameters.switch("bootstrap", self.bootstrap)
        parameters.switch("warm_start", self.warm_start)
        parameters.verbosity(self.verbose)
        if self.max_samples is not None:
            parameters.count_or_share("max_samples", self.max_samples, 1, beyond=self.bootstrap)
        if not callable(self.oob_score):
            parameters.switch("oob_score", self.oob_score)

    def _resumed(self) -> bool:
        """Whether a fit goes on where an earlier one ended."""
        if not self.warm_start or not self.__sklearn_is_fitted__():
            return False
        if self.n_estimators < self._n_members:
            raise ValueError(
                f"n_estimators={self.n_estimators} must be larger or equal to the "
                f"{self._n_members} members there are when warm_start is True."
            )
        if self.n_estimators == self._n_members:
            warn(
                f"Warm-start fitting without increasing n_estimators does not fit new "
                f"{self._members_are}: there are {self._n_members} already; raise n_estimators, or "
                "set warm_start=False to begin anew.",
                DataWarning,
            )
        return True

    def _n_draws(self, sample: Sample) -> int:
        """How many examples a bag holds."""
        asked, m = self.max_samples, sample.m
        n = m if asked is None else int(asked)
        if isinstance(asked, (float, np.floating)):
            n = max(1, int(min(asked * m, 2.0**62)))
        if n > m and not self.bootstrap:
            raise ValueError(
                f"max_samples={asked} is more than the {m} examples there are, and each is drawn "
                "once at most; pass at most that many, or set bootstrap=True."
            )
        if n > max(m, MOST_COPIES):
            raise ValueError(
                f"max_samples={asked} asks for bags of {n} draws from {m} examples, and "
                f"{max(m, MOST_COPIES)} are allowed; pass fewer, or a share such as 0.8."
            )
        if self.oob_score and not self.bootstrap and n == m:
            raise ValueError(
                "Out of bag estimation only available if bootstrap=True, or with max_samples below "
                f"1.0: oob_score needs examples that are left out of bags, and bootstrap=False "
                f"with max_samples={asked} leaves none out."
            )
        return n

    def _content_of(self, hashes: NDArray[np.uint64], resumed: bool) -> int:
        """A number for the rows in their order; out-of-bag answers go on with the same rows."""
        places = np.arange(1, len(hashes) + 1, dtype=np.uint64)
        content = int(mixed(hashes + GOLDEN * places).sum(dtype=np.uint64))
        if resumed and self.oob_score and content != self._content:
            raise ValueError(
                "warm_start=True with oob_score must go on with the rows of the earlier fit, in "
                "their order: pass the same X and y, or set warm_start=False to begin anew."
            )
        return content

    # -------------------------------------------------------------------------------- out of bag

    def _calibrates(self, prepared: Prepared, facts: Facts, bags: Bags, resumed: bool) -> bool:
        """Whether probabilities are calibrated by out-of-bag answers."""
        return False

    def _out_of_bag(self, found: OutOfBag, prepared: Prepared, bags: Bags) -> Facts:
        """The out-of-bag score, coverage and predictions, from those of all members."""
        sample, rows = prepared.sample, bags.row_of_example
        covered, average = found.covered, found.average
        answers = for_all_rows(by_row(average, rows, len(sample)), prepared.used)
        outputs = prepared.outputs
        if outputs is not None and outputs.classes:
            answers = by_class_and_output(outputs, answers)
        elif outputs is None and not len(prepared.classes):
            answers = answers[:, 0]
        return {
            self._oob_name: answers,
            "oob_coverage_": float(covered.mean()),
            "oob_score_": self._oob_scored(average[covered], prepared, rows[covered]),
        }

    def _oob_scored(self, average: Floats, prepared: Prepared, rows: NDArray[np.int64]) -> float:
        sample, outputs = prepared.sample, prepared.outputs
        warn_of_uncovered(len(average), sample.m)
        if len(average) == 0:
            return float("nan")
        classes: Any = prepared.classes
        known = labels_or_numbers(prepared)
        if outputs is not None and outputs.classes:
            classes = list(outputs.classes)
        predicted, y = self._decided(average, classes), known[rows]
        weights = None if sample.importance is None else sample.importance[rows]
        if not callable(self.oob_score):
            return self._scored(y, predicted, np.ones(len(y)) if weights is None else weights)
        named = {} if weights is None else {"sample_weight": weights}
        return float(self.oob_score(y, predicted, **named))

    # ------------------------------------------------------------------------------------ members

    def __len__(self) -> int:
        check_is_fitted(self)
        return self._n_members

    def __getitem__(self, b: int) -> Any:
        check_is_fitted(self)
        return self.estimators_[b]

    def __iter__(self) -> Iterator[Any]:
        check_is_fitted(self)
        return iter(self.estimators_)

    _no_intervals = property(no_intervals)

    def __sklearn_is_fitted__(self) -> bool:
        return fact(self, "n_features_in_") is not None
