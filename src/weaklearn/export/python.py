"""Export of sums of terms or trees to Python."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..base.messages.table import printable
from ..base.trees.tree_arrays import EVERY_CHILD
from ..intake.raw_column import NANOSECONDS, Kind
from .branches import ABOVE, AMONG, MISSING, NO_CATEGORY, OTHERWISE, Branching, Test, choices
from .link import (
    EACH,
    EXP,
    HELD,
    IDENTITY,
    MEANS,
    POWERS,
    SHARE,
    SIGMOID,
    SOFTMAX,
    SURE,
    UNKNOWN,
    Link,
)
from .model_ir import InputColumn, ModelIR, Part, number, rows_of

_TIMES = (Kind.DATETIME, Kind.TIMEDELTA)
_MISSING = '''

def _missing(value):
    """Whether there is no value: None, NaN, and what pandas has in their place."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _float(value):
    """A fraction or a decimal number as the nearest float; other values as they are."""
    is_exact = hasattr(value, "as_integer_ratio") and not isinstance(value, (int, float))
    return float(value) if is_exact else value
'''
_UNITS = '''

def _units(value, unit, zone):
    """A date, a datetime or a timedelta as units of so many nanoseconds; numbers as they are."""
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
    value = _float(value)
    low, high = 0, len(cuts)
    while low < high:
        middle = (low + high) // 2
        if value > cuts[middle]:
            low = middle + 1
        else:
            high = middle
    return low
'''
_CATEGORY = '''

def _category(value, codes, missing, unseen):
    """The number of a category."""
    if _missing(value):
        return missing
    return codes.get(_float(value), unseen)
'''
_NUMBER = '''

def _number(value):
    """A number as it is, and NaN where it is missing."""
    return float("nan") if _missing(value) else _float(value)
'''
_ADD = '''

def _add(F, w, values, first=0):
    """Adds so much of each value to its score."""
    for k, value in enumerate(values, first):
        F[k] += w * value
