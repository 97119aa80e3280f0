"""Thresholds on scores: chosen as a plain search would, kept by files, forgotten by refits."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn import runtime
from weaklearn.prediction.positive import threshold_words
from weaklearn.serving import Service
from weaklearn.theory import bounds
from weaklearn.uncertainty.decision_threshold import BY, _Curve, name_positive


def rare(n: int = 600, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, np.where(X[:, 0] + rng.normal(size=n) > 1.8, "ill", "well")


MODELS = [
    wl.AdaBoostClassifier(n_estimators=8),
    wl.GradientBoostingClassifier(n_estimators=8),
    wl.RandomForestClassifier(n_estimators=5),
    wl.DecisionTreeClassifier(max_depth=3),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("positive", ["ill", "well"])
def test_what_it_says_is_what_predict_does(model: Any, positive: str, tmp_path: Path) -> None:
    X, y = rare()
    held, label = slice(300, None), y[300:]
    model = model.fit(X[:300], y[:300])
    fingerprint, before = model.fingerprint(), model.predict(X)
    for by in BY:
        found = model.tune_threshold(X[held], label, by=by, positive=positive, least=0.25)
        called = model.predict(X[held])
        assert found.score == model.threshold_
        assert found.recall == pytest.approx(np.mean(called[label == positive] == positive))
        assert found.accuracy == pytest.approx(np.mean(called == label))
        if found.precision is not None:
            assert found.precision == pytest.approx(np.mean(label[called == positive] == positive))
    model.save(tmp_path / "m.weak")
    for again in (wl.load(tmp_path / "m.weak"), runtime.load(tmp_path / "m.weak")):
        assert again.predict(X).tolist() == model.predict(X).tolist()
    assert model.fingerprint() == fingerprint
    loaded = wl.load(tmp_path / "m.weak")
    assert (loaded.threshold_, loaded.fingerprint()) == (model.threshold_, fingerprint)
    assert model.set_threshold(None).predict(X).tolist() == before.tolist()
    model.set_threshold(1e9)
    assert set(model.predict(X)) == {"ill"}
    assert model.fit(X[:300], y[:300]).threshold_ is None
    assert model.predict(X).tolist() == before.tolist()


@given(
    scores=st.lists(st.sampled_from([-2.0, -1.0, 0.0, 0.5, np.nextafter(0.5, 1), 3.0]), min_size=4),
    data=st.data(),
)
@settings(max_examples=60)
def test_thresholds_are_those_of_a_plain_search(scores: list[float], data: st.DataObject) -> None:
    F, n = np.array(scores), len(scores)
    truth = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    w = np.array(data.draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), float)
    upper = data.draw(st.booleans())
    if truth.all() or not truth.any():
        return
    curve = _Curve.of(F, truth, w, upper=upper)
    plain = [(F > t) == upper for t in curve.thresholds]
    assert curve.alarms.tolist() == [w[called].sum() for called in plain]
    assert curve.hits.tolist() == [w[called & truth].sum() for called in plain]
    every = {((F > t) == upper).tobytes() for t in [*F, F.min() - 1]}
    assert every <= {called.tobytes() for called in plain}
    copies = np.repeat(np.arange(n), w.astype(int))[::-1]
    same = _Curve.of(F[copies], truth[copies], np.ones(len(copies)), upper=upper)
    assert same.thresholds.tolist() == curve.thresholds.tolist()
    assert same.hits.tolist() == curve.hits.tolist()


def test_recall_and_costs_by_hand() -> None:
    X = np.arange(10.0)[:, None]
    y = np.array([0, 0, 0, 1, 0, 0, 1, 0, 1, 1])
    model = wl.GradientBoostingClassifier(n_estimators=1, learning_rate=1.0).fit(X, X[:, 0] > 4)
    F = np.array([float(x) for x in X[:, 0]])
    curve = _Curve.of(F, y == 1, np.ones(10), upper=True)
    at = {by: curve.thresholds[curve.chosen(by, (1.0, 4.0), 1.0, 1)] for by in BY}
    assert at["recall"] == 2.5  # all four, with three false alarms
    assert at["precision"] == 7.5  # 8 and 9 alone are all right
    assert at["cost"] == 2.5  # three false alarms, where a miss costs four
    assert at["accuracy"] in (5.5, 7.5)
    assert model.threshold_ is None


@pytest.mark.parametrize("by", BY)
def test_weights_are_copies_and_rows_of_weight_0_are_none(by: str) -> None:
    """A threshold lay halfway to the score of a row of weight 0, and such rows were counted."""
    X, y = rare()
    model = wl.GradientBoostingClassifier(n_estimators=8).fit(X[:200], y[:200])
    weight = np.random.default_rng(1).integers(0, 3, 400)
    order = np.repeat(np.arange(200, 600), weight)
    for positive in ("ill", "well"):
        how = {"by": by, "positive": positive, "least": 0.25}
        weighed = model.tune_threshold(X[200:], y[200:], sample_weight=weight, **how)
        copied = model.tune_threshold(X[order], y[order], **how)
        assert weighed.n_rows == np.count_nonzero(weight)
        assert replace(weighed, n_rows=len(order)) == copied


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_the_predicted_label_is_in_its_set(model: Any) -> None:
    """Sets are of scores, and left out the label that a threshold gave."""
    X, y = rare()
    model.fit(X[:200], y[:200]).conformalize(X[200:400], y[200:400])
    before = model.predict_set(X[400:], alpha=0.2).matrix
    for threshold in np.quantile(model._binary_scores(X), [0.02, 0.9]).tolist():
        sets = model.set_threshold(threshold).predict_set(X[400:], alpha=0.2)
        assert sets.covers(model.predict(X[400:])).all()
        assert (sets.matrix >= before).all()


def test_what_is_wrong_is_told() -> None:
    X, y = rare()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[:300], y[:300])
    with pytest.raises(ValueError, match="in training, and a threshold is chosen on others"):
        model.tune_threshold(X[:300], y[:300])
    assert model.tune_threshold(X[:300], y[:300], seen="keep").n_rows == 300
    for wrong, words in (
        ({"by": "luck"}, "by='luck' is not allowed"),
        ({"positive": "sick"}, "positive='sick' is not allowed: the classes are 'ill' and 'well'"),
        ({"costs": (0, 0)}, "one of them must be above 0"),
        ({"costs": 3}, "it must be two numbers"),
        ({"least": 1.5}, "least=1.5 is not allowed"),
    ):
        with pytest.raises(ValueError, match=words):
            model.tune_threshold(X[300:], y[300:], **wrong)
    mixed = np.where(model.decision_function(X) == model.decision_function(X).min(), "well", "ill")
    with pytest.raises(ValueError, match="no threshold has a precision of 1 for ill: the best one"):
        model.tune_threshold(X[300:], mixed[300:], by="precision", positive="ill", least=1.0)
    with pytest.raises(ValueError, match="y holds one class only"):
        model.tune_threshold(X[300:305], ["well"] * 5)
    three = wl.AdaBoostClassifier(n_estimators=3).fit(X, np.arange(600) % 3)
    with pytest.raises(ValueError, match="tells two classes apart, and the model has 3"):
        three.tune_threshold(X, np.arange(600) % 3)
    with pytest.raises(ValueError, match="threshold=inf is not allowed"):
        model.set_threshold(np.inf)


def test_a_truncated_model_has_no_threshold_of_the_whole() -> None:
    X, y = rare()
    model = wl.AdaBoostClassifier(n_estimators=5).fit(X[:300], y[:300])
    model.tune_threshold(X[300:], y[300:], by="recall", positive="ill")
    with pytest.warns(wl.DataWarning, match="truncate forgets the threshold"):
        assert model.truncate(2).threshold_ is None


def test_exports_hold_no_threshold() -> None:
    X, y = rare()
    model = wl.AdaBoostClassifier(n_estimators=2).fit(X, y).set_threshold(0.25)
    with pytest.raises(ValueError, match=r"compare its scores, of well, with 0\.25"):
        model.to_c()
    assert "double" in model.set_threshold(None).to_c()


@pytest.mark.parametrize(
    "model",
    [*MODELS, wl.AdditiveBoostingClassifier(n_estimators=5)],
    ids=lambda m: type(m).__name__,
)
def test_either_class_is_explained(model: Any) -> None:
    X, y = rare()
    model.fit(X, y)
    by_default, first = model.explain(X[:9]), model.explain(X[:9], positive="ill")
    assert by_default.scores.tolist() == model.explain(X[:9], positive="well").scores.tolist()
    assert first.scores.tolist() == by_default.of("ill").scores.tolist()
    with pytest.raises(ValueError, match="positive='sick' is not allowed"):
        model.explain(X[:9], positive="sick")


def test_certificates_say_whose_errors_they_count() -> None:
    X, y = rare()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[:300], y[:300])
    assert "threshold" not in model.certify(X[:300], y[:300]).note
    assert model.certify().note == ""
    model.tune_threshold(X[300:450], y[300:450], by="recall", positive="ill")
    for found in (model.certify(X[:300], y[:300]), model.certify()):  # rows, or the record alone
        assert "of the threshold that the model was given" in found.note


def test_rows_that_a_threshold_was_chosen_on_certify_nothing(tmp_path: Path) -> None:
    X, y = rare()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[:300], y[:300])
    model.tune_threshold(X[300:450], y[300:450], by="accuracy")
    model.save(tmp_path / "model.weak")
    model.save(tmp_path / "nothing_of_rows.weak", profile=False)
    for known in (model, wl.load(tmp_path / "model.weak")):
        with pytest.warns(match="150 of 300 rows .* or when the threshold was chosen"):
            found = known.certify(X_test=X[300:], y_test=y[300:])
        assert true_of(found) == {"test-new"}
        assert true_of(known.certify(X_test=X[450:], y_test=y[450:])) == {"test-exact", "test-set"}
        known.set_threshold(None)  # the model's own rule saw none of them
        assert "test-exact" in true_of(known.certify(X_test=X[300:], y_test=y[300:]))
    assert wl.load(tmp_path / "nothing_of_rows.weak")._decision.rows is None


def true_of(certificates: Any) -> set[str]:
    """The certificates of test rows that apply."""
    return {each.id for each in certificates if each.applies and each.id.startswith("test")}


@pytest.mark.parametrize(
    "model",
    [
        wl.AdaBoostClassifier(n_estimators=5, calibrate="platt"),
        wl.GradientBoostingClassifier(n_estimators=5),
        wl.GradientBoostingClassifier(n_estimators=5, loss="exponential"),
        wl.AdditiveBoostingClassifier(n_estimators=5, n_bags=2, n_pairs=0),
        wl.RandomForestClassifier(n_estimators=5),
        wl.DecisionTreeClassifier(max_depth=2),
    ],
    ids=str,
)
@pytest.mark.parametrize("code", [0, 1])
def test_a_threshold_is_told_everywhere_as_a_probability(
    model: Any, code: int, tmp_path: Path
) -> None:
    X, y = rare()
    model.fit(X, y)
    scores = model._binary_scores(X)
    row = int(np.argsort(scores)[len(X) // 2])
    p = model.predict_proba(X)[row]
    assert model._probability_at(scores[row]) == pytest.approx(p[1], abs=1e-12)
    label = model.classes_[code]
    score = float(scores[row])
    model.set_threshold(score, positive=label)
    edge = f"above probability {p[1]:.4g}" if code else f"from probability {p[0]:.4g} on"
    side = f"score of {model.classes_[1]} is {'above' if code else 'at most'} {score:.6g}"
    words = f"{label} {edge} ({side})"
    assert threshold_words(model) == words
    assert model.card().to_dict()["model"]["threshold"] == words
    assert Service(model).described()["threshold"] == words
    path = tmp_path / "m.weak"
    model.save(path)
    assert (wl.inspect(path).positive, wl.inspect(path).threshold) == (label, score)
    small = f"{label} where the {side}"
    assert small in str(wl.inspect(path))
    assert threshold_words(runtime.load(path)) == small
    assert threshold_words(model.set_threshold(None)) is None


def test_what_forgets_a_threshold_says_so() -> None:
    X, y = rare()
    base = wl.GradientBoostingClassifier(n_estimators=5).fit(X, y)
    ways = {
        "truncate": lambda model: model.truncate(2),
        "update": lambda model: model.update(X, y, n_estimators=1),
        "refit": lambda model: model.refit(X, y),
        "merge": lambda model: wl.merge([model, base]),
    }
    for name, way in ways.items():
        model = wl.GradientBoostingClassifier(n_estimators=5).fit(X, y)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            way(model)
        with pytest.warns(wl.DataWarning, match=f"{name} forgets the threshold") as caught:
            assert way(model.set_threshold(-1.0)).threshold_ is None
        assert len(caught) == 1


def test_the_class_that_is_spoken_of_outlives_changes_of_the_scores() -> None:
    X, y = rare()
    base = wl.GradientBoostingClassifier(n_estimators=5).fit(X, y)
    model = wl.GradientBoostingClassifier(n_estimators=5).fit(X, y)
    model.set_threshold(None, positive="ill")
    for other in (
        model.truncate(2),
        wl.merge([base, model]),
        model.update(X, y, n_estimators=1),
        model.refit(X, y),
    ):
        assert (other._positive, other.explain(X[:2]).scale) == (0, "log-odds of ill")
    assert model.fit(X, y)._positive is None


@pytest.mark.parametrize(
    "model",
    [
        *MODELS,
        wl.AdditiveBoostingClassifier(n_estimators=5),
        wl.StrongClassifier(parts=["gradient", "glass_box"]),
    ],
    ids=lambda m: type(m).__name__,
)
def test_one_model_speaks_of_one_class(model: Any, tmp_path: Path) -> None:
    X, y = rare()
    model.fit(X, y)
    upper = model.explain(X[:9])
    model.set_threshold(0.25, positive="ill").save(tmp_path / "m.weak")
    known = wl.load(tmp_path / "m.weak")
    for each in (model, known):
        why = each.explain(X[:9])
        assert why.scale.endswith(" of ill")
        assert why.scores.tolist() == upper.of("ill").scores.tolist()
        assert each.explain(X[:9], positive="well").scores.tolist() == upper.scores.tolist()
        assert "ill" in str(threshold_words(each)).split()[0]
        assert each.card().to_dict()["model"]["positive_class"] == "ill"
        assert Service(each).described()["positive_class"] == "ill"
    assert str(threshold_words(runtime.load(tmp_path / "m.weak"))).startswith("ill where")
    assert "ill where the score of well is at most 0.25" in str(wl.inspect(tmp_path / "m.weak"))


def test_a_blend_ignores_the_class_that_one_of_its_models_speaks_of() -> None:
    X, y = rare()
    model = wl.StrongClassifier(parts=["gradient", "glass_box"]).fit(X, y)
    before = model.explain(X[:9])
    model.estimators_[0].set_threshold(None, positive="ill")
    assert model.explain(X[:9]).contributions.tolist() == before.contributions.tolist()


def test_a_threshold_names_the_class_of_its_score() -> None:
    X, y = rare()
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[:300], y[:300])
    found = model.tune_threshold(X[300:], y[300:], by="recall", positive="ill")
    assert found.scored == "well"
    assert f"threshold {found.score:.6g} of the score of well, by recall" in str(found)
    with pytest.raises(ValueError, match="compare its scores, of well, with"):
        model.to_c()


@pytest.mark.parametrize("positive", ["ill", "well"])
def test_a_threshold_from_few_rows_of_a_class_warns(positive: str) -> None:
    X, y = rare(2000)
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[:300], y[:300])
    ill, well = (np.flatnonzero(y[300:] == label) + 300 for label in ("ill", "well"))
    rows = np.r_[ill[:15], well[:200]]
    with pytest.warns(wl.DataWarning, match="rests on 15 rows of 'ill', of which") as caught:
        model.tune_threshold(X[rows], y[rows], by="recall", least=0.9, positive=positive)
    right = int((model.predict(X[ill[:15]]) == "ill").sum())
    low, high = (f(right, 15, 0.025) for f in (bounds.binomial_lower, bounds.binomial_upper))
    assert f"which {right} are" in str(caught[0].message)
    assert f"may be {100 * low:.0f} % to {100 * high:.0f} %" in str(caught[0].message)
    enough = np.r_[ill[:30], well[:200]]
    weights = np.where(y[rows] == "ill", 2.0, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.tune_threshold(X[enough], y[enough], positive=positive)
        model.tune_threshold(X[rows], y[rows], sample_weight=weights, positive=positive)
    with pytest.warns(wl.DataWarning, match="rests on 15 rows"):
        model.tune_threshold(X[rows], y[rows], sample_weight=weights / 4)


def test_a_warning_that_is_an_error_leaves_the_threshold() -> None:
    X, y = rare(2000)
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[:300], y[:300]).set_threshold(0.25)
    ill, well = (np.flatnonzero(y[300:] == label) + 300 for label in ("ill", "well"))
    few = np.r_[ill[:15], well[:200]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(wl.DataWarning, match="rests on 15 rows"):
            model.tune_threshold(X[few], y[few], by="recall")
    assert model._threshold == 0.25


def test_a_reduction_explains_the_class_that_it_speaks_of() -> None:
    X, y = rare()
    model = wl.OneVsRestBooster(wl.AdaBoostClassifier(n_estimators=3)).fit(X, y)
    before = model.explain(X[:5])
    name_positive(model, "ill")  # as the command line does
    assert (before.scale, model.explain(X[:5]).scale) == ("score of well", "score of ill")
    assert model.explain(X[:5], positive="well").scores.tolist() == before.scores.tolist()
