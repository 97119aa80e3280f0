"""Reading of y: class labels, regression targets."""

from __future__ import annotations

import itertools
import math
import numbers
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import DataConversionWarning

from ..base.messages.value_text import show
from ..base.messages.warnings import DataWarning, warn
from ..base.sample import number_of_all
from ..base.types import Array, Partitions
from ..engines.collective import ALONE
from .object_column import family, is_missing
from .raw_column import EXACT, without_unit


def name_of(y: Any) -> str | None:
    """The name of y, as a Series has one; None for other containers."""
    name = getattr(y, "name", None)
    return str(name) if isinstance(name, str) and name else None


def column_names_of(y: Any) -> tuple[str, ...]:
    """The names of the columns of y where it is a DataFrame of several, all named and different."""
    try:
        columns = list(y.columns)
    except (AttributeError, TypeError):
        return ()
    names = tuple(name for name in columns if isinstance(name, str) and name)
    return names if len(names) > 1 and len({*names}) == len(columns) else ()


def check_column_names(y: Any, known: Sequence[Any], argument: str = "y") -> None:
    """Refuses a table with columns of training, of the names ``known``, in other places.

    Columns of other names, or of none, are told by their places.
    """
    names, before = column_names_of(y), tuple(known)
    if any(name != own and name in before for name, own in zip(names, before, strict=False)):
        raise ValueError(
            f"{argument} has the columns {show(list(names))}, and in training they were "
            f"{show(list(before))}: pass them in that order."
        )


def read_labels(
    y: Any, n_rows: int, *, estimator_name: str = ""
) -> tuple[Array, NDArray[np.int64]]:
    """The classes, sorted and exactly as given, and for every row the index of its class."""
    y = _one_dimension(y, n_rows, estimator_name, _SEVERAL_LABELS)
    kind = y.dtype.kind
    if kind == "c":
        raise ValueError(f"Complex data not supported: y has type {y.dtype}.")
    if kind == "S":
        _refuse_bytes()
    if kind == "f":
        _check_finite(y)
        _check_integers(y)
        return _sorted_classes(y)
    if kind in "biu":
        return _sorted_classes(y)
    if kind in "mM":
        if without_unit(y.dtype):
            raise ValueError(
                "y holds durations without a unit, which are not comparable with others; pass "
                "y.astype('timedelta64[s]'), or whole numbers."
            )
        if np.isnat(y).any():
            _refuse_missing(int(np.argmax(np.isnat(y))), "NaT")
        return _sorted_classes(y)
    if kind == "U":
        classes, codes = _coded(y.tolist())
        return np.array(classes, y.dtype), codes
    return read_object_labels(y.astype(object).tolist())


def read_object_labels(items: list[Any]) -> tuple[Array, NDArray[np.int64]]:
    """The same of labels that are Python objects."""
    families = {kind: family(kind) for kind in set(map(type, items))}
    if any(name in ("missing", "real") for name in families.values()):
        row = next((i for i, v in enumerate(items) if is_missing(v)), None)
        if row is not None:
            _refuse_missing(row, show(items[row]))
    found = set(families.values())
    if found == {"bytes"}:
        _refuse_bytes()
    if "complex" in found:
        raise ValueError("Complex data not supported: y holds complex numbers.")
    if found <= {"whole", "real"}:
        return _number_labels(items)
    if len(found) > 1 or (found == {"other"} and len(families) > 1):
        first = families[type(items[0])]
        row = next((i for i, v in enumerate(items) if families[type(v)] != first), 0)
        raise ValueError(
            f"y mixes labels of different types: row 0 holds {show(items[0])}, row {row} holds "
            f"{show(items[row])}; convert all labels to one type, such as str."
        )
    if found == {"flag"}:
        return _sorted_classes(np.array(items, bool))
    try:
        classes, codes = _coded(list(map(str, items)) if found == {"text"} else items)
        if found == {"other"} and not all(a < b for a, b in itertools.pairwise(classes)):
            raise TypeError("sets, say, are ordered only in part")
    except TypeError:
        several = isinstance(items[0], (list, tuple, set, frozenset, np.ndarray))
        raise ValueError(
            f"Unknown label type: y holds {show(items[0])}; labels must be hashable and sortable, "
            f"such as strings, integers or booleans.{_IN_TABLE * several}"
        ) from None
    listed = np.empty(len(classes), object)
    listed[:] = classes
    return listed, codes


def _number_labels(items: list[Any]) -> tuple[Array, NDArray[np.int64]]:
    """Whole numbers among objects, of any size; a fraction among them is a regression target."""
    for row, value in enumerate(items):
        if isinstance(value, (int, np.integer)):
            continue
        if not math.isfinite(value):
            _refuse_infinite(row, value)
        if value % 1 != 0:
            _refuse_continuous(row, value)
    whole = [int(v) for v in items]
    low, high = min(whole, default=0), max(whole, default=0)
    if -(2**63) <= low and high < 2**63:
        return _sorted_classes(np.array(whole, np.int64))
    classes, codes = _coded(whole)
    return np.array(classes, np.uint64 if low >= 0 and high < 2**64 else object), codes


