"""Tables from files: what is read, how it is typed, and what is refused with its place."""

from __future__ import annotations

import bz2
import datetime
import gc
import gzip
import io
import lzma
import os
import sys
import threading
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn.datasets import DataTable, TableError, read_chunks, read_table
from weaklearn.datasets import arrow as arrow_reader
from weaklearn.datasets import source as source_room
from weaklearn.datasets.cell import Odd, Words, datetimes, orders
from weaklearn.datasets.data_table import DataColumn, joined

BOTH = pytest.mark.parametrize("fast", [False, True])


def written(folder: Path, text: str | bytes, name: str = "table.csv") -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def same(a: DataTable, b: DataTable) -> bool:
    if a.names != b.names or a.kinds != b.kinds:
        return False
    pairs = [(a.column(name), b.column(name)) for name in a.names]
    return all(
        [None if gone else v for v, gone in zip(x.array.tolist(), x.missing)]
        == [None if gone else v for v, gone in zip(y.array.tolist(), y.missing)]
        and x.tz == y.tz
        for x, y in pairs
    )


# ------------------------------------------------------------------------------------- what is read


@BOTH
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(tmp_path: Path, delimiter: str, fast: bool) -> None:
    lines = ["a,b,c", "1,x,2.5", "3,y,4"]
    path = written(tmp_path, "\n".join(lines).replace(",", delimiter))
    table = read_table(path, fast=fast)
    assert table.kinds == {"a": "number", "b": "category", "c": "number"}
    assert table["c"].tolist() == [2.5, 4.0]
    assert table["b"].tolist() == ["x", "y"]


@BOTH
def test_a_decimal_comma_does_not_pass_for_a_delimiter(tmp_path: Path, fast: bool) -> None:
    path = written(tmp_path, "price;name\n1,5;a\n2,25;b\n1.000,5;c\n".replace("1.000", "1000"))
    with pytest.raises(TableError, match=r"line 2, column 'price': '1,5' .*decimal comma"):
        read_table(path, fast=fast)
    assert read_table(path, decimal=",", fast=fast)["price"].tolist() == [1.5, 2.25, 1000.5]


@BOTH
@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,x\n2,y\n",
        "\ufeffa,b\n1,x\n2,y\n",  # byte order mark
        "a,b\r\n1,x\r\n2,y\r\n",
        "a,b\r1,x\r2,y",  # returns alone
        "a,b\n1,x\n2,y",  # no last line end
        "a,b\n1,x\n\n2,y\n\n\n",  # blank lines
        "a , b\n 1, x\n2 ,y\n",  # blanks around cells
        '"a","b"\n"1","x"\n"2","y"\n',
    ],
)
@pytest.mark.parametrize("encoding", [None, "utf8"])
def test_spellings_of_one_table(
    tmp_path: Path, text: str, encoding: str | None, fast: bool
) -> None:
    table = read_table(written(tmp_path, text), encoding=encoding, fast=fast)
    assert table.names == ("a", "b")
    assert table["a"].tolist() == [1.0, 2.0]
    assert table["b"].tolist() == ["x", "y"]


