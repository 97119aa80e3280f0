"""Labels to score by that are of another kind than those of training."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl

X = np.arange(20.0)[:, None]
TWO = np.arange(20) // 10
KINDS: dict[str, list[Any]] = {
    "numbers": [TWO, TWO * 1.0, TWO == 1, TWO.tolist(), pd.Series(TWO, dtype="Int64")],
    "texts": [np.array(["a", "b"])[TWO], np.array(["a", "b"], object)[TWO], ["a", "b"] * 10],
    "dates": [
        np.array(["2020-01-01", "2021-01-01"], "M8[D]")[TWO],
        pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"] * 10)),
        [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)] * 10,
    ],
    "durations": [np.array([1, 2], "m8[D]")[TWO]],
}
MODELS = [
    wl.AdaBoostClassifier(n_estimators=2),
    wl.GradientBoostingClassifier(n_estimators=2),
    wl.RandomForestClassifier(n_estimators=2),
    wl.DecisionTreeClassifier(),
    wl.DecisionStumpClassifier(),
    wl.ThresholdClassifier(),
    wl.Perceptron(fit_intercept=True, max_passes=500),
    wl.KernelPerceptron(),
    wl.OneVsRestBooster(),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
@pytest.mark.parametrize("learnt", KINDS)
def test_labels_of_another_kind_are_refused_by_name(model: Any, learnt: str) -> None:
    model.fit(X, KINDS[learnt][0])
    assert 0 <= model.score(X, KINDS[learnt][0]) <= 1
    for kind, forms in KINDS.items():
        if kind == learnt:
            continue
        for y in forms:
            told = f"^y holds {kind}, as .*, and the labels of training are {learnt}, as .*; pass"
            with pytest.raises(ValueError, match=told):
                model.score(X, y)
            if hasattr(model, "staged_score"):
                with pytest.raises(ValueError, match=told):
                    next(iter(model.staged_score(X, y)))
