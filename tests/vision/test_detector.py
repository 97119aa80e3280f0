"""Cascades are trained to their rates, say so honestly, and go on from where they stopped."""

from __future__ import annotations

import time
import warnings
from typing import Any

import numpy as np
import pytest
from PIL import Image

import weaklearn
from tests.vision.cascades import drawn
from weaklearn.vision import CascadeDetector, cascade_rates, training
from weaklearn.vision.boosting import scores_of
from weaklearn.vision.mining import Backgrounds, Level
from weaklearn.vision.scanner import raw
from weaklearn.vision.training import lowered

FITTED = ("rects", "node_feature", "node_threshold", "node_low", "node_high", "stage_threshold")
QUICK: dict[str, Any] = {
    "n_negatives": 300,
    "max_stages": 2,
    "max_stage_features": 10,
    "max_features": 0.2,
    "random_state": 1,
}


def face() -> Any:
    drawn = np.full((12, 12), 190.0)
    drawn[3:5, 1:5] = drawn[3:5, 7:11] = drawn[8:10, 3:9] = 60
    return drawn


def faces(n: int = 60, seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    light = rng.uniform(0.5, 1.2, (n, 1, 1))
    return np.clip(face() * light + rng.normal(0, 12, (n, 12, 12)), 0, 255).astype(np.uint8)


def scenes(n: int = 4, seed: int = 1) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [
        np.clip(
            np.kron(rng.normal(120, 50, (16, 18)), np.ones((4, 4))) + rng.normal(0, 9, (64, 72)),
            0,
            255,
        ).astype(np.uint8)
        for _ in range(n)
    ]


@pytest.fixture(scope="module")
def fitted() -> Any:
    return CascadeDetector(**QUICK).fit(faces(), scenes())


def same(a: Any, b: Any) -> bool:
    pairs = ((getattr(a.cascade_, name), getattr(b.cascade_, name)) for name in FITTED)
    return all(np.array_equal(x, z) for x, z in pairs)


def test_rates_are_kept(fitted: Any) -> None:
    history = fitted.history_
    assert len(history) == fitted.cascade_.n_stages >= 1
    wanted = fitted.min_detection_rate ** np.arange(1, len(history) + 1)
    assert (history["overall_detection"] >= wanted - 1e-9).all()
    short = history["features"] < fitted.max_stage_features
    assert (history["false_positive_rate"][short] <= fitted.max_false_positive_rate).all()
    assert history["overall_false_positive"][-1] == pytest.approx(
        np.prod(history["false_positive_rate"])
    )
    assert (history["windows_seen"] >= history["windows_passed"]).all()


def test_finds_faces(fitted: Any) -> None:
    assert (fitted.predict(faces(50, seed=9)) == 1).mean() > 0.9
    photo = scenes(1, seed=5)[0]
    photo[20:32, 30:42] = face()
    boxes, scores = fitted.detect(photo, min_neighbours=1)
    left, top, width, height = boxes[int(np.argmax(scores))]
    assert abs(left - 30) <= 2
    assert abs(top - 20) <= 2
    assert abs(width - 12) <= 3
    assert abs(height - 12) <= 3


def test_windows_are_scored_stage_by_stage(fitted: Any) -> None:
    X = np.concatenate([faces(20, seed=3), faces(20, seed=3)[:, ::-1]])
    cascade = fitted.cascade_
    scores = scores_of(cascade, X, fitted_engine())
    rates = cascade_rates(scores, cascade.stage_threshold, np.ones(len(X)))
    assert (fitted.predict(X) == rates.decision).all()
    margin = fitted.decision_function(X)
    assert (np.isfinite(margin) == (rates.decision > 0)).all()


def fitted_engine() -> Any:
    from weaklearn.engines import Engine

    return Engine(1)


@pytest.mark.parametrize(
    "how", [{"soft": False}, {"booster": "adaboost", "soft": False}, {"booster": "real"}]
)
def test_ways_to_boost(how: dict[str, Any]) -> None:
    model = CascadeDetector(**QUICK | how).fit(faces(), scenes())
    assert (model.predict(faces(40, seed=9)) == 1).mean() > 0.85
    lengths = np.diff(model.cascade_.stage_start)
    if model.soft:  # a stage begins with the nodes of the one before it
        cascade = model.cascade_
        for s in range(1, cascade.n_stages):
            a, b = cascade.stage_start[s - 1 : s + 1]
            assert (cascade.node_threshold[a:b] == cascade.node_threshold[b : b + b - a]).all()
    else:
        assert (lengths == model.history_["features"]).all()


def test_order_and_threads_do_not_matter(fitted: Any) -> None:
    order = np.random.default_rng(2).permutation(60)
    again = CascadeDetector(**QUICK, n_jobs=1, max_memory=0.0).fit(faces()[order], scenes()[::-1])
    assert same(fitted, again)


def test_checkpoint(fitted: Any, tmp_path: Any) -> None:
    path = tmp_path / "cascade.npz"
    CascadeDetector(**QUICK | {"max_stages": 1}).fit(faces(), scenes(), checkpoint=path)
    first = CascadeDetector(**QUICK | {"max_stages": 1}).fit(faces(), scenes())
    resumed = CascadeDetector(**QUICK).fit(faces(), scenes(), checkpoint=path)
    fewer = CascadeDetector(**QUICK | {"max_stages": 1}).fit(faces(), scenes(), checkpoint=path)
    assert same(fewer, first)
    assert len(fewer.history_) == 1
    assert fewer.stop_reason_ == first.stop_reason_
    assert same(resumed, fitted)
    assert resumed.history_ == fitted.history_
    with pytest.raises(ValueError, match="belongs to another training"):
        CascadeDetector(**QUICK).fit(faces(seed=7), scenes(), checkpoint=path)
    with np.load(path) as kept:
        sound = {name: kept[name] for name in kept.files}
    odd: dict[str, Any] = {
        "feature": sound["feature"] + 10**6,
        "lengths": sound["lengths"] + 1,
        "thresholds": sound["thresholds"][:0],
        "numbers": sound["numbers"] * np.nan,
        "aside": sound["aside"][1:],
        "keys": sound["keys"].astype("U9"),
        "facts": np.frombuffer(b"[]", np.uint8),
    }
    for name, array in odd.items():
        np.savez(path, **{**sound, name: array})
        with pytest.raises(ValueError, match="is no training of a cascade"):
            CascadeDetector(**QUICK).fit(faces(), scenes(), checkpoint=path)
    path.write_bytes(b"no such thing")
    with pytest.raises(ValueError, match="is no training of a cascade"):
        CascadeDetector(**QUICK).fit(faces(), scenes(), checkpoint=path)


def test_backgrounds_run_dry() -> None:
    flat = [np.full((20, 20), 90, np.uint8), scenes(1)[0][:14, :14]]
    with pytest.warns(weaklearn.BoostingWarning, match="ran dry: .* add photographs"):
        model = CascadeDetector(**QUICK | {"max_stages": 9}).fit(faces(), flat)
    assert "dry" in model.stop_reason_
    assert model.predict(faces(5, seed=9)).sum() > 0


def test_time_is_up(tmp_path: Any) -> None:
    with pytest.raises(ValueError, match="time was up"):
        CascadeDetector(**QUICK, max_time=1e-9).fit(faces(), scenes())


def test_the_search_for_negatives_ends_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def slowly(self: Level, images: Any) -> Any:
        looked.append(self)
        time.sleep(0.02)
        return pixels(self, images)

    looked: list[Level] = []
    pixels = Level.pixels
    monkeypatch.setattr(Level, "pixels", slowly)
    hard = {"n_negatives": 10**6, "max_time": 0.3}  # all levels of all scenes would be looked at
    began = time.monotonic()
    with pytest.raises(ValueError, match="time was up"):
        CascadeDetector(**QUICK | hard).fit(faces(), scenes(40))
    assert 0 < len(looked) <= 16
    assert time.monotonic() - began < 20


def test_a_cascade_keeps_the_stages_from_before_the_time_was_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def late(self: Any, *given: Any, **more: Any) -> Any:
        calls.append(given)
        found = mine(self, *given, **more)
        if len(calls) > 1:
            monkeypatch.setattr(time, "monotonic", lambda: 1e300)
        return found

    calls: list[Any] = []
    mine = Backgrounds.mine
    monkeypatch.setattr(Backgrounds, "mine", late)
    with pytest.warns(weaklearn.BoostingWarning, match="after 1 stages because the time was up"):
        model = CascadeDetector(**QUICK, max_time=1e6).fit(faces(), scenes())
    assert model.cascade_.n_stages == 1
    assert model.stop_reason_ == "the time was up"


def test_a_face_among_the_backgrounds() -> None:
    spoilt = scenes()
    spoilt[0][10:22, 10:22] = face()
    model = CascadeDetector(**QUICK).fit(faces(), spoilt)
    assert (model.predict(faces(40, seed=9)) == 1).mean() > 0.85


def test_given_windows_and_floats() -> None:
    rng = np.random.default_rng(0)
    others = rng.random((400, 12, 12))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = CascadeDetector(**QUICK).fit(
            faces() / 255.0, [], validation_faces=faces(20, seed=4), negatives=others
        )
    assert (model.predict(others) == -1).mean() > 0.9
    assert (model.predict(faces(20, seed=6)) == 1).mean() > 0.8


def test_one_photograph_in_colour() -> None:
    tall = np.concatenate(scenes())
    colour = np.repeat(tall[:, :, None], 3, axis=2)
    models = [
        CascadeDetector(**QUICK | {"max_stages": 1}).fit(faces(), given)
        for given in ([colour], colour, Image.fromarray(colour), tall)
    ]
    assert all(same(model, models[0]) for model in models)


def test_faces_of_other_kinds() -> None:
    once = QUICK | {"max_stages": 1}
    deep = CascadeDetector(**once).fit(faces().astype(np.uint16) * 257, scenes())
    assert same(deep, CascadeDetector(**once).fit(faces(), scenes()))
    dark = faces() < 100
    flags = CascadeDetector(**once).fit(dark, scenes())
    assert same(flags, CascadeDetector(**once).fit(dark * np.uint8(255), scenes()))
    assert np.array_equal(flags.predict(dark), flags.predict(dark * 255))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((faces().astype(np.int32) * 257, scenes()), "16 bits"),
        ((faces(1), scenes()), "at least 2"),
        ((faces(), []), "backgrounds holds 0 images"),
        ((faces(), [np.zeros((5, 5), np.uint8)]), "none of them as large"),
        (([face(), face()[:5]], scenes()), r"faces\[1\] has shape"),
        ((faces() * 1.0 - 50, scenes()), "grey levels"),
        ((faces(), [np.full((30, 30), np.nan)]), r"backgrounds\[0\]"),
        ((np.full((3, 9, 9), np.nan), scenes()), "faces holds nan"),
    ],
)
def test_bad_images(arguments: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        CascadeDetector(**QUICK).fit(*arguments)


@pytest.mark.parametrize(
    "wrong",
    [
        {"min_detection_rate": 1.5},
        {"max_false_positive_rate": 1.0},
        {"target_false_positive_rate": 0.0},
        {"max_stages": 0},
        {"n_negatives": 3},
        {"booster": "gentel"},
        {"types": "AX"},
        {"max_features": 0.0},
        {"shift": -1.0},
        {"background_scale_factor": 1.0},
        {"validation_fraction": 1.0},
        {"max_time": -1.0},
    ],
)
def test_bad_parameters(wrong: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError), match=next(iter(wrong))):
        CascadeDetector(**wrong).fit(faces(), scenes())