@BOTH
def test_quoted_delimiters_quotes_and_line_ends(tmp_path: Path, fast: bool) -> None:
    text = 'name,note\n"Doe, Ann","first\nsecond"\n"a ""b"" c",plain\n5" pipe,x\n'
    table = read_table(written(tmp_path, text), fast=fast)
    assert table["name"].tolist() == ["Doe, Ann", 'a "b" c', '5" pipe']
    assert table["note"].tolist() == ["first\nsecond", "plain", "x"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_files(tmp_path: Path, pack: Any) -> None:
    path = written(tmp_path, pack(b"a,b\n1,x\n"), "table.csv.packed")
    assert read_table(path).shape == (1, 2)
    broken = written(tmp_path, pack(b"a,b\n" + b"1,x\n" * 9999)[:-20], "broken")
    with pytest.raises(TableError, match="broken"):
        read_table(broken)


def test_encodings(tmp_path: Path) -> None:
    latin = written(tmp_path, "name,n\nMüller,1\n".encode("latin-1"))
    with pytest.raises(TableError, match=r"byte 8 \(line 2\): 0xfc is no UTF-8.*cp1252"):
        read_table(latin)
    assert read_table(latin, encoding="latin-1")["name"].tolist() == ["Müller"]
    wide = written(tmp_path, "name;n\nMüller;1\n".encode("utf-16"), "wide.csv")
    assert read_table(wide)["name"].tolist() == ["Müller"]
    for unknown in ("klingon", "base64"):
        with pytest.raises(ValueError, match=f"encoding='{unknown}'"):
            read_table(latin, encoding=unknown)


def test_the_byte_of_a_broken_encoding_is_counted_over_pieces(tmp_path: Path) -> None:
    begin = "n,é\n".encode() + "1,é\n".encode() * 300_000
    path = written(tmp_path, begin + b"2,\xff\n")
    with pytest.raises(TableError, match=rf"byte {len(begin) + 2:,} \(line 300,002\)"):
        read_table(path)


# ---------------------------------------------------------------------------------- how it is typed


@BOTH
def test_missing_values(tmp_path: Path, fast: bool) -> None:
    marks = ["", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"]
    path = written(tmp_path, "x,c\n" + "".join(f'"{m}","{m}"\n' for m in marks) + "1,none\n")
    table = read_table(path, fast=fast)
    assert np.isnan(table["x"][:-1]).all()
    assert table["c"].tolist() == [None] * len(marks) + ["none"]
    own = read_table(written(tmp_path, "x\n-999\nNA\n3\n"), missing=["-999", "NA"], fast=fast)
    assert np.isnan(own["x"]).tolist() == [True, True, False]


@BOTH
def test_text_among_numbers_is_refused_with_its_place(tmp_path: Path, fast: bool) -> None:
    rows = "".join(f"{k},{k}\n" for k in range(100))
    path = written(tmp_path, 'a,b\n"1",2\n' + rows + "17,abc\n" + rows)
    with pytest.raises(TableError, match=r"line 103, column 'b': 'abc' is not a number") as caught:
        read_table(path, fast=fast)
    assert (caught.value.line, caught.value.column) == (103, "b")
    assert "types={'b': 'category'}" in str(caught.value)
    assert read_table(path, types={"b": "category"}, fast=fast)["b"][100] == "99"
    with pytest.raises(TableError, match="name it in missing="):
        read_table(path, types={"b": "number"}, fast=fast)


def test_the_line_is_that_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, 'a,b\n1,"x\ny\nz"\n\n\n2,w\n' + "3,w\n" * 30 + "four,w\n")
    with pytest.raises(TableError, match="line 38, column 'a': 'four'"):
        read_table(path)


@BOTH
@pytest.mark.parametrize("cell", ["1e999", "-1e999", "inf", "-Infinity"])
def test_what_is_beyond_float64_is_refused(tmp_path: Path, cell: str, fast: bool) -> None:
    path = written(tmp_path, f"a\n1\n{cell}\n")
    with pytest.raises(TableError, match=r"line 3, column 'a'.*(infinite|beyond)"):
        read_table(path, fast=fast)
    words = read_table(written(tmp_path, f"a\n{cell}\nword\nother\n"), fast=fast)
    assert words.kinds == {"a": "category"}


@BOTH
def test_numbers_are_those_that_python_reads(tmp_path: Path, fast: bool) -> None:
    cells = ["0", "-0", "0.1", "1e-5", "+3", ".5", "5.", "-1.7976931348623157e308", "5e-324"]
    table = read_table(written(tmp_path, "x\n" + "\n".join(cells) + "\n"), fast=fast)
    assert table["x"].tolist() == [float(cell) for cell in cells]


@BOTH
@pytest.mark.parametrize("odd", ["1_000", "٣", "0x10", "00501", "1 2"])
def test_what_is_no_number_here_is_a_category(tmp_path: Path, odd: str, fast: bool) -> None:
    table = read_table(written(tmp_path, f"x\n{odd}\n{odd}\n1\n"), fast=fast)
    assert table["x"].tolist() == [odd, odd, "1"]


@BOTH
def test_integers_beyond_float64_stay_exact(tmp_path: Path, fast: bool) -> None:
    path = written(tmp_path, f"id\n1\n{2**53 + 1}\n\n{2**80}\n".replace("\n\n", "\nNA\n"))
    table = read_table(path, fast=fast)
    assert table.kinds == {"id": "integer"}
    assert table["id"].tolist() == [1, 2**53 + 1, None, 2**80]


@BOTH
def test_dates(tmp_path: Path, fast: bool) -> None:
    text = (
        "day,time,zone,us\n"
        "2024-02-29,2024-02-29 13:45,2024-02-29T12:00:00+02:00,02/29/2024\n"
        "1969-12-31,2024-03-01T00:00:00.25,2024-02-29T12:00:00Z,03/01/2024\n,,,\n"
    )
    table = read_table(written(tmp_path, text), fast=fast)
    assert table.kinds == {"day": "date", "time": "date", "zone": "date", "us": "category"}
    assert table["day"].tolist()[:2] == [
        pd.Timestamp(d).date() for d in ("2024-02-29", "1969-12-31")
    ]
    assert str(table["time"][1]) == "2024-03-01T00:00:00.250000"
    assert table.column("zone").tz == "UTC"
    assert [str(v) for v in table["zone"]][:2] == [
        "2024-02-29T10:00:00.000000",
        "2024-02-29T12:00:00.000000",
    ]
    assert np.isnat(table["day"][2])
    bad = written(tmp_path, "d\n2023-02-30\n")
    with pytest.raises(TableError, match="'2023-02-30' is no day of the calendar"):
        read_table(bad, types={"d": "date"}, fast=fast)


@BOTH
def test_times_in_utc(tmp_path: Path, fast: bool) -> None:
    day = "2024-02-29T12:00:00.123456"
    path = written(tmp_path, f"t\n{day}789Z\n{day}001+0000\n2024-02-29T10:00:00.5-02:30\n")
    assert [str(value) for value in read_table(path, fast=fast)["t"]] == [
        "2024-02-29T12:00:00.123456789",
        "2024-02-29T12:00:00.123456001",
        "2024-02-29T12:30:00.500000000",
    ]
    for text in ("0001-01-01 00:00+02:00", "9999-12-31 23:00-05:00", "2024-01-01 00:00+24:00"):
        path = written(tmp_path, f"t\n{text}\n")
        assert read_table(path, fast=fast).kinds == {"t": "category"}
        with pytest.raises(TableError, match="is no day of the calendar"):
            read_table(path, types={"t": "date"}, fast=fast)


@BOTH
def test_dates_of_other_spellings(tmp_path: Path, fast: bool) -> None:
    text = (
        "a,b,c,d\n29.02.2024,2024/2/9,2/29/2024,29-02-2024 7:05\n"
        "1.3.2024,,3/1/2024,01-03-2024 17:05\n"
    )
    path = written(tmp_path, text)
    found = {"a": "date", "b": "date", "c": "category", "d": "category"}
    assert read_table(path, fast=fast).kinds == found
    by_month = read_table(path, fast=fast, dates="mdy")
    assert by_month.kinds == {"a": "date", "b": "date", "c": "date", "d": "category"}
    assert by_month["a"].tolist() == read_table(path, fast=fast)["a"].tolist()  # points: day first
    by_day = read_table(path, fast=fast, dates="dmy")
    assert by_day.kinds == {"a": "date", "b": "date", "c": "category", "d": "date"}
    assert by_month["c"].tolist() == by_day["a"].tolist()
    assert [str(value) for value in by_day["a"]] == ["2024-02-29", "2024-03-01"]
    assert str(by_day["d"][0]) == "2024-02-29T07:05:00.000000"
    with pytest.raises(TableError, match="line 2, column 'c': '2/29/2024' is a date whose day or"):
        read_table(path, types={"c": "date"}, fast=fast)
    with pytest.raises(TableError, match="'2/29/2024' is no day of the calendar"):
        read_table(path, types={"c": "date"}, fast=fast, dates="dmy")
    pieces = list(read_chunks(path, types={"c": "date"}, fast=fast, dates="mdy"))
    assert pieces[0]["c"].tolist() == by_month["c"].tolist()


@given(
    day=st.dates(datetime.date(1000, 1, 1), datetime.date(9999, 12, 31)),
    order=st.sampled_from(["dmy", "mdy"]),
    sign=st.sampled_from("./-"),
    padded=st.booleans(),
)
def test_any_day_is_read_in_its_order(
    day: datetime.date, order: str, sign: str, padded: bool
) -> None:
    parts = {"d": f"{day.day:02}" if padded else str(day.day), "m": f"{day.month:02}"}
    written_so = "dmy" if sign == "." else order  # with points the day is first
    text = sign.join([*(parts[letter] for letter in written_so[:2]), str(day.year)])
    values, zone = datetimes([text, "NA"], Words(dates=order))
    assert (values[0].item(), zone) == (day, None)
    assert np.isnat(values[1])
    assert order in (orders([text]) or ())


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("29 Feb 2024", "2024-02-29"),
        ("29-FEB-2024", "2024-02-29"),
        ("February 29, 2024", "2024-02-29"),
        ("Sept. 3 2024", "2024-09-03"),
        ("3. März 2024", "2024-03-03"),
        ("12. Dez. 2024 7:05", "2024-12-12T07:05"),
        ("2024-02-29 1:45 PM", "2024-02-29T13:45"),
        ("29.02.2024, 12:00:30 am", "2024-02-29T00:00:30"),
        ("2024/2/9 12 p.m.", "2024-02-09T12:00"),
    ],
)
def test_names_of_months_and_halves_of_days(text: str, found: str) -> None:
    values, _ = datetimes([text], Words())
    assert values[0] == np.datetime64(found)


