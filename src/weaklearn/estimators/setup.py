"""From what the user hands in to a sample ready to be played on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import _num_samples

from ..base.notice import DataWarning, warn
from ..base.sample import Rows, Sample, take_rows
from ..engines.local import LocalEngine
from .intake import Cells, Schema
from .labels import counts, read_labels, read_weights, scale_weights
from .splitting import hold_out


@dataclass(frozen=True)
class Validation:
    """Rows held out, with class codes and weights."""

    rows: Rows
    y: NDArray[Any]
    codes: NDArray[np.int64]
    weights: NDArray[np.float64] | None


@dataclass(frozen=True)
class Prepared:
    """The training sample with its schema and classes, and perhaps held-out rows."""

    schema: Schema
    classes: NDArray[Any]
    sample: Sample
    validation: Validation | None


def prepare(
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    engine: LocalEngine,
    class_weight: Any,
    name: str,
    categorical_features: Any = "from_dtype",
    held_out: tuple[float, int] | None = None,
) -> Prepared:
    """Reads X, y and weights; drops rows of weight 0; codes the columns; holds rows out if asked."""
    weights = None
    if sample_weight is not None:
        weights = read_weights(sample_weight, _rows_of(X))
    if weights is not None and not weights.all():
        kept = np.flatnonzero(weights)
        X, y, weights = take_rows(X, kept), _take_labels(y, kept, len(weights)), weights[kept]
    copies = counts(weights)
    schema, cells = Schema.learn(
        X, categorical_features=categorical_features, estimator_name=name, repeats=copies
    )
    classes, codes = read_labels(y, cells.n_rows, estimator_name=name)
    importance = scale_weights(weights) if weights is not None and copies is None else None
    if class_weight is not None:
        factor = _class_factors(class_weight, classes, codes, copies, importance)
        importance = factor[codes] if importance is None else importance * factor[codes]
        if not importance.all():
            kept = np.flatnonzero(importance)
            X, cells, codes = take_rows(X, kept), cells.take(kept), codes[kept]
            copies = None if copies is None else copies[kept]
            importance = importance[kept]
    if len(classes) == 1:
        warn(
            f"y holds one class only, {classes[0]!r}: the model will always predict it.",
            DataWarning,
        )
    return _build(schema, classes, cells, X, codes, copies, importance, engine, held_out)


def _build(
    schema: Schema,
    classes: NDArray[Any],
    cells: Cells,
    X: Any,
    codes: NDArray[np.int64],
    copies: NDArray[np.int64] | None,
    importance: NDArray[np.float64] | None,
    engine: LocalEngine,
    held_out: tuple[float, int] | None,
) -> Prepared:
    coded = engine.code(cells)
    sample = Sample(
        cells=cells,
        raw=X,
        engine=engine,
        y=coded_labels(codes, len(classes)),
        n_classes=len(classes),
        copies=None if copies is None or (copies == 1).all() else copies,
        importance=None
        if importance is None or (importance == importance[0]).all()
        else importance,
        coded=coded,
        classes=classes,
    )
    if held_out is None:
        return Prepared(schema, classes, sample, None)
    fraction, seed = held_out
    held = hold_out(engine.row_hashes(coded), codes, copies, importance, fraction, seed)
    if not held.any():
        raise ValueError(
            f"early_stopping holds out validation_fraction={fraction:g} of every class, which leaves "
            "no row to validate on; pass more rows, a larger fraction, or X_val and y_val."
        )
    stay = (1 if copies is None else copies) - held
    inside, outside = np.flatnonzero(stay > 0), np.flatnonzero(held)
    weights = held[outside].astype(float)
    if importance is not None:
        weights = weights * importance[outside]
    rows = Rows(cells.take(outside), take_rows(X, outside), engine)
    validation = Validation(rows, classes[codes[outside]], codes[outside], weights)
    rest = _build(
        schema,
        classes,
        cells.take(inside),
        take_rows(X, inside),
        codes[inside],
        None if copies is None else stay[inside],
        None if importance is None else importance[inside],
        engine,
        None,
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
    schema: Schema,
    classes: NDArray[Any],
    engine: LocalEngine,
) -> Validation:
    """The user's own validation rows; every label must be among the classes of training."""
    if y_val is None:
        raise ValueError(
            "X_val is given without y_val: pass the labels of the validation rows too."
        )
    cells = schema.read(X_val)
    seen, codes = read_labels(y_val, cells.n_rows, estimator_name=schema.estimator_name)
    known = {label: k for k, label in enumerate(classes.tolist())}
    strange = [label for label in seen.tolist() if label not in known]
    if strange:
        raise ValueError(
            f"y_val holds {strange[0]!r}, which y does not: validation labels must be among the classes."
        )
    codes = np.array([known[label] for label in seen.tolist()], np.int64)[codes]
    weights = read_weights(sample_weight_val, cells.n_rows)
    return Validation(Rows(cells, X_val, engine), classes[codes], codes, weights)


def _rows_of(X: Any) -> int:
    try:
        return int(_num_samples(X))
    except TypeError:
        return int(np.asarray(X).shape[0]) if np.ndim(X) else 1


def _take_labels(y: Any, kept: NDArray[np.intp], n_rows: int) -> Any:
    """The labels of the kept rows; a y of the wrong length is left for the reader to refuse."""
    if y is None or _num_samples(y) != n_rows:
        return y
    return take_rows(y, kept)


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
        else:  # whole numbers, so that the order of rows does not matter
            fixed = np.rint(importance / importance.max() * 2.0**40).astype(np.int64)
            sums = [int(fixed[codes == k].sum()) for k in range(len(classes))]
            mass = np.array(sums, np.float64)
        return np.asarray(mass.sum() / (len(classes) * mass), np.float64)
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight={class_weight!r} is not allowed: it must be None, 'balanced' or a dict "
            "from class label to weight."
        )
    known = classes.tolist()
    strange = [label for label in class_weight if label not in known]
    if strange:
        raise ValueError(
            f"The classes, {strange}, are not in class_weight's y: class_weight names a label that y "
            f"does not hold; known labels are {known[:10]}."
        )
    factor = np.array([float(class_weight.get(label, 1.0)) for label in known])
    if not (np.isfinite(factor) & (factor >= 0)).all() or not factor.any():
        raise ValueError(
            "class_weight must hold finite weights >= 0, at least one of them positive."
        )
    return factor
