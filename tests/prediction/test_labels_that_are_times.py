"""Labels that are dates are dates wherever a model tells them, and no numbers of nanoseconds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl

X = np.random.default_rng(0).normal(size=(120, 2))
DAYS = np.where(X[:, 0] + 0.3 * X[:, 1] > 0, "2021-01-01", "2020-01-01")


@pytest.mark.parametrize("unit", ["ns", "us", "s", "D"])
@pytest.mark.parametrize(
    "model",
    [
        wl.GradientBoostingClassifier(n_estimators=5),
        wl.BaggingClassifier(n_estimators=3, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_they_stay_times(model: Any, unit: str, tmp_path: Path) -> None:
    y = DAYS.astype(f"M8[{unit}]")
    model.fit(X[:60], y[:60])
    first, second = model.classes_
    for positive in (first, second):
        assert model.explain(X[:3], positive=positive).scale.endswith(f"of {positive}")
        found = model.tune_threshold(X[60:], y[60:], by="f1", positive=positive)
        assert found.positive == positive
    assert "2020-01-01" in repr(model.set_threshold(0.1, positive=first).card())
    model.save(tmp_path / "model.weak")
    assert "2020-01-01" in str(wl.inspect(tmp_path / "model.weak"))
    sets = model.conformalize(X[60:], y[60:]).predict_set(X, alpha=0.2)
    assert all(y[k] in sets[k] for k in np.flatnonzero(sets.covers(y)))
    assert sets.covers(y).mean() > 0.7
    told = model.set_threshold(None).card(X, y).to_dict()
    assert told["model"]["classes"] == [str(first), str(second)]
    names: dict[str, Any] = {}
    exec(model.to_python(), names)
    said = [names["predict"](row) for row in X.tolist()]
    assert {type(label) for label in said} == {str}
    assert (np.array(said, "M8[D]") == model.predict(X)).all()
    assert json.loads(model.to_json())["classes"] == sorted(set(said))


def test_durations_too() -> None:
    y = np.where(X[:, 0] > 0, 1, 3).astype("m8[ns]")
    model = wl.GradientBoostingClassifier(n_estimators=5).fit(X[:60], y[:60])
    sets = model.conformalize(X[60:], y[60:]).predict_set(X[60:], alpha=0.2)
    assert {type(label) for some in sets for label in some} == {np.timedelta64}
    assert model.tune_threshold(X[60:], y[60:], positive=y[0]).positive == y[0]
