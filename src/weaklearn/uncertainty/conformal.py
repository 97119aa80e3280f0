"""Conformal prediction: sets of labels and intervals of numbers that hold what they promise.

A model is judged by rows it has not seen: how odd is each of their labels to it? A new row is then
given every label that is not odder than all but a share alpha of these. Whatever the model and the
distribution, the true label is among them with probability at least 1 - alpha, if only the new row
and those of calibration could have come in any order. Copies of a calibration row count once, and a
label that training never had is odder than all others. How odd a label is: 1 minus its probability,
the score against it, or for numbers the distance from what was predicted; for several quantiles the
distance from the range of the outermost.

Without rows to spare, out-of-bag answers (``how="oob"``) or refits without a fold of the training
rows (``how="folds"``) stand in for unseen rows. Then 1 - 2 alpha is what can be said, and only if
leaving a few rows out hardly changes what the model answers.

References: Vovk, Gammerman and Shafer (2005); Papadopoulos et al. (2002) for the split form;
Romano, Patterson and Candes (2019) for quantiles; Barber et al. (2021) and Kim, Xu and Barber
(2020) for folds and bags.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.utils.validation import check_is_fitted

from ..base.certificate import Certificate
from ..base.messages.table import Table, Tabular
from ..base.messages.warnings import BoostingWarning, warn
from ..base.offered import fact, offers
from ..base.sample import take_rows
from ..base.types import Floats
from ..intake import parameters
from ..intake.labels import codes_among, read_target
from ..intake.splitting import deal
from ..prediction.rows import innermost, label_values
from ..production.row_sketch import row_keys
from ..theory.distinct import COPIES, REPEATS, Distinct
from .conformity import HOWS, Conformity, ends_of, learnt, two_sided
from .test_error import certify, distinct_examples, row_sketch

_FOLDS = 5


def conformalize(
    self: Any,
    X_cal: Any,
    y_cal: Any,
    *,
    how: str = "split",
    seen: str = "error",
    repeats: str = COPIES,
) -> Any:
    """Computes the nonconformity scores of calibration rows; a refit drops them.

    Parameters
    ----------
    X_cal, y_cal : rows and labels
        That the fit has not looked at; for "oob" and "folds" the very rows of the fit.
    how : {"split", "oob", "folds"}, default "split"
        "oob" takes the out-of-bag answers of a fit with ``oob_score=True``, of every glass box;
        "folds" fits the model five times more, each time without a fifth of the rows.
    seen : {"error", "keep"}, default "error"
        What to do with calibration rows that look like rows of training: refuse them all, or
        trust that they were drawn anew and are equal by chance.
    repeats : {"copies", "draws"}, default "copies"
        How calibration rows came to be equal, label included: as copies, which count once (and of
        which out-of-bag answers are none, where a copy was in the bag), or as independent draws.
    """
    check_is_fitted(self)
    parameters.one_of("how", how, list(self._hows))
    parameters.one_of("seen", seen, ["error", "keep"])
    parameters.one_of("repeats", repeats, REPEATS)
    if self._has_offset:
        raise ValueError(
            "the model was fitted with an offset, and conformal answers know of none; fit it "
            "without offset."
        )
    if self._no_intervals:
        raise ValueError(self._no_intervals)
    cells = self._judged_cells(X_cal)
    rows = row_sketch(self)
    looked = None if rows is None else rows.look(cells)
    if how == "split" and seen == "error" and looked is not None and looked.found:
        raise ValueError(
            f"{looked.words} in training, and X_cal must hold others; pass rows that fit has "
            "not looked at, or seen='keep' if they were drawn anew and are equal by chance."
        )
    if how != "split" and looked is not None and looked.found < looked.decided:
        raise ValueError(
            f"how={how!r} takes the rows of the fit, and {looked.decided - looked.found} rows of "
            "X_cal are none of them; pass those, or how='split'."
        )
    if how == "oob" and repeats == COPIES:
        _refuse_weights(self, cells.n_rows)
    true_scores = _true_label_scores if is_classifier(self) else _true_number_scores
    found, labels = true_scores(self, X_cal, y_cal, cells, how)
    examples = distinct_examples(cells, labels, repeats)
    if how == "oob":
        found[_seen_by_members(examples, labels)] = np.inf
    answered = ~np.isnan(found)
    drawn = examples.drawn and examples.repeated
    scores = np.sort(found[answered]) if drawn else examples.taken(answered).scores(found)
    if len(scores) == 0:
        raise ValueError("no row of X_cal has an out-of-bag answer; use how='folds'.")
    looked_up = looked is not None and looked.decided == looked.n
    vouched = not looked_up or (how == "split" and looked is not None and looked.found > 0)
    self._conformity = Conformity(scores, how, vouched, learnt(self), int(answered.sum()), drawn)
    return self


def _refuse_weights(model: Any, n: int) -> None:
    """Refuses out-of-bag answers of members that may have seen copies of the row."""
    origin = model._origin
    m = None if origin is None else origin.n_examples
    if m is not None and m > n:
        raise ValueError(
            f"how='oob': by its weights the fit had {m} examples in {n} rows, and out-of-bag "
            "members have seen copies of the rows; use how='folds', or repeats='draws' if they are "
            "no copies."
        )


def _seen_by_members(examples: Distinct, labels: NDArray[Any]) -> NDArray[np.bool_]:
    """Mask of the rows whose out-of-bag answers say nothing of a new row.

    A copy of the row may have been in the bag; or it is the only row of its class, so that without
    it the label is unknown.
    """
    fair = np.full(examples.n, examples.drawn)
    fair[examples.first[examples.counts == 1]] = True
    if labels.dtype.kind == "i":  # classes, and not numbers
        codes = 1 + labels
        rows = np.bincount(codes[examples.first], examples.counts if examples.drawn else None)
        fair &= rows[codes] > 1
    return ~fair


def conformal_certificate(self: Any, alpha: float = 0.1) -> Certificate:
    """The coverage that ``conformalize`` guarantees at this alpha."""
    return _conformity_at(self, alpha).certificate(alpha, labels=is_classifier(self))


def predict_set(self: Any, X: Any, alpha: float = 0.1) -> LabelSets:
    """For each row a set that holds its label with probability at least 1 - alpha.

    The label predicted is always in it. Call ``conformalize`` first. Where more calibration rows
    than alpha allows had labels that training never had, or copies in the bags, no set of known
    labels can keep that: then each holds all of them, and a warning says with what probability
    that is enough.
    """
    known = _conformity_at(self, alpha)
    threshold = known.threshold(alpha)
    if not np.isfinite(threshold):
        found = known.certificate(alpha, labels=True)
        warn(f"{found.statement}, and no more: {found.note}.", BoostingWarning)
    scores = self._label_scores(X)
    least = scores.min(axis=1, keepdims=True)
    inside = scores <= np.maximum(threshold, least)
    if self._threshold is not None:  # that of predict: not the least odd label, perhaps
        inside |= np.asarray(self.predict(X))[:, None] == self.classes_
    return LabelSets(inside, self.classes_)


def predict_interval(self: Any, X: Any, alpha: float = 0.1) -> Floats:
    """For each row the ends, (n, 2), of an interval that holds its number.

    It does so with probability at least 1 - alpha. Call ``conformalize`` first. Where more
    training rows than alpha allows had copies in the bags, nothing less than all numbers can keep
    that, and a warning says so.
    """
    known = _conformity_at(self, alpha)
    threshold = known.threshold(alpha)
    if not np.isfinite(threshold):
        found = known.certificate(alpha, labels=False)
        warn(f"the intervals have no ends: {found.note}.", BoostingWarning)
    low, high = ends_of(np.asarray(self.predict(X)))
    middle = low + (high - low) / 2
    return np.column_stack(
        [np.minimum(low - threshold, middle), np.maximum(high + threshold, middle)]
    )


def cells_of(model: Any, X: Any) -> Any:
    """X, encoded by the schema of the model."""
    inner = innermost(model)
    return inner._schema.read(X) if inner._rows is None else inner._rows(X).cells


def label_scores(model: Any, X: Any) -> Floats:
    """Nonconformity of each class for each row, (n, K), by scores, probabilities or labels."""
    if len(model.classes_) == 1:
        return np.zeros((len(np.asarray(model.predict(X))), 1))
    if len(model.classes_) == 2 and offers(model, "decision_function"):
        return two_sided(np.asarray(model.decision_function(X)))
    if offers(model, "predict_proba"):
        return np.asarray(1 - model.predict_proba(X))
    if offers(model, "decision_function"):
        return np.asarray(-model.decision_function(X))
    predicted = np.asarray(model.predict(X))
    return np.asarray(predicted[:, None] != model.classes_, np.float64)


def no_bags(model: Any) -> ValueError:
    """The error for a model without out-of-bag predictions."""
    return ValueError(
        f"how='oob' needs out-of-bag answers, and this {type(model).__name__} has none; fit it "
        "with oob_score=True where it has that parameter, or use how='folds' or 'split'."
    )


class SetPrediction:
    """Mixin of classifiers: conformal prediction sets, and certificates.

    The other methods say how odd each class is for each row, (n, K), of any rows and of training's
    by members that did not see them, and which ways of calibration there are.
    """

    classes_: NDArray[Any]
    n_features_in_: int
    _schema: Any

    certify = certify
    conformalize = conformalize
    conformal_certificate = conformal_certificate
    predict_set = predict_set

    _hows: tuple[str, ...] = HOWS

    _judged_cells = cells_of
    _label_scores = label_scores

    def _unseen_label_scores(self) -> Floats:
        raise no_bags(self)

    def _from_training(self, X: Any, y: Any, delta: float, repeats: str) -> Sequence[Certificate]:
        return ()


class IntervalPrediction:
    """Mixin of regressors: conformal prediction intervals."""

    conformalize = conformalize
    conformal_certificate = conformal_certificate
    predict_interval = predict_interval

    _hows: tuple[str, ...] = HOWS
    _judged_cells = cells_of


def _conformity_at(model: Any, alpha: float) -> Conformity:
    """The calibration of a model; refused if there is none or the model has changed."""
    check_is_fitted(model)
    parameters.real("alpha", alpha, 0.0, 1.0, strict=True)
    known: Conformity | None = model.__dict__.get("_conformity")
    if known is None or not known.of(model):
        raise ValueError(
            f"this {type(model).__name__} is not conformalized, or has changed since; call "
            "conformalize(X_cal, y_cal) with rows that it has not seen."
        )
    return known


def _true_label_scores(
    model: Any, X: Any, y: Any, cells: Any, how: str
) -> tuple[Floats, NDArray[np.int64]]:
    """Nonconformity of the true labels, NaN where there is no answer; and the labels' codes."""
    classes = model.classes_
    codes = codes_among(classes, y, cells.n_rows, "y_cal", allow_unknown=True)
    if how == "split":
        scores = model._label_scores(X)
    elif how == "oob":
        scores = _as_many(model._unseen_label_scores(), cells.n_rows)
    else:
        scores = np.full((len(codes), len(classes)), np.inf)
        for inside, outside in _folds(cells, codes):
            part = _refitted(model, X, y, inside[codes[inside] >= 0])
            columns = np.searchsorted(classes, part.classes_)
            found = _scores_of_refit(part, take_rows(X, outside), len(classes))
            scores[np.ix_(outside, columns)] = found
    # A label that training never had is odder than all others, and in no set.
    return np.where(codes < 0, np.inf, scores[np.arange(len(codes)), codes]), codes


