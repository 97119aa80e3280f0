"""``weaklearn predict``: predictions for the rows of a table of any length."""

from __future__ import annotations

from typing import Any

import click

from .. import option
from ..data import check_folder, refuse_same


@click.command(
    epilog="""\b
Examples:
  weaklearn predict model.weak new.csv
  weaklearn predict model.weak new.csv -o out.csv --keep id --probabilities
  zcat huge.csv.gz | weaklearn predict model.weak - -o predictions.parquet"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA")
@click.option(
    "-o", "--output", type=option.FILE, metavar="OUT", help="A .csv, .csv.gz or .parquet file."
)
@click.option("-p", "--probabilities", is_flag=True, help="Also the probability of every class.")
@option.columns("--keep", "A column of DATA to copy to the output; repeatable.")
@option.columns("--ignore", "A column to leave out, for models without names; repeatable.")
@option.columns("--text", "The column of texts, for models that read texts.")
@option.threads
@option.as_json
@option.reading
def command(model: str, data: str, output: str | None, **asked: Any) -> int:
    """Predict every row of DATA: one line per row, in the order of the rows.

    Columns are found by name, in any order; other columns and the target are ignored. The file is
    read in chunks, so that it may be larger than memory. In text columns, values that a spreadsheet
    would take for a formula are prefixed with an apostrophe. With --json, every line is an object.
    """
    refuse_same(output, data, model)
    check_folder(output, lines=True)
    from ..predicting import predict

    return predict(model, data, output, **asked)
