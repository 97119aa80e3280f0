"""What gradient boosting prepares for a fit: validation rows, number of rounds, early stopping."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import History, Stop
from ...base.error_context import error_context
from ...base.sample import Sample
from ...base.streamed_cells import StreamedCells
from ...base.types import Floats
from ...base.votes.tree_sum import AdditiveTrees
from ...boosters.gradient import GradientBoosting, Slope
from ...callbacks import EarlyStopping, Patience, Search
from ...engines.streamed import array_in_file
from ...intake.labels import coded_labels
from ...intake.prepare import Prepared
from ...intake.splitting import hold_out
from ...learners.gradient_tree import content_hashes
from ..fit import Fit, rounds_so_far
from .folds import MANY, HeldOutLoss, Needed, rounds_of_gradients

if TYPE_CHECKING:
    from .model import GradientBoostingModel


_MUCH = 1_000_000  # outputs times examples, beyond which one split must do, and fewer rounds
_MOST_ROUNDS, _LEAST_ROUNDS = 2000, 50  # where the number is to be found
_LEAST_BEND = 0.1  # of the curvature at probability 1/2: that of 38 classes of equal size
_WORK = 4e9  # outputs times examples times columns, over all rounds: a minute or so


@dataclass(frozen=True)
class Descent:
    """What a fit of gradients is prepared with.

    ``content`` is a number for what each row holds, by which rows are drawn, held out and dealt;
    ``held`` are copies of examples set aside to judge by, which stay in the sample and are not
    learnt from; ``by_folds``: folds find the number of rounds, ``needed`` once they have.
    """

    prepared: Prepared
    booster: GradientBoosting
    seed: int
    learn: Any
    content: NDArray[np.uint64] | None
    offset_val: Floats | None
    held: NDArray[np.int64] | None = None
    by_folds: bool = False
    needed: Needed | None = None

    @property
    def sample(self) -> Sample:
        return self.prepared.sample

    @property
    def most_rounds(self) -> int:
        """The most rounds where their number is to be found."""
        return rounds_at_most(_MOST_ROUNDS, _size(self.booster, self.sample), self.n_features)

    @property
    def n_features(self) -> int:
        return self.prepared.schema.n_features

    @property
    def row_content(self) -> NDArray[np.uint64]:
        return _content(self.booster, self.sample) if self.content is None else self.content

    def gaps(self, ensemble: AdditiveTrees) -> frozenset[int]:
        """The features used in splits that have missing values."""
        asked = {int(j) for tree in ensemble.trees for j in tree.feature[~tree.is_leaf]}
        coded = self.sample.coded
        return frozenset(j for j in asked if coded.describe(j)["has_missing"])


def descent_of(
    model: GradientBoostingModel,
    prepared: Prepared,
    booster: GradientBoosting,
    offset_val: Floats | None,
    seed: int,
) -> Descent:
    """Binds the learner, and sets examples aside to judge by where the parameters ask for it."""
    sample = prepared.sample
    learner = model._learner(prepared, seed, curvature_scale(booster, sample))
    content = _content(booster, sample) if learner.subsample < 1 else None
    descent = Descent(prepared, booster, seed, learner.bind(sample, content), content, offset_val)
    auto = model._finds_rounds
    few = sample.m <= MANY and _size(booster, sample) <= _MUCH
    if prepared.validation is not None or not (model.early_stopping or auto):
        return descent
    if auto and few and not model.early_stopping:
        return replace(descent, by_folds=True)
    return _held_out(model, descent)


def start(model: GradientBoostingModel, descent: Descent, resumed: bool) -> Fit[Slope, Any]:
    """The fit, ready for its first round, or for those after an earlier fit's."""
    losses: Floats = getattr(model, "validation_losses_", np.array([])) if resumed else np.array([])
    history, state = History(), None
    begun = rounds_so_far(descent.sample)
    if begun is not None:
        state, history = descent.booster.replay(descent.sample, begun.ensemble), begun.history
        descent = replace(descent, needed=begun.needed)
        losses = _losses_so_far(descent, history)
    elif resumed:
        ensemble = model.ensemble_
        state = descent.booster.replay(descent.sample, ensemble)
        history = model.history_.first(len(ensemble))
        if model._finds_rounds and descent.by_folds and len(losses):
            needed = Needed(_patience(model).feed(losses).best, losses)
            descent = replace(descent, needed=needed)
            losses = np.array([])
    descent, n_rounds = _rounds(model, descent)
    if state is None:
        with error_context("before the first round"):
            state = descent.booster.begin(descent.sample)
    return Fit(
        descent,
        descent.booster,
        descent.learn,
        state,
        history,
        n_rounds,
        _early_stopping(model, descent, state, losses),
        searched=descent.needed is not None,
        resumed=resumed,
        needed=descent.needed,
    )


