"""Categories beyond 254 share a code; learners that get X as it came still see which they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

from weaklearn import AdaBoostClassifier, BaggingClassifier, FilterBoostClassifier
from weaklearn.engines import on_threads
from weaklearn.estimators.online.distinct_examples import read_distinct
from weaklearn.online.kernels import String

ENCODED = make_pipeline(
    make_column_transformer(
        (OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), ["town"]),
        remainder="passthrough",
    ),
    DecisionTreeClassifier(max_depth=3),
)
MODELS: dict[str, Callable[[], Any]] = {
    "stumps": lambda: AdaBoostClassifier(n_estimators=3, resample=True, random_state=1),
    "filter": lambda: FilterBoostClassifier(n_estimators=3, n_samples=300, random_state=1),
    "resampled": lambda: AdaBoostClassifier(ENCODED, n_estimators=3, resample=True, random_state=1),
    "bagged": lambda: BaggingClassifier(ENCODED, n_estimators=3, random_state=1),
    "stopped": lambda: AdaBoostClassifier(
        ENCODED, n_estimators=3, early_stopping=True, random_state=1
    ),
    "calibrated": lambda: AdaBoostClassifier(n_estimators=3, calibrate="slope", random_state=1),
}


def towns(m: int = 450) -> tuple[pd.DataFrame, Any]:
    """More towns than there are codes, and labels that depend on the town."""
    rng = np.random.default_rng(0)
    town, size = rng.permutation(m) % 320, rng.integers(0, 3, m)
    X = pd.DataFrame({"town": [f"n{k}" for k in town], "size": size.astype(float)})
    return X, ((town % 7 > 3) ^ (size > 1)).astype(int)


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning", "ignore::weaklearn.BoostingWarning")
def test_weights_are_copies_in_any_order(name: str) -> None:
    X, y = towns()
    rng = np.random.default_rng(1)
    weight = rng.integers(1, 4, len(X))
    copies = np.repeat(np.arange(len(X)), weight)
    weighted = MODELS[name]().fit(X, y, sample_weight=weight).predict_proba(X)
    for rows in (copies, rng.permutation(copies)):
        repeated = MODELS[name]().fit(X.iloc[rows], y[rows]).predict_proba(X)
        assert repeated.tobytes() == weighted.tobytes()


def test_texts_are_not_pooled_as_examples() -> None:
    texts = [f"text {k}" for k in range(300)]
    y = np.arange(300) % 2
    distinct = read_distinct(
        [*texts, *texts], [*y, *y], None, kernel=String(3), engine=on_threads(), name="a kernel"
    )
    assert sorted(distinct.points) == sorted(texts)
    assert set(distinct.count) == {2.0}