def _scores_of_refit(part: Any, X: Any, n_classes: int) -> Floats:
    """Nonconformity on the scale of the model, of whose classes a refit may lack some."""
    if len(part.classes_) < n_classes and offers(part, "predict_proba"):
        return np.asarray(1 - part.predict_proba(X))
    scores: Floats = part._label_scores(X)
    return scores


def _true_number_scores(model: Any, X: Any, y: Any, cells: Any, how: str) -> tuple[Floats, Floats]:
    """Distances of the true numbers from the predictions, NaN where there is none; the numbers."""
    target = read_target(y, cells.n_rows, argument="y_cal")
    if how == "split":
        answers = np.asarray(model.predict(X))
    elif how == "oob":
        found = fact(model, "oob_prediction_")
        if found is None:
            raise no_bags(model)
        answers = _as_many(np.asarray(found), cells.n_rows)
    else:
        parts = []
        for inside, outside in _folds(cells, np.zeros(len(target), np.int64)):
            part = _refitted(model, X, y, inside)
            parts.append((outside, np.asarray(part.predict(take_rows(X, outside)))))
        answers = np.empty((len(target), *parts[0][1].shape[1:]))
        for outside, predicted in parts:
            answers[outside] = predicted
    low, high = ends_of(answers)
    return np.maximum(low - target, target - high), target


