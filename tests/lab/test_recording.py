"""Runs recorded for a page, against the runs themselves."""

from __future__ import annotations

import base64
import io
import json
import zlib
from contextlib import redirect_stdout
from itertools import islice
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import weaklearn as wl
from weaklearn.lab import recording as shooting
from weaklearn.lab.choices import BOOSTERS, LEARNERS, RANGES
from weaklearn.lab.plane import (
    MOST_CELLS,
    Plane,
    Points,
    boxes,
    inside,
    packed,
    packed_steps,
)
from weaklearn.lab.recording import record
from weaklearn.lab.refusal import Refusal
from weaklearn.lab.scenes import SCENES
from weaklearn.lab.setting import Setting
from weaklearn.page.html_json import as_json


def unpacked(text: str, form: Any) -> NDArray[Any]:
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), form)


def regions(run: dict[str, Any]) -> NDArray[Any]:
    """The regions as the page adds them up: rounds, rows from below, columns."""
    n = (len(run["across"]) - 1, len(run["up"]) - 1)
    steps = unpacked(run["regions"], np.uint8).reshape(run["rounds"], n[1], n[0])
    return np.cumsum(steps, axis=0, dtype=np.uint8)


def column(lines: list[list[str]], k: int) -> list[float]:
    return [float(line[k]) for line in lines]


def turned(booster: str) -> dict[str, float]:
    """Every knob of a booster somewhere else than it begins."""
    return {knob.name: 0.37 * knob.least + 0.2 * knob.most for knob in BOOSTERS[booster].knobs}


OWN = [[1, 1, 1], [2.25, 8, -1], [3, 4, 1], [5, 5, -1], [9, 1, 1], [8.5, 8, -1]]


def same(told: list[float | str | None], printed: list[float]) -> bool:
    """To the last bit; what is no number is none in the recording."""
    return [None if np.isnan(v) else "∞" if v == np.inf else v for v in printed] == told


@pytest.mark.parametrize(
    "asked",
    [
        *({"data": data, "n": 40, "seed": 3, "noise": 0.1} for data in SCENES),
        *({"boosters": [booster], "data": "moons", "n": 40} for booster in BOOSTERS),
        *({"boosters": [name], "settings": [turned(name)], "data": "moons"} for name in BOOSTERS),
        *({"learner": name, "boosters": ["real-adaboost", "lpboost"]} for name in LEARNERS),
        {"data": "own", "points": OWN, "boosters": ["adaboost", "gentleboost"]},
        {"data": "own", "points": OWN, "noise": 0.2, "seed": 11},
        {"data": "own", "points": OWN, "flipped": [1, 4]},
    ],
    ids=lambda asked: "-".join(str(v)[:20] for v in asked.values()),
)
def test_the_python_of_the_page_gives_its_numbers(asked: dict[str, Any]) -> None:
    setting = Setting.read(asked | {"rounds": 6})
    for found, asked_for in zip(setting.settings, asked.get("settings", ())):
        assert found == asked_for
    shown = json.loads(as_json(record(setting)))
    assert all(f"{k}={v}" in shown["code"] for d in setting.settings for k, v in d.items())
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(shown["code"], "the page", "exec"), {})
    lines = [line.split(maxsplit=4) for line in out.getvalue().splitlines()]
    for run in shown["runs"]:
        T = run["rounds"]
        mine, lines = lines[:T], lines[T:]
        if lines and lines[0][0] == str(T + 1):  # a last round that found no rule
            lines = lines[1:]
        assert column(mine, 0) == list(range(1, T + 1))
        assert same(run["epsilon"], column(mine, 1))
        assert same(run["alpha"], column(mine, 2))
        assert same(run["error"], column(mine, 3))
        assert run["rule"] == [line[4] for line in mine]
    assert lines == []


@pytest.mark.parametrize("booster", BOOSTERS)
def test_the_python_of_the_page_gives_its_test_errors(booster: str) -> None:
    setting = Setting.read(
        {"data": "moons", "n": 60, "held_out": 0.4, "noise": 0.1, "rounds": 8, "seed": 2}
        | {"boosters": [booster]}
    )
    shown = record(setting)
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(shown["code"], "the page", "exec"), {})
    lines = [line for line in out.getvalue().splitlines() if line.startswith("test error")]
    printed = [float(line.removeprefix("test error ")) for line in lines]
    [run] = shown["runs"]
    assert printed[-1] == run["test_error"][-1]
    if len(printed) == run["rounds"]:
        assert printed == run["test_error"]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("booster", BOOSTERS)
