"""Every command, end to end."""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from tests.cli.calling import PYTHON, call, environment, patients, refused, standard_input_of
from weaklearn.cli.app import COMMANDS
from weaklearn.cli.evaluation import R2, Evaluation, hardly_better
from weaklearn.cli.kept_reading import with_kept
from weaklearn.production.provenance import name_target


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, and a model of it."""
    place = tmp_path_factory.mktemp("cli")
    patients(place / "patients.csv")
    done = call(
        "fit",
        place / "patients.csv",
        "--target",
        "sick",
        "--ignore",
        "cost",
        "--model=adaboost",
        "--rounds=20",
        "-o",
        place / "model.weak",
    )
    assert done.status == 0, done
    return place


# --------------------------------------------------------------------------------------------- help


@pytest.mark.parametrize("command", list(COMMANDS))
def test_every_command_has_help_with_examples(command: str) -> None:
    found = call(command, "--help")
    assert found.status == 0
    assert f"weaklearn {command}" in found.out
    assert "Examples:" in found.out
    assert max(map(len, found.out.splitlines())) <= 80


def test_the_help_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    found = call("--help")
    assert found.status == 0
    assert all(command in found.out for command in COMMANDS)
    assert call().out == found.out
    assert call("--version").out == f"weaklearn {wl.__version__}\n"


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from weaklearn.cli import main; main(['--help'])\n"
        "print([n for n in ('numpy', 'scipy', 'sklearn', 'rich', 'pyarrow') if n in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"


def test_without_click(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "click", None)
    found = call("--help")
    assert found.status == 1
    assert (
        found.err
        == 'weaklearn: the command line needs click: pip install ".[cli]" in a clone of weaklearn\n'
    )


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    found = call("completion", shell)
    assert found.status == 0
    assert "_WEAKLEARN_COMPLETE" in found.out


def test_what_is_completed(folder: Path) -> None:
    def completed(words: str) -> list[str]:
        line = environment(
            _WEAKLEARN_COMPLETE="bash_complete",
            COMP_WORDS=f"weaklearn {words}",
            COMP_CWORD=str(len(words.split()) + (words.endswith(" "))),
        )
        out = subprocess.run(PYTHON, env=line, capture_output=True, text=True, check=False).stdout
        return [line.partition(",")[2] for line in out.splitlines()]

    assert completed("pre") == ["predict"]
    assert completed("fit --model gr") == ["gradient"]
    assert completed(f"fit {folder / 'patients.csv'} --target s") == ["seen", "sick"]
    for words in ("predict m.weak pa", "fit p.csv -o pa"):
        assert completed(words) == ["pa"], words  # left to the shell, which knows the files


# ---------------------------------------------------------------------------------------------- fit


def test_fit_tells_and_saves(folder: Path) -> None:
    found = call(
        "fit", folder / "patients.csv", "--target", "sick", "--set", "n_estimators=5", "--cv", 3
    )
    assert found.status == 0
    assert "120 rows, 5 columns to learn from; 'sick' has 2 classes: no" in found.err
    assert "not saved" in found.err
    for told in ("pain    categories", "seen    dates", "GradientBoosting", "3 folds", "error"):
        assert told in found.out
    assert "metric              value  baseline  adaboost  standard error" in found.out
    assert "adaboost: a simpler model on the same rows (--model adaboost)" in found.out
    assert "Columns that matter most:\ncolumn  importance\ncost" in found.out
    assert "Guarantees" not in found.out
    assert "\x1b" not in found.out + found.err  # no colours in pipes


def test_more_than_one_target_column_is_learnt_in_python(folder: Path) -> None:
    fit = ("fit", folder / "patients.csv", "--target=cost")
    for option, way in (("qid", "Ranker().fit(X, y, qid=...)"), ("event", "'cox').fit(X, y)")):
        said = refused(*fit, f"--{option}=seen")
        assert f"there is no --{option}:" in said
        assert way in said
        assert f"--{option}" not in call("fit", "--help").out
    assert "2 columns are named as --target" in refused(*fit, "--target=age")
    assert "Missing option '--target'" in refused("compare", folder / "patients.csv")


def test_fit_shows_rules_and_guarantees(folder: Path) -> None:
    fit = ("fit", folder / "patients.csv", "--target=sick", "--model=adaboost", "--rounds=5")
    found = call(*fit, "--cv=2", "--guarantees").out
    assert "First rules:\nround  test" in found
    assert "ada-train" in found
    assert "baseline  standard error" in found  # nothing is simpler
    assert "pass --guarantees too" in refused(*fit, "--repeats=draws")


@pytest.mark.parametrize(("target", "metric"), [("sick", "error"), ("cost", "R²")])
def test_the_simpler_model_is_measured_on_the_same_rows(
    folder: Path, tmp_path: Path, target: str, metric: str
) -> None:
    new = patients(tmp_path / "new.csv", 60, seed=3)
    fit = ("fit", folder / "patients.csv", "--target", target, "--test", new, "--cv=3", "--json")
    both = json.loads(call(*fit, "--rounds=5").out)
    alone = json.loads(call(*fit, "--model=adaboost").out)
    for part in ("test", "cross_validation"):
        assert both[part]["simpler_model"][metric] == alone[part][metric]
        assert "simpler_model" not in alone[part]


def test_a_simpler_model_is_fitted_where_it_is_measured(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fits: list[Any] = []
    fit = wl.AdaBoostClassifier.fit

    def counted(self: Any, *rows: Any, **more: Any) -> Any:
        fits.append(self)
        return fit(self, *rows, **more)

    monkeypatch.setattr(wl.AdaBoostClassifier, "fit", counted)
    learn = ("fit", folder / "patients.csv", "--target=sick", "--rounds=5")
    call(*learn, "--cv=0")
    assert not fits
    for name in ("gradient", "GradientBoostingClassifier"):
        assert "(--model adaboost)" in call(*learn, "--cv=2", "--model", name).out


def test_a_simpler_model_that_does_better_is_told(folder: Path) -> None:
    fit = ("fit", folder / "patients.csv", "--target=sick", "--rounds=1", "--ignore=cost")
    assert "the error of --model adaboost is" in call(*fit, "--seed=1").err


def test_fit_for_programs(folder: Path, tmp_path: Path) -> None:
    found = call(
        "fit",
        folder / "patients.csv",
        "--target=sick",
        "--test=0.25",
        "--json",
        "--seed=1",
        "--threads=1",
        "--set=n_estimators=7",
        "--guarantees",
        "-o",
        tmp_path / "m.weak",
    )
    told = json.loads(found.out)
    assert found.err == ""
    assert (told["model"], told["task"], told["rounds"]) == (
        "GradientBoostingClassifier",
        "classes",
        7,
    )
    assert told["classes"] == ["no", "yes"]
    assert told["test"]["rows"] == 30
    assert told["rows"] == 90
    assert 0 <= told["test"]["error"] <= 0.5
    assert told["cross_validation"] is None
    assert {c["column"]: c["holds"] for c in told["columns"]}["seen"] == "dates"
    assert len(told["rules"]) == 6
    assert len(told["importances"]) == 5
    assert any(c["about"] == "truth" and c["applies"] for c in told["certificates"])
    assert told["fingerprint"] == wl.load(tmp_path / "m.weak").fingerprint()


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        ("gradient", "GradientBoostingClassifier"),
        ("glass", "AdditiveBoostingClassifier"),
        ("forest", "RandomForestClassifier"),
        ("tree", "DecisionTreeClassifier"),
        ("adtree", "ADTreeClassifier"),
        ("slipper", "SlipperClassifier"),
        ("realboost", "RealAdaBoostClassifier"),
        ("adaboost-l", "AdaBoostLClassifier"),
        ("LPBoostClassifier", "LPBoostClassifier"),
    ],
)
def test_models_by_name(folder: Path, tmp_path: Path, model: str, kind: str) -> None:
    few = ["--set", "n_estimators=5"] if model not in ("tree", "glass") else []
    path = tmp_path / "m.weak"
    found = call(
        "fit",
        folder / "patients.csv",
        "--target=sick",
        "--model",
        model,
        *few,
        "--cv=0",
        "-o",
        path,
    )
    assert found.status == 0, found.err
    assert wl.inspect(path).kind == kind
    assert call("predict", path, folder / "patients.csv").out.count("\n") == 121
    assert call("rules", path).status == 0


def test_every_short_name_is_an_estimator() -> None:
    from weaklearn.cli.model import CLASSES, MODELS, NUMBERS, made

    for name, (for_classes, for_numbers) in MODELS.items():
        assert type(made(name, CLASSES, ())).__name__ == for_classes
        if for_numbers:
            assert type(made(name, NUMBERS, ())).__name__ == for_numbers


def test_numbers_are_learnt_as_numbers(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "cost.weak"
    found = call(
        "fit", folder / "patients.csv", "--target=cost", "--model=gradient", "--json", "-o", path
    )
    told = json.loads(found.out)
    assert told["task"] == "numbers"
    assert told["cross_validation"]["R²"] > 0.8
    out = call("predict", path, folder / "patients.csv").out.splitlines()
    assert out[0] == "prediction"
    assert float(out[1]) > 100
    said = refused("fit", folder / "patients.csv", "--target=cost", "--model=slipper")
    assert "is a classifier, and the target holds numbers" in said
    ages = ("--target=age", "--task=numbers", "--cv=0")
    assert call("fit", folder / "patients.csv", *ages).status == 0


def test_whole_numbers_that_hardly_repeat_are_amounts(tmp_path: Path) -> None:
    def told(name: str, labels: list[Any], *more: str) -> Any:
        path = tmp_path / name
        path.write_text("x,y\n" + "".join(f"{k},{label}\n" for k, label in enumerate(labels)))
        return call("fit", path, "--target=y", "--model=tree", "--cv=0", *more)

    rare = [1000 + k % 35 for k in range(40)]
    said = "holds numbers from 1000 to 1034 (--task classes takes each for a class)"
    assert said in told("rare.csv", rare).err
    assert json.loads(told("a.csv", rare, "--task=classes", "--json").out)["task"] == "classes"
    said = "has 5 classes (--task numbers takes them for amounts): 0 8, 1 8"
    assert said in told("often.csv", [k % 5 for k in range(40)]).err
    for labels in ([10**20 + k * 10**7 for k in range(40)], [2.5] * 20):
        assert json.loads(told("b.csv", labels, "--json").out)["task"] == "numbers"


def test_counts_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    claims = np.random.default_rng(0).poisson(1.2, 400)
    path.write_text("x,claims\n" + "".join(f"{k},{n}\n" for k, n in enumerate(claims)))
    fit = ("fit", path, "--target=claims", "--model=tree", "--cv=0")
    said = call(*fit).err
    assert "'claims' holds counts, learnt as numbers, from 0 to 6 (--task classes takes" in said
    assert "holds counts" not in call(*fit, "--task=classes").err
    for rules in ("0", "2"):  # none is printed, whatever the model
        found = call("fit", path, "--target=claims", "--model=forest", "--cv=0", "--rules", rules)
        assert ("importance" in found.out) == (rules == "2")


def test_dates_as_the_world_writes_them(tmp_path: Path) -> None:
    german, american = tmp_path / "de.csv", tmp_path / "us.csv"
    days = [(k % 28 + 1, k % 12 + 1, 2000 + k // 12) for k in range(60)]
    sick = ["yes" if (y, m) > (2002, 6) else "no" for _, m, y in days]
    german.write_text(
        "d;y\n" + "".join(f"{d:02}.{m:02}.{y};{s}\n" for (d, m, y), s in zip(days, sick))
    )
    american.write_text("d,y\n" + "".join(f"{m}/{d}/{y},{s}\n" for (d, m, y), s in zip(days, sick)))
    first, second = tmp_path / "de.weak", tmp_path / "us.weak"
    assert "dates" in call("fit", german, "--target=y", "--cv=0", "-o", first).out
    fit = ("fit", american, "--target=y", "--cv=0", "-o", second)
    unknown = call(*fit).err
    assert "'d' is read as categories, though it holds dates such as 9/9/2000, the month" in unknown
    assert "pass --dates mdy" in unknown
    assert "is only an identifier" not in unknown
    assert "pass --dates d=mdy" in call(*fit, "--dates=dmy").err
    assert call(*fit, "--dates=mdy").status == 0
    assert wl.load(first).fingerprint() == wl.load(second).fingerprint()
    # One row is read as one says, whatever it alone would let one think.
    row = tmp_path / "row.csv"
    row.write_text("d\n03/07/2002\n")
    assert "whose day or month may come first; pass --dates dmy or --dates mdy" in refused(
        "predict", first, row
    )
    assert call("predict", second, row).out == "prediction\nno\n"  # as it was fitted
    answers = [call("predict", second, row, f"--dates={order}").out for order in ("dmy", "mdy")]
    assert answers == ["prediction\nyes\n", "prediction\nno\n"]
    row.write_text("d\n03.07.2002\n")
    assert call("predict", first, row).out == "prediction\nyes\n"
    told = call("predict", second, row, "--dates=mdy")
    assert call("predict", second, row).out == told.out


def test_texts_in_parquet_are_read_as_asked(tmp_path: Path) -> None:
    n = 60
    day = pd.Series(pd.date_range("2024-01-01", periods=n))
    frame = pd.DataFrame(
        {
            "iso": day.dt.strftime("%Y-%m-%d"),
            "us": day.dt.strftime("%m/%d/%Y"),
            "land": ["NA", "DE", "unknown"] * (n // 3),
            "amount": [str(k) for k in range(n)],
            "sick": ["no"] * (n // 2) + ["yes"] * (n // 2),
        }
    )
    table, model = tmp_path / "t.parquet", tmp_path / "m.weak"
    frame.to_parquet(table)
    given = ("fit", table, "--target=sick", "--cv=0", "--set=n_estimators=2")
    said = call(*given).err
    assert "'iso' is read as categories, though its texts are dates: pass --dates" in said
    assert "'us' is read as categories, though it holds dates" in said
    assert "'amount' is read as categories, though its texts are numbers" in said
    words = ("--dates=mdy", "--missing=unknown")
    found = json.loads(call(*given, *words, "--json", "-o", model).out)
    kinds = {c["column"]: (c["holds"], c["missing"], c["distinct"]) for c in found["columns"]}
    assert kinds["iso"] == kinds["us"] == ("dates", 0, n)
    assert kinds["land"] == ("categories", n // 3, 2)  # NA is a name
    assert call("verify", model, table, *words).status == 0
    kept, told = (call("predict", model, table, *more) for more in ((), words))
    assert (kept.status, kept.out) == (0, told.out)


def test_dates_that_nobody_can_tell(tmp_path: Path) -> None:
    path = tmp_path / "d.csv"
    days = [(f"{k % 12 + 1}/{k % 7 + 1}/2020", f"2020-01-{k % 28 + 1:02}") for k in range(40)]
    rows = "".join(f"{d},{e},{k % 2}\n" for k, (d, e) in enumerate(days))
    path.write_text("d,e,y\n" + rows + "5/6/2020,soon,1\n")
    said = call("fit", path, "--target=y", "--cv=0").err
    assert "in which day and month cannot be told apart: pass --dates dmy or --dates mdy" in said
    assert "'e' is read as categories, though 28 of its 29 texts are dates: is 'soon' one?" in said
    path.write_text("d,y\n13/1/2020,a\n1/13/2020,b\n")
    assert "some with the day first, some with the month" in call("fit", path, "--target=y").err


@pytest.mark.parametrize("shape", ["{:02}.{:02}.2019", "{:02}/{:02}/2019", "2019-{1:02}-{0:02}"])
def test_a_date_that_does_not_exist_is_named(tmp_path: Path, shape: str) -> None:
    days = [shape.format(k % 28 + 1, k % 12 + 1) for k in range(40)]
    days[11] = shape.format(31, 2)
    path = tmp_path / "d.csv"
    path.write_text("d,y\n" + "".join(f"{d},{k % 2}\n" for k, d in enumerate(days)))
    said = call("fit", path, "--target=y", "--cv=0", "--dates=dmy").err
    assert f"are dates: {days[11]!r} (row 12 of 40) is no day of the calendar; correct it" in said
    assert "the month" not in said
    path.write_text("part,y\n" + "".join(f"{k + 40}-77-2019,{k % 2}\n" for k in range(40)))
    assert "dates" not in call("fit", path, "--target=y", "--cv=0").err


def test_texts_that_look_like_numbers_are_told(tmp_path: Path) -> None:
    path = tmp_path / "n.csv"
    rows = [f"{k}%,$1 {k:03},{'-' if k % 4 else k},0{k:04},P{k % 9},{k % 2}" for k in range(40)]
    path.write_text("\n".join(["share,price,dash,zip,ward,y", *rows]) + "\n")
    said = call("fit", path, "--target=y", "--cv=0").err
    for name, example in (("share", "0%"), ("price", "$1 000")):
        assert f"'{name}' is read as categories, though its texts look like numbers, such as " in (
            said
        )
        assert repr(example) in said
    assert "10 of its 11 texts are numbers: is '-' one? If it marks a missing value" in said
    assert "'zip' is read as categories" not in said
    assert "'ward'" not in said


def test_classes_that_are_dates_keep_their_spelling(tmp_path: Path) -> None:
    path, model = tmp_path / "d.csv", tmp_path / "m.weak"
    path.write_text("x,y\n" + "".join(f"{k},0{k // 10 + 1}.08.2020\n" for k in range(40)))
    assert call("fit", path, "--target=y", "--cv=0", "-o", model).status == 0
    assert call("verify", model, path).status == 0
    assert "01.08.2020" in call("predict", model, path).out


def test_rows_that_are_learnt_and_tested_are_told(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    header, *rows = (folder / "patients.csv").read_text().splitlines()
    path.write_text("\n".join([header, *rows[:40], *rows[:10]]) + "\n")
    quick = ("--target=sick", "--set=n_estimators=3")
    whole = json.loads(call("fit", path, *quick, "--cv=50", "--json").out)
    assert whole["cross_validation"]["rows_also_trained_on"] == 20
    assert any("20 of 50 test rows have an equal row" in note for note in whole["notes"])
    rest = tmp_path / "rest.csv"
    rest.write_text("\n".join([header, *rows[35:60]]) + "\n")
    found = call("fit", path, *quick, "--test", rest)
    assert "test rows: 5 of 25 test rows have an equal row among the training rows" in found.err
    assert "have an equal row" not in call("fit", rest, *quick).err


def test_rows_without_a_target(tmp_path: Path) -> None:
    path, model = tmp_path / "p.csv", tmp_path / "m.weak"
    path.write_text("x,y\n" + "".join(f"{k},{'' if k % 5 == 0 else k % 2}\n" for k in range(40)))
    fit = ("fit", path, "--target=y", "--cv=0", "-o", model)
    assert refused(*fit).endswith("or leave these rows out with --skip-unlabelled.")
    found = call(*fit, "--skip-unlabelled")
    assert "is missing in 8 of 40 rows, which are left out." in found.err
    assert call("verify", model, path, "--skip-unlabelled").status == 0
    assert call("certify", model, path).status == 2
    path.write_text("x,y\n1,\n2,\n")
    assert "missing in 2 of 2 rows; fill it in" in refused(*fit, "--skip-unlabelled")


def test_weights_count(tmp_path: Path) -> None:
    lines = ["x,y,w", "1,a,1", "2,b,2", "3,a,1", "4,b,3"]
    copies = ["x,y", "1,a", "2,b", "2,b", "3,a", "4,b", "4,b", "4,b"]
    (tmp_path / "w.csv").write_text("\n".join(lines))
    (tmp_path / "c.csv").write_text("\n".join(copies))
    common = ("--target=y", "--cv=0", "--json", "--set=n_estimators=3")
    weighted = json.loads(call("fit", tmp_path / "w.csv", *common, "--weights=w").out)
    copied = json.loads(call("fit", tmp_path / "c.csv", *common).out)
    assert weighted["fingerprint"] == copied["fingerprint"]


def test_categories_as_asked(tmp_path: Path) -> None:
    path = tmp_path / "z.csv"
    path.write_text("zip,y\n" + "10115,a\n20095,b\n80331,a\n" * 5)
    found = call(
        *("fit", path, "--target=y", "--categorical=zip", "--model=adaboost", "--json"),
        *("-o", tmp_path / "z.weak"),
    )
    told = json.loads(found.out)
    assert told["columns"][0]["holds"] == "categories"
    assert told["rules"][0]["test"] == "zip = 20095"
    out = call("predict", tmp_path / "z.weak", path).out.split()
    assert out == ["prediction", *["a", "b", "a"] * 5]


def test_texts(tmp_path: Path) -> None:
    path, model = tmp_path / "mails.csv", tmp_path / "spam.weak"
    mails = ['"win money, now",spam', '"lunch at one?",ham', "free money,spam", "the draft,ham"]
    path.write_text("message,label\n" + "\n".join(mails * 5))
    data = (path, "--target=label", "--model=spam", "--cv=0")
    found = call("fit", *data, "--text=message", "--set=n_estimators=4", "-o", model)
    assert found.status == 0, found.err
    out = call("predict", model, path, "--text=message").out.split()
    assert out[1:] == ["spam", "ham", "spam", "ham"] * 5
    assert "name their column with --text" in refused("predict", model, path)
    assert "reads texts: name the columns that hold them by --text" in refused("fit", *data)


def test_a_test_file(folder: Path, tmp_path: Path) -> None:
    new = patients(tmp_path / "new.csv", 60, seed=5)
    found = call("fit", folder / "patients.csv", "--target=sick", "--test", new, "--json", "--cv=2")
    told = json.loads(found.out)
    assert told["test"]["rows"] == 60
    assert told["cross_validation"]["folds"] == 2


def test_wrong_settings(folder: Path) -> None:
    data = (folder / "patients.csv", "--target=sick")
    assert "Did you mean 'n_estimators'?" in refused("fit", *data, "--set=n_estimator=3")
    assert "write name=value" in refused("fit", *data, "--set=5")
    assert "Did you mean 'gradient'?" in refused("fit", *data, "--model=gradiant")
    assert "n_estimators=0 is not allowed" in call("fit", *data, "--set=n_estimators=0").err
    assert call("fit", *data, "--set=n_estimators=0").status == 2
    assert "--cv 1" in refused("fit", *data, "--cv=1")
    assert "a share is above 0" in call("fit", *data, "--test=1.5").err
    assert "goes with a model that reads texts" in refused("fit", *data, "--text=pain")
    for name in ("boostexter", "BoosTexterClassifier", "SpamFilter", "CallRouter"):
        said = refused("fit", *data, f"--model={name}")
        assert "reads texts: name the columns that hold them by --text" in said
        assert "and compare has tables alone" in refused("compare", *data, f"--model={name}")
    for command in ("fit", "compare"):
        assert "reads images" in refused(command, *data, "--model=WindowClassifier")
    assert "named twice" in refused("fit", *data, "--weights=sick")
    assert "no such option" in refused("fit", *data, "--modle=x").lower()
    assert "Did you mean 'predict'?" in refused("predikt")


# ------------------------------------------------------------------------------------------ predict


def test_predictions_are_those_of_python(folder: Path, tmp_path: Path) -> None:
    model = wl.load(folder / "model.weak")
    frame = pd.read_csv(folder / "patients.csv", parse_dates=["seen"])
    P = model.predict_proba(frame[["age", "bmi", "pain", "seen"]])
    path = tmp_path / "out.csv"
    done = call(
        "predict", folder / "model.weak", folder / "patients.csv", "-p", "--keep=age", "-o", path
    )
    assert (done.status, done.out) == (0, "")
    assert "120 predictions written" in done.err
    found = pd.read_csv(path, float_precision="round_trip")
    assert list(found) == ["age", "prediction", "probability no", "probability yes"]
    assert (found[["probability no", "probability yes"]].to_numpy() == P).all()
    assert (found["age"] == frame["age"]).all()
    lines = call("predict", folder / "model.weak", folder / "patients.csv", "--json").out
    assert [json.loads(line)["prediction"] for line in lines.splitlines()] == list(
        found["prediction"]
    )


def test_columns_are_known_by_name(folder: Path, tmp_path: Path) -> None:
    frame = pd.read_csv(folder / "patients.csv")
    mixed = tmp_path / "mixed.csv.gz"
    with gzip.open(mixed, "wt") as file:
        frame[["seen", "pain", "sick", "bmi", "age"]].to_csv(file, index=False, sep=";")
    parquet = tmp_path / "same.parquet"
    frame.to_parquet(parquet)
    want = call("predict", folder / "model.weak", folder / "patients.csv").out
    assert call("predict", folder / "model.weak", mixed).out == want
    assert call("predict", folder / "model.weak", parquet).out == want
    frame.drop(columns="pain").to_csv(tmp_path / "less.csv", index=False)
    assert "has no column 'pain'" in refused(
        "predict", folder / "model.weak", tmp_path / "less.csv"
    )


def test_predictions_in_other_forms(folder: Path, tmp_path: Path) -> None:
    model, data = folder / "model.weak", folder / "patients.csv"
    want = call("predict", model, data).out
    call("predict", model, data, "-o", tmp_path / "p.csv.gz")
    assert gzip.decompress((tmp_path / "p.csv.gz").read_bytes()).decode() == want
    call("predict", model, data, "-o", tmp_path / "p.parquet")
    assert pd.read_parquet(tmp_path / "p.parquet")["prediction"].tolist() == want.split()[1:]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["p.csv.gz", "p.parquet"]


def test_formulas_are_made_harmless(tmp_path: Path) -> None:
    path = tmp_path / "f.csv"
    path.write_text("x,y,id\n" + '1,=cmd(),"=1+1"\n2,@b,-5\n3,=cmd(),+x\n' * 4)
    fit = ("fit", path, "--target=y", "--ignore=id", "--model=adaboost", "--cv=0")
    call(*fit, "-o", tmp_path / "f.weak")
    out = call("predict", tmp_path / "f.weak", path, "--keep=id", "-p").out
    rows = list(csv.reader(out.splitlines()))
    assert rows[0] == ["id", "prediction", "probability =cmd()", "probability @b"]
    assert rows[1][:2] == ["'=1+1", "'=cmd()"]
    assert rows[2][:2] == ["-5", "'@b"]
    assert rows[3][0] == "'+x"


def test_large_files_are_read_in_pieces(folder: Path, tmp_path: Path) -> None:
    """More rows than a piece has, through a pipe, with and without the fast reader."""
    text = (folder / "patients.csv").read_text().splitlines()
    big = tmp_path / "big.csv"
    big.write_text("\n".join([text[0], *text[1:] * 700]) + "\n")
    with standard_input_of("cat", str(big)):
        found = call("predict", folder / "model.weak", "-")
    want = call("predict", folder / "model.weak", folder / "patients.csv").out.split()
    assert found.out.split() == [want[0], *want[1:] * 700]


def test_text_where_the_model_knows_numbers(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    text = (folder / "patients.csv").read_text().splitlines()
    cells = text[5].split(",")
    path.write_text("\n".join([*text[:5], ",".join(["old", *cells[1:]]), *text[6:]]))
    said = refused("predict", folder / "model.weak", path)
    assert "line 6, column 'age': 'old' is not a number" in said
    assert "--missing" in said
    assert call("predict", folder / "model.weak", path, "--missing=old").status == 0


def test_a_model_without_names(folder: Path, tmp_path: Path) -> None:
    X, y = wl.datasets.toy()
    wl.AdaBoostClassifier(n_estimators=3).fit(X, y).save(tmp_path / "toy.weak")
    rows = "\n".join(f"{a:g},{b:g},{c}" for (a, b), c in zip(X, y))
    (tmp_path / "toy.csv").write_text("a,b,y\n" + rows)
    said = refused("predict", tmp_path / "toy.weak", tmp_path / "toy.csv")
    assert "3 columns to predict from" in said
    found = call("predict", tmp_path / "toy.weak", tmp_path / "toy.csv", "--ignore=y")
    assert found.out.split()[1:] == [str(label) for label in y]


def test_labels_with_blanks_are_kept_apart(tmp_path: Path) -> None:
    """A model fitted by other means may know categories with blanks around them."""
    frame = pd.DataFrame({"c": [" a", "a", " a", "a"] * 3})
    y = ["first", "second"] * 6
    wl.AdaBoostClassifier(n_estimators=2).fit(frame, y).save(tmp_path / "m.weak")
    frame.to_csv(tmp_path / "d.csv", index=False)
    assert call("predict", tmp_path / "m.weak", tmp_path / "d.csv").out.split()[1:] == y


def test_booleans_of_other_tools(tmp_path: Path) -> None:
    frame = pd.DataFrame({"b": [True, False, True, False], "y": [1, 0, 1, 0]})
    model = wl.AdaBoostClassifier(n_estimators=2).fit(frame[["b"]], frame["y"] == 1)
    model.save(tmp_path / "m.weak")
    frame.to_csv(tmp_path / "d.csv", index=False)
    found = call("predict", tmp_path / "m.weak", tmp_path / "d.csv")
    assert found.out.split()[1:] == ["True", "False", "True", "False"]
    assert call("verify", tmp_path / "m.weak", tmp_path / "d.csv").status == 0


# ---------------------------------------------------------------------------- what a model tells of


def test_rules_and_contents(folder: Path) -> None:
    found = call("rules", folder / "model.weak", "-n", 3)
    assert found.out.strip() == str(wl.load(folder / "model.weak").rules(3))
    rows = json.loads(call("rules", folder / "model.weak", "--json").out)
    assert len(rows) == 20
    assert rows[0]["round"] == 1
    merged = json.loads(call("rules", folder / "model.weak", "--json", "--merge").out)
    assert len(merged) <= 20
    told = json.loads(call("inspect", folder / "model.weak", "--json").out)
    assert (told["kind"], told["columns"]) == ("AdaBoostClassifier", ["age", "bmi", "pain", "seen"])
    assert told["fingerprint"] in call("inspect", folder / "model.weak").out


def test_rules_of_rankers_are_too_many_to_read(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = wl.GradientBoostingRanker(n_estimators=9).fit(
        X, np.arange(60) % 3, qid=np.arange(60) // 6
    )
    model.save(tmp_path / "m.weak")
    found = call("rules", tmp_path / "m.weak")
    assert found.out.startswith("column    importance")
    assert "too many to read (-n 20 prints the first 20)" in found.err


@pytest.mark.parametrize(
    ("model", "target", "name"),
    [
        ("gradient", "sick", "score"),
        ("realboost", "sick", "then"),
        ("adtree", "sick", "then"),
        ("tree", "cost", "then"),
    ],
)
def test_numbers_in_rules_are_numbers(
    folder: Path, tmp_path: Path, model: str, target: str, name: str
) -> None:
    kept = tmp_path / "m.weak"
    call("fit", folder / "patients.csv", "--target", target, "--model", model, "--cv=0", "-o", kept)
    rules = json.loads(call("rules", kept, "--json").out)
    assert all(isinstance(rule[name], float) for rule in rules)
    if model == "gradient":  # all of them
        assert max(rule["round"] for rule in rules) == wl.load(kept).n_iter_ > 1
        assert "no rules to merge" in refused("rules", kept, "--merge")


def test_certificates(folder: Path, tmp_path: Path) -> None:
    data = (folder / "model.weak", folder / "patients.csv", "--target=sick")
    told = json.loads(call("certify", *data, "--json").out)
    assert next(c for c in told if c["id"] == "ada-train")["holds"]
    new = patients(tmp_path / "new.csv", 400, seed=9)
    more = json.loads(call("certify", *data, "--test", new, "--json").out)
    assert len(more) > len(told)
    unseen = call("certify", folder / "model.weak", new, "--target=sick", "--unseen")
    assert unseen.status == 0
    assert "test" in unseen.out
    own = call("certify", folder / "model.weak", folder / "patients.csv", "--json")
    assert json.loads(own.out) == told  # the model knows its target


def test_equal_rows_of_guarantees_are_copies_or_draws(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "patients.csv").read_text().splitlines(keepends=True)
    new = patients(tmp_path / "new.csv", 200, seed=9)
    head, *rows = new.read_text().splitlines(keepends=True)
    new.write_text(head + "".join(rows) * 3)

    def best(*more: Any) -> tuple[float, str]:
        asked = (folder / "model.weak", folder / "patients.csv", "--test", new)
        told = json.loads(call("certify", *asked, "--json", *more).out)
        found = next(c for c in told if c["id"].startswith("test"))
        return found["bound"], " ".join(found["assumed"])

    assert best() == best("--repeats=copies")
    (copies, _), (draws, assumed) = best(), best("--repeats=draws")
    assert draws < copies
    assert "drawn" in assumed
    assert "not one of 'copies', 'draws'" in refused(
        "certify", folder / "model.weak", folder / "patients.csv", "--repeats=both"
    )
    table = tmp_path / "p.csv"
    table.write_text(lines[0] + "".join(lines[1:]) * 3)
    fit = ("fit", table, "--target=sick", "--cv=0", "--test", new, "--json")
    shown = [call(*fit, *more).out for more in ((), ("--repeats=draws",))]
    assert shown[0] != shown[1]
    number = tmp_path / "n.weak"
    call("fit", table, "--target=cost", "--model=gradient", "--cv=0", "-o", number)
    assert "--repeats draws says nothing to Grad" in refused(
        "certify", number, table, "--repeats=draws"
    )
    pages = [tmp_path / "copies.html", tmp_path / "draws.html"]
    for page, kind in zip(pages, ("copies", "draws"), strict=True):
        asked = ("--test", new, "--repeats", kind, "-o", page)
        assert call("report", folder / "model.weak", folder / "patients.csv", *asked).status == 0
    assert pages[0].read_bytes() != pages[1].read_bytes()


def test_remedies_are_options(folder: Path, tmp_path: Path) -> None:
    data, notes = folder / "patients.csv", []
    for model, target in [("gradient", "sick"), ("forest", "sick"), ("gradient", "cost")]:
        kept = tmp_path / "m.weak"
        fit = ("--target", target, "--model", model, "--rounds=3", "--cv=0", "-o", kept)
        assert call("fit", data, *fit).status == 0
        for asked in (("certify", kept, data), ("check", kept, data, "--ignore", target)):
            notes += [call(*asked).out, call(*asked, "--json").out]
    notes.append(call("certify", folder / "model.weak", data, "--unseen").out)
    for option in ("with --test", "with --reference", "report with --test", "rows as DATA"):
        assert any(option in " ".join(note.split()) for note in notes), option
    for argument in ("X_test", "y_test", "as reference", "X and y"):
        assert not [note for note in notes if argument in " ".join(note.split())], argument


def test_verification(folder: Path, tmp_path: Path) -> None:
    data = (folder / "model.weak", folder / "patients.csv", "--target=sick")
    same = call("verify", *data)
    assert (same.status, same.out.split(":")[0]) == (0, "same")
    other = patients(tmp_path / "other.csv", seed=3)
    found = call("verify", folder / "model.weak", other, "--target=sick", "--json")
    assert found.status == 1
    assert json.loads(found.out)["same_rows"] is False


def test_a_model_keeps_how_missing_values_and_dates_are_written(tmp_path: Path) -> None:
    shown = ["??" if k % 9 == 0 else k for k in range(60)]
    rows = [f"{x},{k % 28 + 1:02}/03/2024,{'ab'[k > 30]}" for k, x in enumerate(shown)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["x,day,y", *rows]) + "\n")
    how = ("--missing", "??", "--dates", "dmy")
    model, so_far = tmp_path / "m.weak", tmp_path / "so-far.weak"
    fit = ("fit", path, "--target=y", "--cv=0", "--rounds=3", *how)
    assert call(*fit, "-o", model, "--checkpoint", so_far).status == 0
    found = call("predict", model, path)
    assert found.status == 0
    assert found.out == call("predict", model, path, *how).out
    for command in ("explain", "certify", "report", "check"):
        more = ("-o", tmp_path / "r.html") if command == "report" else ()
        assert call(command, model, path, *more).status in (0, 1), command
    again = tmp_path / "again.weak"
    assert call("fit", path, "--resume", model, "--rounds=5", "--cv=0", "-o", again).status == 0
    assert call("predict", again, path).status == 0
    assert "'??'" in refused("predict", model, path, "--missing", "none")


def test_a_model_keeps_how_its_file_writes_numbers_and_letters(tmp_path: Path) -> None:
    rows = [
        f"{k % 4 + 1}.{k:03},5;{k % 28 + 1}/3/24;{3 + k % 2}/{k % 28 + 1}/2024;"
        f"gr\xfc\xdf \x80{k % 3};{'ab'[k > 30]}"
        for k in range(60)
    ]
    path = tmp_path / "t.csv"
    path.write_bytes("\n".join(["pay;day;month;gr\xf6\xdfe;y", *rows]).encode("latin-1"))
    words = ("--encoding=latin-1", "--decimal=,", "--thousands=.", "--dates=dmy")
    how = (*words, "--dates=month=mdy", "--delimiter=semicolon")
    model, out = tmp_path / "m.weak", tmp_path / "r.html"
    found = call("fit", path, "--target=y", "--cv=0", "--rounds=3", *how, "-o", model)
    assert found.status == 0
    assert "numbers" in found.out
    schema = wl.load(model)._schema
    assert schema.names == ("pay", "day", "month", "gr\xf6\xdfe")
    assert [schema.special[j].kind.value for j in (1, 2, 3)] == ["moment", "moment", "category"]
    assert "gr\xfc\xdf \u20ac1" in schema.special[3].categories
    plain = call("predict", model, path)
    assert (plain.status, plain.out) == (0, call("predict", model, path, *how).out)
    for command in ("verify", "explain", "check", "report", "certify"):
        more = ("-o", out) if command == "report" else ()
        assert call(command, model, path, *more).status == 0, command
    english = tmp_path / "e.csv"
    english.write_text("pay,day,month,gr\xf6\xdfe,y\n1000.5,1/3/24,3/1/2024,x,a\n")
    asked = ("--delimiter=comma", "--decimal=.", "--encoding=utf-8")
    assert call("predict", model, english, *asked).status == 0


def test_rows_with_many_new_categories_are_told(tmp_path: Path) -> None:
    path, new, model = tmp_path / "t.csv", tmp_path / "n.csv", tmp_path / "m.weak"
    path.write_text("city,y\n" + "".join(f"{'abc'[k % 3]},{k % 3 // 2}\n" for k in range(60)))
    assert call("fit", path, "--target=y", "--cv=0", "--rounds=3", "-o", model).status == 0
    new.write_text("city\n" + "".join(f"{'abxz'[k % 4]}\n" for k in range(40)))
    said = call("predict", model, new).err
    assert said.splitlines() == [
        "20 of 40 rows hold in 'city' categories that training never saw, such as 'x'; weaklearn "
        "check says more."
    ]
    assert call("predict", model, path).err == ""


def test_orders_of_dates_are_checked(tmp_path: Path) -> None:
    path = patients(tmp_path / "p.csv")
    said = refused("fit", path, "--target=sick", "--dates=sen=mdy")
    assert "has no column 'sen'" in said
    assert "neither dmy nor mdy" in refused("fit", path, "--target=sick", "--dates=ymd")
    assert "--thousands '.' is not allowed" in refused("fit", path, "--target=y", "--thousands=.")


def test_dates_with_a_mark_of_the_missing_are_told(tmp_path: Path) -> None:
    days = [f"{k % 12 + 1}/{k % 28 + 1}/24" if k % 9 else "k.A." for k in range(90)]
    path = tmp_path / "d.csv"
    path.write_text("day,y\n" + "".join(f"{day},{k % 2}\n" for k, day in enumerate(days)))
    fit = ("fit", path, "--target=y", "--cv=0")
    assert "such as 9/9/24: pass --dates mdy and --missing k.A." in call(*fit).err
    found = call(*fit, "--dates=mdy", "--missing=k.A.")
    assert "dates" in found.out
    assert "'day'" not in found.err


def test_numbers_with_thousands_are_told(tmp_path: Path) -> None:
    rows = [f"1.{k:03},50;{k * 7}/{k % 12 + 1}/2020;{k % 2}" for k in range(100, 140)]
    path = tmp_path / "n.csv"
    path.write_text("\n".join(["pay;day;y", *rows]) + "\n")
    said = call("fit", path, "--target=y", "--cv=0").err
    assert "numbers such as '1.100,50': pass --decimal , --thousands '.'" in said
    path.write_text("\n".join(["pay;day;y", "-;1/1/2020;0", *rows, *rows]) + "\n")
    said = call("fit", path, "--target=y", "--cv=0").err
    assert "numbers such as '1.100,50': pass" in said  # and not such as '-'


def test_a_model_of_texts_keeps_how_missing_values_are_written(tmp_path: Path) -> None:
    kinds = (("void", "l"), ("void x1", "b"), ("y2", "l"))
    path, model = tmp_path / "t.csv", tmp_path / "m.weak"
    path.write_text("\n".join(["say,y", *(",".join(kinds[k % 3]) for k in range(60))]) + "\n")
    text = ("--text", "say")
    fit = ("fit", path, "--target=y", "--model=boostexter", "--cv=0", "--rounds=3", *text)
    assert call(*fit, "--missing", "void", "-o", model).status == 0
    found = call("predict", model, path, *text)
    assert found.status == 0
    assert found.out == call("predict", model, path, *text, "--missing", "void").out
    assert found.out != call("predict", model, path, *text, "--missing", "none").out


@pytest.mark.parametrize(
    "reading", ["[]", "null", '"x"', "[" * 12_000, '{"missing": 3}', "{bad", '{"missing": "abc"}']
)
def test_what_a_file_says_of_reading_is_checked(reading: str) -> None:
    model = SimpleNamespace(_origin=SimpleNamespace(reading=reading))
    with pytest.raises(ValueError, match="unknown here how to read tables"):
        with_kept(model, {})


def test_explanations_of_many_classes_are_of_the_first_two(tmp_path: Path) -> None:
    path, model = tmp_path / "t.csv", tmp_path / "m.weak"
    rows = [f"{k % 25},{k % 7},{'abcdefgh'[k % 25 // 4]}" for k in range(200)]
    path.write_text("\n".join(["x,z,y", *rows]) + "\n")
    assert call("fit", path, "--target=y", "--cv=0", "--rounds=20", "-o", model).status == 0
    told = call("explain", model, path, "--row=1").out.splitlines()
    assert told[0].startswith("Row 1 (prediction a")
    assert told[1].split()[:3] == ["term", "value", "a"]
    assert len(told[1].split()) == 4
    told = call("explain", model, path, "--row=1", "--all-classes").out.splitlines()
    assert told[1].split() == ["term", "value", *"abcdefg"]


def test_explanations(folder: Path, tmp_path: Path) -> None:
    data = folder / "patients.csv"
    path = tmp_path / "glass.weak"
    call("fit", data, "--target=sick", "--model=glass", "--cv=0", "-o", path)
    model = wl.load(path)
    told = json.loads(call("explain", path, data, "--row=5", "--row=2", "--json").out)
    assert [t["row"] for t in told] == [5, 2]
    want = model.decision_function(wl.datasets.read_table(data).drop(["sick"]))
    for reason in told:
        total = reason["base"] + sum(reason["contributions"].values())
        assert total == pytest.approx(reason["score"], abs=1e-12)
        assert reason["score"] == pytest.approx(want[reason["row"] - 1], abs=1e-12)
        assert reason["scale"] == "log-odds of " + model.classes_[1]
        assert reason["probability " + reason["prediction"]] >= 0.5
    told = call("explain", path, data).out
    assert re.match(r"Row 1 \(prediction \w+, probability 0\.\d+\):", told)
    assert f"(log-odds of {model.classes_[1]})\n" in told
    assert "has 120 rows" in refused("explain", path, data, "--row=121")
    call("explain", path, data, "-o", tmp_path / "why.csv")
    assert np.allclose(pd.read_csv(tmp_path / "why.csv")["score"], want)


def test_explanations_of_several_outputs_are_refused(folder: Path, tmp_path: Path) -> None:
    table = wl.datasets.read_table(folder / "patients.csv")
    X, sick = table.drop(["sick"]), np.asarray(table.to_dict()["sick"])
    model = wl.RandomForestClassifier(n_estimators=2).fit(X, np.column_stack([sick, sick[::-1]]))
    model.save(tmp_path / "both.weak")
    assert "has 2: ask of_output(0)" in refused(
        "explain", tmp_path / "both.weak", folder / "patients.csv"
    )


def test_plans() -> None:
    asked = ("--gamma=0.1", "--eps=0.1", "--delta=0.05", "--bits=20")
    told = json.loads(call("plan", *asked, "--json").out)
    assert (told["m"], told["T"], told["tries"]) == (78363, 565, 1)
    assert "examples to draw" in call("plan", "--gamma=.25", "--eps=.05", "--delta=.01").out
    assert "delta=2.0 is not allowed" in refused("plan", "--gamma=.25", "--eps=.05", "--delta=2")


def test_comparisons(folder: Path) -> None:
    data = (folder / "patients.csv", "--target=sick", "--cv=2", "--model=stump", "--model=tree")
    told = json.loads(call("compare", *data, "--json").out)
    assert {m["model"] for m in told["models"]} == {"stump", "tree"}
    assert all(0 <= m["error"] < 0.6 for m in told["models"])
    said = call("compare", *data).out
    assert said.startswith("model")
    assert "120 rows, 2 folds" in said
    assert (told["rows"], told["folds"]) == (120, 2)


def test_the_demonstration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def demo(given: Any) -> int:
        asked.append(given)
        return 0

    monkeypatch.setattr("weaklearn.show.demo.main", demo)
    assert call("demo", tmp_path / "p.png").status == 0
    assert asked == [[str(tmp_path / "p.png")]]


# ------------------------------------------------------------------- what other rooms bring in time


def test_a_report(folder: Path, tmp_path: Path) -> None:
    data = (folder / "model.weak", folder / "patients.csv", "--target=sick")
    found = call("report", *data, "-o", tmp_path / "r.html")
    assert found.status == 0, found.err
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "AdaBoostClassifier" in text
    assert "<h1>sick in patients.csv</h1>" in text
    assert "chest" not in text
    assert "Report written to" in found.err


def test_a_report_with_a_test_a_title_and_examples(folder: Path, tmp_path: Path) -> None:
    new = patients(tmp_path / "new.csv", seed=1)
    data = (folder / "model.weak", folder / "patients.csv", "--target=sick", "--delta=0.1")
    more = ("--test", new, "--title", "<b>Patients", "--examples")
    found = call("report", *data, *more, "-o", tmp_path / "r.html")
    assert found.status == 0, found.err
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "<h1>&lt;b&gt;Patients</h1>" in text
    assert "those of the 120 test rows" in text
    assert "hardest.csv" in text  # cells of rows, to be taken home
    plain = call("report", *data, "-o", tmp_path / "plain.html")
    assert plain.status == 0
    assert "hardest.csv" not in (tmp_path / "plain.html").read_text("utf-8")
    before = new.read_bytes()
    assert "is also an input" in refused("report", *data, "--test", new, "-o", new)
    assert new.read_bytes() == before


def test_the_report_of_a_weighted_fit(folder: Path, tmp_path: Path) -> None:
    model, data = tmp_path / "w.weak", folder / "patients.csv"
    set_up = ("--target=sick", "--weights=cost")
    fitted = call("fit", data, *set_up, "--cv=0", "--set", "n_estimators=3", "-o", model)
    assert fitted.status == 0, fitted.err
    done = call("report", model, data, *set_up, "-o", tmp_path / "r.html")
    assert done.status == 0, done.err
    assert "VIOLATED" not in (tmp_path / "r.html").read_text("utf-8")


def test_a_target_is_asked_for_not_guessed(folder: Path, tmp_path: Path) -> None:
    model, renamed = folder / "model.weak", tmp_path / "renamed.csv"
    renamed.write_text((folder / "patients.csv").read_text().replace("sick", "ill", 1))
    for command in ("verify", "certify", "report"):  # with one column left as well
        said = refused(command, model, renamed, "--ignore=cost")
        assert "has no column 'sick', the target of the model; name it with --target." in said
    assert call("verify", model, renamed, "--target=ill").status == 0
    unnamed = wl.load(model)
    name_target(unnamed, None)
    unnamed.save(tmp_path / "unnamed.weak")
    said = refused("report", tmp_path / "unnamed.weak", renamed)
    assert "--target: it may be any of 'cost', 'ill'" in said


def test_a_model_remembers_its_target(folder: Path, tmp_path: Path) -> None:
    model, table = folder / "model.weak", folder / "patients.csv"
    origin = json.loads(call("inspect", model, "--json").out)["origin"]
    assert origin["target"] == wl.load(model).card().to_dict()["data"]["target"] == "sick"
    for command in ("verify", "certify"):
        assert call(command, model, table).out == call(command, model, table, "--target=sick").out
    assert call("report", model, table, "-o", tmp_path / "r.html").status == 0
    said = refused("verify", model, table, "--ignore=sick", "--ignore=cost")
    assert "all of its columns are features" in said  # a column with another role is not taken


def test_the_target_is_no_column_of_a_model_without_names(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": range(40), "b": [1, 2] * 20, "sick": ["no"] * 20 + ["yes"] * 20})
    X = frame[["a", "b"]].to_numpy()
    wl.AdaBoostClassifier(n_estimators=3).fit(X, frame["sick"]).save(tmp_path / "m.weak")
    frame.to_csv(tmp_path / "t.csv", index=False)
    given = (tmp_path / "m.weak", tmp_path / "t.csv")
    assert call("predict", *given).out.split()[1:] == frame["sick"].tolist()
    assert call("explain", *given).status == 0
    assert call("check", *given).err == ""
    assert "the rows are those it was fitted on" in call("verify", *given).out


def test_contributions_keep_columns_called_score_and_base(tmp_path: Path) -> None:
    data, model = tmp_path / "d.csv", tmp_path / "m.weak"
    lines = [f"{k},{k * 7 % 10},{'ab'[k > 20]}" for k in range(40)]
    data.write_text("\n".join(["score,base,y", *lines]))
    done = call("fit", data, "--target=y", "--cv=0", "--set", "n_estimators=3", "-o", model)
    assert done.status == 0, done.err
    assert call("explain", model, data, "-o", tmp_path / "e.csv").status == 0
    found = pd.read_csv(tmp_path / "e.csv")
    assert list(found) == ["base_", "score", "base", "score_"]
    total = found["base_"] + found["score"] + found["base"]
    np.testing.assert_allclose(total, found["score_"])


def test_texts_that_name_rows_are_told(tmp_path: Path) -> None:
    data = tmp_path / "d.csv"
    lines = [f"P{k},{k % 7},{'ab'[k % 7 > 3]}" for k in range(40)]
    data.write_text("\n".join(["the id,x,y", *lines]))
    told = "'the id' holds 40 different texts in 40 rows"
    found = call("fit", data, "--target=y", "--cv=0", "--set", "n_estimators=3")
    assert told in found.err
    assert "the model learns nothing from it: leave the column out: --ignore 'the id'" in found.err
    assert found.err.count("the id") == 2  # one remark, of one line
    assert told in call("fit", data, "--target=y", "--cv=0", "--model=forest").err
    learnt = call("fit", data, "--target=y", "--cv=0", "--model=adaboost").err
    assert "if it is only an identifier, leave the column out: --ignore 'the id'" in learnt
    assert told not in call("fit", data, "--target=y", "--cv=0", "--ignore=the id").err


def read_by_nobody(*arguments: Any) -> int:
    """The status of a call whose standard output is a pipe that was closed."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as nobody:
        done = subprocess.run(
            [*PYTHON, *map(str, arguments)], stdout=nobody, stderr=subprocess.PIPE, text=True
        )
    assert "Traceback" not in done.stderr
    return done.returncode


