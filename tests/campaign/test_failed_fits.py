"""The short form: one model of every kind, whose fit fails at its last moments and a random one."""

from __future__ import annotations

import pytest

from tests.campaign.failed_fits import cases, failures
from tests.frozen import add
from tests.trials import TRIALS, with_small_blends
from weaklearn.persistence.book import KEPT

pytestmark = pytest.mark.filterwarnings("ignore::weaklearn.base.messages.warnings.WeaklearnWarning")


@pytest.fixture
def small_blends(monkeypatch: pytest.MonkeyPatch) -> None:
    with_small_blends(monkeypatch)
    for name in ("StrongClassifier", "StrongRegressor"):
        monkeypatch.setitem(add.SETTINGS, name, {"plain": TRIALS[name]})


@pytest.mark.parametrize("kind", KEPT, ids=lambda kind: kind.name)
@pytest.mark.usefixtures("small_blends")
def test_a_failed_fit_leaves_the_earlier_model_as_it_was(kind) -> None:
    counts = failures(next(cases(kind)), count=1, last=2)
    assert not counts.failures
    assert counts.refused > 0


@pytest.mark.long
@pytest.mark.parametrize("kind", KEPT, ids=lambda kind: kind.name)
def test_a_fit_may_fail_at_any_moment(kind) -> None:
    for case in cases(kind):
        assert not failures(case, count=10).failures, case.name
