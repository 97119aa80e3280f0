"""``weaklearn plan``: how many examples and rounds it takes."""

from __future__ import annotations

from typing import Any

import click

from .. import option


@click.command(
    epilog="""\b
Examples:
  weaklearn plan --gamma 0.1 --eps 0.1 --delta 0.05
  weaklearn plan --gamma 0.25 --eps 0.05 --delta 0.01 --vc-dim 2"""
)
@click.option("--gamma", type=float, required=True, help="Edge of the weak rules over chance.")
@click.option("--eps", type=float, required=True, help="The error wanted.")
@click.option("--delta", type=float, required=True, help="The chance to miss it.")
@click.option("--bits", type=float, help="Bits that write down a rule; 64 by default.")
@click.option("--vc-dim", type=int, help="VC dimension of the rules, in place of bits.")
@click.option(
    "--success-probability", type=float, default=1.0, help="Chance that the learner finds a rule."
)
@click.option("--weighted", is_flag=True, help="Votes differ in size.")
@option.as_json
def command(as_json: bool, **asked: Any) -> int:
    """Tell how many examples, rounds and tries a strong learner takes, by the theorems."""
    from ..model_output import plan

    return plan(as_json, **asked)