@pytest.mark.parametrize("text", ["31 Feb 2024", "3 Foo 2024", "2024-02-29 13:45 PM", "3 Feb 24"])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(Odd):
        datetimes([text], Words())


def test_years_of_two_digits_are_read_where_an_order_is_asked_for() -> None:
    cells = ["2/3/68", "2/3/69", "2/3/1999"]
    with pytest.raises(Odd, match="year of two digits"):
        datetimes(cells, Words())
    values, _ = datetimes(cells, Words(dates="mdy"))
    assert values.astype(str).tolist() == ["2068-02-03", "1969-02-03", "1999-02-03"]
    points, _ = datetimes(["2.3.24"], Words(dates="mdy"))
    assert points.astype(str).tolist() == ["2024-03-02"]
    assert orders(["2/13/24"]) == ("mdy",)


@BOTH
def test_orders_of_single_columns(tmp_path: Path, fast: bool) -> None:
    path = written(tmp_path, "a,b,c\n1/2/2024,1/2/2024,x\n3/4/2024,3/4/2024,y\n")
    table = read_table(path, fast=fast, dates={"a": "mdy", None: "dmy"})
    assert [str(table[name][0]) for name in "ab"] == ["2024-01-02", "2024-02-01"]
    assert read_table(path, fast=fast, dates={"b": "dmy"}).kinds["a"] == "category"
    with pytest.raises(TableError, match="has no column 'd'"):
        read_table(path, dates={"d": "dmy"})
    with pytest.raises(ValueError, match="dates='ymd' is not allowed"):
        read_table(path, dates={"a": "ymd"})


