"""``weaklearn certify``: what is guaranteed of a model, and what was observed."""

from __future__ import annotations

from typing import Any

import click

from .. import option


@click.command(
    epilog="""\b
Examples:
  weaklearn certify model.weak patients.csv
  weaklearn certify model.weak patients.csv --test new.csv --delta 0.01"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.argument("data", type=option.FILE, metavar="DATA")
@option.target(required=False)
@option.skip_unlabelled
@option.weights
@click.option(
    "--test", type=option.FILE, metavar="FILE", help="Rows that the model has never seen."
)
@click.option("--unseen", is_flag=True, help="DATA itself holds such rows.")
@click.option("--delta", default=0.05, show_default=True, help="Chance that a bound is wrong.")
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.as_json
@option.reading
def command(model: str, data: str, **asked: Any) -> int:
    """Hold theorems against MODEL and the rows DATA that it was fitted on.

    A statement about rows to come stands first where there is one: it is the one to quote. Bounds
    whose conditions fail are not shown as numbers. Where the rows are not those of the fit, no
    promise is made from them unless --unseen says that they are test rows.
    """
    from ..model_output import certify

    return certify(model, data, **asked)
