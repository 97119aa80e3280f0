"""What is shown beside boosting, against the models themselves."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from typing import Any

import numpy as np
import pytest

from tests.lab.test_recording import OWN, unpacked
from weaklearn.lab.choices import LEARNERS, METHODS
from weaklearn.lab.recording import record
from weaklearn.lab.setting import Setting
from weaklearn.page.html_json import as_json


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "asked",
    [
        {"data": "moons", "n": 60, "held_out": 0.3, "noise": 0.1},
        {"data": "slope", "n": 40, "learner": "tree-2", "seed": 4},
        {"data": "own", "points": OWN},
    ],
    ids=lambda asked: asked["data"],
)
def test_the_python_of_the_page_gives_its_numbers(method: str, asked: dict[str, Any]) -> None:
    setting = Setting.read(asked | {"rounds": 9, "boosters": [method]})
    shown = json.loads(as_json(record(setting)))
    [run] = shown["runs"]
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(shown["code"], "the page", "exec"), {})
    lines = [line.split() for line in out.getvalue().splitlines()][: run["rounds"]]
    assert [int(line[0]) for line in lines] == list(range(1, run["rounds"] + 1))
    assert [float(line[1]) for line in lines] == run["error"]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("method", METHODS)
def test_coefficients_times_answers_have_the_sign_of_the_vote(method: str, learner: str) -> None:
    setting = Setting(data="moons", n=50, rounds=6, learner=learner, boosters=(method,))
    X, y = setting.sample()
    [run] = record(setting)["runs"]
    T = run["rounds"]
    given = unpacked(run["coefficients"], "<f4").reshape(-1, T)
    answers = np.zeros((T, len(X)))
    for t in range(T):
        if run["lines"]:
            answers[t] = np.sign(X @ run["lines"][t][:2] + run["lines"][t][2])
        for left, bottom, right, top, _, value in run["boxes"][t]:
            low = np.array([-np.inf if v is None else v for v in (left, bottom)])
            high = np.array([np.inf if v is None else v for v in (right, top)])
            answers[t, ((X > low) & (X <= high)).all(axis=1)] = value
    margins = unpacked(run["margins"], "<f4").reshape(T, -1)
    for t in range(T):
        row = given[t] if len(given) == T else np.where(np.arange(T) <= t, given[0], 0.0)
        sure = margins[t] != 0
        assert np.array_equal(np.sign(row @ answers)[sure], np.sign(margins[t] * y)[sure])
    weights = unpacked(run["weights"], "<f4").reshape(T, -1)
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-5)


def test_a_method_stands_beside_a_booster_and_has_no_settings() -> None:
    asked = {"data": "xor", "n": 40, "rounds": 5, "boosters": ["adaboost", "bagging"]}
    names = [run["name"] for run in record(Setting.read(asked))["runs"]]
    assert names == ["AdaBoost", "Bagging"]
    with pytest.raises(ValueError, match="Bagging has no setting 'eta'"):
        Setting.read(asked | {"settings": [{}, {"eta": 1}]})