@BOTH
@pytest.mark.parametrize(
    ("decimal", "thousands", "text", "value"),
    [
        (",", ".", "1.234.567,5", 1234567.5),
        (",", ".", "-12,5", -12.5),
        (".", ",", "1,234", 1234.0),
        (".", "'", "1\u2019234.25", 1234.25),
        (",", " ", "1\u202f234,5", 1234.5),
        (",", ".", "9.007.199.254.740.993", 9007199254740993),
    ],
)
def test_thousands(
    tmp_path: Path, fast: bool, decimal: str, thousands: str, text: str, value: float
) -> None:
    path = written(tmp_path, f"a;b\n{text};x\n?;y\n")
    table = read_table(path, fast=fast, decimal=decimal, thousands=thousands)
    assert table["a"][0] == value


@pytest.mark.parametrize("text", ["1.23", "1.2345", "12.34.567", "0.123", ".123"])
def test_groups_of_other_than_three_digits_are_no_thousands(text: str) -> None:
    assert Words(decimal=",", thousands=".").number(text) is None


def test_thousands_are_no_decimals(tmp_path: Path) -> None:
    path = written(tmp_path, "a\n1\n")
    for decimal, thousands in ((".", "."), (",", ","), (".", "_")):
        with pytest.raises(ValueError, match=r"thousands=.* is not allowed"):
            read_table(path, decimal=decimal, thousands=thousands)


