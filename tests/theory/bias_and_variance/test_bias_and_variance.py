"""Squared error taken apart: exact in fractions, and measured on real learners."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression, LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests import golden
from weaklearn import DecisionStumpClassifier
from weaklearn.theory import bagging_identity, bias_variance, decompose

NAMES = golden.names("bias_variance")
fractions = st.fractions(min_value=-5, max_value=5, max_denominator=30)


# ----------------------------------------------------------------------- over a list of predictions


@pytest.mark.parametrize("name", NAMES)
def test_golden(name: str) -> None:
    case, allowed = golden.case("bias_variance", name), golden.tolerance("bias_variance")
    given, expected = case["input"], case["expected"]
    predictions = given["predictions_by_training_set"]
    parts = decompose(predictions, given["f"], given["noise_variance"])
    for found, wanted in zip(parts.per_point, expected["per_point"], strict=True):
        assert found == pytest.approx(wanted, **allowed)
    assert parts.mse == pytest.approx(expected["mse"], **allowed)
    assert parts.holds
    exact = decompose(
        [[Fraction(v) for v in row] for row in predictions], given["f"], given["noise_variance"]
    )
    assert exact.gap == 0
    assert float(exact.mse) == pytest.approx(expected["mse"], **allowed)


@st.composite
def lists(draw: Any) -> Any:
    n_sets, n_points = draw(st.integers(1, 5)), draw(st.integers(1, 4))
    row = st.lists(fractions, min_size=n_points, max_size=n_points)
    predictions = draw(st.lists(row, min_size=n_sets, max_size=n_sets))
    return predictions, draw(row), draw(st.fractions(min_value=0, max_value=3))


@given(lists())
def test_the_identity_is_exact_in_fractions(case: Any) -> None:
    predictions, f, noise = case
    parts = decompose(predictions, f, noise)
    assert parts.gap == 0
    for i, point in enumerate(parts.per_point):
        column = [row[i] for row in predictions]
        mean = sum(column) / len(column)
        assert point["bias_sq"] == (f[i] - mean) ** 2
        assert point["variance"] == sum((v - mean) ** 2 for v in column) / len(column)
        assert point["expected_sq_error"] == noise + sum((v - f[i]) ** 2 for v in column) / len(
            column
        )
    assert parts.mse == sum(parts.expected_sq_error) / len(f)


@given(lists())
def test_averaging_saves_exactly_the_spread(case: Any) -> None:
    predictions, y, _ = case
    found = bagging_identity(predictions, y)
    assert found.gap == 0
    assert found.error_of_aggregate <= found.average_error
    assert found.certificate.holds
    assert (found.spread == 0) == all(row == predictions[0] for row in predictions)


def test_averaging_can_raise_the_zero_one_error() -> None:
    # Right with probability 0.4 at the point: two of five training sets lead to the label +1.
    predictions = np.array([[1], [1], [-1], [-1], [-1]])
    found = bagging_identity(predictions, [1])
    assert found.error_of_aggregate < found.average_error  # under squared loss averaging helps,
    single = (predictions != 1).mean()
    majority = np.sign(predictions.mean(axis=0)) != 1
    assert single == 0.6
    assert majority.all()  # and under 0-1 loss the majority is always wrong


def test_vectors_are_taken_apart_coordinate_by_coordinate() -> None:
    rng = np.random.default_rng(0)
    values, f = rng.random((6, 4, 3)), rng.random((4, 3))
    integer = decompose(values, f)
    parts = [decompose(values[:, :, k], f[:, k]) for k in range(3)]
    assert integer.bias_sq == pytest.approx(sum(part.bias_sq for part in parts))
    assert integer.variance == pytest.approx(sum(part.variance for part in parts))
    assert integer.holds


def test_numbers_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="one row a training set"):
        decompose([1.0, 2.0], [1.0])
    with pytest.raises(ValueError, match="one true value a point"):
        decompose([[1.0, 2.0]], [1.0])
    with pytest.raises(ValueError, match="noise_variance holds a negative"):
        decompose([[1.0]], [1.0], -1)
    with pytest.raises(ValueError, match="noise_variance has shape"):
        decompose([[1.0]], [1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match="finite"):
        decompose([[np.nan]], [1.0])


def test_the_table_ends_with_the_means() -> None:
    lines = str(decompose([[1.0, 2.0], [3.0, 2.0]], [1.0, 1.0])).splitlines()
    assert lines[0].split()[:2] == ["point", "bias_sq"]
    assert lines[-1].split()[0] == "mean"


# ----------------------------------------------------------------------------------- of estimators


def wave(x: Any) -> Any:
    return np.sin(4 * x[:, 0])


def noisy_wave(rng: Any, n: int = 40) -> Any:
    x = rng.uniform(-1, 1, size=(n, 1))
    return x, wave(x) + rng.normal(scale=0.5, size=n)


def chance(x: Any) -> Any:
    return 1 / (1 + np.exp(-3 * x[:, 0]))


def coins(rng: Any, n: int = 60) -> Any:
    x = rng.normal(size=(n, 2))
    return x, np.where(rng.random(n) < chance(x), "yes", "no")


def test_a_flexible_learner_trades_bias_for_variance() -> None:
    kinds = [LinearRegression(), KNeighborsRegressor(10), DecisionTreeRegressor()]
    found = [bias_variance(kind, noisy_wave, f=wave, noise_variance=0.25) for kind in kinds]
    biases = [parts.means["bias_sq"] for parts in found]
    variances = [parts.means["variance"] for parts in found]
    assert biases[0] > 4 * biases[2]
    assert variances == sorted(variances)
    assert all(parts.holds and parts.zero_one is None for parts in found)
    assert all((parts.noise == 0.25).all() for parts in found)


def test_a_known_learner_has_its_known_parts() -> None:
    class Mean:
        """Says the mean of its training labels: bias 0, variance sigma^2/n for a constant f."""

        def fit(self, X: Any, y: Any) -> Any:
            self.mean = np.mean(y)
            return self

        def predict(self, X: Any) -> Any:
            return np.full(len(X), self.mean)

    def sampler(rng: Any) -> Any:
        return np.zeros((10, 1)), 3 + rng.normal(scale=2, size=10)

    parts = bias_variance(Mean(), sampler, f=np.full(10, 3.0), noise_variance=4, n_sets=2000)
    assert parts.means["bias_sq"] == pytest.approx(0, abs=0.01)
    assert parts.means["variance"] == pytest.approx(4 / 10, rel=0.1)
    assert parts.mse == pytest.approx(4.4, rel=0.02)


def test_the_noise_is_found_where_it_can_be() -> None:
    measured = bias_variance(
        LinearRegression(), lambda rng: noisy_wave(rng, 4000), f=wave, n_sets=2
    )
    assert measured.noise == pytest.approx(np.full(4000, 0.25), rel=0.1)
    p = bias_variance(LogisticRegression(), coins, f=chance, n_sets=3)
    X_test = coins(np.random.default_rng([0, 0]))[0]
    assert p.response == "proba"
    assert p.noise == pytest.approx(chance(X_test) * (1 - chance(X_test)))
    signs = bias_variance(
        LogisticRegression(), coins, f=lambda x: 2 * chance(x) - 1, response="sign", n_sets=3
    )
    assert signs.noise == pytest.approx(4 * p.noise)  # the same coin on a scale twice as long


def test_labels_without_f_count_their_noise_as_bias() -> None:
    known = bias_variance(LogisticRegression(), coins, f=chance, n_sets=20)
    blind = bias_variance(LogisticRegression(), coins, n_sets=20)
    assert blind.variance == pytest.approx(known.variance)
    assert (blind.noise == 0).all()
    assert blind.mse == pytest.approx(known.mse, rel=0.25)
    with pytest.raises(ValueError, match="noise_variance is given without f"):
        bias_variance(LogisticRegression(), coins, noise_variance=0.1)


def test_main_predictions_of_a_classifier() -> None:
    X_test, y_test = coins(np.random.default_rng(9), 25)
    parts = bias_variance(
        DecisionTreeClassifier(), coins, X_test=X_test, y_test=y_test, n_sets=15, random_state=4
    )
    said = np.array(
        [
            DecisionTreeClassifier(random_state=_seed_of(4, s))
            .fit(*coins(np.random.default_rng([4, 1 + s])))
            .predict(X_test)
            for s in range(15)
        ]
    )
    yes = (said == "yes").sum(axis=0)
    assert parts.zero_one.labels.tolist() == np.where(yes > 7, "yes", "no").tolist()
    assert parts.zero_one.disagreement == pytest.approx(np.minimum(yes, 15 - yes) / 15)
    assert parts.zero_one.wrong.tolist() == (parts.zero_one.labels != y_test).tolist()
    assert parts.zero_one.expected_error == pytest.approx((said != y_test).mean(axis=0))


def _seed_of(seed: int, s: int) -> int:
    from weaklearn.learners.foreign import fresh

    state: int = fresh(DecisionTreeClassifier(), seed, s).random_state
    return state


@pytest.mark.parametrize("kind", [RidgeClassifier, DecisionStumpClassifier])
def test_classifiers_without_probabilities_answer_by_sign(kind: Any) -> None:
    parts = bias_variance(kind(), coins, n_sets=5)
    assert parts.response == "sign"
    assert set(np.unique(parts.mean * 5)) <= {-5.0, -3.0, -1.0, 1.0, 3.0, 5.0}
    assert parts.holds


def test_three_classes_have_a_coordinate_each() -> None:
    def sampler(rng: Any) -> Any:
        x = rng.normal(size=(50, 2))
        return x, np.digitize(x[:, 0], [-0.5, 0.5])

    parts = bias_variance(DecisionTreeClassifier(max_depth=2), sampler, n_sets=8)
    assert parts.mean.shape == (50, 3)
    assert parts.mean.sum(axis=1) == pytest.approx(np.ones(50))
    assert parts.holds


def test_the_bootstrap_judges_the_rows_left_out() -> None:
    X, y = noisy_wave(np.random.default_rng(1), 30)
    parts = bias_variance(DecisionTreeRegressor(), X, y, n_sets=6, random_state=2)
    order = np.lexsort((y, X[:, 0]))
    sums, squares, count = np.zeros(30), np.zeros(30), np.zeros(30)
    for s in range(6):
        rows = order[np.random.default_rng([2, 1 + s]).integers(0, 30, 30)]
        out = np.setdiff1d(np.arange(30), rows)
        said = DecisionTreeRegressor(random_state=0).fit(X[rows], y[rows]).predict(X[out])
        sums[out] += said
        squares[out] += (said - y[out]) ** 2
        count[out] += 1
    assert parts.points.tolist() == np.flatnonzero(count).tolist()
    assert 0 < len(parts.points) <= 30
    judged = count > 0
    assert parts.mean == pytest.approx(sums[judged] / count[judged])
    assert parts.expected_sq_error == pytest.approx(squares[judged] / count[judged])
    assert parts.holds


@settings(max_examples=10)
@given(st.permutations(range(25)))
def test_the_bootstrap_does_not_depend_on_the_order_of_rows(order: list[int]) -> None:
    X, y = noisy_wave(np.random.default_rng(3), 25)
    straight = bias_variance(DecisionTreeRegressor(), X, y, n_sets=4)
    mixed = bias_variance(DecisionTreeRegressor(), X[order], y[order], n_sets=4)
    assert np.array(order)[mixed.points].tolist() == [i for i in order if i in straight.points]
    places = {int(i): k for k, i in enumerate(straight.points)}
    same = [places[order[i]] for i in mixed.points]
    assert mixed.mean.tolist() == straight.mean[same].tolist()


def test_the_same_seed_gives_the_same_parts_and_a_generator_serves() -> None:
    first = bias_variance(DecisionTreeRegressor(), noisy_wave, n_sets=3, random_state=5)
    again = bias_variance(DecisionTreeRegressor(), noisy_wave, n_sets=3, random_state=5)
    assert first.mean.tolist() == again.mean.tolist()
    drawn = [
        bias_variance(
            DecisionTreeRegressor(), noisy_wave, n_sets=3, random_state=np.random.default_rng(5)
        )
        for _ in range(2)
    ]
    assert drawn[0].mean.tolist() == drawn[1].mean.tolist()


def test_calls_that_make_no_sense_are_refused() -> None:
    X, y = noisy_wave(np.random.default_rng(0))
    with pytest.raises(ValueError, match="n_sets=0 is not allowed"):
        bias_variance(LinearRegression(), X, y, n_sets=0)
    with pytest.raises(ValueError, match="response='odds' is not allowed"):
        bias_variance(LinearRegression(), X, y, response="odds")
    with pytest.raises(ValueError, match="no classifier"):
        bias_variance(LinearRegression(), X, y, response="proba")
    with pytest.raises(ValueError, match="y is None"):
        bias_variance(LinearRegression(), X)
    with pytest.raises(ValueError, match="draws its own"):
        bias_variance(LinearRegression(), noisy_wave, y)
    with pytest.raises(ValueError, match="40 rows, y has 39"):
        bias_variance(LinearRegression(), X, y[:-1])
    with pytest.raises(ValueError, match="X_test is given without"):
        bias_variance(LinearRegression(), noisy_wave, X_test=X)
    with pytest.raises(ValueError, match="f gives values of shape"):
        bias_variance(LinearRegression(), noisy_wave, f=[1.0, 2.0])