def test_a_model_is_saved_where_nobody_reads_the_tables(folder: Path, tmp_path: Path) -> None:
    model, data = tmp_path / "m.weak", folder / "patients.csv"
    more = ("--target=sick", "--cv=0", "--set", "n_estimators=3", "-o", model)
    assert read_by_nobody("fit", data, *more) == 0
    assert wl.load(model).n_iter_ == 3


@pytest.mark.long
def test_the_status_of_a_verdict_that_nobody_reads(folder: Path, tmp_path: Path) -> None:
    other = patients(tmp_path / "other.csv", seed=1)
    assert read_by_nobody("verify", folder / "model.weak", other, "--target=sick") == 1


def test_scores_are_checked_against_a_reference(folder: Path) -> None:
    data = (folder / "model.weak", folder / "patients.csv")
    found = call("check", *data, "--reference", folder / "patients.csv", "--json")
    assert found.status == 0, found.err
    assert json.loads(found.out)["scores"] is not None


def test_what_a_file_does_not_hold_is_not_listed(folder: Path) -> None:
    lines = call("inspect", folder / "model.weak").out.splitlines()
    assert len(lines) > 10
    assert not [line for line in lines if line.startswith(("origin: seen", "unknown"))]


def test_a_replay_names_its_options(tmp_path: Path) -> None:
    out = ("--export", tmp_path / "run.html")
    assert "--points 'moon' is not allowed" in refused("lab", *out, "--points", "moon")
    assert "--booster 'x' is not allowed" in refused("lab", *out, "--booster", "x")
    assert "--noise 0.9 is not allowed" in refused("lab", *out, "--noise", "0.9")
    assert "from Python" in refused("lab", *out, "--points", "own")
    assert "--seed 99999 is not allowed" in refused("lab", *out, "--seed", "99999")
    assert "--n-points 9 is not allowed" in refused("lab", *out, "--n-points", "9")
    wrong = refused("lab", *out, "--booster", "adaboost:gamma=1")
    assert "AdaBoost has no setting 'gamma'; it has learning_rate" in wrong
    assert "write name=value" in refused("lab", *out, "--booster", "adaboost:gamma")
    assert not out[1].exists()


