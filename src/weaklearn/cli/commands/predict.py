"""``weaklearn predict``: a model's answers for the rows of a table, however many."""

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
@click.option("-p", "--probabilities", is_flag=True, help="A column for every class as well.")
@option.columns("--keep", "A column of DATA to write beside; repeatable.")
@option.columns("--ignore", "A column to leave out, for models without names; repeatable.")
@option.columns("--text", "The column of texts, for models that read texts.")
@option.threads
@option.as_json
@option.reading
def command(model: str, data: str, output: str | None, **asked: Any) -> int:
    """Predict for every row of DATA, one line a row, in the order of the rows.

    Columns are known by name, in any order; others are left alone, as is the column that the model
    has learnt. The file is read in pieces, so that it may be larger than memory. In columns of
    text, cells that a spreadsheet would take for a formula get an apostrophe before them. With
    --json, a line holds an object.
    """
    refuse_same(output, data, model)
    check_folder(output, lines=True)
    from ..predicting import predict

    return predict(model, data, output, **asked)
