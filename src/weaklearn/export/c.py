"""Export of sums of terms or trees to C99."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from ..base.messages.value_text import show
from ..base.trees.tree_arrays import EVERY_CHILD
from ..intake.raw_column import Kind
from .branches import ABOVE, AMONG, MISSING, NO_CATEGORY, OTHERWISE, Branching, Test, choices
from .link import EXP, HELD, SURE, UNKNOWN, Link
from .model_ir import InputColumn, ModelIR, Part, number, rows_of, without_nul

_PLAIN = re.compile(r"[A-Za-z0-9 _.,:;(){}<>=+*/!&|^~#'-]")  # no trigraph, no escape


@cache
def _templates() -> dict[str, str]:
    """The functions of functions.c by name."""
    text = files(__package__).joinpath("functions.c").read_text("utf-8")
    return dict(re.findall(r"^/// (\w+)\n(.*?)(?=^/// |\Z)", text, re.M | re.S))


def c_source(model: ModelIR, name: str) -> str:
    """The C source; every name in it begins with ``name``."""
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,62}", name):
        raise ValueError(
            f"name={show(name)} is not allowed: it must be letters, digits and underscores, a "
            "letter first."
        )
    categories = [c for s in model.sources for c in (*s.schema.categories, *s.schema.pooled)]
    without_nul([*categories, *model.classes], "C")
    return _Writer(model, name).source()


class _Writer:
    """Writes the C source of one model."""

    def __init__(self, model: ModelIR, name: str) -> None:
        self.model, self.name = model, name
        self.sides = [side for part in model.parts for side in part.sides]
        ranked = (source for source in model.sources if source.ranked)
        self.marks = {source.feature: model.cuts(source, "C") for source in ranked}

    def source(self) -> str:
        texts = [self._head(), "\n#include <math.h>\n#include <string.h>\n\n", self._names()]
        if any(side.cuts is not None for side in self.sides):
            texts.append(self._filled("place"))
        if any(source.schema.kind is Kind.CATEGORY for source in self.model.sources):
            texts += [self._filled("code"), *self._categories()]
        if self.marks:
            texts += self._ranks()
        if self.model.branches:
            scores = [*_TreeWriter(self).functions(), *self._tree_scores()]
        else:
            scores = ["\n", *self._tables(), *self._scores()]
        return "".join([*texts, *scores, self._answers()])

    def _filled(self, template: str, link: Link | None = None, **others: str) -> str:
        """A function of functions.c with names, the numbers of a link, and others filled in."""
        text = _templates()[template].replace("HELD", number(HELD))
        for mark, what in others.items():
            text = text.replace(mark, what)
        if link is not None:
            text = text.replace("SCALE * ", "") if link.scale == 1 else text
            text = text.replace(" + SHIFT", f" + {number(link.shift)}" if link.shift else "")
            text = text.replace("KEPT", number(1 - link.shift)).replace("REST", number(link.shift))
            text = text.replace("SCALE", number(link.scale))
        return text.replace("NAME", self.name)

    # ---------------------------------------------------------------------------------------- head

    def _head(self) -> str:
        title, *columns = self.model.words()
        named = zip(self.model.sources, columns, strict=True)
        lines = [
            title,
            *self.model.notes,
            f"x holds {self.model.n_features} numbers, NAN where a value is missing; used are",
            *(f"  x[{source.feature}]  {line}{self._numbered(source)}" for source, line in named),
        ]
        return "/*\n" + "".join(f" * {_comment(line)}\n" for line in lines) + " */\n"

    def _numbered(self, source: InputColumn) -> str:
        if source.schema.kind is Kind.CATEGORY:
            return f", as {self.name}_category({source.feature}, text) numbers it"
        if source.ranked:
            return f", as {self.name}_rank({source.feature}, value) numbers it"
        return ""

    def _names(self) -> str:
        text = f"#define {self.name}_N_FEATURES {self.model.n_features}\n"
        if self.model.classes:
            text += f"#define {self.name}_N_CLASSES {len(self.model.classes)}\n"
        if self.model.branches:
            text += f"#define {self.name}_N_SCORES {self.model.n_outputs}\n"
        if self.model.classes:
            text += "\n"
            labels = rows_of(_text(str(label)) for label in self.model.classes)
            text += f"const char *const {self.name}_classes[] = {{\n{labels}}};\n"
        return text

    def _categories(self) -> Iterator[str]:
        """The C function from the text of a category to its code."""
        yield self._filled("category")
        for source in self.model.sources:
            if source.schema.kind is Kind.CATEGORY:
                yield f"  case {source.feature}: /* {_comment(source.name)} */\n"
                yield from self._cases(source)
        yield self._filled("default")

    def _cases(self, source: InputColumn) -> Iterator[str]:
        for category, code in source.codes.items():
            yield f"    if (!strcmp(text, {_text(str(category))})) return {code};\n"
        yield f"    return {len(source.schema.categories) if source.joins_pool else 'NAN'};\n"

    def _ranks(self) -> Iterator[str]:
        """The C function from an integer to the number of cuts below it."""
        yield self._filled("rank")
        for source in self.model.sources:
            if (marks := self.marks.get(source.feature)) is not None:
                yield f"  case {source.feature}: {{ /* {_comment(source.name)} */\n"
                yield f"    static const long long cuts[] = {{\n{rows_of(map(_long, marks or [0]))}"
                yield f"    }};\n    while (rank < {len(marks)} && value > cuts[rank]) ++rank;\n"
                yield "    return rank;\n  }\n"
        yield self._filled("default")

    # --------------------------------------------------------------------------------------- terms

    def _tables(self) -> Iterator[str]:
        for i, part in enumerate(self.model.parts):
            yield f"/* {_comment(part.name)} */\n"
            for k, side in enumerate(part.sides):
                if side.cuts is not None:
                    cuts = [self.cut(side.source.feature, cut) for cut in side.cuts]
                    yield self._table(f"cuts_{i}_{k}", cuts or ["0.0"])
            yield self._table(f"values_{i}", [number(v) for v in part.values.ravel().tolist()])

    def _table(self, name: str, items: list[str]) -> str:
        return f"static const double {self.name}_{name}[] = {{\n{rows_of(items)}}};\n"

    def cut(self, feature: int, cut: Any) -> str:
        """A cut as C compares numbers of x with it."""
        marks = self.marks.get(feature)
        return number(cut) if marks is None else number(float(marks.index(cut)))

    def _scores(self) -> Iterator[str]:
        K, name, unused = self.model.n_outputs, self.name, "  (void)x;\n" * (not self.model.parts)
        if K == 1:
            yield f"\ndouble {name}_score(const double *x) {{\n"
            yield f"  double F = {number(self.model.intercept[0])};\n"
        else:
            yield f"\nvoid {name}_scores(const double *x, double *F) {{\n  int i;\n"
            yield from (f"  F[{k}] = {number(b)};\n" for k, b in enumerate(self.model.intercept))
            unused += "  (void)i;\n" * (not self.model.parts)
        for i, part in enumerate(self.model.parts):
            where, values = self._where(i, part), f"{name}_values_{i}"
            if K == 1:
                yield f"  F += {values}[{where}];\n"
            else:
                yield f"  i = {K} * ({where});\n"
                yield from (f"  F[{k}] += {values}[i + {k}];\n" for k in range(K))
        yield unused + ("  return F;\n}\n" if K == 1 else "}\n")

    def _where(self, i: int, part: Part) -> str:
        """The C expression of the bin number of a row."""
        texts = []
        for k, side in enumerate(part.sides):
            x = f"x[{side.source.feature}]"
            if side.cuts is None:
                texts.append(f"{self.name}_code({x}, {side.n_cells - 1})")
            else:
                cuts = f"{self.name}_cuts_{i}_{k}"
                texts.append(f"{self.name}_place({cuts}, {len(side.cuts)}, {x})")
        return part.place(texts)

    def _tree_scores(self) -> Iterator[str]:
        K, name = self.model.n_outputs, self.name
        base = list(map(number, self.model.intercept))
        if K == 1:
            yield f"\ndouble {name}_score(const double *x) {{\n  double F[1] = {{{base[0]}}};\n"
        else:
            yield f"\nvoid {name}_scores(const double *x, double *F) {{\n"
            yield from (f"  F[{k}] = {b};\n" for k, b in enumerate(base))
        for t, tree in enumerate(self.model.branches):
            yield f"  {name}_tree_{t}(x, {number(tree.vote)}, F);\n"
        n = self.model.divisor
        if n > 1:
            yield from (f"  F[{k}] /= {n};\n" for k in range(K))
        yield "  return F[0];\n}\n" if K == 1 else "}\n"

    def _answers(self) -> str:
        model, link = self.model, self.model.link
        if model.shares:
            return "".join(self._averaged_answers())
        if not model.classes:
            return self._filled("power" if link.form == EXP else "number")
        decision = "best" if model.n_outputs > 1 else "first" if link.form == SURE else "sign"
        if model.second_on_ties and model.n_outputs == 2:
            decision = "second"
        shares = "" if link.form == UNKNOWN else self._filled(link.form, link)
        return shares + self._filled(decision)

    def _averaged_answers(self) -> Iterator[str]:
        """The C code of the mean over the members of a bag."""
        model, name, K = self.model, self.name, max(1, len(self.model.classes))
        kinds = list(dict.fromkeys((share.link, len(share.classes)) for share in model.shares))
        for i, (link, n) in enumerate(kinds):
            of_scores = {  # of a member, not of a row
                "void NAME_probabilities": f"static void NAME_answer_{i}",
                "NAME_scores(x, p)": f"memcpy(p, x, {n} * sizeof *p)",
                "NAME_score(x)": "x[0]",
                "NAME_N_CLASSES": str(n),
            }
            form = "powered" if link.form == EXP else link.form
            yield self._filled(form, link, **of_scores)
        yield f"\nvoid {name}_{'probabilities' if model.classes else 'mean'}"
        yield f"(const double *x, double *p) {{\n  double F[{model.n_outputs}], q[{K}];\n  int k;\n"
        yield (
            f"  F[0] = {name}_score(x);\n" if model.n_outputs == 1 else f"  {name}_scores(x, F);\n"
        )
        yield f"  for (k = 0; k < {K}; ++k) p[k] = 0.0;\n"
        for share in model.shares:
            i = kinds.index((share.link, len(share.classes)))
            added = (f"p[{k}] += q[{place}];" for place, k in enumerate(share.classes))
            yield f"  {name}_answer_{i}(F + {share.first}, q);\n  {' '.join(added)}\n"
        yield f"  for (k = 0; k < {K}; ++k) p[k] /= {len(model.shares)};\n}}\n"
        of_shares = {"NAME_scores(x, F)": "NAME_probabilities(x, F)"}
        yield self._filled("best" if model.classes else "mean", None, **of_shares)


class _TreeWriter:
    """Writes C functions of trees, which add leaf values to the scores."""

    def __init__(self, writer: _Writer) -> None:
        self.writer, self.model, self.name = writer, writer.model, writer.name
        self.n_categories = {
            source.feature: source.schema.n_categories
            for source in self.model.sources
            if source.schema.kind is Kind.CATEGORY
        }
        self.titles = {source.feature: _comment(source.name) for source in self.model.sources}
        self.sets: dict[tuple[int, ...], int] = {}

    def functions(self) -> Iterator[str]:
        texts = []
        for t, tree in enumerate(self.model.branches):
            for node in tree.functions:
                body = "\n".join(self._lines(t, tree, node, 1, True))
                head = f"static void {self._called(t, node)}(const double *x, double w, double *F)"
                unused = "" if isinstance(tree.nodes[node], Test) else "  (void)x;\n"
                texts.append(f"\n{head} {{\n{unused}{body}\n}}\n")
        if self.model.n_outputs > 1 and any(_wide(tree) for tree in self.model.branches):
            yield self.writer._filled("add")
        if self.sets:
            yield self.writer._filled("has")
            rows = "".join(f"  {{{row}}},\n" for row in map(_bytes, self.sets))
            yield f"\nstatic const unsigned char {self.name}_sets[][32] = {{\n{rows}}};\n"
        yield from texts

    def _called(self, t: int, node: int) -> str:
        return f"{self.name}_tree_{t}" + (f"_{node}" if node else "")

    def _lines(
        self, t: int, tree: Branching, node: int, depth: int, begins: bool = False
    ) -> Iterator[str]:
        space, content = "  " * depth, tree.nodes[node]
        if node in tree.functions and not begins:
            yield f"{space}{self._called(t, node)}(x, w, F);"
        elif isinstance(content, Test):
            yield from self._asked(t, tree, content, depth)
        elif len(content) == 1:
            yield f"{space}F[{tree.output}] += w * {_plain(content[0])};"
        else:
            values = ", ".join(map(number, content))
            yield f"{space}static const double v[] = {{{values}}};"
            scores = f"F + {tree.output}" if tree.output else "F"
            yield f"{space}{self.name}_add({scores}, w, v, {len(content)});"

    def _asked(self, t: int, tree: Branching, test: Test, depth: int) -> Iterator[str]:
        space, before = "  " * depth, ""
        for asks, what, child in choices(test, test.feature in self.n_categories):
            if asks == OTHERWISE and not before:  # nothing was asked
                yield f"{space}{{"
            elif asks == OTHERWISE:
                yield f"{space}}} else {{"
            else:
                note = "" if before else f" /* {self.titles[test.feature]} */"
                yield f"{space}{before}if ({self._condition(test, asks, what)}) {{{note}"
            before = "} else "
            if child == EVERY_CHILD:
                for part, each in zip(test.parts, test.children, strict=True):
                    yield f"{space}  {self._called(t, each)}(x, w * {number(part)}, F);"
            else:
                yield from self._lines(t, tree, child, depth + 1)
        yield f"{space}}}"

    def _condition(self, test: Test, asks: str, what: Any) -> str:
        x, n = f"x[{test.feature}]", self.n_categories.get(test.feature)
        if asks == MISSING:
            return f"{x} != {x}" if n is None else f"{self.name}_code({x}, {n}) == {n}"
        if asks == AMONG:
            assert n is not None
            members = tuple(sorted(n if category == NO_CATEGORY else category for category in what))
            if len(members) == 1:
                return f"{self.name}_code({x}, {n}) == {members[0]}"
            place = self.sets.setdefault(members, len(self.sets))
            return f"{self.name}_has({self.name}_sets[{place}], {x}, {n})"
        cut = self.writer.cut(test.feature, what)
        return f"{x} {'>' if asks == ABOVE else '<='} {cut}"


def _wide(tree: Branching) -> bool:
    """Whether leaves hold several numbers."""
    return any(not isinstance(node, Test) and len(node) > 1 for node in tree.nodes)


def _bytes(members: tuple[int, ...]) -> str:
    """A set of category codes as a bit set in bytes."""
    data = bytearray(32)
    for category in members:
        data[category // 8] |= 1 << category % 8
    return ", ".join(map(str, data))


def _plain(value: float) -> str:
    """A number that may follow a multiplication sign."""
    return number(value) if value >= 0 else f"({number(value)})"


def _long(value: int) -> str:
    return f"{value}LL" if value > -(2**63) else "(-9223372036854775807LL - 1)"


def _text(text: str) -> str:
    """A C string literal, in UTF-8 with octal escapes."""
    data = text.encode("utf-8", "surrogatepass")
    plain = (chr(byte) if _PLAIN.fullmatch(chr(byte)) else f"\\{byte:03o}" for byte in data)
    return '"' + "".join(plain) + '"'


def _comment(text: Any) -> str:
    """A text that is safe inside a C comment."""
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))
    ascii_only = plain.encode("ascii", "backslashreplace").decode()
    for mark in ("*/", "/*", "??"):
        while mark in ascii_only:
            ascii_only = ascii_only.replace(mark, f"{mark[0]} {mark[1]}")
    return ascii_only.rstrip("\\")
