"""What is printed and written: colours on terminals only, JSON that parses, harmless cells."""

from __future__ import annotations

import csv
import io
import json
import tomllib
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.base.messages.table import Table
from weaklearn.cli import output, sink
from weaklearn.cli.model import setting


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def shown(table: Table, stream: io.StringIO) -> str:
    with redirect_stdout(stream):
        output.show(table, "Title [red]")
    return stream.getvalue()


def test_names_are_no_markup_on_a_terminal() -> None:
    table = Table("t", ["[bold]name"], [("[red]x[/]",), ("\u202ey",)], note="[i]note")
    for stream in (io.StringIO(), Terminal()):
        text = shown(table, stream)
        for told in ("[bold]name", "[red]x[/]", "[i]note", "Title [red]"):
            assert told in text
        assert "\u202e" not in text


def test_a_pipe_has_no_colours() -> None:
    assert "\x1b" not in shown(Table("t", ["a"], [(1,)]), io.StringIO())


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_any_value_is_json(value: Any) -> None:
    json.loads(json.dumps(output.plain(value), allow_nan=False))


def test_values_of_numpy_are_json() -> None:
    value = {"a": np.arange(3), "b": np.float64("nan"), "c": np.bool_(True), "d": np.str_("x")}
    assert output.plain(value) == {"a": [0, 1, 2], "b": None, "c": True, "d": "x"}


@given(st.lists(st.text(max_size=8), min_size=1, max_size=6))
def test_no_cell_is_a_formula(texts: list[str]) -> None:
    file = io.StringIO(newline="")
    column = np.empty(len(texts), object)
    column[:] = texts
    sink._Csv(file, ",", ".").write({"=name": column, "n": np.arange(len(texts)) - 1.0})
    file.seek(0)
    rows = list(csv.reader(file))
    assert rows[0] == ["'=name", "n"]
    for text, (cell, number) in zip(texts, rows[1:], strict=True):
        assert cell in (text, "'" + text)
        if cell.startswith(("=", "+", "-", "@")):
            float(cell)  # a number is harmless
        float(number)


@pytest.mark.parametrize("text", ["\n=1+1", "\uff1dcmd()", "\uff0b1", "\uff0d1", "\uff20x", "\t=1"])
def test_other_beginnings_of_formulas(text: str) -> None:
    assert sink.harmless(text) == "'" + text


def test_parquet_takes_a_first_block_without_any_text(tmp_path: Path) -> None:
    read = pytest.importorskip("pyarrow.parquet").read_table
    path = tmp_path / "p.parquet"
    with sink.opened(str(path), False) as target:
        target.write({"kept": np.array([None, None], object), "p": np.array([0.5, 1.0])})
        target.write({"kept": np.array(["x", None], object), "p": np.array([0.0, 1.0])})
    assert read(path).to_pydict() == {"kept": [None, None, "x", None], "p": [0.5, 1.0, 0.0, 1.0]}


def test_settings() -> None:
    assert setting("learning_rate=0.1") == ("learning_rate", 0.1)
    assert setting("max_depth=None") == ("max_depth", None)
    assert setting("quantile=[0.1, 0.9]") == ("quantile", [0.1, 0.9])
    assert setting("estimator=tree") == ("estimator", "tree")
    assert setting("tol=NaN") == ("tol", "NaN")  # refused later, as a text


def test_the_entry_point() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))
    module, _, name = project["project"]["scripts"]["weaklearn"].partition(":")
    assert callable(getattr(import_module(module), name))
