"""A fit that goes on with the model of a file."""

from __future__ import annotations

import errno
import json
import signal
import time
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from tests.cli.calling import Called, call, patients, refused, start
from tests.cli.test_signals import interrupted


def fitted(table: Path, *more: Any) -> Called:
    found = call("fit", table, "--cv=0", *more)
    assert found.status == 0, found.err
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table, some of its rows, and models of few rounds."""
    place = tmp_path_factory.mktemp("resuming")
    patients(place / "p.csv")
    patients(place / "fewer.csv", 60)
    for model in ("adaboost", "gradient", "forest"):
        more = (f"--model={model}", "--set=n_estimators=4", "-o", place / f"{model}.weak")
        fitted(place / "p.csv", "--target=sick", *more)
    return place


@pytest.mark.parametrize("model", ["adaboost", pytest.param("gradient", marks=pytest.mark.long)])
def test_an_interrupted_fit_goes_on_to_the_same_model(tmp_path: Path, model: str) -> None:
    table = patients(tmp_path / "p.csv", 8000)
    kept, whole = tmp_path / "k.weak", tmp_path / "w.weak"
    ended = interrupted(signal.SIGINT, table, f"--model={model}", "--checkpoint", kept)
    assert ended.status == 130
    n = wl.load(kept).n_iter_
    to = (f"--set=n_estimators={n + 20}", "--json")
    found = json.loads(fitted(table, "--resume", kept, "-o", tmp_path / "m.weak", *to).out)
    fitted(table, "--target=sick", f"--model={model}", *to, "-o", whole)
    assert (found["rounds_before"], found["rounds"], found["target"]) == (n, n + 20, "sick")
    assert found["fingerprint"] == wl.inspect(whole).fingerprint
    assert not found["parameters"]["warm_start"]
    assert found["notes"] == []


@pytest.mark.parametrize(
    "how", [["n_estimators=auto"], ["n_estimators=300", "early_stopping=true"]], ids=" ".join
)
def test_rounds_that_are_to_be_found_are_the_same(tmp_path: Path, how: list[str]) -> None:
    def stop(t: int, *_: Any) -> None:
        if t == 6:
            raise KeyboardInterrupt

    table, kept = patients(tmp_path / "p.csv"), tmp_path / "kept.weak"
    settings = ["--model=gradient", *(f"--set={text}" for text in how)]
    whole = json.loads(fitted(table, "--target=sick", *settings, "--json").out)
    named = {"n_estimators": "auto"} if how == ["n_estimators=auto"] else {"n_estimators": 300}
    model = wl.GradientBoostingClassifier(**named, early_stopping=len(how) > 1, callbacks=[stop])
    X, y = wl.datasets.read_table(table).split("sick")
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.n_iter_ < whole["rounds"]
    model.save(kept)
    found = json.loads(fitted(table, "--resume", kept, "--json").out)
    assert found["fingerprint"] == whole["fingerprint"]
    assert found["stop_reason"] == whole["stop_reason"]


def test_trees_are_added_to_a_forest(folder: Path) -> None:
    more = ("--set=n_estimators=7", "--json")
    found = json.loads(fitted(folder / "p.csv", "--resume", folder / "forest.weak", *more).out)
    whole = fitted(folder / "p.csv", "--target=sick", "--model=forest", *more)
    assert found["fingerprint"] == json.loads(whole.out)["fingerprint"]


def test_texts_go_on(tmp_path: Path) -> None:
    table, model = tmp_path / "mails.csv", tmp_path / "m.weak"
    mails = ["win money,spam", "lunch at one,ham", "free money,spam", "money for lunch,ham"]
    table.write_text("message,label\n" + "\n".join([*mails * 5, "win lunch,ham", "one win,spam"]))
    given = ("--target=label", "--model=boostexter", "--text=message")
    fitted(table, *given, "--set=n_estimators=2", "-o", model)
    found = fitted(table, "--resume", model, "--set=n_estimators=5", "--json")
    whole = fitted(table, *given, "--set=n_estimators=5", "--json")
    assert json.loads(found.out)["fingerprint"] == json.loads(whole.out)["fingerprint"]


def test_what_is_said(folder: Path) -> None:
    data, kept = folder / "p.csv", folder / "adaboost.weak"
    found = call("fit", data, "--resume", kept)
    assert f"{kept}: going on after 4 rounds." in found.err
    assert "no round was added to the 4" in found.err
    assert "ask for more with --set n_estimators=N" in found.err
    assert "no cross-validation: every fold is fitted from the first round on" in found.err


@pytest.mark.parametrize("model", ["adaboost", "gradient", "forest"])
def test_other_rows_are_told(folder: Path, model: str) -> None:
    kept = folder / f"{model}.weak"
    found = call(
        "fit", folder / "fewer.csv", "--resume", kept, "--set=n_estimators=6", "--guarantees"
    )
    assert found.status == 0
    assert f"the rows are not the training rows of {kept}" in found.err
    assert "warm_start" not in found.err  # said once, in the words of a command line
    if model == "adaboost":
        assert "Guarantees" not in found.out
        assert "are vacuous or do not apply to this model" in found.err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("--model=glass", "--model glass contradicts"),
        ("--set=learning_rate=0.5", "whose learning_rate is"),
        ("--set=nix=1", "has no such parameter"),
        ("--seed=3", "whose random_state is None"),
        ("--task=numbers", "which learnt classes"),
        ("--categorical=age", "--categorical age contradicts"),
        ("--ignore=age", "which has learnt from 'age'"),
        ("--text=pain", "--text pain contradicts"),
        ("--set=n_estimators=3", "the 4 rounds already played"),
        ("--target=nix", "has no column 'nix'"),
    ],
)
def test_contradictions_are_refused(folder: Path, given: str, said: str) -> None:
    found = call("fit", folder / "p.csv", "--resume", folder / "gradient.weak", given)
    assert found.status == 2
    assert said in found.err.splitlines()[-1]


def test_what_says_the_same_is_no_contradiction(folder: Path) -> None:
    same = ("--model=gradient", "--seed=0", "--task=classes", "--categorical=pain")
    fitted(folder / "p.csv", "--resume", folder / "gradient.weak", *same)


def test_a_glass_box_does_not_go_on(folder: Path) -> None:
    kept = folder / "glass.weak"
    more = ("--model=glass", "--set=n_estimators=20", "-o", kept)
    fitted(folder / "p.csv", "--target=sick", *more)
    assert "has no warm start" in refused("fit", folder / "p.csv", "--resume", kept)


def test_a_target_is_needed_without_a_model(folder: Path) -> None:
    assert "Missing option '--target'" in refused("fit", folder / "p.csv")


def test_the_output_does_not_replace_what_goes_on(folder: Path) -> None:
    kept = folder / "forest.weak"
    assert "is also an input" in refused("fit", folder / "p.csv", "--resume", kept, "-o", kept)


@pytest.mark.parametrize("model", ["gradient", pytest.param("adaboost", marks=pytest.mark.long)])
def test_a_killed_fit_loses_no_more_than_since_the_last_checkpoint(
    tmp_path: Path, model: str
) -> None:
    table = patients(tmp_path / "p.csv", 4000)
    kept, whole = tmp_path / "k.weak", tmp_path / "w.weak"
    given = ("--target=sick", f"--model={model}", "--rounds=1000000", "--cv=0")
    watched = ("--checkpoint", kept, "--checkpoint-every=0.05")
    with start("fit", table, *given, *watched) as fit:
        end = time.monotonic() + 60
        while not kept.exists() and fit.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        time.sleep(0.3)
        fit.kill()
    model_kept = wl.load(kept)
    n = model_kept.n_iter_
    assert n > 0
    assert not model_kept.warm_start
    to = (f"--set=n_estimators={n + 10}", "--json")
    found = json.loads(fitted(table, "--resume", kept, *to).out)
    fitted(table, "--target=sick", f"--model={model}", *to, "-o", whole)
    assert (found["rounds_before"], found["rounds"], found["target"]) == (n, n + 10, "sick")
    assert found["fingerprint"] == wl.inspect(whole).fingerprint


def test_checkpoints_change_nothing_and_a_full_disk_ends_no_fit(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, kept = folder / "p.csv", tmp_path / "k.weak"
    given = ("--target=sick", "--model=adaboost", "--rounds=6", "--json")
    plain = json.loads(fitted(table, *given).out)
    often = ("--checkpoint", kept, "--checkpoint-every=1e-9")
    assert json.loads(fitted(table, *given, *often).out)["fingerprint"] == plain["fingerprint"]
    assert 0 < wl.load(kept).n_iter_ <= 6

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(wl.AdaBoostClassifier, "save", full)
    monkeypatch.setattr(wl.AdaBoostMHClassifier, "save", full)
    found = fitted(table, *given, *often)
    assert json.loads(found.out)["fingerprint"] == plain["fingerprint"]
    assert found.err.count("no checkpoint could be saved") == 1
    assert "No space left on device" in found.err
