"""What hypotheses answer with, and which boosters can play with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.ensemble import RandomForestRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import weaklearn as wl
from weaklearn import boosters, learners
from weaklearn.base import Booster, Form, FormError, Hypothesis, WeakLearner
from weaklearn.base.booster import PAIRS, match
from weaklearn.base.votes.weighted_sum import WeightedSum
from weaklearn.boosters.parts.preferences import Grades
from weaklearn.engines import on_threads
from weaklearn.learners import StumpLearner
from weaklearn.learners.adapters import ClippedLearner, RegressionLearner
from weaklearn.learners.partition import ConditionLearner, MeanLearner, PartitionLearner
from weaklearn.learners.tree import TreeLearner
from weaklearn.testing import check_booster, check_learner


def rows(seed: int = 0, m: int = 200) -> tuple[Any, Any]:
    """Rows of normal numbers, and labels that are mostly the sign of a sum."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(m, 4))
    return X, (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=m) > 0).astype(int)


@dataclass(frozen=True)
class Raw(Hypothesis):
    """A column, clipped to [-1, 1]; without a word about its form."""

    feature: int
    sign: float = 1.0

    def __call__(self, rows: Any) -> Any:
        return self.sign * np.clip(rows.column(self.feature), -1, 1)


class RawLearner(WeakLearner):
    """The column that agrees best with the labels."""

    kind: type[Raw] = Raw

    def bind(self, sample: Any) -> Any:
        def learn(D: Any, z: Any, key: int = 0) -> Hypothesis:
            found = [self.kind(j) for j in range(sample.cells.n_features)]
            pulls = [float(np.sum(D.array * z * h(sample))) for h in found]
            j = int(np.argmax(np.abs(pulls)))
            return self.kind(j, float(np.sign(pulls[j])))

        return learn


class Bounded(Raw):
    form = Form.BOUNDED


class BoundedLearner(RawLearner):
    form = Form.BOUNDED
    kind = Bounded


class SilentLearner(RawLearner):
    """Its hypotheses say what they are, and it does not."""

    kind = Bounded


# ---------------------------------------------------------------------- confidence-rated AdaBoost


def test_a_tree_of_classes_is_no_partition() -> None:
    X, y = rows()
    tree = wl.DecisionTreeClassifier(max_depth=2)
    real = wl.Boosted(boosters.RealAdaBoost(), tree, n_estimators=5).fit(X, y)
    plain = wl.Boosted(boosters.AdaBoost(), tree, n_estimators=5).fit(X, y)
    assert real.estimator_weights_ == pytest.approx(plain.estimator_weights_)
    assert len(real.estimator_weights_) == 5
    assert real.history_["Z"] == pytest.approx(plain.history_["Z"])
    assert "Z_criterion" not in real.history_
    assert (real.predict(X) == plain.predict(X)).all()


def test_a_partition_has_the_vote_1() -> None:
    X, y = rows()
    model = wl.Boosted(boosters.RealAdaBoost(), PartitionLearner(), n_estimators=4).fit(X, y)
    assert model.estimator_weights_.tolist() == [1.0] * 4
    assert model.history_["Z"] == pytest.approx(model.history_["Z_criterion"], abs=0.01)


# ----------------------------------------------------------------------------------- RankBoost


def graded(seed: int = 1) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(150, 4))
    return X, np.digitize(X[:, 0] + 0.6 * X[:, 1], [-0.5, 0.5])


def function(X: Any, z: Any, D: Any) -> Any:
    """A raw feature, clipped."""
    X = np.asarray(X)
    pulls = (D * z) @ np.clip(X, -1, 1)
    j = int(np.argmax(np.abs(pulls)))
    sign = np.sign(pulls[j])
    return lambda X: sign * np.clip(np.asarray(X)[:, j], -1, 1)


@pytest.mark.parametrize(
    "estimator",
    [
        BoundedLearner(),
        SilentLearner(),
        MeanLearner(),
        function,
        LinearRegression(),
        KNeighborsRegressor(20),  # takes no weights
        Ridge(10.0),
        wl.DecisionTreeRegressor(max_depth=2),
        RegressionLearner(),
    ],
    ids=lambda e: getattr(e, "__name__", type(e).__name__),
)
def test_rankers_between_minus_1_and_1(estimator: Any) -> None:
    X, grades = graded()
    model = wl.RankBoost(estimator, n_estimators=15, random_state=0).fit(X, grades)
    judge = Grades.of(on_threads(), grades.astype(float), None)
    F = model.predict(X)
    assert judge.rank_loss(F) == model.history_["rank_loss"][-1]
    assert judge.rank_loss(F) <= model.certify()[0].bound
    assert judge.rank_loss(F) < 0.2
    assert len(np.unique(F)) > 15  # finer than signs could be
    for t, staged in enumerate(model.staged_predict(X)):
        assert judge.rank_loss(staged) == model.history_["rank_loss"][t]
    r, alpha = model.history_["r"], model.history_["alpha"]
    assert alpha == pytest.approx(0.5 * np.log((1 + r) / (1 - r)))
    assert (model.history_["Z"] <= np.sqrt(1 - r * r) + 1e-12).all()
    assert isinstance(model.ensemble_, WeightedSum)
    again = wl.RankBoost(estimator, n_estimators=8, random_state=0, warm_start=True)
    again.fit(X, grades).set_params(n_estimators=15).fit(X, grades)
    assert again.predict(X).tolist() == F.tolist()


