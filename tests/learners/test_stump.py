"""The native stump search against brute force, golden cases, and itself started afresh."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden import Case, load, names, tolerance
from tests.reference.stump import best_stump, best_stump_multiclass, midpoint, stump_predict
from tests.samples import prepared, rows_like, sample_of
from weaklearn import AdaBoostClassifier, DecisionStumpClassifier
from weaklearn.base import ABSTAINED, RIGHT, WRONG
from weaklearn.base.hypothesis import CONSTANT, EQUALITY, MULTIWAY, THRESHOLD, Stump
from weaklearn.engines import Engine
from weaklearn.learners.stump import StumpLearner

NAN = float("nan")
quick = settings(deadline=None, max_examples=80)


def error_of(sample: Any, D: Any, h: Stump) -> float:
    correct = sample.correctness(h)
    return D.mass(correct, WRONG) + D.mass(correct, ABSTAINED) / 2


# --- Golden cases ----------------------------------------------------------------------------


@pytest.mark.parametrize("golden", load("stump_erm"), ids=names("stump_erm"))
def test_golden(golden: Case) -> None:
    X, y = np.array(golden["input"]["X"]), np.array(golden["input"]["y"])
    expected = golden["expected"]["both_polarities"]
    sample = sample_of(X, y)
    # A single class is +1 inside; the golden labels are meant.
    D = sample.weighed(np.array(golden["input"]["weights"]), y.astype(np.int8))
    h = StumpLearner().bind(sample)(D, sample.y)
    several = len(np.unique(y)) > 1 and len(np.unique(X[:, expected["feature"]])) > 1
    assert (h.feature, h.threshold, h.high, h.low) == (
        expected["feature"],
        expected["threshold"],
        expected["polarity"],
        -expected["polarity"] if several else expected["polarity"],
    )
    wrong = h(sample) != y
    assert D.array[wrong].sum() == pytest.approx(expected["error"], **tolerance("stump_erm"))


# --- Against the twin ------------------------------------------------------------------------


@st.composite
def problems(draw: Any, most_classes: int = 2) -> dict[str, Any]:
    """Small tables full of ties: some columns categorical, some values missing, some weights 0."""
    m, d = draw(st.integers(1, 14)), draw(st.integers(1, 3))
    coded = [j for j in range(d) if draw(st.booleans())]
    gap = draw(st.sampled_from([None, 0.1, 0.4]))
    cell = st.integers(0, 4)
    if gap is not None:
        cell = st.one_of(cell, cell, st.none())
    cells = draw(st.lists(st.lists(cell, min_size=d, max_size=d), min_size=m, max_size=m))
    X = np.array([[NAN if v is None else v for v in row] for row in cells], dtype=float)
    K = draw(st.integers(2, most_classes))
    codes = draw(st.lists(st.integers(0, K - 1), min_size=m, max_size=m))
    weights = draw(
        st.lists(st.integers(0, 4), min_size=m, max_size=m).filter(lambda found: any(found))
    )
    return {
        "X": X,
        "codes": np.array(codes),
        "K": K,
        "D": np.array(weights, dtype=float) / sum(weights),
        "coded": coded,
        "missing": draw(st.sampled_from(["branch", "abstain"])),
        "form": draw(st.sampled_from(["equality", "multiway"])),
    }


def for_twin(X: Any, coded: list[int]) -> Any:
    """The twin writes a missing category as -1."""
    X = X.copy()
    X[:, coded] = np.where(np.isnan(X[:, coded]), -1, X[:, coded])
    return X


def probes(X: Any) -> Any:
    """Rows to compare answers on: those of training, and new values in every column."""
    new = np.array([-7.0, -1.5, 0.5, 1.0, 2.5, 3.0, 4.5, 99.0, NAN])
    return np.vstack([X, np.tile(new[:, None], X.shape[1])])


def as_numbers(problem: dict[str, Any]) -> tuple[Any, Any, Any]:
    """The problem's intake, its sample, and its distribution."""
    X, coded = problem["X"], problem["coded"]
    y = problem["codes"] if problem["K"] > 2 else 2 * problem["codes"] - 1
    ready = prepared(X, problem["codes"], categorical=coded)
    sample = ready.sample
    if len(ready.classes) < problem["K"]:  # a class without examples: keep the coding all the same
        labels = y.astype(np.int32 if problem["K"] > 2 else np.int8)
        sample = replace(sample, y=labels, n_classes=problem["K"], classes=np.arange(problem["K"]))
    return ready, sample, sample.weighed(problem["D"])


