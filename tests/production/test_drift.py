"""``check``: rows of the same world pass, rows of another give alarm, and each says why."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import weaklearn as wl
from weaklearn.files import Flaw, ModelFileError, Reader, unseal
from weaklearn.files.envelope import PROFILE
from weaklearn.persistence.model_bytes import sealed
from weaklearn.persistence.profile_record import made, taken
from weaklearn.production.profile import BINS, Histogram, numbers_histogram, profile_of, psi


def world(n: int, seed: int, shift: float = 0.0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.normal(50 + shift, 10, n),
            "town": rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2]),
            "dose": np.where(rng.random(n) < 0.1, np.nan, rng.exponential(size=n)),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 90, n), "D"),
        }
    )
    y = (X["age"] + 5 * (X["town"] == "a") + 3 * rng.normal(size=n) > 52).to_numpy()
    return X, y


@pytest.fixture(scope="module")
def model() -> wl.AdaBoostClassifier:
    return wl.AdaBoostClassifier(n_estimators=40).fit(*world(1500, 0))


def test_the_same_world_passes(model: wl.AdaBoostClassifier) -> None:
    for seed in range(1, 11):
        found = model.check(world(800, seed)[0])
        assert found.ok, found
        assert found.verdict == "ok"
        assert found.scores is not None
        assert [column.name for column in found.columns] == ["age", "town", "dose", "day"]


@pytest.mark.parametrize(
    ("change", "name", "why"),
    [
        (lambda X: X.assign(age=X["age"] + 12), "age", "drifted"),
        (lambda X: X.assign(town="c"), "town", "drifted"),
        (lambda X: X.assign(town=np.where(X["age"] > 50, "new", X["town"])), "town", "not seen"),
        (lambda X: X.assign(dose=np.nan), "dose", "missing"),
        (lambda X: X.assign(dose=X["dose"] * 100), "dose", "outside"),
        (lambda X: X.assign(day=X["day"] + pd.Timedelta("400D")), "day", "outside"),
    ],
)
def test_another_world_gives_alarm(model, change, name: str, why: str) -> None:
    found = model.check(change(world(800, 1)[0]))
    verdicts = {column.name: column.verdict for column in found.columns}
    assert not found.ok
    assert {column for column, verdict in verdicts.items() if verdict == "alarm"} == {name}
    assert why in next(column.why for column in found.columns if column.name == name)


def test_scores_move_with_what_they_depend_on(model: wl.AdaBoostClassifier) -> None:
    assert model.check(world(800, 1, shift=12)[0]).scores.verdict == "alarm"
    idle = world(800, 1)[0].assign(day=pd.Timestamp("2024-02-01"))
    assert model.check(idle).scores.verdict == "ok"


def test_shares(model: wl.AdaBoostClassifier) -> None:
    X, _ = world(100, 1)
    X.loc[:9, "town"] = "never"
    X.loc[10:14, "town"] = None
    X.loc[:19, "age"] = np.nan
    X.loc[20:22, "age"] = 1000.0
    age, town = model.check(X).columns[:2]
    assert (town.unseen, town.missing) == (0.10, 0.05)
    assert (age.missing, age.outside, age.unseen) == (0.20, 0.03, 0.0)
    assert age.missing_before == 0.0
    assert model.check(X).columns[2].missing_before == pytest.approx(0.1, abs=0.03)


def test_a_few_rows_prove_nothing(model: wl.AdaBoostClassifier) -> None:
    X, _ = world(3, 1)
    X.loc[0, "town"] = "never"
    assert model.check(X).ok


@pytest.mark.parametrize("n", [2, 19])
def test_too_few_rows_have_no_other_verdict(model: wl.AdaBoostClassifier, n: int) -> None:
    X = world(n, 1)[0].assign(town="never", age=1000.0)
    found = model.check(X)
    parts = [*found.columns, found.scores]
    assert {found.verdict, *(part.verdict for part in parts)} == {"too few rows"}
    assert found.ok
    assert "too few rows" in str(found)
    assert found.columns[0].why.startswith("values outside the training range")
    enough = model.check(world(20, 1)[0].assign(town="never", age=1000.0))
    assert enough.verdict == "alarm"


def test_few_rows_tell_a_large_shift(model: wl.AdaBoostClassifier) -> None:
    moved = [model.check(world(50, seed, shift=12)[0]).scores.verdict for seed in range(1, 13)]
    assert moved.count("alarm") >= 11
    same = [model.check(world(50, seed)[0]).scores.verdict for seed in range(1, 101)]
    assert same.count("alarm") <= 2
    few = model.check(world(19, 1, shift=12)[0])
    assert few.scores.shift is None
    assert few.note == "fewer than 20 rows are too few to measure drift"


def test_no_rows_are_no_good_news(model: wl.AdaBoostClassifier) -> None:
    X, _ = world(3, 1)
    with pytest.raises(ValueError, match="X has 0 rows"):
        model.check(X.head(0))
    with pytest.raises(ValueError, match="reference has 0 rows"):
        model.check(X, reference=X.head(0))


def test_one_warning_for_one_thing(model: wl.AdaBoostClassifier) -> None:
    X, _ = world(60, 1)
    with pytest.warns(UserWarning, match="valid feature names") as heard:
        model.check(X.to_numpy())
    assert len(heard) == 1


def test_the_answer_is_a_table_and_json(model: wl.AdaBoostClassifier) -> None:
    found = model.check(world(200, 1, shift=30)[0])
    told = json.loads(found.to_json())
    assert told == found.to_dict()
    assert told["ok"] is False
    assert told["verdict"] == "alarm"
    assert found.to_frame()["column"].tolist()[:2] == ["scores", "age"]
    assert "alarm" in str(found)
    assert "<table" in found._repr_html_()


@pytest.mark.parametrize(
    "model",
    [
        wl.GradientBoostingClassifier(n_estimators=30),
        wl.RandomForestClassifier(n_estimators=10),
        wl.DecisionTreeClassifier(max_depth=3),
        wl.BaggingClassifier("tree", n_estimators=3),
        wl.AdditiveBoostingClassifier(n_estimators=30),
        wl.OneVsRestBooster(wl.AdaBoostClassifier(n_estimators=9)),
        wl.DecisionStumpClassifier(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_every_model_can_be_checked(model) -> None:
    fitted = clone(model).fit(*world(1000, 0))
    same, moved = world(600, 1)[0], world(600, 2, shift=20)[0]
    assert fitted.check(same).ok
    assert not fitted.check(moved).ok
    by_reference = fitted.check(same, reference=world(600, 3)[0])
    assert by_reference.ok
    assert by_reference.scores is not None
    found = fitted.check(moved, reference=world(600, 3)[0]).scores
    assert found.shift > 0.1


def test_trees_ask_for_a_reference() -> None:
    model = wl.GradientBoostingClassifier(n_estimators=9)
    found = model.fit(*world(300, 0)).check(world(300, 1)[0])
    assert found.scores is None
    assert "reference" in found.note
    X_val, y_val = world(300, 5)
    held = model.fit(*world(300, 0), X_val=X_val, y_val=y_val).check(world(300, 1)[0])
    assert held.scores is not None
    assert held.ok


def test_classes_and_numbers() -> None:
    X, _ = world(800, 0)
    three = np.digitize(X["age"], [45, 55])
    found = wl.AdaBoostClassifier(n_estimators=20, multiclass="samme").fit(X, three)
    assert found.check(world(500, 1)[0]).ok
    assert found.check(world(500, 1, 15)[0]).scores.verdict == "alarm"
    numbers = wl.AnyBoostRegressor("stump", n_estimators=20).fit(X, X["age"])
    assert numbers.check(world(500, 1)[0]).ok


def test_arrays_without_names() -> None:
    rng = np.random.default_rng(0)
    A = rng.normal(size=(400, 3))
    model = wl.AdaBoostClassifier(n_estimators=9).fit(A, A[:, 0] > 0)
    assert [column.name for column in model.check(A).columns] == ["x[0]", "x[1]", "x[2]"]
    with pytest.raises(ValueError, match="X has 2 features"):
        model.check(A[:, :2])


def test_files_keep_it_or_not(tmp_path: Path, model: wl.AdaBoostClassifier) -> None:
    X, _ = world(300, 1, shift=4)
    model.save(tmp_path / "with.weak")
    model.save(tmp_path / "without.weak", profile=False)
    again, bare = wl.load(tmp_path / "with.weak"), wl.load(tmp_path / "without.weak")
    assert again.check(X).to_dict() == model.check(X).to_dict()
    assert pickle.loads(pickle.dumps(model)).check(X).to_dict() == model.check(X).to_dict()
    assert again.fingerprint() == bare.fingerprint() == model.fingerprint()
    with pytest.raises(ValueError, match="keeps no histograms"):
        bare.check(X)
    # Hashes of rows tell whether a known person was among them.
    assert bare._origin.row_sketch is None
    small, large = ((tmp_path / f"{name}.weak").stat().st_size for name in ("without", "with"))
    assert 0 < large - small < 4000 + 8 * len(model._origin.row_sketch.hashes)


def test_a_fit_may_keep_none() -> None:
    with wl.without_profile():
        model = wl.AdaBoostClassifier(n_estimators=3).fit(*world(100, 0))
    with pytest.raises(ValueError, match="fit it again"):
        model.check(world(10, 0)[0])
    assert model._origin.profile is None
    assert wl.verify(model, *world(100, 0)).same


def test_a_fit_may_note_nothing_of_its_rows() -> None:
    X, y = world(100, 0)
    whole = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
    with wl.without_profile(rows=False):
        model = wl.AdaBoostClassifier(n_estimators=3).fit(X, y)
        with wl.without_profile():  # does not switch hashes on again
            inner = wl.DecisionTreeClassifier().fit(X, y)
    assert model.fingerprint() == whole.fingerprint()
    for bare in (model, inner):
        assert (bare._origin.rows, bare._origin.row_sketch, bare._origin.profile) == (
            None,
            None,
            None,
        )
        assert bare._origin.fitted is not None
        assert "profile=False; fit it again" in str(bare.certify(X_test=X, y_test=y))
    found = wl.verify(model, X, y)
    assert found.same


# --------------------------------------------------------------------------------------- histograms


@settings(max_examples=80, deadline=None)
@given(st.lists(st.one_of(st.just(float("nan")), st.floats(-50, 50)), min_size=1, max_size=300))
def test_codes_and_values_count_alike(values: list[float]) -> None:
    """The histogram of codes is one of the values, in at most so many bins, none of them empty."""
    column = np.array(values)
    X = np.column_stack([column, np.arange(len(column))])
    from tests.samples import sample_of

    made_of_codes = profile_of(sample_of(X, np.arange(len(X)) % 2)).columns[0]
    recounted = made_of_codes.count(column)
    assert recounted.counts.tolist() == made_of_codes.counts.tolist()
    assert recounted.missing == made_of_codes.missing == np.isnan(column).sum()
    assert len(made_of_codes.counts) <= BINS
    if made_of_codes.n:
        assert made_of_codes.counts.min() > 0
        assert made_of_codes.low == np.nanmin(column)
        assert made_of_codes.high == np.nanmax(column)


def test_copies_count() -> None:
    X, y = world(50, 0)
    weights = np.arange(50) % 3 + 1
    heavy = wl.AdaBoostClassifier(n_estimators=3).fit(X, y, sample_weight=weights)
    rows = np.repeat(np.arange(50), weights)
    long = wl.AdaBoostClassifier(n_estimators=3).fit(X.iloc[rows], y[rows])
    for a, b in zip(heavy._origin.profile.columns, long._origin.profile.columns, strict=True):
        assert a.counts.tolist() == b.counts.tolist()
        assert a.missing == b.missing


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.integers(0, 1000), min_size=2, max_size=10),
    st.lists(st.integers(0, 1000), min_size=10, max_size=10),
)
def test_the_index_is_never_negative_and_symmetric(left: list[int], right: list[int]) -> None:
    then = Histogram(np.array(left), 0)
    now = Histogram(np.array(right[: len(left)]), 0)
    found = psi(then, now)
    least = min(then.n, now.n)
    if least < 20:
        assert found is None
        return
    assert found >= 0
    assert psi(then, then) == 0
    if least >= 10 * len(left):  # of fewer rows those of then say which bins are joined
        assert found == pytest.approx(psi(now, then))


def test_chance_gives_no_shift() -> None:
    rng = np.random.default_rng(0)
    then = numbers_histogram(rng.normal(size=300))
    found = [psi(then, then.count(rng.normal(size=300))) for _ in range(200)]
    assert np.mean(np.array(found) > 0.1) < 0.1
    assert max(found) < 0.25


def test_hostile_profiles_are_refused(model: wl.AdaBoostClassifier) -> None:
    profile = model._origin.profile
    section = unseal(sealed(model)).sections[PROFILE]
    from weaklearn.files import Book

    value = Reader(section.data, Book(()), section.start).only()
    assert len(made(value, model).columns) == 4
    row = taken(profile)[0][0]
    row[0] = row[0].astype(np.int64)
    ends = (row[3], row[4])
    bad = [
        (None, "type list"),
        ([[row]], "two parts"),
        ([[row] * 3, None], "not 4 histograms"),
        ([[row] * 3 + [row[:4]], None], "five parts"),
        ([[row] * 3 + [[row[0], -1, row[2], *ends]], None], "missing"),
        ([[row] * 3 + [[-row[0], 0, row[2], *ends]], None], "counts"),
        ([[row] * 3 + [[row[0], 0, row[2][::-1], *ends]], None], "rise"),
        ([[row] * 3 + [[row[0], 0, row[2][:-1], *ends]], None], "differ"),
        ([[row] * 3 + [[row[0], 0, row[2] * np.nan, *ends]], None], "finite"),
        ([[row] * 3 + [[row[0], 0, row[2], np.inf, 0.0]], None], "finite"),
        ([[row] * 3 + [[row[0].astype(float), 0, row[2], *ends]], None], "type"),
        ([[row] * 4, [row[0]]], "five parts"),
        ([[[row[0], 0, None, *ends]] + [row] * 3, None], "another kind"),
    ]
    for value, message in bad:
        with pytest.raises(Flaw, match=message):
            made(value, model)


def test_a_broken_section_is_a_broken_file(model: wl.AdaBoostClassifier) -> None:
    from weaklearn.files import seal
    from weaklearn.persistence.model_bytes import opened

    envelope = unseal(sealed(model))
    sections = {number: bytes(s.data) for number, s in envelope.sections.items()}
    with pytest.raises(ModelFileError, match="type list"):
        opened(unseal(seal(sections | {PROFILE: b"\x00"})))


def test_models_that_want_x_itself_compare_no_scores() -> None:
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    A = rng.normal(size=(300, 2))
    y = A[:, 0] > 0

    def learner(X: np.ndarray, y: np.ndarray, D: np.ndarray) -> object:
        return lambda X: np.where(np.asarray(X)[:, 0] > 0, 1, -1)

    for estimator in (DecisionTreeClassifier(max_depth=1), learner):
        model = wl.AdaBoostClassifier(estimator, n_estimators=3, on_perfect="smooth").fit(
            A, y, X_val=A, y_val=y
        )
        found = model.check(rng.normal(size=(300, 2)))
        assert found.ok
        assert found.scores is None
