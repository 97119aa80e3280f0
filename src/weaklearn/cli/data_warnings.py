"""Warnings about a table: texts that look like dates or numbers, identifiers, duplicates."""

from __future__ import annotations

import re
import shlex
from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..base.messages.table import Table
from ..datasets.cell import Words, no_days, orders, undated
from ..datasets.data_table import DataColumn, DataTable
from ..intake.id_columns import hardly_repeat
from ..intake.raw_column import Kind
from ..prediction.rows import schema_of
from .evaluation import Evaluation

# A decimal separator, and what may then divide thousands.
_GROUPINGS = ((".", ","), (",", "."), (".", "'"), (".", " "), (",", " "), (",", "'"))
_SOME_DATES = 10  # of fewer, which are perhaps appointments, each may well be a class
_LOOKED_AT = 50  # texts, from which one sees whether they could be dates
_FEW_UNSEEN = 0.05  # of the rows: new categories that a column of categories may well have
_FEW_OTHERS = 0.1  # of the texts: a column with more that are no dates is none of dates
# 12%, €3.50, <0.1, 1,234.50 or 1 234, but not 00501
_ADORNED = re.compile(
    r"(?![+-]?[0-9]+$)[€$£¥<>≤≥~]? ?[+-]?"
    r"(?:[0-9]{1,3}(?:[,.' \u00a0\u202f][0-9]{3})+|[0-9]+)(?:[.,][0-9]+)? ?[€$£¥%‰°]?"
)


def on_texts(X: DataTable, words: Words) -> dict[str, str]:
    """Warnings, by column, about categories that look like dates or numbers."""
    found = {}
    for name, kind in X.kinds.items():
        column = X.column(name)
        if kind != "category" or column.declared:
            continue
        labels, own = column.labels_found(), words.of(name)
        remark = labels and (
            _of_wrong_dates(column, labels, own)
            or _of_dates(name, labels, own)
            or _of_numbers(labels, own)
        )
        if remark:
            found[name] = f"{name!r} is read as categories, though {remark}"
    return found


def on_target(y: Any, target: str | None, words: Words) -> list[str]:
    """The warning about dates as a target, each of which is a class."""
    labels = sorted(set(y.tolist())) if y.dtype.kind in "OU" else []
    if len(labels) < _SOME_DATES or not all(isinstance(label, str) for label in labels):
        return []
    if orders(labels) is None and undated(labels, words):
        return []
    return [
        f"the target {target!r} holds dates, and each of the {len(labels):,} is a class: to learn "
        "when, pass a column of numbers as the target, such as the days since one date"
    ]


def _of_wrong_dates(column: DataColumn, labels: list[str], words: Words) -> str:
    """The warning about a column of dates some of which do not exist; empty for other columns."""
    wrong = no_days(labels)
    others = set(labels) - set(wrong)
    dated = orders(others) or not undated(sorted(others), words)
    if not wrong or len(wrong) > len(others) or not dated:
        return ""
    row = int((column.values == column.labels.index(wrong[0])).argmax()) + 1
    return (
        f"{len(others):,} of its {len(labels):,} texts are dates: {wrong[0]!r} (row {row:,} of "
        f"{len(column):,}) is no day of the calendar; correct it, or name it with --missing"
    )


def _of_dates(name: str, labels: list[str], words: Words) -> str:
    """The warning about texts that look like dates, with the remedy; empty where they do not."""
    known, strange = orders(labels), _strange_among_dates(labels)
    if strange:
        dated = [label for label in labels if label not in strange]
        known = orders(dated)
        if known and words.dates not in known:
            way = f"--dates {shlex.quote((f'{name}=' if words.dates else '') + known[0])}"
            mark = f"--missing {shlex.quote(strange[0])}"
            return f"nearly all of its texts are dates such as {dated[-1]}: pass {way} and {mark}"
        known = None
    if known is not None and words.dates not in known:
        dates = f"it holds dates such as {labels[-1]}"
        if not known and len(no_days(labels)) * 2 > len(labels):  # numbers of parts, perhaps
            return ""
        if not known:
            return f"{dates}, some with the day first, some with the month: write 2024-02-29"
        first = {"dmy": ", the day first", "mdy": ", the month first"}
        unclear = ", in which day and month cannot be told apart"
        order_text = first[known[0]] if len(known) == 1 else unclear
        alone = f"{name}=" if words.dates else ""  # other columns have the other order
        ways = " or ".join(f"--dates {shlex.quote(alone + order)}" for order in known)
        return f"{dates}{order_text}: pass {ways}"
    if len(undated(labels[:_LOOKED_AT], words)) * 2 > min(len(labels), _LOOKED_AT):
        return ""
    others = undated(labels, words)
    if len(others) > _FEW_OTHERS * len(labels):
        return ""
    if not others:  # texts of a Parquet file, which stay such unless asked otherwise
        return "its texts are dates: pass --dates dmy or --dates mdy"
    return (
        f"{len(labels) - len(others):,} of its {len(labels):,} texts are dates: is {others[0]!r} "
        "one? Correct it, or name it with --missing"
    )


