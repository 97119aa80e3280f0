"""What models declare that they offer is what hasattr finds, by scikit-learn's convention."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from sklearn.linear_model import LogisticRegression

import weaklearn as wl
from weaklearn import runtime
from weaklearn.base.offered import Method, fact, offers
from weaklearn.registry import ROWS

X, Y = wl.datasets.toy()


@pytest.mark.parametrize("name", ROWS)
def test_a_class_offers_the_methods_that_it_has(name: str) -> None:
    kind: Any = getattr(wl, name)
    for method in get_args(Method):
        assert (method in kind._offered) == hasattr(kind, method)


@pytest.mark.parametrize(
    "model",
    [
        wl.AdaBoostClassifier(n_estimators=3),
        wl.OneVsRestBooster(wl.MadaBoostClassifier(n_estimators=3)),
        wl.RandomForestClassifier(n_estimators=3),
        wl.GradientBoostingRegressor(n_estimators=3),
        wl.SGDClassifier(loss="hinge"),
        wl.SGDClassifier(loss="logistic"),
        LogisticRegression(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_facts_are_kept_by_fit_and_by_no_model_before(model: Any) -> None:
    names = ("classes_", "n_iter_", "stop_reason_", "n_features_in_", "history_", "ensemble_")
    assert all(fact(model, name) is None for name in names)
    model.fit(X, Y)
    for name in names:
        assert fact(model, name) is getattr(model, name, None)
    assert offers(model, "predict_proba") == hasattr(model, "predict_proba")


def test_the_runtime_declares_it_too(tmp_path: Any) -> None:
    path = tmp_path / "model.weak"
    wl.AdaBoostClassifier(n_estimators=3).fit(X, Y).save(path)
    model = runtime.load(path)
    assert offers(model, "predict_proba")
    assert not offers(model, "rules")
    assert fact(model, "classes_").tolist() == [-1, 1]
    assert fact(model, "oob_prediction_") is None