def _losses_so_far(descent: Descent, history: History) -> Floats:
    """The losses of the examples not learnt from, before round 1 and after every round so far."""
    if "validation_loss" not in history:
        return np.array([])
    begun = descent.booster.begin(descent.sample)
    return np.append(_judge(descent, begun)(begun), history["validation_loss"])


def kept(fit: Fit[Slope, Any], state: Slope) -> AdditiveTrees:
    """The rounds to keep: up to the best judged, where judging may stop the descent."""
    ensemble, early = state.ensemble, fit.early
    if early is None or not early.stops:
        return ensemble
    return ensemble.staged(max(1, early.since + early.wait.best))


# ------------------------------------------------------------------------------------------- rounds


def _size(booster: GradientBoosting, sample: Sample) -> int:
    """Gradients a round."""
    return booster.loss.n_outputs * sample.m


def _content(booster: GradientBoosting, sample: Sample) -> NDArray[np.uint64]:
    offset = booster.offset
    content = content_hashes(sample, None if offset is None else offset[0])
    return array_in_file(content) if isinstance(sample.cells, StreamedCells) else content


def _held_out(model: GradientBoostingModel, descent: Descent) -> Descent:
    """The descent, with examples set aside to judge by."""
    sample, fraction = descent.sample, float(model.validation_fraction)
    labels = sample.y if sample.n_classes > 0 else np.zeros(len(sample), np.int64)
    content, engine = descent.row_content, sample.engine
    held = hold_out(
        content,
        labels,
        sample.copies,
        sample.importance,
        fraction,
        descent.seed,
        engine,
        sample.code_hashes,
    )
    own = np.array([held.sum(), len(sample)], np.int64)
    n_held, n_rows = sample.engine.collective.sum(own).tolist()
    if n_held == 0 and not model.early_stopping:
        return replace(descent, by_folds=True)  # which find that there is nothing to judge by, too
    if n_held == 0:
        raise ValueError(
            f"early_stopping holds out validation_fraction={fraction:g} of the examples, which "
            f"with n_samples={n_rows} leaves none to judge by; pass more rows, or X_val "
            "and y_val."
        )
    everyone = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
    return replace(descent, held=held, booster=replace(descent.booster, copies=everyone - held))


def check_going_on(model: GradientBoostingModel) -> None:
    """Refuses numbers of rounds that an earlier fit cannot go on to."""
    wanted, auto, played = model.n_estimators, model._finds_rounds, len(model.ensemble_)
    if auto and Stop.of(model.stop_reason_) is not Stop.INTERRUPTED:
        raise ValueError(
            "n_estimators='auto' is not allowed with warm_start=True after a first fit, which "
            "goes on to a number of rounds: set n_estimators to it."
        )
    if not auto and int(wanted) < played:
        raise ValueError(
            f"n_estimators={wanted} must be larger or equal to the {played} rounds "
            "already played when warm_start is True."
        )


def _rounds(model: GradientBoostingModel, descent: Descent) -> tuple[Descent, int]:
    """The number of rounds: that of the parameters, or the best one by cross-validation."""
    if not model._finds_rounds:
        return descent, int(model.n_estimators)
    if descent.sample.n_classes == 1:
        return descent, 1
    if not descent.by_folds:
        return descent, descent.most_rounds
    needed = descent.needed  # by the fit that was interrupted
    if needed is None:
        first = descent.sample.engine.collective.rank == 0
        search = Search(type(model).__name__) if model.verbose and first else None
        try:
            needed = rounds_of_gradients(
                descent.booster,
                descent.sample,
                descent.learn,
                hashes=descent.row_content,
                seed=descent.seed,
                wait=_patience(model),
                most_rounds=descent.most_rounds,
                watch=search,
            )
        finally:
            if search is not None:
                search.close()
    return replace(descent, needed=needed), max(1, needed.rounds)