def test_a_replay_of_a_table(tmp_path: Path) -> None:
    table, page = tmp_path / "points.csv", tmp_path / "run.html"
    table.write_text("id;dose;age;end\n1;0,5;40;ill\n2;1,5;30;well\n3;2,5;50;well\n4;0,1;20;ill\n")
    given = ("--export", page, "--data", table, "--decimal=,", "--column=dose", "--column=age")
    boosters = ("--booster=adaboost", "--booster=adaboost:learning_rate=0.5")
    more = ("--title=A <trial>", "--seed=3", "--noise=0.1")
    assert call("lab", *given, *boosters, *more).status == 0
    text = page.read_text("utf-8")
    for part in (
        "A &lt;trial&gt;",
        r"x\u2081 dose",
        r"x\u2082 age",
        "learning_rate=0.5",
        "(0.5, 40.0, 'ill')",
    ):
        assert part in text


def test_tables_that_are_no_points(tmp_path: Path) -> None:
    def told(rows: str, *options: str) -> str:
        (tmp_path / "t.csv").write_text(rows)
        return refused(
            "lab", "--export", tmp_path / "r.html", "--data", tmp_path / "t.csv", *options
        )

    two = "a,b,y\n1,2,n\n3,4,m\n"
    assert "3 columns beside 'y'; the lab draws a plane: name two" in told("a,b,c,y\n1,2,3,n\n")
    assert "1 columns beside 'y'; the lab draws a plane: it needs two" in told("a,y\n1,n\n")
    assert "--column is given 1 times" in told(two, "--column=a")
    assert "has no column 'z'" in told(two, "--target=z")
    assert "named twice" in told(two, "--column=a", "--column=y")
    assert "'b' holds categories; the lab draws numbers" in told("a,b,y\n1,x,n\n3,z,m\n")
    assert "'b' is missing in 1 of 3 rows" in told("a,b,y\n1,2,n\n3,,m\n3,3,m\n")
    assert "target 'y' is missing in 1 of 3 rows" in told("a,b,y\n1,2,n\n3,1,\n3,3,m\n")
    assert "target 'y' has 3 classes" in told("a,b,y\n1,2,n\n3,4,m\n5,6,o\n")
    assert "has more than 500 rows" in told("a,b,y\n" + "1,2,n\n3,4,m\n" * 251)
    assert "leave out --points" in told(two, "--points=moons")
    assert "name the table with --data" in refused(
        "lab", "--export", tmp_path / "r.html", "--target=y"
    )
    assert "is also an input" in told(two, "--export", str(tmp_path / "t.csv"))
    assert "with --export" in refused("lab", "--data", tmp_path / "t.csv")