def _strange_among_dates(labels: list[str]) -> list[str]:
    """The few texts that are written otherwise where nearly all are like 03/04/2024."""
    first = labels[:_LOOKED_AT]
    if sum(orders([label]) is None for label in first) * 2 > len(first):
        return []
    strange = [label for label in labels if orders([label]) is None]
    return strange if len(strange) <= _FEW_OTHERS * len(labels) else []


def _of_numbers(labels: list[str], words: Words) -> str:
    """The warning about texts that look like numbers, with the remedy; empty where they do not."""
    others = [label for label in labels if words.number(label.strip()) is None]
    if not others:  # of a Parquet file as well
        return "its texts are numbers: if they are amounts, store them as numbers"
    if len(others) <= _FEW_OTHERS * len(labels):
        return (
            f"{len(labels) - len(others):,} of its {len(labels):,} texts are numbers: is "
            f"{others[0]!r} one? If it marks a missing value, name it with --missing"
        )
    for decimal, mark in _GROUPINGS:
        asked = replace(words, decimal=decimal, thousands=mark)
        read = [label for label in labels if asked.number(label.strip()) is not None]
        grouped = [label for label in read if words.number(label.strip()) is None]
        if grouped and len(labels) - len(read) <= _FEW_OTHERS * len(labels):
            comma = f"--decimal {shlex.quote(decimal)} " * (decimal != words.decimal)
            return f"its texts are numbers such as {grouped[0]!r}: pass {comma}--thousands {mark!r}"
    adorned = [label for label in others if _ADORNED.fullmatch(label.strip())]
    if adorned and len(others) - len(adorned) <= _FEW_OTHERS * len(labels):
        return f"its texts look like numbers, such as {adorned[0]!r}: write them with digits alone"
    return ""


def on_identifiers(model: Any, columns: Table, n_rows: int, warned: Container[str]) -> list[str]:
    """Warnings about categories that hardly ever repeat, one a column.

    Columns in ``warned`` are left out: a warning about them was given already.
    """
    special = {} if model._schema is None else model._schema.special
    aside = {column.name for column in special.values() if not column.categories}
    found = []
    for name, holds, missing, distinct, _ in columns.rows:
        known = n_rows - missing
        if holds != "categories" or name in warned or not hardly_repeat(distinct, known):
            continue
        what = "as an identifier does, and the model learns nothing from it: " * (name in aside)
        what = what or "and the model learns from it; if it is only an identifier, "
        found.append(
            f"{name!r} holds {distinct:,} different texts in {known:,} rows, {what}leave the "
            f"column out: --ignore {shlex.quote(name)}"
        )
    return found


def on_duplicates(evaluations: Mapping[str, Evaluation | None]) -> list[str]:
    """Warnings about test rows that have duplicates among the training rows."""
    return [
        f"{name}: {found.n_duplicates:,} of {found.n_rows:,} test rows have an equal row among the "
        "training rows; if these are duplicates of one case, the true error is larger."
        for name, found in evaluations.items()
        if found is not None and found.n_duplicates
    ]


class UnseenCategories:
    """How many rows to predict hold categories that training never saw, by column."""

    def __init__(self, model: Any) -> None:
        schema = schema_of(model)
        columns = () if schema is None or schema.names is None else schema.special.values()
        self._columns = [c for c in columns if c.kind is Kind.CATEGORY]
        self._rows = dict.fromkeys((c.name for c in self._columns), 0)
        self._first: dict[str, str] = {}

    def look_at(self, X: DataTable) -> None:
        """Counts the rows of a piece of the file."""
        for column in self._columns:
            if column.name not in X.names or X.column(column.name).kind != "category":
                continue
            given = X.column(column.name)
            strange = np.array([*(not column.knows(text) for text in given.labels), False])
            rows = strange[given.values]
            if rows.any():
                self._first.setdefault(column.name, given.labels[given.values[rows.argmax()]])
                self._rows[column.name] += int(rows.sum())

    def remarks(self, n_rows: int) -> list[str]:
        """What is said of the columns where it is more than a few rows of ``n_rows``."""
        return [
            f"{found:,} of {n_rows:,} rows hold in {name!r} categories that training never saw, "
            f"such as {self._first[name]!r}; weaklearn check says more."
            for name, found in self._rows.items()
            if found > _FEW_UNSEEN * n_rows
        ]
