"""``weaklearn rules``: the rules of a model as a table."""

from __future__ import annotations

from typing import Any

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
    """Print the rules of MODEL, or the columns that matter most where it has none to read.

    Gradient boosting has one rule a leaf, thousands of them: -n prints the first ones.
    """
    from .. import fit_summary

    found = data.model_at(model)
    name = type(found).__name__
    if merge and offers(found, "rules"):
        try:
            table = found.rules(n, merge=True)
        except (TypeError, ValueError):
            raise Fault(f"{name} has no rules to merge; leave --merge out.") from None
    elif n is not None and offers(found, "rules"):
        table = fit_summary.first_rules(found, n)
    elif fit_summary.has_rules_to_read(found) or (as_json and offers(found, "rules")):
        table = found.rules()
    elif offers(found, "feature_importances_"):
        output.say(_instead_of_rules(found, name, model))
        table = fit_summary.importances(found, n or found.n_features_in_)
    else:
        raise Fault(f"{name} has neither rules nor importances.")
    if as_json:
        output.show_json(output.records(table))
    else:
        output.show(_unabridged(table))
    return 0


def _instead_of_rules(found: Any, name: str, path: str) -> str:
    """Why columns are printed instead of rules, and what says more."""
    shares, more = "these are the shares of its columns", "."
    if offers(found, "explain"):
        more = f"; weaklearn explain {path} DATA --row 1 prints what each column adds to a row."
    if not offers(found, "rules"):
        return f"{name} has no rules: {shares}{more}"
    n = len(found.rules())
    return (
        f"{name} adds up {n:,} rules, too many to read (-n 20 prints the first 20): {shares}{more}"
    )


def _unabridged(table: Table) -> Table:
    """The same table with all of its rows printed."""
    return Table(table.title, table.columns, table.rows, table.note, shown=len(table.rows))
