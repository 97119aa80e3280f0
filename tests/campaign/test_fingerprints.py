"""The models on record come out the same: a short form of ``tests.campaign.fingerprints``."""

from __future__ import annotations

import pytest

from tests.campaign.fingerprints import MODELS, SETTINGS, attempt, golden

SOME = SETTINGS.index(("baseline", 3)), SETTINGS.index(("avx2", 1))


@pytest.mark.parametrize(
    "number",
    [pytest.param(k, marks=() if k in SOME else pytest.mark.long) for k in range(len(SETTINGS))],
)
def test_no_setting_changes_a_fingerprint(number: int) -> None:
    counts = attempt(number)
    assert not counts.failures
    assert counts.answered in {0, len(MODELS)}  # none where the processor lacks the instructions


def test_every_model_is_on_record() -> None:
    assert golden().keys() == MODELS.keys()
