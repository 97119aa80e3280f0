"""Living with scikit-learn: clones, searches, pipelines, routing, pickles, workers, callbacks."""

from __future__ import annotations

import io
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    cross_val_predict,
    cross_val_score,
    cross_validate,
)
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from tests.samples import same_bits
from weaklearn import (
    AdaBoostClassifier,
    DecisionStumpClassifier,
    GradientBoostingClassifier,
    GradientBoostingRanker,
    GradientBoostingRegressor,
)

try:
    from sklearn.callback import ProgressBar, ScoringMonitor
except ImportError:
    ProgressBar = ScoringMonitor = None

needs_protocol = pytest.mark.skipif(
    ProgressBar is None, reason="scikit-learn has callbacks from 1.9 on"
)


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


# ----------------------------------------------------------------------------- searches, pipelines


def test_clone_keeps_parameters_and_nothing_else(cancer):
    model = AdaBoostClassifier(DecisionStumpClassifier(), n_estimators=7, learning_rate=0.5)
    copy = clone(model.fit(*cancer))
    assert copy.get_params()["n_estimators"] == 7
    assert not hasattr(copy, "ensemble_")
    assert repr(copy) == repr(model)


def test_grid_search(iris):
    grid = {"n_estimators": [1, 20], "multiclass": ["m1", "samme", "ovr"]}
    search = GridSearchCV(AdaBoostClassifier(), grid, cv=3).fit(*iris)
    assert search.best_params_["n_estimators"] == 20
    assert search.best_score_ > 0.9


def test_grid_search_reaches_the_weak_learner(cancer):
    tree = AdaBoostClassifier(DecisionTreeClassifier(), n_estimators=3)
    search = GridSearchCV(tree, {"estimator__max_depth": [1, 2]}, cv=3).fit(*cancer)
    assert search.best_estimator_.estimators_[0].max_depth in (1, 2)
    assert tree.estimator.random_state is None  # the user's own object is left alone


def test_cross_val_predict_equals_the_folds(cancer):
    X, y = cancer
    model = AdaBoostClassifier(n_estimators=20)
    folds = KFold(3)
    found = cross_val_predict(model, X, y, cv=folds, method="decision_function")
    for train, test in folds.split(X):
        straight = clone(model).fit(X[train], y[train])
        assert same_bits(found[test], straight.decision_function(X[test]))


def test_cross_validation_and_fits_in_workers(cancer):
    """Models go to two processes and come back; both ways share the processes."""
    scores = cross_val_score(AdaBoostClassifier(n_estimators=10), *cancer, cv=4, n_jobs=2)
    assert same_bits(scores, cross_val_score(AdaBoostClassifier(n_estimators=10), *cancer, cv=4))
    X, y = cancer
    jobs = (joblib.delayed(AdaBoostClassifier(n_estimators=t).fit)(X, y) for t in (1, 10))
    for t, model in zip((1, 10), joblib.Parallel(n_jobs=2)(jobs)):
        straight = AdaBoostClassifier(n_estimators=t).fit(X, y)
        assert same_bits(model.decision_function(X), straight.decision_function(X))


def test_inside_a_pipeline(cancer):
    X, y = cancer
    pipe = make_pipeline(StandardScaler(), AdaBoostClassifier(n_estimators=20)).fit(X, y)
    assert pipe.score(X, y) > 0.95
    assert len(list(pipe[-1].staged_predict(pipe[:-1].transform(X)))) == 20


def test_a_pipeline_as_weak_learner(cancer):
    X, y = cancer
    weak = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=1, random_state=3))
    model = AdaBoostClassifier(weak, n_estimators=5, random_state=0).fit(X, y)
    # A tree does not mind the scale: the same game as without the scaler.
    plain = AdaBoostClassifier(DecisionTreeClassifier(max_depth=1), n_estimators=5).fit(X, y)
    assert np.allclose(model.estimator_weights_, plain.estimator_weights_)
    assert isinstance(model.estimators_[0], Pipeline)
    assert weak[-1].random_state == 3


