"""Files whose values are each well formed, and which no fit leaves behind: refused, or answered."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from tests.files import fuzz
from tests.files.anatomy import Anatomy, _part
from tests.files.asking import ask
from tests.files.forge import loaded
from tests.files.test_bounds import base, state_of, with_parameters, with_state
from weaklearn import runtime
from weaklearn.files import ModelFileError
from weaklearn.files.envelope import MODEL, ORIGIN, PROFILE
from weaklearn.persistence.model_bytes import sealed


@pytest.mark.parametrize(
    "name",
    [
        *("CentroidClassifier", "ThreePieceClassifier", "RectangleClassifier"),
        *("KernelSVMClassifier", "HingeLPClassifier"),
    ],
)
def test_scores_are_described_of_models_that_vote(name: str) -> None:
    values = base(name).anatomies[0].values
    columns, scores = values[PROFILE]
    assert scores is None
    with pytest.raises(ModelFileError, match="without a vote"):
        loaded(Anatomy(values | {PROFILE: [columns, columns[0]]}).sealed())


def with_record(name: str, metric: str, value: float) -> Any:
    """The model of a file whose history has the metric changed in every round."""
    of = base(name)
    history = state_of(of)["history_"]
    n, names, columns, rest = history.fields
    changed = [
        column * 0 + value if each == metric else column
        for each, column in zip(names, columns, strict=True)
    ]
    return loaded(with_state(of, history_=replace(history, fields=[n, names, changed, rest])))


@pytest.mark.parametrize(
    ("name", "metric", "value", "id"),
    [
        ("SoftBoostClassifier-plain-two", "cap", 0.0, "softboost"),
        ("NormalBoostClassifier-plain-two", "time_left", 1e9, "normalboost"),
    ],
)
def test_theorems_do_not_speak_of_numbers_that_no_fit_gives(
    name: str, metric: str, value: float, id: str
) -> None:
    model = with_record(name, metric, value)
    said = {each.id: each for each in model.certify()}
    assert "numbers that no fit gives" in said[id].note
    assert said[id].bound is None
    assert "numbers that no fit gives" in model.card().to_markdown()


def test_theorems_do_not_speak_of_fits_of_no_rows() -> None:
    values = base("AdaBoostLClassifier-plain-two").anatomies[0].values
    origin = {**values[ORIGIN], "n_examples": 0}
    model = loaded(Anatomy(values | {ORIGIN: origin}).sealed())
    assert "numbers that no fit gives" in repr(model.card())


@pytest.mark.parametrize("degree", [10_001, 2**24, 2**62, 2**1000])
def test_kernels_are_of_degrees_that_the_runtime_takes(degree: int) -> None:
    of = base("KernelPerceptron-plain-two")
    assert loaded(with_parameters(of, degree=10_000)).degree == 10_000
    with pytest.raises(ModelFileError, match=r"degree=.* at most 10000"):
        loaded(with_parameters(of, degree=degree))


@pytest.mark.parametrize("max_bytes", [2**31, 2**32 - 1, 2**63])
def test_messages_are_of_sizes_that_the_runtime_takes(max_bytes: int) -> None:
    of = base("SpamFilter-plain-odd")
    most = loaded(with_parameters(of, max_bytes=2**31 - 1))
    ask(most, "saved", of.question)
    with pytest.raises(ModelFileError, match=r"max_bytes=.* at most 2147483647"):
        loaded(with_parameters(of, max_bytes=max_bytes))


def test_weights_of_actions_are_numbers() -> None:
    """At a rate without bound they were infinity less infinity."""
    of = base("Hedge-plain-odd")
    steep = loaded(with_state(of, eta_=700.0))
    assert np.isfinite(steep.p_).all()
    ask(steep, "saved", of.question)
    for eta in (701.0, 1e308):
        with pytest.raises(ModelFileError, match="eta_ is"):
            loaded(with_state(of, eta_=eta))


@pytest.mark.parametrize("interval", [[1e9, np.inf], [-np.inf, -1e9], [0.5, 0.5]])
def test_intervals_that_hold_no_row_rebuild_nothing(interval: list[float]) -> None:
    X, y = [[float(v)] for v in range(10)], [0, 0, 0, 0, 1, 1, 0, 0, 0, 0]
    fitted = wl.IntervalUnionClassifier(n_max=1, ends="half-open").fit(X, y)
    values = Anatomy.of(sealed(fitted), spelled=True).values
    part = values[MODEL]
    parameters, state, *rest = part.fields
    state = {**state, "intervals_": np.array([interval])}
    values = values | {MODEL: replace(part, fields=[parameters, state, *rest])}
    with pytest.raises(ValueError, match="pass the rows of the fit"):
        loaded(Anatomy(values).sealed()).compression(X, y)
    assert fitted.compression(X, y).verified


def test_labels_are_no_durations_without_a_unit() -> None:
    """They have no hash, and no metric takes them."""
    X, y = [[0.0], [1.0], [2.0]], np.array([1, 2, 2], "m8")
    with pytest.raises(ValueError, match="without a unit"):
        wl.DecisionStumpClassifier().fit(X, y)
    for name in ("DecisionStumpClassifier-plain-three", "CentroidClassifier-plain-three"):
        of = base(name)
        with pytest.raises(ModelFileError, match="without a unit"):
            loaded(with_state(of, classes_=np.arange(3).astype("m8")))
        assert loaded(with_state(of, classes_=np.arange(3).astype("m8[s]"))).classes_[2] == y[1]


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.parametrize("name", ["TotalBoostClassifier-plain-three", "HalvingClassifier"])
def test_models_of_dates_are_asked_about_dates(name: str) -> None:
    of = base(name)
    dates = np.arange(len(state_of(of)["classes_"])).astype("M8[D]")
    assert fuzz.tried(Random(0), of, with_state(of, classes_=dates)) == "answered"


def test_records_without_fields_can_be_altered() -> None:
    part = base("AdaBoostClassifier").anatomies[0].values[MODEL]
    bare = replace(part, fields=[])
    assert part.record.sided
    for seed in range(20):
        _part(Random(seed), bare)


@pytest.mark.filterwarnings("ignore:warm_start=True goes on")
@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("BoostByMajorityClassifier-plain-two", "potential"),
        ("AdaBoostStarClassifier-plain-two", "r"),
        ("CoordinateBoostClassifier-ball-two", "loss_bound"),
        ("ERLPBoostClassifier-plain-two", "upper"),
        ("TotalBoostClassifier-plain-two", "r"),
    ],
)
def test_a_record_without_a_metric_is_told(name: str, column: str) -> None:
    """What is said of the game needs it, and asked for the column itself: a KeyError."""
    of = base(name)
    model = loaded(with_state(of, history_=_without(state_of(of)["history_"], column)))
    assert column not in model.history_
    X, y = of.question.X, of.question.y
    told = pytest.raises(ValueError, match=f"^the history of this model lacks '{column}'")
    with told:
        model.distributions(X, y)
    model.set_params(warm_start=True, n_estimators=99)
    with nullcontext() if column == "potential" else told:  # no part of the state of its game
        model.fit(X, y)
    for way in ("card", "certify", "feature_importances_", "saved"):
        ask(model, way, of.question)


def _without(history: Any, column: str) -> Any:
    n, names, columns, known = history.fields
    keep = [k for k, each in enumerate(names) if each != column]
    taken = [tuple(names[k] for k in keep), [columns[k] for k in keep]]
    return replace(history, fields=[n, *taken, known if known is None else known[:, keep]])


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (lambda: wl.DecisionTreeClassifier(), {"unseen": "MISSING"}),
        (lambda: wl.DecisionTreeRegressor(), {"unseen": np.zeros(2)}),
        (lambda: wl.ID3Classifier(), {"unseen": None}),
    ],
)
def test_the_parameters_of_trees_are_checked(make: Any, wrong: Any, tmp_path: Path) -> None:
    model = make().fit([[0.0], [1.0], [0.0], [1.0]], [0, 1, 0, 1])
    vars(model).update(wrong)
    with pytest.raises(ModelFileError, match="unseen"):
        model.save(tmp_path / "m.weak")


@pytest.mark.parametrize("other", [np.array([["a"]]), ["a"], ("a", "b")])
def test_a_router_rejects_with_one_label(other: Any) -> None:
    router = wl.CallRouter(other=other, n_estimators=2)
    with pytest.raises(ValueError, match=r"other=.* is not allowed: it must be one label"):
        router.fit(["my bill", "no tone"], ["bill", "line"])


def test_more_threads_than_cores_are_no_flaw(tmp_path: Path) -> None:
    model = wl.DecisionTreeClassifier().fit([[0.0], [1.0]], [0, 1])
    model.n_jobs = 2**32
    model.save(tmp_path / "m.weak")
    assert runtime.load(tmp_path / "m.weak").predict(np.array([[1.0]])).tolist() == [1]
