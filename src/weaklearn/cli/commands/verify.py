"""``weaklearn verify``: whether a refit on these rows gives the same model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from .. import option, output
from ..data import model_at, rows_for
from ..fault import FAILED
from ..model import refuse_no_labels


@click.command(
    epilog="""\b
Examples:
  weaklearn verify model.weak patients.csv --target sick"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA")
@option.target(required=False)
@option.skip_unlabelled
@option.weights
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.as_json
@option.reading
def command(
    model: str,
    data: str,
    target: str | None,
    weights: str | None,
    ignore: tuple[str, ...],
    as_json: bool,
    **reading: Any,
) -> int:
    """Refit MODEL on DATA and compare the two models bit by bit.

    The exit status is 0 where they are the same, and 1 where not.
    """
    from ...comparison.verify import verify

    fitted = model_at(model)
    refuse_no_labels(fitted)
    rows = rows_for(fitted, data, reading, target=target, weights=weights, ignore=ignore)
    found = verify(fitted, rows.X, rows.y, rows.weights)
    if as_json:
        output.show_json(asdict(found))
    else:
        output.show_line(str(found))
    return 0 if found else FAILED
