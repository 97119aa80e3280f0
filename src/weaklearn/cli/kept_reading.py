"""How a table is read: the options of a command, and those that a model keeps from its fit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .fault import Fault

if TYPE_CHECKING:
    from ..datasets.cell import Words
    from ..datasets.source import Source

Reading = Mapping[str, Any]  # the options of ``option.reading``

_TEXTS = ("delimiter", "encoding", "decimal", "thousands")
_LISTS = ("missing", "dates")
_KEPT = (*_TEXTS, *_LISTS, "no_header")
_HELD = "held_out"
IS_KEPT_ENCODING = "is_kept_encoding"  # whether the encoding is the model's, which nobody asked for


def kept_text(reading: Reading, held: Mapping[str, float] | None = None) -> str | None:
    """The options that a model keeps, as JSON; None where none was given.

    ``held`` are the shares of the rows that were not learnt from.

    >>> kept_text({"missing": ("??",), "dates": (), "decimal": ",", "pipe_limit": 3})
    '{"decimal": ",", "missing": ["??"]}'
    >>> kept_text({}, {"test": 0.2, "seed": 0})
    '{"held_out": {"test": 0.2, "seed": 0}}'
    """
    given = {name: reading[name] for name in _KEPT if reading.get(name)}
    if held:
        given[_HELD] = held
    return json.dumps(given) if given else None


def kept_shares(model: Any) -> dict[str, Any]:
    """The shares of the rows that the fit of a model did not learn from; none where it took all."""
    from ..production.provenance import provenance_of

    text = provenance_of(model).reading or "{}"
    _read(text)
    found = json.loads(text).get(_HELD, {})
    good = type(found) is dict and type(found.get("seed", 0)) is int
    shares = [found.get(name, 0.5) for name in ("test", "threshold")] if good else [0]
    if not all(type(share) is float and 0 < share < 1 for share in shares):
        raise ValueError("the model file says in a way that is unknown here which rows it left.")
    return dict(found)


def with_kept(model: Any, reading: Reading) -> dict[str, Any]:
    """The options, and where they were left out those that the model was fitted with.

    A decimal separator that is given anew says that there are other thousands, too.
    """
    from ..production.provenance import provenance_of

    kept = _read(provenance_of(model).reading or "{}")
    if reading.get("decimal") is not None:
        kept.pop("thousands", None)
    asked = {name: reading.get(name) for name in _KEPT}
    if asked["encoding"] is None and "encoding" in kept:
        reading = {**reading, IS_KEPT_ENCODING: True}
    given = {
        name: kept.get(name) if _is_left_out(value) else value for name, value in asked.items()
    }
    return {**reading, **given, **{name: tuple(given[name] or ()) for name in _LISTS}}


def separators(model: Any, reading: Reading) -> tuple[str, str]:
    """The delimiter and the decimal separator of files that are written beside a table.

    They are those that are named, or kept, so that the same model reads what was written; a
    delimiter that was found in the table is not: it is found anew in what was written.
    """
    from ..datasets.dialect import delimiter_named

    asked = with_kept(model, reading)
    decimal = asked["decimal"] or "."
    delimiter = asked["delimiter"] or (";" if decimal == "," else ",")
    return delimiter_named(delimiter), decimal


def _is_left_out(value: Any) -> bool:
    return value is None or value == ()


def _read(text: str) -> dict[str, Any]:
    """The options that a model keeps, checked: its file may come from anywhere."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        kept = None
    if type(kept) is not dict:
        kept = {"missing": 0}
    if type(kept.get("dates")) is str:  # of files that knew one order for all columns
        kept["dates"] = [kept["dates"]]
    good = all(type(kept.get(name, "")) is str for name in _TEXTS)
    good = good and type(kept.get("no_header", True)) is bool
    for name in _LISTS:
        listed = kept.get(name, [])
        good = good and type(listed) is list and all(type(each) is str for each in listed)
    if not good or not all(o.rpartition("=")[2] in ("dmy", "mdy") for o in kept.get("dates", ())):
        raise ValueError("the model file says in a way that is unknown here how to read tables.")
    return {name: kept[name] for name in _KEPT if name in kept}


def words(
    reading: Reading, source: str | Source | None = None, names: Sequence[str] | None = None
) -> dict[str, Any]:
    """The options of a command as arguments of ``read_table``.

    ``names``: those of the columns that there are, others are not asked about.
    """
    from ..datasets.cell import MISSING

    marks = reading.get("missing")
    is_parquet = not (source is None or isinstance(source, str)) and source.is_parquet
    usual = () if is_parquet else MISSING  # NA may be a name there
    dates = orders_of(reading.get("dates"))
    decimal = reading.get("decimal") or "."
    thousands = reading.get("thousands")
    if thousands == decimal:
        raise Fault(
            f"--thousands {thousands!r} is not allowed: it is the decimal separator, too; pass "
            "--decimal as well."
        )
    return {
        "delimiter": reading.get("delimiter"),
        "encoding": reading.get("encoding"),
        "decimal": decimal,
        "thousands": thousands,
        "dates": {
            column: order
            for column, order in dates.items()
            if names is None or column is None or column in names
        },
        "missing": {*usual, *marks} if marks else None,
        "header": not reading.get("no_header"),
    }


def orders_of(given: Sequence[str] | None) -> dict[str | None, str]:
    """The order of dates by column, that of all others by None.

    >>> orders_of(("dmy", "joined=mdy"))
    {None: 'dmy', 'joined': 'mdy'}
    """
    parts = (text.rpartition("=") for text in given or ())
    return {column if equals else None: order for column, equals, order in parts}


def spelling(reading: Reading) -> Words:
    """How numbers, dates and missing values are written, by the options of a command."""
    from ..datasets.cell import Words

    asked = words(reading)
    marks = Words.missing if asked["missing"] is None else frozenset(asked["missing"])
    orders = dict(asked["dates"])
    general = orders.pop(None, None)
    return Words(marks, asked["decimal"], True, general, orders, asked["thousands"])
