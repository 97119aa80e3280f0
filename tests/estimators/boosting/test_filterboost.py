"""FilterBoostClassifier.fit_stream: examples from iterators and functions."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from sklearn.linear_model import LogisticRegression

import weaklearn
from weaklearn import FilterBoostClassifier
from weaklearn.base import Stop

QUICK = {"n_estimators": 4, "n_samples": 200, "n_edge": 4000, "tau": 0.8, "epsilon": 0.1}


def table(n: int = 30000, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3)).round(2)
    y = np.where(X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=n) > 0, "up", "down")
    return X, y


def batches(X: Any, y: Any, size: int) -> Iterator[tuple[Any, Any]]:
    for first in range(0, len(y), size):
        yield X[first : first + size], y[first : first + size]


def quick(oracle: Any, **given: Any) -> Any:
    return FilterBoostClassifier(**(QUICK | given)).fit_stream(oracle)


def told(model: Any) -> tuple[Any, ...]:
    return model.history_["alpha"].tolist(), model.history_["draws"].tolist(), model.stop_reason_


class Counter:
    """A function that gives the next example, and counts."""

    def __init__(self, X: Any, y: Any) -> None:
        self.examples = zip(X, y, strict=True)
        self.n = 0

    def __call__(self) -> Any:
        self.n += 1
        return next(self.examples, None)


def test_examples_batches_and_functions_are_one_stream() -> None:
    X, y = table()
    first = quick(zip(X, y, strict=True))
    assert first.n_iter_ == 4
    assert first.score(X, y) > 0.75
    for oracle in (
        batches(X, y, 1),
        batches(X, y, 1000),
        batches(X, y, 20000),
        Counter(X, y),
        itertools.chain(batches(X[:700], y[:700], 100), zip(X[700:], y[700:], strict=True)),
        [(X, y)],
        zip(X.tolist(), y.tolist(), strict=True),
    ):
        assert told(quick(oracle)) == told(first)


def test_no_more_is_read_than_is_used() -> None:
    X, y = table()
    counter = Counter(X, y)
    model = quick(counter, n_estimators=2)
    used = int(model.history_["draws"].sum())
    assert used <= counter.n <= used + 256
    assert (model.history_["passed"] >= 200).all()
    assert (model.history_["draws"] >= model.history_["passed"]).all()


def test_the_rounds_are_as_defined() -> None:
    X, y = table()
    model = quick([(X, y)])
    history, place = model.history_, 0
    sign = np.where(y == "up", 1, -1)
    F = np.zeros(len(y))
    for t in range(model.n_iter_):
        n = int(history["draws"][t])
        assert history["alpha"][t] == pytest.approx(
            0.5 * np.log((0.5 + history["edge"][t]) / (0.5 - history["edge"][t]))
        )
        assert history["edge"][t] == pytest.approx(history["gamma"][t] / 1.8)
        expected = (1 / (1 + np.exp(sign * F)))[place : place + n].mean()
        assert history["passed"][t] / n == pytest.approx(expected, rel=0.25)
        place += n
        F = model.truncate(t + 1).decision_function(X)


@pytest.mark.parametrize("container", [pd.DataFrame, pl.DataFrame, pa.table, sp.csr_array])
def test_batches_of_any_container(container: Any) -> None:
    X, y = table()
    if container is sp.csr_array:
        made = [(container(a), b) for a, b in batches(X, y, 300)]
    else:
        made = [
            (container({name: a[:, j] for j, name in enumerate("abc")}), b)
            for a, b in batches(X, y, 300)
        ]
    model = quick(made)
    assert told(model) == told(quick([(X, y)]))
    if container is not sp.csr_array:
        assert model.feature_names_in_.tolist() == ["a", "b", "c"]


def test_columns_of_any_kind() -> None:
    X, y = table()
    colour = np.select([X[:, 0] > 0.5, X[:, 0] < -0.5], ["red", "blue"], "green").astype(object)
    colour[colour == "green"] = None
    frame = pd.DataFrame({"colour": colour, "size": X[:, 1]})
    frame.loc[frame.index % 7 == 0, "size"] = np.nan
    made = ((frame[i : i + 500], y[i : i + 500]) for i in range(0, len(y), 500))
    model = quick(made)
    assert model.score(frame, y) > 0.75
    mixed = quick(zip(frame.astype(object).to_numpy().tolist(), y, strict=True))
    assert told(mixed) == told(model)


def test_a_learner_from_outside() -> None:
    X, y = table()
    model = quick(batches(X, y, 500), estimator=LogisticRegression(), n_estimators=2)
    assert model.score(X, y) > 0.85


def test_an_end_of_the_stream_keeps_the_rounds_so_far() -> None:
    X, y = table(4000)
    model = quick([(X, y)], n_estimators=50)
    assert model.stop_reason_ == Stop.SPENT
    assert 1 <= model.n_iter_ < 50
    assert model.history_["draws"][: model.n_iter_].sum() <= 4000


def test_a_dry_filter_is_an_error_below_epsilon() -> None:
    rng = np.random.default_rng(1)

    def oracle() -> Any:
        X = rng.random((2000, 1))
        return X, (X[:, 0] > 0.4).astype(int)

    model = quick(oracle, epsilon=0.3, n_estimators=100)
    assert model.stop_reason_ == Stop.DRY
    X, y = oracle()
    assert model.score(X, y) > 0.7
    error, rounds = model.certify().training
    assert (error.bound, error.observed) == (0.3, None)
    assert "not observed" in error.note
    assert not rounds.applies


def test_files_warm_start_and_verbose(tmp_path: Path, capsys: Any) -> None:
    X, y = table()
    model = quick([(X, y)])
    model.save(tmp_path / "m.weak")
    again = weaklearn.load(tmp_path / "m.weak")
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert again._origin.rows is None
    warm = FilterBoostClassifier(**(QUICK | {"n_estimators": 2}), warm_start=True, verbose=1)
    stream = batches(X, y, 100)
    warm.fit_stream(stream)
    warm.set_params(n_estimators=4).fit_stream(stream)
    assert warm.n_iter_ == 4
    assert warm.history_["alpha"][:2].tolist() == model.history_["alpha"][:2].tolist()


def test_callbacks_can_stop_and_interrupts_keep_what_was_played() -> None:
    X, y = table()
    seen = []

    def watch(t: int, state: Any, history: Any) -> bool:
        seen.append(t)
        return t == 2

    assert quick([(X, y)], callbacks=[watch]).stop_reason_ == Stop.CALLBACK
    assert seen == [1, 2]

    def broken() -> Iterator[Any]:
        yield X[:6000], y[:6000]
        raise KeyboardInterrupt

    model = FilterBoostClassifier(**(QUICK | {"n_estimators": 50}))
    with pytest.raises(KeyboardInterrupt):
        model.fit_stream(broken())
    assert model.n_iter_ >= 1


def test_rare_classes_are_waited_for() -> None:
    X = np.random.default_rng(0).random((20000, 1))
    y = (X[:, 0] > 0.5).astype(int)
    order = np.argsort(y[:2000], kind="stable")  # zeros first
    X[:2000], y[:2000] = X[order], y[order]
    assert quick([(X, y)]).classes_.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("oracle", "error", "words"),
    [
        (3, TypeError, "oracle=3 is not allowed: it must be an iterator over examples"),
        ([], ValueError, "oracle gave no example"),
        (lambda: None, ValueError, "oracle gave no example.*None, as a function without return"),
        ([1, 2], TypeError, r"oracle gave 1; it must give pairs: \(x, y\)"),
        ([([1.0], 0), ([1.0, 2.0], 1)], ValueError, r"oracle gave examples of \[1, 2\] values"),
        ([({"a": 1.0}, 0)], TypeError, "it must be a sequence of values"),
        ([("text", 0)], TypeError, "it must be a sequence of values"),
        ([(np.zeros((3, 1)), [0, 1])], ValueError, "oracle gave 3 rows with 2 labels"),
        ([(np.zeros((2, 1)), [[0], [1]])], ValueError, r"oracle gave labels of shape \(2, 1\)"),
        ([(np.zeros((0, 1)), [])], ValueError, "oracle gave a batch of 0 rows"),
        ([(np.zeros((3, 1)), [0, 1, 2])], ValueError, "oracle gave 3 classes in its first 3"),
    ],
)
def test_streams_that_are_none(oracle: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        quick(oracle)


def test_a_new_label_later_is_refused() -> None:
    X, y = table(2000)
    model = quick([(X, y)], n_estimators=1)
    with pytest.raises(ValueError, match="oracle's y holds 'side', which is not among"):
        quick(itertools.chain([(X[:500], y[:500])], [([0.0] * 3, "side")] * 300))
    assert model.n_iter_ == 1


@pytest.mark.parametrize(
    "given",
    [{"early_stopping": True}, {"calibrate": "slope"}, {"class_weight": "balanced"},
     {"exact": True}],
)  # fmt: skip
def test_what_takes_a_table(given: dict[str, Any]) -> None:
    (name,) = given
    with pytest.raises(ValueError, match=f"{name}=.* takes a whole table, which a stream is not"):
        quick([table(100)], **given)


def test_unknown_arguments_are_answered() -> None:
    with pytest.raises(TypeError, match="oracle"):
        FilterBoostClassifier().fit_stream(oracles=[])


def test_no_rows_pass_for_those_of_a_stream() -> None:
    """Nothing was noted of the rows, so nothing is proved by any."""
    X, y = table(20000)
    model = quick(batches(X, y, 500))
    rows = np.repeat([[2.0, 2.0, 0.0], [-2.0, -2.0, 0.0]], 5000, axis=0)
    proved = model.certify(rows, model.predict(rows))
    assert not any(c.applies for c in proved if c.id.startswith("gen-"))


def test_a_stream_that_ends_before_the_first_rule_says_what_it_takes() -> None:
    X, y = table(300)
    with pytest.warns(weaklearn.BoostingWarning, match="no more examples") as caught:
        FilterBoostClassifier(n_samples=1000).fit_stream([(X, y)])
    said = str(caught[0].message)
    assert "n_samples=1000 examples that pass the filter" in said
    assert "give the oracle more examples" in said
    assert "deeper learners" not in said
