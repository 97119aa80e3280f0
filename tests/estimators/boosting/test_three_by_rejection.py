"""The majority of three from an oracle: its distributions, its ends, and what users get."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from weaklearn import MajorityOfThreeClassifier, load
from weaklearn.base import Stop


def diagonal(seed: int = 0, noise: float = 0.0) -> Iterator[tuple[Any, Any]]:
    """Endless batches of points in the unit square, parted by its diagonal."""
    rng = np.random.default_rng(seed)
    while True:
        X = rng.random((700, 2))
        y = X[:, 0] + X[:, 1] > 1
        yield X, np.where(rng.random(700) < noise, ~y, y)


class Remembering:
    """A learner of stumps that keeps the samples it was given."""

    def __init__(self) -> None:
        self.given: list[tuple[Any, Any]] = []

    def __call__(self, X: Any, y: Any, D: Any) -> Any:
        self.given.append((np.asarray(X), np.asarray(y)))
        k = len(self.given)
        if k == 1:
            return lambda X: np.where(np.asarray(X)[:, 0] > 0.5, 1, -1)
        return lambda X: np.where(np.asarray(X)[:, 1] > (0.5 if k == 2 else 0.3), 1, -1)


def test_each_rule_sees_the_distribution_of_the_definition() -> None:
    learn = Remembering()
    model = MajorityOfThreeClassifier(learn, n_samples=4000).fit_stream(diagonal())
    assert (model.n_iter_, model.stop_reason_) == (3, str(Stop.COMPLETE))
    assert [len(y) for _, y in learn.given] == [4000] * 3
    h = [lambda X: np.where(X[:, 0] > 0.5, 1, -1), lambda X: np.where(X[:, 1] > 0.5, 1, -1)]
    (X_1, y_1), (X_2, y_2), (X_3, y_3) = learn.given
    assert np.mean(h[0](X_1) != y_1) == pytest.approx(1 / 4, abs=0.03)
    # Half of the weight where h_1 is wrong, and each half as examples come.
    wrong = h[0](X_2) != y_2
    assert np.mean(wrong) == pytest.approx(1 / 2, abs=0.03)
    for part, first in ((wrong, h[0](X_1) != y_1), (~wrong, h[0](X_1) == y_1)):
        assert X_2[part].mean(axis=0) == pytest.approx(X_1[first].mean(axis=0), abs=0.03)
    assert (h[0](X_3) != h[1](X_3)).all()
    assert np.mean(y_3 > 0) == pytest.approx(1 / 2, abs=0.03)
    # Errors on their own distributions, by examples that no rule has learnt from: h_2 is right
    # wherever h_1 is wrong, and wrong on a third of the rest.
    assert model.history_["epsilon"][:2].tolist() == pytest.approx([1 / 4, 1 / 6], abs=0.03)
    assert (
        model.predict(X_1).tolist()
        == (sum(f(X_1) for f in (*h, lambda X: np.where(X[:, 1] > 0.3, 1, -1))) > 0).tolist()
    )


def test_three_stumps_from_an_oracle(tmp_path: Path) -> None:
    model = MajorityOfThreeClassifier().fit_stream(diagonal())
    X, y = next(diagonal(7))
    b = float(model.history_["epsilon"].max())
    assert b < 1 / 2
    assert 1 - model.score(X, y) <= 3 * b**2 - 2 * b**3 + 0.05
    again = MajorityOfThreeClassifier().fit_stream(diagonal())
    assert again.fingerprint() == model.fingerprint()
    one_by_one = ((x, label) for X, y in diagonal() for x, label in zip(X, y, strict=True))
    assert MajorityOfThreeClassifier().fit_stream(one_by_one).fingerprint() == model.fingerprint()
    model.save(tmp_path / "m.weak")
    kept = load(tmp_path / "m.weak")
    assert kept.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert "came from a stream" in model.certify()[0].note
    assert not any(found.applies for found in model.certify(X, y).training)


def test_a_first_rule_without_error_is_alone() -> None:
    def examples() -> Iterator[Any]:
        for X, _ in diagonal():
            yield X, X[:, 0] > 0.5

    model = MajorityOfThreeClassifier(epsilon=0.02).fit_stream(examples())
    assert (model.n_iter_, model.stop_reason_) == (1, str(Stop.DRY))
    X, y = next(examples())
    assert model.score(X, y) > 0.98


def test_a_second_rule_that_is_the_first_leaves_the_first_alone() -> None:
    def stubborn(X: Any, y: Any, D: Any) -> Any:
        return lambda X: np.where(np.asarray(X)[:, 0] > 0.5, 1, -1)

    model = MajorityOfThreeClassifier(stubborn, n_samples=200).fit_stream(diagonal())
    assert (model.n_iter_, len(model.history_), model.stop_reason_) == (1, 3, str(Stop.DRY))
    assert model.history_["epsilon"][1] == pytest.approx(1 / 2, abs=0.1)
    X, _ = next(diagonal())
    assert model.predict(X).tolist() == (X[:, 0] > 0.5).tolist()


def test_a_stream_that_ends_leaves_the_rules_so_far() -> None:
    X, y = next(diagonal())
    model = MajorityOfThreeClassifier(n_samples=100).fit_stream([(X[:500], y[:500])])
    assert (model.n_iter_, model.stop_reason_) == (1, str(Stop.SPENT))
    with pytest.warns(UserWarning, match="nothing was learnt: the oracle had no more examples"):
        MajorityOfThreeClassifier().fit_stream([(X[:500], y[:500])])


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"n_samples": 0}, "n_samples=0 is not allowed"),
        ({"epsilon": 1.0}, "epsilon=1.0 is not allowed"),
        ({"delta": 0}, "delta=0 is not allowed"),
        ({"calibrate": "platt"}, "calibrate='platt' takes a whole table"),
    ],
    ids=str,
)
def test_parameters_that_are_refused(given: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        MajorityOfThreeClassifier(**given).fit_stream(diagonal())
