"""Examples of two classes, each kept once: in an order of their content, with how often it counts.

What is computed from them depends neither on the order of rows nor on copies against weights.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ...base.numeric.hashing import GOLDEN, mixed
from ...base.numeric.total import total
from ...base.sample import Sample
from ...base.types import Floats
from ...engines import Engine
from ...intake.numeric_rows import as_points, refuse_special, some_texts
from ...intake.prepare import Reading, prepare
from ...intake.raw_column import Kind
from ...intake.schema import Schema
from ...intake.texts import texts_of
from ...online.kernels import Kernel
from ...online.points import Points, take
from ...prediction import signs


@dataclass(frozen=True, eq=False)
class Distinct:
    """Different examples with signs -1 and +1, and how often each counts.

    ``share`` spreads a number of each distinct example over the rows it stands for. The schema is
    None where examples are texts.
    """

    schema: Schema | None
    classes: NDArray[Any]
    points: Points
    y: Floats
    count: Floats
    sample: Sample
    _place: NDArray[np.intp]
    _weight: Floats
    _used: NDArray[np.bool_] | None

    def share(self, x: Floats) -> Floats:
        """A number of each row of X, in its order; 0 for rows of weight 0."""
        of_rows = (x / self.count)[self._place] * self._weight
        if self._used is None:
            return of_rows
        everyone = np.zeros(len(self._used))
        everyone[self._used] = of_rows
        return everyone

    def examples(self, flags: NDArray[np.bool_]) -> int:
        """How many examples stand behind some of the distinct ones: copies, or rows."""
        rows = flags[self._place]
        return int(rows.sum() if self.sample.copies is None else self.sample.copies[rows].sum())


def read_distinct(
    X: Any, y: Any, sample_weight: Any, *, kernel: Kernel, engine: Engine, name: str
) -> Distinct:
    """Reads X, y and weights; importances are scaled to a mean of 1."""
    texts = kernel.takes == "texts"
    ready = prepare(
        some_texts(X) if texts else X,
        y,
        sample_weight,
        engine=engine,
        name=name,
        reading=Reading(any_shape=kernel.takes != "numbers"),
    )
    sample, schema = ready.sample, ready.schema
    if len(ready.classes) > 2:
        raise ValueError(
            "Only binary classification is supported. The type of the target is multiclass: y "
            f"holds {len(ready.classes)} classes; pass two, or wrap {name} in OneVsRestBooster."
        )
    texts = texts or (kernel.takes == "anything" and _is_text(schema))
    if not texts:
        refuse_special(schema, name)
    points = texts_of(sample.raw) if texts else as_points(_cells(sample), schema)
    weight = _weights(sample)
    hashes = sample.row_hashes
    keys = mixed(hashes + GOLDEN * (sample.y > 0).astype(np.uint64))
    order = np.lexsort((weight, keys))
    new = np.concatenate([[True], keys[order][1:] != keys[order][:-1]])
    first = np.flatnonzero(new)
    place = np.empty(len(order), np.intp)
    place[order] = np.cumsum(new) - 1
    return Distinct(
        None if texts else schema,
        ready.classes,
        take(points, order[first]),
        sample.y[order[first]].astype(np.float64),
        np.add.reduceat(weight[order], first),
        sample,
        place,
        weight,
        ready.used,
    )


def _is_text(schema: Schema) -> bool:
    return schema.n_features == 1 and any(
        column.kind is Kind.CATEGORY for column in schema.special.values()
    )


def _cells(sample: Sample) -> Any:
    return sample.cells.sparse if sample.cells.matrix is None else sample.cells.matrix


def _weights(sample: Sample) -> Floats:
    """How often each row counts; importances with a mean of 1."""
    if sample.importance is None:
        return np.ones(len(sample)) if sample.copies is None else sample.copies.astype(np.float64)
    weight = np.asarray(sample.weights, np.float64)
    # To 40 bits, so that weights in the same proportions are the same weights.
    part, power = np.frexp(weight * (len(sample) / total(weight)))
    return np.ldexp(np.rint(part * 2.0**40) * 2.0**-40, power)


class BySign:
    """``predict`` by a score; more than two classes are refused at fit."""

    classes_: NDArray[Any]

    @abstractmethod
    def decision_function(self, X: Any) -> Floats:
        """The score of each row, above 0 for ``classes_[1]``."""

    predict = signs.predict

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.classifier_tags.multi_class = False
        return tags


def with_constant(rows: Points) -> Points:
    """Rows with a constant feature of 1 behind the others."""
    ones = np.ones((rows.shape[0], 1))
    if isinstance(rows, np.ndarray):
        return np.ascontiguousarray(np.hstack([rows, ones]))
    stacked: Any = sp.hstack([rows, sp.csr_array(ones)])
    return stacked.tocsr()