'''
_SHARES = {
    SURE: """
    return [1.0]""",
    MEANS: """
    return scores(row)""",
    POWERS: """
    F = scores(row)
    e = [(KEPT * f + SHIFT / len(F)) ** SCALE for f in F]
    whole = 0.0
    for part in e:
        whole += part
    return [part / whole for part in e]""",
    EACH: """
    e = [1.0 / (1.0 + math.exp(min(-SCALE * f, 700.0))) for f in scores(row)]
    whole = 0.0
    for part in e:
        whole += part
    return [part / whole for part in e]""",
    SIGMOID: """
    F = SCORE
    e = math.exp(-abs(F))
    p = [e / (1.0 + e), 1.0 / (1.0 + e)]
    return p if F >= 0 else p[::-1]""",
    SHARE: """
    F = min(max(score(row), -1.0), 1.0)
    return [(1.0 - F) / 2.0, (1.0 + F) / 2.0]""",
    SOFTMAX: """
    F = SCALED
    top = max(F)
    e = [math.exp(f - top) for f in F]
    whole = 0.0
    for part in e:
        whole += part
    return [part / whole for part in e]""",
}


def python_source(model: ModelIR, named: bool) -> str:
    """The Python source: functions of a row, and their tables."""
    sides = [side for part in model.parts for side in part.sides]
    categories = any(source.schema.kind is Kind.CATEGORY for source in model.sources)
    pieces = [_head(model, named)]
    if model.sources:
        pieces.append(_MISSING)
    if _of_times(model):
        pieces.append(_UNITS)
    if any(side.cuts is not None for side in sides):
        pieces.append(_PLACE)
    if categories:
        pieces.append(_CATEGORY)
    if tables := "".join(_tables(model)):
        pieces.append(f"\n\n{tables}")
    if model.branches:
        pieces += [_NUMBER, _ADD, f"\n\n{_cells(model, named)}\n", *_trees(model)]
    scores = _tree_scores(model) if model.branches else _scores(model, named)
    pieces += [f"\n\n{function}\n" for function in (scores, *_answers(model))]
    return "".join(pieces)


def _head(model: ModelIR, named: bool) -> str:
    title, *columns = model.words()
    rows = "row['age']" if named else "row[0]"
    lines = [
        title,
        *model.notes,
        f"A row is anything that has {rows} and so on; None and NaN are missing.",
        *["Times may be a datetime or a timedelta."] * _of_times(model),
        *(f"  {line}" for line in columns),
    ]
    needed = ["import datetime\n"] * _of_times(model)
    forms = {link.form for link in model.links}
    needed += ["import math\n"] * bool(forms & {EXP, SIGMOID, SOFTMAX, EACH})
    return "".join([*(f"# {line}\n" for line in lines), "\n" * bool(needed), *needed])


def _of_times(model: ModelIR) -> bool:
    return any(source.schema.kind in _TIMES for source in model.sources)


def _tables(model: ModelIR) -> Iterator[str]:
    if model.branches:
        yield from _branch_tables(model)
    for i, part in enumerate(model.parts):
        yield f"# {printable(part.name)}\n"
        for k, side in enumerate(part.sides):
            if side.cuts is not None:
                yield f"_CUTS_{i}_{k} = (\n{rows_of(number(c) for c in side.cuts)})\n"
            else:
                yield f"_CODES_{i}_{k} = {{\n{rows_of(_codes(side.source))}}}\n"
        yield f"_VALUES_{i} = (\n{rows_of(number(v) for v in part.values.ravel().tolist())})\n"
    if model.classes:
        yield f"CLASSES = (\n{rows_of(map(_label, model.classes))})\n"


def _codes(source: InputColumn) -> Iterator[str]:
    return (f"{category!r}: {code}" for category, code in source.codes.items())


def _label(label: Any) -> str:
    """A class as a Python literal; of a type that needs an import, its text."""
    return repr(label if isinstance(label, (str, int, float)) else str(label))


def _score_head(K: int) -> list[str]:
    if K == 1:
        return ["def score(row):", '    """The score of a row."""']
    return ["def scores(row):", f'    """The {K} scores of a row."""']


def _scores(model: ModelIR, named: bool) -> str:
    K, head = model.n_outputs, _score_head(model.n_outputs)
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
    """The expression of the bin number of a row."""
    texts = []
    for k, side in enumerate(part.sides):
        value = _cell(side.source, named)
        if side.cuts is not None:
            texts.append(f"_place({value}, _CUTS_{i}_{k})")
        else:
            last = side.n_cells - 1
            unseen = len(side.source.schema.categories) if side.source.joins_pool else last
            texts.append(f"_category({value}, _CODES_{i}_{k}, {last}, {unseen})")
    return part.place(texts)


def _cell(source: InputColumn, named: bool) -> str:
    """The expression of a row's value in a column; times as integers."""
    value = f"row[{source.name!r}]" if named else f"row[{source.feature}]"
    if source.schema.kind in _TIMES:
        zone = "None" if source.schema.tz is None else "datetime.timezone.utc"
        return f"_units({value}, {NANOSECONDS[source.schema.unit]}, {zone})"
    return value


def _answers(model: ModelIR) -> Iterator[str]:
    if model.shares:
        yield from _averaged_answers(model)
        return
    if not model.classes:
        held = f"math.exp(min(score(row), {number(HELD)}))"
        answer = "score(row)" if model.link.form == IDENTITY else held
        yield f'def predict(row):\n    """The number for a row."""\n    return {answer}'
        return
    if model.link.form != UNKNOWN:
        shares = _shares(model.link)
        yield f'def predict_proba(row):\n    """The probability of each class."""{shares}'
    lines = "    return CLASSES[0]"
    if model.n_outputs > 1:
        lines = "    F = scores(row)\n    return CLASSES[F.index(max(F))]"
        if model.second_on_ties and model.n_outputs == 2:
            lines = "    F = scores(row)\n    return CLASSES[F[1] >= F[0]]"
    elif len(model.classes) > 1:
        lines = "    return CLASSES[score(row) > 0]"
    yield f'def predict(row):\n    """The label of a row."""\n{lines}'


def _shares(link: Link) -> str:
    """The lines that turn scores into probabilities."""
    scale = number(link.scale)
    score = "score(row)" if link.scale == 1 else f"{scale} * score(row)"
    score += f" + {number(link.shift)}" if link.shift else ""
    scaled = "scores(row)" if link.scale == 1 else f"[{scale} * f for f in scores(row)]"
    shares = _SHARES[link.form].replace("SCORE", score).replace("SCALED", scaled)
    shares = shares.replace("KEPT", number(1 - link.shift)).replace("SHIFT", number(link.shift))
    return shares.replace("SCALE", scale)


def _averaged_answers(model: ModelIR) -> Iterator[str]:
    """The lines of the mean over the members of a bag."""
    links, n = model.links, len(model.shares)
    for i, link in enumerate(links):
        if link.form == EXP:
            lines = f"\n    return [math.exp(min(F[0], {number(HELD)}))]"
        else:  # of the scores of a member, not of a row
            lines = _shares(link).replace("scores(row)", "F").replace("score(row)", "F[0]")
        yield f'def _answer_{i}(F):\n    """What a member makes of its scores."""{lines}'
    rows = "".join(
        f"    ({s.first}, {s.first + s.n_scores}, _answer_{links.index(s.link)}, {s.classes}),\n"
        for s in model.shares
    )
    scores = "scores(row)" if model.n_outputs > 1 else "[score(row)]"
    mean = [
        f"    F, p = {scores}, [0.0] * {max(1, len(model.classes))}",
        "    for first, last, answer, classes in _MEMBERS:",
        "        for k, part in zip(classes, answer(F[first:last])):",
        "            p[k] += part",
    ]
    yield f"_MEMBERS = (\n{rows})"
    if not model.classes:
        body = ['    """The number for a row."""', *mean, f"    return p[0] / {n}"]
        yield "\n".join(["def predict(row):", *body])
        return
    body = ['    """The probability of each class."""', *mean]
    yield "\n".join(["def predict_proba(row):", *body, f"    return [part / {n} for part in p]"])
    lines = "    p = predict_proba(row)\n    return CLASSES[p.index(max(p))]"
    yield f'def predict(row):\n    """The label of a row."""\n{lines}'


# ------------------------------------------------------------------------------------------- trees


def _branch_tables(model: ModelIR) -> Iterator[str]:
    for source in model.sources:
        if source.schema.kind is Kind.CATEGORY:
            yield f"# {printable(source.name)}\n"
            yield f"_CODES_{source.feature} = {{\n{rows_of(_codes(source))}}}\n"


def _cells(model: ModelIR, named: bool) -> str:
    """The function that reads a row: numbers and category codes, in the order of sources."""
    lines = ["def _cells(row):", '    """The columns that trees ask for, as they ask for them."""']
    lines.append("    return [")
    for place, source in enumerate(model.sources):
        value = f"_number({_cell(source, named)})"
        if source.schema.kind is Kind.CATEGORY:
            unseen = len(source.schema.categories) if source.joins_pool else NO_CATEGORY
            cell = _cell(source, named)
            value = f"_category({cell}, _CODES_{source.feature}, {NO_CATEGORY}, {unseen})"
        lines.append(f"        {value},  # x[{place}]: {printable(source.name)}")
    return "\n".join([*lines, "    ]"])


def _trees(model: ModelIR) -> Iterator[str]:
    places = {source.feature: place for place, source in enumerate(model.sources)}
    categorical = {s.feature for s in model.sources if s.schema.kind is Kind.CATEGORY}
    for t, tree in enumerate(model.branches):
        writer = _TreeWriter(t, tree, places, categorical)
        for node in tree.functions:
            body = "\n".join(writer.lines(node, 1, True))
            yield f"\n\ndef {writer.name(node)}(x, w, F):\n{body}\n"


class _TreeWriter:
    """Writes functions of one tree, which add leaf values to the scores."""

    def __init__(
        self, t: int, tree: Branching, places: dict[int, int], categorical: set[int]
    ) -> None:
        self.t, self.tree, self.places, self.categorical = t, tree, places, categorical

    def name(self, node: int) -> str:
        return f"_tree_{self.t}" + (f"_{node}" if node else "")

    def lines(self, node: int, depth: int, begins: bool = False) -> Iterator[str]:
        space, content = "    " * depth, self.tree.nodes[node]
        if node in self.tree.functions and not begins:
            yield f"{space}{self.name(node)}(x, w, F)"
        elif isinstance(content, Test):
            yield from self._asked(content, depth)
        elif len(content) == 1:
            yield f"{space}F[{self.tree.output}] += w * {number(content[0])}"
        else:
            first = f", {self.tree.output}" * bool(self.tree.output)
            yield f"{space}_add(F, w, ({', '.join(map(number, content))}){first})"

    def _asked(self, test: Test, depth: int) -> Iterator[str]:
        space, word = "    " * depth, "if"
        for asks, what, child in choices(test, test.feature in self.categorical):
            if asks == OTHERWISE:
                if word == "if":  # nothing was asked before
                    yield from self.lines(child, depth)
                    return
                yield f"{space}else:"
            else:
                yield f"{space}{word} {self._condition(test, asks, what)}:"
            word = "elif"
            if child == EVERY_CHILD:
                for part, each in zip(test.parts, test.children, strict=True):
                    yield f"{space}    {self.name(each)}(x, w * {number(part)}, F)"
            else:
                yield from self.lines(child, depth + 1)

    def _condition(self, test: Test, asks: str, what: Any) -> str:
        x = f"x[{self.places[test.feature]}]"
        if asks == MISSING:
            return f"{x} < 0" if test.feature in self.categorical else f"{x} != {x}"
        if asks == AMONG:
            return f"{x} == {what[0]}" if len(what) == 1 else f"{x} in {what}"
        return f"{x} {'>' if asks == ABOVE else '<='} {number(what)}"


def _tree_scores(model: ModelIR) -> str:
    K, head = model.n_outputs, _score_head(model.n_outputs)
    calls = [f"    _tree_{t}(x, {number(tree.vote)}, F)" for t, tree in enumerate(model.branches)]
    base = ", ".join(map(number, model.intercept))
    answer = "F[0]" if K == 1 else "F"
    if model.divisor > 1:
        n = model.divisor
        answer = f"F[0] / {n}" if K == 1 else f"[f / {n} for f in F]"
    return "\n".join([*head, f"    x, F = _cells(row), [{base}]", *calls, f"    return {answer}"])
