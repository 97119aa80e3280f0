"""Linear learners and circuits under the protocol: their twins, the mistake bounds, slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests import golden
from tests.reference import linear as twin
from weaklearn.engines import Engine
from weaklearn.online import OnlineMarginPerceptron, OnlinePerceptron, OnlineSGD
from weaklearn.online.descent import LOSSES, LinearState, Rule, learn, schedule

CASES = [name for name in golden.names("online") if name.startswith("perceptron")]
SMALL = st.integers(-8, 8).map(lambda k: k / 8)


def sequence(case: Any) -> list[tuple[Any, int]]:
    return [(example["x"], example["y"]) for example in case["input"]["sequence"]]


@st.composite
def sequences(draw: Any, unit: bool = True) -> tuple[Any, Any]:
    """Rows of eighths, none of them zero, with signs; in the unit ball, or as they are."""
    n, d = draw(st.integers(1, 40)), draw(st.integers(1, 5))
    X = draw(arrays(np.float64, (n, d), elements=SMALL))
    X[np.abs(X).max(axis=1) == 0, 0] = 0.5
    if unit:
        X /= max(1.0, np.sqrt((X**2).sum(axis=1)).max())
    y = draw(arrays(np.int64, n, elements=st.sampled_from([-1, 1])))
    return X, y


# ------------------------------------------------------------------------------------ golden values


@pytest.mark.parametrize("name", CASES)
def test_golden_runs(name: str) -> None:
    case = golden.case("online", name)
    expected = case["expected"]
    learner = OnlinePerceptron()
    trace = learner.run(sequence(case))
    assert trace.scores.tolist() == expected["scores"]
    assert trace.mistake_flags.tolist() == expected["mistake_flags"]
    assert learner.mistakes == trace.mistakes == expected["mistakes"]
    assert learner.w is not None
    assert learner.w.tolist() == expected["w_end"]
    rows = [x for x, _ in sequence(case)]
    labels = [y for _, y in sequence(case)]
    for found in expected.get("hinge_bounds", []):
        z = np.array(labels) * (np.array(rows) @ found["w_star"])
        hinge = float(np.maximum(0, 1 - z).sum())
        bound = float(np.square(found["w_star"]).sum()) + 2 * hinge
        assert (hinge, bound) == (found["hinge_total"], found["bound"])
        assert trace.mistakes <= bound


@pytest.mark.parametrize("name", CASES)
def test_golden_runs_one_example_at_a_time(name: str) -> None:
    case = golden.case("online", name)
    learner, scores, flags = OnlinePerceptron(), [], []
    for x, y in sequence(case):
        scores.append(learner.decision(x))
        assert learner.predict(x) == (1 if scores[-1] > 0 else -1)
        flags.append(learner.update(x, y))
    assert scores == case["expected"]["scores"]
    assert flags == case["expected"]["mistake_flags"]


# ------------------------------------------------------------------------------- against the twins


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("form", ["float64", "float32", "sparse", "strided"])
def test_passes_agree_with_the_twin(loss: str, outputs: int, form: str) -> None:
    rng = np.random.default_rng(3)
    X = rng.integers(-4, 5, (60, 11)) / 8
    y = rng.choice([-1, 1], 60) if outputs == 1 else rng.integers(0, 3, 60)
    rows: Any = {
        "float64": X,
        "float32": X.astype(np.float32),
        "sparse": sp.csr_array(X),
        "strided": np.asfortranarray(X)[:, ::-1][:, ::-1],
    }[form]
    engine = Engine()
    start = LinearState.start(11, (outputs,), False, averaged=True)
    found = learn(
        Rule(loss, "1/sqrt(t)", 0.5),
        start,
        engine.linear.rows(rows, False),
        y.astype(np.int32),
        engine,
        trace=True,
    )
    told = twin.linear_pass(X, y, outputs, loss, lambda t: 0.5 / np.sqrt(t))
    assert found.state.layers[0] == pytest.approx(told["w"], abs=1e-11)
    assert found.state.average.reshape(outputs, 11) == pytest.approx(told["average"], abs=1e-11)
    assert found.traced["scores"].reshape(60, -1) == pytest.approx(told["scores"], abs=1e-11)
    assert found.traced["losses"] == pytest.approx(told["losses"], abs=1e-11)
    assert found.traced["mistakes"].astype(bool).tolist() == told["mistakes"].tolist()
    assert found.loss == pytest.approx(told["losses"].sum())
    assert found.mistakes == told["mistakes"].sum()
    again = engine.linear.scores(engine.linear.rows(rows, False), (outputs,), found.state.w)
    assert again == pytest.approx(X @ told["w"].T, abs=1e-11)


@given(sequences(unit=False))  # sums of eighths are exact
def test_weights_are_the_sum_of_the_mistakes(drawn: tuple[Any, Any]) -> None:
    X, y = drawn
    learner = OnlinePerceptron()
    trace = learner.run(X, y)
    w, wrong = twin.perceptron(X, y, 1)
    assert np.flatnonzero(trace.mistake_flags).tolist() == wrong
    assert learner.w is not None
    assert learner.w.tolist() == w.tolist() == (y[wrong, None] * X[wrong]).sum(axis=0).tolist()


@given(sequences(), st.booleans())
def test_the_perceptron_loss_is_the_perceptron(drawn: tuple[Any, Any], constant: bool) -> None:
    X, y = drawn
    one, other = (
        OnlinePerceptron(fit_intercept=constant),
        OnlineSGD("perceptron", step=1.0, fit_intercept=constant),
    )
    told, same = one.run(X, y), other.run(X, y)
    assert one.w is not None
    assert other.w is not None
    assert one.w.tobytes() == other.w.tobytes()
    assert told.scores.tobytes() == same.scores.tobytes()
    margin, hinge = OnlineMarginPerceptron(), OnlineSGD("hinge", step="constant")
    assert margin.run(X, y).scores.tobytes() == hinge.run(X, y).scores.tobytes()


def test_a_constant_feature_is_a_column_of_ones() -> None:
    rng = np.random.default_rng(0)
    for d in (3, 7, 8, 12):
        X, y = rng.normal(size=(80, d)), rng.choice([-1, 1], 80)
        one, other = OnlinePerceptron(fit_intercept=True), OnlinePerceptron()
        scores = [one.run(X, y).scores, other.run(np.hstack([X, np.ones((80, 1))]), y).scores]
        assert scores[0].tobytes() == scores[1].tobytes()


# --------------------------------------------------------------------------------------- guarantees


@given(sequences(), st.data())
@settings(max_examples=60)
def test_mistakes_on_separable_sequences(drawn: tuple[Any, Any], data: Any) -> None:
    X, _ = drawn
    w_star = data.draw(arrays(np.float64, X.shape[1], elements=SMALL))
    if not w_star.any():
        w_star[0] = 1.0
    w_star /= np.linalg.norm(w_star)
    along = X @ w_star
    X, y = X[along != 0], np.sign(along[along != 0]).astype(int)
    if len(X) == 0:
        return
    gamma, R = float(np.abs(along[along != 0]).min()), float(np.linalg.norm(X, axis=1).max())
    order = np.tile(np.arange(len(X)), 5)
    learner = OnlinePerceptron()
    M = learner.run(X[order], y[order]).mistakes
    w = learner.w
    assert w is not None
    assert M <= (R / gamma) ** 2 * (1 + 1e-9)
    assert w @ w <= M * R**2 + 1e-9
    assert w @ w_star >= gamma * M - 1e-9
    margin = OnlineMarginPerceptron()
    margin.run(X[order], y[order])
    assert margin.updates <= (R**2 + 2) / gamma**2 * (1 + 1e-9)


@given(sequences(), st.data())
@settings(max_examples=60)
def test_mistakes_on_any_sequence_of_the_unit_ball(drawn: tuple[Any, Any], data: Any) -> None:
    X, y = drawn
    M = OnlinePerceptron().run(X, y).mistakes
    for _ in range(3):
        w_star = data.draw(arrays(np.float64, X.shape[1], elements=st.floats(-5, 5)))
        hinge = np.maximum(0, 1 - y * (X @ w_star)).sum()
        assert M <= w_star @ w_star + 2 * hinge + 1e-9


# --------------------------------------------------------------------------------- slopes and steps


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("hidden", [(), (4,), (3, 2)])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_step_follows_the_slope(
    loss: str, hidden: tuple[int, ...], outputs: int, constant: bool
) -> None:
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=3), -1 if outputs == 1 else 1
    begun = LinearState.start(3, (*hidden, outputs), constant, seed=2)
    start = LinearState(3, begun.units, constant, rng.normal(size=len(begun.w)))
    engine = Engine()
    for rows in (x[None], sp.csr_array(x[None])):
        found = learn(
            Rule(loss, 0.5),
            start,
            engine.linear.rows(rows, constant),
            np.array([y], np.int32),
            engine,
        )
        slopes = twin.gradient(x, y, start.layers, constant, loss)
        for before, after, slope in zip(start.layers, found.state.layers, slopes):
            assert (before - after) / 0.5 == pytest.approx(slope, abs=1e-6)
    scores = engine.linear.scores(engine.linear.rows(x[None], constant), start.units, start.w)
    assert scores[0] == pytest.approx(twin.circuit(x, start.layers, constant)[-1], abs=1e-12)


def test_a_hinge_loss_is_no_less_than_the_error() -> None:
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 4)), rng.choice([-1, 1], 200)
    for loss in ("hinge", "squared"):
        trace = OnlineSGD(loss, learning_rate=0.1).run(X, y)
        assert trace.losses is not None
        assert trace.losses.mean() >= trace.mistake_flags.mean()


def test_steps() -> None:
    by_name = OnlineSGD("logistic", step="1/sqrt(t)", learning_rate=0.5)
    by_call = OnlineSGD("logistic", step=lambda t: 1 / np.sqrt(t), learning_rate=0.5)
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(50, 4)), rng.choice([-1, 1], 50)
    for part in (slice(20), slice(20, 50)):  # t goes on from run to run
        assert by_name.run(X[part], y[part]).scores == pytest.approx(
            by_call.run(X[part], y[part]).scores, abs=1e-12
        )
    assert schedule(lambda t: t, 3, 2).tolist() == [4, 5]
    for bad in (-1, float("nan"), "much", float("inf")):
        with pytest.raises(ValueError, match=r"step\(3\) is"):
            schedule(lambda t, bad=bad: bad, 2, 1)  # type: ignore[misc]


def test_circuits_learn_what_no_halfspace_does() -> None:
    learner = OnlineSGD("hinge", step=0.5, fit_intercept=True, layers=(4,), seed=0)
    square = [([0, 0], -1), ([0, 1], 1), ([1, 0], 1), ([1, 1], -1)] * 1000
    assert learner.run(square).mistake_flags[-100:].sum() == 0


# -------------------------------------------------------------------------------------------- input


def test_sparse_rows_are_rows() -> None:
    rng = np.random.default_rng(2)
    X = np.where(rng.random((60, 9)) < 0.6, 0.0, rng.normal(size=(60, 9)))
    X[~X.any(axis=1), 3] = 1.0
    y = rng.choice([-1, 1], 60)
    dense, sparse, single = OnlinePerceptron(), OnlinePerceptron(), OnlinePerceptron()
    told = dense.run(X, y)
    assert told.scores.tobytes() == sparse.run(sp.csr_array(X), y).scores.tobytes()
    rows = sp.csr_array(X)
    flags = [single.update(rows[[i]], label) for i, label in enumerate(y)]
    assert flags == told.mistake_flags.tolist()
    assert single.predict(rows[[0]]) == dense.predict(X[0])


def test_what_is_refused_leaves_the_learner_as_it_was() -> None:
    learner = OnlinePerceptron()
    learner.run([([1.0, 2.0], 1)])
    before = learner.w
    for x, y, words in [
        ([0.0, 0.0], 1, "zero vector"),
        ([1.0, float("nan")], 1, "missing value"),
        ([1.0], 1, "1 features"),
        ([[1.0, 2.0]], 1, "shape"),
        ([1.0, 2.0], 0, "-1 or 1"),
        ([1.0, 2.0], True, "-1 or 1"),
        ([1.0, 2.0], "1", "-1 or 1"),
    ]:
        with pytest.raises(ValueError, match=words):
            learner.update(x, y)
    with pytest.raises(ValueError, match="3 entries"):
        learner.run([[1.0, 2.0]], [1, 1, -1])
    with pytest.raises(ValueError, match="beyond float64"):
        learner.run([[-1e200, 0.0], [1e200, 0.0]], [1, 1])
    assert before is not None
    assert learner.w is not None
    assert learner.w.tolist() == before.tolist()
    assert learner.mistakes == 1
    OnlineSGD("hinge").update([0.0, 0.0], 1)  # a zero vector pushes nothing
    OnlinePerceptron(fit_intercept=True).update([0.0, 0.0], 1)
    for given_ in ({"loss": "logloss"}, {"step": "sqrt"}):
        with pytest.raises(ValueError, match="is not allowed"):
            OnlineSGD(**given_)  # type: ignore[arg-type]


def test_hypotheses_stay_as_they_were() -> None:
    learner = OnlinePerceptron()
    learner.update([1.0, 0.0], 1)
    frozen = learner.hypothesis()
    learner.update([1.0, 0.5], -1)
    assert frozen.w is not None
    assert frozen.w.tolist() == [1.0, 0.0]
    assert (frozen.mistakes, learner.mistakes) == (1, 2)
    assert (OnlinePerceptron().conservative, OnlineSGD("hinge").conservative) == (True, False)
    assert len(OnlinePerceptron().run([])) == 0
