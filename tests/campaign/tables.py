"""Tables as CSV and Parquet, sound ones and broken ones, and what reading them must come to."""

from __future__ import annotations

import bz2
import contextlib
import datetime
import gzip
import io
import lzma
import random
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.campaign.telling import is_ours
from tests.files.forge import mutated
from weaklearn import cli
from weaklearn.cli import fault
from weaklearn.datasets import read_chunks, read_table
from weaklearn.datasets.source import TableError

ODD = (
    *("", " ", "?", "NA", "nan", "inf", "-inf", "1e999", "-0", "1e-320", "0x10", "1_000", "١٢"),
    *("3,14", "1,000", "00501", "9007199254740993", "123456789012345678901234567890", "+5", ".5."),
    *("2024-02-29", "2023-02-29", "29.02.2024", "03/04/2024", "2024-02-29T13:45:00Z", "0000-01-01"),
    *("99999-01-01", "2024-02-29 25:00", "true", "TRUE", "ja", "=cmd()", "é", "\ufeff", "\u2028"),
    *(
        '"',
        '""',
        '"a',
        'a"b',
        "'",
        "\\",
        "\\N",
        "#N/A",
        "<b>",
        "a\nb",
        "a\r",
        "\x0b",
        "\x1c",
        "\x85",
    ),
)
_ENCODINGS = (*["utf-8"] * 9, "utf-8-sig", "utf-16", "latin-1", "cp1252", "utf-32")
_DELIMITERS = (",", ",", ";", "\t", "|")


# -------------------------------------------------------------------------------------------- CSV


def _column(rng: random.Random, n: int) -> list[str]:
    """Cells of one kind, as they stand in files."""
    day = datetime.date(2024, 1, 1)
    kinds: list[Callable[[int], str]] = [
        lambda k: str(rng.randrange(-50, 50)),
        lambda k: repr(rng.gauss(0, 1e3)),
        lambda k: rng.choice(["none", "mild", "severe", "strange, but true"]),
        lambda k: str(day + datetime.timedelta(rng.randrange(900))),
        lambda k: str(2**60 + rng.randrange(5)),
        lambda k: f"{rng.randrange(100)},{rng.randrange(100):02}",
        lambda k: "",
        lambda k: rng.choice(ODD),
    ]
    kind = rng.choice(kinds[: rng.choice([4, 4, 4, 8])])
    gaps = rng.choice([0.0, 0.0, 0.2])
    return ["" if rng.random() < gaps else kind(k) for k in range(n)]


def _quoted(rng: random.Random, cell: str, delimiter: str) -> str:
    if rng.random() < 0.02:
        return cell  # whatever it holds
    if any(c in cell for c in f'"\r\n{delimiter}') or rng.random() < 0.05:
        return '"' + cell.replace('"', '""') + '"'
    return cell


def _text(rng: random.Random, target: bool = False) -> str:
    """A table of lines with a few faults, or none."""
    n, d = rng.choice([0, 1, 5, 30, 30, 30, 120]), rng.choice([1, 2, 3, 6])
    columns = [_column(rng, n) for _ in range(d)]
    names = [rng.choice(["a", "b", "c d", "é", "", "1", *ODD]) if rng.random() < 0.03 else f"x{j}"
             for j in range(d)]  # fmt: skip
    if target:
        names.append("y")
        columns.append([rng.choice(["yes", "no"]) for _ in range(n)])
    rows = [list(row) for row in zip(*columns)]
    for _ in range(rng.choice([0, 0, 1, 3])):
        if rows:
            row = rng.choice(rows)
            row[rng.randrange(len(row))] = rng.choice([*ODD, "x" * rng.choice([100, 140_000])])
    if rows and rng.random() < 0.05:
        rng.choice(rows).append("1")
    if rows and rng.random() < 0.05:
        rng.choice(rows).pop()
    delimiter, end = rng.choice(_DELIMITERS), rng.choice(["\n", "\n", "\r\n", "\r"])
    lines = [delimiter.join(_quoted(rng, c, delimiter) for c in row) for row in [names, *rows]]
    if rng.random() < 0.05:
        lines.insert(rng.randrange(len(lines) + 1), rng.choice(["", " ", "sep=;", "#", ";;;", '"']))
    return end.join(lines) + rng.choice([end, ""])


def csv(rng: random.Random, target: bool = False) -> bytes:
    """The bytes of a CSV file: encoded, perhaps packed, perhaps damaged before or after that."""
    if rng.random() < 0.02:
        return rng.randbytes(rng.randrange(2000))
    data = _text(rng, target).encode(rng.choice(_ENCODINGS), "replace")
    if rng.random() < 0.3:
        data = mutated(rng, data)
    if rng.random() < 0.2:
        pack: Callable[[bytes], bytes] = rng.choice([gzip.compress, bz2.compress, lzma.compress])
        data = pack(data)
        if rng.random() < 0.4:
            data = mutated(rng, data)
    return data[: rng.randrange(len(data) + 1)] if rng.random() < 0.05 else data


