"""Files, functions and folders are short, and modules import what they use at their top.

What is not so yet is listed in ``layout.toml``. The list only shrinks: a listed file may not get
worse, and an entry that is no longer needed must go.
"""

from __future__ import annotations

import tomllib
from graphlib import TopologicalSorter

import pytest

from tests.layout import MEASURES, ROOT, import_graph

LISTED = tomllib.loads((ROOT / "tests" / "layout.toml").read_text())


@pytest.mark.parametrize("measure", MEASURES)
def test_nothing_is_over_the_limit_but_what_is_listed(measure: str) -> None:
    found, listed = MEASURES[measure](), LISTED[measure]
    worse = {path: n for path, n in found.items() if n > listed.get(path, 0)}
    assert not worse, f"over the limit of {measure} in tests/layout.py: divide it, do not list it"


@pytest.mark.parametrize("measure", MEASURES)
def test_every_entry_is_still_needed(measure: str) -> None:
    found, listed = MEASURES[measure](), LISTED[measure]
    stale = {path: n for path, n in listed.items() if path not in found}
    assert not stale, "well done: take these out of tests/layout.toml"


def test_every_list_belongs_to_a_measure() -> None:
    assert LISTED.keys() == MEASURES.keys()


def test_no_modules_import_one_another_in_a_circle() -> None:
    TopologicalSorter(import_graph()).prepare()  # raises CycleError, which names the circle
