"""What is shown beside boosting, against the models themselves."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.lab.test_recording import OWN, unpacked
from weaklearn import DecisionTreeClassifier
from weaklearn.lab import export
from weaklearn.lab.choices import LEARNERS, METHODS
from weaklearn.lab.recording import record
from weaklearn.lab.setting import Setting
from weaklearn.page.html_json import as_json


def printed(code: str, rounds: int) -> list[float]:
    """The errors that the script of a page prints, of rounds 1, 2, ..."""
    out = io.StringIO()
    with redirect_stdout(out):
        exec(compile(code, "the page", "exec"), {})
    lines = [line.split() for line in out.getvalue().splitlines()][:rounds]
    assert [int(line[0]) for line in lines] == list(range(1, rounds + 1))
    return [float(line[1]) for line in lines]


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
    assert printed(shown["code"], run["rounds"]) == run["error"]


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


@pytest.mark.parametrize("labels", [(0, 1), ("no", "yes")], ids=str)
@pytest.mark.parametrize("method", METHODS)
def test_the_python_of_a_replay_takes_labels_of_any_kind(
    method: str, labels: tuple[Any, Any], tmp_path: Path
) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = np.array(labels)[(X[:, 0] + X[:, 1] > 0).astype(int)]
    more: Any = {"rounds": 5, "noise": 0.1, "held_out": 0.2}
    page = export(tmp_path / "run.html", X, y, boosters=[method], **more).read_text("utf-8")
    shown = json.loads(re.findall(r'id="recording">(.*)</script>', page)[0])
    [run] = shown["runs"]
    assert printed(shown["code"], run["rounds"]) == run["error"]


def test_samples_of_one_class_in_bagging() -> None:
    points = [[1, 1, 1], *([k, 2, -1] for k in range(2, 6))]
    asked = {"data": "own", "points": points, "boosters": ["bagging"], "rounds": 20}
    [run] = record(Setting.read(asked))["runs"]
    alone = [boxes for boxes in run["boxes"] if len(boxes) == 1]
    assert alone
    assert {answer for [box] in alone for answer in box[4:]} <= {0, -1, 1}


def test_rules_of_bagging_are_asked_once_for_each_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, predict = [], DecisionTreeClassifier.predict

    def counted(self: Any, X: Any) -> Any:
        rows.append(len(X))
        return predict(self, X)

    monkeypatch.setattr(DecisionTreeClassifier, "predict", counted)
    for rounds in (10, 20):
        record(Setting(data="moons", n=50, rounds=rounds, held_out=0.2, boosters=("bagging",)))
        rows.append(-1)
    first = rows.index(-1)
    assert len(rows) - first - 2 <= 2 * first


def test_a_method_stands_beside_a_booster_and_has_no_settings() -> None:
    asked = {"data": "xor", "n": 40, "rounds": 5, "boosters": ["adaboost", "bagging"]}
    names = [run["name"] for run in record(Setting.read(asked))["runs"]]
    assert names == ["AdaBoost", "Bagging"]
    with pytest.raises(ValueError, match="Bagging has no setting 'eta'"):
        Setting.read(asked | {"settings": [{}, {"eta": 1}]})
