"""Tables of certificates: what they print, and what a DataFrame of them holds."""

from __future__ import annotations

import pytest

from weaklearn.base.certificate import Certificate, Certificates

REASON = "these are not the rows of training"


def certificates(*reasons: str) -> Certificates:
    found = [
        Certificate.not_applicable(f"theorem-{k}", "error <= bound", "a book", reason)
        for k, reason in enumerate(reasons)
    ]
    return Certificates([*found, Certificate("last", "error <= bound", "", bound=1, observed=0.5)])


def test_a_reason_is_printed_once() -> None:
    verdicts = [row[-1] for row in certificates(REASON, "other", REASON, REASON).table()]
    assert verdicts == [
        f"does not apply: {REASON}",
        "does not apply: other",
        "does not apply: as for theorem-0",
        "does not apply: as for theorem-0",
        "holds, says nothing",
    ]
    assert str(certificates(REASON, REASON, REASON)).count("not the rows") == 1


def test_verdicts_that_are_no_reasons_are_repeated() -> None:
    table = Certificates(certificates()[:] * 2).table()
    assert [row[-1] for row in table] == ["holds, says nothing"] * 2


def test_a_frame_holds_every_reason() -> None:
    pytest.importorskip("pandas")
    verdicts = certificates(REASON, REASON).to_frame()["verdict"].tolist()
    assert verdicts[:2] == [f"does not apply: {REASON}"] * 2
