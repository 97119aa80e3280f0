"""ROC curves, calibration and confusion of classifiers, by numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import (
    average_precision_score,
    brier_score_loss,
    confusion_matrix,
    precision_score,
    recall_score,
    roc_auc_score,
    roc_curve,
)

import weaklearn as wl
from tests import forms
from weaklearn.show.data.classification import (
    CalibrationCurve,
    Confusion,
    PrecisionRecallCurve,
    RocCurve,
    ThresholdCounts,
    binned,
    mean_area,
    roc_curves,
)
from weaklearn.show.data.rows import EvaluatedRows


@pytest.fixture(scope="module")
def two() -> EvaluatedRows:
    X, y, _ = forms.sample()
    return EvaluatedRows(wl.AdaBoostClassifier(n_estimators=3).fit(X, y), X, y)


@pytest.fixture(scope="module")
def three() -> EvaluatedRows:
    X, _, y = forms.sample()
    return EvaluatedRows(wl.RandomForestClassifier(3, max_depth=2, random_state=0).fit(X, y), X, y)


def test_the_curve_and_its_area_are_scikit_learns() -> None:
    rng = np.random.default_rng(4)
    for digits in (1, 6):
        positive = rng.random(300) < 0.3
        scores = np.round(rng.normal(size=300) + positive, digits)
        curve = RocCurve.from_scores(positive, scores)
        assert curve.area == pytest.approx(roc_auc_score(positive, scores), abs=1e-12)
        fpr, tpr, thresholds = roc_curve(positive, scores, drop_intermediate=False)
        assert np.array_equal([curve.fpr, curve.tpr, curve.thresholds], [fpr, tpr, thresholds])
        across, up = curve.thinned(20)
        assert len(across) <= 20
        assert np.array_equal(curve.tpr_at(across[1:-1]) >= up[1:-1], np.ones(len(up) - 2, bool))


@pytest.mark.parametrize("weighted", [False, True])
def test_the_average_precision_is_scikit_learns(weighted: bool) -> None:
    rng = np.random.default_rng(5)
    for digits in (1, 6):
        positive = rng.random(300) < 0.1
        scores = np.round(rng.normal(size=300) + positive, digits)
        w = rng.integers(1, 4, 300).astype(float) if weighted else None
        curve = PrecisionRecallCurve.from_scores(positive, scores, w)
        wanted = average_precision_score(positive, scores, sample_weight=w)
        assert curve.average == pytest.approx(wanted, abs=1e-12)
        area = RocCurve.from_scores(positive, scores, w).area
        assert area == pytest.approx(roc_auc_score(positive, scores, sample_weight=w), abs=1e-12)
        other = PrecisionRecallCurve.from_scores(~positive, -scores, w)
        assert other.share == pytest.approx(1 - curve.share)
        assert curve.precision_at(np.array([0.0]))[0] == curve.precision[0]
        assert len(curve.thinned(20)[0]) <= 20


@pytest.mark.parametrize("kind", [PrecisionRecallCurve, RocCurve])
def test_rows_of_no_weight_are_no_rows(kind: Any) -> None:
    rng = np.random.default_rng(5)
    scores = rng.normal(size=60)
    positive, w = rng.random(60) < 0.4, (np.arange(60) % 3).astype(float)
    w[scores.argmax()] = 0
    kept = w > 0
    ours, wanted = (
        kind.from_scores(positive, scores, w),
        kind.from_scores(positive[kept], scores[kept], w[kept]),
    )
    for name, values in vars(wanted).items():
        assert np.array_equal(getattr(ours, name), values), name


def test_every_class_has_a_curve_against_the_others(two: Any, three: Any) -> None:
    assert list(roc_curves(two)) == [1]
    positive = two.y == two.model.classes_[1]
    assert mean_area(two) == pytest.approx(roc_auc_score(positive, two.scores[:, 0]))
    assert list(roc_curves(three)) == [0, 1, 2]
    wanted = roc_auc_score(three.y, three.model.predict_proba(three.X), multi_class="ovr")
    assert mean_area(three) == pytest.approx(wanted)


def test_bins_hold_all_rows_and_equal_probabilities_together() -> None:
    rng = np.random.default_rng(5)
    p = np.round(rng.random(500), 1)
    hit = (rng.random(500) < p).astype(float)
    bins = binned(p, hit)
    assert sum(each.n for each in bins) == 500
    assert sum(each.n * each.true for each in bins) == pytest.approx(hit.sum())
    assert len({each.predicted for each in bins}) == len(bins)
    assert binned(p[:0], hit[:0]) == []


def test_the_brier_score_is_scikit_learns(two: Any) -> None:
    found = CalibrationCurve.from_rows(two)
    assert found is not None
    p = two.model.predict_proba(two.X)[:, 1]
    assert found.brier == pytest.approx(brier_score_loss(two.y == two.model.classes_[1], p))
    gaps = [each.n * abs(each.predicted - each.true) for each in found.bins]
    assert found.mean_gap == pytest.approx(sum(gaps) / sum(each.n for each in found.bins))


def test_the_confusion_matrix_is_scikit_learns(three: Any) -> None:
    found = Confusion.from_rows(three)
    predictions = three.model.predict(three.X)
    assert np.array_equal(found.counts, confusion_matrix(three.y, predictions))
    assert found.n_unknown == 0
    recall = recall_score(three.y, predictions, average=None)
    precision = precision_score(three.y, predictions, average=None)
    assert [found.recall(k) for k in range(3)] == pytest.approx(recall)
    assert [found.precision(k) for k in range(3)] == pytest.approx(precision)
    pairs = found.most_confused(99)
    assert sum(n for *_, n in pairs) == int((predictions != three.y).sum())
    assert [n for *_, n in pairs] == sorted((n for *_, n in pairs), reverse=True)


def test_classes_that_training_did_not_have_are_counted_apart(three: Any) -> None:
    y = np.where(np.arange(len(three.y)) < 4, 77, three.y)
    found = Confusion.from_rows(EvaluatedRows(three.model, three.X, y))
    assert found.n_unknown == 4
    assert found.counts.sum() == len(y) - 4


def test_a_class_that_never_occurs_has_neither_recall_nor_precision() -> None:
    found = Confusion(np.array([[3, 0], [0, 0]]), 0)
    assert (found.recall(0), found.precision(0)) == (1.0, 1.0)
    assert (found.recall(1), found.precision(1)) == (None, None)


def test_counts_at_thresholds_are_those_of_the_rows_above(two: Any) -> None:
    found = ThresholdCounts.from_rows(two, 11)
    assert found is not None
    positive, p = two.y == two.model.classes_[1], two.model.predict_proba(two.X)[:, 1]
    for threshold, counts in zip(found.thresholds, found.counts, strict=True):
        assert np.array_equal(counts, confusion_matrix(positive, p > threshold).ravel())
    assert found.accuracy[5] == pytest.approx(np.mean((p > 0.5) == positive))
    fpr, tpr = found.rates
    assert fpr[0] <= 1 >= tpr[0]
    assert (fpr[-1], tpr[-1]) == (0, 0)
