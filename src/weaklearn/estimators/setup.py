"""From what the user hands in to a sample ready to be played on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from ..base.booster import Booster, State
from ..base.hypothesis import WeakLearner
from ..base.mixing import mixed
from ..base.notice import DataWarning, warn
from ..base.sample import OPENED, Binning, Rows, Sample, take_rows
from ..engines.local import LocalEngine
from . import parameters
from .column import show
from .identifiers import set_aside
from .intake import Cells, Schema
from .labels import counts, read_labels, read_target, read_weights, scale_weights
from .splitting import hold_out
from .table import labeller, settled

Floats = NDArray[np.float64]

RARE = 5  # where rare categories share a code: those seen less often


@dataclass(frozen=True)
class Validation:
    """Rows held out, with labels or numbers, class codes (0 without classes) and weights."""

    rows: Rows
    y: NDArray[Any]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64] | None


@dataclass(frozen=True)
class Prepared:
    """The training sample with its schema and classes, and perhaps held-out rows.

    A sample of numbers to predict has no classes. ``used`` says which rows of X count: None, all.
    """

    schema: Schema
    classes: NDArray[Any]
    sample: Sample
    validation: Validation | None
    used: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Game:
    """Rows, learner and booster, ready to be played; the fraction and seed of held-out rows."""

    prepared: Prepared
    learner: WeakLearner
    booster: Booster
    seed: int
    held_out: tuple[float, int] | None

    def begin(self) -> State:
        return self.booster.begin(self.prepared.sample)


def prepare(
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    engine: LocalEngine,
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
) -> Prepared:
    """Reads X, y and weights; drops rows of weight 0; codes the columns; holds rows out if asked.

    ``any_shape``: a learner outside this library gets X as it came, be it texts or pictures;
    ``held_out``: fraction and seed; ``known``: schema and classes of an earlier fit;
    ``regression``: y holds numbers; ``rare``: categories seen less often share a code;
    ``names_aside``: columns of texts that hardly ever repeat are made constant.
    """
    if sp.issparse(X):
        X = _selectable(settled(X))
    weights, used, n_dropped = None, None, 0
    if sample_weight is not None:
        weights = read_weights(sample_weight, _rows_of(X))
    if weights is not None and not weights.all():
        used = weights > 0
        kept = np.flatnonzero(used)
        n_dropped = len(weights) - len(kept)
        X, y, weights = take_rows(X, kept), _take_labels(y, kept, len(weights)), weights[kept]
    copies = counts(weights)
    table = as_table(X) if any_shape else X
    with _without(n_dropped):
        if known is None:
            schema, cells = Schema.learn(
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
        target: Floats | None = None
        if regression:
            target = read_target(y, cells.n_rows, estimator_name=name)
            classes, codes = np.array([]), np.zeros(cells.n_rows, np.int64)
        elif known is None:
            classes, codes = read_labels(y, cells.n_rows, estimator_name=name)
        else:
            classes = known[1]
            codes = codes_among(classes, y, cells.n_rows, "y")
        if refuses_missing:
            refuse_missing(cells, schema)
    importance = scale_weights(weights) if weights is not None and copies is None else None
    if class_weight is not None:
        factor = _class_factors(class_weight, classes, codes, copies, importance)[codes]
        with np.errstate(over="ignore"):
            whole = counts(factor if copies is None else copies * factor)
        if importance is None and whole is not None:  # as if given as sample_weight
            copies = whole
        else:
            importance = (
                scale_weights(factor) if importance is None else _product(importance, factor)
            )
        if not factor.all():
            kept = np.flatnonzero(factor)
            used = _narrowed(used, factor > 0)
            X, cells, codes = take_rows(X, kept), cells.take(kept), codes[kept]
            copies = None if copies is None else copies[kept]
            importance = None if importance is None else importance[kept]
    if len(classes) == 1 and known is None:
        warn(
            f"y holds one class only, {classes.tolist()[0]!r}: the model will always predict it.",
            DataWarning,
        )
    if len(classes) > max(20, cells.n_rows / 2) and known is None:
        warn(
            f"y holds {len(classes)} classes in {cells.n_rows} rows: it looks like a name or a "
            "number to predict, not like a class.",
            DataWarning,
        )
    prepared = _build(
        schema, classes, cells, X, codes, target, copies, importance, engine, held_out, binning
    )
    if len(classes) != 1 and known is None and engine.is_constant(prepared.sample.coded):
        warn(
            "every column of X is constant, so that no rule can tell its rows apart: the model "
            "will give all of them the same answer.",
            DataWarning,
        )
    return replace(prepared, used=used)


def _narrowed(used: NDArray[np.bool_] | None, still: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The rows used, of which some are used no longer."""
    if used is None:
        return still
    fewer = used.copy()
    fewer[used] = still
    return fewer


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
    cells: Cells,
    X: Any,
    codes: NDArray[np.int64],
    target: Floats | None,
    copies: NDArray[np.int64] | None,
    importance: NDArray[np.float64] | None,
    engine: LocalEngine,
    held_out: tuple[float, int] | None,
    binning: Binning,
) -> Prepared:
    coded = engine.code(cells, binning, copies)
    sample = Sample(
        cells=cells,
        raw=X,
        engine=engine,
        y=coded_labels(codes, len(classes)) if target is None else target,
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
    hashes = engine.row_hashes(coded)
    if target is not None:  # the number to predict belongs to the content of a row
        hashes = hashes + mixed(target.view(np.uint64))
    held = hold_out(hashes, codes, copies, importance, fraction, seed)
    if not held.any():
        raise ValueError(
            f"early_stopping holds out validation_fraction={fraction:g} of every class, which with "
            f"n_samples={cells.n_rows} leaves no row to validate on; pass more rows, or X_val and "
            "y_val."
        )
    stay = (1 if copies is None else copies) - held
    inside, outside = np.flatnonzero(stay > 0), np.flatnonzero(held)
    # In an order of their own, so that sums over them keep their bits.
    outside = outside[np.lexsort((codes[outside], hashes[outside]))]
    weights = held[outside].astype(float)
    if importance is not None:
        weights = weights * importance[outside]
    rows = Rows(cells.take(outside), take_rows(X, outside), engine)
    labels = classes[codes[outside]] if target is None else target[outside]
    validation = Validation(rows, labels, codes[outside], weights)
    rest = _build(
        schema,
        classes,
        cells.take(inside),
        take_rows(X, inside),
        codes[inside],
        None if target is None else target[inside],
        None if copies is None else stay[inside],
        None if importance is None else importance[inside],
        engine,
        None,
        binning,
    )
    return Prepared(schema, classes, rest.sample, validation)


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
    if prepared.sample.n_classes == 0:
        labels: NDArray[Any] = read_target(y_val, cells.n_rows)
        codes = np.zeros(cells.n_rows, np.int64)
    else:
        codes = codes_among(classes, y_val, cells.n_rows, "y_val")
        labels = classes[codes]
    weights = read_weights(sample_weight_val, cells.n_rows)
    weights = None if weights is None else scale_weights(weights)
    return Validation(Rows(cells, X_val, engine), labels, codes, weights)


def codes_among(classes: NDArray[Any], y: Any, n_rows: int, argument: str) -> NDArray[np.int64]:
    """Class numbers of labels, all of which training must have seen."""
    seen, codes = read_labels(y, n_rows)
    known = {label: k for k, label in enumerate(classes.tolist())}
    strange = [label for label in seen.tolist() if label not in known]
    if strange:
        raise ValueError(
            f"{argument} holds {strange[0]!r}, which is not among the classes of training: "
            f"{classes.tolist()[:10]}."
        )
    return np.array([known[label] for label in seen.tolist()], np.int64)[codes]


def as_table(X: Any) -> Any:
    """X of any shape as rows and columns: a text is one column, a picture has one a dot."""
    if isinstance(X, np.ndarray) and X.ndim > 2:
        return X.reshape(len(X), math.prod(X.shape[1:]))
    flat = isinstance(X, (list, tuple)) or getattr(X, "ndim", 2) == 1
    if flat and len(X) > 0 and isinstance(next(iter(X)), str):
        return np.array(list(X), dtype=object).reshape(-1, 1)
    return X


def refuse_missing(cells: Cells, schema: Schema) -> None:
    """Names the first missing cell, for learners that cannot do with one."""
    found = _first_missing(cells)
    if found is not None:
        row, j = found
        raise ValueError(
            f"Input X contains NaN: row {row}, {labeller(schema.names)(j)} is missing, and "
            "missing='error' asks to refuse that; fill it in, or set missing='branch'."
        )


def _first_missing(cells: Cells) -> tuple[int, int] | None:
    if cells.sparse is not None:
        gaps = np.flatnonzero(np.isnan(cells.sparse.data))
        if len(gaps) == 0:
            return None
        j = int(np.searchsorted(cells.sparse.indptr, gaps[0], side="right")) - 1
        return int(cells.sparse.indices[gaps[0]]), j
    for j in range(cells.n_features):
        column = cells.matrix[:, j] if cells.matrix is not None else cells.columns[j]  # type: ignore[index]
        gaps = np.flatnonzero(column < 0 if column.dtype == np.int32 else np.isnan(column))
        if len(gaps):
            return int(gaps[0]), j
    return None


def _selectable(X: Any) -> Any:
    """A sparse matrix of which rows can be chosen."""
    return X if X.format in ("csr", "csc") else X.tocsr()


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


def _product(importance: Floats, factor: Floats) -> Floats:
    """Weights times factors; where that overflows, of smaller factors in the same proportion."""
    with np.errstate(over="ignore"):
        product = importance * factor
    return product if np.isfinite(product).all() else importance * (factor / factor.max())


def _class_factors(
    class_weight: Any,
    classes: NDArray[Any],
    codes: NDArray[np.int64],
    copies: NDArray[np.int64] | None,
    importance: NDArray[np.float64] | None,
) -> NDArray[np.float64]:
    """The factor of each class: "balanced", or a dict from label to factor (1 where left out)."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        if importance is None:
            mass = np.bincount(codes, weights=copies, minlength=len(classes))
        else:  # sums exactly rounded, so that the order of rows does not matter
            mass = np.array([fsum(importance[codes == k]) for k in range(len(classes))])
        return np.asarray(mass.sum() / (len(classes) * mass), np.float64)
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight={class_weight!r} is not allowed: it must be None, 'balanced' or a dict "
            "from class label to weight."
        )
    known = classes.tolist()
    strange = [label for label in class_weight if label not in known]
    left_out = [label for label in known if label not in class_weight]
    if strange and left_out:  # a fold may lack a class, but this looks like a slip of the pen
        raise ValueError(
            f"The classes, {left_out[:10]}, are not in class_weight, which names {strange[:10]} "
            "instead; y does not hold these."
        )
    for label, weight in class_weight.items():
        if not 0 <= parameters.as_float(weight) < math.inf:
            raise ValueError(
                f"class_weight[{show(label)}] is {show(weight)}; pass finite numbers >= 0, with 0 "
                "for a class to be left out."
            )
    factor = np.array([float(class_weight.get(label, 1.0)) for label in known])
    if not factor.any():
        raise ValueError("class_weight holds zeros only; at least one must be positive.")
    return factor
