"""Boosters in a file, by somebody who put the checksum right."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest

from tests.files.forge import loaded, mutated, sections, with_model
from weaklearn import Boosted, ModelFileError, boosters, datasets
from weaklearn.base import Booster
from weaklearn.files.booster import BOOSTERS
from weaklearn.files.envelope import MODEL
from weaklearn.files.error import Flaw
from weaklearn.persistence.model_bytes import sealed
from weaklearn.registry import class_at

RECORDS = {record.name: record for record in BOOSTERS}


def test_every_booster_has_a_number() -> None:
    assert set(RECORDS) <= set(boosters.__all__)
    assert len({record.number for record in BOOSTERS}) == len(BOOSTERS)
    for record in BOOSTERS:
        assert class_at(record.home.removeprefix("weaklearn.")).__name__ == record.name


@pytest.mark.parametrize(
    ("name", "fields", "words"),
    [
        ("AdaBoost", [], "it has 0 fields"),
        ("AdaBoost", ["learning_rate"], "fields"),
        ("AdaBoost", [{"rate": 1.0}], "rate"),
        ("AdaBoost", [{"learning_rate": "1"}], "learning_rate"),
        ("AdaBoost", [{"learning_rate": float("nan")}], "learning_rate"),
        ("AdaBoost", [{"on_half": 1}], "on_half"),
        ("RealAdaBoost", [{"bounded": 1}], "bounded"),
        ("FilterBoost", [{"n_samples": 2.5}], "n_samples"),
        ("AnyBoost", [{"loss": "log_loss"}], "loss"),
        ("OneVsRest", [{}], "booster"),
        ("AdaBoostL", [{"prior": 0.5}], "prior is no value of a file"),
    ],
)
def test_fields_that_are_none(name: str, fields: list[Any], words: str) -> None:
    with pytest.raises(Flaw, match=words):
        RECORDS[name].make(fields)


def test_mutations_under_a_right_checksum() -> None:
    X, y = datasets.toy()
    data = sealed(Boosted(boosters.BrownBoost(0.1), n_estimators=3).fit(X, y))
    rng, body = random.Random(0), sections(data)[MODEL]
    accepted = 0
    for _ in range(300):
        try:
            found = loaded(with_model(data, mutated(rng, body)))
        except ModelFileError:
            continue
        accepted += 1
        assert isinstance(found.booster, Booster)
        with suppress(ValueError):  # of other columns than these
            found.predict(X)
    assert accepted < 300