def test_latin_1_is_read_as_its_larger_sister(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b\n5 \x80,1\nM\xfc,2\n".encode("latin-1"))
    for encoding in ("latin-1", "ISO-8859-1", "cp1252"):
        assert read_table(path, encoding=encoding)["a"].tolist() == ["5 \u20ac", "M\xfc"]


def test_a_column_that_changes_late_is_read_again(tmp_path: Path) -> None:
    first, later = "1,2024-01-01\n" * 40_000, "".join(f"k{k},not yet\n" for k in range(30_000))
    for fast in (False, True):
        table = read_table(written(tmp_path, "a,d\n" + first + later), fast=fast)
        assert table.kinds == {"a": "category", "d": "category"}
        assert table["a"][[0, 39_999, 40_000]].tolist() == ["1", "1", "k0"]


def test_a_column_that_begins_with_missing_cells(tmp_path: Path) -> None:
    path = written(tmp_path, "a,b,c\n" + ",,\n" * 40_000 + "word,5,2024-01-01\n")
    table = read_table(path, fast=False)
    assert table.kinds == {"a": "category", "b": "number", "c": "date"}
    assert table.column("a").missing.sum() == 40_000
    assert (table["a"][-1], table["b"][-1]) == ("word", 5.0)
    empty = read_table(written(tmp_path, "a,b\n,1\n,2\n"))
    assert np.isnan(empty["a"]).all()


def test_names(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"duplicated column names: 'a' at 1, 3"):
        read_table(written(tmp_path, "a,b,a\n1,2,3\n"))
    with pytest.raises(TableError, match=r"line 1 should hold the names.*header=False"):
        read_table(written(tmp_path, "1,2\n3,4\n"))
    assert read_table(written(tmp_path, "1,2\n3,4\n"), header=False).names == ("c1", "c2")
    assert read_table(written(tmp_path, ",b\n1,2\n")).names == ("Unnamed: 0", "b")  # as pandas
    with pytest.raises(TableError, match=r"no column 'agee'.*Did you mean 'age'\?$"):
        read_table(written(tmp_path, "age,b\n1,2\n"), columns=["agee"])
    assert read_table(written(tmp_path, "a,b\n1,2\n"), columns=["b"]).names == ("b",)


# ---------------------------------------------------------------------------------- what is refused


@BOTH
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "is empty"),
        (b"a,b\n", "no rows"),
        (b"\n\n\n", "blank lines only"),
        (b"a,b\n1,2\n3\n", "line 3 has 1 cells, where 2 are expected"),
        (b"a,b\n1,2\n\n3,4,5\n", "line 4 has 3 cells, where 2 are expected"),
        (b"a,b\n1,\x00\n", r"byte 6 is 0x00, a control character"),
        (bytes(range(256)) * 40, "control character"),
        (b'a,b\n1,"x\n2,y\n', "not closed before the end"),
        (b'a,b\n1,"x"y\n', "line 2: a quote"),
        (b"PK\x03\x04" + b"x" * 99, "a zip archive or a spreadsheet"),
        (b"PAR1" + b"x" * 99, "broken Parquet"),
        (b"\x89weak\r\n\x1a", "a model of weaklearn"),
    ],
)
def test_faulty_files(tmp_path: Path, text: bytes, said: str, fast: bool) -> None:
    with pytest.raises(TableError, match=said):
        read_table(written(tmp_path, text), fast=fast)


