"""From what the user hands in to a sample ready to be played on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from ..base.booster import Booster, State, match
from ..base.hypothesis import WeakLearner
from ..base.messages.warnings import DataWarning, held, warn
from ..base.numeric.hashing import mixed
from ..base.sample import OPENED, Binning, Rows, Sample, take_rows
from ..engines import Engine
from .class_weight import class_factors, product
from .containers import settled
from .id_columns import set_aside
from .labels import counts, name_of, read_labels, read_target, read_weights, scale_weights
from .missing import refuse_missing
from .multilabel import Indicator, Signs, label_keys, labels_in_table, read_indicator
from .schema import Cells, Schema
from .splitting import hold_out

Floats = NDArray[np.float64]

RARE = 5  # where rare categories share a code: those seen less often


@dataclass(frozen=True)
class Validation:
    """Rows held out, with labels or numbers, class codes (0 without classes) and weights.

    ``signs`` are those of all labels, where rows may have several.
    """

    rows: Rows
    y: NDArray[Any]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64] | None
    signs: Signs | None = None


@dataclass(frozen=True)
class Prepared:
    """The training sample with its schema and classes, and perhaps held-out rows.

    A sample of numbers to predict has no classes; ``largest`` is how large these may be. ``used``
    says which rows of X count: None, all. ``indicator`` tells how several labels a row were handed
    in: None, they were not.
    """

    schema: Schema
    classes: NDArray[Any]
    sample: Sample
    validation: Validation | None
    used: NDArray[np.bool_] | None = None
    largest: float = inf
    indicator: Indicator | None = None


@dataclass(frozen=True)
class Game:
    """Rows, learner and booster, ready to be played; the fraction and seed of held-out rows."""

    prepared: Prepared
    learner: WeakLearner
    booster: Booster
    seed: int
    held_out: tuple[float, int] | None

    def __post_init__(self) -> None:
        match(self.booster, self.learner)

    def begin(self) -> State:
        state: State = self.booster.begin(self.prepared.sample)
        return state


@held()
def prepare(
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    engine: Engine,
    class_weight: Any,
    name: str,
    categorical_features: Any = "from_dtype",
    refuses_missing: bool = False,
    any_shape: bool = False,
    held_out: tuple[float, int] | None = None,
    known: tuple[Schema, NDArray[Any]] | None = None,
    regression: bool = False,
    binning: Binning = OPENED,
    rare: int = 1,
    names_aside: bool = False,
    largest: float = inf,
    several: bool = False,
    learn: Callable[..., tuple[Schema, Cells]] | None = None,
) -> Prepared:
    """Reads X, y and weights; drops rows of weight 0; codes the columns; holds rows out if asked.

    ``any_shape``: a learner outside this library gets X as it came, be it texts or pictures;
    ``held_out``: fraction and seed; ``known``: schema and classes of an earlier fit;
    ``regression``: y holds numbers; ``rare``: categories seen less often share a code;
    ``names_aside``: columns of texts that hardly ever repeat are made constant; ``largest``: how
    large numbers to predict may be; ``several``: y may be a table of labels; ``learn``: reads X,
    where ``Schema.learn`` does not.
    """
    called = name_of(y)
    X, y, weights, used = _weighed(X, y, sample_weight)
    copies = counts(weights)
    with _without(0 if used is None else int(np.count_nonzero(~used))):
        table = as_table(X) if any_shape else X
        if known is None:
            schema, cells = (learn or Schema.learn)(
                table,
                categorical_features=categorical_features,
                estimator_name=name,
                repeats=copies,
                rare=rare,
            )
        else:
            schema = known[0]
            cells = schema.read(table)
        if names_aside:
            schema, cells = set_aside(schema, cells, copies, tell=known is None)
        classes, codes = np.array([]), np.zeros(cells.n_rows, np.int64)
        target: Floats | None = None
        signs, indicator = None, None
        if regression:
            target = read_target(y, cells.n_rows, estimator_name=name, largest=largest)
        elif several and labels_in_table(y):
            n_labels = None if known is None else len(known[1])
            signs, indicator = read_indicator(y, cells.n_rows, n_labels=n_labels)
            classes = indicator.names if known is None else known[1]
            _refuse_class_weight(class_weight)
        elif known is None:
            classes, codes = read_labels(y, cells.n_rows, estimator_name=name)
        else:
            classes = known[1]
            codes = codes_among(classes, y, cells.n_rows, "y")
        if refuses_missing:
            refuse_missing(cells, schema)
    importance = scale_weights(weights) if weights is not None and copies is None else None
    examples = _Examples(X, cells, codes, target, copies, importance, signs)
    if class_weight is not None:
        factor = class_factors(class_weight, classes, codes, copies, importance)[codes]
        examples, used = _with_factor(examples, factor, used)
    if known is None and signs is None:
        doubt_classes(classes, examples.cells.n_rows)
    prepared = _build(schema, classes, examples, engine, held_out, binning)
    if len(classes) != 1 and known is None and engine.columns.is_constant(prepared.sample.coded):
        warn_of_constant_columns()
    sample = replace(prepared.sample, target=called)
    return replace(prepared, sample=sample, used=used, largest=largest, indicator=indicator)


def _refuse_class_weight(class_weight: Any) -> None:
    if class_weight is not None:
        raise ValueError(
            f"class_weight={class_weight!r} is not allowed where rows may have several labels, as "
            "it weighs a row by its one class: pass sample_weight."
        )


@dataclass(frozen=True)
class _Examples:
    """Rows read: cells beside X itself, class codes or numbers, and weights of either kind."""

    X: Any
    cells: Cells
    codes: NDArray[np.int64]
    target: Floats | None
    copies: NDArray[np.int64] | None
    importance: Floats | None
    signs: Signs | None = None  # of all labels, where rows may have several

    def take(self, rows: NDArray[np.intp]) -> _Examples:
        def some(array: NDArray[Any] | None) -> Any:
            return None if array is None else array[rows]

        return _Examples(
            take_rows(self.X, rows),
            self.cells.take(rows),
            self.codes[rows],
            some(self.target),
            some(self.copies),
            some(self.importance),
            some(self.signs),
        )


def _weighed(
    X: Any, y: Any, sample_weight: Any
) -> tuple[Any, Any, Floats | None, NDArray[np.bool_] | None]:
    """X, y and weights without the rows of weight 0, and which rows these were not: None, all."""
    if sp.issparse(X) and (sample_weight is not None or not _in_lines(X)):
        X = _selectable(settled(X))  # rows of it may be left out, or drawn
    weights = None if sample_weight is None else read_weights(sample_weight, _rows_of(X))
    if weights is None or weights.all():
        return X, y, weights, None
    used = weights > 0
    kept = np.flatnonzero(used)
    return take_rows(X, kept), _take_labels(y, kept, len(weights)), weights[kept], used


def _with_factor(
    examples: _Examples, factor: Floats, used: NDArray[np.bool_] | None
) -> tuple[_Examples, NDArray[np.bool_] | None]:
    """The examples, each weighted by the factor of its class; where that is 0, left out."""
    copies, importance = examples.copies, examples.importance
    with np.errstate(over="ignore"):
        whole = counts(factor if copies is None else copies * factor)
    if importance is None and whole is not None:  # as if given as sample_weight
        copies = whole
    else:
        importance = scale_weights(factor) if importance is None else product(importance, factor)
    examples = replace(examples, copies=copies, importance=importance)
    if factor.all():
        return examples, used
    return examples.take(np.flatnonzero(factor)), _narrowed(used, factor > 0)


def _narrowed(used: NDArray[np.bool_] | None, still: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The rows used, of which some are used no longer."""
    if used is None:
        return still
    fewer = used.copy()
    fewer[used] = still
    return fewer