def test_a_check(folder: Path, tmp_path: Path) -> None:
    lines = (folder / "patients.csv").read_text().splitlines()
    age = lines[0].split(",").index("age")
    cells = [line.split(",") for line in lines[1:]]
    older = [[*row[:age], str(int(row[age]) + 100), *row[age + 1 :]] for row in cells]
    path = tmp_path / "older.csv"
    path.write_text("\n".join([lines[0], *(",".join(row) for row in older)]))
    found = call("check", folder / "model.weak", path, "--json")
    assert found.status == 1
    told = json.loads(found.out)
    assert (told["ok"], told["verdict"]) == (False, "alarm")
    assert [c["name"] for c in told["columns"] if c["verdict"] == "alarm"] == ["age"]


def test_what_a_model_does_not_use_raises_no_alarm(tmp_path: Path) -> None:
    table, later, model = tmp_path / "t.csv", tmp_path / "l.csv", tmp_path / "m.weak"
    rows = [(k % 50, k % 7, "ab"[k % 50 > 25]) for k in range(200)]
    text = "used,spare,y\n"
    table.write_text(text + "".join(f"{a},{b},{y}\n" for a, b, y in rows))
    later.write_text(text + "".join(f"{a},{b + 100},{y}\n" for a, b, y in rows))
    assert call("fit", table, "--target=y", "--cv=0", "--rounds=1", "-o", model).status == 0
    found = call("check", model, later, "--json")
    assert found.status == 0
    used, spare = json.loads(found.out)["columns"]
    assert (used["verdict"], spare["verdict"]) == ("ok", "ok")
    assert spare["why"].startswith("the model does not use it; its values have drifted")


