"""One fit of gradient boosting: what is learnt from, who judges, and how long it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.record import Callback, History, Stop
from ...base.rounds import Played, told
from ...base.sample import Sample
from ...base.votes.tree_sum import AdditiveTrees
from ...boosters.gradient import GradientBoosting, Slope
from ...callbacks import Search
from ...intake.prepare import Prepared, Validation, coded_labels
from ...intake.splitting import hold_out
from ...learners.gradient_tree import content_hashes
from ..callback_support import play_watched
from .early_stopping import Judge, Patience
from .rounds_by_folds import Needed, rounds_by_folds

if TYPE_CHECKING:
    from .model import GradientBoostingModel

Floats = NDArray[np.float64]

FOLDS = 5
_MANY = 50_000  # examples beyond which one split finds the rounds as well as folds do
_MUCH = 1_000_000  # outputs times examples, beyond which one split must do, and fewer rounds
_MOST_ROUNDS, _LEAST_ROUNDS = 2000, 50  # where the number is to be found
_LEAST_BEND = 0.1  # of an even coin: below the curvature of 38 classes alike
_WORK = 4e9  # outputs times examples times columns, over all rounds: a minute or so


class Descent:
    """One fit: what is learnt from, who judges, how long."""

    def __init__(
        self,
        model: GradientBoostingModel,
        prepared: Prepared,
        booster: GradientBoosting,
        validation: Validation | None,
        offset_val: Floats | None,
        seed: int,
    ) -> None:
        self.model, self.prepared, self.seed = model, prepared, seed
        self.sample = prepared.sample
        self.booster = booster
        learner = model._learner(prepared, seed, curvature_scale(booster, self.sample))
        self.learn = learner.bind(self.sample, self._content if learner.subsample < 1 else None)
        self.wait: Patience | None = None
        self.needed: Needed | None = None
        self.validation, self._offset_val = validation, offset_val
        self._held: NDArray[np.int64] | None = None
        self._state: Slope | None = None
        self._history = History()
        self._losses: list[float] = []  # of an earlier fit, which this one goes on with
        self._judged_from = 0  # the round whose loss was judged first
        auto = model._finds_rounds
        self._stops = bool(model.early_stopping) or auto
        few = self.sample.m <= _MANY and self._size <= _MUCH
        self._by_folds = validation is None and auto and few and not model.early_stopping
        if validation is None and self._stops and not self._by_folds:
            self._hold_out()

    @property
    def _size(self) -> int:
        """Gradients a round."""
        return self.booster.loss.n_outputs * self.sample.m

    @cached_property
    def _content(self) -> NDArray[np.uint64]:
        """A number for what each row holds, by which rows are drawn, held out and dealt."""
        offset = self.booster.offset
        return content_hashes(self.sample, None if offset is None else offset[0])

    def _hold_out(self) -> None:
        """Sets examples aside to judge by; they stay in the sample and are not learnt from."""
        sample, fraction = self.sample, float(self.model.validation_fraction)
        labels = sample.y if sample.n_classes > 0 else np.zeros(len(sample), np.int64)
        held = hold_out(
            self._content, labels, sample.copies, sample.importance, fraction, self.seed
        )
        if not held.any() and not self.model.early_stopping:
            self._by_folds = True  # which find that there is nothing to judge by, too
            return
        if not held.any():
            raise ValueError(
                f"early_stopping holds out validation_fraction={fraction:g} of the examples, which "
                f"with n_samples={len(sample)} leaves none to judge by; pass more rows, or X_val "
                "and y_val."
            )
        everyone = np.ones(len(sample), np.int64) if sample.copies is None else sample.copies
        self._held = held
        self.booster = replace(self.booster, copies=everyone - held)

    def resume(self, ensemble: AdditiveTrees, history: History) -> None:
        """Takes up where an earlier fit had ended."""
        wanted, auto = self.model.n_estimators, self.model._finds_rounds
        if auto and Stop.of(self.model.stop_reason_) is not Stop.INTERRUPTED:
            raise ValueError(
                "n_estimators='auto' is not allowed with warm_start=True after a first fit, which "
                "goes on to a number of rounds: set n_estimators to it."
            )
        if not auto and int(wanted) < len(ensemble):
            raise ValueError(
                f"n_estimators={wanted} must be larger or equal to the {len(ensemble)} rounds "
                "already played when warm_start is True."
            )
        self._state = self.booster.replay(self.sample, ensemble)
        self._history = history.first(len(ensemble))
        losses: Floats = getattr(self.model, "validation_losses_", np.array([]))
        if auto and self._by_folds and len(losses):
            self.needed = Needed(_fed(self._patience(), losses).best, losses)
        elif len(losses) > len(ensemble):
            self._losses = losses[: len(ensemble) + 1].tolist()

    def play(self, X: Any, y: Any, sample_weight: Any) -> Played[Slope]:
        """The rounds, with all who watch."""
        model, history = self.model, self._history
        n_rounds = self._rounds()
        with told("before the first round"):
            state = self.booster.begin(self.sample) if self._state is None else self._state
        played = play_watched(
            model,
            self.booster,
            self.sample,
            self.learn,
            state=state,
            history=history,
            n_rounds=n_rounds,
            judges=self._judges(state),
            data=(X, y, sample_weight),
            facts=lambda s: model._facts(self, s.ensemble, history),
        )
        if self.needed is not None and played.stop is Stop.ROUNDS:
            return replace(played, stop=Stop.FOUND)
        return played

    def _rounds(self) -> int:
        if not self.model._finds_rounds:
            return int(self.model.n_estimators)
        if self.sample.n_classes == 1:
            return 1
        if not self._by_folds:
            return self._most_rounds()
        if self.needed is not None:  # by the fit that was interrupted
            return max(1, self.needed.rounds)
        search = Search(type(self.model).__name__) if self.model.verbose else None
        try:
            self.needed = rounds_by_folds(
                self.booster,
                self.sample,
                self.learn,
                hashes=self._content,
                n_folds=FOLDS,
                seed=self.seed,
                wait=self._patience(),
                most_rounds=self._most_rounds(),
                watch=search,
            )
        finally:
            if search is not None:
                search.close()
        return max(1, self.needed.rounds)

    def _most_rounds(self) -> int:
        return rounds_at_most(_MOST_ROUNDS, self._size, self.prepared.schema.n_features)

    def _patience(self) -> Patience:
        return Patience(int(self.model.n_iter_no_change), float(self.model.tol))

    def _judges(self, state: Slope) -> list[Callback[Slope]]:
        """Who looks at examples not learnt from."""
        if self.validation is None and self._held is None:
            return []
        judge = self._judge_known() or self._judge_anew(state)

        def look(t: int, state: Any, history: History) -> Stop | None:
            assert self.wait is not None
            over = self.wait(judge(state))
            history.note("validation_loss", self.wait.losses[-1])
            return Stop.EARLY if over and self._stops else None

        return [look]

    def _judge_anew(self, state: Slope) -> Callable[[Slope], float]:
        """Who judges from this state on."""
        judge = self._judge_held() if self.validation is None else self._judge_given(state)
        self.wait, self._judged_from = _fed(self._patience(), [judge(state)]), len(state.ensemble)
        return judge

    def _judge_known(self) -> Callable[[Slope], float] | None:
        """Who judged the earlier fit, from its beginning; None where that was somebody else."""
        if not self._losses:
            return None
        judge = self._judge_anew(self.booster.begin(self.sample))
        assert self.wait is not None
        if self.wait.losses != self._losses[:1]:
            return None
        self.wait = _fed(self._patience(), self._losses)
        return judge

    def _judge_held(self) -> Callable[[Slope], float]:
        assert self._held is not None
        rows, weight = np.flatnonzero(self._held), self.sample.importance
        judge = Judge(
            self.booster.loss,
            self.sample.engine,
            self.sample.y[rows],
            None if weight is None else weight[rows],
            self._held[rows],
        )
        return lambda state: judge(state.F[:, rows])

    def _judge_given(self, state: Slope) -> Callable[[Slope], float]:
        assert self.validation is not None
        given, n_classes = self.validation, self.sample.n_classes
        y = coded_labels(given.codes, n_classes) if n_classes > 0 else given.y
        judge = Judge(self.booster.loss, self.sample.engine, y, given.weights, None)
        scores, done = state.ensemble(given.rows), len(state.ensemble)
        if self._offset_val is not None:
            scores = scores + self._offset_val[:, None]

        def loss_at(state: Slope) -> float:
            nonlocal scores, done
            for t in range(done, len(state.ensemble)):
                scores = state.ensemble.add_round(given.rows, scores, t)
            done = len(state.ensemble)
            return judge(scores.T)

        return loss_at

    def gaps(self, ensemble: AdditiveTrees) -> frozenset[int]:
        """The features asked for of which some values are missing."""
        asked = {int(j) for tree in ensemble.trees for j in tree.feature[~tree.is_leaf]}
        coded = self.sample.coded
        return frozenset(j for j in asked if coded.describe(j)["has_missing"])

    def chosen(self, played: Played[Slope]) -> AdditiveTrees:
        """The rounds to keep: up to the best judged, where judging may stop the descent."""
        ensemble = played.state.ensemble
        if self.wait is not None and self._stops:
            return ensemble.staged(max(1, self._judged_from + self.wait.best))
        return ensemble


def _fed(wait: Patience, losses: Iterable[float]) -> Patience:
    """A patience that has heard of these losses."""
    for loss in losses:
        wait(loss)
    return wait


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
    """How L2 is counted: in examples, which bend more or less as the loss and the target have it.

    The mean curvature before the first round, so that rates of a millionth are not held back. Of
    log-losses it is in units of that of an even coin: two classes count as a coin, and more as a
    tenth of one at least. Where classes are rare the loss hardly bends, and only at first: without
    L2, a leaf with the few examples of a class would overshoot by far.
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
