"""What a file may ask for: time and memory by its size, and models that answer once they load."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from tests.files import fuzz
from tests.files.anatomy import Anatomy
from tests.files.asking import ask, ways
from tests.files.forge import loaded
from tests.files.test_packed import equal, stream
from tests.files.test_tree import same
from weaklearn.base.compression.stream import StreamError
from weaklearn.base.compression.stream import Writer as PackedWriter
from weaklearn.base.compression.tree_stream import read_trees
from weaklearn.base.trees.grove import Grove
from weaklearn.base.trees.tree_arrays import TABLES, TYPES
from weaklearn.files import Flaw, ModelFileError, Writer, seal
from weaklearn.files.envelope import MODEL, PROFILE, SETTINGS
from weaklearn.files.tree import make_many
from weaklearn.files.value import Part
from weaklearn.online.mistake_bounds import MOST_SIZE, HalvingLearner
from weaklearn.persistence.book import BOOK, KEPT
from weaklearn.persistence.model_bytes import sealed


def base(name: str) -> fuzz.Base:
    return next(each for each in fuzz.bases() if each.name.startswith(f"3-{name}"))


def with_state(of: fuzz.Base, **values: Any) -> bytes:
    """The file of a base with other fitted names; None takes one away."""
    return _with(of, 1, values)


def with_parameters(of: fuzz.Base, **values: Any) -> bytes:
    return _with(of, 0, values)


def _with(of: fuzz.Base, field: int, values: dict[str, Any]) -> bytes:
    sections = dict(of.anatomies[0].values)
    part = sections[MODEL]
    fields = list(part.fields)
    fields[field] = {**fields[field], **values}
    sections[MODEL] = Part(part.record, fields)
    return Anatomy(sections).sealed()


def state_of(of: fuzz.Base) -> dict[str, Any]:
    state: dict[str, Any] = of.anatomies[0].values[MODEL].fields[1]
    return state


def within_bounds(data: bytes) -> None:
    """The file is refused, within the time and memory of its size."""
    seconds, most = fuzz.bounds(len(data))
    took = []  # by the first, what it needs is imported
    for _ in range(4):
        began = time.process_time()
        with pytest.raises(ModelFileError):
            loaded(data)
        took.append(time.process_time() - began)
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError):
            loaded(data)
        assert tracemalloc.get_traced_memory()[1] < most
    finally:
        tracemalloc.stop()
    assert min(took) < 3 * seconds  # this machine may be slow, and busy


def test_code_words_are_of_bounded_length() -> None:
    """Votes are exact sums of powers of two: a length in a file became a number of so many bits."""
    huge = [3, 1, 2, 2**32 - 1]
    within_bounds(with_parameters(base("HalvingClassifier"), sizes=huge))
    with pytest.raises(ValueError, match="at most 10,000"):
        HalvingLearner(np.ones((2, 3)), sizes=[1, MOST_SIZE + 1])
    learner = HalvingLearner(np.ones((2, 3)), sizes=[1, MOST_SIZE])
    assert learner.decision(0) == 1.0


Z = np.zeros(0, np.int64)
PADDING = np.random.default_rng(0).integers(0, 2**62, 30_000)


def leaves(n: int) -> bytes:
    """A stream of n trees of one leaf, which takes hardly a byte, and bytes behind it."""
    tests = (Z, Z, 0, np.zeros(0), Z, Z, equal(n, 0), Z, Z, Z, Z, 7)
    values = (0, equal(n, 0), equal(n, 1), 1, np.zeros(1), 0, np.zeros(0))
    return stream(n, 1, equal(n, 1), 1, equal(n, 0), *tests, *values) + stream(PADDING)


@pytest.mark.parametrize("n", [2**14, 2**18, 2**22])
def test_packed_trees_take_memory_by_their_bytes(n: int) -> None:
    data = leaves(n)
    tracemalloc.start()
    try:
        with pytest.raises(Flaw, match="packed"):
            make_many(n, [data])
        assert tracemalloc.get_traced_memory()[1] < fuzz.bounds(len(data))[1]
    finally:
        tracemalloc.stop()


def test_packed_trees_have_a_byte_for_each_node() -> None:
    marks = np.ones(600_001, np.int64)
    marks[1::2] = marks[-1] = 0
    data = stream(1, 1, np.array([len(marks)]), 1, marks)
    with pytest.raises(StreamError, match="very many n"):
        read_trees(data + bytes(100_000), trusted=False)


def large_forest() -> tuple[Any, bytes]:
    """A forest, each tree of which stands in it many times, and its file of a megabyte."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6000, 5))
    y = (X[:, 0] * X[:, 1] + rng.normal(size=len(X)) > 0).astype(int)
    forest = wl.RandomForestClassifier(n_estimators=20, random_state=0).fit(X, y)
    forest.trees_ = Grove([*forest.trees_] * 12)
    return forest, sealed(forest, profile=False)


