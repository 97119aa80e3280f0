"""Text that was meant as numbers is told; text that was meant as text is left alone."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from weaklearn import AdaBoostClassifier, DecisionTreeClassifier
from weaklearn.base.messages.warnings import DataWarning

pd = pytest.importorskip("pandas")


def doubts(X, **settings) -> list[str]:
    """The warnings of a fit."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        DecisionTreeClassifier(**settings).fit(X, np.arange(len(X)) % 2)
    assert all(issubclass(warning.category, DataWarning) for warning in found)
    return [str(warning.message) for warning in found]


@pytest.mark.parametrize(
    ("values", "odd"),
    [
        (["12", "13.5", "14", "n/a"], "'n/a'"),
        (["1", "2", "3", "?", ""], "'?', ''"),
        ([str(k) for k in range(50)] + ["about 50"], "'about 50'"),
        (["1.5", "2.5", "3.5"], ""),
        (["1,5", "2,5", "unknown"] + ["3,25"] * 20, "'unknown'"),
        ([str(k) for k in range(40)], ""),
    ],
)
def test_numbers_among_text_are_doubted_once(values, odd) -> None:
    for column in (pd.Series(values, dtype=object), pd.Series(values, dtype="string")):
        [message] = doubts(pd.DataFrame({"size": column, "x": 0.5 * np.arange(len(values))}))
        assert "column 'size' holds text" in message
        assert odd in message
        assert "pandas.to_numeric" in message


@pytest.mark.parametrize(
    "values",
    [
        ["a", "b", "c", "1"],
        ["2", "3", "4", "5more"],
        ["00501", "10001", "94103", "02134"],
        ["1", "2", "3"],
        ["1", "n/a"],
        ["10-20", "20-30", "30-40"],
    ],
)
def test_names_are_not_doubted(values) -> None:
    assert doubts(pd.DataFrame({"size": values})) == []


def test_categories_that_were_asked_for_are_not_doubted() -> None:
    X = pd.DataFrame({"size": ["12", "13.5", "14", "n/a"]})
    assert doubts(X.astype("category")) == []
    assert doubts(X, categorical_features=["size"]) == []


def test_several_columns_are_one_doubt_and_prediction_has_none() -> None:
    X = pd.DataFrame({"a": ["1.5", "2", "3", "-"], "b": ["1.5", "2", "3", "-"]})
    with pytest.warns(DataWarning, match=r"column 'a' \(and 1 more columns\)") as found:
        model = AdaBoostClassifier(n_estimators=2).fit(X, [0, 1, 0, 1])
    assert len(found) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)
