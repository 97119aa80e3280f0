"""Nothing grows in a long life: a short form of ``python -m tests.campaign.long_lives``."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from tests.campaign.bits_cases import Case, cases
from tests.campaign.long_lives import Lives, at_once, repeat
from weaklearn.registry import ROWS

pytestmark = pytest.mark.filterwarnings("ignore")

SOME = ["DecisionTreeClassifier", "SpamFilter"]


@pytest.fixture(scope="module")
def lives() -> Iterator[Lives]:
    found = Lives(20, SOME)
    gc.collect()
    gc.freeze()  # what earlier tests left is not looked through again and again
    yield found
    gc.unfreeze()
    found.folder.cleanup()


@pytest.mark.parametrize("act", ["fit", "predict", "load", "refuse"])
def test_nothing_grows(lives: Lives, act: str) -> None:
    n = len(lives.cases)
    assert not repeat(getattr(lives, act), 4 * n, n)


def test_threads_live_side_by_side(lives: Lives) -> None:
    calls, wrong = at_once(lives, 4, 0.5)
    assert not wrong
    assert calls > 0


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in SOME else pytest.mark.long) for n in ROWS]
)
def test_a_model_goes_when_nobody_holds_it(name: str) -> None:
    """With everything that it was made of, asked or not."""
    case = next(cases(20, [name]))
    seen = _used(case)
    gc.collect()
    assert seen() is None


def _used(case: Case) -> weakref.ref[object]:
    model = case.fit(case.X, case.y)
    if hasattr(model, "predict"):
        model.predict(case.X)
    return weakref.ref(getattr(model, "tree_", model))