def warn_of_constant_columns() -> None:
    warn(
        "every column of X is constant, so that no rule can tell its rows apart: the model "
        "will give all of them the same answer.",
        DataWarning,
    )


def doubt_classes(classes: NDArray[Any], n_rows: int) -> None:
    """Warns of labels that there is nothing to tell apart of, or too much."""
    if len(classes) == 1:
        warn(
            f"y holds one class only, {classes.tolist()[0]!r}: the model will always predict it.",
            DataWarning,
        )
    if len(classes) > max(20, n_rows / 2):
        warn(
            f"y holds {len(classes)} classes in {n_rows} rows: it looks like a name or a "
            "number to predict, not like a class.",
            DataWarning,
        )


@contextmanager
def _without(n_dropped: int) -> Iterator[None]:
    """Says of an error that names a row how its rows were counted."""
    try:
        yield
    except (TypeError, ValueError) as error:
        if n_dropped:
            error.add_note(f"Rows are counted without the {n_dropped} of weight 0.")
        raise


def _build(
    schema: Schema,
    classes: NDArray[Any],
    examples: _Examples,
    engine: Engine,
    held_out: tuple[float, int] | None,
    binning: Binning,
) -> Prepared:
    cells, codes, target = examples.cells, examples.codes, examples.target
    copies, importance = examples.copies, examples.importance
    coded = engine.columns.code(cells, binning, copies)
    sample = Sample(
        cells=cells,
        raw=examples.X,
        engine=engine,
        y=_target_of(examples, len(classes)),
        n_classes=len(classes),
        copies=None if copies is None or (copies == 1).all() else copies,
        importance=None
        if importance is None or (importance == importance[0]).all()
        else importance,
        coded=coded,
        classes=classes,
        pooled=any(column.pooled for column in schema.special.values()),
        binning=binning,
    )
    if held_out is None:
        return Prepared(schema, classes, sample, None)
    fraction, seed = held_out
    hashes = engine.columns.row_hashes(coded)
    if target is not None:  # the number to predict belongs to the content of a row
        hashes = hashes + mixed(target.view(np.uint64))
    if examples.signs is not None:
        hashes = hashes + label_keys(examples.signs)
    held = hold_out(hashes, codes, copies, importance, fraction, seed)
    if not held.any():
        raise ValueError(
            f"early_stopping holds out validation_fraction={fraction:g} of every class, which with "
            f"n_samples={cells.n_rows} leaves no row to validate on; pass more rows, or X_val and "
            "y_val, or set early_stopping=False."
        )
    stay = (1 if copies is None else copies) - held
    outside = np.flatnonzero(held)
    # In an order of their own, so that sums over them keep their bits.
    outside = outside[np.lexsort((codes[outside], hashes[outside]))]
    inner = replace(examples, copies=None if copies is None else stay)
    rest = _build(schema, classes, inner.take(np.flatnonzero(stay > 0)), engine, None, binning)
    judged = _judged(examples.take(outside), held[outside], classes, engine)
    return Prepared(schema, classes, rest.sample, judged)