def test_coefficients_times_answers_are_the_vote(booster: str, learner: str) -> None:
    """From the boxes and the coefficients alone the page adds up the vote at any place."""
    setting = Setting(data="moons", n=50, rounds=7, learner=learner, boosters=(booster,))
    X, y = setting.sample()
    [run] = record(setting)["runs"]
    T = run["rounds"]
    given = unpacked(run["coefficients"], "<f4").reshape(-1, T).astype(float)
    answers = np.zeros((T, len(X)))
    for t, parts in enumerate(run["boxes"]):
        for left, bottom, right, top, _, value in parts:
            low = np.array([-np.inf if v is None else v for v in (left, bottom)])
            high = np.array([np.inf if v is None else v for v in (right, top)])
            answers[t, ((X > low) & (X <= high)).all(axis=1)] = value
    margins = unpacked(run["margins"], "<f4").reshape(T, -1)
    for t in range(T):
        row = given[t] if len(given) == T else np.where(np.arange(T) <= t, given[0], 0.0)
        F = row @ answers
        assert (np.sign(F)[abs(F) > 1e-5] == np.sign(margins[t] * y)[abs(F) > 1e-5]).all()
        if learner == "stump" and booster not in ("real-adaboost", "gentleboost"):
            np.testing.assert_allclose(y * F / abs(row).sum(), margins[t], atol=1e-5)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("booster", ["adaboost", "real-adaboost", "lpboost", "brownboost"])
def test_regions_are_where_the_vote_says_so(booster: str, learner: str) -> None:
    setting = Setting(data="moons", n=60, rounds=8, learner=learner, boosters=(booster,))
    X, y = setting.sample()
    run = record(setting)["runs"][0]
    form = BOOSTERS[booster].form
    model = form(LEARNERS[learner].estimator(), n_estimators=8)
    across, up = np.array(run["across"]), np.array(run["up"])
    i, j = np.searchsorted(across, X[:, 0]) - 1, np.searchsorted(up, X[:, 1]) - 1
    shown = regions(run)
    for r in islice(wl.rounds(model, X, y), run["rounds"]):
        # Cells end at the cuts, so the vote is constant in each: exact, not only at their middles.
        assert np.array_equal(np.sign(shown[r.t - 1, j, i].astype(int) - 128), np.sign(r.F))


def test_weights_and_margins_are_those_of_the_rounds() -> None:
    setting = Setting(data="circles", n=30, rounds=5)
    X, y = setting.sample()
    run = record(setting)["runs"][0]
    weights = unpacked(run["weights"], "<f4").reshape(5, 30)
    margins = unpacked(run["margins"], "<f4").reshape(5, 30)
    for r in wl.rounds(wl.AdaBoostClassifier(n_estimators=5), X, y):
        np.testing.assert_allclose(weights[r.t - 1], r.D, rtol=1e-6)
        np.testing.assert_allclose(margins[r.t - 1], r.margins, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("booster", ["adaboost", "smoothboost", "majority", "lpboost"])
def test_rings_are_around_what_the_error_counts(booster: str) -> None:
    """The page rings by margin and class: a tie is a vote for the first class."""
    setting = Setting(data="moons", n=40, noise=0.1, rounds=8, boosters=(booster,))
    _, y = setting.sample()
    run = record(setting)["runs"][0]
    margins = unpacked(run["margins"], "<f4").reshape(run["rounds"], 40)
    rings = np.where(y > 0, margins <= 0, margins < 0)
    np.testing.assert_allclose(rings.mean(axis=1), run["error"], rtol=1e-12)
    if booster == "smoothboost":
        assert (margins == 0).any()


def test_a_run_that_ends_early_says_after_how_many_rounds() -> None:
    for rounds in (5, 12, 40):  # the last round looks for a rule and finds none
        setting = Setting(
            data="moons", n=60, noise=0.1, seed=5, rounds=rounds, boosters=("lpboost",)
        )
        run = record(setting)["runs"][0]
        ended = f"Ended after {run['rounds']} rounds:"
        assert run["notes"].startswith(ended) == (run["rounds"] < rounds)


def test_nobody_waits_any_more() -> None:
    asked: list[int] = []

    def given_up() -> bool:
        asked.append(1)
        return len(asked) > 3

    with pytest.raises(Refusal, match="was cancelled"):
        record(Setting(data="clouds", rounds=100), given_up=given_up)
    assert len(asked) < 10


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e12])
def test_planes_of_every_size(size: float) -> None:
    X = size * np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [3.0, 5.0]])
    plane = Plane.around(X)
    examples = Setting().divided(X, np.array([0, 1, 0, 1]))
    assert all(low < high for low, high in zip(plane.low, plane.high))
    assert Points("", examples, plane).scene()["points"] == X.tolist()


