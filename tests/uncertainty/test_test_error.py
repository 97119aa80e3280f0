"""Every classifier says what is known of its error, and says nothing that does not follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import weaklearn as wl
from weaklearn.production import row_sketch

RNG = np.random.default_rng(0)
X = np.round(8 * RNG.normal(size=(4000, 3))) / 8 + RNG.normal(size=(4000, 3)) / 1024
Y = np.where((X[:, 1] > 0.3) ^ (RNG.random(4000) < 0.1), "yes", "no")
OLD, NEW = slice(0, 2000), slice(2000, None)

NO_GAMES = [
    wl.DecisionStumpClassifier(),
    wl.DecisionTreeClassifier(max_depth=2),
    wl.RandomForestClassifier(n_estimators=3, random_state=0),
    wl.CentroidClassifier(),
    wl.RuleClassifier(),
    wl.KernelSVMClassifier(),
    wl.HingeLPClassifier(),
]
LINES = [
    wl.ThresholdClassifier(),
    wl.IntervalUnionClassifier(n_max=1),
    wl.IntervalUnionClassifier(n_max=1, ends="half-open"),
    wl.ThreePieceClassifier(),
    wl.RectangleClassifier(),
]
ONLINE = [wl.Perceptron(max_passes=2), wl.SGDClassifier(), wl.KernelPerceptron(max_passes=1)]


def name(model: Any) -> str:
    return type(model).__name__


def test_test_rows_that_were_trained_on_are_told() -> None:
    model = wl.AdaBoostClassifier(n_estimators=5).fit(X[:400], Y[:400])
    with pytest.warns(wl.DataWarning, match="400 of 400 rows were seen in training: as test rows"):
        found = model.certify(X[:400], Y[:400], X[:400], Y[:400])
    assert found.of("test-exact").bound is None


@pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
@pytest.mark.parametrize("model", NO_GAMES, ids=name)
def test_test_rows_speak(model: Any) -> None:
    rows = slice(0, 400)
    model.fit(X[rows], Y[rows])
    found = model.certify(X_test=X[NEW], y_test=Y[NEW])
    error = float(np.mean(model.predict(X[NEW]) != Y[NEW]))
    assert [c.id for c in found] == ["test-exact", "test-set"]
    assert found[0].lower < error < found[0].bound <= 1
    assert found[0].checked == ("none of the rows was seen in training",)
    seen_before = model.certify(X_test=X[rows], y_test=Y[rows])
    assert [c.bound for c in seen_before] == [None, None]
    assert "400 of 400 rows were seen" in seen_before[0].note
    assert "pass X_test and y_test" in str(model.certify())
    with pytest.raises(ValueError, match="pass X together with y"):
        model.certify(X)


@pytest.mark.filterwarnings("ignore::weaklearn.WeaklearnWarning")
@pytest.mark.parametrize("model", ONLINE, ids=name)
def test_who_does_not_know_its_rows_says_so(model: Any) -> None:
    model.fit(X[:300], Y[:300])
    found = model.certify(X_test=X[NEW], y_test=Y[NEW])
    assert [c.bound for c in found] == [None, None]
    assert "does not know which rows it was trained on" in found[0].note


@pytest.mark.parametrize("model", LINES, ids=name)
def test_rules_that_few_examples_rebuild(model: Any) -> None:
    model.fit(X[OLD], Y[OLD])
    found = model.certify(X[OLD], Y[OLD], X[NEW], Y[NEW], delta=0.1)
    kept = found.of("gen-compression")
    assert kept.bound == pytest.approx(model.compression(X[OLD], Y[OLD], delta=0.05).bound)
    assert float(np.mean(model.predict(X[NEW]) != Y[NEW])) <= kept.bound
    assert sum(c.delta for c in found if c.applies) <= 0.1
    told = [c.bound for c in found if c.applies]
    assert told == sorted(told)
    other = model.certify(X[NEW], Y[NEW]).of("gen-compression")
    assert not other.applies
    assert "these rows do not give the rule back" in other.note
    few = model.certify(X[:2], Y[:2]).of("gen-compression")
    assert not few.applies


def test_a_rule_that_answers_alike_is_another_rule() -> None:
    """Rows that have the same answers by chance rebuild another rule: there is no bound."""
    B = np.array([[1, 1, 1], [1, 1, 1], [0, 0, 0], [1, 1, 0]] * 10)
    model = wl.MonomialClassifier().fit(B, [1, 1, 0, 1] * 10)
    assert model.kept_.tolist() == [0, 1]
    narrow = B[[0, 1, 2] * 4]
    assert (model.predict(narrow) == [1, 1, 0] * 4).all()
    assert not model.compression(narrow, [1, 1, 0] * 4).verified
    assert model.compression(B, [1, 1, 0, 1] * 10).verified


def test_a_list_fixed_before() -> None:
    rules = [lambda X, j=j: np.where(X[:, j] > 0.3, "yes", "no") for j in range(3)]
    model = wl.ERMClassifier(rules).fit(X[OLD], Y[OLD])
    found = model.certify(X[OLD], Y[OLD]).of("gen-finite")
    error = float(np.mean(model.predict(X[OLD]) != Y[OLD]))
    width = np.sqrt((np.log(3) + np.log(1 / 0.05)) / (2 * 2000))
    assert found.bound == pytest.approx(error + width)
    assert any("before" in words for words in found.assumed)


def test_labels_that_training_never_had_are_errors() -> None:
    model = wl.AdaBoostClassifier(n_estimators=3).fit(X[OLD], Y[OLD])
    strange = Y.astype(object)
    strange[2000:2100] = "perhaps"
    known = model.certify(X_test=X[NEW], y_test=Y[NEW])[0]
    found = model.certify(X_test=X[NEW], y_test=strange[NEW])[0]
    assert found.bound > known.bound
    wrong = np.count_nonzero(model.predict(X[NEW]) != strange[NEW])
    assert found.note.startswith(f"{wrong} errors on 2000 rows")
    with pytest.raises(ValueError, match="y_test holds 0"):
        model.certify(X_test=X[NEW], y_test=np.zeros(2000, int))


def test_rows_left_out_by_weight_leave_no_sample() -> None:
    """To leave out what was mistaken and certify the rest would be a way to lie."""
    model = wl.AdaBoostClassifier(n_estimators=5).fit(X[OLD], Y[OLD])
    for kept in (1, 0.25):
        weight = np.where(model.predict(X[OLD]) == Y[OLD], kept, 0)
        again = wl.AdaBoostClassifier(n_estimators=5).fit(X[OLD], Y[OLD], sample_weight=weight)
        found = again.certify(X[OLD], Y[OLD], sample_weight=weight)
        assert not any(c.applies for c in found.truth)
        assert "rows of weight 0 were left out" in found.of("gen-bits").note
    weight = np.where(Y[OLD] == "yes", 0.5, 1.5)
    again = wl.AdaBoostClassifier(n_estimators=5).fit(X[OLD], Y[OLD], sample_weight=weight)
    assert again.certify(X[OLD], Y[OLD], sample_weight=weight).of("gen-bits").applies


def test_of_a_large_table_only_rows_that_can_be_told_are_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows of training that the sketch no longer knows are not taken for new ones."""
    monkeypatch.setattr(row_sketch, "MOST_HASHES", 200)
    model = wl.DecisionTreeClassifier().fit(X[OLD], Y[OLD])  # learns by heart
    found = model.certify(X_test=X[1000:3000], y_test=Y[1000:3000])
    fresh = found.of("test-new")
    told = int(fresh.note.split(" errors on ")[1].split()[0])
    assert told < 300  # of 1000: about a tenth can be told
    error = float(np.mean(model.predict(X[3000:]) != Y[3000:]))
    assert fresh.lower <= error <= fresh.bound


