"""``weaklearn check``: drift of the columns since training."""

from __future__ import annotations

from typing import Any

import click

from .. import option


@click.command(
    epilog="""\b
Examples:
  weaklearn check model.weak this-month.csv
  weaklearn check model.weak this-month.csv --json
  weaklearn check model.weak this-month/"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA...", nargs=-1, required=True)
@click.option(
    "--reference",
    type=option.FILE,
    metavar="FILE",
    help="Rows that were not trained on, as the reference for the drift of the scores.",
)
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.as_json
@option.reading
def command(model: str, data: tuple[str, ...], **asked: Any) -> int:
    """Check DATA for drift: compare every column with the training rows of MODEL.

    The target may be among the columns of DATA, and is left out. The exit status is 0 where
    nothing has drifted, and 1 where something has. Several Parquet files, or a folder of them, are
    one table, which is read batch by batch.
    """
    from ..model_output import check

    return check(model, data, **asked)
