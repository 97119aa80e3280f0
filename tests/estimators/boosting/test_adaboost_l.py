"""AdaBoostLClassifier with what is known before."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

import weaklearn
from weaklearn import AdaBoostClassifier, AdaBoostLClassifier, BoostingWarning
from weaklearn.base import Stop
from weaklearn.files.error import Flaw
from weaklearn.files.votes import FOREKNOWN
from weaklearn.persistence.kept_boosting import unpack_prior


def rows(m: int = 200, seed: int = 0) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 3))
    score = X[:, 0] + X[:, 1] + 0.4 * rng.normal(size=m)
    return X, np.where(score > 0, "yes", "no"), np.digitize(score, [-0.6, 0.6])


def half(X: Any) -> Any:
    """What is known: the first column counts."""
    return 1 / (1 + np.exp(-np.asarray(X)[:, 0]))


def thirds(X: Any) -> Any:
    p = np.exp(np.outer(np.asarray(X)[:, 0], [-1.0, 0.0, 1.0]))
    return p / p.sum(axis=1, keepdims=True)


def test_without_rounds_the_model_is_its_prior() -> None:
    X, y, three = rows()
    constant = np.zeros((len(y), 2))  # nothing can be learnt from it, where y is even
    even = np.array(["no", "yes"] * 100)
    for prior in (lambda X: np.full(len(X), 0.5), lambda X: np.full((len(X), 2), 0.5)):
        with (
            pytest.warns(weaklearn.DataWarning, match="constant"),
            pytest.warns(BoostingWarning, match="the model answers as the prior does"),
        ):
            model = AdaBoostLClassifier(prior=prior).fit(constant, even)
        assert (model.n_iter_, model.stop_reason_) == (0, Stop.NO_EDGE)
        assert model.predict_proba(constant) == pytest.approx(np.full((len(y), 2), 0.5))
    told = AdaBoostLClassifier(prior=half, n_estimators=1).fit(X, y)
    told.ensemble_ = told.ensemble_.staged(0)
    assert told.predict_proba(X)[:, 1] == pytest.approx(half(X))
    many = AdaBoostLClassifier(prior=thirds, n_estimators=1).fit(X, three)
    many.ensemble_ = many.ensemble_.staged(0)
    assert many.predict_proba(X) == pytest.approx(thirds(X))
    assert list(many.staged_predict_proba(X)) == []


def test_a_strong_prior_stays_and_a_weak_one_gives_way() -> None:
    X, y, _ = rows()
    plain = AdaBoostLClassifier(n_estimators=40).fit(X, y)
    strong = AdaBoostLClassifier(n_estimators=40, prior=half, prior_strength=1000.0).fit(X, y)
    weak = AdaBoostLClassifier(n_estimators=40, prior=half, prior_strength=0.0).fit(X, y)
    assert strong.predict_proba(X)[:, 1] == pytest.approx(half(X), abs=0.01)
    assert weak.score(X, y) == pytest.approx(plain.score(X, y), abs=0.05)
    assert (np.diff(weak.history_["loss"]) < 0).all()
    assert (np.diff(strong.history_["loss"]) <= 0).all()


def test_a_prior_helps_where_examples_are_few() -> None:
    X, y, _ = rows(20, 1)
    X_test, y_test, _ = rows(2000, 2)

    def known(X: Any) -> Any:
        return 1 / (1 + np.exp(-(X[:, 0] + X[:, 1])))

    plain = AdaBoostLClassifier(n_estimators=30).fit(X, y)
    told = AdaBoostLClassifier(n_estimators=30, prior=known, prior_strength=3.0).fit(X, y)
    assert told.score(X_test, y_test) > plain.score(X_test, y_test) + 0.05


def test_a_classifier_as_prior_is_asked_by_its_labels() -> None:
    X, y, three = rows()
    before = LogisticRegression().fit(X[:, :1], y)

    class First(LogisticRegression):
        """Knows the first column alone, and its classes in another order."""

        def fit(self, X: Any, y: Any) -> Any:
            super().fit(X[:, :1], y)
            self.classes_, self._order = self.classes_[::-1], [1, 0]
            return self

        def predict_proba(self, X: Any) -> Any:
            return before.predict_proba(X[:, :1])[:, ::-1]

    model = AdaBoostLClassifier(prior=First().fit(X, y), n_estimators=1).fit(X, y)
    F0 = model.ensemble_.staged(0)(model._rows(X))
    assert F0 == pytest.approx(before.decision_function(X[:, :1]))
    two = AdaBoostClassifier(n_estimators=3).fit(X[three < 2], three[three < 2])
    with pytest.warns(BoostingWarning, match="exactly 0 or 1 for 200 of 200 rows"):
        some = AdaBoostLClassifier(prior=two, n_estimators=5).fit(X, three)  # it knows no class 2
    assert (some.predict_proba(X[three == 2])[:, 2]).max() < 0.9
    assert some.classes_.tolist() == [0, 1, 2]


def test_what_is_fitted_is_not_fitted_again() -> None:
    X, y, _ = rows()
    prior = LogisticRegression().fit(X, y)
    model = clone(AdaBoostLClassifier(prior=prior, n_estimators=5))
    assert model.prior is prior
    assert model.fit(X, y).score(X, y) > 0.8
    assert cross_val_score(model, X, y, cv=3).mean() > 0.8
    assert AdaBoostLClassifier(prior=prior, calibrate="slope", n_estimators=5).fit(X, y)
    early = AdaBoostLClassifier(prior=prior, n_estimators=5, early_stopping=True).fit(X, y)
    assert len(early.validation_scores_) >= 1
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict_proba(X) == model.predict_proba(X)).all()


@pytest.mark.parametrize("which", [1, 2])
def test_files_keep_a_prior_of_this_library(which: int, tmp_path: Path) -> None:
    data = rows()
    X, y = pd.DataFrame(data[0], columns=["a", "b", "c"]), data[which]
    prior = AdaBoostClassifier(n_estimators=4, multiclass="ovr").fit(X, y)
    model = AdaBoostLClassifier(prior=prior, prior_strength=0.5, n_estimators=4).fit(X, y)
    model.save(tmp_path / "m.weak")
    again = weaklearn.load(tmp_path / "m.weak")
    assert (again.predict_proba(X) == model.predict_proba(X)).all()
    assert again.fingerprint() == model.fingerprint()
    assert bool(weaklearn.verify(again, X, y))
    assert [p.tolist() for p in again.staged_predict(X)] == [
        p.tolist() for p in model.staged_predict(X)
    ]
    function = AdaBoostLClassifier(prior=lambda X: np.full((len(X), which + 1), 1 / (which + 1)))
    with pytest.raises(ValueError, match="function"):
        function.fit(X, y).save(tmp_path / "no.weak")


def test_warm_start_goes_on_from_the_prior() -> None:
    X, y, _ = rows()
    straight = AdaBoostLClassifier(prior=half, n_estimators=8).fit(X, y)
    halves = AdaBoostLClassifier(prior=half, n_estimators=3, warm_start=True).fit(X, y)
    halves.set_params(n_estimators=8).fit(X, y)
    assert halves.decision_function(X).tobytes() == straight.decision_function(X).tobytes()
    staged = list(straight.staged_decision_function(X))
    assert staged[-1].tobytes() == straight.decision_function(X).tobytes()


def test_certificates_and_margins() -> None:
    X, y, three = rows()
    for prior in (None, half):
        model = AdaBoostLClassifier(prior=prior, n_estimators=10).fit(X, y)
        certificates = model.certify(X, y).training
        assert [c.id for c in certificates] == ["logistic-train", "logistic-descent"]
        assert all(c.holds for c in certificates)
        assert np.abs(model.margins(X, y)).max() <= 1
    perfect = AdaBoostLClassifier().fit(X, X[:, 0] > 0)
    first, second = perfect.certify(X, X[:, 0] > 0).training
    assert first.holds
    assert "stands alone" in second.note
    many = AdaBoostLClassifier(prior=thirds, n_estimators=3).fit(X, three)
    assert not many.certify(X, three)[0].applies


@pytest.mark.parametrize(
    ("prior", "error", "words"),
    [
        (3, TypeError, "prior=3 is not allowed: it must be a function from X to probabilities"),
        (LogisticRegression, TypeError, "prior=.* is not allowed"),
        (lambda X: np.full(len(X), 1.5), ValueError, r"prior gave 1\.5 in row 0; a probability"),
        (lambda X: np.full(len(X), np.nan), ValueError, "prior gave nan in row 0"),
        (lambda X: np.zeros((len(X), 3)), ValueError, r"shape \(200, 3\) for 200 rows"),
        (lambda X: [0.5], ValueError, r"shape \(1,\) for 200 rows"),
        (lambda X: ["a"] * len(X), TypeError, "no array of numbers"),
        (LogisticRegression(), NotFittedError, "not fitted"),
    ],
)
def test_priors_that_are_none(prior: Any, error: type[Exception], words: str) -> None:
    X, y, _ = rows()
    with pytest.raises(error, match=words):
        AdaBoostLClassifier(prior=prior).fit(X, y)


def test_impossible_parameters() -> None:
    X, y, three = rows()
    other = AdaBoostClassifier(n_estimators=1).fit(X, three > 0)
    words = r"of the classes \[False, True\], and the classes here are \['no', 'yes'\]"
    with pytest.raises(ValueError, match=words):
        AdaBoostLClassifier(prior=other).fit(X, y)
    for strength in (-1, float("inf"), float("nan")):
        with pytest.raises(ValueError, match=r"prior_strength=.* is not allowed: it must be"):
            AdaBoostLClassifier(prior_strength=strength).fit(X, y)
    with pytest.raises(ValueError, match="prior is given and multiclass='pairs'"):
        AdaBoostLClassifier(prior=thirds, multiclass="pairs").fit(X, three)
    pairs = AdaBoostLClassifier(multiclass="pairs", n_estimators=3).fit(X, three)
    assert pairs.score(X, three) > 0.6


def test_one_class_needs_no_prior() -> None:
    with pytest.warns(weaklearn.DataWarning, match="one class"):
        model = AdaBoostLClassifier(prior=half).fit(np.zeros((3, 1)), ["a"] * 3)
    assert model.predict_proba(np.ones((2, 1))).tolist() == [[1.0], [1.0]]


def test_nothing_learnt_warns(recwarn: Any) -> None:
    AdaBoostLClassifier(n_estimators=2).fit(*rows()[:2])
    assert not [w for w in recwarn.list if issubclass(w.category, BoostingWarning)]


def test_a_vote_in_a_file_must_have_its_prior() -> None:
    X, y, _ = rows()
    model = AdaBoostLClassifier(prior=half, n_estimators=2).fit(X, y)
    fields = FOREKNOWN.take(model.ensemble_)
    state = {"ensemble_": FOREKNOWN.make(fields), "classes_": model.classes_}
    with pytest.raises(Flaw, match="a vote lacks its prior"):
        unpack_prior(AdaBoostLClassifier(), state)
    plain = AdaBoostLClassifier(n_estimators=2).fit(X, y).ensemble_
    with pytest.raises(Flaw, match="a vote lacks its prior"):
        unpack_prior(AdaBoostLClassifier(prior=half), state | {"ensemble_": plain})
    beyond = FOREKNOWN.make([2, *fields[1:]])
    with pytest.raises(Flaw, match="a prior is of class 2, which is none"):
        unpack_prior(AdaBoostLClassifier(prior=half), state | {"ensemble_": beyond})
    for wrong in ([-1, *fields[1:]], [1, -1.0, *fields[2:]], [1, float("nan"), *fields[2:]], [1]):
        with pytest.raises(Flaw):
            FOREKNOWN.make(wrong)
    unpack_prior(again := AdaBoostLClassifier(prior=half), state)
    assert again.ensemble_(model._rows(X)).tobytes() == model.decision_function(X).tobytes()


def test_rules_tell_of_the_prior() -> None:
    X, y, three = rows()
    words = "before the rules the score is the log-odds of the prior, "
    assert AdaBoostLClassifier(prior=half, n_estimators=3).fit(X, y).rules().note == words + "half"
    many = AdaBoostLClassifier(prior=thirds, n_estimators=3).fit(X, three)
    assert many.rules().note == words + "thirds"
    fitted = AdaBoostLClassifier(prior=LogisticRegression().fit(X, y), n_estimators=3).fit(X, y)
    assert fitted.rules().note == words + "LogisticRegression"
    assert AdaBoostLClassifier(n_estimators=3).fit(X, y).rules().note == ""


def test_a_prior_that_is_certain_is_held_and_warned_of() -> None:
    X, y, _ = rows()

    def certain(X: Any) -> Any:
        return np.where(X[:, 0] > 1, 1.0, 0.4)

    n = int((X[:, 0] > 1).sum())
    with pytest.warns(BoostingWarning, match=rf"exactly 0 or 1 for {n} of 200 rows.*within 1e-6"):
        model = AdaBoostLClassifier(prior=certain, n_estimators=3, prior_strength=0.0).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()


def test_a_prior_that_fails_says_that_it_is_the_prior() -> None:
    X, y, _ = rows()

    def first(X: Any) -> Any:
        return 0.1 + 0.8 * (X[:, 0] > 0)

    words = r"prior, a function, failed on X, a DataFrame of shape \(200, 3\): .*as it is passed"
    with pytest.raises(ValueError, match=words):
        AdaBoostLClassifier(prior=first).fit(pd.DataFrame(X), y)
    model = AdaBoostLClassifier(prior=first, n_estimators=2).fit(X, y)
    with pytest.raises(ValueError, match="prior, a function, failed on X, a DataFrame"):
        model.predict(pd.DataFrame(X))


def test_a_lack_of_memory_in_a_prior_stays_one() -> None:
    def prior(X: Any) -> Any:
        raise MemoryError("moment 1")

    X, y = weaklearn.datasets.toy()
    with pytest.raises(MemoryError, match="moment 1"):
        AdaBoostLClassifier(n_estimators=2, prior=prior).fit(X, y)
