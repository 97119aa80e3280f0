"""Records where no writer puts them are refused before they are made, however many there are."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from tests.files import fuzz
from tests.files.forge import assembled, loaded, written
from tests.files.test_bounds import base, state_of
from weaklearn.files import ModelFileError, Reader
from weaklearn.files.envelope import MODEL, REQUIRED, SETTINGS
from weaklearn.files.record import MODELS
from weaklearn.files.value import LIST, Part
from weaklearn.persistence.book import BOOK, KEPT
from weaklearn.persistence.edit_record import EDIT
from weaklearn.persistence.model_bytes import sealed

MANY = 100
FEW = 40  # records that may be made before a list of many is refused
STUMP = 101  # the number of an estimator


@cache
@cache
def honest() -> dict[tuple[int, bool], Part]:
    """A record of each number, alone and in columns, as some file holds it."""
    found: dict[tuple[int, bool], Part] = {}
    for of in fuzz.bases():
        for part in _parts(of.anatomies[1].values[MODEL]):
            found.setdefault((part.record.number, part.listed), part)
    return found


def _parts(value: Any) -> Iterator[Part]:
    if type(value) is Part:
        yield value
        inner = value.fields
    else:
        inner = list(value.values()) if type(value) is dict else value
    if type(inner) in (list, tuple):
        for one in inner:
            yield from _parts(one)


MARK = "where the records go"


def forged(of: fuzz.Base, part: Part, place: Callable[[fuzz.Base], dict[int, Any]]) -> bytes:
    """A file in which a list of such records takes the place of the mark."""
    mark = written(MARK)
    records = bytes([LIST, MANY]) + written(part) * MANY
    sections = of.anatomies[0].values | place(of)
    return assembled(
        (number, REQUIRED, written(value).replace(mark, records))
        for number, value in sections.items()
        if number in (MODEL, SETTINGS)
    )


def names(k: int, **values: Any) -> Callable[[fuzz.Base], dict[int, Any]]:
    """Other parameters (0) or fitted names (1)."""

    def changed(of: fuzz.Base) -> dict[int, Any]:
        part = of.anatomies[0].values[MODEL]
        fields = list(part.fields)
        fields[k] = {**fields[k], **values}
        return {MODEL: Part(part.record, fields)}

    return changed


def field(name: str, k: int) -> Callable[[fuzz.Base], dict[int, Any]]:
    """Another field of the record that a fitted name is."""

    def changed(of: fuzz.Base) -> dict[int, Any]:
        part = state_of(of)[name]
        fields = [*part.fields[:k], MARK, *part.fields[k + 1 :]]
        return names(1, **{name: Part(part.record, fields)})(of)

    return changed


PLACES: dict[str, tuple[Callable[[fuzz.Base], dict[int, Any]], Container[int]]] = {
    "the section of the model": (lambda of: {MODEL: MARK}, ()),
    "the settings": (lambda of: {SETTINGS: [[{"a": MARK}, {}]]}, ()),
    "a parameter": (names(0, estimator=MARK), ()),
    "a fitted name": (names(1, history_=MARK), {*MODELS, EDIT.number}),
    "an unknown name": (names(1, a=MARK), ()),
    "a history": (field("history_", 2), ()),
    "names of columns": (field("_schema", 1), ()),
    "votes": (field("ensemble_", 0), (3, 9, 15, 75, 76)),
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the records that are made."""
    names: list[str] = []
    make = Reader._made

    def counted(self: Reader, record: Any, at: int, *rest: Any) -> Any:
        names.append(record.name)
        return make(self, record, at, *rest)

    monkeypatch.setattr(Reader, "_made", counted)
    return names


@pytest.mark.parametrize("name", PLACES)
def test_records_that_do_not_belong_are_not_made(name: str, made: list[str]) -> None:
    of = base("BrownBoostClassifier-plain-three")
    place, belong = PLACES[name]
    for (number, _), part in honest().items():
        if number in belong or (number in MODELS and number != STUMP):
            continue
        data = forged(of, part, place)
        made.clear()
        with pytest.raises(ModelFileError):
            loaded(data)
        each = sum(one.record.number == number for one in _parts(part))
        assert made.count(part.record.name) <= FEW * each, (name, part.record.name)


def test_unfitted_models_are_few_among_fitted_names(made: list[str]) -> None:
    of = base("BaggingClassifier")
    blank = Part(BOOK.numbered(STUMP), [{}, {}, [{}, {}]])
    own = of.anatomies[0].values[SETTINGS]
    settings = {SETTINGS: [*own, *[[{}, {}]] * MANY]}
    sections = names(1, estimators_=[blank] * MANY)(of) | settings
    data = of.anatomies[0].replaced(sections).sealed()
    with pytest.raises(ModelFileError, match="more than 32 records"):
        loaded(data)
    assert len(made) <= FEW


def test_fitted_names_that_are_an_array_are_refused() -> None:
    of = base("BrownBoostClassifier-plain-three")
    part = of.anatomies[0].values[MODEL]
    fields = [part.fields[0], np.arange(3), part.fields[2]]
    with pytest.raises(ModelFileError, match="fitted names"):
        loaded(of.anatomies[0].replaced({MODEL: Part(part.record, fields)}).sealed())


def test_estimators_have_the_numbers_of_models() -> None:
    assert all(kind.number in MODELS for kind in KEPT)
    sided = [record.number for record in BOOK.records if record.sided]
    assert sorted(sided) == sorted(kind.number for kind in KEPT)


def test_honest_models_hold_many_members() -> None:
    """Lists that a fit writes are of any length."""
    X, y = wl.datasets.toy()
    bag = wl.BaggingClassifier(wl.DecisionTreeClassifier(), n_estimators=90).fit(X, y)
    of_bags = wl.BaggingClassifier(wl.DecisionStumpClassifier(), n_estimators=70)
    nested = wl.AdaBoostClassifier(of_bags, n_estimators=2)
    for model in (bag, nested.fit(X, y)):
        assert loaded(sealed(model)).fingerprint() == model.fingerprint()
