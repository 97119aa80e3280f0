"""Experts, mixtures, halving and disjunctions as estimators: golden traces, streams, refusals."""

from __future__ import annotations

import pickle
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

import weaklearn
from tests import golden
from tests.reference import experts as twin
from weaklearn import HalvingClassifier, Hedge, ModelFileError, OnlineDisjunction, SleepingExperts
from weaklearn.online import adversary, large_gap, random_stopping

NAN = float("nan")


def floats(rows: Any) -> Any:
    return np.array([[NAN if cell is None else cell for cell in row] for row in rows], float)


def advice(T: int = 60, n: int = 7, seed: int = 0) -> tuple[Any, Any]:
    """Rows of -1, +1 and NaN, and labels."""
    rng = np.random.default_rng(seed)
    X = rng.choice([-1.0, 1.0, NAN], size=(T, n))
    return X, rng.choice([-1, 1], T)


# ------------------------------------------------------------------------------- sleeping experts


@pytest.mark.parametrize("name", golden.names("sleeping_experts"))
def test_golden_traces(name: str) -> None:
    case = golden.case("sleeping_experts", name)
    given, expected = case["input"], case["expected"]
    near = golden.tolerance("sleeping_experts")
    model = SleepingExperts(epsilon=given["epsilon"])
    trace = model.run(given["predictions"], given["truth"], weights=True)
    for t, told in enumerate(expected["trace"]):
        assert trace.weights_after[t].tolist() == pytest.approx(told["weights_after"], **near)
        asleep = [None] * len(trace.p[t])
        p = [NAN if v is None else v for v in told["p"] or asleep]
        assert trace.p[t].tolist() == pytest.approx(p, nan_ok=True, **near)
        q = NAN if told["prob_mistake"] is None else told["prob_mistake"]
        assert trace.prob_mistake[t] == pytest.approx(q, nan_ok=True, **near)
    assert trace.mistakes_of_expert.tolist() == expected["mistakes_of_expert"]
    for key in ("expected_mistakes_on_S_i", "bound"):
        assert getattr(trace, key).tolist() == pytest.approx(expected[key], **near)
    assert trace.total_weight_end == pytest.approx(expected["total_weight_end"], **near)
    assert (model.expected_mistakes_ == trace.expected_mistakes_on_S_i).all()


@pytest.mark.parametrize("name", golden.names("sleeping_experts"))
def test_golden_runs_one_example_at_a_time(name: str) -> None:
    case = golden.case("sleeping_experts", name)
    given, expected = case["input"], case["expected"]
    model = SleepingExperts(given["epsilon"])
    trace = SleepingExperts(given["epsilon"]).run(given["predictions"], given["truth"])
    flags = []
    for row, y, told in zip(given["predictions"], given["truth"], expected["trace"]):
        guess = model.predict(row)
        shares = model.shares(row)
        assert model.predict(row) == guess  # until an example was learnt
        flags.append(model.update(row, y))
        assert (guess is None) == (told["p"] is None)
        assert flags[-1] == (guess is not None and guess != y)
        p = [NAN if v is None else v for v in told["p"] or [None] * len(row)]
        assert shares.tolist() == pytest.approx(p, nan_ok=True)
        assert model.weights_.tolist() == pytest.approx(told["weights_after"], rel=1e-9)
    assert flags == trace.mistake_flags.tolist()
    assert model.mistakes_ == sum(flags)
    assert model.t_ == len(flags)


