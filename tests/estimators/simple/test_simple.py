"""The simple learners: what each finds, ties and edges, compression, sample sizes, files."""

from __future__ import annotations

import doctest
import math
import pickle
import time
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import weaklearn
from tests.golden import Case, load
from weaklearn import (
    CentroidClassifier,
    DisjunctionClassifier,
    ERMClassifier,
    IntervalUnionClassifier,
    ModelFileError,
    MonomialClassifier,
    RectangleClassifier,
    ThreePieceClassifier,
    ThresholdClassifier,
    datasets,
)
from weaklearn.estimators.simple import boolean, centroid, erm, intervals
from weaklearn.files import unseal
from weaklearn.persistence.model_bytes import opened, sealed
from weaklearn.theory import bounds, compression_scheme

quick = settings(deadline=None, max_examples=40)
pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.DataWarning")
NUMERIC = [
    ThresholdClassifier(),
    IntervalUnionClassifier(),
    IntervalUnionClassifier(n_max=2),
    IntervalUnionClassifier(n_max=2, ends="half-open"),
    ThreePieceClassifier(),
    RectangleClassifier(),
    CentroidClassifier(),
]
BINARY = [MonomialClassifier(), DisjunctionClassifier()]
over = pytest.mark.parametrize("model", [*NUMERIC, *BINARY], ids=repr)
cells = st.lists(
    st.tuples(
        st.tuples(st.integers(0, 3), st.integers(0, 3)), st.sampled_from([-1, 1]), st.integers(1, 3)
    ),
    min_size=2,
    max_size=20,
)
bit_rows = st.lists(st.tuples(*[st.integers(0, 1)] * 4), min_size=1, max_size=20)