class LabelSets(Tabular, Sequence[tuple[Any, ...]]):
    """A set of labels for each row: a sequence of tuples, and a matrix of flags, (rows, classes).

    >>> sets = LabelSets(np.array([[True, False], [True, True]]), np.array(["no", "yes"]))
    >>> sets[0], "yes" in sets[1], sets.sizes.tolist(), sets.covers(["yes", "yes"]).tolist()
    (('no',), True, [1, 2], [False, True])
    """

    def __init__(self, matrix: NDArray[np.bool_], classes: NDArray[Any]) -> None:
        self.matrix, self.classes = matrix, classes

    def __len__(self) -> int:
        return len(self.matrix)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, (int, np.integer)):
            return tuple(label_values(self.classes[self.matrix[index]]))
        return LabelSets(self.matrix[index], self.classes)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return (self[i] for i in range(len(self)))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.matrix, dtype)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """How many labels each set has."""
        return np.asarray(self.matrix.sum(axis=1), np.int64)

    def covers(self, y: Any) -> NDArray[np.bool_]:
        """Whether each set holds its label."""
        codes = codes_among(self.classes, y, len(self), "y", allow_unknown=True)
        return np.asarray((codes >= 0) & self.matrix[np.arange(len(self)), codes])

    def table(self) -> Table:
        rows = [(i, ", ".join(map(str, labels))) for i, labels in enumerate(self)]
        return Table("sets of labels", ["row", "labels"], rows)


