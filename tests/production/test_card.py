"""``card``: what others must know of a model, in Markdown and in JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.production.card import _auc
from weaklearn.production.metric import wilson
from weaklearn.text import BoosTexterClassifier, SpamFilter

RNG = np.random.default_rng(0)
X = pd.DataFrame(
    {
        "age": RNG.normal(50, 10, 150),
        "a|b <script>alert(1)</script>": RNG.choice(["u", "v"], 150),
        "day": pd.date_range("2024-01-01", periods=150),
    }
)
Y = (X["age"] + 5 * RNG.normal(size=150) > 50).to_numpy()


@pytest.fixture(scope="module")
def model() -> wl.AdaBoostClassifier:
    return wl.AdaBoostClassifier(n_estimators=10).fit(X, Y)


def test_it_tells_model_data_columns_and_quality(model: wl.AdaBoostClassifier) -> None:
    card = model.card(X, Y, purpose="To see\nwhether it works")
    told = json.loads(card.to_json())
    assert told["model"]["fingerprint"] == model.fingerprint()
    assert told["model"]["classes"] == [False, True]
    assert told["data"]["n_examples"] == 150
    assert "seen" not in told["data"]
    age, town, day = told["columns"]
    assert (age["name"], age["kind"], age["missing"]) == ("age", "numbers", 0.0)
    assert (age["least"], age["greatest"]) == (X["age"].min(), X["age"].max())
    assert town["categories"] == 2
    assert (day["least"], day["greatest"]) == ("2024-01-01", "2024-05-29")
    assert set(told["versions"]) == {"weaklearn", "numpy", "scikit-learn", "python"}
    assert told["parameters"]["n_estimators"] == 10
    metrics = {m["name"]: m for m in told["quality"]["metrics"]}
    assert set(metrics) == {"accuracy", "log_loss", "brier_score", "roc_auc"}
    for metric in metrics.values():
        assert metric["low"] <= metric["value"] <= metric["high"]
    assert 0.6 < metrics["accuracy"]["value"] < 1
    assert any(row["id"] == "ada-train" for row in told["certificates"])


def test_markdown_shows_hostile_names_as_they_are(model: wl.AdaBoostClassifier) -> None:
    text = model.card().to_markdown()
    assert "<script>" not in text
    assert "a\\|b \\<script\\>" in text
    assert text.startswith("# AdaBoostClassifier\n")
    assert "## Quality" not in text
    assert str(model.card()) == text


def test_headings_and_names_are_for_people(model: wl.AdaBoostClassifier) -> None:
    text = model.card().to_markdown()
    assert "## Data\n\n- **hash of the training rows**: " in text
    assert "## Versions\n\n- **weaklearn**: " in text
    assert "- **n\\_estimators**: 10" in text


def test_without_a_profile_no_value_of_a_column_is_told(tmp_path: Path) -> None:
    wide = X.assign(number=np.arange(150) + 2**60)
    wl.AdaBoostClassifier(n_estimators=2).fit(wide, Y).save(tmp_path / "m.weak", profile=False)
    for column in wl.load(tmp_path / "m.weak").card().to_dict()["columns"]:
        assert set(column) <= {"name", "kind", "categories"}


def test_why_there_are_no_certificates(model, monkeypatch: pytest.MonkeyPatch) -> None:
    def certify(self: object, X: object, y: object) -> None:
        raise ValueError("these are other rows")

    monkeypatch.setattr(wl.AdaBoostClassifier, "certify", certify)
    told = model.card().to_dict()["certificates"]
    assert told == {"note": "there are none: these are other rows"}
    tree = wl.DecisionTreeClassifier(max_depth=2).fit(X, Y)
    assert "none without test rows" in tree.card().to_dict()["certificates"]["note"]
    ranker = wl.RankBoost(n_estimators=2).fit(X, Y.astype(int))
    assert ranker.card(X, Y.astype(int)).to_dict()["certificates"][0]["id"] == "rank-train"


def test_markdown_of_any_text_keeps_its_shape() -> None:
    names = [
        "x\n" * 120 + "| evil | row |\n# head",
        "&lt;b&gt;",
        "https://a.b",
        "|" * 300,
        "$a$ ~b~",
    ]
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(30, len(names))), columns=names)
    fitted = wl.DecisionTreeRegressor(max_depth=2).fit(X, X[names[0]])
    text = fitted.card(purpose="one\n\n- two\n===\n1. three\n# four").to_markdown()
    assert "\none\n\n\\- two\n\\===\n1\\. three\n\\# four\n" in text
    table = text[text.index("| name |") :].split("\n\n")[0].splitlines()
    assert len(table) == 2 + len(names)
    assert all(line.replace("\\|", "").count("|") == 6 for line in table)
    assert "&amp;lt;b&amp;gt;" in text
    assert "://" not in text


def test_json_has_no_numbers_that_it_does_not_know() -> None:
    flat = np.zeros(30)
    X = np.random.default_rng(0).normal(size=(30, 2))
    card = wl.DecisionTreeRegressor(max_depth=1).fit(X, flat).card(X, flat)
    told = json.loads(card.to_json(), parse_constant=pytest.fail)
    assert [metric["name"] for metric in told["quality"]["metrics"]] == [
        "mean_absolute_error",
        "r2",
    ]
    assert told["quality"]["metrics"][1]["value"] is None


def test_models_of_texts_tell_how_many_terms() -> None:
    spam = SpamFilter(n_estimators=2).fit(spam=["win cash"], ham=["at lunch"])
    assert spam.card().to_dict()["columns"] == [{"name": "texts", "kind": "texts", "terms": 4}]
    table = pd.DataFrame({"body": ["law", "goal"] * 5, "age": range(10)})
    topics = BoosTexterClassifier(n_estimators=2, text_columns=["body"]).fit(table, [0, 1] * 5)
    age, body = topics.card().to_dict()["columns"]
    assert (age["name"], age["kind"]) == ("age", "numbers")
    assert body == {"name": "body", "kind": "texts", "terms": 2}


def test_no_row_is_told(model: wl.AdaBoostClassifier) -> None:
    text = model.card(X, Y).to_json()
    inner = sorted(X["age"])[1:-1]  # the least and the greatest are
    assert not any(repr(value) in text for value in inner)


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (wl.GradientBoostingRegressor(n_estimators=5), X["age"]),
        (wl.RandomForestClassifier(n_estimators=5), Y),
        (wl.DecisionTreeClassifier(max_depth=2), np.digitize(X["age"], [45, 55])),
        (wl.DecisionStumpClassifier(), Y),
        (wl.BaggingClassifier("tree", n_estimators=2), Y),
        (wl.OneVsRestBooster(wl.AdaBoostClassifier(n_estimators=2)), Y),
        (wl.AdditiveBoostingClassifier(n_estimators=5), Y),
    ],
    ids=lambda value: type(value).__name__,
)
def test_every_model_has_one(model, y) -> None:
    told = clone(model).fit(X, y).card(X, y).to_dict()
    assert told["quality"]["metrics"]
    assert len(told["columns"]) == 3
    json.dumps(told)


def test_models_of_others_have_no_fingerprint() -> None:
    model = wl.AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=2)
    told = model.fit(X[["age"]], Y).card().to_dict()
    assert told["model"]["fingerprint"] is None
    assert "pickle" in told["model"]["why_no_fingerprint"]


def test_arguments() -> None:
    model = wl.AdaBoostClassifier(n_estimators=2).fit(X, Y)
    with pytest.raises(ValueError, match="X and y go together"):
        model.card(X)
    with pytest.raises(ValueError, match="X has 150 rows, and y has 149"):
        model.card(X, Y[1:])
    with pytest.raises(ValueError, match="yet now missing"):
        model.card(X[["age"]], Y)
    with pytest.raises(TypeError, match="purpose=3"):
        model.card(purpose=3)
    few = wl.AdaBoostClassifier(n_estimators=2).fit(X[:6], Y[:6])
    assert "fewer than 5" in few.card(X[:6], Y[:6]).to_dict()["quality"]["note"]


def test_intervals() -> None:
    assert wilson("accuracy", 0, 10).low == 0
    assert wilson("accuracy", 10, 10).high == 1
    hits = RNG.random((2000, 50)) < 0.8
    covered = [wilson("a", int(h.sum()), 50) for h in hits]
    assert np.mean([m.low <= 0.8 <= m.high for m in covered]) == pytest.approx(0.95, abs=0.02)
    codes, p = RNG.integers(0, 2, 300), RNG.integers(0, 9, 300) / 9
    assert _auc(codes, p) == pytest.approx(roc_auc_score(codes, p))


def test_models_of_several_numbers_tell_their_score() -> None:
    rng = np.random.default_rng(3)
    A = rng.normal(size=(120, 3))
    y = A[:, 0] + 0.1 * rng.normal(size=120)
    times = pd.DataFrame({"came": y > -1, "time": np.exp(y)})
    for model, target in [
        (wl.GradientBoostingRegressor("quantile", quantile=[0.1, 0.9], n_estimators=5), y),
        (wl.GradientBoostingRegressor(n_estimators=5), pd.DataFrame({"up": y, "down": -y})),
        (wl.GradientBoostingRegressor("cox", n_estimators=5), times),
    ]:
        (told,) = model.fit(A, target).card(A, target).to_dict()["quality"]["metrics"]
        assert told["name"] == "score"
        assert told["low"] < told["value"] < told["high"] <= 1.2


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_a_table_of_labels_has_no_metrics(form: Any) -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = form((X > 0).astype(int))
    model = wl.GradientBoostingClassifier(n_estimators=2).fit(X, y)
    assert "several columns" in model.card(X, y).sections["quality"]["note"]


def test_a_ranker_needs_the_ids_of_queries() -> None:
    rng = np.random.default_rng(3)
    A, ids = rng.normal(size=(120, 3)), np.repeat([f"q{k}" for k in range(20)], 6)
    grades = rng.integers(0, 3, 120)
    model = wl.GradientBoostingRanker(n_estimators=3).fit(A, grades, qid=ids)
    (told,) = model.card(A, grades, qid=ids).to_dict()["quality"]["metrics"]
    assert (told["name"], 0 < told["value"] < 1) == ("score", True)
    with pytest.raises(ValueError, match="qid is missing"):
        model.card(A, grades)
    with pytest.raises(TypeError) as refused:
        model.card(purpose=list(range(1000)))
    assert len(str(refused.value)) < 200
