"""What people hand to a command line by mistake: one line, the right status, nothing spoilt."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from tests.cli.calling import PYTHON, call, patients, refused, standard_input_of, start
from tests.small_disk import small_disk
from weaklearn.datasets import source as source_room


def table(folder: Path, text: str | bytes) -> Path:
    path = folder / "t.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def fit(path: Any, *more: Any, target: str = "y") -> tuple[Any, ...]:
    return ("fit", path, "--target", target, "--cv=0", "--set=n_estimators=3", *more)


def test_missing_unreadable_or_a_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "No such file" in refused(*fit(tmp_path / "none.csv"))
    assert "is a directory" in refused(*fit(tmp_path))
    assert "No such file" in refused("predict", tmp_path / "none.weak", tmp_path / "none.csv")
    assert "directory" in refused("rules", tmp_path)

    def denied(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied", "t.csv")

    path = table(tmp_path, "x,y\n1,a\n2,b\n")
    monkeypatch.setattr(source_room.Source, "raw", denied)
    assert refused(*fit(path)) == "weaklearn: t.csv: Permission denied."


@pytest.mark.parametrize("text", ["", "x,y\n", "\n\n"])
def test_no_rows(tmp_path: Path, text: str) -> None:
    assert "no rows" in refused(*fit(table(tmp_path, text)))


@pytest.mark.parametrize(("row", "found"), [("5", 1), ("5,a,7", 3)])
def test_ragged_rows(tmp_path: Path, row: str, found: int) -> None:
    said = refused(*fit(table(tmp_path, f"x,y\n1,a\n2,b\n{row}\n")))
    assert f"line 4 has {found} cells, where 2 are expected" in said


def test_text_in_a_number_column(tmp_path: Path) -> None:
    rows = "".join(f"{k},{'ab'[k % 2]}\n" for k in range(30))
    path = table(tmp_path, f"x,y\n{rows}many,a\n")
    said = refused(*fit(path))
    assert "line 32, column 'x': 'many' is not a number" in said
    assert "--categorical 'x'" in said
    assert call(*fit(path, "--categorical=x")).status == 0
    assert call(*fit(path, "--missing=many")).status == 0


def test_commas_in_numbers(tmp_path: Path) -> None:
    rows = "".join(f'"1,{k:03}",{"ab"[k % 2]}\n' for k in range(30))
    said = refused(*fit(table(tmp_path, f"x,y\n{rows}")))
    assert "'1,000' is a number with a comma, for thousands or for a fraction; leave the" in said
    said = refused(*fit(table(tmp_path, f'x,y\n"3,5",a\n{rows}')))
    assert "'3,5' is a number with a decimal comma; pass --decimal ','" in said


def test_lines_before_the_header(tmp_path: Path) -> None:
    assert "tells a spreadsheet the delimiter" in refused(
        *fit(table(tmp_path, "sep=;\nx;y\n1;a\n"))
    )
    said = refused(*fit(table(tmp_path, "x y\n1 a\n2 b\n")))
    assert said.endswith("Name the delimiter with --delimiter.")
    assert call(*fit(table(tmp_path, "x y\n1 a\n2 b\n"), "--delimiter= ")).status == 0


def test_other_encodings(tmp_path: Path) -> None:
    path = table(tmp_path, "x,y\n1,é\n2,b\n".encode("latin-1"))
    said = refused(*fit(path))
    assert "byte 6 (line 2): 0xe9 is no UTF-8; name the encoding, for example --encoding" in said
    assert call(*fit(path, "--encoding=latin-1")).status == 0
    assert "encoding='nothing'" in refused(*fit(path, "--encoding=nothing"))


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffx,y\n1,a\n2,b\n",
        "x,y\r\n1,a\r\n2,b\r\n",
        "x,y\n1,a\n2,b\n\n",
        "x,y\n1,a\n2,b",
        'x,y\n1,"a"\n2,"b"\n',
    ],
)
def test_harmless_oddities(tmp_path: Path, text: str) -> None:
    model = tmp_path / "m.weak"
    assert call(*fit(table(tmp_path, text), "-o", model)).status == 0
    assert wl.load(model).classes_.tolist() == ["a", "b"]


def test_quoted_commas_and_line_ends(tmp_path: Path) -> None:
    path = table(tmp_path, 'x,y\n"1, one","a\nb"\n"2, two",c\n')
    assert call(*fit(path, "-o", tmp_path / "m.weak")).status == 0
    assert wl.load(tmp_path / "m.weak").classes_.tolist() == ["a\nb", "c"]


@pytest.mark.parametrize("junk", [b"x,y\n1,\x00a\n", bytes(range(256)) * 9, b"\x7fELF\x02\x01" * 9])
def test_binary_junk(tmp_path: Path, junk: bytes) -> None:
    assert "weaklearn: " in refused(*fit(table(tmp_path, junk)))


def test_the_target_is_not_there(tmp_path: Path) -> None:
    path = table(tmp_path, "age,outcome\n1,a\n2,b\n")
    said = refused(*fit(path, target="outcom"))
    assert said.endswith("Did you mean 'outcome'?")
    assert "no column 'wieghts'" in refused(*fit(path, "--weights=wieghts", target="outcome"))
    gaps = table(tmp_path, "age,outcome\n1,a\n2,\n3,b\n")
    assert "is missing in 1 of 3 rows" in refused(*fit(gaps, target="outcome"))


def test_names_that_come_twice(tmp_path: Path) -> None:
    said = refused(*fit(table(tmp_path, "x,y,x\n1,a,2\n")))
    assert "duplicated column names: 'x' at 1, 3" in said


def test_enormous_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_room, "MOST_LINE", 2**20)
    assert "line of more than 1,048,576" in refused(*fit(table(tmp_path, b"x" * 2**22)))
    wide = ",".join(f"c{k}" for k in range(10**5 + 1))
    assert "100,000 are the limit" in refused(*fit(table(tmp_path, wide + "\n")))


@pytest.mark.parametrize("cell", ["nan", "NA", "", "?", "null"])
def test_cells_that_are_missing(tmp_path: Path, cell: str) -> None:
    path = table(tmp_path, f"x,y\n1,a\n{cell},b\n3,b\n")
    found = call(*fit(path))
    assert found.status == 0
    assert "x       numbers        1" in found.out


def test_cells_beyond_numbers(tmp_path: Path) -> None:
    said = refused(*fit(table(tmp_path, "x,y\n1,a\n1e999,b\n")))
    assert "line 3, column 'x': '1e999' is a number beyond those of float64" in said


# ----------------------------------------------------------------------------------- on the way out


def test_a_full_disk_leaves_the_old_model(tmp_path: Path) -> None:
    data = patients(tmp_path / "p.csv")
    model = tmp_path / "m.weak"
    assert call(*fit(data, "-o", model, target="sick")).status == 0
    before = model.read_bytes()
    with small_disk(2000):
        run = call(*fit(data, "-o", model, "--set=n_estimators=90", target="sick"))
    assert run.status == 1, run.err
    assert run.err.splitlines()[-1].endswith("m.weak: File too large.")
    assert model.read_bytes() == before
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.weak", "p.csv"]


def test_predictions_on_a_full_disk(tmp_path: Path) -> None:
    data = patients(tmp_path / "p.csv", 500)
    model, out = tmp_path / "m.weak", tmp_path / "out.csv"
    call(*fit(data, "-o", model, target="sick"))
    out.write_text("old\n")
    with small_disk(3000):
        run = call("predict", model, data, "-p", "-o", out)
    assert run.status == 1
    assert "out.csv could not be written" in run.err
    assert out.read_text() == "old\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.weak", "out.csv", "p.csv"]


def test_no_such_folder(tmp_path: Path) -> None:
    data = patients(tmp_path / "p.csv", 30)
    said = refused(*fit(data, "-o", tmp_path / "no" / "m.weak", target="sick"), status=1)
    assert "a directory that does not exist" in said
    assert "is a directory" in refused(*fit(data, "-o", tmp_path, target="sick"), status=1)


@pytest.mark.parametrize("name", ["-", ""])
def test_an_output_without_a_name(tmp_path: Path, name: str) -> None:
    data = patients(tmp_path / "p.csv", 30)
    assert "is no file name" in refused(*fit(data, "-o", name, target="sick"))
    assert "is no file name" in refused("report", tmp_path / "m.weak", data, "-o", name)


def test_a_place_that_cannot_be_written_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: Any, **__: Any) -> Any:
        raise PermissionError(13, "Permission denied", "m.weak")

    data = patients(tmp_path / "p.csv", 30)
    monkeypatch.setattr(wl.GradientBoostingClassifier, "save", denied)
    found = call(*fit(data, "-o", tmp_path / "m.weak", target="sick"))
    assert found.status == 1
    assert found.err.splitlines()[-1].endswith("m.weak: Permission denied.")


def test_too_many_folds_are_refused_before_the_fit(tmp_path: Path) -> None:
    data, model = patients(tmp_path / "p.csv", 30), tmp_path / "m.weak"
    found = call("fit", data, "--target=sick", "--cv=31", "-o", model)
    assert found.status == 2
    assert "--cv 31 is not allowed: there are 30 rows to learn from." in found.err
    assert not model.exists()


def test_weights_that_are_none(tmp_path: Path) -> None:
    for weight, said in (("", "missing"), ("-1", "-1")):
        path = table(tmp_path, f"x,w,y\n1,1,a\n2,{weight},b\n")
        assert f"the weight 'w' is {said} in row 2;" in refused(*fit(path, "--weights=w"))


def test_a_setting_without_end(tmp_path: Path) -> None:
    data = patients(tmp_path / "p.csv", 30)
    found = call(*fit(data, "--set", "learning_rate=" + "[" * 100_000, target="sick"))
    assert found.status == 2
    assert "learning_rate" in found.err.splitlines()[-1]


def test_a_half_read_input_leaves_no_output(tmp_path: Path) -> None:
    data, model = patients(tmp_path / "p.csv", 30), tmp_path / "m.weak"
    call(*fit(data, "-o", model, target="sick"))
    data.write_text(data.read_text() + "1,2\n")
    assert "line 32" in refused("predict", model, data, "-o", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_the_output_is_the_input(tmp_path: Path) -> None:
    data, model = patients(tmp_path / "p.csv", 30), tmp_path / "m.weak"
    call(*fit(data, "-o", model, target="sick"))
    before = data.read_bytes(), model.read_bytes()
    link = tmp_path / "link.csv"
    link.symlink_to(data)
    hard = tmp_path / "hard.csv"
    os.link(data, hard)
    for out in (data, link, hard, tmp_path / "." / "p.csv"):
        assert "is also an input" in refused(*fit(data, "-o", out, target="sick"))
        assert "is also an input" in refused("predict", model, data, "-o", out)
    assert "is also an input" in refused("predict", model, data, "-o", model)
    assert (data.read_bytes(), model.read_bytes()) == before


def test_nobody_reads_on(tmp_path: Path) -> None:
    data, model = patients(tmp_path / "p.csv", 6000), tmp_path / "m.weak"
    call(*fit(data, "-o", model, target="sick"))
    run = start("predict", model, data, "-p")
    assert run.stdout is not None
    assert run.stdout.readline().startswith("prediction")
    run.stdout.close()
    assert run.wait(timeout=600) == 0
    assert run.stderr is not None
    assert run.stderr.read() == ""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_standard_output_is_full(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        found = subprocess.run(
            [*PYTHON, "completion", "bash"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert found.returncode == 1
    assert found.stderr == "weaklearn: No space left on device.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
@pytest.mark.parametrize("closed", [False, True], ids=["full", "closed"])
def test_standard_error_cannot_be_written(tmp_path: Path, closed: bool) -> None:
    """Nobody reads the messages: the model is saved all the same, and the status is what it was."""
    data, model = patients(tmp_path / "p.csv", 60), tmp_path / "m.weak"
    for status, command in ((0, fit(data, "-o", model, target="sick")), (2, ("rules", "no.weak"))):
        reader, writer = os.pipe()
        os.close(reader)
        with open("/dev/full", "w") as full, open(writer, "w") as pipe:
            found = subprocess.run(
                [*PYTHON, *map(str, command)],
                stdout=subprocess.DEVNULL,
                stderr=pipe if closed else full,
                check=False,
            )
        assert found.returncode == status
    assert wl.load(model).n_iter_ == 3


def _exit(*arguments: Any) -> None:
    sys.exit(call(*arguments).status)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_runs_write_one_model(tmp_path: Path) -> None:
    data, model = patients(tmp_path / "p.csv", 60), tmp_path / "m.weak"
    fork = multiprocessing.get_context("fork")
    runs = [
        fork.Process(
            target=_exit, args=fit(data, "-o", model, f"--set=n_estimators={n}", target="sick")
        )
        for n in (5, 50)
    ]
    for run in runs:
        run.start()
    for run in runs:
        run.join(600)
    assert [run.exitcode for run in runs] == [0, 0]
    assert wl.load(model).n_iter_ in (5, 50)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["m.weak", "p.csv"]


# ----------------------------------------------------------------------------------------- and more


def test_names_cannot_upset_a_terminal(tmp_path: Path) -> None:
    path = table(tmp_path, "x\u202e,y\n1,a\n2,b\n")
    found = call(*fit(path))
    assert found.status == 0
    assert "\u202e" not in found.out + found.err
    assert "\u202e" not in refused(*fit(path, target="z\u202e"))


def test_a_bug_is_one_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("something\nodd")

    monkeypatch.setattr("weaklearn.cli.data.model_at", broken)
    said = refused("rules", tmp_path / "m.weak", status=1)
    assert said == (
        "weaklearn: RuntimeError: something odd (set WEAKLEARN_TRACEBACK=1 to see where)"
    )
    monkeypatch.setenv("WEAKLEARN_TRACEBACK", "1")
    with pytest.raises(RuntimeError, match="something"):
        call("rules", tmp_path / "m.weak")


def test_warnings_are_lines_on_standard_error(tmp_path: Path) -> None:
    found = call(*fit(table(tmp_path, "x,z,y\n1,,a\n2,,b\n3,,a\n")))
    assert found.status == 0
    assert "weaklearn: X has 1 column(s) with missing values only" in found.err


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = patients(tmp_path / "p.csv", 30).read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert call(*fit("-", target="sick")).status == 0


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such devices here")
def test_devices_that_never_end(tmp_path: Path) -> None:
    model = tmp_path / "m.weak"
    wl.AdaBoostClassifier(n_estimators=1).fit(*wl.datasets.toy()).save(model)
    never = "/dev/{} is a device, which may never end; name a file or a pipe."
    for device in ("zero", "full", "urandom"):
        for command in (fit(f"/dev/{device}"), ("predict", model, f"/dev/{device}")):
            assert refused(*command) == f"weaklearn: {never.format(device)}"
    assert never.format("zero") in refused(*fit("/dev/zero", "--encoding=utf-16"))
    table(tmp_path, "x,y\n1,a\n2,b\n")
    assert never.format("zero") in call(*fit(tmp_path / "t.csv", "--test=/dev/zero")).err
    assert "/dev/null is empty" in refused(*fit("/dev/null"))
    (tmp_path / "t.parquet").symlink_to("/dev/zero")
    for found in refused("check", model, tmp_path), refused(*fit("/dev/zero", "/dev/zero")):
        assert "is no regular file; name Parquet files" in found
    assert "/dev/full is a device or a pipe" in call("demo", "/dev/full").err


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no such devices here")
def test_standard_input_that_never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    with standard_input_of("cat", "/dev/zero"):
        assert "byte 0 is 0x00, a control" in refused(*fit("-"))
    with open("/dev/zero") as device:
        monkeypatch.setattr(sys, "stdin", device)
        assert "standard input is a device" in refused(*fit("-"))


@pytest.mark.skipif(os.name == "nt", reason="no such command there")
def test_a_pipe_that_never_ends(tmp_path: Path) -> None:
    model = tmp_path / "m.weak"
    wl.AdaBoostClassifier(n_estimators=1).fit(*wl.datasets.toy()).save(model)
    for given in (fit("-"), ("predict", model, "-")):
        with standard_input_of("yes", "1,2"):
            assert refused(*given, "--pipe-limit=3M") == (
                "weaklearn: standard input has given more than 3,145,728 bytes, the limit of a "
                "pipe, and may never end; if it has an end, save it as a file and name that, or "
                "allow more with --pipe-limit."
            )


def test_the_limit_of_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """16 GB, or half of the disk that is free; never less than what was asked for."""
    text = "x,y\n" + "1,a\n2,b\n" * 50

    def given(*more: str) -> tuple[Any, ...]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return (*fit("-"), *more)

    assert call(*given(f"--pipe-limit={len(text)}")).status == 0
    assert "more than 403 bytes" in refused(*given("--pipe-limit=403"))
    free = type("", (), {"free": 2 * len(text) - 1})
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    assert f"more than {len(text) - 1} bytes" in refused(*given())
    assert call(*given("--pipe-limit=1k")).status == 0
    for odd in ("0", "-1", "many", "1.5G", "1X"):
        assert f"'{odd}' is no size" in refused(*given(f"--pipe-limit={odd}"))
    given()
    with pytest.raises(ValueError, match="if it has an end, save it as a file"):
        wl.datasets.read_table("-")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
@pytest.mark.parametrize("command", ["fit", "predict", "explain", "report", "lab"])
def test_an_output_never_takes_the_place_of_a_pipe(tmp_path: Path, command: str) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    table = patients(tmp_path / "t.csv")
    given: tuple[Any, ...] = (tmp_path / "none.weak", table, "-o", pipe)
    if command == "fit":
        given = (table, "--target=sick", "-o", pipe)
    elif command == "lab":
        given = ("--export", pipe)
    assert "is a device or a pipe" in refused(command, *given, status=1)
    assert pipe.is_fifo()


def test_columns_are_suggested_by_near_names_that_are_free(tmp_path: Path) -> None:
    rows = "".join(f"{k},{k % 3},{'ab'[k % 2]}\n" for k in range(30))
    path, model = table(tmp_path, f"age,kind,target\n{rows}"), tmp_path / "m.weak"
    assert call(*fit(path, "-o", model, target="target")).status == 0
    other = tmp_path / "other.csv"
    other.write_text("Age,kind,target\n1,2,a\n")
    assert refused("predict", model, other).endswith("fitted on. Did you mean 'Age'?")
    other.write_text("years,kind,target\n1,2,a\n")
    assert refused("predict", model, other).endswith("which the model was fitted on.")


def test_columns_that_are_listed_are_the_first_and_the_last(tmp_path: Path) -> None:
    path = table(
        tmp_path, ",".join(f"c{k}" for k in range(1, 31)) + "\n" + ",".join("1" * 30) + "\n"
    )
    assert "'c5', ..., 'c28', 'c29', 'c30'." in refused(*fit(path, target="label"))


@pytest.mark.parametrize("name", ["prec.csv", "prec.csv.gz", "PREC.PARQUET", "a.tsv"])
def test_a_model_is_not_called_like_a_table(tmp_path: Path, name: str) -> None:
    path, output = table(tmp_path, "x,y\n1,a\n2,b\n"), tmp_path / name
    output.write_text("precious")
    assert "is called like a table" in refused(*fit(path, "-o", output))
    assert "is called like a table" in refused(*fit(path, "--checkpoint", output))
    assert output.read_text() == "precious"


@pytest.mark.parametrize("given", ["--test=1.5", "--cv=1000", "--set=n_estimators=abc"])
def test_wrong_options_are_refused_before_anything_is_shown(tmp_path: Path, given: str) -> None:
    path = table(tmp_path, "x,y\n" + "".join(f"{k},{'ab'[k % 2]}\n" for k in range(30)))
    called = call("fit", path, "--target=y", given)
    assert (called.status, called.out) == (2, "")
    assert len(called.err.strip().splitlines()) == 1


def test_folds_do_not_warn_of_rows(tmp_path: Path) -> None:
    rows = "".join(f"{k},{'Y' * (k == 7)},{'ab'[k > 15]}\n" for k in range(30))
    path = table(tmp_path, f"x,bc,y\n{rows}")
    called = call("fit", path, "--target=y", "--rounds=3", "--cv=5")
    assert called.status == 0
    assert "held nothing in training" not in called.err


@pytest.mark.parametrize(
    ("task", "same"), [("regression", "numbers"), ("classification", "classes")]
)
def test_tasks_by_their_other_names(tmp_path: Path, task: str, same: str) -> None:
    path = table(tmp_path, "x,y\n" + "".join(f"{k},{k % 9}\n" for k in range(30)))
    one, other = (call(*fit(path, "--json", "--task", given)).out for given in (task, same))
    assert json.loads(one)["task"] == json.loads(other)["task"] == same


def test_rows_of_files_are_counted_from_1(tmp_path: Path) -> None:
    """A message, ``explain --row`` and a report give a row of a file one number."""
    model, path = tmp_path / "m.weak", table(tmp_path, "a,b,y\n" + "1,u,0\n2,w,1\n" * 20)
    assert call(*fit(path, "--set=unseen=error", "-o", model)).status == 0
    odd = tmp_path / "odd.csv"
    odd.write_text("a,b,y\n1,u,0\n2,w,1\n2,z,1\n")
    for command in (("predict",), ("explain", "--row=3")):
        assert "row 3, column 'b'" in refused(*command, model, odd)
    page = tmp_path / "r.html"
    assert call("report", model, path, "-o", page).status == 0
    assert "Rows are counted from 1, as by weaklearn explain --row." in page.read_text("utf-8")
    with pytest.raises(ValueError, match="row 2, column 'b'"):  # of X, from 0
        wl.load(model).predict(wl.datasets.read_table(odd).drop(["y"]))


def test_rows_of_later_pieces_and_of_each_file_have_their_own_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, path = tmp_path / "m.weak", table(tmp_path, "a,b,y\n" + "1,u,0\n2,w,1\n" * 20)
    assert call(*fit(path, "--set=unseen=error", "-o", model)).status == 0
    pieces = [wl.datasets.read_table(path) for _ in range(2)]
    odd = tmp_path / "odd.csv"
    odd.write_text("a,b,y\n1,u,0\n2,z,1\n")
    pieces.append(wl.datasets.read_table(odd))
    monkeypatch.setattr("weaklearn.datasets.reading.read_chunks", lambda *_, **__: iter(pieces))
    said = call("predict", model, odd, "-o", tmp_path / "out.csv")
    assert said.status != 0
    assert "row 82, column 'b'" in said.err


def test_rankers_and_survival_are_of_python(tmp_path: Path) -> None:
    path = table(tmp_path, "x,y\n" + "".join(f"{k},{k % 7 + 1}\n" for k in range(60)))
    said = "fitted and verified in Python"
    for options in (["--model=GradientBoostingRanker"], ["--model=RankBoost"], ["--set=loss=cox"]):
        error = refused(*fit(path, "--task=numbers", *options))
        assert said in error
        assert "qid" not in error
    X, y = [[float(k)] for k in range(60)], [k % 3 for k in range(60)]
    model = wl.GradientBoostingRanker(n_estimators=2).fit(X, y, qid=[k // 6 for k in range(60)])
    model.save(tmp_path / "r.weak")
    assert said in refused("verify", tmp_path / "r.weak", path, "--target=y")