# ------------------------------------------------------------------------------------------ judging


def _patience(model: GradientBoostingModel) -> Patience:
    return Patience(int(model.n_iter_no_change), float(model.tol))


def _early_stopping(
    model: GradientBoostingModel, descent: Descent, state: Slope, losses: Floats
) -> EarlyStopping[Slope] | None:
    """Early stopping by examples not learnt from; None where there are none.

    ``losses`` are those of an earlier fit.
    """
    if descent.prepared.validation is None and descent.held is None:
        return None
    stops, played = bool(model.early_stopping) or model._finds_rounds, len(state.ensemble)
    if len(losses) > played:  # the earlier fit was judged, perhaps by the same examples
        begun = descent.booster.begin(descent.sample)
        judge = _judge(descent, begun)
        if judge(begun) == losses[0]:
            wait = _patience(model).feed(losses[: played + 1].tolist())
            return EarlyStopping(judge, "validation_loss", wait, stops=stops, since=0)
    judge = _judge(descent, state)
    wait = _patience(model).feed([judge(state)])
    return EarlyStopping(judge, "validation_loss", wait, stops=stops, since=played)


def _judge(descent: Descent, state: Slope) -> Callable[[Slope], float]:
    """The loss of examples held out, or of those given, from a state on."""
    if descent.prepared.validation is None:
        return _judge_held(descent)
    return _judge_given(descent, state)


def _judge_held(descent: Descent) -> Callable[[Slope], float]:
    sample, held = descent.sample, descent.held
    assert held is not None
    rows, weight = np.flatnonzero(held), sample.importance
    loss = HeldOutLoss(
        descent.booster.loss,
        sample.engine,
        sample.y[rows],
        None if weight is None else weight[rows],
        held[rows],
    )
    return lambda state: loss(state.F[:, rows])


def _judge_given(descent: Descent, state: Slope) -> Callable[[Slope], float]:
    given, sample = descent.prepared.validation, descent.sample
    assert given is not None
    y = coded_labels(given.codes, sample.n_classes) if sample.n_classes > 0 else given.y
    loss = HeldOutLoss(descent.booster.loss, sample.engine, y, given.weights, None)
    scores, done = state.ensemble(given.rows), len(state.ensemble)
    if descent.offset_val is not None:
        scores = scores + descent.offset_val[:, None]

    def loss_at(state: Slope) -> float:
        nonlocal scores, done
        for t in range(done, len(state.ensemble)):
            scores = state.ensemble.add_round(given.rows, scores, t)
        done = len(state.ensemble)
        return loss(scores.T)

    return loss_at


def rounds_at_most(most: int, size: int, n_features: int) -> int:
    """Rounds at most where their number is to be found, fewer where each takes very long.

    ``size``: gradients a round.

    >>> rounds_at_most(2000, size=5_000, n_features=10)
    2000
    >>> rounds_at_most(2000, size=5_000_000, n_features=10)
    80
    """
    if size <= _MUCH:
        return most
    return min(most, max(_LEAST_ROUNDS, int(_WORK / (size * n_features))))


def curvature_scale(booster: GradientBoosting, sample: Sample) -> float:
    """The factor on ``l2_regularization``: the mean curvature of an example before the first round.

    L2 so counts in examples, whatever the scale of the loss and of the target. For log-losses the
    unit is 1/4, the curvature at probability 1/2: the factor is 1 for two classes, and at least 0.1
    for more. Where classes are rare the curvature is small, but only at first: without L2, a leaf
    with the few examples of a class would overshoot by far.
    """
    loss = booster.loss
    if loss.constant_curvature or (loss.native and loss.n_outputs == 1):
        return 1.0
    c, engine = booster.begin(sample).c, sample.engine
    assert c is not None
    bends = [
        engine.weights.total(row, None, sample.copies) for row in c
    ]  # weights are in c already
    mean = sum(bends) / (len(bends) * sample.m)
    mean = max(4 * mean, _LEAST_BEND) if loss.native else mean
    return mean if 0 < mean < inf else 1.0
