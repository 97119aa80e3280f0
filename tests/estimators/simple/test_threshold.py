"""ThresholdClassifier: golden curves, ties and refusals."""

from __future__ import annotations

import doctest
import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.golden import Case, load, tolerance
from weaklearn.estimators.simple import intervals
from weaklearn.estimators.simple.intervals import ThresholdClassifier

CURVES = [found for found in load("threshold_erm") if "curve" in found["expected"]]


def column(x: Any) -> Any:
    return np.asarray(x, dtype=float)[:, None]


def test_docstrings_hold() -> None:
    assert doctest.testmod(intervals).failed == 0


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("golden", CURVES, ids=lambda found: found["name"])
def test_golden(golden: Case) -> None:
    X, y, expected = column(golden["input"]["x"]), golden["input"]["y"], golden["expected"]
    model = ThresholdClassifier().fit(X, y)
    rows = [{key: row[key] for key in ("v_above", "v_at_most", "errors")}
            for row in model.error_curve_]  # fmt: skip
    assert rows == expected["curve"]
    assert model.optimal_intervals_ == expected["optimal_intervals"]
    assert model.error_ == pytest.approx(expected["min_error_rate"], **tolerance("threshold_erm"))
    assert np.sum(model.predict(X) != y) == expected["min_errors"]


def test_equality_is_positive() -> None:
    model = ThresholdClassifier().fit([[1.0], [2.0]], ["a", "b"])
    assert model.predict([[1.5], [np.nextafter(1.5, 0)]]).tolist() == ["b", "a"]


def test_the_best_column_is_used_and_the_first_on_ties() -> None:
    X = np.array([[2.0, 1.0, 1.0], [1.0, 2.0, 2.0], [3.0, 3.0, 3.0]])
    model = ThresholdClassifier().fit(X, [0, 1, 1])
    assert (model.feature_, model.threshold_, model.error_) == (1, 1.5, 0)
    assert model.predict([[9, 0, 9]]).tolist() == [0]


def test_weights() -> None:
    X, y = column([1, 2, 3]), [0, 1, 0]
    plain = ThresholdClassifier().fit(X, y)
    assert [row["errors"] for row in plain.error_curve_] == [2, 1, 2, 1]
    assert plain.optimal_intervals_ == [[1, 2], [3, None]]
    copies = ThresholdClassifier().fit(X, y, sample_weight=[1, 1, 3])
    assert [row["errors"] for row in copies.error_curve_] == [4, 3, 4, 1]
    assert (copies.threshold_, copies.error_) == (4, 0.2)
    scaled = ThresholdClassifier().fit(X, y, sample_weight=[0.1, 0.1, 0.3])
    assert all("errors" not in row for row in scaled.error_curve_)
    assert [row["error"] for row in scaled.error_curve_] == pytest.approx([0.8, 0.6, 0.8, 0.2])


def test_rows_of_weight_zero_are_left_out() -> None:
    model = ThresholdClassifier().fit(
        column([1, 2, 3, 4]), [0, 1, 2, 0], sample_weight=[1, 1, 0, 0]
    )
    assert model.classes_.tolist() == [0, 1]
    assert len(model.error_curve_) == 3


@pytest.mark.parametrize(
    ("label", "threshold"), [(1, 0.0), (-1, 3.0), (0, 3.0), ("yes", 3.0), (True, 0.0)]
)
def test_one_class(label: Any, threshold: float) -> None:
    with pytest.warns(UserWarning, match="one class"):
        model = ThresholdClassifier().fit(column([1, 2]), [label, label])
    assert (model.threshold_, model.error_) == (threshold, 0)
    assert model.predict(column([-9, 9])).tolist() == [label, label]


def test_no_rows_to_predict() -> None:
    model = ThresholdClassifier().fit(column([1, 2]), ["a", "b"])
    empty = model.predict(np.empty((0, 1)))
    assert (empty.shape, empty.dtype) == ((0,), model.classes_.dtype)


def test_copies_and_pickles() -> None:
    model = ThresholdClassifier().fit(column([1, 2]), [0, 1])
    again = pickle.loads(pickle.dumps(model))
    assert again.threshold_ == model.threshold_
    assert not hasattr(clone(model), "threshold_")


@pytest.mark.parametrize(
    ("X", "y", "weights", "words"),
    [
        ([[1.0], [np.nan]], [0, 1], None, "NaN: row 1, column 0 .*DecisionStumpClassifier"),
        ([[1.0], [np.inf]], [0, 1], None, "infinity .* row 1, column 0 holds inf"),
        ([[1.0], [2.0], [3.0]], [0, 1, 2], None, "Only binary classification is supported"),
        ([[1.0], [2.0]], [0.5, 1.5], None, "continuous"),
        ([[1.0], [2.0]], [0, 1], [1.0], "1 values, X has 2 rows"),
        ([[1.0], [2.0]], [0, 1], [1.0, -1.0], r"sample_weight\[1\] is -1.0"),
        ([[1.0], [2.0]], [0, 1], [np.nan, 1.0], r"sample_weight\[0\] is NaN"),
        ([[1.0], [2.0]], [0, 1], [0.0, 0.0], "zero weights only"),
    ],
)
def test_bad_input_is_refused(X: Any, y: Any, weights: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ThresholdClassifier().fit(X, y, sample_weight=weights)


def test_columns_are_called_by_name() -> None:
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame({"age": [1.0, 2.0], "height": [1.0, np.nan]})
    with pytest.raises(ValueError, match="row 1, column 'height'"):
        ThresholdClassifier().fit(X, [0, 1])


def test_a_zero_of_either_sign_is_one_value() -> None:
    x, y = np.array([[-0.0], [0.0], [1.0], [-1.0]]), [0, 0, 1, 0]
    prints = {
        ThresholdClassifier().fit(x[order], np.array(y)[order]).fingerprint()
        for order in ([0, 1, 2, 3], [1, 0, 2, 3], [3, 2, 1, 0])
    }
    assert len(prints) == 1