def test_limits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wide = written(tmp_path, ",".join(f"c{k}" for k in range(100_001)) + "\n")
    with pytest.raises(TableError, match="100,001 columns; 100,000 are the limit"):
        read_table(wide)
    cell = written(tmp_path, 'a,b\n1,"' + "x" * 200_000 + '"\n')
    for fast in (False, True):
        with pytest.raises(TableError, match="a cell has more than 131,072 characters"):
            read_table(cell, fast=fast)
    monkeypatch.setattr(source_room, "MOST_LINE", 1000)
    with pytest.raises(TableError, match="a line of more than 1,000 characters"):
        read_table(written(tmp_path, "a,b\n" + "1," + "2" * 2000 + "\n"))


def test_a_line_without_end_takes_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tracemalloc

    monkeypatch.setattr(source_room, "MOST_LINE", 2**20)
    path = tmp_path / "line.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(64):
            file.write(b"x" * 2**20)
    tracemalloc.start()
    with pytest.raises(TableError, match="a line of more than"):
        read_table(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 24 * 2**20


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileNotFoundError):
        read_table(tmp_path / "none.csv")
    with pytest.raises(TableError, match="is a directory"):
        read_table(tmp_path)
    stdin = io.TextIOWrapper(io.BytesIO(b"a,b\n1,2\n"))
    monkeypatch.setattr(sys, "stdin", stdin)
    assert read_table("-").shape == (1, 2)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    feeder = threading.Thread(target=lambda: pipe.write_bytes(b"a,b\n1,x\n"))
    feeder.start()
    assert read_table(pipe).shape == (1, 2)
    feeder.join()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"delimiter": "ab"}, "delimiter='ab'"),
        ({"decimal": "x"}, "decimal='x'"),
        ({"dates": "ymd"}, "dates='ymd'"),
        ({"types": {"a": "numbre"}}, "Did you mean 'number'"),
        ({"types": {"z": "number"}}, "no column 'z'"),
    ],
)
def test_wrong_words(tmp_path: Path, words: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        read_table(written(tmp_path, "a,b\n1,2\n"), **words)


# --------------------------------------------------------------------------- two readers, one table

QUIET = settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
CELLS = st.one_of(
    st.sampled_from(["", "1", "2.5", "-3e4", "007", "-0.5", "x", "y z", "NA", "?", "inf", "1e999"]),
    st.text(alphabet='ab,"\n\r 01', max_size=4),
    st.integers(-(2**70), 2**70).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
)


def outcome(path: Path, fast: bool) -> Any:
    try:
        return read_table(path, fast=fast)
    except TableError as error:
        return str(error)


@QUIET
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), quoted=st.booleans())
def test_both_readers_agree(tmp_path: Path, rows: list[tuple[str, str]], quoted: bool) -> None:
    import csv

    out = io.StringIO()
    style = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(out, quoting=style, lineterminator="\n").writerows([("a", "b"), *rows])
    path = written(tmp_path, out.getvalue())
    slow, quick = outcome(path, False), outcome(path, True)
    assert same(slow, quick) if isinstance(slow, DataTable) else slow == quick


@QUIET
@given(text=st.text(alphabet='a1,"\n\r ;', max_size=14))
def test_both_readers_agree_on_scribbles(tmp_path: Path, text: str) -> None:
    path = written(tmp_path, "h1,h2\n" + text)
    slow, quick = outcome(path, False), outcome(path, True)
    assert same(slow, quick) if isinstance(slow, DataTable) else slow == quick


@QUIET
@given(junk=st.binary(max_size=60), place=st.integers(0, 40))
def test_any_bytes_are_a_table_or_an_error(tmp_path: Path, junk: bytes, place: int) -> None:
    text = b'name,n\n"a, b",1\nc,2.5\n,NA\n2024-01-01,3\n'
    path = written(tmp_path, text[:place] + junk + text[place:])
    slow, quick = outcome(path, False), outcome(path, True)
    assert same(slow, quick) if isinstance(slow, DataTable) else slow == quick


