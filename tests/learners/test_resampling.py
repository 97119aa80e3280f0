"""Boosting by resampling: draw, train, verify; a bounded number of times."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.neighbors import KNeighborsClassifier

from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, BoostingWarning, DataWarning, datasets
from weaklearn.base import WRONG, Hypothesis, NoHypothesis, Stop
from weaklearn.learners.resampling import Resampling
from weaklearn.theory import bounds


class Fixed(Hypothesis):
    """Answers as written down."""

    def __init__(self, answers: Any) -> None:
        self.answers = np.asarray(answers)

    def __call__(self, rows: Any) -> Any:
        return self.answers


class Trainer:
    """Hands out given hypotheses one after another, and remembers what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.calls: list[dict[str, Any]] = []

    def __call__(self, sample: Any, z: Any, rows: Any, copies: Any, key: int) -> Hypothesis:
        self.calls.append({"rows": rows, "copies": copies, "key": key})
        return Fixed(self.answers[min(len(self.calls), len(self.answers)) - 1])


Y = np.array([-1, -1, -1, -1, 1, 1, 1, 1])
GOOD, FAIR = Y * [1, 1, 1, 1, 1, 1, 1, -1], Y * [-1, -1, 1, 1, 1, 1, 1, -1]  # errors 1/8, 3/8
CHANCE, BAD = Y * [-1, -1, -1, -1, 1, 1, 1, 1], -Y * [1, 1, 1, 1, 1, 1, 1, -1]  # 1/2, 7/8


def sample() -> Any:
    return sample_of(np.arange(8.0)[:, None], Y)


def asked(trainer: Trainer, **options: Any) -> tuple[Any, Any]:
    found = sample()
    learn = Resampling(trainer, **({"tries": 5} | options)).bind(found)
    return learn(found.prior, found.y, 3), found


# --- Accepting and giving up -----------------------------------------------------------------


def test_the_first_with_an_edge_is_taken() -> None:
    trainer = Trainer(BAD, CHANCE, FAIR, GOOD)
    h, _ = asked(trainer)
    assert h.answers.tolist() == FAIR.tolist()
    assert len(trainer.calls) == 3


def test_gamma_is_verified_on_the_whole_weighted_sample() -> None:
    trainer = Trainer(FAIR, GOOD)
    h, _ = asked(trainer, gamma=0.2)  # FAIR has an edge of 1/8 only
    assert h.answers.tolist() == GOOD.tolist()
    trainer = Trainer(FAIR)
    h, _ = asked(trainer, gamma=0.125)  # reached exactly
    assert (h.answers.tolist(), len(trainer.calls)) == (FAIR.tolist(), 1)
    # Under other weights the same rule is another one.
    found = sample()
    D = found.weighed(np.where(GOOD == Y, 0.01, 1.0))
    trainer = Trainer(GOOD, FAIR)
    h = Resampling(trainer, tries=1).bind(found)(D, found.y, 0)
    assert D.mass(found.correctness(h), WRONG) > 0.5  # nothing better was tried: the best of one
    assert len(trainer.calls) == 1


@pytest.mark.parametrize("tries", [1, 4, 9])
def test_tries_are_bounded(tries: int) -> None:
    trainer = Trainer(CHANCE, BAD, FAIR, CHANCE)
    h, found = asked(trainer, tries=tries, gamma=0.3)
    assert len(trainer.calls) == tries
    best = [CHANCE, CHANCE, FAIR][min(tries, 3) - 1]
    assert h.answers.tolist() == best.tolist()
    assert len({call["key"] for call in trainer.calls}) == tries  # each try has a key of its own
    assert found.prior.mass(found.correctness(h), WRONG) in (0.5, 0.375)


def test_failing() -> None:
    with pytest.raises(NoHypothesis, match="none of 5"):
        asked(Trainer(BAD), on_failure="stop")
    with pytest.raises(ValueError, match="none of 5") as caught:
        asked(Trainer(BAD), on_failure="fail")
    assert "on_failure='best'" in str(caught.value)
    assert not isinstance(caught.value, NoHypothesis)
    h, _ = asked(Trainer(BAD, CHANCE), on_failure="best")
    assert h.answers.tolist() == CHANCE.tolist()


def test_many_classes_are_held_to_a_guess_among_them() -> None:
    found = sample_of(np.arange(8.0)[:, None], np.arange(8) % 4)
    guess, better = np.zeros(8, int), np.array([0, 1, 0, 0, 0, 0, 0, 0])
    trainer = Trainer(guess, better)
    h = Resampling(trainer, tries=5).bind(found)(found.prior, found.y, 0)
    assert h.answers.tolist() == better.tolist()  # wrong on 5 of 8, and a guess on 6


