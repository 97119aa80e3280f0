"""Models as PMML say the same as in the library, by an evaluator after the text of the standard."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

import weaklearn as wl
from tests.export.test_trees import MODELS
from tests.mixed_table import later_rows, mixed_table
from tests.reference.pmml_model import NAME, PmmlModel, text_of
from weaklearn.production.provenance import name_target

_NO_WORDS = "in a way that PMML has no words for"
REFUSED = dict.fromkeys(
    (
        *("stump", "bag of votes", "bag of votes for three", "bag of gradients", "bag of counts"),
        "bag of glass boxes of two",
    ),
    _NO_WORDS,
) | {"platt": "fit with calibrate='slope'", "fraction": "divides missing values among all branches"}


def rows_of(X: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as an engine gets them: times in whole seconds, missing values left out."""
    known: dict[str, list[Any]] = {}
    for name in X.columns:
        column = X[name]
        if column.dtype.kind in "mM":
            seconds = column.to_numpy().astype(
                "datetime64[s]" if column.dtype.kind == "M" else "m8[s]"
            )
            known[name] = [None if np.isnat(s) else int(s.astype(np.int64)) for s in seconds]
        else:
            known[name] = [
                None if pd.isna(v) else getattr(v, "item", lambda v=v: v)() for v in column
            ]
    return [dict(zip(known, values, strict=True)) for values in zip(*known.values(), strict=True)]


@pytest.mark.parametrize("name", MODELS)
def test_the_same_answers(name: str) -> None:
    X, two, three, numbers = mixed_table()
    X = X.drop(columns="key")  # integers beyond 2**53
    counts = np.digitize(numbers, [0.0, 0.5, 1.0])
    y = {"two": two, "three": three, "numbers": numbers, "counts": counts}[MODELS[name][1]]
    model = clone(MODELS[name][0]).fit(X, y)
    if name in REFUSED:
        with pytest.raises(ValueError, match=REFUSED[name]):
            model.to_pmml()
        return
    source = model.to_pmml()
    X = later_rows().drop(columns="key")
    asked = PmmlModel(source)
    answers = [asked(row) for row in rows_of(X)]
    wanted = model.predict(X)
    if not hasattr(model, "classes_"):
        assert np.allclose([answer for answer, _ in answers], wanted, rtol=1e-9, atol=1e-12)
        return
    shares = model.predict_proba(X)
    found = np.array([[p[text_of(c)] for c in model.classes_.tolist()] for _, p in answers])
    assert np.allclose(found, shares, rtol=1e-9, atol=1e-12)
    clear = np.sort(shares, axis=1)[:, -1] - np.sort(shares, axis=1)[:, -2] > 1e-9
    labels = np.array([answer for answer, _ in answers])
    assert (labels[clear] == np.array([text_of(c) for c in wanted.tolist()])[clear]).all()


def table(n: int = 400) -> tuple[pd.DataFrame, Any]:
    random = np.random.default_rng(0)
    X = pd.DataFrame(
        {
            "day": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(random.integers(0, 9000, n), unit="h"),
            "size": random.integers(0, 50, n),
            "flag": random.random(n) > 0.5,
            "text": random.choice(["a\\b", 'q"x', "é ü", "<&>", " "], n),
            "many": [f"k{i}" for i in (random.pareto(0.5, n) * 3).astype(int) % 900],
        }
    )
    y = (X["day"].dt.month > 6) + (X["size"] > 25) + X["flag"] + 2.0 * (X["text"] == "é ü")
    return X, (y + (X["many"] == "k1")).to_numpy(float)