def test_kind_words() -> None:
    with pytest.raises(TypeError, match="list of images without faces"):
        CascadeDetector().fit(faces(), "scenes/")
    with pytest.raises(TypeError, match="min_detection_rate"):
        CascadeDetector(min_detection_rat=0.9)


def test_model_file(fitted: Any, tmp_path: Any) -> None:
    fitted.save(tmp_path / "faces.weak")
    again = CascadeDetector.load(tmp_path / "faces.weak")
    assert same(again, fitted)
    assert again.history_ == fitted.history_
    assert again.fingerprint() == fitted.fingerprint()


def test_lowered() -> None:
    scores = np.array([5.0, 3.0, 3.0, 1.0])
    assert lowered(scores, 1) == 4.0
    assert lowered(scores, 2) == lowered(scores, 3) == 2.0
    assert lowered(scores, 4) < 1.0
    assert lowered(np.zeros(0), 1) == 0.0
    near = np.array([np.nextafter(1.0, 2.0), np.nextafter(np.nextafter(1.0, 2.0), 2.0)])
    assert near[0] <= lowered(near, 1) < near[1]  # no number lies between


def test_score(fitted: Any) -> None:
    photos, boxes = [], []
    for k in range(3):
        photo = scenes(1, seed=20 + k)[0]
        photo[8 + k : 20 + k, 40:52] = face()
        photos.append(photo)
        boxes.append([[40, 8 + k, 12, 12]])
    assert 0 < fitted.score(photos, boxes, overlap=0.4) <= 1
    assert fitted.score(photos, [[[0, 50, 12, 12]]] * 3) < fitted.score(photos, boxes, 0.4)


