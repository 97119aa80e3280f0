"""Every estimator can be put to work: saved, asked row by row, watched, described."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weaklearn
from weaklearn.persistence.book import KEPT


def test_code_is_refused_by_name(tmp_path: Path) -> None:
    from weaklearn.boosters import AdaBoost

    class Own(AdaBoost):
        pass

    X, y = weaklearn.datasets.toy()
    model = weaklearn.Boosted(booster=Own()).fit(X, y)
    with pytest.raises(ValueError, match="which is code"):
        model.save(tmp_path / "m.weak")


@pytest.mark.parametrize("kind", KEPT, ids=lambda kind: kind.name)
def test_every_kind_is_at_work(kind: object) -> None:
    """All have the methods for production, whether or not there is something to say."""
    from weaklearn.registry import class_of

    for name in ("save", "fingerprint", "predictor", "check", "card"):
        assert callable(getattr(class_of(kind.row), name))
    assert np.isscalar(kind.number)
