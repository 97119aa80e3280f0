"""``weaklearn report``: a model as one HTML file."""

from __future__ import annotations

from typing import Any

import click

from .. import option
from ..data import check_folder, refuse_same


@click.command(
    epilog="""\b
Examples:
  weaklearn report model.weak patients.csv
  weaklearn report model.weak patients.csv --target sick -o report.html"""
)
@click.argument("model", metavar="MODEL")
@click.argument("data", metavar="DATA")
@option.target(required=False)
@click.option("-o", "--output", default="report.html", show_default=True, metavar="FILE")
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.reading
def command(model: str, data: str, output: str, **asked: Any) -> int:
    """Write a report on MODEL and the rows DATA: one file that opens from disk.

    It shows no row of the data.
    """
    refuse_same(output, data, model)
    check_folder(output)
    from ..showing import report

    return report(model, data, output, **asked)
