"""Trees packed in a file: small, the same to the bit, and no way past the checks."""

from __future__ import annotations

import hashlib
import pickle
import random
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn
from tests.files.forge import loaded, mutated, reread, sections, with_model, written
from tests.files.test_hostile import tried
from tests.files.test_tree import WRONG, changed, families, same, tree
from weaklearn.base.compression.stream import Writer
from weaklearn.base.compression.tree_stream import read_trees, write_trees
from weaklearn.base.trees.tree import THRESHOLD, Tree
from weaklearn.base.trees.tree_arrays import LEAF
from weaklearn.files import Flaw, ModelFileError, read
from weaklearn.files.envelope import MODEL
from weaklearn.files.tree import TREE, make_many, pack, spell, take_many
from weaklearn.files.value import Part
from weaklearn.persistence.model_bytes import opened, sealed


def rows(n: int = 400, d: int = 6, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) > 0).astype(int)


def packed(trees: list[Tree]) -> bytes:
    return write_trees([t.arrays() for t in trees])


def chain(n: int) -> Tree:
    """A tree in which every second child asks again."""
    ask = np.where(np.arange(n) % 2, LEAF, THRESHOLD)
    ask[-1] = LEAF
    inner = ask != LEAF
    given = {
        "ask": ask,
        "feature": np.where(inner, 0, -1),
        "threshold": np.where(inner, np.arange(n), 0.0),
        "first": np.where(inner, np.arange(n) + 1, 0),
        "width": np.where(inner, 2, 0),
        "missing": np.zeros(n),
        "gain": np.zeros(n),
    }
    return tree(n, **given)


@pytest.mark.parametrize("n_classes", [2, 3, 40])
def test_a_file_is_no_larger_than_a_pickle(n_classes: int, tmp_path: Path) -> None:
    X, y = rows()
    y = y if n_classes == 2 else np.arange(len(X)) % n_classes
    model = weaklearn.RandomForestClassifier(20, random_state=0).fit(X, y)
    path = tmp_path / "forest.weak"
    model.save(path, profile=False)
    assert path.stat().st_size < 1.05 * len(pickle.dumps(model))
    assert path.stat().st_size < len(written(model)) / 4  # what it would take in full
    again = weaklearn.load(path)
    assert all(map(same, again.trees_, model.trees_))
    assert again.fingerprint() == model.fingerprint()


def test_files_are_smaller_than_pickles_of_peers(tmp_path: Path) -> None:
    """By an order of magnitude, what is kept of the training rows included."""
    from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 10))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=600) > 0).astype(int)
    for ours, theirs in (
        (weaklearn.RandomForestClassifier(30), RandomForestClassifier(30)),
        (
            weaklearn.AdaBoostClassifier(n_estimators=400),
            AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=400),
        ),
    ):
        ours.fit(X, y).save(tmp_path / "m.weak")
        size = (tmp_path / "m.weak").stat().st_size
        assert 10 * size < len(pickle.dumps(theirs.fit(X, y)))


def test_many_rows_make_no_large_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(50_000, 2))
    weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, X[:, 0] > 0.5).save(tmp_path / "m.weak")
    assert (tmp_path / "m.weak").stat().st_size < 8000
    assert (
        "of 50000 rows were seen"
        in weaklearn.load(tmp_path / "m.weak")
        ._origin.row_sketch.look(weaklearn.load(tmp_path / "m.weak")._judged_cells(X))
        .words
    )


def test_the_fingerprint_is_of_the_model_in_full(tmp_path: Path) -> None:
    X, y = rows()
    path = tmp_path / "model.weak"
    for model in (
        weaklearn.RandomForestClassifier(5, random_state=0),
        weaklearn.GradientBoostingClassifier(n_estimators=5),
        weaklearn.AdaBoostClassifier("tree", n_estimators=3),
        weaklearn.DecisionTreeClassifier(),
    ):
        model.fit(X, y).save(path)
        in_full = hashlib.sha256(written(model)).hexdigest()
        assert weaklearn.inspect(path).fingerprint == model.fingerprint() == in_full
        assert len(sections(path.read_bytes())[MODEL]) < len(written(model))
        sizes = weaklearn.inspect(path).sizes
        assert sizes["Node"] > sizes["Tree"] > 0


