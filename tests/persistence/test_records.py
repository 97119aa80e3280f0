"""Where records are: every number in the module that the table names."""

from __future__ import annotations

from weaklearn.files.ensembles import PARTS
from weaklearn.files.member import NUMBERS as MEMBERS
from weaklearn.files.record import records_of
from weaklearn.losses import kinds, numbered
from weaklearn.persistence.book import BOOK
from weaklearn.persistence.records import LOSSES, NUMBERS


def test_modules_define_the_numbers_of_the_table() -> None:
    for home, numbers in NUMBERS.items():
        assert set(numbers) <= {record.number for record in records_of(home)}, home


def test_numbers_stand_for_classes_of_their_kind() -> None:
    def names(numbers: set[int] | frozenset[int]) -> set[str]:
        return {BOOK.numbered(number).name for number in numbers}

    assert names(PARTS[0]) == {"Ensemble", "WeightedSum", "Revoted", "Foreknown", "Fading"}
    trees = {"TreeHypothesis", "ScoredTree", "Partition", "LabelTree", "Splitter"}
    assert names(MEMBERS) == {"Stump", "Rule", "GradedRules", "ForeignHypothesis", *trees}


def test_losses_are_found_by_number() -> None:
    for kind in kinds():
        assert numbered(kind.number or 0) is kind
        assert kind.number in LOSSES
    assert numbered(39) is None
