"""Certificates of margins and losses hold where they apply, and say why where they do not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

from tests.boosters.binary import noisy
from weaklearn import (
    AdaBoostStarClassifier,
    ArcGVClassifier,
    BoostingWarning,
    CoordinateBoostClassifier,
    DataWarning,
    datasets,
)
from weaklearn.theory import bounds
from weaklearn.theory.certificates import margin

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3, float), np.array([0, 1, 1, 0] * 3)
MODELS = [
    AdaBoostStarClassifier(nu=0.5, n_estimators=30),
    AdaBoostStarClassifier(nu=0.3, n_estimators=15, learning_rate=0.5),
    ArcGVClassifier(n_estimators=40),
    CoordinateBoostClassifier(n_estimators=10),
    CoordinateBoostClassifier(n_estimators=10, loss="logistic", selection="cyclic"),
    CoordinateBoostClassifier(n_estimators=10, radius=2.0),
    CoordinateBoostClassifier(n_estimators=10, radius=0.5, loss="log_loss", step="schedule"),
]


def fitted(model: Any, *given: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", (BoostingWarning, DataWarning))
        return clone(model).fit(*given)


def by_id(certificates: Any) -> dict[str, Any]:
    return {found.id: found for found in certificates}


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(MODELS), st.sampled_from([None, "whole", "real"]))
def test_what_applies_holds(seed: int, model: Any, weights: str | None) -> None:
    X, y = noisy(seed)
    rng = np.random.default_rng(seed)
    w = {"whole": rng.integers(1, 5, 12), "real": rng.random(12) + 0.01}.get(weights or "")
    model = fitted(model, X, y, w)
    for found in (model.certify(X, y, sample_weight=w), model.certify()):
        assert all(certificate.holds is not False for certificate in found), found
    other = model.certify(X + 1, y, sample_weight=w)
    assert not any(certificate.applies for certificate in other)


def test_the_ten_points_have_their_value_in_the_certificate() -> None:
    X, y = datasets.toy()
    star = AdaBoostStarClassifier(nu=0.1, n_estimators=bounds.nu_star_rounds(10, 0.1)).fit(X, y)
    found = by_id(star.certify(X, y))
    short = found["star-margin"]
    assert (short.bound, short.holds, short.vacuous) == (0.1, True, False)
    gap = star.history_["r"].min() - star.margins(X, y).min()
    assert short.observed == pytest.approx(gap)
    assert found["margin-best"].bound == pytest.approx(1 / 3)
    assert found["margin-best"].observed == pytest.approx(star.margins(X, y).min())
    alone = by_id(star.certify())
    assert alone["star-margin"].observed == pytest.approx(gap)
    assert "pass the training rows" in alone["margin-best"].note
    arc = by_id(ArcGVClassifier(n_estimators=300).fit(X, y).certify(X, y))
    assert arc["margin-best"].bound == pytest.approx(1 / 3)


def test_the_promise_is_not_given_before_its_rounds_nor_for_other_votes() -> None:
    X, y = datasets.toy()
    early = AdaBoostStarClassifier(n_estimators=50).fit(X, y).certify(X, y)[0]
    assert early.note == ("does not apply: it is about 461 rounds or more, and 50 were run")
    shrunk = AdaBoostStarClassifier(n_estimators=500, learning_rate=0.9).fit(X, y)
    assert "a learning rate was set" in shrunk.certify(X, y)[0].note
    weighted = AdaBoostStarClassifier(nu=0.5, n_estimators=19).fit(X, y, np.arange(1, 11) / 7)
    assert "pass the training rows" in weighted.certify()[0].note
    told = weighted.certify(X, y, sample_weight=np.arange(1, 11) / 7)[0].note
    assert (
        f"it is about {bounds.nu_star_rounds(55, 0.5)} rounds" in told
    )  # the lightest is one in 55


def test_one_rule_without_error_has_every_margin() -> None:
    X, y = [[0.0], [1.0], [2.0]], [0, 0, 1]
    for model in MODELS[:3]:
        found = by_id(fitted(model, X, y).certify(X, y))
        assert found["margin-best"].bound == pytest.approx(1)
        assert found["margin-dist"].bound == 0
    short = AdaBoostStarClassifier().fit(X, y).certify(X, y)[0]
    assert (short.observed, short.bound) == (0.0, 0.1)
    assert CoordinateBoostClassifier().fit(X, y).certify(X, y)[0].bound == 0


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_nothing_learnt_certifies_nothing(model: Any) -> None:
    found = fitted(model, *XOR).certify(*XOR)
    assert {c.note for c in found} == {"does not apply: no hypothesis was kept"}


def test_a_program_too_large_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = datasets.toy()
    model = ArcGVClassifier(n_estimators=20).fit(X, y)
    for name in ("_MOST_ANSWERS", "_MOST_CELLS"):
        monkeypatch.setattr(margin, name, 5)
        assert "too large" in model.certify(X, y)[0].note
        monkeypatch.undo()
    assert model.certify(X, y)[0].holds


def test_a_ball_tells_its_gap_and_its_norm() -> None:
    X, y = datasets.toy()
    model = CoordinateBoostClassifier(radius=1.5, n_estimators=30).fit(X, y)
    found = by_id(model.certify(X, y))
    last = model.history_.last()
    assert found["ball-gap"].bound == last["gap"]
    assert f"between {last['loss_bound']:.6g} and {last['loss']:.6g}" in found["ball-gap"].verdict
    assert found["ball-norm"].observed == pytest.approx(np.abs(model.estimator_weights_).sum())
    assert found["ball-norm"].bound == 1.5
    assert found["loss-train"].bound == last["loss"]


def test_more_classes_have_no_such_theorem() -> None:
    X, y = np.arange(9.0)[:, None], [0, 0, 0, 1, 1, 1, 2, 2, 2]
    for model in (MODELS[0], MODELS[2], MODELS[3]):
        found = fitted(model, X, y).certify(X, y)
        assert not any(certificate.applies for certificate in found.training)