def test_the_fast_reader_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, 'a,b\n"1, 2",3\n')
    monkeypatch.setattr("weaklearn.datasets.dialect.blocks", None)
    assert read_table(path).shape == (1, 2)
    monkeypatch.setattr(arrow_reader, "is_here", lambda: False)
    with pytest.raises(TypeError):
        read_table(path)


# ---------------------------------------------------------------------------------------- in pieces


@BOTH
def test_pieces_are_the_table(tmp_path: Path, fast: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weaklearn.datasets.reading._ROWS", 100)
    monkeypatch.setattr(arrow_reader, "_BLOCK", 2000)
    text = "a,b\n" + "".join(f"{k},w{k % 7}\n" for k in range(1234))
    path = written(tmp_path, text)
    pieces = list(read_chunks(path, fast=fast))
    assert len(pieces) >= 5
    whole = read_table(path)
    assert np.concatenate([piece["a"] for piece in pieces]).tolist() == whole["a"].tolist()
    assert [v for piece in pieces for v in piece["b"]] == whole["b"].tolist()
    late = written(tmp_path, text + "word,w\n")
    with pytest.raises(TableError, match="line 1,236, column 'a': 'word'"):
        list(read_chunks(late, fast=fast))
    with pytest.raises(TableError, match="no rows"):
        list(read_chunks(written(tmp_path, "a,b\n"), fast=fast))


def test_pieces_go_on_where_the_fast_reader_gives_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrow_reader, "_BLOCK", 2000)
    monkeypatch.setattr(source_room, "_PIECE", 500)
    text = "a,b\n" + "".join(f"{k},w\n" for k in range(2000)) + '2000,a "quoted" word\n'
    text += "".join(f'{k},"say ""x"""\n' for k in range(2001, 3000))
    pieces = list(read_chunks(written(tmp_path, text), fast=True))
    assert [int(v) for piece in pieces for v in piece["a"]] == list(range(3000))


# ------------------------------------------------------------------------------------------ Parquet


def test_parquet(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "n": [1, 2, None],
            "i": [2**60, 1, 2],
            "s": ["x", None, "y"],
            "c": pd.Categorical(["u", "v", "u"]),
            "b": [True, False, True],
            "t": pd.to_datetime(["2024-01-01", None, "2024-01-02"]),
            "z": pd.to_datetime(["2024-01-01", None, "2024-01-02"], utc=True),
        }
    )
    path = tmp_path / "table.parquet"
    frame.to_parquet(path)
    table = read_table(path)
    assert list(table.kinds.values()) == [
        "number",
        "integer",
        "category",
        "category",
        "number",
        "date",
        "date",
    ]
    assert table["s"].tolist() == ["x", None, "y"]
    assert table["i"].tolist() == [2**60, 1, 2]
    assert table.column("z").tz == "UTC"
    assert read_table(path, types={"n": "category"})["n"].tolist() == ["1", "2", None]
    assert read_table(path, columns=["b"]).names == ("b",)
    assert sum(len(piece) for piece in read_chunks(path)) == 3
    with pytest.raises(TableError, match="'x' is not a number"):
        read_table(path, types={"s": "number"})
    nested = tmp_path / "nested.parquet"
    pq.write_table(pa.table({"l": [[1], [2]]}), nested)
    with pytest.raises(TableError, match="column 'l' has the type list"):
        read_table(nested)


# ------------------------------------------------------------------------------------ to learn from


@pytest.mark.parametrize("place", ["name", "cell"])
def test_parquet_whose_texts_are_none(tmp_path: Path, place: str) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    pa = pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"name": ["cell"] * 3}), path, compression="none")
    path.write_bytes(path.read_bytes().replace(place.encode(), b"\xe8" + place[1:].encode()))
    with pytest.raises(TableError, match="is a broken Parquet file"):
        read_table(path)


