"""Stochastic gradient descent as an estimator: losses, steps, circuits, probabilities, endings."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.preprocessing import StandardScaler

from tests.reference import linear as twin
from weaklearn import (
    MarginPerceptron,
    ModelFileError,
    PassesWarning,
    Perceptron,
    SGDClassifier,
    load,
)
from weaklearn.online.descent import LOSSES


def drawn(n: int = 300, noise: float = 0.5, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    return X, np.where(X[:, 0] - 2 * X[:, 1] + noise * rng.normal(size=n) > 0, 1, -1)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize(
    "step", ["1/sqrt(t)", 0.3, lambda t: 1.0 / t], ids=["root", "same", "call"]
)
def test_passes_are_those_of_the_twin(loss: str, step: Any) -> None:
    X, y = drawn(80)
    rate = 0.05
    model = SGDClassifier(loss, step=step, learning_rate=rate)
    trace = model.run(X, y)
    plain = {"1/sqrt(t)": lambda t: 1 / np.sqrt(t), 0.3: lambda t: 0.3}.get(step, step)
    told = twin.linear_pass(X, y, 1, loss, lambda t: rate * plain(t))
    assert model.coef_ == pytest.approx(told["w"], abs=1e-12)
    assert trace.scores == pytest.approx(told["scores"][:, 0], abs=1e-12)
    assert trace.losses == pytest.approx(told["losses"], abs=1e-12)
    assert model.mistakes_ == told["mistakes"].sum()


def test_the_perceptrons_among_the_losses() -> None:
    X, y = drawn()
    for fit_intercept in (False, True):
        given: dict[str, Any] = {"fit_intercept": fit_intercept, "max_passes": 6}
        with pytest.warns(PassesWarning):
            one = Perceptron(**given).fit(X, y)
        with pytest.warns(PassesWarning):
            other = SGDClassifier("perceptron", step=1.0, **given).fit(X, y)
        assert other.coef_.tolist() == one.coef_.tolist()  # the pocket, too
        assert other.intercept_.tolist() == one.intercept_.tolist()
        assert other.history_ == one.history_
    X, y = drawn(noise=0.0)
    X = X[np.abs(X[:, 0] - 2 * X[:, 1]) > 0.2]
    y = np.where(X[:, 0] - 2 * X[:, 1] > 0, 1, -1)
    margin = MarginPerceptron(max_passes=5000).fit(X, y)
    hinge = SGDClassifier("hinge", step="constant", tol=None, max_passes=5000).fit(X, y)
    assert margin.converged_
    assert hinge.coef_.tolist() == margin.coef_.tolist()
    assert (y * margin.decision_function(X)).min() >= 1


@pytest.mark.parametrize("loss", ["hinge", "logistic", "squared"])
def test_losses_fall_until_they_settle(loss: str) -> None:
    X, y = drawn(1000)
    model = SGDClassifier(loss, learning_rate=0.1).fit(X, y)
    losses = model.history_["loss"]
    assert model.converged_
    assert 5 < model.n_iter_ < 100
    assert losses[-1] < losses[0]
    falls = np.minimum.accumulate(losses)[:-1] - losses[1:]
    assert (falls[-5:] < 1e-3).all()
    assert (falls[:-5] >= 1e-3).any()
    assert model.score(X, y) > 0.88
    with pytest.warns(PassesWarning, match="max_passes=2"):
        SGDClassifier(loss, learning_rate=0.1, max_passes=2).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        longer = SGDClassifier(loss, learning_rate=0.1, tol=None, max_passes=12).fit(X, y)
    assert longer.n_iter_ == 12
    assert not longer.converged_


def test_probabilities() -> None:
    X, y = drawn(2000)
    model = SGDClassifier("logistic").fit(X, y)
    found = model.predict_proba(X)
    assert found.sum(axis=1) == pytest.approx(1.0)
    assert found[:, 1] == pytest.approx(1 / (1 + np.exp(-model.decision_function(X))))
    assert model.predict_log_proba(X) == pytest.approx(np.log(found))
    assert abs(found[:, 1].mean() - (y > 0).mean()) < 0.03
    three = np.digitize(X[:, 0], [-0.5, 0.5])
    of_three = SGDClassifier("logistic", fit_intercept=True).fit(X, three).predict_proba(X)
    assert of_three.sum(axis=1) == pytest.approx(1.0)
    assert SGDClassifier("logistic").fit(X, three).predict_proba(-1e6 * X[:1]).sum() == 1.0
    for loss in ("hinge", "perceptron", "squared"):
        assert not hasattr(SGDClassifier(loss, learning_rate=1e-3).fit(X, y), "predict_proba")


def test_sorted_rows_need_to_be_shuffled() -> None:
    X, y = drawn(2000)
    order = np.argsort(y, kind="stable")
    given: dict[str, Any] = {"max_passes": 1, "step": 1.0, "learning_rate": 0.1, "tol": None}
    plain = SGDClassifier(**given).fit(X[order], y[order])
    shuffled = SGDClassifier(shuffle=True, random_state=1, **given).fit(X[order], y[order])
    assert shuffled.score(X, y) > plain.score(X, y)
    again = SGDClassifier(shuffle=True, random_state=1, **given).fit(X[order], y[order])
    assert again.coef_.tolist() == shuffled.coef_.tolist()


# ----------------------------------------------------------------------------------------- circuits


def test_circuits() -> None:
    rng = np.random.default_rng(2)
    X = rng.uniform(-1, 1, (400, 2))
    y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    model = SGDClassifier("logistic", layers=(8,), fit_intercept=True, step=0.5, max_passes=300)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PassesWarning)
        model.fit(X, y)
        linear = SGDClassifier("logistic", fit_intercept=True).fit(X, y)
    assert model.score(X, y) > 0.95 > 0.7 > linear.score(X, y)
    assert [w.shape for w in model.weights_] == [(8, 3), (1, 9)]
    assert [w.shape for w in linear.weights_] == [(1, 3)]
    for x, F in zip(X[:5], model.decision_function(X[:5])):
        assert twin.circuit(x, model.weights_, True)[-1][0] == pytest.approx(F)
    with pytest.raises(AttributeError, match="weights_"):
        _ = model.coef_
    assert model.predict_proba(X).shape == (400, 2)
    other = SGDClassifier("logistic", layers=(8,), fit_intercept=True, random_state=1, max_passes=1)
    with pytest.warns(PassesWarning):
        first = [model.set_params(max_passes=1).fit(X, y).weights_, other.fit(X, y).weights_]
    assert first[0][0].tolist() != first[1][0].tolist()


def test_a_circuit_of_several_classes_and_layers() -> None:
    rng = np.random.default_rng(3)
    X = rng.uniform(-1, 1, (500, 2))
    y = np.digitize(np.hypot(X[:, 0], X[:, 1]), [0.5, 0.9])
    model = SGDClassifier(
        "logistic", layers=(10, 6), fit_intercept=True, step=0.5, max_passes=300, tol=None
    ).fit(X, y)
    assert model.score(X, y) > 0.85
    assert [w.shape for w in model.weights_] == [(10, 3), (6, 11), (3, 7)]
    again = pickle.loads(pickle.dumps(model))
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()


def test_circuits_stream_too() -> None:
    X, y = drawn(100)
    whole = SGDClassifier(layers=(3,), random_state=4).partial_fit(X, y)
    parts = SGDClassifier(layers=(3,), random_state=4)
    for i in range(100):
        parts.partial_fit(X[i : i + 1], y[i : i + 1])
    assert [w.tolist() for w in parts.weights_] == [w.tolist() for w in whole.weights_]
    with pytest.raises(ValueError, match="layers"):
        parts.set_params(layers=(4,)).partial_fit(X, y)


# --------------------------------------------------------------------------------- files, bad input


def test_files_hold_circuits_but_no_functions(tmp_path: Any) -> None:
    X, y = drawn(100)
    path = tmp_path / "model.weak"
    model = SGDClassifier(layers=(3, 2), fit_intercept=True, step=0.1, tol=None).fit(X, y)
    model.save(path)
    again = load(path)
    assert again.predict(X).tolist() == model.predict(X).tolist()
    assert again.partial_fit(X, y).fingerprint() == model.partial_fit(X, y).fingerprint()
    own = SGDClassifier(step=lambda t: 0.1, tol=None, max_passes=2).fit(X, y)
    with pytest.raises(ModelFileError):
        own.save(path)


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64, np.int8])
def test_steps_are_numbers_of_numpy_too(kind: Any) -> None:
    """As a search over np.logspace passes them; the kernel refused a flag of numpy."""
    X = np.arange(12.0)[:, None] - 5.5
    model = SGDClassifier(step=kind(1)).fit(X, X[:, 0] > 0)
    same = SGDClassifier(step=1.0).fit(X, X[:, 0] > 0)
    assert model.decision_function(X).tolist() == same.decision_function(X).tolist()


def test_steps_that_overshoot_are_refused() -> None:
    X, y = drawn()
    with pytest.raises(ValueError, match=r"overflow float64.*lower learning_rate"):
        SGDClassifier("squared", step=1.0).fit(100 * X, y)
    scaled = StandardScaler().fit_transform(100 * X)
    assert SGDClassifier("squared", learning_rate=0.05).fit(scaled, y).score(scaled, y) > 0.85


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"loss": "log_loss"}, "loss='log_loss'"),
        ({"step": "optimal"}, "step='optimal'"),
        ({"step": 0}, "step=0"),
        ({"step": float("nan")}, "step=nan"),
        ({"step": True}, "step=True"),
        ({"step": None}, "step=None"),
        ({"step": lambda t: -1.0}, r"step\(1\) is -1.0"),
        ({"learning_rate": 0}, "learning_rate=0"),
        ({"learning_rate": "0.1"}, "learning_rate='0.1'"),
        ({"layers": 8}, "layers=8"),
        ({"layers": (8, 0)}, r"layers\[1\]=0"),
        ({"tol": -1.0}, "tol=-1.0"),
        ({"n_iter_no_change": 0}, "n_iter_no_change=0"),
    ],
)
def test_parameters_are_checked(given: Any, words: str) -> None:
    X, y = drawn(20)
    with pytest.raises((TypeError, ValueError), match=words):
        SGDClassifier(**given).fit(X, y)