def _judged(
    examples: _Examples, times: NDArray[np.int64], classes: NDArray[Any], engine: Engine
) -> Validation:
    """Rows held out, each so many times."""
    weights = times.astype(float)
    if examples.importance is not None:
        weights = weights * examples.importance
    rows = Rows(examples.cells, examples.X, engine)
    if examples.signs is not None:
        has = (examples.signs > 0).astype(np.int64)
        return Validation(rows, has, examples.codes, weights, examples.signs)
    labels = classes[examples.codes] if examples.target is None else examples.target
    return Validation(rows, labels, examples.codes, weights)


def _target_of(examples: _Examples, n_classes: int) -> NDArray[Any]:
    """y, as a sample has it."""
    if examples.signs is not None:
        return np.ascontiguousarray(examples.signs)
    return coded_labels(examples.codes, n_classes) if examples.target is None else examples.target


def coded_labels(codes: NDArray[np.int64], n_classes: int) -> NDArray[Any]:
    """-1 and +1 for two classes (the only class is +1), 0 .. K-1 for more."""
    if n_classes == 1:
        return np.ones(len(codes), np.int8)
    if n_classes == 2:
        return (2 * codes - 1).astype(np.int8)
    return codes.astype(np.int32)


def read_validation(
    X_val: Any,
    y_val: Any,
    sample_weight_val: Any,
    prepared: Prepared,
    any_shape: bool = False,
) -> Validation:
    """The user's own validation rows; every label must be among the classes of training."""
    if y_val is None:
        raise ValueError(
            "X_val is given without y_val: pass the labels of the validation rows too."
        )
    classes, engine = prepared.classes, prepared.sample.engine
    cells = prepared.schema.read(as_table(X_val) if any_shape else X_val)
    signs = None
    if prepared.indicator is not None:
        n = len(classes)
        signs, _ = read_indicator(y_val, cells.n_rows, argument="y_val", n_labels=n)
        labels: NDArray[Any] = (signs > 0).astype(np.int64)
        codes = np.zeros(cells.n_rows, np.int64)
    elif prepared.sample.n_classes == 0:
        labels = read_target(y_val, cells.n_rows, largest=prepared.largest, argument="y_val")
        codes = np.zeros(cells.n_rows, np.int64)
    else:
        codes = codes_among(classes, y_val, cells.n_rows, "y_val")
        labels = classes[codes]
    weights = read_weights(sample_weight_val, cells.n_rows)
    weights = None if weights is None else scale_weights(weights)
    return Validation(Rows(cells, X_val, engine), labels, codes, weights, signs)