# --- Draws -----------------------------------------------------------------------------------


def test_draws_follow_the_weights() -> None:
    found = sample()
    D = found.weighed(np.array([0, 0, 1.0, 1.0, 2.0, 4.0, 0, 0]))
    trainer = Trainer(GOOD)
    for key in range(300):
        Resampling(trainer, tries=1, n_samples=16).bind(found)(D, found.y, key)
    total = np.zeros(8)
    for call in trainer.calls:
        assert call["copies"].sum() == 16
        assert (call["copies"] > 0).all()
        np.add.at(total, call["rows"], call["copies"])
    share = total / total.sum()
    assert share[[0, 1, 6, 7]].tolist() == [0] * 4  # what has no weight is never drawn
    assert share[2:6] == pytest.approx([1 / 8, 1 / 8, 1 / 4, 1 / 2], abs=0.03)


def test_as_many_draws_as_examples_by_default() -> None:
    trainer = Trainer(GOOD)
    asked(trainer)
    assert trainer.calls[0]["copies"].sum() == 8
    found = sample_of(np.arange(8.0)[:, None], Y, [1, 2, 3, 1, 1, 1, 1, 1])
    Resampling(trainer, tries=1).bind(found)(found.prior, found.y, 0)
    assert trainer.calls[-1]["copies"].sum() == 11  # copies are examples


def test_seed_round_and_try_decide_the_draws() -> None:
    def rows(seed: int, key: int) -> list[list[int]]:
        trainer = Trainer(BAD)
        found = sample()
        learn = Resampling(trainer, tries=2, seed=seed).bind(found)
        learn(found.prior, found.y, key)
        return [np.repeat(call["rows"], call["copies"]).tolist() for call in trainer.calls]

    assert rows(0, 1) == rows(0, 1)
    assert rows(0, 1) != rows(0, 2)
    assert rows(0, 1) != rows(1, 1)
    first, second = rows(0, 1)
    assert first != second


def test_neither_order_nor_copies_matter_to_the_draws() -> None:
    """Equal rows with other labels are other examples, with the same label they are one heap."""
    X = np.array([[0.0], [0.0], [1.0], [1.0], [2.0], [0.0]])
    y = np.array([0, 1, 0, 1, 1, 0])

    def drawn(rows: Any, weights: Any = None) -> list[tuple[float, int, int]]:
        trainer = Trainer(np.ones(len(rows)))
        found = sample_of(X[rows], y[rows], weights)
        Resampling(trainer, tries=1, n_samples=40, seed=3).bind(found)(found.prior, found.y, 0)
        call = trainer.calls[0]
        heaps: dict[tuple[float, int], int] = {}
        for row, n in zip(call["rows"], call["copies"], strict=True):
            key = (float(X[rows][row, 0]), int(y[rows][row]))
            heaps[key] = heaps.get(key, 0) + int(n)
        return sorted((*key, n) for key, n in heaps.items())

    straight = drawn(np.arange(6))
    for order in ([5, 4, 3, 2, 1, 0], [2, 0, 5, 1, 4, 3]):
        assert drawn(np.array(order)) == straight
    assert drawn(np.arange(5), [2, 1, 1, 1, 1]) == straight


# --- Through the classifier ------------------------------------------------------------------


def test_learners_without_weights_are_resampled() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = AdaBoostClassifier(KNeighborsClassifier(3), n_estimators=4, random_state=0).fit(X, y)
    assert model.n_iter_ >= 1
    assert model.score(X, y) > 0.9
    again = AdaBoostClassifier(KNeighborsClassifier(3), n_estimators=4, random_state=0).fit(X, y)
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    other = AdaBoostClassifier(KNeighborsClassifier(3), n_estimators=4, random_state=1).fit(X, y)
    assert other.decision_function(X).tobytes() != model.decision_function(X).tobytes()


def test_stumps_may_be_resampled() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    options = {"n_samples": 100, "gamma": 0.02}
    model = AdaBoostClassifier(n_estimators=30, resample=options, random_state=0).fit(X, y)
    assert model.score(X, y) > 0.93
    kept = model.history_["gamma"][: model.n_iter_]
    assert (kept >= 0.02).all() or model.stop_reason_ != str(Stop.ROUNDS)
    # The errors recorded are those on all rows, so the theorem still holds.
    assert all(c.holds for c in model.certify(X, y).training if c.applies)
    plain = AdaBoostClassifier(n_estimators=30).fit(X, y)
    assert plain.history_["epsilon"][0] <= model.history_["epsilon"][0]


