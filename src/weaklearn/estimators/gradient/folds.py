"""Models side by side, each judged by examples it never saw, and the rounds these ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...base.booster import Round, Stop, play
from ...base.error_context import error_context
from ...base.history import History
from ...base.messages.warnings import BoostingWarning, warn
from ...base.numeric.hashing import Keys
from ...base.numeric.total import total
from ...base.rows import Rows
from ...base.types import Floats, Ints
from ...boosters import AdaBoostMR
from ...callbacks import Patience
from ...intake.parts import Part
from ...intake.splitting import deal
from ...losses.links import decide
from .held_out_loss import HeldOutLoss

if TYPE_CHECKING:
    from ...base.booster import Booster
    from ...base.hypothesis import WeakLearner
    from ...base.sample import Sample
    from ...boosters.gradient import GradientBoosting


class SideBySide:
    """Where several descents stand: scores F, (models times K, m), moving on in place.

    All start from the constant of the whole sample: a bag that lacks a class must not think it
    impossible. ``n_rows`` and ``n_unseen``, examples that judge a model, are of all partitions.
    ``judge`` says how good scores F are, by the mean loss unless another is given.
    """

    def __init__(
        self,
        booster: GradientBoosting,
        sample: Sample,
        parts: list[Part],
        judge: Callable[[Floats], float] | None = None,
    ) -> None:
        self.sample, self.booster = sample, booster
        self.held = held = [part.judged for part in parts]
        self.models = [replace(booster, copies=part.learnt) for part in parts]
        self.unseen = [np.flatnonzero(left_out).astype(np.uint32) for left_out in held]
        own = np.array([len(sample), sum(map(len, self.unseen))], np.int64)
        self.n_rows, self.n_unseen = sample.engine.collective.sum(own).tolist()
        with error_context("before the first round"):
            begun = booster.begin(sample)
        self.base = begun.ensemble.base
        self.F = np.concatenate([begun.F] * len(held))
        self._of_parts: list[HeldOutLoss] | None = None
        self.kept: Any = None  # where trees go: an engine's list, or nowhere
        self._g = np.empty_like(self.F)
        self._c: Floats | None = np.empty_like(self.F)
        self._unseen_F = np.empty((self.K, sum(map(len, self.unseen))))
        weight = sample.importance
        self._all_at_once = booster.loss.native and self.K == 1
        if self._all_at_once:  # a row is a row, whichever model it is of
            self._y = np.tile(sample.y, len(held))
            self._weight = None if weight is None else np.tile(weight, len(held))
        self.judge = judge or (lambda F: self.loss())
        self._loss = HeldOutLoss(
            booster.loss,
            sample.engine,
            np.concatenate([sample.y[rows] for rows in self.unseen]),
            None if weight is None else np.concatenate([weight[rows] for rows in self.unseen]),
            np.concatenate(
                [left_out[rows] for left_out, rows in zip(held, self.unseen, strict=True)]
            ),
            self._queries_of_unseen(),
        )

    def _queries_of_unseen(self) -> Ints | None:
        """The queries of unseen examples; one that judges several models is as many."""
        queries = self.sample.queries
        if queries is None:
            return None
        apart = int(queries.max(initial=0)) + 1
        return np.concatenate([queries[rows] + k * apart for k, rows in enumerate(self.unseen)])

    @property
    def K(self) -> int:
        return self.booster.loss.n_outputs

    def of(self, k: int) -> Floats:
        """The scores of model k, (K, m)."""
        return self.F[k * self.K : (k + 1) * self.K]

    def round(self, sample: Sample, learn: Any, state: int) -> tuple[int, Round]:
        """One round of every model; the state is how many have been played. Trees are forgotten,
        or go to the engine's list ``kept``.
        """
        self._derive()
        self.booster.descend(
            self.sample,
            learn,
            self.models,
            self.F,
            self._g,
            self._c,
            state,
            keep=False,
            kept=self.kept,
        )
        return state + 1, Round({})

    def _derive(self) -> None:
        """Brings gradient and curvature of all models to where the scores stand."""
        if self._all_at_once:
            assert self._c is not None
            self.sample.engine.gradients.of_own_rows().derivatives(
                self.booster.loss,
                self._y,
                self.F.reshape(1, -1),
                self._weight,
                None,
                (self._g.reshape(1, -1), self._c.reshape(1, -1)),
                want_loss=False,
            )
            return
        for k, model in enumerate(self.models):
            part = slice(k * self.K, (k + 1) * self.K)
            room = (self._g[part], None if self._c is None else self._c[part])
            g, c = model.gradients(self.sample, self.of(k), room)
            if g is not room[0]:
                self._g[part] = g
            if c is None:
                self._c = None
            elif self._c is not None and c is not room[1]:
                self._c[part] = c

    def loss(self) -> float:
        """The mean loss of examples that models did not learn from; NaN where there are none."""
        if self.n_unseen == 0:
            return float("nan")
        if self.booster.loss.profiled:  # what it finds would be of all models at once
            each = self.losses_of_parts()
            weights = [loss.weight for loss in self._of_parts or ()]
            return sum(w * x for w, x in zip(weights, each, strict=True)) / sum(weights)
        kernels = self.sample.engine.gradients
        return self._loss(kernels.unseen_scores(self.F, self.unseen, self._unseen_F))

    def losses_of_parts(self) -> list[float]:
        """The mean loss of the examples that judge each model."""
        if self._of_parts is None:
            sample, weight = self.sample, self.sample.importance
            self._of_parts = [
                HeldOutLoss(
                    self.booster.loss,
                    sample.engine,
                    sample.y[rows],
                    None if weight is None else weight[rows],
                    judged[rows],
                    None if sample.queries is None else sample.queries[rows],
                )
                for judged, rows in zip(self.held, self.unseen, strict=True)
            ]
        each = zip(self._of_parts, self.unseen, strict=True)
        return [loss(self.of(k)[:, rows]) for k, (loss, rows) in enumerate(each)]

    def unseen_scores(self, content: Keys) -> tuple[Floats, Ints]:
        """Scores of every example by the models that did not learn from it, (K, m), and how many of
        its copies were left out: of copies in different bags the mean, NaN where there is none.
        Copies are rows of equal content, be they repeated or weighted.
        """
        total = np.zeros((self.K, len(self.sample)))
        copies, times = np.zeros(len(self.sample)), np.zeros(len(self.sample), np.int64)
        left_out_alike = self.sample.engine.rows.sums_over_equal(content, np.array(self.held))
        for k, (left_out, alike) in enumerate(zip(self.held, left_out_alike, strict=True)):
            total += self.of(k) * alike
            copies += alike
            times += left_out
        scores = np.full_like(total, np.nan)
        np.divide(total, copies, out=scores, where=np.broadcast_to(times > 0, total.shape))
        return scores, times


FOLDS = 5
MANY = 50_000  # examples beyond which one part held out says as much as folds do
_TIED = 1e-9


@dataclass(frozen=True)
class Needed:
    """The best number of rounds, and the losses on unseen examples by which it was found.

    For gradients these are mean losses or scores after 0, 1, 2, ... rounds, for votes errors after
    1, 2, ...
    """

    rounds: int
    losses: Floats


def rounds_of_gradients(
    booster: GradientBoosting,
    sample: Sample,
    learn: Any,
    *,
    parts: list[Part],
    wait: Patience,
    most_rounds: int,
    judge: Callable[[Floats], float] | None = None,
    watch: Callable[[Sequence[float], int], None] | None = None,
) -> Needed:
    """Plays one run a part side by side on the same codes, each judged by examples it does not
    learn from, until that no longer gets better. Where there is nothing to judge by, one round.
    ``watch`` is called with the losses so far and the best number of rounds.
    """
    if not parts:
        return Needed(1, np.array([]))
    models = SideBySide(booster, sample, parts, judge)

    falls = _Falls()

    def look(t: int, state: int, history: History) -> Stop | None:
        over = wait(models.judge(models.F))
        if judge is None and not booster.loss.whole_queries and t % _SPARSE == 0:
            falls.note(models.losses_of_parts())
        if watch is not None:
            watch(wait.values, wait.best)
        return Stop.EARLY if over else None

    look(0, 0, History())
    played = play(
        models,
        sample,
        learn,
        state=0,
        history=History(),
        n_rounds=most_rounds,
        callbacks=[look],
        stage=" of the folds",
    )
    if played.interrupt is not None:
        raise played.interrupt
    if wait.best <= _FEW and falls.most_go_on():
        warn(
            f"the folds find {max(1, wait.best)} rounds, though most of them would go on: the rows "
            "of one or two outweigh all others, such as many copies of a row, or outliers of y. "
            "Divide them otherwise by cv or groups, or pass n_estimators as a number.",
            BoostingWarning,
        )
    return Needed(wait.best, np.array(wait.values))


_SPARSE = 10  # rounds from one look at each fold to the next
_FEW = 10  # rounds that may be too few to be believed
_CLEAR = 0.9  # what the loss of a fold has fallen to where rounds clearly help it


class _Falls:
    """The losses of single parts, now and then."""

    def __init__(self) -> None:
        self._losses: list[list[float]] = []

    def note(self, losses: list[float]) -> None:
        self._losses.append(losses)

    def most_go_on(self) -> bool:
        """Whether most parts fall clearly in rounds after the first few."""
        if len(self._losses) < 3:
            return False
        losses = np.array(self._losses)
        clear = (losses[2:] < _CLEAR * losses[0]) & (losses[2:] < losses[1])
        return bool(2 * clear.any(axis=0).sum() > losses.shape[1])


def rounds_of_votes(
    booster_for: Callable[[Sample, WeakLearner], Booster],
    sample: Sample,
    learner: WeakLearner,
    *,
    seed: int,
    most_rounds: int,
) -> Needed:
    """Plays one run a fold after another and takes the rounds after which their errors are least.

    Folds are dealt class by class in an order that examples have by themselves; of equal numbers
    of rounds the smallest is taken. Where rows may have several labels, errors are the shares of
    labels that are wrong (or, of a booster that ranks labels, rows whose first one is none of
    theirs).
    """
    copies, hashes = sample.copies_or_ones, sample.code_hashes
    labels = np.zeros(len(sample)) if sample.several else sample.y + 1
    kinds = labels.astype(np.int64)
    folds = deal(hashes, kinds, copies, sample.importance, FOLDS, seed, sample.engine, hashes)
    errors = np.zeros(most_rounds)
    for k in range(FOLDS if sample.m <= MANY else 1):
        held = folds[:, k]
        if held.any() and (copies > held).any():
            with error_context(f"in fold {k + 1} of {FOLDS}, which find the number of rounds"):
                part = _part(sample, copies - held)
                booster = booster_for(part, learner)
                errors += _errors(booster, part, learner, sample, held, most_rounds)
    wait = Patience(None, _TIED * max(float(errors.max()), 1.0)).feed(errors.tolist())
    return Needed(1 + wait.best, errors)


def _errors(
    booster: Booster,
    part: Sample,
    learner: WeakLearner,
    sample: Sample,
    held: NDArray[np.int64],
    most: int,
) -> Floats:
    """The weight of the held examples that is wrong after 1, 2, ... rounds on the others."""
    played = play(
        booster,
        part,
        learner.bind(part),
        state=booster.begin(part),
        history=History(),
        n_rounds=most,
    )
    if played.interrupt is not None:
        raise played.interrupt
    outside = np.flatnonzero(held)
    rows = Rows(sample.cells.take(outside), None, sample.engine)
    weights: NDArray[Any] = held[outside]
    if sample.importance is not None:
        weights = weights * sample.importance[outside]
    wrong_of = _wrong_labels if sample.several else _wrong_classes
    y = sample.y[outside]
    ranks = isinstance(booster, AdaBoostMR)
    stages = played.state.ensemble.stages(rows)
    wrong = [total(wrong_of(F, y, sample, ranks), weights) for F in stages]
    if not wrong:  # nothing was learnt
        F = played.state.ensemble.blank(rows)
        wrong = [total(wrong_of(F, y, sample, ranks), weights)]
    return np.array(wrong + wrong[-1:] * (most - len(wrong)))


def _wrong_classes(F: Floats, y: NDArray[Any], sample: Sample, ranks: bool) -> NDArray[Any]:
    """Whether each row gets another class than its own."""
    codes = (y > 0) if sample.binary else y
    return np.asarray(decide(F, sample.n_classes) != codes)


def _wrong_labels(F: Floats, y: NDArray[Any], sample: Sample, ranks: bool) -> NDArray[Any]:
    """The share of labels of each row that are wrong; of ranks, whether the first one is."""
    if ranks:
        return np.asarray(y[np.arange(len(y)), F.argmax(axis=1)] < 0)
    return np.asarray(((F > 0) != (y > 0)).mean(axis=1))


def _part(sample: Sample, stay: NDArray[np.int64]) -> Sample:
    """So many copies of each row as a sample of their own."""
    inside = np.flatnonzero(stay)
    importance = None if sample.importance is None else sample.importance[inside]
    copies = None if sample.copies is None else stay[inside]
    return replace(sample.subset(inside, copies), importance=importance)
