"""A fit of today gives the model of the frozen file: refactoring moves no fingerprint."""

from __future__ import annotations

import pytest

import weaklearn
from tests.frozen import HERE
from tests.frozen.add import KINDS, Kind, cases


@pytest.mark.filterwarnings("ignore::UserWarning")  # a few rows are enough here
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_fit_gives_the_model_of_the_frozen_file(kind: Kind) -> None:
    found = {name: model.fingerprint() for name, model, _ in cases(kind)}
    assert found == {name: weaklearn.load(HERE / f"{name}.weak").fingerprint() for name in found}