def test_a_pipeline_as_weak_learner_under_routing(cancer):
    X, y = cancer
    weak = make_pipeline(StandardScaler(), DecisionTreeClassifier(max_depth=1))
    expected = AdaBoostClassifier(weak, n_estimators=4).fit(X, y)
    with sklearn.config_context(enable_metadata_routing=True):
        model = AdaBoostClassifier(make_pipeline(weak), n_estimators=4).fit(X, y)
    assert same_bits(model.estimator_weights_, expected.estimator_weights_)


def test_a_pipeline_over_columns_of_a_frame():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"kind": rng.choice(list("abc"), 90), "size": rng.normal(size=90)})
    y = np.where((X["kind"] == "a") | (X["size"] > 0.5), "yes", "no")
    columns = make_column_transformer((OneHotEncoder(), ["kind"]), remainder="passthrough")
    weak = make_pipeline(columns, DecisionTreeClassifier(max_depth=1))
    model = AdaBoostClassifier(weak, n_estimators=10).fit(X, y)
    assert model.score(X, y) == 1.0
    assert list(model.feature_names_in_) == ["kind", "size"]


def test_texts_and_pictures_reach_a_learner_that_can_read_them():
    texts = ["good film", "bad film", "good plot", "bad plot", "good", "bad"] * 3
    y = [1, 0] * 9
    weak = make_pipeline(CountVectorizer(), MultinomialNB())
    model = AdaBoostClassifier(weak, n_estimators=3).fit(texts, y)
    assert model.predict(["good film", "bad"]).tolist() == [1, 0]

    pictures = np.random.default_rng(0).normal(size=(40, 4, 4))
    labels = (pictures[:, 1, 2] > 0).astype(int)

    class Corner(DecisionTreeClassifier):
        def fit(self, X, y, sample_weight=None):
            return super().fit(X[:, 1], y, sample_weight)

        def predict(self, X):
            return super().predict(X[:, 1])

    model = AdaBoostClassifier(Corner(max_depth=1)).fit(pictures, labels)
    assert model.score(pictures, labels) == 1.0
    assert model.predict(pictures[:0]).shape == (0,)


def test_a_weak_learner_of_one_class_in_a_draw():
    # Draws of a rare class often miss it; a constant rule stands in, and importances do not mind.
    X = np.arange(30.0)[:, None]
    y = (X[:, 0] > 27).astype(int)

    class NoWeights(DecisionTreeClassifier):
        def fit(self, X, y):
            if len(set(y)) == 1:
                raise ValueError("one class")
            return super().fit(X, y)

    model = AdaBoostClassifier(NoWeights(max_depth=1), n_estimators=20, resample={"n_samples": 8})
    model.fit(X, y)
    assert model.feature_importances_.tolist() in ([0.0], [1.0])


# ----------------------------------------------------------------------------------------- routing


@pytest.fixture
def _routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("_routing")
def test_sample_weight_is_routed(cancer):
    X, y = cancer
    weight = np.random.default_rng(0).integers(1, 5, len(y))
    model = AdaBoostClassifier(n_estimators=5).set_fit_request(sample_weight=True)
    model.set_score_request(sample_weight=True)
    found = cross_validate(
        model, X, y, cv=KFold(3), params={"sample_weight": weight}, return_estimator=True
    )
    for (train, _), fitted in zip(KFold(3).split(X), found["estimator"]):
        straight = AdaBoostClassifier(n_estimators=5).fit(X[train], y[train], weight[train])
        assert same_bits(fitted.estimator_weights_, straight.estimator_weights_)


@pytest.mark.usefixtures("_routing")
def test_validation_rows_are_routed_and_transformed(cancer):
    X, y = cancer
    model = AdaBoostClassifier(n_estimators=30, early_stopping=True, n_iter_no_change=3)
    model.set_fit_request(X_val=True, y_val=True)
    pipe = Pipeline([("scale", StandardScaler()), ("boost", model)], transform_input=["X_val"])
    pipe.fit(X[:400], y[:400], X_val=X[400:], y_val=y[400:])
    scaler = StandardScaler().fit(X[:400])
    straight = clone(model).fit(
        scaler.transform(X[:400]), y[:400], X_val=scaler.transform(X[400:]), y_val=y[400:]
    )
    assert same_bits(pipe[-1].validation_scores_, straight.validation_scores_)


