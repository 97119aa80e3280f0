"""The weighted vote: what may change without changing its answers, and what it costs to grow."""

from __future__ import annotations

import math
import pickle
from fractions import Fraction
from time import process_time
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.samples import prepared, sample_of
from weaklearn.base import Ensemble, Hypothesis, StackedEnsemble
from weaklearn.base.hypothesis import CONSTANT, EQUALITY, MULTIWAY, THRESHOLD, Stump

NAN = float("nan")
quick = settings(deadline=None, max_examples=60)

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.integers(0, 5, 60), RNG.normal(size=60), RNG.integers(0, 3, 60)])
X[RNG.random(X.shape) < 0.1] = NAN
SAMPLE = prepared(X, RNG.integers(0, 2, 60), categorical=[2]).sample
CLASSES = prepared(X, np.arange(60) % 3, categorical=[2]).sample


@st.composite
def stumps(draw: Any, answers: tuple[int, int] = (-1, 1)) -> Stump:
    """Any stump on the columns above, answering within the range."""
    said = st.integers(*answers)
    low, high, missing = draw(said), draw(said), draw(said)
    feature = draw(st.integers(0, 2))
    if feature == 2:
        test = draw(st.sampled_from([CONSTANT, EQUALITY, MULTIWAY]))
        levels = tuple(draw(said) for _ in range(3)) if test == MULTIWAY else None
        return Stump(test, 2, -math.inf, draw(st.integers(0, 2)), low, high, missing, levels)
    threshold = draw(st.one_of(st.integers(-1, 5).map(lambda k: k + 0.5), st.floats(-2, 2)))
    return Stump(THRESHOLD, feature, float(threshold), 0, low, high, missing)


votes = st.floats(-5, 5, allow_nan=False, allow_subnormal=False)
signed = st.lists(st.tuples(votes, stumps()), min_size=0, max_size=30)
of_classes = st.lists(st.tuples(votes, stumps((-1, 2))), min_size=0, max_size=30)


def ensemble_of(members: Any, n_outputs: int = 1) -> Ensemble:
    ensemble = Ensemble(n_outputs)
    for vote, h in members:
        ensemble = ensemble.plus(vote, h)
    return ensemble


class Unpacked(Hypothesis):
    """A stump the scorer cannot see through."""

    def __init__(self, h: Stump) -> None:
        self.h = h

    def __call__(self, rows: Any) -> Any:
        return self.h(rows)


# --- Scores ----------------------------------------------------------------------------------


@quick
@given(signed)
def test_the_score_is_the_sum_of_votes(members: Any) -> None:
    ensemble = ensemble_of(members)
    F = ensemble(SAMPLE)
    exact = np.zeros(60, dtype=object) + Fraction(0)
    for vote, h in members:
        exact += Fraction(vote) * h(SAMPLE)
    weight = sum(abs(vote) for vote, _ in members)
    assert F.astype(float) == pytest.approx(exact.astype(float), abs=weight * 1e-15 + 1e-300)
    assert ensemble.weight == pytest.approx(weight)
    assert ensemble.votes.tolist() == [vote for vote, _ in members]
    assert ensemble.members == [h for _, h in members]
    assert list(ensemble) == members
    assert list(ensemble.since(3)) == members[3:]


@quick
@given(of_classes)
def test_votes_for_classes(members: Any) -> None:
    F = ensemble_of(members, 3)(CLASSES)
    expected = np.zeros((60, 3))
    for vote, h in members:
        answers = h(CLASSES)
        for k in range(3):
            expected[:, k] += vote * (answers == k)  # -1 is silence
    assert pytest.approx(expected, abs=1e-12) == F


@quick
@given(signed, st.randoms())
def test_order_and_packing_change_no_bit(members: Any, random: Any) -> None:
    bits = ensemble_of(members)(SAMPLE).tobytes()
    mixed = list(members)
    random.shuffle(mixed)
    assert ensemble_of(mixed)(SAMPLE).tobytes() == bits
    # As far as rounding of votes allows: one member that is not native makes all of them slow.
    plain = [(vote, Unpacked(h)) for vote, h in members]
    assert ensemble_of(plain)(SAMPLE).tobytes() == bits


@quick
@given(of_classes)
def test_packing_changes_no_bit_for_classes(members: Any) -> None:
    plain = [(vote, Unpacked(h)) for vote, h in members]
    assert ensemble_of(plain, 3)(CLASSES).tobytes() == ensemble_of(members, 3)(CLASSES).tobytes()


