"""The encoding that a model keeps from its fit, and files in another."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from weaklearn import AdaBoostClassifier, load
from weaklearn.production.provenance import name_target

from .calling import call, refused

ROWS = [
    (k % 7, ("Köln", "Görlitz", "Bonn")[k % 3], "ja" if k % 3 == 1 else "nein") for k in range(60)
]
TEXT = "alter;größe;kündigt\n" + "".join(f"{k};{city};{y}\n" for k, city, y in ROWS)
REMARK = "is read as UTF-8, which it is, and not as {}, the encoding that the model was fitted with"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kept")
    path = folder / "t.csv"
    path.write_bytes(TEXT.encode("cp1252"))
    fit = ("fit", path, "--target=kündigt", "--cv=0", "--rounds=3", "--encoding=cp1252")
    assert call(*fit, "-o", folder / "m.weak").status == 0
    return folder / "m.weak"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_file_in_utf8_is_read_so_whatever_the_model_kept(
    model: Path, encoding: str, tmp_path: Path
) -> None:
    path, right = tmp_path / "u.csv", model.parent / "t.csv"
    path.write_bytes(TEXT.encode(encoding))
    for command in ("predict", "verify", "check", "explain"):
        found = call(command, model, path)
        assert found.status == 0, found
        assert found.err.count(REMARK.format("cp1252")) == 1
    found = call("predict", model, path, "--probabilities")
    assert found.out == call("predict", model, right, "--probabilities").out


def test_a_mark_shows_utf8_though_all_letters_are_ascii(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.encode("cp1252").decode("ascii", "ignore").encode())
    assert "no column 'größe'" in refused_after_remark(model, path)


def refused_after_remark(model: Path, path: Path) -> str:
    found = call("predict", model, path)
    assert found.status == 2
    remark, fault = found.err.strip().splitlines()
    assert REMARK.format("cp1252") in remark
    return fault


def test_an_encoding_that_was_asked_for_is_used(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "u.csv"
    path.write_bytes(TEXT.encode())
    said = refused("predict", model, path, "--encoding=cp1252")
    assert "no column 'größe'" in said
    assert "like the rows of training" not in said


def test_a_lacking_column_names_the_encoding_that_was_kept(model: Path, tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_bytes(TEXT.encode("mac-roman"))
    said = refused("predict", model, path)
    assert "It is read as cp1252 like the rows of training; name another encoding with" in said


def german(path: Path, delimiter: str = ";") -> Path:
    """A table with decimal commas, points between thousands and days before months."""
    lines = ["betrag;wert;tag;art"]
    for k in range(60):
        amount = f"{k % 3 + 1}.{k:03d},5"
        lines.append(
            f"{amount};{k % 7},25;{k % 27 + 1:02d}.03.2024;{'ja' if k % 7 > 3 else 'nein'}"
        )
    path.write_text("\n".join(lines).replace(";", delimiter) + "\n", "cp1252")
    return path


@pytest.mark.parametrize("delimiter", [";", "tab"])
def test_predictions_are_read_back_as_the_table_was(tmp_path: Path, delimiter: str) -> None:
    path = german(tmp_path / "t.csv", "\t" if delimiter == "tab" else delimiter)
    given = ("--decimal=,", "--thousands=.", "--dates=dmy", "--encoding=cp1252")
    named = () if delimiter == ";" else (f"--delimiter={delimiter}",)
    fit = ("fit", path, "--target=art", "--cv=0", "--rounds=5", *given, *named)
    model, out, again = tmp_path / "m.weak", tmp_path / "p.csv", tmp_path / "q.csv"
    assert call(*fit, "-o", model).status == 0
    keep = [f"--keep={name}" for name in ("betrag", "wert", "tag", "art")]
    assert call("predict", model, path, *keep, "-p", "-o", out).status == 0
    assert "," in out.read_text().splitlines()[1].split("\t" if named else ";")[-1]
    found = call("predict", model, out, "-p", "-o", again)
    assert (found.status, "training never saw" in found.err) == (0, False)
    last = [line.split("\t" if named else ";")[-3:] for line in out.read_text().splitlines()]
    assert [line.split("\t" if named else ";") for line in again.read_text().splitlines()] == last
    parts = tmp_path / "c.csv"
    assert call("explain", model, path, "-o", parts).status == 0
    assert parts.read_text().splitlines()[1].count(",") >= 2


@pytest.mark.parametrize(
    "options",
    [
        ("--test=0.25",),
        ("--threshold=recall=0.9", "--hold-out=0.3"),
        ("--test=0.2", "--threshold=f1", "--seed=5", "--set=early_stopping=true"),
    ],
)
def test_rows_held_out_are_held_out_again(tmp_path: Path, options: tuple[str, ...]) -> None:
    path, model = german(tmp_path / "t.csv"), tmp_path / "m.weak"
    fit = ("fit", path, "--target=art", "--cv=0", "--rounds=5", "--decimal=,", "--thousands=.")
    assert call(*fit, *options, "-o", model).status == 0
    found = call("verify", model, path)
    assert (found.status, found.out.split(":")[0]) == (0, "same")
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n")
    found = call("verify", model, path)
    assert found.status == 1
    assert "held out rows by their places in its file" in found.err
    odd = load(model)
    name_target(odd, "art", '{"decimal": ",", "thousands": ".", "held_out": {"test": 2}}')
    odd.save(model)
    assert "which rows it left" in refused("verify", model, path)
    assert call("predict", model, path).status == 0


def test_a_model_that_other_rows_judged_is_verified_in_python(tmp_path: Path) -> None:
    path, model = tmp_path / "t.csv", tmp_path / "m.weak"
    path.write_text("x,y\n" + "".join(f"{k},{k % 3 % 2}\n" for k in range(60)))
    table = pd.read_csv(path)
    given = {"X_val": table[["x"]][:20], "y_val": table["y"][:20]}
    AdaBoostClassifier(n_estimators=5).fit(table[["x"]], table["y"], **given).save(model)
    found = call("verify", model, path, "--target=y")
    assert found.status == 1
    assert "verify it in Python, by weaklearn.verify with X_val and y_val" in found.out
