"""An additive model as plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.table import printable
from .column import NANOSECONDS, Kind
from .link import EXP, HELD, IDENTITY, SHARE, SIGMOID, SOFTMAX
from .schema import ColumnSchema
from .transcript import Part, Side, Transcript, number, rows_of

_TIMES = (Kind.MOMENT, Kind.DURATION)
_MISSING = '''

def _missing(value):
    """Whether there is no value: None, NaN, and what pandas has in their place."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
'''
_UNITS = '''

def _units(value, unit, zone):
    """A date, a moment or a duration as whole units of so many nanoseconds; numbers as they are."""
    if isinstance(value, datetime.date) and not _missing(value):
        if not isinstance(value, datetime.datetime):
            value = datetime.datetime(value.year, value.month, value.day)
        value = value - datetime.datetime(1970, 1, 1, tzinfo=zone)
    if not isinstance(value, datetime.timedelta) or _missing(value):
        return value
    seconds = 86400 * value.days + value.seconds
    parts = 1000 * (1000000 * seconds + value.microseconds) + getattr(value, "nanoseconds", 0)
    return -(-parts // unit)
'''
_PLACE = '''

def _place(value, cuts):
    """The number of cuts below a value; one cell more for missing values."""
    if _missing(value):
        return len(cuts) + 1
    low, high = 0, len(cuts)
    while low < high:
        middle = (low + high) // 2
        if value > cuts[middle]:
            low = middle + 1
        else:
            high = middle
    return low
'''
_LEVEL = '''

def _level(value, codes, missing, unseen):
    """The number of a level."""
    if _missing(value):
        return missing
    return codes.get(value, unseen)
'''
_SHARES = {
    SIGMOID: """
    F = SCORE
    e = math.exp(-abs(F))
    p = [e / (1.0 + e), 1.0 / (1.0 + e)]
    return p if F >= 0 else p[::-1]""",
    SHARE: """
    F = min(max(score(row), -1.0), 1.0)
    return [(1.0 - F) / 2.0, (1.0 + F) / 2.0]""",
    SOFTMAX: """
    F = scores(row)
    top = max(F)
    e = [math.exp(f - top) for f in F]
    whole = sum(e)
    return [part / whole for part in e]""",
}


def python_source(model: Transcript, named: bool) -> str:
    """The source: functions of a row, and the tables that they look up."""
    sides = [side for part in model.parts for side in part.sides]
    pieces = [_head(model, named)]
    if sides:
        pieces.append(_MISSING)
    if _of_times(model):
        pieces.append(_UNITS)
    if any(side.cuts is not None for side in sides):
        pieces.append(_PLACE)
    if any(side.cuts is None for side in sides):
        pieces.append(_LEVEL)
    if tables := "".join(_tables(model)):
        pieces.append(f"\n\n{tables}")
    pieces += [f"\n\n{function}\n" for function in (_scores(model, named), *_answers(model))]
    return "".join(pieces)


def _head(model: Transcript, named: bool) -> str:
    title, *columns = model.words()
    rows = "row['age']" if named else "row[0]"
    lines = [
        title,
        *model.notes,
        f"A row is anything that has {rows} and so on; None and NaN are missing.",
        *["A moment may be a datetime, a duration a timedelta."] * _of_times(model),
        *(f"  {line}" for line in columns),
    ]
    needed = ["import datetime\n"] * _of_times(model)
    needed += ["import math\n"] * (model.link.form in (EXP, SIGMOID, SOFTMAX))
    return "".join([*(f"# {line}\n" for line in lines), "\n" * bool(needed), *needed])


def _of_times(model: Transcript) -> bool:
    return any(source.schema.kind in _TIMES for source in model.sources)


def _tables(model: Transcript) -> Iterator[str]:
    for i, part in enumerate(model.parts):
        yield f"# {printable(part.name)}\n"
        for k, side in enumerate(part.sides):
            if side.cuts is not None:
                yield f"_CUTS_{i}_{k} = (\n{rows_of(number(c) for c in side.cuts)})\n"
            else:
                yield f"_CODES_{i}_{k} = {{\n{rows_of(_codes(side))}}}\n"
        yield f"_VALUES_{i} = (\n{rows_of(number(v) for v in part.values.ravel().tolist())})\n"
    if model.classes:
        yield f"CLASSES = (\n{rows_of(map(_label, model.classes))})\n"


def _codes(side: Side) -> Iterator[str]:
    column = side.source.schema
    for code, level in enumerate(column.levels):
        yield f"{level!r}: {code}"
    if not side.source.joins_pool:
        for level in sorted(column.pooled):
            yield f"{level!r}: {len(column.levels)}"


def _label(label: Any) -> str:
    """A class as Python writes it; of a type that needs an import, its text."""
    return repr(label if isinstance(label, (str, int, float)) else str(label))


def _scores(model: Transcript, named: bool) -> str:
    K = model.n_outputs
    head = ["def score(row):", '    """The score of a row."""']
    if K > 1:
        head = ["def scores(row):", f'    """The {K} scores of a row."""']
    sums = [f"    F{k} = {number(b)}" for k, b in enumerate(model.intercept)]
    for i, part in enumerate(model.parts):
        sums.append(f"    i = {_where(i, part, named)}")
        if K == 1:
            sums.append(f"    F0 += _VALUES_{i}[i]")
        else:
            sums += [f"    F{k} += _VALUES_{i}[{K} * i + {k}]" for k in range(K)]
    answer = "F0" if K == 1 else f"[{', '.join(f'F{k}' for k in range(K))}]"
    return "\n".join([*head, *sums, f"    return {answer}"])


def _where(i: int, part: Part, named: bool) -> str:
    """The number of the cell of a row."""
    texts = []
    for k, side in enumerate(part.sides):
        value = f"row[{side.source.name!r}]" if named else f"row[{side.source.feature}]"
        if side.source.schema.kind in _TIMES:
            value = f"_units({value}, {_how(side.source.schema)})"
        if side.cuts is not None:
            texts.append(f"_place({value}, _CUTS_{i}_{k})")
        else:
            last = side.n_cells - 1
            unseen = len(side.source.schema.levels) if side.source.joins_pool else last
            texts.append(f"_level({value}, _CODES_{i}_{k}, {last}, {unseen})")
    if len(texts) == 1:
        return texts[0]
    return f"{part.sides[1].n_cells} * {texts[0]} + {texts[1]}"


def _how(column: ColumnSchema) -> str:
    """The unit of a column of times in nanoseconds, and its zone."""
    zone = "None" if column.tz is None else "datetime.timezone.utc"
    return f"{NANOSECONDS[column.unit]}, {zone}"


def _answers(model: Transcript) -> Iterator[str]:
    if not model.classes:
        held = f"math.exp(min(score(row), {number(HELD)}))"
        answer = "score(row)" if model.link.form == IDENTITY else held
        yield f'def predict(row):\n    """The number for a row."""\n    return {answer}'
        return
    scale = model.link.scale
    score = "score(row)" if scale == 1 else f"{number(scale)} * score(row)"
    shares = _SHARES.get(model.link.form, "\n    return [1.0]").replace("SCORE", score)
    yield f'def predict_proba(row):\n    """The probability of each class."""{shares}'
    lines = "    return CLASSES[0]"
    if model.n_outputs > 1:
        lines = "    F = scores(row)\n    return CLASSES[F.index(max(F))]"
    elif len(model.classes) > 1:
        lines = "    return CLASSES[score(row) > 0]"
    yield f'def predict(row):\n    """The label of a row."""\n{lines}'