def test_a_file_in_full_has_the_hash_of_its_section(tmp_path: Path) -> None:
    path = tmp_path / "model.weak"
    model = weaklearn.RandomForestClassifier(5, random_state=0).fit(*rows())
    path.write_bytes(with_model(sealed(model), written(model)))
    section = read(path).sections[MODEL]
    assert weaklearn.inspect(path).fingerprint == hashlib.sha256(section.data).hexdigest()
    assert weaklearn.load(path).fingerprint() == model.fingerprint()


@pytest.mark.parametrize(
    "trees",
    [
        [tree(7)],
        [tree(n, seed=n) for n in (1, 3, 301, 9)],
        [families(), families()],
        [chain(1001), tree(9)],
    ],
    ids=["one", "many", "families", "a chain"],
)
def test_trees_come_back(trees: list[Tree]) -> None:
    assert all(map(same, trees, make_many(len(trees), [packed(trees)])))
    assert all(map(same, trees, reread(written(trees, compact=True))))
    assert same(reread(written(trees[0], compact=True)), trees[0])
    again = make_many(len(trees), [packed(trees)])
    assert written(again) == written(trees)


def test_what_would_ask_for_too_much_is_written_in_full() -> None:
    alike = [tree(1, values=np.zeros((1, 2)), weight=[1.0], count=[1])] * 20_000
    assert pack(alike) is None
    assert all(map(same, alike[:3], reread(written(alike, compact=True))[:3]))
    deep = chain(70_001)  # as it is, for nobody wants to walk it level by level
    assert same(make_many(1, [packed([deep])])[0], deep)


@pytest.mark.parametrize("name", WRONG)
def test_packed_trees_pass_the_same_checks(name: str) -> None:
    wrong = changed(*WRONG[name])
    with pytest.raises(Flaw):
        make_many(1, [packed([wrong])])
    with pytest.raises(Flaw):
        make_many(2, [packed([tree(301), wrong])])


def test_other_trees_than_announced() -> None:
    data = packed([tree(7), tree(9)])
    for n in (0, 1, 3):
        with pytest.raises(Flaw, match="2 trees are packed"):
            make_many(n, [data])
    for wrong in (data[:-1], data + b"\0", b"", b"\0\0", "text", None, 3, bytearray(data)):
        with pytest.raises(Flaw):
            make_many(2, [wrong])
    with pytest.raises(Flaw, match="outputs"):
        make_many(2, [packed([tree(7), tree(7, n_outputs=3)])])
    slim = tree(7, weight=np.empty(0), gain=np.empty(0))
    with pytest.raises(Flaw, match="one entry a node"):
        make_many(1, [packed([slim])])


STREAMS = {
    "thresholds": [tree(n, seed=n) for n in (1, 3, 61, 9)],
    "families": [families(), families()],
    "as they are": [changed("gain", 1, -0.0), tree(31)],
}


@pytest.mark.parametrize("name", STREAMS)
def test_mutated_streams_are_refused_or_sound(name: str) -> None:
    trees = STREAMS[name]
    data, rng = packed(trees), random.Random(name)
    accepted = refused = 0
    for _ in range(800):
        other = mutated(rng, data)
        try:
            found = make_many(len(trees), [other])
        except Flaw:
            refused += 1
            continue
        accepted += 1
        assert make_many(len(trees), take_many(found))  # sound in full, too
    assert accepted > 5
    assert refused > 100


def test_bits_of_a_stream_flipped() -> None:
    trees = [tree(5), families_of_two()]
    data = packed(trees)
    for place in range(len(data)):
        for bit in range(0, 8, 3):
            flipped = bytearray(data)
            flipped[place] ^= 1 << bit
            try:
                make_many(2, [bytes(flipped)])
            except Flaw:
                continue


def families_of_two() -> Tree:
    return Tree(**(families().arrays() | {"values": np.array([[0.25, 0.75], [1.0, 0.0]])}))


def test_mutated_files_of_a_forest() -> None:
    X, y = rows(60, 3)
    model = weaklearn.RandomForestClassifier(4, random_state=0).fit(X, y)
    data, rng = sealed(model), random.Random(1)
    section = sections(data)[MODEL]
    assert len(section) < len(written(model))
    for _ in range(150):
        tried(with_model(data, mutated(rng, section)), X, y)


# ---------------------------------------------------------------------------------- time and memory


