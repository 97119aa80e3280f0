"""``weaklearn compare``: several models on the same folds."""

from __future__ import annotations

from typing import Any

import click

from .. import option


@click.command(
    epilog="""\b
Examples:
  weaklearn compare patients.csv --target sick
  weaklearn compare flats.csv --target rent --model gradient --model tree"""
)
@click.argument("data", type=option.FILE, metavar="DATA")
@option.target()
@click.option("--model", "models", metavar="NAME", multiple=True, help="As for fit; repeatable.")
@click.option(
    "--task", type=click.Choice(["classes", "numbers"]), help="Classification or regression."
)
@click.option(
    "--cv", default=10, show_default=True, type=click.IntRange(min=2), metavar="K", help="Folds."
)
@option.skip_unlabelled
@option.columns("--ignore", "A column to leave out; repeatable.")
@option.columns("--categorical", "A column of categories; repeatable.")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    metavar="N",
    help="Random seed of the folds.",
)
@option.threads
@option.as_json
@option.reading
def command(data: str, **asked: Any) -> int:
    """Cross-validate several models on DATA, with the same folds for all of them.

    By default AdaBoost on stumps, gradient boosting, the glass box, a forest and a tree.
    """
    from ..comparing import compare

    return compare(data, **asked)
