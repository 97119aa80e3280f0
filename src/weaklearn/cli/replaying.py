"""``weaklearn lab --export``: the replay of a run as one HTML file."""

from __future__ import annotations

from typing import Any

from ..lab import export
from ..lab.choices import MOST_POINTS
from ..lab.refusal import Refusal
from .data import check_names, labels, names_of, source_at
from .fault import Fault
from .kept_reading import Reading, words
from .model import setting
from .output import say

_OPTIONS = {
    "data": "--points",
    "boosters": "--booster",
    "n": "--n-points",
    "held_out": "--held-out",
}
_KNOWN = {"learner", "rounds", "noise", "seed", *_OPTIONS}


def replay(
    path: str,
    *,
    boosters: tuple[str, ...],
    learner: str | None,
    points: str | None,
    n: int | None,
    data: str | None,
    target: str | None,
    column: tuple[str, ...],
    rounds: int | None,
    noise: float | None,
    held_out: float | None,
    seed: int | None,
    title: str | None,
    **reading: Any,
) -> int:
    """Runs ``weaklearn lab --export``."""
    given: dict[str, Any] = {"learner": learner, "data": points, "n": n, "rounds": rounds}
    given |= {"noise": noise, "held_out": held_out, "seed": seed, "title": title}
    given = {name: value for name, value in given.items() if value is not None}
    if boosters:
        pairs = [_booster(text) for text in boosters]
        given |= {"boosters": [name for name, _ in pairs], "settings": [own for _, own in pairs]}
    if data is not None:
        if points is not None or n is not None:
            raise Fault("--data brings its own points; leave out --points and --n-points.")
        given |= _own(data, target, column, reading)
    elif target is not None or column:
        raise Fault("--target and --column name columns of a table; name the table with --data.")
    try:
        say(f"Replay written to {export(path, **given)}.")
    except Refusal as refusal:
        raise Fault(_in_options(str(refusal))) from None
    return 0


def _booster(text: str) -> tuple[str, dict[str, Any]]:
    """A booster and its settings.

    >>> _booster("normalboost:epsilon=0.1,theta=0.5")
    ('normalboost', {'epsilon': 0.1, 'theta': 0.5})
    """
    name, colon, rest = text.partition(":")
    return name, dict(setting(part, "--booster") for part in rest.split(",")) if colon else {}


def _own(path: str, target: str | None, columns: tuple[str, ...], reading: Reading) -> Any:
    """The user's points from a table: two columns of numbers, and one with two classes."""
    import numpy as np

    from ..datasets.reading import read_chunks

    source = source_at(path, reading)
    names = names_of(source, reading)
    target = names[-1] if target is None else target
    check_names(path, names, [target, *columns])
    drawn = list(columns) or [name for name in names if name != target]
    if columns and len(drawn) != 2:
        raise Fault(f"--column is given {len(drawn)} times; the lab draws a plane: name two.")
    if len(drawn) != 2:
        remedy = "name two of them, each with --column" if len(drawn) > 2 else "it needs two"
        raise Fault(
            f"{path} has {len(drawn)} columns beside {target!r}; the lab draws a plane: {remedy}."
        )
    # Only the first chunk: a table of more rows is refused.
    table = next(read_chunks(source, columns=[*drawn, target], **words(reading)))
    if len(table) > MOST_POINTS:
        raise Fault(f"{path} has more than {MOST_POINTS} rows; the lab takes 2 to {MOST_POINTS}.")
    for name in drawn:
        kind, n_missing = table.column(name).kind, int(table.column(name).missing.sum())
        if kind != "number":
            raise Fault(
                f"{path}: the column {name!r} holds {_PLURAL[kind]}; the lab draws numbers."
            )
        if n_missing:
            raise Fault(
                f"{path}: the column {name!r} is missing in {n_missing:,} of {len(table):,} rows; "
                "fill it in, or leave these rows out."
            )
    y = labels(path, table, target)
    if (n_classes := len(np.unique(y))) != 2:
        raise Fault(f"{path}: the target {target!r} has {n_classes} classes; the lab shows two.")
    X = np.column_stack([table.column(name).values for name in drawn])
    return {"X": X, "y": y, "axes": drawn}


_PLURAL = {"category": "categories", "date": "dates", "integer": "very large whole numbers"}


def _in_options(sentence: str) -> str:
    """A message of the lab with the option in place of the argument that it names.

    >>> _in_options("data='moon' is not allowed")
    "--points 'moon' is not allowed"
    """
    name, equals, rest = sentence.partition("=")
    return f"{_OPTIONS.get(name, f'--{name}')} {rest}" if equals and name in _KNOWN else sentence
