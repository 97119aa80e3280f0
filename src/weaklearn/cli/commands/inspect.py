"""``weaklearn inspect``: what a model file holds."""

from __future__ import annotations

import click

from .. import option


@click.command(
    epilog="""\b
Examples:
  weaklearn inspect model.weak
  weaklearn inspect model.weak --json"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@option.as_json
def command(model: str, as_json: bool) -> int:
    """Print kind, versions, columns, parameters and fingerprint of MODEL, without building it."""
    from ..model_output import inspect

    return inspect(model, as_json)
