"""Every loss by name in a fit: the order of rows, copies and weights, files and the runtime."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn
from weaklearn import GradientBoostingClassifier, GradientBoostingRegressor, losses, runtime

RNG = np.random.default_rng(5)
X = RNG.normal(size=(200, 3)).round(1)
NUMBERS = np.exp(X[:, 0] + 0.3 * RNG.normal(size=200))
COPIES = RNG.integers(1, 4, 200)
ORDER = RNG.permutation(np.repeat(np.arange(200), COPIES))


def of_numbers(loss: str) -> Any:
    return GradientBoostingRegressor(loss, n_estimators=8), NUMBERS


def of_classes(loss: str, n: int) -> Any:
    y = np.digitize(NUMBERS, np.quantile(NUMBERS, np.arange(1, n) / n))
    return GradientBoostingClassifier(loss, n_estimators=8), y


FITS = {name: of_numbers(name) for name in losses.FOR_NUMBERS}
FITS |= {f"{name} of two": of_classes(name, 2) for name in losses.FOR_CLASSES}
FITS |= {f"{name} of three": of_classes(name, 3) for name in ("log_loss", "focal")}


@pytest.mark.parametrize("name", FITS)
def test_neither_order_nor_copies_matter(name: str) -> None:
    model, y = FITS[name]
    weighed = model.fit(X, y, COPIES).fingerprint()
    assert model.fit(X[ORDER], y[ORDER]).fingerprint() == weighed


@pytest.mark.parametrize("name", FITS)
def test_files_and_runtime_answer_alike(name: str, tmp_path: Path) -> None:
    model, y = FITS[name]
    model.fit(X, y).save(tmp_path / "model.weak")
    loaded = weaklearn.load(tmp_path / "model.weak")
    small = runtime.load(tmp_path / "model.weak")
    assert loaded.fingerprint() == model.fingerprint()
    for other in (loaded, small):
        np.testing.assert_array_equal(other.predict(X), model.predict(X))
        if " of " in name:
            np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))


@pytest.mark.parametrize("name", FITS)
def test_the_training_loss_falls(name: str) -> None:
    model, y = FITS[name]
    fallen = model.set_params(n_estimators=8).fit(X, y).history_["loss"]
    assert fallen[-1] < fallen[0]