def test_a_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import weaklearn.lab

    asked: list[Any] = []

    def serve(port: int, open_browser: bool, announce: Any) -> None:
        asked.append((port, open_browser))
        announce("http://127.0.0.1:1/")
        raise KeyboardInterrupt

    monkeypatch.setattr(weaklearn.lab, "serve", serve)
    found = call("lab", "--port=0", "--no-browser")
    assert (found.status, found.out) == (0, "http://127.0.0.1:1/\n")
    assert asked == [(0, False)]
    path = tmp_path / "run.html"
    replay = ("--booster=adaboost", "--booster=lpboost", "--points=moons", "--rounds=3")
    assert call("lab", "--export", path, *replay).status == 0
    assert "<html" in path.read_text("utf-8")
    assert "with --export" in refused("lab", "--rounds=3")
    assert call("lab", "--export", path, "--booster=nothing").status == 2


def test_detection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from PIL import Image

    class Detector:
        @classmethod
        def from_opencv(cls, path: str) -> Detector:
            return cls()

        def detect(self, image: Any) -> tuple[Any, Any]:
            return np.array([[2, 3, 10, 12]]), np.array([image.shape[0] / 10])

    monkeypatch.setattr("weaklearn.cli.detecting.CascadeDetector", Detector)
    picture = tmp_path / "=p.png"
    Image.fromarray(np.zeros((30, 40), np.uint8)).save(picture)
    told = json.loads(call("detect", "faces.xml", picture, "--json").out)
    want = {"image": str(picture), "x": 2, "y": 3, "width": 10, "height": 12, "score": 3.0}
    assert told == [want]
    found = call("detect", "faces.xml", picture, "--csv", "--draw", tmp_path / "drawn")
    assert found.out.splitlines()[0] == "image,x,y,width,height,score"
    drawn = np.asarray(Image.open(tmp_path / "drawn" / "=p.png"))
    assert drawn[3, 2].tolist() == [230, 97, 1]
    assert drawn[0, 0].tolist() == [0, 0, 0]
    assert "take the place of" in refused("detect", "f.xml", picture, "--draw", tmp_path)
    twice = (picture, tmp_path / "other" / picture.name)
    said = refused("detect", "f.xml", *twice, "--draw", tmp_path / "both")
    assert "two pictures called =p.png" in said
    assert not (tmp_path / "both").exists()
    (tmp_path / "no.png").write_text("no picture")
    assert "cannot be read as a picture" in refused("detect", "f.xml", tmp_path / "no.png")
    assert "No such file" in refused("detect", "f.xml", tmp_path / "none.png")


