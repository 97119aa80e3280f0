"""Three tables of the UCI archive, as the founding texts use them, and their download."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

import numpy as np
from numpy.typing import NDArray

from .cell import Codes, Words
from .data_table import DataColumn, DataTable
from .dialect import Dialect, first_record
from .reading import read_table
from .source import Source, TableError

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_SECONDS = 30.0
_PIECE = 2**16


def cache_folder(given: Place = None) -> Path:
    """The folder of downloads: as given, else WEAKLEARN_DATA, else the user's cache."""
    if given is not None:
        return Path(given)
    if os.environ.get("WEAKLEARN_DATA"):
        return Path(os.environ["WEAKLEARN_DATA"])
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "weaklearn"


def download(address: str, place: Path, most_bytes: int) -> None:
    """Downloads an address to a path, which appears only when it is complete."""
    _check_address(address)
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = place.with_name(f".{place.name}-{secrets.token_hex(6)}.tmp")
    request = Request(address, headers={"User-Agent": "weaklearn"})
    try:
        with (
            build_opener(_Redirects()).open(request, timeout=_SECONDS) as answer,
            open(temporary, "xb") as file,
        ):
            left = most_bytes
            while piece := answer.read(_PIECE):
                left -= len(piece)
                if left < 0:
                    raise OSError(f"{address} gives more than {most_bytes:,} bytes.")
                file.write(piece)
        os.replace(temporary, place)
    except URLError as error:
        raise OSError(
            f"{address} could not be fetched ({error.reason}); download it by other means, and "
            "pass its place as path=."
        ) from None
    finally:
        temporary.unlink(missing_ok=True)


