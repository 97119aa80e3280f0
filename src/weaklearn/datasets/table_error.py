"""The error of a file that is no valid table."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..base.messages.spelling import nearest

# The remedies as arguments of ``read_table``; the command line has a table of its own.
REMEDIES = {
    "categorical": "correct it, name it in missing=, or read the column as types={{{column}: "
    "'category'}}",
    "declared": "correct it, or name it in missing=",
    "finite": "correct it, or name it in missing= if it stands for no value",
    "decimal": "pass decimal=','",
    "comma": "leave the commas out, or pass decimal=',' if that is what they are",
    "dates": "pass dates='dmy' or dates='mdy'",
    "encoding": "name the encoding, for example encoding='latin-1'",
    "header": "pass header=False",
    "delimiter": "name the delimiter, for example delimiter=';'",
    "parquet": "pip install pyarrow, or save the table as CSV",
}


class TableError(ValueError):
    """A file that is no valid table: the problem, its place, and the remedy.

    ``problem`` says it without the remedy, whose key in the table of remedies is ``hint``; ``line``
    and ``column`` are where it was found, as far as that is known.
    """

    def __init__(
        self, problem: str, hint: str = "", line: int | None = None, column: str | None = None
    ) -> None:
        self.problem, self.hint, self.line, self.column = problem, hint, line, column
        super().__init__(self.sentence(REMEDIES))

    def sentence(self, remedies: dict[str, str]) -> str:
        """The message with the remedy taken from ``remedies`` by its hint."""
        remedy = remedies.get(self.hint, "").format(column=repr(self.column))
        if remedy:
            return f"{self.problem}; {remedy}."
        return self.problem if self.problem.endswith((".", "?")) else f"{self.problem}."


def check_columns(file: str, names: Sequence[str], wanted: Collection[str]) -> None:
    """Refuses column names that a file does not have."""
    known = set(names)
    for name in wanted:
        if name not in known:
            listed = ", ".join(map(repr, names[:10])) + ", ..." * (len(names) > 10)
            raise TableError(
                f"{file} has no column {name!r}; its columns are {listed}."
                f"{nearest(name, list(names))}"
            )
