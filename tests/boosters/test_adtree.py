"""Alternating trees: the definition, the golden cases, and what the tree promises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import golden
from tests.reference.adtree import alternating_tree, mass, number
from tests.samples import same_bits, sample_of
from weaklearn.base import History, Stop, play
from weaklearn.base.trees.splitter import Splitter
from weaklearn.boosters import ADTree
from weaklearn.learners.partition import CONDITION, ConditionLearner, PartitionLearner, confidences

LEARNER = ConditionLearner()


def sampled(X: Any, y: Any, weight: Any = None, **how: Any) -> Any:
    return sample_of(np.asarray(X, float), np.asarray(y), weight, binning=LEARNER.binning, **how)


def played(sample: Any, n_rounds: int, learner: Any = LEARNER, **settings: Any) -> Any:
    booster = ADTree(**settings)
    return play(
        booster,
        sample,
        learner.bind(sample),
        state=booster.begin(sample),
        history=History(),
        n_rounds=n_rounds,
    )


def placed(name: str) -> tuple[int, int] | None:
    """A precondition of the golden cases: "root", "2:yes"."""
    if name == "root":
        return None
    t, _, answer = name.partition(":")
    return int(t) - 1, ["no", "yes"].index(answer)


@pytest.mark.parametrize("name", [n for n in golden.names("boosters") if n.startswith("adtree")])
def test_golden(name: str) -> None:
    case = golden.case("boosters", name)
    given, expected = case["input"], case["expected"]
    sample = sampled(given["X"], given["y"])
    run = played(sample, given["T"])
    close = golden.tolerance("boosters")
    assert run.state.ensemble.base == pytest.approx(expected["root"], **close)
    told = zip(run.state.ensemble.members, run.history["Z"], expected["rounds"], strict=True)
    for h, Z, want in told:
        assert h.after == placed(want["precondition"])
        assert h.test[1:3] == (want["feature"], want["threshold"])
        assert Z == pytest.approx(want["Z"], **close)
        assert h.numbers[:2] == pytest.approx([want["no"], want["yes"]], **close)
    F = run.state.ensemble(sample)
    assert F.tolist() == pytest.approx(expected["F"], **close)
    weights = np.exp(-sample.y * F)
    assert weights.tolist() == pytest.approx(expected["weights_end"], **close)


@st.composite
def tables(draw: Any) -> tuple[Any, Any, Any, list[int]]:
    n, d = draw(st.integers(2, 16)), draw(st.integers(1, 3))
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    X = rng.integers(0, draw(st.integers(2, 6)), (n, d)).astype(float)
    y = np.where(X[:, 0] > 1, 1, -1) if draw(st.booleans()) else rng.choice([-1, 1], n)
    y[:2] = [-1, 1]
    weight = rng.integers(1, 4, n) if draw(st.booleans()) else None
    categorical = [0] if draw(st.booleans()) else []
    return X, y, weight, categorical


@settings(max_examples=80, deadline=None)
@given(tables())
def test_every_round_is_that_of_the_definition(table: Any) -> None:
    X, y, weight, categorical = table
    root, rounds, F = alternating_tree(X, y, 5, weight, frozenset(categorical))
    sample = sampled(X, y, weight, categorical=categorical)
    run = played(sample, 5)
    ensemble = run.state.ensemble
    assert ensemble.base == pytest.approx(root, abs=1e-12)
    assert len(ensemble) == len(rounds)
    for h, Z, want in zip(ensemble.members, run.history["Z"], rounds, strict=False):
        level = want.feature in categorical
        value = np.unique(X[:, 0]).tolist().index(want.value) if level else want.value
        words = np.frombuffer(h.test[3], np.uint64)
        asked = int(words[0]).bit_length() - 1 if level else h.test[2]
        assert (h.after, h.test[1], asked) == (want.precondition, want.feature, value)
        assert Z == pytest.approx(want.Z, abs=1e-9)
        assert h.numbers[:2] == pytest.approx([want.no, want.yes], abs=1e-9)
    assert ensemble(sample).tolist() == pytest.approx(F.tolist(), abs=1e-9)


def noisy(n: int = 150, seed: int = 0, gaps: float = 0.1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 9, (n, 4)).astype(float)
    y = np.where((X[:, 0] > 4) ^ (X[:, 1] > 5) ^ (rng.random(n) < 0.15), 1, -1)
    X[rng.random(X.shape) < gaps] = np.nan
    return X, y


def walked(ensemble: Any, sample: Any, row: int) -> float:
    """The score of a row that goes down the tree, from number to number."""
    F = ensemble.base
    reached: set[Any] = {None}
    for t, (vote, h) in enumerate(ensemble):
        if h.after in reached:
            o = int(h.outcome(sample, np.array([row]))[0])
            F += vote * h.numbers[o]
            reached.add((t, o))
    return float(F)


def test_the_tree_is_the_sum_of_its_rules() -> None:
    sample = sampled(*noisy())
    ensemble = played(sample, 12, learning_rate=0.7).state.ensemble
    assert max(h.tree.depth for h in ensemble.members) > 2
    F = ensemble(sample)
    assert F.tolist() == [walked(ensemble, sample, row) for row in range(len(sample))]
    added = ensemble.base + sum(vote * h(sample) for vote, h in ensemble)
    assert added.tolist() == pytest.approx(F.tolist(), abs=1e-12)
    assert same_bits(list(ensemble.stages(sample))[-1], F)


@pytest.mark.parametrize("weighted", [False, True])
def test_weights_are_the_exponentials_of_margins(weighted: bool) -> None:
    X, y = noisy()
    weight = np.random.default_rng(1).random(len(y)) + 0.1 if weighted else None
    sample = sampled(X, y, weight)
    booster = ADTree()
    state, learn = booster.begin(sample), LEARNER.bind(sample)
    share = sample.prior_shares
    for _ in range(6):
        w = share * len(y) * np.exp(-sample.y * state.ensemble(sample))
        assert state.D.array == pytest.approx(w / w.sum(), abs=1e-12)
        P, t = state.P, len(state.ensemble)
        state, done = booster.round(sample, learn, state)
        h = state.ensemble.members[-1]
        rows = next(c.rows for c in P if c.after == h.after)
        outcome = h.outcome(sample, rows)
        blocks = [mass(w[rows], sample.y[rows], outcome == o) for o in range(len(h.outcomes))]
        assert h.numbers == pytest.approx([number(pair) for pair in blocks], abs=1e-9)
        rest = w.sum() - w[rows].sum()
        Z = 2 * sum(np.sqrt(a * b) for a, b in blocks) + rest
        assert done.metrics["Z"] == pytest.approx(Z, abs=1e-9)
        after = share @ np.exp(-sample.y * state.ensemble(sample))
        assert done.metrics["potential"] == pytest.approx(after, abs=1e-12)
        yh = sample.y * h(sample)
        wrong, silent = w[yh < 0].sum() / w.sum(), w[yh == 0].sum() / w.sum()
        assert done.metrics["epsilon"] == pytest.approx(wrong + silent / 2, abs=1e-12)
        assert done.metrics["r"] == pytest.approx(w @ yh / w.sum(), abs=1e-12)
        for c in state.P:  # what is known without a search is what a search would find
            if c.found is not None:
                again = learn.within(np.exp(-state.yF) * (weight if weighted else 1), [c.rows])[0]
                assert again[1] == pytest.approx(c.found[1], abs=1e-12)
        assert len(state.P) > t + 1


def test_no_other_condition_has_a_smaller_Z() -> None:
    """With missing values too: the criterion of the round against all genuine partitions."""
    sample = sampled(*noisy(80, 3, 0.2))
    booster = ADTree()
    state, learn = booster.begin(sample), LEARNER.bind(sample)
    for _ in range(5):
        w, P = np.exp(-state.yF), state.P
        state, done = booster.round(sample, learn, state)
        for c in P:
            where = np.isin(np.arange(len(sample)), c.rows)
            for j in range(4):
                x = sample.column(j)
                for t in np.unique(x[~np.isnan(x)])[:-1]:
                    parts = [where & (x <= t), where & (x > t), where & np.isnan(x)]
                    pairs = [mass(w, sample.y, part) for part in parts]
                    Z = 2 * sum(np.sqrt(a * b) for a, b in pairs) + w[~where].sum()
                    assert done.metrics["Z"] <= Z + 1e-9


def test_without_further_preconditions_it_boosts_confidence_rated_stumps() -> None:
    sample = sampled(*noisy())
    booster = ADTree(max_depth=1)
    state, learn = booster.begin(sample), LEARNER.bind(sample)
    for _ in range(8):
        D, W = state.D, float(np.exp(-state.yF).sum())
        stump = PartitionLearner(CONDITION, 1 / W).bind(sample)(D, sample.y)
        state, done = booster.round(sample, learn, state)
        h = state.ensemble.members[-1]
        assert (h.after, len(state.P)) == (None, 1)
        assert done.metrics["Z"] == pytest.approx(W * stump.criterion, abs=1e-9)
        assert h(sample).tolist() == pytest.approx(stump(sample).tolist(), abs=1e-9)
    assert confidences(np.array([0.5]), np.array([0.25]), 0.25)[0] == pytest.approx(
        number((2.0, 1.0)), abs=1e-12
    )  # weights of sum 4


def test_of_equal_preconditions_the_first_is_taken() -> None:
    # Both answers to the first question leave the same problem, and the second feature solves it.
    X = [[a, b] for a in (0, 1) for b in (0, 0, 1, 1)]
    y = [1, 1, 1, -1, -1, -1, -1, 1]
    run = played(sampled(X, y), 3)
    first, second, third = run.state.ensemble.members
    assert (first.after, first.test[1]) == (None, 0)
    assert [second.after, third.after] == [(0, 0), (0, 1)]
    assert second.test[1] == third.test[1] == 1
    assert second.numbers[:2] == pytest.approx([-v for v in third.numbers[:2]])


def test_the_root_asks_even_where_no_answer_tells_anything() -> None:
    X, y = [[0.0]] * 3 + [[1.0]] * 3, [1, 1, -1] * 2
    run = played(sampled(X, y), 2)
    (h, again) = run.state.ensemble.members
    assert (h.after, again.after, h.test) == (None, None, again.test)
    assert h.numbers[0] == h.numbers[1] > 0


XOR = [[0.0, 0], [0, 1], [1, 0], [1, 1]], [-1, 1, 1, -1]


def test_a_question_without_gain_opens_others_that_gain() -> None:
    run = played(sampled(*XOR), 3)
    first, second, third = run.state.ensemble.members
    assert (first.after, first.test[1], first.numbers[:2]) == (None, 0, [0.0, 0.0])
    assert [(h.after, h.test[1]) for h in (second, third)] == [((0, 0), 1), ((0, 1), 1)]
    assert run.history["Z"].tolist() == pytest.approx([4, 2, np.sqrt(2)])
    assert run.history["train_error"].tolist() == [0.5, 0.25, 0.0]


def test_a_question_without_gain_is_asked_once() -> None:
    """Of three bits the definition asks the first one again and again: F stays 0."""
    X = [[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)]
    run = played(sampled(X, np.where(np.sum(X, axis=1) % 2, 1, -1)), 9)
    assert (run.stop, len(run.state.ensemble), len(run.history)) == (Stop.NO_EDGE, 1, 2)
    assert (run.state.ensemble(sampled(X, [1, -1] * 4)) == 0).all()
    flat = played(sampled(*XOR), 9, max_depth=1)  # it could open nothing
    assert (flat.stop, len(flat.state.ensemble), len(flat.history)) == (Stop.NO_EDGE, 0, 1)


def test_one_class_has_a_root_alone() -> None:
    run = played(sampled([[1.0], [2.0], [3.0]], [1, 1, 1]), 5)
    assert (run.stop, len(run.state.ensemble), len(run.history)) == (Stop.DECIDED, 0, 1)
    assert run.state.ensemble.base == pytest.approx(0.5 * np.log(4))


@pytest.mark.parametrize("X", [[[1.0]] * 4, [[np.nan]] * 4])
def test_without_a_question_to_ask_the_root_stays_alone(X: Any) -> None:
    run = played(sampled(X, [1, 1, 1, -1]), 5)
    assert (run.stop, len(run.state.ensemble)) == (Stop.NO_EDGE, 0)
    assert run.state.ensemble.base == pytest.approx(0.5 * np.log(4 / 2))


def test_a_missing_value_has_an_answer_where_training_met_one() -> None:
    X = [[0.0, 1], [0, 1], [1, 1], [1, 1], [np.nan, 1], [np.nan, 1], [np.nan, 1]]
    sample = sampled(X, [-1, -1, 1, 1, 1, 1, 1])
    h = played(sample, 1).state.ensemble.members[0]
    assert h.test[1] == 0
    assert h.counts == [2, 2, 3]
    assert h.numbers[2] > 0
    full = played(sampled(np.nan_to_num(X, nan=1.0), [-1, -1, 1, 1, 1, 1, 1]), 1).state.ensemble
    assert full.members[0].counts == [2, 5, 0]
    assert full(sample)[4:].tolist() == [full.base] * 3  # there it adds nothing


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([None, "copies", "importance"]))
def test_errors_are_fewer_than_weights_and_these_fall(seed: int, kind: str | None) -> None:
    X, y = noisy(60, seed)
    rng = np.random.default_rng(seed)
    weight = {None: None, "copies": rng.integers(1, 4, 60), "importance": rng.random(60)}[kind]
    sample = sampled(X, y, weight)
    run = played(sample, 6)
    left = run.history["potential"]
    assert (np.diff(left) < 1e-12).all()
    F = run.state.ensemble(sample)
    wrong = np.where(F > 0, 1, -1) != sample.y
    assert sample.prior_shares @ wrong <= left[-1] + 1e-12
    if kind is None:
        assert run.history["train_error"][-1] == np.mean(wrong)


def test_importances_have_no_scale() -> None:
    X, y = noisy(70)
    weight = np.random.default_rng(2).random(70)
    problems = [played(sampled(X, y, weight * scale), 5) for scale in (1.0, 1024.0)]
    assert problems[0].state.ensemble.members == problems[1].state.ensemble.members


def test_any_learner_of_partitions_will_do() -> None:
    """One without answers for many lists of rows is asked for one at a time, and finds the same."""
    sample = sampled(*noisy(60))

    class Alone:
        def bind(self, sample: Any) -> Any:
            learn = LEARNER.bind(sample)
            return lambda D, z, key=0: learn(D, z, key)

    one_by_one = played(sample, 5, Alone()).state.ensemble
    at_once = played(sample, 5).state.ensemble
    assert [h.test for h in one_by_one.members] == [h.test for h in at_once.members]
    assert one_by_one(sample).tolist() == pytest.approx(at_once(sample).tolist(), abs=1e-12)


def test_splitters_are_equal_by_what_they_are() -> None:
    sample = sampled(*noisy(40))
    first, second = (played(sample, 3).state.ensemble.members for _ in range(2))
    assert first == second
    assert len({*first, *second}) == 3
    assert first[0] != first[1]
    assert first[0] != "a splitter"
    assert isinstance(first[0], Splitter)
