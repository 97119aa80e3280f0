"""The first booster: its three distributions, its guarantee, and where it ends early."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB

from tests.boosters.binary import noisy, played
from tests.boosters.promises import LEARNERS, answers, problems, quietly, shares
from tests.samples import sample_of
from weaklearn import BoostingWarning, MajorityOfThreeClassifier, ModelFileError, datasets, load
from weaklearn.base import Stop
from weaklearn.boosters import MajorityOfThree
from weaklearn.files.error import Flaw
from weaklearn.persistence.nested_model import MODEL_MEMBER
from weaklearn.testing import AdversaryLearner
from weaklearn.theory import bounds

quick = settings(deadline=None, max_examples=60)
pytestmark = pytest.mark.filterwarnings("ignore:every column of X is constant")


@quick
@given(problems(), st.sampled_from(LEARNERS))
def test_every_round_as_the_definition_has_it(problem: Any, learner: Any) -> None:
    X, y, w = problem
    model = quietly(lambda: MajorityOfThreeClassifier(learner).fit(X, y, sample_weight=w))
    history, h = model.history_, answers(model, X, y, w)
    D = shares(len(y), w)
    if not h:
        return
    wrong = h[0] != y
    assert history["epsilon"][0] == pytest.approx(D @ wrong, abs=1e-12)
    if len(h) > 1:
        halves = [D * part / D[part].sum() for part in (wrong, ~wrong) if part.any()]
        D_2 = sum(halves) / len(halves)
        assert history["epsilon"][1] == pytest.approx(D_2 @ (h[1] != y), abs=1e-12)
    if len(h) > 2:
        D_3 = np.where(h[0] != h[1], D, 0.0)
        assert history["epsilon"][2] == pytest.approx(D_3 @ (h[2] != y) / D_3.sum(), abs=1e-12)
        assert model.predict(X).tolist() == np.sign(sum(h)).tolist()
    # Each errs on at most b of its own distribution: the majority on at most 3 b^2 - 2 b^3.
    b = max(history["epsilon"][: len(h)])
    error = D @ (model.predict(X) != y)
    (certificate,) = model.certify(X, y, sample_weight=w).training
    applies = b < 0.5 and (len(h) == 3 or b == 0)
    assert certificate.holds is (True if applies else None), certificate
    if applies:
        assert error <= bounds.majority3_error(b) + 1e-12


def test_a_perfect_first_rule_is_alone() -> None:
    X, y = np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1])
    model = MajorityOfThreeClassifier().fit(X, y)
    assert (model.n_iter_, model.stop_reason_) == (1, str(Stop.PERFECT))
    assert model.certify(X, y)[0].bound == 0


def test_a_second_rule_that_is_the_first_is_left_out() -> None:
    def stubborn(X: Any, y: Any, D: Any) -> Any:
        return lambda X: np.where(X[:, 0] > 1, 1, -1)

    X, y = np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1])
    model = MajorityOfThreeClassifier(stubborn).fit(X, y)
    assert (model.n_iter_, len(model.history_)) == (1, 2)
    assert model.stop_reason_ == str(Stop.DECIDED)
    assert model.history_["epsilon"].tolist() == pytest.approx([1 / 6, 1 / 2])
    assert model.predict(X).tolist() == [-1, -1, 1, 1, 1, 1]
    assert "the second rule is the first" in model.certify(X, y)[0].note


def test_a_first_rule_that_is_always_wrong() -> None:
    def perverse(X: Any, y: Any, D: Any) -> Any:
        return lambda X: np.where(X[:, 0] > 2, -1, 1)

    X, y = np.arange(6.0)[:, None], np.array([-1, -1, -1, 1, 1, 1])
    model = MajorityOfThreeClassifier(perverse).fit(X, y)
    assert model.n_iter_ == 1
    assert "does not apply" in model.certify(X, y)[0].verdict


def test_three_rounds_are_all_there_are() -> None:
    X, y = noisy(4, m=60)
    three = MajorityOfThreeClassifier().fit(X, y)
    with pytest.warns(
        BoostingWarning, match="n_estimators=50 is more than a majority of three has"
    ):
        more = MajorityOfThreeClassifier(n_estimators=50).fit(X, y)
    assert (more.n_iter_, len(more.history_), more.stop_reason_) == (3, 3, str(Stop.COMPLETE))
    assert more.decision_function(X).tobytes() == three.decision_function(X).tobytes()
    cut = MajorityOfThreeClassifier(n_estimators=2).fit(X, y)
    assert "fewer than three rules" in cut.certify(X, y)[0].note or cut.n_iter_ < 2
    sample = sample_of(X, y)
    run = played(MajorityOfThree(), sample, 10)
    state, done = MajorityOfThree().round(sample, None, run.state)  # type: ignore[arg-type]
    assert (done.stop, len(state.ensemble)) == (Stop.COMPLETE, 3)


def test_majorities_of_majorities() -> None:
    rng = np.random.default_rng(0)
    X = rng.random((400, 2))
    y = np.where(X[:, 0] + X[:, 1] > 1, 1, -1)
    scores = [
        model.fit(X, y).score(X, y)
        for model in (
            MajorityOfThreeClassifier(),
            MajorityOfThreeClassifier(MajorityOfThreeClassifier()),
            MajorityOfThreeClassifier(MajorityOfThreeClassifier(MajorityOfThreeClassifier())),
        )
    ]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0] + 0.05


def test_votes_are_equal() -> None:
    with pytest.raises(ValueError, match="learning_rate=2 is not allowed: every rule has one"):
        MajorityOfThreeClassifier(learning_rate=2).fit(*noisy(1))
    X, y = datasets.toy()
    assert set(MajorityOfThreeClassifier().fit(X, y).estimator_weights_) == {1.0}


def test_a_learner_that_gives_up_leaves_nothing_to_certify() -> None:
    X, y = np.zeros((2, 1)), np.array([-1, 1])
    model = quietly(lambda: MajorityOfThreeClassifier(AdversaryLearner(0.1)).fit(X, y))
    assert (model.n_iter_, model.stop_reason_) == (0, str(Stop.LEARNER))
    assert "no hypothesis was kept" in model.certify(X, y)[0].note


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.filterwarnings("ignore:y holds one class only")
def test_majorities_of_majorities_go_into_files(tmp_path: Path, n_classes: int) -> None:
    X = np.random.default_rng(0).random((150, 2))
    y = np.digitize(X[:, 0] + X[:, 1], [0.9, 1.1][: n_classes - 1])
    inner = MajorityOfThreeClassifier(MajorityOfThreeClassifier())
    model = MajorityOfThreeClassifier(inner).fit(X, y)
    model.save(tmp_path / "m.weak")
    again = load(tmp_path / "m.weak")
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    assert again.fingerprint() == model.fingerprint()
    foreign = MajorityOfThreeClassifier(GaussianNB()).fit(X, y)
    with pytest.raises(ModelFileError, match="GaussianNB is an estimator of sklearn"):
        foreign.save(tmp_path / "no.weak")


def test_members_of_files_answer_as_they_must() -> None:
    X = np.random.default_rng(0).random((60, 2))
    y = np.where(X[:, 0] > 0.5, "a", "b")
    inner = MajorityOfThreeClassifier().fit(X, y)
    for fields, words in (
        ([inner], "it has 1 fields"),
        ([3, np.array(["a", "b"])], "it must be an estimator"),
        ([MajorityOfThreeClassifier(), np.array(["a", "b"])], "no fitted classifier"),
        ([inner, np.array(["a", "c"])], "answers other classes"),
        ([inner, 3], "an array of at least one label"),
        ([np.array(["c"]), np.array(["a", "b"])], "answers other classes"),
        ([np.array(["a", "b"]), np.array(["a", "b"])], "knows one label has 2"),
    ):
        with pytest.raises(Flaw, match=words):
            MODEL_MEMBER.make(fields)
