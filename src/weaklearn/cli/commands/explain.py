"""``weaklearn explain``: the contributions of columns to the scores of rows."""

from __future__ import annotations

from typing import Any

import click

from .. import option
from ..data import check_folder, refuse_same


@click.command(
    epilog="""\b
Examples:
  weaklearn explain model.weak new.csv --row 1 --row 5
  weaklearn explain model.weak new.csv -o contributions.csv"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA")
@click.option(
    "--row",
    "rows",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="N",
    help="A row, counted from 1.",
)
@click.option(
    "--top", default=8, show_default=True, type=click.IntRange(min=1), metavar="N", help="Terms."
)
@click.option(
    "-o", "--output", type=option.FILE, metavar="OUT", help="All rows and terms: .csv or .parquet."
)
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.as_json
@option.reading
def command(model: str, data: str, output: str | None, **asked: Any) -> int:
    """Print what every column adds to the scores that MODEL gives to rows of DATA.

    By default the first three rows are explained. Base and contributions add up to the score. The
    target may be among the columns of DATA, and is left out.
    """
    refuse_same(output, data, model)
    check_folder(output, lines=True)
    from ..model_output import explain

    return explain(model, data, output, **asked)
