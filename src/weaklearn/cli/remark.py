"""Remarks on a table and on what was measured, for people to know before they trust the model."""

from __future__ import annotations

import shlex
from collections.abc import Container, Mapping
from typing import Any

from ..base.table import Table
from ..datasets.cell import Words
from ..datasets.data_table import DataTable
from ..datasets.moment import orders, undated
from ..estimators.identifiers import hardly_repeat
from .trying import Tried

_LOOKED_AT = 50  # texts, from which one sees whether they could be dates
_FEW_OTHERS = 0.1  # of the texts: a column with more that are no dates is none of dates


def on_dates(X: DataTable, words: Words) -> dict[str, str]:
    """On columns of texts that look like dates, by column."""
    found = {}
    for name, kind in X.kinds.items():
        column = X.column(name)
        if kind != "category" or column.declared:
            continue
        labels = column.labels_found()
        if labels and (remark := _of_dates(labels, words)):
            found[name] = f"{name!r} is read as categories, though {remark}"
    return found


def _of_dates(labels: list[str], words: Words) -> str:
    """What makes texts look like dates, and what helps; empty where they do not."""
    known = orders(labels)
    if known is not None and words.dates not in known:
        dates = f"it holds dates such as {labels[-1]}"
        if not known:
            return f"{dates}, some with the day first, some with the month: write 2024-02-29"
        first = {"dmy": ", the day first", "mdy": ", the month first"}
        told = first[known[0]] if len(known) == 1 else ", which tell neither day nor month apart"
        ways = " or ".join(f"--dates {order}" for order in known)
        return f"{dates}{told}: pass {ways}, here and to other commands"
    if len(undated(labels[:_LOOKED_AT], words)) * 2 > min(len(labels), _LOOKED_AT):
        return ""
    others = undated(labels, words)
    if len(others) > _FEW_OTHERS * len(labels):
        return ""
    return (
        f"{len(labels) - len(others):,} of its {len(labels):,} texts are dates: is {others[0]!r} "
        "one? Correct it, or name it with --missing"
    )


def on_names(model: Any, columns: Table, n_rows: int, told: Container[str]) -> list[str]:
    """On columns of texts that hardly ever repeat, where the model learns from them."""
    special = getattr(getattr(model, "_schema", None), "special", {})
    aside = {column.name for column in special.values() if not column.levels}
    return [
        f"{name!r} holds {distinct:,} different texts in {n_rows - missing:,} rows; if they only "
        f"name the rows, leave the column out: --ignore {shlex.quote(name)}"
        for name, holds, missing, distinct, _ in columns.rows
        if holds == "categories"
        and name not in aside
        and name not in told
        and hardly_repeat(distinct, n_rows - missing)
    ]


def on_twins(tried: Mapping[str, Tried | None]) -> list[str]:
    """On rows that were tested on while equal ones were learnt from."""
    return [
        f"{name}: {found.n_twins:,} of {found.n_rows:,} rows are tested while an equal one is "
        "learnt from; if these are copies, the error is larger than it looks."
        for name, found in tried.items()
        if found is not None and found.n_twins
    ]
