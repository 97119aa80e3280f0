"""Intake: every row of data, label and weight that a user may pass, and what becomes of it."""

from __future__ import annotations

import datetime as dt
import decimal
import pickle
import re
import time
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import check_is_fitted

from weaklearn.base.messages.warnings import DataWarning, WeaklearnWarning
from weaklearn.base.numeric.fixed_point import scale_weights
from weaklearn.datasets import read_table
from weaklearn.intake.cells import Cells
from weaklearn.intake.column_schema import ColumnSchema
from weaklearn.intake.labels import read_labels, read_target
from weaklearn.intake.raw_column import Kind
from weaklearn.intake.schema import Schema
from weaklearn.intake.weights import counts, read_weights

BIG = 2**53
NAN, INF = float("nan"), float("inf")


def learn(X, **options):
    """Schema and cells, where any warning is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Schema.learn(X, **options)


def dense(cells):
    """All cells as one float64 matrix, categories by code."""
    assert sum(part is not None for part in (cells.matrix, cells.sparse, cells.columns)) == 1
    if cells.matrix is not None:
        matrix = cells.matrix.astype(np.float64)
    elif cells.sparse is not None:
        matrix = cells.sparse.toarray().astype(np.float64)
    else:
        matrix = np.stack([column.astype(np.float64) for column in cells.columns], axis=1)
    assert matrix.shape == (cells.n_rows, cells.n_features)
    return matrix


def one(values, **options):
    """Schema and cells of a single column given as a list of Python objects."""
    X = np.empty((len(values), 1), object)
    for row, value in enumerate(values):
        X[row, 0] = value
    schema, cells = learn(X, **options)
    return schema.columns[0], dense(cells)[:, 0], schema


# -------------------------------------------------------------------------------- numbers in arrays


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_floats_are_taken_as_they_are(dtype, order):
    X = np.array([[1, NAN], [3, 4]], dtype, order=order)
    X.flags.writeable = False
    schema, cells = learn(X)
    assert cells.matrix is X
    assert schema.read(X).matrix is X
    assert (schema.n_features, schema.names, schema.special) == (2, None, {})
    assert [column.kind for column in schema.columns] == [Kind.NUMBER, Kind.NUMBER]


def test_layouts_share_memory_and_are_left_alone(tmp_path):
    base = np.arange(24.0).reshape(4, 6)
    np.save(tmp_path / "x.npy", base)
    views = [base[:, ::2], base[::-1], base.T, np.load(tmp_path / "x.npy", mmap_mode="r")]
    for view in views:
        before = np.array(view)
        _, cells = learn(view)
        assert np.shares_memory(cells.matrix, view)
        assert type(cells.matrix) is np.ndarray
        np.testing.assert_array_equal(cells.matrix, before)


@pytest.mark.parametrize(
    "dtype",
    [*np.typecodes["AllInteger"], *np.typecodes["Float"], "?", "O", ">f4", ">f8", ">i4", ">i8"],
)
def test_every_type_gives_the_values_of_float64(dtype):
    X = np.array([[0, 1], [1, 0], [1, 1]]).astype(dtype)
    _, cells = learn(X)
    assert cells.matrix.dtype in (np.float32, np.float64)
    assert cells.matrix.dtype.isnative
    np.testing.assert_array_equal(dense(cells), [[0, 1], [1, 0], [1, 1]])


@pytest.mark.parametrize(
    "values",
    [
        [1.0, 1.0 + 2**-50],  # apart below float32
        [5e-324, 1e-310],  # denormal
        [1e300, 2e300],  # beyond float32
        [BIG - 1, BIG],
    ],
)
def test_close_and_far_values_stay_apart(values):
    _, cells = learn(np.array(values)[:, None])
    assert dense(cells)[:, 0].tolist() == [float(v) for v in values]


def test_extended_floats_are_rounded_with_a_warning():
    if np.finfo(np.longdouble).eps == np.finfo(np.float64).eps:
        pytest.skip("no extended floats here")
    X = np.array([[1], [1]], np.longdouble)
    X[1] += np.finfo(np.longdouble).eps
    with pytest.warns(DataWarning, match="1 values were rounded"):
        Schema.learn(X)
    with pytest.raises(ValueError, match="row 0, column 0"):
        Schema.learn(np.full((1, 1), np.finfo(np.longdouble).max))


def test_masked_cells_are_missing():
    mask = [[True, False], [False, False]]
    for dtype in (np.float64, np.int32, np.int64):
        _, cells = learn(np.ma.MaskedArray(np.array([[9, 1], [2, 3]], dtype), mask))
        np.testing.assert_array_equal(dense(cells), [[NAN, 1], [2, 3]])
    _, cells = learn(np.ma.MaskedArray([["a", "b"], ["c", "d"]], mask))
    np.testing.assert_array_equal(dense(cells), [[-1, 0], [0, 1]])
    wide = np.ma.MaskedArray(np.array([[BIG + 1, 1], [BIG + 3, 3]]), mask)
    schema, cells = learn(wide)
    np.testing.assert_array_equal(dense(cells), [[NAN, 1], [0, 3]])
    assert schema.columns[0].kind is Kind.WIDE


@pytest.mark.parametrize(
    ("X", "error", "parts"),
    [
        (
            np.arange(3.0),
            ValueError,
            ["Expected 2D array, got 1D array instead", "(3,)", "Reshape"],
        ),
        ([1, 2, 3], ValueError, ["Expected 2D array, got 1D array instead"]),
        ([], ValueError, ["Expected 2D array"]),
        (5, ValueError, ["Expected 2D array, got scalar array"]),
        (None, ValueError, ["Expected 2D array, got scalar array"]),
        ("text", ValueError, ["Expected 2D array, got scalar array"]),
        (pd.Series([1.0]), ValueError, ["Expected 2D array, got 1D", "Series", "df.iloc[[0]]"]),
        (pl.Series([1.0]), ValueError, ["Expected 2D array, got 1D array", "Series"]),
        (np.zeros((2, 3, 4)), ValueError, ["Found array with dim 3", "(2, 3, 4)"]),
        ([[1, 2], [3, 4], [5]], ValueError, ["ragged", "row 2 has 1", "row 0 has 2"]),
        (np.zeros((0, 3)), ValueError, ["0 rows", "0 sample(s) (shape=(0, 3)) while a minimum"]),
        (np.zeros((3, 0)), ValueError, ["0 feature(s) (shape=(3, 0)) while a minimum of 1 is req"]),
        (pd.DataFrame({"a": []}), ValueError, ["0 rows"]),
        (pd.DataFrame(index=[0, 1]), ValueError, ["0 feature(s) (shape=(2, 0))"]),
        (sp.csr_array((0, 3)), ValueError, ["0 rows"]),
        (np.matrix([[1.0]]), TypeError, ["np.matrix is not supported"]),
        (np.array([[1j]]), ValueError, ["Complex data not supported"]),
        ([[1j, 2]], ValueError, ["Complex data not supported"]),
        (np.array([[b"a"]]), ValueError, ["bytes", "column 0"]),
        (np.zeros((2, 1), [("a", "f8")]), ValueError, ["structured"]),
        (pl.LazyFrame({"a": [1]}), TypeError, [".collect()"]),
        (np.array([[0]], "m8[Y]"), ValueError, ["column 0", "astype"]),
        (np.array([[0]], "M8[ps]"), ValueError, ["column 0", "astype"]),
    ],
)
def test_shapes_and_types_that_are_refused(X, error, parts):
    with pytest.raises(error) as caught:
        Schema.learn(X)
    for part in parts:
        assert part in str(caught.value)


@pytest.mark.parametrize("value", [INF, -INF])
@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, ">f8", object])
@pytest.mark.parametrize("noise", [0.0, NAN, 3e38])
def test_infinity_is_refused_by_cell(value, dtype, noise):
    X = np.full((300, 400), 2.0)
    schema, _ = learn(X)
    X[:, 0] = noise if dtype != np.float16 else 0
    X[250, 7] = value
    X[251, 3] = 2.0 if dtype is object else value  # a matrix is searched by rows, not by columns
    sign = re.escape(str(value))
    for call in (Schema.learn, schema.read):
        with pytest.raises(ValueError, match=f"contains infinity.*row 250, column 7 holds {sign};"):
            call(X.astype(dtype))


def test_infinity_beside_its_opposite_is_found():
    X = np.array([[0.0, INF], [-INF, NAN]])
    with pytest.raises(ValueError, match=r"row 0, column 1 holds inf"):
        Schema.learn(X)
    with pytest.raises(ValueError, match=r"row 1, column 'b\\nc' holds -inf"):
        Schema.learn(pd.DataFrame({"a": [1, 2], "b\nc": [1.0, -INF]}))
    with pytest.raises(ValueError, match="row 1, column 'b'"):
        Schema.learn(pd.DataFrame({"a": [1.0, 2], "b": [1.0, INF]}))


def test_sums_that_overflow_are_no_infinity():
    for dtype, value in ((np.float32, 3e38), (np.float64, 1e308)):
        X = np.full((100, 3), value, dtype)
        assert learn(X)[1].matrix is X


# --------------------------------------------------------------------------------- wide integers


WIDE = [
    (np.array([BIG, BIG + 1, BIG + 2, -5]), np.int64),
    (np.array([2**64 - 1, 2**64 - 2, 0], np.uint64), np.uint64),
]


@pytest.mark.parametrize(("values", "dtype"), WIDE)
def test_wide_integers_keep_every_value_apart(values, dtype):
    X = np.column_stack([values, values % 7])
    schema, cells = learn(X)
    column = schema.columns[0]
    assert column.kind is Kind.WIDE
    assert schema.columns[1].kind is Kind.NUMBER
    assert column.marks.dtype == dtype
    order = sorted(values.tolist())
    assert cells.columns[0].tolist() == [order.index(v) for v in values.tolist()]
    assert cells.columns[1].dtype == np.float64
    np.testing.assert_array_equal(dense(schema.read(X)), dense(cells))


def test_wide_integers_of_any_size_and_sign():
    values = [10**400, -(2**63) - 1, 2**64, None, 3]
    column, ranks, schema = one(values)
    assert column.kind is Kind.WIDE
    np.testing.assert_array_equal(ranks, [3, 0, 2, NAN, 1])
    assert column.threshold(2.5) == (2**64 + 10**400) // 2
    later = np.array([[10**399], [5]], object)
    np.testing.assert_array_equal(dense(schema.read(later))[:, 0], [2, 1])
    np.testing.assert_array_equal(dense(schema.read([[1e300], [-1.0]]))[:, 0], [2, 1])


def test_wide_integers_with_missing_ones_in_frames():
    values = [BIG + 1, None, BIG + 2]
    frames = [
        pd.DataFrame({"a": pd.array(values, "Int64")}),
        pd.DataFrame({"a": pd.array(values, pd.ArrowDtype(pa.int64()))}),
        pl.DataFrame({"a": values}),
        pa.table({"a": values}),
    ]
    if hasattr(pl, "Int128"):
        frames.append(pl.DataFrame({"a": pl.Series(values, dtype=pl.Int128)}))
    for frame in frames:
        schema, cells = learn(frame)
        assert schema.columns[0].kind is Kind.WIDE
        np.testing.assert_array_equal(dense(cells)[:, 0], [0, NAN, 1])


def test_lists_keep_integers_that_numpy_would_round():
    _, cells = learn([[BIG + 1, 0.5], [BIG, 1.5], [BIG + 2, NAN]])
    assert cells.columns[0].tolist() == [1, 0, 2]
    with pytest.warns(DataWarning, match=r"column 0.*beyond 2\*\*53.*1 distinct"):
        Schema.learn([[BIG + 1], [BIG], [BIG * 2], [0.5], [NAN]])
    with pytest.raises(ValueError, match="row 1, column 0"):
        Schema.learn([[0.5], [10**400]])


wide_integers = st.one_of(
    st.integers(-(2**63), 2**63 - 1),
    st.integers(0, 2**64 - 1),
    st.integers(BIG - 4, BIG + 8),
    st.integers(-(10**30), 10**30),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(wide_integers, min_size=2, max_size=8, unique=True),
    st.lists(
        st.one_of(
            wide_integers,
            st.floats(allow_nan=False, allow_infinity=False),
            st.floats(BIG - 4, BIG + 8),
        ),
        min_size=1,
        max_size=8,
    ),
)
def test_rank_exceeds_k_and_a_half_exactly_where_x_exceeds_the_threshold(train, later):
    train = [*train, BIG + 1]
    column, ranks, schema = one(train)
    marks = sorted(set(train))
    assert ranks.tolist() == [marks.index(v) for v in train]
    for x in [*later, *train]:
        rank = dense(schema.read([[x]]))[0, 0]
        for k in range(len(marks) - 1):
            theta = column.threshold(k + 0.5)
            assert theta == (marks[k] + marks[k + 1]) // 2
            assert (rank > k + 0.5) == (x > theta)


@settings(max_examples=200, deadline=None)
@given(st.integers(-(2**64), 2**64), st.floats(allow_nan=False, allow_infinity=False))
def test_integers_at_predict_keep_their_side_of_a_float_threshold(x, theta):
    schema, _ = learn(np.array([[0.5], [1e300]]))
    assert (dense(schema.read([[x]]))[0, 0] > theta) == (x > theta)


def test_smaller_integers_are_plain_numbers():
    schema, cells = learn(np.array([[BIG], [-BIG]]))
    assert not schema.special
    assert dense(cells)[:, 0].tolist() == [float(BIG), -float(BIG)]
    assert schema.columns[0].threshold(0.25) == 0.25


# --------------------------------------------------------------------------------- dates


DAY = 86_400 * 10**9


def moments(*texts):
    return [None if text is None else dt.datetime.fromisoformat(text) for text in texts]


def test_datetimes_of_every_container_are_one_ordered_column():
    values = moments("2020-01-02T03:04:05", None, "2019-01-01", "2021-06-01")
    stamps = pd.Series(pd.to_datetime(values))
    frames = [
        stamps.to_frame("d"),
        stamps.astype("datetime64[s]").to_frame("d"),
        stamps.astype("datetime64[ns]").to_frame("d"),
        stamps.astype(object).to_frame("d"),
        pd.DataFrame({"d": pd.array(values, pd.ArrowDtype(pa.timestamp("us")))}),
        pl.DataFrame({"d": values}),
        pa.table({"d": values}),
        pa.table({"d": pa.array(values, pa.timestamp("ns"))}),
        np.array([[v] for v in values], "M8[ms]"),
        np.array([[v] for v in values], ">M8[us]"),
        [[v] for v in values],
    ]
    for frame in frames:
        schema, cells = learn(frame)
        column = schema.columns[0]
        assert (column.kind, column.unit, column.tz, column.date) == (
            Kind.DATETIME,
            "ns",
            None,
            False,
        )
        np.testing.assert_array_equal(dense(cells)[:, 0], [1, NAN, 0, 2])
        middle = (
            np.datetime64("2019-01-01", "ns")
            + (np.datetime64("2020-01-02T03:04:05", "ns") - np.datetime64("2019-01-01", "ns")) // 2
        )
        assert column.threshold(0.5) == middle
        assert column.threshold(0.5).dtype == np.dtype("M8[ns]")
        for other in frames:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DataWarning)  # names here, none there
                np.testing.assert_array_equal(dense(schema.read(other)), dense(cells))


def test_nanoseconds_are_kept():
    stamp = pd.Timestamp("2020-01-01T00:00:00.000000001")
    for X in (
        pd.DataFrame({"d": [stamp, stamp + pd.Timedelta(1, "ns"), pd.NaT]}),
        pd.DataFrame({"d": [stamp, stamp + pd.Timedelta(1, "ns"), pd.NaT]}, dtype=object),
    ):
        schema, cells = learn(X)
        np.testing.assert_array_equal(dense(cells)[:, 0], [0, 1, NAN])
        assert schema.columns[0].threshold(0.5) == stamp.to_datetime64()


def test_dates_are_the_same_column_however_they_are_given(tmp_path):
    for last in ("2020-01-01", "9999-12-31"):
        values = [dt.date.fromisoformat(last), None, dt.date(1999, 12, 31)]
        moments = np.array([[v] for v in values], "M8[s]")
        path = tmp_path / "t.csv"
        path.write_text(f"d;x\n{last};\n;\n1999-12-31;\n")
        tables = [
            pd.DataFrame({"d": values}, dtype=object),
            pd.DataFrame({"d": moments[:, 0]}),
            pd.DataFrame({"d": moments[:, 0].astype("M8[us]")}),
            pl.DataFrame({"d": values}),
            read_table(path, columns=["d"]),
        ]
        columns = [learn(X)[0].columns[0] for X in tables]
        first = columns[0]
        assert first.whole_days
        for column in columns:
            assert (column.unit, column.date, column.tz) == (first.unit, False, None)
            np.testing.assert_array_equal(column.marks, first.marks)


def test_dates_are_told_from_moments_by_their_marks():
    values = [dt.date(2020, 1, 1), None, dt.date(1999, 12, 31)]
    for X in (
        [[v] for v in values],
        pd.DataFrame({"d": values}, dtype=object),
        pd.DataFrame({"d": pd.array(values, pd.ArrowDtype(pa.date32()))}),
        pl.DataFrame({"d": values}),
        pa.table({"d": values}),
        np.array([[v] for v in values], "M8[D]"),
    ):
        schema, cells = learn(X)
        column = schema.columns[0]
        assert (column.kind, column.whole_days, column.unit) == (Kind.DATETIME, True, "ns")
        np.testing.assert_array_equal(dense(cells)[:, 0], [1, NAN, 0])


def test_the_year_9999_does_not_overflow():
    values = [dt.date(9999, 12, 31), dt.date(2020, 1, 1), dt.date(1, 1, 1)]
    for X in (pl.DataFrame({"d": values}), [[v] for v in values]):
        schema, cells = learn(X)
        assert dense(cells)[:, 0].tolist() == [2, 1, 0]
        assert schema.columns[0].threshold(1.5) > np.datetime64("5000-01-01")
        later = pd.DataFrame({"d": np.array(["2020-01-01T00:00:00.000000001", "2250"], "M8[ns]")})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            assert dense(schema.read(later))[:, 0].tolist() == [1, 1]
    schema, _ = learn(np.array([["2020"], ["2021"]], "M8[ns]"))
    ends = np.array([["9999-01-01"], ["0001-01-01"]], "M8[D]")
    assert dense(schema.read(ends))[:, 0].tolist() == [1, 0]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(-(2**62), 2**62), min_size=2, max_size=5, unique=True),
    st.sampled_from(["D", "h", "m", "s", "ms", "us", "ns"]),
    st.integers(-(2**40), 2**40),
)
def test_times_of_another_unit_keep_their_side(train, unit, x):
    schema, _ = learn(np.array(train).view("m8[ns]")[:, None])
    column = schema.columns[0]
    rank = dense(schema.read(np.array([[x]]).view(f"m8[{unit}]")))[0, 0]
    nanoseconds = {"D": DAY, "h": DAY // 24, "m": DAY // 1440, "s": 10**9, "ms": 10**6, "us": 1000}
    for k in range(len(train) - 1):
        theta = int(column.threshold(k + 0.5).astype(np.int64))
        assert (rank > k + 0.5) == (x * nanoseconds.get(unit, 1) > theta)


def test_durations():
    values = [dt.timedelta(days=2), None, dt.timedelta(seconds=1)]
    for X in (
        [[v] for v in values],
        pd.DataFrame({"d": pd.to_timedelta(values)}),
        pd.DataFrame({"d": pd.to_timedelta(values).astype(object)}),
        pl.DataFrame({"d": values}),
        pa.table({"d": values}),
    ):
        schema, cells = learn(X)
        column = schema.columns[0]
        assert column.kind is Kind.TIMEDELTA
        np.testing.assert_array_equal(dense(cells)[:, 0], [1, NAN, 0])
        assert column.threshold(0.5) == np.timedelta64((2 * DAY + 10**9) // 2, "ns")


def test_time_zones():
    naive = pd.Series(pd.to_datetime(["2020-01-01", "2021-01-01"]))
    berlin, tokyo = naive.dt.tz_localize("Europe/Berlin"), naive.dt.tz_localize("Asia/Tokyo")
    schema, cells = learn(berlin.to_frame("d"))
    assert schema.columns[0].tz == "Europe/Berlin"
    polars = pl.DataFrame({"d": naive.tolist()}).with_columns(
        pl.col("d").dt.replace_time_zone("Europe/Berlin")
    )
    for X in (polars, polars.to_arrow(), berlin.astype(object).to_frame("d")):
        other, _ = learn(X)
        assert other.columns[0].tz == "Europe/Berlin"
        np.testing.assert_array_equal(other.columns[0].marks, schema.columns[0].marks)
    same_instants = berlin.dt.tz_convert("Asia/Tokyo").to_frame("d")
    np.testing.assert_array_equal(dense(schema.read(same_instants)), dense(cells))
    with pytest.raises(ValueError, match="column 'd' has no time zone, but had the time zone Eur"):
        schema.read(naive.to_frame("d"))
    with pytest.raises(ValueError, match="column 'd' has the time zone Asia/Tokyo, but had no"):
        learn(naive.to_frame("d"))[0].read(tokyo.to_frame("d"))
    mixed = pd.DataFrame({"d": [berlin[0], tokyo[1]]}, dtype=object)
    with pytest.raises(ValueError, match="column 'd' mixes time zones"):
        Schema.learn(mixed)
    with pytest.raises(ValueError, match=r"column 'd' mixes time zones \(.*none"):
        Schema.learn(pd.DataFrame({"d": [berlin[0], naive[1]]}, dtype=object))


# --------------------------------------------------------------------------------- objects


@pytest.mark.parametrize(
    "values",
    [
        [1, 2.5, None, True],
        [1, 2.5, NAN, True],
        [1, 2.5, pd.NA, np.bool_(True)],
        [np.int8(1), np.float32(2.5), pd.NaT, 1.0],
        [decimal.Decimal(1), decimal.Decimal("2.5"), decimal.Decimal("nan"), 1],
    ],
)
def test_objects_that_are_numbers(values):
    column, cells, _ = one(values)
    assert column.kind is Kind.NUMBER
    np.testing.assert_array_equal(cells, [1, 2.5, NAN, 1])


@pytest.mark.parametrize("gap", [None, NAN, pd.NA, pd.NaT, np.ma.masked, decimal.Decimal("nan")])
def test_objects_that_are_text(gap):
    column, codes, schema = one(["10", gap, "9", np.str_("x")])
    assert column.kind is Kind.CATEGORY
    assert column.categories == ("10", "9", "x")  # by value, as text: numeric strings stay text
    assert all(type(level) is str for level in column.categories)
    assert codes.tolist() == [0, -1, 1, 2]
    assert dense(schema.read([["x"], [gap], ["new"]]))[:, 0].tolist() == [2, -1, -1]


@pytest.mark.parametrize(
    ("values", "error", "parts"),
    [
        ([1.5, 2, "abc", 3], ValueError, ["column 0", "row 2", "'abc'", "numbers and text"]),
        (["abc", None, 7], ValueError, ["column 0", "row 0", "'abc'"]),
        (["abc", True], ValueError, ["numbers and text"]),
        ([None, 1, dt.date(2020, 1, 1)], ValueError, ["row 2", "dates and numbers"]),
        ([dt.timedelta(1), dt.date(2020, 1, 1)], ValueError, ["row 1", "dates and durations"]),
        (
            [1, {"foo": "bar"}],
            TypeError,
            ["argument must be a string or a number", "row 1", "dict"],
        ),
        ([[1]], TypeError, ["argument must be a string or a number", "list"]),
        ([dt.time(1)], TypeError, ["argument must be a string or a number", "time"]),
        ([1, b"x"], ValueError, ["column 0", "bytes"]),
        ([1, 2j], ValueError, ["Complex data not supported", "row 1", "column 0"]),
        (["a" * 10**6, 1], ValueError, ["characters)"]),
    ],
)
def test_objects_that_are_refused(values, error, parts):
    X = np.empty((len(values), 1), object)
    for row, value in enumerate(values):
        X[row, 0] = value
    with pytest.raises(error) as caught:
        Schema.learn(X)
    assert len(str(caught.value)) < 400
    for part in parts:
        assert part in str(caught.value)


def test_lists_of_mixed_rows():
    schema, cells = learn([[1, "a", None], [2.5, "b", 3], [NAN, None, 4]])
    assert [column.kind for column in schema.columns] == [Kind.NUMBER, Kind.CATEGORY, Kind.NUMBER]
    np.testing.assert_array_equal(dense(cells), [[1, 0, NAN], [2.5, 1, 3], [NAN, -1, 4]])
    assert cells.columns[1].dtype == np.int32
    assert cells.categorical.tolist() == [False, True, False]
    assert cells.n_categories.tolist() == [0, 2, 0]
    assert cells.n_categories.dtype == np.int32
    with pytest.raises(ValueError, match="column 0: row 1 holds 'x'"):
        Schema.learn([[1, 2], ["x", 3]])


def test_text_arrays_are_categories():
    for X in (np.array([["b", "x"], ["a", "x"]]), [["b", "x"], ["a", "x"]]):
        schema, cells = learn(X)
        assert schema.columns[0].categories == ("a", "b")
        assert dense(cells).tolist() == [[1, 0], [0, 0]]


def test_objects_convertible_to_arrays():
    class Box:
        def __array__(self, dtype=None, copy=None):
            return np.array([[1, 2], [3, 4]])

    assert dense(learn(Box())[1]).tolist() == [[1, 2], [3, 4]]


# --------------------------------------------------------------------------------- frames


NUMBERS = {"a": [1.5, NAN, 3.0], "b": [1, 2, 3], "c": [True, False, True]}


def test_numeric_frames_become_one_matrix_by_columns():
    expected = np.array([[1.5, 1, 1], [NAN, 2, 0], [3, 3, 1]])
    for frame in (pd.DataFrame(NUMBERS), pl.DataFrame(NUMBERS), pa.table(NUMBERS)):
        schema, cells = learn(frame)
        assert schema.names == ("a", "b", "c")
        assert cells.matrix.dtype == np.float64
        assert cells.matrix.flags.f_contiguous
        np.testing.assert_array_equal(cells.matrix, expected)
        np.testing.assert_array_equal(schema.read(frame).matrix, expected)
    batch = pa.RecordBatch.from_pydict(NUMBERS)
    np.testing.assert_array_equal(dense(learn(batch)[1]), expected)


def test_frames_of_single_floats_stay_single():
    X = np.arange(6, dtype=np.float32).reshape(3, 2)
    data = {"a": X[:, 0], "b": X[:, 1]}
    for frame in (pd.DataFrame(data), pl.DataFrame(data), pa.table(data), pd.DataFrame(X)):
        _, cells = learn(frame)
        assert cells.matrix.dtype == np.float32
        np.testing.assert_array_equal(cells.matrix, X)


def test_nullable_and_arrow_types_of_pandas():
    data = {
        "i": pd.array([1, None, 3], "Int8"),
        "f": pd.array([1.5, None, 3], "Float32"),
        "b": pd.array([True, None, False], "boolean"),
        "ai": pd.array([1, None, 3], pd.ArrowDtype(pa.uint32())),
        "ab": pd.array([True, None, False], pd.ArrowDtype(pa.bool_())),
        "ad": pd.array([decimal.Decimal("1.5"), None, 3], pd.ArrowDtype(pa.decimal128(5, 1))),
        "s": pd.arrays.SparseArray([0.0, 0.0, 1.0], fill_value=0.0),
        "h": np.array([1, NAN, 3], np.float16),
    }
    schema, cells = learn(pd.DataFrame(data))
    assert not schema.special
    expected = [
        [1, 1.5, 1, 1, 1, 1.5, 0, 1],
        [NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN],
        [3, 3, 0, 3, 0, 3, 1, 3],
    ]
    np.testing.assert_array_equal(cells.matrix, expected)


def test_decimals_of_every_container_agree():
    values = [decimal.Decimal("0.10"), None, decimal.Decimal("2.30")]
    for frame in (
        pd.DataFrame({"a": values}, dtype=object),
        pl.DataFrame({"a": values}),
        pa.table({"a": values}),
    ):
        np.testing.assert_array_equal(dense(learn(frame)[1])[:, 0], [0.1, NAN, 2.3])


def test_text_and_categories_of_every_container_agree():
    values = ["b", None, "a", "b"]
    text = pd.Series(values)
    coded = pa.array(values).dictionary_encode()
    twice = pa.chunked_array(
        [pa.array(["b", None]).dictionary_encode(), pa.array(["a", "b"]).dictionary_encode()]
    )
    repeated = pa.DictionaryArray.from_arrays(
        pa.array([0, None, 1, 2], pa.uint8()), ["b", "a", "b"]
    )
    frames = [
        text.to_frame("t"),
        text.astype(object).to_frame("t"),
        text.astype("string").to_frame("t"),
        text.astype("category").to_frame("t"),
        text.astype(pd.CategoricalDtype(["z", "b", "a"])).to_frame("t"),
        pd.DataFrame({"t": pd.array(values, pd.ArrowDtype(pa.string()))}),
        pd.DataFrame(
            {"t": pd.array(values, pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string())))}
        ),
        pl.DataFrame({"t": values}),
        pl.DataFrame({"t": pl.Series(values, dtype=pl.Categorical)}),
        pl.DataFrame({"t": pl.Series(values, dtype=pl.Enum(["z", "b", "a"]))}),
        pa.table({"t": values}),
        pa.table({"t": pa.array(values, pa.large_string())}),
        pa.table({"t": coded}),
        pa.table({"t": twice}),
        pa.table({"t": repeated}),
    ]
    for frame in frames:
        schema, cells = learn(frame)
        column = schema.columns[0]
        assert (column.name, column.kind, column.categories) == ("t", Kind.CATEGORY, ("a", "b"))
        assert cells.columns[0].tolist() == [1, -1, 0, 1]
        for other in frames:
            assert schema.read(other).columns[0].tolist() == [1, -1, 0, 1]


def test_categories_are_matched_by_label_never_by_code():
    schema, _ = learn(pd.DataFrame({"t": pd.Categorical(["x", "y", "z"])}))
    later = pd.DataFrame({"t": pd.Categorical(["z", "w", "x"], categories=["w", "z", "x"])})
    cells = schema.read(later)
    assert cells.columns[0].tolist() == [2, -1, 0]
    assert cells.n_categories.tolist() == [3]
    with pytest.raises(ValueError, match=r"row 1, column 't' holds the category 'w'"):
        schema.read(later, unseen="error")
    missing = pd.DataFrame({"t": pd.Categorical([None, "x"])})
    assert schema.read(missing, unseen="error").columns[0].tolist() == [-1, 0]
    with pytest.raises(ValueError, match="unseen is 'nonsense'"):
        schema.read(later, unseen="nonsense")


def test_categories_with_other_labels():
    numbers = pd.DataFrame({"t": pd.Categorical([3, 1, None, 10])})
    schema, cells = learn(numbers)
    assert schema.columns[0].categories == (1, 3, 10)
    assert cells.columns[0].tolist() == [1, 0, -1, 2]
    assert schema.read(pd.DataFrame({"t": [10.0, 3, NAN, 4]})).columns[0].tolist() == [2, 1, -1, -1]
    flags, _ = learn(pd.DataFrame({"t": pd.Categorical([True, False])}))
    assert flags.columns[0].categories == (False, True)
    bands = pd.DataFrame({"t": pd.cut([1, 5, 9], [0, 4, 8, 12])})
    schema, cells = learn(bands)
    assert schema.columns[0].categories == ("(0, 4]", "(4, 8]", "(8, 12]")
    assert schema.read(bands[::-1]).columns[0].tolist() == [2, 1, 0]
    with pytest.raises(ValueError, match="column 't' mixes text"):
        Schema.learn(pd.DataFrame({"t": pd.Categorical(["a", 1])}))
    with pytest.raises(ValueError, match="column 't' holds bytes"):
        Schema.learn(pd.DataFrame({"t": pd.Categorical([b"a"])}))


@pytest.mark.parametrize(
    ("train", "later", "parts"),
    [
        (["1", "2"], [1.0, 2.0], ["row 0", "column 't'", "1.0", "categories"]),
        (["1", "2"], [dt.date(2020, 1, 1), None], ["column 't'", "2020-01-01", "categories"]),
        ([1.0, 2.0], ["1", "2"], ["row 0", "column 't'", "'1'", "numbers"]),
        ([1.0, 2.0], [None, dt.date(2020, 1, 1)], ["row 1", "column 't'", "numbers"]),
        ([BIG + 1, 2], ["1", "2"], ["row 0", "column 't'", "integers"]),
        ([dt.date(2020, 1, 1), None], [1, 2], ["row 0", "column 't'", "dates"]),
        ([dt.timedelta(1), None], [dt.date(2020, 1, 1), None], ["column 't'", "durations"]),
    ],
)
def test_another_kind_at_predict_is_refused(train, later, parts):
    schema, _ = learn(pd.DataFrame({"t": train}, dtype=object))
    with pytest.raises(ValueError, match="training") as caught:
        schema.read(pd.DataFrame({"t": later}, dtype=object))
    for part in parts:
        assert part in str(caught.value)
    # An empty column says nothing against any kind.
    for empty in ([None, None], [NAN, NAN]):
        cells = schema.read(pd.DataFrame({"t": empty}))
        assert dense(cells)[:, 0].tolist() in ([-1, -1], pytest.approx([NAN, NAN], nan_ok=True))


def test_numbers_may_come_as_categories_at_predict():
    schema, _ = learn(pd.DataFrame({"t": [1.0, 2.0]}))
    later = pd.DataFrame({"t": pd.Categorical([7, None, 2])})
    np.testing.assert_array_equal(dense(schema.read(later))[:, 0], [7, NAN, 2])


@pytest.mark.parametrize("n", [254, 255, 300, 70_000])
def test_rare_categories_are_pooled(n):
    values = [f"v{i:05d}" for i in range(n)]
    frequent = values[-3:] * 2
    frame = pd.DataFrame({"t": [*values, *frequent]})
    schema, cells = learn(frame)
    column = schema.columns[0]
    codes = cells.columns[0]
    if n == 254:
        assert column.n_categories == 254
        assert not column.pooled
        return
    assert column.n_categories == cells.n_categories[0] == 254
    assert column.categories == (*values[:250], *values[-3:])  # ties go by the order of values
    assert len(column.pooled) == n - 253
    assert codes.max() == 253
    assert codes[300 - 5] == 253 if n > 300 else True
    assert column.describe(253) == f"other ({n - 253} rare values)"
    assert column.describe(0) == "v00000"
    assert column.describe(-1) == "missing"
    later = schema.read(pd.DataFrame({"t": [values[250], values[-1], "unseen"]}))
    assert later.columns[0].tolist() == [253, 252, -1]
    with pytest.raises(ValueError, match="254 categories"):
        column.describe(254)


def test_pooling_counts_repeated_rows_as_their_copies():
    values = np.array([f"v{i:03d}" for i in range(300)])
    repeats = np.ones(300, np.int64)
    repeats[-20:] = 3
    repeats[5] = 0
    by_count, _ = learn(values[:, None], repeats=repeats)
    by_copies, _ = learn(np.repeat(values, repeats)[:, None])
    assert by_count.columns[0].categories == by_copies.columns[0].categories
    assert by_count.columns[0].pooled == by_copies.columns[0].pooled


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([[1], [2]], "List"),
        ([{"a": 1}, {"a": 2}], "Struct"),
        ([b"a", b"b"], "Binary"),
        ([dt.time(1), dt.time(2)], "Time"),
    ],
)
def test_nested_columns_are_refused_by_name(values, kind):
    for frame in (
        pl.DataFrame({"x": [1, 2], "bad": values}),
        pa.table({"x": [1, 2], "bad": values}),
    ):
        with pytest.raises(ValueError, match=f"column 'bad' has type {kind}"):
            Schema.learn(frame)
    with pytest.raises((TypeError, ValueError), match="column 'bad'"):
        Schema.learn(pd.DataFrame({"x": [1, 2], "bad": values}))


@pytest.mark.parametrize("values", [np.array([1j, 2]), pd.interval_range(0, 2), [1, "text"]])
def test_other_columns_of_pandas_are_refused_by_name(values):
    with pytest.raises((TypeError, ValueError)) as caught:
        Schema.learn(pd.DataFrame({"x": [1, 2], "bad": values}))
    assert "column 'bad'" in str(caught.value) or "Complex data not supported" in str(caught.value)


def test_late_strangers_in_long_object_columns_are_found():
    frame = pd.DataFrame({"t": ["a"] * 500 + [1]}, dtype=object)
    with pytest.raises(ValueError, match="column 't'"):
        Schema.learn(frame)


cells_of_a_column = st.one_of(
    st.lists(st.one_of(st.none(), st.floats(allow_infinity=False)), min_size=1, max_size=6),
    st.lists(st.one_of(st.none(), st.integers(-(2**63), 2**63 - 1)), min_size=1, max_size=6),
    st.lists(st.one_of(st.none(), st.text(max_size=3)), min_size=1, max_size=6),
    st.lists(st.one_of(st.none(), st.booleans()), min_size=1, max_size=6),
    st.lists(
        st.one_of(st.none(), st.datetimes(dt.datetime(1700, 1, 1), dt.datetime(2200, 1, 1))),
        min_size=1,
        max_size=6,
    ),
)


@settings(max_examples=150, deadline=None)
@given(cells_of_a_column)
@pytest.mark.filterwarnings("ignore::weaklearn.base.messages.warnings.DataWarning")
def test_containers_agree_with_objects_of_numpy(values):
    X = np.empty((len(values), 1), object)
    X[:, 0] = values
    schema, cells = Schema.learn(X)
    frames = [pl.DataFrame({"a": pl.Series(values, strict=False)}), pa.table({"a": values})]
    frames += [pd.DataFrame({"a": pd.Series(values, dtype=object)}), frames[1].to_pandas()]
    for frame in frames[:3]:  # the last one has lost the nulls of integers to rounding
        other, others = Schema.learn(frame)
        np.testing.assert_array_equal(dense(others), dense(cells))
        if any(v is not None for v in values):
            assert other.columns[0].kind is schema.columns[0].kind
            assert other.columns[0].categories == schema.columns[0].categories
        np.testing.assert_array_equal(dense(schema.read(frame)), dense(cells))


# --------------------------------------------------------------------------------- names


def frames_named(names):
    data = np.arange(2.0 * len(names)).reshape(2, -1)
    return (
        pd.DataFrame(data, columns=list(names)),
        pl.DataFrame(dict(zip(names, data.T))),
        pa.table(dict(zip(names, data.T))),
    )


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("cba", "Feature names must be in the same order as they were in fit.\n"),
        (
            "abd",
            "unseen at fit time:\n- d\nFeature names seen at fit time, yet now missing:\n- c\n",
        ),
        ("ab", "Feature names seen at fit time, yet now missing:\n- c\n"),
        ("abcd", "Feature names unseen at fit time:\n- d\n"),
    ],
)
def test_other_names_at_predict_are_refused(names, message):
    for train in frames_named("abc"):
        schema, _ = learn(train, estimator_name="Booster")
        for later in frames_named(names):
            with pytest.raises(ValueError, match="names should match") as caught:
                schema.read(later)
            assert message in str(caught.value)
            assert "set_params(columns='by_name')" in str(caught.value)
            assert ("Every column of training" in str(caught.value)) == (
                "d" not in names[3:] and names != "cba"
            )


def test_names_on_one_side_alone_are_warned_of():
    named, bare = frames_named("abc")[0], np.arange(6.0).reshape(2, 3)
    schema, _ = learn(named, estimator_name="Booster")
    expected = "X does not have valid feature names, but Booster was fitted with feature names"
    for later in (bare, bare.tolist(), sp.csr_array(bare), pd.DataFrame(bare)):
        with pytest.warns(DataWarning, match=expected) as caught:
            np.testing.assert_array_equal(dense(schema.read(later)), bare)
        assert len(caught) == 1
        assert caught[0].filename == __file__
    schema, _ = learn(bare, estimator_name="Booster")
    expected = "X has feature names, but Booster was fitted without feature names"
    with pytest.warns(DataWarning, match=expected):
        schema.read(named)
    assert issubclass(DataWarning, WeaklearnWarning)
    assert issubclass(WeaklearnWarning, UserWarning)


@pytest.mark.parametrize("width", [1, 2, 4])
def test_another_number_of_columns_is_refused(width):
    schema, _ = learn(np.zeros((2, 3)), estimator_name="Booster")
    expected = f"X has {width} features, but Booster is expecting 3 features as input."
    X = np.ones((2, width))
    for later in (X, X.tolist(), X.astype(int), sp.csr_array(X), pd.DataFrame(X)):
        with pytest.raises(ValueError, match=re.escape(expected)):
            schema.read(later)


def test_duplicated_names_are_listed_with_their_positions():
    frame = pd.DataFrame([[1, 2, 3, 4]], columns=["a", "b", "a", "b"])
    with pytest.raises(ValueError, match=r"'a' at \[0, 2\]; 'b' at \[1, 3\]"):
        Schema.learn(frame)
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], names=["a", "a"])
    with pytest.raises(ValueError, match=r"'a' at \[0, 1\]"):
        Schema.learn(table)


def test_names_that_are_no_text():
    assert learn(pd.DataFrame([[1, 2]]))[0].names is None
    assert learn(pd.DataFrame([[1, 2]], columns=[("a", 1), ("b", 2)]))[0].names is None
    with pytest.raises(TypeError, match="only supported if all input features have string names"):
        Schema.learn(pd.DataFrame([[1, 2]], columns=["a", 1]))


HOSTILE = ["<b>", "a\nb", "'\"", "\u202eabc", "", "x" * 10**6, "column_names", "columns", "dtypes"]


def test_hostile_names_are_kept_exactly_and_shown_escaped():
    for frame in frames_named(HOSTILE):
        schema, _ = learn(frame)
        assert schema.names == tuple(HOSTILE)
        assert [column.name for column in schema.columns] == HOSTILE
        assert schema.read(frame).matrix.shape == (2, len(HOSTILE))
        with pytest.raises(ValueError, match="names should match") as caught:
            schema.read(frames_named("a")[0])
        message = str(caught.value)
        assert "\u202e" not in message
        assert len(message) < 1000
    bad = pd.DataFrame([[INF] * 2], columns=["\u202eabc", "x" * 10**6])
    for name in bad.columns:
        with pytest.raises(ValueError, match="infinity") as caught:
            Schema.learn(bad[[name]])
        assert "\u202e" not in str(caught.value)
        assert len(str(caught.value)) < 400


# --------------------------------------------------------------------------------- sparse


@pytest.mark.parametrize("kind", [sp.csr_array, sp.csc_array, sp.csr_matrix, sp.csc_matrix])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8, np.int64, bool])
def test_sparse_matrices_equal_their_dense_ones(kind, dtype):
    values = np.array([[0, 1, 0], [1, 0, 0], [0, 1, 1], [0, 0, 0]], dtype)
    X = kind(values)
    schema, cells = learn(X)
    assert isinstance(cells.sparse, (sp.csc_array, sp.csr_array))
    assert cells.sparse.format == X.format  # nothing is turned
    assert cells.sparse.dtype in (np.float32, np.float64)
    np.testing.assert_array_equal(dense(cells), values)
    np.testing.assert_array_equal(dense(schema.read(X)), values)
    np.testing.assert_array_equal(dense(schema.read(values)), values)


@pytest.mark.parametrize("form", ["coo", "bsr", "dia", "dok", "lil"])
def test_other_sparse_formats(form):
    values = np.array([[0, 1.5], [-1, 0], [0, 2]])
    for kind in (sp.csr_array, sp.csr_matrix):
        _, cells = learn(kind(values).asformat(form))
        np.testing.assert_array_equal(dense(cells), values)


def test_unsorted_duplicated_and_explicit_zero_cells():
    indptr, indices = np.array([0, 4, 5]), np.array([2, 0, 2, 1, 0])
    data = np.array([1.0, 2.0, 0.5, 0.0, NAN])
    for index_type in (np.int32, np.int64):
        parts = (data, indices.astype(index_type), indptr.astype(index_type))
        for X in (sp.csr_array(parts, shape=(2, 3)), sp.csc_array(parts, shape=(3, 2))):
            before = [X.data.copy(), X.indices.copy(), X.indptr.copy()]
            _, cells = learn(X)
            np.testing.assert_array_equal(dense(cells), X.toarray())
            for old, new in zip(before, (X.data, X.indices, X.indptr)):
                np.testing.assert_array_equal(old, new)
            for j in range(len(cells.sparse.indptr) - 1):
                rows = cells.sparse.indices[cells.sparse.indptr[j] : cells.sparse.indptr[j + 1]]
                assert (np.diff(rows) > 0).all()
    flags = sp.csr_array(sp.csc_array(np.eye(2)))
    flags.indices[:] = [1, 1]
    flags.indptr[:] = [0, 2, 2]  # its cached flags are stale now
    np.testing.assert_array_equal(dense(learn(flags)[1]), [[0, 2], [0, 0]])


def test_sparse_duplicates_sum_in_their_own_type():
    X = sp.coo_array((np.array([200, 100], np.uint8), ([0, 0], [0, 0])), shape=(1, 1))
    np.testing.assert_array_equal(dense(learn(X)[1]), X.toarray())


def broken(form, **changes):
    X = {"csr": sp.csr_array, "csc": sp.csc_array}[form](np.eye(3))
    for name, value in changes.items():
        setattr(X, name, np.asarray(value))
    return X


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize(
    "changes",
    [
        {"indices": [0, 1, 3]},
        {"indices": [0, -1, 2]},
        {"indices": [0, 1, 10**9]},
        {"indices": [0, 1]},
        {"indices": [0.0, 1.0, 2.0]},
        {"indptr": [0, 1, 2]},
        {"indptr": [0, 1, 2, 4]},
        {"indptr": [0, 2, 1, 3]},
        {"indptr": [1, 1, 2, 3]},
        {"indptr": [0, 1, 2, 2**40]},
        {"indptr": [0, -5, 2, 3]},
    ],
)
def test_malformed_sparse_matrices_are_refused(form, changes):
    schema, _ = learn(np.eye(3))
    for call in (Schema.learn, schema.read):
        with pytest.raises(ValueError, match="malformed sparse matrix"):
            call(broken(form, **changes))


def test_malformed_coordinates_are_refused():
    X = sp.coo_matrix(np.eye(3))
    X.row = np.array([0, 1, 99], X.row.dtype)
    with pytest.raises(ValueError, match=r"row\[2\] is 99"):
        Schema.learn(X)
    X = sp.bsr_array(np.eye(4), blocksize=(2, 2))
    X.indices = np.array([0, 7], X.indices.dtype)
    with pytest.raises(ValueError, match=r"indices\[1\] is 7"):
        Schema.learn(X)


def test_sparse_cells_that_are_refused():
    X = sp.csr_array(np.array([[0, 1.0], [2, 0], [0, 3]]))
    X.data[2] = -INF
    with pytest.raises(ValueError, match="row 2, column 1 holds -inf"):
        Schema.learn(X)
    with pytest.raises(ValueError, match="Complex data not supported"):
        Schema.learn(sp.csr_array(np.eye(2) * 1j))
    with pytest.raises(ValueError, match="sparse and has type object"):
        Schema.learn(broken("csr", data=np.ones(3, object)))
    with pytest.warns(DataWarning, match=r"beyond 2\*\*53.*1 distinct"):
        Schema.learn(sp.csr_array(np.array([[BIG, BIG + 1]])))
    schema, _ = learn([["a", 1], ["b", 2]])
    with pytest.raises(ValueError, match="X is sparse, but"):
        schema.read(sp.csr_array(np.eye(2)))


def test_read_only_sparse_matrices():
    X = sp.csr_array(np.array([[0, 1.0], [2, 0]]))
    for part in (X.data, X.indices, X.indptr):
        part.flags.writeable = False
    np.testing.assert_array_equal(dense(learn(X)[1]), [[0, 1], [2, 0]])


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_sparse_round_trip(data):
    n, d = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 4))
    cell = st.tuples(st.integers(0, n - 1), st.integers(0, d - 1), st.sampled_from([0.0, 1, -2]))
    cells = data.draw(st.lists(cell, max_size=12))
    rows, columns, values = np.array(cells).reshape(-1, 3).T
    X = sp.coo_array((values, (rows.astype(int), columns.astype(int))), shape=(n, d))
    form = data.draw(st.sampled_from(["coo", "csr", "csc", "lil"]))
    np.testing.assert_array_equal(dense(learn(X.asformat(form))[1]), X.toarray())


# ---------------------------------------------------------------------- columns without a value


def test_columns_of_missing_values_are_named_in_one_warning():
    X = np.full((9000, 4), NAN)
    X[:, 0] = 1
    X[8999, 2] = 1
    frame = pd.DataFrame(
        {"n": [NAN, NAN], "t": pd.Series([None, None], dtype="string"), "x": [1, 2]}
    )
    stored = sp.csc_array(np.array([[NAN, NAN], [NAN, 0]]))
    for data, expected in (
        (X, "2 column(s) with missing values only, which no rule can use: column 1, column 3."),
        (
            frame,
            "2 column(s) with missing values only, which no rule can use: column 'n', column 't'.",
        ),
        (stored, "1 column(s) with missing values only, which no rule can use: column 0."),
        ([[None, 1], [None, 2]], "column 0."),
        (pl.DataFrame({"a": [None, None]}), "column 'a'."),
        (pa.table({"a": pa.nulls(2)}), "column 'a'."),
        (
            np.full((1, 9), NAN),
            "9 column(s) with missing values only, which no rule can use: column 0",
        ),
    ):
        with pytest.warns(DataWarning, match=re.escape(expected)) as caught:
            Schema.learn(data)
        assert len(caught) == 1
    learn(np.array([[NAN, 1], [2, NAN]]))


NOTHING = {
    "text": pd.Series([None, None], dtype="string"),
    "category": pd.Series([None, None], dtype="category"),
    "number": pd.Series([NAN, NAN]),
    "object": pd.Series([None, None], dtype=object),
    "whole": pd.Series([None, None], dtype="Int64"),
    "flag": pd.Series([None, None], dtype="boolean"),
    "date": pd.Series([None, None], dtype="datetime64[ns]"),
    "zone": pd.Series([None, None], dtype="datetime64[ns, UTC]"),
    "duration": pd.Series([None, None], dtype="timedelta64[ns]"),
}
SOMETHING = {
    "texts": ["a", None],
    "numbers": [1.0, 2.0],
    "wide": [2**60, 2**60 + 1],
    "dates": pd.to_datetime(["2020-01-01", None]),
    "durations": pd.to_timedelta([1, 2], "s"),
    "flags": [True, False],
    "categories": pd.Categorical(["u", "v"]),
}


@pytest.mark.parametrize("beside", [[1.0, 2.0], ["x", "y"]], ids=["numbers", "texts"])
@pytest.mark.parametrize("nothing", NOTHING.values(), ids=NOTHING)
def test_a_column_without_a_value_has_no_kind_and_takes_anything_later(nothing, beside):
    frame = pd.DataFrame({"t": nothing, "u": beside})
    with pytest.warns(DataWarning, match="missing values only, which no rule can use: column 't'"):
        schema, cells = Schema.learn(frame, categorical_features=["t"])
    assert schema.empty == {0}
    assert 0 not in schema.special
    for later in SOMETHING.values():
        rows = pd.DataFrame({"t": later, "u": beside})
        with pytest.warns(
            DataWarning, match=r"column 't' holds .*held nothing in training"
        ) as told:
            cells = schema.read(rows)
        assert len(told) == 1
        column = cells.columns[0] if cells.matrix is None else cells.matrix[:, 0]
        assert column.dtype.kind == "f"
        assert np.isnan(column).all()
        with pytest.raises(ValueError, match=r"column 't' holds .*pass unseen='missing'"):
            schema.read(rows, unseen="error")


def test_values_met_where_training_had_none_leave_the_matrix_of_the_user_alone():
    with pytest.warns(DataWarning):
        schema, _ = Schema.learn(np.array([[NAN, 1.0, NAN], [NAN, 2.0, NAN]]))
    later = np.array([[5.0, 1.0, NAN], [NAN, 2.0, 7.0]], np.float32)
    before = later.copy()
    with pytest.warns(DataWarning, match=r"row 0, column 0 holds 5.0.*1 more such column"):
        cells = schema.read(later)
    assert np.array_equal(later, before, equal_nan=True)
    assert np.isnan(cells.matrix[:, [0, 2]]).all()
    assert cells.matrix[:, 1].tolist() == [1.0, 2.0]


# ------------------------------------------------------------------------- categorical_features


@pytest.mark.parametrize("wanted", [[True, False], [0], np.array([0]), ["a"], ("a",)])
def test_numbers_may_be_called_categories(wanted):
    frame = pd.DataFrame({"a": [10.0, 2, NAN, 10], "b": [1.5, 2, 3, 4]})
    schema, cells = learn(frame, categorical_features=wanted)
    assert schema.columns[0].categories == (2, 10)
    assert cells.columns[0].tolist() == [1, 0, -1, 1]
    assert cells.columns[0].dtype == np.int32
    assert schema.columns[1].kind is Kind.NUMBER
    assert schema.columns[0].describe(1) == "10"
    later = schema.read(pd.DataFrame({"a": [10, 3], "b": [0, 0]}))
    assert later.columns[0].tolist() == [1, -1]


def test_wide_integers_may_be_called_categories():
    schema, cells = learn(np.array([[BIG + 1], [BIG + 2]]), categorical_features=[0])
    assert schema.columns[0].categories == (BIG + 1, BIG + 2)
    assert cells.columns[0].tolist() == [0, 1]
    assert schema.read([[BIG + 2], [BIG]]).columns[0].tolist() == [1, -1]


def test_none_takes_numeric_categories_as_numbers():
    frame = pd.DataFrame({"a": pd.Categorical([3, None, 1])})
    schema, cells = learn(frame, categorical_features=None)
    assert not schema.special
    np.testing.assert_array_equal(cells.matrix[:, 0], [3, NAN, 1])
    with pytest.raises(ValueError, match=r"column 'a' holds text \('x'\).*from_dtype"):
        Schema.learn(pd.DataFrame({"a": ["x"]}), categorical_features=None)


@pytest.mark.parametrize(
    ("X", "wanted", "parts"),
    [
        (pd.DataFrame({"a": [1], "b": [2]}), ["c"], ["'c'", "'a'", "'b'"]),
        (np.zeros((1, 2)), ["a"], ["'a'", "no column names"]),
        (np.zeros((1, 2)), [2], ["index 2", "0 to 1"]),
        (np.zeros((1, 2)), [-1], ["index -1"]),
        (np.zeros((1, 2)), [True], ["1 booleans", "2 columns"]),
        (np.zeros((1, 2)), [0.5], ["0.5"]),
        (np.zeros((1, 2)), "every", ["'every'", "from_dtype"]),
        (np.zeros((1, 2)), 3, ["3"]),
        (np.zeros((1, 2)), [[0]], ["[[0]]"]),
        (pd.DataFrame({"a": pd.to_datetime(["2020"])}), ["a"], ["column 'a'", "dates"]),
        (sp.csr_array(np.eye(2)), [0], ["sparse"]),
    ],
)
def test_wrong_categorical_features(X, wanted, parts):
    with pytest.raises(ValueError, match=r"categor") as caught:
        Schema.learn(X, categorical_features=wanted)
    for part in parts:
        assert part in str(caught.value)


# --------------------------------------------------------------------------------- schema and cells


def everything():
    return pd.DataFrame(
        {
            "number": [1.5, 2.0, NAN],
            "text": ["b", "a", None],
            "wide": pd.array([BIG + 1, None, BIG + 5], "Int64"),
            "moment": pd.to_datetime(["2020-01-01", None, "2019-01-01"]),
            "duration": pd.to_timedelta(["1s", None, "2s"]),
        }
    )


def test_a_schema_survives_pickling():
    schema, cells = learn(everything())
    schema.read(everything())  # fills what is kept between calls
    again = pickle.loads(pickle.dumps(schema))
    np.testing.assert_array_equal(dense(again.read(everything())), dense(cells))
    assert [c.kind for c in again.columns] == [
        Kind.NUMBER,
        Kind.CATEGORY,
        Kind.WIDE,
        Kind.DATETIME,
        Kind.TIMEDELTA,
    ]
    assert set(vars(pickle.loads(pickle.dumps(schema.columns[2])))) == set(
        vars(ColumnSchema("x", Kind.WIDE))
    )
    with pytest.raises(AttributeError):
        schema.n_features = 3


def test_thresholds_of_the_wrong_kind_or_rank():
    schema, _ = learn(everything())
    with pytest.raises(TypeError, match="no order"):
        schema.columns[1].threshold(0.5)
    for rank in (-0.5, 1.5, 7):
        with pytest.raises(ValueError, match="2 ranks"):
            schema.columns[2].threshold(rank)
    assert schema.columns[2].threshold(0.5) == BIG + 3
    assert [c.name for c in schema.columns[1:3]] == ["text", "wide"]
    with pytest.raises(IndexError):
        schema.columns[5]


@pytest.mark.parametrize("X", [everything(), np.arange(6.0).reshape(3, 2), sp.csr_array(np.eye(3))])
def test_taking_rows(X):
    _, cells = learn(X)
    rows = np.array([2, 0, 0, 1])
    taken = cells.take(rows)
    assert isinstance(taken, Cells)
    np.testing.assert_array_equal(dense(taken), dense(cells)[rows])
    np.testing.assert_array_equal(
        dense(cells.take(np.array([True, False, True]))), dense(cells)[::2]
    )
    assert cells.take(np.array([], int)).n_rows == 0
    if taken.sparse is not None:
        assert taken.sparse.has_canonical_format


@pytest.mark.parametrize(
    "X", [everything(), np.ones((2, 3)), sp.csr_array(np.eye(3)), pl.DataFrame({"a": ["x", "y"]})]
)
def test_no_rows_at_predict(X):
    schema, cells = learn(X)
    empty = schema.read(X[:0])
    assert (empty.n_rows, empty.n_features) == (0, cells.n_features)
    assert dense(empty).shape == (0, cells.n_features)


def test_one_row():
    assert learn(np.array([[1.0, 2.0]]))[1].n_rows == 1


def test_a_million_columns_cost_no_objects():
    X = np.zeros((4, 1_000_000), np.float32)
    start = time.process_time()
    schema, cells = learn(X)
    assert cells.matrix is X
    assert len(schema.columns) == 1_000_000
    assert schema.columns[999_999].kind is Kind.NUMBER
    assert len(pickle.dumps(schema)) < 1000
    assert time.process_time() - start < 1.0


def test_reading_one_row_is_quick():
    X = np.random.default_rng(0).normal(size=(50, 30))
    schema, _ = learn(X)
    row = X[:1]
    best = min(_timed(lambda: schema.read(row)) for _ in range(200))
    assert best < 100e-6  # a few microseconds here


def _timed(call):
    start = time.process_time()
    call()
    return time.process_time() - start


# --------------------------------------------------------------------------------- labels


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        (np.array([1, 2, 1]), [1, 2], [0, 1, 0]),
        ([-1, 1, -1], [-1, 1], [0, 1, 0]),
        ([1.0, 0.0, 2.0], [0, 1, 2], [1, 0, 2]),
        (np.array([3.0, 3, 1], np.float32), [1, 3], [1, 1, 0]),
        ([True, False, True], [False, True], [1, 0, 1]),
        (["no", "yes", "no"], ["no", "yes"], [0, 1, 0]),
        (np.array(["no", "yes", "no"]), ["no", "yes"], [0, 1, 0]),
        (np.array(["b", "a", "b"], object), ["a", "b"], [1, 0, 1]),
        (["a\0", "a", "a"], ["a", "a\0"], [1, 0, 0]),
        ([np.str_("a"), "b"], ["a", "b"], [0, 1]),
        (np.array([BIG + 1, BIG, BIG + 1]), [BIG, BIG + 1], [1, 0, 1]),
        ([BIG + 1, BIG, BIG + 2], [BIG, BIG + 1, BIG + 2], [1, 0, 2]),
        ([2**64 - 1, 0, 2**64 - 2], [0, 2**64 - 2, 2**64 - 1], [2, 0, 1]),
        ([10**30, -1, 5], [-1, 5, 10**30], [2, 0, 1]),
        (np.array([0, 10**9, 5]), [0, 5, 10**9], [0, 2, 1]),
        (np.array([-(2**63), 2**63 - 1, 0]), [-(2**63), 0, 2**63 - 1], [0, 2, 1]),
        (np.array([1, 0, 1], ">i4"), [0, 1], [1, 0, 1]),
        ([dt.date(2020, 1, 2), dt.date(2020, 1, 1)] * 2, None, [1, 0, 1, 0]),
        (pd.Series(["b", "a", "b"]), ["a", "b"], [1, 0, 1]),
        (pd.Series(["b", "a", "b"], dtype="category"), ["a", "b"], [1, 0, 1]),
        (pd.Series(pd.Categorical(["b", "a"], categories=["z", "b", "a"])), ["a", "b"], [1, 0]),
        (pd.Categorical(["b", "a"]), ["a", "b"], [1, 0]),
        (pd.Series([7, 5], dtype="Int64"), [5, 7], [1, 0]),
        (pd.Series([True, False], dtype="boolean"), [False, True], [1, 0]),
        (pd.Series([BIG + 1, BIG], dtype="Int64"), [BIG, BIG + 1], [1, 0]),
        (pd.Index([3, 1]), [1, 3], [1, 0]),
        (pl.Series(["b", "a"]), ["a", "b"], [1, 0]),
        (pl.Series(["b", "a"], dtype=pl.Categorical), ["a", "b"], [1, 0]),
        (pl.Series([BIG + 1, BIG]), [BIG, BIG + 1], [1, 0]),
        (pl.Series([True, False]), [False, True], [1, 0]),
        (pa.chunked_array([["b"], ["a"]]), ["a", "b"], [1, 0]),
        (pa.array(["b", "a"]), ["a", "b"], [1, 0]),
        (pa.array(["b", "a"]).dictionary_encode(), ["a", "b"], [1, 0]),
        (pa.array([7, 5]), [5, 7], [1, 0]),
    ],
)
def test_labels_are_sorted_and_kept_exactly(y, classes, codes):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found, coded = read_labels(y, len(codes))
    assert coded.dtype == np.int64
    assert coded.tolist() == codes
    if classes is not None:
        assert found.tolist() == classes
        assert {type(v) for v in found.tolist()} <= {int, float, str, bool}
    if isinstance(y, np.ndarray):
        assert found.dtype == y.dtype


@pytest.mark.parametrize(
    ("y", "parts"),
    [
        (None, ["requires y to be passed, but the target y is None"]),
        ([0.1, 0.2, 1.0], ["Unknown label type: continuous", "y[0] is 0.1", "regressor"]),
        (np.array([1.0, 2.5, 3]), ["Unknown label type: continuous", "y[1] is 2.5"]),
        (np.array([1, 2.5, 3], object), ["Unknown label type: continuous"]),
        (np.array([1.0, NAN, 0]), ["Input y contains NaN", "y[1]"]),
        ([1.0, INF, 0], ["infinity", "y[1]"]),
        (np.array([1.0, -INF, 0]), ["infinity", "y[1] is -inf"]),
        (["a", None, "b"], ["Input y contains NaN", "y[1] is None"]),
        (["a", NAN, "b"], ["Input y contains NaN", "y[1]"]),
        (pd.Series([1, None, 2], dtype="Int64"), ["Input y contains NaN", "y[1]"]),
        (pl.Series([1, None, 2]), ["Input y contains NaN", "y[1]"]),
        (pa.array(["a", None, "b"]).dictionary_encode(), ["Input y contains NaN", "y[1]"]),
        (np.ma.MaskedArray([1, 2, 3], [False, True, False]), ["Input y contains NaN", "y[1]"]),
        ([1, "a", 2], ["mixes", "row 0 holds 1", "row 1 holds 'a'"]),
        ([True, 2, 3], ["mixes"]),
        ([{}, {}, {}], ["Unknown label type"]),
        (np.array([1j, 2, 3]), ["Complex data not supported"]),
        (np.zeros((3, 2)), ["(3, 2)"]),
        (pd.DataFrame({"a": [1, 2, 3], "b": [1, 2, 3]}), ["(3, 2)"]),
        (np.zeros((3, 1, 1)), ["(3, 1, 1)"]),
        ("abc", ["shape ()"]),
        ([0, 1], ["X has 3 rows", "y has 2"]),
        ([0, 1, 0, 1], ["X has 3 rows", "y has 4"]),
        (np.array(["NaT", "2020", "2021"], "M8[D]"), ["Input y contains NaN", "y[0]"]),
    ],
)
def test_labels_that_are_refused(y, parts):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        read_labels(y, 3)
    for part in parts:
        assert part in str(caught.value)


def test_labels_as_bytes_are_refused():
    with pytest.raises(TypeError, match="bytes"):
        read_labels(np.array([b"a", b"b"]), 2)


def test_labels_in_a_column():
    for y in (np.array([[1], [0]]), [[1], [0]], pd.DataFrame({"y": [1, 0]})):
        with pytest.warns(DataConversionWarning, match="A column-vector y was passed when a 1d"):
            classes, codes = read_labels(y, 2)
        assert (classes.tolist(), codes.tolist()) == ([0, 1], [1, 0])


@settings(max_examples=200, deadline=None)
@given(
    st.one_of(
        st.lists(st.integers(-(2**70), 2**70), min_size=1),
        st.lists(st.integers(-5, 5), min_size=1),
        st.lists(st.text(max_size=3), min_size=1),
        st.lists(st.booleans(), min_size=1),
    )
)
def test_labels_round_trip(y):
    classes, codes = read_labels(y, len(y))
    assert classes[codes].tolist() == y
    assert classes.tolist() == sorted(set(y))


# --------------------------------------------------------------------------------- targets


def test_targets():
    for y in ([1, 2.5, 3e300], np.array([1, 2.5, 3e300]), pl.Series([1.0, 2.5, 3e300])):
        target = read_target(y, 3)
        assert target.dtype == np.float64
        assert target.tolist() == [1, 2.5, 3e300]
    assert read_target([True, False], 2).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("y", "part"),
    [
        ([1.0, NAN], "y contains NaN: y[1]"),
        ([1.0, INF], "infinity"),
        ([1, 10**400], "infinity"),
        ([1.0, None], "y[1] is None"),
        (["a", "b"], "y[0] is 'a'"),
        (np.array(["a", "b"]), "needs numbers"),
        (np.array([1j, 2]), "Complex data not supported"),
        (None, "requires y to be passed"),
        ([1.0], "X has 2 rows, y has 1"),
    ],
)
def test_targets_that_are_refused(y, part):
    with pytest.raises(ValueError, match=re.escape(part)):
        read_target(y, 2)


# --------------------------------------------------------------------------------- weights


@pytest.mark.parametrize(
    "weights",
    [
        [1, 2, 0],
        (1, 2, 0),
        np.array([1, 2, 0], np.float32),
        pd.Series([1, 2, 0]),
        pl.Series([1, 2, 0]),
    ],
)
def test_weights(weights):
    found = read_weights(weights, 3)
    assert found.dtype == np.float64
    assert found.tolist() == [1, 2, 0]


def test_weights_none_and_scalar():
    assert read_weights(None, 3) is None
    assert read_weights(2, 3).tolist() == [2, 2, 2]
    given_weights = np.ones(3)
    assert not np.shares_memory(read_weights(given_weights, 3), given_weights)


@pytest.mark.parametrize(
    ("weights", "parts"),
    [
        ([1, -2, 3], ["sample_weight[1] is -2.0", "negative"]),
        ([1, 2, NAN], ["sample_weight[2] is NaN"]),
        (np.array([NAN, -1, 0]), ["sample_weight[0] is NaN"]),
        ([INF, 2, 1], ["sample_weight[0] is inf"]),
        ([1, -INF, 1], ["sample_weight[1] is -inf"]),
        ([1, None, 1], ["sample_weight[1] is NaN"]),
        ([0, 0, 0], ["zero weights"]),
        (0, ["zero weights"]),
        ([1, 2], ["sample_weight has 2 values, X has 3 rows"]),
        (np.ones(6), ["sample_weight has 6 values, X has 3 rows"]),
        (np.ones((3, 2)), ["2D array", "(3, 2)"]),
        (np.ones((3, 1)), ["2D array"]),
        (["a", "b", "c"], ["sample_weight", "numbers"]),
        (np.array([1j, 1, 1]), ["sample_weight", "numbers"]),
        ([1, 10**400, 1], ["sample_weight", "numbers"]),
    ],
)
def test_weights_that_are_refused(weights, parts):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        read_weights(weights, 3)
    for part in parts:
        assert part in str(caught.value)
    if "negative" not in parts:
        assert "negative" not in str(caught.value)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ([1, 2, 0], [1, 2, 0]),
        ([0.5, 1], None),
        ([BIG - 2, 1], [BIG - 2, 1]),
        ([BIG - 1, 1], None),
        ([1e300, 1e300], None),
        ([1.7e308] * 4, None),
        ([2.0**53] * 5000, None),
    ],
)
def test_whole_weights_below_the_bound_are_counts(weights, expected):
    found = counts(np.array(weights, np.float64))
    assert found is None if expected is None else found.tolist() == expected
    assert found is None or found.dtype == np.int64


def test_no_weights_are_no_counts():
    assert counts(None) is None


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.floats(0, allow_infinity=False, allow_subnormal=False), min_size=1, max_size=20
    ).filter(any)
)
def test_scaled_weights_are_exact_multiples_without_overflow(weights):
    weights = np.array(weights)
    scaled = scale_weights(weights)
    assert np.isfinite(scaled.sum())
    assert ((scaled > 0) == (weights > 0)).all()
    positive = weights[weights > 0]
    if np.frexp(positive.max())[1] - np.frexp(positive.min())[1] < 900:
        assert 0.5 <= scaled.max() < 1
        exponent = np.frexp(weights.max())[1]
        np.testing.assert_array_equal(np.ldexp(scaled, exponent), weights)


def test_equal_huge_weights_scale_to_equal_small_ones():
    for value in (1e37, 1e300, 1.7e308, 1e-300):
        scaled = scale_weights(np.full(1000, value))
        assert (scaled == scaled[0]).all()
        assert 0.5 <= scaled[0] < 1


# ------------------------------------------------------------------- scikit-learn's own checks


class Centroid(ClassifierMixin, BaseEstimator):
    """The nearest weighted mean: the least estimator that intake can serve."""

    def fit(self, X, y, sample_weight=None):
        name = type(self).__name__
        schema, cells = Schema.learn(X, estimator_name=name)
        classes, codes = read_labels(y, cells.n_rows, estimator_name=name)
        weights = read_weights(sample_weight, cells.n_rows)
        weights = np.ones(cells.n_rows) if weights is None else weights
        values = np.nan_to_num(dense(cells))
        present = [k for k in range(len(classes)) if weights[codes == k].any()]
        self.means_ = np.array(
            [np.average(values[codes == k], axis=0, weights=weights[codes == k]) for k in present]
        )
        self.classes_, self.present_, self.schema_ = classes, np.array(present), schema
        self.n_features_in_ = schema.n_features
        if schema.names is not None:
            self.feature_names_in_ = np.array(schema.names, object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def predict(self, X):
        check_is_fitted(self)
        values = np.nan_to_num(dense(self.schema_.read(X)))
        distances = ((values[:, None] - self.means_) ** 2).sum(axis=2)
        return self.classes_[self.present_[distances.argmin(axis=1)]]

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags


@parametrize_with_checks([Centroid()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