def test_a_rule_answers_in_its_boxes_as_drawn() -> None:
    X, y = Setting(data="xor", n=80).sample()
    for estimator in (None, wl.DecisionTreeClassifier(max_depth=3)):
        for r in wl.rounds(wl.AdaBoostClassifier(estimator, n_estimators=5), X, y):
            parts = boxes(r.h)
            answers = r.h.predict(inside(parts))
            for (x0, y0, x1, y1), answer in zip(parts, answers, strict=True):
                a, b = X[:, 0], X[:, 1]
                mine = (a > x0) & (a <= x1) & (b > y0) & (b <= y1)
                assert (r.h.predict(X[mine]) == answer).all() if mine.any() else True
            covered = [((X > (x0, y0)) & (X <= (x1, y1))).all(axis=1) for x0, y0, x1, y1 in parts]
            assert (np.sum(covered, axis=0) == 1).all()


@pytest.mark.parametrize("booster", [name for name, row in BOOSTERS.items() if row.bound])
@pytest.mark.parametrize(("data", "end"), [("clouds", None), ("moons", "least"), ("moons", "most")])
def test_bounds_are_bounds(booster: str, data: str, end: str | None) -> None:
    turned = {k.name: getattr(k, end) for k in BOOSTERS[booster].knobs} if end else {}
    setting = Setting(
        data=data, n=60, noise=0.2, rounds=25, boosters=(booster,), settings=(turned,)
    )
    run = record(setting)["runs"][0]
    assert all(b >= e - 1e-12 for b, e in zip(run["bound"], run["error"], strict=True))


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from([-1, 1])),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from(sorted(BOOSTERS)),
)
def test_any_points_give_a_recording_or_a_sentence(points: Any, booster: str) -> None:
    asked = {"data": "own", "points": points, "boosters": [booster], "rounds": 4}
    try:
        shown = record(Setting.read(asked))
    except ValueError:
        return
    run = json.loads(as_json(shown))["runs"][0]
    assert 1 <= run["rounds"] <= 4
    assert len(regions(run)) == run["rounds"]


def test_the_largest_recording_is_bounded() -> None:
    most = {name: RANGES[name].most for name in ("n", "rounds")}
    setting = Setting.read(most | {"data": "clouds", "learner": "tree-3", "noise": 0.4})
    shown = record(setting)
    run = shown["runs"][0]
    assert len(run["across"]) <= MOST_CELLS + 1
    assert len(run["up"]) <= MOST_CELLS + 1
    assert len(as_json(shown)) < 3_000_000


def test_time_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shooting, "monotonic", iter(range(1000)).__next__)
    run = record(Setting(data="clouds", n=50, rounds=100), seconds=6.0)["runs"][0]
    assert run["rounds"] == 4  # half of the time is for looking at them
    assert "took too long" in run["notes"]


@given(st.lists(st.lists(st.integers(0, 255), min_size=3, max_size=3), min_size=1, max_size=5))
def test_steps_add_up(rows: list[list[int]]) -> None:
    given_rows = np.array(rows, np.uint8)
    steps = unpacked(packed_steps(given_rows), np.uint8).reshape(-1, 3)
    assert np.array_equal(np.cumsum(steps, axis=0, dtype=np.uint8), given_rows)
    assert np.array_equal(unpacked(packed(given_rows), "<f4").reshape(-1, 3), given_rows)


@given(st.text())
def test_json_for_pages_says_the_same_without_what_ends_an_element(text: str) -> None:
    told = as_json([text])
    assert json.loads(told) == [text]
    assert not set("<>&\u2028\u2029") & set(told)
