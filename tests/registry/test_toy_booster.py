"""A new booster is an algorithm, an estimator class and a row: everything else finds it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

ALGORITHM = '''
"""HalfBoost: AdaBoost whose votes are half of what they could be."""

from __future__ import annotations

from typing import final

from .adaboost import AdaBoost


@final
class HalfBoost(AdaBoost):
    """AdaBoost at a learning rate of one half."""

    def __init__(self) -> None:
        super().__init__(0.5)
'''

ESTIMATOR = '''
"""HalfBoostClassifier."""

from __future__ import annotations

from ... import boosters
from ...intake import parameters
from .two_classes import TwoClassBoosting


@parameters.declared
class HalfBoostClassifier(TwoClassBoosting):
    """Votes of half the size.

    Parameters
    ----------
    """

    def _game_of_two(self, sample):
        return boosters.HalfBoost()
'''

SCRIPT = """
import sys
from pathlib import Path

import numpy as np

import weaklearn
from weaklearn.registry import Row, family, register

folder = Path(sys.argv[1])
for package in ("boosters", "estimators.boosting"):
    module = __import__(f"weaklearn.{package}", fromlist=["__path__"])
    module.__path__.append(str(folder / package))
register(
    [
        Row(
            home="estimators.boosting.half_boost.HalfBoostClassifier",
            family=family.BOOSTERS,
            page="adaboost.md",
            boosters=("half_boost.HalfBoost",),
            number=999,
            kept=("persistence.kept_boosting.two_classes",),
            runtime="votes.VoteClassifier",
            odds="half",
            command="half-boost",
            trial={"n_estimators": 10},
        )
    ]
)

# Public names.
assert "HalfBoostClassifier" in weaklearn.__all__ == dir(weaklearn)
made = weaklearn.HalfBoostClassifier
assert weaklearn.boosters.HalfBoost.__name__ == "HalfBoost"

# Files.
X, y = weaklearn.datasets.toy()
model = made(n_estimators=5).fit(X, y)
path = folder / "half.weak"
model.save(path)
loaded = weaklearn.load(path)
assert type(loaded) is made
assert loaded.fingerprint() == model.fingerprint()
assert weaklearn.inspect(path).kind == "HalfBoostClassifier"

# The runtime, with the odds of the row.
small = weaklearn.runtime.load(path)
p = model.predict_proba(X)
np.testing.assert_array_equal(small.predict_proba(X), p)
np.testing.assert_allclose(p[:, 1], 1 / (1 + np.exp(-model.decision_function(X))))

# The command line, the documentation, scikit-learn's checks and the forms of the tests.
from docsite import families
from tests.estimators import test_contract
from tests import forms
from weaklearn.cli.model import MODELS, named

assert MODELS["half-boost"] == ("HalfBoostClassifier", "")
assert named("half-boost", "classes") is made
assert "HalfBoostClassifier" in families.FAMILIES[0].stories
assert "algorithms/HalfBoostClassifier.md" in families.pages()
assert made in map(type, test_contract.EVERY)
assert "half-boost" in {form.name for form in forms.BOOSTERS}
from tests.frozen import add

assert "HalfBoostClassifier" in {kind.name for kind in add.KEPT}
"""


def test_a_row_is_all_it_takes(tmp_path: Path) -> None:
    for package, name, text in (
        ("boosters", "half_boost", ALGORITHM),
        ("estimators.boosting", "half_boost", ESTIMATOR),
    ):
        (tmp_path / package).mkdir()
        (tmp_path / package / f"{name}.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)], capture_output=True, text=True, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
