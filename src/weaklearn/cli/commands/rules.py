"""``weaklearn rules``: the rules of a model as a table."""

from __future__ import annotations

import click

from ...base.messages.table import Table
from ...base.offered import offers
from .. import data, option, output
from ..fault import Fault


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
    from ..fit_summary import first_rules

    found = data.model_at(model)
    if merge and offers(found, "rules"):
        try:
            table = found.rules(n, merge=True)
        except (TypeError, ValueError):
            name = type(found).__name__
            raise Fault(f"{name} has no rules to merge; leave --merge out.") from None
    elif n is None and offers(found, "rules"):
        table = found.rules()
    else:
        table = first_rules(found, n or found.n_features_in_)
    if table is None:
        raise Fault(f"{type(found).__name__} has neither rules nor importances.")
    if as_json:
        output.show_json(output.records(table))
    else:
        output.show(_unabridged(table))
    return 0


def _unabridged(table: Table) -> Table:
    """The same table with all of its rows printed."""
    return Table(table.title, table.columns, table.rows, table.note, shown=len(table.rows))