def _coded(items: list[Any]) -> tuple[list[Any], NDArray[np.int64]]:
    classes = sorted(set(items))
    code_of = {label: code for code, label in enumerate(classes)}
    return classes, np.fromiter(map(code_of.__getitem__, items), np.int64, len(items))


def _sorted_classes(y: Array) -> tuple[Array, NDArray[np.int64]]:
    """np.unique with codes; labels of a narrow range, the common case, are counted, not sorted."""
    if y.dtype.kind in "biuf" and y.size:
        low, high = int(y.min()), int(y.max())
        if high - low < 2**16 and abs(low) < EXACT:
            offsets = y.astype(np.int64) - low
            seen = np.bincount(offsets) > 0
            classes = (np.flatnonzero(seen) + low).astype(y.dtype)
            return classes, offsets if seen.all() else (np.cumsum(seen) - 1)[offsets]
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.int64)


def warn_of_constant_columns() -> None:
    warn(
        "every column of X is constant, so that no rule can tell its rows apart: the model "
        "will give all of them the same answer.",
        DataWarning,
    )


_REGRESS = " To predict a number take a regressor."


def doubt_classes(classes: NDArray[Any], n_rows: int, over: Partitions = ALONE) -> None:
    """Warns where there is one class only, or nearly a class a row of those of all partitions."""
    if len(classes) == 1:
        warn(
            f"y holds one class only, {classes.tolist()[0]!r}: the model will always predict it.",
            DataWarning,
        )
    if len(classes) > 20 and len(classes) > (n := number_of_all(n_rows, over)) / 2:
        warn(
            f"y holds {len(classes)} classes in {n} rows: it looks like a name or a "
            f"number to predict, not like a class.{_REGRESS * (classes.dtype.kind in 'iuf')}",
            DataWarning,
        )
    elif len(classes) > 20 and classes.dtype.kind == "f":
        warn(
            f"y holds {len(classes)} different floats, all whole, and each is learnt as a class."
            f"{_REGRESS} If they are classes, pass integers.",
            DataWarning,
        )


def codes_among(
    classes: NDArray[Any], y: Any, n_rows: int, argument: str, *, allow_unknown: bool = False
) -> NDArray[np.int64]:
    """The class codes of labels, all of which must be classes of training.

    With ``allow_unknown`` one known label is enough, and unknown ones get -1: test rows may hold
    classes that training did not.
    """
    seen, codes = read_labels(y, n_rows)
    known = {label: k for k, label in enumerate(classes.tolist())}
    unknown = [label for label in seen.tolist() if label not in known]
    if unknown and not (allow_unknown and len(unknown) < len(seen)):
        raise ValueError(
            f"{argument} holds {show(unknown[0])}, which is not among the classes of training: "
            f"{classes.tolist()[:10]}."
        )
    return np.array([known.get(label, -1) for label in seen.tolist()], np.int64)[codes]


def coded_labels(codes: NDArray[np.int64], n_classes: int) -> NDArray[Any]:
    """-1 and +1 for two classes (the only class is +1), 0 .. K-1 for more."""
    if n_classes == 1:
        return np.ones(len(codes), np.int8)
    if n_classes == 2:
        return (2 * codes - 1).astype(np.int8)
    return codes.astype(np.int32)


def read_target(
    y: Any,
    n_rows: int,
    *,
    estimator_name: str = "",
    largest: float = math.inf,
    argument: str = "y",
    needs: str = "a regressor needs numbers",
) -> NDArray[np.float64]:
    """The regression target as floats up to ``largest``; ``needs`` ends the error message."""
    y = _one_dimension(y, n_rows, estimator_name, _SEVERAL_TARGETS)
    if y.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: y has type {y.dtype}.")
    if y.dtype.kind == "O":
        for row, value in enumerate(y.tolist()):
            if is_missing(value):
                _refuse_missing(row, show(value))
            if not isinstance(value, numbers.Number) and family(type(value)) != "real":
                raise ValueError(f"{argument}[{row}] is {show(value)}; {needs}{_as_text(value)}.")
    elif y.dtype.kind not in "fbiu":
        hint = _as_text(y.tolist()[0]) if len(y) else ""
        raise ValueError(f"{argument} has type {y.dtype}; {needs}{hint}.")
    try:
        target = np.array(y, np.float64)
    except OverflowError:  # an integer beyond float64
        row = int(np.argmax([abs(value) > sys.float_info.max for value in y.tolist()]))
        _refuse_infinite(row, y[row])
    _check_finite(target)
    _check_size(target, largest, argument)
    return target