def test_every_classifier_has_it() -> None:
    for kind in (*NO_GAMES, *LINES, *ONLINE, wl.SleepingExperts(), wl.HalvingClassifier()):
        assert callable(kind.certify)


def test_tables_of_labels_are_read_as_in_training() -> None:
    """Sparse tables and -1 for 0 mean the same; other columns and other numbers are refused."""
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(200, 4))
    labels = (rows[:, :3] + 0.3 * rng.normal(size=(200, 3)) > 0).astype(int)
    for made in (labels, sparse.csr_matrix(labels)):
        model = wl.AdaBoostMHClassifier(n_estimators=5).fit(rows[:100], made[:100])
        given = (
            labels[100:],
            labels[100:] > 0,
            2 * labels[100:] - 1,
            sparse.csr_array(labels[100:]),
        )
        found = [model.certify(X_test=rows[100:], y_test=y).of("test-exact") for y in given]
        assert len({(c.bound, c.lower) for c in found}) == 1
        assert 0 < found[0].lower < found[0].bound < 1
        for wrong, words in (
            (labels[100:, :2], "2 columns of labels"),
            (labels[100:, 0], "one column per label"),
            (2 * labels[100:], "y_test"),
        ):
            with pytest.raises(ValueError, match=words):
                model.certify(X_test=rows[100:], y_test=wrong)
