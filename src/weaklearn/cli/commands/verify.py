"""``weaklearn verify``: whether a refit on these rows gives the same model."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from .. import option, output
from ..data import model_at, rows_for
from ..fault import FAILED, in_options
from ..kept_reading import kept_shares
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

    DATA is the file of the fit: rows that it held out by --test or --threshold are held out again.
    The exit status is 0 where they are the same, and 1 where not.
    """
    from ...comparison.verify import verify
    from ...production.provenance import provenance_of
    from .. import held_rows
    from ..resuming import task_of

    fitted = model_at(model)
    refuse_no_labels(fitted)
    rows = rows_for(fitted, data, reading, target=target, weights=weights, ignore=ignore)
    held = kept_shares(fitted)
    if held and len(rows.y) != provenance_of(fitted).n_examples:  # not the rows of learning alone
        rows = held_rows.without(rows, held, task_of(fitted))
    found = verify(fitted, rows.X, rows.y, rows.weights)
    if as_json:
        output.show_json(asdict(found))
    else:
        output.show_line(in_options(str(found)))
    if held and found.same_rows is False:
        output.say(
            "The fit held out rows by their places in its file: verify needs that file, with its "
            "rows in their order, or the rows of learning alone."
        )
    return 0 if found else FAILED