@pytest.mark.usefixtures("_routing")
def test_an_offset_is_routed_through_pipelines_and_searches():
    rng = np.random.default_rng(0)
    X, exposure = rng.normal(size=(120, 2)), rng.uniform(0.5, 2.0, 120)
    y = rng.poisson(exposure * np.exp(X[:, 0]))
    model = GradientBoostingRegressor(loss="poisson", n_estimators=5)
    for set_request in (model.set_fit_request, model.set_predict_request, model.set_score_request):
        set_request(offset=True)
    pipe = make_pipeline(StandardScaler(), model)
    folds, offset = KFold(3), np.log(exposure)
    found = cross_validate(pipe, X, y, cv=folds, params={"offset": offset}, return_estimator=True)
    for (train, test), fitted, score in zip(
        folds.split(X), found["estimator"], found["test_score"]
    ):
        scaler = StandardScaler().fit(X[train])
        straight = clone(model).fit(scaler.transform(X[train]), y[train], offset=offset[train])
        rows = scaler.transform(X[test])
        expected = straight.predict(rows, offset=offset[test])
        assert same_bits(fitted.predict(X[test], offset=offset[test]), expected)
        assert score == straight.score(rows, y[test], offset=offset[test])
    search = GridSearchCV(pipe, {"gradientboostingregressor__max_depth": [1, 2]}, cv=folds)
    search.fit(X, y, offset=offset)
    best = search.best_estimator_  # searches themselves predict without metadata
    straight = clone(best).fit(X, y, offset=offset)
    assert same_bits(best.predict(X, offset=offset), straight.predict(X, offset=offset))


@pytest.mark.usefixtures("_routing")
def test_groups_are_routed_to_the_folds_that_find_the_rounds(cancer):
    X, y = (each[:200] for each in cancer)
    groups = np.arange(200) // 4
    model = GradientBoostingClassifier(n_estimators=8, early_stopping=True, cv=GroupKFold(3))
    pipe = make_pipeline(StandardScaler(), model.set_fit_request(groups=True))
    pipe.fit(X, y, groups=groups)
    straight = clone(model).fit(StandardScaler().fit_transform(X), y, groups=groups)
    assert pipe[-1].fingerprint() == straight.fingerprint()
    scores = cross_validate(pipe, X, y, cv=GroupKFold(2), params={"groups": groups})["test_score"]
    assert len(scores) == 2


@pytest.mark.usefixtures("_routing")
def test_queries_are_routed_to_rankers():
    rng = np.random.default_rng(0)
    X, qid = rng.normal(size=(90, 2)), np.repeat(np.arange(30), 3)
    y = (X[:, 0] > 0).astype(int)
    model = GradientBoostingRanker(n_estimators=3).set_fit_request(qid=True)
    model.set_score_request(qid=True)
    pipe = make_pipeline(StandardScaler(), model).fit(X, y, qid=qid)
    straight = clone(model).fit(StandardScaler().fit_transform(X), y, qid=qid)
    assert pipe[-1].fingerprint() == straight.fingerprint()
    found = cross_validate(pipe, X, y, cv=KFold(3), params={"qid": qid}, error_score="raise")
    assert len(found["test_score"]) == 3
    search = GridSearchCV(pipe, {"gradientboostingranker__max_depth": [1, 2]}, cv=KFold(3))
    assert search.fit(X, y, qid=qid).best_score_ > 0.5


@pytest.mark.usefixtures("_routing")
def test_what_nobody_asked_for_is_refused(cancer):
    X, y = cancer
    pipe = make_pipeline(StandardScaler(), GradientBoostingClassifier(n_estimators=2))
    with pytest.raises(ValueError, match="sample_weight"):
        pipe.fit(X, y, sample_weight=np.ones(len(y)))


# ------------------------------------------------------------------------------- pickles, workers


