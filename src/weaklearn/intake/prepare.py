"""From X, y and weights as given to a sample ready for fitting."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..base.messages.value_text import show
from ..base.messages.warnings import deferred_warnings, shared_warnings
from ..base.numeric.fixed_point import scale_weights
from ..base.numeric.hashing import keys_of_numbers, mixed
from ..base.rows import OPENED, Binning, Rows
from ..base.sample import Sample, take_rows, unless_equal, unless_one
from ..base.types import Floats, Partitions
from ..engines import Engine
from . import later
from .arrays import as_table
from .cells import Cells, refuse_missing
from .elsewhere import in_files, in_memory_or_file, read_cells
from .labels import (
    coded_labels,
    codes_among,
    doubt_classes,
    read_labels,
    warn_of_constant_columns,
)
from .schema import Schema
from .splitting import hold_out
from .validation import Validation
from .weights import Given, given_rows

if TYPE_CHECKING:
    from .multilabel import Indicator, Signs
    from .outputs import Classes, Outputs
    from .targets import NumberForm

_ROW = re.compile(r"row \d|\[\d")  # in messages
RARE = 5  # where rare categories share a code: those seen less often


@dataclass(frozen=True)
class Target:
    """How y is read: as labels, as numbers up to a size, or as a multi-label table."""

    class_weight: Any = None
    regression: bool = False
    largest: float = inf
    several: bool = False
    form: NumberForm = "one"
    n_targets: int | None = None  # as in the training before; None: any number
    names: tuple[str, ...] = ()  # of the columns of y, of several targets
    outputs: bool = False  # whether y may have several columns, each an output


@dataclass(frozen=True)
class Prepared:
    """The training sample with its schema and classes, and held-out rows if any.

    A sample of numbers to predict has no classes; ``target`` is how y was read. ``used``
    says which rows of X count: None, all. ``indicator`` tells how several labels a row were handed
    in: None, they were not. ``recorded`` are validation sets that are looked at, and judge nothing.
    ``outputs`` are those of rows that have several; the sample then holds them as numbers.
    """

    schema: Schema
    classes: NDArray[Any]
    sample: Sample
    validation: Validation | None
    used: NDArray[np.bool_] | None = None
    target: Target = Target()
    indicator: Indicator | None = None
    recorded: tuple[Validation, ...] = ()
    outputs: Outputs | None = None

    @property
    def n_outputs(self) -> int:
        return 1 if self.outputs is None else self.outputs.n


@dataclass(frozen=True)
class Reading:
    """How X is read.

    ``any_shape``: a learner outside this library gets X as it came, be it texts or pictures;
    ``rare``: categories seen less often share a code; ``names_aside``: columns of texts that hardly
    ever repeat are made constant; ``learn``: reads X, where ``Schema.learn`` does not.
    """

    categorical_features: Any = "from_dtype"
    refuses_missing: bool = False
    any_shape: bool = False
    rare: int = 1
    names_aside: bool = False
    learn: Callable[..., tuple[Schema, Cells]] = Schema.learn


def _once(method: Callable[..., Prepared]) -> Callable[..., Prepared]:
    """Where a fit on a cluster is begun again, its rows are still there, and not prepared anew."""

    @functools.wraps(method)
    def once(*args: Any, engine: Engine, **kwargs: Any) -> Prepared:
        if engine.collective.supervisor is None:
            return method(*args, engine=engine, **kwargs)
        make = functools.partial(method, *args, engine=engine, **kwargs)
        return engine.collective.once(make, _afresh)

    return once


def _afresh(prepared: Prepared) -> Prepared:
    """The same without what the sample has found out about itself since."""
    return replace(prepared, sample=replace(prepared.sample))


@_once
def prepare(
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    engine: Engine,
    name: str,
    target: Target = Target(),
    reading: Reading = Reading(),
    binning: Binning = OPENED,
    held_out: tuple[float, int] | None = None,
    known: tuple[Schema, NDArray[Any] | Classes] | None = None,
    columns: str = "strict",
) -> Prepared:
    """Reads X, y and weights; drops rows of weight 0; bins the columns; holds rows out if asked.

    ``held_out``: fraction and seed; ``known``: schema and classes of an earlier fit, whose
    columns may be found by their names: ``columns``, as in ``Schema.matched``. Where the rows are
    one partition of several, schema, classes and kinds of weights are those of all rows.
    """
    over = engine.collective
    X = X if known is None else known[0].matched(X, columns)
    with deferred_warnings(), shared_warnings(over):
        with _counted(0, over):
            given = given_rows(X, y, sample_weight, over)
        with _counted(given.n_dropped, over):
            given, schema, cells = _read_table(
                given, reading, name, None if known is None else known[0], engine
            )
            labels = _read_labels(given.y, target, cells.n_rows, name, known, over)
            if reading.refuses_missing:
                refuse_missing(cells, schema)
        examples, used = _weighed(given, cells, labels, target, over)
        if known is None and labels.signs is None and labels.outputs is None:
            doubt_classes(labels.classes, examples.cells.n_rows, over)
        prepared = _build(
            schema, labels.classes, examples, engine, held_out, binning, doubts=known is None
        )
        outputs = examples.outputs
        return replace(
            prepared, used=used, target=target, indicator=labels.indicator, outputs=outputs
        )


@dataclass(frozen=True)
class _Labels:
    """y as read: class codes, numbers, or signs (-1, +1) of all labels."""

    classes: NDArray[Any]
    codes: NDArray[np.int64]
    numbers: Floats | None = None
    signs: Signs | None = None
    indicator: Indicator | None = None
    outputs: Outputs | None = None


def _read_table(
    given: Given, reading: Reading, name: str, known: Schema | None, engine: Engine
) -> tuple[Given, Schema, Any]:
    """The schema and the encoded columns of X; with ``known``, by the schema of an earlier fit.

    The columns of a partition come in the order of the first one.
    """
    over, table = engine.collective, as_table(given.X) if reading.any_shape else given.X
    how: dict[str, Any] = {
        "categorical_features": reading.categorical_features,
        "estimator_name": name,
        "repeats": given.copies,
        "rare": reading.rare,
    }
    cells: Any  # in memory, or streamed
    if known is not None:
        schema, cells = known, read_cells(known, table)
    elif in_files(table):
        schema, cells = later.learn_streamed(table, threads=engine.threads, **how)
    elif over.size > 1:
        X, schema, cells = later.learn_over(table, over, **how)
        given = replace(given, X=X)
    else:
        schema, cells = reading.learn(table, **how)
    if reading.names_aside:
        schema, cells = later.set_aside(schema, cells, given.copies, over, tell=known is None)
    return given, schema, cells


def _read_labels(
    y: Any,
    target: Target,
    n_rows: int,
    name: str,
    known: tuple[Schema, Any] | None,
    over: Partitions,
) -> _Labels:
    """The labels of y; with ``known``, among the classes of an earlier fit."""
    none, nothing = np.array([]), np.zeros(n_rows, np.int64)
    if target.outputs and later.has_outputs(y):
        before = None if known is None or target.regression else known[1]
        how_many: Any = {"regression": target.regression, "largest": target.largest}
        outputs, numbers = later.read_outputs(y, n_rows, over, known=before, **how_many)
        return _Labels(none, nothing, numbers, outputs=outputs)
    if known is not None and isinstance(known[1], tuple):
        raise ValueError(
            f"y holds one output a row, and in the earlier fit {len(known[1])}: pass y as before, "
            "or set warm_start=False to begin anew."
        )
    if target.regression:
        how: Any = {"largest": target.largest, "n_targets": target.n_targets}
        numbers = later.read_numbers(y, n_rows, target.form, estimator_name=name, **how)
        return _Labels(none, nothing, numbers)
    if target.several and later.labels_in_table(y):
        before = None if known is None else known[1]
        signs, indicator = later.read_indicator(y, n_rows, known=before)
        _refuse_class_weight(target.class_weight)
        return _Labels(indicator.names, nothing, None, signs, indicator)
    if known is None:
        labels = read_labels(y, n_rows, estimator_name=name)
        return _Labels(*(later.classes_over(*labels, over) if over.size > 1 else labels))
    return _Labels(known[1], codes_among(known[1], y, n_rows, "y"))


def _weighed(
    given: Given, cells: Cells, labels: _Labels, target: Target, over: Partitions
) -> tuple[Examples, NDArray[np.bool_] | None]:
    """The examples with their weights, and a mask of the rows of X used (None: all)."""
    weights, copies, codes = given.weights, given.copies, labels.codes
    importance = scale_weights(weights, over) if weights is not None and copies is None else None
    examples = Examples(
        *(given.X, cells, codes, labels.numbers, copies, importance, labels.signs, given.target),
        labels.outputs,
    )
    if target.class_weight is None:
        return examples, given.used
    if labels.outputs is not None:
        factor = later.output_factors(target.class_weight, labels.outputs, copies, importance, over)
        return later.with_factor(examples, factor, given.used, over)
    by_class, classes = target.class_weight, labels.classes
    factors = later.class_factors(by_class, classes, codes, copies, importance, over)
    return later.with_factor(examples, factors[codes], given.used, over)


def _refuse_class_weight(class_weight: Any) -> None:
    if class_weight is not None:
        raise ValueError(
            f"class_weight={show(class_weight)} is not allowed where rows may have several labels, "
            "as it weighs a row by its one class: pass sample_weight."
        )


@dataclass(frozen=True)
class Examples:
    """Encoded rows beside X itself, class codes or numbers, and weights of either kind."""

    X: Any
    cells: Cells
    codes: NDArray[np.int64]
    target: Floats | None
    copies: NDArray[np.int64] | None
    importance: Floats | None
    signs: Signs | None = None  # of all labels, where rows may have several
    name: str | None = None  # that y came with
    outputs: Outputs | None = None

    def take(self, rows: NDArray[np.intp]) -> Examples:
        def some(array: NDArray[Any] | None) -> Any:
            return None if array is None else array[rows]

        return replace(
            self,
            X=take_rows(self.X, rows),
            cells=self.cells.take(rows),
            codes=self.codes[rows],
            target=some(self.target),
            copies=some(self.copies),
            importance=some(self.importance),
            signs=some(self.signs),
            outputs=None if self.outputs is None else self.outputs.take(rows),
        )


@contextmanager
def _counted(n_dropped: int, over: Partitions) -> Iterator[None]:
    """Context manager: adds to an error that names a row how its rows were counted."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if n_dropped:
            error.add_note(f"Rows are counted without the {n_dropped} of weight 0.")
        if over.size > 1 and _ROW.search(str(error)):
            error.add_note(f"Rows are counted within partition {over.rank}.")
        raise


