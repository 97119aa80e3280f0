"""The checks of boosters and learners find what is wrong with one."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from weaklearn import boosters
from weaklearn.base import Hypothesis, Round, WeakLearner
from weaklearn.boosters import AdaBoost, MadaBoost
from weaklearn.learners import StumpLearner
from weaklearn.testing import check_booster, check_learner

pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.BoostingWarning")


@pytest.mark.parametrize(
    "name",
    ["AdaBoost", "AlphaBoost", "BoostByMajority", "GammaMajority", "MadaBoost", "MajorityOfThree"],
)
def test_good_boosters(name: str) -> None:
    check_booster(getattr(boosters, name)())


def test_good_boosters_of_many_classes() -> None:
    check_booster(boosters.AdaBoostM1(), n_classes=3)
    check_booster(boosters.Samme(), DecisionTreeClassifier(max_depth=2), n_classes=4)


@dataclass(frozen=True)
class Wrong(MadaBoost):
    what: str = ""
    seen: list[Any] = field(default_factory=list)

    def round(self, sample: Any, learn: Any, state: Any) -> Any:
        later, played = super().round(sample, learn, state)
        metrics = dict(played.metrics)
        if self.what == "itself":
            self.seen.append(later)
        if self.what == "epsilon":
            metrics["epsilon"] += 0.01
        if self.what == "vote":
            metrics["alpha"] /= 2
        if self.what == "no vote":
            del metrics["alpha"]
        if self.what == "order":
            metrics["first"] = float(sample.y[0] * later.yF[0])
        if self.what == "copies":
            metrics["rows"] = float(len(sample))
        if self.what == "distribution":
            later = replace(later, D=_Half(later.D))
        return later, Round(metrics, played.stop)


class _Half:
    def __init__(self, D: Any) -> None:
        self._D = D

    def __getattr__(self, name: str) -> Any:
        return getattr(self._D, name)

    @property
    def array(self) -> Any:
        return self._D.array / 2


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("itself", "changes itself"),
        ("epsilon", "records epsilon"),
        ("vote", "records alpha"),
        ("no vote", "does not record alpha"),
        ("order", "depends on the order"),
        ("copies", "weight of k for k copies"),
        ("distribution", "no distribution"),
    ],
)
def test_what_is_wrong_with_a_booster(what: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_booster(Wrong(what=what))


def test_a_run_that_does_not_end_again() -> None:
    class Restless(AdaBoost):
        def round(self, sample: Any, learn: Any, state: Any) -> Any:
            later, played = super().round(sample, learn, state)
            return later, Round(played.metrics, boosters_stop if len(later.ensemble) == 3 else None)

    from weaklearn.base import Stop

    boosters_stop = Stop.TIME
    with pytest.raises(AssertionError, match="does not end again"):
        check_booster(Restless())


def test_no_booster() -> None:
    with pytest.raises(TypeError, match="pass an instance"):
        check_booster(AdaBoost)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------- learners


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "estimator", ["stump", "tree", StumpLearner(), DecisionTreeClassifier(max_depth=2)], ids=str
)
def test_good_learners(estimator: Any, n_classes: int) -> None:
    check_learner(estimator, n_classes=n_classes)


class Rule(Hypothesis):
    def __init__(self, what: str) -> None:
        self.what = what

    def __call__(self, rows: Any) -> Any:
        said = np.where(rows.column(0) > 2, 1, -1)
        if self.what == "shape":
            return said[:, None]
        if self.what == "range":
            return 2 * said
        return said

    def judge(self, sample: Any) -> Any:
        if self.what == "judge":
            return sample.engine.weights.correctness(np.ones(len(sample), np.int8))
        return super().judge(sample)


@dataclass(frozen=True)
class Bad(WeakLearner):
    what: str
    asked: list[int] = field(default_factory=list)

    def bind(self, sample: Any) -> Any:
        def learn(D: Any, z: Any, key: int = 0) -> Any:
            self.asked.append(key)
            if self.what == "writes X":
                sample.raw[0, 0] += 1
            if self.what == "writes y":
                sample.y[0] *= -1
            if self.what == "tilts":
                D.reweight(0.1, sample.correctness(Rule("")))
            if self.what == "nothing":
                return None
            if self.what == "moody" and len(self.asked) == 2:
                return StumpLearner().bind(sample)(sample.prior, -z, key)
            return Rule(self.what)

        return learn


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("writes X", "changed X"),
        ("writes y", "changed the labels"),
        ("nothing", "no weaklearn.base.Hypothesis"),
        ("moody", "gives two answers"),
        ("shape", "an array of shape"),
        ("range", "answers"),
        ("judge", "judges itself to err on 0 "),
    ],
)
def test_what_is_wrong_with_a_learner(what: str, words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_learner(Bad(what))


def test_a_learner_that_moves_the_distribution() -> None:
    with pytest.raises(RuntimeError, match="moved on"):
        check_learner(Bad("tilts"))


def test_a_function_with_answers_out_of_range() -> None:
    with pytest.raises(AssertionError, match=r"answered .*0\.5.* in row 0"):
        check_learner(lambda X, y, D: lambda rows: 0.5 + 0 * rows[:, 0])