def test_the_whole_way_is_quick(folder: Path) -> None:
    """A help must not make people wait; by the clock of the processor, on any machine."""

    def used() -> float:
        return os.times().children_user + os.times().children_system

    begin = used()
    subprocess.run([*PYTHON, "--help"], capture_output=True, check=True)
    assert used() - begin < 3.0


def test_weights_of_models_that_certify_without(folder: Path, tmp_path: Path) -> None:
    table, path = folder / "patients.csv", tmp_path / "m.weak"
    given = (table, "--target=cost", "--model=gradient", "--rounds=2", "--cv=0", "--weights=age")
    called = call("fit", *given, "-o", path, "--json")
    assert json.loads(called.out)["parameters"]["n_estimators"] == 2
    assert json.loads(called.out)["notes"] == []
    called = call("certify", path, table, "--weights=age")
    assert called.status == 0, called
    assert "no theorem here bounds the error of numbers" in called.out


def test_few_rows_of_a_class(tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    path.write_text("x,y\n1,a\n2,a\n3,b\n")
    assert (
        "no cross-validation: some class has only 1 row; ask" in call("fit", path, "--target=y").err
    )


@pytest.mark.parametrize("ending", ["xlsx", "XLS", "ods", "json", "feather", "csv.bz2"])
def test_files_of_other_programs_are_not_written(folder: Path, tmp_path: Path, ending: str) -> None:
    given = (folder / "model.weak", folder / "patients.csv")
    said = refused("predict", *given, "-o", tmp_path / f"out.{ending}")
    assert ".csv, .csv.gz and .parquet" in said
    assert not list(tmp_path.iterdir())


def test_several_parquet_files_are_one_table(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    (tmp_path / "rows").mkdir()
    for k, n in enumerate((150, 0, 150)):
        y = rng.choice(["a", "b"], n)
        found = pa.table({"x": rng.normal(size=n), "id": np.arange(n), "y": y})
        pq.write_table(found, tmp_path / "rows" / f"{k}.parquet")
    files = sorted((tmp_path / "rows").glob("*.parquet"))
    options = ("--target", "y", "--ignore", "id", "--rounds", 3, "--json")
    model = tmp_path / "model.weak"
    both = json.loads(call("fit", *files, *options, "-o", model).out)
    folder = json.loads(call("fit", tmp_path / "rows", *options).out)
    assert (both["rows"], both["columns"], both["rounds"]) == (300, 1, 3)
    assert folder["fingerprint"] == both["fingerprint"]
    assert len(call("predict", model, tmp_path / "rows").out.splitlines()) == 301
    alone = json.loads(call("fit", files[0], *options, "--from-disk").out)
    assert (alone["files"], alone["rows"]) == (1, 150)


def test_files_that_are_no_table_together(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "a.csv").write_text("x,y\n1,2\n")
    target = ("--target", "y")
    assert "a directory without Parquet files" in refused("fit", tmp_path / "empty", *target)
    both = refused("fit", tmp_path / "a.csv", tmp_path / "a.csv", *target)
    assert "is no Parquet file; of other files, one is read at a time" in both
    gone = refused("fit", tmp_path / "b.parquet", tmp_path / "c.parquet", *target, status=1)
    assert "b.parquet does not exist" in gone
    refused_text = refused("fit", tmp_path / "empty", *target, "--text", "x")
    assert "--text is not possible where rows stay in their files" in refused_text
    assert "read the texts in Python" in refused_text


def parquet_rows(folder: Path, n: int = 400) -> tuple[Path, Any]:
    """A folder of two files with two classes, and the whole table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(1)
    x, city = rng.normal(size=n), rng.choice(["Rome", "Oslo"], n)
    y = np.where(x + (city == "Rome") + rng.normal(size=n) > 0, "yes", "no")
    found = pa.table({"x": x, "z": rng.normal(size=n), "city": city, "y": y})
    folder.mkdir()
    for k in range(2):
        pq.write_table(found.slice(k * n // 2, n // 2), folder / f"{k}.parquet")
    return folder, found


def test_rows_in_files_are_held_out_and_dealt_as_in_memory(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    folder, found = parquet_rows(tmp_path / "rows")
    pq.write_table(found, tmp_path / "all.parquet")
    options = ("--target", "y", "--model", "gradient", "--rounds", 4, "--json")
    for asked in (("--test", "0.25"), ("--cv", "3"), ("--test", tmp_path / "all.parquet")):
        here = json.loads(call("fit", tmp_path / "all.parquet", *options, *asked, "--cv", 3).out)
        there = json.loads(call("fit", folder, *options, *asked, "--cv", 3).out)
        assert there["fingerprint"] == here["fingerprint"]
        for part in ("test", "cross_validation"):
            then, now = here[part], there[part]
            assert (then is None) == (now is None)
            if then is not None:
                assert now.pop("rows_also_trained_on") is None
                then.pop("rows_also_trained_on")
                assert then.pop("simpler_model")
                assert now == then
    plain = call("fit", folder, *options[:-1], "--test", "0.25").err
    assert "4 rounds on 300 rows" in plain
    unasked = json.loads(call("fit", folder, *options).out)
    assert unasked["notes"] == [
        "no cross-validation: every fold would read the files anew; ask for it with --cv 5."
    ]


@pytest.mark.parametrize("model", ["gradient", "adaboost"])
def test_a_fit_on_files_is_resumed_to_the_same_model(model: str, tmp_path: Path) -> None:
    folder, _ = parquet_rows(tmp_path / "rows")
    options = ("--target", "y", "--model", model, "--json")
    whole = json.loads(call("fit", folder, *options, "--rounds", 6).out)
    kept, every = tmp_path / "kept.weak", ("--checkpoint-every", 1e-9)
    call("fit", folder, *options, "--rounds", 3, "--checkpoint", kept, *every)
    more = json.loads(call("fit", folder, "--resume", kept, "--rounds", 6, "--json").out)
    assert 1 <= more["rounds_before"] <= 3  # saving takes longer than a round
    assert (more["rounds"], more["fingerprint"]) == (6, whole["fingerprint"])


def test_drift_of_rows_in_files(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    folder, found = parquet_rows(tmp_path / "rows")
    pq.write_table(found, tmp_path / "all.parquet")
    model = tmp_path / "model.weak"
    call("fit", folder, "--target", "y", "--rounds", 5, "-o", model)
    here = json.loads(call("check", model, tmp_path / "all.parquet", "--json").out)
    assert json.loads(call("check", model, folder, "--json").out) == here
    files = sorted(folder.glob("*.parquet"))
    assert json.loads(call("check", model, *files, "--json").out) == here
    both = json.loads(call("check", model, *files, "--reference", folder, "--json").out)
    assert (both["n_rows"], both["ok"]) == (400, True)


def test_a_report_on_rows_in_files(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    folder, found = parquet_rows(tmp_path / "rows")
    pq.write_table(found, tmp_path / "all.parquet")
    model = tmp_path / "model.weak"
    call("fit", folder, "--target", "y", "--model", "gradient", "--rounds", 5, "-o", model)
    texts = []
    for data in (tmp_path / "all.parquet", folder):
        more = ("--test", data, "--title=rows", "-o", tmp_path / "report.html")
        assert call("report", model, data, *more).status == 0
        texts.append((tmp_path / "report.html").read_text())
    assert texts[0] == texts[1]  # few rows are read into memory
    many, _ = parquet_rows(tmp_path / "many", 20_400)
    call("report", model, many, "--examples", "-o", tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "20,400 rows and 3 columns" in text
    assert "Told by 20,000 of 20,400 rows, evenly spread." in text


# ------------------------------------------------------------------------------------------- export


@pytest.mark.parametrize("ending", ["py", "c", "js", "mjs", "json", "sql", "onnx"])
def test_export(folder: Path, tmp_path: Path, ending: str) -> None:
    done = call("export", folder / "model.weak", "-o", tmp_path / f"m.{ending}")
    assert done.status == 0, done
    model, form = wl.load(folder / "model.weak"), {"py": "python", "js": "javascript"}.get(ending)
    content = (tmp_path / f"m.{ending}").read_bytes()
    if form is not None:
        assert content.decode() == getattr(model, f"to_{form}")()
    assert content


def test_export_names_and_tables(folder: Path, tmp_path: Path) -> None:
    written = tmp_path / "m.sql"
    done = call(
        "export", folder / "model.weak", "-o", written, "--table", "main.ill", "--keep", "cost"
    )
    assert done.status == 0, done
    text = wl.load(folder / "model.weak").to_sql(("main", "ill"), keep=["cost"])
    assert written.read_text() == text + "\n"
    call("export", folder / "model.weak", "-o", tmp_path / "m.c", "--name", "risk")
    assert "risk_score" in (tmp_path / "m.c").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-o", "m.exe"], "the ending must be one of .py, .c"),
        (["-o", "m.py", "--name", "f"], "--name is for .c, .js and .mjs"),
        (["-o", "m.py", "--keep", "f"], "--table and --keep are for .sql"),
    ],
)
def test_what_cannot_be_exported_is_told(folder: Path, arguments: list[str], words: str) -> None:
    assert words in refused("export", folder / "model.weak", *arguments)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (wl.RandomForestClassifier(2), "RandomForestClassifier cannot be written as scorecard"),
        (wl.GradientBoostingClassifier(n_estimators=2), "a sum of 2 trees that ask several"),
    ],
)
def test_what_is_no_scorecard_is_told(model: Any, words: str, tmp_path: Path) -> None:
    X = [[a, b] for a in range(8) for b in range(8)]
    model.fit(X, [(a > 3) ^ (b > 3) for a, b in X]).save(tmp_path / "m.weak")
    assert words in refused("export", tmp_path / "m.weak", "-o", tmp_path / "m.csv")


def rare_patients(path: Path) -> Path:
    """One patient in eight is "ailing", the first of the two classes."""
    rng = np.random.default_rng(1)
    age, dose = rng.normal(50, 9, 400).round(1), rng.normal(0, 1, 400).round(2)
    state = np.where(age + 6 * rng.normal(size=400) > 62, "ailing", "well")
    lines = [f"{a},{d},{s}" for a, d, s in zip(age, dose, state, strict=True)]
    path.write_text("\n".join(["age,dose,state", *lines]) + "\n")
    return path


def test_the_rarer_class_is_spoken_of_and_kept(tmp_path: Path) -> None:
    path, model = rare_patients(tmp_path / "r.csv"), tmp_path / "m.weak"
    fit = ("fit", path, "--target=state", "--model=adaboost", "--rounds=5", "--json")
    found = json.loads(call(*fit, "-o", model).out)
    assert found["positive_class"] == "ailing"
    folds = found["cross_validation"]
    share = np.mean([line.endswith("ailing") for line in path.read_text().splitlines()[1:]])
    assert folds["baseline"]["error"] == pytest.approx(share)
    assert folds["baseline"]["average precision"] == pytest.approx(share)
    assert folds["AUC"] > 0.8 > folds["average precision"] > share
    assert wl.load(model)._positive == 0
    assert "score of ailing" in call("explain", model, path).out
    assert "score of well" in call("explain", model, path, "--positive=well").out
    X = pd.read_csv(path)[["age", "dose"]]
    assert wl.load(model).explain(X).scale == "score of ailing"
    more = tmp_path / "more.weak"
    assert call(*fit, "--positive=well", "-o", more).status == 0
    resumed = ("fit", path, "--target=state", "--resume", more, "--set", "n_estimators=9", "--json")
    assert json.loads(call(*resumed).out)["positive_class"] == "well"
    out = tmp_path / "r.html"
    assert call("report", model, path, "-o", out).status == 0
    page = out.read_text()
    assert "Precision and recall" in page
    assert "predicts ailing above" in page
    assert call("report", model, path, "-o", out, "--positive=well").status == 0
    assert "predicts well above" in out.read_text()
    other = json.loads(call(*fit, "--positive=well").out)
    assert other["fingerprint"] == found["fingerprint"]
    assert other["cross_validation"]["AUC"] == pytest.approx(folds["AUC"])
    assert "positive='ill' is not allowed" in refused(*fit, "--positive=ill")


def test_a_model_that_hardly_beats_one_answer_is_told_so(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    path = tmp_path / "n.csv"
    labels = np.where(rng.random(200) < 0.1, "b", "a")
    rows = [f"{x:.3f},{y},{x:.2f}" for x, y in zip(rng.normal(size=200), labels, strict=True)]
    path.write_text("\n".join(["x,y,z", *rows]) + "\n")
    said = call("fit", path, "--target=y", "--model=adaboost").err
    assert "is above that of always answering" in said
    noise = tmp_path / "noise.csv"
    noise.write_text("x,y\n" + "".join(f"{k % 7},{rng.normal()}\n" for k in range(90)))
    said = call("fit", noise, "--target=y").err
    assert re.search("(hardly beats|does not beat) always answering with the mean", said)
    for value, words in ((0.01, "hardly beats"), (0.0, "does not beat"), (-0.2, "does not beat")):
        assert f"the model {words} always" in str(
            hardly_better(Evaluation({R2: value}, {}, {}, 9), "")
        )


@pytest.mark.parametrize(
    ("error", "area", "said"),
    [
        (0.158, 0.66, "is above that .* ranks rows better than chance .AUC 0.66."),
        (0.0582, 0.79, "is no lower than that .* ranks rows better than chance .AUC 0.79."),
        (0.058, 0.85, "is hardly below that .* ranks rows well .AUC 0.85."),
        (0.158, 0.5, "is above that .*: the model has learnt little"),
    ],
)
def test_an_error_above_the_baseline_is_told_as_that(error: float, area: float, said: str) -> None:
    found = Evaluation({"error": error, "AUC": area}, {"error": 0.01}, {"error": 0.0582}, 100)
    assert re.search(said, hardly_better(found, "ja") or "")
    assert ("ranks" in said) == (hardly_better(found, "ja", tuned=True) is None)


def test_folds_that_err_alike_have_no_standard_error(tmp_path: Path) -> None:
    path = tmp_path / "clear.csv"
    path.write_text(
        "x,y\n" + "".join(f"{k + 900 * (k > 49)},{'no' if k < 50 else 'yes'}\n" for k in range(100))
    )
    fit = ("fit", path, "--target=y", "--model=stump")
    found = json.loads(call(*fit, "--json", "--test=0.2", "--cv=4").out)
    for part in (found["test"], found["cross_validation"]):
        assert part["error"] == 0
        assert "error" not in part["standard_errors"]
    assert "no standard error where all folds have the same figure" in call(*fit, "--cv=4").out


@pytest.mark.parametrize("levels", ["0.9", "[0.1,0.9]"])
def test_quantiles_are_judged_as_score_judges_them(tmp_path: Path, levels: str) -> None:
    rng = np.random.default_rng(4)
    x = rng.uniform(size=300)
    path, test, model = tmp_path / "t.csv", tmp_path / "v.csv", tmp_path / "m.weak"
    for name, rows in ((path, slice(0, 200)), (test, slice(200, 300))):
        y = 3 * x[rows] + rng.normal(size=len(x[rows]))
        pd.DataFrame({"x": x[rows], "y": y}).to_csv(name, index=False)
    how = ("--model=gradient", "--rounds=30", "--set=loss=quantile", f"--set=quantile={levels}")
    fit = ("fit", path, "--target=y", *how, "--test", test, "-o", model, "--cv=0")
    found = json.loads(call(*fit, "--json").out)["test"]
    rows = pd.read_csv(test)
    score = "D² of the pinball loss"
    assert found[score] == pytest.approx(wl.load(model).score(rows[["x"]], rows["y"]), abs=1e-9)
    asked, learnt = json.loads(f"[{levels.strip('[]')}]"), pd.read_csv(path)["y"]
    gaps = [rows["y"] - np.quantile(learnt, q, method="inverted_cdf") for q in asked]
    lost = [np.maximum(q * g, (q - 1) * g).mean() for q, g in zip(asked, gaps, strict=True)]
    assert found["baseline"]["pinball loss"] == pytest.approx(np.mean(lost), abs=0.01)
    assert not {"R²", "root mean squared error"} & set(found)
    assert "baseline: always the best constant" in call(*fit).out


def _tuned(path: Path, *more: Any) -> Any:
    fit = ("fit", path, "--target=state", "--rounds=20", "--cv=0", "--json")
    return json.loads(call(*fit, *more).out)


def test_a_threshold_is_chosen_on_rows_held_out_and_kept(tmp_path: Path) -> None:
    path, model = rare_patients(tmp_path / "r.csv"), tmp_path / "m.weak"
    n = len(path.read_text().splitlines()) - 1
    found = _tuned(path, "--threshold=recall=0.9", "--hold-out=0.3", "-o", model)
    chosen = found["threshold"]
    assert (chosen["by"], chosen["positive"]) == ("recall", "ailing")
    assert chosen["recall"] >= 0.9
    assert chosen["n_rows"] + found["rows"] == n
    assert chosen["n_rows"] == pytest.approx(0.3 * n, abs=2)
    kept = wl.load(model)
    assert kept._threshold == chosen["score"]
    assert kept._decision.rows is not None  # certificates know the rows it was chosen on
    assert "threshold" in call("inspect", model).out
    dear = _tuned(path, "--threshold=cost=1:20")["threshold"]
    cheap = _tuned(path, "--threshold=cost=20:1")["threshold"]
    assert dear["recall"] > cheap["recall"]
    on_folds = call("fit", path, "--target=state", "--rounds=20", "--threshold=f1", "--cv=2")
    assert "folds are answered without the threshold" in on_folds.out
    assert "choose the threshold" not in on_folds.err
    said = call("fit", path, "--target=state", "--rounds=20", "--threshold=f1", "--test=0.3")
    assert re.search("rests on .* rows of 'ailing'.*Hold out more rows with --hold-out", said.err)
    plain = said.out
    assert "ailing from probability" in plain
    assert "test rows    recall" in plain
    said = call("certify", model, path, "--unseen").err
    assert "seen" in said or "threshold" in said


def test_thresholds_that_cannot_be_chosen(folder: Path, tmp_path: Path) -> None:
    data = ("fit", folder / "patients.csv", "--cv=0", "--rounds=3")
    sick = (*data, "--target=sick")
    for rule in ("recall", "recall=2", "recall=x", "cost=1", "cost=0:0", "cost=-1:2", "f1=0.3", ""):
        assert "is no rule; write recall=0.9" in refused(*sick, f"--threshold={rule}")
    assert "pass --threshold too" in refused(*sick, "--hold-out=0.2")
    for target, what in (("cost", "numbers"), ("pain", "3 classes")):
        said = refused(*data, "--target", target, "--threshold=f1")
        assert f"--threshold tells two classes apart, and the target holds {what}" in said
    assert "does not go with --resume" in refused(
        "fit", folder / "patients.csv", "--resume", folder / "model.weak", "--threshold=f1"
    )
    assert "no threshold has a precision of 1" not in call(*sick, "--threshold=precision=0.5").err
    copies = tmp_path / "c.csv"
    copies.write_text("x,y\n" + "1,a\n2,b\n" * 20)
    assert "needs rows of both classes" in refused("fit", copies, "--target=y", "--threshold=f1")


def test_dates_as_a_target_are_told_and_not_all_listed(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,day\n" + "".join(f"{k % 5},{k % 20 + 1}.3.2024\n" for k in range(100)))
    fit = ("fit", path, "--target=day", "--rounds=1", "--cv=0", "-o", tmp_path / "m.weak")
    found = call(*fit)
    rules = call("rules", tmp_path / "m.weak", "-n", 3).out
    assert "'day' holds dates, and each of the 20 is a class: to learn when, pass" in found.err
    note = rules[rules.index("the scores start at") :].splitlines()[0]
    assert note.endswith(" and 14 more (ensemble_.base)")
    assert note.count("2024") == 6


def test_a_tuple_as_a_setting_is_told(tmp_path: Path) -> None:
    path = patients(tmp_path / "p.csv")
    said = refused("fit", path, "--target=sick", "--model=gradient", "--set=monotonic_cst=(0, 1)")
    assert "--set monotonic_cst=(0, 1) is not allowed: write lists in brackets" in said
    assert said.endswith(", such as monotonic_cst=[0, 1].")


def test_explain_either_class(folder: Path) -> None:
    both = [
        json.loads(call("explain", *_of(folder), "--of", label, "--json").out)[0]["base"]
        for label in ("yes", "no")
    ]
    assert both[0] == -both[1]
    assert "the scores are of no, yes" in refused("explain", *_of(folder), "--of", "maybe")


def test_explain_tells_the_threshold(folder: Path, tmp_path: Path) -> None:
    model, data = _of(folder)
    assert "threshold" not in call("explain", model, data).err
    changed = tmp_path / "m.weak"
    wl.load(model).set_threshold(-0.5).save(changed)
    said = call("explain", changed, data).err
    assert "The model answers by a threshold that it was given: yes above probability 0." in said
    assert "(score of yes is above -0.5)" in said
    assert "threshold" in call("inspect", changed).out


def _of(folder: Path) -> tuple[Path, Path]:
    return folder / "model.weak", folder / "patients.csv"
