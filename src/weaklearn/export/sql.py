"""Export of sums of terms or trees to one SELECT of standard SQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..base.messages.table import printable
from ..base.messages.value_text import show
from ..base.trees.tree_arrays import EVERY_CHILD
from ..base.types import Floats
from ..intake.raw_column import NANOSECONDS, Kind
from .branches import ABOVE, MISSING, NO_CATEGORY, Branching, Test, choices
from .link import EACH, EXP, HELD, MEANS, POWERS, SHARE, SOFTMAX, SURE, UNKNOWN
from .model_ir import InputColumn, ModelIR, Part, Side, number, without_nul

_QUOTES = {'"': '"', "`": "`", "[": "]"}
_BREAK = "\0"  # stands for a line break in the user's texts, which hold none of these
_AT_ONCE = 64  # terms added up in one pair of brackets: databases limit the depth of expressions
_DEEPEST = 10  # tests in one another: some databases cannot parse twenty
_TOP = "top"

Columns = list[tuple[str, str]]  # names and what they are


def sql_source(model: ModelIR, table: Any, keep: Any, quote: str) -> str:
    """The SELECT: one row of predictions for every row of the table."""
    if quote not in _QUOTES:
        allowed = " ".join(_QUOTES)
        raise ValueError(f"quote={show(quote)} is not allowed: it must be one of {allowed}")
    names = [table] if isinstance(table, str) else table
    if not _are_names(names) or len(names) == 0:
        raise ValueError(
            f"table={show(table)} is not allowed: it must be a name, or a tuple of names such as "
            "('schema', 'table')."
        )
    kept = [keep] if isinstance(keep, str) else keep
    if not _are_names(kept):
        raise ValueError(f"keep={show(keep)} is not allowed: it must be names of columns.")
    if model.shares:
        raise ValueError(
            "the members of this bag make something of their scores before these are averaged, "
            "which SQL does not write; use to_python()."
        )
    columns = [text for source in model.sources for text in (source.name, *source.codes)]
    without_nul([*names, *kept, *columns, *model.classes], "SQL")
    return _Writer(model, names, kept, quote).source()


def _are_names(names: Any) -> bool:
    listed = isinstance(names, (list, tuple))
    return listed and all(isinstance(name, str) and name for name in names)


class _Writer:
    """Writes the SELECT of one model for one table."""

    def __init__(
        self, model: ModelIR, table: Sequence[str], keep: Sequence[str], quote: str
    ) -> None:
        self.model, self.quote, self.keep = model, quote, keep
        self.table = ".".join(self.name(name) for name in table)
        # To databases case makes no difference.
        self.labels = [str(label) for label in model.classes]
        if len({label.casefold() for label in self.labels}) < len(self.labels):
            self.labels = [str(k) for k in range(len(self.labels))]
        taken = {name.casefold() for stage in self._stages() for name, _ in stage}
        for name in keep:
            if name.casefold() in taken:
                raise ValueError(
                    f"keep= holds {show(name)}, the name of an answer or of another column kept; "
                    "rename it in the table."
                )
            taken.add(name.casefold())

    def name(self, text: str) -> str:
        """A quoted identifier."""
        end = _QUOTES[self.quote]
        return self.quote + text.replace(end, 2 * end).replace("\n", _BREAK) + end

    # ------------------------------------------------------------------------------------- answers

    def source(self) -> str:
        """The SELECT: scores inside, what follows from them around."""
        scores = [(name, self._sum(k)) for k, name in enumerate(self._scores())]
        query = self._select(scores, self.table)
        for stage in self._stages():
            query = self._select(stage, f"(\n{_indented(query)}\n) AS scored")
        head = "".join(f"-- {line}\n" for line in self._head())
        return (head + query).replace(_BREAK, "\n")

    def _head(self) -> Iterator[str]:
        title, *columns = self.model.words()
        yield title
        yield from self.model.notes
        yield "NULL is missing. The table has the columns"
        for source, line in zip(self.model.sources, columns, strict=True):
            yield f"  {line}"
            yield from self._from_days(source)
        if len(self.model.classes) == 2:
            yield f"probability: that of {printable(str(self.model.classes[1]))}"

    def _from_days(self, source: InputColumn) -> Iterator[str]:
        """What makes the numbers of a column of whole days from dates, in two databases."""
        per_second = NANOSECONDS["s"] // NANOSECONDS.get(source.schema.unit, NANOSECONDS["D"])
        if source.schema.whole_days and source.schema.tz is None and per_second:
            day = printable(self.name(source.name))
            lite, postgres = f"strftime('%s', {day})", f"EXTRACT(EPOCH FROM {day})"
            yield f"    from a date, in SQLite: CAST({lite} AS INTEGER) * {per_second}"
            yield f"    in PostgreSQL: CAST({postgres} AS BIGINT) * {per_second}"

    def _select(self, columns: Columns, table: str) -> str:
        items = [self.name(name) for name in self.keep]
        items += [self._as(name, text) for name, text in columns]
        return "SELECT\n" + ",\n".join(_indented(item) for item in items) + f"\nFROM {table}"

    def _as(self, name: str, text: str) -> str:
        return text if text == self.name(name) else f"{text} AS {self.name(name)}"

    def _scores(self) -> list[str]:
        K = self.model.n_outputs
        return ["score"] if K == 1 else [f"score_{label}" for label in self.labels]

    def _stages(self) -> Iterator[Columns]:
        """The columns of every SELECT around the first, the outermost last."""
        through = [(name, self.name(name)) for name in self._scores()]
        if self.model.n_outputs > 1:
            yield from self._of_several(through)
            return
        F = through[0][1]
        if self.model.classes:
            shares = [] if self.model.link.form == UNKNOWN else [("probability", self._share(F))]
            yield [*through, *shares, ("prediction", self._decided(F))]
        else:
            yield [*through, ("prediction", self._number(F))]

    def _of_several(self, through: Columns) -> Iterator[Columns]:
        """The columns of two or three stages: largest score, parts of probabilities, answers."""
        link, F, top = self.model.link, [text for _, text in through], self.name(_TOP)
        yield [*through, (_TOP, _greatest(F))]
        scaled = F if link.scale == 1 else [f"{number(link.scale)} * {f}" for f in F]
        shares = F if link.form == MEANS else []
        if link.form in (SOFTMAX, EACH, POWERS):
            over = top if link.scale == 1 else f"{number(link.scale)} * {top}"
            powers = [f"EXP({f} - {over})" for f in scaled]
            if link.form == EACH:
                powers = [_sigmoid(f, f"{f} >= 0.0") for f in scaled]
            elif link.form == POWERS:
                rest = number(link.shift / len(F))
                soft = [f"{number(1 - link.shift)} * {f} + {rest}" for f in F]
                powers = [f"POWER({each}, {number(link.scale)})" for each in soft]
            parts = [(f"e{k}", power) for k, power in enumerate(powers)]
            yield [*through, (_TOP, top), *parts]
            names = [self.name(name) for name, _ in parts]
            shares = [f"{name} / ({' + '.join(names)})" for name in names]
        named = [(f"probability_{k}", share) for k, share in zip(self.labels, shares, strict=False)]
        *first, last = (self._label(k) for k in range(len(F)))
        cases = [(f"{f} = {top}", label) for f, label in zip(F, first, strict=False)]
        if self.model.second_on_ties and len(F) == 2:
            cases = [(f"{F[0]} > {F[1]}", self._label(0))]
        yield [*through, *named, ("prediction", _case(cases, last))]

    def _share(self, F: str) -> str:
        """The SQL of the second class's probability."""
        link = self.model.link
        if link.form == SURE:
            return "1.0"
        if link.form == SHARE:
            cases = [(f"{F} <= -1.0", "0.0"), (f"{F} >= 1.0", "1.0")]
            return _case(cases, f"(1.0 + {F}) / 2.0")
        x = F if link.scale == 1 else f"{number(link.scale)} * {F}"
        x += f" + {number(link.shift)}" if link.shift else ""
        return _sigmoid(x, f"{x} >= 0.0")

    def _decided(self, F: str) -> str:
        if len(self.model.classes) == 1:
            return self._label(0)
        return _case([(f"{F} > 0.0", self._label(1))], self._label(0))

    def _number(self, F: str) -> str:
        if self.model.link.form != EXP:
            return F
        return _case([(f"{F} >= {number(HELD)}", f"EXP({number(HELD)})")], f"EXP({F})")

    def _label(self, k: int) -> str:
        label = self.model.classes[k]
        return _literal(label if isinstance(label, (str, int, float)) else str(label))

    # --------------------------------------------------------------------------------------- terms

    def _sum(self, k: int) -> str:
        """The SQL of intercept plus terms and trees, in groups where there are many."""
        texts = [number(self.model.intercept[k])]
        texts += [self._term(part, part.values[..., k]) for part in self.model.parts]
        for tree in self.model.branches:
            texts += _TreeWriter(self, tree, k).texts()
        while len(texts) > _AT_ONCE:
            groups = [texts[i : i + _AT_ONCE] for i in range(0, len(texts), _AT_ONCE)]
            texts = [f"(\n{_indented(_added(group))}\n)" for group in groups]
        n = self.model.divisor
        return _added(texts) if n == 1 else f"(\n{_indented(_added(texts))}\n) / {float(n)}"

    def _term(self, part: Part, values: Floats) -> str:
        side, *others = part.sides
        if not others:
            return self._lookup(side, [number(v) for v in values.tolist()])
        inner = [self._lookup(others[0], [number(v) for v in row]) for row in values.tolist()]
        return self._lookup(side, inner)

    def _lookup(self, side: Side, answers: list[str]) -> str:
        """The SQL that maps a column's value to the answer of its bin."""
        if len(set(answers)) == 1:
            return answers[0]
        column = self.name(side.source.name)
        *known, missing = answers
        if side.cuts is None:
            return self._by_category(side, column, known, missing)
        cases = [(f"{column} IS NULL", missing)]
        cuts = zip(side.cuts, known, strict=False)
        cases += [(f"{column} <= {number(cut)}", answer) for cut, answer in cuts]
        return _case(cases, known[-1])

    def _by_category(self, side: Side, column: str, known: list[str], missing: str) -> str:
        """The WHEN clauses of categories, those of equal answers grouped."""
        members: dict[str, list[Any]] = {}
        for category, code in side.source.codes.items():
            members.setdefault(known[code], []).append(category)
        cases, otherwise = [], missing
        if side.source.joins_pool:
            cases, otherwise = [(f"{column} IS NULL", missing)], known[-1]
        cases += [
            (_among(column, categories), answer)
            for answer, categories in members.items()
            if answer != otherwise
        ]
        return _case(cases, otherwise)


