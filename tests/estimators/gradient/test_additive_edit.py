"""Edits: what they change, what they record, and that they can be taken back."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import log_loss

import weaklearn
from tests.glass import HOSTILE, assembled, model, table, truth
from tests.samples import same_bits
from weaklearn import AdditiveBoostingRegressor
from weaklearn.base.trees.term import Axis, TermSum


def edited(form: str = "two") -> Any:
    return copy.copy(model(form))


def hand_made() -> Any:
    """One column, five cells between 1 and 5, and missing values."""
    axis = Axis(0, np.array([1.0, 2.0, 3.0, 4.0]), ends=(0.0, 5.0))
    values = [0.0, 3.0, 1.0, 2.0, 5.0, -7.0]
    return assembled(pd.DataFrame({"a": [0.0, 5.0]}), [axis], [values], [1, 1, 3, 1, 1, 1])


def values_of(made: Any, term: Any = "a") -> list[float]:
    found: list[float] = made.shapes_[term].values.tolist()
    return found


def same_terms(a: TermSum, b: TermSum) -> bool:
    pairs = list(zip(a.terms, b.terms, strict=True))
    names = ("values", "low", "high", "counts")
    alike = all(same_bits(getattr(s, n), getattr(t, n)) for s, t in pairs for n in names)
    return alike and [t.features for t in a.terms] == [t.features for t in b.terms]


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"flatten": True, "between": (1, 4)}, [0, 1.6, 1.6, 1.6, 5, -7]),
        ({"flatten": 0.5, "between": (2.5, None)}, [0, 3, 0.5, 0.5, 0.5, -7]),
        ({"flatten": 0}, [0, 0, 0, 0, 0, -7]),
        ({"flatten": "bridge", "between": (1, 4)}, [0, 1.25, 2.5, 3.75, 5, -7]),
        ({"flatten": "bridge", "between": (3, None)}, [0, 3, 1, 1, 1, -7]),
        ({"flatten": "bridge", "between": (None, 2)}, [1, 1, 1, 2, 5, -7]),
        ({"monotone": 1}, [0, 1.5, 1.5, 2, 5, -7]),
        ({"monotone": -1, "between": (None, 2)}, [1.5, 1.5, 1, 2, 5, -7]),
        ({"high": 2}, [0, 2, 1, 2, 2, -7]),
        ({"low": -1, "high": 1.5}, [0, 1.5, 1, 1.5, 1.5, -1]),
        ({"low": 2, "between": (0, 2)}, [2, 3, 1, 2, 5, -7]),
        ({"set": {None: 0.25}}, [0, 3, 1, 2, 5, 0.25]),
        ({"set": {float("nan"): 0.25}}, [0, 3, 1, 2, 5, 0.25]),
    ],
)
def test_what_an_edit_does(change: dict[str, Any], wanted: list[float]) -> None:
    made = hand_made()
    before = made.shapes_["a"]
    made.edit("a", **change)
    after = made.shapes_["a"]
    assert after.values == pytest.approx(wanted)
    # Bands move along, and predictions follow.
    assert after.low - after.values == pytest.approx(before.low - before.values)
    assert after.high - after.values == pytest.approx(before.high - before.values)
    rows = pd.DataFrame({"a": [0.5, 1.5, 2.5, 3.5, 4.5, np.nan]})
    assert made.predict(rows) == pytest.approx(0.25 + np.array(wanted))


def test_edits_are_recorded_with_scores() -> None:
    made, X = edited(), table()
    y = np.where(truth(X) > 0, made.classes_[0], made.classes_[1])
    before = log_loss(y, made.predict_proba(X), labels=made.classes_)
    told = made.edit("age", between=(30, 60), flatten=True, X=X, y=y)
    after = log_loss(y, made.predict_proba(X), labels=made.classes_)
    line = dict(zip(told.columns, told[0], strict=True))
    assert (line["edit"], line["term"]) == (1, "age")
    assert "flattened where" in line["what"]
    assert "<= " in line["what"]
    assert line["log_loss before"] == pytest.approx(before, abs=1e-12)
    assert line["log_loss after"] == pytest.approx(after, abs=1e-12)
    assert after > before
    assert line["accuracy after"] == made.score(X, y)
    assert "also acts together with sex" in told.note
    made.edit("sex", drop=True)
    record = made.edits_
    assert [row[0] for row in record] == [1, 2]
    assert record[1][2:6] == ("dropped", 4, record[1][4], "gone")
    assert len(record.to_frame()) == 2
    assert "sex" not in made.shapes_
    assert len(model("two").edits_) == 0  # the copy alone was changed


def test_weights_count_in_the_scores() -> None:
    made, X = edited("numbers"), table()
    y, weights = truth(X), np.arange(len(X)) % 3
    told = made.edit("age", flatten=0.0, X=X, y=y, sample_weight=weights)
    line = dict(zip(told.columns, told[0], strict=True))
    loss = np.average((y - made.predict(X)) ** 2 / 2, weights=weights)
    assert line["squared_error after"] == pytest.approx(loss)
    assert line["score after"] == pytest.approx(made.score(X, y, weights))


actions = st.sampled_from(
    [
        ("age", {"flatten": True, "between": (20, 50)}),
        ("age", {"monotone": 1}),
        ("age", {"drop": True}),
        (("age", "sex"), {"drop": True}),
        (("age", "sex"), {"high": 0.1}),
        ("sex", {"set": {"m": 1.0, "other": -1.0, None: 0.0}}),
        ("when", {"low": 0.0, "between": ("2020-06-01", None)}),
        ("wide", {"flatten": 0.3, "between": (2**60 + 3, 2**60 + 11)}),
        ("took", {"monotone": -1, "between": (pd.Timedelta("1h"), pd.Timedelta("20h"))}),
        (HOSTILE, {"set": {"it's": 0.0, "line\nbreak": 0.125}}),
    ]
)


@settings(max_examples=15, deadline=None)
@given(st.lists(actions, max_size=6))
def test_undo_gives_back_every_bit(steps: list[tuple[Any, dict[str, Any]]]) -> None:
    made = edited()
    states = [made.ensemble_]
    for term, change in steps:
        known = len(made.edits_)
        try:
            made.edit(term, **change)
        except ValueError:  # it was dropped before
            assert made.ensemble_ is states[-1]
        if len(made.edits_) > known:
            states.append(made.ensemble_)
        else:
            assert made.ensemble_ is states[-1]
    made = pickle.loads(pickle.dumps(made))
    for state in states[-2::-1]:
        assert same_terms(made.ensemble_, states[len(made.edits_)])
        made.undo()
        assert same_terms(made.ensemble_, state)
    assert same_terms(made.ensemble_, model("two").ensemble_)
    with pytest.raises(ValueError, match="no edit to undo"):
        made.undo()


def test_a_fit_forgets_edits() -> None:
    made = edited("numbers")
    X = table(100)
    made.edit("age", drop=True)
    made.set_params(pairs=None, n_pairs=0).fit(X, truth(X))
    assert len(made.edits_) == 0


def test_nothing_to_change_is_no_edit() -> None:
    made = hand_made()
    told = made.edit("a", high=100)
    assert "nothing to change" in told.note
    assert len(made.edits_) == 0


def test_flat_twice_is_flat_once() -> None:
    made = edited()
    made.edit("age", flatten=True, between=(30, 60))
    assert "nothing to change" in made.edit("age", flatten=True, between=(30, 60)).note
    assert len(made.edits_) == 1


def test_what_is_left_is_counted() -> None:
    made = hand_made()
    made.edit("a", high=2)
    made.edit("a", high=1)
    assert made.undo().note == "undone; 1 edit left"
    assert made.undo().note == "undone; 0 edits left"


def test_a_rising_term_is_no_rising_score_where_there_are_pairs() -> None:
    note = edited().edit("age", monotone=1).note
    assert note == "the score itself may still rise and fall with age, which also acts in age x sex"
    assert edited().edit("took", monotone=1).note == ""


def test_rising_is_for_one_class_at_a_time() -> None:
    made = edited("three")
    with pytest.raises(ValueError, match=r"all 3 classes at once.*such as output=0"):
        made.edit("age", monotone=1)
    made.edit("age", monotone=1, output=2)
    values = made.shapes_["age"].values[:-1, 2]
    assert (values[1:] >= values[:-1]).all()


def counted(offset: bool) -> tuple[Any, pd.DataFrame, Any, Any]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
    known = rng.uniform(-2, 2, 300)
    y = rng.poisson(np.exp(X["a"] + known))
    made = AdditiveBoostingRegressor("poisson", n_estimators=20, n_bags=2, n_pairs=0)
    return made.fit(X, y, offset=known if offset else None), X, y, known


def test_the_cost_of_an_edit_counts_the_offset(tmp_path: Any) -> None:
    made, X, y, known = counted(True)
    made.save(tmp_path / "model.weak")
    made = weaklearn.load(tmp_path / "model.weak")
    print_of_it = made.fingerprint()
    with pytest.raises(ValueError, match="fitted with an offset, and X and y are given without"):
        made.edit("a", high=0.5, X=X, y=y)
    before = made.score(X, y, offset=known)
    told = made.edit("a", high=0.5, X=X, y=y, offset=known)
    line = dict(zip(told.columns, told[0], strict=True))
    F = made.explain(X, offset=known).scores
    assert line["score before"] == before
    assert line["score after"] == made.score(X, y, offset=known) < before
    assert line["poisson after"] == pytest.approx(np.mean(made._loss.value(y, F)))
    made.undo()
    assert made.fingerprint() == print_of_it
    assert "so pass offset= as well" in str(weaklearn.verify(made, X, y))
    assert weaklearn.verify(made, X, y, offset=known)
    made.fit(X, y).edit("a", high=0.5, X=X, y=y)  # which has none
    with pytest.raises(ValueError, match="pass X together with y"):
        made.edit("a", low=0.0, offset=known)


def test_one_class_alone() -> None:
    made = edited("three")
    before = made.shapes_["age"].values
    made.edit("age", flatten=0.0, output=1)
    after = made.shapes_["age"].values
    assert (after[:-1, 1] == 0).all()
    assert np.array_equal(after[:, [0, 2]], before[:, [0, 2]])
    made.edit("sex", drop=True, output="2")
    assert (made.shapes_["sex"].values[:, 2] == 0).all()
    assert made.edits_[1][2] == "set to 0 for 2"
    made.edit("sex", set={"f": 0.5})
    assert made.shapes_["sex"].values[0].tolist() == [0.5, 0.5, 0.5]
    with pytest.raises(ValueError, match=r"output='3' is not there.*\[0, 1, 2\]"):
        made.edit("age", drop=True, output="3")


def test_dates_are_those_of_the_columns_zone() -> None:
    made = edited()
    told = made.edit("there", flatten=0.0, between=("2020-03-01", "2020-09-01"))
    grid, values = made.shapes_["there"].grid, made.shapes_["there"].values
    flat = np.flatnonzero(values[:-1] == 0)
    first, last = grid.edges[flat[0] - 1], grid.edges[flat[-1]]
    midnight = np.datetime64(pd.Timestamp("2020-03-01", tz="Europe/Berlin").tz_convert(None))
    assert first <= midnight < grid.edges[flat[0]]
    assert last >= np.datetime64("2020-08-31T22:00")
    assert "< there <=" in told[0][2]
    with pytest.raises(ValueError, match="has no time zone"):
        made.edit("when", flatten=0.0, between=(pd.Timestamp("2020-03-01", tz="UTC"), None))


@pytest.mark.parametrize(
    ("term", "change", "words"),
    [
        ("age", {}, "one change at a time, and got none"),
        ("age", {"flatten": True, "drop": True}, "got flatten=, drop="),
        ("age", {"between": (1, 2)}, "got none"),
        ("agee", {"drop": True}, "Did you mean 'age'"),
        (("age", "ratio"), {"drop": True}, "no pair of this model; its pairs are 'age x sex'"),
        ("age x ratio", {"drop": True}, "no pair of this model; its pairs are"),
        ("age", {"flatten": False}, "flatten=False changes nothing"),
        ("age", {"flatten": "x"}, "it must be True, a number or 'bridge'"),
        ("age", {"flatten": np.nan}, "it must be True, a number or 'bridge'"),
        ("age", {"flatten": "bridge"}, "needs a neighbour, and between=None leaves none"),
        ("sex", {"flatten": "bridge"}, "for columns with an order"),
        ("age", {"flatten": True, "between": (200, 300)}, "values went from 17 to 89"),
        ("age", {"flatten": True, "between": (None, 3)}, "lies outside 'age'"),
        ("when", {"flatten": True, "between": ("1990-01-01", "1991-01-01")}, "from 2020-01-0"),
        ("age", {"flatten": True, "between": (40, 30)}, "first must be below the second"),
        ("age", {"flatten": True, "between": 40}, r"it must be \(low, high\)"),
        ("age", {"flatten": True, "between": ("young", "old")}, "is a column of numbers"),
        ("when", {"flatten": True, "between": (1, 2)}, "is a column of dates"),
        ("when", {"flatten": True, "between": ("soon", None)}, "write one as '2024-03-01'"),
        ("sex", {"flatten": True, "between": ("f", "m")}, "holds categories; use set="),
        ("sex", {"monotone": 1}, "holds categories"),
        ("age", {"monotone": 2}, r"1 \(rising\) or -1 \(falling\)"),
        ("age", {"low": 2, "high": 1}, "low=2 is above high=1"),
        ("age", {"high": np.inf}, "it must be a number"),
        ("sex", {"set": {"x": 1}}, "no level of 'sex'; there are 'f', 'm' and other"),
        ("sex", {"set": {"rare": 1}}, "one of 4 rare levels that share a cell; set 'other'"),
        ("sex", {"set": {"m": "much"}}, r"set\['m'\]='much' is not allowed"),
        ("sex", {"set": {}}, "must be a dict"),
        ("age", {"set": {"m": 1}}, "is no category: set={None: value} sets"),
        (("age", "sex"), {"monotone": 1}, "is a pair of columns, to which monotone= does not"),
        (("age", "sex"), {"high": 1, "between": (1, 2)}, "between= is for one column"),
        ("sex", {"drop": True, "between": (1, 2)}, "not with drop="),
        ("age", {"drop": 1}, "drop=1 is not allowed"),
        ("age", {"drop": True, "output": "yes"}, "a row has one score only"),
        ("age", {"drop": True, "X": table(10)}, "pass X together with y"),
        ("age", {"drop": True, "sample_weight": [1]}, "pass X together with y"),
    ],
)
def test_what_cannot_be_edited_is_told_in_one_sentence(
    term: Any, change: dict[str, Any], words: str
) -> None:
    made = edited()
    with pytest.raises((ValueError, TypeError), match=words):
        made.edit(term, **change)
    assert made.ensemble_ is model("two").ensemble_
    assert len(made.edits_) == 0


def test_bad_rows_leave_the_model_as_it_was() -> None:
    made = edited()
    with pytest.raises(ValueError, match="not among the classes"):
        made.edit("age", drop=True, X=table(10), y=["maybe"] * 10)
    assert made.ensemble_ is model("two").ensemble_
