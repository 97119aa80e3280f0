"""Learners as bad as a theorem allows: each does what it says, and keeps what learners owe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.boosters.promises import quietly
from tests.samples import prepared, rows_like, sample_of
from weaklearn import (
    AdaBoostClassifier,
    AlphaBoostClassifier,
    AnyBoostClassifier,
    BoostByMajorityClassifier,
    GammaMajorityClassifier,
    MadaBoostClassifier,
    MajorityOfThreeClassifier,
    datasets,
)
from weaklearn.base import NoHypothesis
from weaklearn.learners import StumpLearner
from weaklearn.testing import (
    AdversaryLearner,
    CoinLearner,
    FlakyLearner,
    NoisyLearner,
    check_learner,
)

FAKES = [
    CoinLearner(3),
    NoisyLearner(0.2, 3),
    AdversaryLearner(0.05),
    FlakyLearner(success_probability=0.6, random_state=3),
]
MADE = [
    AdaBoostClassifier,
    AlphaBoostClassifier,
    AnyBoostClassifier,
    BoostByMajorityClassifier,
    GammaMajorityClassifier,
    MadaBoostClassifier,
    MajorityOfThreeClassifier,
]


def rows(n: int = 4000) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + 0.3 * X[:, 1] > 0, 1, -1)


@pytest.mark.parametrize("fake", FAKES, ids=lambda fake: type(fake).__name__)
def test_fakes_keep_what_learners_owe(fake: Any) -> None:
    check_learner(fake)
    if not isinstance(fake, AdversaryLearner):
        check_learner(fake, n_classes=3)


@pytest.mark.parametrize("made", MADE, ids=lambda made: made.__name__)
@pytest.mark.parametrize("fake", FAKES, ids=lambda fake: type(fake).__name__)
def test_every_booster_plays_with_them(made: Any, fake: Any) -> None:
    X, y = rows(80)
    order = np.random.default_rng(1).permutation(80)
    w = np.random.default_rng(2).integers(1, 3, 80)
    model = quietly(lambda: made(fake, n_estimators=6).fit(X, y, sample_weight=w))
    again = quietly(lambda: made(fake, n_estimators=6).fit(X[order], y[order], w[order]))
    copies = np.repeat(np.arange(80), w)
    apart = quietly(lambda: made(fake, n_estimators=6).fit(X[copies], y[copies]))
    F = model.decision_function(X).tobytes()
    assert F == again.decision_function(X).tobytes()
    assert F == apart.decision_function(X).tobytes()
    three = np.digitize(X[:, 0], [-0.5, 0.5])
    many = quietly(lambda: made(fake, n_estimators=4, multiclass="ovr").fit(X, three))
    assert many.decision_function(X).shape == (80, 3)


def test_a_coin_knows_nothing() -> None:
    X, y = rows()
    sample = sample_of(X, y)
    learn = CoinLearner(1).bind(sample)
    first, second = (np.asarray(learn(sample.prior, sample.y, key)(sample)) for key in (0, 1))
    assert set(first.tolist()) == {-1, 1}
    for pair in ((first, y), (second, y), (first, second), (first, X[:, 0] > 0)):
        assert abs(np.corrcoef(*pair)[0, 1]) < 0.06
    three = sample_of(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    said = np.asarray(CoinLearner(1).bind(three)(three.prior, three.y)(three))
    assert np.bincount(said) / len(said) == pytest.approx([1 / 3] * 3, abs=0.03)


@pytest.mark.parametrize("gamma", [0.0, 0.2, 0.5])
def test_the_noisy_one_is_right_as_often_as_it_says(gamma: float) -> None:
    X, y = rows()
    ready = prepared(X, y)
    sample = ready.sample
    learn = NoisyLearner(gamma, 1).bind(sample)
    right = [np.asarray(learn(sample.prior, sample.y, key)(sample)) == y for key in range(3)]
    for found in right:
        assert found.mean() == pytest.approx(0.5 + gamma, abs=0.03)
    if gamma < 0.5:
        assert abs(np.corrcoef(right[0], right[1])[0, 1]) < 0.06  # independent from round to round
    new = rows_like(ready, X + 0.123)  # rows it never saw
    assert np.mean(np.asarray(learn(sample.prior, sample.y, 0)(new)) == y) == pytest.approx(
        0.5, abs=0.04
    )
    turned = np.asarray(
        learn(sample.prior, -sample.y, 0)(sample)
    )  # it goes by the target asked for
    assert np.mean(turned == -y) == pytest.approx(0.5 + gamma, abs=0.03)


def test_the_noisy_one_of_many_classes() -> None:
    X, _ = rows()
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    sample = sample_of(X, y)
    said = np.asarray(NoisyLearner(0.1, 1).bind(sample)(sample.prior, sample.y)(sample))
    assert np.mean(said == y) == pytest.approx(0.6, abs=0.03)
    step = (said - y)[said != y] % 3
    assert np.mean(step == 1) == pytest.approx(0.5, abs=0.05)


def test_rows_alike_are_answered_alike() -> None:
    X = np.array([[1.0, np.nan], [1.0, np.nan], [0.0, 2.0], [-0.0, 2.0]])
    sample = sample_of(X, np.array([-1, 1, -1, -1]))
    for fake in (CoinLearner(5), NoisyLearner(0.1, 5)):
        for key in range(8):
            said = np.asarray(fake.bind(sample)(sample.prior, sample.y, key)(sample))
            assert said[0] == said[1]
            assert said[2] == said[3]


def test_the_adversary_is_the_worst_that_keeps_the_promise() -> None:
    X, y = datasets.toy()
    sample = sample_of(X, y)
    D = sample.weighed(np.arange(1, 11) / 55)
    pool = [
        *(lambda x, c=c, s=s: np.where(x[:, 0] > c, s, -s) for c in range(11) for s in (1, -1)),
        *(lambda x, c=c, s=s: np.where(x[:, 1] > c, s, -s) for c in range(11) for s in (1, -1)),
    ]
    edges = np.array([D.array @ (y * h(X)) / 2 for h in pool])
    for gamma in (0.0, 0.1, float(edges.max())):
        for learner in (AdversaryLearner(gamma), AdversaryLearner(gamma, pool)):
            h = learner.bind(sample)(D, sample.y)
            edge = D.array @ (y * np.asarray(h(sample))) / 2
            assert edge == pytest.approx(edges[edges >= gamma - 1e-12].min())
    with pytest.raises(NoHypothesis, match=r"no hypothesis of the pool has the edge 0\.5"):
        AdversaryLearner(0.5).bind(sample)(D, sample.y)
    words = np.array([["a"], ["b"], ["c"]], object)  # categories are tested for equality
    named = sample_of(words, np.array([-1, 1, -1]), categorical=[0])
    h = AdversaryLearner(0.5).bind(named)(named.prior, named.y)
    assert np.asarray(h(named)).tolist() == [-1, 1, -1]
    many = sample_of(X, np.arange(10) % 3)
    with pytest.raises(TypeError, match="two classes and the sample has 3"):
        AdversaryLearner(0.1).bind(many)(many.prior, many.y)


def test_the_flaky_one_is_good_now_and_then() -> None:
    X, y = rows(300)
    sample = sample_of(X, y)
    good = StumpLearner().bind(sample)(sample.prior, sample.y)
    for p in (0.0, 0.3, 1.0):
        learn = FlakyLearner(success_probability=p, random_state=1).bind(sample)
        lucky = [learn(sample.prior, sample.y, key) == good for key in range(300)]
        assert np.mean(lucky) == pytest.approx(p, abs=0.09)
    # Another sample has other luck, whatever the seed.
    luck = [
        FlakyLearner(random_state=1).bind(part)(part.prior, part.y)
        == StumpLearner().bind(part)(part.prior, part.y)
        for part in (sample_of(X[i : i + 50], y[i : i + 50]) for i in range(0, 250, 5))
    ]
    assert 0.2 < np.mean(luck) < 0.8


def test_what_is_refused() -> None:
    for gamma in (-0.1, 0.6, float("nan")):
        for made in (NoisyLearner, AdversaryLearner):
            with pytest.raises(ValueError, match="gamma="):
                made(gamma)
    for p in (-0.1, 1.1, float("nan")):
        with pytest.raises(ValueError, match="success_probability="):
            FlakyLearner(success_probability=p)