MODELS = [
    AdaBoostClassifier(n_estimators=30),
    AdaBoostClassifier(n_estimators=30, multiclass="ovr"),
    AdaBoostClassifier(n_estimators=30, multiclass="m1", early_stopping=True),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=5),
    DecisionStumpClassifier(),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_pickle_keeps_every_bit(model, protocol, iris):
    X, y = iris
    model = clone(model).fit(X, y)
    before = model.decision_function(X)
    loaded = pickle.loads(pickle.dumps(model, protocol))
    assert same_bits(loaded.decision_function(X), before)
    assert np.array_equal(loaded.predict(X), model.predict(X))
    if hasattr(model, "history_"):
        assert loaded.history_ == model.history_
        assert same_bits(loaded.estimator_weights_, model.estimator_weights_)
        assert str(loaded.rules()) == str(model.rules())
        # A loaded model goes on just as the one that was saved.
        more = {"warm_start": True, "n_estimators": 40}
        a, b = (m.set_params(**more).fit(X, y) for m in (loaded, model))
        assert same_bits(a.decision_function(X), b.decision_function(X))


def test_threads_predict_at_once(cancer):
    X, y = cancer
    model = AdaBoostClassifier(n_estimators=50).fit(X, y)
    expected = model.decision_function(X)
    model = pickle.loads(pickle.dumps(model))  # nothing packed yet
    jobs = (joblib.delayed(model.decision_function)(X) for _ in range(16))
    for found in joblib.Parallel(n_jobs=4, backend="threading")(jobs):
        assert same_bits(found, expected)


# --------------------------------------------------------------------------------------- callbacks


class Recorder:
    """A callback of scikit-learn's protocol that remembers what it was told."""

    def __init__(self, stop_after=None):
        self.stop_after = stop_after
        self.said = []
        self.models = []

    def setup(self, estimator, context):
        self.said.append("setup")

    def teardown(self, estimator, context):
        self.said.append("teardown")

    def on_fit_task_begin(self, estimator, context):
        self.said.append(f"begin {context.task_name}")

    def on_fit_task_end(self, estimator, context, *, X=None, y=None, fitted_estimator=None):
        self.said.append(f"end {context.task_name}")
        if context.task_name == "round":
            self.models.append(fitted_estimator.n_iter_)
            fitted_estimator.predict(X)
            fitted_estimator.estimator_errors_  # noqa: B018 - as if fit had stopped here
        return len(self.models) == self.stop_after


@needs_protocol
@pytest.mark.parametrize("how", ["set_callbacks", "callbacks"])
def test_protocol_callback(how, cancer):
    recorder = Recorder(stop_after=4)
    model = AdaBoostClassifier(n_estimators=10)
    if how == "callbacks":
        model.set_params(callbacks=[recorder])
    else:
        model.set_callbacks(recorder)
    model.fit(*cancer)
    assert recorder.models == [1, 2, 3, 4]
    assert recorder.said == ["setup", "begin fit"] + ["begin round", "end round"] * 4 + [
        "end fit",
        "teardown",
    ]
    assert model.n_iter_ == 4
    assert model.stop_reason_ == "a callback asked to stop"


@needs_protocol
def test_callbacks_of_both_kinds_and_ways_live_together(cancer):
    first, second, rounds = Recorder(), Recorder(), []
    model = AdaBoostClassifier(
        n_estimators=3, callbacks=[second, lambda t, state, history: rounds.append(t)]
    )
    model.set_callbacks(first)
    model.fit(*cancer)
    assert first.models == second.models == rounds == [1, 2, 3]
    model.set_params(callbacks=None).fit(*cancer)  # those lent for one fit are gone
    assert second.models == [1, 2, 3]
    assert first.models == [1, 2, 3] * 2


@needs_protocol
def test_teardown_comes_even_where_the_fit_fails(cancer):
    def fail(t, state, history):
        raise RuntimeError("no more")

    recorder = Recorder()
    model = AdaBoostClassifier(callbacks=[fail]).set_callbacks(recorder)
    with pytest.raises(RuntimeError, match="no more"):
        model.fit(*cancer)
    assert recorder.said[-1] == "teardown"
    assert not hasattr(model, "ensemble_")


