"""Scorecards of stumps and of trees, added up by hand."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.cli.calling import call

RNG = np.random.default_rng(3)
X = pd.DataFrame({"age": RNG.integers(20, 80, 200) * 1.0, "town": RNG.choice(list("abc"), 200)})
X.loc[::9, "age"] = None
X.loc[4::17, "town"] = None
SIGNS = (X["age"].fillna(30) > 50) ^ (X["town"] == "a")
THREE = np.digitize(X["age"].fillna(50), [40, 60])
NUMBERS = X["age"].fillna(0) + 5 * (X["town"] == "b")
MODELS: dict[str, tuple[Any, Any]] = {
    "votes": (wl.AdaBoostClassifier(n_estimators=20), SIGNS),
    "votes on three": (wl.AdaBoostMHClassifier(n_estimators=8), THREE),
    "one against the rest": (wl.LPBoostClassifier(n_estimators=8), THREE),
    "descent": (wl.GradientBoostingClassifier(n_estimators=9, max_depth=1), SIGNS),
    "numbers": (wl.GradientBoostingRegressor(n_estimators=9, max_depth=1), NUMBERS),
    "stump": (wl.DecisionStumpClassifier(), SIGNS),
    "tree": (wl.DecisionTreeClassifier(max_depth=3), THREE),
    "tree of numbers": (wl.DecisionTreeRegressor(max_depth=4), NUMBERS),
    "one boosted tree": (
        wl.AdaBoostClassifier(wl.DecisionTreeClassifier(max_depth=2), n_estimators=1),
        SIGNS,
    ),
}


def part_holds(text: str, row: dict[str, Any]) -> bool:
    """Whether a condition on one column holds for a row."""
    text, missing = text.strip("()"), False
    if text.endswith(" or missing"):
        text, missing = text.removesuffix(" or missing"), True
    name = "age" if "age" in text else "town"
    value = row[name]
    if pd.isna(value):
        return missing or text.endswith("is missing")
    if text.endswith("is missing"):
        return False
    if match := re.fullmatch(r"town (= |is not |in |not in )\{?(.*?)\}?", text):
        inside = value in match[2].split(", ")
        return inside if match[1] in ("= ", "in ") else not inside
    low, high = re.match(r"(\S+) < age", text), re.search(r"age <= (\S+)", text)
    above = re.search(r"age > (\S+)", text)
    low = above or low
    return (low is None or value > float(low[1])) and (high is None or value <= float(high[1]))


def added_up(rows: list[list[str]], n: int, row: dict[str, Any]) -> np.ndarray[Any, Any]:
    """The sum of the cells of a scorecard that hold for a row."""
    total = np.zeros(n)
    for _, cell, *numbers in rows:
        if cell == "always" or all(part_holds(part, row) for part in cell.split(" and ")):
            total += [float(number) for number in numbers[:n]]
    return total


def scores(model: Any) -> np.ndarray[Any, Any]:
    if "Regressor" in type(model).__name__:
        return np.asarray(model.predict(X))
    tree = isinstance(model, wl.DecisionTreeClassifier)
    return np.asarray(model.predict_proba(X) if tree else model.decision_function(X))


@pytest.mark.parametrize("name", MODELS)
def test_cells_add_up_to_scores(name: str, tmp_path: Path) -> None:
    model, y = MODELS[name]
    model.fit(X, y)
    model.save(tmp_path / "m.weak")
    found = call("export", tmp_path / "m.weak", "-o", tmp_path / "card.csv")
    assert found.status == 0
    with open(tmp_path / "card.csv", newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    assert [head, *rows] == [
        [str(each) for each in line]
        for line in (model.to_scorecard().columns, *model.to_scorecard().rows)
    ]
    F = scores(model).reshape(len(X), -1)
    assert head[:2] == ["term", "cell"]
    for i, row in enumerate(X.to_dict("records")):
        np.testing.assert_allclose(added_up(rows, F.shape[1], row), F[i], atol=1e-9)


def test_what_is_no_scorecard_is_refused() -> None:
    model = wl.GradientBoostingRegressor(n_estimators=3, max_depth=2).fit(X, NUMBERS)
    with pytest.raises(TypeError, match=r"a sum of 3 trees .* use to_sql, or fit Additive"):
        model.to_scorecard()
    known = wl.AdaBoostLClassifier(n_estimators=2, prior=lambda X: np.full(len(X), 0.3))
    with pytest.raises(TypeError, match="prior= is a function of yours"):
        known.fit(X, SIGNS).to_scorecard()