def rows_for(model: Any, m: int = 200, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    if isinstance(model, boolean.BitsClassifier):
        X = rng.integers(0, 2, (m, 4)).astype(float)
        return X, np.where(rng.random(m) < 0.1, 0, X[:, 1] * X[:, 2]).astype(int)
    X = np.round(rng.normal(size=(m, 3)), 1)
    return X, (np.abs(X[:, 1] + 0.2 * rng.normal(size=m)) < 0.8).astype(int)


def parts(rows: Any) -> Any:
    return tuple(np.array(part) for part in zip(*rows, strict=True))


@pytest.mark.parametrize("module", [boolean, centroid, erm, intervals])
def test_docstrings_hold(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


# ------------------------------------------------------------------------------ what all of them do


@over
def test_order_weights_and_containers_change_nothing(model: Any) -> None:
    X, y = rows_for(model)
    rng = np.random.default_rng(1)
    order, copies = rng.permutation(len(y)), rng.integers(0, 4, len(y))
    plain = clone(model).fit(X, y).fingerprint()
    assert clone(model).fit(X[order], y[order]).fingerprint() == plain
    assert clone(model).fit(sp.csr_array(X), y).fingerprint() == plain
    assert clone(model).fit(X, y, np.full(len(y), 0.3)).fingerprint() == plain
    repeated = clone(model).fit(np.repeat(X, copies, axis=0), np.repeat(y, copies))
    assert clone(model).fit(X, y, copies).fingerprint() == repeated.fingerprint()
    importance = rng.random(len(y))
    weighed = clone(model).fit(X, y, importance)
    assert clone(model).fit(X[order], y[order], importance[order]).error_ == weighed.error_
    assert weighed.error_ == pytest.approx(
        importance[weighed.predict(X) != y].sum() / importance.sum(), abs=1e-12
    )


@over
def test_files_and_pickles(model: Any) -> None:
    X, y = rows_for(model)
    fitted = clone(model).fit(X, np.where(y, "yes", "no"))
    again = opened(unseal(sealed(fitted)))
    assert again.fingerprint() == fitted.fingerprint()
    for other in (again, pickle.loads(pickle.dumps(fitted))):
        assert (other.predict(X) == fitted.predict(X)).all()
        assert other.predict(X[:0]).dtype == fitted.classes_.dtype
    half = len(y) // 2
    calm = clone(model).fit(X[:half], y[:half]).conformalize(X[half:], y[half:], seen="keep")
    assert opened(unseal(sealed(calm))).predict_set(X).matrix.any(axis=1).all()


@over
@pytest.mark.parametrize("label", [-1, 1, "a"])
def test_one_class(model: Any, label: Any) -> None:
    X, _ = rows_for(model, 20)
    fitted = clone(model).fit(X, [label] * 20)
    assert fitted.error_ == 0
    assert fitted.predict(1 - X if model in BINARY else X + 9).tolist() == [label] * 20
    if hasattr(fitted, "compression"):
        assert fitted.compression(X, [label] * 20).verified


@over
def test_a_few_examples_rebuild_the_rule(model: Any) -> None:
    if not hasattr(model, "compression"):
        return
    for seed in range(4):
        X, y = rows_for(model, seed=seed)
        fitted = clone(model).fit(X, y)
        found = fitted.compression(X, y, delta=0.1)
        assert found.verified
        assert found.error == pytest.approx(fitted.error_)
        assert found.bound is not None
        few = found.hypothesis(X)
        assert (few == fitted.predict(X)).all()
    if not isinstance(model, boolean.BitsClassifier) and model.get_params().get("n_max", 1):
        m = model.sample_size(0.2, 0.05, n_features=3)
        assert m > clone(model).sample_size(0.4, 0.05, n_features=3)
        kappa, shares = fitted._kappa(3), fitted._choices(3)
        assert bounds.compression_consistent(m, kappa, 0.05 / shares) <= 0.2
        assert bounds.compression_consistent(m - 1, kappa, 0.05 / shares) > 0.2
    with pytest.raises(ValueError, match="delta"):
        fitted.compression(X, y, delta=1.5)
    with pytest.raises(ValueError, match="delta"):
        fitted.sample_size(0.1, 1.5)


@pytest.mark.parametrize("model", NUMERIC, ids=repr)
def test_what_is_no_number_is_refused(model: Any) -> None:
    X, y = rows_for(model, 20)
    X[3, 2] = np.nan
    with pytest.raises(ValueError, match="NaN: row 3, column 2 is missing"):
        clone(model).fit(X, y)
    with pytest.raises(ValueError, match=r"column 0 holds .*needs numbers"):
        clone(model).fit(np.array([["a"], ["b"]]), [0, 1])
    if not isinstance(model, CentroidClassifier):
        with pytest.raises(ValueError, match="Only binary"):
            clone(model).fit([[1], [2], [3]], [0, 1, 2])


# ------------------------------------------------------------------------------------ intervals


def test_the_best_column_is_used_and_the_first_on_ties() -> None:
    X = np.array([[1, 1, 1], [1, 2, 2], [2, 3, 3], [2, 4, 4]])
    for model in (IntervalUnionClassifier(n_max=1), ThreePieceClassifier()):
        fitted = model.fit(X, [0, 1, 1, 0])
        assert (fitted.feature_, fitted.error_) == (1, 0)
    with pytest.raises(ValueError, match="n_max"):
        IntervalUnionClassifier().sample_size(0.1, 0.1)
    with pytest.raises(ValueError, match="n_max=0"):
        IntervalUnionClassifier(n_max=0).fit(X, [0, 1, 1, 0])
    with pytest.raises(ValueError, match="ends='open'"):
        IntervalUnionClassifier(ends="open").fit(X, [0, 1, 1, 0])


def test_equal_values_of_both_labels() -> None:
    X, y = [[1.0], [1.0], [2.0], [2.0], [2.0]], [0, 1, 0, 1, 1]
    model = IntervalUnionClassifier().fit(X, y)
    assert (model.intervals_.tolist(), model.error_) == ([[2, 2]], 0.4)
    none = IntervalUnionClassifier().fit([[1.0], [1.0], [2.0]], [0, 1, 0])
    assert none.intervals_.shape == (0, 2)
    assert none.predict([[1.0]]).tolist() == [0]


# ------------------------------------------------------------------------------------ rectangles


@quick
@given(cells)
def test_the_rectangle_is_the_tightest(rows: Any) -> None:
    X, y, w = parts(rows)
    model = RectangleClassifier().fit(X, y, w)
    if (y > 0).any():
        assert model.lower_.tolist() == X[y > 0].min(axis=0).tolist()
        assert model.upper_.tolist() == X[y > 0].max(axis=0).tolist()
    elif len(set(y)) == 1:
        assert (model.lower_ > model.upper_).all()
    sides = list(combinations(np.arange(-0.5, 4), 2))
    for (a, b), (c, d) in ((s, t) for s in sides for t in sides):
        inside = (a < X[:, 0]) & (X[:, 0] < b) & (c < X[:, 1]) & (X[:, 1] < d)
        if (inside == (y > 0)).all():  # a consistent one: ours is too, and lies within it
            assert model.error_ == 0
            low, high = model.lower_, model.upper_
            assert (low > high).all() or (a < low[0] <= high[0] < b and c < low[1] <= high[1] < d)
    found = model.compression(X, y) if len(y) > 4 else None
    if found is not None:
        assert found.verified
        assert found.kappa in (0, 4)
        named = compression_scheme("rectangle", X.astype(float), y)
        assert named.error == found.error
        assert named.bound == found.bound


# ------------------------------------------------------------------------------------ 0 and 1


@pytest.mark.parametrize(
    "golden", [c for c in load("online") if c["name"].startswith("monomial")], ids=str
)
def test_golden_monomials(golden: Case) -> None:
    X, y = zip(*((row["x"], row["y"]) for row in golden["input"]["sample"]), strict=True)
    model = MonomialClassifier().fit(X, y)
    assert model.kept_.tolist() == golden["expected"]["kept"]
    n = golden["input"]["n"]
    wanted = math.ceil((n * math.log(2) + math.log(1 / 0.05)) / 0.1)
    assert model.sample_size(0.1, 0.05) == wanted == MonomialClassifier().sample_size(0.1, 0.05, n)


@pytest.mark.parametrize(
    "golden",
    [c for c in load("online") if "batch_kept" in c["expected"]],
    ids=lambda case: case["name"],
)
def test_golden_disjunctions(golden: Case) -> None:
    X, y = zip(*((row["x"], row["y"]) for row in golden["input"]["sequence"]), strict=True)
    model = DisjunctionClassifier().fit(X, y)
    assert model.kept_.tolist() == golden["expected"]["batch_kept"]
    m = bounds.disjunction_m(golden["input"]["d"], 0.1, 0.05)
    assert m <= model.sample_size(0.1, 0.05) < m + 1


@quick
@given(bit_rows, st.sets(st.integers(0, 3)))
def test_consistent_where_any_is(rows: Any, target: set[int]) -> None:
    X, chosen = np.array(rows), sorted(target)
    for make, y in (
        (MonomialClassifier, X[:, chosen].all(axis=1)),
        (DisjunctionClassifier, X[:, chosen].any(axis=1)),
    ):
        model = make().fit(X, np.where(y, 1, -1))
        assert model.error_ == 0
        assert set(model.kept_) >= target
        if len(X) > 4:
            assert model.compression(X, np.where(y, 1, -1)).verified


def test_edges_of_bits() -> None:
    X = [[0, 1], [1, 0], [0, 0]]
    assert MonomialClassifier().fit(X, [-1, -1, -1]).kept_.tolist() == [0, 1]
    always = MonomialClassifier().fit(X, [1, 1, -1])
    assert always.kept_.tolist() == []
    assert always.predict(X).tolist() == [1, 1, 1]
    assert DisjunctionClassifier().fit(X, [1, 1, 1]).kept_.tolist() == [0, 1]
    never = DisjunctionClassifier().fit(X, [-1, -1, 1])
    assert never.kept_.tolist() == []
    assert never.predict(X).tolist() == [-1, -1, -1]
    for model in BINARY:
        with pytest.raises(ValueError, match=r"row 1, column 1 holds 0\.5, .*0 and 1 only"):
            clone(model).fit([[0, 1], [1, 0.5]], [0, 1])
        with pytest.raises(ValueError, match="row 0, column 0 holds nan"):
            clone(model).fit([[np.nan], [1.0]], [0, 1])
        fitted = clone(model).fit([[True, False], [False, False]], [1, 0])
        with pytest.raises(ValueError, match="row 0, column 1 holds 2"):
            fitted.predict([[0, 2]])


# ------------------------------------------------------------------------------------ means


def test_means_on_the_line() -> None:
    model = CentroidClassifier().fit([[1.0], [2.0], [6.0], [7.0]], [-1, -1, 1, 1])
    assert model.predict([[4.0], [np.nextafter(4.0, 0)]]).tolist() == [1, -1]
    turned = CentroidClassifier().fit([[1.0], [2.0], [6.0], [7.0]], [1, 1, -1, -1])
    assert turned.predict([[4.0], [np.nextafter(4.0, 9)]]).tolist() == [1, -1]
    equal = CentroidClassifier().fit([[0.0], [2.0], [1.0]], [-1, -1, 1])
    assert equal.predict([[-5.0], [1.0], [5.0]]).tolist() == [-1] * 3
    drawn = CentroidClassifier().fit([[0.0], [2.0], [1.0]], [-1, -1, 1], sample_weight=[1, 1, 2])
    assert drawn.predict([[-5.0], [1.0]]).tolist() == [1, 1]
    weighed = CentroidClassifier().fit([[0.0], [3.0], [9.0]], [0, 0, 1], [0.2, 0.1, 0.3])
    assert weighed.means_.ravel() == pytest.approx([1, 9])


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_nearest_mean(n_classes: int) -> None:
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, n_classes, 300)
    X += y[:, None]
    model = CentroidClassifier().fit(X, y)
    far = ((X[:, None] - model.means_) ** 2).sum(axis=2)
    assert (model.predict(X) == far.argmin(axis=1)).all()
    assert model.means_ == pytest.approx(np.array([X[y == k].mean(0) for k in range(n_classes)]))


def test_means_of_large_numbers() -> None:
    X = np.array([[1.7e308, 1.0], [1.6e308, 1.0], [-1.7e308, 0.0], [-1.6e308, 0.0]])
    model = CentroidClassifier().fit(X, [1, 1, 0, 0])
    assert np.isfinite(model.means_).all()
    assert model.predict(X).tolist() == [1, 1, 0, 0]
    tiny = CentroidClassifier().fit(X * 1e-310, [1, 1, 0, 0])
    assert tiny.predict(X * 1e-310).tolist() == [1, 1, 0, 0]


def test_means_are_right_for_round_classes_and_wrong_for_skewed_ones() -> None:
    rng = np.random.default_rng(3)
    y = np.arange(4000) % 2
    x = rng.normal(size=4000) + 2 * y
    model = CentroidClassifier().fit(x[:, None], y)
    assert model.means_.mean() == pytest.approx(1, abs=0.05)  # where Bayes' rule has its threshold
    x = np.where(y == 1, 1 + rng.exponential(5.0, size=4000), rng.random(4000))
    skewed = CentroidClassifier().fit(x[:, None], y)
    assert skewed.error_ > 0.1 > ThresholdClassifier().fit(x[:, None], y).error_


# ------------------------------------------------------------------------------------ a list


def test_the_first_of_the_best_of_a_list() -> None:
    X, y = datasets.toy()
    rules: list[Any] = [
        lambda X, j=j, t=t: np.where(X[:, j] > t, 1, -1) for j in (0, 1) for t in range(10)
    ]
    model = ERMClassifier(rules).fit(X, y)
    errors = [np.mean(h(X) != y) for h in rules]
    assert model.errors_.tolist() == pytest.approx(errors)
    assert model.best_index_ == int(np.argmin(errors))
    assert (model.predict(X[:3]) == rules[model.best_index_](X[:3])).all()
    matrix = ERMClassifier(np.array([h(X) for h in rules])).fit(X, y)
    assert matrix.errors_.tolist() == model.errors_.tolist()
    assert matrix.predict(X).tolist() == model.predict(X).tolist()
    again = opened(unseal(sealed(matrix)))
    assert again.predict(X).tolist() == model.predict(X).tolist()
    with pytest.raises(ValueError, match="other rows than those of the fit"):
        matrix.predict(X[::-1])
    weights = np.where(np.arange(len(y)) % 2, 0, 3)
    weighed = ERMClassifier(matrix.hypotheses).fit(X, y, weights)
    assert weighed.errors_ == pytest.approx([np.average(h(X) != y, weights=weights) for h in rules])
    assert weighed.predict(X).tolist() == matrix.hypotheses[weighed.best_index_].tolist()


def test_the_best_of_a_list_is_near_the_best_of_all() -> None:
    m = ERMClassifier([len] * 10).sample_size(0.2, 0.1)
    assert m == math.ceil((math.log(10) + math.log(20)) / (2 * 0.1**2))
    rng = np.random.default_rng(4)
    cuts = np.linspace(0, 1, 10)
    true = np.abs(cuts - 0.5) * 0.6 + 0.2  # of x > t, where y is x > 0.5 but flipped one time in 5
    for _ in range(20):
        x = rng.random(m)
        y = ((x > 0.5) ^ (rng.random(m) < 0.2)).astype(int)
        model = ERMClassifier((x > cuts[:, None]).astype(int)).fit(x[:, None], y)
        gap = np.abs(model.errors_ - true).max()
        assert true[model.best_index_] <= true.min() + 2 * gap + 1e-12
        assert gap <= 0.1


@pytest.mark.parametrize(
    ("hypotheses", "words"),
    [
        (None, "hypotheses=None is not allowed"),
        ([], "list of functions"),
        ([[0, 1], [1]], "matrix of labels"),
        ([[0, 1, 0]], "labels for 3 rows, and X has 2 rows"),
        ([["a", "b"]], "answers 'a' where y holds labels such as 0"),
        ([lambda X: [1]], r"hypotheses\[0\] returns an array of shape \(1,\) for 2 rows"),
    ],
)
def test_lists_that_are_refused(hypotheses: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ERMClassifier(hypotheses).fit([[1.0], [2.0]], [0, 1])


def test_functions_are_not_saved(tmp_path: Any) -> None:
    model = ERMClassifier([lambda X: X[:, 0] > 1]).fit(np.array([[1.0], [2.0]]), [False, True])
    with pytest.raises(ModelFileError, match="function"):
        model.save(tmp_path / "model.weak")


# ------------------------------------------------------------------------------- files that are off


@pytest.mark.parametrize(
    ("model", "changes", "words"),
    [
        (IntervalUnionClassifier(), {"feature_": 7}, "no column"),
        (IntervalUnionClassifier(), {"intervals_": np.array([[2.0, 1.0]])}, "no order"),
        (IntervalUnionClassifier(), {"intervals_": np.array([[np.nan, 1.0]])}, "no order"),
        (
            IntervalUnionClassifier(n_max=1),
            {"intervals_": np.array([[1.0, 2.0], [3.0, 4.0]])},
            "n_max",
        ),
        (IntervalUnionClassifier(), {"intervals_": np.ones((1, 3))}, "two ends"),
        (ThreePieceClassifier(), {"thresholds_": (2.0, 1.0)}, "do not rise"),
        (ThreePieceClassifier(), {"thresholds_": (1.0, np.nan)}, "do not rise"),
        (ThreePieceClassifier(), {"thresholds_": (1.0,)}, "pair"),
        (ThreePieceClassifier(), {"polarity_": 0}, "polarity_"),
        (RectangleClassifier(), {"lower_": np.array([9.0, 9.0, 9.0])}, "neither empty"),
        (RectangleClassifier(), {"upper_": np.array([9.0])}, "3 columns"),
        (MonomialClassifier(), {"kept_": np.array([1, 1])}, "rise"),
        (MonomialClassifier(), {"kept_": np.array([1, 7])}, "no column"),
        (MonomialClassifier(), {"kept_": np.array([-1])}, "no column"),
        (CentroidClassifier(), {"means_": np.ones((2, 2))}, "shape"),
        (CentroidClassifier(), {"_open": np.zeros(2, bool)}, "mean of its own"),
    ],
)
def test_files_that_are_off_are_refused(model: Any, changes: dict[str, Any], words: str) -> None:
    X, y = rows_for(model)
    fitted = clone(model).fit(X, y)
    fitted.__dict__.update(changes)
    with pytest.raises(ModelFileError, match=words):
        opened(unseal(sealed(fitted)))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"best_index_": 5}, "best_index_"),
        ({"error_": 0.75}, "error_"),
        ({"hypotheses": np.ones((1, 2))}, "error for each"),
        ({"_keys": None}, "rows and labels"),
    ],
)
def test_lists_that_are_off_are_refused(changes: dict[str, Any], words: str) -> None:
    model = ERMClassifier(np.array([[0, 1], [1, 1]])).fit([[1.0], [2.0]], [0, 1])
    model.__dict__.update(changes)
    with pytest.raises(ModelFileError, match=words):
        opened(unseal(sealed(model)))


# ------------------------------------------------------------------------------------ speed


def test_many_rows_take_seconds() -> None:
    rng = np.random.default_rng(0)
    x = rng.random(200_000)
    y = (np.sin(40 * x) + rng.normal(size=len(x)) > 0).astype(int)
    start = time.process_time()
    for model in (IntervalUnionClassifier(n_max=5), ThreePieceClassifier(), RectangleClassifier()):
        model.fit(x[:, None], y)
    CentroidClassifier().fit(x[:, None], y)
    MonomialClassifier().fit((x > 0.5).astype(float)[:, None], y)
    assert time.process_time() - start < 20
    assert weaklearn.IntervalUnionClassifier(n_max=7).fit(x[:, None], y).error_ < 0.3