def test_estimators_take_the_table_as_a_frame(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    n = 200
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n).round(3),
            "c": rng.choice(["u", "v", "w"], n),
            "d": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 99, n), "D"),
            "big": rng.integers(2**60, 2**60 + 50, n),
        }
    )
    frame.loc[3, "x"] = None
    frame.loc[5, "c"] = None
    y = np.where((frame["x"].fillna(0) > 0) ^ (frame["c"] == "u"), "yes", "no")
    path = tmp_path / "t.csv"
    frame.assign(y=y).to_csv(path, index=False)
    X, labels = read_table(path).split("y")
    assert labels.tolist() == y.tolist()
    for kind in (wl.AdaBoostClassifier, wl.GradientBoostingClassifier):
        ours = kind(n_estimators=10).fit(X, labels)
        theirs = kind(n_estimators=10).fit(frame, y)
        assert (ours.decision_function(X) == theirs.decision_function(frame)).all()
    few = ["x", "c", "big"]
    again = wl.AdaBoostClassifier(n_estimators=5).fit(X[few], labels)
    theirs_too = wl.AdaBoostClassifier(n_estimators=5).fit(frame[few], labels)
    assert again.fingerprint() == theirs_too.fingerprint()
    part = X[np.arange(10)]
    assert (ours.predict(part) == theirs.predict(frame[:10])).all()
    with pytest.raises(ValueError, match="yet now missing"):
        ours.predict(X.drop(["x"]))


def test_the_table_itself(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "a,b,c\n1,x,5\n2,,6.5\n3,y,7\n"))
    assert (len(table), table.shape, list(table)) == (3, (3, 3), ["a", "b", "c"])
    assert table[["c", "a"]].names == ("c", "a")
    assert table[table["a"] > 1].shape == (2, 3)
    assert table[1:].take([0])["b"].tolist() == [None]
    assert table[:, [0, 2]].names == ("a", "c")
    assert table[:, 0].tolist() == table["a"].tolist()
    assert table[1:, -1].tolist() == table["c"].tolist()[1:]
    assert table.to_frame().isna().sum().tolist() == [0, 1, 0]
    assert table.labels("a").dtype == np.int64
    assert table.labels("c").dtype == np.float64
    assert set(table.to_dict()) == {"a", "b", "c"}
    with pytest.raises(ValueError, match="missing in 1 of 3 rows"):
        table.split("b")
    with pytest.raises(KeyError, match="no column 'd'"):
        table["d"]


@pytest.mark.parametrize("text", ["", "1,2\n", '1,2"3\n', "1,2\n" * 300_000 + "3\n"])
def test_no_thread_keeps_a_file_that_was_read(text: str, tmp_path: Path) -> None:
    """One that still did at the end of the process would abort it."""
    path = tmp_path / "t.csv"
    path.write_text("a,b\n" + text)
    with suppress(ValueError):
        read_table(path)
    assert not [kept for kept in gc.get_objects() if type(kept) is arrow_reader._Watched]


def test_parts_of_small_and_large_integers_are_joined_exactly() -> None:
    large = DataColumn("x", "integer", np.array([2**60 + 1, None], object))
    small = joined([DataColumn("x", "number", np.array([1.0, np.nan])), large])
    assert small.kind == "integer"
    assert small.values.tolist() == [1, None, 2**60 + 1, None]
    fraction = joined([DataColumn("x", "number", np.array([0.5])), large])
    assert fraction.kind == "number"
    np.testing.assert_array_equal(fraction.values, [0.5, 2.0**60, np.nan])


@pytest.mark.parametrize("pack", [gzip.open, bz2.open, lzma.open])
def test_packed_files_are_closed(tmp_path: Path, pack: Any) -> None:
    path = tmp_path / "t.csv.packed"
    with pack(path, "wt") as file:
        file.write("x,y\n1,a\n2,b\n")
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert len(read_table(path)) == 2
        gc.collect()
    assert [each for each in found if issubclass(each.category, ResourceWarning)] == []


def test_one_text_stands_for_itself(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("Alter,k\n3,k\nk.A.,A\n")
    for missing in ("k.A.", ["k.A."]):
        table = read_table(path, missing=missing)
        assert table["Alter"].tolist() == pytest.approx([3, np.nan], nan_ok=True)
        assert table["k"].tolist() == ["k", "A"]
    assert table.drop("Alter").names == ("k",)
    assert table.select("Alter").names == ("Alter",)
