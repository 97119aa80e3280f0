"""The kernel that reads trees of a file, against the readers in numpy."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from tests.files.forge import mutated
from tests.files.test_packed import STREAMS, packed
from tests.files.test_tree import families, same, tree
from tests.reference.tree_proof import proof_of as twin_of
from weaklearn.base.compression.batch import Batch
from weaklearn.base.compression.tree_stream import open_trees, read_trees
from weaklearn.base.trees.tree import Tree
from weaklearn.files import Flaw
from weaklearn.files.held_tree import in_order
from weaklearn.files.tree import make_many
from weaklearn.files.tree_proof import proof_of


def by_twin(n: int, data: bytes) -> Any:
    """The trees and their proofs as numpy has them; None where it refuses them."""
    try:
        with np.errstate(all="ignore"):
            found = open_trees(data, trusted=False)
            if isinstance(found, list) or len(found) != n:
                return None
            batches = found.walk(in_order)
            proofs = [twin_of(batch) for batch in batches]
    except (ValueError, Flaw):
        return None
    trees = [Tree(**arrays) for batch in batches for arrays in batch.apart()]
    return trees, proofs


def large(seed: int, n_outputs: int = 1, whole: bool = True) -> list[Tree]:
    """Trees of several batches; weights times values are whole, or those of the last are not."""
    rng = np.random.default_rng(seed)
    trees = []
    for k in range(6):
        n = 15_001
        given: dict[str, Any] = {"weight": rng.integers(1, 9, n).astype(float)}
        if whole or k < 5:
            given["values"] = rng.integers(-3, 4, (n, n_outputs)).astype(float)
        trees.append(tree(n, seed=seed + k, n_outputs=n_outputs, **given))
    return trees


MANY: dict[str, Sequence[Tree]] = {
    **{name: trees for name, trees in STREAMS.items() if name != "as they are"},
    "leaves": [tree(1), tree(1)],
    "outputs": [tree(61, n_outputs=5)],
}


@pytest.mark.parametrize("name", MANY)
def test_mutated_streams_are_read_as_by_numpy(name: str) -> None:
    trees = MANY[name]
    data, rng = packed(list(trees)), random.Random(name)
    accepted = 0
    for k in range(600):
        other = mutated(rng, data) if k else data
        wanted = by_twin(len(trees), other)
        try:
            found = make_many(len(trees), [other])
        except Flaw:
            assert wanted is None
            continue
        if wanted is None:  # written as they are, or refused by both
            assert other[1] == 0
            continue
        accepted += 1
        assert all(map(same, found, wanted[0]))
    assert accepted > 5


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("n_outputs", [1, 3])
def test_batches_are_decoded_as_by_numpy(n_outputs: int, whole: bool) -> None:
    """Guesses are of whole numbers where all trees have them, which the last batch may disprove."""
    trees = large(7, n_outputs, whole)
    data = packed(trees)
    found = make_many(len(trees), [data])
    assert found[0].packed is not None
    for mine, theirs, wanted in zip(found, read_trees(data), trees, strict=True):
        assert same(mine, wanted)
        assert same(Tree(**theirs), wanted)


def batch_of(trees: Sequence[Tree]) -> Batch:
    names = trees[0].arrays()
    columns = {name: np.concatenate([getattr(t, name) for t in trees]) for name in names}
    sizes = [[len(t), len(t.subsets), len(t.values)] for t in trees]
    return Batch(columns, *np.array(sizes, np.int64).T.copy())


def test_proofs_are_those_of_numpy() -> None:
    for trees in ([families(), families()], [tree(n, seed=n) for n in (1, 3, 601, 9)]):
        mine, wanted = proof_of(batch_of(trees)), twin_of(batch_of(trees))
        assert mine.reach.tolist() == wanted.reach.tolist()
        assert mine.shares.tolist() == wanted.shares.tolist()
        assert asked(mine.tests) == asked(wanted.tests)


def asked(tests: Any) -> dict[tuple[int, ...], tuple[float, float]]:
    """The least and the greatest threshold of each combination."""
    found: dict[tuple[int, ...], tuple[float, float]] = {}
    columns = (tests.feature, tests.ask, tests.width, tests.missing, tests.low, tests.high)
    for *key, low, high in zip(*(column.tolist() for column in columns), strict=True):
        before = found.get(tuple(key), (low, high))
        found[tuple(key)] = min(before[0], low), max(before[1], high)
    return found


def test_wrong_columns_are_refused_by_both() -> None:
    rng = random.Random(3)
    trees = [tree(9), families_of_two(), tree(31, seed=2)]
    right = batch_of(trees)
    odd: list[Any] = [-1, 0, 1, 2, 3, 2**30, np.nan, np.inf, 1e300, -1.0]
    refused = 0
    for _ in range(1500):
        name = rng.choice([each for each in right.columns if each != "subsets"])
        columns = {each: array.copy() for each, array in right.columns.items()}
        array = columns[name].ravel()
        value = rng.choice(odd)
        if array.dtype.kind != "f" and not (np.isfinite(value) and 0 <= value < 2**31):
            value = 0 if array.dtype.kind == "u" else -1
        array[rng.randrange(len(array))] = min(value, 255) if array.dtype == np.uint8 else value
        batch = Batch(columns, right.length, right.sets, right.rows)
        answers = []
        for proof in (proof_of, twin_of):
            try:
                proof(batch)
            except Flaw:
                answers.append("refused")
            else:
                answers.append("sound")
        assert answers[0] == answers[1], (name, value)
        refused += answers[0] == "refused"
    assert refused > 200


def families_of_two() -> Tree:
    return Tree(**(families().arrays() | {"values": np.array([[0.25, 0.75], [1.0, 0.0]])}))