@quick
@given(signed, st.integers(-20, 20), st.floats(0.01, 100))
def test_positive_factors_keep_the_labels(members: Any, power: int, factor: float) -> None:
    ensemble = ensemble_of(members)
    F = ensemble(SAMPLE)
    doubled = ensemble_of([(vote * 2.0**power, h) for vote, h in members])
    assert doubled(SAMPLE).tobytes() == (F * 2.0**power).tobytes()
    assert (np.sign(doubled(SAMPLE)) == np.sign(F)).all()
    scaled = ensemble_of([(vote * factor, h) for vote, h in members])(SAMPLE)
    clear = np.abs(F) > 1e-12 * (1 + ensemble.weight)
    assert (np.sign(scaled) == np.sign(F))[clear].all()


@quick
@given(signed)
def test_equal_members_may_be_merged(members: Any) -> None:
    members = members + members[: len(members) // 2]
    merged: dict[Stump, list[float]] = {}
    for vote, h in members:
        merged.setdefault(h, []).append(vote)
    F = ensemble_of(members)(SAMPLE)
    G = ensemble_of([(math.fsum(found), h) for h, found in merged.items()])(SAMPLE)
    assert pytest.approx(F, abs=1e-12) == G
    clear = np.abs(F) > 1e-9
    assert (np.sign(F) == np.sign(G))[clear].all()


def test_votes_that_cancel_give_exactly_nothing() -> None:
    h = Stump(THRESHOLD, 0, 1.5, 0, -1, 1, 1)
    against = Stump(THRESHOLD, 0, 1.5, 0, 1, -1, -1)
    F = ensemble_of([(0.1, h), (0.2, h), (0.3, against), (2**-54, h)])(SAMPLE)
    assert np.abs(F).max() < 1e-16
    F = ensemble_of([(1 / 3, h), (0.7, h), (1 / 3, against), (0.7, against)])(SAMPLE)
    assert (F == 0).all()
    assert not np.signbit(F).any()


def test_nothing_votes_for_nothing() -> None:
    assert Ensemble()(SAMPLE).tolist() == [0.0] * 60
    assert Ensemble(3)(CLASSES).shape == (60, 3)
    assert list(Ensemble().stages(SAMPLE)) == []
    assert (len(Ensemble()), Ensemble().weight, Ensemble().margin_weight) == (0, 0, 0)
    silent = ensemble_of([(0.0, Stump(THRESHOLD, 0, 1.5, 0, -1, 1, 1))])
    assert silent(SAMPLE).tolist() == [0.0] * 60


@pytest.mark.parametrize("vote", [1e-300, 5e-324, 1e300, 3e8])
def test_votes_of_any_size(vote: float) -> None:
    h = Stump(CONSTANT, 0, -math.inf, 0, 1, 1, 1)
    assert ensemble_of([(vote, h)])(SAMPLE).tolist() == [vote] * 60


# --- Stages ----------------------------------------------------------------------------------


@quick
@given(signed)
def test_stages(members: Any) -> None:
    ensemble = ensemble_of(members)
    stages = list(ensemble.stages(SAMPLE))
    assert len(stages) == len(members)
    for t in range(1, len(members) + 1):
        staged = ensemble.staged(t)
        assert list(staged) == members[:t]
        assert staged(SAMPLE) == pytest.approx(stages[t - 1], abs=1e-15 * (1 + ensemble.weight))
        assert staged.running_weight == pytest.approx(staged.weight)
    if members:
        assert stages[-1].tobytes() == ensemble(SAMPLE).tobytes()
    assert list(ensemble.staged(len(members) + 5)) == members


@quick
@given(of_classes)
def test_stages_for_classes(members: Any) -> None:
    ensemble = ensemble_of(members, 3)
    stages = [F.copy() for F in ensemble.stages(CLASSES)]
    for t, F in enumerate(stages, start=1):
        assert pytest.approx(ensemble.staged(t)(CLASSES), abs=1e-12) == F


# --- Growing ---------------------------------------------------------------------------------


def test_branches_do_not_meet() -> None:
    a, b, c = (Stump(THRESHOLD, 0, k + 0.5, 0, -1, 1, 1) for k in range(3))
    trunk = Ensemble().plus(1.0, a)
    left, right = trunk.plus(2.0, b), trunk.plus(3.0, c)
    assert list(trunk) == [(1.0, a)]
    assert list(left) == [(1.0, a), (2.0, b)]
    assert list(right) == [(1.0, a), (3.0, c)]
    longer = left.plus(4.0, c)
    assert list(left) == [(1.0, a), (2.0, b)]
    assert longer.follows(left)
    assert not longer.follows(right)
    assert left.follows(trunk)
    stage = longer.staged(2)
    other = stage.plus(9.0, a)
    assert list(longer) == [(1.0, a), (2.0, b), (4.0, c)]
    assert list(other) == [(1.0, a), (2.0, b), (9.0, a)]
    assert [e.running_weight for e in (trunk, left, right, longer, other)] == [1, 3, 4, 7, 12]
    assert left(SAMPLE).tobytes() == ensemble_of([(1.0, a), (2.0, b)])(SAMPLE).tobytes()


def test_growing_costs_the_same_however_long() -> None:
    h = Stump(THRESHOLD, 0, 1.5, 0, -1, 1, 1)
    ensemble = Ensemble()
    started = process_time()
    for _ in range(100_000):
        ensemble = ensemble.plus(0.5, h)
    assert process_time() - started < 5  # copying the list every time would take minutes
    assert len(ensemble) == 100_000
    assert ensemble.running_weight == 50_000
    assert ensemble(SAMPLE) == pytest.approx(50_000 * h(SAMPLE))


def test_a_scorer_is_made_once() -> None:
    ensemble = ensemble_of([(1.0, Stump(THRESHOLD, 0, 1.5, 0, -1, 1, 1))])
    first = ensemble.scorer(SAMPLE)
    assert ensemble.scorer(SAMPLE) is first
    grown = ensemble.plus(1.0, Stump(THRESHOLD, 0, 2.5, 0, -1, 1, 1))
    assert grown.scorer(SAMPLE) is not first


# --- Pickles ---------------------------------------------------------------------------------


@quick
@given(signed, st.integers(0, 10))
def test_pickles(members: Any, t: int) -> None:
    ensemble = ensemble_of(members)
    ensemble(SAMPLE)  # with a scorer made, which is not kept
    again = pickle.loads(pickle.dumps(ensemble))
    assert list(again) == members
    assert again(SAMPLE).tobytes() == ensemble(SAMPLE).tobytes()
    assert again.running_weight == ensemble.running_weight
    stage = pickle.loads(pickle.dumps(ensemble.staged(t)))
    assert list(stage) == members[:t]
    assert list(again.plus(1.0, members[0][1]) if members else again)[: len(members)] == members


def test_a_stage_keeps_its_own_members_only() -> None:
    h = Stump(THRESHOLD, 0, 1.5, 0, -1, 1, 1)
    ensemble = ensemble_of([(1.0, h)] * 5_000)
    assert len(pickle.dumps(ensemble.staged(2))) < 2_000


# --- Side by side ----------------------------------------------------------------------------


def test_stacked() -> None:
    a, b = (Stump(THRESHOLD, 0, k + 0.5, 0, -1, 1, 1) for k in range(2))
    parts = (ensemble_of([(1.0, a), (0.5, b)]), ensemble_of([(2.0, b)]), Ensemble())
    stacked = StackedEnsemble(parts)
    sample = sample_of(X, RNG.integers(0, 2, 60), categorical=[2])
    F = stacked(sample)
    assert F.shape == (60, 3)
    for k, part in enumerate(parts):
        assert F[:, k].tobytes() == part(sample).tobytes()
    assert (len(stacked), stacked.n_outputs) == (2, 3)
    assert stacked.votes.tolist() == [1.0, 0.5, 2.0]
    assert stacked.members == [a, b, b]
    assert list(stacked) == [(1.0, a), (0.5, b), (2.0, b)]
    assert stacked.margin_weight == 4.0  # labels differ by at most twice the heaviest vote
    one, two = stacked.stages(sample)
    assert two.tobytes() == F.tobytes()
    assert one[:, 0].tolist() == a(sample).astype(float).tolist()
    assert one[:, 1].tolist() == F[:, 1].tolist()  # a game that has ended keeps its score
    assert stacked.staged(1).votes.tolist() == [1.0, 2.0]
    again = pickle.loads(pickle.dumps(stacked))
    assert again(sample).tobytes() == F.tobytes()