class _TreeWriter:
    """Writes one tree as nested cases for one score; subtrees that lie deep are added apart."""

    def __init__(self, writer: _Writer, tree: Branching, output: int) -> None:
        self.writer, self.tree, self.output = writer, tree, output
        self.sources = {source.feature: source for source in writer.model.sources}
        self.apart: list[tuple[int, list[str]]] = []  # nodes, and all that must hold of their rows

    def texts(self) -> Iterator[str]:
        """What the tree adds to the score: one text, and one for each subtree that lies deep."""
        self.apart = [(0, [])]
        while self.apart:
            node, path = self.apart.pop()
            text = self._node(node, path, 0)
            if text != number(0.0):
                yield _case([(" AND ".join(path), text)], number(0.0)) if path else text

    def _node(self, node: int, path: list[str], depth: int) -> str:
        content = self.tree.nodes[node]
        if not isinstance(content, Test):
            place = self.output - self.tree.output
            inside = 0 <= place < len(content)
            return number(self.tree.vote * content[place] if inside else 0.0)
        if depth == _DEEPEST:
            self.apart.append((node, path))
            return number(0.0)
        cases, otherwise = self._cases(content)
        branches = [str(k) for k in range(len(cases) + 1)]
        which = _case(
            [(test, k) for (test, _), k in zip(cases, branches, strict=False)], branches[-1]
        )
        children = [child for _, child in cases] + [otherwise]
        *answers, last = (
            self._node(child, [*path, f"{which} = {k}"], depth + 1)
            for child, k in zip(children, branches, strict=True)
        )
        if all(answer == last for answer in answers):
            return last
        return _case([(test, a) for (test, _), a in zip(cases, answers, strict=True)], last)

    def _cases(self, test: Test) -> tuple[list[tuple[str, int]], int]:
        """Conditions with the children that they lead to, and the child of all other rows."""
        if test.missing == EVERY_CHILD:
            raise ValueError(
                "missing values go to every branch of this model in part, which SQL does not "
                "write; use to_python()."
            )
        source = self.sources[test.feature]
        column = self.writer.name(source.name)
        if source.schema.kind is Kind.CATEGORY:
            return self._by_category(test, source, column)
        *cases, (_, _, otherwise) = choices(test, False)
        texts = []
        for asks, cut, child in cases:
            asked = (
                "IS NULL" if asks == MISSING else f"{'>' if asks == ABOVE else '<='} {number(cut)}"
            )
            texts.append((f"{column} {asked}", child))
        return texts, otherwise

    def _by_category(
        self, test: Test, source: InputColumn, column: str
    ) -> tuple[list[tuple[str, int]], int]:
        """Those cases for a column of categories; unknown ones are among all other rows."""

        def child(code: int) -> int:
            if code == NO_CATEGORY:
                return test.children[test.missing]
            if test.sets is not None:
                return next(c for c, s in zip(test.children, test.sets, strict=False) if code in s)
            return test.children[test.cut is not None and code > test.cut]

        cases, missing = [], child(NO_CATEGORY)
        otherwise = child(len(source.schema.categories)) if source.joins_pool else missing
        if otherwise != missing:
            cases.append((f"{column} IS NULL", missing))
        members: dict[int, list[Any]] = {}
        for category, code in source.codes.items():
            members.setdefault(child(code), []).append(category)
        cases += [(_among(column, of), c) for c, of in members.items() if c != otherwise]
        return cases, otherwise


