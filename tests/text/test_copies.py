"""A text of weight k counts like k copies of it, in the vocabulary as well."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn
from weaklearn.text import BoosTexterClassifier, CallRouter, SpamFilter, TermVectorizer

TEXTS = np.array(
    [
        *("win a prize now", "see you at lunch", "cheap pills, order now", "notes of the meeting"),
        *("free cash prize!", "lunch at noon?", "win free pills", "call me at noon"),
    ],
    object,
)
KINDS = np.array(["spam", "ham"] * 4)
TWICE = TermVectorizer(min_df=2)


@pytest.mark.parametrize("made", [SpamFilter, CallRouter, BoosTexterClassifier])
def test_the_vocabulary_is_that_of_copies(made: Any) -> None:
    weight = np.array([1, 3, 2, 0, 1, 2, 0, 3])
    copies = np.repeat(np.arange(8), weight)
    build = lambda: made(n_estimators=4, vectorizer=TWICE)  # noqa: E731
    weighted = build().fit(TEXTS, KINDS, sample_weight=weight)
    repeated = build().fit(TEXTS[copies], KINDS[copies])
    assert weighted.fingerprint() == repeated.fingerprint()
    answers = weighted.predict_proba(TEXTS).tobytes()
    assert repeated.predict_proba(TEXTS).tobytes() == answers


def test_types_of_weight_0_are_none(tmp_path: Path) -> None:
    """The router kept the label and the terms, and its file was refused."""
    kinds = np.where(np.arange(8) == 3, "other", KINDS)
    model = CallRouter(n_estimators=4).fit(TEXTS, kinds, sample_weight=np.arange(8) != 3)
    assert model.classes_.tolist() == ["ham", "spam"]
    assert "meeting" not in model.vectorizer_.vocabulary_
    model.save(tmp_path / "router.weak")
    assert weaklearn.load(tmp_path / "router.weak").fingerprint() == model.fingerprint()
