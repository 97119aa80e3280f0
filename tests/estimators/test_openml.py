"""OpenML's extension for scikit-learn describes every estimator as a flow, and makes it again."""

from __future__ import annotations

from typing import Any

import pytest
from openml.extensions.sklearn import SklearnExtension
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import weaklearn as wl
from weaklearn.registry import ROWS, class_of


def through_a_flow(model: Any) -> Any:
    """The model made of the description that OpenML would publish."""
    extension = SklearnExtension()
    assert extension.can_handle_model(model)
    return extension.flow_to_model(extension.model_to_flow(model))


@pytest.mark.parametrize("row", ROWS.values(), ids=lambda row: row.name)
def test_parameters_pass_through_flows_and_clones(row: Any) -> None:
    model = class_of(row)()
    flow, copy = through_a_flow(model), clone(model)
    assert type(flow) is type(copy) is type(model)
    # OpenML has no empty tuple; None stands for it.
    given = {k: None if v == () else v for k, v in model.get_params(deep=False).items()}
    assert flow.get_params(deep=False) == given
    assert copy.set_params(**given).get_params(deep=False) == given
    assert repr(clone(model)) == repr(model) == f"{row.name}()"


@pytest.mark.parametrize(
    "model",
    [
        wl.AdaBoostClassifier(wl.DecisionTreeClassifier(max_depth=2), n_estimators=3),
        wl.BaggingRegressor(wl.GradientBoostingRegressor(n_estimators=2), 3),
        make_pipeline(StandardScaler(), wl.GradientBoostingClassifier(n_estimators=4)),
    ],
    ids=lambda model: type(model).__name__,
)
def test_models_within_models_pass_too(model: Any) -> None:
    assert repr(through_a_flow(model)) == repr(model)


def test_no_layers_are_none() -> None:
    X, y = wl.datasets.toy()
    model = wl.SGDClassifier(layers=None).fit(X, y)
    assert model.coef_.tolist() == wl.SGDClassifier().fit(X, y).coef_.tolist()
