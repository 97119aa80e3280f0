"""Decision stumps by brute force: every candidate is tried, ties follow the catalogue.

A stump is a dict:

* ``kind``: "threshold" (numeric column), "constant", "equality" or "multiway" (categorical);
* ``feature``, and ``threshold`` / ``level`` / ``labels`` (level -> label), None where not meant;
* ``polarity``: the label where x > threshold, where x = level, or everywhere ("constant");
* ``levels``: the levels seen in training; any other counts as missing;
* ``missing_label``: the label of missing values (0 where the stump abstains);
* ``error``, and ``tied``: all candidates as good as the best, in order of preference.

Weights may be floats or Fractions; with Fractions the errors are exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np

Stump = dict[str, Any]
TIE = 1e-12  # of the total weight


def sign(z: Any, slack: float = 0.0) -> int:
    """+1 above the slack, else -1."""
    return 1 if z > slack else -1


def _slack(D: Any) -> float:
    """What counts as nothing."""
    return TIE * float(D.sum())


def mass(D: Any, where: Any) -> Any:
    """The weight of the marked examples."""
    return where @ D


def midpoint(a: float, b: float) -> float:
    """A threshold that parts a < b under the test x > threshold."""
    with np.errstate(over="ignore"):
        middle = (a + b) / 2
    return middle if a <= middle < b else a


def thresholds(present: Any) -> list[float]:
    """Below all values, between neighbours, above all values."""
    u = sorted(set(present.tolist()))
    if not u:
        return []
    below = u[0] - 1 if u[0] - 1 < u[0] else -np.inf
    return [below, *(midpoint(a, b) for a, b in pairwise(u)), u[-1] + 1]


def _stump(kind: str, feature: int, **parts: Any) -> Stump:
    empty = {"threshold": None, "level": None, "labels": None, "polarity": None, "levels": None}
    return {"kind": kind, "feature": feature, **empty, **parts}


def _numeric(feature: int, x: Any) -> Iterator[Stump]:
    for theta in thresholds(x[~np.isnan(x)]):
        for s in (1, -1):
            yield _stump("threshold", feature, threshold=theta, polarity=s)


def _categorical(feature: int, x: Any, y: Any, D: Any, form: str) -> Iterator[Stump]:
    levels = sorted({int(v) for v in x if v >= 0})
    for s in (1, -1) if levels else ():
        yield _stump("constant", feature, polarity=s, levels=levels)
    if form == "equality":
        for v in levels:
            for s in (1, -1):
                yield _stump("equality", feature, level=v, polarity=s, levels=levels)
    elif form == "multiway":
        labels = {v: sign(mass(D * y, x == v), _slack(D)) for v in levels}
        if labels:
            yield _stump("multiway", feature, labels=labels, levels=levels)
    else:
        raise ValueError(f"cat_form must be 'equality' or 'multiway', got {form!r}.")


def _missing(stump: Stump, x: Any) -> Any:
    if stump["levels"] is not None:
        return ~np.isin(x, stump["levels"])
    return np.isnan(x)


def stump_predict(stump: Stump, X: Any) -> Any:
    """Labels in {-1, +1}, or 0 where the stump abstains (0 .. K-1 and -1 for several classes)."""
    X = np.asarray(X, dtype=float)
    x = X[:, stump["feature"]] if X.shape[1] else np.zeros(len(X))
    if "left" in stump:
        return _predict_multiclass(stump, x)
    s = stump["polarity"]
    if stump["kind"] == "threshold":
        h = np.where(x > stump["threshold"], s, -s)
    elif stump["kind"] == "equality":
        h = np.where(x == stump["level"], s, -s)
    elif stump["kind"] == "multiway":
        h = np.array([stump["labels"].get(v, 0) for v in x], dtype=int)
    else:
        h = np.full(len(x), s)
    return np.where(_missing(stump, x), stump["missing_label"], h)


def _missing_label(absent: Any, y: Any, D: Any, missing: str) -> int:
    """The sign of the missing block; where no value was missing the majority of all, +1 on ties."""
    if missing == "abstain":
        return 0
    if absent.any():
        return sign(mass(D * y, absent), _slack(D))
    return -sign(-(D * y).sum(), _slack(D))


def _predictions(stumps: list[Stump], X: Any) -> Any:
    """One row of labels a candidate; the candidates share a column."""
    if stumps[0]["kind"] != "threshold":
        return np.array([stump_predict(stump, X) for stump in stumps])
    x = X[:, stumps[0]["feature"]]
    theta = np.array([[stump["threshold"]] for stump in stumps])
    s = np.array([[stump["polarity"]] for stump in stumps], dtype=np.int8)
    labels = np.where(x > theta, s, -s)
    labels[:, np.isnan(x)] = stumps[0]["missing_label"]
    return labels


def _judge(stumps: list[Stump], X: Any, y: Any, D: Any) -> None:
    """Set the errors; an abstention is half an error."""
    labels = _predictions(stumps, X)
    silent = labels == 0
    errors = mass(D, labels != y) - (mass(D, silent) / 2 if silent.any() else 0)
    for stump, error in zip(stumps, errors, strict=True):
        stump["error"] = error


def _constant(s: int, missing_label: int) -> Stump:
    return {**_stump("constant", 0, polarity=s), "missing_label": missing_label}


def _candidates(X: Any, y: Any, D: Any, gaps: Any, coded: set[int], options: Any) -> list[Stump]:
    missing, form = options
    candidates = []
    for j, (x, absent) in enumerate(zip(X.T, gaps, strict=True)):
        label = _missing_label(absent, y, D, missing)
        column = _categorical(j, x, y, D, form) if j in coded else _numeric(j, x)
        stumps = [{**stump, "missing_label": label} for stump in column]
        if stumps:
            _judge(stumps, X, y, D)
        candidates += stumps
    return candidates


def best_stump(
    X: Any,
    y: Any,
    D: Any,
    missing: str = "branch",
    categorical: Iterable[int] | None = None,
    cat_form: str = "equality",
) -> Stump:
    """The stump of least weighted error: ties to the lowest feature, then the lowest threshold or
    level (constants first), then polarity +1.

    Missing values are NaN in numeric columns and -1 in the ``categorical`` columns, which hold
    codes 0, 1, ...; ``missing`` is "branch" (a third block with its own label), "abstain" (0
    there, half its weight counts as error) or "error". A column without any value offers nothing;
    where no column offers anything, the better constant of feature 0 is returned.
    """
    X, y, D = np.asarray(X, dtype=float), np.asarray(y), np.asarray(D)
    coded = set(() if categorical is None else categorical)
    gaps = [(x == -1) | np.isnan(x) if j in coded else np.isnan(x) for j, x in enumerate(X.T)]
    if missing == "error" and np.any(gaps):
        raise ValueError("X holds missing values, and missing='error'.")
    candidates = _candidates(X, y, D, gaps, coded, (missing, cat_form))
    if not candidates:
        candidates = [_constant(s, 0 if missing == "abstain" else s) for s in (1, -1)]
        _judge(candidates, X, y, D)
    return _first_of_the_best(candidates, D)


def _first_of_the_best(candidates: list[Stump], D: Any) -> Stump:
    least = min(stump["error"] for stump in candidates)
    tied = [stump for stump in candidates if stump["error"] - least <= _slack(D)]
    return {**tied[0], "tied": tied}


# --- Several classes -------------------------------------------------------------------------


def _heaviest(codes: Any, D: Any, where: Any, n_classes: int) -> int | None:
    """The class of most weight among the marked examples; the smallest label on ties."""
    if not where.any():
        return None
    weights = [mass(D, where & (codes == k)) for k in range(n_classes)]
    return next(k for k, weight in enumerate(weights) if max(weights) - weight <= _slack(D))


def _predict_multiclass(stump: Stump, x: Any) -> Any:
    if stump["kind"] == "equality":
        labels = np.where(x == stump["level"], stump["right"], stump["left"])
    else:
        labels = np.where(x > stump["threshold"], stump["right"], stump["left"])
    return np.where(_missing(stump, x), stump["missing_label"], labels)


def _splits(j: int, x: Any, absent: Any, coded: bool) -> Iterator[tuple[Stump, Any]]:
    """Candidates of a column with the examples on their right side; the constant comes first."""
    if not coded:
        for theta in thresholds(x[~absent])[:-1]:
            yield _stump("threshold", j, threshold=theta), x > theta
        return
    levels = sorted({int(v) for v in x[~absent]})
    if levels:
        yield _stump("constant", j, threshold=-np.inf, levels=levels), ~absent
    for v in levels:
        yield _stump("equality", j, level=v, levels=levels), x == v


def best_stump_multiclass(
    X: Any,
    codes: Any,
    D: Any,
    n_classes: int,
    missing: str = "branch",
    categorical: Iterable[int] = (),
    cat_form: str = "equality",
) -> Stump:
    """The stump with one class a side (and one for missing values) of most weight right.

    Each block predicts its heaviest class, the smallest on ties; a block without examples
    predicts as the other side does (missing values: as the whole sample). Ties between stumps go
    to the lowest feature, then the lowest threshold or level. Options as in :func:`best_stump`;
    a stump that abstains says -1, which is an error.
    """
    X, codes, D = np.asarray(X, dtype=float), np.asarray(codes), np.asarray(D)
    everywhere = np.ones(len(X), dtype=bool)
    coded = set(categorical)
    candidates = []
    for j, x in enumerate(X.T):
        absent = np.isnan(x) | (x == -1) if j in coded else np.isnan(x)
        lost = _heaviest(codes, D, absent, n_classes)
        if lost is None:
            lost = _heaviest(codes, D, everywhere, n_classes)
        if j in coded and cat_form == "multiway":
            levels = sorted({int(v) for v in x[~absent]})
            labels = {v: _heaviest(codes, D, x == v, n_classes) for v in levels}
            found = [_stump("multiway", j, labels=labels, levels=levels)] if levels else []
        else:
            found = []
            for stump, above in _splits(j, x, absent, j in coded):
                stump["right"] = _heaviest(codes, D, above, n_classes)
                left = _heaviest(codes, D, ~above & ~absent, n_classes)
                stump["left"] = stump["right"] if left is None else left
                found.append(stump)
        for stump in found:
            stump["missing_label"] = -1 if missing == "abstain" else lost
            stump["error"] = mass(D, stump_predict(stump, X) != codes)
        candidates += found
    return _first_of_the_best(candidates, D)
