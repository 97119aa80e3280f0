"""What a cascade does with scored windows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.golden import Case, load, tolerance
from tests.reference.haar import cascade_decision
from weaklearn.vision import cascade_rates


@pytest.mark.parametrize("golden", load("cascade"), ids=lambda found: found["name"])
def test_golden(golden: Case) -> None:
    given_, expected = golden["input"], golden["expected"]
    rates = cascade_rates(given_["stage_scores"], given_["stage_thresholds"], given_["labels"])
    assert rates.decision.tolist() == expected["decision"]
    assert rates.stages_evaluated.tolist() == expected["stages_evaluated"]
    close = tolerance("cascade")
    for found, wanted in zip(rates.stage_rates, expected["stage_rates"], strict=True):
        assert found == pytest.approx(wanted, **close)
    assert rates.overall_detection == pytest.approx(expected["overall_detection"], **close)
    assert rates["overall_false_positive"] == pytest.approx(
        expected["overall_false_positive"], **close
    )


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(4, 40))
def test_promises(seed: int, n_stages: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    F = rng.integers(-2, 3, (n, n_stages)).astype(float)
    b = rng.integers(-2, 1, n_stages).astype(float)
    y = np.where(np.arange(n) % 2, 1, -1)
    rates = cascade_rates(F, b, y)
    told = [cascade_decision(row, b) for row in F]
    assert list(zip(rates.decision, rates.stages_evaluated, strict=True)) == told
    for overall, each in (
        (rates.overall_detection, rates.detection_rate),
        (rates.overall_false_positive, rates.false_positive_rate),
    ):  # overall rates are products of conditional ones
        assert overall == pytest.approx(np.prod(each[~np.isnan(each)]))
    more = cascade_rates(np.c_[F, rng.normal(size=n)], np.append(b, 0.0), y)
    assert (more.decision <= rates.decision).all()  # another stage never adds a detection
    harder = cascade_rates(F, np.r_[b[0] + 1, b[1:]], y)
    assert (harder.stages_evaluated <= rates.stages_evaluated).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([[1.0]], [0.0, 1.0], [1]), "windows, stages"),
        (([[np.nan]], [0.0], [1]), "NaN"),
        (([[1.0]], [0.0], [0]), "-1"),
    ],
)
def test_refusals(arguments: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        cascade_rates(*arguments)