def _sigmoid(x: str, positive: str) -> str:
    return _case([(positive, f"1.0 / (1.0 + EXP(-({x})))")], f"EXP({x}) / (1.0 + EXP({x}))")


def _among(column: str, categories: list[Any]) -> str:
    if len(categories) == 1:
        return f"{column} = {_literal(categories[0])}"
    return f"{column} IN ({', '.join(map(_literal, categories))})"


def _literal(value: Any) -> str:
    """An SQL literal: a text with its quotes doubled, or a number; a bool is 0 or 1."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''").replace("\n", _BREAK) + "'"
    return number(value)


def _case(cases: Columns, otherwise: str) -> str:
    if not cases:
        return otherwise
    lines = [f"WHEN {test} THEN {answer}" for test, answer in cases]
    return "\n".join(["CASE", *map(_indented, [*lines, f"ELSE {otherwise}"]), "END"])


def _greatest(F: list[str]) -> str:
    """The SQL of the largest of several columns, by comparisons."""
    cases = [(" AND ".join(f"{F[k]} >= {f}" for f in F[k + 1 :]), F[k]) for k in range(len(F) - 1)]
    return _case(cases, F[-1])


def _indented(text: str) -> str:
    return "  " + text.replace("\n", "\n  ")


def _added(texts: list[str]) -> str:
    return "\n+ ".join(texts)
