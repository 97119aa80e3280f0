"""``weaklearn check``: have the columns changed since training?"""

from __future__ import annotations

from typing import Any

import click

from .. import option


@click.command(
    epilog="""\b
Examples:
  weaklearn check model.weak this-month.csv
  weaklearn check model.weak this-month.csv --json"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA")
@click.option(
    "--reference",
    type=option.FILE,
    metavar="FILE",
    help="Rows not used in the fit, to compare the scores with.",
)
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.as_json
@option.reading
def command(model: str, data: str, **asked: Any) -> int:
    """Hold the rows of DATA against those that MODEL was fitted on, column by column.

    The column that the model has learnt may be among those of DATA, and is left out. The exit
    status is 0 where nothing has shifted, and 1 where something has.
    """
    from ..model_output import check

    return check(model, data, **asked)
