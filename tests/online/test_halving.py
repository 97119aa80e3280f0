"""Halving: golden runs, lg |H| mistakes, sizes of prefix-free codes, an empty version space."""

from __future__ import annotations

from fractions import Fraction
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests import golden
from weaklearn.online import HalvingLearner
from weaklearn.online.mistake_bounds import kraft

CASES = [name for name in golden.names("online") if name.startswith("halving")]


@pytest.mark.parametrize("name", CASES)
def test_golden(name: str) -> None:
    case = golden.case("online", name)
    given, expected = case["input"], case["expected"]
    sequence = [(row["item"], row["y"]) for row in given["sequence"]]
    table = np.array(given["hypotheses"])
    functions = [lambda x, row=row: row[x] for row in given["hypotheses"]]
    for hypotheses in (table, given["hypotheses"], functions):
        for sizes, word in ((None, "halving"), (given["sizes"], "generalized")):
            learner = HalvingLearner(hypotheses, sizes)
            trace = learner.run(sequence)
            assert trace.predictions.tolist() == expected[f"{word}_predictions"]
            assert learner.mistakes == trace.mistakes == expected[f"{word}_mistakes"]
            assert learner.alive.tolist() == expected["alive_end"]
    assert HalvingLearner(table).bound() == expected["bound_halving_log2"]
    bound = HalvingLearner(table, given["sizes"]).bound(expected["target"])
    assert bound == expected["bound_generalized_size"]


@st.composite
def problems(draw: Any) -> tuple[Any, Any, int, list[int]]:
    """A table of hypotheses, sizes of a prefix-free code, a target, and items in some order."""
    n, items = draw(st.integers(1, 20)), draw(st.integers(1, 12))
    table = draw(arrays(np.int64, (n, items), elements=st.sampled_from([-1, 1])))
    sizes = [*range(1, n), n - 1] if n > 1 else [0]
    order = draw(st.permutations(range(n)))
    target = draw(st.integers(0, n - 1))
    shown = draw(st.lists(st.integers(0, items - 1), min_size=1, max_size=40))
    return table, [sizes[k] for k in order], target, shown


@settings(max_examples=80, deadline=None)
@given(problems())
def test_mistakes_are_few(problem: tuple[Any, Any, int, list[int]]) -> None:
    table, sizes, target, shown = problem
    labels = table[target, shown]
    plain = HalvingLearner(table)
    assert plain.run(shown, labels).mistakes <= log2(len(table))
    weighted = HalvingLearner(table, sizes)
    assert weighted.run(shown, labels).mistakes <= sizes[target]
    for learner in (plain, weighted):
        assert target in learner.alive
        assert (table[learner.alive][:, shown] == labels).all()


@settings(max_examples=50, deadline=None)
@given(problems())
def test_votes_are_weighed_exactly(problem: tuple[Any, Any, int, list[int]]) -> None:
    table, sizes, _, shown = problem
    learner = HalvingLearner(table, sizes)
    weights = [Fraction(1, 2**size) for size in sizes]
    for item in shown:
        lead = sum(w * int(answer) for w, answer in zip(weights, table[:, item]))
        assert learner.predict(item) == (1 if lead >= 0 else -1)
        assert learner.decision(item) == float(lead / sum(weights))


def test_ties_of_sizes_beyond_floats() -> None:
    sizes = [*range(1, 1200), 1199]
    table = np.full((len(sizes), 1), -1)
    table[0] = 1
    assert kraft(sizes) == 1
    assert HalvingLearner(table, sizes).predict(0) == 1  # 1/2 against 1/2
    table[-1] = 1
    assert HalvingLearner(-table, sizes).predict(0) == -1


def test_an_empty_version_space() -> None:
    table = [[1, 1], [1, -1]]
    learner = HalvingLearner(table)
    with pytest.raises(ValueError, match="target among the hypotheses"):
        learner.update(0, -1)
    assert learner.alive.tolist() == [0, 1]  # the example was not learnt
    assert learner.mistakes == 0
    patient = HalvingLearner(table, on_empty="positive")
    assert patient.update(0, -1)
    assert patient.alive.tolist() == []
    assert patient.predict(1) == 1
    assert patient.decision(1) == 0.0


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: HalvingLearner([[1], [-1], [1]], [1, 1, 1]), "Kraft sum of 1.5"),
        (lambda: HalvingLearner([[1], [-1]], [1]), "2 whole numbers"),
        (lambda: HalvingLearner([[1], [-1]], [1.5, 2.0]), "2 whole numbers"),
        (lambda: HalvingLearner([[1], [-1]], [-1, 2]), "at least 0"),
        (lambda: HalvingLearner([]), "empty"),
        (lambda: HalvingLearner([[1, 0]]), "functions from x"),
        (lambda: HalvingLearner([[1, 1]]).predict(2), "columns 0 to 1"),
        (lambda: HalvingLearner([[1, 1]]).predict("b"), "number of a column"),
        (lambda: HalvingLearner([lambda x: 0]).predict(1), "-1 or 1"),
    ],
)
def test_bad_hypotheses(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()
