"""Every public estimator has its place in model files, or says why it has none."""

from __future__ import annotations

import inspect
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator

import weaklearn
from weaklearn.estimators.kinds import KINDS

ESTIMATORS = [
    name
    for name in weaklearn.__all__
    if inspect.isclass(found := getattr(weaklearn, name)) and issubclass(found, BaseEstimator)
]
CODE = {"Boosted"}  # whose parameter is code: a booster of the user's own


def test_every_estimator_has_a_number() -> None:
    """What comes back is the same to the bit: ``test_saving`` tries every number."""
    assert set(ESTIMATORS) - CODE <= {kind.name for kind in KINDS}
    assert len(ESTIMATORS) > 60


def test_code_is_refused_by_name(tmp_path: Path) -> None:
    from weaklearn.boosters import AdaBoost

    X, y = weaklearn.datasets.toy()
    model = weaklearn.Boosted(booster=AdaBoost()).fit(X, y)
    with pytest.raises(ValueError, match="which is code"):
        model.save(tmp_path / "m.weak")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_every_kind_is_at_work(kind: object) -> None:
    """All have the methods for production, whether or not there is something to say."""
    from weaklearn.files.record import class_at

    for name in ("save", "fingerprint", "predictor", "check", "card"):
        assert callable(getattr(class_at(kind.address), name))
    assert np.isscalar(kind.number)
