"""An additive model as plain C99."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .column import Kind, show
from .link import EXP, HELD, SHARE, SIGMOID, SOFTMAX
from .transcript import Part, Side, Source, Transcript, number, rows_of, without_nul

_RANKED = (Kind.WIDE, Kind.MOMENT, Kind.DURATION)
_PLAIN = re.compile(r"[A-Za-z0-9 _.,:;(){}<>=+*/!&|^~#'-]")  # no trigraph, no escape

_PLACE = """
/* The number of cuts below x; one cell more for missing values. */
static int NAME_place(const double *cuts, int n, double x) {
  int low = 0, high = n;
  if (x != x) return n + 1;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (x > cuts[middle]) low = middle + 1;
    else high = middle;
  }
  return low;
}
"""
_CODE = """
/* The number of a level; n for missing values. */
static int NAME_code(double x, int n) { return x >= 0 && x < n ? (int)x : n; }
"""
_LEVEL = """
/* The number of a level, given as text in UTF-8; a null pointer is missing. */
double NAME_level(int column, const char *text) {
  if (!text) return NAN;
  switch (column) {
"""
_RANK = """
/* The rank of a whole number that doubles may not hold: a moment, a duration, a wide integer. */
double NAME_rank(int column, long long value) {
  int rank = 0;
  switch (column) {
"""
_DEFAULT = """  default: return NAN;
  }
}
"""
_SHARES = {
    SIGMOID: """
void NAME_probabilities(const double *x, double *p) {
  const double F = SCALENAME_score(x);
  const double e = exp(F < 0 ? F : -F);
  const double more = 1.0 / (1.0 + e), less = e / (1.0 + e);
  p[0] = F < 0 ? more : less;
  p[1] = F < 0 ? less : more;
}
""",
    SHARE: """
void NAME_probabilities(const double *x, double *p) {
  const double F = NAME_score(x);
  const double G = F < -1.0 ? -1.0 : F > 1.0 ? 1.0 : F;
  p[0] = (1.0 - G) / 2.0;
  p[1] = (1.0 + G) / 2.0;
}
""",
    SOFTMAX: """
void NAME_probabilities(const double *x, double *p) {
  double top, whole = 0.0;
  int k;
  NAME_scores(x, p);
  top = p[0];
  for (k = 1; k < NAME_N_CLASSES; ++k) top = p[k] > top ? p[k] : top;
  for (k = 0; k < NAME_N_CLASSES; ++k) whole += p[k] = exp(p[k] - top);
  for (k = 0; k < NAME_N_CLASSES; ++k) p[k] /= whole;
}
""",
}
_SURE = """
void NAME_probabilities(const double *x, double *p) { (void)x; p[0] = 1.0; }

int NAME_predict(const double *x) { (void)x; return 0; }
"""
_SIGN = """
/* The number of the class among NAME_classes. */
int NAME_predict(const double *x) { return NAME_score(x) > 0; }
"""
_BEST = """
/* The number of the class among NAME_classes. */
int NAME_predict(const double *x) {
  double F[NAME_N_CLASSES];
  int k, best = 0;
  NAME_scores(x, F);
  for (k = 1; k < NAME_N_CLASSES; ++k) if (F[k] > F[best]) best = k;
  return best;
}
"""
_NUMBER = """
double NAME_predict(const double *x) { return NAME_score(x); }
"""
_POWER = """
double NAME_predict(const double *x) {
  const double F = NAME_score(x);
  return exp(F < HELD ? F : HELD);
}
"""


def c_source(model: Transcript, name: str) -> str:
    """The source, every name in it beginning with the given one."""
    if not isinstance(name, str) or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,62}", name):
        raise ValueError(
            f"name={show(name)} is not allowed: it must be letters, digits and underscores, a "
            "letter first."
        )
    levels = [level for s in model.sources for level in (*s.schema.levels, *s.schema.pooled)]
    without_nul([*levels, *model.classes], "C")
    return _Writer(model, name).source()


class _Writer:
    """A model, and for columns of dates and wide integers all cuts that terms make there."""

    def __init__(self, model: Transcript, name: str) -> None:
        self.model, self.name = model, name
        self.sides = [side for part in model.parts for side in part.sides]
        self.marks: dict[int, list[int]] = {}
        for source in model.sources:
            if source.schema.kind in _RANKED:
                mine = {cut for s in self.sides if s.source is source for cut in s.cuts or ()}
                self.marks[source.feature] = sorted(mine)
                _check_range(source, self.marks[source.feature])

    def source(self) -> str:
        texts = [self._head(), "\n#include <math.h>\n#include <string.h>\n\n", self._names()]
        if any(side.cuts is not None for side in self.sides):
            texts.append(self._filled(_PLACE))
        if any(side.cuts is None for side in self.sides):
            texts += [self._filled(_CODE), *self._levels()]
        if self.marks:
            texts += self._ranks()
        return "".join([*texts, "\n", *self._tables(), *self._scores(), self._answers()])

    def _filled(self, template: str) -> str:
        """A piece of C that holds nothing of the user's, with the names of this model."""
        return template.replace("NAME", self.name)

    # ---------------------------------------------------------------------------------------- head

    def _head(self) -> str:
        title, *columns = self.model.words()
        told = zip(self.model.sources, columns, strict=True)
        lines = [
            title,
            *self.model.notes,
            f"x holds {self.model.n_features} numbers, NAN where a value is missing; used are",
            *(f"  x[{source.feature}]  {line}{self._numbered(source)}" for source, line in told),
        ]
        return "/*\n" + "".join(f" * {_comment(line)}\n" for line in lines) + " */\n"

    def _numbered(self, source: Source) -> str:
        if source.schema.kind is Kind.CATEGORY:
            return f", as {self.name}_level({source.feature}, text) numbers it"
        if source.schema.kind in _RANKED:
            return f", as {self.name}_rank({source.feature}, value) numbers it"
        return ""

    def _names(self) -> str:
        text = f"#define {self.name}_N_FEATURES {self.model.n_features}\n"
        if self.model.classes:
            text += f"#define {self.name}_N_CLASSES {len(self.model.classes)}\n\n"
            labels = rows_of(_text(str(label)) for label in self.model.classes)
            text += f"const char *const {self.name}_classes[] = {{\n{labels}}};\n"
        return text

    def _levels(self) -> Iterator[str]:
        """The function from a level's text to its number."""
        yield self._filled(_LEVEL)
        for source in self.model.sources:
            if source.schema.kind is Kind.CATEGORY:
                yield f"  case {source.feature}: /* {_comment(source.name)} */\n"
                yield from self._cases(source)
        yield _DEFAULT

    def _cases(self, source: Source) -> Iterator[str]:
        schema = source.schema
        pool = len(schema.levels)
        for code, level in enumerate(schema.levels):
            yield f"    if (!strcmp(text, {_text(str(level))})) return {code};\n"
        if not source.joins_pool:
            for level in sorted(schema.pooled):
                yield f"    if (!strcmp(text, {_text(str(level))})) return {pool};\n"
        yield f"    return {pool if source.joins_pool else 'NAN'};\n"

    def _ranks(self) -> Iterator[str]:
        """The function from a whole number to the number of cuts below it."""
        yield self._filled(_RANK)
        for source in self.model.sources:
            if (marks := self.marks.get(source.feature)) is not None:
                yield f"  case {source.feature}: {{ /* {_comment(source.name)} */\n"
                yield f"    static const long long cuts[] = {{\n{rows_of(map(_long, marks or [0]))}"
                yield f"    }};\n    while (rank < {len(marks)} && value > cuts[rank]) ++rank;\n"
                yield "    return rank;\n  }\n"
        yield _DEFAULT

    # --------------------------------------------------------------------------------------- terms

    def _tables(self) -> Iterator[str]:
        for i, part in enumerate(self.model.parts):
            yield f"/* {_comment(part.name)} */\n"
            for k, side in enumerate(part.sides):
                if side.cuts is not None:
                    yield self._table(f"cuts_{i}_{k}", self._cuts(side) or ["0.0"])
            yield self._table(f"values_{i}", [number(v) for v in part.values.ravel().tolist()])

    def _table(self, name: str, items: list[str]) -> str:
        return f"static const double {self.name}_{name}[] = {{\n{rows_of(items)}}};\n"

    def _cuts(self, side: Side) -> list[str]:
        marks, cuts = self.marks.get(side.source.feature), side.cuts or ()
        if marks is None:
            return [number(cut) for cut in cuts]
        return [number(float(marks.index(cut))) for cut in cuts]

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
        """The number of the cell of a row."""
        texts = []
        for k, side in enumerate(part.sides):
            x = f"x[{side.source.feature}]"
            if side.cuts is None:
                texts.append(f"{self.name}_code({x}, {side.n_cells - 1})")
            else:
                cuts = f"{self.name}_cuts_{i}_{k}"
                texts.append(f"{self.name}_place({cuts}, {len(side.cuts)}, {x})")
        if len(texts) == 1:
            return texts[0]
        return f"{part.sides[1].n_cells} * {texts[0]} + {texts[1]}"

    def _answers(self) -> str:
        link = self.model.link
        if not self.model.classes:
            template = _POWER.replace("HELD", number(HELD)) if link.form == EXP else _NUMBER
        elif link.form not in _SHARES:
            template = _SURE
        else:
            scale = "" if link.scale == 1 else f"{number(link.scale)} * "
            decision = _BEST if link.form == SOFTMAX else _SIGN
            template = _SHARES[link.form].replace("SCALE", scale) + decision
        return self._filled(template)


def _check_range(source: Source, marks: list[int]) -> None:
    if any(not -(2**63) <= mark < 2**63 for mark in marks):
        raise ValueError(
            f"column {show(source.name)} is cut at whole numbers beyond 64 bits, which C has no "
            "type for; use to_python()."
        )


def _long(value: int) -> str:
    return f"{value}LL" if value > -(2**63) else "(-9223372036854775807LL - 1)"


def _text(text: str) -> str:
    """A string literal: bytes of UTF-8, in octal where they could mean anything else."""
    data = text.encode("utf-8", "surrogatepass")
    plain = (chr(byte) if _PLAIN.fullmatch(chr(byte)) else f"\\{byte:03o}" for byte in data)
    return '"' + "".join(plain) + '"'


def _comment(text: Any) -> str:
    """A text that neither ends a comment, begins one, nor joins lines."""
    plain = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in str(text))
    ascii_only = plain.encode("ascii", "backslashreplace").decode()
    for mark in ("*/", "/*", "??"):
        while mark in ascii_only:
            ascii_only = ascii_only.replace(mark, f"{mark[0]} {mark[1]}")
    return ascii_only.rstrip("\\")
