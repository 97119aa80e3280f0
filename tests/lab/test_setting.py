"""What a request may ask for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.lab.choices import BOOSTERS, METHODS, MOST_POINTS, RANGES
from weaklearn.lab.refusal import Refusal
from weaklearn.lab.scenes import SCENES
from weaklearn.lab.setting import FIELDS, Setting

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=100, deadline=None)
@given(JSON | st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=4))
def test_whatever_comes_is_a_setting_or_a_refusal(asked: Any) -> None:
    try:
        setting = Setting.read(asked)
    except Refusal:
        return
    assert set(setting.boosters) <= {*BOOSTERS, *METHODS}
    for name, allowed in RANGES.items():
        assert allowed.least <= getattr(setting, name) <= allowed.most


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"rounds": 201}, "rounds=201 is not allowed: it must be a whole number between 1 and 200"),
        ({"rounds": 2.5}, "rounds=2.5"),
        ({"rounds": True}, "rounds=True"),
        ({"n": 501}, "n=501"),
        ({"noise": 0.5}, "noise=0.5 is not allowed: it must be a number between 0 and 0.4"),
        ({"boosters": []}, "it must list one or two"),
        ({"boosters": ["adabost"]}, "adaboost"),
        ({"data": "moon"}, "data='moon' is not allowed: it must be one of toy, moons"),
        ({"data": ["toy"]}, "data="),
        ({"colour": 1}, "there is no field 'colour'"),
        ({"settings": {}}, "it must list an object for each booster"),
        ({"settings": [{}, {}]}, "it must list an object for each booster"),
        ({"settings": [None]}, "settings of AdaBoost are None; they must be an object"),
        ({"settings": [{"callbacks": 1}]}, "AdaBoost has no setting 'callbacks'; it has learning"),
        (
            {"settings": [{"learning_rate": 5}]},
            "learning_rate=5 is not allowed: it must be a number between 0.05 and 2",
        ),
        ({"settings": [{"learning_rate": True}]}, "learning_rate=True"),
        ({"settings": [{"learning_rate": None}]}, "learning_rate=None"),
        ({"settings": [{"learning_rate": float("nan")}]}, "learning_rate=nan"),
        ({"points": [[1, 1, 1]]}, "points go with data='own'"),
        ({"flipped": [0]}, "points go with data='own'"),
        ({"data": "own", "points": [[1, 1, 1]] * 2, "flipped": [2]}, "flipped=2 is not allowed"),
        ({"data": "own", "points": [[1, 1, 1]] * 2, "flipped": 1}, "a list of positions"),
        ({"held_out": 0.6}, "held_out=0.6 is not allowed: it must be a number between 0 and 0.5"),
        ({"data": "own"}, "there are 0 points"),
        ({"data": "own", "points": [[1, 1, 1]] * (MOST_POINTS + 1)}, "there are 501 points"),
        ({"data": "own", "points": [[1, 1, 1], [1, 11, 1]]}, "point 2 is [1, 11, 1]"),
        ({"data": "own", "points": [[1, 1, 1], [1, 10**400, 1]]}, "point 2 is [1, 1000"),
        ({"data": "own", "points": [[1, 1, 1], [float("nan"), 1, 1]]}, "point 2 is [nan, 1, 1]"),
        ({"data": "own", "points": [[1, 1, 1], [1, 1, 0]]}, "the label -1 or 1"),
        ({"data": "own", "points": [[1, 1, 1], "ab"]}, "point 2 is 'ab'"),
    ],
)
def test_a_refusal_names_field_value_and_range(asked: dict[str, Any], told: str) -> None:
    with pytest.raises(Refusal) as refused:
        Setting.read(asked)
    assert told in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize("booster", BOOSTERS)
def test_knobs_are_parameters_that_begin_as_they_are(booster: str) -> None:
    own = BOOSTERS[booster].form().get_params()
    for knob in BOOSTERS[booster].knobs:
        assert own[knob.name] == ("auto" if knob.first is None else knob.first)
        asked = {"boosters": [booster], "settings": [{knob.name: knob.first}]}
        assert Setting.read(asked).settings == ({},)  # nothing to be spelt
        turned = {"boosters": [booster], "settings": [{knob.name: knob.most}]}
        assert Setting.read(turned).settings == ({knob.name: knob.most},)


def test_one_class_cannot_play() -> None:
    alone = Setting.read({"data": "own", "points": [[1, 1, 1], [2, 2, 1]]})
    with pytest.raises(Refusal, match="of one class"):
        alone.sample()


def test_noise_turns_labels_about() -> None:
    asked = {"data": "xor", "n": 400}
    X, clean = Setting.read(asked).sample()
    again, noisy = Setting.read(asked | {"noise": 0.2}).sample()
    assert np.array_equal(X, again)
    assert 0.1 < np.mean(clean != noisy) < 0.3


def test_flipped_labels_are_of_both_classes_and_of_points_learnt_from() -> None:
    """Neither the noise nor the choice of the points held out follows the draw of the points."""
    found = Setting(data="clouds", n=500, noise=0.3, held_out=0.3).examples()
    assert set(found.y[found.is_flipped]) == {-1, 1}
    assert 0.3 < np.mean(found.y_test > 0) < 0.7
    _, clean = SCENES["clouds"].draw(500, 0)
    n = len(found.y)
    assert np.array_equal(found.y * np.where(found.is_flipped, -1, 1), clean[found.order[:n]])
    assert np.array_equal(found.y_test, clean[found.order[n:]])
    assert sorted(found.order) == list(range(500))


def test_points_flipped_by_hand_are_learnt_with_the_other_label() -> None:
    points = [[1, 1, 1], [2, 2, -1], [3, 3, 1], [4, 4, -1]]
    found = Setting.read({"data": "own", "points": points, "flipped": [2]}).examples()
    assert found.y.tolist() == [1, -1, -1, -1]
    assert found.is_flipped.tolist() == [False, False, True, False]
