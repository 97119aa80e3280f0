"""Files of every released version of the format load, and answer as they did."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import weaklearn
from tests.frozen import HERE, answers, frame
from tests.tiers import first_of_each
from weaklearn.persistence.book import KEPT

FILES = sorted(HERE.glob("*.weak"))
# Those of items, of texts and of windows.
COLUMNLESS = ("HalvingClassifier", "SpamFilter", "CallRouter", "TermVectorizer")
COLUMNLESS += ("WindowClassifier", "CascadeDetector", "BoosTexterClassifier", "BoostReranker")


def kind_of(path: Path) -> str:
    return path.stem.split("-")[1]


@pytest.mark.parametrize("path", first_of_each(FILES, kind_of, lambda path: path.stem))
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
    if contents.columns is not None or contents.kind not in COLUMNLESS:
        in_order = tuple if contents.kind != "BoosTexterClassifier" else set  # texts come last
        assert in_order(contents.columns or ()) == in_order(told["columns"])
    assert type(model).__name__ == contents.kind == path.stem.split("-")[1]


@pytest.mark.parametrize(
    "path", [path for path in FILES if "-edited-" in path.stem], ids=lambda path: path.stem
)
def test_edits_of_an_old_file_can_be_undone(path: Path) -> None:
    model = weaklearn.load(path)
    assert len(model.edits_.rows) == 2
    model.undo()
    assert len(model.pairs_) == 2
    model.undo()
    assert np.ptp(model.shapes_["size"].values) > 0


def test_every_kind_has_a_frozen_file() -> None:
    assert {kind.name for kind in KEPT} <= {path.stem.split("-")[1] for path in FILES}
