"""Trees that fit gradients: a Newton step in every leaf."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.numeric.hashing import Keys, keys_of_numbers, mixed, single, stream
from ..base.sample import Sample
from ..base.trees.grower_settings import GradientSettings
from ..base.trees.tree import Tree
from ..base.types import Floats, Ints

Rows = NDArray[np.uint32]

ROWS, COLUMNS = 1, 2  # what a draw is for


@dataclass(frozen=True)
class GradientTreeLearner(GradientSettings):
    """The settings of the trees, and the shares of rows and columns drawn per tree."""

    subsample: float = 1.0
    max_features: int | float = 1.0  # columns drawn a tree: so many, or their share
    seed: int = 0

    def bind(self, sample: Sample, content: Keys | None = None) -> GradientTreeOracle:
        """An oracle on a sample; ``content``: hashes of the rows, if known."""
        return GradientTreeOracle(self, sample, content)


@dataclass(frozen=True)
class Examples:
    """A subset of the examples of a sample, as a grower takes it and as draws are made from it."""

    copies: Ints | None  # how many of each row; None: one each
    several: Ints | None  # the same, where some row has more than one
    rows: Rows | None  # the rows that have any; None: all
    before: Keys | None  # copies of the same content before each row; None where none are alike
    inside: NDArray[np.uint8] | None = None  # 1 where a row has any, else 0; None: all have


class GradientTreeOracle:
    """A grower bound to a sample. Draws depend on the content of a row, not on its position."""

    def __init__(
        self, learner: GradientTreeLearner, sample: Sample, content: Keys | None = None
    ) -> None:
        self._learner = learner
        self._sample = sample
        self._grower = sample.engine.gradients.grower(sample, learner)
        self._varying = sample.engine.columns.varying(sample.coded)  # without them no draw matters
        self._content: Keys | None = None
        if learner.subsample < 1 and len(self._varying) > 0:
            self._content = content_hashes(sample) if content is None else content
        asked, d = learner.max_features, len(self._varying)
        fewer = asked < d if isinstance(asked, int) else asked < 1
        self.draws = (learner.subsample < 1 or fewer) and d > 0
        self._known: list[Examples] = []

    def __call__(
        self,
        g: Floats,
        c: Floats | None,
        scores: Floats,
        *,
        vote: float,
        key: int,
        bounded: bool,
        copies: list[Ints | None],
        quantiles: list[float] | None = None,
        residuals: Floats | None = None,
        keep: bool = True,
        kept: Any = None,
    ) -> list[Tree]:
        """Grows one tree for each row of g, and adds vote times its values to the scores.

        ``copies``: the examples each learns from; ``key``: the number of the round; ``residuals``
        and ``quantiles``: where leaves answer a quantile of what is left to explain; ``kept``: an
        engine's list that takes the trees.
        """
        parts = {id(part): part for part in copies}  # which the list keeps alive: no id comes twice
        drawn = dict(zip(parts, self._draw(list(parts.values()), key), strict=True))
        bags = [drawn[id(part)] for part in copies]
        features = self._columns(key)
        grown = self._grower.grow(
            g,
            c,
            bounded=bounded,
            copies=[several for several, _ in bags],
            rows=[rows for _, rows in bags],
            features=[features] * len(copies),
            vote=vote,
            scores=scores,
            residuals=residuals,
            quantiles=quantiles or [],
            keep=keep,
            kept=kept,
        )
        return [Tree.of(arrays) for arrays in grown]

    def release(self) -> None:
        """Frees the memory that trees leave to the next one, which asks for it again."""
        self._grower.release()

    def _draw(self, parts: list[Ints | None], key: int) -> list[tuple[Ints | None, Rows | None]]:
        """The frequency weights (None: 1 each) and rows of the examples drawn from each part."""
        everyone = [self._everyone(part) for part in parts]
        if self._content is None:
            return [(one.several, one.rows) for one in everyone]
        salt = single(self._learner.seed, ROWS, key)
        once = [(one.before, one.inside) for one in everyone if one.several is None]
        chance = self._learner.subsample
        rows_of = iter(self._sample.engine.weights.draw(self._content, once, salt, chance))
        drawn: list[tuple[Ints | None, Rows]] = [
            (None, next(rows_of))
            if one.several is None
            else self._draw_copies(one, one.several, salt)
            for one in everyone
        ]
        own = np.array([len(rows) for _, rows in drawn], np.int64)
        n_drawn = self._sample.engine.collective.sum(own)
        return [  # where none is drawn, all
            bag if n > 0 else (one.several, one.rows)
            for n, bag, one in zip(n_drawn, drawn, everyone, strict=True)
        ]

    def _draw_copies(self, everyone: Examples, several: Ints, salt: int) -> tuple[Ints, Rows]:
        assert self._content is not None
        drawn = self._sample.engine.weights.draw_copies(
            self._content, everyone.before, several, salt, self._learner.subsample
        )
        return drawn, np.flatnonzero(drawn).astype(np.uint32)

    def _everyone(self, copies: Ints | None) -> Examples:
        """The examples of frequency weights, cached by array."""
        for known in self._known:
            if known.copies is copies:
                return known
        self._known.append(self._examples(copies))
        return self._known[-1]

    def _examples(self, copies: Ints | None) -> Examples:
        before = None
        if self._content is not None:
            # Identical rows are interchangeable; taken as the copies of one, they draw as it does.
            before = self._sample.engine.rows.copies_before(self._content, copies)
        if copies is None:
            return Examples(None, None, None, before)
        most = self._sample.engine.collective.maximum(copies.max(keepdims=True, initial=0))
        several = copies if int(most[0]) > 1 else None
        inside = copies > 0
        rows = np.flatnonzero(inside).astype(np.uint32)
        return Examples(copies, several, rows, before, inside.view(np.uint8))

    def _columns(self, key: int) -> NDArray[np.int32] | None:
        """The columns that a round may use: a draw of the requested share of the non-constant
        columns.
        """
        d, asked = len(self._varying), self._learner.max_features
        wanted = asked if isinstance(asked, int) else ceil(asked * d * (1 - 1e-12))
        if wanted >= d:
            return None
        order = np.argsort(stream(d, self._learner.seed, COLUMNS, key), kind="stable")
        return np.sort(self._varying[order[:wanted]])


def content_hashes(sample: Sample, *others: Floats | None) -> Keys:
    """A hash of the content of each row: codes, label, weight, and others where given."""
    content = sample.code_hashes
    y = keys_of_numbers(np.asarray(sample.y, np.float64))
    content = mixed(content + mixed(y))
    for other in (sample.importance, *others):
        if other is not None:
            content = mixed(content ^ np.ascontiguousarray(other + 0.0).view(np.uint64))
    return content