@pytest.mark.parametrize(
    "model",
    [
        wl.GradientBoostingRegressor(n_estimators=20),
        wl.AdditiveBoostingRegressor(n_estimators=20, n_bags=2),
        wl.RandomForestRegressor(3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_times_texts_truth_values_and_rare_categories(model: Any) -> None:
    X, y = table()
    model.fit(X, y)
    X.loc[:9, "many"] = "never seen"
    X.loc[10:20, "day"] = pd.NaT
    X.loc[21:30, "text"] = None
    asked = PmmlModel(model.to_pmml())
    found = [asked(row)[0] for row in rows_of(X)]
    assert np.allclose(found, model.predict(X), rtol=1e-9, atol=1e-12)


def test_a_rule_that_always_holds_on_a_column_of_times() -> None:
    """Its threshold lies below all ranks, where the column has no time."""
    X, two, _, _ = mixed_table()
    model = wl.AdaBoostClassifier(n_estimators=20).fit(X[["waited"]], two)
    assert "always" in str(model.rules())
    asked, names = PmmlModel(model.to_pmml()), dict[str, Any]()
    exec(model.to_python(), names)
    wanted = model.predict_proba(X[["waited"]])
    found = [asked(row)[1] for row in rows_of(X[["waited"]])]
    assert np.allclose([[p["no"], p["yes"]] for p in found], wanted, rtol=1e-9)
    rows = [[value] for value in X["waited"]]
    plain = [names["predict_proba"](dict(zip(["waited"], row, strict=True))) for row in rows]
    assert np.allclose(plain, wanted, rtol=1e-9)


def test_the_document(tmp_path: Any) -> None:
    X, y = table()
    model = wl.GradientBoostingClassifier(n_estimators=3).fit(X, np.where(y > 2, "yes", "no"))
    source = model.to_pmml(tmp_path / "model.pmml", target="sold")
    assert (tmp_path / "model.pmml").read_text("utf-8") == source
    root = ET.fromstring(source)
    assert root.get("version") == "4.4"
    names = [field.get("name") for field in root[1]]
    assert names[-1] == "sold"
    notes = [note.text for note in root.iter(f"{NAME}Annotation")]
    assert "day: a datetime, as whole seconds since 1970-01-01" in notes
    assert not [note for note in notes if "nanoseconds" in str(note)]
    assert 'name="target"' in model.to_pmml()
    name_target(model, "verkauft")
    assert [field.get("name") for field in ET.fromstring(model.to_pmml())[1]][-1] == "verkauft"
    outputs = [field.get("name") for field in root.iter(f"{NAME}OutputField")]
    assert outputs == ["score_0", "probability(no)", "probability(yes)"]


def test_what_xml_cannot_hold_is_refused() -> None:
    X, y = table()
    for names, words in [
        ({"size": "a\0b"}, "holds a character that XML has no way to write"),
        ({"size": "target"}, "has the name of an answer"),
    ]:
        model = wl.GradientBoostingRegressor(n_estimators=3).fit(X.rename(columns=names), y)
        with pytest.raises(ValueError, match=words):
            model.to_pmml()
    fine = X.assign(day=X["day"] + pd.Timedelta(1, "ns"))
    with pytest.raises(ValueError, match="which PMML engines may round; fit with times in whole"):
        wl.GradientBoostingRegressor(n_estimators=9).fit(fine[["day"]], y).to_pmml()
    with pytest.raises(ValueError, match="knows one class alone"):
        wl.AdaBoostClassifier().fit(X, ["same"] * len(X)).to_pmml()


def test_categories_keep_their_white_space() -> None:
    """A carriage return is read as a new line by XML, except where an attribute spells it out."""
    rng = np.random.default_rng(0)
    names = np.array(["u\r", "v\r\nq", "w\n", "x\t", " y", "  "])
    codes = rng.integers(0, len(names), 300)
    X = pd.DataFrame({"a\r\nb": pd.Categorical(names[codes])})
    model = wl.GradientBoostingClassifier(n_estimators=5).fit(
        X, codes % 2 ^ (rng.random(300) < 0.2)
    )
    asked = PmmlModel(model.to_pmml())
    wanted = [text_of(label.item()) for label in model.predict(X)]
    assert [asked(row)[0] for row in rows_of(X)] == wanted
