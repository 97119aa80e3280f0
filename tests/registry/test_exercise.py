"""The exercises of CONTRIBUTING.md, done: what they say is all it takes."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_SECTION = r"^## (?P<section>[^\n]+)$"
_BLOCK = r"^```(?:python|markdown)\n(?:# |<!-- )(?P<path>\S+?)(?: -->)?\n(?P<text>.*?)^```$"

# The blocks are carried out as a reader would: new files are written to folders that the packages
# are extended by, and what goes to the end of a file is run in its module.
HEAD = """
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import weaklearn
from weaklearn import registry

folder = Path(sys.argv[1])


def extended(package):
    import_module(f"weaklearn.{package}").__path__.append(str(folder / package))


def added(module):
    text = (folder / f"{module}.txt").read_text(encoding="utf-8")
    exec(compile(text, module, "exec"), vars(import_module(f"weaklearn.{module}")))


def proved(test):
    text = (folder / f"{test}.txt").read_text(encoding="utf-8")
    names = {"__name__": test, "np": np, "pytest": import_module("pytest"), "losses": None}
    names["losses"] = import_module("weaklearn.losses")
    exec(compile(text, test, "exec"), names)
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert tests
    for run in tests:
        run()


for package in ("boosters", "estimators.boosting", "learners"):
    extended(package)
rows = import_module("weaklearn.registry.boosting")
text = (folder / "registry.boosting.txt").read_text(encoding="utf-8")
registry.register([eval(text, vars(rows))])
"""

BOOSTER = """
proved("tests.boosters.test_adaboost_rho")

# Public names.
made = weaklearn.AdaBoostRhoClassifier
assert "AdaBoostRhoClassifier" in weaklearn.__all__ == dir(weaklearn)
assert weaklearn.boosters.AdaBoostRho.__name__ == "AdaBoostRho"

# Files.
X, y = weaklearn.datasets.toy()
model = made(n_estimators=5).fit(X, y)
path = folder / "rho.weak"
model.save(path)
loaded = weaklearn.load(path)
assert type(loaded) is made
assert loaded.fingerprint() == model.fingerprint()
assert weaklearn.inspect(path).kind == "AdaBoostRhoClassifier"

# The runtime, with the odds of the row.
small = weaklearn.runtime.load(path)
p = model.predict_proba(X)
np.testing.assert_array_equal(small.predict_proba(X), p)
np.testing.assert_allclose(p[:, 1], 1 / (1 + np.exp(-2 * model.decision_function(X))))

# The command line, the site, the checks of scikit-learn, conformance and frozen files.
from docsite import families
from tests import forms
from tests.estimators import test_contract
from tests.frozen import add
from weaklearn.cli.model import MODELS, named
from tests.typed import stub
from weaklearn.testing import check_booster

assert MODELS["adaboost-rho"] == ("AdaBoostRhoClassifier", "")
assert named("adaboost-rho", "classes") is made
assert "AdaBoostRhoClassifier" in families.FAMILIES[0].stories
assert "algorithms/AdaBoostRhoClassifier.md" in families.pages()
assert made in map(type, test_contract.EVERY)
assert "adaboost-rho" in {form.name for form in forms.BOOSTERS}
assert "AdaBoostRhoClassifier" in {kind.name for kind in add.KEPT}
assert all("AdaBoostRho" in text for text in stub.stubs().values())
check_booster(weaklearn.boosters.AdaBoostRho())
"""

LOSS = """
added("losses.regression")
proved("tests.losses.test_losses")
from weaklearn import losses
from weaklearn.testing import check_loss

assert "LogCosh" in losses.__all__ and "log_cosh" in losses.FOR_NUMBERS
assert losses.named("log_cosh", scale=2.0) == losses.LogCosh(2.0)
check_loss(losses.LogCosh())
X, y = np.arange(40.0)[:, None], np.sin(np.arange(40.0))
model = weaklearn.GradientBoostingRegressor(loss="log_cosh", n_estimators=5).fit(X, y)
assert model._loss == losses.LogCosh()
path = folder / "cosh.weak"
model.save(path)
np.testing.assert_array_equal(weaklearn.load(path).predict(X), model.predict(X))
np.testing.assert_array_equal(weaklearn.runtime.load(path).predict(X), model.predict(X))
assert model.explain(X).scale == "prediction"
row = (folder / "docs.losses.md.txt").read_text(encoding="utf-8")
assert row.startswith('| `"log_cosh"`, `losses.LogCosh(') and "| 58" in row
"""

THEOREM = """
added("theory.certificates.margin")
proved("tests.theory.certificates.test_margin")
X, y = weaklearn.datasets.toy()
found = [c.id for c in weaklearn.AdaBoostClassifier(n_estimators=3).fit(X, y).certify(X, y)]
assert "rho-margin" not in found and "ada-train" in found
"""

LEARNER = """
proved("tests.learners.test_mean_stump")
from weaklearn.learners.mean_stump import MeanStumpLearner
from weaklearn.testing import check_learner

check_learner(MeanStumpLearner())
X, y = weaklearn.datasets.toy()
model = weaklearn.MadaBoostClassifier(MeanStumpLearner(), n_estimators=5).fit(X, y)
assert len(model.rules()) > 0
"""


def blocks() -> Iterator[tuple[str, str, str]]:
    """Section, file and text of every block that says where it belongs."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = ""
    for found in re.finditer(f"{_SECTION}|{_BLOCK}", text, re.MULTILINE | re.DOTALL):
        section = found["section"] or section
        if found["path"]:
            yield section, found["path"], found["text"]


BLOCKS = list(blocks())


@pytest.mark.parametrize(
    ("section", "places", "lines"),
    [
        ("To add a booster", 5, 199),
        ("To add a loss", 3, 60),
        ("To add a theorem", 2, 60),
        ("To add a learner", 2, 60),
    ],
)
def test_how_many_places_and_lines(section: str, places: int, lines: int) -> None:
    found = [(path, text) for told, path, text in BLOCKS if told == section]
    assert len({path for path, _ in found}) == len(found) == places
    assert sum(len(text.splitlines()) for _, text in found) <= lines


def test_files_that_are_not_new_are_there() -> None:
    new = re.compile(r"adaboost_rho|mean_stump")
    for _, path, text in BLOCKS:
        assert (ROOT / path).exists() != bool(new.search(path)), path
        assert max(map(len, text.splitlines())) <= (200 if path.endswith(".md") else 100)


def test_the_exercises_are_all_it_takes(tmp_path: Path) -> None:
    for _, path, text in BLOCKS:
        place = Path(path)
        package = ".".join(place.parent.parts).removeprefix("src.weaklearn.")
        if path.startswith("src/") and not (ROOT / path).exists():
            (tmp_path / package).mkdir(exist_ok=True)
            (tmp_path / package / place.name).write_text(text, encoding="utf-8")
        else:
            name = place.stem if place.suffix == ".py" else place.name
            (tmp_path / f"{package}.{name}.txt").write_text(text, encoding="utf-8")
    # What goes to the end of a file comes first: names are looked up once.
    done = subprocess.run(
        [sys.executable, "-c", HEAD + LOSS + THEOREM + BOOSTER + LEARNER, str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
