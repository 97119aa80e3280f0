"""Files of detectors: whatever does not belong together is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.files.forge import loaded
from tests.frozen import frame
from tests.odd_rows import ODD
from weaklearn import ModelFileError
from weaklearn.persistence.model_bytes import sealed
from weaklearn.vision import CascadeDetector, WindowClassifier


@pytest.fixture(scope="module")
def window() -> Any:
    odd = ODD["WindowClassifier"]
    return WindowClassifier(**odd.given).fit(frame(odd.columns), odd.y)


@pytest.fixture(scope="module")
def detector() -> Any:
    odd = ODD["CascadeDetector"]
    return CascadeDetector(**odd.given).fit(frame(odd.columns), odd.y)


def refused(model: Any, change: Callable[[Any], None], words: str) -> None:
    """A model is sound as it is, and refused after a change."""
    loaded(sealed(model))
    broken = copy.deepcopy(model)
    change(broken)
    with pytest.raises(ModelFileError, match=words):
        loaded(sealed(broken))


def cascade(**arrays: Any) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        given = {k: v(getattr(model.cascade_, k)) if callable(v) else v for k, v in arrays.items()}
        model.cascade_ = replace(model.cascade_, **given)

    return change


BROKEN = [
    (cascade(height=0), "height"),
    (cascade(height=2), "does not lie in the window"),
    (cascade(width=10**9), "width"),
    (cascade(rects=lambda r: r + 5), "does not lie in the window"),
    (cascade(rects=lambda r: r[:, :3].copy()), "columns"),
    (cascade(rects=lambda r: r.astype(float)), "rects"),
    (cascade(node_feature=lambda f: f + 100), "node_feature names a feature"),
    (cascade(node_feature=lambda f: f - 100), "node_feature names a feature"),
    (cascade(node_threshold=lambda t: t * np.nan), "node_threshold"),
    (cascade(node_low=lambda t: t / 0.0 if t.any() else t + np.inf), "node_low"),
    (cascade(node_high=lambda t: t[:-1]), "entries"),
    (cascade(stage_start=lambda s: s[::-1].copy()), "stage_start"),
    (cascade(stage_threshold=lambda s: np.r_[s, 1.0]), "entries"),
    (cascade(feature_start=lambda s: s + 1), "feature_start"),
    (cascade(low_child=np.array([10**6], np.int32)), "low_child"),
    (cascade(tilted=np.zeros(99, bool)), "tilted"),
    (lambda m: setattr(m, "cascade_", None), "cascade_"),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("change", "words"), BROKEN)
def test_cascades(detector: Any, change: Callable[[Any], None], words: str) -> None:
    refused(detector, change, words)


def features(**arrays: Any) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        given = {name: v(getattr(model.features_, name)) for name, v in arrays.items()}
        model.features_ = replace(model.features_, **given)

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (features(kind=lambda k: k + 50), "a type is outside"),
        (features(top=lambda t: t + 99), "does not lie in windows"),
        (features(top=lambda t: t[:-1]), "differ in length"),
        (features(unit_width=lambda w: w * 0), "does not lie in windows"),
        (features(left=lambda x: x[::-1].copy(), top=lambda x: x * 0), "another feature|not lie"),
        (features(height=lambda h: h + 1), "another size"),
        (lambda m: setattr(m, "features_", m.features_[:1]), "a feature for each node"),
        (lambda m: setattr(m, "classes_", np.arange(3)), "two labels"),
        (cascade(inset=True), "another's"),
    ],
)
def test_windows(window: Any, change: Callable[[Any], None], words: str) -> None:
    refused(window, change, words)


def test_round_trip(window: Any, detector: Any) -> None:
    rows = frame(ODD["WindowClassifier"].columns)
    again = loaded(sealed(window))
    assert (again.decision_function(rows) == window.decision_function(rows)).all()
    assert list(again.features_) == list(window.features_)
    assert loaded(sealed(detector)).fingerprint() == detector.fingerprint()
