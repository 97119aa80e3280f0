"""Files by somebody who knows the format and has put the checksum right."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from tests.files.forge import (
    assembled,
    loaded,
    mutated,
    resealed,
    sections,
    small,
    small_file,
    tiny,
    with_model,
    written,
)
from weaklearn import (
    AdaBoostClassifier,
    AdditiveBoostingClassifier,
    DecisionStumpClassifier,
    DecisionTreeClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
    ThresholdClassifier,
    losses,
)
from weaklearn.base.compression import stream
from weaklearn.base.history import History
from weaklearn.files import ModelFileError, unseal
from weaklearn.files.envelope import MODEL, ORIGIN, SETTINGS
from weaklearn.files.value import LIST
from weaklearn.intake.schema import Schema
from weaklearn.losses.links import Calibration
from weaklearn.persistence.model_bytes import sealed

FOREIGN = ("feature", "classes", "holds", "category", "twice")  # rows that are none of the model's


def tried(data: bytes, X: Any, y: Any) -> bool:
    """Loads and uses a model: it is refused as a file, or else it works in every way."""
    try:
        model = loaded(data)
    except ModelFileError as error:
        refusal = str(error)
    else:
        used(model, X, y)
        return True
    assert len(refusal) < 1_000
    return False


def used(model: Any, X: Any, y: Any) -> None:
    complaint = ""
    try:
        model.predict(X)
        for name in ("decision_function", "predict_proba", "apply"):
            if hasattr(model, name):
                getattr(model, name)(X)
        if hasattr(model, "margins"):
            model.margins(X, y)
    except ValueError as error:  # of other columns or classes than these rows have
        complaint = str(error)
    assert not complaint or any(word in complaint for word in FOREIGN)
    if hasattr(model, "rules"):
        model.rules()
    assert model.feature_importances_.sum() <= 1 + 1e-9
    if hasattr(model, "shapes_"):
        used_terms(model)
    if isinstance(model, AdaBoostClassifier):
        model.certify()
        assert len(model.estimators_) == model.n_iter_
    assert len(model.fingerprint()) == 64


def used_terms(model: Any) -> None:
    assert len(str(model.shapes_)) > 0
    assert all(len(str(shape)) > 0 for shape in model.shapes_.values())
    assert len(str(model.edits_)) > 0
    for _ in range(len(model._edits)):
        model.undo()
    for term in list(model.shapes_):
        model.edit(term, drop=True)


def test_every_bit_flipped_under_a_right_checksum() -> None:
    model, X, y = tiny()
    parts = sections(sealed(model))
    data = assembled((number, int(number in (MODEL, SETTINGS)), parts[number]) for number in parts)
    envelope = unseal(data)  # with sections in full: flips of compressed ones only damage these
    accepted = 0
    for number in (MODEL, SETTINGS):
        section = envelope.sections[number]
        for place in range(section.start - 16, section.start + len(section.data)):
            for bit in range(8):
                flipped = bytearray(data)
                flipped[place] ^= 1 << bit
                accepted += tried(resealed(bytes(flipped)), X, y)
    assert accepted > 100  # other thresholds, errors, classes: sound models all of them


def often(X: Any, y: Any) -> tuple[Any, Any]:
    """The same rows so often that no category is rare."""
    return X.loc[list(X.index) * 5].reset_index(drop=True), list(y) * 5


MODELS: dict[str, Any] = {
    "boosted stumps": AdaBoostClassifier(n_estimators=2),
    "boosted trees": AdaBoostClassifier("tree", n_estimators=2),
    "a tree": DecisionTreeClassifier(),
    "a tree of many branches": DecisionTreeClassifier(categorical="multiway", missing="fraction"),
    "descent": GradientBoostingClassifier(n_estimators=2, min_samples_leaf=1),
    "a forest": RandomForestClassifier(n_estimators=2),
    "terms": AdditiveBoostingClassifier(
        n_estimators=2, n_bags=2, min_samples_leaf=1, l2_regularization=0.0, pairs=[("a", "b")]
    ),
}


@pytest.mark.parametrize("name", MODELS)
def test_mutations_under_a_right_checksum(name: str) -> None:
    _, X, y = small()
    rng = random.Random(name)
    if name == "terms":
        X, y = often(X, y)
    fitted = clone(MODELS[name]).fit(X, y)
    if name == "terms":
        fitted.edit("a", flatten=True, X=X, y=y)
        fitted.edit(("a", "b"), drop=True)
    data = sealed(fitted)
    model = sections(data)[MODEL]
    for _ in range(300):
        tried(with_model(data, mutated(rng, model)), X, y)


# ------------------------------------------------------------------------------- parts that are off


def stump(place: int = 0, **others: Any) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        members = model.ensemble_._members
        members[place] = replace(members[place], **others)

    return change


def attribute(name: str, value: Any) -> Callable[[Any], None]:
    return lambda model: setattr(model, name, value)


def schema(**others: Any) -> Callable[[Any], None]:
    return lambda model: setattr(model, "_schema", replace(model._schema, **others))


def column(**others: Any) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        changed = replace(model._schema.special[1], **others)
        model._schema = replace(model._schema, special={1: changed})

    return change


def votes(*values: float) -> Callable[[Any], None]:
    return lambda model: model.ensemble_._votes.__setitem__(slice(None), values)


def history(*metrics: dict[str, float]) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        model.history_ = History()
        for each in metrics:
            model.history_.append(each)

    return change


ROUND = {"epsilon": 0.1, "gamma": 0.4, "alpha": 1.0, "Z": 0.5}
TAMPERED: dict[str, tuple[Callable[[Any], None], str]] = {
    "feature out of range by one": (stump(feature=3), "tests feature 3; the model has 3"),
    "feature out of range by far": (stump(feature=10**8), "tests feature 100000000"),
    "feature of 33 bits": (stump(feature=2**32), "feature"),
    "negative feature": (stump(feature=-1), "feature"),
    "NaN threshold": (stump(test=1, feature=0, threshold=np.nan), "threshold.* is nan"),
    "infinite threshold": (stump(test=1, feature=0, threshold=np.inf), "threshold.* is inf"),
    "threshold of a constant": (stump(test=1, feature=0, threshold=-np.inf), "has none"),
    "test of no kind": (stump(test=7), "test"),
    "order of a category": (stump(test=1, feature=1, threshold=0.5), "order"),
    "level of a number": (stump(test=2, feature=0), "category of a number"),
    "level beyond": (stump(test=2, feature=1, category=3, threshold=0.0), "category 3"),
    "answers beyond": (stump(high=2), "no class"),
    "answers below": (stump(missing=-2), "missing"),
    "categories at a cut": (stump(test=1, feature=0, threshold=0.0, by_category=(1,)), "multiway"),
    "too few levels": (stump(test=3, feature=1, by_category=(1, 1)), "2 of 3 categories"),
    "NaN vote": (votes(np.nan, 1.0), "votes.* is nan"),
    "infinite vote": (votes(np.inf, 1.0), "votes.* is inf"),
    "votes without a sum": (votes(1.7e308, 1.7e308), "no finite sum"),
    "three outputs": (lambda m: setattr(m.ensemble_, "n_outputs", 3), "3 outputs"),
    "too few rounds": (attribute("n_iter_", 7), "n_iter_ is 7"),
    "NaN slope": (attribute("calibration_", Calibration(np.nan)), "slope"),
    "Z below 0": (history(ROUND | {"Z": -1.0}, ROUND), "value of 'Z' that cannot be"),
    "NaN error": (history(ROUND | {"epsilon": np.nan}, ROUND), "value of 'epsilon'"),
    "no Z": (history({"epsilon": 0.1, "gamma": 0.4, "alpha": 1.0}), "lacks 'Z'"),
    "class twice": (attribute("classes_", np.array([1, 1])), "a label twice"),
    "NaN class": (attribute("classes_", np.array([0.0, np.nan])), "is nan"),
    "no class": (attribute("classes_", np.array([])), "at least one label"),
    "classes of objects": (attribute("classes_", np.array([[1], [2]], object)[:, 0]), ""),
    "three classes": (attribute("classes_", np.array([0, 1, 2])), "outputs"),
    "scheme of no kind": (attribute("_scheme", "os.system"), "_scheme"),
    "scheme of another kind": (attribute("_scheme", "OneVsRest"), "scheme"),
    "no history": (history(), "lacks 'epsilon'"),
    "short history": (history(ROUND), "1 rounds of 2"),
    "perfect and not alone": (attribute("_perfect", True), "does not stand alone"),
    "seed of 33 bits": (attribute("_seed", 2**33), "_seed"),
    "a flag that is a number": (attribute("_final", 1), "_final"),
    "held out twice": (attribute("_held_out", (2.0, 0)), "_held_out"),
    "no features": (schema(n_features=0), "n_features"),
    "2^32 features": (schema(n_features=2**32), "n_features"),
    "too few names": (schema(names=("a", "b")), "not as many names"),
    "name twice": (schema(names=("a", "b", "a")), "stands twice"),
    "name that is none": (schema(names=("a", "b", 3)), "name"),
    "column outside": (schema(special={5: small()[0]._schema.special[1]}), "no column 5"),
    "column that is none": (schema(special={1: 3}), "column 1"),
    "level twice": (column(categories=("x", "x", "y")), "stands twice"),
    "level pooled too": (column(pooled=frozenset({"x"})), "stands twice"),
    "levels of two kinds": (column(categories=("x", "y", 3)), "texts and numbers"),
    "NaN level": (column(categories=(1.0, 2.0, np.nan)), "category is nan"),
    "levels that are none": (column(categories=(b"x", b"y", b"z")), "a category is"),
    "too many levels": (column(categories=tuple(map(str, range(255)))), "more than 254"),
    "marks of a category": (column(marks=np.array([1, 2])), "no marks"),
    "a parameter that is wrong": (attribute("n_estimators", -3), "n_estimators"),
    "a parameter of no type": (attribute("unseen", [1]), "unseen"),
    "a huge parameter": (attribute("tol", 10**5000), "parameter"),
}  # fmt: skip


@pytest.mark.parametrize("name", TAMPERED)
def test_parts_that_are_off_are_refused(name: str) -> None:
    change, words = TAMPERED[name]
    model = small()[0]
    change(model)
    data = sealed(model)  # which writes what it is given
    if name == "classes of objects":  # two labels like any others
        assert loaded(data).classes_.tolist() == [1, 2]
        return
    with pytest.raises(ModelFileError, match=rf"byte \d+: .*{words}"):
        loaded(data)
    with pytest.raises(ModelFileError, match="cannot be saved as it is"):
        model.save("never.weak")


def terms() -> Any:
    """A sum of three functions on the columns of the small model, two of them edited."""
    _, X, y = small()
    X, y = often(X, y)
    model = clone(MODELS["terms"]).fit(X, y)
    model.edit("a", flatten=0.25)
    model.edit(("a", "b"), drop=True)
    return model


def term(place: int, **others: Any) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        listed = list(model.ensemble_.terms)
        listed[place] = replace(listed[place], **others)
        model.ensemble_ = model.ensemble_.with_terms(listed)

    return change


def axis(place: int, **others: Any) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        term(place, axes=(replace(model.ensemble_.terms[place].axes[0], **others),))(model)

    return change


def edit(which: int, **others: Any) -> Callable[[Any], None]:
    def change(model: Any) -> None:
        edits = list(model._edits)
        edits[which] = replace(edits[which], **others)
        model._edits = tuple(edits)

    return change


TAMPERED_TERMS: dict[str, tuple[Callable[[Any], None], str]] = {
    "feature out of range": (axis(0, feature=3), "feature 3; the model has 3"),
    "order of a category": (axis(1, feature=2), "do not suit feature 2|same columns"),
    "levels that are not there": (axis(1, n_categories=2), "values has|2 of 3 categories"),
    "NaN value": (term(0, values=terms().ensemble_.terms[0].values * np.nan), "values.* is nan"),
    "three classes": (attribute("classes_", np.array([0, 1, 2])), "1 outputs; the model has 3"),
    "a loss of three classes": (attribute("_loss", losses.Softmax(3)), "has not 1 outputs"),
    "a loss that is none": (attribute("_loss", 3), "_loss"),
    "negative rounds": (attribute("n_iter_", -1), "n_iter_"),
    "losses that are none": (attribute("validation_losses_", [1.0]), "validation_losses_"),
    "a score that is none": (attribute("oob_score_", "best"), "oob_score_"),
    "out-of-bag scores of three dimensions": (
        attribute("oob_decision_function_", np.zeros((2, 2, 2))),
        "oob_decision_function_",
    ),
    "edits in a list": (lambda m: setattr(m, "_edits", list(m._edits)), "_edits"),
    "an edit that is none": (attribute("_edits", (3,)), "_edits"),
    "an edit of no term": (edit(1, place=9), "term 9, which is none"),
    "an edit of another term": (edit(0, place=1), "not as its edit left it"),
    "an edited term that was not edited": (edit(0, after=None), "same columns"),
    "an edit of two outputs": (
        lambda m: edit(1, before=wide(m._edits[1].before))(m),
        "has not 1 outputs",
    ),
    "an edit of a column that is not there": (
        lambda m: edit(1, before=elsewhere(m._edits[1].before))(m),
        "feature 8",
    ),
    "a term changed beside its edit": (
        lambda m: term(0, counts=m.ensemble_.terms[0].counts + 1)(m),
        "not as its edit left it",
    ),
    "as many bags as there are numbers": (attribute("n_bags", 2**40), "n_bags"),
    "pairs that are none": (attribute("pairs", {"a": 1}), ""),
}  # fmt: skip


def wide(part: Any) -> Any:
    tables = {
        name: np.repeat(getattr(part, name), 2, axis=-1) for name in ("values", "low", "high")
    }
    return replace(part, **tables)


def elsewhere(part: Any) -> Any:
    return replace(part, axes=(replace(part.axes[0], feature=8), *part.axes[1:]))


@pytest.mark.parametrize("name", TAMPERED_TERMS)
def test_terms_that_are_off_are_refused(name: str) -> None:
    change, words = TAMPERED_TERMS[name]
    model = terms()
    assert loaded(sealed(model)).fingerprint() == model.fingerprint()
    change(model)
    if name == "pairs that are none":  # which only the next fit looks at
        assert loaded(sealed(model)).pairs == {"a": 1}
        return
    with pytest.raises(ModelFileError, match=rf"byte \d+: .*{words}"):
        loaded(sealed(model))


def marked(kind: str, **others: Any) -> Any:
    """A stump on dates or on large integers, whose column is changed."""
    values = {
        "date": np.array(["2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01"], "M8[D]"),
        "wide": np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3]),
    }[kind]
    model = DecisionStumpClassifier().fit(values[:, None], [0, 0, 1, 1])
    changed = replace(model._schema.special[0], **others)
    model._schema = replace(model._schema, special={0: changed})
    return model


@pytest.mark.parametrize("kind", ["date", "wide"])
def test_marks_must_rise(kind: str) -> None:
    again = loaded(sealed(marked(kind)))
    assert again.threshold_ == marked(kind).threshold_
    marks = again._schema.special[0].marks
    for others, words in (
        ({"marks": marks[::-1]}, "do not rise"),
        ({"marks": marks[[0, 0, 1, 2]]}, "do not rise"),
        ({"marks": marks[:2]}, "between no two values"),
        ({"marks": marks[:0]}, "between no two values"),
        ({"marks": None}, "marks"),
        ({"marks": marks.astype(float)}, "not whole numbers"),
        ({"categories": ("a",)}, "no categories"),
        ({"unit": "fortnight"}, "unit"),
    ):
        with pytest.raises(ModelFileError, match=words):
            loaded(sealed(marked(kind, **others)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"threshold_": 7.0}, "another optimum"),
        ({"threshold_": np.nan}, "threshold_"),
        ({"error_": 0.25}, "another optimum"),
        ({"feature_": 1}, "no column"),
        ({"classes_": np.arange(3)}, "two classes"),
    ],
)
def test_threshold_rules_are_those_of_their_curve(changes: dict[str, Any], words: str) -> None:
    model = ThresholdClassifier().fit([[1.0], [2.0], [3.0]], [0, 0, 1])
    for name, value in changes.items():
        setattr(model, name, value)
    with pytest.raises(ModelFileError, match=words):
        loaded(sealed(model))


@pytest.mark.parametrize(
    "name", ["predict", "fit", "__class__", "_rows", "classes", "_schema_", "__dict__", "n_jobs_"]
)
def test_only_names_of_the_table_are_set(name: str) -> None:
    """No method can be hidden by an attribute, and no name is looked up."""
    data = small_file()
    record = loaded_fields(data)
    record[1][name] = 3
    assert_refused_fields(data, record, "is no fitted name")
    record = loaded_fields(data)
    record[0][name] = 3
    assert_refused_fields(data, record, "is no parameter")


def loaded_fields(data: bytes) -> list[dict[str, Any]]:
    """Parameters and fitted names of a file, as the table of kinds would write them."""
    from weaklearn.persistence.book import KEPT

    return KEPT[0].take(loaded(data))[:2]


def assert_refused_fields(data: bytes, fields: list[Any], words: str) -> None:
    body = bytes([18, 100, 2]) + b"".join(map(written, fields))
    with pytest.raises(ModelFileError, match=words):
        loaded(with_model(data, body))


def test_the_fields_of_a_model_must_be_there() -> None:
    data = small_file()
    assert_refused_fields(data, [{}, {}], "'_resumed'|is missing|not fitted")
    for name in loaded_fields(data)[1]:
        fields = loaded_fields(data)
        del fields[1][name]
        assert_refused_fields(data, fields, "is missing")
    fields = loaded_fields(data)
    del fields[0]["tol"]  # an older file may lack a parameter, which then has its default
    body = bytes([18, 100, 2]) + b"".join(map(written, fields))
    assert loaded(with_model(data, body)).tol == 0.0
    assert_refused_fields(data, [3, {}], "parameters")
    assert_refused_fields(data, [{}, 3], "fitted names")


def test_a_wrong_parameter_is_refused_before_what_was_learnt_is_read() -> None:
    data = small_file()
    parameters = loaded_fields(data)[0] | {"tol": -1.0}
    unread = written(3)[:-1]  # a number without its end
    with pytest.raises(ModelFileError, match="a parameter is wrong: tol=-1"):
        loaded(with_model(data, bytes([18, 100, 2]) + written(parameters) + unread))
    with pytest.raises(ModelFileError, match="announced"):
        loaded(with_model(data, bytes([18, 100, 2]) + written(parameters | {"tol": 0.0}) + unread))


def test_no_name_of_code_stands_in_a_file() -> None:
    data = sealed(AdaBoostClassifier(DecisionStumpClassifier(), n_estimators=2).fit(*small()[1:]))
    kept = sections(data)
    for word in (b"weaklearn", b"sklearn", b"numpy", b"Classifier", b"import", b"pickle"):
        assert word not in kept[MODEL] + kept[SETTINGS]
    assert b"weaklearn" in kept[ORIGIN]  # whose version is told, and never read as more


# ---------------------------------------------------------------------------------- time and memory


@cache
def bombs() -> dict[str, bytes]:
    data = small_file()
    many = bytes([LIST]) + b"\xe0\xa7\x12"  # a list of 300,000
    stump = bytes([18, 101, 2, 10, 0, 10, 0])  # an estimator without parameters
    names = written({"a": tuple(f"n{k}" for k in range(200_000))})
    return {
        "many nothings": with_model(data, many + b"\0" * 300_000),
        "lists of lists": with_model(data, many + bytes([LIST, 0]) * 300_000),
        "dicts": with_model(data, many + bytes([10, 0]) * 300_000),
        "estimators": with_model(data, many + stump * 300_000),
        "deep": with_model(data, bytes([LIST, 1]) * 300_000),
        "names": with_model(data, names),
        "a tree of tests only": with_model(data, tree_of_tests(1_000_000)),
        "a history of no facts": with_model(data, history_of(2**31 - 1)),
        "packed trees of one number": with_model(data, packed_trees(60_000)),
        "a compressed text": with_model(data, bytes([5, 128, 128, 4]) + b"a" * 2**16),
    }  # fmt: skip


def tree_of_tests(n: int) -> bytes:
    fields = [np.array([n]), np.ones(n, np.uint8), *[np.zeros(3)] * 12]
    return bytes([18, 2, 14]) + b"".join(map(written, fields))


def history_of(n: int) -> bytes:
    fields = [n, ("epsilon",), [np.zeros(1)], None]
    return bytes([18, 5, 4]) + b"".join(map(written, fields))


def packed_trees(n_bytes: int) -> bytes:
    """As many equal numbers as a stream may ask for, and zeros that compress well."""
    writer = stream.Writer()
    for number in (1, 0, 0, 16 * n_bytes - 100, 0, 0, 0):
        writer.number(number)
    return bytes([19, 2, 1, 1]) + written(bytes(writer).ljust(n_bytes, b"\0"))


@pytest.mark.parametrize("name", bombs())
def test_bombs_take_neither_memory_nor_time(name: str) -> None:
    data = bombs()[name]
    start = time.process_time()
    with pytest.raises(ModelFileError):
        loaded(data)
    assert time.process_time() - start < 2.0
    tracemalloc.start()
    try:
        with pytest.raises(ModelFileError):
            loaded(data)
        assert tracemalloc.get_traced_memory()[1] < 64 * 2**20 + 4 * len(data)
    finally:
        tracemalloc.stop()


def test_a_schema_names_its_estimator_anew() -> None:
    model = small()[0]
    model._schema = Schema(3, model._schema.names, model._schema.special, "<script>")
    assert loaded(sealed(model))._schema.estimator_name == "AdaBoostClassifier"