def test_containers_of_advice() -> None:
    X, y = advice()
    expected = twin.play(X, y, 0.5)
    model = SleepingExperts().fit(X, y)
    assert model.weights_.tolist() == pytest.approx(expected["weights_after"][-1].tolist())
    objects = X.astype(object)
    objects[np.isnan(X)] = None
    awake = ~np.isnan(X)
    sparse = sp.csr_array(
        (X[awake], np.nonzero(awake)[1], np.append(0, np.cumsum(awake.sum(axis=1)))), shape=X.shape
    )
    names = list("abcdefg")
    same = [
        X.astype(np.float32),
        np.asfortranarray(X),
        X[::-1][::-1],
        objects,
        objects.tolist(),
        X.tolist(),
        sparse,
        sparse.tocsc(),
        pd.DataFrame(X, columns=names),
        pd.DataFrame(objects, columns=names),
        pl.DataFrame(X, schema=names).fill_nan(None),
    ]
    for other in same:
        assert SleepingExperts().fit(other, y).log_weights_.tolist() == model.log_weights_.tolist()
    framed = SleepingExperts().fit(pd.DataFrame(X, columns=names), y)
    assert framed.feature_names_in_.tolist() == names
    with pytest.raises(ValueError, match="feature names"):
        framed.partial_fit(pd.DataFrame(X, columns=names[::-1]), y)
    zeros = SleepingExperts().fit(sp.csr_array(np.array([[0.0, 1.0]])), [0])
    assert zeros.mistakes_of_expert_.tolist() == [0, 1]  # the first has no entry: it sleeps


def test_labels_of_any_kind() -> None:
    X, y = advice()
    words = np.where(X > 0, "up", "down").astype(object)
    words[np.isnan(X)] = None
    texts = SleepingExperts().fit(words.tolist(), np.where(y > 0, "up", "down"))
    numbers = SleepingExperts().fit(X, y)
    assert (texts.weights_ == numbers.weights_).all()
    assert texts.classes_.tolist() == ["down", "up"]
    assert numbers.classes_.tolist() == [-1, 1]
    assert SleepingExperts().fit(words, np.where(y > 0, "up", "down")).mistakes_ == texts.mistakes_
    frame = pd.DataFrame(words, columns=list("abcdefg"))
    assert (SleepingExperts().fit(frame, np.where(y > 0, "up", "down")).weights_
            == numbers.weights_).all()  # fmt: skip
    many = SleepingExperts(deterministic=True)
    many.update([3, 5, 5], 5)
    assert many.classes_.tolist() == [3, 5]
    assert many.predict([7, 5, 5]) == 5
    assert not many.update([7, None, None], 7)
    assert many.classes_.tolist() == [3, 5, 7]
    flags = SleepingExperts().fit([[True, False]], [True])
    assert flags.mistakes_of_expert_.tolist() == [0, 1]
    with pytest.raises(ValueError, match="same labels"):
        SleepingExperts().fit(X, np.where(y > 0, "up", "down"))
    with pytest.raises(ValueError, match="same labels"):
        many.update([1, 2, 3], "a")


def test_majorities_and_draws() -> None:
    X, y = advice(200)
    fair = SleepingExperts(deterministic=True)
    trace = fair.run(X, y)
    assert trace.mistakes == fair.mistakes_
    assert (trace.prob_mistake[trace.mistake_flags] >= 0.5 - 1e-9).all()
    assert fair.predict([1, None, None, None, None, None, -1]) in (-1, 1)
    assert SleepingExperts(deterministic=True).predict([1, -1]) == 1  # a tie
    one, same, other = (SleepingExperts(random_state=s).run(X, y) for s in (5, 5, 6))
    assert (one.predictions == same.predictions).all()
    assert (one.predictions != other.predictions).any()
    assert (one.losses == other.losses).all()  # chances do not depend on draws
    drawn = SleepingExperts(random_state=np.random.default_rng(1)).fit(X, y)
    assert clone(drawn).fit(X, y).mistakes_ >= 0
    batches = SleepingExperts(random_state=5)
    for first in range(0, 200, 30):
        batches.partial_fit(X[first : first + 30], y[first : first + 30])
    assert batches.mistakes_ == one.mistakes
    assert (batches.expected_mistakes_ == one.expected_mistakes_on_S_i).all()
    expected = one.regret((X != y[:, None]) & ~np.isnan(X))
    assert len(expected) == 200


