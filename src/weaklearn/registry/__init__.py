"""The registry: one row per estimator, from which every list of the library is made.

A row is plain data (``row.py`` says what it holds), and this package imports nothing, so that every
other one may read it: the public names of ``weaklearn`` and of ``weaklearn.boosters``, the table
of model files, the runtime's, the command line's, the lab's, and the families of the
documentation are made of the rows. It is the one place that names classes of other
packages by their modules. Texts and images have their rows in packages of their own, which
``weaklearn`` itself registers.

A new booster is an algorithm in ``boosters``, an estimator class, and a row with a number that was
never used before. Numbers and names that files hold stay: files of every earlier version must load.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import Any

from . import boosting, gradient, online, simple, trees
from .row import AROUND, FAMILIES, MODELS, Family, Knob, Lab, Row
from .tool import DISPLAYS, PACKAGES, TOOLS

__all__ = [
    "AROUND",
    "FAMILIES",
    "PACKAGES",
    "RECORDS",
    "ROWS",
    "TOOLS",
    "Family",
    "Knob",
    "Lab",
    "Row",
    "booster_homes",
    "booster_numbers",
    "class_at",
    "class_of",
    "display",
    "homes",
    "register",
    "row_of",
]

ROWS: dict[str, Row] = {}  # by the name of the class
RECORDS: list[str] = []  # modules with records of values of registered packages


def register(rows: Iterable[Row], records: Iterable[str] = ()) -> None:
    """Adds rows, and the modules of the records that their files hold."""
    numbers = {row.number: row.name for row in ROWS.values() if row.number is not None}
    for row in rows:
        if row.name in ROWS:
            raise ValueError(f"there is a row of {row.name} already; give the class another name.")
        if row.number in numbers:
            raise ValueError(
                f"the number {row.number} of {row.name} is that of {numbers[row.number]}; take "
                f"one above {max(numbers)}."
            )
        if row.number is not None and row.number not in MODELS:
            raise ValueError(
                f"the number {row.number} of {row.name} is not allowed: it must be from "
                f"{MODELS[0]} to {MODELS[-1]}."
            )
        ROWS[row.name] = row
        if row.number is not None:
            numbers[row.number] = row.name
    RECORDS.extend(records)


def homes() -> dict[str, str]:
    """The module of every public name of ``weaklearn``."""
    return {name: row.module for name, row in ROWS.items()} | TOOLS


def booster_homes() -> dict[str, str]:
    """The module in ``weaklearn.boosters`` of every public booster."""
    pairs = (home.split(".") for row in ROWS.values() for home in row.boosters)
    return {name: module for module, name in pairs}


def booster_numbers() -> dict[int, str]:
    """The module and name of every public booster, by its number in model files.

    It is 1000 and the number of its row, for the second of a row 2000 and that.

    >>> booster_numbers()[2100]
    'samme.Samme'
    """
    return {
        1000 * place + row.number: home
        for row in ROWS.values()
        if row.number is not None
        for place, home in enumerate(row.boosters, 1)
    }


def row_of(kind: type) -> Row | None:
    """The row of an estimator class, or of the nearest registered one that it inherits.

    >>> import weaklearn
    >>> row_of(weaklearn.MadaBoostClassifier).number
    118
    """
    for base in kind.__mro__:
        row = ROWS.get(base.__name__)
        if row is not None and base.__module__ == f"weaklearn.{row.module}":
            return row
    return None


@cache
def class_at(home: str) -> Any:
    """The object that a module of ``weaklearn`` defines under a name, imported on first use.

    >>> class_at("losses.margin.Logistic")().name
    'log_loss'
    """
    module, _, name = home.rpartition(".")
    return getattr(import_module(f"weaklearn.{module}"), name)


def class_of(row: Row) -> Any:
    """The estimator class of a row."""
    return class_at(row.home)


def display(name: str) -> Any:
    """The display class of a name, for packages below that must not import ``show``."""
    return class_at(f"{DISPLAYS[name]}.{name}")


for _family in (boosting, gradient, trees, simple, online):
    register(_family.ROWS)
