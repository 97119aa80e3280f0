"""What gradient boosting is judged by after every round: a loss or a score of rows not learnt from.

The same for rows held out, rows given and folds. Rows of the sample are scored in the order of
their content, each as often as it counts, so that neither order nor weights change a number.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.history import History
from ...base.loss import EVENTS
from ...base.numeric.hashing import Keys
from ...base.sample import take_rows
from ...base.streamed_cells import StreamedCells
from ...base.types import Floats, Ints
from ...boosters.dropout import DroppingBoosting
from ...boosters.gradient import Slope
from ...callbacks import EarlyStopping, Patience
from ...intake.labels import coded_labels
from ...intake.parts import Part
from ...intake.targets import events_of
from ..callback_support import scorer_score
from .held_out_loss import HeldOutLoss

if TYPE_CHECKING:
    from ...base.loss import Loss
    from ...boosters.gradient import GradientBoosting
    from ...intake.prepare import Prepared
    from ...intake.validation import Validation
    from .base import DescendingModel
    from .fit import Descent
    from .model import GradientBoostingModel

Judge = Callable[[Slope], float]


@dataclass(frozen=True)
class Measure:
    """The names of what is judged: in the history, and of the fitted attribute."""

    name: str
    kept: str
    larger: bool  # whether larger is better

    @staticmethod
    def of(model: Any) -> Measure:
        """The loss, unless the model names a score."""
        if model.scoring is None:
            return Measure("validation_loss", "validation_losses_", False)
        return Measure("validation_score", "validation_scores_", True)


def patience(model: DescendingModel) -> Patience:
    """The waiting time of the parameters, for what the model is judged by."""
    larger = Measure.of(model).larger
    return Patience(int(model.n_iter_no_change), float(model.tol), larger=larger, strict=larger)


def early_stopping(
    model: GradientBoostingModel, descent: Descent, state: Slope, losses: Floats
) -> EarlyStopping[Slope] | None:
    """Early stopping by examples not learnt from; None where there are none.

    ``losses`` are those of an earlier fit.
    """
    if descent.prepared.validation is None and descent.held is None:
        return None
    stops, played = bool(model.early_stopping) or model._finds_rounds, len(state.ensemble)
    name, wait, since = Measure.of(model).name, patience(model), played
    judge, resumed = None, False
    if len(losses) > played:  # the earlier fit was judged, perhaps by the same examples
        begun = descent.booster.begin(descent.sample)
        judge = _judge(model, descent, begun)
        resumed = judge(begun) == losses[0]
    if judge is not None and resumed:
        wait.feed(losses[: played + 1].tolist())
        since = 0
    else:
        judge = _judge(model, descent, state)
        wait.feed([judge(state)])
    given = descent.prepared.validation
    named: list[tuple[str, Judge | None]] = [] if given is None else [(given.name, None)]
    named += [
        (each.name, _judge_given(model, descent, state, each)) for each in descent.prepared.recorded
    ]
    return EarlyStopping(judge, name, wait, stops=stops, since=since, named=named)


def losses_so_far(model: GradientBoostingModel, descent: Descent, history: History) -> Floats:
    """What the examples not learnt from said before round 1 and after every round so far."""
    name = Measure.of(model).name
    if name not in history:
        return np.array([])
    begun = descent.booster.begin(descent.sample)
    return np.append(_judge(model, descent, begun)(begun), history[name])


def _judge(model: GradientBoostingModel, descent: Descent, state: Slope) -> Judge:
    """What examples held out, or those given, say of a state, from this one on."""
    given = descent.prepared.validation
    if given is None:
        return _judge_held(model, descent)
    return _judge_given(model, descent, state, given)


def _judge_held(model: GradientBoostingModel, descent: Descent) -> Judge:
    sample, held = descent.sample, descent.held
    assert held is not None
    if model.scoring is not None:
        score = _scoring(model, descent).of_rows(held)
        return lambda state: score(state.F)
    rows, weight = np.flatnonzero(held), sample.importance
    loss = HeldOutLoss(
        descent.booster.loss,
        sample.engine,
        sample.y[rows],
        None if weight is None else weight[rows],
        held[rows],
        None if sample.queries is None else sample.queries[rows],
    )
    return lambda state: loss(state.F[:, rows])


def _scoring(model: GradientBoostingModel, descent: Descent) -> Scoring:
    return Scoring(model, descent.prepared, descent.booster.loss, descent.row_content)


def _judge_given(
    model: GradientBoostingModel, descent: Descent, state: Slope, given: Validation
) -> Judge:
    sample = descent.sample
    judge: Callable[[Floats], float]
    if model.scoring is not None:
        judge = _scoring(model, descent).of_given(given.rows.raw, given.y, given.weights)
    else:
        y = coded_labels(given.codes, sample.n_classes) if sample.n_classes > 0 else given.y
        plain = descent.booster.loss
        judge = HeldOutLoss(plain, sample.engine, y, given.weights, None, given.queries)
    known = 0.0 if given.offset is None else given.offset[:, None]
    if isinstance(descent.booster, DroppingBoosting):  # which changes votes of earlier rounds
        return lambda state: judge((state.ensemble(given.rows) + known).T)
    scores, done = state.ensemble(given.rows) + known, len(state.ensemble)

    def judged(state: Slope) -> float:
        nonlocal scores, done
        for t in range(done, len(state.ensemble)):
            scores = state.ensemble.add_round(given.rows, scores, t)
        done = len(state.ensemble)
        return judge(scores.T)

    return judged


# ------------------------------------------------------------------------------------------ scoring


@dataclass(frozen=True)
class Scoring:
    """What the ``scoring`` of a model says of rows whose scores are known.

    It asks copies of the model that answer for those rows as the fitted model would. ``content`` is
    a number for what each row of the sample holds.
    """

    model: DescendingModel
    prepared: Prepared
    loss: Loss
    content: Keys

    def of_given(self, X: Any, y: Any, weights: Floats | None) -> Callable[[Floats], float]:
        """The score of these rows by F, (K, n)."""
        if self.loss.target == EVENTS:
            y = events_of(y)
        if self.prepared.indicator is not None:
            y = (np.asarray(y) > 0).astype(np.int64)
        score = scorer_score(self.model, X, y, weights)
        return lambda F: score(self._answering(F, X))

    def of_rows(self, judged: Ints) -> Callable[[Floats], float]:
        """The score of so many copies of the rows of the sample, by the F of all its rows."""
        sample = self.prepared.sample
        if isinstance(sample.cells, StreamedCells):
            raise ValueError(
                "scoring is not supported for rows of a pyarrow dataset: set scoring=None, or pass "
                "X_val as a table in memory."
            )
        rows = np.flatnonzero(judged)
        rows = rows[np.argsort(self.content[rows], kind="stable")]
        rows = np.repeat(rows, judged[rows])
        y = sample.y[rows]
        if sample.n_classes > 0:
            codes = y > 0 if sample.binary else y
            y = np.asarray(self.prepared.classes)[codes.astype(np.int64)]
        weights = None if sample.importance is None else sample.importance[rows]
        score = self.of_given(take_rows(sample.raw, rows), y, weights)
        return lambda F: score(F[:, rows])

    def of_parts(self, parts: Sequence[Part]) -> Callable[[Floats], float]:
        """The mean of the scores of parts, by the F of models side by side, (models times K, m)."""
        scores = [self.of_rows(part.judged) for part in parts]

        def judge(F: Floats) -> float:
            each = F.reshape(len(scores), -1, F.shape[1])
            return sum(score(of) for score, of in zip(scores, each, strict=True)) / len(scores)

        return judge

    def _answering(self, F: Floats, X: Any) -> Any:
        def known_scores(rows: Any, offset: Any = None) -> Floats:
            if rows is not X:
                raise ValueError(
                    "scoring asked the model about other rows than it was given; within a fit it "
                    "can answer for those alone."
                )
            return np.array(F.T)

        answering = copy.copy(self.model)
        answering.__dict__.update(
            _loss=self.loss,
            _scores=known_scores,
            ensemble_=None,  # it counts as fitted
            n_features_in_=self.prepared.schema.n_features,
        )
        if len(self.prepared.classes):
            answering.classes_ = np.asarray(self.prepared.classes)
        if self.prepared.indicator is not None:
            answering.__dict__["_indicator"] = (0, False)
        return answering


def judge_of_parts(
    model: DescendingModel,
    prepared: Prepared,
    booster: GradientBoosting,
    content: Keys,
    parts: Sequence[Part],
) -> Callable[[Floats], float] | None:
    """What judges models side by side by their scores; None where it is their mean loss."""
    if model.scoring is None or not parts:
        return None
    return Scoring(model, prepared, booster.loss, content).of_parts(parts)