def test_ten_thousand_experts() -> None:
    rng = np.random.default_rng(0)
    n, T, awake = 10_000, 20_000, 50
    columns = np.sort(rng.integers(0, n, (T, awake)), axis=1)
    X = sp.csr_array((rng.choice([-1.0, 1.0], T * awake), columns.ravel(),
                      np.arange(T + 1) * awake), shape=(T, n))  # fmt: skip
    X.sum_duplicates()
    X.data = np.sign(X.data)
    y = rng.choice([-1, 1], T)
    begin = time.process_time()
    model = SleepingExperts(0.1).fit(X, y)
    assert time.process_time() - begin < 5  # it takes a fraction of a second
    assert (model.expected_mistakes_ <= model.bound_).all()
    assert model.weights_.sum() <= n * (1 + 1e-9)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SleepingExperts(0.0).fit([[1]], [1]), r"epsilon=0\.0"),
        (lambda: SleepingExperts(1.0).fit([[1]], [1]), r"epsilon=1\.0"),
        (lambda: SleepingExperts(NAN).fit([[1]], [1]), "epsilon=nan"),
        (lambda: SleepingExperts(deterministic=1).fit([[1]], [1]), "deterministic=1"),
        (lambda: SleepingExperts().fit([[1, 2], [1]], [1, 1]), "no table"),
        (lambda: SleepingExperts().fit([[1, np.inf]], [1]), "column 1 holds inf"),
        (lambda: SleepingExperts().fit([[1]], [1, 2]), "1 rows"),
        (lambda: SleepingExperts().fit(np.zeros((0, 2)), []), "0 rows"),
        (lambda: SleepingExperts().fit([[1]], [None]), "NaN"),
        (lambda: SleepingExperts().fit([[1, 2]], [1]).update([1], 1), "X has 1 features"),
        (lambda: SleepingExperts().fit([[1]], [1]).set_params(epsilon=0.2).update([1], 1),
         "learning began with"),
    ],
)  # fmt: skip
def test_bad_advice(call: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        call()


# ------------------------------------------------------------------------------------------ hedge


@pytest.mark.parametrize("name", golden.names("games"))
def test_golden_games(name: str) -> None:
    case = golden.case("games", name)
    given, expected = case["input"], case["expected"]
    near = golden.tolerance("games")
    M = np.array(given["M"])
    model, P = Hedge(eta=given["eta"]), []
    for t, played in enumerate(expected["columns_played"]):
        P.append(model.p_ if t else np.full(len(M), 1 / len(M)))
        assert P[-1] @ M[:, played] == pytest.approx((P[-1] @ M).max())
        assert model.predict(M[:, played]) == pytest.approx(P[-1] @ M[:, played])
        assert model.update(M[:, played]) == pytest.approx(P[-1] @ M[:, played])
    np.testing.assert_allclose(P[:4], expected["first_P"], rtol=near["rel"])
    np.testing.assert_allclose(P[-1], expected["last_P"], rtol=near["rel"])
    assert model.total_loss_ == pytest.approx(expected["losses_total"], **near)
    assert model.best_loss_ == pytest.approx(expected["best_fixed_row_total"], **near)
    assert model.bound_ == pytest.approx(expected["bound_on_total"], **near)
    assert model.regret_ == pytest.approx(model.total_loss_ - model.best_loss_)
    tuned = Hedge()
    trace = tuned.run(M[:, expected["columns_played"]].T)
    assert tuned.eta_ == pytest.approx(given["eta"], **near)
    assert trace.total == pytest.approx(expected["losses_total"], **near)
    np.testing.assert_allclose(trace.p.mean(axis=0), expected["average_P"], rtol=near["rel"])


def test_advice_between_0_and_1() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.uniform(size=(80, 5)), rng.uniform(size=80)
    model, lost = Hedge(n_rounds=80), 0.0
    for x, outcome in zip(X, y):
        guess = model.predict(x)
        suffered = model.update(x, outcome)
        assert abs(guess - outcome) <= suffered + 1e-12  # the loss is convex
        lost += suffered
    losses = np.abs(X - y[:, None])
    same = Hedge().fit(losses)
    assert model.total_loss_ == pytest.approx(lost)
    np.testing.assert_allclose(model.p_, same.p_)
    assert lost <= model.bound_
    more = Hedge(eta=same.eta_).partial_fit(losses[:30]).partial_fit(losses[30:])
    assert (more.losses_ == same.losses_).all()
    assert more.t_ == 80
    frame = pd.DataFrame(losses, columns=list("abcde"))
    named = Hedge().fit(frame)
    assert named.feature_names_in_.tolist() == list("abcde")
    assert named.fit(losses).total_loss_ == pytest.approx(lost)
    assert not hasattr(named, "feature_names_in_")
    assert Hedge().fit([[0.5], [1.0]]).bound_ >= 1.5  # a lone action


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: Hedge(eta=0.0).fit([[0.5]]), r"eta=0\.0"),
        (lambda: Hedge(n_rounds=0).fit([[0.5]]), "n_rounds=0"),
        (lambda: Hedge().update([0.5, 0.5]), "set eta"),
        (lambda: Hedge(0.1).fit([[0.5, 1.5]]), "round 0, action 1 has the loss 1.5"),
        (lambda: Hedge(0.1).fit([[0.5, NAN]]), "action 1"),
        (lambda: Hedge(0.1).fit([[0.5, 0.5]]).update([0.5]), "X has 1 features"),
        (lambda: Hedge(0.1).update([0.5, 0.5], 2.0), r"y=2\.0"),
        (lambda: Hedge(0.1).fit([[0.5, 0.5]]).predict([[0.5, NAN]]), "row 0, column 1 is missing"),
        (lambda: Hedge(0.1).fit([[0.5, 0.5]]).predict([NAN, 0.5]), "Hedge needs a number there"),
    ],
)
def test_bad_losses(call: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        call()


# ------------------------------------------------------------------------ halving and disjunctions


@pytest.mark.parametrize("name", [n for n in golden.names("online") if n.startswith("halving")])
def test_golden_halving(name: str) -> None:
    case = golden.case("online", name)
    given, expected = case["input"], case["expected"]
    items, y = ([row[key] for row in given["sequence"]] for key in ("item", "y"))
    for sizes, word in ((None, "halving"), (given["sizes"], "generalized")):
        model, guesses = HalvingClassifier(given["hypotheses"], sizes=sizes), []
        for item, label in zip(items, y):
            guesses.append(model.predict(item))
            model.update(item, label)
        assert guesses == expected[f"{word}_predictions"]
        assert model.mistakes_ == expected[f"{word}_mistakes"]
        assert model.alive_.tolist() == expected["alive_end"]
        fitted = HalvingClassifier(given["hypotheses"], sizes=sizes).fit(items, y)
        assert fitted.mistakes_ == model.mistakes_
        assert fitted.predict(items).tolist() == y
    assert HalvingClassifier(given["hypotheses"]).fit(items, y).bound_ == pytest.approx(
        expected["bound_halving_log2"]
    )
    assert model.bound_ == expected["bound_generalized_size"]


def test_halving_with_functions_and_labels() -> None:
    X = np.array([[0.2, 1.0], [0.8, 0.0], [0.6, 0.5]])
    rules = [lambda x, t=t: 1 if x[0] > t else -1 for t in (0.1, 0.5, 0.7)]
    with pytest.raises(ValueError, match="target among the hypotheses"):
        HalvingClassifier(rules).fit(X, ["low", "high", "high"])  # "high" stands for -1
    model = HalvingClassifier(rules).fit(X, ["a low", "high", "high"])
    assert model.alive_.tolist() == [1]
    assert model.predict(X).tolist() == ["a low", "high", "high"]
    assert model.predict(X[0]) == "a low"
    assert not model.update(X[1], "high")
    trace = model.run([(X[0], "a low"), (X[2], "high")])
    assert trace.predictions.tolist() == ["a low", "high"]
    with pytest.raises(ValueError, match="not among the classes"):
        model.update(X[0], "none")
    with pytest.raises(ValueError, match="one class only"):
        HalvingClassifier(rules).fit(X[:1], ["high"])
    with pytest.raises(ValueError, match="hypotheses=None"):
        HalvingClassifier().fit(X, [1, 1, -1])
    with pytest.raises(ModelFileError, match=r"Python function.*use pickle"):
        model.fingerprint()


@pytest.mark.parametrize(
    "name",
    [
        n
        for n in golden.names("online")
        if n.startswith("disjunction") and not n.startswith("disjunction_adversary")
    ],
)
def test_golden_disjunctions(name: str) -> None:
    case = golden.case("online", name)
    given, expected = case["input"], case["expected"]
    X, y = ([row[key] for row in given["sequence"]] for key in ("x", "y"))
    model, guesses = OnlineDisjunction(), []
    for x, label in zip(X, y):
        guesses.append(model.predict(x))
        model.update(x, label)
    trace = OnlineDisjunction(given["d"]).run(X, y)
    assert guesses == trace.predictions.tolist() == expected["predictions"]
    assert model.mistakes_ == expected["mistakes"]
    assert model.kept_.tolist() == expected["kept_after"]
    fitted = OnlineDisjunction().fit(sp.csr_array(np.array(X)), y)
    assert fitted.kept_.tolist() == expected["kept_after"]
    assert (fitted.predict(X) == model.predict(np.array(X))).all()
    assert model.predict(X[0]) == fitted.predict([X[0]])[0]
    assert adversary(OnlineDisjunction(given["d"]), given["d"]).mistakes == given["d"]


def test_disjunctions_of_named_columns() -> None:
    X = pd.DataFrame({"free": [1, 0, 1, 0], "money": [0, 1, 0, 0], "hello": [1, 0, 0, 1]})
    y = ["spam", "spam", "spam", "mail"]
    model = OnlineDisjunction().fit(X, y)
    assert model.kept_.tolist() == [0, 1]
    assert model.classes_.tolist() == ["mail", "spam"]
    assert model.predict(X).tolist() == y
    again = pickle.loads(pickle.dumps(model))
    assert again.partial_fit(X, y).mistakes_ == model.mistakes_
    with pytest.raises(ValueError, match=r"row 1, column 'b' holds 0\.5"):
        OnlineDisjunction().fit(pd.DataFrame({"a": [0, 1], "b": [1, 0.5]}), [0, 1])
    with pytest.raises(ValueError, match="X has 3 features"):
        OnlineDisjunction(2).fit(X, y)
    with pytest.raises(ValueError, match="classes must be passed"):
        OnlineDisjunction().partial_fit(X, y)
    with pytest.raises(ValueError, match="Only binary"):
        OnlineDisjunction().fit(X, [0, 1, 2, 0])
    with pytest.raises(NotFittedError):
        OnlineDisjunction().predict(X)


def test_from_streams_to_batches() -> None:
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (2000, 6))
    y = np.where(X[:, [1, 4]].any(axis=1), 1, -1)
    stopped = large_gap(OnlineDisjunction(6), X, y, eps=0.1, delta=0.1)
    assert stopped.complete
    assert np.mean([stopped.predict(x) != label for x, label in zip(X, y)]) <= 0.1
    drawn = random_stopping(OnlineDisjunction(6), X, y, M=6, eps=0.1, random_state=0)
    assert drawn.n_examples == 60
    said, truth = advice(100)
    experts = random_stopping(SleepingExperts(), said, truth, M=5, eps=0.1, random_state=0)
    assert experts.hypothesis.t_ == experts.chosen


def test_files_keep_what_was_learnt(tmp_path: Path) -> None:
    X, y = advice()
    path = tmp_path / "model.weak"
    experts = SleepingExperts(0.25).fit(X, y)
    hedge = Hedge(0.3).fit(np.abs(np.nan_to_num(X)) / 2)
    for model, row in ((experts, (X[0], y[0])), (hedge, (np.full(7, 0.5),))):
        model.save(path)
        again = weaklearn.load(path)
        assert again.update(*row) == model.update(*row)
        assert again.fingerprint() == model.fingerprint()


def test_advice_of_another_kind_than_the_labels_is_refused_by_name() -> None:
    day = np.array(["2020-01-01", "2021-01-01"], "M8[D]").astype(object)
    with pytest.raises(ValueError, match="experts and y do not speak of the same labels"):
        weaklearn.SleepingExperts().fit(day[:, None], np.array(["a", "b"]))