def _as_text(value: Any) -> str:
    """What to do about a number that is written as a text."""
    try:
        written = isinstance(value, str) and math.isfinite(float(value))
    except ValueError:
        return ""
    return ", and this is a text: pass y.astype(float)" if written else ""


def _check_size(y: Array, largest: float, argument: str) -> None:
    """Refuses targets so large that sums or powers of them would overflow."""
    size = np.abs(y)
    if len(y) and size.max() > largest:
        row = int(np.argmax(size))
        raise ValueError(
            f"{argument}[{row}] is {show(y[row])}; numbers to predict may be up to {largest:g} in "
            "size, as sums and powers of larger ones overflow: divide y by a constant, such as "
            f"{10.0 ** int(np.log10(size[row])):g}."
        )


_SEVERAL_LABELS = (
    "several labels a row",
    "one label per row, or fit AdaBoostMHClassifier, GradientBoostingClassifier or "
    "RandomForestClassifier, which take a table of 0 and 1 with a column for each label",
)
_SEVERAL_TARGETS = (
    "several targets a row",
    "one number per row, or fit GradientBoostingRegressor or RandomForestRegressor, which take a "
    "column for each target",
)
_IN_TABLE = (
    " Where rows have several labels, pass sklearn.preprocessing.MultiLabelBinarizer()"
    ".fit_transform(y) to AdaBoostMHClassifier, GradientBoostingClassifier or "
    "RandomForestClassifier."
)


def _one_dimension(y: Any, n_rows: int, estimator_name: str, several: tuple[str, str]) -> Array:
    """y as a one-dimensional array of the right length, its values as they came.

    ``several`` says what a table of several columns holds, and what to pass instead.
    """
    if y is None:
        raise ValueError(
            f"This {estimator_name or 'estimator'} requires y to be passed, but the target y is "
            "None."
        )
    array = as_array(y)
    if array.ndim == 2 and array.shape[1] == 1:
        warn(
            "A column-vector y was passed when a 1d array was expected. Please change the shape of "
            "y to (n_samples, ), for example using ravel().",
            DataConversionWarning,
        )
        array = array.ravel()
    shape = array.shape
    if array.ndim == 0:
        with suppress(AttributeError):  # a sparse matrix has one of its own
            shape = y.shape
    if len(shape) == 2 and shape[1] > 1:
        what, remedy = several
        if array.ndim == 0 and estimator_name and estimator_name in remedy:
            raise ValueError(f"y is a sparse matrix of shape {shape}; pass y.toarray().")
        raise ValueError(
            f"y should be a 1d array, got an array of shape {shape} instead, as for {what}, which "
            f"{estimator_name or 'this model'} does not take; pass {remedy}."
        )
    if array.ndim != 1:
        found = f", of type {type(y).__name__}," if array.ndim == 0 else ""
        raise ValueError(
            f"y should be a 1d array, got an array of shape {array.shape}{found} instead; pass one "
            "value per row."
        )
    if len(array) != n_rows:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"X has {n_rows} rows, y has {len(array)} values; pass one value per row."
        )
    return array


def as_array(y: Any) -> Array:
    """The values of any container as they came; objects where numpy would change them."""
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        values = y.data.astype(object)
        values[np.ma.getmaskarray(y)] = None
        return values
    if isinstance(y, np.ndarray):
        return np.asarray(y)
    if isinstance(y, (list, tuple)):
        # As objects: numpy would turn [1, "a"] into two strings.
        return np.array(y, dtype=object)
    from .dataframe import series_values

    found = series_values(y)
    return np.asarray(y) if found is None else found


def _check_finite(y: Array) -> None:
    bad = ~np.isfinite(y)
    if bad.any():
        row = int(np.argmax(bad))
        _refuse_missing(row, "nan") if np.isnan(y[row]) else _refuse_infinite(row, y[row])


def _check_integers(y: Array) -> None:
    fractions = y != np.floor(y)
    if fractions.any():
        row = int(np.argmax(fractions))
        _refuse_continuous(row, y[row])


def _refuse_bytes() -> NoReturn:
    raise TypeError(
        "Support for labels represented as bytes is not supported. Convert the labels to a "
        "string or integer format."
    )


def _refuse_missing(row: int, shown: str) -> NoReturn:
    raise ValueError(
        f"Input y contains NaN: y[{row}] is {shown}; drop the rows without a value for y."
    )


def _refuse_infinite(row: int, value: Any) -> NoReturn:
    raise ValueError(
        "Input y contains infinity or a value too large for dtype('float64'): "
        f"y[{row}] is {show(value)}; pass a finite value, or drop the row."
    )


def _refuse_continuous(row: int, value: Any) -> NoReturn:
    raise ValueError(
        f"Unknown label type: continuous. y[{row}] is {show(value)}. Maybe you are trying to fit a "
        "classifier, which expects discrete classes on a regression target with continuous "
        "values; a classifier needs labels: cut the values into classes, or use a regressor."
    )