def test_an_honest_forest_is_within_the_bounds() -> None:
    """Reading takes memory for a batch of trees; they are decoded when they are used."""
    forest, data = large_forest()
    assert len(data) > 10**6
    tracemalloc.start()
    try:
        found = loaded(data)
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    decoded = sum(array.nbytes for tree in forest.trees_ for array in tree.arrays().values())
    assert peak < fuzz.bounds(len(data))[1]
    assert held < decoded / 4
    assert [len(tree) for tree in found.trees_] == [len(tree) for tree in forest.trees_]
    for k in (239, 0, 150):  # in any order
        assert found.trees_[k].packed is not None
        assert same(found.trees_[k], forest.trees_[k])
        assert found.trees_[k].packed is None
    X = np.random.default_rng(1).normal(size=(50, 5))
    assert np.array_equal(found.predict_proba(X), forest.predict_proba(X))


def test_small_models_are_decoded_at_once() -> None:
    X, y = wl.datasets.toy()
    model = loaded(sealed(wl.RandomForestClassifier(n_estimators=5).fit(X, y)))
    assert all(tree.packed is None for tree in model.trees_)


def parameters_of(of: fuzz.Base) -> dict[str, Any]:
    parameters: dict[str, Any] = of.anatomies[0].values[MODEL].fields[0]
    return parameters


def many_schemas() -> bytes:
    of = base("MonomialClassifier")
    return with_state(of, **{f"a{k}": state_of(of)["_schema"] for k in range(5000)})


def many_parameters() -> bytes:
    of = base("HalvingClassifier")
    return with_parameters(of, **{f"a{k}": parameters_of(of)["hypotheses"] for k in range(5000)})


def many_gaps() -> bytes:
    """5000 sets of columns with gaps for a few trees."""
    of = base("AdaBoostM2Classifier")
    ensemble = state_of(of)["ensemble_"]
    trees, rng = ensemble.fields[2], np.random.default_rng(0)
    some = [frozenset(rng.integers(0, 2**31, 4).tolist()) for _ in range(5000)]
    gaps = replace(trees, fields=[*trees.fields[:3], some])
    return with_state(of, ensemble_=replace(ensemble, fields=[*ensemble.fields[:2], gaps]))


@pytest.mark.parametrize("forged", [many_schemas, many_parameters, many_gaps])
def test_items_without_end_are_refused_in_time(forged: Callable[[], bytes]) -> None:
    within_bounds(forged())


def test_estimators_without_end_are_refused_in_time() -> None:
    record = next(kind for kind in KEPT if kind.name == "AdaBoostClassifier").number
    n = 6000
    parts = [Part(BOOK.numbered(record), [{}, {}, [{}, {}]]) for _ in range(n)]
    model, settings = Writer(BOOK), Writer(BOOK)
    model.write(parts)
    settings.write([[{}, {}]] * n)
    within_bounds(seal({MODEL: model.data, SETTINGS: settings.data}))