def _check_address(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise OSError(f"{address} is not fetched: only https is.")


class _Redirects(HTTPRedirectHandler):
    """Follows redirects to https addresses only."""

    def redirect_request(self, *arguments: object) -> Request | None:
        found: Request | None = super().redirect_request(*arguments)  # type: ignore[arg-type]
        if found is not None:
            _check_address(found.full_url)
        return found


_ARCHIVE = "https://archive.ics.uci.edu/ml/machine-learning-databases/"
_MOST_BYTES = 10_000_000
Place = str | os.PathLike[str] | None  # of a file or folder
Fetched = tuple[DataTable, NDArray[Any]]  # X and y


@dataclass(frozen=True)
class Recipe:
    """A table of the archive: its address, its column names, and the meaning of its codes.

    ``sha256`` is that of the table as it is given out (``content_hash``), not of a file: copies
    differ in how they spell numbers, and must not differ in what they say.
    """

    name: str
    address: str
    columns: tuple[str, ...]  # in the order of the archive's file
    n_rows: int
    sha256: str
    meanings: Mapping[str, Mapping[int, str]] = field(default_factory=dict)

    target = "target"  # the column of y


_YES = {0: "no", 1: "yes"}
HEART = Recipe(
    "heart",
    _ARCHIVE + "heart-disease/processed.cleveland.data",
    (
        *("age", "sex", "cp", "trestbps", "chol", "fbs", "restecg", "thalach", "exang", "oldpeak"),
        *("slope", "ca", "thal", "target"),
    ),
    303,
    "a7ba6448b3022a341c460fe0521f30af4fc0e02e6e979f2505bb51509d29d9f6",
    {
        "sex": {0: "female", 1: "male"},
        "cp": {1: "typical_angina", 2: "atypical_angina", 3: "non_anginal_pain", 4: "asymptomatic"},
        "fbs": _YES,
        "restecg": {0: "normal", 1: "st_t_abnormality", 2: "left_ventricular_hypertrophy"},
        "exang": _YES,
        "slope": {1: "upsloping", 2: "flat", 3: "downsloping"},
        "thal": {3: "normal", 6: "fixed", 7: "reversable"},
        "target": {0: "healthy", 1: "sick", 2: "sick", 3: "sick", 4: "sick"},
    },
)
LETTERS = Recipe(
    "letters",
    _ARCHIVE + "letter-recognition/letter-recognition.data",
    (
        *("target", "x_box", "y_box", "width", "high", "onpix", "x_bar", "y_bar", "x2bar", "y2bar"),
        *("xybar", "x2ybr", "xy2br", "x_ege", "xegvy", "y_ege", "yegvx"),
    ),
    20_000,
    "26d12136dfc0dc4fb4b07c976e3f9af23f0ca4d638b4ab0b3ecf030e552c441d",
)
_WORDS = (
    "make address all 3d our over remove internet order mail receive will people report addresses "
    "free business email you credit your font 000 money hp hpl george 650 lab labs telnet 857 data "
    "415 85 technology 1999 parts pm direct cs meeting original project re edu table conference"
)
SPAMBASE = Recipe(
    "spambase",
    _ARCHIVE + "spambase/spambase.data",
    (
        *(f"word_freq_{word}" for word in _WORDS.split()),
        *(f"char_freq_{c}" for c in ["semicolon", "paren", "bracket", "exclaim", "dollar", "hash"]),
        *(f"capital_run_length_{kind}" for kind in ("average", "longest", "total")),
        "target",
    ),
    4601,
    "05a59b1e7b4754ff48e30eac10e661fbea6298315dc14ad17e0fcb11dfad02ac",
    {"target": {0: "nonspam", 1: "spam"}},
)


def fetch_heart(path: Place = None, *, cache: Place = None, verify: bool = True) -> Fetched:
    """The 303 patients of the Cleveland heart-disease study: X, and "healthy" or "sick".

    Downloaded once from the UCI archive (CC BY 4.0; A. Janosi, W. Steinbrunn, M. Pfisterer and R.
    Detrano, 1988) into ``cache``, by default the folder of WEAKLEARN_DATA or ~/.cache/weaklearn; or
    read from a copy at ``path``, in the archive's form or with a header and words for codes. What
    is given out is checked, cell by cell, by a SHA-256 unless ``verify`` is False.
    """
    return _fetched(HEART, path, cache, verify)


def fetch_letters(path: Place = None, *, cache: Place = None, verify: bool = True) -> Fetched:
    """The 20,000 letters of D. J. Slate (1991): sixteen numbers per picture, and a letter.

    By custom the first 16,000 rows are for training. The source is that of
    ``fetch_heart``.
    """
    return _fetched(LETTERS, path, cache, verify)


def fetch_spambase(path: Place = None, *, cache: Place = None, verify: bool = True) -> Fetched:
    """4,601 letters of electronic mail by the frequencies of their words: "spam" or "nonspam".

    By M. Hopkins, E. Reeber, G. Forman and J. Suermondt (1999). The source is that of
    ``fetch_heart``.
    """
    return _fetched(SPAMBASE, path, cache, verify)


def _fetched(recipe: Recipe, path: Any, cache: Any, verify: bool) -> Fetched:
    if path is None:
        place = cache_folder(cache) / recipe.address.rpartition("/")[2]
        if not place.exists():
            download(recipe.address, place, _MOST_BYTES)
        remedy = f"delete {place} and fetch it again"
    else:
        place, remedy = path, "pass another copy, or verify=False to take it as it is"
    table = _read(recipe, place)
    found = content_hash(table)
    if verify and (len(table) != recipe.n_rows or found != recipe.sha256):
        raise TableError(
            f"{os.fspath(place)} is not the table {recipe.name!r} of the UCI archive: it has "
            f"{len(table):,} rows of {recipe.n_rows:,}, and the SHA-256 of its cells is "
            f"{found[:16]}..., not {recipe.sha256[:16]}...; {remedy}"
        )
    return table.split(recipe.target)


def _read(recipe: Recipe, place: Any) -> DataTable:
    """The table of a file in the archive's form, or with a header and names for codes."""
    first = {cell.strip() for cell in first_record(Dialect(), Source(place))}
    if first == set(recipe.columns):
        table = read_table(place)
    else:
        table = _decoded(recipe, read_table(place, header=False))
    features = [name for name in recipe.columns if name != recipe.target]
    return table.select([*features, recipe.target])


def _decoded(recipe: Recipe, raw: DataTable) -> DataTable:
    if len(raw.names) != len(recipe.columns):
        raise TableError(
            f"the table {recipe.name!r} has {len(recipe.columns)} columns, and this file has "
            f"{len(raw.names)}"
        )
    columns = []
    for name, given in zip(recipe.columns, raw.names, strict=True):
        column = raw.column(given)
        meanings = recipe.meanings.get(name)
        if meanings is None:
            columns.append(DataColumn(name, column.kind, column.values, column.labels, column.tz))
        else:
            columns.append(_meant(name, column, meanings))
    return DataTable(columns)


def _meant(name: str, column: DataColumn, meanings: Mapping[int, str]) -> DataColumn:
    texts = [
        "" if value != value else meanings.get(int(value), str(value))
        for value in np.asarray(column.values, float).tolist()
    ]
    codes = Codes(Words())
    values = codes.of(texts)
    return DataColumn(name, "category", values, codes.labels)


def content_hash(table: DataTable) -> str:
    """SHA-256 of the column names and the values, these as texts or shortest decimals."""
    digest = hashlib.sha256("\t".join(table.names).encode())
    columns = [_spelt(table.column(name)) for name in table.names]
    for row in zip(*columns, strict=True):
        digest.update(b"\n" + "\t".join(row).encode())
    return digest.hexdigest()


def _spelt(column: DataColumn) -> list[str]:
    gaps = column.missing.tolist()
    return ["" if gone else str(v) for v, gone in zip(column.array.tolist(), gaps, strict=True)]