def codes_among(
    classes: NDArray[Any], y: Any, n_rows: int, argument: str, *, strangers: bool = False
) -> NDArray[np.int64]:
    """Class numbers of labels, all of which training must have seen.

    With ``strangers`` one of them will do, and the others are -1: what a model is judged by may
    hold classes that it never knew.
    """
    seen, codes = read_labels(y, n_rows)
    known = {label: k for k, label in enumerate(classes.tolist())}
    strange = [label for label in seen.tolist() if label not in known]
    if strange and not (strangers and len(strange) < len(seen)):
        raise ValueError(
            f"{argument} holds {strange[0]!r}, which is not among the classes of training: "
            f"{classes.tolist()[:10]}."
        )
    return np.array([known.get(label, -1) for label in seen.tolist()], np.int64)[codes]


def as_table(X: Any) -> Any:
    """X of any shape as rows and columns: a text is one column, a picture has one a dot."""
    if isinstance(X, np.ndarray) and X.ndim > 2:
        return X.reshape(len(X), math.prod(X.shape[1:]))
    flat = isinstance(X, (list, tuple)) or getattr(X, "ndim", 2) == 1
    if flat and len(X) > 0 and isinstance(next(iter(X)), str):
        return np.array(list(X), dtype=object).reshape(-1, 1)
    return X


def _selectable(X: Any) -> Any:
    """A sparse matrix of which rows can be chosen."""
    return X if _in_lines(X) else X.tocsr()


def _in_lines(X: Any) -> bool:
    """Whether a sparse matrix is kept by rows or by columns."""
    return X.format in ("csr", "csc")


def _rows_of(X: Any) -> int:
    try:
        return int(_num_samples(X))
    except TypeError:
        return int(np.asarray(X).shape[0]) if np.ndim(X) else 1


def _take_labels(y: Any, kept: NDArray[np.intp], n_rows: int) -> Any:
    """The labels of the kept rows."""
    if y is None or _num_samples(y) != n_rows:
        read_labels(y, n_rows)  # which refuses them
    return take_rows(y, kept)