def _build(
    schema: Schema,
    classes: NDArray[Any],
    examples: Examples,
    engine: Engine,
    held_out: tuple[float, int] | None,
    binning: Binning,
    doubts: bool,
) -> Prepared:
    """The sample of the examples, and rows held out; ``doubts``: of constant columns too."""
    cells, codes, target = examples.cells, examples.codes, examples.target
    copies, importance, over = examples.copies, examples.importance, engine.collective
    keys = partial(later.pooled_keys, schema) if schema.is_pooled else None
    y = _target_of(examples, len(classes))
    coded = engine.columns.code(cells, binning, copies)
    if held_out is None and doubts and len(classes) != 1 and not len(engine.columns.varying(coded)):
        warn_of_constant_columns()
    sample = Sample(
        cells=cells,
        raw=examples.X,
        engine=engine,
        y=y,
        n_classes=len(classes),
        copies=unless_one(copies, over),
        importance=unless_equal(importance, over),
        classes=classes,
        pooled_keys=keys,
        coded=coded,
        binning=binning,
        target=examples.name,
    )
    if held_out is None:
        return Prepared(schema, classes, sample, None)
    fraction, seed = held_out
    values = hashes = sample.row_hashes
    if target is not None:  # the number to predict belongs to the content of a row
        hashes = hashes + mixed(keys_of_numbers(target))
    if examples.signs is not None:
        hashes = hashes + later.label_keys(examples.signs)
    held = hold_out(hashes, codes, copies, importance, fraction, seed, engine, values)
    n_held, n_rows = over.sum(np.array([np.count_nonzero(held), len(held)], np.int64))
    if not n_held:
        raise ValueError(
            f"early_stopping holds out validation_fraction={fraction:g} of every class, which with "
            f"n_samples={n_rows} leaves no row to validate on; pass more rows, or X_val and "
            "y_val, or set early_stopping=False."
        )
    stay = (1 if copies is None else copies) - held
    outside = np.flatnonzero(held)
    # In an order of their own, so that sums over them keep their bits.
    outside = outside[np.lexsort((codes[outside], hashes[outside]))]
    inner = replace(examples, copies=None if copies is None else stay)
    inner = inner.take(np.flatnonzero(stay > 0))
    rest = _build(schema, classes, inner, engine, None, binning, doubts)
    judged = _judged(examples.take(outside), held[outside], classes, engine)
    return Prepared(schema, classes, rest.sample, judged)


def _judged(
    examples: Examples, times: NDArray[np.int64], classes: NDArray[Any], engine: Engine
) -> Validation:
    """The held-out rows, each repeated ``times``."""
    weights: NDArray[Any] = times  # whole numbers, by which sums are those of so many copies
    if examples.importance is not None:
        weights = times * examples.importance
    rows = Rows(in_memory_or_file(examples.cells), examples.X, engine)
    if examples.signs is not None:
        has = (examples.signs > 0).astype(np.int64)
        return Validation(rows, has, examples.codes, weights, examples.signs)
    labels = classes[examples.codes] if examples.target is None else examples.target
    return Validation(rows, labels, examples.codes, weights)


def _target_of(examples: Examples, n_classes: int) -> NDArray[Any]:
    """y as the sample takes it: codes, signs or numbers."""
    if examples.signs is not None:
        return np.ascontiguousarray(examples.signs)
    return coded_labels(examples.codes, n_classes) if examples.target is None else examples.target