def _words(rng: random.Random) -> dict[str, Any]:
    """Arguments of reading, most often none."""
    choices: dict[str, tuple[Any, ...]] = {
        "delimiter": (";", "tab", " "),
        "decimal": (",",),
        "header": (False,),
        "encoding": ("latin-1", "utf-16", "cp1252", "utf-8", "utf-32", "shift_jis"),
        "strip": (False,),
        "dates": ("dmy", "mdy"),
        "missing": (("none",), ("",)),
    }
    return {name: rng.choice(values) for name, values in choices.items() if rng.random() < 0.07}


def _broken_below(*errors: Any) -> bool:
    """Whether both readers refuse a file whose bytes are broken behind the first bad line: one may
    name the line, the other the bytes."""
    bytes_too = any(
        "packed file that is broken" in str(e) or "is no text" in str(e) for e in errors
    )
    return bytes_too and all(isinstance(error, str) for error in errors)


def _read(path: Path, **words: Any) -> Any:
    """The columns of a table by name, or the error as a text."""
    try:
        table = read_table(path, **words)
    except TableError as error:
        return str(error)
    return {name: _plain(table.column(name)) for name in table.names}


def _plain(column: Any) -> tuple[Any, ...]:
    """A column as something that can be compared."""
    values = np.asarray(column.array)
    if values.dtype.kind == "f":
        assert not np.isinf(values).any(), "infinite numbers"
        return column.kind, values.tobytes()
    return column.kind, repr(values.tolist())


def read_csv(rng: random.Random, data: bytes, folder: Path) -> str:
    """Reads a file; both readers, and the pieces where they are one, must agree."""
    path = folder / "t.csv"
    path.write_bytes(data)
    words = _words(rng)
    found = _read(path, **words)
    if rng.random() < 0.5:
        slow = _read(path, fast=False, **words)
        assert slow == found or _broken_below(slow, found), (
            f"two readers differ with {words}: {slow!s:.300} and {found!s:.300}"
        )
    if rng.random() < 0.3:
        with contextlib.suppress(TableError):
            pieces = list(read_chunks(path, **words))
            assert isinstance(found, dict), f"pieces are read, the whole is not: {found}"
            assert pieces[0].names == tuple(found)
    return "refused" if isinstance(found, str) else "answered"


# ---------------------------------------------------------------------------------------- Parquet

_VERSIONS: tuple[dict[str, Any], ...] = (
    {"version": "2.6"},
    {"version": "1.0", "coerce_timestamps": "us", "allow_truncated_timestamps": True},
)


def _arrow_types() -> list[Any]:
    import pyarrow as pa

    return [
        *(pa.float64(), pa.float32(), pa.float16(), pa.int64(), pa.int8(), pa.uint64(), pa.bool_()),
        *(pa.string(), pa.large_string(), pa.date32(), pa.date64(), pa.timestamp("ns")),
        *(pa.timestamp("s"), pa.timestamp("us", "UTC"), pa.timestamp("ms", "Europe/Berlin")),
        *(pa.decimal128(20, 3), pa.null(), pa.dictionary(pa.int32(), pa.string())),
        # Behind these, what is neither numbers, text nor dates.
        *(pa.decimal256(60, 10), pa.binary(), pa.time32("s"), pa.duration("s")),
        *(pa.list_(pa.int64()), pa.struct([("u", pa.int8())])),
    ]


def _values(rng: random.Random, kind: Any, n: int) -> list[Any]:
    """So many values of an Arrow type, missing ones among them; odd ones now and then."""
    import pyarrow as pa

    wild = rng.random() < 0.2

    def one() -> Any:
        if pa.types.is_null(kind) or rng.random() < 0.1:
            return None
        if pa.types.is_boolean(kind):
            return rng.random() < 0.5
        if pa.types.is_floating(kind):
            return rng.choice([float("inf"), float("nan"), -0.0]) if wild else rng.gauss(0, 9)
        if pa.types.is_decimal(kind):
            return rng.randrange(10**6)
        if pa.types.is_integer(kind):
            wide = 2 ** (kind.bit_width - 1)
            return rng.randrange(wide - 9, wide) if wild else rng.randrange(100)
        if pa.types.is_temporal(kind):
            return rng.randrange(-(2**31), 2**31) if wild else rng.randrange(10**4)
        if pa.types.is_binary(kind):
            return rng.randbytes(3)
        if pa.types.is_list(kind):
            return [rng.randrange(5)]
        if pa.types.is_struct(kind):
            return {"u": 1}
        return rng.choice([*ODD, "plain"] if wild else ["red", "blue", "green"])

    return [one() for _ in range(n)]


