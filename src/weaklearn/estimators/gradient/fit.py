"""What gradient boosting prepares for a fit: validation rows, number of rounds, early stopping."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import Stop
from ...base.error_context import error_context
from ...base.history import History
from ...base.loss import Loss
from ...base.messages.value_text import show
from ...base.offered import fact
from ...base.sample import Sample
from ...base.streamed_cells import StreamedCells
from ...base.types import Floats
from ...base.votes.linear_trees import LinearTrees
from ...base.votes.tree_sum import AdditiveTrees
from ...boosters.dropout import DroppingBoosting
from ...boosters.gradient import GradientBoosting, Slope
from ...callbacks import Search
from ...engines.streamed import array_in_file
from ...intake.parameters import same
from ...intake.parts import Division
from ...intake.prepare import Prepared
from ...learners.gradient_tree import content_hashes
from ...losses.margin import Logistic
from ...losses.several import Several
from ...losses.shares import ShareSoftmax
from ...losses.smoothing import SmoothedSoftmax
from ..fit import Fit, rounds_so_far
from .folds import FOLDS, MANY, Needed, rounds_of_gradients
from .judging import Measure, early_stopping, judge_of_parts, losses_so_far, patience

if TYPE_CHECKING:
    from .model import GradientBoostingModel


_MUCH = 1_000_000  # outputs times examples, beyond which one split must do, and fewer rounds
_MOST_ROUNDS, _LEAST_ROUNDS = 2000, 50  # where the number is to be found
_LEAST_BEND = 0.1  # of the curvature at probability 1/2: that of 38 classes of equal size
_WORK = 4e9  # outputs times examples times columns, over all rounds: a minute or so


@dataclass(frozen=True)
class Descent:
    """What a fit of gradients is prepared with.

    ``content`` is a number for what each row holds, by which rows are drawn, held out and dealt, in
    the way that ``division`` says; ``held`` are copies of examples set aside to judge by, which
    stay in the sample and are not learnt from; ``by_folds``: folds find the number of rounds,
    ``needed`` once they have.
    """

    prepared: Prepared
    booster: GradientBoosting
    seed: int
    learn: Any
    content: NDArray[np.uint64] | None
    division: Division
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
        return content_of(self.booster, self.sample) if self.content is None else self.content

    def gaps(self, ensemble: AdditiveTrees) -> frozenset[int]:
        """The features used in splits that have missing values."""
        asked = {int(j) for tree in ensemble.trees for j in tree.feature[~tree.is_leaf]}
        coded = self.sample.coded
        return frozenset(j for j in asked if coded.describe(j)["has_missing"])


def descent_of(
    model: GradientBoostingModel,
    prepared: Prepared,
    booster: GradientBoosting,
    division: Division,
    seed: int,
) -> Descent:
    """Binds the learner, and sets examples aside to judge by where the parameters ask for it."""
    sample = prepared.sample
    learner = model._learner(prepared, seed, curvature_scale(booster, sample))
    content = content_of(booster, sample) if learner.subsample < 1 else None
    descent = Descent(prepared, booster, seed, learner.bind(sample, content), content, division)
    auto = model._finds_rounds
    few = sample.m <= MANY and _size(booster, sample) <= _MUCH
    if prepared.validation is not None or not (model.early_stopping or auto):
        return descent
    if auto and (few or division.is_given) and not model.early_stopping:
        return replace(descent, by_folds=True)
    return _held_out(model, descent)


def start(model: GradientBoostingModel, descent: Descent, resumed: bool) -> Fit[Slope, Any]:
    """The fit, ready for its first round, or for those after an earlier fit's."""
    measure = Measure.of(model)
    kept = fact(model, measure.kept) if resumed else None
    losses: Floats = np.array([]) if kept is None else kept
    history, state = History(), None
    begun = rounds_so_far(descent.sample)
    if begun is not None:
        state, history = descent.booster.replay(descent.sample, begun.ensemble), begun.history
        descent = replace(descent, needed=begun.needed)
        losses = losses_so_far(model, descent, history)
    elif resumed:
        ensemble = model.ensemble_
        state = descent.booster.replay(descent.sample, ensemble)
        history = model.history_.first(len(ensemble))
        if model._finds_rounds and descent.by_folds and len(losses):
            needed = Needed(patience(model).feed(losses).best, losses)
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
        early_stopping(model, descent, state, losses),
        searched=descent.needed is not None,
        resumed=resumed,
        needed=descent.needed,
    )


