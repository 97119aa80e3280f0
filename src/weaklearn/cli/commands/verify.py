"""``weaklearn verify``: whether a refit on these rows gives the same model."""

from __future__ import annotations

from typing import Any

import click

from .. import option


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
def command(model: str, data: str, **asked: Any) -> int:
    """Refit MODEL on DATA and compare the two models bit by bit.

    The exit status is 0 where they are the same, and 1 where not.
    """
    from ..model_output import verify

    return verify(model, data, **asked)
