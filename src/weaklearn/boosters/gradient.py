"""Gradient boosting: Newton steps on any loss, by trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base import Round, Sample, Stop
from ..base.loss import Loss
from ..base.trees.tree import Tree
from ..base.types import Floats, Ints, Partitions
from ..base.votes.tree_sum import AdditiveTrees

if TYPE_CHECKING:
    from ..engines import Engine

_ALIKE = 16.0  # how far the largest weight may exceed the mean one for 13 bits a gradient to do
_NOTHING = 1e-12  # a sum of gradients this much smaller than its terms is rounding


@dataclass(frozen=True)
class Slope:
    """The state of a descent: scores F, their gradient and curvature, the mean loss, the trees.

    Scores lie output by output, (K, m); they, gradient and curvature move on in place.
    """

    F: Floats
    g: Floats
    c: Floats | None
    loss: float
    ensemble: AdditiveTrees


@dataclass(frozen=True)
class GradientBoosting:
    """F_0 is the best constant; in round t, with g and c the derivatives of the loss at F_{t-1},

        h_t  = a tree for each output, with value -sum g / (sum c + l2) in a leaf
        F_t  = F_{t-1} + learning_rate h_t

    Losses that bend nowhere (absolute error, quantiles) let a leaf answer the quantile of what is
    left to explain there. ``offset``, (K, m), is added to every score and starts the descent in
    place of F_0. ``copies`` are the examples learnt from where they are not all of the sample,
    ``sums`` what adds up the trees that are learnt.

    **Guarantee.** A step goes downhill, sum g h_t <= 0 over the examples drawn for it; where no
    split can gain, whatever is drawn, the run ends.

    Reference: Friedman (2001), Annals of Statistics 29.
    """

    loss: Loss
    learning_rate: float
    offset: Floats | None = None
    copies: Ints | None = None
    sums: type[AdditiveTrees] = AdditiveTrees

    def begin(self, sample: Sample) -> Slope:
        F_0 = np.zeros(self.loss.n_outputs)
        if self.offset is None:
            constant = self.loss.best_constant(*self._examples(sample), *over(sample.engine))
            F_0 = np.asarray(constant, np.float64)
        return self._stand(sample, self._from(F_0, len(sample)), self.sums(F_0))

    def round(self, sample: Sample, learn: Any, state: Slope) -> tuple[Slope, Round]:
        t = len(state.ensemble)
        if sample.n_classes == 1:
            return state, Round({"loss": state.loss, "leaves": 0}, Stop.FLAT)
        h_t = self.descend(sample, learn, [self], state.F, state.g, state.c, t)
        if not learn.draws and all(
            self._is_zero_step(sample, tree, g) for tree, g in zip(h_t, state.g, strict=True)
        ):
            return state, Round({"loss": state.loss, "leaves": 0}, Stop.FLAT)
        ensemble, room = state.ensemble.plus(self.learning_rate, h_t), (state.g, state.c)
        later = Slope(state.F, *self.slope(sample, state.F, room), ensemble)
        leaves = sum(tree.n_leaves for tree in h_t)
        return later, Round({"loss": later.loss, "leaves": leaves})

    def replay(self, sample: Sample, ensemble: AdditiveTrees) -> Slope:
        """The state after the rounds of an ensemble, for a warm start."""
        if self.offset is None:
            F = ensemble(sample)
        else:
            F = self._from(ensemble.base, len(sample)).T
            for t in range(len(ensemble)):  # one after another: sums keep their bits
                F = ensemble.add_round(sample, F, t)
        return self._stand(sample, np.ascontiguousarray(F.T), ensemble)

    # ------------------------------------------------------------------------------------- steps

    def slope(
        self, sample: Sample, F: Floats, room: tuple[Floats, Floats | None] | None = None
    ) -> tuple[Floats, Floats | None, float]:
        """Gradient and curvature at F, (K, m), and the mean loss of the examples learnt from.

        In ``room`` are a gradient and a curvature that may be written over.
        """
        g, c, total = self.derivatives(sample, F, self._copies(sample), room)
        return g, c, total / self._total_weight(sample)

    def derivatives(
        self,
        sample: Sample,
        F: Floats,
        copies: Ints | None,
        room: tuple[Floats, Floats | None] | None = None,
    ) -> tuple[Floats, Floats | None, float]:
        """Gradient and curvature at F, (K, m), and the total loss of so many copies."""
        return sample.engine.gradients.derivatives(
            self._adapted(sample, F), sample.y, F, sample.importance, copies, room
        )

    def gradients(
        self, sample: Sample, F: Floats, room: tuple[Floats, Floats | None]
    ) -> tuple[Floats, Floats | None]:
        """Gradient and curvature at F, (K, m), where no loss is asked for."""
        kernels = sample.engine.gradients.of_own_rows()
        return kernels.derivatives(
            self._adapted(sample, F), sample.y, F, sample.importance, None, room, want_loss=False
        )[:2]

    def descend(
        self,
        sample: Sample,
        learn: Any,
        models: list[GradientBoosting],
        F: Floats,
        g: Floats,
        c: Floats | None,
        t: int,
        keep: bool = True,
        kept: Any = None,
    ) -> list[Tree]:
        """Round t of several models side by side, each with its own training examples: grows their
        trees and updates the scores F in place, which hold the models' outputs row after row. Trees
        are returned, or appended to the engine's list ``kept``.
        """
        K, levels = self.loss.n_outputs, self.loss.leaf_quantiles
        trees: list[Tree] = learn(
            g,
            c,
            F,
            vote=self.learning_rate,
            key=t,
            bounded=self.loss.native and self._alike(sample),
            copies=[model._copies(sample) for model in models for _ in range(K)],
            quantiles=None if levels is None else list(levels) * len(models),
            residuals=None if levels is None else _targets(sample, len(models)) - F,
            keep=keep,
            kept=kept,
        )
        return trees

    def _adapted(self, sample: Sample, F: Floats) -> Loss:
        scores = F[0] if len(F) == 1 else F.T
        return self.loss.adapted(sample.y, scores, self._weights(sample), *over(sample.engine))

    def _stand(self, sample: Sample, F: Floats, ensemble: AdditiveTrees) -> Slope:
        return Slope(F, *self.slope(sample, F), ensemble)

    def _from(self, F_0: Floats, m: int) -> Floats:
        F = np.repeat(F_0[:, None], m, axis=1)
        return F if self.offset is None else F + self.offset

    def _is_zero_step(self, sample: Sample, tree: Tree, g: Floats) -> bool:
        """Whether a tree is a single leaf whose value is 0 up to rounding."""
        step = abs(float(tree.values[0, 0]))
        if len(tree) > 1 or self.loss.leaf_quantiles is not None:
            return len(tree) == 1 and step == 0
        partitions = sample.engine.collective
        most = partitions.maximum(np.abs(g).max(keepdims=True, initial=0.0))
        n_rows = partitions.sum(np.array([len(g)], np.int64))
        return step * float(tree.weight[0]) <= _NOTHING * float(most[0]) * int(n_rows[0])

    @cached_property
    def _known(self) -> dict[tuple[str, int], tuple[Sample, Any]]:
        """Numbers of all rows of a sample, which stay the same from round to round."""
        return {}

    def _total_weight(self, sample: Sample) -> float:
        """The weight of the examples learnt from: their number where all have the same."""
        return float(self._once(sample, "weight", self._found_weight))

    def _found_weight(self, sample: Sample) -> float:
        copies, engine = self._copies(sample), sample.engine
        if sample.importance is not None:
            return engine.weights.total(sample.importance, None, copies)
        own = len(sample) if copies is None else copies.sum()
        return int(engine.collective.sum(np.array([own], np.int64))[0])

    def _alike(self, sample: Sample) -> bool:
        """Whether no weight is much larger than the others."""
        return bool(self._once(sample, "alike", _alike))

    def _once(self, sample: Sample, what: str, find: Callable[[Sample], Any]) -> Any:
        known = self._known.get((what, id(sample)))
        if known is None:
            known = self._known[what, id(sample)] = (sample, find(sample))
        return known[1]

    def _copies(self, sample: Sample) -> Ints | None:
        """The integer frequency weights of the training examples; None: 1 each."""
        return sample.copies if self.copies is None else self.copies

    def _weights(self, sample: Sample) -> NDArray[Any] | None:
        """The weight of each row: frequency weight times sample weight."""
        copies, weight = self._copies(sample), sample.importance
        if copies is None or weight is None:
            return copies if weight is None else weight
        return weight * copies

    def _examples(self, sample: Sample) -> tuple[NDArray[Any], NDArray[Any] | None]:
        """Labels and weights of the examples learnt from."""
        weights = self._weights(sample)
        if self.copies is None or weights is None:
            return sample.y, weights
        inside = np.flatnonzero(self.copies)
        return sample.y[inside], weights[inside]


def _targets(sample: Sample, n_models: int) -> NDArray[Any]:
    """What the outputs of models side by side are to come to: (m,), or a row an output."""
    y = sample.y
    return y if y.ndim == 1 else np.tile(np.ascontiguousarray(y.T), (n_models, 1))


def _alike(sample: Sample) -> bool:
    """Whether no weight is much larger than the others."""
    weight = sample.importance
    if weight is None:
        return True
    everything = sample.engine.weights.total(weight, None, sample.copies)
    most = sample.engine.collective.maximum(weight.max(keepdims=True, initial=0.0))
    return float(most[0]) * sample.m <= _ALIKE * everything


def over(engine: Engine) -> tuple[()] | tuple[Partitions]:
    """The last argument of what losses find from all examples, where rows lie in partitions."""
    partitions = engine.collective
    return () if partitions.size == 1 else (partitions,)