def same_test(h: Stump, twin: dict[str, Any], X: Any) -> None:
    assert h.feature == twin["feature"]
    if twin["kind"] == "equality":
        levels = np.unique(X[:, h.feature][~np.isnan(X[:, h.feature])])
        assert (h.test, levels[h.category]) == (EQUALITY, twin["level"])
    elif twin["kind"] == "multiway":
        assert (h.test, h.by_category) == (MULTIWAY, tuple(twin["labels"].values()))
    elif twin["kind"] == "threshold":
        assert h.test in (CONSTANT, THRESHOLD)
        assert h.threshold == twin["threshold"]
    else:
        assert h.test == CONSTANT


@quick
@given(problems())
def test_two_classes_as_brute_force_finds_them(problem: dict[str, Any]) -> None:
    X, D = problem["X"], problem["D"]
    if np.isnan(X).all():
        return
    ready, sample, weighed = as_numbers(problem)
    h = StumpLearner(problem["form"], problem["missing"]).bind(sample)(weighed, sample.y)
    options = {"missing": problem["missing"], "cat_form": problem["form"]}
    coded = problem["coded"]
    twin = best_stump(for_twin(X, coded), sample.y, D, categorical=coded, **options)
    if problem["form"] == "multiway" and twin["feature"] in coded:
        # Natively a column is tested by value even where a constant does as well.
        twin = next(
            other
            for other in twin["tied"]
            if other["kind"] == "multiway" and other["feature"] == twin["feature"]
        )
    same_test(h, twin, X)
    if twin["polarity"] is not None:
        assert h.high == twin["polarity"]
    assert error_of(sample, weighed, h) == pytest.approx(twin["error"], abs=1e-12)
    rows = probes(X)
    j, asked = twin["feature"], for_twin(rows, coded)
    known = np.unique(X[~np.isnan(X[:, j]), j])
    if twin["kind"] == "threshold" and len(known) == 1:  # other values are answered as that one
        asked[:, j] = np.where(np.isnan(asked[:, j]), NAN, known)
    assert h(rows_like(ready, rows)).tolist() == stump_predict(twin, asked).tolist()


@quick
@given(problems(most_classes=5))
def test_many_classes_as_brute_force_finds_them(problem: dict[str, Any]) -> None:
    X, codes, K = problem["X"], problem["codes"], problem["K"]
    if np.isnan(X).all() or K == 2:
        return
    ready, sample, weighed = as_numbers(problem)
    h = StumpLearner(problem["form"], problem["missing"]).bind(sample)(weighed, sample.y)
    coded = problem["coded"]
    twin = best_stump_multiclass(
        for_twin(X, coded), codes, problem["D"], K, problem["missing"], coded, problem["form"]
    )
    same_test(h, twin, X)
    rows = probes(X)
    assert h(rows_like(ready, rows)).tolist() == (
        stump_predict(twin, for_twin(rows, coded)).tolist()
    )
    correct = sample.correctness(h)
    assert weighed.mass(correct, RIGHT) == pytest.approx(1 - float(twin["error"]), abs=1e-12)


