"""The table of a model's rules."""

from __future__ import annotations

from ...base.messages.table import Table
from ...base.offered import offers
from ...estimators.gradient.model import GradientBoostingModel
from ...page.element import Node
from .columns import FEWEST
from .section import (
    Absent,
    Part,
    ReportContext,
    Section,
    attempt,
    listing,
    note,
    plain_value,
    tools,
)

_TITLE = "Rules"
_MOST = 400
_ROUNDS = 3  # of models whose rounds are whole trees


def rules(context: ReportContext) -> Part:
    """The table of rules, to be sorted and searched."""
    by_rounds = isinstance(context.model, GradientBoostingModel)  # the leaves of their trees
    found: Table | None = None
    if offers(context.model, "rules"):
        found = attempt(context.model.rules, _ROUNDS if by_rounds else None)
    if found is None or not len(found):
        return Absent(_TITLE, "the model has no rules")
    found, blanked = _without_targets(found, context)
    shown = min(len(found), _MOST)
    body: list[Node] = [
        tools("rules", shown, "rules.csv"),
        listing(
            found.columns,
            [[plain_value(value) for value in row] for row in found.rows[:_MOST]],
            name="rules",
            caption="the rules of the model",
            tall=True,
        ),
    ]
    if found.note:
        body.append(note(found.note[0].upper() + found.note[1:]))
    if shown < len(found):
        body.append(note(f"The first {shown:,} of {len(found):,} rules are listed."))
    if blanked:
        body.append(
            note(
                f"Means of fewer than {FEWEST} targets are left blank, since they are nearly rows "
                "of data; with examples=True they would be shown."
            )
        )
    first = ""
    if by_rounds and context.model.n_iter_ > _ROUNDS:
        rounds = f"{context.model.n_iter_:,} rounds"
        first = f" These are the leaves of the first {_ROUNDS} of {rounds}."
    return Section("rules", _TITLE, body, f"In the order in which the model learned them.{first}")


def _without_targets(found: Table, context: ReportContext) -> tuple[Table, bool]:
    """The rules without means of very few targets, and whether any was left blank."""
    heads = found.columns
    if context.examples or context.classes is not None or not {"then", "support"} <= {*heads}:
        return found, False
    then, support = heads.index("then"), heads.index("support")
    few = [row[support] < FEWEST for row in found.rows]
    rows = [
        (*row[:then], None, *row[then + 1 :]) if blank else row
        for row, blank in zip(found.rows, few, strict=True)
    ]
    return Table(found.title, heads, rows, found.note), any(few)
