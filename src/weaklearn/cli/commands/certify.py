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
@click.option("--delta", default=0.05, show_default=True, help="Probability that a bound is wrong.")
@option.repeats
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.as_json
@option.reading
def command(model: str, data: str, **asked: Any) -> int:
    """Evaluate theorems on MODEL and its training rows DATA.

    A statement about future rows comes first where there is one: it is the one to quote. Bounds
    whose conditions fail are not shown as numbers. Where DATA are not the training rows, no
    guarantee is made from them unless --unseen declares them to be test rows.
    """
    from ..model_output import certify

    return certify(model, data, **asked)