def _as_many(answers: Floats, n: int) -> Floats:
    if len(answers) != n:
        raise ValueError(
            f"X_cal has {n} rows, and there are out-of-bag answers of {len(answers)}; pass the "
            "rows of the fit, in their order."
        )
    return answers


def _folds(cells: Any, codes: NDArray[np.int64]) -> Iterator[tuple[Any, Any]]:
    """(training rows, test rows) of five folds; equal rows stay together."""
    if cells.n_rows < 2 * _FOLDS:
        raise ValueError(f"how='folds' needs at least {2 * _FOLDS} rows; X_cal has {cells.n_rows}.")
    keys = row_keys(cells)
    pairs = np.column_stack([keys, codes.astype(np.uint64)])
    _, first, place = np.unique(pairs, axis=0, return_index=True, return_inverse=True)
    held = deal(keys[first], codes[first], None, None, _FOLDS, 0)[place.ravel()] > 0
    if held.all(axis=0).any():
        raise ValueError(
            f"how='folds' keeps equal rows together, and the different ones of X_cal, {len(first)} "
            "in number, leave nothing to learn from; pass more."
        )
    for k in range(_FOLDS):
        if held[:, k].any():
            yield np.flatnonzero(~held[:, k]), np.flatnonzero(held[:, k])


def _refitted(model: Any, X: Any, y: Any, rows: NDArray[np.intp]) -> Any:
    """A copy of the model, fitted on some of the rows."""
    part = clone(model)
    for name, value in (("warm_start", False), ("verbose", 0), ("callbacks", None)):
        if name in part.get_params(deep=False):
            part.set_params(**{name: value})
    return part.fit(take_rows(X, rows), take_rows(y, rows))