def test_functions_may_be_resampled() -> None:
    seen: list[tuple[int, set[float]]] = []

    def learner(X: Any, y: Any, D: Any) -> Any:
        seen.append((len(X), set(np.round(D * len(D), 12))))
        cut = float(np.median(X[:, 0]))
        side = 1 if y[X[:, 0] > cut].sum() >= y[X[:, 0] <= cut].sum() else -1
        return lambda X: np.where(X[:, 0] > cut, side, -side)

    X, y = datasets.toy()
    X, y = np.asarray(X, float), np.asarray(y)
    model = AdaBoostClassifier(learner, n_estimators=2, resample={"n_samples": 7}, random_state=1)
    model.fit(X, y)
    assert {n for n, _ in seen} == {7}
    assert all(weights == {1.0} for _, weights in seen)  # drawn by weight, so each counts once


def test_the_number_of_tries_is_the_theorems() -> None:
    calls = []

    def hopeless(X: Any, y: Any, D: Any) -> Any:
        calls.append(len(X))
        return lambda X: np.ones(len(X))

    X, y = np.zeros((4, 1)), [0, 1, 0, 1]
    options = {"delta": 0.1, "success_probability": 0.25, "on_failure": "stop"}
    with pytest.warns(BoostingWarning, match="gave up"), pytest.warns(DataWarning):
        model = AdaBoostClassifier(hopeless, n_estimators=7, resample=options).fit(X, y)
    k = math.ceil(math.log(7 / 0.1) / math.log(1 / 0.75))
    assert len(calls) == k == bounds.resample_tries(T=7, delta=0.1, success_probability=0.25)
    assert (model.n_iter_, model.stop_reason_) == (0, str(Stop.LEARNER))
    with pytest.raises(ValueError, match="reached an error"), pytest.warns(DataWarning):
        AdaBoostClassifier(hopeless, resample={"on_failure": "fail"}).fit(X, y)


def test_failing_after_a_good_start() -> None:
    """A learner that succeeds once: "fail" is an error all the same, "stop" keeps what there is."""
    X, y = np.arange(8.0)[:, None], (Y > 0).astype(int)

    def tired(X: Any, y: Any, D: Any) -> Any:
        tired.calls += 1  # type: ignore[attr-defined]
        if tired.calls == 1:  # type: ignore[attr-defined]
            return lambda X: np.where(X[:, 0] > 2.5, 1, -1)
        return lambda X: np.ones(len(X))

    def fitted(on_failure: str) -> Any:
        tired.calls = 0  # type: ignore[attr-defined]
        options = {"gamma": 0.2, "on_failure": on_failure}
        return AdaBoostClassifier(tired, n_estimators=6, resample=options).fit(X, y)

    stopped = fitted("stop")
    assert (stopped.n_iter_, stopped.stop_reason_) == (1, str(Stop.LEARNER))
    with pytest.raises(ValueError, match="reached an error"):
        fitted("fail")
    assert fitted("best").n_iter_ >= 1


def test_a_draw_of_one_class() -> None:
    """Few draws from few rows are often of one class: the learner then says that class."""
    X, y = np.arange(6.0)[:, None], [0, 0, 0, 0, 0, 1]
    options = {"n_samples": 1}
    for estimator in (KNeighborsClassifier(1), None):
        model = AdaBoostClassifier(estimator, n_estimators=5, resample=options, random_state=0).fit(
            X, y
        )
        assert set(model.predict(X)) <= {0, 1}
        assert model.n_iter_ >= 1


@pytest.mark.parametrize(
    ("resample", "message"),
    [
        ({"n_sample": 3}, "n_samples"),
        ({"gamma": 0.7}, "gamma"),
        ({"gamma": 0.0}, "gamma"),
        ({"n_samples": 0}, "n_samples"),
        ({"delta": 0}, "delta"),
        ({"delta": 1}, "delta"),
        ({"success_probability": 1.0}, "success_probability"),
        ({"on_failure": "cry"}, "on_failure"),
    ],
)
def test_wrong_options(resample: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        AdaBoostClassifier(resample=resample).fit([[0.0], [1.0]], [0, 1])


def test_wrong_kinds_of_options() -> None:
    with pytest.raises(TypeError, match="resample"):
        AdaBoostClassifier(resample="yes").fit([[0.0], [1.0]], [0, 1])
