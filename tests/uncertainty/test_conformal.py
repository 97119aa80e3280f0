"""Sets and intervals cover as often as they promise, and refuse where they cannot promise."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.uncertainty.conformal import LabelSets

RNG = np.random.default_rng(0)
X = RNG.normal(size=(2600, 4))
TWO = (X[:, 0] + X[:, 1] ** 2 + RNG.normal(size=2600) > 0.7).astype(int)
THREE = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + RNG.normal(size=2600) * 0.5, [-0.5, 0.5])]
NUMBERS = 2 * X[:, 0] + RNG.normal(size=2600)
FIT, CAL, NEW = slice(0, 200), slice(200, 600), slice(600, None)

CLASSIFIERS = [
    wl.AdaBoostClassifier(n_estimators=8),
    wl.RealAdaBoostClassifier(n_estimators=8),
    wl.GradientBoostingClassifier(n_estimators=5),
    wl.AdditiveBoostingClassifier(n_estimators=5, n_bags=2),
    wl.RandomForestClassifier(n_estimators=10, random_state=0),
    wl.BaggingClassifier(n_estimators=5, random_state=0),
    wl.DecisionTreeClassifier(max_depth=3),
    wl.DecisionStumpClassifier(),
    wl.OneVsRestBooster(wl.AdaBoostClassifier(n_estimators=5)),
]
REGRESSORS = [
    wl.AdaBoostRegressor(n_estimators=5),
    wl.AnyBoostRegressor(n_estimators=5),
    wl.GradientBoostingRegressor(n_estimators=5),
    wl.GradientBoostingRegressor(n_estimators=5, loss="quantile", quantile=[0.9, 0.1]),
    wl.AdditiveBoostingRegressor(n_estimators=5, n_bags=2),
    wl.RandomForestRegressor(n_estimators=10, random_state=0),
    wl.BaggingRegressor(n_estimators=5, random_state=0),
    wl.DecisionTreeRegressor(max_depth=3),
]


def name(model: Any) -> str:
    return type(model).__name__


def inside(ends: Any, y: Any) -> Any:
    return (ends[:, 0] <= y) & (y <= ends[:, 1])


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize("model", CLASSIFIERS, ids=name)
def test_every_classifier_covers(model: Any, y: Any, tmp_path: Any) -> None:
    model.fit(X[FIT], y[FIT])
    assert model.conformalize(X[CAL], y[CAL]) is model
    for alpha in (0.05, 0.2):
        sets = model.predict_set(X[NEW], alpha=alpha)
        # 1 - alpha up to the luck of 400 calibration and 2000 new rows: three deviations.
        slack = 3 * np.sqrt(alpha * (1 - alpha) * (1 / 400 + 1 / 2000))
        assert sets.covers(y[NEW]).mean() >= 1 - alpha - slack
        assert (sets.sizes >= 1).all()
        assert sets.covers(model.predict(X[NEW])).all()
    wide, narrow = model.predict_set(X[NEW], 0.05), model.predict_set(X[NEW], 0.2)
    assert (wide.matrix >= narrow.matrix).all()
    # Files and pickles keep the scores; the fingerprint is that of the model alone.
    model.save(tmp_path / "model.weak")
    for again in (wl.load(tmp_path / "model.weak"), pickle.loads(pickle.dumps(model))):
        assert (again.predict_set(X[NEW]).matrix == model.predict_set(X[NEW]).matrix).all()
        assert again.fingerprint() == model.fingerprint()
    before = model.fingerprint()
    model.fit(X[FIT], y[FIT])
    assert model.fingerprint() == before
    with pytest.raises(ValueError, match="is not conformalized"):
        model.predict_set(X[NEW])
    model.save(tmp_path / "model.weak")
    with pytest.raises(ValueError, match="is not conformalized"):
        wl.load(tmp_path / "model.weak").predict_set(X[NEW])


@pytest.mark.parametrize("model", REGRESSORS, ids=name)
def test_every_regressor_covers(model: Any, tmp_path: Any) -> None:
    model.fit(X[FIT], NUMBERS[FIT]).conformalize(X[CAL], NUMBERS[CAL])
    for alpha in (0.05, 0.2):
        ends = model.predict_interval(X[NEW], alpha=alpha)
        assert ends.shape == (2000, 2)
        assert (ends[:, 0] <= ends[:, 1]).all()
        slack = 3 * np.sqrt(alpha * (1 - alpha) * (1 / 400 + 1 / 2000))
        covered = inside(ends, NUMBERS[NEW]).mean()
        assert 1 - alpha - slack <= covered <= 1 - alpha + slack + 0.01
    model.save(tmp_path / "model.weak")
    again = wl.load(tmp_path / "model.weak")
    assert (again.predict_interval(X[NEW]) == model.predict_interval(X[NEW])).all()
    model.fit(X[FIT], NUMBERS[FIT])
    with pytest.raises(ValueError, match="is not conformalized"):
        model.predict_interval(X[NEW])


def test_simple_rules_cover() -> None:
    for model in (wl.ThresholdClassifier(), wl.RuleClassifier()):
        model.fit(X[FIT], TWO[FIT]).conformalize(X[CAL], TWO[CAL])
        assert model.predict_set(X[NEW], alpha=0.5).covers(TWO[NEW]).mean() >= 0.45


@pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
@pytest.mark.parametrize(
    "model",
    [
        wl.Perceptron(max_passes=3, fit_intercept=True),
        wl.AveragedPerceptron(max_passes=3, fit_intercept=True),
        wl.SGDClassifier(layers=(3,)),
        wl.CentroidClassifier(),
    ],
    ids=name,
)
def test_online_and_simple_learners_cover(model: Any, y: Any, tmp_path: Any) -> None:
    model.fit(X[FIT], y[FIT]).conformalize(X[CAL], y[CAL])
    for alpha in (0.05, 0.2):
        slack = 3 * np.sqrt(alpha * (1 - alpha) * (1 / 400 + 1 / 2000))
        sets = model.predict_set(X[NEW], alpha=alpha)
        assert sets.covers(y[NEW]).mean() >= 1 - alpha - slack
        assert sets.covers(model.predict(X[NEW])).all()
    model.save(tmp_path / "model.weak")
    again = wl.load(tmp_path / "model.weak")
    assert (again.predict_set(X[NEW]).matrix == model.predict_set(X[NEW]).matrix).all()
    if not hasattr(model, "partial_fit"):
        return
    assert "the calibration rows were not trained on" in model.conformal_certificate(0.1).assumed
    folds = model.conformalize(X[FIT], y[FIT], how="folds").conformal_certificate(0.1)
    assert folds.checked == ()  # the learner does not know its rows
    assert "the rows are those of training" in folds.assumed
    model.partial_fit(X[:1], y[:1])
    with pytest.raises(ValueError, match="has changed since"):
        model.predict_set(X[NEW])


@pytest.mark.parametrize(
    "model", [wl.KernelSVMClassifier(), wl.HingeLPClassifier(), wl.KernelPerceptron()], ids=name
)
@pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
def test_a_machine_that_was_fitted_anew_forgets(model: Any) -> None:
    model.fit(X[FIT], TWO[FIT]).conformalize(X[CAL], TWO[CAL])
    assert model.predict_set(X[NEW]).covers(TWO[NEW]).mean() >= 0.85
    model.fit(X[:150], TWO[:150])
    with pytest.raises(ValueError, match="has changed since"):
        model.predict_set(X[NEW])


def test_experts_and_halving_cover(tmp_path: Any) -> None:
    rng = np.random.default_rng(0)
    y = np.where(X[:, 0] > 0, "b", "a")
    said = np.where(rng.random(X.shape) < 0.2, None, np.where(X > 0, "b", "a")).astype(object)
    experts = wl.SleepingExperts(random_state=0).fit(said[FIT], y[FIT])
    experts.conformalize(said[CAL], y[CAL])
    sets = experts.predict_set(said[NEW], alpha=0.2)
    assert sets.covers(y[NEW]).mean() >= 0.75
    asleep = experts.predict_set([[None] * 4], alpha=0.2)
    assert asleep[0] == ("a", "b")  # nobody says anything
    experts.save(tmp_path / "experts.weak")
    again = wl.load(tmp_path / "experts.weak")
    assert (again.predict_set(said[NEW], alpha=0.2).matrix == sets.matrix).all()
    experts.update(said[0], y[0])
    with pytest.raises(ValueError, match="has changed since"):
        experts.predict_set(said[NEW])
    with pytest.raises(ValueError, match="how='folds'"):
        experts.conformalize(said[CAL], y[CAL], how="folds")
    table = [[1 if k >= t else -1 for k in range(8)] for t in range(8)]
    numbers = rng.integers(0, 8, 400)
    signs = np.where(numbers >= 5, 1, -1)
    halving = wl.HalvingClassifier(table).fit(numbers[:3], signs[:3])
    halving.conformalize(numbers[3:100], signs[3:100])
    assert halving.predict_set(numbers[100:], alpha=0.1).covers(signs[100:]).mean() >= 0.85


def test_experts_learn_on_arrays_of_their_own() -> None:
    import copy

    model = wl.SleepingExperts().fit([[1, -1], [1, 1]], [1, -1])
    twin, before = copy.copy(model), model.weights_.copy()
    twin.update([1, -1], 1)
    assert (model.weights_ == before).all()
    assert (twin.weights_ != before).any()


def test_labels_that_training_never_had_widen_the_sets(tmp_path: Any) -> None:
    model = wl.AdaBoostClassifier(n_estimators=4).fit(X[FIT], THREE[FIT])
    strange = THREE.copy()
    strange[200:280] = "d"  # a fifth of the calibration rows
    narrow = model.conformalize(X[CAL], THREE[CAL]).predict_set(X[NEW], alpha=0.25).sizes.mean()
    wide = model.conformalize(X[CAL], strange[CAL]).predict_set(X[NEW], alpha=0.25).sizes.mean()
    assert wide > narrow
    model.save(tmp_path / "model.weak")
    for known in (model, wl.load(tmp_path / "model.weak")):
        with pytest.warns(wl.BoostingWarning, match="a set holds every label that is known"):
            assert (known.predict_set(X[NEW], alpha=0.1).sizes == 3).all()  # not even these cover
    sets = LabelSets(np.ones((2, 2), bool), np.array([0, 1]))
    assert sets.covers([0, 7]).tolist() == [True, False]


def test_coverage_by_simulation() -> None:
    """Over calibration sets of 19 rows the mean coverage is 1 - alpha and no less."""
    rng = np.random.default_rng(7)
    model = wl.DecisionTreeRegressor(max_depth=2).fit(X[FIT], NUMBERS[FIT])
    residuals, covered = np.abs(NUMBERS - model.predict(X))[200:], []
    for _ in range(150):
        rows = 200 + rng.permutation(2400)
        model.conformalize(X[rows[:19]], NUMBERS[rows[:19]])
        # The interval of a row holds its number where its residual is no larger than the level.
        level = model._conformity.threshold(0.2)
        covered.append(np.mean(residuals[rows[19:] - 200] <= level))
    deviation = np.std(covered) / np.sqrt(150)
    assert np.mean(covered) >= 0.8 - 3 * deviation
    assert np.mean(covered) <= 0.8 + 0.05 + 3 * deviation  # 1 - alpha + 1/(n + 1)


def test_out_of_bag_and_folds() -> None:
    some = slice(0, 600)
    forest = wl.RandomForestClassifier(n_estimators=40, oob_score=True, random_state=0)
    forest.fit(X[some], TWO[some]).conformalize(X[some], TWO[some], how="oob")
    assert forest.predict_set(X[NEW]).covers(TWO[NEW]).mean() >= 0.85
    glass = wl.AdditiveBoostingClassifier(n_estimators=5).fit(X[some], THREE[some])
    glass.conformalize(X[some], THREE[some], how="oob")
    assert glass.predict_set(X[NEW]).covers(THREE[NEW]).mean() >= 0.85
    bag = wl.BaggingRegressor(n_estimators=20, oob_score=True, random_state=0)
    bag.fit(X[some], NUMBERS[some]).conformalize(X[some], NUMBERS[some], how="oob")
    assert inside(bag.predict_interval(X[NEW]), NUMBERS[NEW]).mean() >= 0.85
    for model, y in (
        (wl.AdaBoostClassifier(n_estimators=5), THREE),
        (wl.DecisionStumpClassifier(), TWO),
    ):
        model.fit(X[some], y[some]).conformalize(X[some], y[some], how="folds")
        assert model.predict_set(X[NEW]).covers(y[NEW]).mean() >= 0.85
    tree = wl.DecisionTreeRegressor(max_depth=3).fit(X[some], NUMBERS[some])
    tree.conformalize(X[some], NUMBERS[some], how="folds")
    assert inside(tree.predict_interval(X[NEW]), NUMBERS[NEW]).mean() >= 0.85
    told = tree.conformal_certificate(0.1)
    assert (told.id, told.bound) == ("conformal-folds", pytest.approx(0.8))
    assert any("hardly changes" in words for words in told.assumed)


def test_the_certificate() -> None:
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[FIT], TWO[FIT])
    told = model.conformalize(X[CAL], TWO[CAL]).conformal_certificate(0.1)
    assert (told.id, told.bound, told.about) == ("conformal-split", pytest.approx(0.9), "truth")
    assert told.checked == ("none of the calibration rows was seen in training",)
    assert not told.vacuous
    assert "400 calibration rows" in str(told)


def test_refusals() -> None:
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[FIT], TWO[FIT])
    with pytest.raises(ValueError, match="is not conformalized"):
        model.predict_set(X[NEW])
    with pytest.raises(ValueError, match=r"100 of 200 rows were seen in training"):
        model.conformalize(X[100:300], TWO[100:300])
    with pytest.raises(ValueError, match="y_cal holds 7"):
        model.conformalize(X[CAL], np.full(400, 7))
    with pytest.raises(ValueError, match="has none; fit it with oob_score"):
        model.conformalize(X[FIT], TWO[FIT], how="oob")
    with pytest.raises(ValueError, match="400 rows of X_cal are none of them"):
        model.conformalize(X[CAL], TWO[CAL], how="folds")
    with pytest.raises(ValueError, match="how='luck'"):
        model.conformalize(X[CAL], TWO[CAL], how="luck")
    model.conformalize(X[200:208], TWO[200:208])
    with pytest.raises(
        ValueError, match=r"alpha=0\.1 needs at least 9 calibration rows, and there are 8"
    ):
        model.predict_set(X[NEW])
    assert len(model.predict_set(X[NEW], alpha=0.2)) == 2000
    assert len(model.conformalize(X[200:209], TWO[200:209]).predict_set(X[NEW], alpha=0.1)) == 2000
    for alpha in (0, 1, -0.1, 1.5, float("nan"), "a"):
        with pytest.raises((ValueError, TypeError), match="alpha"):
            model.predict_set(X[NEW], alpha=alpha)
    vouched = model.conformalize(X[:400], TWO[:400], seen="keep").conformal_certificate(0.1)
    assert vouched.checked == ()
    assert "the calibration rows were not trained on" in vouched.assumed
    tree = wl.DecisionTreeRegressor().fit(X[FIT], NUMBERS[FIT])
    with pytest.raises(ValueError, match="y"):
        tree.conformalize(X[CAL], np.full(400, np.nan))
    with pytest.raises(Exception, match="not fitted"):
        wl.DecisionTreeRegressor().conformalize(X[CAL], NUMBERS[CAL])


def test_a_model_that_has_changed_forgets() -> None:
    model = wl.AdaBoostClassifier(n_estimators=6).fit(X[FIT], TWO[FIT])
    model.conformalize(X[CAL], TWO[CAL])
    with pytest.raises(ValueError, match="has changed since"):
        model.truncate(2).predict_set(X[NEW])
    assert len(model.predict_set(X[NEW])) == 2000
    glass = wl.AdditiveBoostingRegressor(n_estimators=3, n_bags=2).fit(X[FIT], NUMBERS[FIT])
    glass.conformalize(X[CAL], NUMBERS[CAL])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        glass.edit(0, drop=True)
    with pytest.raises(ValueError, match="has changed since"):
        glass.predict_interval(X[NEW])


def test_sets_are_tuples_and_flags() -> None:
    sets = LabelSets(np.array([[True, False, True], [False, True, False]]), np.array([3, 5, 8]))
    assert sets[0] == (3, 8)
    assert list(sets) == [(3, 8), (5,)]
    assert np.asarray(sets).tolist() == sets.matrix.tolist()
    assert sets.sizes.tolist() == [2, 1]
    assert sets.covers([8, 3]).tolist() == [True, False]
    assert "3, 8" in str(sets)
    assert len(sets[:1]) == 1


def test_folds_with_labels_that_the_model_or_a_refit_lacks() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = (X[:, 0] > 0).astype(int)
    two = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    other = y.copy()
    other[7] = 2  # unknown to the model
    two.conformalize(X, other, how="folds")
    assert np.count_nonzero(np.isinf(two._conformity.scores)) == 1
    rare = y.copy()
    rare[7] = 5  # in one fold alone, so that a refit has two classes of three
    three = wl.AdaBoostClassifier(n_estimators=3).fit(X, rare)
    three.conformalize(X, rare, how="folds")
    scores = three._conformity.scores
    assert ((scores >= 0) & (scores <= 1) | np.isinf(scores)).all()  # 1 less a probability