def test_small_images(fitted: Any) -> None:
    for shape in ((1, 1), (11, 40), (5, 5, 3)):
        boxes, scores = fitted.detect(np.zeros(shape, np.uint8))
        assert boxes.shape == (0, 4)
        assert scores.shape == (0,)


def test_to_opencv_and_back(fitted: Any, tmp_path: Any) -> None:
    fitted.to_opencv(tmp_path / "faces.xml")
    again = CascadeDetector.from_opencv(tmp_path / "faces.xml")
    assert len(again.history_) == 0
    assert "OpenCV" in again.stop_reason_
    assert again.cascade_.inset
    assert again.cascade_.n_stages == fitted.cascade_.n_stages
    photo = scenes(1, seed=5)[0]
    photo[20:32, 30:42] = face()
    ours, _ = fitted.detect(photo, scan="pyramid", min_neighbours=0)
    theirs, _ = again.detect(photo, min_neighbours=0)
    assert np.array_equal(ours, theirs)


def test_not_fitted() -> None:
    from sklearn.exceptions import NotFittedError

    for call in ("detect", "predict"):
        with pytest.raises(NotFittedError):
            getattr(CascadeDetector(), call)(np.zeros((24, 24), np.uint8))


@pytest.mark.parametrize("kind", [{}, {"inset": True}, {"trees": True}, {"tilted": True}])
def test_windows_are_judged_as_the_scanner_judges_them(kind: dict[str, bool]) -> None:
    cascade = drawn(np.random.default_rng(0), 9, 10, **kind)
    model = CascadeDetector()
    model.cascade_ = cascade
    shape = (200, cascade.height, cascade.width)
    windows = np.random.default_rng(1).integers(0, 256, shape).astype(np.uint8)
    scanned = [len(raw(cascade, window)[0]) > 0 for window in windows]
    assert (model.predict(windows) > 0).tolist() == scanned


class Clock:
    """A clock that jumps to the end of time after so many looks."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def monotonic(self) -> float:
        self.looks -= 1
        return 0.0 if self.looks >= 0 else 1e9


@pytest.mark.parametrize("looks", range(4, 24, 4))
def test_a_stage_cut_by_the_clock_says_so_and_is_not_gone_on_from(
    looks: int, fitted: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "training.npz"
    monkeypatch.setattr(training, "time", Clock(looks))
    model = CascadeDetector(**QUICK, max_time=1e6)
    told = ""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            model.fit(faces(), scenes(), checkpoint=path)
        except ValueError as error:
            told = str(error)
    told += " ".join(str(one.message) for one in said)
    assert "time was up" in told or same(model, fitted)
    monkeypatch.undo()
    assert same(CascadeDetector(**QUICK).fit(faces(), scenes(), checkpoint=path), fitted)