@quick
@given(problems())
def test_properties(problem: dict[str, Any]) -> None:
    X, D, y = problem["X"], problem["D"], 2 * problem["codes"] - 1
    if np.isnan(X).all():
        return
    _, sample, weighed = as_numbers(problem)
    options = (problem["form"], problem["missing"])
    h = StumpLearner(*options).bind(sample)(weighed, sample.y)
    error = error_of(sample, weighed, h)
    assert error <= 0.5 + 1e-12
    # Scaled weights are the same weights.
    again = StumpLearner(*options).bind(sample)(sample.weighed(D * 0.37), sample.y)
    assert again == h
    # With labels turned round the error stays.
    turned = sample.weighed(D, (-y).astype(np.int8))
    other = StumpLearner(*options).bind(sample)(turned, sample.y)
    answers, silent = other(sample), 0
    wrong = D[(answers != -y) & (answers != silent)].sum() + D[answers == silent].sum() / 2
    assert wrong == pytest.approx(error, abs=1e-12)
    # A multiway test is at least as good as any equality.
    found = {}
    for form in ("equality", "multiway"):
        best = StumpLearner(form, problem["missing"]).bind(sample)(weighed, sample.y)
        found[form] = error_of(sample, weighed, best)
    assert found["multiway"] <= found["equality"] + 1e-12
    # Twice an example is twice its weight.
    double = np.vstack([X, X[:1]])
    doubled = prepared(double, np.r_[problem["codes"], problem["codes"][0]], None, problem["coded"])
    weights = np.r_[D, D[0]]
    weights[[0, -1]] /= 2
    if len(doubled.classes) == 2:
        twice = doubled.sample.weighed(weights)
        assert StumpLearner(*options).bind(doubled.sample)(twice, doubled.sample.y) == h


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=20), st.integers(-50, 50), st.randoms())
@quick
def test_shifted_values_shift_the_threshold(values: list[int], by: int, random: Any) -> None:
    y = [random.randint(0, 1) for _ in values]
    if len(set(y)) < 2:
        return
    X = np.array(values, dtype=float)[:, None]
    a, b = sample_of(X, y), sample_of(X + by, y)
    h, k = (StumpLearner().bind(s)(s.prior, s.y) for s in (a, b))
    assert (k.threshold, k.high, k.test) == (h.threshold + by, h.high, h.test)


# --- Edges -----------------------------------------------------------------------------------


def found(X: Any, y: Any, D: Any = None, **options: Any) -> Stump:
    sample = sample_of(np.asarray(X, dtype=float), y)
    weighed = sample.prior if D is None else sample.weighed(np.asarray(D, dtype=float))
    h: Stump = StumpLearner(**options).bind(sample)(weighed, sample.y)
    return h


def test_neighbouring_and_huge_values_are_parted() -> None:
    a = np.nextafter(1.0, 2.0)
    largest = np.finfo(float).max
    for low, high, threshold in [
        (1.0, a, 1.0),
        (largest / 2, largest, largest / 2),
        (-largest, largest, 0.0),
        (0.0, 5e-324, 0.0),
        (-5e-324, 0.0, -5e-324),
        (-0.0, 1.0, 0.5),
    ]:
        h = found([[low], [high]], [-1, 1])
        assert (h.threshold, h.high) == (threshold, 1)
    assert found([[-1e300], [-1e300]], [1, 1]).threshold == -np.inf
    assert found([[1e300], [1e300]], [1, 1]).threshold == -np.inf


def test_both_zeros_are_one_value() -> None:
    h = found([[-0.0], [0.0], [0.0]], [-1, 1, 1])
    assert (h.test, h.high) == (CONSTANT, 1)