def test_rankers_of_trees_go_into_files(tmp_path: Any) -> None:
    X, grades = graded()
    model = wl.RankBoost(wl.DecisionTreeRegressor(max_depth=2), n_estimators=6).fit(X, grades)
    model.save(tmp_path / "model")
    assert wl.load(tmp_path / "model").predict(X).tolist() == model.predict(X).tolist()
    assert wl.runtime.load(tmp_path / "model").predict(X).tolist() == model.predict(X).tolist()
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert len(model.rules()) > 6


def test_a_ranking_function_that_leaves_the_range_is_refused() -> None:
    X, grades = graded()
    with pytest.raises(ValueError, match=r"in row \d+; it must answer from -1 to 1: use np.clip"):
        wl.RankBoost(lambda X, z, D: lambda X: 3 * np.asarray(X)[:, 0]).fit(X, grades)


def test_confidences_are_no_rankers() -> None:
    X, grades = graded()
    with pytest.raises(TypeError, match=r"RankBoost and .* do not go together"):
        wl.RankBoost(PartitionLearner()).fit(X, grades)


# ----------------------------------------------------------------------- boosters of -1, 0 and +1

OF_NUMBERS = {"RealAdaBoost", "GentleBoost", "AdaBoostL", "RankBoost"}
PLAIN = [
    name
    for name in sorted(boosters.__all__)
    if name not in OF_NUMBERS | {"AllPairs", "OneVsRest", "AdaBoostR2"}
]


def booster_of(name: str) -> Booster:
    booster: Booster = getattr(boosters, name)()
    return booster


@pytest.mark.parametrize("name", PLAIN)
def test_a_mismatch_is_refused_before_round_1(name: str) -> None:
    X, y = rows()
    if booster_of(name).target == "class numbers":
        y = np.arange(len(y)) % 3
    with pytest.raises(TypeError, match=f"{name} and BoundedLearner do not go together") as error:
        wl.Boosted(booster_of(name), BoundedLearner(), multiclass="native").fit(X, y)
    assert "Use weaklearn.boosters.RealAdaBoost() with BoundedLearner, or" in str(error.value)
    assert not getattr(error.value, "__notes__", [])  # no round was played
    with pytest.raises(FormError, match="do not go together"):
        check_booster(booster_of(name), BoundedLearner())


def plain_function(X: Any, y: Any, D: Any) -> Any:
    return lambda X: np.ones(len(X), int)


@pytest.mark.parametrize(
    ("estimator", "title"),
    [
        (None, "a stump"),
        ("tree", "a tree"),
        (wl.DecisionTreeClassifier(), "a tree"),
        (GaussianNB(), "GaussianNB"),
        (KNeighborsClassifier(3), "a learner on resampled rows"),
        (plain_function, "the function given as estimator"),
    ],
)
def test_messages_call_learners_as_their_users_do(estimator: Any, title: str) -> None:
    X, y = rows()
    with pytest.raises(FormError) as error:
        wl.Boosted(boosters.AdaBoostMH(), estimator).fit(X, y)
    assert str(error.value).startswith(f"AdaBoostMH and {title} do not go together: {title} answer")
    for word in ("plays", "whose vote", "ForeignLearner", "FunctionLearner", "Resampling"):
        assert word not in str(error.value)


@pytest.mark.parametrize("how", ["ovr", "pairs"])
def test_a_mismatch_of_several_classes(how: str) -> None:
    X, y = rows()
    with pytest.raises(FormError, match="go together: BoundedLearner answers with a number in"):
        wl.Boosted(boosters.AdaBoost(), BoundedLearner(), multiclass=how).fit(X, y + (X[:, 3] > 1))


@pytest.mark.parametrize(
    "model",
    [
        wl.AdaBoostClassifier,
        wl.MadaBoostClassifier,
        wl.CoordinateBoostClassifier,
        wl.LPBoostClassifier,
    ],
)
def test_estimators_refuse_it_too(model: Any) -> None:
    X, y = rows()
    remedy = r"needs a class for each row .* or weaklearn\.learners\.StumpLearner\(\) with"
    with pytest.raises(TypeError, match=remedy):
        model(BoundedLearner()).fit(X, y)


