"""``weaklearn plan``: the numbers of examples and rounds that reach an error."""

from __future__ import annotations

from typing import Any

import click

from .. import option, output


@click.command(
    epilog="""\b
Examples:
  weaklearn plan --gamma 0.1 --eps 0.1 --delta 0.05
  weaklearn plan --gamma 0.25 --eps 0.05 --delta 0.01 --vc-dim 2"""
)
@click.option("--gamma", type=float, required=True, help="Edge of the weak rules over guessing.")
@click.option("--eps", type=float, required=True, help="The error wanted.")
@click.option("--delta", type=float, required=True, help="The probability of missing it.")
@click.option("--bits", type=float, help="Bits that encode a rule; 64 by default.")
@click.option("--vc-dim", type=int, help="VC dimension of the rules, in place of bits.")
@click.option(
    "--success-probability",
    type=float,
    default=1.0,
    help="Probability that the learner finds a rule.",
)
@click.option("--weighted", is_flag=True, help="A weighted vote instead of a majority vote.")
@option.as_json
def command(as_json: bool, **asked: Any) -> int:
    """Print how many examples, rounds and tries a strong learner needs, by the theorems."""
    from ...theory.pac.planning import plan as planned

    found = planned(**asked)
    if as_json:
        names = ("gamma", "eps", "delta", "T", "m", "tries", "bits", "vc_dim", "weighted")
        output.show_json({name: getattr(found, name) for name in names})
    else:
        output.show(found.table())
    return 0
