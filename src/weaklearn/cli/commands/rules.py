"""``weaklearn rules``: the rules of a model as a table."""

from __future__ import annotations

import click

from .. import option


@click.command(
    epilog="""\b
Examples:
  weaklearn rules model.weak
  weaklearn rules model.weak -n 10 --merge"""
)
@click.argument("model", type=option.FILE, metavar="MODEL")
@click.option(
    "-n", "n", type=click.IntRange(min=1), metavar="N", help="Only the first N; all by default."
)
@click.option("--merge", is_flag=True, help="Join repeated rules, and add up their votes.")
@option.as_json
def command(model: str, n: int | None, merge: bool, as_json: bool) -> int:
    """Print the rules of MODEL, or its most important columns where it has no rules."""
    from ..model_output import rules

    return rules(model, n, merge, as_json)