WRONG = {
    "one class of halving": ("HalvingClassifier", {"classes_": np.array([1])}),
    "one class of windows": ("WindowClassifier", {"classes_": np.array([1])}),
    "weights of another type": ("SleepingExperts", {"expected_mistakes_": "f4"}),
    "counts of another type": ("SleepingExperts", {"mistakes_of_expert_": "i2"}),
    "a pocket of another type": ("AveragedPerceptron-plain-two", {"_pocket": np.zeros(3, "f2")}),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_could_not_answer_is_refused(name: str) -> None:
    kind, values = WRONG[name]
    of = base(kind)
    state = state_of(of)
    given = {k: state[k].astype(v) if isinstance(v, str) else v for k, v in values.items()}
    with pytest.raises(ModelFileError):
        loaded(with_state(of, **given))


def test_votes_without_a_finite_sum_are_refused() -> None:
    of = base("AdaBoostClassifier-plain-two")
    ensemble = state_of(of)["ensemble_"]
    fields = list(ensemble.fields)
    fields[1] = np.full_like(fields[1], 1e308)
    with pytest.raises(ModelFileError, match="finite sum"):
        loaded(with_state(of, ensemble_=Part(ensemble.record, fields)))


def test_a_record_without_a_metric_proves_nothing_and_has_a_card() -> None:
    of = base("AdaBoostClassifier-plain-three")
    history = state_of(of)["history_"]
    n, names, columns, known = history.fields
    kept = [k for k, name in enumerate(names) if name != "train_error"]
    fields = [n, tuple(names[k] for k in kept), [columns[k] for k in kept], known]
    model = loaded(with_state(of, history_=Part(history.record, fields)))
    assert "certificates" in model.card().to_markdown().lower()
    assert "mh-train" not in [certificate.id for certificate in model.certify()]
    assert "mh-train" in [certificate.id for certificate in loaded(of.data).certify()]


def test_odd_parameters_are_refused_or_shown() -> None:
    of = base("RandomForestClassifier-plain-two")
    for odd in ("a", 50, [1]):
        with pytest.raises(ModelFileError):
            loaded(with_parameters(of, max_features=odd))
    assert "RandomForest" in loaded(of.data)._repr_html_()


def test_a_model_of_texts_measures_drift() -> None:
    of = base("BoosTexterClassifier-texts-two")
    model = loaded(of.data)
    assert len(model.check(of.question.X).columns) == model._schema.n_features


def test_experts_that_all_sleep_are_not_right() -> None:
    of = base("SleepingExperts")
    model = loaded(of.data)
    said = model.predict(of.question.X)
    truth = [1 if label is None else label for label in said.tolist()]
    asleep = sum(label is None for label in said.tolist())
    assert model.score(of.question.X, truth) == 1 - asleep / len(truth)


@pytest.mark.parametrize("seed", range(2))
def test_honest_models_answer_in_every_way(seed: int) -> None:
    everything = fuzz.bases()
    for of in random.Random(seed).sample(everything, 4):
        model = loaded(of.data)
        for way in ways(model):
            ask(model, way, of.question)


@pytest.mark.long
def test_all_honest_models_answer_in_every_way() -> None:
    for of in fuzz.bases():
        model = loaded(of.data)
        for way in ways(model):
            ask(model, way, of.question)


def test_many_members_are_within_the_bounds() -> None:
    """Honest files stay far from what is refused."""
    X, y = wl.datasets.toy()
    bag = wl.BaggingClassifier(wl.DecisionStumpClassifier(), n_estimators=400).fit(X, y)
    assert len(loaded(sealed(bag)).estimators_) == 400


def test_columns_that_nothing_tells_of_are_bounded() -> None:
    """Importances have a number for each column; a file says how many with a few bytes."""
    X, y = wl.datasets.toy()
    for model in (wl.AdaBoostClassifier(n_estimators=2), wl.DecisionStumpClassifier()):
        sections = dict(Anatomy.of(sealed(model.fit(X, y)), spelled=True).values)
        del sections[PROFILE]
        part = sections[MODEL]
        schema = part.fields[1]["_schema"]
        wide = Part(schema.record, [2**31 - 1, *schema.fields[1:]])
        state = {**part.fields[1], "_schema": wide}
        sections[MODEL] = Part(part.record, [part.fields[0], state, part.fields[2]])
        with pytest.raises(ModelFileError, match="columns"):
            loaded(Anatomy(sections).sealed())


def test_a_record_has_few_fields() -> None:
    of = base("DecisionStumpClassifier-plain-two")
    part = of.anatomies[0].values[MODEL]
    fields = [*part.fields[:2] * 300, part.fields[2]]
    sections = of.anatomies[0].values | {MODEL: Part(part.record, fields)}
    within_bounds(Anatomy(sections).sealed())


@pytest.mark.parametrize(("n_classes", "most"), [(0, 170), (8, 300)])
def test_a_single_tree_is_read_with_few_bytes_a_node(n_classes: int, most: int) -> None:
    """It is decoded as a whole; what it takes in the end is 57 bytes a node and 8 an output."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 3))
    if n_classes:
        model: Any = wl.DecisionTreeClassifier().fit(X, rng.integers(0, n_classes, len(X)))
    else:
        model = wl.DecisionTreeRegressor().fit(X, rng.normal(size=len(X)))
    data = sealed(model, profile=False)
    loaded(data)
    tracemalloc.start()
    try:
        loaded(data)
        peak = tracemalloc.get_traced_memory()[1]
        assert peak < most * len(model.tree_), peak / len(model.tree_)
    finally:
        tracemalloc.stop()


def as_they_are(n_bytes: int, n_values: int) -> bytes:
    """A tree as it is, with thresholds of so many bytes, and equal values, which take none."""
    writer = PackedWriter()
    writer.number(1)
    writer.number(0)
    thresholds = np.random.default_rng(0).normal(size=n_bytes // 8)
    arrays = {"threshold": thresholds, "values": np.zeros(n_values), "subsets": np.zeros(0)}
    for name, kind in TYPES.items():
        if name in TABLES:
            writer.number(4 if name == "subsets" else 1)
        array = arrays.get(name, np.zeros(len(thresholds)))
        writer.doubles(array) if kind is np.float64 else writer.integers(array.astype(np.int64))
    return bytes(writer)


@pytest.mark.parametrize("entries_a_byte", [0.1, 6.0])
def test_trees_as_they_are_take_memory_by_their_bytes(entries_a_byte: float) -> None:
    n_bytes = 800_000
    data = as_they_are(n_bytes, int(entries_a_byte * n_bytes))
    tracemalloc.start()
    try:
        with pytest.raises(Flaw, match="very many numbers" if entries_a_byte > 1 else "parent"):
            make_many(1, [data])
        assert tracemalloc.get_traced_memory()[1] < 2**24 + 24 * len(data)
    finally:
        tracemalloc.stop()
