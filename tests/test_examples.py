"""Every script in examples/ runs as it stands and prints what it is about."""

from __future__ import annotations

import runpy
import warnings
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
TELLING = {
    "call_routing": "those below 0.5 go to a person: billing, repair, billing, other",
    "rerank": "the tool belongs to the verb",
    "spam": "the ten strongest rules:\nif it contains",
    "topics": "sport, health",
    "all_boosters": "BrownBoost",
    "faces": "The astronaut's nose is in it.",
    "classroom": "the vote so far is right about 10 of 10 points",
    "glass_box": "asthma    flattened to 0",
    "honest_forest": "rows covered",
    "messy_table": "town = ",
    "noise": "half of the points wrong",
    "weak_learners": "trees of depth 2",
}


def test_there_are_examples():
    assert {path.stem for path in EXAMPLES} >= set(TELLING)


LONG = {"all_boosters"}  # whose lines run in few rounds below


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=pytest.mark.long if path.stem in LONG else ())
        for path in EXAMPLES
    ],
)
def test_example(path, tmp_path, monkeypatch, capsys):
    for module in ("pandas", "matplotlib"):
        if f"import {module}" in path.read_text(encoding="utf-8"):
            pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=UserWarning, module="__main__")
        runpy.run_path(str(path), run_name="__main__")
    out, err = capsys.readouterr()
    assert TELLING.get(path.stem, "") in out
    assert err == ""


def test_all_boosters_in_few_rounds():
    (path,) = (path for path in EXAMPLES if path.stem == "all_boosters")
    names = runpy.run_path(str(path))
    for booster in names["BOOSTERS"].values():
        if "n_estimators" in booster.get_params():
            booster.set_params(n_estimators=3)
    found = names["compared"]()
    assert [row[0] for row in found[::2]] == [row[0] for row in found[1::2]]
    assert {row[0] for row in found} == names["BOOSTERS"].keys()
    assert all(0 <= error < 0.5 for _, _, error, *_ in found)
