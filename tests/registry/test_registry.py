"""The rows of the registry, and what must not be written down beside them."""

import re
from pathlib import Path

import pytest

import weaklearn
from weaklearn import registry
from weaklearn.losses.links import vote_odds
from weaklearn.persistence.book import BOOK
from weaklearn.registry import ROWS, Row, class_of, register, row_of
from weaklearn.runtime.loading import BOOK as SMALL

SOURCE = Path(weaklearn.__file__).parent
every_row = pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.name)


@every_row
def test_a_row_is_of_its_class(row: Row) -> None:
    found = class_of(row)
    assert found.__module__ == f"weaklearn.{row.module}"
    assert row_of(found) is row
    assert row_of(type("Mine", (found,), {})) is row
    assert (row.number is None) == (row.kept == ())
    assert (SOURCE.parents[1] / "docs" / row.page).exists()


@every_row
def test_odds_are_found_from_the_parameters_of_the_class(row: Row) -> None:
    if row.runtime == "votes.VoteClassifier":
        assert 0 < vote_odds(row.odds, class_of(row)().get_params()) <= 1


def test_numbers_and_names_are_taken_once() -> None:
    numbers = [row.number for row in ROWS.values() if row.number is not None]
    assert len(set(numbers)) == len(numbers)
    row = ROWS["MadaBoostClassifier"]
    with pytest.raises(ValueError, match="there is a row of MadaBoostClassifier already"):
        register([row])
    other = Row(home="text.other.Other", family=row.family, page=row.page, number=118)
    with pytest.raises(ValueError, match="118 of Other is that of MadaBoostClassifier"):
        register([other])
    beyond = Row(home="text.other.Other", family=row.family, page=row.page, number=1100)
    with pytest.raises(ValueError, match="1100 of Other is not allowed: it must be from 100 to"):
        register([beyond])
    assert "Other" not in ROWS


def test_what_is_no_class_of_ours_has_no_row() -> None:
    assert row_of(int) is None
    assert row_of(type("AdaBoostClassifier", (), {})) is None


def test_the_runtime_knows_every_record_by_its_number() -> None:
    for record in BOOK.records:
        assert SMALL.numbered(record.number).number == record.number


def test_no_class_is_named_by_a_string_outside_the_registry() -> None:
    dotted = re.compile(r"""["']weaklearn\.[a-z_]+\.[a-z_.]*[A-Z]\w+["']""")
    told = [
        f"{path.relative_to(SOURCE)}: {line}"
        for path in SOURCE.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if dotted.search(line) or 'import_module("weaklearn' in line
    ]
    assert told == []


def test_displays_are_found_by_name() -> None:
    assert registry.display("WaterfallDisplay").__name__ == "WaterfallDisplay"