@pytest.mark.parametrize("name", sorted(OF_NUMBERS - {"RankBoost"}))
@pytest.mark.parametrize("learner", [BoundedLearner(), SilentLearner(), MeanLearner()])
def test_boosters_of_numbers_state_the_error_that_is(name: str, learner: Any) -> None:
    X, y = rows()
    model = wl.Boosted(booster_of(name), learner, n_estimators=10).fit(X, y)
    assert len(model.ensemble_) > 1
    assert np.mean(model.predict(X) != y) == pytest.approx(model.history_["train_error"][-1])


def test_every_pair_that_is_named_works() -> None:
    """The learners and boosters that messages name."""
    X, y = rows()
    assert set(PAIRS) == set(Form)
    for form, names in PAIRS.items():
        learner, booster = (name.removesuffix("()") for name in names)
        found, run = getattr(learners, learner)(), booster_of(booster)
        assert form in run.needs
        assert form.includes(found.form)
        model = wl.Boosted(run, found, n_estimators=4, multiclass="native").fit(X, y)
        assert len(model.ensemble_) == 4
    adtree = wl.Boosted(boosters.ADTree(), learners.ConditionLearner(), n_estimators=4).fit(X, y)
    assert len(adtree.ensemble_) == 4


# ---------------------------------------------------------------------- what breaks its own form


def test_answers_that_break_the_form_name_round_hypothesis_and_remedy() -> None:
    X, y = rows()
    for model in (wl.AdaBoostClassifier, wl.RealAdaBoostClassifier, wl.AdaBoostLClassifier):
        with pytest.raises(
            FormError, match=r"a hypothesis of type Raw answered .* in row 0"
        ) as error:
            model(RawLearner()).fit(X, y)
        assert "set form = Form.BOUNDED (or NUMBERS) on Raw" in str(error.value)
        assert "in round 1" in str(error.value)


def test_a_learner_that_says_nothing_of_its_hypotheses() -> None:
    X, y = rows()
    with pytest.raises(FormError, match=r"AdaBoost and Bounded do not .* in round 1: set"):
        wl.AdaBoostClassifier(SilentLearner()).fit(X, y)


class Loud(Bounded):
    def __call__(self, rows: Any) -> Any:
        return 3 * super().__call__(rows)


class Square(Raw):
    def __call__(self, rows: Any) -> Any:
        return np.ones((len(rows), 2))


@pytest.mark.parametrize(
    ("kind", "words"),
    [(Loud, "BOUNDED, allowed are numbers within -1 and 1"), (Square, "one answer per row")],
)
def test_beyond_the_form(kind: Any, words: str) -> None:
    X, y = rows()

    class Learner(RawLearner):
        form = kind(0).form

        def bind(self, sample: Any) -> Any:
            return lambda D, z, key=0: kind(0)

    with pytest.raises(FormError, match=words):
        wl.Boosted(boosters.RealAdaBoost(), Learner()).fit(X, y)


def test_learners_are_checked_by_their_form() -> None:
    check_learner(BoundedLearner())
    check_learner(MeanLearner())
    with pytest.raises(AssertionError, match="the form CLASSES; one has BOUNDED"):
        check_learner(SilentLearner())


# ----------------------------------------------------------------------------------- declarations


@pytest.mark.parametrize(
    "learner",
    [
        StumpLearner(),
        TreeLearner(max_depth=2),
        PartitionLearner(),
        ConditionLearner(),
        MeanLearner(),
        ClippedLearner(RegressionLearner()),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_hypotheses_have_the_form_of_their_learner(learner: Any) -> None:
    from weaklearn.testing.booster import sample_of

    sample = sample_of(*rows())
    h = learner.bind(sample)(sample.prior, sample.y)
    assert h.form is learner.form
    assert np.abs(h(sample)).max() <= h.reach
    own = h.importances(4)
    assert own.shape == (4,)
    assert own.sum() == pytest.approx(1)
    tree = h.as_tree()
    if tree is not None:
        scorer = on_threads().prediction.forest([tree], 4, sample.cells.n_categories, n_outputs=1)
        assert scorer.sum(sample.cells, 1)[:, 0].tolist() == np.asarray(h(sample)).tolist()


def test_a_plain_subclass_has_all_that_is_asked_of_it() -> None:
    h = Raw(0)
    assert (h.form, h.reach, h.constant, h.wrapped) == (Form.CLASSES, 1.0, False, h)
    assert h.as_tree() is h.as_share_tree() is h.importances(3) is None
    match(boosters.AdaBoost(), RawLearner())  # what it says, not what it does


def test_a_forest_of_numbers_has_importances_of_its_own() -> None:
    X, grades = graded()
    forest = RandomForestRegressor(5, max_depth=2, random_state=0)
    model = wl.RankBoost(forest, n_estimators=3).fit(X, grades)
    assert model.feature_importances_.argmax() == 0
    assert type(model.estimators_[0]) is RandomForestRegressor
