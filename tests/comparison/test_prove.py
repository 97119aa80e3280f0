"""The claims of the library, run on a table: all hold, and a lie would be found."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression

from weaklearn import AdaBoostClassifier, DecisionStumpClassifier, ThresholdClassifier
from weaklearn.comparison import prove as proving
from weaklearn.comparison.prove import prove

QUICK = AdaBoostClassifier(n_estimators=8)


@pytest.fixture(autouse=True)
def quick_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    """One quick stranger in place of the other libraries."""
    monkeypatch.setattr(proving, "peers_of", lambda *_: {"a peer": DummyClassifier})


def table(n: int = 300) -> tuple[pd.DataFrame, Any]:
    rng = np.random.default_rng(2)
    X = pd.DataFrame(
        {
            "a": np.round(rng.normal(size=n), 1),
            "b": rng.integers(0, 4, n).astype(float),
            "c": rng.choice(["x", "y", "z"], n),
        }
    )
    return X, np.where(X["a"] + (X["c"] == "x") + rng.normal(size=n) > 0.5, "yes", "no")


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_all_claims_hold(gaps: bool, n_classes: int) -> None:
    X, y = table()
    if gaps:
        X.loc[::9, "a"] = np.nan
        X.loc[::5, "c"] = None
    if n_classes == 3:
        y = np.where(X["b"] == 3, "maybe", y)
    proof = prove(X, y, QUICK, seconds=5)
    assert proof
    claims = proof.to_frame().set_index("claim")
    assert claims["holds"].dropna().all()
    assert len(claims["holds"].dropna()) == 5
    assert "brute force" in claims.loc["the stump is the best there is", "evidence"]
    assert "time of a peer" in claims.index
    assert "All 300 rows" in str(proof)
    assert "<table" in proof._repr_html_()


def test_defaults_arrays_and_other_estimators() -> None:
    X, y = table()
    numbers = X[["a", "b"]].to_numpy()
    assert prove(numbers, y, seconds=5)
    assert prove(sp.csr_matrix(numbers), y, QUICK, seconds=5)
    for estimator in (DecisionStumpClassifier(), ThresholdClassifier()):
        assert prove(numbers, y, estimator, seconds=5)


def test_lies_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = table()
    monkeypatch.setattr(proving, "_least_errors", lambda *_: 0)
    assert not prove(X, y, QUICK, seconds=5)
    monkeypatch.undo()
    calls = iter(range(100))
    monkeypatch.setattr(AdaBoostClassifier, "fingerprint", lambda self: f"{next(calls):064x}")
    monkeypatch.setattr(proving, "peers_of", lambda *_: {})
    proof = prove(X, y, QUICK, seconds=5)
    held = {claim: holds for claim, holds, _, _ in proof}
    assert [holds for holds in held.values() if holds is not None] == [False] * 3 + [True, False]


def test_large_tables_are_proved_on_a_part() -> None:
    X, y = table(30_000)
    proof = prove(X, y, QUICK, seconds=1e-3)
    assert proof
    assert "2000 of the 30000 rows" in str(proof)


def test_the_number_of_threads_is_left_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in (None, "3"):
        if value is not None:
            monkeypatch.setenv("WEAKLEARN_NUM_THREADS", value)
        prove(*table(), QUICK, seconds=1)
        assert os.environ.get("WEAKLEARN_NUM_THREADS") == value


def test_bad_arguments() -> None:
    X, y = table()
    with pytest.raises(TypeError, match="estimator is LogisticRegression"):
        prove(X, y, LogisticRegression())
    with pytest.raises(TypeError, match="estimators of this library"):
        prove(X, y, AdaBoostClassifier)
    with pytest.raises(ValueError, match="seconds"):
        prove(X, y, seconds=0)


def test_peers_are_fitted_on_numbers() -> None:
    X, y = table()
    X.loc[3, "c"] = None
    numbers, labels = proving.as_numbers(X, y, True)
    assert numbers.shape == (300, 3)
    assert np.isnan(numbers[3, 2])
    assert set(labels) == {0, 1}
    for make in proving.peers_of(QUICK, 2).values():
        assert (
            make().fit(np.nan_to_num(numbers), labels).score(np.nan_to_num(numbers), labels) > 0.4
        )
