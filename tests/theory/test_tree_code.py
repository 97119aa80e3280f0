"""The code of binary trees: its length, its way back, and that no code begins another."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.golden import load, names
from weaklearn import ID3Classifier
from weaklearn.theory import bounds, tree_code


def trees(d: int) -> Any:
    leaves = st.sampled_from([-1, 1]).map(lambda label: {"leaf": label})
    features = st.integers(0, d - 1)
    return st.recursive(
        leaves,
        lambda below: st.builds(
            lambda j, zero, one: {"feature": j, "zero": zero, "one": one}, features, below, below
        ),
        max_leaves=12,
    )


def n_tests(tree: Any) -> int:
    return 0 if "leaf" in tree else 1 + n_tests(tree["zero"]) + n_tests(tree["one"])


sizes = st.integers(1, 20)


@given(sizes.flatmap(lambda d: st.tuples(st.just(d), trees(d))))
def test_there_and_back(given: Any) -> None:
    d, tree = given
    bits = tree_code.encode(tree, d)
    assert set(bits) <= set("01")
    assert len(bits) == bounds.tree_bits(n_tests(tree), d)
    assert tree_code.decode(bits, d) == tree


@given(sizes.flatmap(lambda d: st.tuples(st.just(d), trees(d), trees(d))))
def test_no_code_begins_another(given: Any) -> None:
    d, tree, other = given
    bits, others = tree_code.encode(tree, d), tree_code.encode(other, d)
    assert tree == other or not others.startswith(bits)


@given(sizes.flatmap(lambda d: st.tuples(st.just(d), trees(d), st.text("01", max_size=3))))
def test_what_is_no_code_is_refused(given: Any) -> None:
    d, tree, more = given
    bits = tree_code.encode(tree, d)
    for k in range(len(bits)):
        with pytest.raises(ValueError, match="middle of a tree"):
            tree_code.decode(bits[:k], d)
    if more:
        with pytest.raises(ValueError, match="goes on after the tree ends"):
            tree_code.decode(bits + more, d)


def test_refusals() -> None:
    with pytest.raises(ValueError, match="names feature 3"):
        tree_code.decode("1110001", 3)
    with pytest.raises(ValueError, match="middle of a tree"):
        tree_code.decode("02", 3)
    with pytest.raises(ValueError, match=r"tests feature 3; there are d=3"):
        tree_code.encode({"feature": 3, "zero": {"leaf": 1}, "one": {"leaf": 1}}, 3)
    with pytest.raises(ValueError, match="knows -1 and 1 only"):
        tree_code.encode({"leaf": "yes"}, 3)
    with pytest.raises(ValueError, match="binary trees"):
        tree_code.encode({"feature": 0, "children": {0: {"leaf": 1}}}, 3)
    with pytest.raises(ValueError, match="at least one feature"):
        tree_code.encode({"leaf": 1}, 0)


def test_a_deep_tree_takes_no_recursion() -> None:
    tree: Any = {"leaf": 1}
    for _ in range(5000):
        tree = {"feature": 0, "zero": {"leaf": -1}, "one": tree}
    bits = tree_code.encode(tree, 1)
    again = tree_code.decode(bits, 1)
    assert tree_code.encode(again, 1) == bits


@pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
@pytest.mark.parametrize("case", load("id3"), ids=names("id3"))
def test_the_length_of_an_id3_tree(case: Any) -> None:
    rows, labels = case["input"]["rows"], case["input"]["labels"]
    model = ID3Classifier().fit(rows, labels)
    d = len(rows[0])
    bits = tree_code.encode(model.to_dict(), d)
    assert len(bits) == model.description_length()
    assert len(bits) == bounds.tree_bits((case["expected"]["nodes"] - 1) // 2, d)