def stream(*parts: Any) -> bytes:
    """A stream written by hand: whole numbers, arrays of them, arrays of doubles, bytes."""
    writer = Writer()
    for part in parts:
        if isinstance(part, int):
            writer.number(part)
        elif isinstance(part, bytes):
            writer._parts.append(part)
        elif part.dtype == np.float64:
            writer.doubles(part)
        else:
            writer.integers(part)
    return bytes(writer)


def equal(n: int, value: int = 0) -> bytes:
    """n equal numbers, which take no bit each."""
    return stream(2 * value, n, 0, 0, 0)


def nested(n: int, depth: int) -> bytes:
    """Numbers that are places in a list whose differences are places in a list ..."""
    inner = stream(n, 0, 0, 0) if depth == 0 else nested(n, depth - 1)
    return stream(n, 1, 0, inner, stream(n, 0, 0, 0))


LEAVES = (1, 1, np.array([1]), 0, np.array([0]), b"")  # a tree of one leaf, so far
NO_TESTS = [np.zeros(0, np.int64)] * 2
BOMBS = {
    "equal numbers": stream(1, 1, equal(2**40, 1)),
    "trees without bytes": stream(2**60, 0),
    "very long trees": stream(1, 1, np.array([2**62]), 1, np.array([0])),
    "lengths without a sum": stream(4, 1, np.full(4, 2**62), 1, np.array([0])),
    "leaves of no end": stream(2**20, 1, equal(2**20, 1), 1, equal(2**20)),
    "lists in lists": stream(1, 1, 0, nested(1000, 200)),
    "a number without end": b"\x01\x01" + b"\xff" * 100_000,
    "a row of a million columns": stream(
        *LEAVES, *NO_TESTS, *NO_TESTS, 0, np.zeros(0), *NO_TESTS, np.array([0]), *NO_TESTS * 2,
        7, 1, np.array([0]), np.zeros(0, np.int64), 2**40, np.zeros(1),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_take_neither_memory_nor_time(name: str) -> None:
    data = BOMBS[name]
    start = time.process_time()
    tracemalloc.start()
    try:
        for n in (1, 4, 2**20):
            with pytest.raises(Flaw):
                spell(n, [data])
        assert tracemalloc.get_traced_memory()[1] < 2**20 + 512 * len(data)
    finally:
        tracemalloc.stop()
    assert time.process_time() - start < 2.0


def test_deep_trees_are_read_in_proportion() -> None:
    """A stream that wants many levels walked is refused, and such trees are written otherwise."""
    deep = chain(70_001)
    data = packed([deep])
    assert read_trees(data, trusted=False)[0]["ask"].tolist() == deep.ask.tolist()
    inner = deep.ask != LEAF
    by_hand = stream(1, 1, np.array([len(deep)]), 0, inner.astype(np.int64))
    steps = np.ones(int(inner.sum()), np.int64)
    tests = stream(steps, 2 * steps, steps, 0 * steps, 0, np.arange(float(len(steps))))
    count = np.ones(len(steps) + 1, np.int64)
    rest = stream(0 * steps, *NO_TESTS[:1], np.array([0]), *NO_TESTS * 2, 5, 1, count)
    values = stream(1, equal(len(deep)), *NO_TESTS[:1], 1, 0.0 * count, 0, 0.0 * steps)
    start = time.process_time()
    with pytest.raises(Flaw, match="steps to walk"):
        spell(1, [by_hand + tests + rest + values])
    assert time.process_time() - start < 2.0


def test_a_file_of_packed_bombs_is_refused() -> None:
    X, y = rows(60, 3)
    data = sealed(weaklearn.DecisionTreeClassifier().fit(X, y))
    for bomb in BOMBS.values():
        body = bytes([18, 107, 2]) + written({}) + written({"tree_": Part(TREE, [bomb])})
        with pytest.raises(ModelFileError, match=r"byte \d+: Tree: .*packed"):
            loaded(with_model(data, body))


def test_opened_is_what_was_sealed(tmp_path: Path) -> None:
    X, _ = rows()
    model = weaklearn.GradientBoostingRegressor(n_estimators=5).fit(X, X[:, 0])
    path = tmp_path / "model.weak"
    model.save(path)
    assert sealed(opened(read(path))) == path.read_bytes()
    assert (weaklearn.load(path).predict(X) == model.predict(X)).all()
