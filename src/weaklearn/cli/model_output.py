"""``weaklearn certify`` and ``weaklearn check``: guarantees of a model, and drift."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..base.offered import offers
from . import data, output
from .certifying import certificate_record, certified
from .fault import FAILED, Fault, in_options
from .parquet_files import dataset_of, files_in, stay_on_disk


def certify(
    model_path: str,
    path: str,
    *,
    target: str | None,
    weights: str | None,
    test: str | None,
    unseen: bool,
    delta: float,
    repeats: str,
    ignore: tuple[str, ...],
    as_json: bool,
    **reading: Any,
) -> int:
    """Runs ``weaklearn certify``."""
    model = data.model_at(model_path)
    if not offers(model, "certify"):
        raise Fault(f"{type(model).__name__} has no guarantees to certify.")
    if unseen and test is not None:
        raise Fault(
            "--unseen and --test are both given: DATA are either training rows or test rows; leave "
            "one option out."
        )
    rows = data.rows_for(model, path, reading, target=target, weights=weights, ignore=ignore)
    given: dict[str, Any] = {"delta": delta, "repeats": repeats}
    if unseen:
        given |= {"X_test": rows.X, "y_test": rows.y}
    else:
        given |= {"X": rows.X, "y": rows.y}
        given |= {} if rows.weights is None else {"sample_weight": rows.weights}
    given |= data.test_rows_for(model, test, rows.target, ignore, reading)
    found = certified(model, given)
    if as_json:
        output.show_json([certificate_record(c) for c in found])
    else:
        output.show(found.table())
    return 0


def check(
    model_path: str,
    paths: Sequence[str],
    *,
    reference: str | None,
    ignore: tuple[str, ...],
    as_json: bool,
    **reading: Any,
) -> int:
    """Runs ``weaklearn check``."""
    model = data.model_at(model_path)
    given = {} if reference is None else {"reference": [reference]}
    X, *known = (
        dataset_of(files_in(each), ())
        if stay_on_disk(each, False)
        else data.rows_for(model, each[0], reading, labelled=False, ignore=ignore).X
        for each in (paths, *given.values())
    )
    found = model.check(X, **dict(zip(given, known, strict=True)))
    found = replace(found, note=in_options(found.note))
    if as_json:
        output.show_json(found.to_dict())
    else:
        output.show(found.table())
    return 0 if found.ok else FAILED
