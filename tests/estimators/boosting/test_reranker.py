"""Reranking of candidate lists."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from weaklearn import BoostReranker

Lists = list[list[dict[str, Any]]]


@pytest.mark.parametrize("name", golden.names("rerank"))
def test_golden(name: str) -> None:
    case, near = golden.case("rerank", name), golden.tolerance("rerank")
    given_, expected = case["input"], case["expected"]
    model = BoostReranker(
        n_estimators=given_["T"], smoothing=given_["smoothing"], w0=given_["w0"]
    ).fit(given_["candidates"])
    names, rounds = list(model.weights_), expected["rounds"]
    assert [names[int(k)] for k in model.history_["feature"]] == [r["feature"] for r in rounds]
    told = {
        "W_plus": "W_plus",
        "W_minus": "W_minus",
        "alpha": "delta",
        "loss_before": "loss_before",
    }
    for ours, theirs in told.items():
        assert model.history_[ours] == pytest.approx([row[theirs] for row in rounds], **near)
    assert model.history_["loss"][-1] == pytest.approx(expected["loss_end"], **near)
    assert model.weights_ == pytest.approx(expected["weights"], **near)


def drawn(seed: int, n_lists: int = 8) -> Lists:
    rng = np.random.default_rng(seed)
    return [
        [
            {
                "loglik": float(rng.normal()),
                "features": [f for f in "pqrstuv" if rng.random() < 0.4],
                "importance": float(rng.random()),
            }
            for _ in range(rng.integers(2, 5))
        ]
        for _ in range(n_lists)
    ]


def loss(model: BoostReranker, lists: Lists) -> float:
    return sum(
        float(c["importance"]) * float(np.exp(F[j] - F[0]))
        for F, each in zip(model.decision_function(lists), lists, strict=True)
        for j, c in enumerate(each)
        if j > 0
    )


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_the_loss_falls_by_the_square_of_the_gap(seed: int) -> None:
    lists = drawn(seed)
    model = BoostReranker(n_estimators=6, smoothing=0.0).fit(lists)
    record = model.history_
    both = (record["W_plus"] > 0) & (record["W_minus"] > 0)
    fall = (np.sqrt(record["W_plus"]) - np.sqrt(record["W_minus"])) ** 2
    dropped = record["loss_before"] - record["loss"]
    assert dropped[both] == pytest.approx(fall[both], rel=1e-9, abs=1e-12)
    if model.n_iter_:
        assert record["loss"][-1] == pytest.approx(loss(model, lists), rel=1e-9)


def test_without_features_the_base_score_ranks() -> None:
    lists = [[{"loglik": -1.0}, {"loglik": -2.0}], [{"loglik": -3.0}, {"loglik": -1.0}]]
    model = BoostReranker(w0=2.0).fit(lists)
    assert model.predict(lists).tolist() == [0, 1]
    assert model.n_iter_ == 0
    assert [F.tolist() for F in model.decision_function(lists)] == [[-2.0, -4.0], [-6.0, -2.0]]


def test_the_weight_of_the_base_score_is_that_of_least_loss() -> None:
    lists = drawn(5, 40)
    found = BoostReranker(n_estimators=1).fit(lists).w0_
    pairs = [(e[0]["loglik"] - c["loglik"], c["importance"]) for e in lists for c in e[1:]]

    def cost(w: float) -> float:
        return sum(s * float(np.exp(-w * d)) for d, s in pairs)

    assert cost(found) <= min(cost(found - 1e-4), cost(found + 1e-4))
    clear = BoostReranker().fit([[{"loglik": 0.0}, {"loglik": -1.0}]])  # it falls for ever
    assert 1 < clear.w0_ < 1e3


def test_the_best_may_stand_anywhere_and_order_does_not_matter() -> None:
    lists = drawn(7)
    turned = [[*each[1:], each[0]] for each in lists]
    best = [len(each) - 1 for each in lists]
    first, last = BoostReranker().fit(lists), BoostReranker().fit(turned[::-1], best[::-1])
    assert first.weights_ == last.weights_
    assert first.w0_ == last.w0_
    assert first.score(lists) == last.score(turned, best)
    again = pickle.loads(pickle.dumps(first))
    assert again.predict(lists).tolist() == first.predict(lists).tolist()
    assert len(first.rules(3)) == 4


@pytest.mark.parametrize(
    ("groups", "error", "message"),
    [
        ([], ValueError, "groups is empty"),
        ([[]], ValueError, r"groups\[0\] is an empty list"),
        ([[{"loglik": 1.0}]], ValueError, "no list of two candidates"),
        ("text", TypeError, "pass a list of lists"),
        ([{"loglik": 1.0}], TypeError, r"groups\[0\] is dict"),
        ([[{"logik": 1.0}]], ValueError, "Did you mean 'loglik'"),
        ([[{"loglik": float("nan")}]], ValueError, "loglik is nan"),
        ([[{"importance": -1}]], ValueError, "importance is -1"),
        ([[{"features": "abc"}]], TypeError, "pass a list of features"),
        ([[{"features": [[1]]}]], TypeError, "cannot be hashed"),
        ([[5]], TypeError, r"groups\[0\]\[0\] is 5"),
    ],
)
def test_refusals(groups: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        BoostReranker().fit(groups)


def test_refusals_of_the_best() -> None:
    with pytest.raises(ValueError, match=r"y\[0\] is 9"):
        BoostReranker().fit(drawn(1, 1), [9])
    with pytest.raises(ValueError, match="number of the best"):
        BoostReranker().fit(drawn(1, 2), [0.5, 1])


def test_lists_without_exception_end_the_run() -> None:
    lists = [[{"features": ["a"]}, {"features": ["b"]}]] * 5
    model = BoostReranker(n_estimators=1000).fit(lists)
    assert model.n_iter_ < 1000
    assert model.stop_reason_ == "no example is left to decide"
    assert np.isfinite(list(model.weights_.values())).all()
