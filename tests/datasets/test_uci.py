"""Tables of the archive: fetched once, checked, or read from a copy."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from weaklearn.datasets import TableError, fetch_heart, uci
from weaklearn.datasets.uci import cache_folder, download

# Three patients in the archive's form, made up.
ARCHIVE = (
    "63.0,1.0,1.0,145.0,233.0,1.0,2.0,150.0,0.0,2.3,3.0,0.0,6.0,0\n"
    "67.0,0.0,4.0,160.0,286.0,0.0,0.0,108.0,1.0,1.5,2.0,?,3.0,2\n"
    "41.0,0.0,2.0,130.0,204.0,0.0,1.0,172.0,0.0,1.4,1.0,0.0,?,1\n"
)
NAMED = (
    "age,sex,cp,trestbps,chol,fbs,restecg,thalach,exang,oldpeak,slope,ca,thal,target\n"
    "63,male,typical_angina,145,233,yes,left_ventricular_hypertrophy,150,no,2.3,downsloping,0,"
    "fixed,healthy\n"
    "67,female,asymptomatic,160,286,no,normal,108,yes,1.5,flat,,normal,sick\n"
    "41,female,atypical_angina,130,204,no,st_t_abnormality,172,no,1.4,upsloping,0,,sick\n"
)


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> uci.Recipe:
    """The recipe of the heart table, for three rows."""
    path = tmp_path / "known.csv"
    path.write_text(NAMED)
    known = uci.content_hash(uci._read(uci.HEART, path))
    small = dataclasses.replace(uci.HEART, n_rows=3, sha256=known)
    monkeypatch.setattr(uci, "HEART", small)
    return small


def test_both_forms_of_a_copy_are_one_table(tmp_path: Path, recipe: uci.Recipe) -> None:
    for text in (ARCHIVE, NAMED):
        path = tmp_path / "copy.data"
        path.write_text(text)
        X, y = fetch_heart(path)
        assert X.shape == (3, 13)
        assert y.tolist() == ["healthy", "sick", "sick"]
        assert X["cp"].tolist() == ["typical_angina", "asymptomatic", "atypical_angina"]
        assert X.column("ca").missing.tolist() == [False, True, False]


def test_another_table_is_refused(tmp_path: Path, recipe: uci.Recipe) -> None:
    path = tmp_path / "copy.data"
    path.write_text(ARCHIVE.replace("145.0", "146.0"))
    with pytest.raises(TableError, match=r"is not the table 'heart'.*verify=False"):
        fetch_heart(path)
    assert fetch_heart(path, verify=False)[0]["trestbps"][0] == 146
    path.write_text("1,2,3\n")
    with pytest.raises(TableError, match="has 14 columns, and this file has 3"):
        fetch_heart(path)


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine, and the paths that it was asked for."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            if self.path == "/away":
                self.send_response(302)
                self.send_header("Location", "http://example.invalid/x")
                self.end_headers()
                return
            self.send_response(200 if self.path == "/heart.data" else 404)
            self.end_headers()
            self.wfile.write(ARCHIVE.encode())

        def log_message(self, *_: Any) -> None:
            return

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http.server_port}", asked
    http.shutdown()
    http.server_close()


def test_a_download_is_kept(
    tmp_path: Path,
    recipe: uci.Recipe,
    server: tuple[str, list[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, asked = server
    here = dataclasses.replace(recipe, address=f"{address}/heart.data")
    monkeypatch.setattr(uci, "HEART", here)
    for _ in range(2):
        assert len(fetch_heart(cache=tmp_path / "cache")[1]) == 3
    assert asked == ["/heart.data"]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["heart.data"]
    (tmp_path / "cache" / "heart.data").write_text("tampered,with\n")
    with pytest.raises(TableError, match="has 14 columns"):
        fetch_heart(cache=tmp_path / "cache")


def test_downloads_within_limits(tmp_path: Path, server: tuple[str, list[str]]) -> None:
    address, _ = server
    place = tmp_path / "file"
    with pytest.raises(OSError, match="more than 10 bytes"):
        download(f"{address}/heart.data", place, 10)
    with pytest.raises(OSError, match=r"could not be fetched.*path="):
        download(f"{address}/none", place, 1000)
    with pytest.raises(OSError, match="only https is"):
        download(f"{address}/away", place, 1000)
    for elsewhere in ("http://example.org/x", "file:///etc/hostname", "ftp://example.org/x"):
        with pytest.raises(OSError, match="only https is"):
            download(elsewhere, place, 1000)
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_downloads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder(tmp_path) == tmp_path
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path / "data"))
    assert cache_folder() == tmp_path / "data"
    monkeypatch.delenv("WEAKLEARN_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "weaklearn"


@pytest.mark.parametrize("recipe", [uci.HEART, uci.LETTERS, uci.SPAMBASE])
def test_recipes(recipe: uci.Recipe) -> None:
    assert recipe.address.startswith("https://archive.ics.uci.edu/")
    assert len(set(recipe.columns)) == len(recipe.columns)
    assert recipe.target in recipe.columns
    assert len(recipe.sha256) == 64
    assert set(recipe.meanings) <= set(recipe.columns)