def kept(fit: Fit[Slope, Any], state: Slope) -> AdditiveTrees:
    """The rounds to keep: up to the best judged, where judging may stop the descent."""
    ensemble, early, booster = state.ensemble, fit.early, fit.booster
    if early is None or not early.stops:
        return ensemble
    n = max(1, early.since + early.wait.best)
    if isinstance(booster, DroppingBoosting):
        return booster.dropout.staged(ensemble, n)
    return ensemble.staged(n)


# ------------------------------------------------------------------------------------------- rounds


def _size(booster: GradientBoosting, sample: Sample) -> int:
    """Gradients a round."""
    return booster.loss.n_outputs * sample.m


def content_of(booster: GradientBoosting, sample: Sample) -> NDArray[np.uint64]:
    """The hash of every row that draws depend on, with its offset."""
    offset = booster.offset
    content = content_hashes(sample, None if offset is None else offset[0])
    content = booster.loss.keys_of(content)
    return array_in_file(content) if isinstance(sample.cells, StreamedCells) else content


def _held_out(model: GradientBoostingModel, descent: Descent) -> Descent:
    """The descent, with examples set aside to judge by."""
    sample, fraction = descent.sample, float(model.validation_fraction)
    part = descent.division.held_out(sample, descent.row_content, fraction, descent.seed)
    if part is None and not model.early_stopping:
        return replace(descent, by_folds=True)  # which find that there is nothing to judge by, too
    if part is None:
        n_rows = int(sample.engine.collective.sum(np.array([len(sample)]))[0])
        raise ValueError(
            f"early_stopping holds out validation_fraction={fraction:g} of the examples, which "
            f"with n_samples={n_rows} leaves none to judge by; pass more rows, or X_val "
            "and y_val."
        )
    return replace(descent, held=part.judged, booster=replace(descent.booster, copies=part.learnt))


def check_same_loss(model: GradientBoostingModel, loss: Loss) -> None:
    """Refuses another loss than that of an earlier fit."""
    if not same(model._loss, loss.unbound):
        raise ValueError(
            "warm_start=True goes on with rounds that descended another loss than "
            f"loss={show(model.loss)} now asks for; set the parameters of the loss back, or "
            "set warm_start=False to begin anew."
        )


def check_going_on(model: GradientBoostingModel) -> None:
    """Refuses numbers of rounds that an earlier fit cannot go on to."""
    if bool(model.linear_leaves) != isinstance(model.ensemble_, LinearTrees):
        raise ValueError(
            f"linear_leaves={show(model.linear_leaves)} is not what the rounds already played were "
            "learnt with: set it back, or set warm_start=False to begin anew."
        )
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
        content, seed = descent.row_content, descent.seed
        parts = descent.division.folds(descent.sample, content, FOLDS, 0.0, seed)
        search = Search(type(model).__name__) if model.verbose and first else None
        try:
            needed = rounds_of_gradients(
                descent.booster,
                descent.sample,
                descent.learn,
                parts=parts,
                judge=judge_of_parts(model, descent.prepared, descent.booster, content, parts),
                wait=patience(model),
                most_rounds=descent.most_rounds,
                watch=search,
            )
        finally:
            if search is not None:
                search.close()
    return replace(descent, needed=needed), max(1, needed.rounds)


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
    if isinstance(loss, Several) and isinstance(loss.parts[0], Logistic):
        return 1.0  # as for each label alone
    of_shares = loss.native or isinstance(loss, (Logistic, SmoothedSoftmax, ShareSoftmax))
    if loss.constant_curvature or (of_shares and loss.n_outputs == 1):
        return 1.0
    c, engine = booster.begin(sample).c, sample.engine
    assert c is not None
    bends = [
        engine.weights.total(row, None, sample.copies) for row in c
    ]  # weights are in c already
    mean = sum(bends) / (len(bends) * sample.m)
    mean = max(4 * mean, _LEAST_BEND) if of_shares else mean
    return mean if 0 < mean < inf else 1.0