def test_ties_follow_the_order_of_preference() -> None:
    X = [[3.0, 1.0], [1.0, 2.0], [2.0, 3.0]]
    # Both columns reach error 1/3 several times over: the lowest threshold of column 0 wins.
    twin = best_stump(X, np.array([1, -1, 1]), np.full(3, 1 / 3))
    h = found(X, [1, -1, 1])
    assert (h.feature, h.threshold, h.high) == (
        twin["feature"],
        twin["threshold"],
        twin["polarity"],
    )
    # Rounding does not part what is equal: 0.1 + 0.2 is no worse than 0.3.
    h = found([[0.0], [1.0], [2.0], [3.0]], [-1, 1, 1, -1], [0.3, 0.2, 0.1, 0.4])
    assert (h.test, h.high) == (CONSTANT, -1)
    h = found([[0.0, 2.0], [1.0, 0.0], [2.0, 1.0]], [-1, 1, 1], [0.3, 0.1, 0.2])
    assert (h.feature, h.threshold) == (0, 0.5)
    equal = np.array([[0.0, 2.0], [1.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    h = found(equal, [-1, 1, 1, 1], [0.3, 0.1, 0.2, 0.4])
    twin = best_stump(equal, np.array([-1, 1, 1, 1]), np.array([0.3, 0.1, 0.2, 0.4]))
    assert (h.feature, h.threshold, h.high) == (
        twin["feature"],
        twin["threshold"],
        twin["polarity"],
    )


def test_missing_values() -> None:
    X = [[NAN], [1.0], [2.0], [NAN]]
    h = found(X, [1, -1, -1, 1])
    assert (h.missing, h.high, h.test) == (1, -1, CONSTANT)
    # A block without majority says -1; the sample's majority says +1 where it has none.
    assert found([[NAN], [NAN], [1.0]], [1, -1, 1]).missing == -1
    assert found([[1.0], [2.0]], [1, -1]).missing == 1
    assert found([[1.0], [2.0]], [1, -1], [0.4, 0.6]).missing == -1
    # 0.1 + 0.2 against 0.3 is no majority either way.
    assert found([[NAN], [NAN], [NAN], [1.0]], [1, 1, -1, 1], [0.1, 0.2, 0.3, 0.4]).missing == -1
    assert found([[1.0], [2.0], [3.0]], [-1, -1, 1], [0.1, 0.2, 0.3]).missing == 1
    assert found(X, [1, -1, -1, 1], missing="abstain").missing == 0


def test_near_ties_of_classes_go_to_the_smallest() -> None:
    sample = sample_of(np.zeros((6, 1)), [0, 1, 1, 2, 2, 2])
    for weights, label in [
        ([0.3, 0.1, 0.2, 0.1, 0.1, 0.1], 0),
        ([0.3 - 1e-10, 0.1, 0.2, 0.1, 0.1, 0.1], 1),
        ([0.1, 0.1, 0.2, 0.1, 0.1, 0.1 + 1e-14], 1),
    ]:
        h = StumpLearner().bind(sample)(sample.weighed(np.array(weights)), sample.y)
        assert (h.high, h.low, h.missing) == (label, label, label)


def test_a_column_without_values_offers_nothing_but_the_constants() -> None:
    assert found([[NAN, 1.0], [NAN, 2.0]], [-1, 1]).feature == 1
    for labels, answer in ([-1, 1, 1], 1), ([-1, -1, 1], -1), ([0, 2, 2, 1], 2):
        sample = sample_of(np.full((len(labels), 2), NAN), labels)
        h = StumpLearner().bind(sample)(sample.prior, sample.y)
        assert (h.feature, h.threshold, h.low, h.high, h.missing) == (0, -np.inf, *[answer] * 3)
        silent = StumpLearner(missing="abstain").bind(sample)(sample.prior, sample.y)
        assert np.asarray(sample.correctness(silent)).tolist() == [ABSTAINED] * len(labels)


# --- Many values -----------------------------------------------------------------------------


def sort_and_scan(x: Any, y: Any, D: Any) -> tuple[float, float, int]:
    """Error, threshold and polarity of the best stump on one column."""
    order = np.argsort(x, kind="stable")
    x, signed = x[order], (D * y)[order]
    total = signed.sum()
    left = np.r_[0.0, np.cumsum(signed)[:-1]]
    starts = np.flatnonzero(np.r_[True, x[1:] != x[:-1]])
    r = total - 2 * left[starts]  # correlation of "+1 above" with the cut before each value
    best = np.abs(r).max()
    place = int(np.flatnonzero(np.abs(r) >= best - 2e-12 * D.sum())[0])
    k = starts[place]
    threshold = x[0] - 1 if k == 0 else midpoint(x[k - 1], x[k])
    return (D.sum() - best) / 2, threshold, 1 if r[place] >= best - 2e-12 * D.sum() else -1


def test_a_million_distinct_values() -> None:
    rng = np.random.default_rng(0)
    m = 1_000_000
    x = rng.permutation(m).astype(float) * 0.25
    y = np.where(rng.random(m) < 0.4 + 0.2 * (x > 171_717.3), 1, -1)
    D = rng.random(m)
    sample = sample_of(x[:, None], y)
    assert sample.coded.describe(0)["coarse"]
    weighed = sample.weighed(D)
    h = StumpLearner().bind(sample)(weighed, sample.y)
    error, threshold, polarity = sort_and_scan(x, y, D)
    assert error_of(sample, weighed, h) == pytest.approx(error / D.sum(), abs=1e-12)
    assert (h.threshold, h.high) == (threshold, polarity)


def played_beside_fresh(sample: Any, rounds: int, alpha: Any, options: Any = ()) -> None:
    """Boosts for many rounds; every answer is compared with that of a search without memory."""
    learner = StumpLearner(*options)
    learn = learner.bind(sample)
    D = sample.prior
    for t in range(rounds):
        h = learn(D, sample.y)
        fresh = learner.bind(sample)(D, sample.y)
        assert h == fresh, t
        correct = sample.correctness(h)
        error = D.mass(correct, WRONG)
        D = D.reweight(alpha(t, error), correct)


def own_vote(t: int, error: float) -> float:
    return 0.5 * float(np.log((1 - error) / error))


def uneven_vote(t: int, error: float) -> float:
    """Tiny, ordinary, huge and negative steps in turn."""
    return [1e-4, 0.3, own_vote(t, error), 4.0, -0.2, 0.0][t % 6]


@pytest.mark.parametrize("vote", [own_vote, uneven_vote])
def test_coarse_columns_over_many_rounds(vote: Any) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(5_000, 3))
    X[:, 2] = np.round(X[:, 2], 2)  # some 700 values, most of them repeated
    y = np.where(X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(size=5_000) > 0, 1, -1)
    sample = sample_of(X, y)
    assert all(sample.coded.describe(j)["coarse"] for j in range(3))
    played_beside_fresh(sample, 330, vote)


def test_coarse_columns_full_of_ties_over_many_rounds() -> None:
    rng = np.random.default_rng(2)
    X = rng.integers(0, 300, (3_000, 3)).astype(float)
    X[:, 1] = X[:, 0]  # the same column twice: every optimum is tied
    X[rng.random(X.shape) < 0.05] = NAN
    y = np.where((X[:, 0] // 30) % 2 == 0, 1, -1)
    sample = sample_of(X, y)
    assert sample.coded.describe(0)["coarse"]
    played_beside_fresh(sample, 320, own_vote)


def test_sparse_coarse_columns_over_many_rounds() -> None:
    rng = np.random.default_rng(3)
    X = np.where(rng.random((4_000, 4)) < 0.4, rng.normal(size=(4_000, 4)), 0.0)
    y = np.where(X[:, 0] + X[:, 1] ** 2 - X[:, 2] + 0.5 * rng.normal(size=4_000) > 0.2, 1, -1)
    sample = sample_of(sp.csc_matrix(X), y)
    assert sample.coded.describe(0)["coarse"]
    assert sample.coded.describe(0)["sparse"]
    played_beside_fresh(sample, 300, own_vote)


def test_mixed_columns_over_many_rounds() -> None:
    rng = np.random.default_rng(4)
    m = 2_500
    X = np.column_stack(
        [rng.normal(size=m), rng.integers(0, 40, m), rng.integers(0, 9, m), rng.random(m) * 3]
    )
    X[rng.random(X.shape) < 0.1] = NAN
    y = np.where(np.nan_to_num(X[:, 0]) + (np.nan_to_num(X[:, 1]) % 3) > 1, 1, -1)
    weight = rng.integers(1, 6, m)
    for form, missing in product(("equality", "multiway"), ("branch", "abstain")):
        sample = sample_of(X, y, weight, categorical=[1, 2])
        played_beside_fresh(sample, 80, own_vote, (form, missing))


def test_every_round_is_a_minimum() -> None:
    """Not only equal to a fresh search, but to sorting and scanning."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(5_000, 3))
    y = np.where(X.sum(axis=1) + rng.normal(size=5_000) > 0, 1, -1)
    sample = sample_of(X, y)
    learn, D = StumpLearner().bind(sample), sample.prior
    for t in range(300):
        h = learn(D, sample.y)
        correct = sample.correctness(h)
        error = D.mass(correct, WRONG)
        if t % 10 == 0:
            shares = D.array
            least = min(sort_and_scan(X[:, j], y, shares)[0] for j in range(3))
            assert error == pytest.approx(least, abs=2e-12)
        D = D.reweight(own_vote(t, error), correct)


def test_other_targets_do_not_disturb_the_memory() -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(2_500, 2))
    y = np.where(X[:, 0] + rng.normal(size=2_500) > 0, 1, -1)
    sample = sample_of(X, y)
    learn, D = StumpLearner().bind(sample), sample.prior
    z = rng.choice([-1, 1], 2_500).astype(np.int8)
    for t in range(30):
        h = learn(D, sample.y)
        assert h == StumpLearner().bind(sample)(D, sample.y)
        assert learn(D, z) == StumpLearner().bind(sample)(D, z)
        correct = sample.correctness(h)
        D = D.reweight(own_vote(t, D.mass(correct, WRONG)), correct)
        D = (
            D.reweight(0.1, sample.engine.weights.correctness(z)) if t % 5 == 0 else D
        )  # a round not searched


# --- Routing ---------------------------------------------------------------------------------


def stumps_over(sample: Any, rng: Any, n: int) -> list[Stump]:
    """Stumps with thresholds at, between and beyond the values."""
    found = []
    K = sample.n_classes
    for _ in range(n):
        j = int(rng.integers(sample.cells.n_features))
        described = sample.coded.describe(j)
        low, high, missing = (
            (int(a) for a in rng.choice([-1, 0, 1], 3))
            if K == 2
            else (int(a) for a in rng.integers(-1, K, 3))
        )
        if described["categorical"]:
            n_categories = described["n_codes"]
            test = int(rng.choice([CONSTANT, EQUALITY, MULTIWAY]))
            answers = (
                rng.choice([-1, 1], n_categories) if K == 2 else rng.integers(0, K, n_categories)
            )
            levels = tuple(int(a) for a in answers) if test == MULTIWAY else None
            level = int(rng.integers(n_categories))
            found.append(Stump(test, j, -np.inf, level, low, high, missing, levels))
        else:
            x = sample.column(j)
            x = x[~np.isnan(x)]
            value = float(rng.choice(x))
            threshold = float(
                rng.choice([value, np.nextafter(value, -np.inf), value + 0.01, -np.inf, 1e300])
            )
            found.append(Stump(THRESHOLD, j, threshold, 0, low, high, missing))
    return found


@pytest.mark.parametrize("K", [2, 4])
def test_codes_answer_as_values_do(K: int) -> None:
    rng = np.random.default_rng(7)
    m = 3_000
    X = np.column_stack([rng.normal(size=m), rng.integers(0, 30, m), rng.integers(0, 6, m)])
    X[rng.random(X.shape) < 0.1] = NAN
    y = rng.integers(0, K, m)
    sparse = np.where(rng.random((m, 3)) < 0.3, rng.normal(size=(m, 3)), 0.0)
    for sample in (sample_of(X, y, categorical=[2]), sample_of(sp.csr_matrix(sparse), y)):
        for h in stumps_over(sample, rng, 60):
            answers = h(sample)
            silent = answers == (0 if K == 2 else -1)
            expected = np.where(silent, 0, np.where(answers == sample.y, 1, -1))
            assert np.array_equal(np.asarray(sample.correctness(h)), expected), h


# --- Sparse, dense, narrow -------------------------------------------------------------------


def layouts(X: Any) -> dict[str, Any]:
    explicit = sp.csr_matrix(np.where(X == 0, 1.0, X))
    explicit.data[np.flatnonzero((X == 0).ravel())] = 0.0  # zeros that are listed all the same
    return {
        "C": np.ascontiguousarray(X),
        "F": np.asfortranarray(X),
        "reversed": np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1],
        "strided": np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
        "csr": sp.csr_matrix(X),
        "csc": sp.csc_matrix(X),
        "coo": sp.coo_matrix(X),
        "explicit zeros": explicit,
        "csr_array": sp.csr_array(X),
    }


@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_layouts_give_the_same_stumps(missing: float) -> None:
    rng = np.random.default_rng(8)
    X = np.where(rng.random((2_600, 4)) < 0.5, rng.normal(size=(2_600, 4)), 0.0)
    X[:, 3] = rng.integers(-2, 3, 2_600)
    X = X.astype(np.float32).astype(np.float64)
    X[rng.random(X.shape) < missing] = NAN
    y = np.where(np.nan_to_num(X[:, 0] - X[:, 1]) + 0.3 * rng.normal(size=2_600) > 0, 1, -1)
    runs = {}
    tables = layouts(X)
    tables |= {f"{name}, float32": table.astype(np.float32) for name, table in layouts(X).items()}
    for name, table in tables.items():
        sample = sample_of(table, y)
        learn, D, run = StumpLearner().bind(sample), sample.prior, []
        for t in range(25):
            h = learn(D, sample.y)
            run.append(h)
            correct = sample.correctness(h)
            D = D.reweight(own_vote(t, D.mass(correct, WRONG)), correct)
        runs[name] = (run, D.array.tobytes())
    assert all(run == runs["C"] for run in runs.values()), list(runs)


def test_threads_give_the_same_stumps() -> None:
    rng = np.random.default_rng(9)
    X = rng.normal(size=(30_000, 9))
    X[:, 4:] = np.round(X[:, 4:], 1)
    y = np.where(X[:, 0] + X[:, 5] + rng.normal(size=30_000) > 0, 1, -1)
    runs = []
    for threads in (1, 2, 5):
        sample = sample_of(X, y, threads=threads)
        assert sample.engine == Engine(threads)
        learn, D, run = StumpLearner().bind(sample), sample.prior, []
        for t in range(15):
            h = learn(D, sample.y)
            run.append(h)
            correct = sample.correctness(h)
            D = D.reweight(own_vote(t, D.mass(correct, WRONG)), correct)
        runs.append((run, D.array.tobytes()))
    assert runs[0] == runs[1] == runs[2]


def test_categories_of_a_plain_matrix_are_boosted() -> None:
    """Columns of a matrix do not lie in one piece; scoring must not mind."""
    rng = np.random.default_rng(10)
    X = np.column_stack([rng.normal(size=200), rng.integers(0, 4, 200)])
    y = (X[:, 1] == 2) | (X[:, 0] > 1)
    stump = DecisionStumpClassifier(categorical_features=[1])
    model = AdaBoostClassifier(stump, n_estimators=6).fit(X, y)
    total = sum(
        vote * np.where(h.predict(X), 1, -1)
        for vote, h in zip(model.estimator_weights_, model.estimators_, strict=True)
    )
    assert model.decision_function(X) == pytest.approx(total)
    assert model.score(X, y) > 0.95


@pytest.mark.parametrize("values", [[1.0], [1.0, NAN], [-3.0, NAN, NAN]])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_on_a_constant_column_every_known_value_gets_the_answer_of_the_one_seen(
    values: list[float], n_classes: int
) -> None:
    X = np.resize(values, (18, 1))
    y = np.where(np.arange(18) % 6 < 4, 0, np.arange(18) % n_classes)
    others = [[values[0]], [values[0] - 1], [values[0] + 1], [-1e300], [1e300]]
    for labels in (y, n_classes - 1 - y):
        ready = prepared(X, labels)
        h = StumpLearner().bind(ready.sample)(ready.sample.prior, ready.sample.y)
        answers = h(rows_like(ready, np.array(others)))
        assert len(set(answers.tolist())) == 1
        if len(values) == 1:  # none was missing: the majority answers
            assert h(rows_like(ready, np.array([[NAN]]))) == answers[0]