@needs_protocol
@pytest.mark.parametrize("how", ["set_callbacks", "callbacks"])
def test_progress_bar(how, cancer, capsys):
    pytest.importorskip("rich")
    model = AdaBoostClassifier(n_estimators=5)
    model = (
        model.set_callbacks(ProgressBar())
        if how == "set_callbacks"
        else model.set_params(callbacks=[ProgressBar()])
    )
    model.fit(*cancer)
    assert "AdaBoostClassifier" in capsys.readouterr().out
    assert same_bits(
        model.estimator_weights_, AdaBoostClassifier(n_estimators=5).fit(*cancer).estimator_weights_
    )


@needs_protocol
def test_progress_bar_over_a_search(cancer, capsys):
    pytest.importorskip("rich")
    search = GridSearchCV(AdaBoostClassifier(), {"n_estimators": [2, 3]}, cv=2)
    if not hasattr(search, "set_callbacks"):
        pytest.skip("searches take no callbacks yet")
    search.set_callbacks(ProgressBar()).fit(*cancer)
    with pytest.raises((TypeError, ValueError)):
        GridSearchCV(
            AdaBoostClassifier(callbacks=[ProgressBar()]),
            {"n_estimators": [2]},
            cv=2,
            error_score="raise",
        ).set_callbacks(ProgressBar()).fit(*cancer)


@needs_protocol
def test_scoring_monitor_takes_weights(cancer):
    X, y = cancer
    monitor = ScoringMonitor(scoring="accuracy")
    weight = np.where(y == 0, 2, 1)
    model = AdaBoostClassifier(n_estimators=4).set_callbacks(monitor).fit(X, y, weight)
    assert monitor.get_logs() is not None
    assert model.n_iter_ == 4


@pytest.mark.parametrize(
    ("callbacks", "message"),
    [
        (print, "must be a list"),
        ([3], "callbacks holds 3"),
        ([Recorder], "callbacks holds <class"),
    ],
)
def test_what_is_no_callback_is_refused(callbacks, message, cancer):
    with pytest.raises(TypeError, match=message):
        AdaBoostClassifier(callbacks=callbacks).fit(*cancer)


def test_without_the_protocol_it_is_named(cancer, monkeypatch):
    from weaklearn.estimators import callback_support

    monkeypatch.setattr(callback_support, "SUPPORTED", False)
    with pytest.raises(TypeError, match=r"scikit-learn 1\.9"):
        AdaBoostClassifier(callbacks=[Recorder()]).fit(*cancer)


def test_a_plain_callback_watches_and_stops(cancer):
    seen = []

    def watch(t, state, history):
        seen.append((t, len(state.ensemble), history.last()["epsilon"]))
        return t == 3

    model = AdaBoostClassifier(n_estimators=10, callbacks=[watch]).fit(*cancer)
    assert [s[:2] for s in seen] == [(1, 1), (2, 2), (3, 3)]
    assert [s[2] for s in seen] == model.estimator_errors_.tolist()
    assert model.stop_reason_ == "a callback asked to stop"


# ----------------------------------------------------------------------------------------- verbose


@pytest.mark.parametrize("n_estimators", [1, 7, 25])
def test_verbose_writes_to_stderr_alone(n_estimators, cancer, capfd):
    AdaBoostClassifier(n_estimators=n_estimators, verbose=1).fit(*cancer)
    out, err = capfd.readouterr()
    assert out == ""
    assert f"{n_estimators}/{n_estimators}" in err
    assert len(err.splitlines()) <= 13


def test_verbose_shows_the_last_round_of_a_short_run(capfd):
    AdaBoostClassifier(verbose=1).fit([[0.0], [1.0]], [0, 1])
    assert "1/100" in capfd.readouterr().err


def test_verbose_on_a_terminal(cancer, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    AdaBoostClassifier(n_estimators=30, verbose=True).fit(*cancer)
    shown = terminal.getvalue()
    assert shown.endswith("left\n")
    assert "30/30" in shown


def test_silent_otherwise(cancer, capfd):
    model = AdaBoostClassifier(n_estimators=5).fit(*cancer)
    model.predict(cancer[0])
    AdaBoostClassifier(LogisticRegression(max_iter=5000), n_estimators=2).fit(*cancer)
    assert capfd.readouterr() == ("", "")
