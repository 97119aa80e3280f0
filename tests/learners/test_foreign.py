"""Scikit-learn's classifiers and plain functions as weak learners."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.naive_bayes import BernoulliNB, GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from tests.samples import sample_of
from weaklearn import AdaBoostClassifier, DataWarning
from weaklearn.base import Rows, Stop
from weaklearn.learners.foreign import (
    ForeignHypothesis,
    ForeignLearner,
    labels_of,
    seeded,
    weight_argument,
)

X, Y = load_breast_cancer(return_X_y=True)


class Recorder(ClassifierMixin, BaseEstimator):
    """Learns nothing, remembers what it was given."""

    seen: list[dict[str, Any]] = []

    def __init__(self, random_state: Any = None) -> None:
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Recorder:
        Recorder.seen.append({"X": X, "y": y, "w": sample_weight, "seed": self.random_state})
        self.classes_, counts = np.unique(y, return_counts=True)
        self.answer_ = self.classes_[np.argmax(counts)]
        return self

    def predict(self, X: Any) -> Any:
        return np.full(X.shape[0], self.answer_)


@pytest.fixture(autouse=True)
def _fresh() -> None:
    Recorder.seen = []


# --- Weights ---------------------------------------------------------------------------------


def test_where_an_estimator_takes_weights() -> None:
    assert weight_argument(DecisionTreeClassifier()) == "sample_weight"
    assert weight_argument(KNeighborsClassifier()) is None
    pipe = make_pipeline(StandardScaler(), DecisionTreeClassifier())
    assert weight_argument(pipe) == "decisiontreeclassifier__sample_weight"
    assert weight_argument(make_pipeline(StandardScaler(), KNeighborsClassifier())) is None
    nested = make_pipeline(StandardScaler(), make_pipeline(StandardScaler(), GaussianNB()))
    assert weight_argument(nested) == "pipeline__gaussiannb__sample_weight"


def test_every_round_gets_the_present_distribution() -> None:
    y = np.array(["no"] * 3 + ["yes"] * 5)
    sample = sample_of(np.arange(8.0)[:, None], y)
    learn = ForeignLearner(Recorder(), seed=7).bind(sample)
    D = sample.weighed(np.arange(1.0, 9.0))
    h = learn(D, sample.y, 0)
    (call,) = Recorder.seen
    assert call["X"] is sample.raw
    assert call["y"].tolist() == y.tolist()
    assert call["w"] == pytest.approx(np.arange(1.0, 9.0) / 36, rel=1e-9)
    assert h(sample).tolist() == [1] * 8
    learn(D, -sample.y, 1)  # another target
    assert Recorder.seen[1]["y"].tolist() == ["yes"] * 3 + ["no"] * 5
    assert Recorder.seen[0]["seed"] != Recorder.seen[1]["seed"]


def test_a_learner_without_weights_must_be_resampled() -> None:
    sample = sample_of(X[:20], Y[:20])
    with pytest.raises(TypeError, match="resampled"):
        ForeignLearner(KNeighborsClassifier()).bind(sample)


@pytest.mark.parametrize(
    "estimator",
    [
        DecisionTreeClassifier(max_depth=2, random_state=0),
        GaussianNB(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        make_pipeline(StandardScaler(), RidgeClassifier()),
    ],
    ids=lambda found: type(found).__name__,
)
def test_classifiers_are_boosted(estimator: Any) -> None:
    model = AdaBoostClassifier(estimator, n_estimators=8).fit(X, Y)
    assert model.score(X, Y) > 0.9
    # The record agrees with the members.
    F = sum(
        vote * np.where(h.predict(X) == 1, 1, -1)
        for vote, h in zip(model.estimator_weights_, model.estimators_, strict=True)
    )
    assert model.decision_function(X) == pytest.approx(F, rel=1e-12)
    assert all(c.holds for c in model.certify(X, Y).training if c.applies)


def test_a_tree_of_depth_one_errs_as_our_stumps_do() -> None:
    tree = DecisionTreeClassifier(max_depth=1, criterion="gini", random_state=0)
    ours = AdaBoostClassifier(n_estimators=1).fit(X, Y)
    theirs = AdaBoostClassifier(tree, n_estimators=1).fit(X, Y)
    assert ours.history_["epsilon"][0] <= theirs.history_["epsilon"][0] + 1e-12


def test_clones_are_fitted_and_the_original_is_not() -> None:
    tree = DecisionTreeClassifier(max_depth=1)
    model = AdaBoostClassifier(tree, n_estimators=3).fit(X, Y)
    assert not hasattr(tree, "tree_")
    assert tree.random_state is None
    assert len({id(h) for h in model.estimators_}) == 3


# --- Seeds -----------------------------------------------------------------------------------


def test_every_random_state_is_set() -> None:
    pipe = make_pipeline(Recorder(), DecisionTreeClassifier())
    names = ("recorder__random_state", "decisiontreeclassifier__random_state")

    def states(seed: int, key: int) -> list[Any]:
        set_ = seeded(pipe, seed, key).get_params()
        return [set_[name] for name in names]

    first = states(1, 2)
    assert all(isinstance(state, int) for state in first)
    assert first[0] != first[1]
    assert states(1, 2) == first
    assert states(1, 3) != first
    assert states(2, 2) != first


def test_reproducible_from_a_seed() -> None:
    tree = DecisionTreeClassifier(max_depth=1, splitter="random")
    bits = [
        AdaBoostClassifier(tree, n_estimators=5, random_state=seed)
        .fit(X, Y)
        .decision_function(X)
        .tobytes()
        for seed in (0, 0, 1)
    ]
    assert bits[0] == bits[1] != bits[2]


# --- Labels ----------------------------------------------------------------------------------


def test_labels_come_back_as_they_were() -> None:
    y = np.where(Y == 1, "benign", "malign")
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=3).fit(X, y)
    assert set(model.predict(X)) == {"benign", "malign"}
    assert set(model.estimators_[0].predict(X)) == {"benign", "malign"}
    sample = sample_of(X, y)
    assert labels_of(sample, sample.y).tolist() == y.tolist()
    assert labels_of(sample, -sample.y).tolist() == np.where(Y == 1, "malign", "benign").tolist()


def test_many_classes() -> None:
    A, b = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[b]
    for multiclass in ("samme", "m1", "ovr"):
        model = AdaBoostClassifier(
            DecisionTreeClassifier(max_depth=1, random_state=0),
            n_estimators=8,
            multiclass=multiclass,
        ).fit(A, names)
        assert model.score(A, names) > 0.85


def test_one_class_only() -> None:
    for estimator in (DecisionTreeClassifier(), LogisticRegression(), KNeighborsClassifier(1)):
        with pytest.warns(DataWarning, match="one class"):
            model = AdaBoostClassifier(estimator).fit([[1.0], [2.0]], ["a", "a"])
        assert model.predict([[5.0]]).tolist() == ["a"]
        assert model.stop_reason_ == str(Stop.PERFECT)
        assert model.n_iter_ == 1


def test_regressors_are_refused() -> None:
    with pytest.raises(TypeError, match="a classifier is boosted here"):
        AdaBoostClassifier(DecisionTreeRegressor(max_depth=1)).fit([[0.0], [0.0], [1.0]], [0, 1, 1])


def test_strange_predictions_are_refused() -> None:
    class Stranger(Recorder):
        def predict(self, X: Any) -> Any:
            return np.full(X.shape[0], 9)

    with pytest.raises(ValueError, match="9"):
        AdaBoostClassifier(Stranger()).fit(X[:30], Y[:30])

    class Wide(Recorder):
        def predict(self, X: Any) -> Any:
            return np.zeros((X.shape[0], 2))

    with pytest.raises(ValueError, match="shape"):
        AdaBoostClassifier(Wide()).fit(X[:30], Y[:30])


# --- X in its own container ------------------------------------------------------------------


def test_x_arrives_as_it_came() -> None:
    frame = pd.DataFrame(X[:60], columns=[f"c{j}" for j in range(30)])
    AdaBoostClassifier(Recorder(), n_estimators=1).fit(frame, Y[:60])
    assert isinstance(Recorder.seen[0]["X"], pd.DataFrame)
    assert Recorder.seen[0]["X"].columns.tolist() == frame.columns.tolist()
    AdaBoostClassifier(Recorder(), n_estimators=1).fit(sp.csr_matrix(X[:60]), Y[:60])
    assert sp.issparse(Recorder.seen[-1]["X"])
    AdaBoostClassifier(Recorder(), n_estimators=1).fit(X[:60].astype(np.float32), Y[:60])
    assert Recorder.seen[-1]["X"].dtype == np.float32


def test_rows_without_weight_are_not_shown() -> None:
    weights = np.arange(60) % 3
    AdaBoostClassifier(Recorder(), n_estimators=1).fit(X[:60], Y[:60], weights)
    kept = weights > 0
    assert np.array_equal(Recorder.seen[0]["X"], X[:60][kept])
    assert Recorder.seen[0]["w"] == pytest.approx(weights[kept] / weights.sum(), rel=1e-9)


def test_texts_may_be_boosted() -> None:
    texts = ["red green", "red", "blue", "blue green", "red blue", "green"] * 5
    y = ["a", "a", "b", "b", "a", "b"] * 5
    words = make_pipeline(CountVectorizer(), BernoulliNB())
    model = AdaBoostClassifier(words, n_estimators=4).fit(texts, y)
    assert model.score(texts, y) == 1
    assert model.predict(["red red red"]).tolist() == ["a"]


def test_pickles() -> None:
    model = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=3).fit(X, Y)
    again = pickle.loads(pickle.dumps(model))
    assert again.decision_function(X).tobytes() == model.decision_function(X).tobytes()
    h = model.ensemble_.members[0]
    assert isinstance(h, ForeignHypothesis)
    rows = Rows(model._schema.read(X), X, sample_of(X, Y).engine)
    assert set(h(rows)) == {-1, 1}


# --- Functions -------------------------------------------------------------------------------


def test_functions_get_signs_and_weights() -> None:
    seen = []

    def learner(X: Any, y: Any, D: Any) -> Any:
        seen.append((X, y.copy(), D.copy()))
        cut = X[np.argmax(D), 0]
        side = 1 if (D * y)[X[:, 0] > cut].sum() >= (D * y)[X[:, 0] <= cut].sum() else -1
        return lambda X: np.where(X[:, 0] > cut, side, -side)

    rows = np.arange(10.0)[:, None]
    labels = np.array(["n", "n", "y", "n", "n", "y", "y", "n", "y", "y"])
    model = AdaBoostClassifier(learner, n_estimators=4).fit(rows, labels)
    assert model.n_iter_ >= 2
    assert seen[0][0] is rows
    assert set(seen[0][1]) == {-1, 1}
    for _, _, D in seen:
        assert D.sum() == pytest.approx(1)
    eps = model.history_["epsilon"][0]
    wrong = model.estimators_[0](rows) != seen[0][1]
    assert seen[1][2] == pytest.approx(np.where(wrong, 0.1 / (2 * eps), 0.1 / (2 * (1 - eps))))


def test_functions_may_abstain() -> None:
    def learner(X: Any, y: Any, D: Any) -> Any:
        return lambda X: np.where(X[:, 0] > 6, 1, np.where(X[:, 0] < 3, -1, 0))

    rows, labels = np.arange(10.0)[:, None], [0, 0, 0, 0, 1, 1, 1, 0, 1, 1]
    model = AdaBoostClassifier(learner, n_estimators=1).fit(rows, labels)
    assert model.history_["epsilon"][0] == pytest.approx(0.1)
    assert model.history_["r"][0] == pytest.approx(0.4)
    assert model.estimator_weights_[0] == pytest.approx(0.5 * math.log(5))
    assert model.decision_function(rows)[4] == 0


@pytest.mark.parametrize(
    ("learner", "error", "message"),
    [
        (lambda X, y, D: 5, TypeError, "callable"),
        (lambda X, y, D: lambda X: np.ones(3), ValueError, "shape"),
        (lambda X, y, D: lambda X: np.full(len(X), 2), ValueError, "2"),
        (lambda X, y, D: lambda X: np.full(len(X), 0.5), ValueError, "0.5"),
    ],
)
def test_wrong_functions(learner: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        AdaBoostClassifier(learner).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize("estimator", [3, object(), DecisionTreeClassifier, "tree stump"])
def test_what_is_no_learner(estimator: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="estimator"):
        AdaBoostClassifier(estimator).fit([[0.0], [1.0]], [0, 1])
