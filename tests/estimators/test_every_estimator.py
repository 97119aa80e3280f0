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


def test_a_fit_keeps_what_others_set_meanwhile() -> None:
    model = weaklearn.AdaBoostClassifier(n_estimators=3)

    def watch(*told: object) -> None:
        model.seen_ = getattr(model, "seen_", 0) + 1

    model.set_params(callbacks=[watch])
    model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    assert model.seen_ == model.n_iter_
