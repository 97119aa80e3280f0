"""Files of earlier versions load, and answer as they did."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import weaklearn
from tests.frozen import HERE, answers, frame
from weaklearn.estimators.kinds import KINDS

FILES = sorted(HERE.glob("*.weak"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_an_old_file_answers_as_it_did(path: Path) -> None:
    told = json.loads(path.with_suffix(".json").read_text())
    X = frame(told["columns"])
    model = weaklearn.load(path)
    found = answers(model, X)
    assert found.keys() == told["answers"].keys()
    for name, expected in told["answers"].items():
        if name == "predict_proba":  # processors differ in the last bit of numpy's exponential
            np.testing.assert_allclose(found[name], expected, rtol=1e-12)
        else:
            assert found[name] == expected
    contents = weaklearn.inspect(path)
    assert contents.columns == tuple(told["columns"])
    assert type(model).__name__ == contents.kind == path.stem.split("-")[1]


def test_every_kind_has_a_frozen_file() -> None:
    assert {kind.name for kind in KINDS} <= {path.stem.split("-")[1] for path in FILES}