def _array(rng: random.Random, kind: Any, n: int) -> Any:
    import pyarrow as pa

    values = _values(rng, kind, n)
    if pa.types.is_temporal(kind):
        if pa.types.is_date64(kind):
            values = [None if v is None else v * 86_400_000 for v in values]
        wide = pa.int32() if kind.bit_width == 32 else pa.int64()
        if pa.types.is_time(kind):
            values = [None if v is None else v % 86_400 for v in values]
        return pa.array(values, wide).cast(kind)
    if pa.types.is_dictionary(kind):
        return pa.array(values, pa.string()).dictionary_encode()
    return pa.array(values, kind)


def parquet(rng: random.Random) -> bytes:
    """The bytes of a Parquet file of any types, sound or damaged, most often in its directory."""
    import pyarrow as pa
    from pyarrow import parquet as pq

    n, types = rng.choice([0, *[1, 3, 40] * 5]), _arrow_types()
    chosen = [
        rng.choice(types[: rng.choice([18, 18, 18, 99])]) for _ in range(rng.choice([1, 2, 4]))
    ]
    names = [rng.choice(["a", "a", *ODD]) if rng.random() < 0.05 else f"x{j}"
             for j in range(len(chosen))]  # fmt: skip
    table = pa.table([_array(rng, kind, n) for kind in chosen], names=names)
    out = io.BytesIO()
    pq.write_table(
        table,
        out,
        compression=rng.choice(["none", "none", "snappy", "gzip", "zstd"]),
        row_group_size=rng.choice([None, 2]),
        use_dictionary=rng.random() < 0.5,
        write_page_checksum=rng.random() < 0.2,
        **rng.choice(_VERSIONS),
    )
    data = out.getvalue()
    if rng.random() < 0.5:
        end = int.from_bytes(data[-8:-4], "little") + 8  # the directory, its length and the mark
        body, directory = data[:-end], data[-end:-8]
        if rng.random() < 0.3:
            body = mutated(rng, body)
        else:
            directory = mutated(rng, directory)
        data = body + directory + len(directory).to_bytes(4, "little") + b"PAR1"
    return mutated(rng, data) if rng.random() < 0.1 else data


def read_parquet(rng: random.Random, data: bytes, folder: Path) -> str:
    """Reads a Parquet file as a whole, or only its first columns."""
    path = folder / "t.parquet"
    path.write_bytes(data)
    words: dict[str, Any] = {"dates": "dmy"} if rng.random() < 0.1 else {}
    try:
        table = read_table(path, **words)
    except TableError:
        return "refused"
    if rng.random() < 0.3:
        name = rng.choice(table.names)
        with contextlib.suppress(TableError):
            read_table(path, columns=[name], types={name: rng.choice(["number", "date"])})
        again = read_table(path, columns=[name], types={name: "category"})
        assert len(again) == len(table)
    for name in table.names:
        _plain(table.column(name))
    return "answered"


# ------------------------------------------------------------------------------ the command line


def table_of_any_kind(rng: random.Random) -> bytes:
    return parquet(rng) if rng.random() < 0.2 else csv(rng, target=rng.random() < 0.9)


def fit_from_command_line(rng: random.Random, data: bytes, folder: Path) -> str:
    """Fits on a file, or draws a replay of it: status 0, or one line about the file."""
    path = folder / "t.csv"
    path.write_bytes(data)
    given = ["fit", str(path), "--target", "y", "--cv", "0", "--rounds", "1", "--json"]
    if rng.random() < 0.1:
        given = ["lab", "--export", str(folder / "run.html"), "--data", str(path), "--rounds", "2"]
    elif rng.random() < 0.3:
        given += rng.choice([["--model", "tree"], ["--model", "gradient"], ["--test", "0.3"]])
    errors: list[BaseException] = []
    told = fault.sentence_and_status

    def noted(error: BaseException) -> tuple[str, int]:
        errors.append(error)
        return told(error)

    out, err = io.StringIO(), io.StringIO()
    fault.sentence_and_status = noted
    try:
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            status = cli.main(given)
    finally:
        fault.sentence_and_status = told
    for error in errors:
        if not isinstance(error, (fault.Fault, ValueError)) or not is_ours(error):
            raise error
    assert status == (2 if errors else 0) or any(getattr(e, "status", 0) == 1 for e in errors), (
        f"{given} ended with {status}: {err.getvalue()[-300:]}"
    )
    assert "Traceback" not in err.getvalue()
    return "answered" if status == 0 else "refused"
