"""The twins reproduce the golden cases, and the hand-made ones below."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from tests.golden import Case, case, load, names, tolerance
from tests.reference import threshold
from tests.reference.adaboost import adaboost, adaboost_m1, samme
from tests.reference.stump import best_stump, best_stump_multiclass, stump_predict

NAN = float("nan")
CURVES = [found for found in load("threshold_erm") if "curve" in found["expected"]]
RUNS = [
    found
    for found in load("boosters")
    if found["name"].startswith("adaboost_")
    and not found["name"].startswith("adaboost_L")
    and "F" in found["expected"]
]


def key(stump: dict[str, Any]) -> dict[str, Any]:
    return {part: stump[part] for part in ("feature", "threshold", "polarity")}


def fractions(texts: list[str]) -> Any:
    return np.array([Fraction(text) for text in texts], dtype=object)


# --- Threshold rules -------------------------------------------------------------------------


@pytest.mark.parametrize("golden", CURVES, ids=lambda found: found["name"])
def test_threshold_curve(golden: Case) -> None:
    x, y = golden["input"]["x"], golden["input"]["y"]
    expected = golden["expected"]
    curve = threshold.error_curve(x, y)
    assert [{k: row[k] for k in ("v_above", "v_at_most", "errors")} for row in curve] == expected[
        "curve"
    ]
    assert min(row["errors"] for row in curve) == expected["min_errors"]
    assert float(min(row["error"] for row in curve)) == expected["min_error_rate"]
    assert threshold.optimal_intervals(x, y) == expected["optimal_intervals"]


def test_multi_interval_rule_fits_table_2_2() -> None:
    golden = case("threshold_erm", "multi_interval_rule")
    x = np.array(golden["input"]["x"])
    spans = [(a, math.inf if b is None else b) for a, b in golden["input"][
        "positive_intervals_half_open"]]  # fmt: skip
    labels = np.where(np.any([(a <= x) & (x < b) for a, b in spans], axis=0), 1, -1)
    assert labels.tolist() == golden["expected"]["labels"]
    assert labels.tolist() == case("threshold_erm", "table_2_2")["input"]["y"]


@pytest.mark.parametrize(
    ("x", "y", "v"),
    [
        ([1.0, 2.0], [-1, 1], 1.5),
        ([1.0, 2.0], [1, 1], 0.0),
        ([1.0, 2.0], [-1, -1], 3.0),
        ([1.0, np.nextafter(1.0, 2.0)], [-1, 1], np.nextafter(1.0, 2.0)),
        ([1e300], [-1], np.inf),
    ],
)
def test_threshold_choice(x: list[float], y: list[int], v: float) -> None:
    assert threshold.threshold(x, y) == v


# --- Stumps ----------------------------------------------------------------------------------


@pytest.mark.parametrize("golden", load("stump_erm"), ids=names("stump_erm"))
@pytest.mark.parametrize("exact", [True, False])
def test_stump(golden: Case, exact: bool) -> None:
    given, expected = golden["input"], golden["expected"]["both_polarities"]
    D = fractions(given["weights_exact"]) if exact else np.array(given["weights"])
    stump = best_stump(given["X"], given["y"], D)
    assert key(stump) == key(expected)
    assert [key(other) for other in stump["tied"]] == expected["tied_optima"]
    assert stump["error"] == pytest.approx(expected["error"], **tolerance("stump_erm"))
    if exact:
        assert stump["error"] == Fraction(expected["error_exact"])


def test_neighbouring_floats_are_parted() -> None:
    a, b = 1.0, np.nextafter(1.0, 2.0)
    stump = best_stump([[a], [b]], [-1, 1], [0.5, 0.5])
    assert (stump["threshold"], stump["error"]) == (a, 0)
    largest = np.finfo(float).max
    stump = best_stump([[largest / 2], [largest]], [-1, 1], [0.5, 0.5])
    assert (stump["threshold"], stump["error"]) == (largest / 2, 0)
    assert best_stump([[-1e300]], [1], [1.0])["threshold"] == -np.inf


def test_missing_values_are_a_block_of_their_own() -> None:
    X, y, D = [[NAN], [1.0], [2.0], [NAN]], [1, -1, -1, 1], [0.25] * 4
    stump = best_stump(X, y, D)
    assert (stump["error"], stump["missing_label"], stump["polarity"]) == (0, 1, -1)
    assert stump_predict(stump, X).tolist() == y
    assert stump_predict(stump, [[9.0], [NAN]]).tolist() == [-1, 1]


def test_missing_block_without_majority_is_negative() -> None:
    stump = best_stump([[NAN], [NAN], [1.0]], [1, -1, 1], [0.25, 0.25, 0.5])
    assert (stump["missing_label"], stump["error"]) == (-1, 0.25)


def test_missing_values_unseen_in_training_get_the_majority() -> None:
    assert best_stump([[1.0], [2.0], [3.0]], [1, 1, -1], [0.3, 0.3, 0.4])["missing_label"] == 1
    assert best_stump([[1.0], [2.0]], [1, -1], [0.5, 0.5])["missing_label"] == 1


def test_abstaining_costs_half() -> None:
    X, y, D = [[NAN], [1.0], [2.0]], [1, -1, 1], np.array([0.5, 0.25, 0.25])
    stump = best_stump(X, y, D, missing="abstain")
    assert (stump["error"], stump["threshold"]) == (0.25, 1.5)
    assert stump_predict(stump, X).tolist() == [0, -1, 1]


def test_missing_values_may_be_refused() -> None:
    with pytest.raises(ValueError, match="missing"):
        best_stump([[NAN], [1.0]], [1, -1], [0.5, 0.5], missing="error")
    with pytest.raises(ValueError, match="missing"):
        best_stump([[-1.0], [1.0]], [1, -1], [0.5, 0.5], missing="error", categorical=[0])


def test_a_column_without_values_offers_nothing() -> None:
    X = [[NAN, 1.0], [NAN, 2.0]]
    assert best_stump(X, [-1, 1], [0.5, 0.5])["feature"] == 1
    nothing = best_stump([[NAN], [NAN], [NAN]], [-1, -1, 1], [0.25, 0.5, 0.25])
    assert (nothing["kind"], nothing["polarity"], nothing["error"]) == ("constant", -1, 0.25)
    assert best_stump(np.empty((2, 0)), [1, 1], [0.5, 0.5])["polarity"] == 1


def test_categories() -> None:
    codes, y = np.array([[0.0], [1.0], [2.0], [1.0], [3.0]]), np.array([1, -1, 1, -1, -1])
    D = fractions(["1/5"] * 5)
    equality = best_stump(codes, y, D, categorical=[0])
    assert (equality["kind"], equality["level"], equality["polarity"]) == ("equality", 0, 1)
    assert equality["error"] == Fraction(1, 5)
    assert [(tied["level"], tied["polarity"]) for tied in equality["tied"]] == [
        (0, 1), (1, -1), (2, 1)]  # fmt: skip
    multiway = best_stump(codes, y, D, categorical=[0], cat_form="multiway")
    assert (multiway["error"], multiway["labels"]) == (0, {0: 1, 1: -1, 2: 1, 3: -1})
    assert stump_predict(multiway, [[3.0], [7.0], [-1.0]]).tolist() == [-1, -1, -1]
    assert stump_predict(equality, [[3.0], [7.0], [-1.0]]).tolist() == [-1, -1, -1]


def test_constants_come_before_categories() -> None:
    for form in ("equality", "multiway"):
        stump = best_stump([[0.0], [1.0]], [1, 1], [0.5, 0.5], categorical=[0], cat_form=form)
        assert (stump["kind"], stump["polarity"], stump["error"]) == ("constant", 1, 0)


def test_missing_category_is_a_block() -> None:
    X, y, D = [[-1.0], [0.0], [1.0]], [1, -1, -1], [0.25, 0.25, 0.5]
    stump = best_stump(X, y, D, categorical=[0])
    assert (stump["kind"], stump["polarity"], stump["missing_label"]) == ("constant", -1, 1)
    assert stump_predict(stump, [[-1.0], [0.0], [5.0]]).tolist() == [1, -1, 1]
    abstaining = best_stump(X, y, D, missing="abstain", categorical=[0])
    assert abstaining["error"] == 0.125


@pytest.mark.parametrize("seed", range(5))
def test_multiway_beats_equality_and_binary_codes_agree_with_numbers(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (20, 2)).astype(float), rng.choice([-1, 1], 20)
    D = fractions([f"{w}/1000" for w in rng.integers(1, 50, 20)])
    equality = best_stump(X, y, D, categorical=[0, 1])
    multiway = best_stump(X, y, D, categorical=[0, 1], cat_form="multiway")
    assert multiway["error"] <= equality["error"]
    S = [[(D * y)[X[:, j] == v].sum() for v in range(4)] for j in (0, 1)]
    assert multiway["error"] == min((D.sum() - sum(map(abs, row))) / 2 for row in S)
    bits = np.minimum(X, 1)
    as_number, as_code = best_stump(bits, y, D), best_stump(bits, y, D, categorical=[0, 1])
    assert as_number["error"] == as_code["error"]
    assert (stump_predict(as_number, bits) == stump_predict(as_code, bits)).all()


def test_multiclass_stump() -> None:
    X, codes = [[1.0], [2.0], [3.0], [NAN], [NAN]], np.array([0, 0, 2, 1, 2])
    stump = best_stump_multiclass(X, codes, fractions(["1/5"] * 5), 3)
    assert (stump["threshold"], stump["left"], stump["right"]) == (2.5, 0, 2)
    assert (stump["missing_label"], stump["error"]) == (1, Fraction(1, 5))
    constant = best_stump_multiclass([[4.0], [4.0]], [2, 2], [0.5, 0.5], 3)
    assert (constant["threshold"], constant["left"], constant["right"]) == (3.0, 2, 2)
    assert stump_predict(constant, [[1.0], [NAN]]).tolist() == [2, 2]


# --- AdaBoost --------------------------------------------------------------------------------


def test_ten_points_three_rounds() -> None:
    golden = case("toy_adaboost", "ten_points_three_rounds")
    X, y, expected = golden["input"]["X"], np.array(golden["input"]["y"]), golden["expected"]
    run = adaboost(X, y, golden["input"]["T"])
    for played, row in zip(run["rounds"], expected["rounds"], strict=True):
        assert played["D"].tolist() == fractions(row["D_exact"]).tolist()
        assert key(played["stump"]) == row["stump"]
        assert [key(tied) for tied in played["stump"]["tied"]] == row["tied_optima"]
        assert played["eps"] == Fraction(row["eps_exact"])
        wrong = np.flatnonzero(stump_predict(played["stump"], X) != y) + 1
        assert wrong.tolist() == row["misclassified_examples_1based"]
        for fact in ("alpha", "Z"):
            assert played[fact] == pytest.approx(row[fact], **tolerance("toy_adaboost"))
    assert run["F"] == pytest.approx(expected["F"], **tolerance("toy_adaboost"))
    assert run["H"].tolist() == expected["H"]
    assert run["margins"] == pytest.approx(
        expected["normalised_margins"], **tolerance("toy_adaboost")
    )


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("golden", RUNS, ids=lambda found: found["name"])
def test_adaboost_runs(golden: Case, exact: bool) -> None:
    given, expected = golden["input"], golden["expected"]
    run = adaboost(given["X"], given["y"], given["T"], exact=exact)
    for played, row in zip(run["rounds"], expected["rounds"], strict=True):
        assert key(played["stump"]) == row["stump"]
        assert len(played["stump"]["tied"]) == row["n_tied_optima"]
        assert [float(w) for w in played["D"]] == pytest.approx(row["D"], **tolerance("boosters"))
        assert played["alpha"] == pytest.approx(row["alpha"], **tolerance("boosters"))
        assert float(played["eps"]) == pytest.approx(row["eps"], **tolerance("boosters"))
        assert not exact or played["eps"] == Fraction(row["eps_exact"])
    assert run["F"] == pytest.approx(expected["F"], **tolerance("boosters"))


def test_perfect_first_round_keeps_one_vote() -> None:
    golden = case("boosters", "adaboost_perfect_first_round")
    run = adaboost(golden["input"]["X"], golden["input"]["y"], golden["input"]["T"])
    assert [(vote, key(stump)) for vote, stump in run["members"]] == [
        (1.0, golden["expected"]["stump"])
    ]
    assert (run["stop"], run["rounds"][0]["alpha"], run["rounds"][0]["eps"]) == (
        "perfect", math.inf, 0)  # fmt: skip
    assert run["F"].tolist() == golden["expected"]["predictions"]


def test_no_edge_stops_with_nothing() -> None:
    golden = case("boosters", "adaboost_no_edge")
    run = adaboost(golden["input"]["X"], golden["input"]["y"], golden["input"]["T"])
    assert (run["stop"], len(run["rounds"]), len(run["members"])) == ("no_edge", 1, 0)
    assert run["rounds"][0]["eps"] == Fraction(1, 2)
    assert run["F"].tolist() == [0] * 4
    assert run["H"].tolist() == [-1] * 4
    assert run["margins"].tolist() == [0] * 4


def test_breast_cancer_first_rounds() -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    X, target = datasets.load_breast_cancer(return_X_y=True)
    y = np.where(target == 1, 1, -1)
    expected = case("breast_cancer_adaboost", "breast_cancer_all_50")["expected"]["rounds"][:10]
    run = adaboost(X, y, len(expected), exact=False)
    F = np.zeros(len(y))
    for played, row in zip(run["rounds"], expected, strict=True):
        assert key(played["stump"]) == pytest.approx(key(row), rel=1e-12)
        for fact in ("eps", "alpha"):
            assert played[fact] == pytest.approx(row[fact], **tolerance("breast_cancer_adaboost"))
        assert len(played["stump"]["tied"]) == row["n_tied_optima"]
        F += played["alpha"] * stump_predict(played["stump"], X)
        assert np.sum(np.where(F > 0, 1, -1) != y) == row["training_errors_so_far"]


def test_zero_weight_mistakes_count_as_none() -> None:
    run = adaboost([[1.0], [2.0], [2.0]], [-1, 1, -1], 3, D1=[1, 1, 0])
    assert (run["stop"], run["rounds"][0]["stump"]["threshold"]) == ("perfect", 1.5)


def test_learning_rate_scales_votes() -> None:
    golden = case("boosters", "adaboost_82")["input"]
    run = adaboost(golden["X"], golden["y"], 4, learning_rate=0.5)
    for played in run["rounds"]:
        eps = played["eps"]
        assert played["alpha"] == pytest.approx(0.25 * math.log((1 - eps) / eps))
        assert played["D"].sum() == pytest.approx(1)
    F = run["F"]
    D = np.exp(-np.array(golden["y"]) * F)
    assert D.mean() == pytest.approx(math.prod(played["Z"] for played in run["rounds"]))


# --- Several classes -------------------------------------------------------------------------


M1 = [name for name in names("multiclass_ranking") if name.startswith("adaboost_m1")]


@pytest.mark.parametrize("golden", [case("multiclass_ranking", name) for name in M1], ids=M1)
def test_adaboost_m1(golden: Case) -> None:
    given, expected = golden["input"], golden["expected"]
    run = adaboost_m1(given["X"], given["labels"], given["T"], given["K"])
    assert len(run["members"]) == len(expected["rounds"])
    for (alpha, stump), row in zip(run["members"], expected["rounds"], strict=True):
        assert all(stump[part] == row[part] for part in ("feature", "threshold", "left", "right"))
        assert float(stump["error"]) == pytest.approx(row["eps"], **tolerance("multiclass_ranking"))
        assert alpha == pytest.approx(row["alpha"], **tolerance("multiclass_ranking"))
    assert run["H"].tolist() == expected["predictions"]


def test_two_classes_agree_with_adaboost() -> None:
    golden = case("boosters", "adaboost_81")["input"]
    codes = (np.array(golden["y"]) > 0).astype(int)
    binary = adaboost(golden["X"], golden["y"], golden["T"])
    m1 = adaboost_m1(golden["X"], codes, golden["T"], 2)
    twice = samme(golden["X"], codes, golden["T"], 2)
    for a, b, c in zip(binary["rounds"], m1["rounds"], twice["rounds"], strict=True):
        assert a["eps"] == b["eps"] == c["eps"]
        assert a["D"].tolist() == b["D"].tolist() == c["D"].tolist()
        assert c["alpha"] == pytest.approx(2 * b["alpha"])
    assert m1["F"][:, 1] - m1["F"][:, 0] == pytest.approx(binary["F"])
    assert m1["margins"] == pytest.approx(binary["margins"])


def test_samme_goes_on_where_m1_stops() -> None:
    golden = case("multiclass_ranking", "adaboost_m1_112")["input"]
    run = samme(golden["X"], golden["labels"], 5, golden["K"])
    assert len(run["members"]) == 5
    for played in run["rounds"]:
        assert sum(played["D"]) == 1
        assert Fraction(1, 2) <= played["eps"] < Fraction(3, 4) or played["t"] > 1
        assert played["alpha"] > 0


def test_one_class_is_perfect_at_once() -> None:
    for booster in (adaboost_m1, samme):
        run = booster([[1.0], [2.0]], [0, 0], 3, 1)
        assert (run["stop"], run["H"].tolist()) == ("perfect", [0, 0])
