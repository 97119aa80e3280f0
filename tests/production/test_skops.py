"""skops reads and writes models of this library, and its cards take the sections of ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import skops.card
import skops.io

import weaklearn as wl
from tests.frozen import HERE, frame
from tests.tiers import first_of_each
from weaklearn.registry import ROWS

FILES = [path for path in sorted(HERE.glob("3-*.weak"))]


def passed_on(model: Any) -> Any:
    written = skops.io.dumps(model)
    return skops.io.loads(written, trusted=skops.io.get_untrusted_types(data=written))


def family(path: Path) -> str:
    """The rule by which the kind is kept: what its attributes are made of."""
    return str(ROWS[path.stem.split("-")[1]].kept[:1])


@pytest.mark.parametrize("path", first_of_each(FILES, family, lambda path: path.stem))
def test_models_are_written_and_read_by_skops(path: Path) -> None:
    model = wl.load(path)
    again = passed_on(model)
    assert again.fingerprint() == model.fingerprint()
    if ROWS[type(model).__name__].reads == "columns" and hasattr(model, "predict"):
        X = frame(json.loads(path.with_suffix(".json").read_text())["columns"])
        np.testing.assert_array_equal(np.asarray(again.predict(X)), np.asarray(model.predict(X)))


def test_columns_of_categories_and_dates_are_read_alike() -> None:
    X = pd.DataFrame({"town": list("abcabc") * 5, "day": pd.date_range("2024-01-01", periods=30)})
    y = np.arange(30) % 3
    model = wl.RandomForestClassifier(3).fit(X, y)
    again = passed_on(model)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.fingerprint() == model.fingerprint()


def test_the_types_to_trust_are_of_this_library_alone() -> None:
    model = wl.AdaBoostClassifier(n_estimators=3).fit(*wl.datasets.toy())
    unknown = skops.io.get_untrusted_types(data=skops.io.dumps(model))
    assert {name.partition(".")[0] for name in unknown} <= {"weaklearn", "builtins"}


def test_both_cards_say_the_same() -> None:
    X, y = wl.datasets.toy()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    ours = model.card(X, y, purpose="Shows what a card holds.")
    theirs = skops.card.Card(model)
    told = theirs.select("Model description/Training Procedure/Hyperparameters").format()
    rows = [line.split("|")[1:3] for line in told.splitlines() if line.startswith("|")]
    parameters = {name.strip(): value.strip() for name, value in rows[2:]}
    given = model.get_params(deep=False)
    assert parameters == {name: str(value) for name, value in given.items()}
    assert parameters.keys() == ours.to_dict()["parameters"].keys()
    theirs.add(**{f"About/{name}": text for name, text in ours.markdown_sections().items()})
    whole = theirs.render()
    for text in ours.markdown_sections().values():
        assert text in whole
    assert model.fingerprint() in whole
